mod forms;
mod readers;

use serde_json::{Value, json};

use super::*;
use crate::Wants;
use crate::testing::{CANDIDATE, PARTS, VIDEO, request_with};

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// The price offered in thousandths, or why there is none.
fn offered(fields: Value, candidate: &Candidate<'_>) -> Result<i64, NoBid> {
    considered(fields, candidate, &Circumstances::default())
}

fn considered(fields: Value, candidate: &Candidate<'_>, circumstances: &Circumstances<'_>) -> Result<i64, NoBid> {
    let request = request_with(fields);
    let offer = consider(&request, candidate, circumstances)?;
    offer.price.milli().ok_or(NoBid::InvalidRequest)
}

/// One impression with these fields besides its number.
fn imp(fields: Value) -> Value {
    let mut imp = json!({ "id": "1" });
    if let (Some(imp), Value::Object(fields)) = (imp.as_object_mut(), fields) {
        imp.extend(fields);
    }
    json!({ "imp": [imp] })
}

#[test]
fn an_open_request_gets_the_whole_price() {
    assert_eq!(offered(json!({}), &CANDIDATE), Ok(100));
    let request = request_with(json!({}));
    let offer = consider(&request, &CANDIDATE, &Circumstances::default()).expect("offered");
    assert_eq!((offer.imp.id.as_str(), offer.deal, offer.size, offer.expires), ("1", None, Some((300, 250)), 300));
}

#[test]
fn a_test_and_a_late_request_get_nothing() {
    assert_eq!(offered(json!({ "test": 1 }), &CANDIDATE), Err(NoBid::Test));
    let at = |waited_millis, reserve_millis| {
        let circumstances = Circumstances { waited_millis, reserve_millis, ..Circumstances::default() };
        considered(json!({ "tmax": 120 }), &CANDIDATE, &circumstances)
    };
    assert_eq!((at(0, 0), at(19, 100)), (Ok(100), Ok(100)));
    assert_eq!((at(20, 100), at(i64::MAX, 100)), (Err(NoBid::InsufficientTime), Err(NoBid::InsufficientTime)));
    let unhurried = Circumstances { waited_millis: i64::MAX, ..Circumstances::default() };
    assert_eq!(considered(json!({}), &CANDIDATE, &unhurried), Ok(100), "without tmax there is no hurry");
}

#[test]
fn a_screen_in_a_public_place_has_no_reader() {
    for (dooh, expected) in [
        (json!({ "id": "s1", "venuetype": ["transit.airports"], "venuetypetax": 1 }), Err(NoBid::OutOfHome)),
        (json!({}), Err(NoBid::OutOfHome)),
        (json!([]), Ok(100)),
        (json!(null), Ok(100)),
    ] {
        let imp = json!({ "id": "1", "banner": { "w": 1920, "h": 1080 }, "qty": { "multiplier": 8.5 } });
        assert_eq!(offered(json!({ "dooh": dooh }), &CANDIDATE), expected, "{dooh}");
        let several = offered(json!({ "dooh": dooh, "imp": [imp] }), &CANDIDATE);
        assert_eq!(several, expected.and(Err(NoBid::Multiplier)), "{dooh}");
    }
    // Whatever the ad is for, and whatever the agent of the screen says.
    let desktops = owned(&["desktop"]);
    let wants = Candidate { wants: Wants { devices: &desktops, ..Wants::default() }, ..CANDIDATE };
    let by_agent = Circumstances { device: Some("desktop"), ..Circumstances::default() };
    for kind in [json!(8), json!("8"), json!(8.0)] {
        let station = json!({ "device": { "devicetype": kind } });
        for candidate in [&CANDIDATE, &wants] {
            assert_eq!(considered(station.clone(), candidate, &by_agent), Err(NoBid::OutOfHome), "{kind}");
        }
    }
}

#[test]
fn where_bids_must_say_who_pays_there_is_none() {
    for (regs, expected) in [
        (json!({ "dsa": { "dsarequired": 2 } }), Err(NoBid::Transparency)),
        (json!({ "ext": { "dsa": { "dsarequired": "3", "pubrender": 0 } } }), Err(NoBid::Transparency)),
        (json!({ "dsa": { "dsarequired": 0 }, "ext": { "dsa": { "dsarequired": 3 } } }), Err(NoBid::Transparency)),
        (json!({ "ext": { "dsa": { "required": 2 } } }), Err(NoBid::Transparency)),
        (json!({ "ext": { "dsa": { "dsarequired": 1 } } }), Ok(100)),
        (json!({ "ext": { "dsa": { "dsarequired": 0, "datatopub": 2 } } }), Ok(100)),
        (json!({ "dsa": {}, "ext": { "dsa": [] } }), Ok(100)),
        (json!({ "ext": { "dsa": { "dsarequired": "yes" } } }), Err(NoBid::Transparency)),
    ] {
        assert_eq!(offered(json!({ "regs": regs.clone() }), &CANDIDATE), expected, "{regs}");
    }
}

