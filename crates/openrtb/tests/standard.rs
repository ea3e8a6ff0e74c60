//! Requests and responses that follow the published samples of OpenRTB 2.6, section 6; see
//! `tests/fixtures/README.md`.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use openrtb::testing::{CANDIDATE, LINKS, PARTS, VAST, VIDEO};
use openrtb::{
    Auction, BidRequest, BidResponse, Candidate, Circumstances, Creative, Limit, NativeMarkup, NoBid, OfferedAd, Sizes,
    VastVersion, consider, read,
};
use serde_json::{Value, json};

macro_rules! fixture {
    ($name:literal) => {
        include_bytes!(concat!("fixtures/", $name, ".json"))
    };
}

fn request(body: &[u8]) -> BidRequest {
    read(body).unwrap_or_else(|error| panic!("{error}"))
}

fn offered<'a>(request: &'a BidRequest, candidate: &Candidate<'_>) -> Result<OfferedAd<'a>, NoBid> {
    consider(request, candidate, &Circumstances::default())
}

#[test]
fn a_simple_banner_is_bid_on() {
    let request = request(fixture!("requests/simple-banner"));
    let site = request.site.as_ref().expect("a site");
    let publisher = site.publisher.as_ref().and_then(|publisher| publisher.domain.as_deref());
    assert_eq!(
        (request.at, site.domain.as_deref(), publisher),
        (Some(1), Some("www.daily.example"), Some("daily.example"))
    );
    assert_eq!(request.imp[0].bidfloor.to_string(), "0.03");
    assert!(request.user.is_none(), "it is not where the standard has it");
    let offer = offered(&request, &CANDIDATE).expect("offered");
    assert_eq!((offer.price.milli(), offer.size), (Some(100), Some((300, 250))));
    assert_eq!(
        offered(&request, &Candidate { price_milli: 3, ..CANDIDATE }).map(|offer| offer.price.milli()),
        Ok(Some(3))
    );
    assert_eq!(offered(&request, &Candidate { price_milli: 2, ..CANDIDATE }), Err(NoBid::BelowFloor));
}

#[test]
fn an_expandable_banner_blocks_an_attribute() {
    let request = request(fixture!("requests/expandable"));
    assert!(offered(&request, &CANDIDATE).is_ok());
    assert_eq!(offered(&request, &Candidate { attributes: &[13], ..CANDIDATE }), Err(NoBid::BlockedAttribute));
    let auction = Auction::open(&request, &Circumstances::default()).expect("open");
    assert_eq!(auction.visitor(), Some("b-22f0"));
}

#[test]
fn a_banner_in_an_app_blocks_frames_categories_and_domains() {
    let request = request(fixture!("requests/mobile-app"));
    assert_eq!(request.app.as_ref().and_then(|app| app.bundle.as_deref()), Some("54321"));
    let categories = ["IAB18".to_owned()];
    let domains = ["shoes.example".to_owned()];
    let creative = Creative::Banner { sizes: Sizes::These(&[(728, 90)]), btype: 2 };
    let shoes = Candidate { creative, categories: &categories, domains: &domains, ..CANDIDATE };
    assert_eq!(offered(&request, &shoes).map(|offer| offer.size), Ok(Some((728, 90))));
    let framed = Candidate { creative: CANDIDATE.creative, ..shoes };
    assert_eq!(offered(&request, &framed), Err(NoBid::BannerType));
    let alcohol = ["IAB8-5".to_owned()];
    assert_eq!(offered(&request, &Candidate { categories: &alcohol, ..shoes }), Err(NoBid::BlockedCategory));
    let rival = ["shop.rival.example".to_owned()];
    assert_eq!(offered(&request, &Candidate { domains: &rival, ..shoes }), Err(NoBid::BlockedDomain));
    assert_eq!(offered(&request, &Candidate { price_milli: 49, ..shoes }), Err(NoBid::BelowFloor));
}

#[test]
fn a_video_is_bid_on_where_its_version_of_vast_is_played() {
    let old = request(fixture!("requests/video"));
    let video = Candidate { creative: Creative::Video(VIDEO), ..CANDIDATE };
    let version =
        |request: &BidRequest| offered(request, &video).map(|offer| offer.playing.map(|playing| playing.version));
    assert_eq!(version(&old), Ok(Some(VastVersion::V3)), "VAST 2 and 3 alone");
    let mut newer = old.clone();
    newer.imp[0].video.as_mut().expect("a video").protocols.push(13);
    assert_eq!(version(&newer), Ok(Some(VastVersion::V42)));
    let offer = offered(&newer, &video).expect("offered");
    assert_eq!((offer.imp.id.as_str(), offer.size), ("1", Some((640, 360))));
    let late = Circumstances { waited_millis: 80, reserve_millis: 40, ..Circumstances::default() };
    assert_eq!(consider(&newer, &video, &late), Err(NoBid::InsufficientTime));
}

