//! Plans: their rows, locks on them, and the steps of their life.

mod addition;
mod beginning;
mod compared;
pub mod days;
mod figures;
mod reads;
pub mod results;
pub mod schedule;
mod sorted;

use base::{AdvertiserId, CouponId, Money, MoneyError, Period, PlanId, ProductId, Rate, Timestamp, UserId};
use diesel::prelude::*;
use plans::{
    Agreed, Budget, Cause, Commitment, ContentType, Counted, DayBudget, Earned, MILLI, Plan, Pricing, RatioFigures,
    RuleFigures, Schedule, Status, Step, Terms, Totals, Unbilled, closing_after, whole_minor,
};

use crate::schema::{plan_figures as figures_table, plans as table};
use crate::{Conn, Error, Tx, columns};
use db::bulk::{Statement, ascending};
use db::{insert, statement, update};

pub use addition::save_budgets;
pub use beginning::{NewPlan, PutTerms, begin_all, insert_all, offer, reserve};
pub use compared::{ProductTotals, of_user, on_products};
pub use figures::PlanFigures;
pub use reads::{
    NamedPlan, PlanFilter, PlanName, after, count_waiting, find, find_by_number, find_due, find_own, has_under_way,
    holding, ids_of, names, owner, owners, page_of_all, timeline, under_way,
};
pub use sorted::{
    Place, PlanPlace, PlanSearch, PlansWanted, SortBy, SortedPage, SortedQuery, find_slots, find_sorted, product_names,
    products_named, products_of,
};

#[derive(Clone, Debug, Queryable, QueryableByName, Selectable, PartialEq, Eq)]
#[diesel(table_name = table)]
pub struct PlanRow {
    pub id: PlanId,
    pub plan_no: String,
    pub user_id: UserId,
    pub product_id: ProductId,
    pub advertiser_id: AdvertiserId,
    pub status: Status,
    pub reason: Cause,
    pub official: bool,
    pub paused: bool,
    pub content_type: Option<ContentType>,
    pub unit_milli: i64,
    pub pricing: Pricing,
    pub price: Money,
    pub days: i32,
    pub payout: Money,
    pub attribution_days: i32,
    pub fee_rate: Rate,
    pub created_at: Timestamp,
    pub put_at: Option<Timestamp>,
    pub started_at: Option<Timestamp>,
    pub due_at: Option<Timestamp>,
    pub finished_at: Option<Timestamp>,
    pub settles_at: Option<Timestamp>,
    pub settled_at: Option<Timestamp>,
    /// When its next step may be due.
    pub next_at: Option<Timestamp>,
    pub changed_at: Timestamp,
    /// The coupon that lowered its price or raised its budget, even if it failed.
    pub coupon_id: Option<CouponId>,
    /// Whether it is paced, and chooses among its arms by what it learns.
    pub ai_delivery: bool,
    /// The operated id of the account whose plan led to this offer.
    pub followed_id: Option<String>,
    /// The most conversions that one click can bring, as agreed.
    pub conversions_per_click: i32,
    /// Where its clicks lead, as agreed; `None` for the hosted page.
    pub landing_url: Option<String>,
    #[diesel(embed)]
    pub figures: PlanFigures,
}

impl PlanRow {
    /// The columns it is read from, each after `prefix`.
    fn columns(prefix: &str) -> String {
        columns::listed(&table::table.select(Self::as_select()), prefix)
    }

    pub fn terms(&self) -> Terms {
        Terms {
            pricing: self.pricing,
            price: self.price,
            days: self.days.into(),
            payout: self.payout,
            attribution_days: self.attribution_days.into(),
            fee_rate: self.fee_rate,
        }
    }

    pub fn commitment(&self) -> Commitment {
        Commitment {
            budget: self.figures.put_amount,
            unit_milli: self.unit_milli,
            booked_milli: self.figures.booked_milli,
            reserved_milli: self.figures.reserved_milli,
        }
    }

    /// The state that the plan's life depends on.
    pub fn life(&self) -> Plan {
        Plan {
            status: self.status,
            commitment: self.commitment(),
            clicks: self.figures.clicks,
            days: self.days.into(),
            attribution_days: self.attribution_days.into(),
            due_at: self.due_at,
            ends_at: self.figures.schedule.ends_at,
            settles_at: self.settles_at,
        }
    }

    pub fn schedule(&self) -> Schedule {
        self.figures.schedule.read()
    }

    /// The figures stored with it.
    pub fn totals(&self) -> Result<Totals, Error> {
        let billed = self.figures.billed;
        Ok(Totals {
            impressions: self.figures.impressions,
            clicks: self.figures.clicks,
            viewable: self.figures.viewable,
            filtered: self.figures.filtered,
            conversions: self.figures.conversions,
            booked_milli: self.figures.rolled_milli,
            billed,
            platform_paid: self.platform_paid(billed)?,
            revenue: self.figures.revenue,
        })
    }

