//! An impression to be auctioned, in one or more forms, with its floor and its deals.

use serde::Deserialize;

use crate::native::{NativeRequest, asked};
use crate::price::Cpm;
use crate::read::{Flag, fields};
use crate::unread::{Unread, UnreadPart};

/// The currency where none is named.
const CURRENCY: &str = "USD";

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Imp {
    #[serde(default, deserialize_with = "fields::id")]
    pub id: String,
    #[serde(default, deserialize_with = "fields::object")]
    pub banner: Option<Banner>,
    #[serde(default, deserialize_with = "fields::object")]
    pub video: Option<Video>,
    #[serde(default, deserialize_with = "fields::object")]
    pub native: Option<Native>,
    #[serde(default, deserialize_with = "fields::object")]
    pub pmp: Option<Pmp>,
    /// The placement, as the exchange calls it.
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub tagid: Option<String>,
    #[serde(default, deserialize_with = "fields::price")]
    pub bidfloor: Cpm,
    #[serde(default, deserialize_with = "fields::only_text")]
    pub bidfloorcur: Option<String>,
    /// Whether everything must come over HTTPS.
    #[serde(default, deserialize_with = "fields::flag")]
    pub secure: Option<Flag>,
    #[serde(default, deserialize_with = "fields::object")]
    pub qty: Option<Quantity>,
    #[serde(default, deserialize_with = "fields::maybe_object")]
    pub ext: Option<ImpExt>,
    /// The unreadable parts. If it is a form, the impression does not have that form; anything else invalidates the
    /// whole impression.
    #[serde(skip)]
    pub unread: Vec<UnreadPart>,
}

impl Imp {
    /// Whether something of it could not be read that must not be left aside.
    pub fn is_refused(&self) -> bool {
        self.unread.iter().any(|part| !part.what.is_form())
    }

    /// Something of it could not be read.
    pub(crate) fn lose(&mut self, part: UnreadPart) {
        match part.what {
            Unread::Banner => self.banner = None,
            Unread::Video => self.video = None,
            Unread::Native => self.native = None,
            _ => {}
        }
        self.unread.push(part);
    }

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
    /// parameters of each alone. Before version 7, Prebid.js sent them under the name of the bidder alone.
    pub fn slot_key(&self) -> Option<&str> {
        let ext = self.ext.as_ref()?;
        let prebid = ext.prebid.as_ref();
        let of_all = prebid.and_then(|prebid| prebid.bidder.as_ref()?.placard.as_ref());
        let named = [of_all, ext.bidder.as_ref(), ext.placard.as_ref()]
            .into_iter()
            .flatten()
            .filter_map(|params| params.slot.as_deref());
        let stored = prebid.and_then(|prebid| prebid.storedrequest.as_ref()?.id.as_deref());
        named.chain(stored).find(|key| !key.is_empty())
    }
}