#[test]
fn seats_may_be_listed_or_blocked() {
    let seated = Candidate { seat: Some("s1"), ..CANDIDATE };
    for (fields, without, with) in [
        (json!({ "wseat": ["s1", "s2"] }), Err(NoBid::Seat), Ok(100)),
        (json!({ "wseat": ["s2"] }), Err(NoBid::Seat), Err(NoBid::Seat)),
        (json!({ "bseat": ["s1"] }), Ok(100), Err(NoBid::Seat)),
        (json!({ "bseat": ["s2"] }), Ok(100), Ok(100)),
    ] {
        assert_eq!(
            (offered(fields.clone(), &CANDIDATE), offered(fields.clone(), &seated)),
            (without, with),
            "{fields}"
        );
    }
}

#[test]
fn the_currency_must_be_one_of_the_requests() {
    let euros = Candidate { currency: "EUR", ..CANDIDATE };
    assert_eq!(offered(json!({}), &euros), Err(NoBid::Currency), "dollars where none is named");
    assert_eq!(offered(json!({ "cur": ["USD", "EUR"] }), &euros), Ok(100));
    assert_eq!(offered(json!({ "cur": ["EUR"] }), &CANDIDATE), Err(NoBid::Currency));
}

#[test]
fn the_floor_is_reached_exactly_and_in_the_same_currency() {
    let floor = |fields: Value| {
        let mut all = imp(json!({ "banner": { "w": 300, "h": 250 } }));
        if let (Some(one), Value::Object(fields)) = (all["imp"][0].as_object_mut(), fields) {
            one.extend(fields);
        }
        offered(all, &CANDIDATE)
    };
    for (fields, expected) in [
        (json!({ "bidfloor": 1 }), Ok(100)),
        (json!({ "bidfloor": 1.0 }), Ok(100)),
        (json!({ "bidfloor": 1.0001 }), Err(NoBid::BelowFloor)),
        (json!({ "bidfloor": 0.1, "bidfloorcur": "EUR" }), Err(NoBid::FloorCurrency)),
        (json!({ "bidfloor": 0, "bidfloorcur": "EUR" }), Ok(100)),
        (json!({ "bidfloor": 0.1, "bidfloorcur": 840 }), Err(NoBid::FloorCurrency)),
        (json!({ "bidfloorcur": 840 }), Ok(100)),
        (json!({ "bidfloor": 1, "bidfloorcur": "usd" }), Ok(100)),
        (json!({ "bidfloor": null, "bidfloorcur": null }), Ok(100)),
        (json!({ "bidfloor": 1, "bidfloorcur": "" }), Ok(100)),
        (json!({ "bidfloor": 1, "bidfloorcur": " " }), Ok(100)),
    ] {
        assert_eq!(floor(fields.clone()), expected, "{fields}");
    }
    for price_milli in [0, -1, i64::MIN] {
        assert_eq!(offered(json!({}), &Candidate { price_milli, ..CANDIDATE }), Err(NoBid::BelowFloor));
    }
}

#[test]
fn everything_must_be_secure_where_it_is_asked() {
    let secure = imp(json!({ "secure": 1, "banner": { "w": 300, "h": 250 } }));
    let open = imp(json!({ "secure": 0, "banner": { "w": 300, "h": 250 } }));
    let insecure = Candidate { secure: false, ..CANDIDATE };
    assert_eq!((offered(secure.clone(), &CANDIDATE), offered(secure, &insecure)), (Ok(100), Err(NoBid::NotSecure)));
    assert_eq!(offered(open, &insecure), Ok(100));
}

#[test]
fn an_impression_that_may_come_late_gets_a_bid_that_says_how_long_it_holds() {
    for exp in [json!(60), json!(3_600), json!("14400"), json!(null), json!(0), json!("soon")] {
        let request = request_with(imp(json!({ "exp": exp.clone(), "banner": { "w": 300, "h": 250 } })));
        let offer = consider(&request, &CANDIDATE, &Circumstances::default()).map(|offer| offer.expires);
        assert_eq!(offer, Ok(300), "{exp}");
    }
}

