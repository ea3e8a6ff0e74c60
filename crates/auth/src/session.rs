//! Session tokens and their lifetime. Tickets and operators' keys are made and
//! stored in the same way.

use base::Timestamp;
use sha2::{Digest as _, Sha256};

use crate::hex;

/// A session ends after this long without use.
pub const IDLE_SECONDS: i64 = 24 * 3_600;
/// A session ends after this long even if it is used.
pub const ABSOLUTE_SECONDS: i64 = 30 * 86_400;
/// The most sessions of a user. One more ends the session that was unused for longest.
pub const AT_MOST: usize = 5;
/// How long a ticket can be exchanged for a session.
pub const TICKET_SECONDS: i64 = 60;
/// A staff session in a user's account ends after this long. It does not record its use, so nothing else ends it.
pub const STAFF_SECONDS: i64 = 3_600;
/// After a user ends all sessions, staff cannot start one in the account for this long.
pub const STAFF_BARRED_SECONDS: i64 = 24 * 3_600;

/// 256 random bits in hex. Only the holder has the token.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// The stored hash of a token. A fast hash is enough, because the token is random.
pub type Digest = [u8; 32];

impl Token {
    pub fn new(random: &[u8; 32]) -> Self {
        Self(hex::encode(random))
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    pub fn digest(&self) -> Digest {
        digest(&self.0)
    }
}

print_nothing_of!(Token);

/// The digest of a token sent by a client; `None` if the text cannot be a token.
pub fn digest_shown(shown: &str) -> Option<Digest> {
    (shown.len() == 64 && hex::is_lower(shown)).then(|| digest(shown))
}

fn digest(text: &str) -> Digest {
    Sha256::digest(text.as_bytes()).into()
}

/// How far the clocks of two servers may be apart.
const CLOCKS_DIFFER_SECONDS: i64 = 300;

/// Whether a session is still valid. A session from the future is not: the clock was set back, and the session would
/// live longer by as much.
pub fn alive(created_at: Timestamp, last_seen: Timestamp, ended: bool, now: Timestamp) -> bool {
    let is_from_future = last_seen > now.plus_seconds(CLOCKS_DIFFER_SECONDS);
    !ended
        && !is_from_future
        && now < last_seen.plus_seconds(IDLE_SECONDS)
        && now < created_at.plus_seconds(ABSOLUTE_SECONDS)
}

/// Whether a staff session in a user's account, which can only read, is still valid.
pub fn alive_for_staff(created_at: Timestamp, ended: bool, now: Timestamp) -> bool {
    let is_from_future = created_at > now.plus_seconds(CLOCKS_DIFFER_SECONDS);
    !ended && !is_from_future && now < created_at.plus_seconds(STAFF_SECONDS)
}

/// Until when staff cannot start a session in the account of a user who ended all sessions at this time; `None` if that
/// time is over.
pub fn staff_barred_until(ended_at: Timestamp, now: Timestamp) -> Option<Timestamp> {
    let until = ended_at.plus_seconds(STAFF_BARRED_SECONDS);
    (now < until).then_some(until)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_digest_is_kept() {
        let token = Token::new(&[171; 32]);
        assert_eq!(token.text(), "ab".repeat(32));
        // The output of sha256sum for that text.
        let kept = "271a413bd339c5709fdceaec41f14f11e9fbfb5042d72d331c65f32b284cd09a";
        assert_eq!(hex::encode(&token.digest()), kept);
        assert_eq!(digest_shown(token.text()), Some(token.digest()));
        assert_eq!(digest_shown("x"), None);
        assert_eq!(digest_shown(&"A".repeat(64)), None);
        assert_eq!(format!("{token:?}"), "Token(…)");
    }

    #[test]
    fn idle_and_absolute_limits() {
        let start = Timestamp::from_seconds(1_000_000);
        let day = start.plus_days(1);
        assert!(alive(start, start, false, day.plus_millis(-1)));
        assert!(!alive(start, start, false, day));
        assert!(!alive(start, start, true, start));
        let month = start.plus_days(30);
        assert!(alive(start, month.plus_millis(-1), false, month.plus_millis(-1)));
        assert!(!alive(start, month.plus_millis(-1), false, month));
    }

    #[test]
    fn one_of_staff_lasts_an_hour_however_it_is_used() {
        let start = Timestamp::from_seconds(1_000_000);
        let hour = start.plus_seconds(3_600);
        assert!(alive_for_staff(start, false, hour.plus_millis(-1)));
        assert!(!alive_for_staff(start, false, hour));
        assert!(!alive_for_staff(start, true, start));
        assert!(
            alive_for_staff(start, false, start.plus_seconds(-300))
                && !alive_for_staff(start, false, start.plus_seconds(-301))
        );
    }

    #[test]
    fn staff_stay_out_for_a_day() {
        let ended = Timestamp::from_seconds(1_000_000);
        let day = ended.plus_days(1);
        assert_eq!(staff_barred_until(ended, day.plus_millis(-1)), Some(day));
        assert_eq!(staff_barred_until(ended, day), None);
    }

    #[test]
    fn one_from_the_future_is_over() {
        let (start, seen) = (Timestamp::from_seconds(1_000_000), Timestamp::from_seconds(2_000_000));
        assert!(alive(start, seen, false, seen.plus_seconds(-300)), "two clocks may differ a little");
        assert!(!alive(start, seen, false, seen.plus_seconds(-301)));
        assert!(!alive(start, seen, false, start));
    }
}
