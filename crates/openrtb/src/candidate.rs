//! A candidate for an impression: a plan's ad, its price, and its audience.

use crate::native::NativeParts;

/// A plan that may bid. Texts of countries, devices and languages are those of products:
/// `DE` or `US-CA`, `mobile`, `desktop`, `tablet` or `tv`, `de` or `zh-Hant`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<'a> {
    /// The bid for one impression, in thousandths of a minor unit: what the plan pays less the platform's share.
    pub price_milli: i64,
    pub currency: &'a str,
    /// The seat on whose behalf the platform bids, if the exchange has seats.
    pub seat: Option<&'a str>,
    pub campaign: &'a str,
    pub creative: Creative<'a>,
    /// Within the campaign.
    pub creative_id: &'a str,
    /// The language of the creative.
    pub language: Option<&'a str>,
    /// Whether everything that the ad loads comes over HTTPS.
    pub secure: bool,
    /// Its attributes (AdCOM 1.0, List: Creative Attributes).
    pub attributes: &'a [i32],
    /// The advertiser's.
    pub domains: &'a [String],
    /// The app that it advertises, by its id in a store.
    pub app: Option<&'a str>,
    /// The advertiser's categories, of IAB's Content Taxonomy 1.0.
    pub categories: &'a [String],
    /// Numbers of deals that were agreed for it.
    pub deals: &'a [String],
    pub wants: Wants<'a>,
    /// Whether it is limited to a number of views per visitor, so that visitors must be recognized.
    pub counts_visitors: bool,
    /// For how many seconds its price is promised.
    pub lasts: u32,
}

/// The audience of an ad. An empty list means everybody; with a list, a reader about whom this is unknown does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Wants<'a> {
    pub regions: &'a [String],
    pub languages: &'a [String],
    pub devices: &'a [String],
}

/// The form of an ad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Creative<'a> {
    Banner {
        sizes: Sizes<'a>,
        /// 1 text, 2 HTML, 3 JavaScript, 4 frame.
        btype: i32,
    },
    Video(VideoFile<'a>),
    Native(NativeParts<'a>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizes<'a> {
    /// It fills any size.
    Any,
    These(&'a [(u32, u32)]),
}

/// A video, as a file that is played while it is downloaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VideoFile<'a> {
    pub mime: &'a str,
    pub seconds: u32,
    pub w: u32,
    pub h: u32,
    /// In kilobits per second, if its size is known.
    pub bitrate: Option<u32>,
}

impl VideoFile<'_> {
    /// The bitrate of a file with this many bytes and seconds.
    pub fn bitrate_of(bytes: u64, seconds: u32) -> Option<u32> {
        let kilobits = bytes.checked_mul(8)?.div_ceil(1_000);
        u32::try_from(kilobits.checked_div(seconds.into())?).ok()
    }
}

impl Creative<'_> {
    /// `Bid.mtype`.
    pub const fn mtype(&self) -> i16 {
        match self {
            Self::Banner { .. } => 1,
            Self::Video(_) => 2,
            Self::Native(_) => 4,
        }
    }
}