    /// The budget of the plan's present day.
    pub const fn day(&self) -> DayBudget {
        let PlanFigures { daily_cap: cap, day_begins_at: from, day_ends_at: until, day_used_milli, .. } = self.figures;
        DayBudget { cap, period: Period { from, until }, used_milli: day_used_milli }
    }

    fn budget(&self) -> Budget {
        Budget { amount: self.figures.put_amount, paid: self.figures.paid_amount }
    }

    /// What was delivered, and what of it was billed.
    pub fn unbilled(&self) -> Unbilled {
        self.unbilled_with(0)
    }

    /// The same if new events add this cost, in thousandths of a minor unit.
    pub fn unbilled_with(&self, fresh_milli: i64) -> Unbilled {
        let billed = self.figures.billed;
        let is_left = whole_minor(self.figures.rolled_milli) > billed;
        Unbilled {
            status: self.status,
            commitment: self.commitment(),
            counted_milli: self.figures.rolled_milli.saturating_add(fresh_milli),
            billed,
            left_at: is_left.then_some(self.figures.rolled_at),
        }
    }

    /// When its unbilled delivery is billed at the latest; `None` if everything is billed.
    pub fn bill_at(&self) -> Option<Timestamp> {
        let is_left = whole_minor(self.figures.rolled_milli) > self.figures.billed;
        is_left.then(|| closing_after(self.figures.rolled_at))
    }

    /// The part of a billed amount that coupon and credit pay.
    pub fn platform_paid(&self, billed: Money) -> Result<Money, Error> {
        self.budget().platform_paid(billed).map_err(|e| Error::Corrupt(e.to_string()))
    }

    /// What is counted for the plan, less refunds.
    pub const fn counted(&self) -> Counted {
        let used_milli = self.figures.rolled_milli - self.figures.refunded.minor() * MILLI;
        Counted { revenue: self.figures.revenue, used_milli }
    }

    /// The terms on which fee and use depend.
    pub fn agreed(&self) -> Result<Agreed, Error> {
        // A refunded part of a coupon or credit no longer belongs to the plan.
        let Budget { amount, paid } = self.budget();
        let amount = amount.minus(self.figures.refunded_given).map_err(self.too_large())?;
        Ok(Agreed { fee_rate: self.fee_rate, budget: Budget { amount, paid } })
    }

    /// What it has earned and used so far.
    pub fn earned(&self) -> Result<Earned, Error> {
        self.agreed()?.earned(self.counted()).map_err(self.too_large())
    }

    /// The figures that its rates and costs are computed from.
    pub fn ratio_figures(&self) -> Result<RatioFigures, Error> {
        Ok(RatioFigures {
            impressions: self.figures.impressions,
            viewable: self.figures.viewable,
            clicks: self.figures.clicks,
            conversions: self.figures.conversions,
            earned: self.earned()?,
        })
    }

    /// The figures that its rules compare.
    pub fn rule_figures(&self) -> Result<RuleFigures, Error> {
        let PlanFigures { put_amount: budget, conversions, .. } = self.figures;
        Ok(RuleFigures { budget, conversions, earned: self.earned()? })
    }

    /// Whether its quarter hours match its totals.
    pub const fn is_reckoned(&self) -> bool {
        self.figures.reckoned_milli == self.figures.rolled_milli
            && self.figures.reckoned_revenue.minor() == self.figures.revenue.minor()
    }

    pub(crate) fn too_large(&self) -> impl Fn(MoneyError) -> Error {
        let plan = self.id;
        move |error| Error::Corrupt(format!("the figures of plan {plan}: {error}"))
    }

    /// How much it still holds: what was neither billed nor returned.
    pub fn held(&self) -> Money {
        Money::from_minor(self.figures.put_amount.minor() - self.figures.billed.minor() - self.figures.returned.minor())
    }

    /// How much of the user's own money it still holds.
    pub fn own_held(&self) -> Money {
        self.budget().own_left(self.held())
    }
}

/// Locks a plan. If money moves too, the user's wallet must be locked first.
pub fn lock(tx: &mut Tx<'_>, id: PlanId) -> Result<Option<PlanRow>, Error> {
    let conn: &mut Conn = tx;
    let found = table::table.find(id);
    Ok(match conn {
        Conn::Postgres(conn) => found.select(PlanRow::as_select()).for_no_key_update().first(conn),
        // SQLite's writer already holds the only write lock.
        Conn::Sqlite(conn) => found.select(PlanRow::as_select()).first(conn),
    }
    .optional()?)
}

/// Locks the existing plans in ascending order.
pub fn lock_all(tx: &mut Tx<'_>, ids: impl IntoIterator<Item = PlanId>) -> Result<Vec<PlanRow>, Error> {
    let ids = ascending(ids);
    let conn: &mut Conn = tx;
    let found = table::table.filter(table::id.eq_any(ids)).order(table::id);
    Ok(match conn {
        Conn::Postgres(conn) => found.select(PlanRow::as_select()).for_no_key_update().load(conn)?,
        Conn::Sqlite(conn) => found.select(PlanRow::as_select()).load(conn)?,
    })
}

