//! Files that are not pictures, or more than anybody needs.

use image::ImageFormat;
use images::{LARGEST, OtherCoding, OtherKind, Refused, clean};

use crate::made::{declared, halves, jpeg, moving, one_bit, with_a_hole, with_early_chunk, with_tables, written};

#[test]
fn a_page_is_no_picture_whatever_it_is_called() {
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>"#;
    let page = "<!doctype html><script>alert(1)</script>";
    let bitmap = written(&halves(2, 2), ImageFormat::Png).split_off(8);
    for bytes in [b"", svg.as_bytes(), page.as_bytes(), b"%PDF-1.7", b"BM\0\0", &bitmap] {
        assert_eq!(clean(bytes), Err(Refused::NotAnImage), "{}", String::from_utf8_lossy(bytes));
    }
    assert!(clean(b"GIF89a=1;alert(1)").is_err());
}

#[test]
fn a_picture_of_another_kind_is_named() {
    let iso = |brand: &[u8; 4], others: &[u8]| {
        let length = u8::try_from(16 + others.len()).expect("short");
        [&[0, 0, 0, length], b"ftyp".as_slice(), brand, &[0; 4], others, &[0; 64]].concat()
    };
    let bitmap = [b"BM".as_slice(), &[0; 30]].concat();
    for (bytes, kind) in [
        (iso(b"heic", b"mif1heic"), OtherKind::Heic),
        (iso(b"mif1", b"heic"), OtherKind::Heic),
        (iso(b"avif", b"mif1miaf"), OtherKind::Avif),
        (iso(b"mif1", b"avif"), OtherKind::Avif),
        (bitmap, OtherKind::Bmp),
        (b"II*\0\x08\0\0\0".to_vec(), OtherKind::Tiff),
        (b"MM\0*\0\0\0\x08".to_vec(), OtherKind::Tiff),
        (b"\0\0\x01\0\x01\0\x10\x10".to_vec(), OtherKind::Icon),
        (b"\0\0\0\x0cjP  \r\n\x87\n".to_vec(), OtherKind::Jpeg2000),
        (b"\0\0\0\x0cJXL \r\n\x87\n".to_vec(), OtherKind::JpegXl),
        (b"8BPS\0\x01".to_vec(), OtherKind::Photoshop),
    ] {
        assert_eq!(clean(&bytes), Err(Refused::OtherKind(kind)), "{kind}");
    }
    // A film in the same container as HEIC.
    assert_eq!(clean(&iso(b"isom", b"mp42")), Err(Refused::NotAnImage));
}

#[test]
fn what_is_written_in_a_rare_way_is_not_called_damaged() {
    let photo = jpeg(&halves(8, 8));
    let frame = photo.windows(2).position(|two| two == [0xFF, 0xC0]).expect("a frame");
    for (marker, depth, coding) in [
        (0xC1, 12, OtherCoding::TwelveBitJpeg),
        (0xC9, 8, OtherCoding::ArithmeticJpeg),
        (0xC3, 16, OtherCoding::LosslessJpeg),
        (0xDE, 8, OtherCoding::HierarchicalJpeg),
        (0xF7, 8, OtherCoding::JpegLs),
    ] {
        let mut bytes = photo.clone();
        (bytes[frame + 1], bytes[frame + 4]) = (marker, depth);
        assert_eq!(clean(&bytes), Err(Refused::OtherCoding(coding)), "{coding}");
    }
    let png = written(&halves(8, 8), ImageFormat::Png);
    let packed = [&png[..8], &[0, 0, 0, 4], b"CgBI", &[0x50, 0, 0x20, 2, 0x2B, 0xD5, 0xB3, 0x7F], &png[8..]].concat();
    assert_eq!(clean(&packed), Err(Refused::OtherCoding(OtherCoding::ApplePng)));
}

#[test]
fn no_format_is_taken_that_is_cut_off() {
    for format in [ImageFormat::Png, ImageFormat::Gif, ImageFormat::WebP] {
        let whole = written(&with_a_hole(64, 64), format);
        for end in [12, 20, whole.len() / 2] {
            assert_eq!(clean(&whole[..end]), Err(Refused::Damaged), "{format:?} {end}");
        }
    }
    assert_eq!(clean(&jpeg(&halves(64, 64))[..100]), Err(Refused::Damaged));
}

#[test]
fn six_megabytes_are_too_many() {
    let mut bytes = jpeg(&halves(8, 8));
    bytes.resize(6 * 1024 * 1024, 0);
    assert_eq!(clean(&bytes), Err(Refused::TooManyBytes));
    bytes.truncate(LARGEST);
    assert!(clean(&bytes).is_ok());
}

