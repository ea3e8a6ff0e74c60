//! Another reading of the standard than ours judges what is bid: RTBlint, for OpenRTB 2.5 and each version of
//! 2.6, and with the request that the bid answers.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use openrtb::testing::{CANDIDATE, LINKS, PARTS, VAST, VIDEO};
use openrtb::{BidResponse, Candidate, Circumstances, Creative, NativeMarkup, Vast, consider, read};
use rtblint_core::{OpenRtbVersion, validate_bid_response_against_request, validate_bid_response_for_version};
use serde_json::{Value, json};

const REQUESTS: [&str; 7] = [
    include_str!("fixtures/requests/simple-banner.json"),
    include_str!("fixtures/requests/expandable.json"),
    include_str!("fixtures/requests/mobile-app.json"),
    include_str!("fixtures/requests/video.json"),
    include_str!("fixtures/requests/direct-deal.json"),
    include_str!("fixtures/requests/native.json"),
    include_str!("fixtures/requests/prebid.json"),
];
const VERSIONS: [OpenRtbVersion; 4] = [
    OpenRtbVersion::V2_6_202210,
    OpenRtbVersion::V2_6_202409,
    OpenRtbVersion::V2_6_202505,
    OpenRtbVersion::V2_6_202606,
];

/// The answer with everything that a bid has, for what fits of a request.
fn answers(body: &str) -> Vec<String> {
    let request = read(body.as_bytes()).expect("a request");
    let texts = |text: &str| vec![text.to_owned()];
    let (domains, categories, deals) = (texts("tea.example"), texts("IAB8-9"), texts("DA-Agency1-01"));
    let of = |creative| Candidate {
        creative,
        price_milli: 900,
        domains: &domains,
        categories: &categories,
        deals: &deals,
        seat: Some("Agency1"),
        language: Some("en"),
        attributes: &[1],
        app: Some("com.tea.app"),
        ..CANDIDATE
    };
    let banner = Creative::Banner { sizes: openrtb::Sizes::Any, btype: 3 };
    let forms = [banner, Creative::Video(VIDEO), Creative::Native(PARTS)];
    let mut found = Vec::new();
    for candidate in forms.map(of) {
        let Ok(offer) = consider(&request, &candidate, &Circumstances::default()) else { continue };
        let adm = match candidate.creative {
            Creative::Banner { .. } => "<!doctype html><a href=\"https://ads.example/t/c\">Tea</a>".to_owned(),
            Creative::Video(_) => {
                let playing = offer.playing.expect("a video is played");
                Vast { version: playing.version, skip_after: playing.skip_after, ..VAST }.to_string()
            }
            Creative::Native(parts) => {
                let asked = &offer.imp.native.as_ref().expect("native").markup;
                NativeMarkup::new(asked, &parts, &LINKS).expect("markup").adm().expect("JSON")
            }
        };
        let mut bid = offer.bid("b1".into(), &candidate);
        bid.adm = Some(adm);
        bid.iurl = Some("https://ads.example/tea.jpg".into());
        bid.nurl = Some("https://ads.example/n".into());
        bid.burl = Some("https://ads.example/b?price=${AUCTION_PRICE}".into());
        bid.lurl = Some("https://ads.example/l?loss=${AUCTION_LOSS}".into());
        let response = BidResponse::of(&request.id, candidate.seat, "USD", vec![bid]);
        found.push(serde_json::to_string(&response).expect("JSON"));
    }
    found
}

fn assert_passes(request: &str) -> usize {
    let answers = answers(request);
    for answer in &answers {
        for version in VERSIONS {
            let issues = validate_bid_response_against_request(version, request, answer).issues;
            assert!(issues.is_empty(), "{}: {issues:#?}\n{answer}", version.id());
        }
        let older: BidResponse = serde_json::from_str(answer).expect("a response");
        let older = serde_json::to_string(&older.before_2_6()).expect("JSON");
        let issues = validate_bid_response_against_request(OpenRtbVersion::V2_5, request, &older).issues;
        assert!(issues.is_empty(), "2.5: {issues:#?}\n{older}");
    }
    answers.len()
}

#[test]
fn bids_pass_for_the_published_requests() {
    let passed: Vec<usize> = REQUESTS.iter().map(|request| assert_passes(request)).collect();
    assert_eq!(passed, [1, 1, 1, 1, 1, 1, 1], "each is bid on in its form");
}

#[test]
fn bids_pass_for_every_kind_of_video_and_native() {
    let with = |imp: Value| json!({ "id": "r", "at": 1, "cur": ["USD"], "site": { "page": "https://news.example/" }, "imp": [imp] });
    for protocols in [vec![2], vec![2, 3, 5, 6], vec![7], vec![11], vec![2, 3, 7, 11, 13]] {
        for skip in [0, 1] {
            let video = json!({ "mimes": ["video/mp4"], "minduration": 5, "maxduration": 30, "protocols": protocols,
                "w": 640, "h": 360, "skip": skip, "plcmt": 1 });
            assert_eq!(assert_passes(&with(json!({ "id": "1", "video": video })).to_string()), 1, "{protocols:?}");
        }
    }
    let asked = json!({ "ver": "1.2", "assets": [{ "id": 1, "required": 1, "title": { "len": 90 } }],
        "eventtrackers": [{ "event": 1, "methods": [1] }] });
    let native = json!({ "request": asked.to_string(), "ver": "1.2" });
    assert_eq!(assert_passes(&with(json!({ "id": "1", "native": native })).to_string()), 1);
}

#[test]
fn the_judge_finds_what_is_wrong() {
    let request = REQUESTS[0];
    let answer = answers(request).remove(0);
    for (right, wrong) in
        [("\"impid\":\"1\"", "\"impid\":\"9\""), ("\"mtype\":1", "\"mtype\":2"), ("\"w\":300", "\"w\":\"300\"")]
    {
        assert!(answer.contains(right), "{answer}");
        let changed = answer.replace(right, wrong);
        let issues = validate_bid_response_against_request(OpenRtbVersion::V2_6_202505, request, &changed).issues;
        assert!(!issues.is_empty(), "{wrong}");
    }
    assert!(!validate_bid_response_for_version(OpenRtbVersion::V2_6_202505, "{}").valid);
}
