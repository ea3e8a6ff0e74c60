//! A request of any kind, as operators see it.

use std::collections::BTreeMap;

use base::{
    AcceptorId, AdvertiserId, BankLineId, CouponDefinitionId, Money, OperatorId, ProductId, PublisherId, RequestId,
    Timestamp, UserId,
};
use serde::Serialize;
use serde_json::{Map, Value};
use store::staff::requests::{MoneyRequest, Subject};
use store::wallet::books::Books;
use store::wallet::{chargebacks, corrections};
use store::{Conn, Page, Tx};
use wallet::{RequestKind, RequestStatus};

use super::Proposal;
use crate::accounts::contacts::{self, ContactView};
use crate::staff::publisher_contacts::PublisherContactView;
use crate::staff::references::{self, OtherUse};
use crate::{Error, Refusal};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RequestView {
    pub id: RequestId,
    /// `recharge`, `chargeback`, `promotion_grant`, `promotion_revoke`,
    /// `startup_advance`, `advertiser_fund`, `product_terms`, `advertiser_key`,
    /// `advertiser_cap`, `pay_password_reset`, `acceptor_terms`, `coupon_terms`,
    /// `coupon_grant`, `publisher_terms`, `publisher_payout`, `publisher_credit`,
    /// `publisher_debit`, `delivery_correction`, `ssp_key`, `publisher_key`, `role_limits`, `announcement`, `contact`,
    /// `pay_in`, `faq`, `activity`, `acceptor_change`, `publisher_closing`, `account_cancel`,
    /// `operated_account`, `login_password_reset`, `unpaid`, `public_log`, `chargeback_collection` or `chargeback_waiver`.
    pub kind: RequestKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// How the user is reached, and what changed of that lately: for those who decide about a new password. Not in
    /// lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<ContactView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advertiser_id: Option<AdvertiserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product_id: Option<ProductId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coupon_definition_id: Option<CouponDefinitionId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acceptor_id: Option<AcceptorId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publisher_id: Option<PublisherId>,
    /// Where the publisher's or exchange's pages are, how it is reached, and what changed of that lately. Only when one
    /// request is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publisher: Option<PublisherContactView>,
    /// The advertiser's, product's, coupon's, acceptor's or publisher's; of what all users
    /// see, its key or title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `grant` or `revoke`, for promotional credit; `collect` or `waive`, for what is due of chargebacks; `from_revenue` or `to_revenue`, the
    /// platform's, for corrections of what a publisher has earned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<String>,
    /// The amount that is moved, or the most that it can cost: a decimal in the platform's currency.
    pub amount: Money,
    /// The fields to change, each `{from, to}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<serde_json::Value>,
    pub reference: Option<String>,
    /// The reference as it is compared; only when one request is shown or decided on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_compared: Option<String>,
    /// Lines of the last statements with this reference and amount, and what they are matched with: one payment must not
    /// be credited twice. Only when one request is shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bank_lines: Vec<BankLineUse>,
    /// Other documents with this reference: payments in other directions, or of others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reference_also: Vec<OtherUse>,
    /// `requested`, `approved`, `rejected` or `expired`.
    pub status: RequestStatus,
    pub reason: String,
    pub requested_by: OperatorId,
    pub requested_by_name: String,
    pub requested_at: Timestamp,
    /// After this time it cannot be approved any more.
    pub expires_at: Timestamp,
    pub decided_by: Option<OperatorId>,
    pub decided_by_name: Option<String>,
    pub decided_at: Option<Timestamp>,
    pub approved_by: Option<OperatorId>,
    pub approved_at: Option<Timestamp>,
    pub rejected_by: Option<OperatorId>,
    /// Who reported that a payout was paid, and when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paid_by: Option<OperatorId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paid_at: Option<Timestamp>,
    /// When the bank's line was found.
    pub cleared_at: Option<Timestamp>,
    #[serde(flatten)]
    pub chargeback: Option<ChargebackShares>,
    /// The link by which its holder claims the requested key; only in the answer to the
    /// request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim_url: Option<String>,
    /// When the requested key was claimed, or brought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claimed_at: Option<Timestamp>,
    /// Of a key that was brought, in the answer to the request; of any key, once it counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// This operator's half of the code for a login password; only the first time that they look at the approved request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half: Option<String>,
    /// `halves_not_shown`, `open`, `used`, `tried_out`, `replaced` or `expired`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code_status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code_until: Option<Timestamp>,
    /// The user's outstanding start-up funds, or what is due of chargebacks, now; only in answers to an action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outstanding: Option<Money>,
    /// What an approved correction of delivery gave to cancelled accounts, which two people must return the way it
    /// came; only in the answer to the approval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_cancelled_accounts: Option<Money>,
    /// What conversions may claim from the advertiser now; only in answers to an action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub funds: Option<Money>,
}

