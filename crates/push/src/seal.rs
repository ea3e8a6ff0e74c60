//! Encrypting a message for one browser (RFC 8291, with the coding of RFC 8188). The push service sees neither what is
//! written nor how long it is.

use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes128Gcm, Key, Nonce};
use hkdf::Hkdf;
use p256::ecdh::diffie_hellman;
use p256::elliptic_curve::sec1::ToSec1Point;
use p256::{PublicKey, SecretKey};
use sha2::Sha256;

use crate::decoded;
use crate::keys::{public_of, secret_from};

/// The bytes of one record, which services take at least.
const RECORD: u32 = 4_096;
/// The most bytes of a message: what is left of a body of 4,096 bytes after its head, the mark of its end and the tag.
pub const LONGEST: usize = 3_993;
/// To which lengths messages are filled up.
const LENGTHS: [usize; 3] = [1_024, 2_048, LONGEST];
/// Ends the text of the last record; what follows is filling.
const LAST: u8 = 2;

/// A browser's public key and the secret that it shares with us alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceKeys {
    public: PublicKey,
    secret: [u8; 16],
}

impl DeviceKeys {
    /// `p256dh` and `auth` of a subscription, in base64url.
    pub fn parse(p256dh: &str, auth: &str) -> Option<Self> {
        Self::of(&decoded(p256dh)?, &decoded(auth)?)
    }

    /// Parses the bytes of `p256dh` and `auth`; `None` if they are not keys.
    pub fn of(p256dh: &[u8], auth: &[u8]) -> Option<Self> {
        // A point that is compressed is not what browsers send.
        let public = Some(p256dh).filter(|bytes| bytes.len() == 65)?;
        Some(Self { public: PublicKey::from_sec1_bytes(public).ok()?, secret: auth.try_into().ok()? })
    }

    pub fn p256dh(&self) -> Vec<u8> {
        self.public.to_sec1_point(false).as_bytes().to_vec()
    }

    pub fn auth(&self) -> &[u8; 16] {
        &self.secret
    }
}

/// Random bytes, used for one message only.
#[derive(Clone, Copy)]
pub struct Entropy {
    pub ephemeral: [u8; 32],
    pub salt: [u8; 16],
}

/// The body of a request. `None` if the message is longer than [`LONGEST`].
pub fn seal(message: &[u8], keys: &DeviceKeys, random: &Entropy) -> Option<Vec<u8>> {
    let length = LENGTHS.into_iter().find(|length| message.len() <= *length)?;
    let ephemeral = secret_from(&random.ephemeral, b"placard push message 1")?;
    let filling = length - message.len();
    let text: Vec<u8> = message.iter().copied().chain([LAST]).chain(std::iter::repeat_n(0, filling)).collect();
    record(&text, keys, &ephemeral, &random.salt)
}

/// The only record of a body, before which its head says how to open it.
fn record(text: &[u8], keys: &DeviceKeys, ephemeral: &SecretKey, salt: &[u8; 16]) -> Option<Vec<u8>> {
    let (theirs, ours) = (keys.p256dh(), public_of(ephemeral));
    let shared = diffie_hellman(ephemeral.to_nonzero_scalar(), keys.public.as_affine());
    let info = [b"WebPush: info\0", theirs.as_slice(), &ours].concat();
    let both: [u8; 32] = expand(&keys.secret, shared.raw_secret_bytes(), &info)?;
    let key: [u8; 16] = expand(salt, &both, b"Content-Encoding: aes128gcm\0")?;
    let nonce: [u8; 12] = expand(salt, &both, b"Content-Encoding: nonce\0")?;
    let sealed = Aes128Gcm::new(&Key::<Aes128Gcm>::from(key)).encrypt(&Nonce::from(nonce), text).ok()?;
    let length = u8::try_from(ours.len()).ok()?;
    Some([salt.as_slice(), &RECORD.to_be_bytes(), &[length], &ours, &sealed].concat())
}

pub(crate) fn expand<const N: usize>(salt: &[u8], secret: &[u8], info: &[u8]) -> Option<[u8; N]> {
    let mut derived = [0; N];
    Hkdf::<Sha256>::new(Some(salt), secret).expand(info, &mut derived).ok()?;
    Some(derived)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoded;

    /// RFC 8291, section 5 and appendix A.
    #[test]
    fn it_is_the_body_of_the_standard() {
        let keys = DeviceKeys::parse(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "BTBZMqHH6r4Tts7J_aSIgg",
        )
        .expect("keys");
        let bytes = |text| decoded(text).expect("base64url");
        let ephemeral = SecretKey::from_slice(&bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")).expect("a key");
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().expect("sixteen bytes");
        let body = record(b"When I grow up, I want to be a watermelon\x02", &keys, &ephemeral, &salt).expect("sealed");
        assert_eq!(
            encoded(body),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        );
    }

    #[test]
    fn keys_that_are_none_are_refused() {
        let good = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
        let off_the_curve = encoded([[4].as_slice(), &[7; 64]].concat());
        let auth = "BTBZMqHH6r4Tts7J_aSIgg";
        assert!(DeviceKeys::parse(good, auth).is_some());
        assert_eq!(DeviceKeys::parse(good, &format!("{auth}==")), DeviceKeys::parse(good, auth), "with padding");
        for (p256dh, auth) in
            [("", auth), (good, ""), (off_the_curve.as_str(), auth), ("AAAA", auth), (good, "AAAA"), (good, "!")]
        {
            assert_eq!(DeviceKeys::parse(p256dh, auth), None, "{p256dh} {auth}");
        }
    }
}
