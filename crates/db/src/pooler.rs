//! Finds a pooler that gives each transaction another session of PostgreSQL. Our sessions are set
//! up once and lock across transactions, so they must be our own.

use diesel::connection::SimpleConnection;
use diesel::result::Error as DieselError;

use crate::{Conn, Error, Target};

/// The number of tries: as many as the sessions that it may have been given.
const TURNS: usize = 3;
const REMEDY: &str = "let it pool sessions (pool_mode=session), or connect without it";
const LOST: &str = "another session";
const FAILS_IF_LOST: &str = "DO $$ BEGIN IF current_setting('placard.session', true) IS DISTINCT FROM 'kept' \
                             THEN RAISE 'another session'; END IF; END $$";

/// Opens a connection, of which it is known that its session is its own.
///
/// # Errors
/// `Connect`, also if a session does not last from one transaction to the next.
pub fn open(target: &Target) -> Result<Conn, Error> {
    let mut second = target.open()?;
    if target.is_sqlite() {
        return Ok(second);
    }
    let mut first = target.open()?;
    let mut lasts = || {
        // While the first is in a transaction, the second is in another session. Then the first
        // returns its own, and a pooler would give that to the second.
        first.batch_execute("BEGIN; SELECT 1")?;
        second.batch_execute("SET placard.session = 'kept'")?;
        first.batch_execute("COMMIT")?;
        // It may also give each session in turn.
        for _ in 0..TURNS {
            second.batch_execute(FAILS_IF_LOST)?;
        }
        Ok(())
    };
    lasts().map(|()| second).map_err(|error: DieselError| {
        let said = error.to_string();
        if said.contains(LOST) {
            return Error::Connect(format!(
                "a pooler between here and PostgreSQL changes the session with each transaction: {REMEDY}"
            ));
        }
        // A pooler that pools statements closes the connection at BEGIN.
        Error::Connect(format!("{said} If a pooler is between here and PostgreSQL, {REMEDY}"))
    })
}
