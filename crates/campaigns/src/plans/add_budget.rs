//! Adding to the budget of a plan that runs: the user's own money, which is held like that
//! of the put.

use std::collections::HashMap;

use base::{CouponId, Money, PlanId, ProductId, Timestamp, UserId};
use foundation::idempotent::{Key, fingerprint};
use foundation::people::pay_password::{Movement, Mover, Proof};
use foundation::{App, Error, Refusal};
use money::offers::coupon_views::by_ids;
use plans::Addable;
use store::Tx;
use store::delivery::stats::{self, QuarterTotals};
use store::offers::coupons::UserCoupon;
use store::plans::plan::{self, PlanRow};
use store::plans::product::{self, ProductRow};
use store::wallet::books::{Books, Note};
use wallet::Document;

use crate::plans::plan_views::{PlanView, own};
use crate::rules;

/// The request.
#[derive(Clone, Debug)]
pub struct AddBudget {
    pub plan: PlanId,
    pub amount: Money,
    pub key: Option<Key>,
}

/// # Errors
/// Those of `Proof::spend_on`; `amount_out_of_range`,
/// `insufficient_balance`, `plan_not_running`, `plan_budget_full`, `plan_not_puttable`, `not_found`.
pub async fn add_budget(app: &App, proof: Proof, command: AddBudget) -> Result<PlanView, Error> {
    proof.spend_on(app, command).await
}

/// How much may be added to a plan now. A closed product takes no more money, though its plans continue.
pub(crate) fn addable(plan: &PlanRow, product: &ProductRow, now: Timestamp) -> Result<Addable, Error> {
    let (min, max) = (product.min_put, product.max_put);
    let addable = plan.life().addable(min, max, now)?;
    if product.is_offered() { Ok(addable) } else { Err(Refusal::ProductClosed.into()) }
}

pub struct State {
    /// The users' own plans, locked, with what was added to them so far.
    plans: HashMap<(UserId, PlanId), PlanRow>,
    products: HashMap<ProductId, ProductRow>,
    coupons: HashMap<CouponId, UserCoupon>,
    /// Every addition, with the plan after it.
    added: Vec<(Money, PlanRow)>,
}

impl Movement for AddBudget {
    type Id = PlanId;
    type View = PlanView;
    type State = State;

    fn key(&self) -> Option<&Key> {
        self.key.as_ref()
    }

    fn fingerprint(&self) -> [u8; 32] {
        fingerprint("add_budget", &[&self.plan.to_string(), &self.amount.to_string()])
    }

    fn load(tx: &mut Tx<'_>, books: &mut Books, additions: &[(UserId, &Self)]) -> Result<State, Error> {
        let plans = plan::lock_own(tx, additions.iter().map(|(user, addition)| (addition.plan, *user)))?;
        books.load_holds(tx, plans.iter().map(|plan| (plan.id, plan.user_id)))?;
        let products = product::find_all(tx, plans.iter().map(|plan| plan.product_id))?;
        Ok(State {
            coupons: by_ids(tx, plans.iter().map(|plan| plan.coupon_id))?,
            products: products.into_iter().map(|product| (product.id, product)).collect(),
            plans: plans.into_iter().map(|plan| ((plan.user_id, plan.id), plan)).collect(),
            added: Vec::with_capacity(additions.len()),
        })
    }

    fn decide(&self, by: &Mover, books: &mut Books, state: &mut State) -> Result<(), Error> {
        let (user, now) = (by.user, by.now);
        let plan = state.plans.get_mut(&(user, self.plan)).ok_or(Refusal::NotFound)?;
        addable(plan, product_of(&state.products, plan)?, now)?.check(self.amount)?;
        let postings = wallet::add_to_plan(books.wallet_of(user)?, &books.hold(plan.id)?, self.amount)?;
        let larger = plan.with_added(self.amount)?;
        // Nothing can be refused from here on.
        let note = Note {
            document: Document::Plan(plan.id),
            event_at: now,
            actor: format!("user:{user}"),
            reason: plan.plan_no.clone(),
            idempotency_key: self.key().map(|key| key.as_str().to_owned()),
        };
        books.enter(&postings, note)?;
        state.added.push((self.amount, larger.clone()));
        *plan = larger;
        Ok(())
    }

    fn save(state: State, mut books: Books, tx: &mut Tx<'_>) -> Result<Vec<(PlanId, PlanView)>, Error> {
        let State { products, coupons, added, .. } = state;
        let now = tx.now();
        // A plan that was added to several times is written once, as it was last.
        let last: HashMap<PlanId, &PlanRow> = added.iter().map(|(_, plan)| (plan.id, plan)).collect();
        let ids: Vec<PlanId> = last.keys().copied().collect();
        plan::save_budgets(tx, &last.into_values().collect::<Vec<_>>())?;
        rules::check(tx, &ids, |_| false)?;
        books.flush(tx)?;
        let change = |(amount, plan): &(Money, PlanRow)| QuarterTotals {
            invested: amount.minor(),
            ..QuarterTotals::at(plan.user_id, now)
        };
        stats::add(tx, &added.iter().map(change).collect::<Vec<_>>())?;
        let view = |(_, plan): &(Money, PlanRow)| {
            let coupon = plan.coupon_id.and_then(|id| coupons.get(&id));
            Ok((plan.id, PlanView::of(plan, product_of(&products, plan)?, coupon, now)?))
        };
        added.iter().map(view).collect()
    }

    fn again(tx: &mut Tx<'_>, plans: &[(UserId, PlanId)]) -> Result<Vec<PlanView>, Error> {
        own(tx, plans)
    }
}

fn product_of<'a>(products: &'a HashMap<ProductId, ProductRow>, plan: &PlanRow) -> Result<&'a ProductRow, Error> {
    products.get(&plan.product_id).ok_or_else(|| Error::Internal("a plan without its product".into()))
}
