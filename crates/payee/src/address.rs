//! Addresses of wallets, by the checksums of their networks: Base58Check for Tron, EIP-55
//! for Ethereum and those that took over its addresses.

use base::refuse_if;
use sha2::{Digest, Sha256};
use sha3::Keccak256;

use crate::{PayeeProblem, pasted};

/// Networks with the same form of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Tron,
    Ethereum,
}

/// QR codes of wallets have one of these schemes before the address.
const SCHEMES: [&str; 2] = ["ethereum:", "tron:"];
/// The first byte of a Tron address before it is encoded.
const TRON: u8 = 0x41;
const TRON_LENGTH: usize = 34;
const CHECKSUM_BYTES: usize = 4;
const ADDRESS_BYTES: usize = 20;
const HEX_DIGITS: usize = 2 * ADDRESS_BYTES;

pub fn read(family: Family, typed: &str) -> Result<String, PayeeProblem> {
    let pasted = pasted(typed);
    let text = SCHEMES.iter().find_map(|scheme| pasted.strip_prefix(scheme)).unwrap_or(&pasted);
    let found = looks_like(text).ok_or(PayeeProblem::NoAddress)?;
    refuse_if(found != family, PayeeProblem::OtherNetwork)?;
    match family {
        Family::Tron => tron(text),
        Family::Ethereum => ethereum(text),
    }
}

fn looks_like(text: &str) -> Option<Family> {
    if hex_digits(text).is_some() {
        return Some(Family::Ethereum);
    }
    let is_tron = text.len() == TRON_LENGTH && text.starts_with('T') && text.bytes().all(|b| b.is_ascii_alphanumeric());
    is_tron.then_some(Family::Tron)
}

fn hex_digits(text: &str) -> Option<&str> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    let is_address = digits.len() == HEX_DIGITS && digits.bytes().all(|b| b.is_ascii_hexdigit());
    is_address.then_some(digits)
}

fn tron(text: &str) -> Result<String, PayeeProblem> {
    let bytes = bs58::decode(text).into_vec().map_err(|_| PayeeProblem::AddressCheck)?;
    let (address, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or(PayeeProblem::AddressCheck)?;
    refuse_if(!Sha256::digest(Sha256::digest(address)).starts_with(checksum), PayeeProblem::AddressCheck)?;
    match address.split_first() {
        Some((&TRON, owner)) if owner.len() == ADDRESS_BYTES && is_somebody(owner) => Ok(text.to_owned()),
        _ => Err(PayeeProblem::NoAddress),
    }
}

/// Whether capitals agree with the checksum; an address in small letters or in capitals
/// alone has none.
fn ethereum(text: &str) -> Result<String, PayeeProblem> {
    let digits = hex_digits(text).ok_or(PayeeProblem::NoAddress)?;
    refuse_if(!is_somebody(digits.trim_start_matches('0').as_bytes()), PayeeProblem::NoAddress)?;
    let one_case = !digits.bytes().any(|b| b.is_ascii_lowercase()) || !digits.bytes().any(|b| b.is_ascii_uppercase());
    if one_case || digits == checksummed(digits) {
        return Ok(format!("0x{digits}"));
    }
    Err(PayeeProblem::AddressCheck)
}

/// Nobody has the key of the all-zero address.
fn is_somebody(owner: &[u8]) -> bool {
    owner.iter().any(|byte| *byte != 0)
}

/// EIP-55: a letter is a capital where the hash of the small letters has a half byte of 8
/// or more.
pub(crate) fn checksummed(digits: &str) -> String {
    let small = digits.to_ascii_lowercase();
    let hash = Keccak256::digest(small.as_bytes());
    let halves = hash.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    small.chars().zip(halves).map(|(c, half)| if half >= 8 { c.to_ascii_uppercase() } else { c }).collect()
}
