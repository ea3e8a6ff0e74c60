//! Parses a period from one day to another, as clients name it.

use base::{Field, Period, Timestamp};
use calendar::Zone;
use foundation::Error;

/// The period between `from` and `to`, of which either may be missing. Each is a day of the zone, such
/// as `2026-01-31`, and `to` includes it; or a moment, and then `to` is the first one outside.
///
/// # Errors
/// `params` naming the one that is neither; or `to`, if nothing is between them.
pub(crate) fn read(from: Option<&str>, to: Option<&str>, zone: Zone) -> Result<Option<Period>, Error> {
    if from.is_none() && to.is_none() {
        return Ok(None);
    }
    let ends = |field, text: &str| zone.named_day(text).or_else(|| moment(text)).ok_or(Error::field(field, "invalid"));
    let from = from.map(|text| ends(Field::From, text)).transpose()?.map_or(BEGINNING, |day| day.from);
    let until = to.map(|text| ends(Field::To, text)).transpose()?.map_or(END, |day| day.until);
    Error::field_if(until <= from, Field::To, "invalid")?;
    Ok(Some(Period { from, until }))
}

fn moment(text: &str) -> Option<Period> {
    Timestamp::parse(text).map(|at| Period { from: at, until: at })
}

const BEGINNING: Timestamp = Timestamp::from_millis(0);
/// No plan is put later.
const END: Timestamp = Timestamp::from_millis(i64::MAX / 2);

#[cfg(test)]
mod tests {
    use super::*;

    fn between(from: Option<&str>, to: Option<&str>) -> Result<Option<(String, String)>, Error> {
        let zone = Zone::from_header("Europe/Berlin GMT+01:00");
        let texts = |period: Period| (period.from.to_string(), period.until.to_string());
        Ok(read(from, to, zone)?.map(texts))
    }

    fn refused(from: &str, to: &str) -> String {
        between(Some(from), Some(to)).expect_err("refused").to_string()
    }

    #[test]
    fn days_are_those_of_the_zone_and_the_last_one_is_included() {
        let found = between(Some("2026-03-28"), Some("2026-03-29")).expect("days").expect("a period");
        assert_eq!(found, ("2026-03-27T23:00:00.000Z".into(), "2026-03-29T22:00:00.000Z".into()));
    }

    #[test]
    fn moments_are_taken_as_they_are() {
        let found = between(Some("2026-03-28T12:00:00Z"), Some("2026-03-28T13:00:00+00:00"));
        let texts = ("2026-03-28T12:00:00.000Z".into(), "2026-03-28T13:00:00.000Z".into());
        assert_eq!(found.expect("moments"), Some(texts));
        assert_eq!(between(None, None).expect("nothing"), None);
        assert!(between(Some("2026-03-28"), None).expect("a day").is_some());
    }

    #[test]
    fn what_is_neither_is_refused_by_name() {
        assert!(refused("yesterday", "2026-03-29").contains("from"));
        assert!(refused("2026-03-28", "2026-02-30").contains("to"));
        assert!(refused("2026-03-29", "2026-03-28").contains("to"));
    }
}
