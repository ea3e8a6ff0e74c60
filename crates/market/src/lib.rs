//! The market: what is shown of products, and what exchanges are told of them.

mod content;
mod openrtb_terms;

pub use content::{Content, Creative};
pub use openrtb_terms::{OpenRtbTerms, PictureFile, VideoFile};