#[test]
fn an_impression_that_counts_as_several_or_as_a_part_of_one_gets_nothing() {
    let counted = |qty: Value| offered(imp(json!({ "banner": { "w": 300, "h": 250 }, "qty": qty })), &CANDIDATE);
    for one in
        [json!({ "multiplier": 1 }), json!({ "multiplier": 1.0, "sourcetype": 1 }), json!({}), json!([]), json!(null)]
    {
        assert_eq!(counted(one.clone()), Ok(100), "{one}");
    }
    for other in [json!(14.2), json!(0.5), json!(2), json!(0), json!("many")] {
        assert_eq!(counted(json!({ "multiplier": other })), Err(NoBid::Multiplier), "{other}");
    }
    assert_eq!(counted(json!(2)), Err(NoBid::InvalidRequest));
}

#[test]
fn only_the_form_of_the_creative_is_looked_at() {
    let video = Candidate { creative: Creative::Video(VIDEO), ..CANDIDATE };
    let native = Candidate { creative: Creative::Native(PARTS), ..CANDIDATE };
    assert_eq!((offered(json!({}), &video), offered(json!({}), &native)), (Err(NoBid::Media), Err(NoBid::Media)));
    assert_eq!(offered(imp(json!({ "video": { "mimes": ["video/mp4"] } })), &CANDIDATE), Err(NoBid::Media));
    assert_eq!(offered(imp(json!({})), &CANDIDATE), Err(NoBid::Media));
}

#[test]
fn of_several_impressions_the_first_that_fits_is_taken_and_the_nearest_miss_told() {
    let all = json!({ "imp": [
        { "id": "v", "video": { "mimes": ["video/mp4"] } },
        { "id": "dear", "bidfloor": 2, "banner": { "w": 300, "h": 250 } },
        { "id": "shapeless", "banner": {} },
        { "id": "good", "banner": { "w": 320, "h": 50 } },
    ] });
    let request = request_with(all.clone());
    let offer = consider(&request, &CANDIDATE, &Circumstances::default()).expect("offered");
    assert_eq!(offer.imp.id, "good");
    let mut without = all;
    without["imp"].as_array_mut().expect("a list").pop();
    assert_eq!(offered(without, &CANDIDATE), Err(NoBid::BelowFloor));
}

#[test]
fn blocked_attributes_are_those_of_the_form() {
    let flashing = Candidate { attributes: &[8, 13], ..CANDIDATE };
    let battr = |form: &str, fields: Value| imp(json!({ form: fields }));
    let banner = battr("banner", json!({ "w": 300, "h": 250, "battr": [13] }));
    assert_eq!(
        (offered(banner.clone(), &flashing), offered(banner, &CANDIDATE)),
        (Err(NoBid::BlockedAttribute), Ok(100))
    );
    let video = battr("video", json!({ "mimes": ["video/mp4"], "battr": [8] }));
    let shown = Candidate { creative: Creative::Video(VIDEO), ..flashing };
    assert_eq!(offered(video, &shown), Err(NoBid::BlockedAttribute));
    let native = battr("native", json!({ "request": { "assets": [{ "id": 1, "title": {} }] }, "battr": [13] }));
    let shown = Candidate { creative: Creative::Native(PARTS), ..flashing };
    assert_eq!(offered(native, &shown), Err(NoBid::BlockedAttribute));
}

#[test]
fn a_blocked_category_holds_those_below_it() {
    let of = |categories: &[&str], fields: Value| {
        let categories = owned(categories);
        offered(fields, &Candidate { categories: &categories, ..CANDIDATE })
    };
    for (categories, fields, allowed) in [
        (&["IAB7-39"][..], json!({ "bcat": ["IAB7-39"] }), false),
        (&["IAB7-39"], json!({ "bcat": ["iab7"] }), false),
        (&["IAB7"], json!({ "bcat": ["IAB7-39"] }), true),
        (&["IAB71"], json!({ "bcat": ["IAB7"] }), true),
        (&["IAB2", "IAB25"], json!({ "bcat": ["IAB25"] }), false),
        (&["IAB2"], json!({ "bcat": [""] }), true),
        (&["IAB2"], json!({ "bcat": ["IAB25"], "cattax": 6 }), false),
        (&["IAB2"], json!({ "cattax": 6 }), true),
        (&["IAB2"], json!({ "bcat": ["IAB25"], "cattax": 0 }), true),
        (&["IAB25-3"], json!({ "bcat": ["IAB25"], "cattax": "-1" }), false),
        (&[], json!({ "bcat": ["IAB25"] }), false),
        (&[], json!({}), true),
        (&["IAB2"], json!({ "bcat": ["IAB25,IAB26"] }), false),
        (&["IAB2"], json!({ "bcat": ["alcohol"] }), false),
        (&["IAB2-1"], json!({ "acat": ["IAB2"] }), true),
        (&["IAB2-1", "IAB3"], json!({ "acat": ["IAB2"] }), false),
    ] {
        let expected = if allowed { Ok(100) } else { Err(NoBid::BlockedCategory) };
        assert_eq!(of(categories, fields.clone()), expected, "{categories:?} {fields}");
    }
}

