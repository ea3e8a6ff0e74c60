//! Compares documents with what was booked for them: each decided document has exactly
//! the transactions that its state requires, and no other has any.

use std::collections::BTreeMap;

use base::Money;
use db::{codes, row};
use diesel::prelude::*;
use wallet::{ExchangeStatus, RequestKind, RequestStatus, TransactionKind, WithdrawalStatus};

use super::faults::{Faults, Law};
use super::lines::EntryRow;
use super::walk::TransactionRow;
use crate::wallet::books::Owner;
use crate::{Conn, Error};

/// Documents read at a time.
const CHUNK: i64 = 2_000;

/// What was booked for documents with an amount.
#[derive(Default)]
pub(super) struct BookedDocuments(BTreeMap<(TransactionKind, i64), BookedAmount>);

/// What was booked for one document with transactions of one kind.
struct BookedAmount {
    times: i64,
    amount: i64,
    book: i64,
    /// One of the transactions.
    transaction: i64,
}

/// The kinds of transactions whose documents state the amount. Movements that the user requests alone (deposit,
/// start-up funds returned, VIP) have no document besides their transaction.
const DOCUMENTED: [TransactionKind; 23] = [
    TransactionKind::Recharge,
    TransactionKind::AdvertiserFunding,
    TransactionKind::PublisherPaid,
    TransactionKind::PublisherCorrected,
    TransactionKind::StartupLoanAdvanced,
    TransactionKind::Chargeback,
    TransactionKind::ChargebackCollected,
    TransactionKind::PromotionGranted,
    TransactionKind::PromotionRevoked,
    TransactionKind::PlanPut,
    TransactionKind::PlanAdded,
    TransactionKind::DeliveryBilled,
    TransactionKind::HoldReleased,
    TransactionKind::DeliveryRefunded,
    TransactionKind::Settlement,
    TransactionKind::ConversionAccepted,
    TransactionKind::ConversionReversed,
    TransactionKind::WithdrawalAsked,
    TransactionKind::WithdrawalRejected,
    TransactionKind::WithdrawalPaid,
    TransactionKind::ExchangePut,
    TransactionKind::ExchangeCompleted,
    TransactionKind::ExchangeCancelled,
];

/// Payments that one operator could book alone before they became requests. Only their transactions exist.
const BEFORE_REQUESTS: [&str; 2] = ["advertiser_funding", "startup"];

impl BookedDocuments {
    pub fn take(&mut self, kind: TransactionKind, row: &TransactionRow, entries: &[EntryRow]) {
        if !DOCUMENTED.contains(&kind) || BEFORE_REQUESTS.contains(&row.ref_type.as_str()) {
            return;
        }
        // What exchanges get late comes from the platform, not from the plan; the parts of bills state the amounts.
        if kind == TransactionKind::DeliveryBilled && !entries.iter().any(EntryRow::is_of_hold) {
            return;
        }
        // A correction may go either way.
        let amount = |entry: &EntryRow| match kind {
            TransactionKind::PublisherCorrected if entry.is_of_publisher() => entry.amount,
            TransactionKind::DeliveryBilled if entry.is_of_hold() => entry.amount.saturating_neg(),
            // What is taken from the deposit passes through `available`, so the user's entries are not counted.
            TransactionKind::Chargeback | TransactionKind::ChargebackCollected if entry.is_of_user() => 0,
            TransactionKind::PublisherCorrected | TransactionKind::DeliveryBilled => 0,
            _ => entry.amount.max(0),
        };
        let amount = entries.iter().map(amount).fold(0, i64::saturating_add);
        let (book, transaction) = (row.book, row.id);
        let moved = self.0.entry((kind, row.ref_id)).or_insert(BookedAmount { times: 0, amount: 0, book, transaction });
        moved.times += 1;
        moved.amount = moved.amount.saturating_add(amount);
        if moved.book != book {
            moved.book = 0;
        }
    }
}

row! {
    /// A booking that a document requires.
    #[derive(Queryable)]
    struct ExpectedBooking {
        id: i64,
        book: i64,
        /// The transaction's kind.
        kind: i16,
        /// The number of transactions; 0 for any number.
        times: i64,
        amount: i64,
        /// The document's name in messages.
        name: String,
    }
}

