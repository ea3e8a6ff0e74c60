//! When a plan is shown: from its start to its end, in the hours of a week.

use base::{Timestamp, refuse_if};

use crate::hours::Hours;
use crate::lifecycle::{MATCHING_DEADLINE_HOURS, Plan};
use crate::model::Status;

/// How far ahead a plan may begin.
const FARTHEST_DAYS: i64 = 366;

/// The bounds of when a plan is shown; `None` sets no bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Nothing is shown before this.
    pub begins_at: Option<Timestamp>,
    /// From then on nothing is promised, and the plan ends.
    pub ends_at: Option<Timestamp>,
    pub hours: Option<Hours>,
}

/// A change of a schedule's bounds. `None` keeps a bound; `Some(None)` removes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScheduleChange {
    pub begins_at: Option<Option<Timestamp>>,
    pub ends_at: Option<Option<Timestamp>>,
    pub hours: Option<Option<Hours>>,
}

impl ScheduleChange {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleRefused {
    #[error("the plan does not run, or is ending")]
    NotRunning,
    #[error("it has begun already")]
    HasBegun,
    #[error("its start has passed")]
    BeginsInPast,
    #[error("it begins too far ahead")]
    BeginsTooLate,
    #[error("its end has passed, or is before its start")]
    EndsTooEarly,
    #[error("none of its hours is between its start and its end")]
    NeverOpens,
}

impl Schedule {
    /// This schedule with the changed bounds.
    #[must_use]
    pub fn with(self, change: ScheduleChange) -> Self {
        Self {
            begins_at: change.begins_at.unwrap_or(self.begins_at),
            ends_at: change.ends_at.unwrap_or(self.ends_at),
            hours: change.hours.unwrap_or(self.hours),
        }
    }

    /// Whether creatives may be promised now.
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.begins_at.is_none_or(|at| at <= now) && !self.is_over(now) && self.hours.is_none_or(|of| of.is_open(now))
    }

    pub fn is_over(&self, now: Timestamp) -> bool {
        self.ends_at.is_some_and(|at| at <= now)
    }

    /// The first moment from now on at which it is open; `None` if it never is.
    pub fn opens_at(&self, now: Timestamp) -> Option<Timestamp> {
        let from = self.begins_at.map_or(now, |at| at.max(now));
        let at = self.hours.map_or(Some(from), |hours| hours.opens_at(from));
        at.filter(|at| !self.is_over(*at))
    }

    /// The earlier of this moment and the end.
    pub fn before_end(&self, at: Timestamp) -> Timestamp {
        self.ends_at.map_or(at, |end| end.min(at))
    }

    /// When matching ends for a plan that was put at this time and that no slot shows. Only open hours count.
    pub fn matching_ends(&self, put_at: Timestamp) -> Timestamp {
        let (from, millis) = (self.begins_at.unwrap_or(put_at), MATCHING_DEADLINE_HOURS * 3_600_000);
        self.before_end(self.hours.map_or(from.plus_millis(millis), |hours| hours.after(from, millis)))
    }

    /// The schedule to store for a plan that is put now, and when matching ends by it.
    ///
    /// # Errors
    /// Why no plan can have it now.
    pub fn at_put(self, now: Timestamp) -> Result<(Self, Timestamp), ScheduleRefused> {
        let kept = self.in_place_of(&Self::default(), now)?.ending_later(now)?.opening(now)?;
        Ok((kept, kept.matching_ends(now)))
    }

    fn ending_later(self, now: Timestamp) -> Result<Self, ScheduleRefused> {
        let first = self.begins_at.map_or(now, |at| at.max(now));
        if self.is_over(first) { Err(ScheduleRefused::EndsTooEarly) } else { Ok(self) }
    }

    /// A plan that was not shown yet would never be shown. One that was shown may end in closed hours.
    fn opening(self, now: Timestamp) -> Result<Self, ScheduleRefused> {
        if self.opens_at(now).is_none() { Err(ScheduleRefused::NeverOpens) } else { Ok(self) }
    }

