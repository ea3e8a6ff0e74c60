//! Recharges that customer service requested, and who approved them.

use base::{Money, OperatorId, RechargeId, Timestamp, UserId};
use diesel::prelude::*;
use wallet::{RechargeReview, RechargeStatus};

use crate::schema::{recharges, users};
use crate::{Conn, Error, Page, PageRequest, Tx};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recharge {
    pub id: RechargeId,
    pub user: UserId,
    pub amount: Money,
    /// The bank's, so that one payment is credited once.
    pub reference: String,
    pub review: RechargeReview,
    pub reason: String,
    pub requested_at: Timestamp,
    pub decided_by: Option<OperatorId>,
    pub decided_at: Option<Timestamp>,
}

/// What an operator asks for.
#[derive(Clone, Debug)]
pub struct NewRecharge {
    pub user: UserId,
    pub amount: Money,
    pub reference: String,
    pub reason: String,
    pub requested_by: OperatorId,
}

#[derive(Queryable)]
struct Row {
    id: i64,
    user_id: i64,
    amount: i64,
    reference: String,
    status: i16,
    reason: String,
    requested_by: i64,
    requested_at: i64,
    decided_by: Option<i64>,
    decided_at: Option<i64>,
}

impl TryFrom<Row> for Recharge {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let status = RechargeStatus::try_from(row.status).map_err(|e| Error::Corrupt(e.to_string()))?;
        Ok(Self {
            id: RechargeId(row.id),
            user: UserId(row.user_id),
            amount: Money::from_minor(row.amount),
            reference: row.reference,
            review: RechargeReview { status, requested_by: OperatorId(row.requested_by) },
            reason: row.reason,
            requested_at: Timestamp::from_millis(row.requested_at),
            decided_by: row.decided_by.map(OperatorId),
            decided_at: row.decided_at.map(Timestamp::from_millis),
        })
    }
}

/// Writes a request down.
///
/// # Errors
/// A unique violation where the reference was used before; the transaction
/// cannot go on after it.
pub fn insert(tx: &mut Tx<'_>, new: &NewRecharge) -> Result<Recharge, Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    let row: Row = diesel::insert_into(recharges::table)
        .values((
            recharges::user_id.eq(new.user.0),
            recharges::amount.eq(new.amount.minor()),
            recharges::reference.eq(&new.reference),
            recharges::status.eq(RechargeStatus::Requested.code()),
            recharges::reason.eq(&new.reason),
            recharges::requested_by.eq(new.requested_by.0),
            recharges::requested_at.eq(now),
        ))
        .returning(recharges::all_columns)
        .get_result(conn)?;
    row.try_into()
}

/// Decide on it only once its user's wallet is locked, which everything that
/// changes it does first.
pub fn find(conn: &mut Conn, id: RechargeId) -> Result<Option<Recharge>, Error> {
    let row: Option<Row> = recharges::table.find(id.0).first(conn).optional()?;
    row.map(Recharge::try_from).transpose()
}

/// Everyone's, with the username, newest first.
pub fn page(conn: &mut Conn, request: PageRequest) -> Result<Page<(Recharge, String)>, Error> {
    let rows: Vec<(Row, String)> = recharges::table
        .inner_join(users::table)
        .filter(recharges::id.lt(request.below()))
        .select((recharges::all_columns, users::username))
        .order(recharges::id.desc())
        .limit(request.fetch())
        .load(conn)?;
    let found = rows.into_iter().map(|(row, name)| Ok((row.try_into()?, name))).collect::<Result<_, Error>>()?;
    Ok(Page::cut(found, request, |(r, _): &(Recharge, String)| r.id.0))
}

/// Approved or rejected.
pub fn decided(tx: &mut Tx<'_>, id: RechargeId, review: RechargeReview, by: OperatorId) -> Result<(), Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    diesel::update(recharges::table.find(id.0))
        .set((
            recharges::status.eq(review.status.code()),
            recharges::decided_by.eq(by.0),
            recharges::decided_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

/// Whether one is requested and not decided yet.
pub fn has_undecided(conn: &mut Conn, user: UserId) -> Result<bool, Error> {
    let undecided = recharges::table.filter(recharges::user_id.eq(user.0).and(recharges::decided_at.is_null()));
    Ok(diesel::select(diesel::dsl::exists(undecided)).get_result(conn)?)
}
