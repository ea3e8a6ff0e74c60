//! The transaction password's hash, and the failures that guard it.

use std::collections::HashMap;

use auth::{AccountStatus, Guard, guard};
use base::{Timestamp, UserId};
use db::bulk::{Statement, ascending};
use db::{One, row, statement};
use diesel::prelude::*;

use crate::schema::{pay_password_failures as failures, users};
use crate::{Conn, Error, Lookup, Tx, will_change};

/// A user's stored transaction password.
#[derive(Clone, Debug)]
pub struct StoredPayPassword {
    /// `None` until the user has set one.
    pub hash: Option<String>,
    pub guard: Guard,
}

/// A failure recorded before the attempt was checked.
#[derive(Clone, Copy, Debug)]
pub struct FailureId(i64);

/// The hash alone; `None` until one is set.
pub fn hash(conn: &mut Conn, user: UserId) -> Result<Option<String>, Error> {
    let found: Option<Option<String>> =
        users::table.find(user).select(users::pay_password_hash).first(conn).optional()?;
    Ok(found.flatten())
}

/// Hash, streak, lock, and whether it is disabled, from the user's row.
type Row = (Option<String>, i32, Option<Timestamp>, bool);

/// Locks the user's row, so that simultaneous attempts are counted one by one.
pub fn lock(tx: &mut Tx<'_>, user: UserId) -> Result<Option<StoredPayPassword>, Error> {
    let now = tx.now();
    let row: Option<Row> = diesel::update(users::table.find(user))
        .set(users::pay_streak.eq(users::pay_streak))
        .returning((users::pay_password_hash, users::pay_streak, users::pay_locked_until, users::pay_disabled))
        .get_result(tx.conn())
        .optional()?;
    let Some(row) = row else { return Ok(None) };
    let recent: i64 = failures::table
        .filter(failures::user_id.eq(user).and(failures::at.gt(since(now))))
        .count()
        .get_result(tx.conn())?;
    Ok(Some(stored(row, recent)))
}

/// The same without a lock, for reading only.
pub fn look(conn: &mut Conn, user: UserId, now: Timestamp) -> Result<Option<StoredPayPassword>, Error> {
    let recent = failures::table.filter(failures::user_id.eq(user).and(failures::at.gt(since(now)))).count();
    let row: Option<(Row, Option<i64>)> = users::table
        .find(user)
        .select((
            (users::pay_password_hash, users::pay_streak, users::pay_locked_until, users::pay_disabled),
            recent.single_value(),
        ))
        .first(conn)
        .optional()?;
    Ok(row.map(|(row, recent)| stored(row, recent.unwrap_or(0))))
}

row! {
    struct NamedRow {
        id: UserId,
        hash: Option<String>,
        streak: i32,
        locked_until: Option<Timestamp>,
        disabled: bool,
        recent: i64,
    }
}

impl NamedRow {
    fn stored(self) -> StoredPayPassword {
        stored((self.hash, self.streak, self.locked_until, self.disabled), self.recent)
    }
}

statement!(
    LOCK,
    each: "SELECT id FROM users WHERE id = ANY(?)",
    lock: "ORDER BY id FOR NO KEY UPDATE",
);
statement!(
    LOOK,
    each: "SELECT u.id, u.pay_password_hash AS hash, u.pay_streak AS streak, u.pay_locked_until AS locked_until, \
         u.pay_disabled AS disabled, (SELECT COUNT(*) FROM pay_password_failures f WHERE f.user_id = u.id AND f.at > n.since) AS recent \
         FROM unnest(?, ?) AS n(since, id) JOIN users u ON u.id = n.id",
);

/// The transaction passwords of several users, without a lock.
pub fn look_all(
    conn: &mut Conn,
    users: &[UserId],
    now: Timestamp,
) -> Result<HashMap<UserId, StoredPayPassword>, Error> {
    let ids = ascending(users.iter().map(|user| user.0));
    let rows: Vec<NamedRow> = LOOK.load(conn, &[vec![since(now); ids.len()].into(), ids.into()])?;
    Ok(rows.into_iter().map(|row| (row.id, row.stored())).collect())
}

/// A session whose user's transaction password is looked up, with what guards it now.
pub struct PayPasswordInSession {
    pub session: i64,
    pub now: Timestamp,
}

row! {
    struct SessionRow {
        session: i64,
        status: AccountStatus,
        #[diesel(embed)]
        of_user: NamedRow,
    }
}

statement!(
    IN_SESSION,
    each: "SELECT s.id AS session, u.status, u.id, u.pay_password_hash AS hash, u.pay_streak AS streak, \
         u.pay_locked_until AS locked_until, u.pay_disabled AS disabled, \
         (SELECT COUNT(*) FROM pay_password_failures f WHERE f.user_id = u.id AND f.at > n.since) AS recent \
         FROM unnest(?, ?) AS n(since, id) JOIN sessions s ON s.id = n.id AND s.ended_at IS NULL \
         JOIN users u ON u.id = s.user_id",
);

impl Lookup for PayPasswordInSession {
    /// The state of the user's account, and the password; `None` if the session has ended.
    type Answer = Option<(AccountStatus, StoredPayPassword)>;
    type Error = Error;
    type Found = HashMap<i64, (AccountStatus, StoredPayPassword)>;