    /// This schedule as the successor of another one, for a plan that waits for its first slot. If its start or its
    /// hours change, the time for matching begins again: at its start, or now.
    fn in_place_of(self, before: &Self, now: Timestamp) -> Result<Self, ScheduleRefused> {
        let ahead = |at: &Timestamp| *at > now;
        let begins_at = self.begins_at.filter(ahead);
        if self.begins_at.is_some() && begins_at.is_none() && self.begins_at != before.begins_at {
            return Err(ScheduleRefused::BeginsInPast);
        }
        refuse_if(begins_at.is_some_and(|at| at > now.plus_days(FARTHEST_DAYS)), ScheduleRefused::BeginsTooLate)?;
        let changes = begins_at != before.begins_at.filter(ahead) || self.hours != before.hours;
        let begins_at = if changes { Some(begins_at.unwrap_or(now)) } else { before.begins_at };
        Ok(Self { begins_at, ..self })
    }
}

impl Plan {
    /// The schedule to store in place of this one, and when the plan's status ends by it. `since` is when the plan was
    /// put, or when its days began.
    ///
    /// # Errors
    /// Why it cannot have this schedule now.
    pub fn rescheduled(
        &self,
        before: &Schedule,
        wanted: Schedule,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<(Schedule, Timestamp), ScheduleRefused> {
        let is_due = self.due_at.is_some_and(|at| at <= now) || before.is_over(now);
        refuse_if(!self.status.is_running() || is_due, ScheduleRefused::NotRunning)?;
        let kept = match self.status {
            Status::Matching => wanted.in_place_of(before, now)?,
            _ if [None, before.begins_at].contains(&wanted.begins_at) => {
                Schedule { begins_at: before.begins_at, ..wanted }
            }
            _ => return Err(ScheduleRefused::HasBegun),
        };
        let kept = kept.ending_later(now)?;
        let kept = if self.status == Status::Matching { kept.opening(now)? } else { kept };
        let ends = match self.status {
            Status::Matching => kept.matching_ends(since),
            _ => kept.before_end(since.plus_days(self.days)),
        };
        Ok((kept, ends))
    }
}

#[cfg(test)]
mod tests {
    use base::Money;

    use super::*;
    use crate::commitment::Commitment;
    use crate::hours::tests::workdays;

    /// A Monday at noon.
    const NOW: Timestamp = Timestamp::from_seconds(1_767_614_400);
    const DEADLINE: i64 = MATCHING_DEADLINE_HOURS * 3_600;
    const ALWAYS: Schedule = Schedule { begins_at: None, ends_at: None, hours: None };

    fn plan(status: Status) -> Plan {
        let commitment =
            Commitment { budget: Money::from_minor(100), unit_milli: 1_000, booked_milli: 0, reserved_milli: 0 };
        Plan {
            status,
            commitment,
            clicks: 0,
            days: 7,
            attribution_days: 3,
            due_at: Some(NOW.plus_days(1)),
            ends_at: None,
            settles_at: None,
        }
    }

    fn matching(before: Schedule, wanted: Schedule) -> Result<(Schedule, Timestamp), ScheduleRefused> {
        plan(Status::Matching).rescheduled(&before, wanted, NOW.plus_days(-2), NOW)
    }

    #[test]
    fn it_is_open_between_its_start_and_its_end_in_its_hours() {
        let (begin, end) = (NOW.plus_days(1), NOW.plus_days(8));
        let schedule = Schedule { begins_at: Some(begin), ends_at: Some(end), hours: Some(workdays("UTC")) };
        for (at, open, opens) in [
            (NOW, false, Some(begin)),
            (begin, true, Some(begin)),
            (begin.plus_seconds(5 * 3_600), false, Some(begin.plus_seconds(21 * 3_600))),
            (end.plus_millis(-1), true, Some(end.plus_millis(-1))),
            (end, false, None),
            (NOW.plus_days(20), false, None),
        ] {
            assert_eq!((schedule.is_open(at), schedule.opens_at(at)), (open, opens), "{at}");
        }
        assert!(ALWAYS.is_open(NOW) && !schedule.is_over(end.plus_millis(-1)) && schedule.is_over(end));
        let short = Schedule { ends_at: Some(begin.plus_seconds(6 * 3_600)), ..schedule };
        assert_eq!(short.opens_at(begin.plus_seconds(5 * 3_600)), None, "it ends before it opens again");
    }