/// A line of the bank that has a request's reference and amount.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BankLineUse {
    pub line: BankLineId,
    /// The day, such as `2026-01-31`.
    pub on: String,
    pub counterparty: String,
    /// Who imported its statement. Whoever also made the request could have written the file.
    pub imported_by_name: String,
    /// The document that it is matched with, such as `recharge:5`, also if nobody has confirmed that yet; `ignored` for a
    /// line that is none of ours.
    pub matched: Option<String>,
}

/// What a chargeback took from its user, and what it could not take; only after approval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChargebackShares {
    pub from_user: Option<Money>,
    pub written_off: Option<Money>,
}

impl ChargebackShares {
    fn of(request: &MoneyRequest) -> Result<Option<Self>, Error> {
        if request.kind != RequestKind::Chargeback {
            return Ok(None);
        }
        let booked = request.review.status == RequestStatus::Approved;
        let shown = |amount: Money| booked.then_some(amount);
        let from_user = request.amount.minus(request.written_off)?;
        Ok(Some(Self { from_user: shown(from_user), written_off: shown(request.written_off) }))
    }
}

fn direction(kind: RequestKind) -> Option<String> {
    match kind {
        RequestKind::PromotionGrant => Some("grant".to_owned()),
        RequestKind::PromotionRevoke => Some("revoke".to_owned()),
        RequestKind::ChargebackCollection => Some("collect".to_owned()),
        RequestKind::ChargebackWaiver => Some("waive".to_owned()),
        RequestKind::PublisherCredit => Some("from_revenue".to_owned()),
        RequestKind::PublisherDebit => Some("to_revenue".to_owned()),
        _ => None,
    }
}

pub fn proposal(request: &MoneyRequest) -> Result<Option<serde_json::Value>, Error> {
    let read = |text: &str| serde_json::from_str(text).map_err(|e| Error::Internal(format!("a proposal: {e}")));
    request.proposal.as_deref().map(read).transpose()
}

/// Content for all users has no row yet, or a row without a name.
fn entry(request: &MoneyRequest) -> Result<Option<String>, Error> {
    if !request.kind.is_content() {
        return Ok(None);
    }
    Ok(content_name(&Proposal::of(request)?))
}

/// The name of the content that a request is about: the entry's key, or the announcement's title.
fn content_name(proposal: &Proposal) -> Option<String> {
    let title = || {
        let fields: Map<String, Value> = proposal.target().ok()?;
        let titles = fields.get("title")?.as_object()?;
        let title = ["", "en"].iter().find_map(|lang| titles.get(*lang)).or_else(|| titles.values().next());
        title.and_then(Value::as_str).map(str::to_owned)
    };
    proposal.new_text(Proposal::ENTRY).map(str::to_owned).or_else(title)
}

/// A proposal for lists and the audit log, without its sealed field. Most proposals have no such field.
pub fn hidden(mut proposal: Value) -> Value {
    if let Some(destination) = proposal.get_mut("destination").and_then(Value::as_object_mut) {
        for (_, sealed) in destination.iter_mut().filter(|(_, sealed)| sealed.is_string()) {
            *sealed = "sealed".into();
        }
    }
    proposal
}

type Names = BTreeMap<OperatorId, String>;

