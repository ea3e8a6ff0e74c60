//! Reads the whole ledger page by page, with the stored balances.

use std::collections::BTreeMap;

use base::{AdvertiserId, Money, PlanId, PublisherId, Timestamp, TransactionId, UserId};
use db::{NumberedQuery, row};
use diesel::prelude::*;
use wallet::{Account, AccountKey, Hold, PUBLISHER_EARNINGS, PlatformAccount, Source, TransactionKind, UserAccount};

use crate::schema::{advertisers, entries, publishers, transactions, users, wallets};
use crate::wallet::books::{Owner, WalletRow};
use crate::{Conn, Error};

/// A transaction without its entries.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = transactions)]
pub struct TransactionHead {
    pub id: TransactionId,
    pub book: i64,
    pub book_seq: i64,
    pub kind: TransactionKind,
    pub ref_type: String,
    pub ref_id: i64,
    pub event_time: Timestamp,
    pub recorded_at: Timestamp,
    /// `user:7`, `operator:3` or `system`.
    pub actor: String,
    pub reason: String,
    pub hash: Vec<u8>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = entries)]
struct EntryRow {
    transaction_id: TransactionId,
    account_kind: i16,
    owner_id: i64,
    plan_id: Option<i64>,
    amount: Money,
}

/// An account, and the amount that a transaction adds to it.
pub type ExportedEntry = (Account, Money);

/// The transactions after one of them, at most `limit`, each with its entries in order.
pub fn transactions_after(
    conn: &mut Conn,
    after: TransactionId,
    limit: i64,
) -> Result<Vec<(TransactionHead, Vec<ExportedEntry>)>, Error> {
    let heads: Vec<TransactionHead> = transactions::table
        .filter(transactions::id.gt(after))
        .order(transactions::id)
        .limit(limit)
        .select(TransactionHead::as_select())
        .load(conn)?;
    let Some(last) = heads.last().map(|head| head.id) else { return Ok(Vec::new()) };
    let rows: Vec<EntryRow> = entries::table
        .filter(entries::transaction_id.gt(after).and(entries::transaction_id.le(last)))
        .order((entries::transaction_id, entries::position))
        .select(EntryRow::as_select())
        .load(conn)?;
    let mut by_transaction: BTreeMap<TransactionId, Vec<ExportedEntry>> = BTreeMap::new();
    for row in rows {
        let key = AccountKey { code: row.account_kind, owner: row.owner_id, plan: row.plan_id.unwrap_or(0) };
        by_transaction.entry(row.transaction_id).or_default().push((Account::try_from(key)?, row.amount));
    }
    let whole = |head: TransactionHead| {
        let entries = by_transaction.remove(&head.id).unwrap_or_default();
        (head, entries)
    };
    Ok(heads.into_iter().map(whole).collect())
}

/// An owner with the balance of each account. The holds of all plans are summed, so a hold names no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedBalances {
    pub owner: Owner,
    pub balances: Vec<ExportedEntry>,
}

row! {
    struct HeldRow {
        user_id: UserId,
        available: Money,
        promotional: Money,
        coupon: Money,
    }
}

/// The balances of users with transactions, after one of them, at most `limit`.
pub fn users_after(conn: &mut Conn, after: i64, limit: i64) -> Result<Vec<OwnedBalances>, Error> {
    let rows: Vec<WalletRow> = wallets::table
        .filter(wallets::user_id.gt(UserId(after)).and(wallets::book_seq.gt(0)))
        .order(wallets::user_id)
        .limit(limit)
        .select(WalletRow::as_select())
        .load(conn)?;
    let Some(last) = rows.last().map(|row| row.balances.user_id) else { return Ok(Vec::new()) };
    let held: Vec<HeldRow> = NumberedQuery::new(
        "SELECT user_id, CAST(SUM(available) AS BIGINT) AS available, CAST(SUM(promotional) AS BIGINT) AS promotional, \
         CAST(SUM(coupon) AS BIGINT) AS coupon FROM holds WHERE user_id > ? AND user_id <= ? GROUP BY user_id",
    )
    .bind(after)
    .bind(last.0)
    .load(conn)?;
    let hold = |HeldRow { user_id: user, available, promotional, coupon }: HeldRow| {
        (user, Hold { user, plan: PlanId(0), available, promotional, coupon })
    };
    let held: BTreeMap<UserId, Hold> = held.into_iter().map(hold).collect();
    let owned = |row: WalletRow| {
        let (user, wallet) = (row.balances.user_id, row.balances.wallet());
        let hold = held.get(&user).copied().unwrap_or(Hold::empty(user, PlanId(0)));
        let own = UserAccount::ALL.iter().map(|own| (wallet.account(*own), wallet.balance(*own)));
        let of_plans = Source::ALL.iter().map(|source| (hold.account(*source), hold.remaining(*source)));
        OwnedBalances { owner: Owner::User(user), balances: own.chain(of_plans).collect() }
    };
    Ok(rows.into_iter().map(owned).collect())
}

