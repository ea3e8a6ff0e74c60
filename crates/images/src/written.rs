//! Encoding a picture, in one of the two formats that everything can show.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{ColorType, DynamicImage};

use crate::colours::{self, Meaning};
use crate::{MediaType, Picture, Refused};

/// Out of 100: the loss is invisible, at a tenth of the size.
const QUALITY: u8 = 85;

/// `meaning` is what the picture's numbers mean as colours.
pub fn anew(picture: DynamicImage, meaning: Option<&Meaning>, is_photo: bool) -> Result<Picture, Refused> {
    let mut picture = plain(picture, is_photo);
    if let Some(meaning) = meaning {
        colours::convert(&mut picture, meaning);
    }
    let mut bytes = Vec::new();
    let mime = if is_photo {
        picture.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, QUALITY))?;
        MediaType::Jpeg
    } else {
        picture.write_with_encoder(PngEncoder::new(&mut bytes))?;
        MediaType::Png
    };
    Ok(Picture { bytes, mime, width: picture.width(), height: picture.height() })
}

/// The picture with one byte for each channel, as screens show it, and without transparency if the format has none.
fn plain(picture: DynamicImage, is_photo: bool) -> DynamicImage {
    match picture.color() {
        ColorType::L8 | ColorType::Rgb8 => picture,
        ColorType::L16 => picture.into_luma8().into(),
        _ if is_photo => picture.into_rgb8().into(),
        ColorType::La8 | ColorType::Rgba8 => picture,
        ColorType::La16 => picture.into_luma_alpha8().into(),
        ColorType::Rgb16 => picture.into_rgb8().into(),
        _ => picture.into_rgba8().into(),
    }
}
