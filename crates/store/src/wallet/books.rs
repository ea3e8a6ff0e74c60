//! The ledger's rows: locks what decisions need, and writes what was decided.

use std::collections::BTreeMap;

use base::{AdvertiserId, Money, PlanId, PublisherId, Timestamp, UserId};
use diesel::prelude::*;
use wallet::{Account, Advertiser, Balances, ClaimedDay, Document, Entry, Hold, Postings, TransactionKind, Wallet};

use crate::schema::{transactions, wallets};
use crate::{Conn, Error, Tx};
use db::bulk::{Statement, ascending};
use db::{row, statement};

mod claimed_days;
mod journal;
mod order;
mod owner;

use claimed_days::Day;
#[cfg(any(test, feature = "testing"))]
pub(crate) use journal::ENTRIES_EACH;
use journal::Posted;
pub use journal::WrittenPostings;
pub(crate) use journal::{entry_id, transaction_of};
use owner::ChangedRows;
pub use owner::Owner;

/// The description of a transaction, besides its entries.
#[derive(Clone, Debug)]
pub struct Note {
    pub document: Document,
    pub event_at: Timestamp,
    /// `user:7`, `operator:3` or `system`.
    pub actor: String,
    /// Shown to the user as the remark of its lines.
    pub reason: String,
    pub idempotency_key: Option<String>,
}

/// The locked wallets, holds and advertisers, with the postings that were applied to them so far. Lock users first,
/// then advertisers, publishers and plans, each in ascending order, so that no two transactions wait for each other.
/// Many are locked with one statement, and [`Books::flush`] writes all postings with one statement per table.
#[derive(Default)]
pub struct Books {
    balances: Balances,
    /// The ends of the locked books' chains.
    heads: BTreeMap<i64, Head>,
    /// The total of everything that was ever credited to `available`, per user.
    income: BTreeMap<UserId, i64>,
    /// What conversions have claimed from each locked advertiser on its last day, and the most that they may claim.
    days: BTreeMap<AdvertiserId, Day>,
    posted: Vec<Posted>,
    /// How many postings were applied and have no note yet.
    unexplained: usize,
    /// The user of a movement that concerns only one.
    user: Option<UserId>,
}

#[derive(Clone, Copy)]
struct Head {
    sequence: i64,
    hash: [u8; 32],
}

/// A posting that is not written yet. Its transaction's number is known after [`Books::flush_numbered`].
#[derive(Clone, Copy, Debug)]
pub struct PendingPosting(usize);

/// Postings that were applied to the balances and need a note, because their document is not written yet.
#[must_use = "balances that nothing explains are never written"]
pub struct Applied {
    book: i64,
    kind: TransactionKind,
    lines: Vec<Line>,
}

/// A user's balances as they are stored.
#[derive(Queryable, QueryableByName, Selectable)]
#[diesel(table_name = wallets)]
pub(super) struct BalancesRow {
    pub user_id: UserId,
    available: Money,
    pending: Money,
    withdrawing: Money,
    exchanging: Money,
    deposit: Money,
    promotional: Money,
    advance: Money,
}

/// The same with the end of their book.
#[derive(Queryable, QueryableByName, Selectable)]
#[diesel(table_name = wallets)]
pub(super) struct WalletRow {
    #[diesel(embed)]
    pub balances: BalancesRow,
    income: i64,
    pub book_seq: i64,
    pub book_head: Vec<u8>,
}

impl BalancesRow {
    pub fn wallet(&self) -> Wallet {
        let Self { user_id: user, available, pending, withdrawing, exchanging, deposit, promotional, advance } = *self;
        Wallet { user, available, pending, withdrawing, exchanging, deposit, promotional, advance }
    }
}

/// A transaction as it is stored, for those who hash it again.
#[derive(Queryable, Selectable)]
#[diesel(table_name = transactions)]
pub(crate) struct TransactionRow {
    pub id: i64,
    pub book: i64,
    pub book_seq: i64,
    pub kind: i16,
    pub ref_type: String,
    pub ref_id: i64,
    pub event_time: Timestamp,
    pub recorded_at: Timestamp,
    pub idempotency_key: Option<String>,
    pub actor: String,
    pub reason: String,
    pub prev_hash: Vec<u8>,
    pub hash: Vec<u8>,
    pub document: Option<Vec<u8>>,
}

