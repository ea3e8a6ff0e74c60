//! Which events each bill is for, and each slot's part of it. A bill is for the events of its plan after the last event
//! of the previous bill, up to its own last event.

use std::collections::BTreeMap;

use base::{Money, PlanId, PublisherId, SlotId, TransactionId};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use supply::{Part, Share};
use wallet::PUBLISHER_EARNINGS;

use super::books::{PendingPosting, WrittenPostings};
use super::records::{self, Line};
use crate::schema::{bill_parts, bills, publishers};
use crate::{Conn, Error, Tx};
use db::bulk::{Statement, ascending};
use db::{insert, row, statement};

/// A bill that was entered into the books.
#[derive(Clone, Copy, Debug)]
pub struct NewBill {
    pub plan: PlanId,
    pub up_to_event: i64,
    /// What the plan's events up to this one cost in total, in thousandths of a minor unit.
    pub cost_milli: i64,
}

insert! {
    struct InsertedBill, INSERT into "bills" {
        plan_id: PlanId,
        up_to_event: i64,
        cost_milli: i64,
        transaction_id: TransactionId,
    }
}

/// Inserts bills, with the transactions that they were written as.
pub fn insert(tx: &mut Tx<'_>, written: &WrittenPostings, new: &[(PendingPosting, NewBill)]) -> Result<(), Error> {
    let inserted = |(posting, bill): &(PendingPosting, NewBill)| {
        let transaction_id = written.transaction(*posting)?;
        let NewBill { plan: plan_id, up_to_event, cost_milli } = *bill;
        Ok(InsertedBill { plan_id, up_to_event, cost_milli, transaction_id })
    };
    let rows: Vec<InsertedBill> = new.iter().map(inserted).collect::<Result<_, Error>>()?;
    INSERT.execute(tx, &InsertedBill::columns(&rows))?;
    Ok(())
}

insert! {
    struct InsertedPart, INSERT_PARTS into "bill_parts" {
        plan_id: PlanId,
        transaction_id: TransactionId,
        slot_id: SlotId,
        publisher_id: PublisherId,
        share_parts: i64,
        billed: Money,
        earned: Money,
    }
}

/// Inserts the parts of bills, with the transactions that these were written as. Slots
/// that were billed nothing and earn nothing have no part.
pub fn insert_parts(
    tx: &mut Tx<'_>,
    written: &WrittenPostings,
    parts: &[(PlanId, PendingPosting, Part)],
) -> Result<(), Error> {
    let parts = parts.iter().filter(|(.., part)| part.cost.is_positive() || part.earns.is_positive());
    let inserted = |(plan, posting, part): &(PlanId, PendingPosting, Part)| {
        Ok(InsertedPart {
            plan_id: *plan,
            transaction_id: written.transaction(*posting)?,
            slot_id: part.slot,
            publisher_id: part.publisher,
            // An exchange is paid by its prices, and has no share.
            share_parts: part.share.map_or(0, Share::parts),
            billed: part.cost,
            earned: part.earns,
        })
    };
    let rows: Vec<InsertedPart> = parts.map(inserted).collect::<Result<_, Error>>()?;
    INSERT_PARTS.execute(tx, &InsertedPart::columns(&rows))?;
    Ok(())
}

/// A bill and the events that it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bill {
    /// The last event of the previous bill; 0 for the first bill.
    pub above_event: i64,
    pub up_to_event: i64,
    /// What the plan's events cost in total before it and up to it, in thousandths of a minor unit.
    pub cost_before_milli: i64,
    pub cost_milli: i64,
    /// `None` for everything that was billed before bills recorded their events.
    pub transaction: Option<TransactionId>,
}

type Row = (i64, i64, Option<TransactionId>);
const COLUMNS: (bills::up_to_event, bills::cost_milli, bills::transaction_id) =
    (bills::up_to_event, bills::cost_milli, bills::transaction_id);

