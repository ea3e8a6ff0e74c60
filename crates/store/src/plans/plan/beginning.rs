//! How plans begin: offered by the provider, or put by users.

use base::{AdvertiserId, CouponId, Money, PlanId, ProductId, Rate, Timestamp, UserId};
use plans::{Cause, ContentType, Pricing, Status};

use super::schedule::PlanSchedule;
use super::{PlanRow, TRANSITIONS, Transition};
use crate::plans::product::ProductRow;
use crate::{Error, Tx};
use db::bulk::{Statement, reserves};
use db::{One, insert, statement, update};

/// A plan to be inserted.
#[derive(Clone, Debug)]
pub struct NewPlan<'a> {
    /// One of the [reserved](reserve) ids.
    pub id: PlanId,
    pub plan_no: &'a str,
    pub user: UserId,
    pub product: &'a ProductRow,
    /// What its user puts on it; `None` if the provider offers it.
    pub beginning: Option<&'a PutTerms>,
}

/// What is agreed when an amount is put on a plan.
#[derive(Clone, Debug)]
pub struct PutTerms {
    /// The budget, including what the platform adds.
    pub amount: Money,
    /// The user's own money in it.
    pub paid: Money,
    pub content: ContentType,
    pub due_at: Timestamp,
    pub fee_rate: Rate,
    pub coupon: Option<CouponId>,
    /// Its arms are stored as well.
    pub ai_delivery: bool,
    /// The time zone of its days.
    pub zone: String,
    pub schedule: PlanSchedule,
}

statement!(RESERVE, reserves("plans"));

/// Reserves ids for this many new plans, in ascending order: decisions about a plan name
/// it before it is inserted.
pub fn reserve(tx: &mut Tx<'_>, plans: usize) -> Result<Vec<PlanId>, Error> {
    let places: Vec<i64> = (1..).take(plans).collect();
    let mut ids: Vec<PlanId> =
        RESERVE.load::<One<PlanId>>(tx, &[places.into()])?.into_iter().map(|reserved| reserved.0).collect();
    ids.sort_unstable();
    Ok(ids)
}

insert! {
    struct Inserted<'a>, INSERT into "plans" {
        id: PlanId,
        plan_no: &'a str,
        user_id: UserId,
        product_id: ProductId,
        advertiser_id: AdvertiserId,
        official: bool,
        unit_milli: i64,
        pricing: Pricing,
        price: Money,
        days: i32,
        payout: Money,
        attribution_days: i32,
        conversions_per_click: i32,
        landing_url: &'a Option<String>,
        created_at: Timestamp,
        changed_at: Timestamp,
        status: Status,
        reason: Cause,
        put_amount: Money,
        paid_amount: Money,
        content_type: Option<ContentType>,
        fee_rate: Rate,
        coupon_id: Option<CouponId>,
        ai_delivery: bool,
        put_at: Option<Timestamp>,
        due_at: Option<Timestamp>,
        next_at: Option<Timestamp>,
        zone: &'a str,
        begins_at: Option<Timestamp>,
        ends_at: Option<Timestamp>,
        hours: Option<String>,
        hours_zone: Option<String>,
    } returning (PlanRow::columns(""))
}

impl<'a> Inserted<'a> {
    fn of(plan: &'a NewPlan<'a>, now: Timestamp) -> Result<Self, Error> {
        let NewPlan { product, beginning, .. } = plan;
        let unit_milli = product.terms().unit_milli().map_err(|e| Error::Corrupt(e.to_string()))?;
        let (status, reason) = stands(*beginning);
        let due_at = beginning.map(|it| it.due_at);
        let PlanSchedule { begins_at, ends_at, hours, hours_zone } =
            beginning.map(|it| it.schedule.clone()).unwrap_or_default();
        Ok(Self {
            id: plan.id,
            plan_no: plan.plan_no,
            user_id: plan.user,
            product_id: product.id,
            advertiser_id: product.advertiser_id,
            official: beginning.is_none(),
            unit_milli,
            pricing: product.pricing,
            price: product.price,
            days: product.days,
            payout: product.payout,
            attribution_days: product.attribution_days,
            conversions_per_click: product.conversions_per_click,
            landing_url: &product.landing_url,
            created_at: now,
            changed_at: now,
            status,
            reason,
            put_amount: beginning.map_or(Money::ZERO, |it| it.amount),
            paid_amount: beginning.map_or(Money::ZERO, |it| it.paid),
            content_type: beginning.map(|it| it.content),
            // An offer has its product's rate until a rate is agreed at the put.
            fee_rate: beginning.map_or(product.fee_rate, |it| it.fee_rate),
            coupon_id: beginning.and_then(|it| it.coupon),
            ai_delivery: beginning.is_some_and(|it| it.ai_delivery),
            put_at: beginning.map(|_| now),
            due_at,
            next_at: due_at,
            zone: beginning.map_or("UTC", |it| &it.zone),
            begins_at,
            ends_at,
            hours,
            hours_zone,
        })
    }
}

