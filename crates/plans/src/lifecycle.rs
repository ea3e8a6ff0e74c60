//! The life of a plan: which step is due, and which steps users and staff may take.

use base::Timestamp;

use crate::commitment::Commitment;
use crate::model::{Cause, Status};

/// How long a plan waits for a first slot before it fails and its money goes back.
pub const MATCHING_DEADLINE_HOURS: i64 = 72;

/// The state of a plan that its life depends on. Its events must be rolled up
/// before [`Plan::next`] is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub status: Status,
    pub commitment: Commitment,
    /// Valid clicks. They may still convert, so a plan with clicks does not fail.
    pub clicks: i64,
    pub days: i64,
    pub attribution_days: i64,
    /// When the current status ends by itself: the deadline of matching, or the end of
    /// putting.
    pub due_at: Option<Timestamp>,
    /// The end that its user has set.
    pub ends_at: Option<Timestamp>,
    pub settles_at: Option<Timestamp>,
}

/// A step from one status to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub to: Status,
    pub cause: Cause,
    pub due_at: Option<Timestamp>,
    pub settles_at: Option<Timestamp>,
}

impl Step {
    /// When the plan may take another step after this one.
    pub const fn next_at(&self, now: Timestamp) -> Option<Timestamp> {
        match self.to {
            Status::Matching | Status::Putting => self.due_at,
            // It does so as soon as nothing is reserved any more.
            Status::PutFinished => Some(now),
            Status::WaitingSettlement => self.settles_at,
            Status::WaitingToPut | Status::PutFailed | Status::Settled => None,
        }
    }
}

/// The plan's status does not allow this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not possible while {}", .0.name())]
pub struct NotNow(pub Status);

impl Plan {
    /// The plan's creative was sent to a slot for the first time.
    pub fn first_delivery(&self, now: Timestamp) -> Result<Step, NotNow> {
        match self.status {
            Status::Matching => Ok(Step {
                to: Status::Putting,
                cause: Cause::FirstDelivery,
                due_at: Some(self.runs_until(now)),
                settles_at: None,
            }),
            other => Err(NotNow(other)),
        }
    }

    /// The user stops the plan before its budget is used.
    pub fn stop(&self, now: Timestamp) -> Result<Step, NotNow> {
        match self.status {
            Status::Matching | Status::Putting => Ok(self.finished(Cause::StoppedByUser, now)),
            other => Err(NotNow(other)),
        }
    }

    /// Staff reject the plan before anything was delivered. If its link was clicked, it
    /// is settled like others, so that what it earned is paid.
    pub fn reject(&self, now: Timestamp) -> Result<Step, NotNow> {
        match self.status {
            Status::WaitingToPut | Status::Matching => Ok(self.undelivered(Cause::Rejected, now)),
            other => Err(NotNow(other)),
        }
    }

    pub fn may_pause(&self) -> Result<(), NotNow> {
        match self.status {
            Status::Matching | Status::Putting => Ok(()),
            other => Err(NotNow(other)),
        }
    }

    /// The step that is due by itself, if any.
    pub fn next(&self, now: Timestamp) -> Option<Step> {
        let is_over = self.ends_at.is_some_and(|end| end <= now);
        let past_due = is_over || self.due_at.is_some_and(|due| due <= now);
        match self.status {
            Status::Matching if is_over => Some(self.undelivered(Cause::EndDate, now)),
            Status::Matching if past_due => Some(self.undelivered(Cause::NoSupply, now)),
            Status::Putting if self.commitment.ends(self.status) => Some(self.finished(Cause::BudgetUsed, now)),
            Status::Putting if past_due => Some(self.finished(Cause::EndDate, now)),
            Status::PutFinished if self.commitment.reserved_milli == 0 => Some(Step {
                to: Status::WaitingSettlement,
                cause: Cause::DeliveriesClosed,
                due_at: None,
                settles_at: self.settles_at,
            }),
            Status::WaitingSettlement if self.settles_at.is_some_and(|at| at <= now) => Some(Step {
                to: Status::Settled,
                cause: Cause::WindowClosed,
                due_at: None,
                settles_at: self.settles_at,
            }),
            // The next step is not due yet, or its user or staff must take it, or there is none.
            Status::WaitingToPut
            | Status::Matching
            | Status::Putting
            | Status::PutFinished
            | Status::WaitingSettlement
            | Status::PutFailed
            | Status::Settled => None,
        }
    }

    /// When a plan whose days begin at `from` ends: after its days, or earlier if its user has set an end.
    fn runs_until(&self, from: Timestamp) -> Timestamp {
        let days = from.plus_days(self.days);
        self.ends_at.map_or(days, |end| end.min(days))
    }

    /// The last step of a plan that no slot has shown: it fails, unless somebody clicked its link.
    fn undelivered(&self, cause: Cause, now: Timestamp) -> Step {
        match self.clicks {
            0 => Step { to: Status::PutFailed, cause, due_at: None, settles_at: None },
            _ => self.finished(cause, now),
        }
    }

    fn finished(&self, cause: Cause, now: Timestamp) -> Step {
        let settles_at = now.plus_days(self.attribution_days);
        Step { to: Status::PutFinished, cause, due_at: None, settles_at: Some(settles_at) }
    }
}

