//! One clock for the whole process, so that two timestamps can be compared.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, Datelike, FixedOffset, SecondsFormat};

/// A moment in UTC, in milliseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(i64);

crate::stored::stored_as_number!(Timestamp: Timestamp);

impl Timestamp {
    pub const EPOCH: Self = Self(0);
    /// Earlier than every other moment.
    pub const EARLIEST: Self = Self(i64::MIN);
    /// Later than every other moment.
    pub const LATEST: Self = Self(i64::MAX);

    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(1000))
    }

    /// The beginning of a day (UTC), counted since the Unix epoch.
    pub const fn start_of_day(day: i64) -> Self {
        Self::EPOCH.plus_days(day)
    }

    pub const fn millis(self) -> i64 {
        self.0
    }

    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    pub const fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(1000)))
    }

    pub const fn plus_days(self, days: i64) -> Self {
        self.plus_seconds(days.saturating_mul(86_400))
    }

    /// Milliseconds from `earlier` to this moment; negative when it is later.
    pub const fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Whether less than this has passed since `earlier`. Not if the clock was set back behind it: what is done at
    /// intervals would otherwise wait until the clock has caught up, which may take years.
    pub const fn is_soon_after(self, earlier: Self, millis: i64) -> bool {
        let since = self.since(earlier);
        since >= 0 && since < millis
    }

    /// Reads RFC 3339; `None` when it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        Self::of(DateTime::parse_from_rfc3339(text).ok()?)
    }

    /// Reads RFC 3339, and what other programs write instead:
    /// - an offset without a colon, as PHP's `DATE_ISO8601` has it, or without minutes;
    /// - a time without seconds, or with a comma before their decimals;
    /// - blanks between the parts, as SQL, Ruby and Python write them;
    /// - `UTC` or `GMT` in place of the offset;
    /// - a zone after the offset, as Java writes it (RFC 9557). It is ignored, because the offset is enough.
    pub fn parse_iso(text: &str) -> Option<Self> {
        let text = without_zone(text.trim());
        Self::parse(text).or_else(|| {
            let text = unspaced(text)?;
            let forms = ["%Y-%m-%dT%H:%M:%S%.f%#z", "%Y-%m-%dT%H:%M%#z"];
            Self::of(forms.iter().find_map(|form| DateTime::parse_from_str(&text, form).ok())?)
        })
    }

    /// Rejects a moment that has no RFC 3339 form in UTC: the last day of 9999 may be in the year 10000 there.
    fn of(parsed: DateTime<FixedOffset>) -> Option<Self> {
        let parsed = parsed.to_utc();
        (0..=9999).contains(&parsed.year()).then(|| Self(parsed.timestamp_millis()))
    }
}

/// `2026-11-26T04:36:00.5+0200` for `2026-11-26 04:36:00,5 +0200`.
fn unspaced(text: &str) -> Option<String> {
    let (date, time) = text.split_once(['T', 't', ' '])?;
    let utc = ["Z", "z", "UTC", "GMT"].iter().find_map(|name| time.strip_suffix(*name));
    let time = utc.map_or_else(|| time.to_owned(), |time| format!("{}+0000", time.trim_end()));
    let time = time.replacen(" +", "+", 1).replacen(" -", "-", 1).replacen(',', ".", 1);
    Some(format!("{date}T{time}"))
}

/// The text without a zone in brackets. A zone that readers must understand, which begins with `!`, is kept, so that
/// the text is refused.
fn without_zone(text: &str) -> &str {
    let named = text.strip_suffix(']').and_then(|text| text.split_once('['));
    named.filter(|(_, zone)| !zone.is_empty() && !zone.starts_with('!')).map_or(text, |(time, _)| time)
}

/// Reads RFC 3339.
impl FromStr for Timestamp {
    type Err = NotATime;
    fn from_str(text: &str) -> Result<Self, NotATime> {
        Self::parse(text).ok_or(NotATime)
    }
}

/// The text is not a moment in RFC 3339.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a time in RFC 3339")]
pub struct NotATime;

/// RFC 3339 in UTC with milliseconds, as the API shows time.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match DateTime::from_timestamp_millis(self.0) {
            Some(at) => f.write_str(&at.to_rfc3339_opts(SecondsFormat::Millis, true)),
            None => write!(f, "{}ms", self.0),
        }
    }
}

/// The source of time, passed to everything that needs it.
#[derive(Clone, Debug)]
pub struct Clock(Source);

#[derive(Clone, Debug)]
enum Source {
    System,
    Manual(Arc<AtomicI64>),
}

/// In a manual clock, this value stands for the system's time.
const SYSTEM: i64 = i64::MIN;

impl Clock {
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that moves only when told to, for tests.
    pub fn manual(start: Timestamp) -> Self {
        Self(Source::Manual(Arc::new(AtomicI64::new(start.millis()))))
    }

    /// A manual clock that shows the system's time until it is moved. Only a simulated
    /// installation can be opened with one.
    pub fn movable() -> Self {
        Self::manual(Timestamp(SYSTEM))
    }

    /// Whether it may show another time than the system's.
    pub const fn is_movable(&self) -> bool {
        matches!(self.0, Source::Manual(_))
    }

    #[allow(clippy::disallowed_methods, reason = "the one place that reads the system's clock")]
    pub fn now(&self) -> Timestamp {
        let moved = match &self.0 {
            Source::System => SYSTEM,
            Source::Manual(at) => at.load(Ordering::SeqCst),
        };
        if moved == SYSTEM { Timestamp(chrono::Utc::now().timestamp_millis()) } else { Timestamp(moved) }
    }

