//! Open connections that are not in use. Threads of one kind share them, and take the one
//! used last first: so consecutive work needs a single connection, whichever threads do
//! it. Opening a connection to PostgreSQL takes longer than most work.

use std::sync::{Arc, Mutex, PoisonError};

pub(crate) struct Idle<T>(Arc<Mutex<Vec<T>>>);

impl<T> Clone for Idle<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for Idle<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Idle<T> {
    pub(crate) fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    pub(crate) fn give(&self, one: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(one);
    }

    /// Closes all of them. What ended one connection, such as a restart of the database, has mostly ended all, and each
    /// would let one more request fail.
    pub(crate) fn close(&self) {
        let all = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        drop(all);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_used_last_is_taken_first() {
        let (here, there) = {
            let idle = Idle::default();
            (idle.clone(), idle)
        };
        assert_eq!(here.take(), None);
        here.give(1);
        there.give(2);
        assert_eq!((here.take(), there.take(), here.take()), (Some(2), Some(1), None));
        here.give(3);
        here.give(4);
        there.close();
        assert_eq!(here.take(), None);
    }
}
