//! Signed links to a publisher's page. They are not stored: a link is valid until it expires, or until the publisher's
//! key is replaced or withdrawn, whichever comes first.

use base::{PublisherId, Timestamp, hex, keyed_hash};
use subtle::ConstantTimeEq;

pub const PUBLISHER_LINK_DAYS: i64 = 30;

/// A parsed link whose signature has not been checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublisherLink {
    pub publisher: PublisherId,
    pub until: Timestamp,
    signature: [u8; 32],
}

fn signature(key: &[u8; 32], publisher: PublisherId, until: Timestamp, key_digest: &str) -> [u8; 32] {
    keyed_hash(key, &[format!("{publisher}|{}|{key_digest}", until.seconds()).as_bytes()])
}

impl PublisherLink {
    /// Signs a new link for the publisher's key with this digest; returns its text and when it expires.
    pub fn sign(key: &[u8; 32], publisher: PublisherId, key_digest: &str, now: Timestamp) -> (String, Timestamp) {
        let until = Timestamp::from_seconds(now.plus_days(PUBLISHER_LINK_DAYS).seconds());
        let signature = signature(key, publisher, until, key_digest);
        (format!("{publisher}.{}.{}", until.seconds(), hex::encode(&signature)), until)
    }

    /// `None` if the text cannot be a link.
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '.');
        let (publisher, until, signature) = (parts.next()?, parts.next()?, parts.next()?);
        let plain = |text: &str| text.bytes().all(|c| c.is_ascii_digit()) && text.len() < 12;
        if !plain(publisher) || !plain(until) {
            return None;
        }
        Some(Self {
            publisher: publisher.parse().ok()?,
            until: Timestamp::from_seconds(until.parse().ok()?),
            signature: hex::decode(signature)?,
        })
    }

    /// Whether the link was signed for the publisher's key with this digest, and has not expired.
    pub fn is_good(&self, key: &[u8; 32], key_digest: &str, now: Timestamp) -> bool {
        let expected = signature(key, self.publisher, self.until, key_digest);
        // In constant time.
        bool::from(expected.ct_eq(&self.signature)) && now < self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);
    const KEY: [u8; 32] = [7; 32];

    #[test]
    fn a_link_holds_for_its_publisher_its_key_and_its_time() {
        let (text, until) = PublisherLink::sign(&KEY, PublisherId(3), "aa", NOW);
        assert_eq!(until, NOW.plus_days(30));
        let link = PublisherLink::read(&text).expect("a link");
        assert_eq!(link.publisher, PublisherId(3));
        assert!(link.is_good(&KEY, "aa", until.plus_millis(-1)));
        assert!(!link.is_good(&KEY, "aa", until), "its time is over");
        assert!(!link.is_good(&KEY, "bb", NOW), "the key was replaced");
        assert!(!link.is_good(&[8; 32], "aa", NOW), "another installation");
        let other = PublisherLink { publisher: PublisherId(4), ..link.clone() };
        assert!(!other.is_good(&KEY, "aa", NOW));
        let longer = PublisherLink { until: until.plus_days(1), ..link };
        assert!(!longer.is_good(&KEY, "aa", NOW));
    }

    #[test]
    fn anything_else_is_none() {
        let (text, _) = PublisherLink::sign(&KEY, PublisherId(3), "aa", NOW);
        for odd in ["", "3", "3.1", "..", "x.1.00", "-3.1.00", "3.99999999999999999999.00"] {
            assert_eq!(PublisherLink::read(odd), None, "{odd}");
        }
        assert_eq!(PublisherLink::read(&format!("{text}0")), None);
    }
}
