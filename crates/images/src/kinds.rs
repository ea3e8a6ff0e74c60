//! Pictures of a kind that is not taken, or written in a rare way, so that the refusal names
//! it: phones and scanners write them, and their owner knows them to be pictures.

use base::named;

named!(
    /// A kind of picture that is not taken.
    OtherKind {
        Heic "HEIC",
        Avif "AVIF",
        Bmp "BMP",
        Tiff "TIFF",
        Icon "ICO",
        Jpeg2000 "JPEG 2000",
        JpegXl "JPEG XL",
        Photoshop "PSD",
    }
);

named!(
    /// A rare way of writing a kind of picture that is taken: medical devices, scanners and
    /// Apple's packer of apps use them, and hardly any browser shows them.
    OtherCoding {
        TwelveBitJpeg "12-bit JPEG",
        ArithmeticJpeg "arithmetic-coded JPEG",
        LosslessJpeg "lossless JPEG",
        HierarchicalJpeg "hierarchical JPEG",
        JpegLs "JPEG-LS",
        ApplePng "Apple CgBI PNG",
    }
);

/// The kind by a file's first bytes.
pub fn of(bytes: &[u8]) -> Option<OtherKind> {
    let starts = |with: &[u8]| bytes.starts_with(with);
    if let Some(brands) = brands(bytes) {
        return iso(brands);
    }
    if starts(b"II*\0") || starts(b"MM\0*") || starts(b"II+\0") || starts(b"MM\0+") {
        return Some(OtherKind::Tiff);
    }
    if starts(b"BM") && bytes.len() >= BITMAP_HEAD {
        return Some(OtherKind::Bmp);
    }
    if starts(b"\0\0\x01\0") && bytes.get(4..6).is_some_and(|count| count != [0, 0]) {
        return Some(OtherKind::Icon);
    }
    if starts(b"\0\0\0\x0cjP  \r\n\x87\n") || starts(b"\xff\x4f\xff\x51") {
        return Some(OtherKind::Jpeg2000);
    }
    if starts(b"\0\0\0\x0cJXL \r\n\x87\n") || starts(b"\xff\x0a") {
        return Some(OtherKind::JpegXl);
    }
    starts(b"8BPS").then_some(OtherKind::Photoshop)
}

/// The shortest header of a bitmap with its dimensions.
const BITMAP_HEAD: usize = 26;

/// The brands of a file in ISO's container, the main one first.
fn brands(bytes: &[u8]) -> Option<&[u8]> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let rest = rest.strip_prefix(b"ftyp")?;
    Some(rest.get(..length.checked_sub(8)?).unwrap_or(rest))
}

/// Films come in the same container.
fn iso(brands: &[u8]) -> Option<OtherKind> {
    let has = |named: &[&[u8]]| brands.chunks(4).any(|brand| named.contains(&brand));
    if has(&[b"avif", b"avis"]) {
        return Some(OtherKind::Avif);
    }
    has(&[b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"]).then_some(OtherKind::Heic)
}
