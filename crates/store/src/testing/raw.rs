//! The speed of SQLite with a flush for every transfer: two accounts, a transaction with two entries, and nothing else.
//! Benchmarks compare the ledger with it.

use std::path::Path;
use std::time::{Duration, Instant};

use diesel::SqliteConnection;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::{Conn, Error};
use db::Target;

diesel::table! {
    balances (id) {
        id -> BigInt,
        amount -> BigInt,
    }
}

diesel::table! {
    transfers (id) {
        id -> BigInt,
        kind -> SmallInt,
        recorded_at -> BigInt,
    }
}

diesel::table! {
    lines (id) {
        id -> BigInt,
        transfer_id -> BigInt,
        account -> BigInt,
        amount -> BigInt,
    }
}

const ACCOUNTS: i64 = 1_000;
const TABLES: &str = "CREATE TABLE balances (id INTEGER PRIMARY KEY, amount BIGINT NOT NULL); \
     CREATE TABLE transfers (id INTEGER PRIMARY KEY, kind SMALLINT NOT NULL, recorded_at BIGINT NOT NULL); \
     CREATE TABLE lines (id INTEGER PRIMARY KEY, transfer_id BIGINT NOT NULL, account BIGINT NOT NULL, amount BIGINT NOT NULL); \
     WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 999) INSERT INTO balances SELECT n, 0 FROM s;";

/// Makes one transfer after the other in a new database at `path` for this long, each
/// with its own commit under the ledger's settings, and returns the number per second.
///
/// # Errors
/// Those of the database.
#[allow(clippy::float_arithmetic, reason = "a rate is for reading")]
pub fn transfers_per_second(path: &Path, lasting: Duration) -> Result<f64, Error> {
    let Conn::Sqlite(mut conn) = Target::Sqlite(path.to_owned()).open()? else { return Err(Error::Closed) };
    conn.batch_execute(TABLES)?;
    let began = Instant::now();
    let mut made = 0_u32;
    while began.elapsed() < lasting {
        conn.batch_execute("BEGIN IMMEDIATE")?;
        transfer(&mut conn, i64::from(made))?;
        conn.batch_execute("COMMIT")?;
        made += 1;
    }
    Ok(f64::from(made) / began.elapsed().as_secs_f64())
}

fn transfer(conn: &mut SqliteConnection, number: i64) -> Result<(), Error> {
    let (from, to) = (number * 7919 % ACCOUNTS, (number * 104_729 + 1) % ACCOUNTS);
    diesel::insert_into(transfers::table)
        .values((transfers::id.eq(number), transfers::kind.eq(1), transfers::recorded_at.eq(number)))
        .execute(conn)?;
    for (account, amount) in [(from, -100_i64), (to, 100)] {
        diesel::update(balances::table.find(account))
            .set(balances::amount.eq(balances::amount + amount))
            .execute(conn)?;
        diesel::insert_into(lines::table)
            .values((lines::transfer_id.eq(number), lines::account.eq(account), lines::amount.eq(amount)))
            .execute(conn)?;
    }
    Ok(())
}

/// The version of the SQLite linked in.
///
/// # Errors
/// Those of the database.
pub fn sqlite_version() -> Result<String, Error> {
    let mut conn = SqliteConnection::establish(":memory:").map_err(|e| Error::Connect(e.to_string()))?;
    Ok(diesel::select(diesel::dsl::sql::<Text>("sqlite_version()")).get_result(&mut conn)?)
}
