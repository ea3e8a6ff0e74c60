//! Plans as their owner and staff see them.

use base::{Money, PlanId, Timestamp, UserId, named};
use foundation::{App, Error, Refusal};
use i18n::Lang;
use money::offers::coupon_views::{CouponView, by_ids, of_plan};
use plans::{Addable, Cause, ContentType, Ratios, Status, whole_minor};
use serde::Serialize;
use store::delivery::event::playback;
use store::offers::coupons::UserCoupon;
pub use store::plans::plan::PlanFilter;
use store::plans::plan::{NamedPlan, Place, PlanRow, PlansWanted, SortBy, SortedPage, SortedQuery, find_sorted};
use store::plans::product::ProductRow;
use store::{Conn, Page, PageRequest, Tx};
use utoipa::ToSchema;

use crate::catalogue::products::{Creative, Payout, Product, PutRule, Targeting, content_of, put_rule};
use crate::delivery::ai_delivery::{AiDelivery, figures};
use crate::delivery::day::day_at;
use crate::delivery::playback::VideoFigures;
use crate::plans::add_budget::addable;
use crate::plans::exclusions::{self, ExclusionView};
use crate::plans::plan_ratios::DeliveryFigures;
use crate::plans::plan_sources::{DeliverySource, sources};
use crate::plans::schedule::ScheduleView;
use crate::rules::{self, RuleView};

named!(
    /// How a plan came to be.
    Origin as "PlanOrigin" {
        Own "own",
        Official "official",
        Followed "followed",
    }
);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlanView {
    pub id: PlanId,
    pub plan_no: String,
    pub product: Product,
    /// The budget: what was paid, what a coupon or promotional credit added, and what was added since.
    pub put_amount: Money,
    /// The user's own money in the budget; the rest is promotional credit and the coupon's part.
    pub paid_amount: Money,
    /// The part of `put_amount` and of `paid_amount` that was added after the put.
    pub added_amount: Money,
    /// The coupon that lowered its price or raised its budget. The coupon of a failed
    /// plan can be used again.
    pub coupon: Option<CouponView>,
    /// Per cent of the budget that was delivered, billed or not, 0 to 100.
    pub progress: i64,
    pub status: Status,
    /// Why it has this status: offered, put, first_delivery, no_supply, rejected,
    /// budget_used, end_date, stopped_by_user, deliveries_closed, window_closed.
    pub reason: Cause,
    pub paused: bool,
    /// The most that it may spend on a day; null if there is no limit.
    pub daily_cap: Option<Money>,
    /// What it has used since midnight in its zone, which is that of the put or of the last limit. At most `daily_cap`,
    /// unless that was lowered on the day.
    pub consumed_today: Money,
    /// When the day of `consumed_today` ends.
    pub day_ends_at: Timestamp,
    #[serde(flatten)]
    pub schedule: ScheduleView,
    pub content: Option<Creative>,
    pub content_type: Option<ContentType>,
    pub put_rule: PutRule,
    pub targeting: Targeting,
    pub game_description: Option<String>,
    pub official: bool,
    /// `official` if the provider offered it, `followed` if a followed account caused the
    /// offer, `own` if the user began it.
    pub origin: Origin,
    /// The operated id, if `origin` is `followed`.
    pub followed_id: Option<String>,
    pub ai_delivery: bool,
    /// What was used of the budget, billed or not, whoever paid.
    pub consumed: Money,
    /// What is on the plan's bills.
    pub billed: Money,
    /// What was given back for events that turned out not to count. It is not part of `consumed`.
    pub refunded: Money,
    /// What was used and is not on a bill yet. A bill comes at once when this is a twentieth of the budget or a hundred
    /// events, and with the plan's next step.
    pub unbilled: Money,
    /// When `unbilled` is billed at the latest; null if there is nothing to bill.
    pub bill_at: Option<Timestamp>,
    /// The part of `consumed` paid by a coupon and promotional credit, which are used first.
    pub platform_paid: Money,
    /// The user's own money that the plan still holds. The sum over all plans is
    /// `to_be_consumed` in the wallet.
    pub to_be_consumed: Money,
    /// What accepted conversions pay, before the fee; pending until settled.
    pub revenue: Money,
    /// The fee taken at settlement.
    pub fee: Money,
    /// The platform's share of the revenue, as agreed when the amount was put.
    pub fee_rate: String,
    /// `revenue` less the fee on it, settled or not, less the user's own money in `consumed`; may
    /// be negative.
    pub profit: Money,
    /// Profit per own money used: 0.25 is a quarter more than was spent. Null if none was used.
    pub return_on_spend: Option<String>,
    /// The part of `profit` that is settled: all of it, or nothing.
    pub settled_profit: Money,
    /// What was returned unspent.
    pub returned: Money,
    pub created_at: Timestamp,
    pub put_at: Option<Timestamp>,
    pub started_at: Option<Timestamp>,
    pub finished_at: Option<Timestamp>,
    /// When the attribution window closes and settlement follows.
    pub settles_at: Option<Timestamp>,
    pub settled_at: Option<Timestamp>,
}