fn shown(request: MoneyRequest, names: &Names, now: Timestamp) -> Result<RequestView, Error> {
    let status = request.review.status_at(now);
    let decided = |wanted| request.decided_by.filter(|_| status == wanted);
    let (approved_by, rejected_by) = (decided(RequestStatus::Approved), decided(RequestStatus::Rejected));
    let decided_at = request.decided_at;
    let named = request.subject.named();
    let about = |kind: &str| named.filter(|(name, _)| *name == kind).map(|(_, id)| id);
    let of_user = matches!(request.subject, Subject::User(_));
    Ok(RequestView {
        chargeback: ChargebackShares::of(&request)?,
        id: request.id,
        kind: request.kind,
        username: of_user.then(|| request.name.clone()),
        contact: None,
        name: if named.is_some() { (!of_user).then(|| request.name.clone()) } else { entry(&request)? },
        user_id: about("user").map(UserId),
        advertiser_id: about("advertiser").map(AdvertiserId),
        product_id: about("product").map(ProductId),
        coupon_definition_id: about("coupon_definition").map(CouponDefinitionId),
        acceptor_id: about("acceptor").map(AcceptorId),
        publisher_id: about("publisher").map(PublisherId),
        publisher: None,
        proposal: proposal(&request)?.map(hidden),
        direction: direction(request.kind),
        amount: request.amount,
        reference: request.reference,
        reference_compared: None,
        bank_lines: Vec::new(),
        reference_also: Vec::new(),
        cleared_at: request.cleared_at,
        status,
        reason: request.reason,
        requested_by: request.review.requested_by,
        requested_by_name: names.get(&request.review.requested_by).cloned().unwrap_or_default(),
        requested_at: request.requested_at,
        expires_at: request.review.expires_at,
        decided_by: request.decided_by,
        decided_by_name: request.decided_by.and_then(|by| names.get(&by).cloned()),
        approved_at: decided_at.filter(|_| approved_by.is_some()),
        decided_at,
        approved_by,
        rejected_by,
        paid_by: request.paid.map(|paid| paid.by),
        paid_at: request.paid.and_then(|paid| paid.at),
        claim_url: None,
        claimed_at: None,
        fingerprint: None,
        half: None,
        code_status: None,
        code_until: None,
        outstanding: None,
        to_cancelled_accounts: None,
        funds: None,
    })
}

fn names<'a>(conn: &mut Conn, of: impl Iterator<Item = &'a MoneyRequest>) -> Result<Names, Error> {
    let operators = of.flat_map(|request| [Some(request.review.requested_by), request.decided_by]).flatten();
    Ok(store::staff::operators::names(conn, operators)?)
}

pub fn of(conn: &mut Conn, request: MoneyRequest, now: Timestamp) -> Result<RequestView, Error> {
    let names = names(conn, std::iter::once(&request))?;
    let contact = contact(conn, &request, now)?;
    Ok(RequestView { contact, ..shown(request, &names, now)? })
}

fn contact(conn: &mut Conn, request: &MoneyRequest, now: Timestamp) -> Result<Option<ContactView>, Error> {
    let (RequestKind::PayPasswordReset | RequestKind::LoginPasswordReset, Subject::User(id)) =
        (request.kind, request.subject)
    else {
        return Ok(None);
    };
    let user = store::people::users::find(conn, id)?.ok_or(Refusal::NotFound)?;
    contacts::contact(conn, &user, now).map(Some)
}

/// The view of a request, with other documents that have its reference.
pub fn with_uses(conn: &mut Conn, request: MoneyRequest, now: Timestamp) -> Result<RequestView, Error> {
    let reference_also = references::other_uses(conn, &request)?;
    let reference_compared = request.reference.as_deref().map(bank::reference::compared);
    Ok(RequestView { reference_compared, reference_also, ..of(conn, request, now)? })
}

pub fn of_all(conn: &mut Conn, page: Page<MoneyRequest>, now: Timestamp) -> Result<Page<RequestView>, Error> {
    let names = names(conn, page.items.iter())?;
    let items = page.items.into_iter().map(|request| shown(request, &names, now));
    Ok(Page { items: items.collect::<Result<_, _>>()?, next: page.next })
}

/// The view of a request with the resulting figures, for kinds that have them.
pub fn with_figures(tx: &mut Tx<'_>, books: &Books, request: MoneyRequest) -> Result<RequestView, Error> {
    let (kind, subject, now) = (request.kind, request.subject, tx.now());
    let (row, status) = (request.row(), request.review.status);
    let view = with_uses(tx, request, now)?;
    Ok(match (kind, subject) {
        (RequestKind::AdvertiserFund, Subject::Advertiser(id)) => {
            RequestView { funds: Some(books.advertiser(id)?.claims), ..view }
        }
        (RequestKind::StartupLoan, _) => {
            RequestView { outstanding: Some(books.wallet()?.startup_loan_outstanding()?), ..view }
        }
        (RequestKind::DeliveryCorrection, _) if status == RequestStatus::Approved => {
            let given = corrections::sum_to_cancelled(tx, row)?;
            RequestView { to_cancelled_accounts: given.is_positive().then_some(given), ..view }
        }
        (
            RequestKind::Chargeback | RequestKind::ChargebackCollection | RequestKind::ChargebackWaiver,
            Subject::User(user),
        ) => RequestView { outstanding: Some(chargebacks::due(tx, user)?), ..view },
        _ => view,
    })
}
