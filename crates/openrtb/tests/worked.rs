//! The requests and answers that docs/CALLERS.md shows are those of this crate, and pass the judge.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use openrtb::testing::CANDIDATE;
use openrtb::{
    BidResponse, Candidate, Circumstances, Creative, MediaFile, NativeLinks, NativeMarkup, NativeParts, Picture,
    PlayEvent, Sizes, Vast, VideoFile, consider, read,
};
use rtblint_core::{
    OpenRtbVersion, validate_bid_request_for_version, validate_bid_response_against_request as validate_answer,
};
use serde_json::Value;

const DOCUMENT: &str = include_str!("../../../docs/CALLERS.md");
const VERSION: OpenRtbVersion = OpenRtbVersion::V2_6_202505;
const LINKS: NativeLinks<'_> = NativeLinks {
    click: "https://ads.example.com/t/c/TOKEN",
    click_tracker: None,
    impression: "https://ads.example.com/t/i/TOKEN.gif?price=${AUCTION_PRICE}",
    viewable: Some("https://ads.example.com/t/v/TOKEN.gif"),
};
const PLAYED: [(PlayEvent, &str); 6] = [
    (PlayEvent::Start, "https://ads.example.com/t/p/TOKEN/start.gif"),
    (PlayEvent::FirstQuartile, "https://ads.example.com/t/p/TOKEN/firstQuartile.gif"),
    (PlayEvent::Midpoint, "https://ads.example.com/t/p/TOKEN/midpoint.gif"),
    (PlayEvent::ThirdQuartile, "https://ads.example.com/t/p/TOKEN/thirdQuartile.gif"),
    (PlayEvent::Complete, "https://ads.example.com/t/p/TOKEN/complete.gif"),
    (PlayEvent::Skip, "https://ads.example.com/t/p/TOKEN/skip.gif"),
];
const TEXT: &str = "Twelve gardens, each with its picking date on the tin.";
const PICTURE: Picture<'_> =
    Picture { url: "https://ads.example.com/products/tea.jpg", mime: "image/jpeg", w: 1_200, h: 628 };

/// The requests and answers of the section on bids.
fn shown() -> Vec<(Value, Value)> {
    let section = DOCUMENT.split_once("\n## Asking for bids\n").expect("the section").1;
    let section = section.split("\n## ").next().unwrap_or(section);
    let blocks: Vec<Value> = section
        .split("```json\n")
        .skip(1)
        .map(|block| serde_json::from_str(block.split("```").next().unwrap_or(block)).expect("JSON"))
        .collect();
    blocks.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

fn creatives() -> [Creative<'static>; 3] {
    let parts = NativeParts {
        title: "Tea picked this spring",
        sponsored: "Meadow Tea",
        description: Some(TEXT),
        call_to_action: None,
        image: Some(PICTURE),
        icon: None,
    };
    let file = VideoFile { mime: "video/mp4", seconds: 15, w: 1_280, h: 720, bitrate: None };
    [Creative::Banner { sizes: Sizes::Any, btype: 3 }, Creative::Native(parts), Creative::Video(file)]
}

/// What Meadow Tea answers in this form.
fn answer(body: &str, creative: Creative<'_>) -> Value {
    let request = read(body.as_bytes()).expect("a request");
    assert_eq!(request.unread().count(), 0);
    let (domains, categories) = (["tea.example.com".to_owned()], ["IAB8-16".to_owned()]);
    let candidate = Candidate {
        creative,
        price_milli: 3_850,
        campaign: "product-7",
        creative_id: match creative {
            Creative::Video(_) => "video-81d3e6407ac2",
            Creative::Banner { .. } | Creative::Native(_) => "landing_page-5f0c2a91b3de",
        },
        language: Some("en"),
        domains: &domains,
        categories: &categories,
        lasts: 90,
        ..CANDIDATE
    };
    let offer = consider(&request, &candidate, &Circumstances::default()).expect("offered");
    let mut bid = offer.bid("NONCE".into(), &candidate);
    bid.adm = Some(match creative {
        Creative::Banner { .. } => "<!doctype html>…".to_owned(),
        Creative::Native(parts) => {
            let asked = &offer.imp.native.as_ref().expect("native").markup;
            NativeMarkup::new(asked, &parts, &LINKS).expect("markup").adm().expect("JSON")
        }
        Creative::Video(file) => {
            let playing = offer.playing.expect("played");
            let url = "https://ads.example.com/products/tea.mp4";
            let vast = Vast {
                version: playing.version,
                id: "video",
                serving_id: "NONCE",
                creative: "product-7-video-81d3e6407ac2",
                registry: "ads.example.com",
                system: "Placard",
                title: "Tea picked this spring",
                advertiser: Some("Meadow Tea"),
                seconds: file.seconds,
                skip_after: playing.skip_after,
                media: MediaFile { url, mime: file.mime, w: file.w, h: file.h, bitrate: None },
                impression: LINKS.impression,
                viewable: LINKS.viewable,
                error: None,
                events: &PLAYED,
                click: LINKS.click,
                click_tracker: None,
                expires: Some(offer.expires),
            };
            vast.to_string()
        }
    });
    let notice = |name: &str, query: &str| Some(format!("https://ads.example.com/openrtb2/{name}/NOTICE{query}"));
    bid.iurl = Some(PICTURE.url.to_owned());
    bid.nurl = notice("nurl", "");
    bid.burl = notice("burl", "?price=${AUCTION_PRICE}");
    bid.lurl = notice("lurl", "?loss=${AUCTION_LOSS}");
    serde_json::to_value(BidResponse::of(&request.id, None, "USD", vec![bid])).expect("JSON")
}

#[test]
fn the_documents_requests_get_the_documents_answers() {
    let shown = shown();
    assert_eq!(shown.len(), 3);
    for ((request, expected), creative) in shown.into_iter().zip(creatives()) {
        let body = request.to_string();
        let answer = answer(&body, creative);
        assert_eq!(answer, expected, "{answer:#}");
        let asked = validate_bid_request_for_version(VERSION, &body).issues;
        let answered = validate_answer(VERSION, &body, &answer.to_string()).issues;
        assert!(asked.is_empty() && answered.is_empty(), "{asked:#?} {answered:#?}");
    }
}
