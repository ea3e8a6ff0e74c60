//! Bids in auctions of exchanges and of pages: how the market is asked, and how its answer becomes a bid.

pub mod bodies;
mod markup;
pub mod prebid;

use std::time::Instant;

use delivery::{BidTerms, Device, Nonce, Origin, Token};
use foundation::{Error, random};
use i18n::Lang;
use openrtb::request::Imp;
use openrtb::{Auction, Bid, BidRequest, Circumstances, Malformed, NoBid};

use crate::AdServer;
use crate::delivery::auction::bodies::Unread;
use crate::delivery::market::{self, AdForm, AskedImp, BidOffer, Seller};
use crate::delivery::serve::{SlotAnswer, vast};

/// The time for what is left to do after the decision, and for the way back.
const RESERVE_MILLIS: i64 = 5;
/// The time limit for a request without `tmax`.
const TIME_MILLIS: u32 = 2_000;

/// A bid request, as received.
#[derive(Clone, Copy, Debug)]
pub struct AuctionCall<'a> {
    /// JSON, decompressed.
    pub body: &'a [u8],
    /// When the request arrived, before its body was read: `tmax` counts from then.
    pub arrived_at: Instant,
    /// The address of this server.
    pub base: &'a str,
    /// Makes the HTML of a banner, which loads its script from `base`.
    pub banner: fn(&SlotAnswer, Lang, &str) -> String,
}

impl AuctionCall<'_> {
    /// Reads the body.
    ///
    /// # Errors
    /// `overloaded` if too many are being read.
    pub(crate) fn request(&self, app: &AdServer) -> Result<Result<BidRequest, Malformed>, Error> {
        match app.auction_bodies.parse(self.body) {
            Ok(request) => Ok(Ok(request)),
            Err(Unread::Malformed(malformed)) => Ok(Err(malformed)),
            Err(Unread::Busy | Unread::TooLarge) => Err(store::Error::Overloaded.into()),
        }
    }

    pub(crate) fn waited_millis(&self) -> i64 {
        i64::try_from(self.arrived_at.elapsed().as_millis()).unwrap_or(i64::MAX)
    }
}

/// Makes the bids of one request.
pub(crate) struct Bidder<'a> {
    pub app: &'a AdServer,
    pub call: AuctionCall<'a>,
    pub request: &'a BidRequest,
}

impl<'a> Bidder<'a> {
    /// # Errors
    /// Why nothing is offered at all.
    pub fn open(&self) -> Result<Auction<'a>, NoBid> {
        let user_agent = self.request.device.as_ref().and_then(|device| device.ua.as_deref());
        let circumstances = Circumstances {
            waited_millis: self.call.waited_millis(),
            reserve_millis: RESERVE_MILLIS,
            vendor: None,
            device: user_agent.and_then(Device::of).map(Device::name),
        };
        Auction::open(self.request, &circumstances)
    }

    /// Picks a plan for an impression, and reserves its price.
    pub async fn pick(
        &self,
        seller: Seller<'_>,
        auction: &Auction<'a>,
        imp: &'a Imp,
    ) -> Result<Result<BidOffer<'a>, NoBid>, Error> {
        let currency = self.currency();
        let offered_seconds = seller.offered_seconds(self.request.tmax, self.request.timeout());
        let secure = self.is_secure(seller);
        let asked = AskedImp { auction, imp, seller, offered_seconds, currency, secure };
        market::pick_bid(self.app, &asked, self.left_millis()).await
    }

    fn left_millis(&self) -> i64 {
        let most = i64::from(self.request.tmax.unwrap_or(TIME_MILLIS));
        most.saturating_sub(RESERVE_MILLIS).saturating_sub(self.call.waited_millis())
    }

    /// Whether the answer would come too late.
    pub fn is_late(&self) -> bool {
        self.request.tmax.is_some() && self.left_millis() <= 0
    }

    pub fn token(&self, offer: &BidOffer<'_>, auction: &Auction<'_>, bid: Option<BidTerms>) -> Result<Token, Error> {
        let served = &offer.served;
        Ok(Token {
            plan: served.plan,
            origin: Origin::Slot(served.slot),
            lease: served.lease,
            realm: self.app.realm().code(),
            issued_at: served.at,
            nonce: Nonce::mint(served.at, served.choice.map_or_else(random, |(_, seed)| Ok(seed))?),
            choice: served.choice.map(|(choice, _)| choice),
            limited: !auction.limits().is_empty(),
            bid,
            offered_seconds: served.offered_seconds,
        })
    }

    /// The bid with its markup, without notices.
    pub fn bid(&self, offer: &BidOffer<'_>, seller: Seller<'_>, token: &Token) -> Result<Bid, Error> {
        let ad = offer.ad();
        let base = self.call.base;
        let signed = token.sign(self.app.secrets.signing());
        let mut shown = SlotAnswer::of(self.app, (ad.product, ad.content), &signed, base, self.lang())?;
        if token.bid.is_some() {
            // The exchange replaces the macro with its price before it shows the ad.
            shown.impression_url.push_str("?price=${AUCTION_PRICE}");
        }
        let adm = match ad.form {
            AdForm::Banner => (self.call.banner)(&shown, self.lang(), base),
            AdForm::Native => markup::native(&ad, &shown, offer.offer.imp)?,
            AdForm::Video => {
                let playing = offer.offer.playing;
                let playing = playing.ok_or_else(|| Error::Internal("a video that nobody plays".to_owned()))?;
                let (ad, expires) = ((ad.product, ad.content), offer.offer.expires);
                vast::document(ad, &shown, &token.nonce.text(), base, playing, expires)?
            }
        };
        let candidate = ad.candidate(seller, offer.offer.expires, self.currency(), self.is_secure(seller));
        let candidate = candidate.ok_or_else(|| Error::Internal("an offer that cannot be made".to_owned()))?;
        let bid = offer.offer.bid(token.nonce.text(), &candidate);
        Ok(Bid { adm: Some(adm), iurl: Some(shown.creative.image), ..bid })
    }

    pub fn currency(&self) -> &'a str {
        &self.app.settings.currency.code
    }

    /// Whether the markup is served over HTTPS, or need not be. Prebid.js always requires it, but on a page over HTTP
    /// browsers accept both.
    fn is_secure(&self, seller: Seller<'_>) -> bool {
        let page = self.request.site.as_ref().and_then(|site| site.page.as_deref());
        let takes_either = matches!(seller, Seller::Page(..)) && page.is_some_and(|page| page.starts_with("http://"));
        self.call.base.starts_with("https://") || takes_either
    }

    /// The language of the reader's device, if it is one of ours.
    fn lang(&self) -> Lang {
        let device = self.request.device.as_ref();
        let said = device.map(|device| [device.langb.as_deref(), device.language.as_deref()]);
        said.into_iter().flatten().flatten().find_map(i18n::from_client_code).unwrap_or_default()
    }
}
