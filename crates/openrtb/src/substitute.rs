//! Substitution macros (OpenRTB 2.6, section 4.4): what an exchange puts into notices and
//! markup before it uses them.

use std::borrow::Cow;

use crate::price::Cpm;

/// The values for macros that the exchange knows. A macro without a value is replaced by nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Substitutes<'a> {
    /// `BidRequest.id`.
    pub id: &'a str,
    /// `BidResponse.bidid`.
    pub bid_id: &'a str,
    /// `Imp.id`.
    pub imp_id: &'a str,
    /// `SeatBid.seat`.
    pub seat_id: &'a str,
    /// `Bid.adid`.
    pub ad_id: &'a str,
    /// The price at which the auction cleared.
    pub price: Option<Cpm>,
    pub currency: &'a str,
    /// The ratio of the clearing price to the bid, as the exchange rounds it.
    pub market_bid_ratio: &'a str,
    /// A number of the standard's list: 0 won, 102 outbid.
    pub loss: Option<u16>,
    pub min_to_win: Option<Cpm>,
    /// How many impressions were won, as the exchange rounds it.
    pub multiplier: &'a str,
    /// When the impression was, in milliseconds since 1970.
    pub imp_ts: Option<i64>,
}

const OPEN: &str = "${";

impl Substitutes<'_> {
    /// Replaces every macro of the standard, wherever it is. Other macros stay as they are, and so do those that ask
    /// for an encoding (`${AUCTION_PRICE:B64}`), which was not agreed on.
    pub fn fill(&self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(OPEN) {
            filled.push_str(before);
            match after.split_once('}').and_then(|(name, after)| Some((self.value(name)?, after))) {
                Some((value, after)) => {
                    filled.push_str(&value);
                    rest = after;
                }
                None => {
                    filled.push_str(OPEN);
                    rest = after;
                }
            }
        }
        filled.push_str(rest);
        filled
    }

    /// `None` for what is no macro of the standard.
    fn value(&self, name: &str) -> Option<Cow<'_, str>> {
        let shown = |value: Option<String>| Cow::Owned(value.unwrap_or_default());
        Some(match name {
            "AUCTION_ID" => self.id.into(),
            "AUCTION_BID_ID" => self.bid_id.into(),
            "AUCTION_IMP_ID" => self.imp_id.into(),
            "AUCTION_SEAT_ID" => self.seat_id.into(),
            "AUCTION_AD_ID" => self.ad_id.into(),
            "AUCTION_PRICE" => shown(self.price.map(|price| price.to_string())),
            "AUCTION_CURRENCY" => self.currency.into(),
            "AUCTION_MBR" => self.market_bid_ratio.into(),
            "AUCTION_LOSS" => shown(self.loss.map(|code| code.to_string())),
            "AUCTION_MIN_TO_WIN" => shown(self.min_to_win.map(|price| price.to_string())),
            "AUCTION_MULTIPLIER" => self.multiplier.into(),
            "AUCTION_IMP_TS" => shown(self.imp_ts.map(|at| at.to_string())),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WON: Substitutes<'_> = Substitutes {
        id: "a1",
        bid_id: "b2",
        imp_id: "3",
        seat_id: "s4",
        ad_id: "c5",
        price: None,
        currency: "USD",
        market_bid_ratio: "0.97",
        loss: Some(0),
        min_to_win: None,
        multiplier: "1",
        imp_ts: Some(1_800_000_000_000),
    };

    #[test]
    fn every_macro_of_the_standard_is_replaced() {
        let won = Substitutes { price: Some(Cpm::from_milli(91)), min_to_win: Some(Cpm::from_milli(90)), ..WON };
        let text = "${AUCTION_ID} ${AUCTION_BID_ID} ${AUCTION_IMP_ID} ${AUCTION_SEAT_ID} ${AUCTION_AD_ID} \
                    ${AUCTION_PRICE} ${AUCTION_CURRENCY} ${AUCTION_MBR} ${AUCTION_LOSS} ${AUCTION_MIN_TO_WIN} \
                    ${AUCTION_MULTIPLIER} ${AUCTION_IMP_TS}";
        assert_eq!(won.fill(text), "a1 b2 3 s4 c5 0.91 USD 0.97 0 0.9 1 1800000000000");
    }

    #[test]
    fn what_is_not_known_becomes_nothing() {
        assert_eq!(WON.fill("p=${AUCTION_PRICE}&m=${AUCTION_MIN_TO_WIN}&e"), "p=&m=&e");
        let nothing = Substitutes::default();
        assert_eq!(nothing.fill("${AUCTION_ID}${AUCTION_LOSS}${AUCTION_IMP_TS}"), "");
    }

    #[test]
    fn what_is_no_macro_stays() {
        for text in [
            "",
            "$",
            "${",
            "${}",
            "${AUCTION_PRICE",
            "$AUCTION_PRICE",
            "{AUCTION_PRICE}",
            "${auction_price}",
            "${ AUCTION_PRICE}",
            "${AUCTION_PRICE:B64}",
            "${CLICK_URL}",
            "größer ${ als ¥}",
        ] {
            assert_eq!(WON.fill(text), text);
        }
        assert_eq!(WON.fill("${${AUCTION_ID}}"), "${a1}");
        assert_eq!(WON.fill("${X}${AUCTION_ID}${Y"), "${X}a1${Y");
    }

    #[test]
    fn what_was_put_in_is_not_replaced_again() {
        let sly = Substitutes { id: "${AUCTION_SEAT_ID}", ..WON };
        assert_eq!(sly.fill("${AUCTION_ID}"), "${AUCTION_SEAT_ID}");
    }
}
