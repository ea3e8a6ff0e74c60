//! Plans: their rows, the lock on one, and the steps of its life.

use base::{AdvertiserId, Money, PlanId, ProductId, Timestamp, UserId};
use diesel::prelude::*;
use plans::{Cause, ContentType, Plan, Status, Step, Terms, Totals};

use crate::product::{ProductRow, read_terms};
use crate::schema::{plan_transitions, plans as table, products};
use crate::{Conn, Error, Page, PageRequest, Tx};

#[derive(Clone, Debug, Queryable, Selectable, PartialEq, Eq)]
#[diesel(table_name = table)]
pub struct PlanRow {
    pub id: i64,
    pub plan_no: String,
    pub user_id: i64,
    pub product_id: i64,
    pub advertiser_id: i64,
    pub status: i16,
    pub reason: String,
    pub official: bool,
    pub paused: bool,
    pub content_type: Option<i16>,
    pub put_amount: i64,
    pub paid_amount: i64,
    pub unit_milli: i64,
    pub pricing: i16,
    pub price: i64,
    pub days: i32,
    pub payout: i64,
    pub attribution_days: i32,
    pub fee_rate: String,
    pub event_seq: i64,
    pub reserved_milli: i64,
    pub booked_milli: i64,
    pub rolled_milli: i64,
    pub rolled_event_id: i64,
    pub rolled_event_seq: i64,
    pub rolled_at: i64,
    pub impressions: i64,
    pub clicks: i64,
    pub filtered: i64,
    pub conversions: i64,
    pub billed: i64,
    pub returned: i64,
    pub revenue: i64,
    pub fee: i64,
    pub served_at: i64,
    pub created_at: i64,
    pub put_at: Option<i64>,
    pub started_at: Option<i64>,
    pub due_at: Option<i64>,
    pub finished_at: Option<i64>,
    pub settles_at: Option<i64>,
    pub settled_at: Option<i64>,
}

impl PlanRow {
    pub fn id(&self) -> PlanId {
        PlanId(self.id)
    }

    pub fn user(&self) -> UserId {
        UserId(self.user_id)
    }

    pub fn product(&self) -> ProductId {
        ProductId(self.product_id)
    }

    pub fn advertiser(&self) -> AdvertiserId {
        AdvertiserId(self.advertiser_id)
    }

    pub fn status(&self) -> Result<Status, Error> {
        self.status.try_into().map_err(corrupt)
    }

    pub fn content_type(&self) -> Result<Option<ContentType>, Error> {
        self.content_type.map(ContentType::try_from).transpose().map_err(corrupt)
    }

    pub fn terms(&self) -> Result<Terms, Error> {
        read_terms(self.pricing, self.price, self.days, self.payout, self.attribution_days, &self.fee_rate)
    }

    /// The part of it that its life depends on.
    pub fn life(&self) -> Result<Plan, Error> {
        Ok(Plan {
            status: self.status()?,
            put_amount: Money::from_minor(self.put_amount),
            unit_milli: self.unit_milli,
            booked_milli: self.booked_milli,
            reserved_milli: self.reserved_milli,
            unrolled: self.event_seq > self.rolled_event_seq,
            days: self.days.into(),
            attribution_days: self.attribution_days.into(),
            due_at: self.due_at.map(Timestamp::from_millis),
            settles_at: self.settles_at.map(Timestamp::from_millis),
        })
    }

    /// The figures kept beside it.
    pub fn totals(&self) -> Totals {
        Totals {
            impressions: self.impressions,
            clicks: self.clicks,
            filtered: self.filtered,
            conversions: self.conversions,
            booked_milli: self.rolled_milli,
            billed: Money::from_minor(self.billed),
            revenue: Money::from_minor(self.revenue),
        }
    }
}

fn corrupt(error: base::UnknownCode) -> Error {
    Error::Corrupt(error.to_string())
}

/// A plan that begins: offered by the provider, or started by the user.
#[derive(Clone, Debug)]
pub struct NewPlan<'a> {
    pub plan_no: &'a str,
    pub user: UserId,
    pub product: &'a ProductRow,
    pub official: bool,
}

