//! Withdrawal requests, and operators' decisions on them.

use auth::vault::SealContext;
use base::{Money, OperatorId, Timestamp, UserId, WithdrawalId};
use db::bulk::{Statement, ascending, reserves};
use db::{One, insert, statement};
use diesel::dsl::{exists, not, sql};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use wallet::{WithdrawalReview, WithdrawalStatus};

use crate::schema::{exported_payments, users, withdrawals};
use crate::{Conn, Error, Page, PageRequest, Tx, will_change};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    pub id: WithdrawalId,
    pub user: UserId,
    pub amount: Money,
    pub fee: Money,
    pub review: WithdrawalReview,
    /// Where to pay, as bound when the withdrawal was requested; sealed.
    pub destination: String,
    pub requested_at: Timestamp,
    pub paid_by: Option<OperatorId>,
    /// When it was paid, rejected or cancelled.
    pub decided_at: Option<Timestamp>,
    /// The bank's reference, once paid.
    pub reference: Option<String>,
    /// Why it was rejected.
    pub reason: String,
    /// When the bank's line was found.
    pub cleared_at: Option<Timestamp>,
}

#[derive(Queryable)]
struct Row {
    id: WithdrawalId,
    user: UserId,
    amount: Money,
    fee: Money,
    status: WithdrawalStatus,
    destination: String,
    requested_at: Timestamp,
    approved_by: Option<OperatorId>,
    approved_at: Option<Timestamp>,
    paid_by: Option<OperatorId>,
    decided_at: Option<Timestamp>,
    reference: Option<String>,
    reason: String,
    cleared_at: Option<Timestamp>,
    approved_person: Option<OperatorId>,
}

impl From<Row> for Withdrawal {
    fn from(row: Row) -> Self {
        let Row { status, approved_by, approved_person, approved_at, .. } = row;
        Self {
            id: row.id,
            user: row.user,
            amount: row.amount,
            fee: row.fee,
            review: WithdrawalReview { status, approved_by, approved_person, approved_at },
            destination: row.destination,
            requested_at: row.requested_at,
            paid_by: row.paid_by,
            decided_at: row.decided_at,
            reference: row.reference,
            reason: row.reason,
            cleared_at: row.cleared_at,
        }
    }
}

/// The place that a withdrawal's destination is sealed for.
pub const fn place(id: WithdrawalId) -> SealContext {
    SealContext { table: "withdrawals", column: "destination", row: id.0 }
}

insert! {
    struct Inserted<'a>, INSERT into "withdrawals" {
        id: WithdrawalId,
        user_id: UserId,
        amount: Money,
        fee: Money,
        status: WithdrawalStatus,
        destination: &'a str,
        requested_at: Timestamp,
    }
}
statement!(RESERVE, reserves("withdrawals"));

/// A withdrawal as it is requested.
#[derive(Clone, Debug)]
pub struct NewWithdrawal {
    pub id: WithdrawalId,
    pub user: UserId,
    pub amount: Money,
    /// The destination, sealed for the withdrawal's id.
    pub destination: String,
}

/// Reserves ids for this many new withdrawals, in ascending order: a destination is
/// sealed for the id of its withdrawal.
pub fn reserve(tx: &mut Tx<'_>, number: usize) -> Result<Vec<WithdrawalId>, Error> {
    let places: Vec<i64> = (1..).take(number).collect();
    let rows: Vec<One<WithdrawalId>> = RESERVE.load(tx, &[places.into()])?;
    Ok(ascending(rows.into_iter().map(|row| row.0)))
}

pub fn insert_all(tx: &mut Tx<'_>, new: &[NewWithdrawal]) -> Result<(), Error> {
    let now = tx.now();
    let rows = new.iter().map(|new| Inserted {
        id: new.id,
        user_id: new.user,
        amount: new.amount,
        fee: Money::ZERO,
        status: WithdrawalStatus::Pending,
        destination: &new.destination,
        requested_at: now,
    });
    INSERT.execute(tx, &Inserted::columns(&rows.collect::<Vec<_>>())).map(|_| ())
}

/// A withdrawal of any user, for operators. Decide on it only under the lock on its
/// user's wallet, which every change of it takes first.
pub fn find(conn: &mut Conn, id: WithdrawalId) -> Result<Option<Withdrawal>, Error> {
    let row: Option<Row> = withdrawals::table.find(id).first(conn).optional()?;
    Ok(row.map(Withdrawal::from))
}

/// The existing ones with these ids, of any users.
pub fn find_all(conn: &mut Conn, ids: impl IntoIterator<Item = WithdrawalId>) -> Result<Vec<Withdrawal>, Error> {
    let ids = ascending(ids);
    let rows: Vec<Row> = withdrawals::table.filter(withdrawals::id.eq_any(ids)).load(conn)?;
    Ok(rows.into_iter().map(Withdrawal::from).collect())
}

/// The user's own, newest first.
pub fn page_of_user(conn: &mut Conn, user: UserId, request: PageRequest) -> Result<Page<Withdrawal>, Error> {
    let rows: Vec<Row> = withdrawals::table
        .filter(withdrawals::user_id.eq(user).and(withdrawals::id.lt(request.below())))
        .order(withdrawals::id.desc())
        .limit(request.fetch())
        .load(conn)?;
    let found = rows.into_iter().map(Withdrawal::from).collect();
    Ok(Page::cut(found, request, |w| w.id.0))
}