row! {
    struct AdvertiserRow {
        id: AdvertiserId,
        claims: Money,
        daily_cap: Option<Money>,
        claimed_day: i64,
        claimed_that_day: Money,
        book_seq: i64,
        book_head: Vec<u8>,
    }
}

row! {
    struct PublisherHead {
        id: PublisherId,
        book_seq: i64,
        book_head: Vec<u8>,
    }
}

row! {
    struct HoldRow {
        plan_id: PlanId,
        user_id: UserId,
        available: Money,
        promotional: Money,
        coupon: Money,
    }
}

/// Creates a new user's empty wallet.
pub fn create_wallet(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    tx.run(
        diesel::insert_into(wallets::table)
            .values((wallets::user_id.eq(user), wallets::book_head.eq(wallet::GENESIS.to_vec()))),
    )
}

/// The current balances for display; never use them for decisions.
pub fn read_wallet(conn: &mut Conn, user: UserId) -> Result<Option<Wallet>, Error> {
    let row = wallets::table.find(user).select(BalancesRow::as_select()).first(conn).optional()?;
    Ok(row.map(|row| row.wallet()))
}

/// The deposits of users, for display.
pub fn deposits(conn: &mut Conn, users: impl Iterator<Item = UserId>) -> Result<BTreeMap<UserId, Money>, Error> {
    let ids = ascending(users.map(|user| user.0));
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows: Vec<(UserId, Money)> =
        wallets::table.filter(wallets::user_id.eq_any(ids)).select((wallets::user_id, wallets::deposit)).load(conn)?;
    Ok(rows.into_iter().collect())
}

// SQLite's writer holds the only write lock, so plain reads are locked reads there.
statement!(
    LOCK_WALLETS,
    each: "SELECT user_id, available, pending, withdrawing, exchanging, deposit, promotional, advance, income, \
         book_seq, book_head FROM wallets WHERE user_id = ANY(?)",
    lock: "ORDER BY user_id FOR NO KEY UPDATE",
);
statement!(
    LOCK_ADVERTISERS,
    each: "SELECT id, claims, daily_cap, claimed_day, claimed_that_day, book_seq, book_head FROM advertisers \
         WHERE id = ANY(?)",
    lock: "ORDER BY id FOR NO KEY UPDATE",
);
statement!(
    LOCK_PUBLISHERS,
    each: "SELECT id, book_seq, book_head FROM publishers WHERE id = ANY(?)",
    lock: "ORDER BY id FOR NO KEY UPDATE",
);
statement!(
    LOAD_HOLDS,
    each: "SELECT plan_id, user_id, available, promotional, coupon FROM holds WHERE plan_id = ANY(?)",
);

impl Books {
    /// Locks the existing wallets and advertisers.
    pub fn lock(
        tx: &mut Tx<'_>,
        users: impl IntoIterator<Item = UserId>,
        advertisers: impl IntoIterator<Item = AdvertiserId>,
    ) -> Result<Self, Error> {
        let mut books = Self::default();
        let users = ascending(users.into_iter().map(|user| user.0));
        for row in LOCK_WALLETS.load::<WalletRow>(tx, &[users.into()])? {
            let user = row.balances.user_id;
            books.balances.insert_wallet(row.balances.wallet());
            books.heads.insert(user.0, Head { sequence: row.book_seq, hash: digest(&row.book_head)? });
            books.income.insert(user, row.income);
        }
        books.lock_advertisers(tx, advertisers)?;
        order::follow(tx, &books.heads)?;
        Ok(books)
    }

