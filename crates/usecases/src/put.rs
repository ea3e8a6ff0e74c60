//! The user puts an amount on a plan: it is held, and the plan waits for its
//! first slot.

use base::{Money, PlanId, ProductId, UserId};
use plans::{ContentType, PutRefused};
use store::Tx;
use store::books::{Books, Note};
use store::plan::{NewPlan, PlanRow};
use store::product::ProductRow;
use store::stats::Change;
use wallet::PutOnPlan;

use crate::idempotent::{Key, fingerprint, once};
use crate::plan_views::PlanView;
use crate::{App, Error, Refusal, amount, random};

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
    let request = fingerprint("put", &[kind, &id.to_string(), &amount.to_string(), command.content.name()]);
    let number = plan_number(random()?);
    app.db
        .write(move |tx| {
            let mut books = Books::lock_user(tx, user)?;
            once(tx, user, command.key.as_ref(), &request, |tx| {
                let (standing, product) = load(tx, user, command.on)?;
                begin(tx, &mut books, user, &Begin { standing, product, number: &number, amount, command: &command })
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
    store::follows::queue(tx, user, plan, product.id())?;
    PlanView::of(&row, product)
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