/// Inserts new plans, offered or put; returned in no particular order.
pub fn insert_all(tx: &mut Tx<'_>, plans: &[NewPlan<'_>]) -> Result<Vec<PlanRow>, Error> {
    let now = tx.now();
    let rows = plans.iter().map(|plan| Inserted::of(plan, now)).collect::<Result<Vec<_>, _>>()?;
    let rows = INSERT.load(tx, &Inserted::columns(&rows))?;
    record_beginnings(tx, rows, plans.len())
}

update! {
    struct Begun<'a>, BEGIN of "plans" {
        status: Status,
        reason: Cause,
        put_amount: Money,
        paid_amount: Money,
        content_type: ContentType,
        fee_rate: Rate,
        coupon_id: Option<CouponId>,
        ai_delivery: bool,
        put_at: Timestamp,
        due_at: Timestamp,
        next_at: Timestamp,
        changed_at: Timestamp,
        zone: &'a str,
        begins_at: Option<Timestamp>,
        ends_at: Option<Timestamp>,
        hours: Option<String>,
        hours_zone: Option<String>,
    } by { id: PlanId } returning (PlanRow::columns(""))
}

impl<'a> Begun<'a> {
    fn of(id: PlanId, beginning: &'a PutTerms, now: Timestamp) -> Self {
        let (status, reason) = stands(Some(beginning));
        let PlanSchedule { begins_at, ends_at, hours, hours_zone } = beginning.schedule.clone();
        Self {
            status,
            reason,
            put_amount: beginning.amount,
            paid_amount: beginning.paid,
            content_type: beginning.content,
            fee_rate: beginning.fee_rate,
            coupon_id: beginning.coupon,
            ai_delivery: beginning.ai_delivery,
            put_at: now,
            due_at: beginning.due_at,
            next_at: beginning.due_at,
            changed_at: now,
            zone: &beginning.zone,
            begins_at,
            ends_at,
            hours,
            hours_zone,
            id,
        }
    }
}

/// Puts amounts on offered plans, which are locked; returned in no particular order.
pub fn begin_all(tx: &mut Tx<'_>, plans: &[(PlanId, &PutTerms)]) -> Result<Vec<PlanRow>, Error> {
    let now = tx.now();
    let rows: Vec<Begun<'_>> = plans.iter().map(|(id, beginning)| Begun::of(*id, beginning, now)).collect();
    let rows = BEGIN.load(tx, &Begun::columns(&rows))?;
    record_beginnings(tx, rows, plans.len())
}

/// Offers a plan; nothing is spent until its user puts an amount.
pub fn offer(tx: &mut Tx<'_>, plan_no: &str, user: UserId, product: &ProductRow) -> Result<PlanRow, Error> {
    let missing = || Error::Corrupt("no plan was written".into());
    let id = reserve(tx, 1)?.pop().ok_or_else(missing)?;
    let new = NewPlan { id, plan_no, user, product, beginning: None };
    insert_all(tx, &[new])?.pop().ok_or_else(missing)
}

/// The status of a new plan, and its cause.
const fn stands(beginning: Option<&PutTerms>) -> (Status, Cause) {
    if beginning.is_some() { (Status::Matching, Cause::Put) } else { (Status::WaitingToPut, Cause::Offered) }
}

/// Records when and why each plan got its status.
fn record_beginnings(tx: &mut Tx<'_>, rows: Vec<PlanRow>, asked: usize) -> Result<Vec<PlanRow>, Error> {
    if rows.len() != asked {
        return Err(Error::Corrupt(format!("{} of {asked} plans were written", rows.len())));
    }
    let steps = rows.iter().map(|row| Transition {
        plan_id: row.id,
        status: row.status,
        reason: row.reason,
        at: row.changed_at,
    });
    TRANSITIONS.execute(tx, &Transition::columns(&steps.collect::<Vec<_>>()))?;
    if rows.iter().any(|row| row.put_at.is_some()) {
        tx.notes().changes_plans();
    }
    Ok(rows)
}
