//! Files that tell the bank to pay what was approved. The person who exports a file must not be the one who approved
//! its payments, and each payment is in at most one file. Nothing is booked until the bank's statement shows the
//! payment under the id that the file gave it.

mod approvals;
mod booked;
mod candidates;
mod not_taken;
mod payout;
pub mod unpaid;

use auth::Permission;
use bank::Day;
use bank::payments::{LARGEST, LONGEST_NAME, Party, PartyAccount, Payment, PaymentOrder, spelled};
use base::{Field, Money, Timestamp, hex};
use foundation::staff::decisions::Decider;
use foundation::staff::{Staff, limits};
use foundation::{App, Error, Refusal};
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use store::Tx;
use store::staff::{audit, limits as counted};
use store::wallet::bank::documents::Key;
use store::wallet::payment_files::{self as rows, NewFile, NewPayment};
use wallet::{Approval, BankDocument, Refused};

use crate::wallet::bank_card::mask;
pub use approvals::{PAYS, in_no_file, is_as_approved, pays_to_publisher, pays_withdrawal};
pub use booked::book_paid;
use candidates::{Held, PaymentCandidate, Receiver};
pub use not_taken::{NotTaken, PaidByFile, report_not_taken};
pub use payout::PayoutView;

/// The most payments in a file; the next export has the rest.
const MOST: i64 = 1_000;
/// How many days in advance banks accept orders.
const DAYS_AHEAD: u64 = 30;
/// What the audit log calls the export of a file.
const EXPORTED: &str = "payment_file.export";

/// What an export did. It shows no account in full: only the file has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExportedFile {
    /// The file's number; null if there was nothing to pay, and then there is no file.
    pub file: Option<String>,
    /// How the bank knows the file.
    pub message: Option<String>,
    pub execute_on: String,
    pub currency: String,
    pub total: Money,
    pub sha256: Option<String>,
    pub payments: Vec<ExportedPaymentView>,
    /// What was approved but left out of the file, with the reason.
    pub left_out: Vec<LeftOut>,
    /// Whether more payments are approved than fit into one file.
    pub more: bool,
}

/// A payment of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExportedPaymentView {
    /// Such as `withdrawal:7`.
    pub document: String,
    /// The user or publisher.
    pub of: String,
    pub amount: Money,
    pub end_to_end: String,
    /// The account, masked.
    pub account: String,
    /// The holder as the file has it.
    pub name: String,
    /// The holder as bound, if the bank's letters cannot write it so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound_as: Option<String>,
}

/// A payment that is not in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    pub document: String,
    pub of: String,
    pub amount: Money,
    /// `own_approval`, `wallet_address`, `over_limit`, and so on.
    pub reason: &'static str,
}

/// Exports all approved withdrawals, or all approved payouts of publishers, that may be in a file. Returns what staff
/// are shown of it, and the file's bytes; without payments there are none.
///
/// # Errors
/// `not_permitted`, `founders_missing`; the field `PLACARD_PAYER_ACCOUNT` if it is not set; the field
/// `PLACARD_CURRENCY` if banks know no such currency; the field `on`; `payment_altered` if what is to be paid is not
/// what was approved.
pub async fn export(
    app: &App,
    by: &Staff,
    kind: BankDocument,
    on: Option<&str>,
) -> Result<(ExportedFile, Option<Vec<u8>>), Error> {
    by.may(Permission::Money)?;
    let payer = app.settings.payer.clone().ok_or_else(|| Error::field(Field::PayerAccountSetting, "required"))?;
    Error::field_if(!is_currency(&app.settings.currency.code), Field::CurrencySetting, "unknown_to_banks")?;
    let execute_on = day(on, app.now())?;
    let (by, vault, settings) = (by.clone(), app.secrets.vault(), app.settings.clone());
    app.db
        .write(move |tx| {
            by.still_may(tx, Permission::Money)?;
            let found = match kind {
                BankDocument::Withdrawal => candidates::withdrawals(tx, &vault, &by, MOST)?,
                BankDocument::PublisherPayout => candidates::payouts(tx, &vault, &settings.payouts, MOST)?,
                _ => return Err(Error::Internal(format!("no {kind} is paid by a file"))),
            };
            let more = found.len() == usize::try_from(MOST).unwrap_or(usize::MAX);
            let chosen = ChosenPayments::of(tx, &by, kind, found)?;
            let order =
                Order { kind, execute_on, currency: settings.currency.code.clone(), payer: payer.clone(), more };
            order.write(tx, &by, chosen)
        })
        .await
}

