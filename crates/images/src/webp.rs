//! The frame inside a WebP has a size of its own, and the decoder makes room
//! for it before it compares that with the size the file's header promised.

/// Whether the frame of an extended WebP is as large as its header says.
/// Frames of the other kinds are the header.
pub fn keeps_its_size(bytes: &[u8], promised: (u32, u32)) -> bool {
    let mut rest = bytes.get(12..).unwrap_or_default();
    while let Some((name, body, after)) = chunk(rest) {
        if name == b"VP8 " {
            return size(body) == Some(promised);
        }
        rest = after;
    }
    true
}

/// The first chunk's name and body, and what follows them.
fn chunk(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (name, rest) = bytes.split_at_checked(4)?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    let body = rest.get(..length).unwrap_or(rest);
    Some((name, body, rest.get(length.next_multiple_of(2)..).unwrap_or_default()))
}

/// Three bytes of flags and three that start the frame, then both sides in
/// fourteen bits each.
fn size(frame: &[u8]) -> Option<(u32, u32)> {
    let (sides, _) = frame.get(6..)?.split_first_chunk::<4>()?;
    let [w0, w1, h0, h1] = *sides;
    let side = |low, high| u32::from(u16::from_le_bytes([low, high]) & 0x3FFF);
    Some((side(w0, w1), side(h0, h1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(side: u16) -> Vec<u8> {
        let [low, high] = side.to_le_bytes();
        let mut bytes = b"RIFF\0\0\0\0WEBPVP8X\x03\0\0\0\0\0\0\0VP8 \x0a\0\0\0".to_vec();
        bytes.extend([0, 0, 0, 0x9d, 0x01, 0x2a, low, high, 2, 0]);
        bytes
    }

    #[test]
    fn a_frame_is_as_large_as_was_promised() {
        assert!(keeps_its_size(&file(2), (2, 2)));
        assert!(!keeps_its_size(&file(16_383), (2, 2)));
        assert!(!keeps_its_size(file(2).split_last_chunk::<5>().expect("longer").0, (2, 2)));
    }
}
