//! Users and the states of their accounts. Password hashes are never read together with
//! the rest of the row.

use std::collections::HashMap;

use auth::{AccountStatus, Entry};
use base::{Money, Timestamp, UserId, named};
use db::bulk::{Statement, ascending};
use db::{row, statement};
use diesel::prelude::*;
use wallet::{ExchangeStatus, RequestKind, RequestStatus, WithdrawalStatus};

use crate::like::containing;
use crate::people::finding::lower;
use crate::people::looks;
use crate::schema::{exchange_orders, feedback, money_requests, users, withdrawals};
use crate::{Conn, Error, Page, PageRequest, Tx, will_change};

#[derive(Clone, Debug, PartialEq, Eq, Queryable, QueryableByName, Selectable)]
#[diesel(table_name = users)]
pub struct User {
    pub id: UserId,
    pub username: String,
    pub nickname: String,
    pub email: String,
    pub phone: String,
    /// The id of a file.
    pub avatar: Option<String>,
    pub lang: String,
    pub entry: Entry,
    pub status: AccountStatus,
    pub status_reason: String,
    pub store_opened: bool,
    pub operated_id: Option<String>,
    pub credit_score: i32,
    pub level: i32,
    pub vip_until: Option<Timestamp>,
    pub created_at: Timestamp,
    /// What the user's own money has paid in settled plans.
    pub settled_spend: Money,
}

impl User {
    pub fn is_vip(&self, now: Timestamp) -> bool {
        standing::vip::runs(self.vip_until, now)
    }
}

#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = users, treat_none_as_default_value = false)]
pub struct NewUser {
    pub username: String,
    /// The normalised name, for comparison.
    pub username_key: String,
    /// `None` for users whom the provider signs in.
    pub password_hash: Option<String>,
    pub email: String,
    pub phone: String,
    pub lang: String,
    pub entry: Entry,
    pub store_opened: bool,
}

/// The data that a sign-in is checked against.
#[derive(Clone, Debug)]
pub struct Credentials {
    pub user: UserId,
    pub password_hash: Option<String>,
}

/// What the user may change; `None` leaves it as it is.
#[derive(Clone, Debug, Default, AsChangeset)]
#[diesel(table_name = users)]
pub struct Edit {
    pub nickname: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    /// The id of a file; `Some(None)` removes it.
    pub avatar: Option<Option<String>>,
    pub lang: Option<String>,
}

/// Inserts an active user, without a wallet yet.
///
/// # Errors
/// A unique violation if the name is taken; the transaction cannot continue after it.
pub fn insert(tx: &mut Tx<'_>, new: &NewUser) -> Result<UserId, Error> {
    let id = diesel::insert_into(users::table)
        .values((
            new,
            users::nickname.eq(&new.username),
            users::status.eq(AccountStatus::Active),
            users::created_at.eq(tx.now()),
        ))
        .returning(users::id)
        .get_result(tx.conn())?;
    tx.notes().vouches("users", id);
    looks::insert(tx, UserId(id), &new.username)?;
    Ok(UserId(id))
}

pub fn find(conn: &mut Conn, id: UserId) -> Result<Option<User>, Error> {
    Ok(users::table.find(id).select(User::as_select()).first(conn).optional()?)
}

statement!(
    FIND,
    each: "SELECT id, username, nickname, email, phone, avatar, lang, entry, status, status_reason, store_opened, \
         operated_id, credit_score, level, vip_until, created_at, settled_spend FROM users WHERE id = ANY(?)",
);

/// The existing users with these ids.
pub fn find_all(conn: &mut Conn, ids: impl IntoIterator<Item = UserId>) -> Result<Vec<User>, Error> {
    FIND.load(conn, &[ascending(ids).into()])
}

pub fn find_by_key(conn: &mut Conn, username_key: &str) -> Result<Option<User>, Error> {
    let found = users::table.filter(users::username_key.eq(username_key));
    Ok(found.select(User::as_select()).first(conn).optional()?)
}

/// The credentials of the user with the first of these keys that exists.
pub fn credentials(conn: &mut Conn, username_keys: &[String]) -> Result<Option<Credentials>, Error> {
    let found = users::table.filter(users::username_key.eq_any(username_keys));
    let rows: Vec<(String, UserId, Option<String>)> =
        found.select((users::username_key, users::id, users::password_hash)).load(conn)?;
    let first = rows.into_iter().min_by_key(|(key, ..)| username_keys.iter().position(|other| other == key));
    Ok(first.map(|(_, user, password_hash)| Credentials { user, password_hash }))
}

