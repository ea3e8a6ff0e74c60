//! The transactions of a book, as they were hashed.

use diesel::prelude::*;
use proof::Hash;
use proof::ledger::{Entry, GENESIS, Transaction};

use crate::schema::{entries, transactions};
use crate::wallet::books::{TransactionRow, digest};
use crate::{Conn, Error};

/// A transaction with its stored hash.
#[derive(Clone, Debug)]
pub struct HashedTransaction {
    pub transaction: Transaction<'static>,
    pub entries: Vec<Entry>,
    pub hash: Hash,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = entries)]
struct EntryRow {
    account_kind: i16,
    owner_id: i64,
    plan_id: Option<i64>,
    amount: i64,
    balance_after: Option<i64>,
    flow: Option<i16>,
}

impl From<EntryRow> for Entry {
    fn from(row: EntryRow) -> Self {
        Self {
            account: row.account_kind.into(),
            owner: row.owner_id,
            plan: row.plan_id.unwrap_or(0),
            amount: row.amount,
            balance_after: row.balance_after,
            flow: row.flow.map(i64::from),
        }
    }
}

/// The transactions of a book after one number, up to another; at most `limit`.
pub fn book_slice(
    conn: &mut Conn,
    book: i64,
    after: i64,
    up_to: i64,
    limit: i64,
) -> Result<Vec<HashedTransaction>, Error> {
    let last = up_to.min(after.saturating_add(limit));
    let own = || transactions::book.eq(book).and(transactions::book_seq.gt(after)).and(transactions::book_seq.le(last));
    let rows: Vec<TransactionRow> = transactions::table
        .filter(own())
        .select(TransactionRow::as_select())
        .order(transactions::book_seq)
        .load(conn)?;
    let lines: Vec<(i64, EntryRow)> = entries::table
        .inner_join(transactions::table.on(transactions::id.eq(entries::transaction_id)))
        .filter(own())
        .select((transactions::book_seq, EntryRow::as_select()))
        .order((transactions::book_seq, entries::position))
        .load(conn)?;
    let mut lines = lines.into_iter().peekable();
    let mut own_entries = |number: i64| {
        let mut own = Vec::new();
        while let Some((_, line)) = lines.next_if(|(of, _)| *of == number) {
            own.push(line.into());
        }
        own
    };
    rows.into_iter().map(|row| hashed(own_entries(row.book_seq), row)).collect()
}

fn hashed(entries: Vec<Entry>, row: TransactionRow) -> Result<HashedTransaction, Error> {
    let hash = digest(&row.hash)?;
    let transaction = Transaction {
        book: row.book,
        sequence: row.book_seq,
        kind: row.kind.into(),
        ref_type: row.ref_type.into(),
        ref_id: row.ref_id,
        event_at: row.event_time.millis(),
        recorded_at: row.recorded_at.millis(),
        idempotency_key: row.idempotency_key.map(Into::into),
        actor: row.actor.into(),
        reason: row.reason.into(),
        document: row.document.as_deref().map(digest).transpose()?,
    };
    Ok(HashedTransaction { transaction, entries, hash })
}

/// The stored hash of a transaction of a book; for 0, the hash that its first transaction continues from.
pub fn hash_at(conn: &mut Conn, book: i64, sequence: i64) -> Result<Hash, Error> {
    if sequence == 0 {
        return Ok(GENESIS);
    }
    let hash: Vec<u8> = transactions::table
        .filter(transactions::book.eq(book).and(transactions::book_seq.eq(sequence)))
        .select(transactions::hash)
        .first(conn)?;
    digest(&hash)
}
