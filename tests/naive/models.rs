//! The models by cases made by hand, and by counts that do not come from this project.

mod models {
    mod linked;
    mod mega;
    mod metachess;
    mod olympic;
    mod overchess;
    mod strategichess;
}
