//! Requests, candidates and consents that tests share, here and in other crates.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use serde_json::{Value, json};

use crate::candidate::{Candidate, Creative, Sizes, VideoFile, Wants};
use crate::native::{NativeLinks, NativeParts, Picture};
use crate::read::read;
use crate::request::BidRequest;
use crate::vast::{MediaFile, PlayEvent, Vast, VastVersion};

/// A banner of 300x250 from somewhere, with these fields besides or instead.
pub fn request_with(fields: Value) -> BidRequest {
    let mut request = json!({ "id": "r1", "imp": [{ "id": "1", "banner": { "w": 300, "h": 250 } }] });
    if let (Some(request), Value::Object(fields)) = (request.as_object_mut(), fields) {
        request.extend(fields);
    }
    read(request.to_string().as_bytes()).expect("a request")
}

/// Fits whatever [`request_with`] makes of nothing, for a CPM of 1.00.
pub const CANDIDATE: Candidate<'_> = Candidate {
    price_milli: 100,
    currency: "USD",
    seat: None,
    campaign: "plan-7",
    creative: Creative::Banner { sizes: Sizes::Any, btype: 4 },
    creative_id: "c-9",
    language: None,
    secure: true,
    attributes: &[],
    domains: &[],
    app: None,
    categories: &[],
    deals: &[],
    wants: Wants { regions: &[], languages: &[], devices: &[] },
    counts_visitors: false,
    lasts: 300,
};

pub const VIDEO: VideoFile<'_> = VideoFile { mime: "video/mp4", seconds: 15, w: 640, h: 360, bitrate: Some(800) };

pub const PARTS: NativeParts<'_> = NativeParts {
    title: "Shoes & \"more\"",
    sponsored: "Shoes Ltd",
    description: Some("All shoes"),
    call_to_action: Some("Buy now"),
    image: Some(Picture { url: "https://ads.example/i.jpg", mime: "image/jpeg", w: 1_200, h: 627 }),
    icon: Some(Picture { url: "https://ads.example/icon.png", mime: "image/png", w: 80, h: 80 }),
};

pub const LINKS: NativeLinks<'_> = NativeLinks {
    click: "https://ads.example/t/c",
    click_tracker: Some("https://ads.example/t/k"),
    impression: "https://ads.example/t/i?a=1&b=2",
    viewable: Some("https://ads.example/t/v"),
};

pub const VAST: Vast<'_> = Vast {
    version: VastVersion::V42,
    id: "plan-7",
    serving_id: "n-1",
    creative: "c-9",
    registry: "ads.example",
    system: "Placard",
    title: "Shoes & \"more\"",
    advertiser: Some("Shoes <Ltd>"),
    seconds: 65,
    skip_after: Some(5),
    media: MediaFile { url: "https://ads.example/v.mp4", mime: "video/mp4", w: 640, h: 360, bitrate: Some(800) },
    impression: "https://ads.example/t/i?a=1&p=${AUCTION_PRICE}",
    viewable: Some("https://ads.example/t/v"),
    error: Some("https://ads.example/t/e?c=[ERRORCODE]"),
    events: &[(PlayEvent::Start, "https://ads.example/t/s"), (PlayEvent::ThirdQuartile, "https://ads.example/t/q")],
    click: "https://ads.example/t/c",
    click_tracker: Some("https://ads.example/t/k"),
    expires: Some(300),
};

/// Which vendors have consent, as a bit for each from 1 on or as ranges.
#[derive(Clone, Debug)]
pub enum Vendors {
    Bits(Vec<bool>),
    Ranges(Vec<(u16, u16)>),
}

/// A TC string of this version that says only whether the first purpose and these vendors
/// have consent.
pub fn consent(version: u8, purpose: bool, vendors: &Vendors) -> String {
    let mut bits = Vec::new();
    let mut put = |number: u64, width: u32| bits.extend((0..width).rev().map(|bit| number >> bit & 1 == 1));
    put(version.into(), 6);
    // Times, the consent platform, its screen, language and lists: 146 bits.
    (0..146).for_each(|_| put(0, 1));
    put(purpose.into(), 1);
    // The other purposes, legitimate interests, one treatment and the publisher's country.
    (0..23 + 24 + 1 + 12).for_each(|_| put(0, 1));
    match vendors {
        Vendors::Bits(all) => {
            put(u64::try_from(all.len()).unwrap_or(u64::MAX), 16);
            put(0, 1);
            all.iter().for_each(|one| put((*one).into(), 1));
        }
        Vendors::Ranges(ranges) => {
            put(ranges.iter().map(|(_, last)| u64::from(*last)).max().unwrap_or(0), 16);
            put(1, 1);
            put(u64::try_from(ranges.len()).unwrap_or(u64::MAX), 12);
            for (first, last) in ranges {
                put(u64::from(first != last), 1);
                put((*first).into(), 16);
                if first != last {
                    put((*last).into(), 16);
                }
            }
        }
    }
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let letter = |six: &[bool]| {
        let padded = six.iter().copied().chain(std::iter::repeat(false)).take(6);
        let number = padded.fold(0, |number, bit| number << 1 | usize::from(bit));
        letters.chars().nth(number).unwrap_or('A')
    };
    bits.chunks(6).map(letter).collect()
}
