//! Colours as screens show them: a profile says what a picture's numbers mean, or a PNG how bright they are. Without
//! either they mean sRGB.

use std::ops::RangeInclusive;

use image::DynamicImage;
use moxcms::{CmsError, ColorProfile, DataColorSpace, Layout, TransformOptions};

/// The pixels that are converted at a time.
const AT_ONCE: usize = 4_096;

/// The exponents that are those of sRGB, which PNG counts in hundred-thousandths, as far as anybody sees.
const SCREENS: RangeInclusive<u32> = 44_000..=47_000;
/// Those that a picture may have; others are mistakes.
const BELIEVED: RangeInclusive<u32> = 10_000..=300_000;

/// What a picture's numbers mean as colours.
pub enum Meaning {
    Profile(Vec<u8>),
    /// The exponent with which light became numbers.
    Gamma(u32),
}

/// Converts the colours in place.
pub fn convert(picture: &mut DynamicImage, meaning: &Meaning) {
    match meaning {
        Meaning::Profile(profile) => by_profile(picture, profile),
        Meaning::Gamma(gamma) if !SCREENS.contains(gamma) && BELIEVED.contains(gamma) => by_gamma(picture, *gamma),
        Meaning::Gamma(_) => {}
    }
}

#[allow(clippy::float_arithmetic, reason = "colours are no money")]
fn by_gamma(picture: &mut DynamicImage, gamma: u32) {
    let Ok(gamma) = u16::try_from(gamma / 10) else { return };
    let Ok(shades) = shades(&ColorProfile::new_gray_with_gamma(10_000.0 / f32::from(gamma))) else { return };
    match picture {
        DynamicImage::ImageLuma8(pixels) => shade(pixels, 1, 1, &shades),
        DynamicImage::ImageLumaA8(pixels) => shade(pixels, 2, 1, &shades),
        DynamicImage::ImageRgb8(pixels) => shade(pixels, 3, 3, &shades),
        DynamicImage::ImageRgba8(pixels) => shade(pixels, 4, 3, &shades),
        _ => {}
    }
}

/// A profile that cannot be read, or that is of other channels than the picture's, such as a printer's, says nothing of
/// the colours.
fn by_profile(picture: &mut DynamicImage, profile: &[u8]) {
    let Ok(profile) = ColorProfile::new_from_slice(profile) else { return };
    // If converting fails, the numbers stay as they are.
    let _unchanged = match (profile.color_space, picture) {
        (DataColorSpace::Rgb, DynamicImage::ImageRgb8(pixels)) => convert_colours(&profile, Layout::Rgb, pixels),
        (DataColorSpace::Rgb, DynamicImage::ImageRgba8(pixels)) => convert_colours(&profile, Layout::Rgba, pixels),
        (DataColorSpace::Gray, DynamicImage::ImageLuma8(pixels)) => grey(&profile, 1, pixels),
        (DataColorSpace::Gray, DynamicImage::ImageLumaA8(pixels)) => grey(&profile, 2, pixels),
        _ => Ok(()),
    };
}

fn convert_colours(profile: &ColorProfile, layout: Layout, pixels: &mut [u8]) -> Result<(), CmsError> {
    let srgb = ColorProfile::new_srgb();
    let transform = profile.create_transform_8bit(layout, &srgb, layout, TransformOptions::default())?;
    let mut converted = vec![0; AT_ONCE * layout.channels()];
    for some in pixels.chunks_mut(AT_ONCE * layout.channels()) {
        let Some(converted) = converted.get_mut(..some.len()) else { break };
        transform.transform(some, converted)?;
        some.copy_from_slice(converted);
    }
    Ok(())
}

/// Grey stays grey.
fn grey(profile: &ColorProfile, channels: usize, pixels: &mut [u8]) -> Result<(), CmsError> {
    shade(pixels, channels, 1, &shades(profile)?);
    Ok(())
}

/// What each of the 256 shades becomes.
fn shades(profile: &ColorProfile) -> Result<Vec<u8>, CmsError> {
    let srgb = ColorProfile::new_srgb();
    let transform = profile.create_transform_8bit(Layout::Gray, &srgb, Layout::Rgb, TransformOptions::default())?;
    let shades: Vec<u8> = (0..=u8::MAX).collect();
    let mut shown = vec![0; 3 * shades.len()];
    transform.transform(&shades, &mut shown)?;
    Ok(shown.into_iter().step_by(3).collect())
}

/// Replaces the shades of the first channels of each pixel; what is behind them says how much is seen through it.
fn shade(pixels: &mut [u8], channels: usize, of_colour: usize, shades: &[u8]) {
    for pixel in pixels.chunks_exact_mut(channels) {
        for shade in pixel.iter_mut().take(of_colour) {
            if let Some(becomes) = shades.get(usize::from(*shade)) {
                *shade = *becomes;
            }
        }
    }
}
