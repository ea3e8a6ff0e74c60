//! Keys of counterparties: advertisers sign postbacks with them, exchanges and publishers send theirs with each
//! request. No member of staff ever sees one. A counterparty either brings the public half of a key pair or claims a
//! secret through a link; staff compare only the fingerprint.

use base::{coded, refuse_if};
use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig, general_purpose::STANDARD};
use ed25519_dalek::VerifyingKey;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use sha2::{Digest as _, Sha256};

use crate::operator_key::PublicKey;
use crate::session::Digest;
use crate::signature::SignedRequest;
use crate::{Token, hex};

coded!(
    /// How a counterparty came by its key.
    KeyOrigin {
        /// It was shown to a member of staff. Only keys from before counterparties got their keys themselves have this
        /// origin.
        Staff = 0 "staff",
        /// It was made when its holder opened a link.
        Claimed = 1 "claimed",
        /// Its holder made a key pair and gave us the public half.
        Brought = 2 "brought",
        /// There is none yet.
        Awaited = 3 "awaited",
    }
);

/// The number of hexadecimal digits in a fingerprint: 80 bits, so that nobody finds another key with the same
/// fingerprint. They are grouped by four, so that people can read them to each other.
const DIGITS: usize = 20;
const GROUP: usize = 4;

/// The beginning of a key's SHA-256, which anybody who has the key can compute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// The fingerprint of a secret, from its text.
    pub fn of_secret(text: &str) -> Self {
        Self::of_digest(&Sha256::digest(text.as_bytes()).into())
    }

    /// The fingerprint of a token of which only the digest is stored.
    pub fn of_digest(digest: &Digest) -> Self {
        Self(hex::encode(digest).chars().take(DIGITS).collect())
    }

    /// The fingerprint of a public key, from its 32 bytes.
    pub fn of_public(key: &PublicKey) -> Self {
        Self::of_digest(&Sha256::digest(key).into())
    }

    /// Whether somebody typed this fingerprint, however they grouped it.
    pub fn is(&self, typed: &str) -> bool {
        let separates = |c: &char| !(c.is_whitespace() || matches!(c, '-' | ':' | '.' | ','));
        let digits: String = typed.chars().filter(separates).map(|c| c.to_ascii_lowercase()).collect();
        digits == self.0
    }
}

/// Writes the fingerprint in groups: `3f2a 91bc 04de 77a1 5c0b`.
impl std::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (place, digit) in self.0.chars().enumerate() {
            if place > 0 && place % GROUP == 0 {
                f.write_str(" ")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

/// Why a text is no public key that signatures can be checked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPublicKey {
    #[error("it is neither PEM nor 32 bytes in base64 or hexadecimal")]
    Unreadable,
    /// Whoever sent it must make another pair, because nobody else may have a private key.
    #[error("it is a private key")]
    Private,
    #[error("it is a key of another kind than Ed25519")]
    OtherKind,
    /// It is not a point of the curve, or one of small order, for which anybody can sign.
    #[error("it is not a point of the curve, or is a weak one")]
    Weak,
}

impl BadPublicKey {
    /// The key of the field's problem.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Unreadable => "invalid",
            Self::Private => "private_key",
            Self::OtherKind => "not_ed25519",
            Self::Weak => "weak",
        }
    }
}

