//! Requests as exchanges and players all over the world send them, each on a line of its own: each is read, and bid on
//! in the forms that its line names, and in no other.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use openrtb::testing::{CANDIDATE, VIDEO};
use openrtb::{Auction, Candidate, Circumstances, Cpm, Creative, NativeParts, Picture, Sizes, read};
use serde::Deserialize;
use serde_json::Value;

const REQUESTS: &str = include_str!("fixtures/exchanges.jsonl");

#[derive(Deserialize)]
struct Line {
    name: String,
    /// The forms that are bid on, in the order of the alphabet.
    forms: String,
    request: Value,
}

/// The banner, the native ad and the video of one advertiser, which has neither an icon nor a call to action.
fn creatives() -> [(&'static str, Creative<'static>); 3] {
    let picture = Picture { url: "https://ads.example/tea.jpg", mime: "image/jpeg", w: 1_200, h: 628 };
    let parts = NativeParts {
        title: "Tea picked this spring",
        sponsored: "Meadow Tea",
        description: Some("Twelve gardens, each with its picking date on the tin."),
        call_to_action: None,
        image: Some(picture),
        icon: None,
    };
    let banner = Creative::Banner { sizes: Sizes::Any, btype: 3 };
    [("banner", banner), ("native", Creative::Native(parts)), ("video", Creative::Video(VIDEO))]
}

#[test]
fn every_request_is_bid_on_in_its_forms() {
    let (domains, categories) = (["tea.example.com".to_owned()], ["IAB8-16".to_owned()]);
    let mut all = 0;
    for line in REQUESTS.lines() {
        let Line { name, forms, request } = serde_json::from_str(line).expect("a line");
        let request = read(request.to_string().as_bytes()).expect("a request");
        let auction = Auction::open(&request, &Circumstances::default()).ok();
        let bids = |creative: &Creative<'_>| {
            let candidate = Candidate {
                creative: *creative,
                price_milli: 3_850,
                language: Some("en"),
                domains: &domains,
                categories: &categories,
                ..CANDIDATE
            };
            let Some(Ok(offer)) = auction.as_ref().map(|auction| auction.consider(&candidate)) else { return false };
            assert!(offer.price == Cpm::from_milli(3_850) && offer.price >= offer.imp.bidfloor, "{name}");
            true
        };
        let found: Vec<&str> =
            creatives().iter().filter(|(_, creative)| bids(creative)).map(|(form, _)| *form).collect();
        assert_eq!(found.join(" "), forms, "{name}: {:?}", request.unread().collect::<Vec<_>>());
        all += 1;
    }
    assert!(all >= 150, "{all} requests");
}
