//! Checks a WebP before it is decoded. The decoder allocates memory for the inner frame
//! before it compares its size with the header's, and for every code table that a
//! lossless part asks for.

/// The parts of a still picture, or of an animation's first frame.
#[derive(Debug, PartialEq, Eq)]
pub struct Parts {
    /// Width and height of the lossy frame, if there is one.
    frame: Option<(u32, u32)>,
    /// The bytes of lossless parts, including transparency.
    lossless: u64,
    /// What the first frame of an animation promises: width and height of its own.
    first: Option<(u32, u32)>,
}

/// A code table takes up to four hundred times the bytes that ask for it, and a file may
/// consist of tables only.
const TABLES: u64 = 450;
/// The compression method of compressed transparency.
const PACKED: u8 = 1;

impl Parts {
    /// `None` for a frame without a size.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut parts = Self { frame: None, lossless: 0, first: None };
        let mut rest = bytes.get(12..)?;
        while let Some((name, body, after)) = chunk(rest) {
            match name {
                // Its own chunks follow its head; those after it are other frames'.
                b"ANMF" if parts.first.is_none() => {
                    parts.first = Some(promised(body)?);
                    rest = body.get(FRAME_HEAD..)?;
                    continue;
                }
                b"ANMF" => break,
                b"VP8 " if parts.frame.is_none() => parts.frame = Some(size(body)?),
                b"VP8L" => parts.lossless += length(body),
                b"ALPH" if body.first().is_some_and(|flags| flags & 3 == PACKED) => parts.lossless += length(body),
                _ => {}
            }
            rest = after;
        }
        Some(parts)
    }

    /// Whether the lossy frame is as large as the header says: an animation's first frame,
    /// or else the whole picture.
    pub fn fit(&self, whole: (u32, u32)) -> bool {
        self.frame.is_none_or(|frame| frame == self.first.unwrap_or(whole))
    }

    pub const fn is_animated(&self) -> bool {
        self.first.is_some()
    }

    /// Whether there is a first frame inside a picture of this size.
    pub fn move_within(&self, (width, height): (u32, u32)) -> bool {
        self.first.is_some_and(|first| first.0 <= width && first.1 <= height)
    }

    /// The bytes that code tables may take.
    pub fn tables(&self) -> u64 {
        self.lossless.saturating_mul(TABLES)
    }
}

fn length(body: &[u8]) -> u64 {
    u64::try_from(body.len()).unwrap_or(u64::MAX)
}

/// The first chunk's name and body, and the rest.
fn chunk(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (name, rest) = bytes.split_at_checked(4)?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    let body = rest.get(..length).unwrap_or(rest);
    Some((name, body, rest.get(length.next_multiple_of(2)..).unwrap_or_default()))
}

/// Two offsets, two sides, a time and flags.
const FRAME_HEAD: usize = 16;

/// A frame's sides, each less one in three bytes.
fn promised(frame: &[u8]) -> Option<(u32, u32)> {
    let [w0, w1, w2, h0, h1, h2] = *frame.get(6..)?.first_chunk::<6>()?;
    let side = |bytes: [u8; 3]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]) + 1;
    Some((side([w0, w1, w2]), side([h0, h1, h2])))
}

/// Three bytes of flags and three of start code, then width and height in fourteen bits
/// each.
fn size(frame: &[u8]) -> Option<(u32, u32)> {
    let (sides, _) = frame.get(6..)?.split_first_chunk::<4>()?;
    let [w0, w1, h0, h1] = *sides;
    let side = |low, high| u32::from(u16::from_le_bytes([low, high]) & 0x3FFF);
    Some((side(w0, w1), side(h0, h1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut bytes = b"RIFF\0\0\0\0WEBP".to_vec();
        for (name, body) in chunks {
            bytes.extend(*name);
            bytes.extend(u32::try_from(body.len()).expect("short").to_le_bytes());
            bytes.extend(*body);
            bytes.resize(bytes.len().next_multiple_of(2), 0);
        }
        bytes
    }

    #[test]
    fn a_frame_is_as_large_as_was_promised() {
        let frame = [0, 0, 0, 0x9d, 0x01, 0x2a, 2, 0, 3, 0];
        let parts = Parts::read(&file(&[(b"VP8X", b"odd"), (b"VP8 ", &frame), (b"VP8 ", b"")])).expect("read");
        assert!(parts.fit((2, 3)) && !parts.fit((2, 2)));
        assert_eq!(Parts::read(&file(&[(b"VP8 ", &frame[..9])])), None);
    }

    #[test]
    fn the_first_frame_of_an_animation_counts() {
        let frame = |width: u8| {
            let mut body = vec![0, 0, 0, 0, 0, 0, width - 1, 0, 0, 2, 0, 0, 0, 0, 0, 0];
            body.extend(b"ALPH\x04\0\0\0\x01\0\0\0VP8 \x0a\0\0\0");
            body.extend([0, 0, 0, 0x9d, 0x01, 0x2a, 2, 0, 3, 0]);
            body
        };
        let parts = Parts::read(&file(&[(b"VP8X", b"odd"), (b"ANMF", &frame(2)), (b"ANMF", &frame(9))])).expect("read");
        assert!(parts.fit((20, 30)) && parts.move_within((20, 30)));
        assert_eq!((parts.first, parts.lossless), (Some((2, 3)), 4));
        assert!(!parts.move_within((1, 30)) && !parts.move_within((20, 2)));
        assert!(!Parts::read(&file(&[(b"ANMF", &frame(9))])).expect("read").fit((20, 30)));
        assert_eq!(Parts::read(&file(&[(b"ANMF", b"short")])), None);
        assert!(!Parts::read(&file(&[(b"VP8X", b"odd")])).expect("read").move_within((20, 30)));
    }

    #[test]
    fn lossless_parts_are_counted() {
        let parts = Parts::read(&file(&[(b"ALPH", &[1; 7]), (b"ALPH", &[0; 9]), (b"EXIF", &[1; 9])])).expect("read");
        assert_eq!((parts.lossless, parts.tables()), (7, 7 * TABLES));
        assert_eq!(Parts::read(&file(&[(b"VP8L", &[0x2f; 20])])).expect("read").lossless, 20);
    }
}
