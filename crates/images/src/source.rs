//! An uploaded file's type, by its content, and the memory that decoding it takes.

use std::io::{BufRead, Cursor, Seek};

use image::codecs::gif::GifDecoder;
use image::codecs::jpeg::JpegDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::{ImageDecoder, ImageFormat, Limits};

use crate::{BUDGET, Refused, jpeg, webp::Parts};

/// What a PNG may unpack besides its pixels, such as a colour profile.
const BESIDE_PIXELS: u64 = 4 * 1024 * 1024;

/// A file whose header was read, but not its pixels.
pub struct Source<'a> {
    bytes: &'a [u8],
    format: ImageFormat,
    pub decoder: Box<dyn ImageDecoder + 'a>,
}

impl<'a> Source<'a> {
    pub fn open(bytes: &'a [u8]) -> Result<Self, Refused> {
        let format = image::guess_format(bytes)?;
        let read = Cursor::new(bytes);
        let mut decoder: Box<dyn ImageDecoder + 'a> = match format {
            ImageFormat::Png => return Self::png(bytes),
            ImageFormat::Jpeg if jpeg::is_endless(bytes) => return Err(Refused::NotAnImage),
            ImageFormat::Jpeg => Box::new(JpegDecoder::new(read)?),
            ImageFormat::Gif => Box::new(GifDecoder::new(read)?),
            ImageFormat::WebP => Box::new(still(WebPDecoder::new(read)?, bytes)?),
            _ => return Err(Refused::NotAnImage),
        };
        // A GIF needs memory for its canvas and for a frame, half of the budget each.
        decoder.set_limits(limits(BUDGET / 2))?;
        Ok(Self { bytes, format, decoder })
    }

    /// A PNG unpacks profiles with its header, so its limit must be set before.
    fn png(bytes: &'a [u8]) -> Result<Self, Refused> {
        let decoder = PngDecoder::with_limits(Cursor::new(bytes), limits(BESIDE_PIXELS))?;
        Ok(Self { bytes, format: ImageFormat::Png, decoder: Box::new(decoder) })
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
    /// lossless picture, and its tables.
    fn planes(&self, pixels: u64) -> u64 {
        let each = if self.decoder.color_type().has_alpha() { 7 } else { 4 };
        let tables = Parts::read(self.bytes).map_or(u64::MAX, |parts| parts.tables());
        pixels.saturating_mul(each).saturating_add(tables)
    }
}

/// Refuses animated pictures, and those with a wrong size in their header.
fn still<R: BufRead + Seek>(decoder: WebPDecoder<R>, bytes: &[u8]) -> Result<WebPDecoder<R>, Refused> {
    let fits = Parts::read(bytes).is_some_and(|parts| parts.fit(decoder.dimensions()));
    if decoder.has_animation() || !fits { Err(Refused::NotAnImage) } else { Ok(decoder) }
}

fn limits(bytes: u64) -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(bytes);
    limits
}
