//! A bid request of OpenRTB 2.6, section 3.2, with the fields that are read. Names are
//! those of the standard.

mod context;
mod imp;

use serde::Deserialize;

pub use context::{App, Device, Dooh, Dsa, Geo, Publisher, Regs, RegsExt, Site, StructuredAgent, User, UserExt};
pub use imp::{
    Banner, Bidders, Deal, DurationFloor, Format, Imp, ImpExt, Native, Pmp, PrebidExt, Quantity, SlotParams,
    StoredRequest, Video,
};

use crate::blocks::{app_in_store, without_id, without_www};
use crate::read::{Flag, fields};
use crate::unread::UnreadPart;

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct BidRequest {
    #[serde(default, deserialize_with = "fields::id")]
    pub id: String,
    #[serde(deserialize_with = "fields::imps")]
    pub imp: Vec<Imp>,
    #[serde(default, deserialize_with = "fields::maybe_object")]
    pub site: Option<Site>,
    #[serde(default, deserialize_with = "fields::maybe_object")]
    pub app: Option<App>,
    /// A screen in a public place, in place of both.
    #[serde(default, deserialize_with = "fields::maybe_object")]
    pub dooh: Option<Dooh>,
    #[serde(default, deserialize_with = "fields::object")]
    pub device: Option<Device>,
    #[serde(default, deserialize_with = "fields::object")]
    pub user: Option<User>,
    #[serde(default, deserialize_with = "fields::object")]
    pub regs: Option<Regs>,
    /// Nobody pays for such an auction.
    #[serde(default, deserialize_with = "fields::flag")]
    pub test: Option<Flag>,
    /// 1 first price, 2 second price (the default); from 500 on, the exchange's own.
    #[serde(default, deserialize_with = "fields::maybe_number")]
    pub at: Option<i32>,
    /// Milliseconds until the answer must be there.
    #[serde(default, deserialize_with = "fields::maybe_count")]
    pub tmax: Option<u32>,
    /// The only seats that may bid.
    #[serde(default, deserialize_with = "fields::texts")]
    pub wseat: Vec<String>,
    /// The seats that may not bid.
    #[serde(default, deserialize_with = "fields::texts")]
    pub bseat: Vec<String>,
    /// The currencies of bids.
    #[serde(default, deserialize_with = "fields::texts")]
    pub cur: Vec<String>,
    /// The only languages of creatives, by ISO 639-1.
    #[serde(default, deserialize_with = "fields::texts")]
    pub wlang: Vec<String>,
    /// The only languages of creatives, by BCP 47.
    #[serde(default, deserialize_with = "fields::texts")]
    pub wlangb: Vec<String>,
    /// The only categories of advertisers.
    #[serde(default, deserialize_with = "fields::texts")]
    pub acat: Vec<String>,
    /// Blocked categories of advertisers.
    #[serde(default, deserialize_with = "fields::texts")]
    pub bcat: Vec<String>,
    /// The taxonomy of the categories above; 1 unless said otherwise.
    #[serde(default, deserialize_with = "fields::number")]
    pub cattax: Option<i32>,
    /// Blocked domains of advertisers.
    #[serde(default, deserialize_with = "fields::texts")]
    pub badv: Vec<String>,
    /// Blocked apps that are advertised, by their ids in a store.
    #[serde(default, deserialize_with = "fields::texts")]
    pub bapp: Vec<String>,
    #[serde(default, deserialize_with = "fields::maybe_object")]
    pub ext: Option<RequestExt>,
    /// The unreadable parts that must not be ignored: there is no bid then.
    #[serde(skip)]
    pub unread: Vec<UnreadPart>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct RequestExt {
    /// How long a page with Prebid waits for all bids, in milliseconds.
    #[serde(default, deserialize_with = "fields::maybe_count")]
    pub tmaxmax: Option<u32>,
}

impl BidRequest {
    /// How long a page with Prebid waits for all bids, in milliseconds.
    pub fn timeout(&self) -> Option<u32> {
        self.ext.as_ref().and_then(|ext| ext.tmaxmax)
    }

    /// All unreadable parts, of the request and of its impressions.
    pub fn unread(&self) -> impl Iterator<Item = &UnreadPart> {
        self.unread.iter().chain(self.imp.iter().flat_map(|imp| &imp.unread))
    }

    /// The reader's places: the device's, and the user's.
    pub(crate) fn places(&self) -> impl Iterator<Item = &Geo> {
        let of_device = self.device.as_ref().and_then(|device| device.geo.as_ref());
        of_device.into_iter().chain(self.user.as_ref().and_then(|user| user.geo.as_ref()))
    }

    /// The site's domain, or else its page's; or the app's name in its store, as the exchange or the app's page there
    /// says. Empty if the exchange says none of it. A site has one name, with `www.` and without, and an app of Apple's
    /// with `id` before its number and without.
    pub fn source(&self) -> &str {
        let (site, app) = (self.site.as_ref(), self.app.as_ref());
        let page = site.and_then(|site| site.page.as_deref()).filter(|page| page.contains("://"));
        let bundle =
            app.and_then(|app| app.bundle.as_deref()).map(|said| without_id(app_in_store(said).unwrap_or(said).trim()));
        let in_store = app.and_then(|app| app_in_store(app.storeurl.as_deref()?));
        let domains = [site.and_then(|site| site.domain.as_deref()), page, app.and_then(|app| app.domain.as_deref())];
        let [domain, page, of_app] = domains.map(|said| said.map(host));
        let said = [domain, page, bundle, in_store, of_app];
        said.into_iter().flatten().find(|said| !said.is_empty()).unwrap_or_default()
    }
}

/// The domain in an address, because some exchanges write addresses in place of domains.
fn host(said: &str) -> &str {
    let rest = said.split_once("://").map_or(said, |(_, rest)| rest);
    without_www(rest.split(['/', '?', '#', ':']).next().unwrap_or(rest).trim().trim_end_matches('.'))
}
