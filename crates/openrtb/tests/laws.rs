//! Whatever comes in, nothing panics; and whatever is offered is within what was asked.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use openrtb::testing::{CANDIDATE, LINKS, PARTS, VAST, VIDEO};
use openrtb::{
    Auction, BidRequest, Candidate, Circumstances, Cleared, Cpm, Creative, NativeMarkup, NativeParts, NativeRequest,
    Sizes, Substitutes, Vast, Wants, read,
};
use proptest::prelude::*;
use proptest::sample::Index;
use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::{Value, json};

const SAMPLES: [&str; 7] = [
    include_str!("fixtures/requests/simple-banner.json"),
    include_str!("fixtures/requests/expandable.json"),
    include_str!("fixtures/requests/mobile-app.json"),
    include_str!("fixtures/requests/video.json"),
    include_str!("fixtures/requests/direct-deal.json"),
    include_str!("fixtures/requests/native.json"),
    include_str!("fixtures/requests/prebid.json"),
];

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-2_i64..3).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        Just(json!("1YNN")),
        Just(json!("DEU")),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::hash_map("(id|w|h|ext|len)", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// All places in a document, as JSON pointers.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(all) => all.iter().enumerate().for_each(|(n, one)| places(one, &format!("{at}/{n}"), found)),
        Value::Object(all) => all.iter().for_each(|(key, one)| places(one, &format!("{at}/{key}"), found)),
        _ => {}
    }
}

fn changed(sample: usize, changes: Vec<(Index, Value)>) -> String {
    let mut document: Value = serde_json::from_str(SAMPLES[sample]).expect("JSON");
    for (which, new) in changes {
        let mut all = Vec::new();
        places(&document, "", &mut all);
        let place: &String = which.get(&all);
        if let Some(place) = document.pointer_mut(place) {
            *place = new;
        }
    }
    document.to_string()
}

