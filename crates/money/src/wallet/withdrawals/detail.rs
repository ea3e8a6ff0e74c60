//! What two people look at before they pay: whose money it is, where it goes, since when and
//! how often it went there, and how it came in.

use std::collections::BTreeMap;

use auth::{Role, Vault};
use base::{Money, OperatorId, Timestamp, WithdrawalId};
use foundation::people::account_audit;
use foundation::{App, Error, Refusal};
use serde::Serialize;
use store::people::users;
use store::staff::audit::{self, AuditFilter};
use store::staff::operators;
use store::wallet::chargebacks;
use store::wallet::flows::{self, KindTotal};
use store::wallet::payment_files::{self, ExportedPayment};
use store::wallet::withdrawals::{self as rows, Withdrawal};
use store::{Conn, PageRequest};
use wallet::{BankDocument, FlowKind, WithdrawalStatus};

use super::{StaffWithdrawal, goes_to};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WithdrawalDetail {
    #[serde(flatten)]
    pub withdrawal: StaffWithdrawal,
    /// The file that tells the bank to pay it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exported: Option<InPaymentFile>,
    /// When the account that this withdrawal is paid to was bound; null if nobody bound one.
    pub destination_bound_at: Option<Timestamp>,
    /// Whether the user has bound another account since.
    pub destination_changed_since: bool,
    /// Each binding of an account, and each payment to this one; newest first.
    pub destination_history: Vec<DestinationEvent>,
    /// How money came to the user, by the kind of line.
    pub received: Vec<Received>,
    pub received_total: Money,
    /// What chargebacks could not take, so that no line above shows it. The user still owes it.
    pub chargeback_due: Money,
    /// What was paid to the user, and the part of it that went to this account.
    pub paid_total: Money,
    pub paid_here_total: Money,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InPaymentFile {
    pub file: String,
    pub end_to_end: String,
    pub at: Timestamp,
    /// Whether one person has said that the bank did not take it.
    pub doubted: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DestinationEvent {
    pub at: Timestamp,
    /// `bound` or `paid`.
    pub event: &'static str,
    /// `user:7` for the user who bound it, or the operator who paid.
    pub by: String,
    pub withdrawal: Option<WithdrawalId>,
    pub amount: Option<Money>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Received {
    pub kind: FlowKind,
    /// Negative for what was taken back.
    pub amount: Money,
    pub lines: i64,
    pub last_at: Timestamp,
}

/// The kinds of lines in which money comes in or is taken back. The user's own money that returns from a plan is
/// neither.
const INCOMING: [FlowKind; 5] = [
    FlowKind::SystemTopUp,
    FlowKind::SystemChargeback,
    FlowKind::Settlement,
    FlowKind::ProfitSharing,
    FlowKind::StartupFunds,
];
const BINDINGS: PageRequest = PageRequest { before: None, limit: 20 };
const EARLIER: PageRequest = PageRequest { before: None, limit: PageRequest::MAX_LIMIT };

impl WithdrawalDetail {
    /// Hides most of the destination from roles that do not pay.
    #[must_use]
    pub fn as_seen_by(self, role: Role) -> Self {
        Self { withdrawal: self.withdrawal.as_seen_by(role), ..self }
    }
}

/// A withdrawal with everything that speaks for or against paying it, from one moment.
///
/// # Errors
/// `not_found`.
pub async fn withdrawal_detail(app: &App, id: WithdrawalId) -> Result<WithdrawalDetail, Error> {
    let vault = app.secrets.vault();
    app.db.snapshot(move |conn| read(conn, &vault, id)).await
}

fn read(conn: &mut Conn, vault: &Vault, id: WithdrawalId) -> Result<WithdrawalDetail, Error> {
    let found = rows::find(conn, id)?.ok_or(Refusal::NotFound)?;
    let user = users::find(conn, found.user)?.ok_or(Refusal::NotFound)?;
    let bound = bindings(conn, &found)?;
    let paid = find_paid_here(conn, vault, &found)?;
    let exported = payment_files::of(conn, BankDocument::Withdrawal, found.id.0)?;
    let incoming = flows::totals_of(conn, found.user, &INCOMING)?;
    let before = bound.iter().find(|(at, _)| *at <= found.requested_at);
    let paid_here_total = Money::sum(paid.iter().map(|paid| paid.amount));
    let mut history: Vec<(Timestamp, DestinationEvent)> =
        bound.iter().map(|(at, by)| (*at, binding(*at, by))).collect();
    let payers = operators::names(conn, paid.iter().filter_map(|paid| paid.paid_by))?;
    history.extend(paid.iter().filter_map(|paid| {
        let at = paid.decided_at?;
        Some((at, payment(at, paid, &payers)))
    }));
    history.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    Ok(WithdrawalDetail {
        destination_bound_at: before.map(|(at, _)| *at),
        destination_changed_since: bound.first().is_some_and(|(at, _)| *at > found.requested_at),
        destination_history: history.into_iter().map(|(_, event)| event).collect(),
        received_total: Money::sum(incoming.iter().map(|total| total.amount))?,
        received: incoming.into_iter().map(Received::from).collect(),
        chargeback_due: chargebacks::due(conn, found.user)?,
        paid_total: rows::sum_paid_to(conn, found.user)?,
        paid_here_total: paid_here_total?,
        exported: exported.map(InPaymentFile::from),
        withdrawal: StaffWithdrawal::of((found, user.username), vault),
    })
}

/// When the user bound an account, and who that was; newest first.
fn bindings(conn: &mut Conn, of: &Withdrawal) -> Result<Vec<(Timestamp, String)>, Error> {
    let wanted = AuditFilter {
        subject: Some(format!("user:{}", of.user)),
        action: Some(account_audit::PAYOUT_BOUND.to_owned()),
        ..AuditFilter::default()
    };
    let found = audit::page(conn, &wanted, BINDINGS)?;
    Ok(found.items.into_iter().map(|record| (record.at, record.operator_name)).collect())
}

/// The user's latest payments to the same account.
fn find_paid_here(conn: &mut Conn, vault: &Vault, of: &Withdrawal) -> Result<Vec<Withdrawal>, Error> {
    let Ok(here) = goes_to(of, vault) else { return Ok(Vec::new()) };
    let all = rows::page_of_user(conn, of.user, EARLIER)?.items;
    let same = |one: &Withdrawal| goes_to(one, vault).is_ok_and(|to| to.is_same_account(&here));
    Ok(all.into_iter().filter(|one| one.review.status == WithdrawalStatus::Paid && same(one)).collect())
}

fn binding(at: Timestamp, by: &str) -> DestinationEvent {
    DestinationEvent { at, event: "bound", by: by.to_owned(), withdrawal: None, amount: None }
}

fn payment(at: Timestamp, paid: &Withdrawal, payers: &BTreeMap<OperatorId, String>) -> DestinationEvent {
    DestinationEvent {
        at,
        event: "paid",
        by: paid.paid_by.and_then(|by| payers.get(&by)).cloned().unwrap_or_default(),
        withdrawal: Some(paid.id),
        amount: Some(paid.amount),
    }
}

impl From<ExportedPayment> for InPaymentFile {
    fn from(of: ExportedPayment) -> Self {
        Self { file: of.file.to_string(), end_to_end: of.end_to_end, at: of.made_at, doubted: of.doubted.is_some() }
    }
}

impl From<KindTotal> for Received {
    fn from(total: KindTotal) -> Self {
        Self { kind: total.kind, amount: total.amount, lines: total.lines, last_at: total.last_at }
    }
}
