//! The ledger's rows: locking what a decision needs, and writing what it decided.

use std::collections::BTreeMap;

use base::{AdvertiserId, Money, PlanId, Timestamp, TransactionId, UserId};
use diesel::prelude::*;
use wallet::{Advertiser, Balances, Entry, Hold, Postings, Record, Wallet};

use crate::connection::each;
use crate::schema::{advertisers, entries, holds, transactions, wallets};
use crate::{Conn, Error, Tx};

/// What a transaction says of itself besides its entries.
#[derive(Clone, Debug)]
pub struct Note {
    /// The document that caused it, such as `withdrawal` and its id.
    pub ref_type: &'static str,
    pub ref_id: i64,
    pub event_at: Timestamp,
    /// `user:7`, `operator:3` or `system`.
    pub actor: String,
    /// Shown to the user as the remark of its lines.
    pub reason: String,
    pub idempotency_key: Option<String>,
}

/// Wallets, holds and advertisers that this transaction has locked.
///
/// Lock the user first, then the advertiser, then the plan: everything takes
/// them in this order, so no two transactions wait for each other.
pub struct Books {
    balances: Balances,
    heads: BTreeMap<i64, Head>,
    user: Option<UserId>,
}

#[derive(Clone, Copy)]
struct Head {
    sequence: i64,
    hash: [u8; 32],
}

#[derive(Queryable)]
struct WalletRow {
    user_id: i64,
    _version: i64,
    available: i64,
    pending: i64,
    withdrawing: i64,
    exchanging: i64,
    deposit: i64,
    promotional: i64,
    advance: i64,
    book_seq: i64,
    book_head: Vec<u8>,
}

impl WalletRow {
    fn wallet(&self) -> Wallet {
        Wallet {
            user: UserId(self.user_id),
            available: Money::from_minor(self.available),
            pending: Money::from_minor(self.pending),
            withdrawing: Money::from_minor(self.withdrawing),
            exchanging: Money::from_minor(self.exchanging),
            deposit: Money::from_minor(self.deposit),
            promotional: Money::from_minor(self.promotional),
            advance: Money::from_minor(self.advance),
        }
    }
}

/// A new user's empty wallet.
pub fn create_wallet(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    diesel::insert_into(wallets::table)
        .values((wallets::user_id.eq(user.0), wallets::book_head.eq(wallet::GENESIS.to_vec())))
        .execute(conn)?;
    Ok(())
}

/// The balances as they are now, for showing; never decide on them.
pub fn read_wallet(conn: &mut Conn, user: UserId) -> Result<Option<Wallet>, Error> {
    let row: Option<WalletRow> = wallets::table.find(user.0).first(conn).optional()?;
    Ok(row.map(|r| r.wallet()))
}

impl Books {
    /// Locks a user's wallet. The first statement of every movement.
    pub fn lock_user(tx: &mut Tx<'_>, user: UserId) -> Result<Self, Error> {
        let conn: &mut Conn = tx;
        let row: WalletRow = diesel::update(wallets::table.find(user.0))
            .set(wallets::version.eq(wallets::version + 1))
            .returning(wallets::all_columns)
            .get_result(conn)?;
        let mut books = Self { balances: Balances::default(), heads: BTreeMap::new(), user: Some(user) };
        books.balances.insert_wallet(row.wallet());
        books.heads.insert(row.user_id, Head { sequence: row.book_seq, hash: digest(&row.book_head)? });
        Ok(books)
    }

    /// Locks an advertiser alone, for what concerns no user.
    pub fn lock_advertiser_alone(tx: &mut Tx<'_>, id: AdvertiserId) -> Result<Self, Error> {
        let mut books = Self { balances: Balances::default(), heads: BTreeMap::new(), user: None };
        books.lock_advertiser(tx, id)?;
        Ok(books)
    }

    pub fn lock_advertiser(&mut self, tx: &mut Tx<'_>, id: AdvertiserId) -> Result<Advertiser, Error> {
        let conn: &mut Conn = tx;
        let (claims, sequence, head): (i64, i64, Vec<u8>) = diesel::update(advertisers::table.find(id.0))
            .set(advertisers::version.eq(advertisers::version + 1))
            .returning((advertisers::claims, advertisers::book_seq, advertisers::book_head))
            .get_result(conn)?;
        let advertiser = Advertiser { id, claims: Money::from_minor(claims) };
        self.balances.insert_advertiser(advertiser);
        self.heads.insert(advertiser_book(id), Head { sequence, hash: digest(&head)? });
        Ok(advertiser)
    }