    fn lock_advertisers(
        &mut self,
        tx: &mut Tx<'_>,
        advertisers: impl IntoIterator<Item = AdvertiserId>,
    ) -> Result<(), Error> {
        let ids = ascending(advertisers.into_iter().map(|id| id.0));
        for row in LOCK_ADVERTISERS.load::<AdvertiserRow>(tx, &[ids.into()])? {
            let id = row.id;
            self.balances.insert_advertiser(Advertiser { id, claims: row.claims });
            let last = ClaimedDay { day: row.claimed_day, claimed: row.claimed_that_day };
            self.days.insert(id, Day { last, cap: row.daily_cap });
            self.heads
                .insert(Owner::Advertiser(id).book(), Head { sequence: row.book_seq, hash: digest(&row.book_head)? });
        }
        Ok(())
    }

    /// Locks one user's wallet: the first statement of a single movement.
    pub fn lock_user(tx: &mut Tx<'_>, user: UserId) -> Result<Self, Error> {
        let mut books = Self::lock(tx, [user], [])?;
        books.user = Some(user);
        books.wallet()?;
        Ok(books)
    }

    /// Whether nothing was ever booked for the locked user.
    pub fn never_used(&self) -> bool {
        self.user.and_then(|user| self.heads.get(&user.0)).is_none_or(|head| head.sequence == 0)
    }

    /// Locks only an advertiser, for movements without a user.
    pub fn lock_advertiser_alone(tx: &mut Tx<'_>, id: AdvertiserId) -> Result<Self, Error> {
        Self::lock(tx, [], [id])
    }

    /// Locks only a publisher.
    pub fn lock_publisher(tx: &mut Tx<'_>, id: PublisherId) -> Result<Self, Error> {
        let mut books = Self::default();
        books.lock_publishers(tx, [id])?;
        Ok(books)
    }

    /// Locks publishers, to pay them. Bills lock publishers only to pay prices that exchanges named late and that have
    /// no bill to go with.
    pub fn lock_publishers(
        &mut self,
        tx: &mut Tx<'_>,
        publishers: impl IntoIterator<Item = PublisherId>,
    ) -> Result<(), Error> {
        let ids = ascending(publishers.into_iter().map(|id| id.0));
        for row in LOCK_PUBLISHERS.load::<PublisherHead>(tx, &[ids.into()])? {
            let book = Owner::Publisher(row.id).book();
            self.heads.insert(book, Head { sequence: row.book_seq, hash: digest(&row.book_head)? });
        }
        order::follow(tx, &self.heads)
    }

    /// Opens the empty hold of a new plan.
    pub fn open_hold(&mut self, plan: PlanId, user: UserId) {
        self.balances.insert_hold(Hold::empty(user, plan));
    }

    /// Loads the plans' holds; empty ones if none exist yet. The users' locks cover them.
    pub fn load_holds(
        &mut self,
        tx: &mut Tx<'_>,
        plans: impl IntoIterator<Item = (PlanId, UserId)>,
    ) -> Result<(), Error> {
        let mut ids = Vec::new();
        for (plan, user) in plans {
            self.open_hold(plan, user);
            ids.push(plan.0);
        }
        for row in LOAD_HOLDS.load::<HoldRow>(tx, &[ascending(ids).into()])? {
            let HoldRow { plan_id: plan, user_id: user, available, promotional, coupon } = row;
            self.balances.insert_hold(Hold { user, plan, available, promotional, coupon });
        }
        Ok(())
    }

    /// Loads one plan's hold, of the locked user.
    pub fn load_hold(&mut self, tx: &mut Tx<'_>, plan: PlanId) -> Result<Hold, Error> {
        let user = self.user.ok_or_else(|| Error::Corrupt("a hold without its user".into()))?;
        self.load_holds(tx, [(plan, user)])?;
        self.hold(plan)
    }

    /// The locked user's wallet.
    pub fn wallet(&self) -> Result<&Wallet, Error> {
        self.user
            .and_then(|user| self.balances.wallet(user))
            .ok_or_else(|| Error::Corrupt("no wallet is locked".into()))
    }

    pub fn wallet_of(&self, user: UserId) -> Result<&Wallet, Error> {
        self.balances.wallet(user).ok_or_else(|| Error::Corrupt(format!("the wallet of user {user} is not locked")))
    }

