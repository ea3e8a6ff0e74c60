//! What exchanges report about offers: that one won, that it lost, and that its impression
//! is to be paid.

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

/// The impression is to be paid: it counts like the view of a reader, whichever comes first.
///
/// # Errors
/// `not_found`; the field `price`.
pub async fn take_billing(app: &AdServer, text: &str, price: &str, from: IpAddr) -> Result<Verdict, Error> {
    let token = read(app, text)?;
    let wrong = || Error::field(Field::Price, "invalid");
    let cleared_milli = match Cleared::read(price).map_err(|_| wrong())? {
        Cleared::At(price) => Some(price.milli().ok_or_else(wrong)?),
        Cleared::Unsaid => None,
        // Shown to be checked, and to nobody.
        Cleared::Audit => return Ok(Ok(())),
    };
    track::bill_view(app, token, cleared_milli, from).await
}

/// The offer won, so its price is promised as long as the bid has said. On a server that did not
/// make the offer, it is promised anew of that server's lease, if there is room. Whether it is
/// shown shows later.
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

/// The offer lost: its price is free again. On a server that did not make the offer it
/// lapses by itself.
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

/// The exchange whose slot it is.
async fn seller(app: &AdServer, token: &Token) -> Result<Option<PublisherId>, Error> {
    let Origin::Slot(slot) = token.origin else { return Ok(None) };
    market::follow(app).await?;
    Ok(app.market.seller(slot))
}