#[cfg(test)]
mod tests {
    use base::Money;

    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_000_000);

    const UNUSED: Commitment =
        Commitment { budget: Money::from_minor(100), unit_milli: 30_000, booked_milli: 0, reserved_milli: 0 };

    fn plan(status: Status) -> Plan {
        Plan {
            status,
            commitment: UNUSED,
            clicks: 0,
            days: 7,
            attribution_days: 3,
            due_at: Some(NOW.plus_seconds(60)),
            ends_at: None,
            settles_at: None,
        }
    }

    fn due(plan: Plan, now: Timestamp) -> Option<(Status, Cause)> {
        plan.next(now).map(|step| (step.to, step.cause))
    }

    #[test]
    fn matching_fails_at_its_deadline_and_not_before() {
        let matching = plan(Status::Matching);
        assert_eq!(due(matching, NOW.plus_seconds(59)), None);
        assert_eq!(due(matching, NOW.plus_seconds(60)), Some((Status::PutFailed, Cause::NoSupply)));
    }

    #[test]
    fn a_plan_whose_link_was_followed_ends_and_settles_where_others_fail() {
        let followed = Plan { clicks: 1, ..plan(Status::Matching) };
        assert_eq!(due(followed, NOW.plus_seconds(59)), None);
        let late = NOW.plus_seconds(60);
        for (step, cause) in [(followed.next(late), Cause::NoSupply), (followed.reject(late).ok(), Cause::Rejected)] {
            let ends = Step { to: Status::PutFinished, cause, due_at: None, settles_at: Some(late.plus_days(3)) };
            assert_eq!(step, Some(ends));
        }
    }

    #[test]
    fn the_first_delivery_starts_the_days_it_may_run() {
        let step = plan(Status::Matching).first_delivery(NOW).expect("matching");
        assert_eq!((step.to, step.due_at), (Status::Putting, Some(NOW.plus_days(7))));
        assert_eq!(plan(Status::Putting).first_delivery(NOW), Err(NotNow(Status::Putting)));
    }

    #[test]
    fn a_plan_ends_when_its_user_said() {
        let end = NOW.plus_seconds(30);
        let ending = |status| Plan { ends_at: Some(end), ..plan(status) };
        let begun = ending(Status::Matching).first_delivery(NOW).expect("matching");
        assert_eq!(begun.due_at, Some(end));
        let late = Plan { ends_at: Some(NOW.plus_days(8)), ..plan(Status::Matching) };
        assert_eq!(
            late.first_delivery(NOW).expect("matching").due_at,
            Some(NOW.plus_days(7)),
            "no later than its days"
        );
        for (status, to) in [(Status::Matching, Status::PutFailed), (Status::Putting, Status::PutFinished)] {
            assert_eq!(due(ending(status), end.plus_millis(-1)), None, "{status:?}");
            assert_eq!(due(ending(status), end), Some((to, Cause::EndDate)), "{status:?}");
        }
    }

    #[test]
    fn putting_finishes_when_the_budget_is_used() {
        let putting = |commitment| Plan { commitment, ..plan(Status::Putting) };
        let three = putting(Commitment { booked_milli: 90_000, ..UNUSED });
        assert_eq!(due(three, NOW), Some((Status::PutFinished, Cause::BudgetUsed)));
        let one_is_out = putting(Commitment { booked_milli: 60_000, reserved_milli: 30_000, ..UNUSED });
        assert!(!one_is_out.commitment.has_room());
        assert_eq!(due(one_is_out, NOW), None, "a token that is out may lapse and leave room");
        assert_eq!(due(one_is_out, NOW.plus_seconds(60)), Some((Status::PutFinished, Cause::EndDate)));
    }

    #[test]
    fn a_finished_plan_waits_for_tokens_and_events_then_for_its_window() {
        let finished = Plan { settles_at: Some(NOW.plus_days(3)), ..plan(Status::PutFinished) };
        assert_eq!(due(Plan { commitment: Commitment { reserved_milli: 1, ..UNUSED }, ..finished }, NOW), None);
        assert_eq!(due(finished, NOW), Some((Status::WaitingSettlement, Cause::DeliveriesClosed)));
        let waiting = Plan { status: Status::WaitingSettlement, ..finished };
        assert_eq!(due(waiting, NOW), None);
        assert_eq!(due(waiting, NOW.plus_days(3)), Some((Status::Settled, Cause::WindowClosed)));
    }

    #[test]
    fn only_running_plans_stop_pause_and_only_undelivered_ones_are_rejected() {
        for status in Status::ALL.iter().copied() {
            let running = matches!(status, Status::Matching | Status::Putting);
            assert_eq!(plan(status).stop(NOW).is_ok(), running, "{status:?}");
            assert_eq!(plan(status).may_pause().is_ok(), running, "{status:?}");
            let undelivered = matches!(status, Status::WaitingToPut | Status::Matching);
            assert_eq!(plan(status).reject(NOW).is_ok(), undelivered, "{status:?}");
        }
    }

    #[test]
    fn after_a_step_it_is_looked_at_when_the_next_may_be_due() {
        let late = NOW.plus_seconds(60);
        let began = plan(Status::Matching).first_delivery(NOW).expect("matching");
        assert_eq!(began.next_at(NOW), Some(NOW.plus_days(7)));
        let stopped = plan(Status::Putting).stop(NOW).expect("running");
        assert_eq!(stopped.next_at(NOW), Some(NOW));
        let closed = Plan { settles_at: stopped.settles_at, ..plan(Status::PutFinished) }.next(NOW).expect("closed");
        assert_eq!(closed.next_at(NOW), Some(NOW.plus_days(3)));
        assert_eq!(plan(Status::Matching).next(late).expect("failed").next_at(late), None);
    }

    #[test]
    fn ended_plans_stay() {
        for status in [Status::WaitingToPut, Status::PutFailed, Status::Settled] {
            assert_eq!(due(plan(status), NOW.plus_days(1000)), None);
        }
    }
}
