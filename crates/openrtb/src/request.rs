//! A bid request of OpenRTB 2.6, section 3.2, with the fields that are read. Names are
//! those of the standard.

mod context;
mod imp;

use serde::Deserialize;

pub use context::{
    App, Device, DeviceExt, Dooh, Dsa, Geo, Publisher, Regs, RegsExt, Site, StructuredAgent, User, UserExt,
};
pub use imp::{
    Banner, Bidders, Deal, DurationFloor, Format, Imp, ImpExt, Native, Pmp, PrebidExt, Quantity, SlotParams,
    StoredRequest, Video,
};

use crate::blocks::{app_in_store, without_id, without_www};
use crate::read::{Flag, fields, object};
use crate::unread::UnreadPart;

object! {
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    pub struct BidRequest {
        pub id: String = "fields::id",
        #[serde(deserialize_with = "fields::imps")]
        pub imp: Vec<Imp>,
        pub site: Option<Site> = "fields::maybe_object",
        pub app: Option<App> = "fields::maybe_object",
        /// A screen in a public place, in place of both.
        pub dooh: Option<Dooh> = "fields::maybe_object",
        pub device: Option<Device> = "fields::object",
        pub user: Option<User> = "fields::object",
        pub regs: Option<Regs> = "fields::object",
        /// Nobody pays for such an auction.
        pub test: Option<Flag> = "fields::flag",
        /// 1 first price, 2 second price (the default); from 500 on, the exchange's own.
        pub at: Option<i32> = "fields::maybe_number",
        /// Milliseconds until the answer must be there.
        pub tmax: Option<u32> = "fields::maybe_count",
        /// The only seats that may bid.
        pub wseat: Vec<String> = "fields::texts",
        /// The seats that may not bid.
        pub bseat: Vec<String> = "fields::texts",
        /// The currencies of bids.
        pub cur: Vec<String> = "fields::texts",
        /// The only languages of creatives, by ISO 639-1.
        pub wlang: Vec<String> = "fields::texts",
        /// The only languages of creatives, by BCP 47.
        pub wlangb: Vec<String> = "fields::texts",
        /// The only categories of advertisers.
        pub acat: Vec<String> = "fields::texts",
        /// Blocked categories of advertisers.
        pub bcat: Vec<String> = "fields::texts",
        /// The taxonomy of the categories above; 1 unless said otherwise.
        pub cattax: Option<i32> = "fields::number_or_unknown",
        /// Blocked domains of advertisers.
        pub badv: Vec<String> = "fields::texts",
        /// Blocked apps that are advertised, by their ids in a store.
        pub bapp: Vec<String> = "fields::texts",
        pub ext: Option<RequestExt> = "fields::maybe_object",
        /// The unreadable parts that must not be ignored: there is no bid then, unless a value counts as the strictest.
        #[serde(skip)]
        pub unread: Vec<UnreadPart>,
    }

    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct RequestExt {
        /// How long a page with Prebid waits for all bids, in milliseconds.
        pub tmaxmax: Option<u32> = "fields::maybe_count",
    }
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
        self.sources().next().unwrap_or_default()
    }

    /// All names of the site or app. A request may contradict itself, and nobody knows which of them is true.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        let (site, app) = (self.site.as_ref(), self.app.as_ref());
        let page = site.and_then(|site| site.page.as_deref()).filter(|page| page.contains("://"));
        let bundle =
            app.and_then(|app| app.bundle.as_deref()).map(|said| without_id(app_in_store(said).unwrap_or(said).trim()));
        let in_store = app.and_then(|app| app_in_store(app.storeurl.as_deref()?));
        let domains = [site.and_then(|site| site.domain.as_deref()), page, app.and_then(|app| app.domain.as_deref())];
        let [domain, page, of_app] = domains.map(|said| said.map(host));
        let said = [domain, page, bundle, in_store].map(|said| said.filter(|said| !said.is_empty()));
        // Whoever made the app has a site as well, which is another place.
        let of_app = of_app.filter(|of_app| !of_app.is_empty() && said.iter().all(Option::is_none));
        said.into_iter().chain([of_app]).flatten()
    }
}

/// The domain in an address, because some exchanges write addresses in place of domains.
fn host(said: &str) -> &str {
    let rest = said.split_once("://").map_or(said, |(_, rest)| rest);
    without_www(rest.split(['/', '?', '#', ':']).next().unwrap_or(rest).trim().trim_end_matches('.'))
}
