//! Who an ad is for, and whether they may be recognized.

use serde_json::{Value, json};

use super::{considered, offered, owned};
use crate::candidate::{Candidate, Wants};
use crate::consider::{Auction, Circumstances};
use crate::no_bid::NoBid;
use crate::testing::{CANDIDATE, Vendors, consent, request_with};

#[test]
fn readers_are_those_who_are_wanted() {
    let device = |fields: Value| json!({ "device": fields });
    let regions = owned(&["de", "US-CA"]);
    let wants = Candidate { wants: Wants { regions: &regions, ..Wants::default() }, ..CANDIDATE };
    for (geo, there) in [
        (json!({ "country": "DEU" }), true),
        (json!({ "country": "DE" }), true),
        (json!({ "country": "USA", "region": "CA" }), true),
        (json!({ "country": "USA", "region": "us-ca" }), true),
        (json!({ "country": "USA", "region": "NY" }), false),
        (json!({ "country": "USA" }), false),
        (json!({ "country": "FRA", "region": "CA" }), false),
        (json!({ "country": "Germany" }), false),
        (json!({}), false),
    ] {
        let expected = if there { Ok(100) } else { Err(NoBid::Country) };
        assert_eq!(offered(device(json!({ "geo": geo.clone() })), &wants), expected, "{geo}");
    }
    assert_eq!(offered(json!({ "user": { "geo": { "country": "DEU" } } }), &wants), Ok(100));
    // What one place does not say, the other does; but no region of another country.
    for (device, user, there) in [
        (json!({ "region": "" }), json!({ "country": "DEU" }), true),
        (json!({ "country": "" }), json!({ "country": "USA", "region": "CA" }), true),
        (json!({ "country": "USA" }), json!({ "region": "CA" }), true),
        (json!({ "country": "USA", "region": " " }), json!({ "country": "US", "region": "CA" }), true),
        (json!({ "country": "USA", "region": "NY" }), json!({ "country": "USA", "region": "CA" }), false),
        (json!({ "country": "USA" }), json!({ "country": "MEX", "region": "CA" }), false),
    ] {
        let expected = if there { Ok(100) } else { Err(NoBid::Country) };
        let both = json!({ "device": { "geo": device }, "user": { "geo": user } });
        assert_eq!(offered(both.clone(), &wants), expected, "{both}");
    }
    assert_eq!(offered(json!({}), &wants), Err(NoBid::Country), "who is unknown is not meant");

    let languages = owned(&["de", "zh-Hant"]);
    let wants = Candidate { wants: Wants { languages: &languages, ..Wants::default() }, ..CANDIDATE };
    for (fields, speaks) in [
        (json!({ "language": "DE" }), true),
        (json!({ "langb": "de-CH" }), true),
        (json!({ "langb": "", "language": "de" }), true),
        (json!({ "langb": "zh-Hant-TW", "language": "zh" }), true),
        (json!({ "language": "zh" }), false),
        (json!({ "language": "den" }), false),
        (json!({}), false),
    ] {
        let expected = if speaks { Ok(100) } else { Err(NoBid::Language) };
        assert_eq!(offered(device(fields.clone()), &wants), expected, "{fields}");
    }
}

#[test]
fn devices_are_named_by_the_request_or_else_by_their_agent() {
    let wanted = |names: &[&str], kind: Value, by_agent: Option<&str>| {
        let devices = owned(names);
        let wants = Candidate { wants: Wants { devices: &devices, ..Wants::default() }, ..CANDIDATE };
        let circumstances = Circumstances { device: by_agent, ..Circumstances::default() };
        considered(json!({ "device": { "devicetype": kind } }), &wants, &circumstances).is_ok()
    };
    for (names, kind, fits) in [
        (&["mobile"][..], 1, true),
        (&["tablet"], 1, true),
        (&["desktop"], 1, false),
        (&["Desktop", "tv"], 2, true),
        (&["tv"], 3, true),
        (&["mobile"], 4, true),
        (&["tablet"], 4, false),
        (&["tablet"], 5, true),
        (&["tv"], 6, true),
        (&["tv"], 7, true),
    ] {
        assert_eq!(wanted(names, json!(kind), None), fits, "{names:?} {kind}");
    }
    assert!(wanted(&["tablet"], json!(1), Some("tablet")) && !wanted(&["tablet"], json!(1), Some("mobile")));
    assert!(wanted(&["tv"], Value::Null, Some("tv")) && !wanted(&["tv"], Value::Null, None));
    assert!(!wanted(&["tv"], json!(2), Some("tv")), "what the request says counts");
    for nobody_knows in [0, -1, 99] {
        assert!(wanted(&["mobile"], json!(nobody_knows), Some("mobile")), "{nobody_knows}");
    }
}

