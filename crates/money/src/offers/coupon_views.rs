//! Coupons as their owner sees them.

use base::{CouponDefinitionId, CouponId, Money, PlanId, Timestamp, UserId};
use coupons::{Benefit, Definition, Effect, Kind, State};
use foundation::{App, Error};
use serde::Serialize;
use store::offers::coupons::{self as rows, UserCoupon};
use store::{Conn, Page, PageRequest};
use utoipa::ToSchema;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Coupon)]
pub struct CouponView {
    pub id: String,
    pub name: String,
    /// `fixed_amount`, `value_add`, `deduction`, `team` or `custom`.
    pub kind: Kind,
    /// `discount`, `deduction` or `addition`.
    pub effect: Effect,
    /// For a discount, the share of the amount that the platform pays, such as `0.10`;
    /// otherwise money, deducted from the payment or added to the budget.
    pub value: String,
    /// The most that a discount takes off.
    pub max_value: Option<Money>,
    /// The smallest amount it can be used on.
    pub min_amount: Money,
    /// Only for followers of this operated id.
    pub operated_id: Option<String>,
    pub received_at: Option<Timestamp>,
    pub expires_at: Timestamp,
    pub used_at: Option<Timestamp>,
    /// The plan that it was used on.
    pub plan_id: Option<PlanId>,
    /// `unused`, `used` or `expired`.
    pub status: State,
}

impl CouponView {
    pub fn of(held: &UserCoupon, now: Timestamp) -> Self {
        Self {
            id: held.id.to_string(),
            received_at: Some(held.received_at),
            used_at: held.used_at,
            plan_id: held.plan,
            status: held.coupon().state(now),
            ..Self::offered(held.defined.id, &held.defined.definition, held.expires_at)
        }
    }

    /// A coupon that nobody has received yet.
    pub(crate) fn offered(id: CouponDefinitionId, definition: &Definition, expires_at: Timestamp) -> Self {
        let (value, max_value) = worth(definition.benefit);
        Self {
            id: id.to_string(),
            name: definition.name.clone(),
            kind: definition.kind,
            effect: definition.effect(),
            value,
            max_value,
            min_amount: definition.min_amount,
            operated_id: definition.operated_id.clone(),
            received_at: None,
            expires_at,
            used_at: None,
            plan_id: None,
            status: State::Unused,
        }
    }
}

pub(crate) fn worth(benefit: Benefit) -> (String, Option<Money>) {
    match benefit {
        Benefit::Discount { rate, cap } => (format!("{:.2}", rate.decimal()), cap),
        Benefit::Deduction(value) | Benefit::Addition(value) => (value.to_string(), None),
    }
}

/// The user's own, newest first.
pub async fn coupons(
    app: &App,
    user: UserId,
    state: Option<State>,
    page: PageRequest,
) -> Result<Page<CouponView>, Error> {
    let now = app.now();
    let found = app.db.read(move |conn| rows::page(conn, user, state, now, page)).await?;
    Ok(found.map(|held| CouponView::of(&held, now)))
}

/// The coupons of plans, by their ids.
pub fn by_ids(
    conn: &mut Conn,
    ids: impl IntoIterator<Item = Option<CouponId>>,
) -> Result<std::collections::HashMap<CouponId, UserCoupon>, Error> {
    let found = rows::by_ids(conn, ids.into_iter().flatten().map(|id| id.0).collect())?;
    Ok(found.into_iter().map(|held| (held.id, held)).collect())
}

/// The coupon of one plan.
pub fn of_plan(conn: &mut Conn, user: UserId, id: Option<CouponId>) -> Result<Option<UserCoupon>, Error> {
    match id {
        Some(id) => Ok(rows::find(conn, user, id)?),
        None => Ok(None),
    }
}
