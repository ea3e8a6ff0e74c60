//! What is sealed is opened, and what is signed is verified, by another library than the one that did it.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use base::Timestamp;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use proptest::prelude::*;
use push::{DeviceKeys, Endpoint, Entropy, LONGEST, ServerKey, Subject, seal};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::rand::SystemRandom;
use ring::{aead, hkdf, signature};
use serde_json::Value;

/// A browser that is sent one message.
struct Browser {
    private: EphemeralPrivateKey,
    public: Vec<u8>,
    auth: [u8; 16],
}

impl Browser {
    fn new(auth: [u8; 16]) -> Self {
        let private = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).expect("a key");
        let public = private.compute_public_key().expect("its public half").as_ref().to_vec();
        Self { private, public, auth }
    }

    fn keys(&self) -> DeviceKeys {
        DeviceKeys::of(&self.public, &self.auth).expect("keys")
    }

    fn open(self, body: &[u8]) -> Option<Vec<u8>> {
        let (salt, theirs) = (&body[..16], &body[21..86]);
        assert_eq!((&body[16..20], body[20]), ([0, 0, 16, 0].as_slice(), 65));
        let info = [b"WebPush: info\0", self.public.as_slice(), theirs].concat();
        let both = agree_ephemeral(self.private, &UnparsedPublicKey::new(&ECDH_P256, theirs), |shared| {
            derive::<32>(&self.auth, shared, &info)
        });
        let both = both.expect("agreed");
        let key = derive::<16>(salt, &both, b"Content-Encoding: aes128gcm\0");
        let nonce = derive::<12>(salt, &both, b"Content-Encoding: nonce\0");
        let key = aead::LessSafeKey::new(aead::UnboundKey::new(&aead::AES_128_GCM, &key).expect("a key"));
        let mut record = body[86..].to_vec();
        let nonce = aead::Nonce::assume_unique_for_key(nonce);
        let text = key.open_in_place(nonce, aead::Aad::empty(), &mut record).ok()?;
        let end = text.iter().rposition(|byte| *byte != 0).expect("its end");
        assert_eq!(text[end], 2);
        Some(text[..end].to_vec())
    }
}

struct Length(usize);

impl hkdf::KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn derive<const N: usize>(salt: &[u8], secret: &[u8], info: &[u8]) -> [u8; N] {
    let mut derived = [0; N];
    let secret = hkdf::Salt::new(hkdf::HKDF_SHA256, salt).extract(secret);
    secret.expand(&[info], Length(N)).expect("derived").fill(&mut derived).expect("filled");
    derived
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_browser_reads_what_was_sealed_and_nobody_how_long_it_is(
        message in prop::collection::vec(any::<u8>(), 0..=LONGEST),
        auth: [u8; 16],
        ephemeral: [u8; 32],
        salt: [u8; 16],
    ) {
        let browser = Browser::new(auth);
        let body = seal(&message, &browser.keys(), &Entropy { ephemeral, salt }).expect("it fits");
        prop_assert!([1_127, 2_151, 4_096].contains(&body.len()), "{}", body.len());
        prop_assert_eq!(browser.open(&body), Some(message));
    }

    #[test]
    fn whoever_changes_a_byte_is_found_out(at in 86_usize..1_127, bit in 0_u32..8) {
        let browser = Browser::new([3; 16]);
        let mut body = seal(b"hello", &browser.keys(), &Entropy { ephemeral: [4; 32], salt: [5; 16] }).expect("it fits");
        body[at] ^= 1 << bit;
        prop_assert_eq!(browser.open(&body), None);
    }
}

#[test]
fn what_does_not_fit_is_not_sealed() {
    let browser = Browser::new([3; 16]);
    let random = Entropy { ephemeral: [4; 32], salt: [5; 16] };
    assert!(seal(&[7; LONGEST], &browser.keys(), &random).is_some());
    assert_eq!(seal(&[7; LONGEST + 1], &browser.keys(), &random), None);
}

#[test]
fn a_token_says_who_sends_to_whom_and_until_when() {
    let key = ServerKey::derive(&[9; 32]).expect("a key");
    let endpoint = Endpoint::parse("https://push.example.net/send/abc?d=1", None).expect("public");
    let subject = Subject::parse("mailto:ops@example.com").expect("a subject");
    let header = key.authorization(&endpoint, &subject, Timestamp::from_seconds(1_000));
    let (token, public) = header.strip_prefix("vapid t=").and_then(|rest| rest.split_once(", k=")).expect("its form");
    assert_eq!(public, key.public());
    let (signed, signature) = token.rsplit_once('.').expect("three parts");
    let bytes = |text: &str| URL_SAFE_NO_PAD.decode(text).expect("base64url");
    let verifier = signature::UnparsedPublicKey::new(&signature::ECDSA_P256_SHA256_FIXED, bytes(public));
    verifier.verify(signed.as_bytes(), &bytes(signature)).expect("signed");
    verifier.verify(b"another", &bytes(signature)).expect_err("not signed");
    let parts: Vec<Value> = signed.split('.').map(|part| serde_json::from_slice(&bytes(part)).expect("JSON")).collect();
    assert_eq!(parts[0]["alg"], "ES256");
    assert_eq!(
        parts[1],
        serde_json::json!({ "aud": "https://push.example.net", "exp": 1_000 + 43_200, "sub": "mailto:ops@example.com" })
    );
}
