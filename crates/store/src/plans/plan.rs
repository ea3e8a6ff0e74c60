//! Plans: their rows, locks on them, and the steps of their life.

mod addition;
mod beginning;
mod figures;
mod reads;

use base::{AdvertiserId, Money, MoneyError, PlanId, ProductId, Timestamp, UserId};
use diesel::prelude::*;
use plans::{
    Agreed, Budget, Cause, Commitment, ContentType, Counted, Earned, MILLI, Plan, Status, Step, Terms, Totals,
    Unbilled, closing_after, whole_minor,
};

use crate::plans::product::read_terms;
use crate::schema::{plan_figures as figures_table, plans as table};
use crate::{Conn, Error, Tx};
use db::bulk::{Statement, ascending};
use db::statement;

pub use addition::save_budgets;
pub use beginning::{NewPlan, PutTerms, begin_all, insert_all, offer, reserve};
pub use figures::PlanFigures;
pub use reads::{
    NamedPlan, PlanFilter, PlanName, after, count_waiting, due, find, find_by_number, find_own, has_open, holding,
    ids_of, names, owner, owners, page, page_of_all, timeline, under_way,
};

#[derive(Clone, Debug, Queryable, QueryableByName, Selectable, PartialEq, Eq)]
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
    pub unit_milli: i64,
    pub pricing: i16,
    pub price: i64,
    pub days: i32,
    pub payout: i64,
    pub attribution_days: i32,
    pub fee_rate: String,
    pub created_at: i64,
    pub put_at: Option<i64>,
    pub started_at: Option<i64>,
    pub due_at: Option<i64>,
    pub finished_at: Option<i64>,
    pub settles_at: Option<i64>,
    pub settled_at: Option<i64>,
    /// When its next step may be due.
    pub next_at: Option<i64>,
    pub changed_at: i64,
    /// The coupon that lowered its price or raised its budget, even if it failed.
    pub coupon_id: Option<i64>,
    /// It is paced, and chooses among its arms by what was learned.
    pub ai_delivery: bool,
    /// The operated id whose put caused this offer.
    pub followed_id: Option<String>,
    /// The most conversions that one click can bring, as agreed.
    pub conversions_per_click: i32,
    /// Where its clicks lead, as agreed; `None` for the hosted page.
    pub landing_url: Option<String>,
    #[diesel(embed)]
    pub figures: PlanFigures,
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
        Ok(self.status.try_into()?)
    }

    /// Why it has its status.
    pub fn cause(&self) -> Result<Cause, Error> {
        cause(&self.reason)
    }

    pub fn content_type(&self) -> Result<Option<ContentType>, Error> {
        Ok(self.content_type.map(ContentType::try_from).transpose()?)
    }

    pub fn terms(&self) -> Result<Terms, Error> {
        read_terms(self.pricing, self.price, self.days, self.payout, self.attribution_days, &self.fee_rate)
    }

    pub fn commitment(&self) -> Commitment {
        Commitment {
            budget: Money::from_minor(self.figures.put_amount),
            unit_milli: self.unit_milli,
            booked_milli: self.figures.booked_milli,
            reserved_milli: self.figures.reserved_milli,
        }
    }

    /// The part of it that its life depends on.
    pub fn life(&self) -> Result<Plan, Error> {
        Ok(Plan {
            status: self.status()?,
            commitment: self.commitment(),
            clicks: self.figures.clicks,
            days: self.days.into(),
            attribution_days: self.attribution_days.into(),
            due_at: self.due_at.map(Timestamp::from_millis),
            settles_at: self.settles_at.map(Timestamp::from_millis),
        })
    }

    /// The figures stored with it.
    pub fn totals(&self) -> Result<Totals, Error> {
        let billed = Money::from_minor(self.figures.billed);
        Ok(Totals {
            impressions: self.figures.impressions,
            clicks: self.figures.clicks,
            viewable: self.figures.viewable,
            filtered: self.figures.filtered,
            conversions: self.figures.conversions,
            booked_milli: self.figures.rolled_milli,
            billed,
            platform_paid: self.platform_paid(billed)?,
            revenue: Money::from_minor(self.figures.revenue),
        })
    }

    fn budget(&self) -> Budget {
        Budget { amount: Money::from_minor(self.figures.put_amount), paid: Money::from_minor(self.figures.paid_amount) }
    }

    /// What is counted of it, and billed.
    pub fn unbilled(&self) -> Result<Unbilled, Error> {
        self.unbilled_with(0)
    }

    /// The same with what new events cost, in thousandths of a minor unit.
    pub fn unbilled_with(&self, fresh_milli: i64) -> Result<Unbilled, Error> {
        let billed = Money::from_minor(self.figures.billed);
        let is_left = whole_minor(self.figures.rolled_milli) > billed;
        Ok(Unbilled {
            status: self.status()?,
            commitment: self.commitment(),
            counted_milli: self.figures.rolled_milli.saturating_add(fresh_milli),
            billed,
            left_at: is_left.then(|| Timestamp::from_millis(self.figures.rolled_at)),
        })
    }

    /// When what is counted is billed at the latest; `None` if all of it is.
    pub fn bill_at(&self) -> Option<Timestamp> {
        let is_left = whole_minor(self.figures.rolled_milli).minor() > self.figures.billed;
        is_left.then(|| closing_after(Timestamp::from_millis(self.figures.rolled_at)))
    }

    /// What a coupon and credit pay of what is billed by then.
    pub fn platform_paid(&self, billed: Money) -> Result<Money, Error> {
        self.budget().platform_paid(billed).map_err(|e| Error::Corrupt(e.to_string()))
    }

    /// What is counted of it, without what was given back.
    pub const fn counted(&self) -> Counted {
        let used_milli = self.figures.rolled_milli - self.figures.refunded * MILLI;
        Counted { revenue: Money::from_minor(self.figures.revenue), used_milli }
    }

    /// What fee and use depend on besides.
    pub fn agreed(&self) -> Result<Agreed, Error> {
        // What came back of a coupon and credit is not the plan's any more.
        let Budget { amount, paid } = self.budget();
        let amount = amount.minus(Money::from_minor(self.figures.refunded_given)).map_err(self.too_large())?;
        Ok(Agreed { fee_rate: self.terms()?.fee_rate, budget: Budget { amount, paid } })
    }

    /// What it has earned and used so far.
    pub fn earned(&self) -> Result<Earned, Error> {
        self.agreed()?.earned(self.counted()).map_err(self.too_large())
    }

    /// Whether its quarter hours come to what is counted.
    pub const fn is_reckoned(&self) -> bool {
        self.figures.reckoned_milli == self.figures.rolled_milli
            && self.figures.reckoned_revenue == self.figures.revenue
    }

    pub(crate) fn too_large(&self) -> impl Fn(MoneyError) -> Error {
        let plan = self.id;
        move |error| Error::Corrupt(format!("the figures of plan {plan}: {error}"))
    }

    /// How much it still holds: what was neither billed nor returned.
    pub fn held(&self) -> Money {
        Money::from_minor(self.figures.put_amount - self.figures.billed - self.figures.returned)
    }

    /// How much of the user's own money it still holds.
    pub fn own_held(&self) -> Money {
        self.budget().own_left(self.held())
    }
}

