//! Answering the bid requests of an exchange. The price of each offer is promised before
//! the answer is sent.

use std::sync::Arc;
use std::time::Instant;

use base::keyed_hash;
use delivery::{BidTerms, Device, Nonce, Origin, Token};
use i18n::Lang;
use openrtb::request::Imp;
use openrtb::{Auction, Bid, BidRequest, BidResponse, Circumstances, Malformed, NoBid};
use store::delivery::ssp::ServedSsp;

use super::markup;
use super::outcomes::Outcome;
use crate::delivery::market::{self, AdForm, AskedImp, BidOffer, ExchangeAd};
use crate::delivery::serve::SlotAnswer;
use crate::{App, Error, Refusal, random};

/// What is left to do after the decision, and the way back to the exchange.
const RESERVE_MILLIS: i64 = 5;
/// A call, as received.
#[derive(Clone, Copy, Debug)]
pub struct BidCall<'a> {
    /// In the path: it identifies the exchange.
    pub key: &'a str,
    /// JSON, decompressed.
    pub body: &'a [u8],
    /// Before the body was read, since `tmax` counts from then.
    pub arrived_at: Instant,
    /// Where this server is reached.
    pub base: &'a str,
    /// Makes the HTML of a banner, which loads its script from `base`.
    pub banner: fn(&SlotAnswer, Lang, &str) -> String,
}

#[derive(Clone, Debug)]
pub enum BidAnswer {
    Bids(BidResponse),
    /// Nothing is offered.
    NoBid,
    /// The field and what is wrong with it.
    Malformed(Malformed),
}

/// # Errors
/// `not_found` for a key that no active exchange has.
pub async fn answer(app: &App, call: BidCall<'_>) -> Result<BidAnswer, Error> {
    market::follow(app).await?;
    let digest = auth::session::digest_shown(call.key).ok_or(Refusal::NotFound)?;
    let ssp = app.market.ssp(&digest).ok_or(Refusal::NotFound)?;
    let request = match openrtb::read(call.body) {
        Ok(request) => request,
        Err(malformed) => {
            app.ssp_outcomes.add(ssp.id, Outcome::Malformed.code());
            return Ok(BidAnswer::Malformed(malformed));
        }
    };
    app.ssp_outcomes.add(ssp.id, Outcome::Request.code());
    let bidder = Bidder { app, ssp, call, request: &request };
    match bidder.bids().await? {
        Ok(bids) => {
            let seat = bidder.ssp.seat.as_deref();
            Ok(BidAnswer::Bids(BidResponse::of(&request.id, seat, &app.settings.currency.code, bids)))
        }
        Err(why) => {
            app.ssp_outcomes.add(bidder.ssp.id, why.code());
            Ok(BidAnswer::NoBid)
        }
    }
}

struct Bidder<'a> {
    app: &'a App,
    ssp: Arc<ServedSsp>,
    call: BidCall<'a>,
    request: &'a BidRequest,
}

