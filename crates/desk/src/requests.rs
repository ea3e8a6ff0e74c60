//! Requests: what one person alone must not do, one operator requests and another
//! approves within seven days. Either may reject it. Nothing is done before approval, and
//! then exactly what was requested.
//!
//! A kind of request is an entry of `wallet::RequestKind`. Here it says who may request
//! it (`kinds.rs`) and what its approval does (`carry_out.rs`). Movements of money are
//! requested with a [`MoneyRequestDraft`]; other changes are filed, with a `Proposal`, by
//! the use case they belong to.

mod book;
mod carry_out;
mod expiry;
mod file;
mod kinds;
mod proposal;
mod view;

use auth::Permission;
use base::{AdvertiserId, Money, RequestId, UserId};
use store::staff::requests::{self as rows, MoneyRequest};
use store::wallet::books::Books;
use store::{Page, PageRequest, Tx};
use wallet::RequestDocument;

pub use store::staff::requests::{RequestFilter, Subject};
pub use wallet::RequestKind;

pub(crate) use book::may_receive;
pub use expiry::expire_due;
pub(crate) use file::{CheckedRequest, file, file_with, waiting};
pub(crate) use proposal::Proposal;
pub use view::RequestView;

use crate::delivery::corrections;
use crate::notifications::{NoticeKind, notify};
use crate::offers::coupon_grants;
use crate::staff::counterparty_keys;
use crate::staff::decisions::{Case, Step, decide};
use crate::staff::limits;
use crate::staff::{Changes, Staff};
use crate::wallet::payment_files;
use crate::{App, Error, Refusal, amount};

const LONGEST_REFERENCE: usize = 64;

/// An operator's request to move money.
#[derive(Clone, Debug)]
pub struct MoneyRequestDraft {
    kind: RequestKind,
    subject: Subject,
    amount: String,
    /// The bank's reference of the payment, if there is one.
    reference: Option<String>,
}

impl MoneyRequestDraft {
    /// Credits a user's payment.
    pub fn recharge(user: UserId, amount: &str, reference: &str) -> Self {
        Self::new(RequestKind::Recharge, Subject::User(user), amount).referring(reference)
    }

    /// Books a payment that the bank took back: from what the user has available; the
    /// platform writes off the rest.
    pub fn chargeback(user: UserId, amount: &str, reference: &str) -> Self {
        Self::new(RequestKind::Chargeback, Subject::User(user), amount).referring(reference)
    }

    /// Promotional credit.
    pub fn grant(user: UserId, amount: &str) -> Self {
        Self::new(RequestKind::PromotionGrant, Subject::User(user), amount)
    }

    /// Takes back promotional credit that is on no plan.
    pub fn revoke(user: UserId, amount: &str) -> Self {
        Self::new(RequestKind::PromotionRevoke, Subject::User(user), amount)
    }

    /// Start-up funds, which the user must return.
    pub fn startup_loan(user: UserId, amount: &str) -> Self {
        Self::new(RequestKind::StartupLoan, Subject::User(user), amount)
    }

    /// Books an advertiser's payment, for conversions to claim.
    pub fn fund(advertiser: AdvertiserId, amount: &str, reference: &str) -> Self {
        Self::new(RequestKind::AdvertiserFund, Subject::Advertiser(advertiser), amount).referring(reference)
    }

    fn new(kind: RequestKind, subject: Subject, amount: &str) -> Self {
        Self { kind, subject, amount: amount.to_owned(), reference: None }
    }

    fn referring(self, reference: &str) -> Self {
        Self { reference: Some(reference.to_owned()), ..self }
    }

    fn read(&self, by: &Staff) -> Result<(Money, Option<String>), Error> {
        by.may(Permission::Money)?;
        let reference = match &self.reference {
            Some(written) => Some(read_reference(written)?),
            None if self.kind.needs_reference() => return Err(Error::field("reference", "required")),
            None => None,
        };
        Ok((amount::positive("amount", &self.amount)?, reference))
    }
}

/// The bank's reference, as written.
pub(crate) fn read_reference(written: &str) -> Result<String, Error> {
    let reference = written.trim();
    match reference.chars().count() {
        0 => Err(Error::field("reference", "required")),
        n if n > LONGEST_REFERENCE => Err(Error::field("reference", "too_long")),
        _ => Ok(reference.to_owned()),
    }
}

/// A request's number and, if it matters, its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestRef {
    document: Option<RequestDocument>,
    id: RequestId,
}

impl RequestRef {
    pub const fn of(document: RequestDocument, id: RequestId) -> Self {
        Self { document: Some(document), id }
    }

    /// Of any document. Among requests from when each kind had its own numbers, several
    /// may have the same one.
    pub const fn any(id: RequestId) -> Self {
        Self { document: None, id }
    }

