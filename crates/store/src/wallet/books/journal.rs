//! Writes what was applied to the books: the journal, then the balances.

use std::collections::{BTreeMap, HashMap};

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use wallet::{Entry, FlowKind, Record, TransactionKind};

use super::{Books, ChangedRows, Head, Line, Note, Owner, PendingPosting};
use crate::installation::high_water;
use crate::installation::protected::BY_USERS;
use crate::{Error, Tx};
use base::{Money, PublisherId, Timestamp, TransactionId};
use db::bulk::{self, Column, NumberedRow, Statement};
use db::statement;

/// A decided transaction that is not written yet.
pub(super) struct Posted {
    pub book: i64,
    pub kind: TransactionKind,
    pub lines: Vec<Line>,
    pub note: Note,
}

statement!(
    TRANSACTIONS,
    postgres: "INSERT INTO transactions (book, book_seq, kind, ref_type, ref_id, event_time, recorded_at, \
         idempotency_key, actor, reason, prev_hash, hash, document) \
         SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id, book, book_seq",
    sqlite: "INSERT INTO transactions (book, book_seq, kind, ref_type, ref_id, event_time, recorded_at, \
         idempotency_key, actor, reason, prev_hash, hash, document) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
);
statement!(
    ENTRIES,
    postgres: "INSERT INTO entries (id, transaction_id, position, account_kind, owner_id, plan_id, amount, balance_after, \
         flow, available_after, income_after, ref_type, ref_id, remark, recorded_at) \
         SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    sqlite: "INSERT INTO entries (id, transaction_id, position, account_kind, owner_id, plan_id, amount, balance_after, \
         flow, available_after, income_after, ref_type, ref_id, remark, recorded_at) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
);
statement!(
    WALLETS,
    postgres: "UPDATE wallets w SET available = u.a, pending = u.p, withdrawing = u.w, exchanging = u.e, deposit = u.d, \
         promotional = u.pr, advance = u.ad, income = u.i, book_seq = u.s, book_head = u.h \
         FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AS u(a, p, w, e, d, pr, ad, i, s, h, id) WHERE w.user_id = u.id",
    sqlite: "UPDATE wallets SET available = ?, pending = ?, withdrawing = ?, exchanging = ?, deposit = ?, \
         promotional = ?, advance = ?, income = ?, book_seq = ?, book_head = ? WHERE user_id = ?",
);
statement!(
    ADVERTISERS,
    postgres: "UPDATE advertisers a SET claims = u.c, claimed_day = u.d, claimed_that_day = u.t, book_seq = u.s, \
         book_head = u.h FROM unnest(?, ?, ?, ?, ?, ?) AS u(c, d, t, s, h, id) WHERE a.id = u.id",
    sqlite: "UPDATE advertisers SET claims = ?, claimed_day = ?, claimed_that_day = ?, book_seq = ?, book_head = ? \
         WHERE id = ?",
);
statement!(
    PUBLISHERS,
    postgres: "UPDATE publishers p SET book_seq = u.s, book_head = u.h FROM unnest(?, ?, ?) AS u(s, h, id) WHERE p.id = u.id",
    sqlite: "UPDATE publishers SET book_seq = ?, book_head = ? WHERE id = ?",
);
statement!(
    HOLDS,
    postgres: "INSERT INTO holds (plan_id, user_id, available, promotional, coupon) \
         SELECT * FROM unnest(?, ?, ?, ?, ?) ON CONFLICT (plan_id) DO UPDATE SET \
         available = excluded.available, promotional = excluded.promotional, coupon = excluded.coupon",
    sqlite: "INSERT INTO holds (plan_id, user_id, available, promotional, coupon) VALUES (?, ?, ?, ?, ?) \
         ON CONFLICT (plan_id) DO UPDATE SET \
         available = excluded.available, promotional = excluded.promotional, coupon = excluded.coupon",
);

#[derive(QueryableByName)]
struct InsertedRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = BigInt)]
    book: i64,
    #[diesel(sql_type = BigInt)]
    book_seq: i64,
}

impl NumberedRow for InsertedRow {
    /// The book, and the position in it.
    type Key = (i64, i64);

    fn number(self) -> (Self::Key, i64) {
        ((self.book, self.book_seq), self.id)
    }
}

/// The transactions of postings that were written together.
#[derive(Debug, Default)]
pub struct WrittenPostings(Vec<TransactionId>);

