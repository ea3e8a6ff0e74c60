//! Lower-case hexadecimal of hashes.

use std::fmt::Write as _;

use crate::Hash;

pub fn encode(hash: &Hash) -> String {
    hash.iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Reads what [`encode`] writes, and nothing else.
pub fn decode(text: &str) -> Option<Hash> {
    let digits = text.as_bytes();
    let (pairs, rest) = digits.as_chunks::<2>();
    if pairs.len() != 32 || !rest.is_empty() {
        return None;
    }
    let mut hash = [0; 32];
    for (byte, pair) in hash.iter_mut().zip(pairs) {
        let [high, low] = pair.map(|digit| match digit {
            b'0'..=b'9' => Some(digit - b'0'),
            b'a'..=b'f' => Some(digit - b'a' + 10),
            _ => None,
        });
        *byte = high? << 4 | low?;
    }
    Some(hash)
}