impl PlanView {
    /// Translates what is shown of its product into the reader's language.
    pub fn tell_in(&mut self, lang: Lang) {
        self.product.tell_in(lang);
        let content = &self.product.content;
        self.content = self.content_type.and_then(|kind| content.of(kind).cloned());
        self.game_description = content.game_description.as_ref().map(|creative| creative.text.clone());
    }

    pub fn of(
        plan: &PlanRow,
        product: &ProductRow,
        coupon: Option<&UserCoupon>,
        now: Timestamp,
    ) -> Result<Self, Error> {
        let shown = Product::view(product)?;
        let kind = plan.content_type;
        let content = content_of(product)?;
        let earned = plan.earned()?;
        let (status, profit) = (plan.status, earned.profit()?);
        let day = day_at(plan.day(), &plan.figures.zone, now);
        let settled_profit = if status == Status::Settled { profit } else { Money::ZERO };
        Ok(Self {
            id: plan.id,
            plan_no: plan.plan_no.clone(),
            put_amount: plan.figures.put_amount,
            paid_amount: plan.figures.paid_amount,
            added_amount: plan.figures.added_amount,
            coupon: coupon.map(|held| CouponView::of(held, now)),
            progress: progress(plan),
            status,
            reason: plan.reason,
            paused: plan.paused,
            daily_cap: day.cap,
            consumed_today: day.used(),
            day_ends_at: day.period.until,
            schedule: ScheduleView::of(plan, now),
            content: kind.and_then(|kind| content.of(kind).cloned()),
            content_type: kind,
            put_rule: put_rule(plan.pricing, plan.price, plan.days),
            targeting: shown.targeting.clone(),
            game_description: content.game_description.map(|creative| creative.text),
            product: shown,
            official: plan.official,
            origin: origin(plan),
            followed_id: plan.followed_id.clone(),
            ai_delivery: plan.ai_delivery,
            consumed: earned.used,
            refunded: plan.figures.refunded,
            billed: plan.figures.billed,
            unbilled: plan.unbilled().amount()?,
            bill_at: plan.bill_at(),
            platform_paid: earned.platform_used,
            to_be_consumed: plan.own_held(),
            revenue: plan.figures.revenue,
            fee: plan.figures.fee,
            fee_rate: plan.fee_rate.to_string(),
            profit,
            return_on_spend: earned.return_on_spend()?,
            settled_profit,
            returned: plan.figures.returned,
            created_at: plan.created_at,
            put_at: plan.put_at,
            started_at: plan.started_at,
            finished_at: plan.finished_at,
            settles_at: plan.settles_at,
            settled_at: plan.settled_at,
        })
    }
}

const fn origin(plan: &PlanRow) -> Origin {
    match &plan.followed_id {
        Some(_) => Origin::Followed,
        None if plan.official => Origin::Official,
        None => Origin::Own,
    }
}

/// How much may be added to the budget in one step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AddableView {
    pub min: Money,
    pub max: Money,
}

impl AddableView {
    fn of(plan: &PlanRow, product: &ProductRow, now: Timestamp) -> Result<Option<Self>, Error> {
        match addable(plan, product, now) {
            Ok(Addable { min, max }) => Ok(Some(Self { min, max })),
            Err(Error::Refused(_)) => Ok(None),
            Err(fault) => Err(fault),
        }
    }
}

fn progress(plan: &PlanRow) -> i64 {
    let used = whole_minor(plan.figures.rolled_milli).minor();
    used.saturating_mul(100).checked_div(plan.figures.put_amount.minor()).unwrap_or(0).clamp(0, 100)
}

