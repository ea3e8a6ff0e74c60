//! What notices say: the price comes back as it was bid, and nobody is owed more.

use base::{PlanId, SlotId};
use delivery::{BidTerms, Nonce, Origin, PROMISE_SECONDS, Token};
use openrtb::{Cleared, Cpm, Substitutes};
use proptest::prelude::*;

use super::{T, share};

/// The address of a notice, as a bid has it.
const NOTICE: &str = "https://ads.example/openrtb2/burl/TOKEN?price=${AUCTION_PRICE}";

fn terms(milli: i64) -> BidTerms {
    BidTerms { milli, source: "news.example".into(), holds_seconds: PROMISE_SECONDS }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_price_comes_back_as_it_was_put_in(milli in prop_oneof![0_i64..100_000, 0..=i64::MAX / 100]) {
        let values = Substitutes { price: Some(Cpm::from_milli(milli)), ..Substitutes::default() };
        let called = values.fill(NOTICE);
        let (_, price) = called.split_once("?price=").expect("a price");
        prop_assert_eq!(Cleared::read(price), Ok(Cleared::At(Cpm::from_milli(milli))));
        prop_assert_eq!(Cpm::from_milli(milli).milli(), Some(milli));
    }

    /// Whatever an exchange puts there: it is owed nothing below zero, and never more than was bid.
    #[test]
    fn nobody_is_owed_more_than_was_bid(
        bid in any::<i64>(),
        text in "\\PC{0,20}|-?[0-9]{1,25}(\\.[0-9]{0,9})?(e-?[0-9]{1,3})?",
    ) {
        let cleared = match Cleared::read(&text) {
            Ok(Cleared::At(price)) => price.milli(),
            Ok(Cleared::Unsaid | Cleared::Audit) | Err(_) => None,
        };
        let owed = terms(bid).owed(cleared);
        prop_assert!((0..=bid.max(0)).contains(&owed), "{owed} of {bid}");
        prop_assert_eq!(terms(bid).owed(None), bid.max(0));
    }

    #[test]
    fn a_macro_that_nobody_has_replaced_names_no_price(before in "[ %$\\[{#]{0,4}", behind in "[ %}\\]#:B64]{0,5}") {
        prop_assert_eq!(Cleared::read(&format!("{before}AUCTION_PRICE{behind}")), Ok(Cleared::Unsaid));
    }

    /// What an exchange gets of a view, and what the platform keeps, are the view's price.
    #[test]
    fn a_share_is_no_more_than_the_whole(milli in any::<i64>(), parts in 1_000_i64..=9_500) {
        let of_exchange = share(parts).of_milli(milli);
        prop_assert!((0..=milli.max(0)).contains(&of_exchange));
        let exact = i128::from(milli.max(0)) * i128::from(parts);
        prop_assert!(i128::from(of_exchange) * 10_000 <= exact && exact < (i128::from(of_exchange) + 1) * 10_000);
    }

    /// A notice's token says what was bid, and no other key makes one.
    #[test]
    fn a_token_says_what_was_bid(
        milli in any::<i64>(),
        source in "[a-z0-9._-]{0,100}",
        holds in PROMISE_SECONDS..=BidTerms::LONGEST_HOLD,
        offered in prop::option::of(any::<u8>()),
        limited in any::<bool>(),
        changed in (any::<prop::sample::Index>(), 0_u8..64),
    ) {
        let token = Token {
            plan: PlanId(7),
            origin: Origin::Slot(SlotId(2)),
            lease: 5,
            realm: 1,
            issued_at: T,
            nonce: Nonce([3; 16]),
            choice: None,
            limited,
            bid: Some(BidTerms { milli, source, holds_seconds: holds }),
            offered_seconds: offered,
        };
        let text = token.sign(b"notices");
        prop_assert_eq!(Token::verify(&text, b"notices"), Ok(token));
        prop_assert!(Token::verify(&text, b"pictures").is_err());
        let (place, six) = changed;
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let mut other = text.clone().into_bytes();
        let at = place.index(other.len());
        other[at] = letters.as_bytes()[usize::from(six)];
        let other = String::from_utf8(other).expect("a text");
        prop_assert!(other == text || Token::verify(&other, b"notices").is_err());
    }
}
