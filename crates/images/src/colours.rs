//! Colours as screens show them: a profile says what a picture's numbers mean, and without
//! it they mean sRGB.

use image::DynamicImage;
use moxcms::{CmsError, ColorProfile, DataColorSpace, Layout, TransformOptions};

/// The pixels that are converted at a time.
const AT_ONCE: usize = 4_096;

/// Converts the colours in place. A profile that cannot be read, or that is of other
/// channels than the picture's, such as a printer's, says nothing of them.
pub fn convert(picture: &mut DynamicImage, profile: &[u8]) {
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

/// Grey stays grey: what each of the 256 shades becomes is found once.
fn grey(profile: &ColorProfile, channels: usize, pixels: &mut [u8]) -> Result<(), CmsError> {
    let srgb = ColorProfile::new_srgb();
    let transform = profile.create_transform_8bit(Layout::Gray, &srgb, Layout::Rgb, TransformOptions::default())?;
    let shades: Vec<u8> = (0..=u8::MAX).collect();
    let mut shown = vec![0; 3 * shades.len()];
    transform.transform(&shades, &mut shown)?;
    for pixel in pixels.chunks_exact_mut(channels) {
        let Some(shade) = pixel.first_mut() else { continue };
        if let Some(becomes) = shown.get(3 * usize::from(*shade)) {
            *shade = *becomes;
        }
    }
    Ok(())
}