#[test]
fn what_a_header_declares_is_not_made_room_for() {
    assert_eq!(clean(&declared(20_000, 20_000)), Err(Refused::TooMuchToDecode));
    assert_eq!(clean(&declared(20_001, 1)), Err(Refused::TooMuchToDecode));
    // Small as a file, whole, and each pixel of it would be a byte.
    let scan = one_bit(12_000, 9_000);
    assert!(scan.len() < LARGEST / 10, "{}", scan.len());
    assert_eq!(clean(&scan), Err(Refused::TooMuchToDecode));
    assert_eq!(clean(&declared(u32::MAX / 2, u32::MAX / 2)), Err(Refused::TooMuchToDecode));
    let mut photo = jpeg(&halves(8, 8));
    let frame = photo.windows(2).position(|two| two == [0xFF, 0xC0]).expect("a frame");
    photo[frame + 5..frame + 9].fill(0xFF);
    assert_eq!(clean(&photo), Err(Refused::TooMuchToDecode));
    let mut gif = written(&halves(8, 8), ImageFormat::Gif);
    gif[6..10].fill(0xFF);
    assert_eq!(clean(&gif), Err(Refused::TooMuchToDecode));
    // The canvas is small, but its frame is not.
    let mut gif = written(&halves(8, 8), ImageFormat::Gif);
    let frame = gif.windows(9).position(|nine| nine == [0x2C, 0, 0, 0, 0, 8, 0, 8, 0]).expect("a frame");
    gif[frame + 5..frame + 9].fill(0xFF);
    assert_eq!(clean(&gif), Err(Refused::TooMuchToDecode));
}

#[test]
fn a_frame_larger_than_its_picture_is_damaged() {
    let mut bytes = b"RIFF\x2e\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x01\0\0\x01\0\0VP8 \x10\0\0\0".to_vec();
    bytes.extend([0x10, 0, 0, 0x9d, 0x01, 0x2a, 0xFF, 0x3F, 0xFF, 0x3F]);
    bytes.extend([0; 6]);
    assert_eq!(clean(&bytes), Err(Refused::Damaged));
}

#[test]
fn a_still_webp_has_no_frames() {
    let still = written(&with_a_hole(8, 8), ImageFormat::WebP);
    let mut bytes = moving(&still, 8, 8);
    assert!(clean(&bytes).is_ok());
    // The head no longer says that it moves, and the picture stands behind the frames.
    bytes[20] &= !2;
    bytes.extend(&still[12..]);
    let length = u32::try_from(bytes.len() - 8).expect("short").to_le_bytes();
    bytes[4..8].copy_from_slice(&length);
    assert_eq!(clean(&bytes), Err(Refused::Damaged));
}

#[test]
fn a_lossless_webp_may_be_large_but_for_its_tables() {
    let mut state = 1u32;
    let bytes = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    });
    let noise = image::RgbImage::from_raw(900, 900, bytes.take(900 * 900 * 3).collect()).expect("enough");
    let large = written(&noise.into(), ImageFormat::WebP);
    assert!(large.len() > 1_500_000, "{}", large.len());
    assert!(clean(&large).is_ok());
    let (some, many) = (with_tables(100), with_tables(3_000));
    assert!(many.len() < 200_000, "{}", many.len());
    assert_eq!((clean(&some).map(|picture| picture.width), clean(&many)), (Ok(1), Err(Refused::TooMuchToDecode)));
    // Where the codes end too early, nothing says how much they take.
    assert_eq!(clean(&many[..many.len() / 2]), Err(Refused::Damaged));
}

#[test]
fn a_photo_of_endless_scans_is_damaged() {
    let photo = jpeg(&halves(64, 64));
    let scan = photo.windows(2).position(|two| two == [0xFF, 0xDA]).expect("a scan");
    let scans = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x55, 0x55].repeat(100_000);
    assert_eq!(clean(&[&photo[..scan], &scans, &[0xFF, 0xD9]].concat()), Err(Refused::Damaged));
}

#[test]
fn unpacking_beside_the_pixels_is_limited() {
    // Eight megabytes of zeros as a colour profile, in a few kilobytes: either the
    // profile is dropped, or the picture is refused.
    let nothing = packed(8 * 1024 * 1024);
    let profile = [b"p\0\0", nothing.as_slice()].concat();
    let png = written(&halves(8, 8), ImageFormat::Png);
    let bytes = with_early_chunk(&png, b"iCCP", &profile);
    assert!(bytes.len() < 64 * 1024, "{}", bytes.len());
    if let Ok(picture) = clean(&bytes) {
        assert!(picture.bytes.len() < 1_024);
    }
}

/// This many zeros, compressed as in PNG: taken from a picture of them.
fn packed(zeros: u32) -> Vec<u8> {
    let png = written(&image::GrayImage::new(1_024, zeros / 1_024).into(), ImageFormat::Png);
    let mut rest = &png[8..];
    let mut data = Vec::new();
    while rest.len() >= 12 {
        let length = u32::from_be_bytes(rest[..4].try_into().expect("four")) as usize;
        if &rest[4..8] == b"IDAT" {
            data.extend(&rest[8..8 + length]);
        }
        rest = &rest[12 + length..];
    }
    data
}
