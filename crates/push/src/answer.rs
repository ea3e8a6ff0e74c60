//! The consequences of a push service's answer.

use base::Timestamp;

/// Waits between tries grow from this to [`LONGEST_WAIT`], four times as long each time.
const FIRST_WAIT: i64 = 5;
const LONGEST_WAIT: i64 = 3_600;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Delivered,
    /// The browser has no such subscription any more.
    Gone,
    /// The service does not want this message, now or later.
    Refused,
    /// The service is busy or away: try again then.
    Again(Timestamp),
}

/// `status` is `None` without an answer. `tries` counts this one; `retry_after` is what the service asked for, in seconds.
pub fn judge(status: Option<u16>, tries: i16, retry_after: Option<i64>, now: Timestamp) -> Outcome {
    match status {
        Some(200..=299) => Outcome::Delivered,
        Some(404 | 410) => Outcome::Gone,
        // Redirects are not followed, because the answer could name any address.
        Some(300..=399) => Outcome::Refused,
        None | Some(408 | 425 | 429 | 500..=599) => Outcome::Again(now.plus_seconds(wait(tries, retry_after))),
        Some(_) => Outcome::Refused,
    }
}

fn wait(tries: i16, retry_after: Option<i64>) -> i64 {
    let before = u32::try_from(tries).unwrap_or(0).saturating_sub(1);
    let own = FIRST_WAIT.saturating_mul(4_i64.saturating_pow(before)).min(LONGEST_WAIT);
    own.max(retry_after.unwrap_or(0)).min(LONGEST_WAIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_000);

    fn waits(status: Option<u16>, tries: i16, retry_after: Option<i64>) -> i64 {
        match judge(status, tries, retry_after, NOW) {
            Outcome::Again(at) => at.seconds() - NOW.seconds(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_answer_has_its_outcome() {
        let of = |status| judge(Some(status), 1, None, NOW);
        assert_eq!([of(200), of(201), of(202)], [Outcome::Delivered; 3]);
        assert_eq!([of(404), of(410)], [Outcome::Gone; 2]);
        assert_eq!([of(301), of(307), of(400), of(401), of(403), of(413)], [Outcome::Refused; 6]);
    }

    #[test]
    fn what_is_busy_is_left_alone_ever_longer() {
        let tries: Vec<i64> = (1..=7).map(|tries| waits(Some(503), tries, None)).collect();
        assert_eq!(tries, [5, 20, 80, 320, 1_280, 3_600, 3_600]);
        assert_eq!(waits(None, i16::MAX, None), 3_600);
        assert_eq!((waits(Some(429), 1, Some(60)), waits(Some(429), 3, Some(60))), (60, 80));
        assert_eq!(waits(Some(429), 1, Some(i64::MAX)), 3_600, "nobody says for how long we wait");
        assert_eq!(waits(Some(429), 1, Some(-5)), 5);
    }
}