    /// Loads a plan's hold; an empty one where none exists yet. The user's lock covers it.
    pub fn load_hold(&mut self, tx: &mut Tx<'_>, plan: PlanId) -> Result<Hold, Error> {
        let user = self.user.ok_or_else(|| Error::Corrupt("a hold without its user".into()))?;
        let conn: &mut Conn = tx;
        let row: Option<(i64, i64, i64)> = holds::table
            .find(plan.0)
            .filter(holds::user_id.eq(user.0))
            .select((holds::available, holds::promotional, holds::coupon))
            .first(conn)
            .optional()?;
        let mut hold = Hold::empty(user, plan);
        if let Some((available, promotional, coupon)) = row {
            hold.available = Money::from_minor(available);
            hold.promotional = Money::from_minor(promotional);
            hold.coupon = Money::from_minor(coupon);
        }
        self.balances.insert_hold(hold);
        Ok(hold)
    }

    /// The locked user's wallet, as the postings so far have left it.
    pub fn wallet(&self) -> Result<&Wallet, Error> {
        self.user
            .and_then(|user| self.balances.wallet(user))
            .ok_or_else(|| Error::Corrupt("no wallet is locked".into()))
    }

    /// A locked advertiser, as the postings so far have left it.
    pub fn advertiser(&self, id: AdvertiserId) -> Result<Advertiser, Error> {
        self.balances.advertiser(id).copied().ok_or_else(|| Error::Corrupt("the advertiser is not locked".into()))
    }

    /// Writes a decision: its transaction, its entries and the new balances.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the postings would break a balance: decisions
    /// refuse that, so it is a fault and nothing is kept.
    pub fn post(&mut self, tx: &mut Tx<'_>, postings: &Postings, note: &Note) -> Result<TransactionId, Error> {
        let opening = self.user.and_then(|user| self.balances.wallet(user)).map(|w| w.available);
        let running = self.balances.apply(postings).map_err(|e| Error::Corrupt(e.to_string()))?;
        let lines: Vec<(Entry, Option<Money>)> = postings.entries().iter().copied().zip(running).collect();
        let id = self.append(tx, postings, &lines, note)?;
        insert_entries(tx, id, &lines, opening, note)?;
        self.save(tx, postings)?;
        Ok(id)
    }

    fn append(
        &mut self,
        tx: &mut Tx<'_>,
        postings: &Postings,
        lines: &[(Entry, Option<Money>)],
        note: &Note,
    ) -> Result<TransactionId, Error> {
        let book = self.book()?;
        let head = self.heads.get_mut(&book).ok_or_else(|| Error::Corrupt("a book without its head".into()))?;
        let (previous, recorded_at) = (head.hash, tx.now());
        head.sequence += 1;
        head.hash = wallet::hash(
            &previous,
            &Record {
                book,
                sequence: head.sequence,
                kind: postings.kind(),
                ref_type: note.ref_type,
                ref_id: note.ref_id,
                event_at: note.event_at,
                recorded_at,
                idempotency_key: note.idempotency_key.as_deref(),
                actor: &note.actor,
                reason: &note.reason,
                entries: lines,
            },
        );
        let conn: &mut Conn = tx;
        let id = diesel::insert_into(transactions::table)
            .values((
                transactions::book.eq(book),
                transactions::book_seq.eq(head.sequence),
                transactions::kind.eq(postings.kind().code()),
                transactions::ref_type.eq(note.ref_type),
                transactions::ref_id.eq(note.ref_id),
                transactions::event_time.eq(note.event_at.millis()),
                transactions::recorded_at.eq(recorded_at.millis()),
                transactions::idempotency_key.eq(note.idempotency_key.as_deref()),
                transactions::actor.eq(&note.actor),
                transactions::reason.eq(&note.reason),
                transactions::prev_hash.eq(previous.to_vec()),
                transactions::hash.eq(head.hash.to_vec()),
            ))
            .returning(transactions::id)
            .get_result(conn)?;
        Ok(TransactionId(id))
    }

    /// A transaction stands in the user's book, or in the advertiser's where no user takes part.
    fn book(&self) -> Result<i64, Error> {
        match self.user {
            Some(user) => Ok(user.0),
            None => self.heads.keys().next().copied().ok_or_else(|| Error::Corrupt("nothing is locked".into())),
        }
    }

    fn save(&self, tx: &mut Tx<'_>, postings: &Postings) -> Result<(), Error> {
        if let Some(wallet) = self.user.and_then(|user| self.balances.wallet(user)) {
            save_wallet(tx, wallet, self.heads.get(&wallet.user.0))?;
        }
        for account in postings.entries().iter().map(|e| e.account).collect::<std::collections::BTreeSet<_>>() {
            if let wallet::Account::Advertiser(id) = account
                && let Some(advertiser) = self.balances.advertiser(id)
            {
                save_advertiser(tx, advertiser, self.heads.get(&advertiser_book(id)))?;
            }
        }
        for hold in self.balances.holds() {
            save_hold(tx, hold)?;
        }
        Ok(())
    }
}