/// Banks know the currencies of ISO 4217, whose codes have three letters.
fn is_currency(code: &str) -> bool {
    code.len() == 3 && code.bytes().all(|b| b.is_ascii_uppercase())
}

fn day(on: Option<&str>, now: Timestamp) -> Result<Day, Error> {
    let today = Day::of(now);
    let Some(text) = on else { return Ok(today) };
    let day = Day::parse(text).ok_or_else(|| Error::field(Field::On, "invalid"))?;
    Error::field_if(day < today || day.apart(today) > DAYS_AHEAD, Field::On, "out_of_range")?;
    Ok(day)
}

/// What will be in the file, and what will not.
struct ChosenPayments {
    payments: Vec<(PaymentCandidate, Receiver)>,
    left_out: Vec<LeftOut>,
    total: Money,
    /// The oldest of the approvals.
    approved_since: Option<i64>,
}

impl ChosenPayments {
    fn of(tx: &mut Tx<'_>, by: &Staff, kind: BankDocument, found: Vec<PaymentCandidate>) -> Result<Self, Error> {
        let approvals = approvals::of(tx, kind, &found)?;
        let decider = Decider::approving(tx, by)?;
        let (limits, mut moved) = limits::room(tx, by)?;
        let mut chosen = Self { payments: Vec::new(), left_out: Vec::new(), total: Money::ZERO, approved_since: None };
        for candidate in found {
            let fits = match candidate.receiver.clone() {
                Ok(receiver) => approvals.hold(&candidate)?.and_then(|record| {
                    check_other_person(&candidate, &decider)?;
                    let to = party(&receiver)?;
                    check_payable(candidate.amount)?;
                    moved = limits.allow(candidate.amount, moved).map_err(|_| Held::OVER_LIMIT)?;
                    Ok((record, Receiver { to: Some(to), ..receiver }))
                }),
                // Somebody may have changed the destination since the approval; then it is not paid.
                Err(held) => Err(held),
            };
            match fits {
                Ok((record, receiver)) => {
                    chosen.total = chosen.total.plus(candidate.amount)?;
                    chosen.approved_since = Some(chosen.approved_since.map_or(record, |first| first.min(record)));
                    chosen.payments.push((candidate, receiver));
                }
                Err(Held(reason)) => chosen.left_out.push(LeftOut {
                    document: candidate.key.to_string(),
                    of: candidate.of,
                    amount: candidate.amount,
                    reason,
                }),
            }
        }
        Ok(chosen)
    }
}

/// Checks that the exporting operator is not the person who approved the payment.
fn check_other_person(candidate: &PaymentCandidate, decider: &Decider<'_>) -> Result<(), Held> {
    match Approval::Asked(candidate.approved).agree(decider.second(), |operator| decider.person(operator)) {
        Ok(()) => Ok(()),
        Err(Refused::SecondPersonNeeded) => Err(Held::OWN_APPROVAL),
        Err(_) => Err(Held::NOT_APPROVED),
    }
}

fn check_payable(amount: Money) -> Result<(), Held> {
    if amount.is_positive() && amount <= LARGEST { Ok(()) } else { Err(Held::AMOUNT) }
}

fn party(of: &Receiver) -> Result<Party, Held> {
    let name = spelled(&of.holder).ok_or(Held::NAME)?;
    let bank = if of.account.is_iban() { None } else { Some(spelled(&of.bank).ok_or(Held::BANK)?) };
    if name.len() > LONGEST_NAME || bank.as_ref().is_some_and(|bank| bank.len() > LONGEST_NAME) {
        return Err(Held::NAME_TOO_LONG);
    }
    let number = of.account.number().to_owned();
    let account = if of.account.is_iban() { PartyAccount::Iban(number) } else { PartyAccount::Other(number) };
    let party = Party { name, account, bic: None, bank };
    party.check().map(|()| party).map_err(|_| Held::ACCOUNT)
}

/// What all payments of a file share.
struct Order {
    kind: BankDocument,
    execute_on: Day,
    currency: String,
    payer: Party,
    more: bool,
}