    /// Moves a manual clock on; one that shows the system's time stays.
    pub fn advance_seconds(&self, seconds: i64) {
        if let Source::Manual(at) = &self.0 {
            let later = |at: i64| (at != SYSTEM).then(|| Timestamp(at).plus_seconds(seconds).millis());
            let _ = at.fetch_update(Ordering::SeqCst, Ordering::SeqCst, later);
        }
    }

    /// Sets a manual clock; the system's clock cannot be set.
    pub fn move_to(&self, time: Timestamp) {
        if let Source::Manual(at) = &self.0 {
            at.store(time.millis(), Ordering::SeqCst);
        }
    }

    /// Makes a manual clock show the system's time from now on.
    pub fn follow_system(&self) {
        self.move_to(Timestamp(SYSTEM));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_and_reads_rfc_3339() {
        let at = Timestamp::from_millis(1_700_000_000_123);
        assert_eq!(at.to_string(), "2023-11-14T22:13:20.123Z");
        assert_eq!(Timestamp::parse(&at.to_string()), Some(at));
        assert_eq!(Timestamp::parse("yesterday"), None);
        assert_eq!(Timestamp::parse("9999-12-31T23:59:59-23:59"), None);
        assert!(Timestamp::parse("9999-12-31T23:59:59Z").is_some());
    }

    #[test]
    fn reads_other_forms_of_iso_8601_that_name_their_offset() {
        let at = Timestamp::parse("2026-11-26T02:36:00Z").expect("a time");
        for text in [
            "2026-11-26T04:36:00+02:00",
            "2026-11-26T04:36:00+0200",
            "2026-11-26T04:36:00.000+02",
            "2026-11-26T04:36+0200",
            "2026-11-26T02:36Z",
            "2026-11-26T04:36:00,000+02:00",
            "2026-11-26T02:36:00,0Z",
            "2026-11-26 04:36:00 +0200",
            "2026-11-26 04:36:00 +02:00",
            "2026-11-26 04:36:00+02",
            "2026-11-25 22:36:00 -0400",
            "2026-11-26 02:36:00 UTC",
            "2026-11-26 02:36:00.000000 UTC",
            "2026-11-26T02:36:00GMT",
            "2026-11-26 02:36Z",
            "2026-11-26T04:36+02:00[Europe/Berlin]",
            "2026-11-26T02:36:00Z[UTC]",
            " 2026-11-26T02:36:00Z\n",
        ] {
            assert_eq!(Timestamp::parse_iso(text), Some(at), "{text}");
        }
        for text in [
            "2026-11-26T02:36:00",
            "2026-11-26 02:36:00",
            "2026-11-26T02:36:00,123",
            "2026-11-26",
            "2026-11-26 UTC",
            "2026-11-26T02:36:00 x",
            "2026-11-26 02:36:00 CET",
            "2026-11-26 02:36:00 +0000 UTC+1",
            "2026-11-26T02:36:00[Europe/Berlin]",
            "2026-11-26T02:36:00Z[!u-ca=hebrew]",
            "2026-11-26T02:36:00Z[]",
            "11/26/2026 02:36:00 UTC",
            "20261126T023600Z",
            "1795660608",
            "",
        ] {
            assert_eq!(Timestamp::parse_iso(text), None, "{text}");
        }
    }

    #[test]
    fn moments_lie_as_far_apart_as_they_were_moved() {
        let at = Timestamp::from_seconds(1_000);
        assert_eq!(
            (at.millis(), at.plus_millis(999).seconds(), Timestamp::from_millis(-1).seconds()),
            (1_000_000, 1_000, -1)
        );
        assert_eq!((at.plus_millis(7).since(at), at.since(at.plus_seconds(7))), (7, -7_000));
        assert_eq!(at.plus_days(2), at.plus_seconds(172_800));
        let last = Timestamp::from_millis(i64::MAX);
        assert_eq!((last.plus_millis(1), last.plus_seconds(1), last.plus_days(i64::MAX)), (last, last, last));
    }

    #[test]
    fn nothing_waits_for_a_clock_that_was_set_back() {
        let done = Timestamp::from_seconds(1_000);
        let waits = |millis| done.plus_millis(millis).is_soon_after(done, 500);
        assert_eq!([-1, 0, 499, 500].map(waits), [false, true, true, false]);
        assert!(!Timestamp::EARLIEST.is_soon_after(Timestamp::LATEST, i64::MAX));
    }

    #[test]
    fn a_manual_clock_moves_when_it_is_told_to() {
        let start = Timestamp::from_seconds(1_000);
        let clock = Clock::manual(start);
        let same = clock.clone();
        assert_eq!(clock.now(), start);
        clock.advance_seconds(60);
        assert_eq!((clock.now(), same.now()), (start.plus_seconds(60), start.plus_seconds(60)));
    }

    #[test]
    fn a_movable_clock_goes_away_and_comes_back() {
        let (system, clock) = (Clock::system(), Clock::movable());
        let same = clock.clone();
        assert!(clock.is_movable() && !system.is_movable());
        clock.advance_seconds(1_000_000);
        assert!(clock.now().since(system.now()).abs() < 60_000);
        let then = Timestamp::from_seconds(1_000);
        clock.move_to(then);
        clock.advance_seconds(5);
        assert_eq!((clock.now(), same.now()), (then.plus_seconds(5), then.plus_seconds(5)));
        clock.follow_system();
        assert!(same.now().since(system.now()).abs() < 60_000);
    }

    #[test]
    fn the_system_s_clock_stays_whatever_it_is_told() {
        let clock = Clock::system();
        clock.move_to(Timestamp::from_seconds(1_000));
        clock.advance_seconds(1_000_000);
        assert!(clock.now().since(Clock::movable().now()).abs() < 60_000);
    }
}
