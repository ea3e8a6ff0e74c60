//! Uploaded pictures: [`clean`] takes the bytes of a file and returns a picture
//! that is safe to show, or the reason for refusing it.
//!
//! This crate decides:
//! - whether a file is a picture: by its content, never by its name or declared
//!   type. JPEG, PNG, WebP and GIF are accepted;
//! - whether decoding it is affordable: its header says how much memory that
//!   takes, and too large a picture is refused before any is allocated;
//! - whether it is whole: one whose image data ends too early is refused, but not one that
//!   lacks no more than the mark of its end;
//! - what is kept: pixels only. The picture is scaled to at most [`LONGEST_KEPT`]
//!   pixels, turned upright, converted to the colours of screens (sRGB) and encoded again.
//!   Metadata and anything appended to the file are gone.
//!
//! [`clean`] is slow: never call it on a thread that serves requests.
//!
//! ```
//! use images::{LARGEST, MediaType, Refused, clean};
//!
//! assert_eq!(clean(b"<script>"), Err(Refused::NotAnImage));
//! assert_eq!(clean(&vec![0; LARGEST + 1]), Err(Refused::TooManyBytes));
//!
//! let gif = [
//!     b"GIF89a".as_slice(),
//!     &[1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255],
//!     &[0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b],
//! ]
//! .concat();
//! let picture = clean(&gif)?;
//! assert_eq!((picture.mime, picture.width, picture.height), (MediaType::Png, 1, 1));
//! # Ok::<(), Refused>(())
//! ```

mod colours;
mod jpeg;
mod kinds;
mod png;
mod source;
mod webp;
mod written;

use base::named;
use image::{DynamicImage, ImageDecoder, ImageError};

use source::Source;

pub use kinds::OtherKind;

/// The most bytes that a file may have.
pub const LARGEST: usize = 5 * 1024 * 1024;
/// The longest side that is stored, in pixels; larger pictures are scaled down.
pub const LONGEST_KEPT: u32 = 2_048;
/// The longest side that is accepted.
const LONGEST: u32 = 20_000;
/// The most bytes that pixels may take at any moment.
const BUDGET: u64 = 56 * 1024 * 1024;

named!(
    /// The media type of a stored picture.
    MediaType as "PictureMediaType" {
        Jpeg "image/jpeg",
        Png "image/png",
    }
);

/// A picture to be stored. Width and height in pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub bytes: Vec<u8>,
    pub mime: MediaType,
    pub width: u32,
    pub height: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("the file has too many bytes")]
    TooManyBytes,
    /// Too many pixels, mostly.
    #[error("the picture takes too much memory to decode")]
    TooMuchToDecode,
    /// A picture, but not of a kind that is taken.
    #[error("the picture is of the kind {0}")]
    OtherKind(OtherKind),
    /// Of a kind that is taken, but cut off or broken.
    #[error("the picture is damaged")]
    Damaged,
    #[error("this is no picture")]
    NotAnImage,
}

/// Decodes a JPEG, a PNG, a WebP or a GIF (of a moving one the first frame), turns it
/// upright, scales it down if necessary, and encodes it again.
///
/// # Errors
/// `TooManyBytes`, `TooMuchToDecode`, `OtherKind`, `Damaged` or `NotAnImage`.
pub fn clean(bytes: &[u8]) -> Result<Picture, Refused> {
    if bytes.len() > LARGEST {
        return Err(Refused::TooManyBytes);
    }
    let mut source = Source::open(bytes)?;
    affordable(&source)?;
    if source.is_cut() {
        return Err(Refused::Damaged);
    }
    let orientation = source.orientation()?;
    let profile = source.decoder.icc_profile()?;
    let is_photo = source.is_photo();
    let mut picture = shrunk(DynamicImage::from_decoder(source.decoder)?);
    picture.apply_orientation(orientation);
    written::anew(picture, profile.as_deref(), is_photo)
}

fn affordable(source: &Source<'_>) -> Result<(), Refused> {
    let (width, height) = source.decoder.dimensions();
    let kept = u64::from(width.min(LONGEST_KEPT)) * u64::from(height.min(LONGEST_KEPT));
    let pixel = u64::from(source.decoder.color_type().bytes_per_pixel());
    let shrinking = source.decoder.total_bytes().saturating_add(kept.saturating_mul(pixel));
    let most = source.decoding().max(shrinking);
    if width.max(height) > LONGEST || most > BUDGET { Err(Refused::TooMuchToDecode) } else { Ok(()) }
}

/// Averages the pixels that become one: unlike other filters, this needs no memory
/// besides the two pictures.
fn shrunk(picture: DynamicImage) -> DynamicImage {
    if picture.width().max(picture.height()) <= LONGEST_KEPT {
        return picture;
    }
    picture.thumbnail(LONGEST_KEPT, LONGEST_KEPT)
}

/// A library's limit is one of ours. Decoders read only what begins like a picture, so anything else that they cannot
/// read is damaged.
impl From<ImageError> for Refused {
    fn from(error: ImageError) -> Self {
        match error {
            ImageError::Limits(_) => Self::TooMuchToDecode,
            _ => Self::Damaged,
        }
    }
}