impl Order {
    fn write(
        self,
        tx: &mut Tx<'_>,
        by: &Staff,
        chosen: ChosenPayments,
    ) -> Result<(ExportedFile, Option<Vec<u8>>), Error> {
        let (Some(since), total) = (chosen.approved_since, chosen.total) else {
            return Ok((self.view(None, Vec::new(), chosen), None));
        };
        let made_person = Decider::approving(tx, by)?.person(by.id());
        let payments = i64::try_from(chosen.payments.len()).map_err(|error| Error::Internal(error.to_string()))?;
        let Self { kind, execute_on, .. } = self;
        let file = rows::begin(tx, &NewFile { kind, made_by: by.id(), made_person, execute_on, payments, total })?;
        let (new, shown): (Vec<NewPayment>, Vec<ExportedPaymentView>) =
            chosen.payments.iter().map(|(of, to)| exported(file, of, to)).unzip();
        let made_at = tx.now();
        let message = message(file, made_at);
        let bytes = self.order(&message, made_at, &new, &chosen)?.xml();
        let bytes = bytes.map_err(|error| Error::Internal(format!("payment file {file}: {error}")))?;
        let digest: [u8; 32] = Sha256::digest(&bytes).into();
        rows::finish(tx, file, &message, &digest)?;
        rows::add(tx, file, &new).map_err(|error| {
            if error.is_unique_violation() { Refusal::ReferenceUsed.into() } else { Error::Store(error) }
        })?;
        counted::count(tx, total)?;
        if !audit::holds_since(tx, since)? {
            return Err(Refusal::PaymentAltered { document: "audit".to_owned() }.into());
        }
        let view = self.view(Some((file, message, hex::encode(&digest))), shown, chosen);
        by.record(tx, EXPORTED, format!("payment_file:{file}"), &facts(&view))?;
        Ok((view, Some(bytes)))
    }

    fn order(
        &self,
        message: &str,
        made_at: Timestamp,
        new: &[NewPayment],
        chosen: &ChosenPayments,
    ) -> Result<PaymentOrder, Error> {
        let payment = |(new, (_, receiver)): (&NewPayment, &(PaymentCandidate, Receiver))| {
            let to = receiver.to.clone().ok_or_else(|| Error::Internal("nobody is paid".to_owned()))?;
            Ok(Payment { end_to_end: new.end_to_end.clone(), amount: new.amount, to })
        };
        Ok(PaymentOrder {
            message: message.to_owned(),
            made_at,
            execute_on: self.execute_on,
            currency: self.currency.clone(),
            payer: self.payer.clone(),
            payments: new.iter().zip(&chosen.payments).map(payment).collect::<Result<_, Error>>()?,
        })
    }

    fn view(
        &self,
        file: Option<(i64, String, String)>,
        payments: Vec<ExportedPaymentView>,
        chosen: ChosenPayments,
    ) -> ExportedFile {
        let (file, message, sha256) = match file {
            Some((file, message, sha256)) => (Some(file.to_string()), Some(message), Some(sha256)),
            None => (None, None, None),
        };
        ExportedFile {
            file,
            message,
            execute_on: self.execute_on.to_string(),
            currency: self.currency.clone(),
            total: chosen.total,
            sha256,
            payments,
            left_out: chosen.left_out,
            more: self.more,
        }
    }
}

fn exported(file: i64, of: &PaymentCandidate, receiver: &Receiver) -> (NewPayment, ExportedPaymentView) {
    let Key { kind, row, number } = of.key;
    let letter = if kind == BankDocument::Withdrawal { 'W' } else { 'P' };
    let end_to_end = format!("PLC-{letter}{number}-F{file}");
    let name = receiver.to.as_ref().map(|to| to.name.clone()).unwrap_or_default();
    let view = ExportedPaymentView {
        document: of.key.to_string(),
        of: of.of.clone(),
        amount: of.amount,
        end_to_end: end_to_end.clone(),
        account: mask(receiver.account.number()),
        bound_as: Some(receiver.holder.clone()).filter(|bound| *bound != name),
        name,
    };
    (NewPayment { kind, row, amount: of.amount, end_to_end }, view)
}

/// The id of the file's message. It contains the time, so that a restored database does not give the same id to another
/// file.
fn message(file: i64, at: Timestamp) -> String {
    let digits: String = at.to_string().chars().filter(char::is_ascii_digit).take("20261126124000".len()).collect();
    format!("PLC-F{file}-{digits}")
}

/// What the audit log records: the payments, and the digest of the file with their accounts.
fn facts(of: &ExportedFile) -> serde_json::Value {
    let payments: Vec<_> = of.payments.iter().map(|one| json!([one.document, one.end_to_end, one.amount])).collect();
    json!({
        "message": of.message,
        "execute_on": of.execute_on,
        "currency": of.currency,
        "number": of.payments.len(),
        "total": of.total,
        "sha256": of.sha256,
        "payments": payments,
    })
}
