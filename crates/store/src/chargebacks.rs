//! Payments that the bank took back: requested by one operator, booked by another.

use base::{ChargebackId, Money, OperatorId, Timestamp, UserId};
use diesel::prelude::*;
use wallet::{RechargeReview, RechargeStatus};

use crate::schema::{chargebacks, users};
use crate::{Conn, Error, Page, PageRequest, Tx};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chargeback {
    pub id: ChargebackId,
    pub user: UserId,
    pub amount: Money,
    /// The bank's, so that one is booked once.
    pub reference: String,
    pub review: RechargeReview,
    pub reason: String,
    pub requested_at: Timestamp,
    pub decided_by: Option<OperatorId>,
    pub decided_at: Option<Timestamp>,
    /// What the user did not have any more.
    pub written_off: Money,
}

/// What an operator asks for.
#[derive(Clone, Debug)]
pub struct NewChargeback {
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
    written_off: i64,
}

impl TryFrom<Row> for Chargeback {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let status = RechargeStatus::try_from(row.status).map_err(|e| Error::Corrupt(e.to_string()))?;
        Ok(Self {
            id: ChargebackId(row.id),
            user: UserId(row.user_id),
            amount: Money::from_minor(row.amount),
            reference: row.reference,
            review: RechargeReview { status, requested_by: OperatorId(row.requested_by) },
            reason: row.reason,
            requested_at: Timestamp::from_millis(row.requested_at),
            decided_by: row.decided_by.map(OperatorId),
            decided_at: row.decided_at.map(Timestamp::from_millis),
            written_off: Money::from_minor(row.written_off),
        })
    }
}

/// Writes a request down.
///
/// # Errors
/// A unique violation where the reference was used before; the transaction
/// cannot go on after it.
pub fn insert(tx: &mut Tx<'_>, new: &NewChargeback) -> Result<Chargeback, Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    let row: Row = diesel::insert_into(chargebacks::table)
        .values((
            chargebacks::user_id.eq(new.user.0),
            chargebacks::amount.eq(new.amount.minor()),
            chargebacks::reference.eq(&new.reference),
            chargebacks::status.eq(RechargeStatus::Requested.code()),
            chargebacks::reason.eq(&new.reason),
            chargebacks::requested_by.eq(new.requested_by.0),
            chargebacks::requested_at.eq(now),
        ))
        .returning(chargebacks::all_columns)
        .get_result(conn)?;
    row.try_into()
}

/// Decide on it only once its user's wallet is locked, which everything that
/// changes it does first.
pub fn find(conn: &mut Conn, id: ChargebackId) -> Result<Option<Chargeback>, Error> {
    let row: Option<Row> = chargebacks::table.find(id.0).first(conn).optional()?;
    row.map(Chargeback::try_from).transpose()
}

/// Everyone's, with the username, newest first.
pub fn page(conn: &mut Conn, request: PageRequest) -> Result<Page<(Chargeback, String)>, Error> {
    let rows: Vec<(Row, String)> = chargebacks::table
        .inner_join(users::table)
        .filter(chargebacks::id.lt(request.below()))
        .select((chargebacks::all_columns, users::username))
        .order(chargebacks::id.desc())
        .limit(request.fetch())
        .load(conn)?;
    let found = rows.into_iter().map(|(row, name)| Ok((row.try_into()?, name))).collect::<Result<_, Error>>()?;
    Ok(Page::cut(found, request, |(c, _): &(Chargeback, String)| c.id.0))
}

pub fn decided(
    tx: &mut Tx<'_>,
    id: ChargebackId,
    review: RechargeReview,
    by: OperatorId,
    written_off: Money,
) -> Result<(), Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    diesel::update(chargebacks::table.find(id.0))
        .set((
            chargebacks::status.eq(review.status.code()),
            chargebacks::decided_by.eq(by.0),
            chargebacks::decided_at.eq(now),
            chargebacks::written_off.eq(written_off.minor()),
        ))
        .execute(conn)?;
    Ok(())
}
