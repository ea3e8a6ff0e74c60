//! Lower-case hexadecimal.

use std::fmt::Write;

pub fn encode(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Decodes exactly `N` bytes written by [`encode`]; anything else is `None`.
pub fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != N * 2 || !is_lower(text) {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

/// Decodes any number of bytes written by [`encode`].
pub fn decode_all(text: &str) -> Option<Vec<u8>> {
    let bytes = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok().and_then(decode::<1>));
    bytes.map(|byte| byte.map(|[byte]| byte)).collect()
}

pub fn is_lower(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_wrote_and_nothing_else() {
        assert_eq!(encode(&[0, 15, 255]), "000fff");
        assert_eq!(decode::<3>("000fff"), Some([0, 15, 255]));
        assert_eq!(decode_all("000fff"), Some(vec![0, 15, 255]));
        assert_eq!((decode_all(""), decode_all("000")), (Some(Vec::new()), None));
        for bad in ["", "000ff", "000FFF", "000ffg", "000fff00", "+00fff", "é0ff"] {
            assert_eq!(decode::<3>(bad), None, "{bad}");
        }
    }
}
