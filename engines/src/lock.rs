//! What threads share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is shared, for this thread alone; a thread that panicked while it had it leaves it as it was.
pub fn lock<T: ?Sized>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
