//! Pictures whose numbers are not the colours of screens.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, GenericImageView, ImageEncoder, ImageFormat};
use images::clean;
use moxcms::ColorProfile;

use crate::made::{halves, with_a_hole, with_early_chunk, written};

/// Red and blue have changed places.
fn swapped() -> Vec<u8> {
    let mut profile = ColorProfile::new_srgb();
    std::mem::swap(&mut profile.red_colorant, &mut profile.blue_colorant);
    profile.encode().expect("written")
}

fn with_profile(picture: &DynamicImage, format: ImageFormat, profile: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let profile = profile.to_vec();
    match format {
        ImageFormat::Jpeg => {
            let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 95);
            encoder.set_icc_profile(profile).expect("taken");
            picture.write_with_encoder(encoder).expect("written");
        }
        ImageFormat::Png => {
            let mut encoder = PngEncoder::new(&mut bytes);
            encoder.set_icc_profile(profile).expect("taken");
            picture.write_with_encoder(encoder).expect("written");
        }
        _ => {
            let mut encoder = WebPEncoder::new_lossless(&mut bytes);
            encoder.set_icc_profile(profile).expect("taken");
            picture.write_with_encoder(encoder).expect("written");
        }
    }
    bytes
}

fn shown(bytes: &[u8]) -> DynamicImage {
    image::load_from_memory(&clean(bytes).expect("taken").bytes).expect("can be read")
}

fn is_near(picture: &DynamicImage, (x, y): (u32, u32), colour: [u8; 3]) -> bool {
    let pixel = picture.get_pixel(x, y).0;
    pixel.iter().zip(colour).all(|(is, wanted)| is.abs_diff(wanted) < 12)
}

#[test]
fn colours_are_converted_before_the_profile_is_dropped() {
    let large = halves(3_000, 8);
    let deep = with_a_hole(64, 32).into_rgba16().into();
    for (name, picture, format) in [
        ("a photo", halves(64, 32), ImageFormat::Jpeg),
        ("a large photo", large, ImageFormat::Jpeg),
        ("a drawing", halves(64, 32), ImageFormat::Png),
        ("one with a hole", with_a_hole(64, 32), ImageFormat::Png),
        ("a deep one", deep, ImageFormat::Png),
        ("a new format", halves(64, 32), ImageFormat::WebP),
    ] {
        let shown = shown(&with_profile(&picture, format, &swapped()));
        let (left, right) = ((shown.width() / 8, shown.height() - 1), (shown.width() * 7 / 8, shown.height() - 1));
        assert!(is_near(&shown, left, [20, 20, 220]), "{name}: {:?}", shown.get_pixel(left.0, left.1));
        assert!(is_near(&shown, right, [220, 20, 20]), "{name}: {:?}", shown.get_pixel(right.0, right.1));
    }
    let hole = shown(&with_profile(&with_a_hole(16, 16), ImageFormat::Png, &swapped()));
    assert_eq!(hole.get_pixel(0, 0).0[3], 0, "what can be seen through stays so");
}

#[test]
fn the_profile_of_screens_changes_nothing() {
    let srgb = ColorProfile::new_srgb().encode().expect("written");
    let shown = shown(&with_profile(&halves(64, 32), ImageFormat::Png, &srgb));
    assert!(is_near(&shown, (8, 8), [220, 20, 20]) && is_near(&shown, (56, 8), [20, 20, 220]));
}

#[test]
fn grey_becomes_lighter_or_darker_and_stays_grey() {
    let picture = DynamicImage::from(image::GrayImage::from_pixel(16, 16, image::Luma([128])));
    let linear = ColorProfile::new_gray_with_gamma(1.0).encode().expect("written");
    for picture in [picture.clone(), picture.into_luma_alpha8().into()] {
        let shown = shown(&with_profile(&picture, ImageFormat::Png, &linear));
        assert_eq!(shown.color(), picture.color());
        assert!(is_near(&shown, (8, 8), [188, 188, 188]), "{:?}", shown.get_pixel(8, 8));
    }
}

#[test]
fn brightness_is_converted_where_a_png_says_what_its_numbers_are() {
    let with = |picture: &DynamicImage, gamma: u32| {
        with_early_chunk(&written(picture, ImageFormat::Png), b"gAMA", &gamma.to_be_bytes())
    };
    let linear = 100_000;
    let grey = DynamicImage::from(image::GrayImage::from_pixel(16, 16, image::Luma([128])));
    for picture in [grey.clone(), grey.clone().into_luma_alpha8().into(), grey.clone().into_rgb8().into()] {
        let shown = shown(&with(&picture, linear));
        assert_eq!(shown.color(), picture.color());
        assert!(is_near(&shown, (8, 8), [188, 188, 188]), "{:?}", shown.get_pixel(8, 8));
    }
    let drawing = shown(&with(&with_a_hole(64, 32), linear));
    assert!(is_near(&drawing, (8, 8), [239, 79, 79]), "{:?}", drawing.get_pixel(8, 8));
    assert_eq!(drawing.get_pixel(0, 0).0[3], 0, "what can be seen through stays so");
    let old_screens = shown(&with(&grey, 55_556));
    assert!(is_near(&old_screens, (8, 8), [148, 148, 148]), "{:?}", old_screens.get_pixel(8, 8));
    // These are the numbers of screens, or nobody's.
    for gamma in [45_455, 45_000, 0, 1, u32::MAX] {
        assert_eq!(shown(&with(&grey, gamma)).get_pixel(8, 8).0[0], 128, "{gamma}");
    }
    for (name, body) in [(b"sRGB", &[0_u8][..]), (b"cICP", &[1, 13, 0, 1][..])] {
        let both = with_early_chunk(&with(&grey, linear), name, body);
        assert_eq!(shown(&both).get_pixel(8, 8).0[0], 128, "another part counts more");
    }
}

#[test]
fn a_profile_that_says_nothing_of_the_picture_is_passed_over() {
    let grey = ColorProfile::new_gray_with_gamma(1.0).encode().expect("written");
    for profile in [b"no profile at all".as_slice(), &swapped()[..200], &grey] {
        let shown = shown(&with_profile(&halves(64, 32), ImageFormat::Png, profile));
        assert!(is_near(&shown, (8, 8), [220, 20, 20]));
    }
}