impl WrittenPostings {
    pub fn transaction(&self, of: PendingPosting) -> Result<TransactionId, Error> {
        self.0.get(of.0).copied().ok_or_else(|| Error::Corrupt("a posting was not written".into()))
    }
}

impl Books {
    /// [`Books::flush`], for those who keep the numbers of the transactions.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if something was applied and not explained.
    pub fn flush_numbered(&mut self, tx: &mut Tx<'_>) -> Result<WrittenPostings, Error> {
        if self.unexplained > 0 {
            return Err(Error::Corrupt("a posting without its document".into()));
        }
        let posted = std::mem::take(&mut self.posted);
        if posted.is_empty() {
            return Ok(WrittenPostings::default());
        }
        let mut touched = ChangedRows::default();
        for posted in &posted {
            touched.note_book(posted.book);
            for line in &posted.lines {
                touched.note(line.entry.account);
            }
        }
        let written = write(tx, &mut self.heads, &posted)?;
        let entries = entries(&posted, &written.0, tx.now())?;
        let (wallets, advertisers) = (wallets(self, &touched)?, advertisers(self, &touched)?);
        bulk::together(tx, (ENTRIES, WALLETS, ADVERTISERS), [&entries, &wallets, &advertisers])?;
        HOLDS.execute(tx, &holds(self, &touched)?)?;
        PUBLISHERS.execute(tx, &publishers(self, &touched)?)?;
        Ok(written)
    }
}

/// Appends the transactions to their books' chains.
fn write(tx: &mut Tx<'_>, heads: &mut BTreeMap<i64, Head>, posted: &[Posted]) -> Result<WrittenPostings, Error> {
    let now = tx.now().millis();
    let said = documents(tx, posted)?;
    let mut links = Vec::with_capacity(posted.len());
    for posted in posted {
        let document = said.get(&(posted.kind, posted.note.document.number())).copied();
        links.push(link(heads, posted, document, tx.now())?);
    }
    let of = |f: fn(&Posted) -> i64| posted.iter().map(f).collect::<Vec<i64>>();
    let text = |f: fn(&Posted) -> &str| posted.iter().map(|p| f(p).to_owned()).collect::<Vec<String>>();
    let places = posted.iter().zip(&links).map(|(posted, link)| (posted.book, link.sequence));
    let ids = TRANSACTIONS.add::<InsertedRow>(
        tx,
        &[
            of(|p| p.book).into(),
            links.iter().map(|l| l.sequence).collect::<Vec<_>>().into(),
            posted.iter().map(|p| p.kind.code()).collect::<Vec<_>>().into(),
            text(|p| p.note.document.name()).into(),
            of(|p| p.note.document.number()).into(),
            of(|p| p.note.event_at.millis()).into(),
            vec![now; posted.len()].into(),
            posted.iter().map(|p| p.note.idempotency_key.clone()).collect::<Vec<_>>().into(),
            text(|p| &p.note.actor).into(),
            text(|p| &p.note.reason).into(),
            links.iter().map(|l| l.previous.to_vec()).collect::<Vec<_>>().into(),
            links.iter().map(|l| l.hash.to_vec()).collect::<Vec<_>>().into(),
            links.iter().map(|l| l.document.map(|digest| digest.to_vec())).collect::<Vec<_>>().into(),
        ],
        places,
    )?;
    let ends = posted.iter().zip(&links).filter_map(|(posted, link)| {
        let id = ids.get(&(posted.book, link.sequence)).copied()?;
        Some(high_water::Link { id, hash: link.hash })
    });
    if let Some(last) = ends.max_by_key(|end| end.id) {
        tx.notes().wrote_transaction(last);
    }
    let number = |(posted, link): (&Posted, &ChainPosition)| {
        let id = ids.get(&(posted.book, link.sequence)).copied().map(TransactionId);
        id.ok_or_else(|| Error::Corrupt("a transaction was not written".into()))
    };
    let numbers: Vec<TransactionId> = posted.iter().zip(&links).map(number).collect::<Result<_, _>>()?;
    Ok(WrittenPostings(numbers))
}