/// How many impressions it counts as when it is shown once, as on a screen in a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Quantity {
    #[serde(default, rename = "multiplier", deserialize_with = "fields::is_not_one")]
    pub is_not_one: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct ImpExt {
    #[serde(default, deserialize_with = "fields::maybe_object")]
    pub prebid: Option<PrebidExt>,
    #[serde(default, deserialize_with = "fields::maybe_object")]
    pub bidder: Option<SlotParams>,
    /// Where the parameters of a bidder were before they were among Prebid's.
    #[serde(default, deserialize_with = "fields::maybe_object")]
    pub placard: Option<SlotParams>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct PrebidExt {
    #[serde(default, deserialize_with = "fields::maybe_object")]
    pub storedrequest: Option<StoredRequest>,
    #[serde(default, deserialize_with = "fields::maybe_object")]
    pub bidder: Option<Bidders>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct StoredRequest {
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub id: Option<String>,
}

/// Parameters of bidders; those of others are not read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Bidders {
    #[serde(default, deserialize_with = "fields::maybe_object")]
    pub placard: Option<SlotParams>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct SlotParams {
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub slot: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Banner {
    #[serde(default, deserialize_with = "fields::maybe_objects")]
    pub format: Vec<Format>,
    #[serde(default, deserialize_with = "fields::count")]
    pub w: Option<u32>,
    #[serde(default, deserialize_with = "fields::count")]
    pub h: Option<u32>,
    /// Blocked kinds of banners: 1 text, 2 HTML, 3 JavaScript, 4 frame.
    #[serde(default, deserialize_with = "fields::numbers")]
    pub btype: Vec<i32>,
    /// Blocked attributes of creatives.
    #[serde(default, deserialize_with = "fields::numbers")]
    pub battr: Vec<i32>,
}

impl Banner {
    /// Its sizes: those of `format`, or else the one of the banner itself.
    pub fn sizes(&self) -> impl Iterator<Item = (u32, u32)> {
        let formats = self.format.iter().filter_map(|format| format.w.zip(format.h));
        let own = self.w.zip(self.h).filter(|_| self.format.iter().all(|format| format.w.zip(format.h).is_none()));
        formats.chain(own)
    }
}

/// A size; one that is only a ratio is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Format {
    #[serde(default, deserialize_with = "fields::maybe_count")]
    pub w: Option<u32>,
    #[serde(default, deserialize_with = "fields::maybe_count")]
    pub h: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Video {
    /// Required, with at least one.
    #[serde(default, deserialize_with = "fields::texts")]
    pub mimes: Vec<String>,
    #[serde(default, deserialize_with = "fields::least")]
    pub minduration: Option<u32>,
    #[serde(default, deserialize_with = "fields::count")]
    pub maxduration: Option<u32>,
    /// In kilobits per second.
    #[serde(default, deserialize_with = "fields::least")]
    pub minbitrate: Option<u32>,
    #[serde(default, deserialize_with = "fields::count")]
    pub maxbitrate: Option<u32>,
    /// The total duration of several ads, one of which this would be.
    #[serde(default, deserialize_with = "fields::count")]
    pub poddur: Option<u32>,
    /// The only durations, instead of the first two.
    #[serde(default, deserialize_with = "fields::counts")]
    pub rqddurs: Vec<u32>,
    /// The versions of VAST, as of [`crate::VastVersion`]; others are of wrappers.
    #[serde(default, deserialize_with = "fields::numbers")]
    pub protocols: Vec<i32>,
    /// The only one, before 2.3.
    #[serde(default, deserialize_with = "fields::number")]
    pub protocol: Option<i32>,
    /// How it may be loaded: 2 is progressive.
    #[serde(default, deserialize_with = "fields::numbers")]
    pub delivery: Vec<i32>,
    /// Whether it may be skipped, if it is longer than `skipmin`, and after how many seconds.
    #[serde(default, deserialize_with = "fields::flag")]
    pub skip: Option<Flag>,
    #[serde(default, deserialize_with = "fields::least")]
    pub skipmin: Option<u32>,
    #[serde(default, deserialize_with = "fields::least")]
    pub skipafter: Option<u32>,
    #[serde(default, deserialize_with = "fields::count")]
    pub w: Option<u32>,
    #[serde(default, deserialize_with = "fields::count")]
    pub h: Option<u32>,
    /// 1 is linear: it plays instead of the content.
    #[serde(default, deserialize_with = "fields::number")]
    pub linearity: Option<i32>,
    #[serde(default, deserialize_with = "fields::numbers")]
    pub battr: Vec<i32>,
    #[serde(default, deserialize_with = "fields::objects")]
    pub durfloors: Vec<DurationFloor>,
    /// The floor for each second, where several ads share a time.
    #[serde(default, deserialize_with = "fields::price")]
    pub mincpmpersec: Cpm,
}

/// A floor for videos of some duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct DurationFloor {
    #[serde(default, deserialize_with = "fields::count")]
    pub mindur: Option<u32>,
    #[serde(default, deserialize_with = "fields::least")]
    pub maxdur: Option<u32>,
    #[serde(default, deserialize_with = "fields::price")]
    pub bidfloor: Cpm,
}

impl DurationFloor {
    /// A range that ends at zero has no end: nothing is as short.
    pub fn is_for(&self, seconds: u32) -> bool {
        let most = self.maxdur.filter(|most| *most > 0);
        self.mindur.is_none_or(|least| seconds >= least) && most.is_none_or(|most| seconds <= most)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "SentNative")]
pub struct Native {
    pub markup: NativeRequest,
    pub battr: Vec<i32>,
}

#[derive(Deserialize)]
struct SentNative {
    /// OpenRTB Native: JSON within a text, or the object itself.
    #[serde(deserialize_with = "asked")]
    request: NativeRequest,
    /// The version of the request, if that does not say it.
    #[serde(default, deserialize_with = "fields::maybe_version")]
    ver: Option<String>,
    #[serde(default, deserialize_with = "fields::numbers")]
    battr: Vec<i32>,
}

impl From<SentNative> for Native {
    fn from(SentNative { request, ver, battr }: SentNative) -> Self {
        Self { markup: NativeRequest { ver: request.ver.or(ver), ..request }, battr }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Pmp {
    #[serde(default, deserialize_with = "fields::flag")]
    pub private_auction: Option<Flag>,
    #[serde(default, deserialize_with = "fields::objects")]
    pub deals: Vec<Deal>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Deal {
    #[serde(default, deserialize_with = "fields::id")]
    pub id: String,
    #[serde(default, deserialize_with = "fields::price")]
    pub bidfloor: Cpm,
    #[serde(default, deserialize_with = "fields::only_text")]
    pub bidfloorcur: Option<String>,
    #[serde(default, deserialize_with = "fields::number")]
    pub at: Option<i32>,
    /// The only seats that may bid on it.
    #[serde(default, deserialize_with = "fields::texts")]
    pub wseat: Vec<String>,
    /// The only domains of advertisers that may bid on it.
    #[serde(default, deserialize_with = "fields::texts")]
    pub wadomain: Vec<String>,
    #[serde(default, deserialize_with = "fields::objects")]
    pub durfloors: Vec<DurationFloor>,
    /// The floor of a video for each second.
    #[serde(default, deserialize_with = "fields::price")]
    pub mincpmpersec: Cpm,
}

impl Deal {
    pub fn floor_currency(&self) -> &str {
        self.bidfloorcur.as_deref().unwrap_or(CURRENCY)
    }
}