/// The hash alone; `None` for a user without a password.
pub fn password_hash(conn: &mut Conn, id: UserId) -> Result<Option<String>, Error> {
    let found: Option<Option<String>> = users::table.find(id).select(users::password_hash).first(conn).optional()?;
    Ok(found.flatten())
}

pub fn edit(tx: &mut Tx<'_>, id: UserId, edit: &Edit) -> Result<(), Error> {
    if edit.email.is_some() || edit.phone.is_some() {
        will_change(tx, "users", [id.0])?;
    }
    let nothing = edit.nickname.is_none() && edit.email.is_none() && edit.phone.is_none();
    // An UPDATE that sets nothing is not a valid statement.
    if !(nothing && edit.avatar.is_none() && edit.lang.is_none()) {
        tx.run(diesel::update(users::table.find(id)).set(edit))?;
    }
    Ok(())
}

pub fn set_password(tx: &mut Tx<'_>, id: UserId, hash: &str) -> Result<(), Error> {
    will_change(tx, "users", [id.0])?;
    tx.run(diesel::update(users::table.find(id)).set(users::password_hash.eq(hash)))
}

/// Locks the user and returns the state of the account.
pub fn lock_status(tx: &mut Tx<'_>, id: UserId) -> Result<Option<AccountStatus>, Error> {
    Ok(diesel::update(users::table.find(id))
        .set(users::status.eq(users::status))
        .returning(users::status)
        .get_result(tx.conn())
        .optional()?)
}

/// What decides whether an account may act, and whether money may leave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Queryable, QueryableByName, Selectable)]
#[diesel(table_name = users)]
pub struct AccountRestrictions {
    pub status: AccountStatus,
    /// No money leaves the account before this time.
    pub payouts_held_until: Option<Timestamp>,
}

/// Until when the user can neither set a transaction password nor bind a payout account; `None` if there is no such
/// hold.
pub fn read_pay_setup_held_until(conn: &mut Conn, id: UserId) -> Result<Option<Timestamp>, Error> {
    let found: Option<Option<Timestamp>> =
        users::table.find(id).select(users::pay_setup_held_until).first(conn).optional()?;
    Ok(found.flatten())
}

/// The state of an account. Decisions that depend on it are made under its wallet's lock,
/// which is also held when the state changes.
pub fn restrictions(conn: &mut Conn, id: UserId) -> Result<Option<AccountRestrictions>, Error> {
    Ok(users::table.find(id).select(AccountRestrictions::as_select()).first(conn).optional()?)
}

statement!(STANDINGS, each: "SELECT id, status, payouts_held_until FROM users WHERE id = ANY(?)");

row! {
    struct StandingRow {
        id: UserId,
        #[diesel(embed)]
        standing: AccountRestrictions,
    }
}

/// The states of several accounts that exist.
pub fn standings(conn: &mut Conn, ids: &[UserId]) -> Result<HashMap<UserId, AccountRestrictions>, Error> {
    let rows: Vec<StandingRow> = STANDINGS.load(conn, &[ascending(ids.iter().copied()).into()])?;
    Ok(rows.into_iter().map(|row| (row.id, row.standing)).collect())
}

/// Holds payouts until this time.
pub fn hold_payouts(tx: &mut Tx<'_>, id: UserId, until: Timestamp) -> Result<(), Error> {
    will_change(tx, "users", [id.0])?;
    tx.run(diesel::update(users::table.find(id)).set(users::payouts_held_until.eq(until)))
}

/// Keeps the user from setting a transaction password or binding a payout account until this time.
pub fn hold_pay_setup(tx: &mut Tx<'_>, id: UserId, until: Timestamp) -> Result<(), Error> {
    will_change(tx, "users", [id.0])?;
    tx.run(diesel::update(users::table.find(id)).set(users::pay_setup_held_until.eq(until)))
}

pub fn set_status(tx: &mut Tx<'_>, id: UserId, to: AccountStatus, reason: &str) -> Result<(), Error> {
    will_change(tx, "users", [id.0])?;
    tx.run(diesel::update(users::table.find(id)).set((users::status.eq(to), users::status_reason.eq(reason))))
}

