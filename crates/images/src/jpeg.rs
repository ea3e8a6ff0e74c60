//! How much memory decoding a JPEG takes. A baseline JPEG needs nothing besides the
//! picture; a progressive one needs all of its coefficients, two bytes each. And whether it
//! is all there, and written in a way that the decoder reads.

mod huffman;
mod scans;

use crate::kinds::OtherCoding;

pub use scans::is_cut;

const START_OF_SCAN: u8 = 0xDA;
/// The decoder processes the whole picture for each scan, however little is in it.
/// Cameras write at most a dozen. Data after the end may look like scans.
const SCANS_AT_MOST: usize = 1_000;

/// Whether there are so many scans that decoding takes minutes.
pub fn is_endless(bytes: &[u8]) -> bool {
    bytes.windows(2).filter(|two| *two == [0xFF, START_OF_SCAN]).nth(SCANS_AT_MOST).is_some()
}

/// The rare way in which a JPEG is written, by the header of its first frame.
pub fn coding(bytes: &[u8]) -> Option<OtherCoding> {
    let mut rest = bytes.get(2..)?;
    loop {
        let (marker, body, after) = segment(rest)?;
        rest = after;
        return match marker {
            0xC0..=0xC2 => (body.first() == Some(&12)).then_some(OtherCoding::TwelveBitJpeg),
            0xC3 | 0xCB => Some(OtherCoding::LosslessJpeg),
            0xC9 | 0xCA => Some(OtherCoding::ArithmeticJpeg),
            // Such a picture begins with its largest size, and every frame but the first adds to another.
            0xDE | 0xC5..=0xC7 | 0xCD..=0xCF => Some(OtherCoding::HierarchicalJpeg),
            0xF7 => Some(OtherCoding::JpegLs),
            START_OF_SCAN => None,
            _ => continue,
        };
    }
}

/// The bytes that coefficients take while a JPEG with this many pixels is decoded. If the
/// header cannot be parsed, the maximum.
pub fn coefficients(bytes: &[u8], pixels: u64) -> u64 {
    let all = pixels.saturating_mul(8);
    let Some(frame) = Frame::read(bytes) else { return all };
    if frame.in_one_pass { 0 } else { all.min(pixels.saturating_mul(2 * frame.samples) / frame.most) }
}

struct Frame {
    in_one_pass: bool,
    /// Samples of all components in a block of `most` pixels.
    samples: u64,
    most: u64,
}

impl Frame {
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.get(2..)?;
        let mut frame: Option<(bool, u8, &[u8])> = None;
        loop {
            let (marker, body, after) = segment(rest)?;
            rest = after;
            match marker {
                0xC4 | 0xC8 | 0xCC => {}
                0xC0..=0xCF => frame = Some((marker <= 0xC1, *body.get(5)?, body.get(6..)?)),
                START_OF_SCAN => {
                    let (sequential, components, sampling) = frame?;
                    return Self::of(sequential && body.first() == Some(&components), components, sampling);
                }
                _ => {}
            }
        }
    }

    /// `sampling` has three bytes for each component; the second contains the sampling
    /// factors.
    fn of(in_one_pass: bool, components: u8, sampling: &[u8]) -> Option<Self> {
        let factors = sampling.chunks_exact(3).take(usize::from(components)).filter_map(|of| of.get(1));
        let sides: Vec<(u64, u64)> = factors.map(|both| (u64::from(both >> 4), u64::from(both & 15))).collect();
        let across = sides.iter().map(|(across, _)| *across).max()?;
        let down = sides.iter().map(|(_, down)| *down).max()?;
        let samples = sides.iter().map(|(across, down)| across * down).sum();
        (across * down > 0).then_some(Self { in_one_pass, samples, most: across * down })
    }
}

/// The first marker with its body, and the rest; `None` if something invalid comes before
/// the marker.
fn segment(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let at = bytes.iter().position(|byte| *byte != 0xFF).filter(|at| *at > 0)?;
    let (marker, rest) = bytes.get(at..)?.split_first()?;
    let length = usize::from(u16::from_be_bytes([*rest.first()?, *rest.get(1)?]));
    Some((*marker, rest.get(2..length)?, rest.get(length..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header with three components, the first sampled twice in both directions.
    fn header(frame: u8, in_scan: u8) -> Vec<u8> {
        let mut bytes = vec![0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 1, 0xFF, frame, 0, 17, 8, 0, 8, 0, 8, 3];
        bytes.extend([1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]);
        bytes.extend([0xFF, 0xFF, 0xDA, 0, 3, in_scan]);
        bytes
    }

    #[test]
    fn passes_cost_two_bytes_a_sample() {
        assert_eq!(coefficients(&header(0xC0, 3), 100), 0);
        assert_eq!(coefficients(&header(0xC2, 3), 100), 300, "progressive");
        assert_eq!(coefficients(&header(0xC0, 1), 100), 300, "a scan for each component");
    }

    #[test]
    fn a_rare_coding_is_told_from_what_cannot_be_read() {
        for frame in [0xC0, 0xC1, 0xC2] {
            assert_eq!(coding(&header(frame, 3)), None, "{frame:x}");
        }
        for (frame, rare) in [
            (0xC3, OtherCoding::LosslessJpeg),
            (0xC9, OtherCoding::ArithmeticJpeg),
            (0xCA, OtherCoding::ArithmeticJpeg),
            (0xCB, OtherCoding::LosslessJpeg),
            (0xDE, OtherCoding::HierarchicalJpeg),
            (0xC6, OtherCoding::HierarchicalJpeg),
            (0xF7, OtherCoding::JpegLs),
        ] {
            assert_eq!(coding(&header(frame, 3)), Some(rare), "{frame:x}");
        }
        let mut deep = header(0xC1, 3);
        deep[12] = 12;
        assert_eq!(coding(&deep), Some(OtherCoding::TwelveBitJpeg));
        deep[12] = 7;
        assert_eq!((coding(&deep), coding(&deep[..10]), coding(&[])), (None, None, None));
    }

    #[test]
    fn scans_come_to_an_end() {
        assert!(!is_endless(&[0xFF, START_OF_SCAN].repeat(SCANS_AT_MOST)));
        assert!(is_endless(&[0xFF, START_OF_SCAN].repeat(SCANS_AT_MOST + 1)));
    }

    #[test]
    fn what_cannot_be_read_costs_the_most() {
        let strange = [&[0xFF, 0xD8, 0][..], &header(0xC0, 3)[2..]].concat();
        for bytes in [&[][..], &[0xFF, 0xD8], &[0xFF, 0xD8, 0xFF, 0xC0, 0, 1], &header(0xC0, 3)[..20], &strange] {
            assert_eq!(coefficients(bytes, 100), 800, "{bytes:?}");
        }
    }
}
