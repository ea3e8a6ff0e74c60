//! Session tokens and how long they live. Tickets and operators' keys are
//! made and kept in the same way.

use base::Timestamp;
use sha2::{Digest as _, Sha256};

use crate::hex;

/// Unused this long, a session ends.
pub const IDLE_SECONDS: i64 = 24 * 3_600;
/// However much it is used, it ends after this long.
pub const ABSOLUTE_SECONDS: i64 = 30 * 86_400;
/// A further session ends the one used longest ago.
pub const AT_MOST: usize = 5;
/// How long a ticket for the entry route can be exchanged for a session.
pub const TICKET_SECONDS: i64 = 60;

/// 256 random bits in hex: what the holder shows, and nobody keeps.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// What is kept of a token. The token holds enough randomness that one fast
/// hash cannot be turned round.
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

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

/// The digest under which a shown token would be kept; `None` for a text that
/// none of ours can be.
pub fn digest_shown(shown: &str) -> Option<Digest> {
    (shown.len() == 64 && hex::is_lower(shown)).then(|| digest(shown))
}

fn digest(text: &str) -> Digest {
    Sha256::digest(text.as_bytes()).into()
}

/// Whether a session still stands.
pub fn alive(created_at: Timestamp, last_seen: Timestamp, ended: bool, now: Timestamp) -> bool {
    !ended && now < last_seen.plus_seconds(IDLE_SECONDS) && now < created_at.plus_seconds(ABSOLUTE_SECONDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_digest_is_kept() {
        let token = Token::new(&[171; 32]);
        assert_eq!(token.text(), "ab".repeat(32));
        // What sha256sum makes of that text.
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
}