    pub(crate) fn one(self, conn: &mut store::Conn) -> Result<MoneyRequest, Error> {
        let mut found = rows::find(conn, self.document, self.id)?;
        match (found.pop(), found.is_empty()) {
            (Some(only), true) => Ok(only),
            (Some(_), false) => Err(Error::field("id", "ambiguous")),
            (None, _) => Err(Refusal::NotFound.into()),
        }
    }
}

/// Parses `17`, or `recharge:17` as in the audit log.
impl std::str::FromStr for RequestRef {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let (document, number) = match text.split_once(':') {
            Some((name, number)) => (Some(RequestDocument::from_name(name).ok_or(Refusal::NotFound)?), number),
            None => (None, text),
        };
        Ok(Self { document, id: number.parse().map_err(|_| Refusal::NotFound)? })
    }
}

/// Makes the request. Nothing moves yet.
///
/// # Errors
/// The fields `amount` and `reference`; `not_permitted`, `not_found`, `limit_exceeded`,
/// `amount_out_of_range`, `account_not_active`; `reference_used` if a payment with it was
/// requested before; `insufficient_balance` if more credit is to be taken back than there
/// is.
pub async fn request(app: &App, by: &Staff, ask: MoneyRequestDraft) -> Result<RequestView, Error> {
    let (amount, reference) = ask.read(by)?;
    // After a request expires, its reference can be used again.
    expire_due(app).await?;
    let by = by.clone();
    app.db.write(move |tx| ask_for(tx, &by, &ask, amount, reference.clone())).await
}

fn ask_for(
    tx: &mut Tx<'_>,
    by: &Staff,
    ask: &MoneyRequestDraft,
    amount: Money,
    reference: Option<String>,
) -> Result<RequestView, Error> {
    let books = lock(tx, ask.subject)?;
    // What could not be booked is not requested either.
    book::may_receive(tx, ask.kind, ask.subject)?;
    book::postings(&books, ask.kind, ask.subject, amount)?;
    let filed = CheckedRequest { kind: ask.kind, subject: ask.subject, amount, reference, proposal: None };
    let made = file::write(tx, by, filed)?;
    let shown = view::with_figures(tx, &books, made.clone())?;
    file::record(tx, by, &made)?;
    Ok(shown)
}

/// Locks what it is about, and the books of the money's owner.
fn lock(tx: &mut Tx<'_>, subject: Subject) -> Result<Books, Error> {
    match subject {
        Subject::User(user) => return Ok(Books::lock_user(tx, user)?),
        Subject::Advertiser(id) => {
            store::plans::advertiser::find(tx, id)?.ok_or(Refusal::NotFound)?;
            return Ok(Books::lock_advertiser_alone(tx, id)?);
        }
        Subject::Product(id) => store::plans::product::lock(tx, id)?,
        Subject::Coupon(id) => store::offers::coupons::lock_definition(tx, id)?,
        Subject::Acceptor(id) => store::wallet::acceptors::lock(tx, id)?,
        Subject::Publisher(id) => return Ok(Books::lock_publisher(tx, id)?),
        Subject::New => {}
    }
    Ok(Books::default())
}

/// The request with everything locked that it is about.
pub(crate) fn locked(tx: &mut Tx<'_>, which: RequestRef) -> Result<MoneyRequest, Error> {
    Ok(<MoneyRequest as Case>::lock(tx, which)?.1)
}

/// Does what was requested, unless it is about a counterparty's key: see
/// [`approve_key`].
///
/// # Errors
/// Those of [`approve_key`].
pub async fn approve(app: &App, by: &Staff, which: RequestRef) -> Result<RequestView, Error> {
    approve_key(app, by, which, None).await
}

/// Does what was requested. The operator must be a different person than the requester,
/// both at the time of the request and now. A counterparty's key counts if `fingerprint` is
/// what its holder read to the operator.
///
/// # Errors
/// The field `fingerprint` and `key_not_claimed`, of keys; `not_permitted`, `not_found`,
/// `second_person_needed`, `already_decided`, `request_expired`, `limit_exceeded`,
/// `founders_missing`; `insufficient_balance` if the credit to be taken back was put on a plan
/// meanwhile; `proposal_stale` if what it would change has changed
/// meanwhile.
pub async fn approve_key(
    app: &App,
    by: &Staff,
    which: RequestRef,
    fingerprint: Option<&str>,
) -> Result<RequestView, Error> {
    let (secrets, settings) = (app.secrets.clone(), app.settings.clone());
    let fingerprint = fingerprint.map(str::to_owned);
    let decided = decide(app, by, Step::Second, which, move |tx, by, books, found: &MoneyRequest| {
        let review = found.review.approve(by.second(), |operator| by.person(operator), tx.now())?;
        counterparty_keys::confirm(tx, &secrets, found, fingerprint.as_deref())?;
        limits::count(tx, by, found.amount)?;
        limits::adds_up(tx, by, found, Step::Second)?;
        let written_off = carry_out::carry_out(tx, (by, &secrets, &settings), books, found)?;
        let decider = (by.id(), by.person(by.id()));
        Ok(rows::decided(tx, found, review, Some(decider), written_off)?)
    });
    let view = decided.await?;
    // What this process remembers of contacts, questions and accounts may be what was changed.
    app.content_cache.forget();
    let cancelled = view.user_id.as_deref().filter(|_| view.kind == RequestKind::AccountCancel.name());
    if let Some(user) = cancelled.and_then(|id| id.parse().ok()) {
        app.memory.forget(user);
    }
    Ok(view)
}

