//! Seals rows that were written before the program sealed such columns: see `auth::vault`. This happens once.

use auth::Vault;
use auth::code;
use auth::vault::{self, Nonce};
use base::{UserId, WithdrawalId};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;

use crate::people::codes;
use crate::schema::installation;
use crate::wallet::{bank_cards, withdrawals};
use crate::{Conn, Db, Error, Realm};
use db::bulk::{self, Statement};
use db::statement;
use db::{migrate, row};

/// The number of rows per transaction.
const AT_ONCE: i64 = 500;

/// The key for old rows. `nonce` returns a new one at each call.
pub struct Sealing<'a> {
    pub vault: &'a Vault,
    pub nonce: &'a dyn Fn() -> Result<Nonce, Error>,
    pub realm: Realm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealingOutcome {
    /// All rows were already sealed.
    Before,
    /// This many rows were sealed now, and their texts are gone from the database's
    /// files.
    Now(usize),
    /// The rows are sealed, but the files may still contain the old texts. It is tried
    /// again when the database is next opened.
    NotCleared(usize),
}

/// Seals old rows in batches, each in a transaction. If it is interrupted, the next call
/// continues. Other processes are kept out meanwhile, and rows that change in between are
/// left alone.
pub fn seal(db: &Db, sealing: &Sealing<'_>) -> Result<SealingOutcome, Error> {
    if db.here(is_noted)? {
        return Ok(SealingOutcome::Before);
    }
    let lock = migrate::keep_out(db.target())?;
    let mut conn = lock.open()?;
    if is_noted(&mut conn)? {
        return Ok(SealingOutcome::Before);
    }
    let mut sealed = 0;
    for column in [CARDS, WITHDRAWALS, CODES] {
        sealed += column.seal(&mut conn, sealing)?;
    }
    if sealed > 0 && clear(&mut conn).is_err() {
        return Ok(SealingOutcome::NotCleared(sealed));
    }
    diesel::update(installation::table)
        .set(installation::sealed_at.eq(db.clock().now().millis()))
        .execute(&mut conn)?;
    Ok(SealingOutcome::Now(sealed))
}

fn is_noted(conn: &mut Conn) -> Result<bool, Error> {
    let at: Option<Option<i64>> = installation::table.select(installation::sealed_at).first(conn).optional()?;
    Ok(at.flatten().is_some())
}