    fn find(conn: &mut Conn, asked: &[Self]) -> Result<Self::Found, Error> {
        let columns = [
            asked.iter().map(|of| since(of.now)).collect::<Vec<_>>().into(),
            asked.iter().map(|of| of.session).collect::<Vec<_>>().into(),
        ];
        let rows: Vec<SessionRow> = IN_SESSION.load(conn, &columns)?;
        let of = |row: SessionRow| (row.session, (row.status, row.of_user.stored()));
        Ok(rows.into_iter().map(of).collect())
    }

    fn answer(&self, found: &Self::Found) -> Result<Self::Answer, Error> {
        Ok(found.get(&self.session).cloned())
    }
}

/// The same with the users' rows locked.
pub fn lock_all(tx: &mut Tx<'_>, users: &[UserId]) -> Result<HashMap<UserId, StoredPayPassword>, Error> {
    let now = tx.now();
    LOCK.load::<One<i64>>(tx, &[ascending(users.iter().map(|user| user.0)).into()])?;
    look_all(tx, users, now)
}

fn since(now: Timestamp) -> i64 {
    now.plus_days(-guard::WINDOW_DAYS).millis()
}

fn stored((hash, streak, locked_until, disabled): Row, recent: i64) -> StoredPayPassword {
    let guard = Guard {
        streak: u32::try_from(streak).unwrap_or(0),
        locked_until,
        disabled,
        recent: u32::try_from(recent).unwrap_or(u32::MAX),
    };
    StoredPayPassword { hash, guard }
}

/// Saves the guard's decision. The number of recent failures is counted from rows.
pub fn keep_guard(tx: &mut Tx<'_>, user: UserId, guard: Guard) -> Result<(), Error> {
    tx.run(diesel::update(users::table.find(user)).set((
        users::pay_streak.eq(i32::try_from(guard.streak).unwrap_or(i32::MAX)),
        users::pay_locked_until.eq(guard.locked_until),
        users::pay_disabled.eq(guard.disabled),
    )))
}

statement!(
    KEEP,
    each: "UPDATE users SET pay_streak = n.streak, pay_locked_until = n.until, pay_disabled = n.disabled \
         FROM unnest(?, ?, ?, ?) AS n(streak, until, disabled, id) WHERE users.id = n.id",
);
statement!(FORGET, each: "DELETE FROM pay_password_failures WHERE id = ANY(?)");

/// Saves the decisions of several users' guards.
pub fn keep_guards(tx: &mut Tx<'_>, guards: &[(UserId, Guard)]) -> Result<(), Error> {
    let of = |f: fn(&Guard) -> i64| guards.iter().map(|(_, guard)| f(guard)).collect::<Vec<_>>();
    let until = guards.iter().map(|(_, guard)| guard.locked_until.map(Timestamp::millis)).collect::<Vec<_>>();
    KEEP.execute(
        tx,
        &[
            of(|guard| guard.streak.into()).into(),
            until.into(),
            guards.iter().map(|(_, guard)| guard.disabled).collect::<Vec<_>>().into(),
            guards.iter().map(|(user, _)| user.0).collect::<Vec<_>>().into(),
        ],
    )?;
    Ok(())
}

/// Removes attempts that were counted as failures and turned out to be right.
pub fn remove_failures(tx: &mut Tx<'_>, ids: &[FailureId]) -> Result<(), Error> {
    FORGET.execute(tx, &[ids.iter().map(|id| id.0).collect::<Vec<_>>().into()])?;
    Ok(())
}

pub fn add_failure(tx: &mut Tx<'_>, user: UserId) -> Result<FailureId, Error> {
    let id = diesel::insert_into(failures::table)
        .values((failures::user_id.eq(user), failures::at.eq(tx.now())))
        .returning(failures::id)
        .get_result(tx.conn())?;
    Ok(FailureId(id))
}

pub fn remove_failure(tx: &mut Tx<'_>, id: FailureId) -> Result<(), Error> {
    tx.run(diesel::delete(failures::table.find(id.0)))
}

/// Sets a password, if the stored one is still the one that the caller read; `false` if it has changed.
pub fn set(tx: &mut Tx<'_>, user: UserId, was: Option<&str>, hash: &str) -> Result<bool, Error> {
    will_change(tx, "users", [user.0])?;
    let set = users::pay_password_hash.eq(hash);
    let changed = match was {
        Some(was) => diesel::update(users::table.find(user).filter(users::pay_password_hash.eq(was)))
            .set(set)
            .execute(tx.conn())?,
        None => diesel::update(users::table.find(user).filter(users::pay_password_hash.is_null()))
            .set(set)
            .execute(tx.conn())?,
    };
    Ok(changed == 1)
}

/// Removes the password and its failures, after somebody has verified the user's identity.
pub fn reset(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    will_change(tx, "users", [user.0])?;
    keep_guard(tx, user, Guard::default())?;
    tx.run(diesel::update(users::table.find(user)).set(users::pay_password_hash.eq(None::<String>)))?;
    tx.run(diesel::delete(failures::table.filter(failures::user_id.eq(user))))
}
