//! Mega-Chess and Recursive-Chess, compared with the naive model.

mod agree;
mod scattered;
