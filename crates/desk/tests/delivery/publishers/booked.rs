//! What was booked for publishers, made without the use cases.

use base::{Money, PublisherId, RequestId};
use foundation::Error;
use foundation::staff::Staff;
use store::Tx;
use store::staff::requests::{self, MoneyRequest, NewRequest, Subject};
use store::wallet::books::{Books, Note};
use store::wallet::payment_files::{self, NewFile, NewPayment};
use wallet::{BankDocument, Document, RequestDocument, RequestKind, RequestReview, RequestStatus};

const PUBLISHER: PublisherId = PublisherId(1);

/// Requested by one operator and approved by another.
fn approved(tx: &mut Tx<'_>, ann: &Staff, bob: &Staff, kind: RequestKind) -> Result<MoneyRequest, Error> {
    let review = RequestReview::new(ann.id(), ann.id(), tx.now());
    let new = NewRequest {
        kind,
        subject: Subject::Publisher(PUBLISHER),
        amount: Money::from_minor(5),
        proposal: None,
        reference: None,
        reason: "a test".into(),
        review,
    };
    let asked = requests::insert(tx, &new)?;
    let approved = RequestReview { status: RequestStatus::Approved, ..review };
    Ok(requests::decide(tx, &asked, approved, Some((bob.id(), bob.id())), Money::ZERO)?)
}

fn note(tx: &Tx<'_>, by: &Staff, document: RequestDocument, id: RequestId) -> Note {
    Note {
        document: Document::Request(document, id),
        event_at: tx.now(),
        actor: by.actor(),
        reason: String::new(),
        idempotency_key: None,
    }
}

/// A correction.
pub fn correction(tx: &mut Tx<'_>, ann: &Staff, bob: &Staff, kind: RequestKind) -> Result<(), Error> {
    let mut books = Books::lock_publisher(tx, PUBLISHER)?;
    let asked = approved(tx, ann, bob, kind)?;
    let note = note(tx, bob, RequestDocument::PublisherCorrection, asked.id);
    let amount = if kind == RequestKind::PublisherDebit { asked.amount.negated()? } else { asked.amount };
    Ok(books.post(tx, &wallet::correct_publisher(PUBLISHER, amount)?, &note)?)
}

/// A payout that was paid.
pub fn payout(tx: &mut Tx<'_>, ann: &Staff, bob: &Staff) -> Result<(), Error> {
    let mut books = Books::lock_publisher(tx, PUBLISHER)?;
    let asked = approved(tx, ann, bob, RequestKind::PublisherPayout)?;
    let note = note(tx, ann, RequestDocument::PublisherPayout, asked.id);
    books.post(tx, &wallet::pay_publisher(PUBLISHER, asked.amount)?, &note)?;
    requests::mark_paid(tx, &asked, (ann.id(), ann.id()), "OUT-1")?;
    store::wallet::references::claim(tx, asked.kind.code(), "OUT-1", asked.row())?;
    in_a_file(tx, ann, bob, &asked)?;
    Ok(store::delivery::publisher::set_destination(tx, PUBLISHER, "sealed")?)
}

/// Exported to the bank, which two people say did not take it; and a withdrawal, which is still in its file.
fn in_a_file(tx: &mut Tx<'_>, ann: &Staff, bob: &Staff, asked: &MoneyRequest) -> Result<(), Error> {
    let payout = (BankDocument::PublisherPayout, asked.row());
    exported(tx, ann, payout, asked.amount)?;
    let of = payment_files::of(tx, payout.0, payout.1)?.ok_or(diesel::result::Error::NotFound);
    let of = of.map_err(store::Error::from)?;
    payment_files::doubt(tx, &of, ann.id(), ann.id())?;
    payment_files::free(tx, &of, bob.id())?;
    exported(tx, ann, (BankDocument::Withdrawal, 1), Money::from_minor(100))
}

/// A file with one payment.
fn exported(tx: &mut Tx<'_>, by: &Staff, (kind, row): (BankDocument, i64), amount: Money) -> Result<(), Error> {
    let new = NewFile {
        kind,
        made_by: by.id(),
        made_person: by.id(),
        execute_on: bank::Day::of(tx.now()),
        payments: 1,
        total: amount,
    };
    let file = payment_files::begin(tx, &new)?;
    let payment = NewPayment { kind, row, amount, end_to_end: format!("PLC-{row}-F{file}") };
    payment_files::add(tx, file, &[payment])?;
    Ok(payment_files::finish(tx, file, &format!("FILE-{file}"), &[1; 32])?)
}