impl<'a> Bidder<'a> {
    fn waited_millis(&self) -> i64 {
        i64::try_from(self.call.arrived_at.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    /// One bid for each impression that something fits, or why nothing does.
    async fn bids(&self) -> Result<Result<Vec<Bid>, NoBid>, Error> {
        let user_agent = self.request.device.as_ref().and_then(|device| device.ua.as_deref());
        let circumstances = Circumstances {
            waited_millis: self.waited_millis(),
            reserve_millis: RESERVE_MILLIS,
            vendor: None,
            device: user_agent.and_then(Device::of).map(Device::name),
        };
        let auction = match Auction::open(self.request, &circumstances) {
            Ok(auction) => auction,
            Err(why) => return Ok(Err(why)),
        };
        let (mut bids, mut nearest) = (Vec::new(), NoBid::NoPlan);
        for imp in &self.request.imp {
            match self.pick(&auction, imp).await? {
                Ok(offer) => bids.push(self.bid(&offer, &auction)?),
                Err(why) => nearest = nearest.max(why),
            }
        }
        if bids.is_empty() {
            return Ok(Err(nearest));
        }
        Ok(self.in_time(bids))
    }

    async fn pick(&self, auction: &Auction<'a>, imp: &'a Imp) -> Result<Result<BidOffer<'a>, NoBid>, Error> {
        let asked = AskedImp {
            auction,
            imp,
            ssp: &self.ssp,
            currency: &self.app.settings.currency.code,
            secure: is_secure(self.call.base),
        };
        let most = self.request.tmax.map_or(i64::MAX, i64::from);
        let left = most.saturating_sub(RESERVE_MILLIS).saturating_sub(self.waited_millis());
        market::pick_bid(self.app, &asked, left).await
    }

    /// An answer that comes too late is not sent: what it promises is given back.
    fn in_time(&self, offered: Vec<(Token, Bid)>) -> Result<Vec<Bid>, NoBid> {
        let late = self.request.tmax.is_some_and(|tmax| self.waited_millis() + RESERVE_MILLIS >= tmax.into());
        for (token, _) in &offered {
            if late {
                self.app.market.lost(token, self.app.now());
            } else {
                self.app.ssp_outcomes.add_bid(self.ssp.id, token.plan, self.ssp.slot);
            }
        }
        if late { Err(NoBid::InsufficientTime) } else { Ok(offered.into_iter().map(|(_, bid)| bid).collect()) }
    }

    fn bid(&self, offer: &BidOffer<'a>, auction: &Auction<'_>) -> Result<(Token, Bid), Error> {
        let token = self.token(offer, auction)?;
        let ad = ExchangeAd {
            offer: &offer.served.offer,
            content: offer.served.content,
            form: offer.form,
            price_milli: offer.price_milli,
        };
        let candidate = ad.candidate(&self.ssp, &self.app.settings.currency.code, is_secure(self.call.base));
        let candidate = candidate.ok_or_else(|| Error::Internal("an offer that cannot be made".to_owned()))?;
        let (base, notice) = (self.call.base, token.sign(&notice_key(self.app)));
        let signed = token.sign(self.app.secrets.signing());
        let mut shown = SlotAnswer::of(self.app, (ad.offer, ad.content), &signed, base, self.lang())?;
        // The exchange puts its price in before it shows the ad.
        shown.impression_url.push_str("?price=${AUCTION_PRICE}");
        let adm = match ad.form {
            AdForm::Banner => (self.call.banner)(&shown, self.lang(), base),
            AdForm::Native => markup::native(&ad, &shown, offer.offer.imp)?,
            AdForm::Video => markup::video(&ad, &shown, &token.nonce.text(), base)?,
        };
        let bid = Bid {
            nurl: Some(format!("{base}/openrtb2/nurl/{notice}")),
            burl: Some(format!("{base}/openrtb2/burl/{notice}?price=${{AUCTION_PRICE}}")),
            lurl: Some(format!("{base}/openrtb2/lurl/{notice}?loss=${{AUCTION_LOSS}}")),
            adm: Some(adm),
            ..offer.offer.bid(token.nonce.text(), &candidate)
        };
        Ok((token, bid))
    }

    fn token(&self, offer: &BidOffer<'a>, auction: &Auction<'_>) -> Result<Token, Error> {
        let served = &offer.served;
        let milli = offer.offer.price.milli().unwrap_or(offer.price_milli).min(offer.price_milli);
        Ok(Token {
            plan: served.plan,
            origin: Origin::Slot(served.slot),
            lease: served.lease,
            realm: self.app.realm().code(),
            issued_at: served.at,
            nonce: Nonce::mint(served.at, served.choice.map_or_else(random, |(_, seed)| Ok(seed))?),
            choice: served.choice.map(|(choice, _)| choice),
            bid: Some(BidTerms { milli, limited: !auction.limits().is_empty(), source: source(self.request) }),
        })
    }

    /// That of the reader's device, as far as it is one of ours.
    fn lang(&self) -> Lang {
        let device = self.request.device.as_ref();
        let said = device.and_then(|device| device.langb.as_deref().or(device.language.as_deref()));
        said.and_then(Lang::parse).unwrap_or_default()
    }
}

/// Whether everything here comes over HTTPS.
fn is_secure(base: &str) -> bool {
    base.starts_with("https://")
}

/// The key of the tokens in notices. Only the exchange gets those: a reader who knows the
/// token of the picture cannot bill with it what the filter refuses.
pub(super) fn notice_key(app: &App) -> [u8; 32] {
    keyed_hash(app.secrets.signing(), &[b"openrtb notice"])
}

/// The site or app, without anything that a name of one never has.
fn source(request: &BidRequest) -> String {
    let plain = |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_');
    let name = request.source().chars().filter(plain).take(BidTerms::LONGEST_SOURCE);
    name.collect::<String>().to_ascii_lowercase()
}