/// The bill of a plan's event; `None` if it is not billed yet.
pub fn of_event(conn: &mut Conn, plan: PlanId, event: i64) -> Result<Option<Bill>, Error> {
    let next = bills::table.filter(bills::plan_id.eq(plan).and(bills::up_to_event.ge(event)));
    let row: Option<Row> = next.order(bills::up_to_event).select(COLUMNS).first(conn).optional()?;
    row.map(|row| with_beginning(conn, plan, row)).transpose()
}

/// A plan's bill by the transaction that it was written as.
pub fn of_transaction(conn: &mut Conn, plan: PlanId, transaction: TransactionId) -> Result<Option<Bill>, Error> {
    let of = bills::table.filter(bills::transaction_id.eq(transaction).and(bills::plan_id.eq(plan)));
    let row: Option<Row> = of.select(COLUMNS).first(conn).optional()?;
    row.map(|row| with_beginning(conn, plan, row)).transpose()
}

fn with_beginning(conn: &mut Conn, plan: PlanId, row: Row) -> Result<Bill, Error> {
    let (up_to_event, cost_milli, transaction) = row;
    let before = bills::table.filter(bills::plan_id.eq(plan).and(bills::up_to_event.lt(up_to_event)));
    let before: Option<(i64, i64)> = before
        .order(bills::up_to_event.desc())
        .select((bills::up_to_event, bills::cost_milli))
        .first(conn)
        .optional()?;
    let (above_event, cost_before_milli) = before.unwrap_or_default();
    Ok(Bill { above_event, up_to_event, cost_before_milli, cost_milli, transaction })
}

/// The lines that a transaction has on the user's statement.
pub fn lines(conn: &mut Conn, transaction: TransactionId) -> Result<Vec<Line>, Error> {
    let found = records::find(conn, transaction)?;
    Ok(found.map(|found| found.lines.into_iter().filter(|line| line.flow.is_some()).collect()).unwrap_or_default())
}

/// A publisher's part of a bill: what its slots were billed and what it earned of that, or what it earned late of
/// earlier bills.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct PublisherPart {
    pub name: String,
    pub domain: Option<String>,
    pub kind: i16,
    pub billed: i64,
    pub earned: i64,
}

/// The publishers with the largest parts of a bill, and how many others there are.
pub fn parts(
    conn: &mut Conn,
    plan: PlanId,
    transaction: TransactionId,
    most: i64,
) -> Result<(Vec<PublisherPart>, i64), Error> {
    let sum = |column: &str| sql::<BigInt>(&format!("CAST(SUM({column}) AS BIGINT)"));
    let of = |plan: PlanId| bill_parts::plan_id.eq(plan).and(bill_parts::transaction_id.eq(transaction));
    let publishers: Vec<PublisherPart> = bill_parts::table
        .inner_join(publishers::table.on(publishers::id.eq(bill_parts::publisher_id)))
        .filter(of(plan))
        .group_by((publishers::id, publishers::name, publishers::domain, publishers::kind))
        .select((
            publishers::name,
            publishers::domain,
            publishers::kind,
            sum("bill_parts.billed"),
            sum("bill_parts.earned"),
        ))
        .order((sum("bill_parts.billed").desc(), publishers::id))
        .limit(most)
        .load(conn)?;
    let all: i64 = bill_parts::table
        .filter(of(plan))
        .select(sql::<BigInt>("CAST(COUNT(DISTINCT publisher_id) AS BIGINT)"))
        .get_result(conn)?;
    let shown = i64::try_from(publishers.len()).unwrap_or(i64::MAX);
    Ok((publishers, all.saturating_sub(shown).max(0)))
}

row! {
    struct Unmatched {
        plan_id: PlanId,
        up_to_event: i64,
        lacking: i64,
        entries_differ: bool,
    }
}

