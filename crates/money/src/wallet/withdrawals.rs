//! The user's withdrawals, and operators' decisions on them.

mod detail;

use auth::{Permission, Role, Vault};
use base::{Money, OperatorId, Timestamp, UserId, WithdrawalId};
use foundation::accounts::{attempts, restrictions};
use foundation::idempotent::{Key, Made, fingerprint, once};
use foundation::notices::{NoticeKind, notify};
use foundation::people::account_audit;
pub use foundation::staff::decisions::{Case, Decided, Step, decide};
use foundation::staff::requests::{Subject, is_set_aside, read_reference};
use foundation::staff::{Changes, Staff, limits, may_be_paid, references};
use foundation::{App, Error, Refusal};
use serde::Serialize;
use serde_json::Value;
use store::staff::requests::MoneyRequest;
use store::wallet::bank::documents::Key as DocumentKey;
use store::wallet::books::{Books, Note};
pub use store::wallet::withdrawals::WithdrawalFilter;
use store::wallet::withdrawals::{self as rows, Withdrawal};
use store::{Page, PageRequest, Tx};
use wallet::{BankDocument, Document, UserAccount, WithdrawalReview, WithdrawalStatus};

use crate::wallet::bank_card::mask;
use crate::wallet::destination::Destination;
use crate::wallet::payment_files;
use crate::wallet::payment_files::unpaid::{self, GivenBack, Outgoing};
pub use detail::{DestinationEvent, InPaymentFile, Received, WithdrawalDetail, withdrawal_detail};

/// What the audit log calls an approval.
pub(crate) const APPROVED: &str = "withdrawal.approve";

/// A withdrawal as its user sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = Withdrawal)]
pub struct WithdrawalView {
    pub id: WithdrawalId,
    /// A decimal in the platform's currency.
    pub amount: Money,
    pub fee: Money,
    pub status: WithdrawalStatus,
    pub requested_at: Timestamp,
    pub decided_at: Option<Timestamp>,
    pub reason: String,
}

impl From<&Withdrawal> for WithdrawalView {
    fn from(w: &Withdrawal) -> Self {
        Self {
            id: w.id,
            amount: w.amount,
            fee: w.fee,
            status: w.review.status,
            requested_at: w.requested_at,
            decided_at: w.decided_at,
            reason: w.reason.clone(),
        }
    }
}

/// A withdrawal as operators see it, with where to pay to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StaffWithdrawal {
    #[serde(flatten)]
    pub withdrawal: WithdrawalView,
    /// The username.
    pub user: String,
    /// The same as `user`, for scripts of staff that know it by this name.
    pub username: String,
    /// Null if it cannot be opened: it was altered, or sealed with other secrets.
    pub destination: serde_json::Value,
    /// What is wrong with the account's number or address, if it was bound before wrong ones were refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destination_doubt: Option<String>,
    pub approved_by: Option<OperatorId>,
    pub paid_by: Option<OperatorId>,
    pub reference: Option<String>,
    /// When its line of the bank was found.
    pub cleared_at: Option<Timestamp>,
}

impl StaffWithdrawal {
    fn of((w, user): (Withdrawal, String), vault: &Vault) -> Self {
        let to = goes_to(&w, vault).ok();
        Self {
            withdrawal: (&w).into(),
            username: user.clone(),
            user,
            destination_doubt: to.as_ref().and_then(Destination::doubt),
            destination: to.and_then(|to| serde_json::to_value(to).ok()).unwrap_or_default(),
            approved_by: w.review.approved_by,
            paid_by: w.paid_by,
            reference: w.reference,
            cleared_at: w.cleared_at,
        }
    }

    /// Hides most of the destination from roles that do not pay.
    #[must_use]
    pub fn as_seen_by(mut self, role: Role) -> Self {
        if !role.may(Permission::Money) {
            for field in ["bank_account", "address"] {
                if let Some(Value::String(number)) = self.destination.get_mut(field) {
                    *number = mask(number);
                }
            }
        }
        self
    }
}

/// The user's own, newest first.
pub async fn withdrawals(app: &App, user: UserId, page: PageRequest) -> Result<Page<WithdrawalView>, Error> {
    let found = app.db.read(move |conn| rows::page_of_user(conn, user, page)).await?;
    Ok(found.map(|w| (&w).into()))
}

