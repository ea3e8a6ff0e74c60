//! The signed token of a creative, so that nobody can invent a delivery.
//!
//! It has 51 bytes of content (version, origin, realm, plan, slot, lease, time, nonce),
//! 14 more if the creative was chosen (arm, the set it was chosen among, propensity, the
//! last known event), 9 and a name more if it was offered to an exchange (flags and how long
//! its price is promised, price, the site or app), one more if what was offered lapses unless it is
//! said to have won (after how many seconds), and the first 16 bytes of an HMAC-SHA256 over them (RFC 2104), in
//! base64url without padding (RFC 4648, section 5).

use base::{PlanId, SlotId, Timestamp, hex, keyed_hash, refuse_if};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq;
use url::Host;

use crate::arms::{ArmSet, Choice, Seed};
use crate::lease::PROMISE_SECONDS;

const VERSION: u8 = 2;
/// A token with a choice.
const CHOSEN: u8 = 3;
/// A token of a bid, with or without a choice.
const BID: u8 = 4;
/// A slot's token for a reader who may not be recognized, with or without a choice.
const LIMITED_SLOT: u8 = 5;
/// A bit of the version: it was offered in an auction, for so many seconds.
const OFFERED: u8 = 0x80;
const NONCE: usize = 16;
const CHOICE: usize = 1 + 1 + 4 + 8;
/// How many bytes of a nonce are its time.
const TIME: usize = 6;
const MAC: usize = 16;

/// Identifies one delivery, and is its click id. Its first 48 bits are the time of
/// creation in Unix milliseconds, so that nonces are in order in an index and their time
/// is known (as in UUID version 7, RFC 9562, section 5.7). The other 80 bits are random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nonce(pub [u8; NONCE]);

impl Nonce {
    pub fn mint(at: Timestamp, random: [u8; NONCE - TIME]) -> Self {
        let time = at.millis().to_be_bytes().into_iter().skip(8 - TIME);
        let mut bytes = [0; NONCE];
        bytes.iter_mut().zip(time.chain(random)).for_each(|(place, byte)| *place = byte);
        Self(bytes)
    }

    /// The random part, which determines a choice.
    pub fn seed(self) -> Seed {
        let mut seed = Seed::default();
        seed.iter_mut().zip(self.0.into_iter().skip(TIME)).for_each(|(place, byte)| *place = byte);
        seed
    }

    pub fn minted_at(self) -> Timestamp {
        let [a, b, c, d, e, f, ..] = self.0;
        Timestamp::from_millis(i64::from_be_bytes([0, 0, a, b, c, d, e, f]))
    }

    /// Parses the output of [`Nonce::text`].
    pub fn parse(text: &str) -> Option<Self> {
        hex::decode(text).map(Self)
    }

    /// As an advertiser's server may send it back: in capitals, or with the dashes that databases write 16 bytes with
    /// (RFC 9562, section 4).
    pub fn sent_back(text: &str) -> Option<Self> {
        let is_dashed = text.len() == 36 && [8, 13, 18, 23].iter().all(|at| text.as_bytes().get(*at) == Some(&b'-'));
        let plain = text.to_ascii_lowercase();
        Self::parse(&if is_dashed { plain.replace('-', "") } else { plain })
    }

    /// Lower-case hexadecimal, as stored and as shown to advertisers.
    pub fn text(self) -> String {
        hex::encode(&self.0)
    }
}

/// How a creative came to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In a publisher's slot: one delivery, paid for.
    Slot(SlotId),
    /// By a link that the user shares: any number of visits, never billed.
    Share,
}

/// The terms of a bid in an exchange's auction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BidTerms {
    /// The price, in thousandths of a minor unit.
    pub milli: i64,
    /// The site or app, at most [`BidTerms::LONGEST_SOURCE`] bytes.
    pub source: String,
    /// For how long the price is promised at most: at least [`PROMISE_SECONDS`], and at most
    /// [`BidTerms::LONGEST_HOLD`].
    pub holds_seconds: i64,
}

impl BidTerms {
    pub const LONGEST_SOURCE: usize = 100;
    pub const LONGEST_HOLD: i64 = PROMISE_SECONDS + LONGEST_MORE as i64;

