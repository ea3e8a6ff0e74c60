//! Answers a page that holds its own auction with Prebid, in which the platform is one of several bidders. Each
//! impression names one of a publisher's slots, so what is shown is counted and paid like any other creative in that
//! slot.

use std::net::IpAddr;
use std::sync::Arc;

use delivery::{Outcome, PassingNetwork};
use foundation::Error;
use openrtb::request::Imp;
use openrtb::{Auction, Bid, BidResponse, Malformed, NoBid, PrebidBidExt, PrebidOutcome};

use super::{AuctionCall, Bidder};
use crate::AdServer;
use crate::delivery::market::{self, Seller, SlotTerms};

/// Answers the request. `from` is the reader's address, if known: a network that does not show what it is offered gets
/// no more for a while.
///
/// # Errors
/// `overloaded` if too many bodies are being read, or if the database fails. What is wrong with the request, or with one
/// of its impressions, is part of the answer.
pub async fn answer(
    app: &AdServer,
    call: AuctionCall<'_>,
    from: Option<IpAddr>,
) -> Result<Result<BidResponse, Malformed>, Error> {
    market::follow(app).await?;
    let request = match call.request(app)? {
        Ok(request) => request,
        Err(malformed) => return Ok(Err(malformed)),
    };
    let from = from.map(|address| app.market.passing(address, app.now()));
    let bidder = Bidder { app, call, request: &request };
    let opened = bidder.open();
    let wrong = request.unread().map(ToString::to_string).collect();
    let mut outcome = PrebidOutcome { wrong, ..PrebidOutcome::default() };
    for (number, imp) in request.imp.iter().enumerate() {
        let slot = match slot(app, imp) {
            Ok(slot) => slot,
            Err(problem) => {
                outcome.wrong.push(format!("imp[{number}].ext.prebid.bidder.placard.slot: {problem}"));
                continue;
            }
        };
        app.ssp_outcomes.add(slot.publisher, Outcome::Request.code());
        imp.unread.iter().for_each(|part| app.ssp_outcomes.add(slot.publisher, part.what.code()));
        let offered = match &opened {
            Ok(_) if imp.is_refused() => Err(NoBid::InvalidRequest),
            Ok(auction) => offer(&bidder, auction, imp, (&slot, from)).await?,
            Err(why) => Err(*why),
        };
        app.ssp_outcomes.add(slot.publisher, offered.as_ref().map_or_else(|why| why.code(), |_| Outcome::Bid.code()));
        match offered {
            Ok(bid) => outcome.bids.push(bid),
            Err(why) => outcome.none.push((imp.id.clone(), why)),
        }
    }
    Ok(Ok(outcome.response(&request.id, bidder.currency(), call.waited_millis())))
}

/// The slot that an impression names, or what is wrong with the name.
fn slot(app: &AdServer, imp: &Imp) -> Result<Arc<SlotTerms>, &'static str> {
    let key = imp.slot_key().ok_or("is missing")?;
    app.market.slot(key).ok_or("no slot has this key")
}

async fn offer<'a>(
    bidder: &Bidder<'a>,
    auction: &Auction<'a>,
    imp: &'a Imp,
    (slot, from): (&SlotTerms, Option<PassingNetwork>),
) -> Result<Result<Bid, NoBid>, Error> {
    let seller = Seller::Page(slot, from);
    let offer = match bidder.pick(seller, auction, imp).await? {
        Ok(offer) => offer,
        Err(why) => return Ok(Err(why)),
    };
    let token = bidder.token(&offer, auction, None)?;
    if bidder.is_late() {
        bidder.app.market.note_loss(&token, bidder.app.now());
        return Ok(Err(NoBid::InsufficientTime));
    }
    let bid = bidder.bid(&offer, seller, &token)?;
    Ok(Ok(Bid { ext: Some(PrebidBidExt::of(&bid)), ..bid }))
}
