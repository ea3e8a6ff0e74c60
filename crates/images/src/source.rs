//! An uploaded file's type, by its content, and the memory that decoding it takes.

use std::io::{BufRead, Cursor, Seek};

use image::codecs::gif::GifDecoder;
use image::codecs::jpeg::JpegDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;
use image::{ImageDecoder, ImageFormat, Limits};

use crate::colours::Meaning;
use crate::{BUDGET, OtherCoding, Refused, jpeg, kinds, png, webp::Parts};

/// The most that a PNG may unpack besides its pixels, such as a colour profile.
const BESIDE_PIXELS: u64 = 4 * 1024 * 1024;

/// A file whose header was read, but not its pixels.
pub struct Source<'a> {
    bytes: &'a [u8],
    format: ImageFormat,
    pub decoder: Box<dyn ImageDecoder + 'a>,
}

impl<'a> Source<'a> {
    pub fn open(bytes: &'a [u8]) -> Result<Self, Refused> {
        let format = match image::guess_format(bytes) {
            Ok(format) => format,
            Err(_) => return Err(kinds::of(bytes).map_or(Refused::NotAnImage, Refused::OtherKind)),
        };
        if let Some(coding) = rare_coding(format, bytes) {
            return Err(Refused::OtherCoding(coding));
        }
        let read = Cursor::new(bytes);
        let mut decoder: Box<dyn ImageDecoder + 'a> = match format {
            ImageFormat::Png => return Self::png(bytes),
            ImageFormat::Jpeg if jpeg::is_endless(bytes) => return Err(Refused::Damaged),
            ImageFormat::Jpeg => Box::new(JpegDecoder::new(read)?),
            ImageFormat::Gif => Box::new(GifDecoder::new(read)?),
            ImageFormat::WebP => Box::new(checked(WebPDecoder::new(read)?, bytes)?),
            _ => return Err(kinds::of(bytes).map_or(Refused::NotAnImage, Refused::OtherKind)),
        };
        // A GIF needs memory for its canvas and for a frame, half of the budget each.
        decoder.set_limits(limits(BUDGET / 2))?;
        Ok(Self { bytes, format, decoder })
    }

    /// A PNG unpacks profiles with its header, so its limit must be set before.
    fn png(bytes: &'a [u8]) -> Result<Self, Refused> {
        let decoder = PngDecoder::with_limits(Cursor::new(png::ended(bytes)), limits(BESIDE_PIXELS))?;
        Ok(Self { bytes, format: ImageFormat::Png, decoder: Box::new(decoder) })
    }

    /// How it has to be turned.
    pub fn orientation(&mut self) -> Result<Orientation, Refused> {
        let exif = match self.format {
            ImageFormat::Png => png::exif(self.bytes).map(<[u8]>::to_vec),
            _ => self.decoder.exif_metadata()?,
        };
        // Some programs write the name as a JPEG has it.
        let unnamed = |exif: &[u8]| Orientation::from_exif_chunk(exif.strip_prefix(b"Exif\0\0").unwrap_or(exif));
        Ok(exif.as_deref().and_then(unnamed).unwrap_or(Orientation::NoTransforms))
    }

    /// What its numbers mean as colours, if it says that.
    pub fn meaning(&mut self) -> Result<Option<Meaning>, Refused> {
        if let Some(profile) = self.decoder.icc_profile()? {
            return Ok(Some(Meaning::Profile(profile)));
        }
        let gamma = if self.format == ImageFormat::Png { png::gamma(self.bytes) } else { None };
        Ok(gamma.map(Meaning::Gamma))
    }

    /// Whether it should be stored as a JPEG. Other formats may have sharp edges or
    /// transparency.
    pub fn is_photo(&self) -> bool {
        match self.format {
            ImageFormat::Jpeg => true,
            ImageFormat::WebP => !self.decoder.color_type().has_alpha(),
            _ => false,
        }
    }

    /// Whether it is of a format that cameras and screens write, of which the largest are taken.
    pub fn is_shot(&self) -> bool {
        matches!(self.format, ImageFormat::Jpeg | ImageFormat::Png)
    }

    /// The bytes that pixels take during decoding, including the decoder's own.
    pub fn decoding(&self) -> u64 {
        let (width, height) = self.decoder.dimensions();
        let pixels = u64::from(width) * u64::from(height);
        let beside = match self.format {
            ImageFormat::Jpeg => jpeg::coefficients(self.bytes, pixels),
            ImageFormat::WebP => self.planes(pixels),
            // The frame that is then put on the canvas; its own size is limited as well.
            ImageFormat::Gif => pixels.saturating_mul(4),
            _ => 0,
        };
        self.decoder.total_bytes().saturating_add(beside)
    }

    /// The planes of brightness, colour and transparency, or the four channels of a
    /// lossless picture, and its tables; for an animation, also the frame and its canvas.
    fn planes(&self, pixels: u64) -> u64 {
        let Some(parts) = Parts::read(self.bytes) else { return u64::MAX };
        let each = if self.decoder.color_type().has_alpha() || parts.is_animated() { 7 } else { 4 };
        let moving = if parts.is_animated() { 8 } else { 0 };
        let planes = pixels.saturating_mul(each + moving);
        // Tables are counted in time that grows with the picture.
        if planes > BUDGET {
            return planes;
        }
        planes.saturating_add(parts.tables(self.decoder.dimensions(), BUDGET))
    }

    /// Whether a part of the picture is missing that the decoder would make up.
    pub fn is_cut(&self) -> bool {
        self.format == ImageFormat::Jpeg && jpeg::is_cut(self.bytes)
    }
}

fn rare_coding(format: ImageFormat, bytes: &[u8]) -> Option<OtherCoding> {
    match format {
        ImageFormat::Jpeg => jpeg::coding(bytes),
        ImageFormat::Png => png::is_packed_by_apple(bytes).then_some(OtherCoding::ApplePng),
        _ => None,
    }
}

/// Refuses those with a wrong size in a header, and those with an animation's frames that are none: the decoder
/// would pass over these.
fn checked<R: BufRead + Seek>(decoder: WebPDecoder<R>, bytes: &[u8]) -> Result<WebPDecoder<R>, Refused> {
    let size = decoder.dimensions();
    let moves = decoder.has_animation();
    let fits = |parts: Parts<'_>| parts.fit(size) && if moves { parts.move_within(size) } else { !parts.is_animated() };
    if Parts::read(bytes).is_some_and(fits) { Ok(decoder) } else { Err(Refused::Damaged) }
}

fn limits(bytes: u64) -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(bytes);
    limits
}
