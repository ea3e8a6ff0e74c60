//! What is stored of a good picture.

use image::codecs::gif::GifEncoder;
use image::{DynamicImage, Frame, GenericImageView, ImageFormat};
use images::{LONGEST_KEPT, MediaType, Picture, clean};

use crate::made::{
    exif, halves, holds, jpeg, one_bit, webp_with_exif, with_a_hole, with_chunk, with_early_chunk, with_segment,
    written,
};

fn kept(bytes: &[u8]) -> (Picture, DynamicImage) {
    let picture = clean(bytes).expect("taken");
    let shown = image::load_from_memory(&picture.bytes).expect("can be read");
    assert_eq!((picture.width, picture.height), shown.dimensions());
    assert_eq!(image::guess_format(&picture.bytes).expect("a format").to_mime_type(), picture.mime.name());
    (picture, shown)
}

fn is_red(picture: &DynamicImage, x: u32, y: u32) -> bool {
    let [red, _, blue, _] = picture.get_pixel(x, y).0;
    red > 150 && blue < 100
}

#[test]
fn every_format_is_kept_in_one_that_all_show() {
    for (format, mime) in [
        (ImageFormat::Jpeg, MediaType::Jpeg),
        (ImageFormat::Png, MediaType::Png),
        (ImageFormat::Gif, MediaType::Png),
        (ImageFormat::WebP, MediaType::Jpeg),
    ] {
        let (picture, shown) = kept(&written(&halves(64, 32), format));
        assert_eq!((picture.mime, picture.width, picture.height), (mime, 64, 32), "{format:?}");
        assert!(is_red(&shown, 8, 16) && !is_red(&shown, 56, 16), "{format:?}");
    }
}

#[test]
fn of_a_moving_picture_the_first_frame_is_kept() {
    let moving = include_bytes!("moving.webp");
    let (picture, shown) = kept(moving);
    assert_eq!((picture.mime, picture.width, picture.height), (MediaType::Jpeg, 48, 32));
    assert!(is_red(&shown, 8, 16) && !is_red(&shown, 40, 16));
    assert!(clean(&moving[..moving.len() / 4]).is_err());
    let mut gif = Vec::new();
    let frames = [halves(64, 32), halves(64, 32).rotate180()].map(|frame| Frame::new(frame.into_rgba8()));
    GifEncoder::new(&mut gif).encode_frames(frames).expect("written");
    let (picture, shown) = kept(&gif);
    assert_eq!((picture.mime, picture.width, picture.height), (MediaType::Png, 64, 32));
    assert!(is_red(&shown, 8, 16) && !is_red(&shown, 56, 16));
}

#[test]
fn of_a_photo_with_several_views_the_first_is_kept() {
    // Their offsets are in the head, and all views but one behind the end.
    let first = with_segment(&jpeg(&halves(64, 32)), 0xE2, b"MPF\0MM\0\x2a\0\0\0\x08\0\0\0\0\0\0");
    let views = [first, jpeg(&halves(64, 32).rotate180())].concat();
    let (picture, shown) = kept(&views);
    assert_eq!((picture.mime, picture.width, picture.height), (MediaType::Jpeg, 64, 32));
    assert!(is_red(&shown, 8, 16) && !is_red(&shown, 56, 16) && !holds(&picture.bytes, "MPF"));
}

#[test]
fn a_photo_in_printing_inks_has_the_colours_of_screens() {
    let (picture, shown) = kept(include_bytes!("inks.jpg"));
    assert_eq!((picture.mime, picture.width, picture.height), (MediaType::Jpeg, 48, 32));
    assert_eq!(shown.color(), image::ColorType::Rgb8);
    assert!(is_red(&shown, 8, 16) && !is_red(&shown, 40, 16));
    let [red, _, blue, _] = shown.get_pixel(40, 16).0;
    assert!(blue > 150 && red < 100, "{red} {blue}");
}

#[test]
fn what_can_be_seen_through_stays_so() {
    for format in [ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif] {
        let (picture, shown) = kept(&written(&with_a_hole(16, 16), format));
        assert_eq!((picture.mime, shown.get_pixel(0, 0).0[3]), (MediaType::Png, 0), "{format:?}");
    }
}