/// A step in a plan's life.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TimelineEntry {
    pub status: Status,
    pub reason: Cause,
    pub at: Timestamp,
}

/// The plan's own links, for the user to share. Visits through them cost nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Tracking {
    pub landing_url: String,
    pub click_url: String,
    pub pixel_url: String,
    pub postback_url: String,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlanDetail {
    #[serde(flatten)]
    pub plan: PlanView,
    pub timeline: Vec<TimelineEntry>,
    pub delivery: DeliveryFigures,
    pub ratios: Ratios,
    /// While `matching`, when that ends if no slot asks for the plan; while `putting`, when its days
    /// are over.
    pub due_at: Option<Timestamp>,
    /// What a conversion pays, as agreed when the plan was made.
    pub payout: Payout,
    /// Null if the plan takes no more: it does not run, or its budget is as large as the product allows.
    pub addable: Option<AddableView>,
    pub tracking: Tracking,
    pub ai: Option<AiDelivery>,
    /// How far its video was played; null if it shows none.
    pub video: Option<VideoFigures>,
    /// Where it was delivered. The counts may be up to 15 seconds old.
    pub sources: Vec<DeliverySource>,
    /// Where it is not shown, the latest first.
    pub exclusions: Vec<ExclusionView>,
    /// The rules that tell its user of something, or pause it, while it runs.
    pub rules: Vec<RuleView>,
}

pub async fn list(
    app: &App,
    user: UserId,
    status: Option<Status>,
    request: PageRequest,
) -> Result<Page<PlanView>, Error> {
    let now = app.now();
    app.db.read(move |conn| page(conn, user, status, request, now)).await
}

pub fn page(
    conn: &mut Conn,
    user: UserId,
    status: Option<Status>,
    request: PageRequest,
    now: Timestamp,
) -> Result<Page<PlanView>, Error> {
    let query = SortedQuery {
        user,
        wanted: PlansWanted { status, ..PlansWanted::default() },
        sort: SortBy::Newest,
        ascending: false,
        after: request.before.map(|id| Place { key: id, id }),
        limit: request.limit,
    };
    let SortedPage { items, next } = find_sorted(conn, &query)?;
    Ok(Page { items: views(conn, &items, now)?, next: next.map(|place| place.id) })
}

/// Plans with their coupons.
pub(crate) fn views(conn: &mut Conn, plans: &[(PlanRow, ProductRow)], now: Timestamp) -> Result<Vec<PlanView>, Error> {
    let coupons = by_ids(conn, plans.iter().map(|(plan, _)| plan.coupon_id))?;
    let coupon = |plan: &PlanRow| plan.coupon_id.and_then(|id| coupons.get(&id));
    plans.iter().map(|(plan, product)| PlanView::of(plan, product, coupon(plan), now)).collect()
}

/// A plan as staff see it in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StaffPlan {
    #[serde(flatten)]
    pub plan: PlanView,
    /// The username of its owner.
    pub user: String,
}

/// All plans, newest first, for staff.
pub async fn all_plans(app: &App, wanted: PlanFilter, request: PageRequest) -> Result<Page<StaffPlan>, Error> {
    let now = app.now();
    let found = app.db.read(move |conn| {
        let page = store::plans::plan::page_of_all(conn, wanted, request)?;
        let coupons = by_ids(conn, page.items.iter().map(|(plan, _, _)| plan.coupon_id))?;
        Ok::<_, Error>((page, coupons))
    });
    let (page, coupons) = found.await?;
    let view = |(plan, product, user): NamedPlan| {
        let coupon = plan.coupon_id.and_then(|id| coupons.get(&id));
        Ok(StaffPlan { plan: PlanView::of(&plan, &product, coupon, now)?, user })
    };
    Ok(Page { items: page.items.into_iter().map(view).collect::<Result<_, Error>>()?, next: page.next })
}

