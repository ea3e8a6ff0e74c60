//! Putting an amount on a plan: the money is held, and the plan waits for its first
//! slot.

use base::{CouponId, Money, PlanId, ProductId, Timestamp, UserId};
use plans::{ContentType, PutRefused, Started, Terms};
use store::delivery::stats::QuarterTotals;
use store::offers::coupons::{self as coupon_rows, Held};
use store::plans::plan::{NewPlan, PlanRow, PutTerms};
use store::plans::product::ProductRow;
use store::wallet::books::{Books, Note};
use store::{Conn, Tx};
use wallet::{Document, PutOnPlan};

use crate::delivery::{ai_delivery, market};
use crate::idempotent::{Key, fingerprint, once};
use crate::people::pay_password::Proof;
use crate::plans::catalog::content_of;
use crate::plans::plan_views::PlanView;
use crate::plans::price::{Buyer, Price};
use crate::zone::Zone;
use crate::{App, Error, Refusal, amount, random};

/// What the plan is put on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// A plan that was offered and waits to be put.
    Offered(PlanId),
    /// A product, for a new plan.
    Product(ProductId),
}

/// The request, as the client wrote it.
#[derive(Clone, Debug)]
pub struct Put {
    pub on: On,
    pub amount: String,
    pub content: ContentType,
    pub coupon: Option<CouponId>,
    /// Where the user's days are cut, of which each allows one coupon of a name.
    pub zone: Zone,
    /// Spread it over its days, and show what is learned to be clicked.
    pub ai_delivery: bool,
    pub key: Option<Key>,
}

impl Put {
    /// One without anything that may be left out.
    pub fn new(on: On, amount: &str, content: ContentType) -> Self {
        let amount = amount.to_owned();
        Self { on, amount, content, coupon: None, zone: Zone::UTC, ai_delivery: false, key: None }
    }

    fn fingerprint(&self, amount: Money) -> [u8; 32] {
        let (kind, id) = match self.on {
            On::Offered(id) => ("plan", id.0),
            On::Product(id) => ("product", id.0),
        };
        let (id, amount) = (id.to_string(), amount.to_string());
        let mut parts = vec![kind, &id, &amount, self.content.name()];
        let coupon = self.coupon.as_ref().map(CouponId::to_string);
        parts.extend(coupon.as_deref());
        parts.extend(self.ai_delivery.then_some("ai_delivery"));
        fingerprint("put", &parts)
    }
}

/// # Errors
/// Those of `Proof::spend`; the fields `amount` and `content`; `amount_out_of_range`,
/// `insufficient_balance`, `plan_not_puttable`, `not_found`, `coupon_used`,
/// `coupon_expired`, `coupon_not_applicable`, `coupon_daily_limit`,
/// `idempotency_key_reused`.
pub async fn put(app: &App, proof: Proof, command: Put) -> Result<PlanView, Error> {
    let (amount, number) = match prepare(app, &command).await {
        Ok(prepared) => prepared,
        Err(error) => {
            proof.give_back(app).await;
            return Err(error);
        }
    };
    let request = command.fingerprint(amount);
    let (user, slots) = (proof.user(), app.clone());
    proof
        .spend(app, move |tx, books| {
            once(tx, user, command.key.as_ref(), &request, |tx| {
                let offer = Offer::lock(tx, user, command.on)?;
                let (app, number, command) = (&slots, number.as_str(), &command);
                begin(tx, books, user, &Begin { app, offer, number, amount, command })
            })
        })
        .await
}

/// The amount, and a number for a new plan.
async fn prepare(app: &App, command: &Put) -> Result<(Money, String), Error> {
    let amount = amount::invested("amount", &command.amount)?;
    if command.ai_delivery {
        // Into which parts its audience is divided depends on the slots.
        market::follow(app).await?;
    }
    Ok((amount, plan_number(random()?)))
}

/// What is put on, with the terms that it is offered under.
pub(crate) struct Offer {
    standing: Option<PlanRow>,
    product: ProductRow,
}

impl Offer {
    pub fn find(conn: &mut Conn, user: UserId, on: On) -> Result<Self, Error> {
        match on {
            On::Offered(id) => {
                let (plan, product) = store::plans::plan::find(conn, user, id)?.ok_or(Refusal::NotFound)?;
                Ok(Self { standing: Some(plan), product })
            }
            On::Product(id) => {
                let product =
                    store::plans::product::find(conn, id)?.filter(ProductRow::is_offered).ok_or(Refusal::NotFound)?;
                Ok(Self { standing: None, product })
            }
        }
    }

    /// The same with the plan locked.
    fn lock(tx: &mut Tx<'_>, user: UserId, on: On) -> Result<Self, Error> {
        let mut offer = Self::find(tx, user, on)?;
        if let On::Offered(id) = on {
            offer.standing = Some(store::plans::plan::lock(tx, id)?.ok_or(Refusal::NotFound)?);
        }
        Ok(offer)
    }

    /// An offer keeps the terms under which it was offered.
    pub fn terms(&self) -> Result<Terms, Error> {
        Ok(match &self.standing {
            Some(plan) => plan.terms()?,
            None => self.product.terms()?,
        })
    }

