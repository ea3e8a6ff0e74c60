//! An impression to be auctioned, in one or more forms, with its floor and its deals.

use serde::Deserialize;

use crate::native::{NativeRequest, asked};
use crate::price::Cpm;
use crate::read::{Flag, fields, object};
use crate::unread::{Unread, UnreadPart};

/// The currency where none is named.
const CURRENCY: &str = "USD";

object! {
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct Imp {
        pub id: String = "fields::id",
        pub banner: Option<Banner> = "fields::object",
        pub video: Option<Video> = "fields::object",
        pub native: Option<Native> = "fields::object",
        pub pmp: Option<Pmp> = "fields::object",
        /// The placement, as the exchange calls it.
        pub tagid: Option<String> = "fields::maybe_text",
        pub bidfloor: Cpm = "fields::price",
        pub bidfloorcur: Option<String> = "fields::text_or_unknown",
        /// Whether everything must come over HTTPS.
        pub secure: Option<Flag> = "fields::applies",
        pub qty: Option<Quantity> = "fields::object",
        pub ext: Option<ImpExt> = "fields::maybe_object",
        /// The unreadable parts. If it is a form, the impression does not have that form; anything else invalidates the
        /// whole impression.
        #[serde(skip)]
        pub unread: Vec<UnreadPart>,
    }
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
        named.chain(stored).next()
    }
}

object! {
    /// How many impressions it counts as when it is shown once, as on a screen in a station.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct Quantity {
        #[serde(rename = "multiplier")]
        pub is_not_one: bool = "fields::is_not_one",
    }

    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct ImpExt {
        pub prebid: Option<PrebidExt> = "fields::maybe_object",
        pub bidder: Option<SlotParams> = "fields::maybe_object",
        /// The parameters of the bidder as Prebid.js sent them before version 7.
        pub placard: Option<SlotParams> = "fields::maybe_object",
    }

    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct PrebidExt {
        pub storedrequest: Option<StoredRequest> = "fields::maybe_object",
        pub bidder: Option<Bidders> = "fields::maybe_object",
    }

    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    pub struct StoredRequest {
        pub id: Option<String> = "fields::maybe_text",
    }

    /// Parameters of bidders; those of others are not read.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct Bidders {
        pub placard: Option<SlotParams> = "fields::maybe_object",
    }

    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct SlotParams {
        pub slot: Option<String> = "fields::maybe_text",
    }

    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct Banner {
        pub format: Vec<Format> = "fields::maybe_objects",
        pub w: Option<u32> = "fields::maybe_count",
        pub h: Option<u32> = "fields::maybe_count",
        /// Blocked kinds of banners: 1 text, 2 HTML, 3 JavaScript, 4 frame.
        pub btype: Vec<i32> = "fields::numbers",
        /// Blocked attributes of creatives.
        pub battr: Vec<i32> = "fields::numbers",
    }
}

impl Banner {
    /// Its sizes: those of `format`, or else the one of the banner itself.
    pub fn sizes(&self) -> impl Iterator<Item = (u32, u32)> {
        let formats = self.format.iter().filter_map(|format| format.w.zip(format.h));
        let own = self.w.zip(self.h).filter(|_| self.format.iter().all(|format| format.w.zip(format.h).is_none()));
        formats.chain(own)
    }
}

object! {
    /// A size; one that is only a ratio is not read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct Format {
        pub w: Option<u32> = "fields::maybe_count",
        pub h: Option<u32> = "fields::maybe_count",
    }

    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct Video {
        /// Required, with at least one.
        pub mimes: Vec<String> = "fields::allowed_texts",
        pub minduration: Option<u32> = "fields::least",
        pub maxduration: Option<u32> = "fields::count",
        /// In kilobits per second.
        pub minbitrate: Option<u32> = "fields::least",
        pub maxbitrate: Option<u32> = "fields::count",
        /// The total duration of several ads, one of which this would be.
        pub poddur: Option<u32> = "fields::count",
        /// The only durations, instead of the first two.
        pub rqddurs: Vec<u32> = "fields::allowed_counts",
        /// The versions of VAST, as of [`crate::VastVersion`]; others are of wrappers.
        pub protocols: Vec<i32> = "fields::allowed_numbers",
        /// The only one, before 2.3.
        pub protocol: Option<i32> = "fields::number_or_unknown",
        /// How it may be loaded: 2 is progressive.
        pub delivery: Vec<i32> = "fields::allowed_numbers",
        /// Whether it may be skipped, if it is longer than `skipmin`, and after how many seconds.
        pub skip: Option<Flag> = "fields::maybe_flag",
        pub skipmin: Option<u32> = "fields::maybe_least",
        pub skipafter: Option<u32> = "fields::maybe_least",
        pub w: Option<u32> = "fields::maybe_count",
        pub h: Option<u32> = "fields::maybe_count",
        /// 1 is linear: it plays instead of the content.
        pub linearity: Option<i32> = "fields::number",
        pub battr: Vec<i32> = "fields::numbers",
        pub durfloors: Vec<DurationFloor> = "fields::objects",
        /// The floor for each second, where several ads share a time.
        pub mincpmpersec: Cpm = "fields::price",
    }

    /// A floor for videos of some duration.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
    pub struct DurationFloor {
        pub mindur: Option<u32> = "fields::count",
        pub maxdur: Option<u32> = "fields::least",
        pub bidfloor: Cpm = "fields::price",
    }
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

object! {
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct Pmp {
        pub private_auction: Option<Flag> = "fields::applies",
        pub deals: Vec<Deal> = "fields::objects",
    }

    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    pub struct Deal {
        pub id: String = "fields::id",
        pub bidfloor: Cpm = "fields::price",
        pub bidfloorcur: Option<String> = "fields::text_or_unknown",
        pub at: Option<i32> = "fields::maybe_number",
        /// The only seats that may bid on it.
        pub wseat: Vec<String> = "fields::allowed_texts",
        /// The only domains of advertisers that may bid on it.
        pub wadomain: Vec<String> = "fields::allowed_texts",
        pub durfloors: Vec<DurationFloor> = "fields::objects",
        /// The floor of a video for each second.
        pub mincpmpersec: Cpm = "fields::price",
    }
}

impl Deal {
    pub fn floor_currency(&self) -> &str {
        self.bidfloorcur.as_deref().unwrap_or(CURRENCY)
    }
}