/// Whether the user has any plan that was put and is not settled yet.
pub fn any_under_way(conn: &mut Conn, user: UserId) -> Result<bool, Error> {
    let statuses = [Status::Matching, Status::Putting, Status::PutFinished, Status::WaitingSettlement];
    let open = table::user_id.eq(user.0).and(table::status.eq_any(statuses.map(Status::code)));
    Ok(diesel::select(diesel::dsl::exists(table::table.filter(open))).get_result(conn)?)
}

/// Locks a plan. If money moves too, the user's wallet must be locked first.
pub fn lock(tx: &mut Tx<'_>, id: PlanId) -> Result<Option<PlanRow>, Error> {
    let conn: &mut Conn = tx;
    let found = table::table.find(id.0);
    Ok(match conn {
        Conn::Postgres(conn) => found.select(PlanRow::as_select()).for_no_key_update().first(conn),
        // SQLite's writer already holds the only write lock.
        Conn::Sqlite(conn) => found.select(PlanRow::as_select()).first(conn),
    }
    .optional()?)
}

/// Locks the existing plans in ascending order.
pub fn lock_all(tx: &mut Tx<'_>, ids: impl IntoIterator<Item = PlanId>) -> Result<Vec<PlanRow>, Error> {
    let ids = ascending(ids.into_iter().map(|id| id.0));
    let conn: &mut Conn = tx;
    let found = table::table.filter(table::id.eq_any(ids)).order(table::id);
    Ok(match conn {
        Conn::Postgres(conn) => found.select(PlanRow::as_select()).for_no_key_update().load(conn)?,
        Conn::Sqlite(conn) => found.select(PlanRow::as_select()).load(conn)?,
    })
}

statement!(
    LOCK_OWN,
    postgres: "SELECT p.* FROM unnest(?, ?) AS n(id, us) JOIN plans p ON p.id = n.id AND p.user_id = n.us \
         ORDER BY p.id FOR NO KEY UPDATE OF p",
    sqlite: "SELECT * FROM plans WHERE id = ? AND user_id = ?",
);

/// Locks users' own plans in ascending order; somebody else's is not found. The caller
/// has locked their wallets.
pub fn lock_own(tx: &mut Tx<'_>, plans: impl IntoIterator<Item = (PlanId, UserId)>) -> Result<Vec<PlanRow>, Error> {
    let mut plans: Vec<(i64, i64)> = plans.into_iter().map(|(plan, user)| (plan.0, user.0)).collect();
    plans.sort_unstable();
    plans.dedup();
    let (ids, users): (Vec<i64>, Vec<i64>) = plans.into_iter().unzip();
    LOCK_OWN.load(tx, &[ids.into(), users.into()])
}