/// Removes the user's personal data and every means to sign in except the password, which
/// still tells its owner that the account is closed.
pub fn forget(tx: &mut Tx<'_>, id: UserId) -> Result<(), Error> {
    will_change(tx, "users", [id.0])?;
    tx.run(diesel::update(users::table.find(id)).set((
        users::nickname.eq(""),
        users::email.eq(""),
        users::phone.eq(""),
        users::avatar.eq(None::<String>),
        users::pay_password_hash.eq(None::<String>),
    )))
}

/// Sets the end of the VIP subscription. Only the user's own purchase calls this; nothing renews it.
pub fn set_vip_until(tx: &mut Tx<'_>, id: UserId, until: Timestamp) -> Result<(), Error> {
    tx.run(diesel::update(users::table.find(id)).set(users::vip_until.eq(until)))
}

/// Sets what settled plans have cost the user, and the resulting level.
pub fn set_level(tx: &mut Tx<'_>, id: UserId, settled_spend: Money, level: i32) -> Result<(), Error> {
    tx.run(diesel::update(users::table.find(id)).set((users::settled_spend.eq(settled_spend), users::level.eq(level))))
}

/// False if it was already open.
pub fn open_store(tx: &mut Tx<'_>, id: UserId) -> Result<bool, Error> {
    will_change(tx, "users", [id.0])?;
    let closed = users::table.filter(users::id.eq(id).and(users::store_opened.eq(false)));
    let opened = diesel::update(closed).set(users::store_opened.eq(true)).execute(tx.conn())?;
    Ok(opened == 1)
}

/// Selects users; all given conditions apply.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub status: Option<AccountStatus>,
    /// Searched in names, addresses and numbers.
    pub search: Option<String>,
    pub level: Option<i32>,
    /// Registered at this time or later.
    pub since: Option<Timestamp>,
    pub has_open: Option<OpenItem>,
}

named!(
    /// Which of a user's items waits for staff.
    OpenItem {
        Withdrawal "withdrawal",
        Recharge "recharge",
        Exchange "exchange",
        Feedback "feedback",
    }
);

/// Users, newest first.
pub fn page(conn: &mut Conn, filter: &Filter, request: PageRequest) -> Result<Page<User>, Error> {
    let mut query = users::table.filter(users::id.lt(request.below())).select(User::as_select()).into_boxed();
    if let Some(status) = filter.status {
        query = query.filter(users::status.eq(status));
    }
    if let Some(search) = &filter.search {
        let pattern = containing(&search.trim().to_lowercase());
        let key = users::username_key.like(pattern.clone()).escape('!');
        // The databases differ in whether LIKE is case-sensitive.
        let email = lower(users::email).like(pattern.clone()).escape('!');
        query = query.filter(key.or(email).or(users::phone.like(pattern).escape('!')));
    }
    if let Some(level) = filter.level {
        query = query.filter(users::level.eq(level));
    }
    if let Some(since) = filter.since {
        query = query.filter(users::created_at.ge(since));
    }
    // Few items are open at a time, and each kind has an index.
    query = match filter.has_open {
        None => query,
        Some(OpenItem::Withdrawal) => {
            let open = [WithdrawalStatus::Pending, WithdrawalStatus::Approved].map(WithdrawalStatus::code);
            let of = withdrawals::table.filter(withdrawals::status.eq_any(open));
            query.filter(users::id.eq_any(of.select(withdrawals::user_id)))
        }
        Some(OpenItem::Recharge) => {
            let kind = money_requests::kind.eq(RequestKind::Recharge);
            let open = money_requests::status.eq(RequestStatus::Requested);
            let of = money_requests::table.filter(open.and(kind));
            query.filter(users::id.nullable().eq_any(of.select(money_requests::user_id)))
        }
        Some(OpenItem::Exchange) => {
            let of = exchange_orders::table.filter(exchange_orders::status.eq(ExchangeStatus::Pending));
            query.filter(users::id.eq_any(of.select(exchange_orders::user_id)))
        }
        Some(OpenItem::Feedback) => {
            let of = feedback::table.filter(feedback::status.eq(crate::notifications::feedback::Status::Open));
            query.filter(users::id.eq_any(of.select(feedback::user_id)))
        }
    };
    let found = query.order(users::id.desc()).limit(request.fetch()).load(conn)?;
    Ok(Page::cut(found, request, |user: &User| user.id.0))
}