/// The user's own that are neither paid nor rejected, newest first.
pub fn open_of(conn: &mut Conn, user: UserId, request: PageRequest) -> Result<Vec<Withdrawal>, Error> {
    let open = [WithdrawalStatus::Pending, WithdrawalStatus::Approved];
    let rows: Vec<Row> = withdrawals::table
        .filter(withdrawals::user_id.eq(user).and(withdrawals::status.eq_any(open)))
        .order(withdrawals::id.desc())
        .limit(request.limit)
        .load(conn)?;
    Ok(rows.into_iter().map(Withdrawal::from).collect())
}

/// How many milliseconds each of the newest `most` paid withdrawals waited.
pub fn waits(conn: &mut Conn, most: i64) -> Result<Vec<i64>, Error> {
    let paid: Vec<(Timestamp, Option<Timestamp>)> = withdrawals::table
        .filter(withdrawals::status.eq(WithdrawalStatus::Paid))
        .order(withdrawals::id.desc())
        .limit(most)
        .select((withdrawals::requested_at, withdrawals::decided_at))
        .load(conn)?;
    Ok(paid.into_iter().filter_map(|(asked, paid)| Some(paid?.since(asked))).collect())
}

/// Approved withdrawals that are in no payment file, oldest first.
pub fn exportable(conn: &mut Conn, most: i64) -> Result<Vec<Withdrawal>, Error> {
    let exported = exported_payments::table
        .filter(exported_payments::withdrawal_id.eq(withdrawals::id.nullable()))
        .filter(exported_payments::freed_at.is_null());
    let rows: Vec<Row> = withdrawals::table
        .filter(withdrawals::status.eq(WithdrawalStatus::Approved))
        .filter(not(exists(exported)))
        .order(withdrawals::id)
        .limit(most)
        .load(conn)?;
    Ok(rows.into_iter().map(Withdrawal::from).collect())
}

/// Which withdrawals to list; `None` means any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WithdrawalFilter {
    pub user: Option<UserId>,
    pub status: Option<WithdrawalStatus>,
}

/// Everybody's, with the user name, for operators.
pub fn page(
    conn: &mut Conn,
    wanted: WithdrawalFilter,
    request: PageRequest,
) -> Result<Page<(Withdrawal, String)>, Error> {
    let base = withdrawals::table.inner_join(users::table).filter(withdrawals::id.lt(request.below()));
    let mut query = base.select((withdrawals::all_columns, users::username)).into_boxed();
    if let Some(user) = wanted.user {
        query = query.filter(withdrawals::user_id.eq(user));
    }
    if let Some(status) = wanted.status {
        query = query.filter(withdrawals::status.eq(status));
    }
    let rows: Vec<(Row, String)> = query.order(withdrawals::id.desc()).limit(request.fetch()).load(conn)?;
    let found = rows.into_iter().map(|(row, name)| (row.into(), name)).collect();
    Ok(Page::cut(found, request, |(w, _): &(Withdrawal, String)| w.id.0))
}

/// The sum that was paid to a user.
pub fn sum_paid_to(conn: &mut Conn, user: UserId) -> Result<Money, Error> {
    let paid =
        withdrawals::table.filter(withdrawals::user_id.eq(user).and(withdrawals::status.eq(WithdrawalStatus::Paid)));
    Ok(paid.select(sql::<BigInt>("CAST(COALESCE(SUM(amount), 0) AS BIGINT)")).first(conn)?)
}

pub fn approve(tx: &mut Tx<'_>, id: WithdrawalId, review: WithdrawalReview) -> Result<(), Error> {
    will_change(tx, "withdrawals", [id.0])?;
    tx.run(diesel::update(withdrawals::table.find(id)).set((
        withdrawals::status.eq(review.status),
        withdrawals::approved_by.eq(review.approved_by),
        withdrawals::approved_person.eq(review.approved_person),
        withdrawals::approved_at.eq(tx.now()),
    )))
}

/// Stores that it was paid, under the reference that the bank will show.
///
/// # Errors
/// A unique violation if another was paid under it; the transaction cannot continue after
/// it.
pub fn mark_paid(
    tx: &mut Tx<'_>,
    id: WithdrawalId,
    review: WithdrawalReview,
    by: OperatorId,
    reference: Option<&str>,
) -> Result<(), Error> {
    will_change(tx, "withdrawals", [id.0])?;
    tx.run(diesel::update(withdrawals::table.find(id)).set((
        withdrawals::status.eq(review.status),
        withdrawals::paid_by.eq(by),
        withdrawals::reference.eq(reference),
        withdrawals::decided_at.eq(tx.now()),
    )))
}

/// Stores that the money goes back because staff rejected the withdrawal or its user cancelled it.
pub fn send_back(tx: &mut Tx<'_>, id: WithdrawalId, review: WithdrawalReview, reason: &str) -> Result<(), Error> {
    will_change(tx, "withdrawals", [id.0])?;
    let now = tx.now();
    tx.run(diesel::update(withdrawals::table.find(id)).set((
        withdrawals::status.eq(review.status),
        withdrawals::reason.eq(reason),
        withdrawals::decided_at.eq(now),
    )))
}
