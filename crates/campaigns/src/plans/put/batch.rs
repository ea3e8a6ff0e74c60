//! Puts that are decided together: loads what they need, decides each with the effects of
//! those before, and saves all.

use std::collections::HashMap;
use std::sync::Arc;

use base::{CouponId, PlanId, ProductId, Timestamp, UserId, refuse_if};
use foundation::idempotent::Key;
use foundation::people::pay_password::{Movement, Mover};
use foundation::{Error, Refusal};
use plans::Status;
use store::Tx;
use store::delivery::stats::{self, QuarterTotals};
use store::offers::coupons::{self as coupon_rows, CouponUse, Redemption, UserCoupon};
use store::people::users::{self, User};
use store::plans::follows;
use store::plans::plan::schedule::PlanSchedule;
use store::plans::plan::{self, NewPlan, PlanRow, PutTerms};
use store::plans::product::{self, ProductRow};
use store::wallet::books::{Books, Note};
use wallet::{Document, PutOnPlan};

use super::{Put, PutTarget, ResolvedTarget};
use crate::AdServer;
use crate::delivery::ai_delivery::{self, Arm};
use crate::plans::plan_views::{PlanView, own};
use crate::plans::price::{Buyer, Price};

/// A put that is ready to be decided.
#[derive(Clone)]
pub(super) struct PendingPut {
    pub app: AdServer,
    pub command: Put,
    /// The number of the plan, if it is new.
    pub plan_no: String,
}

pub(super) struct State {
    /// The users' own plans to put amounts on, locked.
    plans: HashMap<(UserId, PlanId), PlanRow>,
    products: HashMap<ProductId, Arc<ProductRow>>,
    buyers: HashMap<UserId, Buyer>,
    coupons: HashMap<CouponId, UserCoupon>,
    /// Ids for new plans, the lowest last.
    numbers: Vec<PlanId>,
    begun: Vec<BegunPlan>,
}

/// A plan that was put.
struct BegunPlan {
    id: PlanId,
    user: UserId,
    product: Arc<ProductRow>,
    /// The number of a new plan; `None` if it was offered.
    plan_no: Option<String>,
    beginning: PutTerms,
    /// The coupon used on it.
    coupon: Option<UserCoupon>,
    /// When its user's day ends.
    day_ends_at: Timestamp,
    /// Only for plans with AI delivery.
    arms: Vec<Arm>,
}

impl Movement for PendingPut {
    type Id = PlanId;
    type View = PlanView;
    type State = State;

    fn key(&self) -> Option<&Key> {
        self.command.key.as_ref()
    }

    fn fingerprint(&self) -> [u8; 32] {
        self.command.fingerprint()
    }

    fn load(tx: &mut Tx<'_>, books: &mut Books, puts: &[(UserId, &Self)]) -> Result<State, Error> {
        let (mut offered, mut products) = (Vec::new(), Vec::new());
        for (user, put) in puts {
            match put.command.target {
                PutTarget::Offered(plan) => offered.push((plan, *user)),
                PutTarget::Product(product) => products.push(product),
            }
        }
        let mut numbers = plan::reserve(tx, products.len())?;
        numbers.reverse();
        let plans = plan::lock_own(tx, offered)?;
        books.load_holds(tx, plans.iter().map(|plan| (plan.id, plan.user_id)))?;
        products.extend(plans.iter().map(|plan| plan.product_id));
        let products = product::find_all(tx, products)?;
        let coupons = puts.iter().filter_map(|(_, put)| Some(put.command.coupon?.0)).collect();
        Ok(State {
            buyers: buyers(tx, puts)?,
            coupons: coupon_rows::by_ids(tx, coupons)?.into_iter().map(|held| (held.id, held)).collect(),
            plans: plans.into_iter().map(|plan| ((plan.user_id, plan.id), plan)).collect(),
            products: products.into_iter().map(|product| (product.id, Arc::new(product))).collect(),
            numbers,
            begun: Vec::with_capacity(puts.len()),
        })
    }

