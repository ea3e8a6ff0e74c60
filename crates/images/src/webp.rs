//! Checks a WebP before it is decoded. The decoder allocates memory for the inner frame
//! before it compares its size with the header's, and for every code table that a
//! lossless part asks for.

mod lossless;

/// The parts that the decoder reads: a still picture, or the first frame of an animation.
#[derive(Debug, PartialEq, Eq)]
pub struct Parts<'a> {
    /// Width and height of the lossy frame, if there is one.
    frame: Option<(u32, u32)>,
    /// A whole picture without losses.
    lossless: Option<&'a [u8]>,
    /// Compressed transparency.
    alpha: Option<&'a [u8]>,
    /// The size that the first frame of an animation declares.
    first: Option<(u32, u32)>,
}

/// A code table takes up to four hundred times the bytes that ask for it, and a file may
/// consist of tables only.
const TABLES: u64 = 450;
/// The compression method of compressed transparency.
const PACKED: u8 = 1;

impl<'a> Parts<'a> {
    /// `None` for a frame without a size.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut parts = Self { frame: None, lossless: None, alpha: None, first: None };
        let mut rest = bytes.get(12..)?;
        while let Some((name, body, after)) = chunk(rest) {
            match name {
                b"ANMF" => return Self::of_frame(body),
                b"VP8 " if parts.frame.is_none() => parts.frame = Some(size(body)?),
                b"VP8L" => parts.lossless = parts.lossless.or(Some(body)),
                b"ALPH" => parts.alpha = parts.alpha.or(Some(body)),
                _ => {}
            }
            rest = after;
        }
        Some(parts)
    }

    /// The decoder reads the part after transparency as a lossy frame, whatever its name is.
    fn of_frame(body: &'a [u8]) -> Option<Self> {
        let mut parts = Self { frame: None, lossless: None, alpha: None, first: Some(promised(body)?) };
        let (name, body, after) = chunk(body.get(FRAME_HEAD..)?)?;
        match name {
            b"VP8 " => parts.frame = Some(size(body)?),
            b"VP8L" => parts.lossless = Some(body),
            b"ALPH" => {
                parts.alpha = Some(body);
                parts.frame = Some(chunk(after).and_then(|(_, body, _)| size(body))?);
            }
            _ => {}
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

    /// The bytes that code tables take in a picture of this size, or at least `enough`.
    pub fn tables(&self, whole: (u32, u32), enough: u64) -> u64 {
        let size = self.first.unwrap_or(whole);
        let taken = |stream: &[u8], says_size| {
            let most = || length(stream).saturating_mul(TABLES);
            lossless::tables(stream, size, says_size, enough).unwrap_or_else(most)
        };
        let picture: u64 = self.lossless.map_or(0, |stream| taken(stream, true));
        let packed = self.alpha.and_then(|body| body.split_first()).filter(|(flags, _)| *flags & 3 == PACKED);
        picture.saturating_add(packed.map_or(0, |(_, stream)| taken(stream, false)))
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
        let frame = lossy(2, 3);
        let still = file(&[(b"VP8X", b"odd"), (b"VP8 ", &frame), (b"VP8 ", b"")]);
        let parts = Parts::read(&still).expect("read");
        assert!(parts.fit((2, 3)) && !parts.fit((2, 2)));
        assert_eq!(Parts::read(&file(&[(b"VP8 ", &frame[..9])])), None);
    }

    /// The head of a lossy frame of these sides.
    fn lossy(width: u8, height: u8) -> [u8; 10] {
        [0, 0, 0, 0x9d, 0x01, 0x2a, width, 0, height, 0]
    }

    /// A frame of an animation that promises 2 by 3.
    fn frame(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        [&[0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0], &file(chunks)[12..]].concat()
    }

    #[test]
    fn the_first_frame_of_an_animation_counts() {
        let [two, nine] = [2, 9].map(|width| frame(&[(b"ALPH", &[1; 4]), (b"VP8 ", &lossy(width, 3))]));
        let moving = file(&[(b"VP8X", b"odd"), (b"VP8L", b"no"), (b"ANMF", &two), (b"ANMF", &nine)]);
        let parts = Parts::read(&moving).expect("read");
        assert!(parts.fit((20, 30)) && parts.move_within((20, 30)));
        assert_eq!((parts.first, parts.alpha, parts.lossless), (Some((2, 3)), Some([1; 4].as_slice()), None));
        assert!(!parts.move_within((1, 30)) && !parts.move_within((20, 2)));
        assert!(!Parts::read(&file(&[(b"ANMF", &nine)])).expect("read").fit((20, 30)));
        assert_eq!(Parts::read(&file(&[(b"ANMF", b"short")])), None);
        assert!(!Parts::read(&file(&[(b"VP8X", b"odd")])).expect("read").move_within((20, 30)));
    }

    #[test]
    fn a_frame_hides_nowhere() {
        // Behind a good one outside of the animation, and under another name behind transparency.
        let large = frame(&[(b"VP8 ", &lossy(9, 9))]);
        let behind = file(&[(b"VP8 ", &lossy(2, 3)), (b"ANMF", &large)]);
        assert!(!Parts::read(&behind).expect("read").fit((2, 3)));
        let renamed = frame(&[(b"ALPH", &[1; 4]), (b"ABCD", &lossy(9, 9))]);
        assert!(!Parts::read(&file(&[(b"ANMF", &renamed)])).expect("read").fit((2, 3)));
        assert_eq!(Parts::read(&file(&[(b"ANMF", &frame(&[(b"ALPH", &[1; 4])]))])), None);
    }

    #[test]
    fn lossless_parts_that_cannot_be_read_take_the_most() {
        let most = |bytes: u64| bytes * TABLES;
        let tables = |chunks: &[(&[u8; 4], &[u8])]| Parts::read(&file(chunks)).expect("read").tables((1, 1), u64::MAX);
        assert_eq!(tables(&[(b"ALPH", &[1; 7]), (b"ALPH", &[0; 9]), (b"EXIF", &[1; 9])]), most(6));
        assert_eq!(tables(&[(b"ALPH", &[0; 9]), (b"VP8 ", &lossy(1, 1))]), 0, "not compressed");
        assert_eq!(tables(&[(b"VP8L", &[0x2f; 20])]), most(20));
        assert_eq!(Parts::read(&file(&[(b"VP8L", &[0x2f; 20])])).expect("read").lossless, Some([0x2f; 20].as_slice()));
    }
}