#[test]
fn a_blocked_domain_holds_what_lies_within_it() {
    let of = |domains: &[&str], blocked: Value| {
        let domains = owned(domains);
        offered(json!({ "badv": blocked }), &Candidate { domains: &domains, ..CANDIDATE })
    };
    for (domains, blocked, allowed) in [
        (&["shoes.example"][..], json!(["SHOES.example"]), false),
        (&["shop.shoes.example"], json!(["shoes.example"]), false),
        (&["badshoes.example"], json!(["shoes.example"]), true),
        (&["shoes.example."], json!([".Shoes.Example"]), false),
        (&["é.example"], json!(["x.example"]), true),
        (&["shoes.example"], json!(["shop.shoes.example"]), false),
        (&["shoes.example"], json!(["rival.example", ""]), true),
        (&["shoes.example"], json!(["."]), false),
        (&["a.example", "shoes.example"], json!(["shoes.example"]), false),
        (&[], json!(["shoes.example"]), false),
        (&[], json!([]), true),
    ] {
        let expected = if allowed { Ok(100) } else { Err(NoBid::BlockedDomain) };
        assert_eq!(of(domains, blocked.clone()), expected, "{domains:?} {blocked}");
    }
}

#[test]
fn an_app_that_is_advertised_may_be_blocked() {
    let game = Candidate { app: Some("com.example.game"), ..CANDIDATE };
    let blocked = json!({ "bapp": ["com.example.game"] });
    assert_eq!((offered(blocked.clone(), &game), offered(blocked, &CANDIDATE)), (Err(NoBid::BlockedApp), Ok(100)));
    assert_eq!(offered(json!({ "bapp": ["com.example.other"] }), &game), Ok(100));
}

#[test]
fn what_could_not_be_read_gets_nothing() {
    for (fields, why) in [
        (json!({ "test": 3 }), NoBid::Test),
        (json!({ "test": true }), NoBid::Test),
        (json!({ "badv": 5.5 }), NoBid::InvalidRequest),
        (imp(json!({ "bidfloor": "cheap", "banner": { "w": 300, "h": 250 } })), NoBid::InvalidRequest),
        (imp(json!({ "banner": { "w": "wide", "h": 250 } })), NoBid::Size),
    ] {
        assert_eq!(offered(fields.clone(), &CANDIDATE), Err(why), "{fields}");
    }
    let two = |second: &str| {
        let one = |id: &str| json!({ "id": id, "banner": { "w": 300, "h": 250 } });
        offered(json!({ "imp": [one("1"), one(second)] }), &CANDIDATE)
    };
    assert_eq!((two("2"), two("1")), (Ok(100), Err(NoBid::InvalidRequest)), "which one would it be for?");
}