#[test]
fn a_phone_is_told_by_the_parts_of_its_agent_where_nothing_else_tells_it() {
    let devices = owned(&["mobile"]);
    let wants = Candidate { wants: Wants { devices: &devices, ..Wants::default() }, ..CANDIDATE };
    for (device, is_phone) in [
        (json!({ "sua": { "mobile": 1, "browsers": [{ "brand": "Chrome", "version": ["131"] }] } }), true),
        (json!({ "sua": { "mobile": "1" }, "ua": "" }), true),
        (json!({ "sua": { "mobile": 0 } }), false),
        (json!({ "sua": { "mobile": "?1" } }), false),
        (json!({ "sua": "Chrome" }), false),
        (json!({ "sua": { "mobile": 1 }, "devicetype": 2 }), false),
    ] {
        assert_eq!(offered(json!({ "device": device }), &wants).is_ok(), is_phone, "{device}");
    }
    let circumstances = Circumstances { device: Some("tablet"), ..Circumstances::default() };
    let both = considered(json!({ "device": { "sua": { "mobile": 1 } } }), &wants, &circumstances);
    assert_eq!(both, Err(NoBid::UnsupportedDevice), "the whole agent says more");
}

#[test]
fn who_may_not_be_recognized_sees_only_what_does_not_count_them() {
    let counting = Candidate { counts_visitors: true, ..CANDIDATE };
    let known = json!({ "user": { "id": "u1" } });
    let vendor = Circumstances { vendor: Some(1), ..Circumstances::default() };
    assert_eq!(considered(known.clone(), &counting, &vendor), Ok(100));
    assert_eq!(considered(json!({}), &counting, &vendor), Err(NoBid::UnmatchedUser));
    let agreed = consent(2, true, &Vendors::Bits(vec![true]));
    for (fields, allowed) in [
        (json!({ "user": { "id": "u1" }, "regs": { "gdpr": 1 } }), false),
        (json!({ "user": { "id": "u1", "consent": agreed }, "regs": { "gdpr": 1 } }), true),
        (json!({ "user": { "id": "u1" }, "regs": { "coppa": 1 } }), false),
        (json!({ "user": { "id": "u1" }, "regs": { "us_privacy": "1YYN" } }), false),
        (json!({ "user": { "id": "u1" }, "regs": { "gpp": "DBABLA~BVQqAAAAAgA.QA", "gpp_sid": [7] } }), false),
        (json!({ "user": { "id": "u1" }, "device": { "lmt": 1 } }), false),
    ] {
        let expected = if allowed { Ok(100) } else { Err(NoBid::UnmatchedUser) };
        assert_eq!(considered(fields.clone(), &counting, &vendor), expected, "{fields}");
        // Everybody else is bid on all the same, without knowing who it is.
        assert_eq!(considered(fields.clone(), &CANDIDATE, &vendor), Ok(100), "{fields}");
        let request = request_with(fields);
        let auction = Auction::open(&request, &vendor).expect("open");
        assert_eq!((auction.visitor().is_some(), auction.limits().is_empty()), (allowed, allowed));
    }
}

#[test]
fn a_visitor_is_the_device_before_the_user() {
    let visitor = |fields: Value| {
        let request = request_with(fields);
        let auction = Auction::open(&request, &Circumstances::default()).expect("open");
        auction.visitor().map(str::to_owned)
    };
    let all = json!({ "device": { "ifa": "AA00" }, "user": { "buyeruid": "b", "id": "u" } });
    assert_eq!(visitor(all).as_deref(), Some("AA00"));
    let none = "00000000-0000-0000-0000-000000000000";
    assert_eq!(
        visitor(json!({ "device": { "ifa": none }, "user": { "buyeruid": "b", "id": "u" } })).as_deref(),
        Some("b")
    );
    assert_eq!(visitor(json!({ "device": { "ifa": "" }, "user": { "id": "u" } })).as_deref(), Some("u"));
    assert_eq!(visitor(json!({ "device": { "ip": "192.0.2.1" } })), None, "an address is not a number for advertisers");
}
