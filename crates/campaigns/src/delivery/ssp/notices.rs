//! Notices of exchanges about bids: that one won, that it lost, or that its impression must be paid.

use std::net::IpAddr;

use base::{Field, PublisherId};
use delivery::{Origin, Outcome, Token, Verdict, WonOffer};
use foundation::{App, Error, Refusal};
use openrtb::Cleared;

use super::bid::notice_key;
use super::won::KeepWon;
use crate::AdServer;
use crate::delivery::market::{self, KeptOffer};
use crate::delivery::track;

/// # Errors
/// `not_found` for a token that this server did not sign for notices.
fn read(app: &App, text: &str) -> Result<Token, Error> {
    let token = Token::verify(text, &notice_key(app)).ok().filter(|token| token.realm == app.realm().code());
    token.ok_or_else(|| Refusal::NotFound.into())
}

/// The billing notice: the impression must be paid. It counts like the view that the picture reports; whichever comes
/// first is the view.
///
/// # Errors
/// `not_found`; the field `price`.
pub async fn take_billing(app: &AdServer, text: &str, price: &str, from: IpAddr) -> Result<Verdict, Error> {
    let token = read(app, text)?;
    let wrong = || Error::field(Field::Price, "invalid");
    let cleared_milli = match Cleared::read(price).map_err(|_| wrong())? {
        Cleared::At(price) => Some(price.milli().ok_or_else(wrong)?),
        Cleared::Unsaid => None,
        // The exchange shows the ad only to check it.
        Cleared::Audit => return Ok(Ok(())),
    };
    track::bill_view(app, token, cleared_milli, from).await
}

/// The win notice: the price stays reserved for as long as the bid said. A server that did not make the bid reserves it
/// from its own lease, if there is room. Whether the ad is shown is known only later.
///
/// # Errors
/// `not_found`.
pub async fn take_win(app: &AdServer, text: &str) -> Result<(), Error> {
    let token = read(app, text)?;
    let seller = seller(app, &token).await?;
    let (is_first, kept) = app.market.note_won(&token, app.now());
    if let Some(ssp) = seller.filter(|_| is_first) {
        app.ssp_outcomes.add(ssp, Outcome::Won.code());
    }
    let Some(KeptOffer { lease, until }) = kept else { return Ok(()) };
    let command = KeepWon { plan: token.plan, nonce: token.nonce, won: WonOffer { lease, until } };
    let is_needed = app.db.batch(command).await;
    if !matches!(is_needed, Ok(true)) {
        app.market.forget_won(&token, app.now());
    }
    is_needed.map(|_| ())
}

/// The loss notice: the price is free again. On a server that did not make the bid, nothing changes there, and the
/// reservation expires by itself.
///
/// # Errors
/// `not_found`.
pub async fn take_loss(app: &AdServer, text: &str) -> Result<(), Error> {
    let token = read(app, text)?;
    if app.market.note_loss(&token, app.now())
        && let Some(ssp) = seller(app, &token).await?
    {
        app.ssp_outcomes.add(ssp, Outcome::Lost.code());
    }
    Ok(())
}

/// The exchange that the slot belongs to.
async fn seller(app: &AdServer, token: &Token) -> Result<Option<PublisherId>, Error> {
    let Origin::Slot(slot) = token.origin else { return Ok(None) };
    market::follow(app).await?;
    Ok(app.market.seller(slot))
}