pub fn insert(tx: &mut Tx<'_>, plan: &NewPlan<'_>) -> Result<PlanRow, Error> {
    let now = tx.now().millis();
    let terms = plan.product.terms()?;
    let unit_milli = terms.unit_milli().map_err(|e| Error::Corrupt(e.to_string()))?;
    let product = plan.product;
    let conn: &mut Conn = tx;
    let row: PlanRow = diesel::insert_into(table::table)
        .values((
            table::plan_no.eq(plan.plan_no),
            table::user_id.eq(plan.user.0),
            table::product_id.eq(product.id),
            table::advertiser_id.eq(product.advertiser_id),
            table::status.eq(Status::WaitingToPut.code()),
            table::reason.eq(Cause::Offered.name()),
            table::official.eq(plan.official),
            table::unit_milli.eq(unit_milli),
            table::pricing.eq(product.pricing),
            table::price.eq(product.price),
            table::days.eq(product.days),
            table::payout.eq(product.payout),
            table::attribution_days.eq(product.attribution_days),
            table::fee_rate.eq(&product.fee_rate),
            table::created_at.eq(now),
        ))
        .returning(table::all_columns)
        .get_result(conn)?;
    if plan.official {
        record(tx, row.id, Status::WaitingToPut, Cause::Offered)?;
    }
    Ok(row)
}

/// Money is on it: it waits for a first slot.
pub fn begin(
    tx: &mut Tx<'_>,
    id: PlanId,
    amount: Money,
    paid: Money,
    content: ContentType,
    due_at: Timestamp,
) -> Result<PlanRow, Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    let row = diesel::update(table::table.find(id.0))
        .set((
            table::status.eq(Status::Matching.code()),
            table::reason.eq(Cause::Put.name()),
            table::put_amount.eq(amount.minor()),
            table::paid_amount.eq(paid.minor()),
            table::content_type.eq(content.code()),
            table::put_at.eq(now),
            table::due_at.eq(due_at.millis()),
        ))
        .returning(table::all_columns)
        .get_result(conn)?;
    record(tx, id.0, Status::Matching, Cause::Put)?;
    Ok(row)
}

/// Locks a plan. Where money moves too, the user's wallet is locked before.
pub fn lock(tx: &mut Tx<'_>, id: PlanId) -> Result<Option<PlanRow>, Error> {
    let conn: &mut Conn = tx;
    Ok(diesel::update(table::table.find(id.0))
        .set(table::status.eq(table::status))
        .returning(table::all_columns)
        .get_result(conn)
        .optional()?)
}

/// Takes a step, and keeps when and why.
pub fn apply(tx: &mut Tx<'_>, plan: &PlanRow, step: &Step) -> Result<(), Error> {
    let now = tx.now().millis();
    let at = |when: Status, before: Option<i64>| if step.to == when { Some(now) } else { before };
    let ended = matches!(step.to, Status::PutFinished | Status::PutFailed);
    let conn: &mut Conn = tx;
    diesel::update(table::table.find(plan.id))
        .set((
            table::status.eq(step.to.code()),
            table::reason.eq(step.cause.name()),
            table::due_at.eq(step.due_at.map(Timestamp::millis)),
            table::settles_at.eq(step.settles_at.map(Timestamp::millis)),
            table::started_at.eq(at(Status::Putting, plan.started_at)),
            table::finished_at.eq(if ended { Some(now) } else { plan.finished_at }),
            table::settled_at.eq(at(Status::Settled, plan.settled_at)),
        ))
        .execute(conn)?;
    record(tx, plan.id, step.to, step.cause)
}