/// Rejects it, whoever requested it; its reference may be used again.
///
/// # Errors
/// `not_permitted`, `not_found`, `already_decided`, `request_expired`.
pub async fn reject(app: &App, by: &Staff, which: RequestRef) -> Result<RequestView, Error> {
    decide(app, by, Step::No, which, |tx, by, _, found: &MoneyRequest| {
        let review = found.review.reject(tx.now())?;
        if let (RequestKind::Recharge, Subject::User(user)) = (found.kind, found.subject) {
            let (amount, reason) = (found.amount, by.told_reason()?.to_owned());
            notify(tx, user, &NoticeKind::RechargeRejected { amount, reason })?;
        }
        let decider = (by.id(), by.person(by.id()));
        Ok(rows::decided(tx, found, review, Some(decider), Money::ZERO)?)
    })
    .await
}

impl Case for MoneyRequest {
    type Id = RequestRef;
    type View = RequestView;

    fn lock(tx: &mut Tx<'_>, which: RequestRef) -> Result<(Books, Self), Error> {
        let found = which.one(tx)?;
        let books = match found.kind {
            RequestKind::DeliveryCorrection => corrections::lock(tx, &found)?,
            _ => lock(tx, found.subject)?,
        };
        if found.kind == RequestKind::RoleLimits {
            store::staff::operators::lock_all(tx)?;
        }
        if found.kind == RequestKind::CouponGrant {
            coupon_grants::lock(tx, &found)?;
        }
        if found.kind.is_content() {
            store::installation::content::lock(tx)?;
        }
        Ok((books, rows::lock(tx, &found)?))
    }

    /// Who may reject depends on the kind of request.
    fn may_ever(by: &Staff, step: Step) -> Result<(), Error> {
        if step == Step::No { Ok(()) } else { by.may(Permission::Money) }
    }

    /// Whoever may request it may also reject it.
    fn may(&self, tx: &mut Tx<'_>, by: &Staff, step: Step) -> Result<(), Error> {
        let money = by.still_may(tx, Permission::Money);
        if step == Step::No { money.or_else(|_| by.still_may(tx, kinds::asked_with(self.kind))) } else { money }
    }

    fn record(
        &self,
        tx: &mut Tx<'_>,
        by: &Staff,
        step: Step,
        before: &Self,
        books: &Books,
    ) -> Result<RequestView, Error> {
        let shown = view::with_figures(tx, books, self.clone())?;
        let actions = kinds::actions(self.kind);
        let action = match step {
            Step::No => actions.reject,
            _ if self.paid.is_some() => actions.pay,
            _ => actions.approve,
        };
        let mut details = changes(before, self);
        if let (true, Subject::Publisher(id)) = (action == approving(RequestKind::PublisherPayout), self.subject) {
            let to = store::delivery::publisher::find(tx, id)?.ok_or(Refusal::NotFound)?;
            details = details.about(payment_files::PAYS, payment_files::pays_to_publisher(self, &to));
        }
        by.record(tx, action, subject(self), &details.details())?;
        Ok(shown)
    }
}

/// What the audit calls the approval of such a request.
pub(crate) fn approving(kind: RequestKind) -> &'static str {
    kinds::actions(kind).approve
}

/// A request's name in the audit log: `recharge:5`.
fn subject(request: &MoneyRequest) -> String {
    format!("{}:{}", request.kind.document(), request.id)
}

fn changes(before: &MoneyRequest, after: &MoneyRequest) -> Changes {
    let status = (before.review.status.name(), after.review.status.name());
    let details = file::facts(after).and("status", status.0, status.1);
    if after.kind == RequestKind::PublisherPayout {
        return details.and("reference", before.reference.clone(), after.reference.clone());
    }
    if after.kind != RequestKind::Chargeback {
        return details;
    }
    details.about("written_off", after.written_off.to_string())
}

/// All requests, newest first.
pub async fn requests(app: &App, filter: RequestFilter, page: PageRequest) -> Result<Page<RequestView>, Error> {
    let now = app.now();
    app.db
        .read(move |conn| {
            let found = rows::page(conn, &filter, now, page)?;
            view::of_all(conn, found, now)
        })
        .await
}

/// # Errors
/// `not_found`; the field `id` if several have that number.
pub async fn show(app: &App, which: RequestRef) -> Result<RequestView, Error> {
    let now = app.now();
    let vault = app.secrets.vault();
    app.db.read(move |conn| which.one(conn).and_then(|found| view::opened(conn, found, &vault, now))).await
}