statement!(
    LOCK_OWN,
    each: &format!(
        "SELECT {} FROM unnest(?, ?) AS n(id, us) JOIN plans p ON p.id = n.id AND p.user_id = n.us",
        PlanRow::columns("p.")
    ),
    lock: "ORDER BY p.id FOR NO KEY UPDATE OF p",
);

/// Locks users' own plans in ascending order; somebody else's is not found. The caller
/// has locked their wallets.
pub fn lock_own(tx: &mut Tx<'_>, plans: impl IntoIterator<Item = (PlanId, UserId)>) -> Result<Vec<PlanRow>, Error> {
    let (ids, users): (Vec<PlanId>, Vec<UserId>) = ascending(plans).into_iter().unzip();
    LOCK_OWN.load(tx, &[ids.into(), users.into()])
}

update! {
    struct Stand, STAND of "plans" {
        status: Status,
        reason: Cause,
        due_at: Option<Timestamp>,
        settles_at: Option<Timestamp>,
        started_at: Option<Timestamp>,
        finished_at: Option<Timestamp>,
        settled_at: Option<Timestamp>,
        next_at: Option<Timestamp>,
        changed_at: Timestamp,
    } by { id: PlanId }
}
insert! {
    struct Transition, TRANSITIONS into "plan_transitions" {
        plan_id: PlanId,
        status: Status,
        reason: Cause,
        at: Timestamp,
    }
}

/// Takes a step, and stores when and why.
pub fn apply(tx: &mut Tx<'_>, plan: &PlanRow, step: &Step) -> Result<(), Error> {
    apply_all(tx, &[(plan, *step)])
}

/// Takes a step of each of several plans.
pub fn apply_all(tx: &mut Tx<'_>, steps: &[(&PlanRow, Step)]) -> Result<(), Error> {
    let now = tx.now();
    let stands: Vec<Stand> = steps.iter().map(|(plan, step)| stand(plan, step, now)).collect();
    STAND.execute(tx, &Stand::columns(&stands))?;
    let taken =
        |(plan, step): &(&PlanRow, Step)| Transition { plan_id: plan.id, status: step.to, reason: step.cause, at: now };
    TRANSITIONS.execute(tx, &Transition::columns(&steps.iter().map(taken).collect::<Vec<_>>()))?;
    // The first delivery is announced with its lease.
    if steps.iter().any(|(_, step)| step.to != Status::Putting) {
        tx.notes().changes_plans();
    }
    Ok(())
}

/// The plan's row after the step.
fn stand(plan: &PlanRow, step: &Step, now: Timestamp) -> Stand {
    let reached = |status: Status, before: Option<Timestamp>| if step.to == status { Some(now) } else { before };
    let ends = matches!(step.to, Status::PutFinished | Status::PutFailed);
    Stand {
        status: step.to,
        reason: step.cause,
        due_at: step.due_at,
        settles_at: step.settles_at,
        started_at: reached(Status::Putting, plan.started_at),
        finished_at: if ends { Some(now) } else { plan.finished_at },
        settled_at: reached(Status::Settled, plan.settled_at),
        next_at: step.next_at(now),
        changed_at: now,
        id: plan.id,
    }
}

/// Schedules the next check of a plan.
pub fn set_next(tx: &mut Tx<'_>, id: PlanId, at: Option<Timestamp>) -> Result<(), Error> {
    tx.run(diesel::update(table::table.find(id)).set(table::next_at.eq(at)))
}

/// Records when and why these plans were offered.
pub(crate) fn record_offers(tx: &mut Tx<'_>, ids: Vec<PlanId>) -> Result<(), Error> {
    let (status, reason, at) = (Status::WaitingToPut, Cause::Offered, tx.now());
    let offered = |plan_id| Transition { plan_id, status, reason, at };
    TRANSITIONS.execute(tx, &Transition::columns(&ids.into_iter().map(offered).collect::<Vec<_>>()))?;
    Ok(())
}

/// Pauses plans, or resumes them; they are locked.
pub fn set_paused(tx: &mut Tx<'_>, ids: &[PlanId], paused: bool) -> Result<(), Error> {
    if ids.is_empty() {
        return Ok(());
    }
    let plans = table::table.filter(table::id.eq_any(ids));
    tx.run(diesel::update(plans).set((table::paused.eq(paused), table::changed_at.eq(tx.now()))))?;
    tx.notes().changes_plans();
    Ok(())
}

pub fn add_returned(tx: &mut Tx<'_>, id: PlanId, amount: Money) -> Result<(), Error> {
    let plan = figures_table::table.find(id);
    tx.run(diesel::update(plan).set(figures_table::returned.eq(figures_table::returned + amount)))
}

pub fn set_fee(tx: &mut Tx<'_>, id: PlanId, fee: Money) -> Result<(), Error> {
    tx.run(diesel::update(figures_table::table.find(id)).set(figures_table::fee.eq(fee)))
}
