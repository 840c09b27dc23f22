//! Mega-Chess and Recursive-Chess, judged against the naive model.

mod agree;
mod scattered;
