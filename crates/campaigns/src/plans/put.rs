//! Putting an amount on a plan: the money is held, and the plan waits for its first slot.

mod batch;

use std::sync::Arc;

use base::{CouponId, Money, PlanId, ProductId, Timestamp, UserId, refuse_if};
use calendar::Zone;
use foundation::idempotent::{Key, fingerprint};
use foundation::people::pay_password::Proof;
use foundation::{Error, Refusal, random};
use plans::{ContentType, Schedule, Started, Terms};
use store::Conn;
use store::plans::plan::PlanRow;
use store::plans::product::ProductRow;

use crate::AdServer;
use crate::catalogue::products::content_of;
use crate::delivery::market;
use crate::plans::plan_views::PlanView;
use batch::PendingPut;

/// The target of a put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutTarget {
    /// An offered plan that waits for an amount.
    Offered(PlanId),
    /// A product, for a new plan.
    Product(ProductId),
}

/// The request.
#[derive(Clone, Debug)]
pub struct Put {
    pub target: PutTarget,
    pub amount: Money,
    pub content: ContentType,
    pub coupon: Option<CouponId>,
    /// The time zone of the user's days; in each, only one coupon of a name can be used.
    pub zone: Zone,
    /// Spread it over the plan's days, and show what is learned to be clicked most.
    pub ai_delivery: bool,
    pub schedule: Schedule,
    pub key: Option<Key>,
}

impl Put {
    /// A put without optional fields.
    pub const fn new(target: PutTarget, amount: Money, content: ContentType) -> Self {
        let schedule = Schedule { begins_at: None, ends_at: None, hours: None };
        Self { target, amount, content, coupon: None, zone: Zone::UTC, ai_delivery: false, schedule, key: None }
    }

    fn fingerprint(&self) -> [u8; 32] {
        let (kind, id) = match self.target {
            PutTarget::Offered(id) => ("plan", id.0),
            PutTarget::Product(id) => ("product", id.0),
        };
        let (id, amount) = (id.to_string(), self.amount.to_string());
        let mut parts = vec![kind, &id, &amount, self.content.name()];
        let coupon = self.coupon.as_ref().map(CouponId::to_string);
        parts.extend(coupon.as_deref());
        parts.extend(self.ai_delivery.then_some("ai_delivery"));
        let schedule = (self.schedule != Schedule::default()).then(|| format!("{:?}", self.schedule));
        parts.extend(schedule.as_deref());
        fingerprint("put", &parts)
    }
}

/// # Errors
/// Those of `Proof::spend_on`; the fields `content`, `begins_at`, `ends_at`; `amount_out_of_range`,
/// `insufficient_balance`, `plan_not_puttable`, `not_found`, `coupon_used`,
/// `coupon_expired`, `coupon_not_applicable`, `coupon_daily_limit`.
pub async fn put(app: &AdServer, proof: Proof, command: Put) -> Result<PlanView, Error> {
    match prepare(app, command).await {
        Ok(pending) => proof.spend_on(app, pending).await,
        Err(error) => {
            proof.give_back(app).await;
            Err(error)
        }
    }
}

/// Prepares what does not need the transaction, such as a number for a new plan.
async fn prepare(app: &AdServer, command: Put) -> Result<PendingPut, Error> {
    if command.ai_delivery {
        // The parts of its audience depend on the slots.
        market::follow(app).await?;
    }
    Ok(PendingPut { app: app.clone(), plan_no: plan_number(random()?), command })
}

/// The target of a put, with its terms.
pub(crate) struct ResolvedTarget {
    standing: Option<PlanRow>,
    product: Arc<ProductRow>,
}

impl ResolvedTarget {
    pub fn find(conn: &mut Conn, user: UserId, target: PutTarget) -> Result<Self, Error> {
        match target {
            PutTarget::Offered(id) => {
                let (plan, product) = store::plans::plan::find(conn, user, id)?.ok_or(Refusal::NotFound)?;
                Ok(Self { standing: Some(plan), product: Arc::new(product) })
            }
            PutTarget::Product(id) => Self::new(store::plans::product::find(conn, id)?.map(Arc::new)),
        }
    }

    /// A new plan on the product, if it is on offer.
    fn new(product: Option<Arc<ProductRow>>) -> Result<Self, Error> {
        let product = product.filter(|product| product.is_offered()).ok_or(Refusal::NotFound)?;
        Ok(Self { standing: None, product })
    }

    /// An offered plan keeps the terms under which it was offered.
    pub fn terms(&self) -> Result<Terms, Error> {
        Ok(self.standing.as_ref().map_or_else(|| self.product.terms(), |plan| plan.terms()))
    }

    /// Whether this amount may be put here, in some content type.
    pub fn check(&self, amount: Money, now: Timestamp) -> Result<(), Error> {
        let any = content_of(&self.product)?.types().first().copied();
        self.decide(amount, amount, any.ok_or(Refusal::PlanNotPuttable)?, now).map(|_| ())
    }

    fn decide(&self, amount: Money, budget: Money, content: ContentType, now: Timestamp) -> Result<Started, Error> {
        // Offers do not expire, so without this check, users could put amounts on products that staff have closed.
        refuse_if(!self.product.is_offered(), Refusal::ProductClosed)?;
        let decision = plans::Put {
            amount,
            budget,
            content,
            min: self.product.min_put,
            max: self.product.max_put,
            offered: &content_of(&self.product)?.types(),
            terms: &self.terms()?,
            standing: self.standing.as_ref().map(|plan| plan.status),
        };
        Ok(plans::put(&decision, now)?)
    }
}

/// Letters and digits that are not easily confused.
const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// `P` and ten characters: fifty random bits, easy to read out.
pub(crate) fn plan_number(bytes: [u8; 10]) -> String {
    let characters = bytes.iter().filter_map(|byte| ALPHABET.get(usize::from(byte % 32)));
    std::iter::once('P').chain(characters.map(|c| char::from(*c))).collect()
}