/// Each form of an ad, with wishes and without.
fn consider_all(request: &BidRequest, price_milli: i64, waited_millis: i64) {
    let regions = ["DE".to_owned(), "US-CA".to_owned()];
    let words = ["shoes.example".to_owned(), "IAB18".to_owned()];
    let wants = Wants { regions: &regions, languages: &regions, devices: &words };
    for vendor in [None, Some(1)] {
        let circumstances = Circumstances { waited_millis, vendor, ..Circumstances::default() };
        let Ok(auction) = Auction::open(request, &circumstances) else { return };
        for creative in [
            Creative::Banner { sizes: Sizes::Any, btype: 2 },
            Creative::Banner { sizes: Sizes::These(&[(300, 250)]), btype: 4 },
            Creative::Video(VIDEO),
            Creative::Native(PARTS),
        ] {
            let open = Candidate { creative, price_milli, domains: &words, categories: &words, ..CANDIDATE };
            let choosy = Candidate { wants, language: Some("de"), deals: &words, counts_visitors: true, ..open };
            for candidate in [open, choosy] {
                if let Ok(offer) = auction.consider(&candidate) {
                    assert!(offer.price <= Cpm::from_milli(price_milli).max(offer.imp.bidfloor) && price_milli > 0);
                    let floor = offer.deal.map_or(offer.imp.bidfloor, |deal| deal.bidfloor);
                    let by_duration = offer.imp.video.as_ref().is_some_and(|video| !video.durfloors.is_empty());
                    assert!(by_duration || offer.price >= floor, "{offer:?}");
                    assert!(!candidate.counts_visitors || auction.limits().is_empty());
                    let bid = offer.bid("b".into(), &candidate);
                    assert!(serde_json::to_string(&bid).is_ok());
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn bytes_are_a_request_or_not(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Err(error) = read(&bytes) {
            prop_assert!(!error.path.is_empty() && !error.problem.is_empty());
        }
    }

    #[test]
    fn a_request_with_anything_in_it_is_refused_or_considered(
        sample in 0..SAMPLES.len(),
        changes in proptest::collection::vec((any::<Index>(), value()), 0..4),
        price in prop_oneof![-1_i64..2_000, any::<i64>()],
        waited in any::<i64>(),
    ) {
        match read(changed(sample, changes).as_bytes()) {
            Ok(request) => {
                consider_all(&request, price, waited);
                consider_all(&request, price, 0);
            }
            Err(error) => prop_assert!(!error.path.is_empty() && !error.problem.is_empty()),
        }
    }

    #[test]
    fn prices_are_read_as_they_are_written(milli in 0_i64..1_000_000_000_000) {
        let price = Cpm::from_milli(milli);
        prop_assert_eq!(price.milli(), Some(milli));
        let json = serde_json::to_string(&price).expect("JSON");
        prop_assert_eq!(serde_json::from_str::<Cpm>(&json).expect("a price"), price);
        prop_assert_eq!(Cleared::read(&price.to_string()), Ok(Cleared::At(price)));
    }

    #[test]
    fn prices_are_never_rounded_down(whole in 0_u64..1_000_000, part in "[0-9]{1,9}") {
        let price: Cpm = format!("{whole}.{part}").parse().expect("a price");
        let milli = price.milli().expect("small");
        prop_assert!(Cpm::from_milli(milli) >= price);
        prop_assert!(milli == 0 || Cpm::from_milli(milli - 1) < price);
    }

    #[test]
    fn any_float_is_a_price_or_not(float in any::<f64>(), text in "\\PC{0,40}") {
        if let Ok(price) = serde_json::from_value::<Cpm>(json!(float)) {
            prop_assert!(float >= 0.0 && price >= Cpm::ZERO);
            let _ = price.milli();
        }
        let _ = Cleared::read(&text);
    }

    #[test]
    fn only_macros_of_the_standard_change(before in "[^$]{0,20}", text in "\\PC{0,40}", id in "\\PC{0,10}") {
        let values = Substitutes { id: &id, ..Substitutes::default() };
        let filled = values.fill(&format!("{before}${{AUCTION_ID}}{text}"));
        let start = format!("{before}{id}");
        prop_assert!(filled.starts_with(&start));
        if !text.contains("AUCTION_") {
            prop_assert_eq!(filled, format!("{before}{id}{text}"));
        }
    }

    /// A parser finds in the document what was put into it.
    #[test]
    fn a_vast_document_says_what_was_put_in(
        title in any::<String>(),
        id in any::<String>(),
        url in any::<String>(),
        end in Just("]]>").prop_union(Just("]]]]>>")),
    ) {
        let url = format!("https://ads.example/{url}{end}");
        let document = Vast { id: &id, title: &title, impression: &url, click: &url, ..VAST }.to_string();
        let parsed = parsed(&document);
        let allowed = |text: &str| -> String {
            text.chars().filter(|c| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)).collect()
        };
        let of = |name: &str| parsed.iter().filter(|(one, _)| one == name).map(|(_, text)| text.clone()).collect::<Vec<_>>();
        prop_assert_eq!(of("AdTitle"), [allowed(&title)]);
        prop_assert_eq!(of("Ad id"), [allowed(&id)]);
        prop_assert_eq!(of("Impression"), [allowed(&url)]);
        prop_assert_eq!(of("ClickThrough"), [allowed(&url)]);
        prop_assert_eq!(of("Duration"), ["00:01:05"]);
    }

    #[test]
    fn native_markup_fits_what_was_asked(title in "\\PC{0,30}", len in 1_u32..30, required in 0..2) {
        let parts = NativeParts { title: &title, ..PARTS };
        let asked = json!({ "assets": [{ "id": 1, "required": required, "title": { "len": len } }] });
        let request: NativeRequest = serde_json::from_value(asked).expect("a request");
        let fits = !title.is_empty() && title.chars().count() <= len as usize;
        match NativeMarkup::new(&request, &parts, &LINKS) {
            Ok(markup) => {
                prop_assert!(fits || required == 0);
                prop_assert_eq!(markup.assets.len(), usize::from(fits));
                let json = serde_json::to_string(&markup).expect("JSON");
                prop_assert_eq!(serde_json::from_str::<NativeMarkup>(&json).expect("markup"), markup);
            }
            Err(missing) => prop_assert!(!fits && required == 1 && missing.id == Some(1)),
        }
    }
}

/// The text of each element, and the attributes, in the order of the document.
fn parsed(document: &str) -> Vec<(String, String)> {
    let mut reader = Reader::from_str(document);
    let (mut open, mut found) = (Vec::<(String, String)>::new(), Vec::new());
    loop {
        let event = reader.read_event().expect("well-formed");
        let text = match event {
            Event::Start(start) => {
                let name = String::from_utf8(start.name().as_ref().to_vec()).expect("a name");
                for attribute in start.attributes() {
                    let attribute = attribute.expect("an attribute");
                    let key = String::from_utf8(attribute.key.as_ref().to_vec()).expect("a key");
                    let raw = std::str::from_utf8(&attribute.value).expect("text").to_owned();
                    let value = quick_xml::escape::unescape(&raw).expect("escaped").into_owned();
                    found.push((format!("{name} {key}"), value));
                }
                open.push((name, String::new()));
                continue;
            }
            Event::End(_) => {
                found.extend(open.pop());
                continue;
            }
            Event::Text(text) => text.decode().expect("text").into_owned(),
            Event::CData(text) => text.decode().expect("text").into_owned(),
            Event::GeneralRef(reference) => {
                let name = reference.decode().expect("a name").into_owned();
                match reference.resolve_char_ref().expect("a reference") {
                    Some(letter) => letter.to_string(),
                    None => quick_xml::escape::resolve_xml_entity(&name).expect("an entity").to_owned(),
                }
            }
            Event::Eof => return found,
            _ => continue,
        };
        if let Some((_, all)) = open.last_mut() {
            all.push_str(&text);
        }
    }
}