/// The digests of users' documents about money, which are in their tables by now. As in
/// most batches, nothing is read if there are none.
fn documents(tx: &mut Tx<'_>, posted: &[Posted]) -> Result<HashMap<(TransactionKind, i64), [u8; 32]>, Error> {
    let mut said = HashMap::new();
    for (kind, protected) in BY_USERS {
        let of_kind = posted.iter().filter(|posted| posted.kind == *kind);
        let ids: Vec<i64> = of_kind.map(|posted| posted.note.document.number()).collect();
        if ids.is_empty() {
            continue;
        }
        said.extend(protected.rows(tx, &ids)?.iter().map(|row| ((*kind, row.id), protected.digest(row))));
    }
    Ok(said)
}

/// The position of a transaction in its book.
struct ChainPosition {
    sequence: i64,
    previous: [u8; 32],
    hash: [u8; 32],
    document: Option<[u8; 32]>,
}

fn link(
    heads: &mut BTreeMap<i64, Head>,
    posted: &Posted,
    document: Option<[u8; 32]>,
    recorded_at: Timestamp,
) -> Result<ChainPosition, Error> {
    let head = heads.get_mut(&posted.book).ok_or_else(|| Error::Corrupt("a book without its head".into()))?;
    let (previous, note) = (head.hash, &posted.note);
    let entries: Vec<(Entry, Option<Money>)> = posted.lines.iter().map(|line| (line.entry, line.balance)).collect();
    head.sequence += 1;
    head.hash = wallet::hash(
        &previous,
        &Record {
            book: posted.book,
            sequence: head.sequence,
            kind: posted.kind,
            ref_type: note.document.name(),
            ref_id: note.document.number(),
            event_at: note.event_at,
            recorded_at,
            idempotency_key: note.idempotency_key.as_deref(),
            actor: &note.actor,
            reason: &note.reason,
            document: document.as_ref(),
            entries: &entries,
        },
    );
    Ok(ChainPosition { sequence: head.sequence, previous, hash: head.hash, document })
}

/// The number of entry ids reserved for each transaction.
pub(crate) const ENTRIES_EACH: usize = 64;

/// An entry's id follows from its transaction's, so that it can be verified like
/// everything else.
pub(crate) const fn entry_id(transaction: i64, position: i16) -> i64 {
    transaction.saturating_mul(ENTRIES_EACH as i64).saturating_add(position as i64)
}

/// The transaction of an entry.
pub(crate) const fn transaction_of(entry: i64) -> i64 {
    entry.div_euclid(ENTRIES_EACH as i64)
}

fn entries(posted: &[Posted], numbers: &[TransactionId], now: Timestamp) -> Result<[Column; 15], Error> {
    let mut rows = Vec::new();
    for (posted, TransactionId(id)) in posted.iter().zip(numbers.iter().copied()) {
        if posted.lines.len() > ENTRIES_EACH {
            return Err(Error::Corrupt(format!("transaction {id} has more entries than numbers for them")));
        }
        rows.extend((0_i16..).zip(&posted.lines).map(|(position, line)| (id, position, line, &posted.note)));
    }
    let keys: Vec<_> = rows.iter().map(|(_, _, line, _)| line.entry.account.key()).collect();
    // The figures after a line are stored only for lines that the user sees.
    let shown = |value: fn(&Line) -> Option<i64>| {
        rows.iter().map(|(_, _, line, _)| line.entry.flow.and(value(line))).collect::<Vec<_>>()
    };
    Ok([
        rows.iter().map(|(id, position, ..)| entry_id(*id, *position)).collect::<Vec<_>>().into(),
        rows.iter().map(|(id, ..)| *id).collect::<Vec<_>>().into(),
        rows.iter().map(|(_, position, ..)| *position).collect::<Vec<_>>().into(),
        keys.iter().map(|key| key.code).collect::<Vec<_>>().into(),
        keys.iter().map(|key| key.owner).collect::<Vec<_>>().into(),
        keys.iter().map(|key| (key.plan != 0).then_some(key.plan)).collect::<Vec<_>>().into(),
        rows.iter().map(|(_, _, line, _)| line.entry.amount.minor()).collect::<Vec<_>>().into(),
        rows.iter().map(|(_, _, line, _)| line.balance.map(Money::minor)).collect::<Vec<_>>().into(),
        rows.iter().map(|(_, _, line, _)| line.entry.flow.map(FlowKind::code)).collect::<Vec<_>>().into(),
        shown(|line| line.available.map(Money::minor)).into(),
        shown(|line| line.income).into(),
        rows.iter().map(|(.., note)| note.document.name().to_owned()).collect::<Vec<_>>().into(),
        rows.iter().map(|(.., note)| note.document.number()).collect::<Vec<_>>().into(),
        rows.iter().map(|(.., note)| note.reason.clone()).collect::<Vec<_>>().into(),
        vec![now.millis(); rows.len()].into(),
    ])
}

