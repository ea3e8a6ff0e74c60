//! Signed calls from other servers: an advertiser's postbacks and the provider's
//! requests for tickets.

use base::{Timestamp, keyed_hash};
use subtle::ConstantTimeEq;

use crate::hex;

/// How far the caller's clock may differ from ours.
pub const WINDOW_SECONDS: i64 = 300;

/// The signed parts of a call, as received; `timestamp` is the text of the header.
#[derive(Clone, Copy, Debug)]
pub struct SignedRequest<'a> {
    pub timestamp: &'a str,
    pub method: &'a str,
    pub path: &'a str,
    pub body: &'a [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSignature {
    #[error("the timestamp is not a number of seconds")]
    NoTimestamp,
    #[error("the timestamp is more than five minutes off")]
    Stale,
    #[error("the signature does not fit")]
    Wrong,
}

/// Lower-case hex HMAC-SHA256 over timestamp, method, path and raw body.
pub fn sign(key: &str, signed: &SignedRequest<'_>) -> String {
    let head = [signed.timestamp, signed.method, signed.path, ""].join("\n");
    hex::encode(&keyed_hash(key.as_bytes(), &[head.as_bytes(), signed.body]))
}

pub fn verify(key: &str, signed: &SignedRequest<'_>, signature: &str, now: Timestamp) -> Result<(), BadSignature> {
    let at: i64 = signed.timestamp.parse().map_err(|_| BadSignature::NoTimestamp)?;
    if now.seconds().abs_diff(at) > WINDOW_SECONDS.unsigned_abs() {
        return Err(BadSignature::Stale);
    }
    let expected = sign(key, signed);
    let fits = bool::from(expected.as_bytes().ct_eq(signature.as_bytes()));
    if fits { Ok(()) } else { Err(BadSignature::Wrong) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: SignedRequest<'static> =
        SignedRequest { timestamp: "1700000000", method: "POST", path: "/t/postback", body: b"{\"event_id\":\"e1\"}" };
    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

    #[test]
    fn agrees_with_openssl() {
        // printf '1700000000\nPOST\n/t/postback\n{"event_id":"e1"}' | openssl dgst -sha256 -hmac key
        assert_eq!(sign("key", &CALL), "8bf219e2b638da2e7f5ea6733390a0edfa0839bb11026931e4d21dd738a4b42d");
    }

    #[test]
    fn anything_changed_is_refused() {
        let signature = sign("key", &CALL);
        assert_eq!(verify("key", &CALL, &signature, NOW), Ok(()));
        assert_eq!(verify("other", &CALL, &signature, NOW), Err(BadSignature::Wrong));
        assert_eq!(verify("key", &SignedRequest { body: b"{}", ..CALL }, &signature, NOW), Err(BadSignature::Wrong));
        assert_eq!(
            verify("key", &SignedRequest { path: "/t/other", ..CALL }, &signature, NOW),
            Err(BadSignature::Wrong)
        );
        assert_eq!(verify("key", &CALL, &signature.to_uppercase(), NOW), Err(BadSignature::Wrong));
        assert_eq!(verify("key", &CALL, "", NOW), Err(BadSignature::Wrong));
    }

    #[test]
    fn a_stale_one_is_refused_both_ways() {
        let signature = sign("key", &CALL);
        for seconds in [-301, 301] {
            assert_eq!(verify("key", &CALL, &signature, NOW.plus_seconds(seconds)), Err(BadSignature::Stale));
        }
        assert_eq!(verify("key", &CALL, &signature, NOW.plus_seconds(300)), Ok(()));
        let odd = SignedRequest { timestamp: "soon", ..CALL };
        assert_eq!(verify("key", &odd, &signature, NOW), Err(BadSignature::NoTimestamp));
    }
}
