//! What a creative carries, so that nobody can make up a delivery.
//!
//! 51 bytes of content (version, origin, realm, plan, slot, lease, time, nonce) and the first 16
//! bytes of an HMAC-SHA256 over them (RFC 2104), in base64url without padding
//! (RFC 4648, section 5).

use base::{PlanId, SlotId, Timestamp};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

const VERSION: u8 = 2;
const NONCE: usize = 16;
const CONTENT: usize = 3 + 8 + 8 + 8 + 8 + NONCE;
/// How many bytes of a nonce tell when it was made.
const TIME: usize = 6;
const MAC: usize = 16;

/// What stands for one delivery; also its click id. Its first 48 bits are the
/// milliseconds of the Unix epoch at which it was made, so that nonces follow
/// each other in an index and tell where to look for them (as in UUID version 7,
/// RFC 9562, section 5.7); the other 80 bits are random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nonce(pub [u8; NONCE]);

impl Nonce {
    pub fn mint(at: Timestamp, random: [u8; NONCE - TIME]) -> Self {
        let time = at.millis().to_be_bytes().into_iter().skip(8 - TIME);
        let mut bytes = [0; NONCE];
        bytes.iter_mut().zip(time.chain(random)).for_each(|(place, byte)| *place = byte);
        Self(bytes)
    }

    pub fn minted_at(self) -> Timestamp {
        let millis = self.0.iter().take(TIME).fold(0_i64, |sum, byte| sum << 8 | i64::from(*byte));
        Timestamp::from_millis(millis)
    }

    /// Reads what [`Nonce::text`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.as_bytes();
        if text.len() != 2 * NONCE {
            return None;
        }
        let mut bytes = [0; NONCE];
        for (place, pair) in bytes.iter_mut().zip(text.chunks(2)) {
            for digit in pair {
                let value = char::from(*digit).to_digit(16).filter(|_| !digit.is_ascii_uppercase())?;
                *place = *place << 4 | u8::try_from(value).ok()?;
            }
        }
        Some(Self(bytes))
    }

    /// Lower-case hexadecimal, as it is kept and as advertisers see it.
    pub fn text(self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// How a creative came to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In a publisher's slot: one delivery, paid for.
    Slot(SlotId),
    /// By a link the user passes on: any number of visits, never billed.
    Share,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub plan: PlanId,
    pub origin: Origin,
    /// The lease in which its price is set aside; 0 on a share link.
    pub lease: i64,
    /// The realm's code, so that a simulated token is worthless in a live installation.
    pub realm: i16,
    pub issued_at: Timestamp,
    /// All zero on a share link, which is no single delivery.
    pub nonce: Nonce,
}

/// Not a token of this server: malformed, altered, or signed by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a token of this server")]
pub struct BadToken;

impl Token {
    pub fn sign(&self, key: &[u8]) -> String {
        let content = self.content();
        let mut bytes = content.to_vec();
        if let Some(mac) = keyed(key) {
            let tag = mac.chain_update(content).finalize().into_bytes();
            bytes.extend(tag.iter().take(MAC));
        }
        URL_SAFE_NO_PAD.encode(bytes)
    }

    pub fn verify(text: &str, key: &[u8]) -> Result<Self, BadToken> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| BadToken)?;
        let (content, tag) = bytes.split_at_checked(CONTENT).ok_or(BadToken)?;
        if tag.len() != MAC {
            return Err(BadToken);
        }
        let mac = keyed(key).ok_or(BadToken)?;
        mac.chain_update(content).verify_truncated_left(tag).map_err(|_| BadToken)?;
        Self::read(content)
    }

    fn content(&self) -> [u8; CONTENT] {
        let (kind, slot) = match self.origin {
            Origin::Slot(slot) => (1, slot.0),
            Origin::Share => (2, 0),
        };
        let realm = u8::try_from(self.realm).unwrap_or(0);
        let parts = [VERSION, kind, realm]
            .into_iter()
            .chain(self.plan.0.to_be_bytes())
            .chain(slot.to_be_bytes())
            .chain(self.lease.to_be_bytes())
            .chain(self.issued_at.millis().to_be_bytes())
            .chain(self.nonce.0);
        let mut content = [0; CONTENT];
        content.iter_mut().zip(parts).for_each(|(place, byte)| *place = byte);
        content
    }

    fn read(content: &[u8]) -> Result<Self, BadToken> {
        let (head, rest) = content.split_first_chunk::<3>().ok_or(BadToken)?;
        let (plan, rest) = rest.split_first_chunk::<8>().ok_or(BadToken)?;
        let (slot, rest) = rest.split_first_chunk::<8>().ok_or(BadToken)?;
        let (lease, rest) = rest.split_first_chunk::<8>().ok_or(BadToken)?;
        let (issued, nonce) = rest.split_first_chunk::<8>().ok_or(BadToken)?;
        let [version, kind, realm] = *head;
        let origin = match (version, kind) {
            (VERSION, 1) => Origin::Slot(SlotId(i64::from_be_bytes(*slot))),
            (VERSION, 2) => Origin::Share,
            _ => return Err(BadToken),
        };
        Ok(Self {
            plan: PlanId(i64::from_be_bytes(*plan)),
            origin,
            lease: i64::from_be_bytes(*lease),
            realm: realm.into(),
            issued_at: Timestamp::from_millis(i64::from_be_bytes(*issued)),
            nonce: Nonce(nonce.try_into().map_err(|_| BadToken)?),
        })
    }
}

/// A key of any length is accepted, so this is always `Some`.
fn keyed(key: &[u8]) -> Option<Hmac<Sha256>> {
    Hmac::new_from_slice(key).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> Token {
        Token {
            plan: PlanId(7),
            origin: Origin::Slot(SlotId(3)),
            lease: 5,
            realm: 2,
            issued_at: Timestamp::from_seconds(1_700_000_000),
            nonce: Nonce([9; NONCE]),
        }
    }

    #[test]
    fn what_was_signed_is_read_back() {
        for token in [token(), Token { origin: Origin::Share, ..token() }] {
            assert_eq!(Token::verify(&token.sign(b"key"), b"key"), Ok(token));
        }
    }

    #[test]
    fn a_nonce_tells_when_it_was_made_and_is_read_back() {
        let at = Timestamp::from_millis(1_767_614_400_123);
        let nonce = Nonce::mint(at, [0xa7; NONCE - TIME]);
        assert_eq!(nonce.minted_at(), at);
        assert_eq!(Nonce::parse(&nonce.text()), Some(nonce));
        for bad in ["", "zz", &nonce.text().to_uppercase(), &format!("{}0", nonce.text()), &"é".repeat(16)] {
            assert_eq!(Nonce::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn every_altered_byte_is_noticed() {
        let signed = URL_SAFE_NO_PAD.decode(token().sign(b"key")).expect("base64");
        assert_eq!(signed.len(), CONTENT + MAC);
        for place in 0..signed.len() {
            let mut forged = signed.clone();
            forged[place] ^= 1;
            assert_eq!(Token::verify(&URL_SAFE_NO_PAD.encode(forged), b"key"), Err(BadToken), "byte {place}");
        }
        for length in 0..signed.len() {
            assert_eq!(Token::verify(&URL_SAFE_NO_PAD.encode(&signed[..length]), b"key"), Err(BadToken));
        }
        assert_eq!(Token::verify(&token().sign(b"key"), b"other"), Err(BadToken));
        assert_eq!(Token::verify("", b"key"), Err(BadToken));
    }
}