fn record(tx: &mut Tx<'_>, plan: i64, status: Status, cause: Cause) -> Result<(), Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    diesel::insert_into(plan_transitions::table)
        .values((
            plan_transitions::plan_id.eq(plan),
            plan_transitions::status.eq(status.code()),
            plan_transitions::reason.eq(cause.name()),
            plan_transitions::at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

pub fn set_paused(tx: &mut Tx<'_>, id: PlanId, paused: bool) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    diesel::update(table::table.find(id.0)).set(table::paused.eq(paused)).execute(conn)?;
    Ok(())
}

pub fn add_returned(tx: &mut Tx<'_>, id: PlanId, amount: Money) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    diesel::update(table::table.find(id.0)).set(table::returned.eq(table::returned + amount.minor())).execute(conn)?;
    Ok(())
}

pub fn set_fee(tx: &mut Tx<'_>, id: PlanId, fee: Money) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    diesel::update(table::table.find(id.0)).set(table::fee.eq(fee.minor())).execute(conn)?;
    Ok(())
}

/// Whose plan it is, without a lock: an owner never changes.
pub fn owner(conn: &mut Conn, id: PlanId) -> Result<Option<(UserId, AdvertiserId)>, Error> {
    let found: Option<(i64, i64)> =
        table::table.find(id.0).select((table::user_id, table::advertiser_id)).first(conn).optional()?;
    Ok(found.map(|(user, advertiser)| (UserId(user), AdvertiserId(advertiser))))
}

/// A user's own plan with its product; another's is as if it were not there.
pub fn find(conn: &mut Conn, user: UserId, id: PlanId) -> Result<Option<(PlanRow, ProductRow)>, Error> {
    Ok(table::table
        .inner_join(products::table)
        .filter(table::id.eq(id.0))
        .filter(table::user_id.eq(user.0))
        .select((PlanRow::as_select(), ProductRow::as_select()))
        .first(conn)
        .optional()?)
}

pub fn find_by_number(conn: &mut Conn, plan_no: &str) -> Result<Option<(PlanRow, ProductRow)>, Error> {
    Ok(table::table
        .inner_join(products::table)
        .filter(table::plan_no.eq(plan_no))
        .select((PlanRow::as_select(), ProductRow::as_select()))
        .first(conn)
        .optional()?)
}

pub fn page(
    conn: &mut Conn,
    user: UserId,
    status: Option<Status>,
    request: PageRequest,
) -> Result<Page<(PlanRow, ProductRow)>, Error> {
    let mut query = table::table
        .inner_join(products::table)
        .filter(table::user_id.eq(user.0))
        .filter(table::id.lt(request.below()))
        .order(table::id.desc())
        .limit(request.fetch())
        .select((PlanRow::as_select(), ProductRow::as_select()))
        .into_boxed();
    if let Some(status) = status {
        query = query.filter(table::status.eq(status.code()));
    }
    Ok(Page::cut(query.load(conn)?, request, |(plan, _)| plan.id))
}

pub fn count_waiting(conn: &mut Conn, user: UserId) -> Result<i64, Error> {
    Ok(table::table
        .filter(table::user_id.eq(user.0))
        .filter(table::status.eq(Status::WaitingToPut.code()))
        .count()
        .get_result(conn)?)
}

/// Every step so far: status, cause, moment.
pub fn timeline(conn: &mut Conn, id: PlanId) -> Result<Vec<(Status, String, Timestamp)>, Error> {
    let rows: Vec<(i16, String, i64)> = plan_transitions::table
        .filter(plan_transitions::plan_id.eq(id.0))
        .order(plan_transitions::id)
        .limit(100)
        .select((plan_transitions::status, plan_transitions::reason, plan_transitions::at))
        .load(conn)?;
    rows.into_iter()
        .map(|(status, reason, at)| Ok((status.try_into().map_err(corrupt)?, reason, Timestamp::from_millis(at))))
        .collect()
}

/// Plans by id, above one, for whoever looks at all of them.
pub fn after(conn: &mut Conn, above: i64, limit: i64) -> Result<Vec<PlanRow>, Error> {
    Ok(table::table
        .filter(table::id.gt(above))
        .order(table::id)
        .limit(limit)
        .select(PlanRow::as_select())
        .load(conn)?)
}

/// Plans with events to roll up: those last rolled up before `before`, and
/// those that can deliver no more and wait for nothing else.
pub fn unrolled(conn: &mut Conn, before: Timestamp, limit: i64) -> Result<Vec<PlanId>, Error> {
    let running = table::status.eq_any([Status::Matching.code(), Status::Putting.code()]);
    let used = table::reserved_milli.eq(0).and((table::booked_milli + table::unit_milli).gt(table::put_amount * 1000));
    let ids: Vec<i64> = table::table
        .filter(table::event_seq.gt(table::rolled_event_seq))
        .filter(table::rolled_at.le(before.millis()).or(diesel::dsl::not(running)).or(used))
        .order(table::id)
        .limit(limit)
        .select(table::id)
        .load(conn)?;
    Ok(ids.into_iter().map(PlanId).collect())
}

/// Plans for which a step may be due.
pub fn due(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<Vec<PlanId>, Error> {
    let now = now.millis();
    let overdue = table::status.eq_any([Status::Matching.code(), Status::Putting.code()]).and(table::due_at.le(now));
    let used = table::status
        .eq(Status::Putting.code())
        .and(table::reserved_milli.eq(0))
        .and((table::booked_milli + table::unit_milli).gt(table::put_amount * 1000));
    let closed = table::status.eq(Status::PutFinished.code()).and(table::reserved_milli.eq(0));
    let settling = table::status.eq(Status::WaitingSettlement.code()).and(table::settles_at.le(now));
    let ids: Vec<i64> = table::table
        .filter(overdue.assume_not_null().or(used).or(closed).or(settling.assume_not_null()))
        .order(table::id)
        .limit(limit)
        .select(table::id)
        .load(conn)?;
    Ok(ids.into_iter().map(PlanId).collect())
}