#[test]
fn a_private_auction_takes_the_deal_of_the_seat() {
    let request = request(fixture!("requests/direct-deal"));
    let deals = ["DA-Agency1-01".to_owned(), "DX-Agency2-01".to_owned()];
    let of = |seat, price_milli| Candidate { deals: &deals, seat: Some(seat), price_milli, ..CANDIDATE };
    let deal = |candidate| offered(&request, &candidate).map(|offer| offer.deal.map(|deal| deal.id.as_str()));
    assert_eq!(deal(of("Agency1", 250)), Ok(Some("DA-Agency1-01")));
    assert_eq!(deal(of("Agency2", 250)), Ok(Some("DX-Agency2-01")));
    assert_eq!(deal(of("Agency1", 249)), Err(NoBid::BelowFloor));
    assert_eq!(deal(of("Agency3", 900)), Err(NoBid::Deal));
}

#[test]
fn a_native_request_is_answered_with_its_assets() {
    let request = request(fixture!("requests/native"));
    let native = Candidate { creative: Creative::Native(PARTS), ..CANDIDATE };
    let offer = offered(&request, &native).expect("offered");
    let asked = &offer.imp.native.as_ref().expect("native").markup;
    let markup = NativeMarkup::new(asked, &PARTS, &LINKS).expect("markup");
    let ids: Vec<i64> = markup.assets.iter().map(|asset| asset.id).collect();
    assert_eq!(ids, [123, 128, 124, 126, 127]);
    assert_eq!((markup.eventtrackers.len(), markup.imptrackers.len()), (2, 0));
}

#[test]
fn what_prebid_has_sent_is_read() {
    for (body, native) in [
        (&fixture!("prebid/banner")[..], false),
        (fixture!("prebid/video"), false),
        (fixture!("prebid/native"), true),
        (fixture!("prebid/native-legacy"), true),
        (fixture!("prebid/multi"), true),
        (fixture!("prebid/rival"), false),
        (fixture!("prebid/stored-imp"), false),
        (fixture!("prebid/stored-and-bidder"), false),
        (fixture!("prebid/consent"), false),
    ] {
        let request = request(body);
        assert!(request.imp.iter().all(|imp| imp.slot_key() == Some("news-top")), "{request:?}");
        let assets = |imp: &openrtb::request::Imp| imp.native.as_ref().is_some_and(|of| !of.markup.assets.is_empty());
        assert_eq!(request.imp.iter().any(assets), native, "{request:?}");
    }
    let request = request(fixture!("prebid/consent"));
    let auction = Auction::open(&request, &Circumstances::default()).expect("open");
    assert_eq!(auction.limits(), [Limit::Gdpr, Limit::UsPrivacy, Limit::Gpp, Limit::Coppa]);
}

#[test]
fn prebid_names_its_slots_and_sends_null_where_it_has_nothing_to_say() {
    let request = request(fixture!("requests/prebid"));
    let slots: Vec<_> = request.imp.iter().map(openrtb::request::Imp::slot_key).collect();
    assert_eq!(slots, [Some("news-top"), Some("news-side")]);
    for (ext, slot) in [
        (json!({ "bidder": { "slot": "news-top" } }), Some("news-top")),
        (json!({ "bidder": {}, "prebid": { "storedrequest": { "id": "news-side" } } }), Some("news-side")),
        (json!({ "bidder": { "slot": "" }, "prebid": { "storedrequest": { "id": "news-side" } } }), Some("news-side")),
        (json!({ "bidder": { "slot": "news-top" }, "prebid": { "bidder": { "placard": {} } } }), Some("news-top")),
        (json!({ "placard": { "slot": "news-top" }, "rival": { "slot": "other" } }), Some("news-top")),
        (
            json!({ "placard": { "slot": "old" }, "prebid": { "bidder": { "placard": { "slot": "news-top" } } } }),
            Some("news-top"),
        ),
        (json!({ "placard": "news-top", "prebid": { "storedrequest": { "id": "news-side" } } }), Some("news-side")),
        (json!({ "bidder": { "slot": " news-top\n" } }), Some("news-top")),
        (json!({ "bidder": { "slot": " " } }), None),
        (json!({ "prebid": { "bidder": { "rival": { "slot": 5 } } } }), None),
        (json!({}), None),
    ] {
        let body = json!({ "id": "r", "imp": [{ "id": "1", "ext": ext }] }).to_string();
        assert_eq!(self::request(body.as_bytes()).imp[0].slot_key(), slot, "{body}");
    }
    let vendor = Circumstances { vendor: Some(1), ..Circumstances::default() };
    let auction = Auction::open(&request, &vendor).expect("open");
    assert_eq!(auction.limits(), [Limit::Gdpr], "its consent agrees to nothing");
    assert!(auction.consider(&CANDIDATE).is_ok());
    assert_eq!(auction.consider(&Candidate { counts_visitors: true, ..CANDIDATE }), Err(NoBid::UnmatchedUser));
}

