//! Addresses and accounts that nobody has, for tests and demonstrations.

use sha2::{Digest, Sha256};

use crate::address::checksummed;

/// A Tron address, another for each seed.
pub fn tron_address(seed: &str) -> String {
    let address = [&[0x41], &owner(seed)[..]].concat();
    let checksum = Sha256::digest(Sha256::digest(&address));
    let whole: Vec<u8> = address.iter().chain(checksum.iter().take(4)).copied().collect();
    bs58::encode(whole).into_string()
}

/// An Ethereum address, another for each seed.
pub fn ethereum_address(seed: &str) -> String {
    let digits: String = owner(seed).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("0x{}", checksummed(&digits))
}

/// A number as clients are shown it.
pub fn masked(number: &str) -> String {
    format!("****{}", number.get(number.len().saturating_sub(4)..).unwrap_or(number))
}

fn owner(seed: &str) -> Vec<u8> {
    Sha256::digest(seed.as_bytes()).iter().take(20).copied().collect()
}
