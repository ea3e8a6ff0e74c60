//! Answers the bid requests of an exchange. The price of each bid is reserved before the answer is sent.

use std::sync::Arc;

use base::keyed_hash;
use delivery::{BidTerms, Outcome, Token};
use foundation::{App, Error, Refusal};
use openrtb::{Auction, Bid, BidResponse, Malformed, NoBid};

use crate::AdServer;
use crate::delivery::auction::{AuctionCall, Bidder};
use crate::delivery::market::{self, BidOffer, Seller, Ssp};

#[derive(Clone, Debug)]
pub enum BidAnswer {
    Bids(BidResponse),
    /// There is no bid.
    NoBid,
    /// The field and what is wrong with it.
    Malformed(Malformed),
}

/// The exchange with this key. The key is in the path, so it is known before the body is read.
///
/// # Errors
/// `not_found` for a key that no active exchange has.
pub async fn caller(app: &AdServer, key: &str) -> Result<Arc<Ssp>, Error> {
    market::follow(app).await?;
    let digest = auth::session::digest_shown(key).ok_or(Refusal::NotFound)?;
    Ok(app.market.ssp(&digest).ok_or(Refusal::NotFound)?)
}

/// # Errors
/// Those of [`caller`] and [`answer_to`].
pub async fn answer(app: &AdServer, key: &str, call: AuctionCall<'_>) -> Result<BidAnswer, Error> {
    answer_to(app, caller(app, key).await?, call).await
}

/// # Errors
/// `overloaded` if too many bodies are being read.
pub async fn answer_to(app: &AdServer, ssp: Arc<Ssp>, call: AuctionCall<'_>) -> Result<BidAnswer, Error> {
    let request = match call.request(app)? {
        Ok(request) => request,
        Err(malformed) => {
            app.ssp_outcomes.add(ssp.id, Outcome::Malformed.code());
            return Ok(BidAnswer::Malformed(malformed));
        }
    };
    app.ssp_outcomes.add(ssp.id, Outcome::Request.code());
    request.unread().for_each(|part| app.ssp_outcomes.add(ssp.id, part.what.code()));
    let offers = SspOffers { bidder: Bidder { app, call, request: &request }, ssp };
    match offers.bids().await? {
        Ok(bids) => {
            let seat = offers.ssp.seat.as_deref();
            Ok(BidAnswer::Bids(BidResponse::of(&request.id, seat, offers.bidder.currency(), bids)))
        }
        Err(why) => {
            app.ssp_outcomes.add(offers.ssp.id, why.code());
            Ok(BidAnswer::NoBid)
        }
    }
}

/// The bids for one request of an exchange.
struct SspOffers<'a> {
    bidder: Bidder<'a>,
    ssp: Arc<Ssp>,
}

impl<'a> SspOffers<'a> {
    /// One bid for each impression that a plan fits, or the reason for no bid.
    async fn bids(&self) -> Result<Result<Vec<Bid>, NoBid>, Error> {
        let auction = match self.bidder.open() {
            Ok(auction) => auction,
            Err(why) => return Ok(Err(why)),
        };
        let (mut bids, mut nearest) = (Vec::new(), NoBid::InvalidRequest);
        for imp in self.bidder.request.imp.iter().filter(|imp| !imp.is_refused()) {
            match self.bidder.pick(Seller::Ssp(&self.ssp), &auction, imp).await? {
                Ok(offer) => bids.push(self.bid(&offer, &auction)?),
                Err(why) => nearest = nearest.max(why),
            }
        }
        if bids.is_empty() {
            return Ok(Err(nearest));
        }
        Ok(self.in_time(bids))
    }

    /// Drops an answer that would come too late, and frees what it has reserved.
    fn in_time(&self, offered: Vec<(Token, Bid)>) -> Result<Vec<Bid>, NoBid> {
        let app = self.bidder.app;
        let late = self.bidder.is_late();
        for (token, _) in &offered {
            if late {
                app.market.note_loss(token, app.now());
            } else {
                app.ssp_outcomes.add_bid(self.ssp.id, token.plan, self.ssp.slot);
            }
        }
        if late { Err(NoBid::InsufficientTime) } else { Ok(offered.into_iter().map(|(_, bid)| bid).collect()) }
    }

    fn bid(&self, offer: &BidOffer<'a>, auction: &Auction<'_>) -> Result<(Token, Bid), Error> {
        let milli = offer.offer.price.milli().unwrap_or(offer.price_milli).min(offer.price_milli);
        let holds_seconds = offer.served.holds_seconds();
        let terms = BidTerms { milli, source: BidTerms::source_named(self.bidder.request.source()), holds_seconds };
        let token = self.bidder.token(offer, auction, Some(terms))?;
        let (base, notice) = (self.bidder.call.base, token.sign(&notice_key(self.bidder.app)));
        let bid = Bid {
            nurl: Some(format!("{base}/openrtb2/nurl/{notice}")),
            burl: Some(format!("{base}/openrtb2/burl/{notice}?price=${{AUCTION_PRICE}}")),
            lurl: Some(format!("{base}/openrtb2/lurl/{notice}?loss=${{AUCTION_LOSS}}")),
            ..self.bidder.bid(offer, Seller::Ssp(&self.ssp), &token)?
        };
        Ok((token, bid))
    }
}

/// The key that signs the tokens in notices. Only the exchange gets these: a reader who knows the token of the picture
/// cannot use it to bill a view that the filter refuses.
pub(super) fn notice_key(app: &App) -> [u8; 32] {
    keyed_hash(app.secrets.signing(), &[b"openrtb notice"])
}
