//! Compares documents with what was booked for them: each decided document has exactly
//! the transactions that its state requires, and no other has any.

use std::collections::BTreeMap;

use base::Money;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, SmallInt, Text};
use wallet::TransactionKind;

use super::faults::{Faults, Law};
use super::lines::EntryRow;
use super::walk::TransactionRow;
use crate::{Conn, Error};

/// Documents read at a time.
const CHUNK: i64 = 2_000;

/// What was booked for documents with an amount, by kind and document.
#[derive(Default)]
pub(super) struct BookedDocuments(BTreeMap<(TransactionKind, i64), BookedAmount>);

/// Of one kind, for one document.
struct BookedAmount {
    times: i64,
    amount: i64,
    book: i64,
    /// One of the transactions.
    transaction: i64,
}

/// Transaction kinds whose documents say what was moved. Movements at the user's own
/// request (deposit, start-up funds returned, VIP) have no document besides their
/// transaction.
const DOCUMENTED: [TransactionKind; 22] = [
    TransactionKind::Recharge,
    TransactionKind::AdvertiserFunding,
    TransactionKind::PublisherPaid,
    TransactionKind::PublisherCorrected,
    TransactionKind::StartupLoanAdvanced,
    TransactionKind::Chargeback,
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

/// What one operator booked alone before that became a request: there is only the
/// transaction.
const BEFORE_REQUESTS: [&str; 2] = ["advertiser_funding", "startup"];

impl BookedDocuments {
    pub fn take(&mut self, kind: TransactionKind, row: &TransactionRow, entries: &[EntryRow]) {
        if !DOCUMENTED.contains(&kind) || BEFORE_REQUESTS.contains(&row.ref_type.as_str()) {
            return;
        }
        // What exchanges get late is the platform's, and the plan has no part in it: the parts of bills say how much.
        if kind == TransactionKind::DeliveryBilled && !entries.iter().any(EntryRow::is_of_hold) {
            return;
        }
        // A correction goes either way.
        let amount = |entry: &EntryRow| match kind {
            TransactionKind::PublisherCorrected if entry.is_of_publisher() => entry.amount,
            TransactionKind::DeliveryBilled if entry.is_of_hold() => entry.amount.saturating_neg(),
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

/// The booking that a document requires.
#[derive(Queryable, QueryableByName)]
struct ExpectedBooking {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = BigInt)]
    book: i64,
    /// The transaction's kind.
    #[diesel(sql_type = SmallInt)]
    kind: i16,
    /// The number of transactions; 0 for any.
    #[diesel(sql_type = BigInt)]
    times: i64,
    #[diesel(sql_type = BigInt)]
    amount: i64,
    /// The document's name in messages.
    #[diesel(sql_type = Text)]
    name: String,
}

/// An approved request of a kind, and the kind of transaction that books it.
macro_rules! request {
    ($kind:literal, $booked:literal, $name:literal) => {
        concat!(
            "SELECT COALESCE(old_number, id) AS id, COALESCE(user_id, -advertiser_id) AS book, ",
            $booked,
            " AS kind, 1 AS times, amount, '",
            $name,
            "' AS name FROM money_requests WHERE status = 1 AND kind = ",
            $kind
        )
    };
}

/// Each query lists the bookings required by one kind of document.
const ASK: [&str; 20] = [
    request!(1, 1, "recharge"),
    request!(2, 14, "chargeback"),
    request!(3, 15, "promotion"),
    request!(4, 16, "promotion"),
    request!(5, 12, "startup_advance"),
    request!(6, 2, "advertiser_fund"),
    // Publishers' books: see `Owner::book`.
    "SELECT COALESCE(old_number, id) AS id, -1099511627776 - COALESCE(publisher_id, 0) AS book, 26 AS kind, 1 AS times, amount, \
     'publisher_payout' AS name FROM money_requests WHERE paid_at IS NOT NULL AND kind = 11",
    "SELECT COALESCE(old_number, id) AS id, -1099511627776 - COALESCE(publisher_id, 0) AS book, 27 AS kind, 1 AS times, \
     CASE kind WHEN 13 THEN amount ELSE -amount END AS amount, 'publisher_correction' AS name \
     FROM money_requests WHERE status = 1 AND kind IN (13, 14)",
    "SELECT id, user_id AS book, 3 AS kind, 1 AS times, put_amount - added_amount AS amount, 'the put of plan' AS name \
     FROM plans WHERE put_at IS NOT NULL",
    "SELECT id, user_id AS book, 25 AS kind, 0 AS times, added_amount AS amount, 'what was added to plan' AS name \
     FROM plans WHERE added_amount <> 0",
    "SELECT id, user_id AS book, 4 AS kind, 0 AS times, billed AS amount, 'what was billed to plan' AS name \
     FROM plans WHERE billed <> 0",
    "SELECT id, user_id AS book, 5 AS kind, 1 AS times, returned AS amount, 'what came back from plan' AS name \
     FROM plans WHERE returned <> 0",
    "SELECT id, user_id AS book, 28 AS kind, 1 AS times, amount, 'delivery refund' AS name FROM delivery_refunds WHERE 1 = 1",
    "SELECT id, user_id AS book, 8 AS kind, 1 AS times, revenue + fee AS amount, 'the settlement of plan' AS name \
     FROM plans WHERE settled_at IS NOT NULL AND revenue <> 0",
    "SELECT c.id AS id, p.user_id AS book, 6 AS kind, 1 AS times, c.payout AS amount, 'conversion' AS name \
     FROM conversions c JOIN plans p ON p.id = c.plan_id WHERE c.accepted",
    "SELECT c.id AS id, p.user_id AS book, 7 AS kind, 1 AS times, c.payout AS amount, 'the reversal of conversion' AS name \
     FROM conversions c JOIN plans p ON p.id = c.plan_id WHERE c.accepted AND c.reversed_at IS NOT NULL",
    "SELECT id, user_id AS book, 9 AS kind, 1 AS times, amount, 'withdrawal' AS name FROM withdrawals WHERE 1 = 1",
    "SELECT id, user_id AS book, CASE status WHEN 2 THEN 11 ELSE 10 END AS kind, 1 AS times, amount, \
     'the decision on withdrawal' AS name FROM withdrawals WHERE status IN (2, 3, 4)",
    "SELECT id, user_id AS book, 18 AS kind, 1 AS times, amount, 'exchange' AS name FROM exchange_orders WHERE 1 = 1",
    "SELECT id, user_id AS book, CASE status WHEN 1 THEN 19 ELSE 20 END AS kind, 1 AS times, amount, \
     'the decision on exchange' AS name FROM exchange_orders WHERE status IN (1, 2)",
];

/// Compares every document with what was booked for it.
pub(super) fn check(conn: &mut Conn, booked: &mut BookedDocuments, faults: &mut Faults) -> Result<(), Error> {
    for ask in ASK {
        let mut above = 0;
        loop {
            let rows: Vec<ExpectedBooking> = diesel::sql_query(part(ask, above)).load(conn)?;
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
fn part(ask: &str, above: i64) -> String {
    let key = match ask {
        of_request if of_request.contains("money_requests") => "COALESCE(old_number, id)",
        of_conversion if of_conversion.contains("c.id") => "c.id",
        _ => "id",
    };
    format!(
        "SELECT id, book, CAST(kind AS SMALLINT) AS kind, CAST(times AS BIGINT) AS times, amount, name \
         FROM ({ask} AND {key} > {above} ORDER BY {key} LIMIT {CHUNK}) AS d"
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
    } else if moved.book != asked.book {
        faults.add(Law::Balances, || format!("{name} {id} was booked for somebody else, in transaction {transaction}"));
    }
}