    pub fn advertiser(&self, id: AdvertiserId) -> Result<Advertiser, Error> {
        self.balances.advertiser(id).copied().ok_or_else(|| Error::Corrupt("the advertiser is not locked".into()))
    }

    pub fn hold(&self, plan: PlanId) -> Result<Hold, Error> {
        self.balances.hold(plan).copied().ok_or_else(|| Error::Corrupt("the hold is not loaded".into()))
    }

    /// Applies a decision to the balances in memory; [`Books::flush`] writes it.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if a balance would be violated, which decisions refuse: a
    /// fault.
    pub fn enter(&mut self, postings: &Postings, note: Note) -> Result<PendingPosting, Error> {
        let applied = self.apply(postings)?;
        Ok(self.explain(applied, note))
    }

    /// Like [`Books::enter`], for a document that has no number yet. [`Books::explain`] adds the note later.
    ///
    /// # Errors
    /// Those of [`Books::enter`].
    pub fn apply(&mut self, postings: &Postings) -> Result<Applied, Error> {
        let owner = Owner::of(postings).ok_or_else(|| Error::Corrupt("a transaction of nobody's".into()))?;
        self.apply_in(owner, postings)
    }

    /// Like [`Books::enter`], in the locked book of `owner`, whom the postings do not name if only
    /// platform accounts take part.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if that book is not locked.
    pub fn enter_about(&mut self, owner: Owner, postings: &Postings, note: Note) -> Result<PendingPosting, Error> {
        let applied = self.apply_in(owner, postings)?;
        Ok(self.explain(applied, note))
    }

    fn apply_in(&mut self, owner: Owner, postings: &Postings) -> Result<Applied, Error> {
        let user = owner.user();
        let mut available = user.and_then(|user| self.balances.wallet(user)).map(|wallet| wallet.available);
        let running = self.balances.apply(postings).map_err(|e| Error::Corrupt(e.to_string()))?;
        let mut lines = Vec::with_capacity(running.len());
        for (entry, balance) in postings.entries().iter().copied().zip(running) {
            if let Account::User(user, wallet::UserAccount::Available) = entry.account {
                available = balance;
                if entry.amount.is_positive() {
                    *self.income.entry(user).or_default() += entry.amount.minor();
                }
            }
            let income = user.and_then(|user| self.income.get(&user)).copied();
            lines.push(Line { entry, balance, available, income });
        }
        self.unexplained += 1;
        Ok(Applied { book: owner.book(), kind: postings.kind(), lines })
    }

    /// Adds the note to applied postings. In each book, this must happen in the order in which they were applied.
    pub fn explain(&mut self, applied: Applied, note: Note) -> PendingPosting {
        let Applied { book, kind, lines } = applied;
        self.unexplained = self.unexplained.saturating_sub(1);
        self.posted.push(Posted { book, kind, lines, note });
        PendingPosting(self.posted.len() - 1)
    }

    /// Applies a decision and writes it at once.
    pub fn post(&mut self, tx: &mut Tx<'_>, postings: &Postings, note: &Note) -> Result<(), Error> {
        self.enter(postings, note.clone())?;
        self.flush(tx)
    }

    /// Applies a decision in the locked book of `owner`, even if no account of theirs takes part, and
    /// writes it at once.
    pub fn post_about(&mut self, tx: &mut Tx<'_>, owner: Owner, postings: &Postings, note: Note) -> Result<(), Error> {
        self.enter_about(owner, postings, note)?;
        self.flush(tx)
    }

    /// Writes all transactions, entries and new balances, one statement per table.
    pub fn flush(&mut self, tx: &mut Tx<'_>) -> Result<(), Error> {
        self.flush_numbered(tx).map(drop)
    }
}

/// An entry, with the figures after it was applied.
struct Line {
    entry: Entry,
    balance: Option<Money>,
    available: Option<Money>,
    income: Option<i64>,
}

pub(crate) fn digest(bytes: &[u8]) -> Result<[u8; 32], Error> {
    bytes.try_into().map_err(|_| Error::Corrupt("a hash is not 32 bytes long".into()))
}
