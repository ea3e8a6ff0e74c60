//! Uploaded pictures: [`clean`] takes the bytes of a file and returns a picture
//! that is safe to show, or the reason for refusing it.
//!
//! This crate decides:
//! - whether a file is a picture: by its content, never by its name or declared
//!   type. JPEG, PNG, WebP and GIF are accepted;
//! - whether decoding it is affordable: its header says how much memory that
//!   takes, and too large a picture is refused before any is allocated. [`places`] says how many
//!   others it stands for meanwhile;
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

use base::{named, refuse_if};
use image::{DynamicImage, ImageDecoder, ImageError};

use source::Source;

pub use kinds::{OtherCoding, OtherKind};

/// The most bytes that a file may have.
pub const LARGEST: usize = 5 * 1024 * 1024;
/// The longest side that is stored, in pixels; larger pictures are scaled down.
pub const LONGEST_KEPT: u32 = 2_048;
/// The longest side that is accepted.
const LONGEST: u32 = 20_000;
/// The bytes that pixels may take at any moment, in each place that a picture has.
const BUDGET: u64 = 56 * 1024 * 1024;
/// The most places that a picture has.
pub const MOST_PLACES: u32 = 2;
/// The bytes that the pixels of a photo or a screenshot may take, without what its decoder keeps besides.
const LARGEST_SHOT: u64 = BUDGET / 2 * 3;

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
    /// The picture needs too much memory, mostly because of its pixels.
    #[error("the picture takes too much memory to decode")]
    TooMuchToDecode,
    /// A picture, but not of a kind that is taken.
    #[error("the picture is of the kind {0}")]
    OtherKind(OtherKind),
    /// A picture of a kind that is taken, but written in a way that is not read.
    #[error("the picture is written as {0}")]
    OtherCoding(OtherCoding),
    /// The kind of picture is accepted, but the file is cut off or broken.
    #[error("the picture is damaged")]
    Damaged,
    #[error("this is no picture")]
    NotAnImage,
}

/// Decodes a JPEG, a PNG, a WebP or a GIF (of a moving one the first frame), turns it
/// upright, scales it down if necessary, and encodes it again.
///
/// # Errors
/// `TooManyBytes`, `TooMuchToDecode`, `OtherKind`, `OtherCoding`, `Damaged` or `NotAnImage`.
pub fn clean(bytes: &[u8]) -> Result<Picture, Refused> {
    refuse_if(bytes.len() > LARGEST, Refused::TooManyBytes)?;
    let mut source = Source::open(bytes)?;
    most_at_once(&source)?;
    refuse_if(source.is_cut(), Refused::Damaged)?;
    let orientation = source.orientation()?;
    let meaning = source.meaning()?;
    let is_photo = source.is_photo();
    let mut picture = shrunk(DynamicImage::from_decoder(source.decoder)?);
    picture.apply_orientation(orientation);
    written::anew(picture, meaning.as_ref(), is_photo)
}

/// How many places among those that decode at a time a picture needs, for its memory. One that will be refused has one.
pub fn places(bytes: &[u8]) -> u32 {
    let most = Source::open(bytes).and_then(|source| most_at_once(&source));
    if most.is_ok_and(|most| most > BUDGET) { MOST_PLACES } else { 1 }
}

/// The most bytes that pixels take at any moment; refused, if that is more than they may.
fn most_at_once(source: &Source<'_>) -> Result<u64, Refused> {
    let (width, height) = source.decoder.dimensions();
    let pixel = u64::from(source.decoder.color_type().bytes_per_pixel());
    let kept = kept_pixels(width, height).saturating_mul(pixel);
    let (decoding, shrinking) = (source.decoding(), source.decoder.total_bytes().saturating_add(kept));
    let most = decoding.max(shrinking);
    let fits = if source.is_shot() {
        shrinking <= LARGEST_SHOT && most <= BUDGET.saturating_mul(u64::from(MOST_PLACES))
    } else {
        most <= BUDGET
    };
    if fits && width.max(height) <= LONGEST { Ok(most) } else { Err(Refused::TooMuchToDecode) }
}

/// The pixels that are left of so many; a part of one counts as a whole.
fn kept_pixels(width: u32, height: u32) -> u64 {
    let (long, short) = (u64::from(width.max(height)), u64::from(width.min(height)));
    let longest = u64::from(LONGEST_KEPT);
    if long <= longest { long * short } else { longest * (short * longest).div_ceil(long) }
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