    /// Whether such an amount may be put here, in some form.
    pub fn check(&self, amount: Money, now: Timestamp) -> Result<(), Error> {
        let any = content_of(&self.product)?.types().first().copied();
        self.decide(amount, amount, any.ok_or(Refusal::PlanNotPuttable)?, now).map(|_| ())
    }

    fn decide(&self, amount: Money, budget: Money, content: ContentType, now: Timestamp) -> Result<Started, Error> {
        let decision = plans::Put {
            amount,
            budget,
            content,
            min: Money::from_minor(self.product.min_put),
            max: Money::from_minor(self.product.max_put),
            offered: &content_of(&self.product)?.types(),
            terms: &self.terms()?,
            standing: self.standing.as_ref().map(PlanRow::status).transpose()?,
        };
        Ok(plans::put(&decision, now)?)
    }
}

struct Begin<'a> {
    app: &'a App,
    offer: Offer,
    number: &'a str,
    amount: Money,
    command: &'a Put,
}

fn begin(tx: &mut Tx<'_>, books: &mut Books, user: UserId, begin: &Begin<'_>) -> Result<PlanView, Error> {
    let (offer, command, now) = (&begin.offer, begin.command, tx.now());
    let buyer = Buyer::load(tx, user, command.zone, now)?;
    offer.decide(begin.amount, begin.amount, command.content, now)?;
    let coupon = chosen(tx, user, command.coupon)?;
    let price = buyer.price(books.wallet()?, begin.amount, coupon.as_ref(), now)?;
    let started = offer.decide(begin.amount, price.budget, command.content, now)?;
    let plan = match &offer.standing {
        Some(plan) => plan.id(),
        None => {
            let new = NewPlan { plan_no: begin.number, user, product: &offer.product, official: false };
            store::plans::plan::insert(tx, &new)?.id()
        }
    };
    if command.ai_delivery {
        ai_delivery::begin(tx, begin.app, plan, &offer.product)?;
    }
    let beginning = PutTerms {
        amount: price.budget,
        paid: price.available,
        content: command.content,
        due_at: started.due_at,
        fee_rate: buyer.fee_rate(offer.terms()?.fee_rate, now),
        coupon: command.coupon,
    };
    let row = store::plans::plan::begin(tx, plan, &beginning)?;
    hold(tx, books, &row, &price, command)?;
    let change = QuarterTotals { orders: 1, invested: price.available.minor(), ..QuarterTotals::at(user, now) };
    store::delivery::stats::add(tx, &[change])?;
    store::plans::follows::queue(tx, user, plan, offer.product.id())?;
    let coupon = redeemed(tx, user, coupon, plan)?;
    PlanView::of(&row, &offer.product, coupon.as_ref(), now)
}

/// The user's own coupon; another's is as if it were not there.
fn chosen(tx: &mut Tx<'_>, user: UserId, id: Option<CouponId>) -> Result<Option<Held>, Error> {
    match id {
        Some(id) => Ok(Some(coupon_rows::find(tx, user, id)?.ok_or(Refusal::NotFound)?)),
        None => Ok(None),
    }
}

fn hold(tx: &mut Tx<'_>, books: &mut Books, plan: &PlanRow, price: &Price, command: &Put) -> Result<(), Error> {
    books.load_hold(tx, plan.id())?;
    let Price { coupon, promotional, available, .. } = *price;
    let parts = PutOnPlan { plan: plan.id(), available, promotional, coupon };
    let postings = wallet::put_on_plan(books.wallet()?, &parts)?;
    let note = Note {
        document: Document::Plan(plan.id()),
        event_at: tx.now(),
        actor: format!("user:{}", plan.user_id),
        reason: plan.plan_no.clone(),
        idempotency_key: command.key.as_ref().map(|key| key.as_str().to_owned()),
    };
    Ok(books.post(tx, &postings, &note)?)
}

/// The coupon once it is used up on the plan.
fn redeemed(tx: &mut Tx<'_>, user: UserId, coupon: Option<Held>, plan: PlanId) -> Result<Option<Held>, Error> {
    let Some(held) = coupon else { return Ok(None) };
    // The user's lock keeps others out; the statement makes sure of it.
    if !coupon_rows::redeem(tx, held.id, plan)? {
        return Err(Refusal::CouponUsed.into());
    }
    Ok(coupon_rows::find(tx, user, held.id)?)
}

impl From<PutRefused> for Error {
    fn from(refused: PutRefused) -> Self {
        match refused {
            PutRefused::AmountOutOfRange { .. } | PutRefused::Overflow => Refusal::InvestmentOutOfRange.into(),
            PutRefused::NoSuchContent => Self::field("content", "invalid"),
            PutRefused::NotPuttable => Refusal::PlanNotPuttable.into(),
        }
    }
}

/// Letters and digits that people do not mistake for each other.
const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// `P` and ten characters: fifty random bits, easy to read out.
pub(crate) fn plan_number(bytes: [u8; 10]) -> String {
    let characters = bytes.iter().filter_map(|byte| ALPHABET.get(usize::from(byte % 32)));
    std::iter::once('P').chain(characters.map(|c| char::from(*c))).collect()
}
