//! Statistics: whether the figures are correct, and whether they describe the games that were played.

mod figures;
mod files;
mod ratings;
