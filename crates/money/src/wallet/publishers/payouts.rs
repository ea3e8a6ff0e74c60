//! Paying publishers what they have earned. One operator requests a payout, another approves it, and somebody other
//! than the approver says that it was paid. Money moves only in this third step. To give an approved payout back, two
//! people must say that it was not paid.

use auth::{Permission, Vault};
use base::{Field, Money, OperatorId, PublisherId, RequestId, Timestamp, refuse_if};
pub use foundation::staff::decisions::{Case, Decided, Step, decide};
use foundation::staff::requests::{
    CheckedRequest, RequestRef, RequestView, decision, file, lock_request, read_reference,
};
use foundation::staff::{Changes, Staff, limits, references};
use foundation::{App, Error, Refusal, amount};
use serde::Serialize;
use store::Tx;
use store::delivery::publisher::{self as rows, PublisherRow};
use store::staff::operators;
use store::staff::requests::{self, MoneyRequest, Subject};
use store::wallet::bank::documents::Key;
use store::wallet::books::{Books, Note};
use store::wallet::payouts;
use supply::{Account, PayoutRules};
use wallet::{BankDocument, Document, RequestDocument, RequestKind, RequestReview};

use crate::wallet::payment_files;
use crate::wallet::payment_files::unpaid::{self, Outgoing};
use crate::wallet::publishers::terms::PayoutDestination;

/// A publisher's account, for staff; decimals in the platform's currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PublisherAccount {
    pub publisher_id: PublisherId,
    pub name: String,
    /// The publisher's part of all bills.
    pub earned: Money,
    /// What staff added to it, or took back if it is negative.
    pub corrected: Money,
    pub paid: Money,
    /// Asked for, or approved and not paid yet.
    pub asked: Money,
    /// What may be asked for now.
    pub payable: Money,
    /// The smallest payout, and how many days after their settlement plans' money can be
    /// paid: the installation's settings.
    pub minimum: Money,
    pub delay_days: i64,
    /// Where it is paid. Null if that is not known, or cannot be opened.
    pub destination: Option<PayoutDestination>,
    pub destination_since: Option<Timestamp>,
}

/// # Errors
/// `not_found`.
pub async fn account(app: &App, id: PublisherId) -> Result<PublisherAccount, Error> {
    let (now, vault, rules) = (app.now(), app.secrets.vault(), app.settings.payouts);
    app.db
        .snapshot(move |conn| {
            let row = rows::find(conn, id)?.ok_or(Refusal::NotFound)?;
            let account = payouts::account(conn, id, rules.settled_by(now), now)?;
            let open = |sealed: &String| PayoutDestination::open(&vault, id, sealed).ok();
            Ok(PublisherAccount {
                publisher_id: id,
                earned: account.earned,
                corrected: account.corrected()?,
                paid: account.paid,
                asked: account.asked,
                payable: account.payable()?,
                minimum: rules.minimum_for(row.publisher()?.status),
                delay_days: rules.delay_days,
                destination: row.destination.as_ref().and_then(open),
                destination_since: row.destination_since,
                name: row.name,
            })
        })
        .await
}

/// Requests a payout. Nothing moves yet, and nobody else can ask for the same money.
///
/// # Errors
/// The field `amount`: `more_than_payable`, or `below_minimum`; the field `destination`:
/// `required`, or `on_hold` if it is new; `not_permitted`, `not_found`, `limit_exceeded`,
/// `amount_out_of_range`.
pub async fn request_payout(app: &App, by: &Staff, id: PublisherId, amount: &str) -> Result<RequestView, Error> {
    by.may(Permission::Money)?;
    let (by, amount, rules) = (by.clone(), amount::positive(Field::Amount, amount)?, app.settings.payouts);
    app.db
        .write(move |tx| {
            let (row, account) = lock_publisher(tx, id, &rules)?;
            account.ask(amount, &row.publisher()?, &rules, tx.now())?;
            let (kind, subject) = (RequestKind::PublisherPayout, Subject::Publisher(id));
            file(tx, &by, CheckedRequest { kind, subject, amount, reference: None, proposal: None })
        })
        .await
}

/// Locks a publisher, and reads its account. Where it is paid decides, so the next audit record says what its row was.
fn lock_publisher(tx: &mut Tx<'_>, id: PublisherId, rules: &PayoutRules) -> Result<(PublisherRow, Account), Error> {
    let row = rows::lock(tx, id)?.ok_or(Refusal::NotFound)?;
    tx.notes().relies("publishers", id.0);
    let now = tx.now();
    let account = payouts::account(tx, id, rules.settled_by(now), now)?;
    Ok((row, account))
}

/// Checks that a payout that is about to be approved or paid is still covered by the rules in force now, and that its
/// destination can be read.
pub fn is_covered(
    tx: &mut Tx<'_>,
    (vault, rules): (&Vault, &PayoutRules),
    id: PublisherId,
    found: &MoneyRequest,
) -> Result<(), Error> {
    let (row, account) = lock_publisher(tx, id, rules)?;
    if let Some(sealed) = &row.destination {
        PayoutDestination::open(vault, id, sealed)?;
    }
    let now = tx.now();
    Ok(account.covers((found.amount, found.requested_at), &row.publisher()?, rules, now)?)
}