/// How long withdrawals took lately, from the request to the payment. Nothing is promised: these are
/// measurements of this installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = WithdrawalPace)]
pub struct Pace {
    /// The number of withdrawals that were measured; below three, both times are null.
    pub measured: usize,
    /// Half of them were paid within this many seconds.
    pub half_within: Option<i64>,
    /// All of them were paid within this many seconds.
    pub all_within: Option<i64>,
}

const MEASURED: i64 = 20;
/// Fewer measurements say nothing.
const ENOUGH: usize = 3;

pub async fn pace(app: &App) -> Result<Pace, Error> {
    Ok(Pace::of(app.db.read(move |conn| rows::waits(conn, MEASURED)).await?))
}

impl Pace {
    fn of(mut waits: Vec<i64>) -> Self {
        waits.sort_unstable();
        let measured = waits.len();
        if measured < ENOUGH {
            return Self { measured, half_within: None, all_within: None };
        }
        let seconds = |millis: &i64| millis.saturating_add(999) / 1_000;
        let half = waits.get((measured - 1) / 2).map(seconds);
        Self { measured, half_within: half, all_within: waits.last().map(seconds) }
    }
}

/// The user takes back a withdrawal that nobody has approved yet.
///
/// # Errors
/// `not_found`, `already_decided`, `idempotency_key_reused`.
pub async fn cancel_withdrawal(
    app: &App,
    user: UserId,
    id: WithdrawalId,
    key: Option<Key>,
) -> Result<WithdrawalView, Error> {
    let request = fingerprint("withdraw_cancel", &[&id.to_string()]);
    let cancelling = attempts::of_cancelling(app, user);
    app.db
        .write(move |tx| {
            let mut books = restrictions::lock_own(tx, user)?;
            let made = once(tx, user, key.as_ref(), &request, |tx| {
                attempts::note(tx, &cancelling)?;
                cancel_own(tx, &mut books, (user, id), key.as_ref())
            })?;
            Ok(WithdrawalView::from(&reread(tx, made.id)?))
        })
        .await
}

fn cancel_own(
    tx: &mut Tx<'_>,
    books: &mut Books,
    (user, id): (UserId, WithdrawalId),
    key: Option<&Key>,
) -> Result<Made<WithdrawalId>, Error> {
    let found = rows::find(tx, id)?.filter(|withdrawal| withdrawal.user == user).ok_or(Refusal::NotFound)?;
    let review = found.review.cancel_own()?;
    let postings = wallet::reject_withdrawal(books.wallet()?, found.amount)?;
    let note = Note {
        document: Document::Withdrawal(id),
        event_at: tx.now(),
        actor: format!("user:{user}"),
        reason: String::new(),
        idempotency_key: key.map(|key| key.as_str().to_owned()),
    };
    books.post(tx, &postings, &note)?;
    rows::send_back(tx, id, review, "")?;
    let changes = Changes::default().and("status", found.review.status.name(), review.status.name());
    account_audit::record_on(tx, user, account_audit::WITHDRAWAL_CANCELLED, format!("withdrawal:{id}"), changes)?;
    Ok(Made { id })
}

/// All withdrawals, or one user's, with user names, for operators.
pub async fn all_withdrawals(
    app: &App,
    wanted: WithdrawalFilter,
    page: PageRequest,
) -> Result<Page<StaffWithdrawal>, Error> {
    let found = app.db.read(move |conn| rows::page(conn, wanted, page)).await?;
    let vault = app.secrets.vault();
    Ok(found.map(|found| StaffWithdrawal::of(found, &vault)))
}

fn goes_to(withdrawal: &Withdrawal, vault: &Vault) -> Result<Destination, Error> {
    Destination::open(vault, rows::place(withdrawal.id), &withdrawal.destination)
}