    #[test]
    fn a_change_leaves_what_it_does_not_name() {
        let (begin, end) = (NOW.plus_days(1), NOW.plus_days(8));
        let before = Schedule { begins_at: Some(begin), ends_at: Some(end), hours: Some(workdays("UTC")) };
        assert_eq!(before.with(ScheduleChange::default()), before);
        let later = ScheduleChange { ends_at: Some(Some(end.plus_days(1))), ..ScheduleChange::default() };
        assert_eq!(before.with(later), Schedule { ends_at: Some(end.plus_days(1)), ..before });
        let lifted = ScheduleChange { begins_at: Some(None), hours: Some(None), ..ScheduleChange::default() };
        assert_eq!(before.with(lifted), Schedule { ends_at: Some(end), ..ALWAYS });
        assert!(ScheduleChange::default().is_empty() && !later.is_empty() && !lifted.is_empty());
    }

    #[test]
    fn the_hours_of_matching_begin_at_the_start_and_run_in_its_hours() {
        assert_eq!(ALWAYS.matching_ends(NOW), NOW.plus_seconds(DEADLINE));
        let begin = NOW.plus_days(10);
        let later = Schedule { begins_at: Some(begin), ..ALWAYS };
        assert_eq!(later.matching_ends(NOW), begin.plus_seconds(DEADLINE));
        let hours = workdays("UTC");
        let in_hours = Schedule { hours: Some(hours), ..later };
        assert_eq!(in_hours.matching_ends(NOW), hours.after(begin, DEADLINE * 1_000));
        let ends = Schedule { ends_at: Some(begin.plus_seconds(1)), ..in_hours };
        assert_eq!(ends.matching_ends(NOW), begin.plus_seconds(1));
    }

    #[test]
    fn a_plan_that_waits_begins_later_or_now() {
        let begin = NOW.plus_days(1);
        let later = Schedule { begins_at: Some(begin), ..ALWAYS };
        assert_eq!(matching(ALWAYS, later), Ok((later, begin.plus_seconds(DEADLINE))));
        let now = Schedule { begins_at: Some(NOW), ..ALWAYS };
        assert_eq!(matching(later, ALWAYS), Ok((now, NOW.plus_seconds(DEADLINE))), "without a start, it begins now");
        // Nothing changes: the hours go on.
        assert_eq!(matching(ALWAYS, ALWAYS), Ok((ALWAYS, NOW.plus_seconds(DEADLINE - 2 * 86_400))));
        let begun = Schedule { begins_at: Some(NOW.plus_seconds(-60)), ..ALWAYS };
        assert_eq!(matching(begun, begun), Ok((begun, NOW.plus_seconds(DEADLINE - 60))));
        assert_eq!(matching(begun, ALWAYS), matching(begun, begun), "a start that is over need not be told again");
        // With other hours, they begin again.
        let hours = workdays("UTC");
        let (kept, ends) = matching(begun, Schedule { hours: Some(hours), ..begun }).expect("other hours");
        assert_eq!((kept.begins_at, ends), (Some(NOW), hours.after(NOW, DEADLINE * 1_000)));
    }

    #[test]
    fn a_plan_may_be_put_with_a_schedule() {
        assert_eq!(ALWAYS.at_put(NOW), Ok((ALWAYS, NOW.plus_seconds(DEADLINE))));
        let later = Schedule { begins_at: Some(NOW.plus_days(2)), ends_at: Some(NOW.plus_days(3)), ..ALWAYS };
        assert_eq!(later.at_put(NOW), Ok((later, NOW.plus_days(3))));
        let over = Schedule { begins_at: later.ends_at, ..later };
        assert_eq!(over.at_put(NOW), Err(ScheduleRefused::EndsTooEarly));
        assert_eq!(later.at_put(NOW.plus_days(2)), Err(ScheduleRefused::BeginsInPast));
    }

