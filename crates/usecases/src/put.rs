//! The user puts an amount on a plan: it is held, and the plan waits for its
//! first slot.

use base::{Money, PlanId, ProductId, UserId};
use delivery::{Audience, Prior};
use plans::{ContentType, PutRefused};
use store::Tx;
use store::books::{Books, Note};
use store::plan::{NewPlan, PlanRow};
use store::product::ProductRow;
use store::stats::Change;
use wallet::PutOnPlan;

use crate::catalog::Content;
use crate::idempotent::{Key, fingerprint, once};
use crate::plan_views::PlanView;
use crate::{App, Error, Refusal, amount, market, random};

/// What the plan is put on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// A plan that was offered and waits to be put.
    Offered(PlanId),
    /// A product, for a new plan.
    Product(ProductId),
}

/// The request, as the client wrote it. Its transaction password has been
/// verified by now.
#[derive(Clone, Debug)]
pub struct Put {
    pub on: On,
    pub amount: String,
    pub content: ContentType,
    /// Spread it over its days, and show what is learned to be clicked.
    pub ai_delivery: bool,
    pub key: Option<Key>,
}

/// # Errors
/// The fields `amount` and `content`; `amount_out_of_range`,
/// `insufficient_balance`, `plan_not_puttable`, `not_found`,
/// `idempotency_key_reused`.
pub async fn put(app: &App, user: UserId, command: Put) -> Result<PlanView, Error> {
    let amount = amount::positive("amount", &command.amount)?;
    let (kind, id) = match command.on {
        On::Offered(id) => ("plan", id.0),
        On::Product(id) => ("product", id.0),
    };
    let (id, typed) = (id.to_string(), amount.to_string());
    let mut parts = vec![kind, &id, &typed, command.content.name()];
    if command.ai_delivery {
        parts.push("ai_delivery");
        // Into which parts its audience is divided depends on the slots.
        market::follow(app).await?;
    }
    let request = fingerprint("put", &parts);
    let number = plan_number(random()?);
    let slots = app.clone();
    app.db
        .write(move |tx| {
            let mut books = Books::lock_user(tx, user)?;
            once(tx, user, command.key.as_ref(), &request, |tx| {
                let (standing, product) = load(tx, user, command.on)?;
                let ai_delivery = command.ai_delivery;
                let audiences = if ai_delivery { slots.market.audiences(product.id()) } else { Vec::new() };
                let (number, command) = (number.as_str(), &command);
                begin(tx, &mut books, user, &Begin { standing, product, number, amount, command, audiences })
            })
        })
        .await
}

struct Begin<'a> {
    standing: Option<PlanRow>,
    product: ProductRow,
    number: &'a str,
    amount: Money,
    command: &'a Put,
    /// Whom the slots reach that fit the product.
    audiences: Vec<Audience>,
}

fn load(tx: &mut Tx<'_>, user: UserId, on: On) -> Result<(Option<PlanRow>, ProductRow), Error> {
    match on {
        On::Offered(id) => {
            let (_, product) = store::plan::find(tx, user, id)?.ok_or(Refusal::NotFound)?;
            let plan = store::plan::lock(tx, id)?.ok_or(Refusal::NotFound)?;
            Ok((Some(plan), product))
        }
        On::Product(id) => {
            let product = store::product::find(tx, id)?.filter(|p| p.active).ok_or(Refusal::NotFound)?;
            Ok((None, product))
        }
    }
}

fn begin(tx: &mut Tx<'_>, books: &mut Books, user: UserId, begin: &Begin<'_>) -> Result<PlanView, Error> {
    let product = &begin.product;
    let content = crate::catalog::content_of(product)?;
    // An offer keeps the terms under which it was offered.
    let terms = match &begin.standing {
        Some(plan) => plan.terms()?,
        None => product.terms()?,
    };
    let decision = plans::Put {
        amount: begin.amount,
        content: begin.command.content,
        min: Money::from_minor(product.min_put),
        max: Money::from_minor(product.max_put),
        offered: &content.types(),
        terms: &terms,
        standing: begin.standing.as_ref().map(PlanRow::status).transpose()?,
    };
    let started = plans::put(&decision, tx.now())?;
    let plan = match &begin.standing {
        Some(plan) => plan.id(),
        None => store::plan::insert(tx, &NewPlan { plan_no: begin.number, user, product, official: false })?.id(),
    };
    books.load_hold(tx, plan)?;
    let command = PutOnPlan { plan, available: begin.amount, promotional: Money::ZERO, coupon: Money::ZERO };
    let postings = wallet::put_on_plan(books.wallet()?, &command)?;
    if begin.command.ai_delivery {
        learn(tx, plan, begin, &content)?;
    }
    let row = store::plan::begin(tx, plan, begin.amount, begin.amount, begin.command.content, started.due_at)?;
    let note = Note {
        ref_type: "plan",
        ref_id: plan.0,
        event_at: tx.now(),
        actor: format!("user:{user}"),
        reason: row.plan_no.clone(),
        idempotency_key: begin.command.key.as_ref().map(|key| key.as_str().to_owned()),
    };
    books.post(tx, &postings, &note)?;
    let change = Change { orders: 1, invested: begin.amount.minor(), ..Change::at(user, tx.now()) };
    store::stats::add(tx, &[change])?;
    PlanView::of(&row, product)
}

/// What is learned about: every creative before every part of the audience.
fn learn(tx: &mut Tx<'_>, plan: PlanId, begin: &Begin<'_>, content: &Content) -> Result<(), Error> {
    let creatives: Vec<i16> = content.types().iter().map(|kind| kind.code()).collect();
    let audiences: Vec<&Audience> = begin.audiences.iter().collect();
    let segments = delivery::divide(&audiences, delivery::most_segments(creatives.len()));
    let prior = Prior::of_history(store::arm::history(tx, begin.product.id())?);
    Ok(store::arm::begin(tx, plan, &delivery::arms(&creatives, &segments), prior)?)
}

impl From<PutRefused> for Error {
    fn from(refused: PutRefused) -> Self {
        match refused {
            PutRefused::AmountOutOfRange { .. } | PutRefused::Overflow => Refusal::AmountOutOfRange.into(),
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
