//! A bid request of OpenRTB 2.6, section 3.2, with the fields that are read. Names are
//! those of the standard.

mod context;
mod imp;

use serde::Deserialize;

pub use context::{App, Device, Geo, Publisher, Regs, RegsExt, Site, User, UserExt};
pub use imp::{
    Banner, Bidders, Deal, DurationFloor, Format, Imp, ImpExt, Native, Pmp, PrebidExt, SlotParams, StoredRequest, Video,
};

use crate::read::{Flag, read_imps, read_or_default, timeout};

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct BidRequest {
    pub id: String,
    #[serde(deserialize_with = "read_imps")]
    pub imp: Vec<Imp>,
    pub site: Option<Site>,
    pub app: Option<App>,
    pub device: Option<Device>,
    pub user: Option<User>,
    pub regs: Option<Regs>,
    /// Nobody pays for such an auction.
    pub test: Option<Flag>,
    /// 1 first price, 2 second price (the default); from 500 on, the exchange's own.
    pub at: Option<i32>,
    /// Milliseconds until the answer must be there.
    pub tmax: Option<u32>,
    /// The only seats that may bid.
    #[serde(default, deserialize_with = "read_or_default")]
    pub wseat: Vec<String>,
    /// The seats that may not bid.
    #[serde(default, deserialize_with = "read_or_default")]
    pub bseat: Vec<String>,
    /// The currencies of bids.
    #[serde(default, deserialize_with = "read_or_default")]
    pub cur: Vec<String>,
    /// The only languages of creatives, by ISO 639-1.
    #[serde(default, deserialize_with = "read_or_default")]
    pub wlang: Vec<String>,
    /// The same by BCP 47.
    #[serde(default, deserialize_with = "read_or_default")]
    pub wlangb: Vec<String>,
    /// The only categories of advertisers.
    #[serde(default, deserialize_with = "read_or_default")]
    pub acat: Vec<String>,
    /// Blocked categories of advertisers.
    #[serde(default, deserialize_with = "read_or_default")]
    pub bcat: Vec<String>,
    /// The taxonomy of the categories above; 1 unless said otherwise.
    pub cattax: Option<i32>,
    /// Blocked domains of advertisers.
    #[serde(default, deserialize_with = "read_or_default")]
    pub badv: Vec<String>,
    /// How long a page with Prebid waits for all bids, in milliseconds: `ext.tmaxmax`.
    #[serde(default, rename = "ext", deserialize_with = "timeout")]
    pub timeout: Option<u32>,
}

impl BidRequest {
    /// The site's domain, or the app's name in its store; empty if the exchange says
    /// neither.
    pub fn source(&self) -> &str {
        let site = self.site.as_ref().and_then(|site| site.domain.as_deref());
        let app = || self.app.as_ref().and_then(|app| app.bundle.as_deref().or(app.domain.as_deref()));
        site.or_else(app).unwrap_or_default()
    }
}
