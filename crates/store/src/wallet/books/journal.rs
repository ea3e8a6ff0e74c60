//! Writes what was applied to the books: the journal, then the balances.

use std::collections::{BTreeMap, HashMap};

use wallet::{Entry, FlowKind, Record, TransactionKind};

use super::{Books, ChangedRows, Head, Line, Note, Owner, PendingPosting};
use crate::installation::high_water;
use crate::installation::protected::BY_USERS;
use crate::{Error, Tx};
use base::{AdvertiserId, Money, PlanId, PublisherId, Timestamp, TransactionId, UserId};
use db::bulk::{self, NumberedRow, Statement};
use db::{insert, row, update};

/// A decided transaction that is not written yet.
pub(super) struct Posted {
    pub book: i64,
    pub kind: TransactionKind,
    pub lines: Vec<Line>,
    pub note: Note,
}

insert! {
    struct NewTransaction<'a>, TRANSACTIONS into "transactions" {
        book: i64,
        book_seq: i64,
        kind: TransactionKind,
        ref_type: &'a str,
        ref_id: i64,
        event_time: Timestamp,
        recorded_at: Timestamp,
        idempotency_key: &'a Option<String>,
        actor: &'a str,
        reason: &'a str,
        prev_hash: [u8; 32],
        hash: [u8; 32],
        document: Option<[u8; 32]>,
    } numbered "RETURNING id, book, book_seq"
}
insert! {
    struct NewEntry<'a>, ENTRIES into "entries" {
        id: i64,
        transaction_id: TransactionId,
        position: i16,
        account_kind: i16,
        owner_id: i64,
        plan_id: Option<i64>,
        amount: Money,
        balance_after: Option<Money>,
        flow: Option<FlowKind>,
        available_after: Option<Money>,
        income_after: Option<i64>,
        ref_type: &'a str,
        ref_id: i64,
        remark: &'a str,
        recorded_at: Timestamp,
    }
}
update! {
    struct ChangedWallet, WALLETS of "wallets" {
        available: Money,
        pending: Money,
        withdrawing: Money,
        exchanging: Money,
        deposit: Money,
        promotional: Money,
        advance: Money,
        income: i64,
        book_seq: i64,
        book_head: [u8; 32],
    } by { user_id: UserId }
}
update! {
    struct ChangedAdvertiser, ADVERTISERS of "advertisers" {
        claims: Money,
        claimed_day: i64,
        claimed_that_day: Money,
        book_seq: i64,
        book_head: [u8; 32],
    } by { id: AdvertiserId }
}
update! {
    struct ChangedPublisher, PUBLISHERS of "publishers" {
        book_seq: i64,
        book_head: [u8; 32],
    } by { id: PublisherId }
}
insert! {
    struct ChangedHold, HOLDS into "holds" {
        plan_id: PlanId,
        user_id: UserId,
        available = Money,
        promotional = Money,
        coupon = Money,
    } then "ON CONFLICT (plan_id)"
}

row! {
    struct InsertedRow {
        id: i64,
        book: i64,
        book_seq: i64,
    }
}

impl NumberedRow for InsertedRow {
    /// The book, and the position in it.
    type Key = (i64, i64);

    fn number(self) -> (Self::Key, i64) {
        ((self.book, self.book_seq), self.id)
    }
}

/// The ids of the transactions of postings that were written together.
#[derive(Debug, Default)]
pub struct WrittenPostings(Vec<TransactionId>);

impl WrittenPostings {
    pub fn transaction(&self, of: PendingPosting) -> Result<TransactionId, Error> {
        self.0.get(of.0).copied().ok_or_else(|| Error::Corrupt("a posting was not written".into()))
    }
}

impl Books {
    /// Like [`Books::flush`]; returns the ids of the transactions.
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
        let entries = NewEntry::columns(&entries(&posted, &written.0, tx.now())?);
        let wallets = ChangedWallet::columns(&wallets(self, &touched)?);
        let advertisers = ChangedAdvertiser::columns(&advertisers(self, &touched)?);
        bulk::together(tx, (ENTRIES, WALLETS, ADVERTISERS), [&entries, &wallets, &advertisers])?;
        HOLDS.execute(tx, &ChangedHold::columns(&holds(self, &touched)?))?;
        PUBLISHERS.execute(tx, &ChangedPublisher::columns(&publishers(self, &touched)?))?;
        Ok(written)
    }
}