/// Books that an approved payout was paid, under the bank's `reference`.
///
/// # Errors
/// The field `reference`; `not_permitted`, `not_found`, `not_approved`,
/// `second_person_needed` for the person who approved it, `already_decided`,
/// `limit_exceeded`, `reference_used`; `proposal_stale` if its destination is another one
/// by now; `in_payment_file` if the bank was told to pay it; `payment_altered` if it is not what was approved.
pub async fn pay(app: &App, by: &Staff, id: RequestId, reference: &str) -> Result<RequestView, Error> {
    let reference = read_reference(reference)?;
    let which = RequestRef::of(RequestDocument::PublisherPayout, id);
    let (vault, rules) = (app.secrets.vault(), app.settings.payouts);
    decide::<PayoutCase>(app, by, Step::Second, which, move |tx, by, books, found: &MoneyRequest| {
        let Subject::Publisher(publisher) = found.subject else { return Err(Refusal::NotFound.into()) };
        refuse_if(found.paid.is_some(), Refusal::AlreadyDecided)?;
        let approved = found.approved().ok_or(Refusal::NotApproved)?;
        found.review.pay(approved, by.second(), |operator| by.person(operator))?;
        payment_files::in_no_file(tx, BankDocument::PublisherPayout, found.row())?;
        limits::count(tx, by, found.amount)?;
        is_covered(tx, (&vault, &rules), publisher, found)?;
        as_approved(tx, approved.by, publisher, found)?;
        let postings = wallet::pay_publisher(publisher, found.amount)?;
        let note = Note {
            document: Document::Request(RequestDocument::PublisherPayout, found.id),
            event_at: tx.now(),
            actor: by.actor(),
            reason: reference.clone(),
            idempotency_key: None,
        };
        books.post(tx, &postings, &note)?;
        let payer = (by.id(), by.person(by.id()));
        references::claim_for_request(tx, found, &reference)?;
        requests::mark_paid(tx, found, payer, &reference).map_err(|error| {
            if error.is_unique_violation() { Refusal::ReferenceUsed.into() } else { Error::Store(error) }
        })
    })
    .await
}

/// Checks that the audit log records the approval of exactly this payout to this destination.
fn as_approved(tx: &mut Tx<'_>, by: OperatorId, publisher: PublisherId, found: &MoneyRequest) -> Result<(), Error> {
    let to = rows::find(tx, publisher)?.ok_or(Refusal::NotFound)?;
    let key = Key { kind: BankDocument::PublisherPayout, row: found.row(), number: found.id.0 };
    payment_files::is_as_approved(tx, key, by, &payment_files::pays_to_publisher(found, &to))
}

/// Requests that a payout is given back that was approved and could not be paid.
///
/// # Errors
/// Those of [`unpaid::GivenBack::Asked`].
pub async fn take_back(app: &App, by: &Staff, id: RequestId) -> Result<RequestView, Error> {
    unpaid::request(app, by, Outgoing::PublisherPayout(id)).await
}

/// Locks the publisher of a payout that was approved and is in no file.
pub(crate) fn lock_approved(tx: &mut Tx<'_>, id: RequestId) -> Result<(Subject, Money), Error> {
    let (_, found) = lock_request(tx, RequestRef::of(RequestDocument::PublisherPayout, id))?;
    taken_back(tx, &found)?;
    Ok((found.subject, found.amount))
}

fn taken_back(tx: &mut Tx<'_>, found: &MoneyRequest) -> Result<RequestReview, Error> {
    refuse_if(found.paid.is_some(), Refusal::AlreadyDecided)?;
    payment_files::in_no_file(tx, BankDocument::PublisherPayout, found.row())?;
    Ok(found.review.take_back()?)
}

/// Gives a payout back, as two people agreed: it was not paid, and the money can be requested again.
pub(crate) fn give_back(tx: &mut Tx<'_>, by: &Staff, (id, asked): (RequestId, &MoneyRequest)) -> Result<(), Error> {
    let found = RequestRef::of(RequestDocument::PublisherPayout, id).one(tx)?;
    unpaid::is_about(asked, found.subject)?;
    let review = taken_back(tx, &found)?;
    let decider = (by.id(), operators::people(tx)?.person(by.id()));
    requests::decide(tx, &found, review, Some(decider), Money::ZERO)?;
    Ok(())
}

/// An approved payout, as a case that somebody confirms as paid.
struct PayoutCase;

impl Case for PayoutCase {
    type Id = RequestRef;
    type Row = MoneyRequest;
    type View = RequestView;

    fn lock(tx: &mut Tx<'_>, which: RequestRef) -> Result<(Books, MoneyRequest), Error> {
        lock_request(tx, which)
    }

    fn record(tx: &mut Tx<'_>, by: &Staff, decided: &Decided<'_, MoneyRequest>) -> Result<RequestView, Error> {
        decision::record(tx, by, decided, Changes::default())
    }
}