fn cause(name: &str) -> Result<Cause, Error> {
    Cause::from_name(name).ok_or_else(|| Error::Corrupt(format!("no plan stands anywhere for the reason {name}")))
}

statement!(
    STEP,
    postgres: "UPDATE plans p SET status = u.st, reason = u.re, due_at = u.du, settles_at = u.se, started_at = u.sd, \
         finished_at = u.fi, settled_at = u.sl, next_at = u.ne, changed_at = u.ch \
         FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AS u(st, re, du, se, sd, fi, sl, ne, ch, id) WHERE p.id = u.id",
    sqlite: "UPDATE plans SET status = ?, reason = ?, due_at = ?, settles_at = ?, started_at = ?, finished_at = ?, \
         settled_at = ?, next_at = ?, changed_at = ? WHERE id = ?",
);
statement!(
    TRANSITIONS,
    postgres: "INSERT INTO plan_transitions (plan_id, status, reason, at) SELECT * FROM unnest(?, ?, ?, ?)",
    sqlite: "INSERT INTO plan_transitions (plan_id, status, reason, at) VALUES (?, ?, ?, ?)",
);

/// Takes a step, and stores when and why.
pub fn apply(tx: &mut Tx<'_>, plan: &PlanRow, step: &Step) -> Result<(), Error> {
    apply_all(tx, &[(plan, *step)])
}

/// Takes a step of each of several plans.
pub fn apply_all(tx: &mut Tx<'_>, steps: &[(&PlanRow, Step)]) -> Result<(), Error> {
    let (at_present, now) = (tx.now(), tx.now().millis());
    let at = |step: &Step, when: Status, before: Option<i64>| if step.to == when { Some(now) } else { before };
    let ends = |step: &Step| matches!(step.to, Status::PutFinished | Status::PutFailed);
    let all = |f: &dyn Fn(&PlanRow, &Step) -> Option<i64>| steps.iter().map(|(p, s)| f(p, s)).collect::<Vec<_>>();
    let ids: Vec<i64> = steps.iter().map(|(plan, _)| plan.id).collect();
    let status: Vec<i16> = steps.iter().map(|(_, step)| step.to.code()).collect();
    let reasons: Vec<String> = steps.iter().map(|(_, step)| step.cause.name().to_owned()).collect();
    STEP.execute(
        tx,
        &[
            status.clone().into(),
            reasons.clone().into(),
            all(&|_, step| step.due_at.map(Timestamp::millis)).into(),
            all(&|_, step| step.settles_at.map(Timestamp::millis)).into(),
            all(&|plan, step| at(step, Status::Putting, plan.started_at)).into(),
            all(&|plan, step| if ends(step) { Some(now) } else { plan.finished_at }).into(),
            all(&|plan, step| at(step, Status::Settled, plan.settled_at)).into(),
            all(&|_, step| step.next_at(at_present).map(Timestamp::millis)).into(),
            vec![now; steps.len()].into(),
            ids.clone().into(),
        ],
    )?;
    TRANSITIONS.execute(tx, &[ids.into(), status.into(), reasons.into(), vec![now; steps.len()].into()])?;
    // The first delivery is announced with its lease.
    if steps.iter().any(|(_, step)| step.to != Status::Putting) {
        tx.notes().changes_plans();
    }
    Ok(())
}

/// Schedules the next check of a plan.
pub fn set_next(tx: &mut Tx<'_>, id: PlanId, at: Option<Timestamp>) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    diesel::update(table::table.find(id.0)).set(table::next_at.eq(at.map(Timestamp::millis))).execute(conn)?;
    Ok(())
}

/// Stores when and why these plans were offered.
pub(crate) fn record_offers(tx: &mut Tx<'_>, ids: Vec<i64>) -> Result<(), Error> {
    let (now, rows) = (tx.now().millis(), ids.len());
    let status = vec![Status::WaitingToPut.code(); rows];
    let causes = vec![Cause::Offered.name().to_owned(); rows];
    TRANSITIONS.execute(tx, &[ids.into(), status.into(), causes.into(), vec![now; rows].into()])?;
    Ok(())
}

pub fn set_paused(tx: &mut Tx<'_>, id: PlanId, paused: bool) -> Result<(), Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    diesel::update(table::table.find(id.0)).set((table::paused.eq(paused), table::changed_at.eq(now))).execute(conn)?;
    tx.notes().changes_plans();
    Ok(())
}

pub fn add_returned(tx: &mut Tx<'_>, id: PlanId, amount: Money) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    let plan = figures_table::table.find(id.0);
    diesel::update(plan).set(figures_table::returned.eq(figures_table::returned + amount.minor())).execute(conn)?;
    Ok(())
}

pub fn set_fee(tx: &mut Tx<'_>, id: PlanId, fee: Money) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    diesel::update(figures_table::table.find(id.0)).set(figures_table::fee.eq(fee.minor())).execute(conn)?;
    Ok(())
}
