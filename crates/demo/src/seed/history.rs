//! A past for the demonstration: ninety days in which its user puts amounts on plans,
//! readers visit, and money comes and goes. All of it goes through the use cases, with
//! the installation's clock moved; nothing is written behind their back. It is made
//! before anything else, because the books and the audit log only ever go forward.

mod people;
mod publishers;
mod script;
mod visits;

use base::Timestamp;
use campaigns::work;
use desk::installation::simulated;
use desk::installation::upgrade::bring_up_to_date;
use foundation::{App, Error};
use plans::closing_after;

use crate::dice::Dice;
use crate::seed::{DemoOperator, acceptors, market, reach};
use crate::{Failure, Progress};
use campaigns::AdServer;
use people::People;
use script::{Act, PUT_LAST, SCRIPT, STOPPED_LAST, open_slots};
use visits::Visits;

pub const DAYS: i64 = 90;
const SEED: u64 = 20;
const HOUR_MINUTES: i64 = 60;
const DAY_MINUTES: i64 = 24 * HOUR_MINUTES;
/// On most days, readers come in three waves of this size, at these hours.
const WAVES: [(i64, u64); 3] = [(3, 60), (10, 90), (17, 110)];
/// In the last two days they come every hour, so that the chart by the hour is whole.
const BUSY_HOURS: i64 = 48;
const READERS_AN_HOUR: u64 = 14;
/// Creatives that nobody looks at, just before the present.
const TURNED_AWAY: u64 = 12;

/// What happens at one moment.
#[derive(Clone, Copy, Debug)]
enum Event {
    Act(Act),
    Readers(u64),
}

/// Makes the past, up to the present. Returns the operators, with their keys.
///
/// # Errors
/// `not_permitted` in a live installation.
pub async fn make(app: &AdServer, progress: &dyn Progress) -> Result<Vec<DemoOperator>, Failure> {
    let present = app.now();
    let beginning = present.plus_days(-DAYS);
    simulated::move_clock(app, beginning).await?;
    bring_up_to_date(app).await?;
    let (mut people, operators) = begin(app).await?;
    let mut visits = Visits::new(SEED);
    for (minute, event) in events() {
        move_on(app, beginning.plus_seconds(minute * 60)).await?;
        match event {
            Event::Act(act) => people.act(app, act).await?,
            Event::Readers(count) => visits.happen(app, count, open_slots(minute / HOUR_MINUTES)).await?,
        }
        progress.at(u64::try_from(minute / DAY_MINUTES).unwrap_or_default());
    }
    move_on(app, present.plus_seconds(-2)).await?;
    visits.turn_away(app, TURNED_AWAY, open_slots(DAYS * 24)).await?;
    people.act(app, Act::Stop(STOPPED_LAST)).await?;
    people.act(app, PUT_LAST).await?;
    super::people::recharge(app, &people.staff, people.user).await?;
    simulated::return_to_present(app);
    Ok(operators)
}

/// Moves the clock forward to this time, never back, because what was written must not be later than what follows. On
/// the way, it makes each day's bills at the time at which a server would.
async fn move_on(app: &AdServer, to: Timestamp) -> Result<(), Error> {
    let mut closing = closing_after(app.now());
    while closing < to {
        simulated::move_clock(app, closing).await?;
        work::round(app).await?;
        closing = closing_after(closing);
    }
    simulated::move_clock(app, to.max(app.now())).await
}

/// The people, the market, and what everybody is told on the first day.
async fn begin(app: &App) -> Result<(People, Vec<DemoOperator>), Failure> {
    let (staff, operators) = super::people::operators(app, None).await?;
    let user = super::people::user(app, &staff).await?;
    market::catalogue(app, &staff).await?;
    let acceptors = acceptors::plant(app, &staff).await?;
    reach::announcements(app, &staff, user).await?;
    reach::operated_ids(app, &staff).await?;
    Ok((People::new(app, staff, user, acceptors).await?, operators))
}

/// Everything that happens, with its minute since the beginning, in order.
fn events() -> Vec<(i64, Event)> {
    let minute = |day: i64, hour: i64| day * DAY_MINUTES + hour * HOUR_MINUTES;
    let acts = SCRIPT.iter().map(|(day, hour, act)| (minute(*day, *hour), Event::Act(*act)));
    let mut events: Vec<(i64, Event)> = acts.chain(readers()).collect();
    events.sort_by_key(|(minute, _)| *minute);
    events
}

/// Readers become more over time, and their number varies from day to day.
fn readers() -> Vec<(i64, Event)> {
    let mut dice = Dice::new(SEED);
    let mut vary = |count: u64, day: i64| {
        let grown = 70 + u64::try_from(day * 60 / DAYS).unwrap_or_default();
        let today = 75 + dice.below(50);
        Event::Readers((count * grown * today / 10_000).max(1))
    };
    let busy = DAYS * 24 - BUSY_HOURS;
    let days = (0..busy / 24).flat_map(|day| WAVES.map(|(hour, count)| (day, day * 24 + hour, count)));
    let hours = (busy..DAYS * 24).map(|hour| (hour / 24, hour, READERS_AN_HOUR));
    days.chain(hours).map(|(day, hour, count)| (hour * HOUR_MINUTES + 30, vary(count, day))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_happens_every_time_and_ends_before_the_present() {
        let (one, other) = (format!("{:?}", events()), format!("{:?}", events()));
        assert_eq!(one, other);
        let minutes: Vec<i64> = events().iter().map(|(minute, _)| *minute).collect();
        assert!(minutes.is_sorted());
        assert!(minutes.first().is_some_and(|first| *first >= 0));
        assert!(minutes.last().is_some_and(|last| *last < DAYS * DAY_MINUTES - 2));
    }

    #[test]
    fn readers_come_on_every_day_and_in_every_recent_hour() {
        let all = readers();
        let days: std::collections::BTreeSet<i64> = all.iter().map(|(minute, _)| minute / DAY_MINUTES).collect();
        assert_eq!(days.len(), 90);
        let recent = all.iter().filter(|(minute, _)| *minute >= (DAYS - 2) * DAY_MINUTES);
        assert_eq!(recent.count(), 48);
    }
}
