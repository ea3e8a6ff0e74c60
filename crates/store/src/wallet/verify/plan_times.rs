//! Compares when a plan ends, settles and is next checked with its terms, which the ledger protects, and with the steps
//! that it took. Whoever could edit such a time could have a plan settled before its conversions arrive, or never.

use db::{codes, row};
use diesel::prelude::*;
use plans::{MATCHING_DEADLINE_HOURS, Status};

use super::faults::{Faults, Law};
use crate::{Conn, Error};

const DAY: i64 = 86_400_000;
/// Tolerance: a plan is put a moment after its deadline was computed, and a plan that waits for something is checked
/// again soon.
const MOMENT: i64 = 3_600_000;
/// The longest time for matching: at least one hour a week is open, and a change of clocks may skip it.
const RAREST: i64 = 80 * 7 * DAY;

row! {
    struct Mismatch {
        id: i64,
        what: String,
    }
}

pub(super) fn check(conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
    for Mismatch { id, what } in diesel::sql_query(sql()).load(conn)? {
        faults.add(Law::Rows, || format!("plan {id}: {what}"));
    }
    Ok(())
}

/// SQL for the time of a plan's latest step to one of these statuses.
fn step_to(states: &[Status]) -> String {
    format!(
        "(SELECT t.at FROM plan_transitions t WHERE t.plan_id = p.id AND t.status IN ({}) ORDER BY t.id DESC LIMIT 1)",
        codes(states.iter().map(|status| status.code()))
    )
}

fn sql() -> String {
    let code = Status::code;
    let (matching, putting) = (code(Status::Matching), code(Status::Putting));
    let (finished, waiting, settled) =
        (code(Status::PutFinished), code(Status::WaitingSettlement), code(Status::Settled));
    let deadline = MATCHING_DEADLINE_HOURS * 3_600_000;
    let until = |end: &str| format!("(CASE WHEN p.ends_at < {end} THEN p.ends_at ELSE {end} END)");
    let waits = until(&format!("(COALESCE(p.begins_at, p.put_at) + {deadline})"));
    let days_end = format!("(p.started_at + p.days * CAST({DAY} AS BIGINT))");
    // A server of a version that does not know ends may have shown it first.
    let ends = until(&days_end);
    let rules = [
        (
            "its status is not that of its last step",
            "(SELECT t.status || ' ' || t.reason FROM plan_transitions t WHERE t.plan_id = p.id ORDER BY t.id DESC LIMIT 1) \
             IS DISTINCT FROM (p.status || ' ' || p.reason)"
                .to_owned(),
        ),
        (
            "it did not start when its step says",
            format!("p.started_at IS DISTINCT FROM {}", step_to(&[Status::Putting])),
        ),
        (
            "it did not finish when its step says",
            format!("p.finished_at IS DISTINCT FROM {}", step_to(&[Status::PutFinished, Status::PutFailed])),
        ),
        (
            "it was not settled when its step says",
            format!("p.settled_at IS DISTINCT FROM {}", step_to(&[Status::Settled])),
        ),
        (
            "it does not wait for a slot as long as it may",
            format!(
                "p.status = {matching} AND (p.due_at IS NULL OR p.put_at IS NULL OR (p.hours IS NULL \
                 AND ABS(p.due_at - {waits}) > {MOMENT}) OR (p.hours IS NOT NULL AND (p.due_at < {waits} - {MOMENT} \
                 OR p.due_at > COALESCE(p.begins_at, p.put_at) + {RAREST})))"
            ),
        ),
        (
            "it does not run for its days",
            format!(
                "p.status = {putting} AND p.due_at IS DISTINCT FROM {days_end} AND p.due_at IS DISTINCT FROM {ends}"
            ),
        ),
        (
            "it does not wait for conversions as long as was agreed",
            format!(
                "p.settles_at IS DISTINCT FROM CASE WHEN p.status IN ({finished}, {waiting}, {settled}) \
                 THEN p.finished_at + p.attribution_days * CAST({DAY} AS BIGINT) END"
            ),
        ),
        (
            "it is not looked at when its next step is due",
            format!(
                "(p.status IN ({matching}, {putting}) AND (p.next_at IS NULL OR p.next_at > p.due_at + {MOMENT})) \
                 OR (p.status IN ({finished}, {waiting}) AND (p.next_at IS NULL OR p.next_at > p.settles_at + {MOMENT}))"
            ),
        ),
    ];
    let selects: Vec<String> = rules
        .iter()
        .map(|(what, broken)| format!("SELECT p.id AS id, '{what}' AS what FROM plans p WHERE {broken}"))
        .collect();
    format!("SELECT * FROM ({}) found ORDER BY 1, 2 LIMIT 20", selects.join(" UNION ALL "))
}
