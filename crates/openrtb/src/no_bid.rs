//! Why there is no bid.

use base::coded;

coded!(
    /// A reason, with its number in `nbr`: of the standard's list (OpenRTB 3.0, List:
    /// No-Bid Reason Codes), or from 500 on one of ours. They are in the order in which
    /// they are checked, so of several impressions the last reason is the nearest miss.
    NoBid {
        InvalidRequest = 2 "invalid_request",
        /// Nobody pays for a test.
        Test = 500 "test",
        /// The impression is on a screen in a public place. Our ads are for one reader, who can click them.
        OutOfHome = 529 "out_of_home",
        /// Bids must say who pays for an ad and why it is shown (Digital Services Act), which ours do not.
        Transparency = 528 "transparency",
        InsufficientTime = 15 "insufficient_time",
        /// No plan is running that is paid by views.
        NoPlan = 521 "no_plan",
        /// The product has no domain, so nobody could tell whose ad it is.
        NoDomain = 525 "no_domain",
        /// The seat may not bid.
        Seat = 501 "seat",
        Currency = 502 "currency",
        BlockedCategory = 503 "blocked_category",
        BlockedDomain = 504 "blocked_domain",
        BlockedApp = 524 "blocked_app",
        CreativeLanguage = 505 "creative_language",
        Country = 506 "country",
        Language = 507 "language",
        UnsupportedDevice = 6 "unsupported_device",
        /// The plan counts visitors, and this one may not be recognized.
        UnmatchedUser = 8 "unmatched_user",
        /// The impression counts as several, or as a part of one; a view is always one.
        Multiplier = 527 "multiplier",
        /// The creative's form is none of the impression's.
        Media = 508 "media",
        /// The impression may come later than a promise lasts. No bid is refused for it; counts of days on which it was
        /// have this number.
        Expiry = 509 "expiry",
        NotSecure = 510 "not_secure",
        Size = 511 "size",
        BannerType = 512 "banner_type",
        Mime = 513 "mime",
        Duration = 514 "duration",
        /// The bitrate is outside the allowed range, or unknown.
        Bitrate = 526 "bitrate",
        /// No version of VAST that is ours, not linear, or not as a file.
        Protocol = 515 "protocol",
        /// Required, and the creative does not have it.
        NativeAsset = 516 "native_asset",
        BlockedAttribute = 517 "blocked_attribute",
        /// The impression is only for deals, and none of them is ours.
        Deal = 518 "deal",
        /// The floor is in another currency.
        FloorCurrency = 520 "floor_currency",
        BelowFloor = 519 "below_floor",
        /// Plans fit, but none has a price left to promise at the moment.
        NoBudget = 522 "no_budget",
        /// Too many earlier creatives for this network or slot have not been seen yet.
        TooManyUnseen = 523 "too_many_unseen",
    }
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_standards_or_ours() {
        let standard: Vec<_> = NoBid::ALL.iter().filter(|reason| reason.code() < 500).collect();
        let expected = [NoBid::InvalidRequest, NoBid::InsufficientTime, NoBid::UnsupportedDevice, NoBid::UnmatchedUser];
        assert_eq!(standard, expected.iter().collect::<Vec<_>>());
        for reason in NoBid::ALL {
            assert_eq!(NoBid::try_from(reason.code()), Ok(*reason));
            assert_eq!(NoBid::from_name(reason.name()), Some(*reason));
        }
    }
}