/// SQL for the approved requests of a kind, with the kind of transaction that books them.
fn of_request(kind: RequestKind, booked: TransactionKind, name: &str) -> String {
    format!(
        "SELECT COALESCE(old_number, id) AS id, COALESCE(user_id, -advertiser_id) AS book, {} AS kind, 1 AS times, amount, \
         '{name}' AS name FROM money_requests WHERE status = {} AND kind = {}",
        booked.code(),
        RequestStatus::Approved.code(),
        kind.code()
    )
}

/// The columns of a request whose booking is in its publisher's book: see `Owner::book`.
const OF_PUBLISHER: &str = "COALESCE(old_number, id) AS id, -1099511627776 - COALESCE(publisher_id, 0) AS book";

/// SQL for payouts that were paid, and for approved corrections.
fn of_publishers() -> [String; 2] {
    let (credit, debit) = (RequestKind::PublisherCredit.code(), RequestKind::PublisherDebit.code());
    [
        format!(
            "SELECT {OF_PUBLISHER}, {} AS kind, 1 AS times, amount, 'publisher_payout' AS name FROM money_requests \
             WHERE paid_at IS NOT NULL AND kind = {}",
            TransactionKind::PublisherPaid.code(),
            RequestKind::PublisherPayout.code()
        ),
        format!(
            "SELECT {OF_PUBLISHER}, {} AS kind, 1 AS times, CASE kind WHEN {credit} THEN amount ELSE -amount END AS amount, \
             'publisher_correction' AS name FROM money_requests WHERE status = {} AND kind IN ({credit}, {debit})",
            TransactionKind::PublisherCorrected.code(),
            RequestStatus::Approved.code()
        ),
    ]
}

/// SQL for what the rows of plans require under a condition. With `times` 0, there may be any number of transactions.
fn of_plan(kind: TransactionKind, times: i64, amount: &str, name: &str, condition: &str) -> String {
    format!(
        "SELECT id, user_id AS book, {} AS kind, {times} AS times, {amount} AS amount, '{name}' AS name \
         FROM plans WHERE {condition}",
        kind.code()
    )
}

/// SQL for accepted conversions.
fn of_conversion(kind: TransactionKind, name: &str, condition: &str) -> String {
    format!(
        "SELECT c.id AS id, p.user_id AS book, {} AS kind, 1 AS times, c.payout AS amount, '{name}' AS name \
         FROM conversions c JOIN plans p ON p.id = c.plan_id WHERE c.accepted{condition}",
        kind.code()
    )
}

/// SQL for every row of a table.
fn of_each(kind: TransactionKind, name: &str, table: &str) -> String {
    format!(
        "SELECT id, user_id AS book, {} AS kind, 1 AS times, amount, '{name}' AS name FROM {table} WHERE 1 = 1",
        kind.code()
    )
}

/// SQL for what was decided on a row: one status requires one kind of transaction, the other statuses another kind.
fn of_decision(
    (status, kind): (i16, TransactionKind),
    (others, other_kind): (&[i16], TransactionKind),
    name: &str,
    table: &str,
) -> String {
    let decided = codes(std::iter::once(status).chain(others.iter().copied()));
    format!(
        "SELECT id, user_id AS book, CASE status WHEN {status} THEN {} ELSE {} END AS kind, 1 AS times, amount, \
         '{name}' AS name FROM {table} WHERE status IN ({decided})",
        kind.code(),
        other_kind.code()
    )
}