    #[test]
    fn what_is_over_or_too_far_is_refused() {
        let with = |begins_at, ends_at| Schedule { begins_at, ends_at, ..ALWAYS };
        for (wanted, why) in [
            (with(Some(NOW), None), ScheduleRefused::BeginsInPast),
            (with(Some(NOW.plus_days(FARTHEST_DAYS).plus_millis(1)), None), ScheduleRefused::BeginsTooLate),
            (with(None, Some(NOW)), ScheduleRefused::EndsTooEarly),
            (with(Some(NOW.plus_days(1)), Some(NOW.plus_days(1))), ScheduleRefused::EndsTooEarly),
        ] {
            assert_eq!(matching(ALWAYS, wanted), Err(why), "{wanted:?}");
        }
        assert!(matching(ALWAYS, with(Some(NOW.plus_millis(1)), Some(NOW.plus_millis(2)))).is_ok());
    }

    // Such a schedule was once accepted, and the plan's budget was held until its end for nothing.
    #[test]
    fn a_plan_that_waits_has_an_open_hour_between_its_start_and_its_end() {
        let hours = Some(workdays("UTC"));
        // Five o'clock on Friday, nine on Monday.
        let (closes, opens) = (NOW.plus_seconds(4 * 86_400 + 5 * 3_600), NOW.plus_seconds(6 * 86_400 + 21 * 3_600));
        let weekend = Schedule { begins_at: Some(closes), ends_at: Some(opens), hours };
        assert_eq!(weekend.at_put(NOW), Err(ScheduleRefused::NeverOpens));
        assert_eq!(matching(ALWAYS, weekend), Err(ScheduleRefused::NeverOpens));
        for wanted in [
            Schedule { begins_at: Some(closes.plus_millis(-1)), ..weekend },
            Schedule { ends_at: Some(opens.plus_millis(1)), ..weekend },
            Schedule { hours: None, ..weekend },
            Schedule { ends_at: None, ..weekend },
        ] {
            assert!(wanted.at_put(NOW).is_ok() && matching(ALWAYS, wanted).is_ok(), "{wanted:?}");
        }
        // A plan that was shown already may end over the weekend.
        let shown = Plan { due_at: None, ..plan(Status::Putting) };
        let over = Schedule { begins_at: None, ..weekend };
        assert_eq!(shown.rescheduled(&ALWAYS, over, NOW, closes), Ok((over, opens)));
    }

    #[test]
    fn a_plan_that_is_shown_has_its_start_behind_it() {
        let since = NOW.plus_days(-1);
        let putting = |wanted| plan(Status::Putting).rescheduled(&ALWAYS, wanted, since, NOW);
        let later = Schedule { begins_at: Some(NOW.plus_days(1)), ..ALWAYS };
        assert_eq!(putting(later), Err(ScheduleRefused::HasBegun));
        let ends = |at| Schedule { ends_at: Some(at), ..ALWAYS };
        let soon = ends(NOW.plus_seconds(1));
        assert_eq!(putting(soon), Ok((soon, NOW.plus_seconds(1))));
        let late = ends(NOW.plus_days(100));
        assert_eq!(putting(late), Ok((late, since.plus_days(7))), "no later than its days");
    }

    #[test]
    fn a_plan_that_ends_is_not_kept_alive() {
        for status in Status::ALL.iter().copied() {
            let found = plan(status).rescheduled(&ALWAYS, ALWAYS, NOW, NOW);
            assert_eq!(found.is_ok(), status.is_running(), "{status:?}");
        }
        let over = Schedule { ends_at: Some(NOW), ..ALWAYS };
        let longer = Schedule { ends_at: Some(NOW.plus_days(1)), ..ALWAYS };
        let putting = plan(Status::Putting);
        assert_eq!(putting.rescheduled(&over, longer, NOW, NOW), Err(ScheduleRefused::NotRunning));
        let due = Plan { due_at: Some(NOW), ..putting };
        assert_eq!(due.rescheduled(&ALWAYS, longer, NOW, NOW), Err(ScheduleRefused::NotRunning));
    }
}
