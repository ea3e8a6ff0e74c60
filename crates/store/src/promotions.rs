//! Promotional credit that one operator requested, and who approved it.

use base::{Money, OperatorId, PromotionId, Timestamp, UserId, coded};
use diesel::prelude::*;
use wallet::{RechargeReview, RechargeStatus};

use crate::schema::{promotions, users};
use crate::{Conn, Error, Page, PageRequest, Tx};

coded!(
    /// Which way promotional credit goes.
    Direction {
        Grant = 1 "grant",
        Revoke = 2 "revoke",
    }
);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promotion {
    pub id: PromotionId,
    pub user: UserId,
    pub direction: Direction,
    pub amount: Money,
    /// The same two people as for a recharge.
    pub review: RechargeReview,
    pub reason: String,
    pub requested_at: Timestamp,
    pub decided_by: Option<OperatorId>,
    pub decided_at: Option<Timestamp>,
}

/// What an operator asks for.
#[derive(Clone, Debug)]
pub struct NewPromotion {
    pub user: UserId,
    pub direction: Direction,
    pub amount: Money,
    pub reason: String,
    pub requested_by: OperatorId,
}

#[derive(Queryable)]
struct Row {
    id: i64,
    user_id: i64,
    direction: i16,
    amount: i64,
    status: i16,
    reason: String,
    requested_by: i64,
    requested_at: i64,
    decided_by: Option<i64>,
    decided_at: Option<i64>,
}

impl TryFrom<Row> for Promotion {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let corrupt = |e: base::UnknownCode| Error::Corrupt(format!("promotion {}: {e}", row.id));
        let status = RechargeStatus::try_from(row.status).map_err(corrupt)?;
        Ok(Self {
            id: PromotionId(row.id),
            user: UserId(row.user_id),
            direction: Direction::try_from(row.direction).map_err(corrupt)?,
            amount: Money::from_minor(row.amount),
            review: RechargeReview { status, requested_by: OperatorId(row.requested_by) },
            reason: row.reason,
            requested_at: Timestamp::from_millis(row.requested_at),
            decided_by: row.decided_by.map(OperatorId),
            decided_at: row.decided_at.map(Timestamp::from_millis),
        })
    }
}

pub fn insert(tx: &mut Tx<'_>, new: &NewPromotion) -> Result<Promotion, Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    let row: Row = diesel::insert_into(promotions::table)
        .values((
            promotions::user_id.eq(new.user.0),
            promotions::direction.eq(new.direction.code()),
            promotions::amount.eq(new.amount.minor()),
            promotions::status.eq(RechargeStatus::Requested.code()),
            promotions::reason.eq(&new.reason),
            promotions::requested_by.eq(new.requested_by.0),
            promotions::requested_at.eq(now),
        ))
        .returning(promotions::all_columns)
        .get_result(conn)?;
    row.try_into()
}

/// Decide on it only once its user's wallet is locked, which everything that
/// changes it does first.
pub fn find(conn: &mut Conn, id: PromotionId) -> Result<Option<Promotion>, Error> {
    let row: Option<Row> = promotions::table.find(id.0).first(conn).optional()?;
    row.map(Promotion::try_from).transpose()
}

/// Everyone's, with the username, newest first.
pub fn page(conn: &mut Conn, request: PageRequest) -> Result<Page<(Promotion, String)>, Error> {
    let rows: Vec<(Row, String)> = promotions::table
        .inner_join(users::table)
        .filter(promotions::id.lt(request.below()))
        .select((promotions::all_columns, users::username))
        .order(promotions::id.desc())
        .limit(request.fetch())
        .load(conn)?;
    let found = rows.into_iter().map(|(row, name)| Ok((row.try_into()?, name))).collect::<Result<_, Error>>()?;
    Ok(Page::cut(found, request, |(p, _): &(Promotion, String)| p.id.0))
}

/// Approved or rejected.
pub fn decided(tx: &mut Tx<'_>, id: PromotionId, review: RechargeReview, by: OperatorId) -> Result<(), Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    diesel::update(promotions::table.find(id.0))
        .set((
            promotions::status.eq(review.status.code()),
            promotions::decided_by.eq(by.0),
            promotions::decided_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}