    fn decide(&self, by: &Mover, books: &mut Books, state: &mut State) -> Result<(), Error> {
        let (user, now, command) = (by.user, by.now, &self.command);
        let target = state.resolve(user, command.target)?;
        let buyer = state.buyers.get(&user).ok_or(Refusal::NotFound)?;
        target.decide(command.amount, command.amount, command.content, now)?;
        let coupon = command.coupon.map(|id| state.chosen(user, id)).transpose()?;
        let wallet = books.wallet_of(user)?;
        let day = command.zone.day_period(now);
        let price = buyer.price(wallet, command.amount, coupon, day, now)?;
        target.decide(command.amount, price.budget, command.content, now)?;
        let (schedule, due_at) = command.schedule.at_put(now)?;
        let id = match &target.standing {
            Some(plan) => plan.id,
            None => *state.numbers.last().ok_or_else(|| Error::Internal("no number for a plan".into()))?,
        };
        let Price { coupon: adds, promotional, available, .. } = price;
        let postings = wallet::put_on_plan(wallet, &PutOnPlan { plan: id, available, promotional, coupon: adds })?;
        let beginning = PutTerms {
            amount: price.budget,
            paid: available,
            content: command.content,
            due_at,
            fee_rate: buyer.fee_rate(target.terms()?.fee_rate, now),
            coupon: command.coupon,
            ai_delivery: command.ai_delivery,
            zone: command.zone.name(),
            schedule: PlanSchedule::of(&schedule),
        };
        let arms = if command.ai_delivery { ai_delivery::arms_of(&self.app, &target.product)? } else { Vec::new() };
        // Nothing can be refused from here on.
        let plan_no = target.standing.is_none().then(|| self.plan_no.clone());
        if plan_no.is_some() {
            books.open_hold(id, user);
        }
        books.enter(&postings, self.note(user, id, &target, now))?;
        let (coupon, product, day_ends_at) = (coupon.cloned(), target.product, day.until);
        state.begin(BegunPlan { id, user, product, plan_no, beginning, coupon, day_ends_at, arms }, now);
        Ok(())
    }

    fn save(state: State, mut books: Books, tx: &mut Tx<'_>) -> Result<Vec<(PlanId, PlanView)>, Error> {
        let (begun, now) = (state.begun, tx.now());
        let rows = write_plans(tx, &begun)?;
        let learning = begun.iter().filter(|begun| begun.beginning.ai_delivery);
        ai_delivery::begin_all(tx, &learning.map(|b| (b.id, b.product.id, &*b.arms)).collect::<Vec<_>>())?;
        books.flush(tx)?;
        let change = |begun: &BegunPlan| QuarterTotals {
            orders: 1,
            invested: begun.beginning.paid.minor(),
            ..QuarterTotals::at(begun.user, now)
        };
        stats::add(tx, &begun.iter().map(change).collect::<Vec<_>>())?;
        let put = |begun: &BegunPlan| (begun.id, begun.user, begun.product.id);
        follows::queue_all(tx, &begun.iter().map(put).collect::<Vec<_>>())?;
        let used = |begun: &BegunPlan| Some((begun.coupon.as_ref()?.id, begun.id, begun.day_ends_at));
        let used: Vec<Redemption> = begun.iter().filter_map(used).collect();
        // Their users' locks keep others out; the statement checks it all the same.
        refuse_if(!coupon_rows::redeem_all(tx, &used)?, Refusal::CouponUsed)?;
        let view = |begun: &BegunPlan| {
            let row = rows.get(&begun.id).ok_or_else(|| Error::Internal("a plan was not written".into()))?;
            Ok((begun.id, PlanView::of(row, &begun.product, begun.coupon.as_ref(), now)?))
        };
        begun.iter().map(view).collect()
    }

    fn again(tx: &mut Tx<'_>, plans: &[(UserId, PlanId)]) -> Result<Vec<PlanView>, Error> {
        own(tx, plans)
    }
}