#[test]
fn a_deal_replaces_the_floor_and_a_private_auction_asks_for_one() {
    let deals = owned(&["d1", "d2"]);
    let dealing = Candidate { deals: &deals, seat: Some("s1"), ..CANDIDATE };
    let with = |pmp: Value| {
        let request = request_with(imp(json!({ "bidfloor": 5, "banner": { "w": 300, "h": 250 }, "pmp": pmp })));
        let offer = consider(&request, &dealing, &Circumstances::default());
        offer.map(|offer| (offer.deal.map(|deal| deal.id.clone()).unwrap_or_default(), offer.price.milli()))
    };
    let deal = |id: &str, price: i64| Ok((id.to_owned(), Some(price)));
    for (pmp, expected) in [
        (json!({ "deals": [{ "id": "d2", "bidfloor": 1 }] }), deal("d2", 100)),
        (json!({ "deals": [{ "id": "d1", "bidfloor": 2 }, { "id": "d2" }] }), deal("d2", 100)),
        (json!({ "deals": [{ "id": "d1", "bidfloor": 0.75, "at": 3 }] }), deal("d1", 75)),
        (json!({ "deals": [{ "id": "d1", "at": 3 }] }), deal("d1", 100)),
        (json!({ "deals": [{ "id": "d1", "wseat": ["s2"] }] }), Err(NoBid::BelowFloor)),
        (json!({ "private_auction": 1, "deals": [{ "id": "d1", "wseat": ["s2"] }] }), Err(NoBid::Deal)),
        (json!({ "private_auction": 1, "deals": [{ "id": "d1", "wseat": ["s1"] }] }), deal("d1", 100)),
        (json!({ "private_auction": 1, "deals": [{ "id": "d1", "bidfloor": 1.01 }] }), Err(NoBid::BelowFloor)),
        (
            json!({ "private_auction": 1, "deals": [{ "id": "d1", "bidfloor": 1, "bidfloorcur": "EUR" }] }),
            Err(NoBid::FloorCurrency),
        ),
        (json!({ "private_auction": 1, "deals": [{ "id": "d9" }] }), Err(NoBid::Deal)),
        (json!({ "private_auction": 1 }), Err(NoBid::Deal)),
        (json!({ "private_auction": 0, "deals": null }), Err(NoBid::BelowFloor)),
        (json!({ "private_auction": 1, "deals": [{ "id": "d1", "wadomain": ["shoes.example"] }] }), Err(NoBid::Deal)),
    ] {
        assert_eq!(with(pmp.clone()), expected, "{pmp}");
    }
    let domains = owned(&["shop.shoes.example"]);
    let known = Candidate { domains: &domains, ..dealing };
    let pmp = json!({ "private_auction": 1, "deals": [{ "id": "d1", "wadomain": ["shoes.example"] }] });
    assert_eq!(offered(imp(json!({ "banner": { "w": 300, "h": 250 }, "pmp": pmp })), &known), Ok(100));
    // An open auction is open to those without a deal as well.
    let open = imp(
        json!({ "bidfloor": 1, "banner": { "w": 300, "h": 250 }, "pmp": { "deals": [{ "id": "d1", "bidfloor": 9 }] } }),
    );
    assert_eq!((offered(open.clone(), &dealing), offered(open, &CANDIDATE)), (Ok(100), Ok(100)));
}

#[test]
fn the_languages_of_creatives_may_be_listed() {
    let german = Candidate { language: Some("de-AT"), ..CANDIDATE };
    for (fields, known, unknown) in [
        (json!({ "wlang": ["en", "de"] }), true, false),
        (json!({ "wlang": ["en"] }), false, false),
        (json!({ "wlang": ["en-US", "de_DE"] }), true, false),
        (json!({ "wlang": ["en-US", "-"] }), false, false),
        (json!({ "wlangb": ["de-at"] }), true, false),
        (json!({ "wlangb": ["de-DE"] }), false, false),
        (json!({ "wlang": ["de"], "wlangb": ["en"] }), false, false),
        (json!({ "wlang": ["d"] }), false, false),
        (json!({}), true, true),
    ] {
        let expected = |allowed| if allowed { Ok(100) } else { Err(NoBid::CreativeLanguage) };
        assert_eq!(offered(fields.clone(), &german), expected(known), "{fields}");
        assert_eq!(offered(fields.clone(), &CANDIDATE), expected(unknown), "{fields}");
    }
}

#[test]
fn the_bid_says_what_was_offered() {
    let (domains, categories) = (owned(&["shoes.example"]), owned(&["IAB18"]));
    let deals = owned(&["d1"]);
    let request = request_with(imp(json!({
        "video": { "mimes": ["video/mp4"] },
        "pmp": { "deals": [{ "id": "d1", "bidfloor": 0.5 }] },
    })));
    let candidate = Candidate {
        creative: Creative::Video(VIDEO),
        language: Some("de-AT"),
        attributes: &[1, 2],
        domains: &domains,
        app: Some("com.shoes.app"),
        categories: &categories,
        deals: &deals,
        ..CANDIDATE
    };
    let offer = consider(&request, &candidate, &Circumstances::default()).expect("offered");
    let bid = serde_json::to_value(offer.bid("b1".into(), &candidate)).expect("JSON");
    let expected = json!({
        "id": "b1", "impid": "1", "price": 1.0, "adomain": ["shoes.example"], "bundle": "com.shoes.app", "cid": "plan-7", "crid": "plan-7-c-9",
        "cat": ["IAB18"], "cattax": 1, "attr": [1, 2], "protocol": 13, "language": "de", "dealid": "d1",
        "w": 640, "h": 360, "exp": 300, "dur": 15, "mtype": 2,
    });
    assert_eq!(bid, expected);

    let plain = request_with(json!({}));
    let offer = consider(&plain, &CANDIDATE, &Circumstances::default()).expect("offered");
    let bid = serde_json::to_value(offer.bid("b2".into(), &CANDIDATE)).expect("JSON");
    let expected = json!({
        "id": "b2", "impid": "1", "price": 1.0, "cid": "plan-7", "crid": "plan-7-c-9", "w": 300, "h": 250, "exp": 300,
        "mtype": 1,
    });
    assert_eq!(bid, expected);
}