/// Whether a document of this type was booked under this outside reference.
pub fn reference_used(conn: &mut Conn, ref_type: &str, reference: &str) -> Result<bool, Error> {
    let query = transactions::table
        .filter(transactions::ref_type.eq(ref_type))
        .filter(transactions::idempotency_key.eq(reference));
    Ok(diesel::select(diesel::dsl::exists(query)).get_result(conn)?)
}

fn insert_entries(
    tx: &mut Tx<'_>,
    id: TransactionId,
    lines: &[(Entry, Option<Money>)],
    opening: Option<Money>,
    note: &Note,
) -> Result<(), Error> {
    let mut available = opening;
    let recorded_at = tx.now().millis();
    let mut rows = Vec::with_capacity(lines.len());
    for (position, (entry, balance)) in (0_i16..).zip(lines) {
        if let wallet::Account::User(_, wallet::UserAccount::Available) = entry.account {
            available = *balance;
        }
        let key = entry.account.key();
        rows.push((
            entries::transaction_id.eq(id.0),
            entries::position.eq(position),
            entries::account_kind.eq(key.code),
            entries::owner_id.eq(key.owner),
            entries::plan_id.eq((key.plan != 0).then_some(key.plan)),
            entries::amount.eq(entry.amount.minor()),
            entries::balance_after.eq(balance.map(Money::minor)),
            entries::flow.eq(entry.flow.map(wallet::FlowKind::code)),
            entries::available_after.eq(entry.flow.and(available).map(Money::minor)),
            entries::ref_type.eq(note.ref_type),
            entries::ref_id.eq(note.ref_id),
            entries::remark.eq(&note.reason),
            entries::recorded_at.eq(recorded_at),
        ));
    }
    let conn: &mut Conn = tx;
    each!(conn, |c| diesel::insert_into(entries::table).values(&rows).execute(c))?;
    Ok(())
}

fn save_wallet(tx: &mut Tx<'_>, w: &Wallet, head: Option<&Head>) -> Result<(), Error> {
    let head = head.ok_or_else(|| Error::Corrupt("a wallet without its head".into()))?;
    let conn: &mut Conn = tx;
    diesel::update(wallets::table.find(w.user.0))
        .set((
            wallets::available.eq(w.available.minor()),
            wallets::pending.eq(w.pending.minor()),
            wallets::withdrawing.eq(w.withdrawing.minor()),
            wallets::exchanging.eq(w.exchanging.minor()),
            wallets::deposit.eq(w.deposit.minor()),
            wallets::promotional.eq(w.promotional.minor()),
            wallets::advance.eq(w.advance.minor()),
            wallets::book_seq.eq(head.sequence),
            wallets::book_head.eq(head.hash.to_vec()),
        ))
        .execute(conn)?;
    Ok(())
}

fn save_advertiser(tx: &mut Tx<'_>, advertiser: &Advertiser, head: Option<&Head>) -> Result<(), Error> {
    let head = head.ok_or_else(|| Error::Corrupt("an advertiser without its head".into()))?;
    let conn: &mut Conn = tx;
    diesel::update(advertisers::table.find(advertiser.id.0))
        .set((
            advertisers::claims.eq(advertiser.claims.minor()),
            advertisers::book_seq.eq(head.sequence),
            advertisers::book_head.eq(head.hash.to_vec()),
        ))
        .execute(conn)?;
    Ok(())
}

fn save_hold(tx: &mut Tx<'_>, hold: &Hold) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    let parts = (hold.available.minor(), hold.promotional.minor(), hold.coupon.minor());
    let changed = diesel::update(holds::table.find(hold.plan.0))
        .set((holds::available.eq(parts.0), holds::promotional.eq(parts.1), holds::coupon.eq(parts.2)))
        .execute(conn)?;
    if changed == 0 {
        diesel::insert_into(holds::table)
            .values((
                holds::plan_id.eq(hold.plan.0),
                holds::user_id.eq(hold.user.0),
                holds::available.eq(parts.0),
                holds::promotional.eq(parts.1),
                holds::coupon.eq(parts.2),
            ))
            .execute(conn)?;
    }
    Ok(())
}

/// Advertisers' books have negative numbers, so that they never meet a user's.
pub(crate) const fn advertiser_book(id: AdvertiserId) -> i64 {
    -id.0
}

pub(crate) fn digest(bytes: &[u8]) -> Result<[u8; 32], Error> {
    bytes.try_into().map_err(|_| Error::Corrupt("a hash is not 32 bytes long".into()))
}
