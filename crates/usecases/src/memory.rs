//! This process's caches about users, which save queries and Argon2 hashing. All of
//! them may be lost at any time.

use base::UserId;
use store::Tx;

use crate::people::pay_password_cache::PayPasswordCache;
use crate::people::session_cache::SessionCache;
use crate::{App, Error};

#[derive(Default)]
pub struct Memory {
    pub sessions: SessionCache,
    pub pay_passwords: PayPasswordCache,
}

impl Memory {
    pub fn forget(&self, user: UserId) {
        self.sessions.forget(user);
        self.pay_passwords.forget(user);
    }
}

impl App {
    /// A write after which what is remembered of the user no longer holds. It
    /// is forgotten once it is written, even where the caller has gone by then.
    pub(crate) async fn write_and_forget<T, F>(&self, user: UserId, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
    {
        let app = self.clone();
        let written = tokio::spawn(async move {
            let result = app.db.write(work).await;
            // Also where it failed: what a lost connection has written is unknown.
            app.memory.forget(user);
            result
        });
        written.await.map_err(|e| Error::Internal(e.to_string()))?
    }
}