/// Rewrites the tables, because free pages still contain overwritten texts.
fn clear(conn: &mut Conn) -> Result<(), Error> {
    let statements: &[&str] = match conn {
        Conn::Postgres(_) => &[
            "SET statement_timeout = 0",
            "VACUUM (FULL) bank_cards",
            "VACUUM (FULL) withdrawals",
            "VACUUM (FULL) authorization_codes",
        ],
        // Keep the copy in a file, because it may be larger than the memory.
        Conn::Sqlite(_) => &["PRAGMA temp_store = FILE", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"],
    };
    // One by one: several together would be a transaction, in which nothing is rewritten.
    for statement in statements {
        conn.batch_execute(statement)?;
    }
    Ok(())
}

row! {
    struct Row {
        id: i64,
        text: String,
        spent: bool,
    }
}

/// The replacement of a row's text.
struct Resealed {
    id: i64,
    old: String,
    text: String,
    ending: String,
    sealed: Option<String>,
}

struct Column {
    /// A query for rows; the id to read after and the order are appended.
    rows: &'static str,
    seal: fn(Row, &Sealing<'_>) -> Result<Option<Resealed>, Error>,
    write: fn(&mut Conn, &[bulk::Column]) -> Result<usize, Error>,
    /// Whether the columns of a code's hash and ending are written as well.
    code: bool,
}

statement!(
    SEAL_CARDS,
    each: "UPDATE bank_cards AS t SET destination = u.new FROM unnest(?, ?, ?) AS u(new, id, old) \
         WHERE t.user_id = u.id AND t.destination = u.old",
);
statement!(
    SEAL_WITHDRAWALS,
    each: "UPDATE withdrawals AS t SET destination = u.new FROM unnest(?, ?, ?) AS u(new, id, old) \
         WHERE t.id = u.id AND t.destination = u.old",
);
statement!(
    SEAL_CODES,
    each: "UPDATE authorization_codes AS t SET code_hash = u.new, ending = u.ending, sealed = u.sealed \
         FROM unnest(?, ?, ?, ?, ?) AS u(new, ending, sealed, id, old) WHERE t.id = u.id AND t.code_hash = u.old",
);

const CARDS: Column = Column {
    rows: "SELECT user_id AS id, destination AS text, FALSE AS spent FROM bank_cards WHERE user_id > ",
    seal: |row, sealing| destination(bank_cards::place(UserId(row.id)), row, sealing),
    write: |conn, columns| SEAL_CARDS.execute(conn, columns),
    code: false,
};

const WITHDRAWALS: Column = Column {
    rows: "SELECT id, destination AS text, FALSE AS spent FROM withdrawals WHERE id > ",
    seal: |row, sealing| destination(withdrawals::place(WithdrawalId(row.id)), row, sealing),
    write: |conn, columns| SEAL_WITHDRAWALS.execute(conn, columns),
    code: false,
};

const CODES: Column = Column {
    rows: "SELECT id, code_hash AS text, used_by IS NOT NULL AS spent FROM authorization_codes WHERE id > ",
    seal: authorization_code,
    write: |conn, columns| SEAL_CODES.execute(conn, columns),
    code: true,
};

impl Column {
    fn seal(&self, conn: &mut Conn, sealing: &Sealing<'_>) -> Result<usize, Error> {
        let (mut above, mut sealed) = (i64::MIN, 0);
        loop {
            // Ordered by the first column, which is the key.
            let query = format!("{} {above} ORDER BY 1 LIMIT {AT_ONCE}", self.rows);
            let rows: Vec<Row> = diesel::sql_query(query).load(conn)?;
            let Some(last) = rows.last() else { return Ok(sealed) };
            above = last.id;
            let new = rows.into_iter().filter_map(|row| (self.seal)(row, sealing).transpose());
            sealed += self.write(conn, new.collect::<Result<Vec<_>, Error>>()?)?;
        }
    }

    fn write(&self, conn: &mut Conn, new: Vec<Resealed>) -> Result<usize, Error> {
        if new.is_empty() {
            return Ok(0);
        }
        let texts = new.iter().map(|new| new.text.clone()).collect::<Vec<_>>();
        let mut columns = vec![texts.into()];
        if self.code {
            columns.push(new.iter().map(|new| new.ending.clone()).collect::<Vec<_>>().into());
            columns.push(new.iter().map(|new| new.sealed.clone()).collect::<Vec<_>>().into());
        }
        columns.push(new.iter().map(|new| new.id).collect::<Vec<_>>().into());
        columns.push(new.into_iter().map(|new| new.old).collect::<Vec<_>>().into());
        // On an error, the connection is closed and everything rolled back.
        conn.batch_execute("BEGIN")?;
        let written = (self.write)(conn, &columns)?;
        conn.batch_execute("COMMIT")?;
        Ok(written)
    }
}

fn destination(place: vault::SealContext, row: Row, sealing: &Sealing<'_>) -> Result<Option<Resealed>, Error> {
    if vault::is_sealed(&row.text) {
        return Ok(None);
    }
    let text = sealing.vault.seal(place, &row.text, &(sealing.nonce)()?).map_err(not_sealed)?;
    Ok(Some(Resealed { id: row.id, old: row.text, text, ending: String::new(), sealed: None }))
}

fn authorization_code(row: Row, sealing: &Sealing<'_>) -> Result<Option<Resealed>, Error> {
    if code::is_hash(&row.text) {
        return Ok(None);
    }
    let text = code::hash(&row.text, sealing.vault);
    let keeps = sealing.realm == Realm::Simulated && !row.spent;
    let seal = || sealing.vault.seal(codes::place(&text), &row.text, &(sealing.nonce)()?).map_err(not_sealed);
    let sealed = keeps.then(seal).transpose()?;
    Ok(Some(Resealed { id: row.id, ending: code::ending(&row.text), text, sealed, old: row.text }))
}

fn not_sealed(error: vault::VaultError) -> Error {
    Error::Corrupt(error.to_string())
}