    /// The stored name of a site or app, from an exchange's name for it: in ASCII (RFC 5890), and without characters
    /// that such names never have.
    pub fn source_named(name: &str) -> String {
        let ascii = Some(name).filter(|name| !name.is_ascii()).and_then(|name| Host::parse(name).ok());
        ascii.map_or_else(|| Self::source_once_named(name), |host| Self::source_once_named(&host.to_string()))
    }

    /// The name as it was stored while letters of other scripts were left out. Users still exclude places by such
    /// names.
    pub fn source_once_named(name: &str) -> String {
        let plain = |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_');
        name.chars().filter(plain).take(Self::LONGEST_SOURCE).collect::<String>().to_ascii_lowercase()
    }

    /// What the exchange is owed: the price at which its auction cleared, if it names one, and never more than was bid.
    pub fn owed(&self, cleared_milli: Option<i64>) -> i64 {
        cleared_milli.unwrap_or(self.milli).clamp(0, self.milli.max(0))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub plan: PlanId,
    pub origin: Origin,
    /// The lease that its price is reserved in; 0 for a shared link.
    pub lease: i64,
    /// The realm's code, so that a simulated token is worthless in a live installation.
    pub realm: i16,
    pub issued_at: Timestamp,
    /// The nonce; all zero for a shared link, which is not a single delivery.
    pub nonce: Nonce,
    /// With AI delivery: how its content was chosen.
    pub choice: Option<Choice>,
    /// The reader may not be recognized: the page or the exchange has said so.
    pub limited: bool,
    /// Only for an exchange's slot.
    pub bid: Option<BidTerms>,
    /// For a bid whose price stays reserved only if a notice says that it has won: after how many seconds it lapses
    /// otherwise.
    pub offered_seconds: Option<u8>,
}

/// The text is not a valid token of this server: malformed, altered, or signed with another key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a token of this server")]
pub struct BadToken;

impl Token {
    pub fn sign(&self, key: &[u8]) -> String {
        let mut bytes = self.content();
        let tag = keyed_hash(key, &[&bytes]);
        bytes.extend(tag.iter().take(MAC));
        URL_SAFE_NO_PAD.encode(bytes)
    }

    pub fn verify(text: &str, key: &[u8]) -> Result<Self, BadToken> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| BadToken)?;
        let content = bytes.len().checked_sub(MAC).ok_or(BadToken)?;
        let (content, tag) = bytes.split_at_checked(content).ok_or(BadToken)?;
        let expected = keyed_hash(key, &[content]);
        let (expected, _) = expected.split_at_checked(MAC).ok_or(BadToken)?;
        // The comparison takes constant time.
        refuse_if(!bool::from(expected.ct_eq(tag)), BadToken)?;
        Self::read(content)
    }

    fn content(&self) -> Vec<u8> {
        let (kind, slot) = match self.origin {
            Origin::Slot(slot) => (1, slot.0),
            Origin::Share => (2, 0),
        };
        let realm = u8::try_from(self.realm).unwrap_or(0);
        let version = match (&self.bid, self.limited, self.choice) {
            (Some(_), ..) => BID,
            (None, true, _) => LIMITED_SLOT,
            (None, false, Some(_)) => CHOSEN,
            (None, false, None) => VERSION,
        };
        let offered = if self.offered_seconds.is_some() { OFFERED } else { 0 };
        let parts = [version | offered, kind, realm]
            .into_iter()
            .chain(self.plan.0.to_be_bytes())
            .chain(slot.to_be_bytes())
            .chain(self.lease.to_be_bytes())
            .chain(self.issued_at.millis().to_be_bytes())
            .chain(self.nonce.0)
            .chain(self.offered_seconds);
        let mut content: Vec<u8> = parts.collect();
        if let Some(bid) = &self.bid {
            let chosen = if self.choice.is_some() { WITH_CHOICE } else { 0 };
            content.push(bid.write_hold() | chosen | if self.limited { LIMITED } else { 0 });
            content.extend(bid.milli.to_be_bytes());
        }
        content.extend(self.choice.into_iter().flat_map(write_choice));
        content.extend(self.bid.iter().flat_map(|bid| bid.source.bytes()));
        content
    }

    fn read(content: &[u8]) -> Result<Self, BadToken> {
        let (head, rest) = content.split_first_chunk::<3>().ok_or(BadToken)?;
        let (plan, rest) = rest.split_first_chunk::<8>().ok_or(BadToken)?;
        let (slot, rest) = rest.split_first_chunk::<8>().ok_or(BadToken)?;
        let (lease, rest) = rest.split_first_chunk::<8>().ok_or(BadToken)?;
        let (issued, rest) = rest.split_first_chunk::<8>().ok_or(BadToken)?;
        let (nonce, rest) = rest.split_first_chunk::<NONCE>().ok_or(BadToken)?;
        let [version, kind, realm] = *head;
        let origin = match kind {
            1 => Origin::Slot(SlotId(i64::from_be_bytes(*slot))),
            2 => Origin::Share,
            _ => return Err(BadToken),
        };
        let (version, offered_seconds, rest) = match (version & OFFERED, rest.split_first()) {
            (0, _) => (version, None, rest),
            (_, Some((seconds, rest))) => (version & !OFFERED, Some(*seconds), rest),
            (_, None) => return Err(BadToken),
        };
        let chosen = |rest: &[u8]| Ok(Some(read_choice(rest.try_into().map_err(|_| BadToken)?)));
        let (choice, limited, bid) = match version {
            VERSION if rest.is_empty() => (None, false, None),
            CHOSEN => (chosen(rest)?, false, None),
            LIMITED_SLOT if rest.is_empty() => (None, true, None),
            LIMITED_SLOT => (chosen(rest)?, true, None),
            BID => read_bid(rest)?,
            _ => return Err(BadToken),
        };
        Ok(Self {
            plan: PlanId(i64::from_be_bytes(*plan)),
            origin,
            lease: i64::from_be_bytes(*lease),
            realm: realm.into(),
            issued_at: Timestamp::from_millis(i64::from_be_bytes(*issued)),
            nonce: Nonce(*nonce),
            choice,
            limited,
            bid,
            offered_seconds,
        })
    }
}