// A bill is wrong if its events do not cost what it says, or if its entries do not take the whole minor units of that.
// This query does not see events that are in files.
statement!(
    UNMATCHED,
    each: "SELECT * FROM (SELECT b.plan_id, b.up_to_event, CAST(b.cost_milli - b.before - \
         (SELECT COALESCE(SUM(e.price_milli), 0) FROM events e WHERE e.plan_id = b.plan_id AND e.id > b.above \
         AND e.id <= b.up_to_event) AS BIGINT) AS lacking, b.transaction_id IS NOT NULL AND \
         b.before / 1000 - b.cost_milli / 1000 <> \
         (SELECT COALESCE(SUM(e.amount), 0) FROM entries e WHERE e.transaction_id = b.transaction_id \
         AND e.plan_id = b.plan_id) AS entries_differ FROM (SELECT b.*, LAG(b.up_to_event, 1, 0) OVER w AS above, \
         LAG(b.cost_milli, 1, 0) OVER w AS before FROM unnest(?) AS n(id) JOIN bills b ON b.plan_id = n.id \
         WINDOW w AS (PARTITION BY b.plan_id ORDER BY b.up_to_event)) b) found WHERE lacking <> 0 OR entries_differ",
);

row! {
    struct Wrong {
        plan_id: i64,
        number: i64,
    }
}

// The parts of a bill are wrong if they do not add up to the bill, or if a publisher's part is not what the bill's
// entries gave it. Older bills have no parts.
statement!(
    WRONG_PARTS,
    each: &format!(
        "SELECT b.plan_id, COUNT(*) AS number FROM unnest(?) AS n(id) JOIN bills b ON b.plan_id = n.id \
         LEFT JOIN undivided_plans o ON o.plan_id = b.plan_id WHERE b.up_to_event > COALESCE(o.up_to_event, 0) AND \
         ((SELECT COALESCE(SUM(x.billed), 0) FROM bill_parts x WHERE x.plan_id = b.plan_id \
         AND x.transaction_id = b.transaction_id) + (SELECT COALESCE(SUM(e.amount), 0) FROM entries e \
         WHERE e.transaction_id = b.transaction_id AND e.plan_id = b.plan_id) <> 0 OR EXISTS (SELECT 1 FROM \
         (SELECT x.publisher_id, x.earned FROM bill_parts x WHERE x.plan_id = b.plan_id \
         AND x.transaction_id = b.transaction_id UNION ALL SELECT e.owner_id, -e.amount FROM entries e \
         WHERE e.transaction_id = b.transaction_id AND e.account_kind = {PUBLISHER_EARNINGS}) u GROUP BY publisher_id \
         HAVING SUM(earned) <> 0)) GROUP BY b.plan_id"
    ),
);

/// The number of bills whose parts do not match them, by plan.
pub fn wrong_parts(conn: &mut Conn, plans: impl IntoIterator<Item = PlanId>) -> Result<BTreeMap<i64, i64>, Error> {
    let rows: Vec<Wrong> = WRONG_PARTS.load(conn, &[ascending(plans.into_iter().map(|plan| plan.0)).into()])?;
    Ok(rows.into_iter().map(|row| (row.plan_id, row.number)).collect())
}

/// The number of bills that do not match their events or entries, by plan. `archived` is
/// what the events of each bill cost that are in files, by plan and the bill's last event.
pub fn wrong(
    conn: &mut Conn,
    plans: impl IntoIterator<Item = PlanId>,
    archived: &BTreeMap<(PlanId, i64), i64>,
) -> Result<BTreeMap<PlanId, i64>, Error> {
    let rows: Vec<Unmatched> = UNMATCHED.load(conn, &[ascending(plans.into_iter().map(|plan| plan.0)).into()])?;
    // A bill whose events in the database cost everything that it says must have none in files.
    let mut lacking: BTreeMap<(PlanId, i64), (i64, bool)> = archived.keys().map(|bill| (*bill, (0, false))).collect();
    lacking.extend(rows.iter().map(|row| ((row.plan_id, row.up_to_event), (row.lacking, row.entries_differ))));
    let mut wrong = BTreeMap::new();
    for (bill @ (plan, _), (lacking, entries_differ)) in lacking {
        if entries_differ || lacking != archived.get(&bill).copied().unwrap_or_default() {
            *wrong.entry(plan).or_default() += 1;
        }
    }
    Ok(wrong)
}
