//! HMAC-SHA256 (RFC 2104), under a key of any length.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Hashes the concatenation of `parts` under a key. Parts of variable length need a
/// separator between them, since the hash does not show where a part ends.
#[allow(clippy::expect_used, reason = "HMAC takes keys of any length; the type serves other functions too")]
pub fn keyed_hash(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length");
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hex;

    /// RFC 4231, test cases 2 and 6: a short key, and one longer than a block.
    #[test]
    fn it_is_the_hash_of_the_standard() {
        let short = keyed_hash(b"Jefe", &[b"what do ya want ", b"for nothing?"]);
        assert_eq!(hex::encode(&short), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
        let long = keyed_hash(&[0xaa; 131], &[b"Test Using Larger Than Block-Size Key - Hash Key First"]);
        assert_eq!(hex::encode(&long), "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    }
}
