//! What is auctioned: an impression in one or more forms, its floor and its deals.

use serde::Deserialize;

use crate::native::NativeRequest;
use crate::price::Cpm;
use crate::read::{Flag, read_or_default};

/// The currency where none is named.
const CURRENCY: &str = "USD";

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Imp {
    pub id: String,
    pub banner: Option<Banner>,
    pub video: Option<Video>,
    pub native: Option<Native>,
    pub pmp: Option<Pmp>,
    /// The placement, as the exchange calls it.
    pub tagid: Option<String>,
    #[serde(default, deserialize_with = "read_or_default")]
    pub bidfloor: Cpm,
    pub bidfloorcur: Option<String>,
    /// Everything must come over HTTPS.
    pub secure: Option<Flag>,
    /// Seconds that may pass between the auction and the impression.
    pub exp: Option<u32>,
    pub ext: Option<ImpExt>,
}

impl Imp {
    pub fn floor_currency(&self) -> &str {
        self.bidfloorcur.as_deref().unwrap_or(CURRENCY)
    }

    pub fn deals(&self) -> &[Deal] {
        self.pmp.as_ref().map_or(&[], |pmp| pmp.deals.as_slice())
    }

    /// Whether bids without a deal are refused.
    pub fn is_private(&self) -> bool {
        self.pmp.as_ref().is_some_and(|pmp| pmp.private_auction == Some(Flag(true)))
    }

    /// The key of a slot, as Prebid sends it: among the parameters of the bidder, or as
    /// the number of a stored request. A Prebid server that asks its bidders sends the
    /// parameters of each alone.
    pub fn slot_key(&self) -> Option<&str> {
        let ext = self.ext.as_ref()?;
        let prebid = ext.prebid.as_ref();
        let of_all = prebid.and_then(|prebid| prebid.bidder.as_ref()?.placard.as_ref());
        let named = of_all.or(ext.bidder.as_ref()).and_then(|params| params.slot.as_deref());
        named.or_else(|| Some(prebid?.storedrequest.as_ref()?.id.as_str()))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct ImpExt {
    pub prebid: Option<PrebidExt>,
    pub bidder: Option<SlotParams>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct PrebidExt {
    pub storedrequest: Option<StoredRequest>,
    pub bidder: Option<Bidders>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct StoredRequest {
    pub id: String,
}

/// Parameters of bidders; those of others are not read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Bidders {
    pub placard: Option<SlotParams>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct SlotParams {
    pub slot: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Banner {
    #[serde(default, deserialize_with = "read_or_default")]
    pub format: Vec<Format>,
    pub w: Option<u32>,
    pub h: Option<u32>,
    /// Blocked kinds of banners: 1 text, 2 HTML, 3 JavaScript, 4 frame.
    #[serde(default, deserialize_with = "read_or_default")]
    pub btype: Vec<i32>,
    /// Blocked attributes of creatives.
    #[serde(default, deserialize_with = "read_or_default")]
    pub battr: Vec<i32>,
}

impl Banner {
    /// The sizes that fit, those of `format` first.
    pub fn sizes(&self) -> impl Iterator<Item = (u32, u32)> {
        let formats = self.format.iter().filter_map(|format| format.w.zip(format.h));
        formats.chain(self.w.zip(self.h)).filter(|(w, h)| *w > 0 && *h > 0)
    }
}

/// A size; one that is only a ratio is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Format {
    pub w: Option<u32>,
    pub h: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Video {
    /// Required, with at least one.
    pub mimes: Vec<String>,
    pub minduration: Option<u32>,
    pub maxduration: Option<u32>,
    /// The only durations, instead of the two above.
    #[serde(default, deserialize_with = "read_or_default")]
    pub rqddurs: Vec<u32>,
    /// The versions of VAST; 13 is 4.2.
    #[serde(default, deserialize_with = "read_or_default")]
    pub protocols: Vec<i32>,
    pub w: Option<u32>,
    pub h: Option<u32>,
    /// 1 is linear: it plays instead of the content.
    pub linearity: Option<i32>,
    #[serde(default, deserialize_with = "read_or_default")]
    pub battr: Vec<i32>,
    #[serde(default, deserialize_with = "read_or_default")]
    pub durfloors: Vec<DurationFloor>,
}

/// A floor for videos of some duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct DurationFloor {
    pub mindur: Option<u32>,
    pub maxdur: Option<u32>,
    #[serde(default, deserialize_with = "read_or_default")]
    pub bidfloor: Cpm,
}

impl DurationFloor {
    pub fn is_for(&self, seconds: u32) -> bool {
        self.mindur.is_none_or(|least| seconds >= least) && self.maxdur.is_none_or(|most| seconds <= most)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Native {
    /// JSON within a text, of OpenRTB Native 1.2.
    pub request: String,
    #[serde(default, deserialize_with = "read_or_default")]
    pub battr: Vec<i32>,
    /// What `request` says.
    #[serde(skip)]
    pub markup: NativeRequest,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Pmp {
    pub private_auction: Option<Flag>,
    #[serde(default, deserialize_with = "read_or_default")]
    pub deals: Vec<Deal>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Deal {
    pub id: String,
    #[serde(default, deserialize_with = "read_or_default")]
    pub bidfloor: Cpm,
    pub bidfloorcur: Option<String>,
    pub at: Option<i32>,
    /// The only seats that may bid on it.
    #[serde(default, deserialize_with = "read_or_default")]
    pub wseat: Vec<String>,
    /// The only domains of advertisers that may bid on it.
    #[serde(default, deserialize_with = "read_or_default")]
    pub wadomain: Vec<String>,
}

impl Deal {
    pub fn floor_currency(&self) -> &str {
        self.bidfloorcur.as_deref().unwrap_or(CURRENCY)
    }
}