/// The first of the two approvals. Nothing moves yet.
///
/// # Errors
/// Like all three decisions, `not_permitted`, `not_found`, `already_decided`. Like
/// paying, `limit_exceeded`. `request_altered` if its user or amount was edited.
pub async fn approve_withdrawal(app: &App, by: &Staff, id: WithdrawalId) -> Result<WithdrawalView, Error> {
    let vault = app.secrets.vault();
    decide::<WithdrawalCase>(app, by, Step::First, id, move |tx, by, _, found: &Withdrawal| {
        // A withdrawal whose destination cannot be read is not approved.
        goes_to(found, &vault)?;
        let review = found.review.approve(by.id(), |operator| by.person(operator))?;
        is_set_aside(tx, (found.user, UserAccount::Withdrawing), (Document::Withdrawal(found.id), found.amount))?;
        limits::count(tx, by, found.amount)?;
        rows::approve(tx, found.id, review)?;
        notify(tx, found.user, &NoticeKind::WithdrawalApproved { amount: found.amount })?;
        reread(tx, found.id)
    })
    .await
}

/// The second approval: the money was sent, under the bank's `reference`.
///
/// # Errors
/// `not_approved`, `second_person_needed` if the same person approved it;
/// `account_not_active` if only an admin may pay; the field `reference`, or
/// `reference_used` if another was paid under it; `in_payment_file` if the bank was told to; `payment_altered` if it is not
/// what was approved.
pub async fn pay_withdrawal(
    app: &App,
    by: &Staff,
    id: WithdrawalId,
    reference: Option<String>,
) -> Result<WithdrawalView, Error> {
    let reference = reference.as_deref().map(read_reference).transpose()?;
    let vault = app.secrets.vault();
    decide::<WithdrawalCase>(app, by, Step::Second, id, move |tx, by, books, found: &Withdrawal| {
        goes_to(found, &vault)?;
        payment_files::in_no_file(tx, BankDocument::Withdrawal, found.id.0)?;
        let review = found.review.pay(by.second(), |operator| by.person(operator))?;
        as_approved(tx, found)?;
        may_be_paid(tx, by, found.user)?;
        limits::count(tx, by, found.amount)?;
        let postings = wallet::pay_withdrawal(books.wallet()?, found.amount)?;
        let note = note(tx, by, found, String::new());
        books.post(tx, &postings, &note)?;
        rows::mark_paid(tx, found.id, review, by.id(), reference.as_deref()).map_err(|error| {
            if error.is_unique_violation() { Refusal::ReferenceUsed.into() } else { Error::Store(error) }
        })?;
        if let Some(reference) = &reference {
            references::claim_for_withdrawal(tx, found.id, reference)?;
        }
        notify(tx, found.user, &NoticeKind::WithdrawalPaid { amount: found.amount })?;
        reread(tx, found.id)
    })
    .await
}

/// Checks that the audit log records the approval of exactly this withdrawal to this destination.
fn as_approved(tx: &mut Tx<'_>, found: &Withdrawal) -> Result<(), Error> {
    let by = found.review.approved_by.ok_or(Refusal::NotApproved)?;
    let key = DocumentKey { kind: BankDocument::Withdrawal, row: found.id.0, number: found.id.0 };
    payment_files::is_as_approved(tx, key, by, &payment_files::pays_withdrawal(found))
}

/// Returns the money, or requests that it is returned if the withdrawal was approved. The user is told the operator's
/// reason.
///
/// # Errors
/// Once it was approved, those of [`GivenBack::Asked`].
pub async fn reject_withdrawal(app: &App, by: &Staff, id: WithdrawalId) -> Result<GivenBack<WithdrawalView>, Error> {
    by.may(Permission::Money)?;
    let found = app.db.read(move |conn| rows::find(conn, id)).await?.ok_or(Refusal::NotFound)?;
    if found.review.give_back().is_ok() {
        let asked = unpaid::request(app, by, Outgoing::Withdrawal(id)).await?;
        return Ok(GivenBack::Asked(Box::new(asked)));
    }
    let rejected = decide::<WithdrawalCase>(app, by, Step::No, id, |tx, by, books, found: &Withdrawal| {
        let review = found.review.reject()?;
        send_back(tx, by, books, (found, review, by.told_reason()?))?;
        reread(tx, found.id)
    });
    Ok(GivenBack::Done(rejected.await?))
}