const BEGIN: &str = "-----BEGIN ";
const DASHES: &str = "-----";
/// What precedes the 32 bytes of an Ed25519 key in DER (RFC 8410): the public one's
/// SubjectPublicKeyInfo, and the private one's PKCS #8.
const SPKI: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
const PKCS8: [u8; 16] =
    [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
/// The prefix of an Ed25519 public key in OpenSSH's format.
const OPENSSH_KIND: &str = "ssh-ed25519";
const OPENSSH: [u8; 19] = *b"\0\0\0\x0bssh-ed25519\0\0\0\x20";
/// More than any public key's file has, in bytes.
const LONGEST: usize = 16 * 1024;

/// Reads a public key: PEM, OpenSSH's line, or 32 bytes in base64 or hexadecimal.
pub fn read_public(text: &str) -> Result<PublicKey, BadPublicKey> {
    let text = text.trim_start_matches('\u{feff}').trim();
    refuse_if(text.is_empty() || text.len() > LONGEST, BadPublicKey::Unreadable)?;
    let key = match text.find(BEGIN) {
        Some(at) => of_pem(text.get(at + BEGIN.len()..).unwrap_or_default())?,
        None if text.starts_with("ssh-") || text.starts_with("ecdsa-") => of_openssh(text)?,
        None => of_bytes(&plain(text).ok_or(BadPublicKey::Unreadable)?)?,
    };
    let point = VerifyingKey::from_bytes(&key).map_err(|_| BadPublicKey::Weak)?;
    if point.is_weak() { Err(BadPublicKey::Weak) } else { Ok(key) }
}

/// Reads what follows `-----BEGIN ` in PEM.
fn of_pem(rest: &str) -> Result<PublicKey, BadPublicKey> {
    let (label, rest) = rest.split_once(DASHES).ok_or(BadPublicKey::Unreadable)?;
    refuse_if(label.contains("PRIVATE"), BadPublicKey::Private)?;
    refuse_if(label != "PUBLIC KEY", BadPublicKey::OtherKind)?;
    let (body, _) = rest.split_once(DASHES).ok_or(BadPublicKey::Unreadable)?;
    let der = base64_of(body).ok_or(BadPublicKey::Unreadable)?;
    after(&der, &SPKI).ok_or(BadPublicKey::OtherKind)
}

fn of_openssh(line: &str) -> Result<PublicKey, BadPublicKey> {
    let mut words = line.split_whitespace();
    refuse_if(words.next() != Some(OPENSSH_KIND), BadPublicKey::OtherKind)?;
    let bytes = words.next().and_then(base64_of).ok_or(BadPublicKey::Unreadable)?;
    after(&bytes, &OPENSSH).ok_or(BadPublicKey::Unreadable)
}

/// Decodes hexadecimal or base64.
fn plain(text: &str) -> Option<Vec<u8>> {
    let digits: String = text.chars().filter(|c| !(c.is_whitespace() || *c == ':')).collect();
    if let Some(key) = hex::decode::<32>(&digits.to_ascii_lowercase()) {
        return Some(key.to_vec());
    }
    base64_of(text)
}

fn of_bytes(bytes: &[u8]) -> Result<PublicKey, BadPublicKey> {
    if let Ok(key) = bytes.try_into() {
        return Ok(key);
    }
    refuse_if(bytes.starts_with(&PKCS8), BadPublicKey::Private)?;
    after(bytes, &SPKI).ok_or(BadPublicKey::Unreadable)
}

fn after(bytes: &[u8], head: &[u8]) -> Option<PublicKey> {
    bytes.strip_prefix(head)?.try_into().ok()
}

/// Decodes base64 with or without padding, in either alphabet, on one line or several.
pub(crate) fn base64_of(text: &str) -> Option<Vec<u8>> {
    const LENIENT: GeneralPurpose = GeneralPurpose::new(
        &alphabet::STANDARD,
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
    );
    let letter = |c: char| match c {
        '-' => '+',
        '_' => '/',
        other => other,
    };
    let text: String = text.chars().filter(|c| !c.is_whitespace()).map(letter).collect();
    LENIENT.decode(text).ok()
}

/// A key pair, for the program that signs.
pub struct KeyPair {
    seed: [u8; 32],
    pair: Ed25519KeyPair,
    public: PublicKey,
}

impl KeyPair {
    /// The pair of a seed of 32 random bytes; `None` if they make no pair.
    pub fn from_seed(seed: [u8; 32]) -> Option<Self> {
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed).ok()?;
        let public = pair.public_key().as_ref().try_into().ok()?;
        Some(Self { seed, pair, public })
    }

    pub const fn public(&self) -> &PublicKey {
        &self.public
    }

    /// The public key in PEM, as OpenSSL writes it.
    pub fn public_pem(&self) -> String {
        pem("PUBLIC KEY", &[&SPKI[..], &self.public].concat())
    }

    /// The private key in PEM, as OpenSSL writes it.
    pub fn private_pem(&self) -> String {
        pem("PRIVATE KEY", &[&PKCS8[..], &self.seed].concat())
    }

    /// A call's signature, in base64.
    pub fn sign(&self, signed: &SignedRequest<'_>) -> String {
        STANDARD.encode(self.pair.sign(&signed.text()))
    }
}

/// Writes PEM. Both kinds of key fit on one line.
fn pem(label: &str, der: &[u8]) -> String {
    format!("{BEGIN}{label}{DASHES}\n{}\n-----END {label}{DASHES}\n", STANDARD.encode(der))
}

print_nothing_of!(KeyPair);