#[test]
fn every_depth_of_colour_is_kept_with_a_byte_a_channel() {
    let picture = with_a_hole(8, 8);
    for deep in [
        DynamicImage::from(picture.to_luma16()),
        picture.to_luma_alpha16().into(),
        picture.to_rgb16().into(),
        picture.to_rgba16().into(),
        picture.to_luma8().into(),
        picture.to_luma_alpha8().into(),
    ] {
        let (_, shown) = kept(&written(&deep, ImageFormat::Png));
        assert_eq!(shown.color().channel_count(), deep.color().channel_count());
        assert_eq!(shown.color().bits_per_pixel(), u16::from(shown.color().channel_count()) * 8);
    }
    assert_eq!(kept(&jpeg(&picture.to_luma8().into())).1.color(), image::ColorType::L8);
    let (picture, shown) = kept(&one_bit(64, 16));
    assert_eq!((picture.width, picture.height), (64, 16));
    assert_eq!((shown.get_pixel(8, 8).0[0], shown.get_pixel(56, 8).0[0]), (0, 255));
    assert_eq!(kept(&written(&halves(1, 1), ImageFormat::Png)).1.dimensions(), (1, 1));
}

#[test]
fn large_ones_are_made_smaller() {
    for (width, height, fits) in
        [(4_000, 3_000, (2_048, 1_536)), (16_000, 4, (2_048, 1)), (2_048, 2_048, (2_048, 2_048))]
    {
        let (_, shown) = kept(&jpeg(&halves(width, height)));
        assert_eq!(shown.dimensions(), fits);
    }
    assert_eq!(LONGEST_KEPT, 2_048);
}

#[test]
fn a_photo_is_turned_the_way_it_was_held_and_says_nothing_more() {
    let photo = with_segment(&jpeg(&halves(64, 32)), 0xE1, &exif(6));
    assert!(holds(&photo, "13.4050E"));
    let (picture, shown) = kept(&photo);
    // A quarter to the right: the left side is on top.
    assert_eq!((picture.width, picture.height), (32, 64));
    assert!(is_red(&shown, 16, 8) && !is_red(&shown, 16, 56));
    assert!(!holds(&picture.bytes, "Exif") && !holds(&picture.bytes, "13.4050E"));
    let drawing = written(&halves(64, 32), ImageFormat::Png);
    let sticker = written(&halves(64, 32), ImageFormat::WebP);
    let (named, unnamed) = (&exif(6)[..], &exif(6)[6..]);
    for turned in [
        with_early_chunk(&drawing, b"eXIf", unnamed),
        with_early_chunk(&drawing, b"eXIf", named),
        with_chunk(&drawing, b"eXIf", unnamed),
        webp_with_exif(&sticker, 64, 32, unnamed),
        webp_with_exif(&sticker, 64, 32, named),
    ] {
        let (picture, shown) = kept(&turned);
        assert_eq!((picture.width, picture.height), (32, 64));
        assert!(is_red(&shown, 16, 8) && !is_red(&shown, 16, 56) && !holds(&picture.bytes, "13.4050E"));
    }
}

#[test]
fn only_the_end_may_be_missing() {
    for format in [ImageFormat::Png, ImageFormat::Gif] {
        let whole = written(&with_a_hole(64, 32), format);
        let end = if format == ImageFormat::Png { 12 } else { 1 };
        let (picture, shown) = kept(&whole[..whole.len() - end]);
        assert_eq!((picture.width, picture.height), (64, 32));
        assert!(is_red(&shown, 8, 16) && !is_red(&shown, 56, 16), "{format:?}");
    }
    let whole = written(&with_a_hole(64, 32), ImageFormat::Png);
    for missing in [13, 16, 17, 32] {
        assert!(clean(&whole[..whole.len() - missing]).is_err(), "{missing}");
    }
}

#[test]
fn a_text_that_was_damaged_damages_no_picture() {
    let png = written(&halves(64, 32), ImageFormat::Png);
    for mut bytes in [with_early_chunk(&png, b"tEXt", b"Title\0Tea"), with_chunk(&png, b"tEXt", b"Title\0Tea")] {
        let text = bytes.windows(3).position(|three| three == b"Tea").expect("the text");
        bytes[text] = b't';
        assert!(is_red(&kept(&bytes).1, 8, 16));
    }
}

#[test]
fn texts_and_what_follows_the_end_are_left_behind() {
    let script = "<script>alert(1)</script>";
    let png = with_chunk(&written(&halves(8, 8), ImageFormat::Png), b"tEXt", format!("Title\0{script}").as_bytes());
    let comment = with_segment(&jpeg(&halves(8, 8)), 0xFE, format!("{script}<!--").as_bytes());
    let mut gif = written(&halves(8, 8), ImageFormat::Gif);
    let end = gif.pop().expect("an end");
    gif.extend([0x21, 0xFE, u8::try_from(script.len()).expect("short")]);
    gif.extend(script.as_bytes());
    gif.extend([0, end]);
    for mut bytes in [png, comment, gif] {
        bytes.extend(format!("PK\x03\x04 <html>{script}").as_bytes());
        assert!(holds(&bytes, script));
        let (picture, _) = kept(&bytes);
        assert!(!holds(&picture.bytes, "script") && !holds(&picture.bytes, "PK\x03\x04"), "{}", picture.mime);
    }
}
