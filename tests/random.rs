//! Random chess ends as often in each way as others have published.

#![allow(clippy::unwrap_used)]

mod walk;