/// The fingerprint of a token that its holder keeps.
impl From<&Token> for Fingerprint {
    fn from(token: &Token) -> Self {
        Self::of_digest(&token.digest())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `openssl genpkey -algorithm ed25519`, and its public half.
    const PRIVATE: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n-----END PRIVATE KEY-----\n";
    const PUBLIC: &str = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n";
    /// RFC 8032, 7.1, test 1, which is that pair.
    const SEED: &str = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
    const POINT: &str = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

    fn pair() -> KeyPair {
        KeyPair::from_seed(hex::decode(SEED).expect("hex")).expect("a pair")
    }

    #[test]
    fn a_pair_is_written_as_openssl_writes_it() {
        let pair = pair();
        assert_eq!(
            (hex::encode(pair.public()), pair.private_pem(), pair.public_pem()),
            (POINT.to_owned(), PRIVATE.to_owned(), PUBLIC.to_owned())
        );
        assert_eq!(format!("{pair:?}"), "KeyPair(…)");
    }

    #[test]
    fn a_public_key_is_read_however_it_is_written() {
        let raw: [u8; 32] = hex::decode(POINT).expect("hex");
        let base64 = STANDARD.encode(raw);
        let openssh = format!("ssh-ed25519 {} them@example", STANDARD.encode([&OPENSSH[..], &raw].concat()));
        let colons: Vec<String> = raw.iter().map(|byte| format!("{byte:02X}")).collect();
        for text in [
            PUBLIC.to_owned(),
            format!("\u{feff}Their key\r\n{}", PUBLIC.replace('\n', "\r\n")),
            base64.clone(),
            base64.trim_end_matches('=').replace('+', "-").replace('/', "_"),
            format!(" {POINT}\n"),
            POINT.to_uppercase(),
            colons.join(":"),
            STANDARD.encode([&SPKI[..], &raw].concat()),
            openssh,
        ] {
            assert_eq!(read_public(&text), Ok(raw), "{text}");
        }
    }

    #[test]
    fn what_is_no_public_key_is_refused_for_what_it_is() {
        let rsa = "-----BEGIN PUBLIC KEY-----\nMFwwDQYJKoZIhvcNAQEBBQADSwAwSAJB\n-----END PUBLIC KEY-----";
        let private = STANDARD.encode([&PKCS8[..], &[7; 32]].concat());
        for (text, why) in [
            ("", BadPublicKey::Unreadable),
            ("hello", BadPublicKey::Unreadable),
            (&POINT[2..], BadPublicKey::Unreadable),
            ("-----BEGIN PUBLIC KEY-----", BadPublicKey::Unreadable),
            (PRIVATE, BadPublicKey::Private),
            ("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----", BadPublicKey::Private),
            (&private, BadPublicKey::Private),
            (rsa, BadPublicKey::OtherKind),
            ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", BadPublicKey::OtherKind),
            ("ssh-rsa AAAA them@example", BadPublicKey::OtherKind),
            (&"a".repeat(LONGEST + 1), BadPublicKey::Unreadable),
        ] {
            assert_eq!(read_public(text), Err(why), "{text}");
        }
    }

    /// Under a key of small order, one signature fits every text.
    #[test]
    fn keys_that_anybody_can_sign_for_are_refused() {
        for weak in [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "0000000000000000000000000000000000000000000000000000000000000080",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
            // The same points, not reduced.
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            // No point at all.
            "0200000000000000000000000000000000000000000000000000000000000000",
        ] {
            assert_eq!(read_public(weak), Err(BadPublicKey::Weak), "{weak}");
        }
    }

    #[test]
    fn a_fingerprint_is_read_aloud_and_typed_as_heard() {
        // printf %s key | sha256sum | cut -c1-20
        let print = Fingerprint::of_secret("key");
        assert_eq!(print.to_string(), "2c70 e12b 7a06 46f9 2279");
        for typed in ["2c70 e12b 7a06 46f9 2279", "2C70E12B7A0646F92279", " 2c70-e12b-7a06-46f9:2279\n"] {
            assert!(print.is(typed), "{typed}");
        }
        for typed in ["", "2c70 e12b 7a06 46f9 227", "2c70 e12b 7a06 46f9 2278", "2c70 e12b 7a06 46f9 22790"] {
            assert!(!print.is(typed), "{typed}");
        }
        let token = Token::new(&[3; 32]);
        assert_eq!(Fingerprint::from(&token), Fingerprint::of_secret(token.text()));
        assert_ne!(Fingerprint::of_public(pair().public()), Fingerprint::of_secret(POINT));
    }
}