impl PendingPut {
    fn note(&self, user: UserId, plan: PlanId, target: &ResolvedTarget, now: Timestamp) -> Note {
        Note {
            document: Document::Plan(plan),
            event_at: now,
            actor: format!("user:{user}"),
            reason: target.standing.as_ref().map_or(&self.plan_no, |plan| &plan.plan_no).clone(),
            idempotency_key: self.key().map(|key| key.as_str().to_owned()),
        }
    }
}

impl State {
    /// The target of a put; somebody else's plan is not found.
    fn resolve(&self, user: UserId, target: PutTarget) -> Result<ResolvedTarget, Error> {
        match target {
            PutTarget::Offered(id) => {
                let standing = self.plans.get(&(user, id)).ok_or(Refusal::NotFound)?;
                let product = self.products.get(&standing.product_id);
                let product = product.ok_or_else(|| Error::Internal("a plan without its product".into()))?;
                Ok(ResolvedTarget { standing: Some(standing.clone()), product: Arc::clone(product) })
            }
            PutTarget::Product(id) => ResolvedTarget::new(self.products.get(&id).cloned()),
        }
    }

    /// The user's own coupon; somebody else's is not found.
    fn chosen(&self, user: UserId, id: CouponId) -> Result<&UserCoupon, Error> {
        Ok(self.coupons.get(&id).filter(|held| held.user == user).ok_or(Refusal::NotFound)?)
    }

    /// The plan is running from now on, and its coupon is used.
    fn begin(&mut self, mut begun: BegunPlan, now: Timestamp) {
        match self.plans.get_mut(&(begun.user, begun.id)) {
            Some(plan) => plan.status = Status::Matching,
            None => drop(self.numbers.pop()),
        }
        if let Some(held) = &mut begun.coupon {
            (held.used_at, held.plan) = (Some(now), Some(begun.id));
            self.coupons.insert(held.id, held.clone());
            if let Some(buyer) = self.buyers.get_mut(&begun.user) {
                let day_ends_at = Some(begun.day_ends_at);
                buyer.uses(CouponUse { definition: held.defined.id, used_at: now, day_ends_at });
            }
        }
        self.begun.push(begun);
    }
}

/// The users, with the coupons whose use may count on the days that their prices are for.
fn buyers(tx: &mut Tx<'_>, puts: &[(UserId, &PendingPut)]) -> Result<HashMap<UserId, Buyer>, Error> {
    let now = tx.now();
    let mut days = HashMap::<UserId, Timestamp>::new();
    for (user, put) in puts.iter().filter(|(_, put)| put.command.coupon.is_some()) {
        let begin = put.command.zone.day_period(now).from;
        // One user's requests may come from several time zones.
        days.entry(*user).and_modify(|first| *first = begin.min(*first)).or_insert(begin);
    }
    let mut used = HashMap::<UserId, Vec<CouponUse>>::new();
    for (user, each) in coupon_rows::find_uses(tx, &days.into_iter().collect::<Vec<_>>())? {
        used.entry(user).or_default().push(each);
    }
    let found = users::find_all(tx, puts.iter().map(|(user, _)| *user))?;
    let buyer = |user: User| {
        let used = used.remove(&user.id).unwrap_or_default();
        (user.id, Buyer::new(user, used))
    };
    Ok(found.into_iter().map(buyer).collect())
}

/// The plans as written: new ones and offered ones.
fn write_plans(tx: &mut Tx<'_>, begun: &[BegunPlan]) -> Result<HashMap<PlanId, PlanRow>, Error> {
    let (mut new, mut offered) = (Vec::new(), Vec::new());
    for begun in begun {
        let BegunPlan { id, user, product, beginning, .. } = begun;
        match &begun.plan_no {
            Some(plan_no) => {
                new.push(NewPlan { id: *id, plan_no, user: *user, product, beginning: Some(beginning) });
            }
            None => offered.push((*id, beginning)),
        }
    }
    let rows = plan::insert_all(tx, &new)?.into_iter().chain(plan::begin_all(tx, &offered)?);
    Ok(rows.map(|row| (row.id, row)).collect())
}