/// Locks the owner of a withdrawal that was approved and is in no file.
pub(super) fn lock_approved(tx: &mut Tx<'_>, id: WithdrawalId) -> Result<(Subject, Money), Error> {
    let (_, found) = WithdrawalCase::lock(tx, id)?;
    payment_files::in_no_file(tx, BankDocument::Withdrawal, id.0)?;
    found.review.give_back()?;
    Ok((Subject::User(found.user), found.amount))
}

/// Returns the money of a withdrawal, as two people agreed: it was not paid.
pub(super) fn give_back(
    tx: &mut Tx<'_>,
    by: &Staff,
    books: &mut Books,
    (id, asked): (WithdrawalId, &MoneyRequest),
) -> Result<(), Error> {
    let found = reread(tx, id)?;
    unpaid::is_about(asked, Subject::User(found.user))?;
    payment_files::in_no_file(tx, BankDocument::Withdrawal, id.0)?;
    let review = found.review.give_back()?;
    send_back(tx, by, books, (&found, review, &asked.reason))
}

fn send_back(
    tx: &mut Tx<'_>,
    by: &Staff,
    books: &mut Books,
    (found, review, reason): (&Withdrawal, WithdrawalReview, &str),
) -> Result<(), Error> {
    let postings = wallet::reject_withdrawal(books.wallet()?, found.amount)?;
    let note = note(tx, by, found, reason.to_owned());
    books.post(tx, &postings, &note)?;
    rows::send_back(tx, found.id, review, reason)?;
    let (amount, reason) = (found.amount, reason.to_owned());
    notify(tx, found.user, &NoticeKind::WithdrawalRejected { amount, reason })?;
    Ok(())
}

/// A withdrawal, as a case that two people decide on.
struct WithdrawalCase;

impl Case for WithdrawalCase {
    type Id = WithdrawalId;
    type Row = Withdrawal;
    type View = WithdrawalView;

    fn lock(tx: &mut Tx<'_>, id: WithdrawalId) -> Result<(Books, Withdrawal), Error> {
        let user = reread(tx, id)?.user;
        let books = Books::lock_user(tx, user)?;
        Ok((books, reread(tx, id)?))
    }

    fn record(tx: &mut Tx<'_>, by: &Staff, decided: &Decided<'_, Withdrawal>) -> Result<WithdrawalView, Error> {
        let &Decided { step, before, after, .. } = decided;
        let action = match step {
            Step::First => APPROVED,
            Step::Second => "withdrawal.pay",
            Step::No => "withdrawal.reject",
        };
        let changes = Changes::default()
            .and("status", before.review.status.name(), after.review.status.name())
            .and("reference", before.reference.clone(), after.reference.clone())
            .about("amount", after.amount.to_string())
            .about("user", after.user.0)
            .about("account", restrictions::of(tx, after.user)?.status.name());
        let changes = match step {
            Step::First => changes.about(payment_files::PAYS, payment_files::pays_withdrawal(after)),
            Step::Second | Step::No => changes,
        };
        by.record(tx, action, format!("withdrawal:{}", after.id), &changes.details())?;
        Ok(after.into())
    }
}

fn reread(tx: &mut Tx<'_>, id: WithdrawalId) -> Result<Withdrawal, Error> {
    Ok(rows::find(tx, id)?.ok_or(Refusal::NotFound)?)
}

fn note(tx: &Tx<'_>, by: &Staff, found: &Withdrawal, reason: String) -> Note {
    Note {
        document: Document::Withdrawal(found.id),
        event_at: tx.now(),
        actor: by.actor(),
        reason,
        idempotency_key: None,
    }
}

#[cfg(test)]
mod tests {
    use super::Pace;

    #[test]
    fn the_pace_is_measured_from_three_on() {
        let pace = |waits: &[i64]| Pace::of(waits.to_vec());
        assert_eq!(pace(&[1, 2]), Pace { measured: 2, half_within: None, all_within: None });
        let four = pace(&[9_001, 1_000, 5_000, 3_000]);
        assert_eq!(four, Pace { measured: 4, half_within: Some(3), all_within: Some(10) });
        assert_eq!(pace(&[3, 2, 1]).half_within, Some(1));
    }
}
