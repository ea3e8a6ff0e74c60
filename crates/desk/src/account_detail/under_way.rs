//! Running plans: what each waits for, and how far it is.

use base::{Money, Timestamp, UserId};
use delivery::Pace;
use foundation::Error;
use plans::Status;
use serde::Serialize;
use store::Conn;
use store::plans::plan::{self as rows, PlanRow};

use crate::account_detail::MOST;

/// Thousandths of a minor unit in a minor unit.
const MILLI: i64 = 1_000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlanUnderWay {
    pub plan_no: String,
    pub product: String,
    pub status: Status,
    /// The step that led to this status.
    pub reason: String,
    pub paused: bool,
    pub ai_delivery: bool,
    /// What it waits for, in a sentence.
    pub waits_for: String,
    /// The latest time for that, if known.
    pub until: Option<Timestamp>,
    pub put_amount: Money,
    /// The part of the amount that the plan still holds, as the app shows it: what is not billed yet.
    pub held: Money,
    /// Parts of it: delivered, promised to outstanding creatives, and left for further ones.
    pub booked: Money,
    pub reserved: Money,
    pub left: Money,
    /// The used part of the budget and of its time, in per cent.
    pub used_percent: Option<i64>,
    pub time_percent: Option<i64>,
}

pub(super) fn plans(conn: &mut Conn, user: UserId, now: Timestamp) -> Result<Vec<PlanUnderWay>, Error> {
    let open = rows::under_way(conn, user, MOST)?;
    open.iter().map(|(plan, product)| view(plan, product, now)).collect()
}

fn view(plan: &PlanRow, product: &str, now: Timestamp) -> Result<PlanUnderWay, Error> {
    let status = plan.status;
    let commitment = plan.commitment();
    let money = |milli: i64| Money::from_minor(milli / MILLI);
    let until = match status {
        Status::Matching | Status::Putting => plan.due_at,
        Status::WaitingSettlement => plan.settles_at,
        Status::WaitingToPut | Status::PutFinished | Status::PutFailed | Status::Settled => None,
    };
    let runs = status == Status::Putting;
    Ok(PlanUnderWay {
        plan_no: plan.plan_no.clone(),
        product: product.to_owned(),
        status,
        reason: plan.reason.name().to_owned(),
        paused: plan.paused,
        ai_delivery: plan.ai_delivery,
        waits_for: waits_for(plan, status, now).to_owned(),
        until,
        put_amount: plan.figures.put_amount,
        held: plan.held(),
        booked: money(plan.figures.booked_milli),
        reserved: money(plan.figures.reserved_milli),
        left: if status.is_running() { money(commitment.free_milli()) } else { Money::ZERO },
        used_percent: plan.figures.booked_milli.saturating_mul(100).checked_div(commitment.budget_milli()),
        time_percent: plan.started_at.filter(|_| runs).map(|at| passed(plan, at, now)),
    })
}

fn waits_for(plan: &PlanRow, status: Status, now: Timestamp) -> &'static str {
    let schedule = plan.schedule();
    match status {
        Status::WaitingToPut => "the user to put an amount",
        Status::Matching | Status::Putting if plan.paused => "the user to resume it",
        Status::Matching | Status::Putting if schedule.begins_at.is_some_and(|at| at > now) => "its start",
        Status::Matching | Status::Putting if !schedule.is_open(now) => "its hours",
        Status::Matching => "a first slot that fits; otherwise everything goes back",
        Status::Putting => "its budget or its last day",
        Status::PutFinished => "deliveries that are still out",
        Status::WaitingSettlement => "the end of its attribution window",
        Status::PutFailed | Status::Settled => "nothing",
    }
}

/// The part of its days that has passed, in per cent.
fn passed(plan: &PlanRow, begins_at: Timestamp, now: Timestamp) -> i64 {
    let ends_at = plan.schedule().before_end(begins_at.plus_days(plan.days.into()));
    Pace::of(begins_at, ends_at, &plan.commitment()).time_share(now) / 10_000
}