/// The changed wallets, with the ends of their chains.
fn wallets(books: &Books, touched: &ChangedRows) -> Result<[Column; 11], Error> {
    let mut rows = Vec::with_capacity(touched.users.len());
    for user in &touched.users {
        rows.push((books.wallet_of(*user)?, head(books, user.0)?));
    }
    let of = |f: fn(&wallet::Wallet) -> Money| rows.iter().map(|(w, _)| f(w).minor()).collect::<Vec<i64>>();
    Ok([
        of(|w| w.available).into(),
        of(|w| w.pending).into(),
        of(|w| w.withdrawing).into(),
        of(|w| w.exchanging).into(),
        of(|w| w.deposit).into(),
        of(|w| w.promotional).into(),
        of(|w| w.advance).into(),
        rows.iter().map(|(w, _)| books.income.get(&w.user).copied().unwrap_or(0)).collect::<Vec<_>>().into(),
        rows.iter().map(|(_, head)| head.sequence).collect::<Vec<_>>().into(),
        rows.iter().map(|(_, head)| head.hash.to_vec()).collect::<Vec<_>>().into(),
        rows.iter().map(|(w, _)| w.user.0).collect::<Vec<_>>().into(),
    ])
}

/// The changed advertisers, with the ends of their chains.
fn advertisers(books: &Books, touched: &ChangedRows) -> Result<[Column; 6], Error> {
    let mut rows = Vec::with_capacity(touched.advertisers.len());
    for id in &touched.advertisers {
        let day = books.days.get(id).copied().ok_or_else(|| Error::Corrupt("the advertiser is not locked".into()))?;
        rows.push((books.advertiser(*id)?, day.last, head(books, Owner::Advertiser(*id).book())?));
    }
    Ok([
        rows.iter().map(|(a, ..)| a.claims.minor()).collect::<Vec<_>>().into(),
        rows.iter().map(|(_, last, _)| last.day).collect::<Vec<_>>().into(),
        rows.iter().map(|(_, last, _)| last.claimed.minor()).collect::<Vec<_>>().into(),
        rows.iter().map(|(.., head)| head.sequence).collect::<Vec<_>>().into(),
        rows.iter().map(|(.., head)| head.hash.to_vec()).collect::<Vec<_>>().into(),
        rows.iter().map(|(a, ..)| a.id.0).collect::<Vec<_>>().into(),
    ])
}

/// The ends of the changed publishers' chains.
fn publishers(books: &Books, touched: &ChangedRows) -> Result<[Column; 3], Error> {
    let book = |id: &PublisherId| head(books, Owner::Publisher(*id).book());
    let heads = touched.publishers.iter().map(book).collect::<Result<Vec<Head>, Error>>()?;
    Ok([
        heads.iter().map(|head| head.sequence).collect::<Vec<_>>().into(),
        heads.iter().map(|head| head.hash.to_vec()).collect::<Vec<_>>().into(),
        touched.publishers.iter().map(|id| id.0).collect::<Vec<_>>().into(),
    ])
}

fn holds(books: &Books, touched: &ChangedRows) -> Result<[Column; 5], Error> {
    let mut rows = Vec::with_capacity(touched.plans.len());
    for plan in &touched.plans {
        rows.push(books.hold(*plan)?);
    }
    Ok([
        rows.iter().map(|h| h.plan.0).collect::<Vec<_>>().into(),
        rows.iter().map(|h| h.user.0).collect::<Vec<_>>().into(),
        rows.iter().map(|h| h.available.minor()).collect::<Vec<_>>().into(),
        rows.iter().map(|h| h.promotional.minor()).collect::<Vec<_>>().into(),
        rows.iter().map(|h| h.coupon.minor()).collect::<Vec<_>>().into(),
    ])
}

fn head(books: &Books, book: i64) -> Result<Head, Error> {
    books.heads.get(&book).copied().ok_or_else(|| Error::Corrupt("a book without its head".into()))
}