/// Each query lists the bookings required by one kind of document.
fn queries() -> Vec<String> {
    use TransactionKind as Kind;
    use {ExchangeStatus as Exchange, WithdrawalStatus as Withdrawal};
    let mut queries = vec![
        of_request(RequestKind::Recharge, Kind::Recharge, "recharge"),
        of_request(RequestKind::Chargeback, Kind::Chargeback, "chargeback"),
        of_request(RequestKind::ChargebackCollection, Kind::ChargebackCollected, "chargeback"),
        of_request(RequestKind::PromotionGrant, Kind::PromotionGranted, "promotion"),
        of_request(RequestKind::PromotionRevoke, Kind::PromotionRevoked, "promotion"),
        of_request(RequestKind::StartupLoan, Kind::StartupLoanAdvanced, "startup_advance"),
        of_request(RequestKind::AdvertiserFund, Kind::AdvertiserFunding, "advertiser_fund"),
        of_plan(Kind::PlanPut, 1, "put_amount - added_amount", "the put of plan", "put_at IS NOT NULL"),
        of_plan(Kind::PlanAdded, 0, "added_amount", "what was added to plan", "added_amount <> 0"),
        of_plan(Kind::DeliveryBilled, 0, "billed", "what was billed to plan", "billed <> 0"),
        of_plan(Kind::HoldReleased, 1, "returned", "what came back from plan", "returned <> 0"),
        of_plan(
            Kind::Settlement,
            1,
            "revenue + fee",
            "the settlement of plan",
            "settled_at IS NOT NULL AND revenue <> 0",
        ),
        of_conversion(Kind::ConversionAccepted, "conversion", ""),
        of_conversion(Kind::ConversionReversed, "the reversal of conversion", " AND c.reversed_at IS NOT NULL"),
        of_each(Kind::DeliveryRefunded, "delivery refund", "delivery_refunds"),
        of_each(Kind::WithdrawalAsked, "withdrawal", "withdrawals"),
        of_each(Kind::ExchangePut, "exchange", "exchange_orders"),
        of_decision(
            (Withdrawal::Paid.code(), Kind::WithdrawalPaid),
            (&[Withdrawal::Rejected.code(), Withdrawal::Cancelled.code()], Kind::WithdrawalRejected),
            "the decision on withdrawal",
            "withdrawals",
        ),
        of_decision(
            (Exchange::Completed.code(), Kind::ExchangeCompleted),
            (&[Exchange::Cancelled.code()], Kind::ExchangeCancelled),
            "the decision on exchange",
            "exchange_orders",
        ),
    ];
    queries.extend(of_publishers());
    queries
}

/// Compares every document with what was booked for it.
pub(super) fn check(conn: &mut Conn, booked: &mut BookedDocuments, faults: &mut Faults) -> Result<(), Error> {
    for query in queries() {
        let mut above = 0;
        loop {
            let rows: Vec<ExpectedBooking> = diesel::sql_query(part(&query, above)).load(conn)?;
            let Some(last) = rows.last() else { break };
            above = last.id;
            rows.iter().for_each(|asked| compare(asked, booked, faults));
        }
    }
    for ((kind, id), moved) in &booked.0 {
        let (transaction, kind) = (moved.transaction, kind.name());
        faults.add(Law::Balances, || {
            format!("transaction {transaction} ({kind} {id}) is of no document, or of one that was not decided so")
        });
    }
    Ok(())
}

/// The documents above a number, in the order of their numbers.
fn part(query: &str, above: i64) -> String {
    let key = match query {
        of_request if of_request.contains("money_requests") => "COALESCE(old_number, id)",
        of_conversion if of_conversion.contains("c.id") => "c.id",
        _ => "id",
    };
    format!(
        "SELECT id, book, CAST(kind AS SMALLINT) AS kind, CAST(times AS BIGINT) AS times, amount, name \
         FROM ({query} AND {key} > {above} ORDER BY {key} LIMIT {CHUNK}) AS d"
    )
}

fn compare(asked: &ExpectedBooking, booked: &mut BookedDocuments, faults: &mut Faults) {
    let ExpectedBooking { id, name, .. } = asked;
    let found = TransactionKind::try_from(asked.kind).ok().and_then(|kind| booked.0.remove(&(kind, *id)));
    let Some(moved) = found else {
        faults.add(Law::Balances, || format!("{name} {id} was never booked"));
        return;
    };
    let (times, transaction) = (moved.times, moved.transaction);
    if asked.times != 0 && times != asked.times {
        faults
            .add(Law::Balances, || format!("{name} {id} was booked {times} times, first in transaction {transaction}"));
    } else if moved.amount != asked.amount {
        let (booked, said) = (Money::from_minor(moved.amount), Money::from_minor(asked.amount));
        faults.add(Law::Balances, || format!("{name} {id} is {said}, and {booked} was booked"));
    } else if moved.book != asked.book && !is_earlier_refund(asked.kind, moved.book) {
        faults.add(Law::Balances, || format!("{name} {id} was booked for somebody else, in transaction {transaction}"));
    }
}

/// Earlier versions booked a refund of which nothing came to the user, such as a coupon's part, in its publisher's book.
/// The hash of the transaction covers whose refund it is.
pub fn is_earlier_refund(kind: i16, book: i64) -> bool {
    kind == TransactionKind::DeliveryRefunded.code() && matches!(Owner::of_book(book), Owner::Publisher(_))
}
