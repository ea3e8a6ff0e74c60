//! OpenRTB 2.6: how exchanges ask for bids, and how the platform answers.
//!
//! This crate decides:
//! - what a bid request says: [`read`] takes values however they are written, and names what it
//!   cannot read by its path ([`UnreadPart`]);
//! - whether an ad is offered for an impression, and for how much: [`consider`], or
//!   [`Auction`] for many ads on one request. Floors, currencies, deals, blocked
//!   categories, domains and attributes, sizes, languages, regions and devices count;
//! - whether a reader may be recognized: [`limits`]. Without consent, nothing is known of
//!   them;
//! - how prices are converted: [`Cpm`] is a decimal, never a float;
//! - what the answer and its markup look like: [`BidResponse`], [`Vast`] for videos and
//!   [`NativeMarkup`] for native ads;
//! - what stands in for macros: [`Substitutes`].
//!
//! Names are those of the standard, and only what is used is read. This crate knows no
//! database, clock or random source: time and randomness are arguments of its callers.
//!
//! A banner for which at least 0.50 per thousand is asked:
//!
//! ```
//! use openrtb::{Circumstances, NoBid, consider, read};
//! # use openrtb::testing::CANDIDATE as PLAN;
//!
//! let request = read(br#"{
//!     "id": "80ce30c5",
//!     "imp": [{ "id": "1", "bidfloor": 0.5, "banner": { "format": [{ "w": 300, "h": 250 }] } }]
//! }"#)?;
//!
//! // This plan offers a thousandth of 1.00 for each impression.
//! let offer = consider(&request, &PLAN, &Circumstances::default())?;
//! assert_eq!((offer.price.to_string().as_str(), offer.size), ("1", Some((300, 250))));
//!
//! let cheap = openrtb::Candidate { price_milli: 49, ..PLAN };
//! assert_eq!(consider(&request, &cheap, &Circumstances::default()), Err(NoBid::BelowFloor));
//!
//! let vague = read(br#"{ "id": "80ce30c5", "imp": [{ "id": "1", "bidfloor": "low", "banner": {} }] }"#)?;
//! let unread: Vec<_> = vague.unread().map(|part| part.path.as_str()).collect();
//! assert_eq!(unread, ["imp[0].bidfloor"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod candidate;
mod consent;
mod consider;
mod countries;
pub mod native;
mod no_bid;
mod prebid;
mod price;
mod privacy;
mod read;
pub mod request;
mod response;
mod substitute;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod unread;
mod vast;

pub use blocks::{app_in_store, without_id, without_www};
pub use candidate::{Candidate, Creative, Sizes, VideoFile, Wants};
pub use consider::{Auction, Circumstances, OfferedAd, Playing, consider};
pub use countries::alpha_2;
pub use native::{MissingAsset, NativeLinks, NativeMarkup, NativeParts, NativeRequest, Picture};
pub use no_bid::NoBid;
pub use prebid::{BIDDER, PrebidBidExt, PrebidOutcome, PrebidResponseExt};
pub use price::{Cleared, Cpm, NotAPrice};
pub use privacy::{Limit, limits};
pub use read::{Flag, Malformed, read};
pub use request::BidRequest;
pub use response::{Bid, BidResponse, SeatBid};
pub use substitute::Substitutes;
pub use unread::{Unread, UnreadPart};
pub use vast::{MediaFile, NoAd, PlayEvent, Vast, VastVersion};

impl std::error::Error for NoBid {}
