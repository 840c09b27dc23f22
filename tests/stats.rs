//! Statistics: whether the figures are correct, and whether they are those of the games played.

mod figures;
mod files;
mod ratings;
