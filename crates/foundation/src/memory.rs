//! This process's caches about users, which save queries and Argon2 hashing. All of
//! them may be lost at any time.

use base::UserId;
use store::Tx;

use crate::people::pay_password::cache::PayPasswordCache;
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
    /// A write after which cached data about the user is no longer valid. It is dropped
    /// once the write is done, even if the caller has gone or has waited long enough by then.
    pub async fn write_and_forget<T, F>(&self, user: UserId, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
    {
        let app = self.clone();
        let written = tokio::spawn(async move {
            let result = app.db.write(work).await;
            // This also happens after a failure, because a lost connection may have committed.
            app.memory.forget(user);
            result
        });
        store::wait_for_task(written).await
    }
}
