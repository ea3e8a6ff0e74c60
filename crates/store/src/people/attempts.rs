//! Failed attempts by network and by name, on whatever server. Keys are keyed digests, so
//! neither an address nor a name is stored.

use auth::attempts::{AttemptLimit, Failures};
use base::Timestamp;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Text};

use crate::schema::attempts;
use crate::{Conn, Error, Tx};
use db::One;

/// A counter of attempts, and its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptKey {
    pub digest: [u8; 32],
    pub limit: AttemptLimit,
}

/// The most counters that are removed at a time.
const REMOVED_AT_ONCE: i64 = 100;

/// The failures counted under these keys, without a lock.
pub fn read(conn: &mut Conn, keys: &[AttemptKey]) -> Result<Vec<(AttemptKey, Failures)>, Error> {
    let digests: Vec<_> = keys.iter().map(|key| key.digest.to_vec()).collect();
    let rows: Vec<(Vec<u8>, String)> =
        attempts::table.filter(attempts::key.eq_any(digests)).select((attempts::key, attempts::failures)).load(conn)?;
    let named = |digest: &[u8]| keys.iter().find(|key| key.digest == *digest).copied();
    Ok(rows.iter().filter_map(|(digest, text)| Some((named(digest)?, Failures::from_text(text)))).collect())
}

/// Locks a counter until the transaction ends. Lock several in the order of their digests.
pub fn lock(tx: &mut Tx<'_>, key: &AttemptKey) -> Result<Failures, Error> {
    let now = tx.now().millis();
    let row: One<String> = diesel::sql_query(
        "INSERT INTO attempts (key, failures, lapses_at) VALUES ($1, $2, $3)
         ON CONFLICT (key) DO UPDATE SET failures = attempts.failures RETURNING failures",
    )
    .bind::<Binary, _>(key.digest.to_vec())
    .bind::<Text, _>("")
    .bind::<BigInt, _>(now)
    .get_result(tx.conn())?;
    Ok(Failures::from_text(&row.0))
}

pub fn set(tx: &mut Tx<'_>, key: &AttemptKey, failures: &Failures, lapses_at: Timestamp) -> Result<(), Error> {
    tx.run(
        diesel::update(attempts::table.find(key.digest.to_vec()))
            .set((attempts::failures.eq(failures.text()), attempts::lapses_at.eq(lapses_at))),
    )
}

/// Removes some counters that no longer count. Locked ones are skipped.
pub fn remove_lapsed(tx: &mut Tx<'_>) -> Result<(), Error> {
    let now = tx.now().millis();
    let lapsed = "SELECT key FROM attempts WHERE lapses_at < $1 ORDER BY lapses_at LIMIT $2";
    let lock = match tx.conn() {
        Conn::Postgres(_) => " FOR UPDATE SKIP LOCKED",
        Conn::Sqlite(_) => "",
    };
    tx.run(
        diesel::sql_query(format!("DELETE FROM attempts WHERE key IN ({lapsed}{lock})"))
            .bind::<BigInt, _>(now)
            .bind::<BigInt, _>(REMOVED_AT_ONCE),
    )
}
