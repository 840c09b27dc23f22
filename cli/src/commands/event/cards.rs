//! `event cards`.