/// `base` is the address this server is reached at, such as `https://host`.
pub async fn detail(app: &App, user: UserId, id: PlanId, base: &str) -> Result<PlanDetail, Error> {
    let found = app.db.snapshot(move |conn| {
        let (plan, product) = store::plans::plan::find(conn, user, id)?.ok_or(Refusal::NotFound)?;
        let coupon = of_plan(conn, user, plan.coupon_id)?;
        let arms = if plan.ai_delivery { store::delivery::arm::of_plan(conn, id)? } else { Vec::new() };
        let shows_video = plan.content_type == Some(ContentType::Video)
            || arms.iter().any(|arm| arm.content_type == ContentType::Video.code());
        let video = if shows_video { Some(VideoFigures::from(playback::of_plan(conn, id)?)) } else { None };
        let wishes = (exclusions::of_plan(conn, user, id)?, rules::of_plan(conn, id)?);
        let (timeline, sources) = (timeline(conn, id)?, sources(conn, &plan)?);
        Ok::<_, Error>((plan, product, coupon, (arms, video), timeline, sources, wishes))
    });
    let (plan, product, coupon, (arms, video), timeline, sources, (exclusions, rules)) = found.await?;
    let token = crate::delivery::serve::share_token(app, &plan);
    let counted = plan.ratio_figures()?;
    Ok(PlanDetail {
        ai: figures(&plan, &arms, app.now())?,
        video,
        plan: PlanView::of(&plan, &product, coupon.as_ref(), app.now())?,
        timeline,
        sources,
        exclusions,
        rules,
        delivery: DeliveryFigures::of(&counted, plan.figures.filtered),
        ratios: counted.ratios()?,
        due_at: plan.due_at,
        payout: Payout { per: "conversion".into(), amount: plan.payout },
        addable: AddableView::of(&plan, &product, app.now())?,
        tracking: Tracking {
            landing_url: format!("{base}/l/{token}"),
            click_url: format!("{base}/t/c/{token}"),
            pixel_url: format!("{base}/t/i/{token}.gif"),
            postback_url: format!("{base}/t/postback"),
        },
    })
}

pub(crate) fn timeline(conn: &mut Conn, id: PlanId) -> Result<Vec<TimelineEntry>, Error> {
    let steps = store::plans::plan::timeline(conn, id)?;
    let entry = |(status, reason, at): (Status, Cause, Timestamp)| TimelineEntry { status, reason, at };
    Ok(steps.into_iter().map(entry).collect())
}

pub async fn count_waiting(app: &App, user: UserId) -> Result<i64, Error> {
    Ok(app.db.read(move |conn| store::plans::plan::count_waiting(conn, user)).await?)
}

/// A plan's view within a transaction.
pub(crate) fn within(tx: &mut Tx<'_>, plan: &PlanRow, product: &ProductRow) -> Result<PlanView, Error> {
    let coupon = of_plan(tx, plan.user_id, plan.coupon_id)?;
    PlanView::of(plan, product, coupon.as_ref(), tx.now())
}

/// Users' own plans in their present state, in the order of `plans`.
pub(crate) fn own(tx: &mut Tx<'_>, plans: &[(UserId, PlanId)]) -> Result<Vec<PlanView>, Error> {
    let now = tx.now();
    let found = store::plans::plan::find_own(tx, plans.iter().map(|(user, plan)| (*plan, *user)))?;
    let products = store::plans::product::find_all(tx, found.iter().map(|plan| plan.product_id))?;
    let coupons = by_ids(tx, found.iter().map(|plan| plan.coupon_id))?;
    let view = |&(_, id): &(UserId, PlanId)| {
        let plan = found.iter().find(|plan| plan.id == id);
        let product = plan.and_then(|plan| products.iter().find(|product| product.id == plan.product_id));
        let (plan, product) = plan.zip(product).ok_or_else(|| Error::Internal(format!("plan {id} is not there")))?;
        let coupon = plan.coupon_id.and_then(|id| coupons.get(&id));
        PlanView::of(plan, product, coupon, now)
    };
    plans.iter().map(view).collect()
}

/// Any plan by its number, for staff.
pub async fn by_number(app: &App, plan_no: &str) -> Result<PlanView, Error> {
    let plan_no = plan_no.to_owned();
    let found = app.db.read(move |conn| {
        let (plan, product) = foundation::accounts::finding::plan(conn, &plan_no)?;
        let coupon = of_plan(conn, plan.user_id, plan.coupon_id)?;
        Ok::<_, Error>((plan, product, coupon))
    });
    let (plan, product, coupon) = found.await?;
    PlanView::of(&plan, &product, coupon.as_ref(), app.now())
}
