//! Statistics: whether figures are right, and whether they are of the games that were played.

mod figures;
mod files;
mod ratings;