/// The balances of advertisers with transactions, after one of them, at most `limit`.
pub fn advertisers_after(conn: &mut Conn, after: i64, limit: i64) -> Result<Vec<OwnedBalances>, Error> {
    let rows: Vec<(AdvertiserId, Money)> = advertisers::table
        .filter(advertisers::id.gt(AdvertiserId(after)).and(advertisers::book_seq.gt(0)))
        .order(advertisers::id)
        .limit(limit)
        .select((advertisers::id, advertisers::claims))
        .load(conn)?;
    let owned = |(id, claims)| OwnedBalances {
        owner: Owner::Advertiser(id),
        balances: vec![(Account::Advertiser(id), claims)],
    };
    Ok(rows.into_iter().map(owned).collect())
}

row! {
    struct EarnedRow {
        id: PublisherId,
        earned: Money,
    }
}

/// All publishers after one of them, at most `limit`. Their earnings are booked in users' books, so their own books do
/// not show whether they have any, and none of their balances is stored: it is the sum of the entries.
pub fn publishers_after(conn: &mut Conn, after: i64, limit: i64) -> Result<Vec<OwnedBalances>, Error> {
    let ids: Vec<PublisherId> = publishers::table
        .filter(publishers::id.gt(PublisherId(after)))
        .order(publishers::id)
        .limit(limit)
        .select(publishers::id)
        .load(conn)?;
    let Some(last) = ids.last() else { return Ok(Vec::new()) };
    let earned: Vec<EarnedRow> = NumberedQuery::new(&format!(
        "SELECT owner_id AS id, CAST(SUM(amount) AS BIGINT) AS earned FROM entries \
         WHERE account_kind = {PUBLISHER_EARNINGS} AND owner_id > ? AND owner_id <= ? GROUP BY owner_id",
    ))
    .bind(after)
    .bind(last.0)
    .load(conn)?;
    let mut earned: BTreeMap<PublisherId, Money> = earned.into_iter().map(|row| (row.id, row.earned)).collect();
    let owned = |id| {
        let balance = earned.remove(&id).unwrap_or_default();
        OwnedBalances { owner: Owner::Publisher(id), balances: vec![(Account::Publisher(id), balance)] }
    };
    Ok(ids.into_iter().map(owned).collect())
}

row! {
    struct SumRow {
        code: i16,
        balance: Money,
    }
}

/// The platform's accounts, each with the sum of its entries.
pub fn of_platform(conn: &mut Conn) -> Result<Vec<ExportedEntry>, Error> {
    let rows: Vec<SumRow> = NumberedQuery::new(
        "SELECT account_kind AS code, CAST(SUM(amount) AS BIGINT) AS balance FROM entries \
         WHERE account_kind BETWEEN 401 AND 499 GROUP BY account_kind",
    )
    .load(conn)?;
    let mut sums: BTreeMap<i16, Money> = rows.into_iter().map(|row| (row.code, row.balance)).collect();
    let with_sum = |account: &PlatformAccount| {
        let account = Account::Platform(*account);
        (account, sums.remove(&account.key().code).unwrap_or_default())
    };
    Ok(PlatformAccount::ALL.iter().map(with_sum).collect())
}

/// The names of owners; an owner without a name is left out.
pub fn names_of(conn: &mut Conn, owners: impl Iterator<Item = Owner>) -> Result<BTreeMap<Owner, String>, Error> {
    let (mut user_ids, mut advertiser_ids, mut publisher_ids) = (Vec::new(), Vec::new(), Vec::new());
    for owner in owners {
        match owner {
            Owner::User(id) => user_ids.push(id),
            Owner::Advertiser(id) => advertiser_ids.push(id),
            Owner::Publisher(id) => publisher_ids.push(id),
        }
    }
    let named: Vec<(UserId, String)> =
        users::table.filter(users::id.eq_any(user_ids)).select((users::id, users::username)).load(conn)?;
    let mut names: BTreeMap<Owner, String> = named.into_iter().map(|(id, name)| (Owner::User(id), name)).collect();
    let named: Vec<(AdvertiserId, String)> = advertisers::table
        .filter(advertisers::id.eq_any(advertiser_ids))
        .select((advertisers::id, advertisers::name))
        .load(conn)?;
    names.extend(named.into_iter().map(|(id, name)| (Owner::Advertiser(id), name)));
    let named: Vec<(PublisherId, String)> = publishers::table
        .filter(publishers::id.eq_any(publisher_ids))
        .select((publishers::id, publishers::name))
        .load(conn)?;
    names.extend(named.into_iter().map(|(id, name)| (Owner::Publisher(id), name)));
    Ok(names)
}