#[test]
fn responses_are_read_and_written_alike() {
    for body in [
        &fixture!("responses/served-on-win")[..],
        fixture!("responses/vast-inline"),
        fixture!("responses/direct-deal"),
        fixture!("responses/native-inline"),
    ] {
        let mut sent: Value = serde_json::from_slice(body).expect("JSON");
        let response: BidResponse = serde_json::from_slice(body).expect("a response");
        // Not read.
        let bid = sent["seatbid"][0]["bid"][0].as_object_mut().expect("a bid");
        bid.remove("adid");
        assert_eq!(serde_json::to_value(&response).expect("JSON"), sent);
    }
    let response: BidResponse = serde_json::from_slice(fixture!("responses/native-inline")).expect("a response");
    let markup = response.seatbid[0].bid[0].adm.as_deref().expect("markup");
    let native: NativeMarkup = serde_json::from_str(markup).expect("native markup");
    assert_eq!((native.assets.len(), native.imptrackers.len()), (3, 1));
}

/// Every field of an answer, with the types that the standard gives it.
fn is_valid(response: &Value) -> Result<(), String> {
    let text = |value: &Value| value.is_string();
    let list = |value: &Value, of: fn(&Value) -> bool| {
        value.as_array().is_some_and(|all| !all.is_empty() && all.iter().all(of))
    };
    let fits = |key: &str, value: &Value| match key {
        "id" | "impid" | "nurl" | "burl" | "lurl" | "adm" | "bundle" | "iurl" | "cid" | "crid" | "dealid" | "seat"
        | "bidid" => text(value),
        "language" => value.as_str().is_some_and(|text| text.len() == 2),
        "cur" => value.as_str().is_some_and(|text| text.len() == 3),
        "price" => value.as_f64().is_some_and(|price| price > 0.0),
        "adomain" | "cat" => list(value, Value::is_string),
        "attr" => list(value, Value::is_i64),
        "protocol" | "w" | "h" | "exp" | "dur" | "nbr" | "cattax" => value.is_u64(),
        "mtype" => value.as_u64().is_some_and(|kind| (1..=4).contains(&kind)),
        "seatbid" | "bid" => list(value, Value::is_object),
        _ => false,
    };
    let check = |object: &Value, required: &[&str]| -> Result<(), String> {
        let fields = object.as_object().ok_or("no object")?;
        let missing = required.iter().find(|key| !fields.contains_key(**key));
        let wrong = fields.iter().find(|(key, value)| !fits(key, value));
        match (missing, wrong) {
            (None, None) => Ok(()),
            (missing, wrong) => Err(format!("{missing:?} {wrong:?} in {object}")),
        }
    };
    check(response, &["id"])?;
    for seat in response["seatbid"].as_array().into_iter().flatten() {
        check(seat, &["bid"])?;
        for bid in seat["bid"].as_array().into_iter().flatten() {
            check(bid, &["id", "impid", "price"])?;
        }
    }
    Ok(())
}

#[test]
fn answers_are_those_of_the_standard() {
    let (domains, categories) = (["shoes.example".to_owned()], ["IAB18".to_owned()]);
    let full = Candidate {
        language: Some("de-AT"),
        attributes: &[1],
        domains: &domains,
        categories: &categories,
        seat: Some("s1"),
        ..CANDIDATE
    };
    let request = request(fixture!("requests/simple-banner"));
    for candidate in [CANDIDATE, full] {
        let offer = offered(&request, &candidate).expect("offered");
        let mut bid = offer.bid("b1".into(), &candidate);
        bid.burl = Some("https://ads.example/b?p=${AUCTION_PRICE}".into());
        bid.lurl = Some("https://ads.example/l?r=${AUCTION_LOSS}".into());
        bid.adm = Some(VAST.to_string());
        let response = BidResponse::of(&request.id, candidate.seat, "USD", vec![bid]);
        let json = serde_json::to_value(&response).expect("JSON");
        assert_eq!(is_valid(&json), Ok(()));
        assert_eq!((&json["id"], &json["cur"]), (&json!("5f1c77a2-banner"), &json!("USD")));
    }
    let none = serde_json::to_value(BidResponse::none(&request.id, NoBid::InsufficientTime)).expect("JSON");
    assert_eq!(none, json!({ "id": "5f1c77a2-banner", "nbr": 15 }));
    assert!(is_valid(&none).is_ok());
    let empty = serde_json::to_value(BidResponse::of(&request.id, None, "USD", Vec::new())).expect("JSON");
    assert_eq!(empty, json!({ "id": "5f1c77a2-banner", "cur": "USD" }));
    for wrong in
        [json!({}), json!({ "id": 1 }), json!({ "id": "1", "seatbid": [] }), json!({ "id": "1", "price": "1" })]
    {
        assert!(is_valid(&wrong).is_err(), "{wrong}");
    }
}
