//! How plans begin: offered by the provider, or put by users.

use base::{CouponId, Money, PlanId, Rate, Timestamp, UserId};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use plans::{Cause, ContentType, Status};

use super::{PlanRow, TRANSITIONS};
use crate::plans::product::ProductRow;
use crate::{Error, Tx};
use db::bulk::{Column, Statement};
use db::statement;

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
}

statement!(
    RESERVE,
    // OFFSET keeps PostgreSQL from looking for the sequence again for each row.
    postgres: "SELECT nextval(s.name) AS id FROM \
         (SELECT CAST(pg_get_serial_sequence('plans', 'id') AS regclass) AS name OFFSET 0) AS s, unnest(?) AS n(place)",
    // Nobody else assigns plan ids before the writer's transaction ends.
    sqlite: "SELECT MAX(COALESCE((SELECT MAX(id) FROM plans), 0), \
         COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'plans'), 0)) + ? AS id",
);

#[derive(QueryableByName)]
struct Reserved {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// Reserves ids for this many new plans, in ascending order: decisions about a plan name
/// it before it is inserted.
pub fn reserve(tx: &mut Tx<'_>, plans: usize) -> Result<Vec<PlanId>, Error> {
    let places: Vec<i64> = (1..).take(plans).collect();
    let mut ids: Vec<i64> =
        RESERVE.load::<Reserved>(tx, &[places.into()])?.into_iter().map(|reserved| reserved.id).collect();
    ids.sort_unstable();
    Ok(ids.into_iter().map(PlanId).collect())
}

statement!(
    INSERT,
    postgres: "INSERT INTO plans (id, plan_no, user_id, product_id, advertiser_id, official, unit_milli, pricing, price, \
         days, payout, attribution_days, conversions_per_click, landing_url, created_at, changed_at, status, reason, \
         put_amount, paid_amount, content_type, fee_rate, coupon_id, ai_delivery, put_at, due_at, next_at) \
         SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *",
    sqlite: "INSERT INTO plans (id, plan_no, user_id, product_id, advertiser_id, official, unit_milli, pricing, price, \
         days, payout, attribution_days, conversions_per_click, landing_url, created_at, changed_at, status, reason, \
         put_amount, paid_amount, content_type, fee_rate, coupon_id, ai_delivery, put_at, due_at, next_at) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *",
);

/// Inserts new plans, offered or put; returned in no particular order.
pub fn insert_all(tx: &mut Tx<'_>, plans: &[NewPlan<'_>]) -> Result<Vec<PlanRow>, Error> {
    let now = tx.now().millis();
    let mut units = Vec::with_capacity(plans.len());
    for plan in plans {
        units.push(plan.product.terms()?.unit_milli().map_err(|e| Error::Corrupt(e.to_string()))?);
    }
    let of = |f: fn(&NewPlan<'_>) -> i64| plans.iter().map(f).collect::<Vec<_>>();
    let begun = |f: fn(&PutTerms) -> i64| plans.iter().map(|plan| plan.beginning.map(f)).collect::<Vec<_>>();
    let amounts = |f: fn(&PutTerms) -> Money| {
        plans.iter().map(|plan| plan.beginning.map_or(Money::ZERO, f).minor()).collect::<Vec<_>>()
    };
    let stands = plans.iter().map(|plan| stands(plan.beginning));
    let (status, reasons): (Vec<i16>, Vec<String>) = stands.unzip();
    let columns = [
        of(|plan| plan.id.0).into(),
        plans.iter().map(|plan| plan.plan_no.to_owned()).collect::<Vec<_>>().into(),
        of(|plan| plan.user.0).into(),
        of(|plan| plan.product.id).into(),
        of(|plan| plan.product.advertiser_id).into(),
        plans.iter().map(|plan| plan.beginning.is_none()).collect::<Vec<_>>().into(),
        units.into(),
        plans.iter().map(|plan| plan.product.pricing).collect::<Vec<_>>().into(),
        of(|plan| plan.product.price).into(),
        of(|plan| plan.product.days.into()).into(),
        of(|plan| plan.product.payout).into(),
        of(|plan| plan.product.attribution_days.into()).into(),
        of(|plan| plan.product.conversions_per_click.into()).into(),
        plans.iter().map(|plan| plan.product.landing_url.clone()).collect::<Vec<_>>().into(),
        vec![now; plans.len()].into(),
        vec![now; plans.len()].into(),
        status.into(),
        reasons.into(),
        amounts(|beginning| beginning.amount).into(),
        amounts(|beginning| beginning.paid).into(),
        plans.iter().map(|plan| plan.beginning.map(|beginning| beginning.content.code())).collect::<Vec<_>>().into(),
        plans.iter().map(fee_rate).collect::<Vec<_>>().into(),
        coupons(plans.iter().map(|plan| plan.beginning)),
        plans.iter().map(|plan| plan.beginning.is_some_and(|it| it.ai_delivery)).collect::<Vec<_>>().into(),
        plans.iter().map(|plan| plan.beginning.map(|_| now)).collect::<Vec<_>>().into(),
        begun(|beginning| beginning.due_at.millis()).into(),
        begun(|beginning| beginning.due_at.millis()).into(),
    ];
    let rows = INSERT.load(tx, &columns)?;
    recorded(tx, rows, plans.len())
}

statement!(
    BEGIN,
    postgres: "UPDATE plans p SET status = u.st, reason = u.re, put_amount = u.am, paid_amount = u.pa, content_type = u.co, \
         fee_rate = u.fe, coupon_id = u.cp, ai_delivery = u.ai, put_at = u.pu, due_at = u.du, next_at = u.ne, changed_at = u.ch \
         FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AS u(st, re, am, pa, co, fe, cp, ai, pu, du, ne, ch, id) \
         WHERE p.id = u.id RETURNING p.*",
    sqlite: "UPDATE plans SET status = ?, reason = ?, put_amount = ?, paid_amount = ?, content_type = ?, fee_rate = ?, \
         coupon_id = ?, ai_delivery = ?, put_at = ?, due_at = ?, next_at = ?, changed_at = ? WHERE id = ? RETURNING *",
);

/// Puts amounts on offered plans, which are locked; returned in no particular order.
pub fn begin_all(tx: &mut Tx<'_>, plans: &[(PlanId, &PutTerms)]) -> Result<Vec<PlanRow>, Error> {
    let now = tx.now().millis();
    let of = |f: fn(&PutTerms) -> i64| plans.iter().map(|(_, beginning)| f(beginning)).collect::<Vec<_>>();
    let stands = plans.iter().map(|(_, beginning)| stands(Some(beginning)));
    let (status, reasons): (Vec<i16>, Vec<String>) = stands.unzip();
    let columns = [
        status.into(),
        reasons.into(),
        of(|beginning| beginning.amount.minor()).into(),
        of(|beginning| beginning.paid.minor()).into(),
        plans.iter().map(|(_, beginning)| beginning.content.code()).collect::<Vec<_>>().into(),
        plans.iter().map(|(_, beginning)| beginning.fee_rate.to_string()).collect::<Vec<_>>().into(),
        coupons(plans.iter().map(|(_, beginning)| Some(*beginning))),
        plans.iter().map(|(_, beginning)| beginning.ai_delivery).collect::<Vec<_>>().into(),
        vec![now; plans.len()].into(),
        of(|beginning| beginning.due_at.millis()).into(),
        of(|beginning| beginning.due_at.millis()).into(),
        vec![now; plans.len()].into(),
        plans.iter().map(|(id, _)| id.0).collect::<Vec<_>>().into(),
    ];
    let rows = BEGIN.load(tx, &columns)?;
    recorded(tx, rows, plans.len())
}

/// Offers a plan; nothing is spent until its user puts an amount.
pub fn offer(tx: &mut Tx<'_>, plan_no: &str, user: UserId, product: &ProductRow) -> Result<PlanRow, Error> {
    let missing = || Error::Corrupt("no plan was written".into());
    let id = reserve(tx, 1)?.pop().ok_or_else(missing)?;
    let new = NewPlan { id, plan_no, user, product, beginning: None };
    insert_all(tx, &[new])?.pop().ok_or_else(missing)
}

/// The status of a plan that waits to be put, or for its first slot, and why.
fn stands(beginning: Option<&PutTerms>) -> (i16, String) {
    let (status, cause) =
        if beginning.is_some() { (Status::Matching, Cause::Put) } else { (Status::WaitingToPut, Cause::Offered) };
    (status.code(), cause.name().to_owned())
}

/// An offer has its product's rate until one is agreed.
fn fee_rate(plan: &NewPlan<'_>) -> String {
    plan.beginning.map_or_else(|| plan.product.fee_rate.clone(), |beginning| beginning.fee_rate.to_string())
}

fn coupons<'a>(beginnings: impl Iterator<Item = Option<&'a PutTerms>>) -> Column {
    beginnings.map(|beginning| Some(beginning?.coupon?.0)).collect::<Vec<_>>().into()
}

/// Stores when and why each of them got its status.
fn recorded(tx: &mut Tx<'_>, rows: Vec<PlanRow>, asked: usize) -> Result<Vec<PlanRow>, Error> {
    if rows.len() != asked {
        return Err(Error::Corrupt(format!("{} of {asked} plans were written", rows.len())));
    }
    TRANSITIONS.execute(
        tx,
        &[
            rows.iter().map(|row| row.id).collect::<Vec<_>>().into(),
            rows.iter().map(|row| row.status).collect::<Vec<_>>().into(),
            rows.iter().map(|row| row.reason.clone()).collect::<Vec<_>>().into(),
            rows.iter().map(|row| row.changed_at).collect::<Vec<_>>().into(),
        ],
    )?;
    if rows.iter().any(|row| row.put_at.is_some()) {
        tx.notes().changes_plans();
    }
    Ok(rows)
}
