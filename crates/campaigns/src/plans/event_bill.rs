//! The bill that an event is on: the events it is for, and its lines on the statement.

use base::{Money, Timestamp};
use foundation::Error;
use plans::{MILLI, Status, whole_minor};
use serde::Serialize;
use store::Conn;
use store::plans::plan::PlanRow;
use store::wallet::bill::{self, Bill, PublisherPart};
use store::wallet::records::Line;
use supply::PublisherKind;
use utoipa::ToSchema;
use wallet::{Account, Source};

use super::plan_evidence::milli;

/// A bill. Its amount is what its events cost, plus `carried_in`, less `carried_out`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct EventBill {
    pub time: String,
    pub amount: Money,
    /// The number of its events, which all have the same price.
    pub events: i64,
    pub price: String,
    /// What its events cost together.
    pub cost: String,
    /// What the bill before it left over, which is less than the smallest unit of the currency.
    pub carried_in: String,
    /// What it leaves over for the next bill, likewise.
    pub carried_out: String,
    /// Its lines on the statement, whose sum is the amount.
    pub lines: Vec<BillLine>,
    /// Who got what of it: the twenty publishers and exchanges with the largest parts. Empty
    /// for bills from before their parts were noted.
    pub parts: Vec<BillPart>,
    /// The number of other publishers and exchanges.
    pub other_parts: i64,
}

/// What deliveries in a publisher's slots or by an exchange cost, and who got that money. `publisher` and `platform`
/// add up to `billed`. An exchange that names its price later gets that price with a later bill, where `platform` may
/// then be negative.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BillPart {
    pub name: String,
    /// Of its website or app.
    pub domain: Option<String>,
    /// Whether `publisher` is an ad exchange's part, which pays its own publishers.
    pub exchange: bool,
    pub billed: Money,
    pub publisher: Money,
    pub platform: Money,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BillLine {
    /// The line's id on the statement.
    pub id: String,
    pub time: Timestamp,
    /// Signed, as on the statement.
    pub amount: Money,
    /// Whose money it is: `available` is the user's own.
    pub paid_by: Source,
}

/// The most publishers that are listed by name.
const LISTED: i64 = 20;

pub(super) fn bill_of(conn: &mut Conn, plan: &PlanRow, bill: &Bill) -> Result<EventBill, Error> {
    let lines = bill.transaction.map(|transaction| bill::lines(conn, transaction)).transpose()?.unwrap_or_default();
    let (parts, other_parts) = match bill.transaction {
        Some(transaction) => bill::parts(conn, plan.id, transaction, LISTED)?,
        None => (Vec::new(), 0),
    };
    let cost = bill.cost_milli.saturating_sub(bill.cost_before_milli);
    let amount = whole_minor(bill.cost_milli).minus(whole_minor(bill.cost_before_milli))?;
    Ok(EventBill {
        time: lines.first().map(|line| line.at.to_string()).unwrap_or_default(),
        amount,
        events: cost.checked_div(plan.unit_milli).unwrap_or_default(),
        price: milli(plan.unit_milli),
        cost: milli(cost),
        carried_in: milli(bill.cost_before_milli % MILLI),
        carried_out: milli(bill.cost_milli % MILLI),
        lines: lines.iter().map(line_view).collect(),
        parts: parts.into_iter().map(part_view).collect::<Result<_, _>>()?,
        other_parts,
    })
}

fn part_view(part: PublisherPart) -> Result<BillPart, Error> {
    let (billed, earned) = (Money::from_minor(part.billed), Money::from_minor(part.earned));
    Ok(BillPart {
        name: part.name,
        domain: part.domain,
        exchange: part.kind == PublisherKind::Ssp.code(),
        billed,
        publisher: earned,
        platform: billed.minus(earned)?,
    })
}

fn line_view(line: &Line) -> BillLine {
    BillLine {
        id: line.id.to_string(),
        time: line.at,
        amount: line.amount,
        paid_by: match line.account {
            Account::Hold { source, .. } => source,
            _ => Source::Available,
        },
    }
}

/// Whether the next bill can still have this event, which is on none so far. A plan's last
/// bill is written before it waits for settlement.
pub(super) fn is_waiting_for_bill(plan: &PlanRow, event: i64) -> Result<bool, Error> {
    let closed = match plan.status {
        Status::WaitingSettlement | Status::Settled | Status::PutFailed => true,
        Status::WaitingToPut | Status::Matching | Status::Putting | Status::PutFinished => false,
    };
    Ok(!closed || event > plan.figures.rolled_event_id)
}