/// The flags of a bid; the bits above them say by how many seconds its promise is longer than
/// [`PROMISE_SECONDS`]. They were zero while all promises were equally long.
const LIMITED: u8 = 1;
const WITH_CHOICE: u8 = 2;
const FLAGS: u32 = 2;
const LONGEST_MORE: u8 = u8::MAX >> FLAGS;

impl BidTerms {
    fn write_hold(&self) -> u8 {
        let more = (self.holds_seconds - PROMISE_SECONDS).clamp(0, LONGEST_MORE.into());
        u8::try_from(more).unwrap_or(0) << FLAGS
    }

    fn read_hold(flags: u8) -> i64 {
        PROMISE_SECONDS + i64::from(flags >> FLAGS)
    }
}

fn read_bid(rest: &[u8]) -> Result<(Option<Choice>, bool, Option<BidTerms>), BadToken> {
    let ([flags], rest) = rest.split_first_chunk::<1>().ok_or(BadToken)?;
    let (milli, rest) = rest.split_first_chunk::<8>().ok_or(BadToken)?;
    let (choice, rest) = match flags & WITH_CHOICE {
        0 => (None, rest),
        _ => rest
            .split_first_chunk::<CHOICE>()
            .map(|(choice, rest)| (Some(read_choice(*choice)), rest))
            .ok_or(BadToken)?,
    };
    let source = String::from_utf8(rest.to_vec()).map_err(|_| BadToken)?;
    let bid = BidTerms { milli: i64::from_be_bytes(*milli), source, holds_seconds: BidTerms::read_hold(*flags) };
    Ok((choice, flags & LIMITED != 0, Some(bid)))
}

/// Added to the number of a held-out arm. There are too few arms for any to have this
/// bit.
const HELD_OUT: u8 = 0x80;

fn write_choice(choice: Choice) -> impl Iterator<Item = u8> {
    let arm = choice.arm + if choice.holdout { HELD_OUT } else { 0 };
    [arm, choice.among.0].into_iter().chain(choice.propensity.to_be_bytes()).chain(choice.learned.to_be_bytes())
}

fn read_choice(bytes: [u8; CHOICE]) -> Choice {
    let [arm, among, p0, p1, p2, p3, learned @ ..] = bytes;
    Choice {
        arm: arm & !HELD_OUT,
        holdout: arm & HELD_OUT != 0,
        among: ArmSet(among),
        propensity: u32::from_be_bytes([p0, p1, p2, p3]),
        learned: i64::from_be_bytes(learned),
    }
}

#[cfg(test)]
mod tests;
