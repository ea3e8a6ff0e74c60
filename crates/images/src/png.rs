//! The parts of a PNG after its pixels, which its decoder does not read; and files that only look like a PNG.

use std::borrow::Cow;

/// The length of the signature of every PNG.
const SIGNATURE: usize = 8;
/// The chunk that says that nothing follows.
const END: &[u8] = b"\0\0\0\0IEND\xae\x42\x60\x82";

/// Whether Apple's tools packed it for an app: its pixels are no longer compressed as in a PNG.
pub fn is_packed_by_apple(bytes: &[u8]) -> bool {
    bytes.get(SIGNATURE + 4..).is_some_and(|name| name.starts_with(b"CgBI"))
}

/// The file, with its last chunk added if that is missing. If pixels are missing as well, the decoder
/// takes that chunk for a part of them and refuses the picture.
pub fn ended(bytes: &[u8]) -> Cow<'_, [u8]> {
    let has_end = bytes.windows(END.len()).rev().any(|some| some == END);
    if has_end { Cow::Borrowed(bytes) } else { Cow::Owned([bytes, END].concat()) }
}

/// The EXIF, wherever it is: some programs write it behind the pixels.
pub fn exif(bytes: &[u8]) -> Option<&[u8]> {
    chunks(bytes).find(|(name, _)| *name == b"eXIf").map(|(_, body)| body)
}

/// The exponent with which light became its numbers, in hundred-thousandths, if nothing before the pixels counts more.
pub fn gamma(bytes: &[u8]) -> Option<u32> {
    let mut gamma = None;
    for (name, body) in chunks(bytes) {
        match name {
            b"cICP" | b"iCCP" | b"sRGB" => return None,
            b"gAMA" => gamma = gamma.or(body.first_chunk::<4>().copied()),
            b"IDAT" => break,
            _ => {}
        }
    }
    gamma.map(u32::from_be_bytes)
}

/// The names and bodies of the parts that are whole.
fn chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    let mut rest = bytes.get(SIGNATURE..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let (name, after) = after.split_first_chunk::<4>()?;
        let (body, after) = after.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
        rest = after.get(4..).unwrap_or_default();
        Some((name, body))
    })
}
