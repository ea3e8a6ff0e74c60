use delivery::{BidTerms, Nonce, Origin, Token};
use market::BidOffer;

/// The token of an offer to an exchange, as in its notices.
pub fn token(offer: &BidOffer<'_>, number: u8) -> Token {
    let served = &offer.served;
    let holds_seconds = served.holds_seconds();
    Token {
        plan: served.plan,
        origin: Origin::Slot(served.slot),
        lease: served.lease,
        realm: 1,
        issued_at: served.at,
        nonce: Nonce([number; 16]),
        choice: None,
        limited: false,
        bid: Some(BidTerms { milli: offer.price_milli, source: String::new(), holds_seconds }),
        offered_seconds: served.offered_seconds,
    }
}