/// Appends the transactions to their books' chains.
fn write(tx: &mut Tx<'_>, heads: &mut BTreeMap<i64, Head>, posted: &[Posted]) -> Result<WrittenPostings, Error> {
    let now = tx.now();
    let said = documents(tx, posted)?;
    let mut links = Vec::with_capacity(posted.len());
    for posted in posted {
        let document = said.get(&(posted.kind, posted.note.document.number())).copied();
        links.push(link(heads, posted, document, now)?);
    }
    let rows: Vec<NewTransaction<'_>> =
        posted.iter().zip(&links).map(|(posted, link)| NewTransaction::of(posted, link, now)).collect();
    let places = rows.iter().map(|row| (row.book, row.book_seq));
    let ids = TRANSACTIONS.add::<InsertedRow>(tx, &NewTransaction::columns(&rows), places)?;
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

impl<'a> NewTransaction<'a> {
    fn of(posted: &'a Posted, link: &ChainPosition, now: Timestamp) -> Self {
        let note = &posted.note;
        Self {
            book: posted.book,
            book_seq: link.sequence,
            kind: posted.kind,
            ref_type: note.document.name(),
            ref_id: note.document.number(),
            event_time: note.event_at,
            recorded_at: now,
            idempotency_key: &note.idempotency_key,
            actor: &note.actor,
            reason: &note.reason,
            prev_hash: link.previous,
            hash: link.hash,
            document: link.document,
        }
    }
}

/// The digests of users' documents about money, which are stored in their tables by now. If there are none, as in most
/// batches, nothing is read.
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

fn entries<'a>(posted: &'a [Posted], numbers: &[TransactionId], now: Timestamp) -> Result<Vec<NewEntry<'a>>, Error> {
    let mut rows = Vec::new();
    for (posted, id) in posted.iter().zip(numbers.iter().copied()) {
        if posted.lines.len() > ENTRIES_EACH {
            return Err(Error::Corrupt(format!("transaction {id} has more entries than numbers for them")));
        }
        let places = (0_i16..).zip(&posted.lines);
        rows.extend(places.map(|place| NewEntry::of(id, place, &posted.note, now)));
    }
    Ok(rows)
}

impl<'a> NewEntry<'a> {
    fn of(transaction_id: TransactionId, (position, line): (i16, &Line), note: &'a Note, now: Timestamp) -> Self {
        let (entry, key) = (&line.entry, line.entry.account.key());
        Self {
            id: entry_id(transaction_id.0, position),
            transaction_id,
            position,
            account_kind: key.code,
            owner_id: key.owner,
            plan_id: (key.plan != 0).then_some(key.plan),
            amount: entry.amount,
            balance_after: line.balance,
            flow: entry.flow,
            // These figures are stored only for lines that the user sees.
            available_after: entry.flow.and(line.available),
            income_after: entry.flow.and(line.income),
            ref_type: note.document.name(),
            ref_id: note.document.number(),
            remark: &note.reason,
            recorded_at: now,
        }
    }
}

/// The changed wallets, with the ends of their chains.
fn wallets(books: &Books, touched: &ChangedRows) -> Result<Vec<ChangedWallet>, Error> {
    let changed = |user: &UserId| {
        let (wallet, head) = (books.wallet_of(*user)?, head(books, user.0)?);
        Ok(ChangedWallet {
            available: wallet.available,
            pending: wallet.pending,
            withdrawing: wallet.withdrawing,
            exchanging: wallet.exchanging,
            deposit: wallet.deposit,
            promotional: wallet.promotional,
            advance: wallet.advance,
            income: books.income.get(user).copied().unwrap_or(0),
            book_seq: head.sequence,
            book_head: head.hash,
            user_id: *user,
        })
    };
    touched.users.iter().map(changed).collect()
}

/// The changed advertisers, with the ends of their chains.
fn advertisers(books: &Books, touched: &ChangedRows) -> Result<Vec<ChangedAdvertiser>, Error> {
    let changed = |id: &AdvertiserId| {
        let day = books.days.get(id).copied().ok_or_else(|| Error::Corrupt("the advertiser is not locked".into()))?;
        let head = head(books, Owner::Advertiser(*id).book())?;
        Ok(ChangedAdvertiser {
            claims: books.advertiser(*id)?.claims,
            claimed_day: day.last.day,
            claimed_that_day: day.last.claimed,
            book_seq: head.sequence,
            book_head: head.hash,
            id: *id,
        })
    };
    touched.advertisers.iter().map(changed).collect()
}

/// The ends of the changed publishers' chains.
fn publishers(books: &Books, touched: &ChangedRows) -> Result<Vec<ChangedPublisher>, Error> {
    let changed = |id: &PublisherId| {
        let head = head(books, Owner::Publisher(*id).book())?;
        Ok(ChangedPublisher { book_seq: head.sequence, book_head: head.hash, id: *id })
    };
    touched.publishers.iter().map(changed).collect()
}

fn holds(books: &Books, touched: &ChangedRows) -> Result<Vec<ChangedHold>, Error> {
    let changed = |plan: &PlanId| {
        let hold = books.hold(*plan)?;
        let (available, promotional, coupon) = (hold.available, hold.promotional, hold.coupon);
        Ok(ChangedHold { plan_id: hold.plan, user_id: hold.user, available, promotional, coupon })
    };
    touched.plans.iter().map(changed).collect()
}

fn head(books: &Books, book: i64) -> Result<Head, Error> {
    books.heads.get(&book).copied().ok_or_else(|| Error::Corrupt("a book without its head".into()))
}
