//! `event import` and `event export`.
