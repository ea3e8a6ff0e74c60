use serde_json::{Value, json};

use super::*;
use crate::native::{NativeRequest, NativeVersion};
use crate::price::Cpm;
use crate::testing::request_with;

fn imp_with(fields: Value) -> Imp {
    let mut imp = json!({ "id": "1", "banner": { "w": 300, "h": 250 } });
    if let (Some(imp), Value::Object(fields)) = (imp.as_object_mut(), fields) {
        imp.extend(fields);
    }
    request_with(json!({ "imp": [imp] })).imp.remove(0)
}

#[test]
fn whole_numbers_are_read_however_they_are_written() {
    let tmax = |sent: Value| request_with(json!({ "tmax": sent })).tmax;
    for (sent, expected) in [
        (json!(933.25), Some(933)),
        (json!(900.0), Some(900)),
        (json!("900"), Some(900)),
        (json!(" 933.3 "), Some(933)),
        (json!(-1), None),
        (json!(0), None),
        (json!("0"), None),
        (json!("soon"), None),
        (json!(true), None),
        (json!(1e300), None),
        (json!(u64::MAX), None),
        (json!([900]), None),
        (json!(null), None),
    ] {
        assert_eq!(tmax(sent.clone()), expected, "{sent}");
    }
    let video = |name: &str, sent: Value| {
        let imp = imp_with(json!({ "video": { "mimes": "video/mp4", name: sent } }));
        imp.video.map(|video| (video.minduration.or(video.maxduration), imp.unread.len()))
    };
    assert_eq!(video("minduration", json!(14.5)), Some((Some(15), 0)), "at least");
    assert_eq!(video("maxduration", json!("14.5")), Some((Some(14), 0)), "at most");
    assert_eq!(video("maxduration", json!(0)), Some((None, 0)), "nothing fits into zero");
    assert_eq!(video("minduration", json!(0)), Some((Some(0), 0)));
    assert_eq!(video("maxduration", json!("long")), None);
}

#[test]
fn flags_are_words_as_well_and_nothing_between() {
    let secure = |sent: Value| imp_with(json!({ "secure": sent }));
    for yes in [json!(1), json!(true), json!("1"), json!("True"), json!(1.0)] {
        assert_eq!(secure(yes.clone()).secure, Some(Flag(true)), "{yes}");
    }
    for no in [json!(0), json!(false), json!("0"), json!("false"), json!(0.0)] {
        assert_eq!(secure(no.clone()).secure, Some(Flag(false)), "{no}");
    }
    for neither in [json!(2), json!(-1), json!("yes"), json!(0.5), json!([]), json!({})] {
        let request = request_with(json!({ "test": neither }));
        assert_eq!((request.test, request.unread[0].path.as_str()), (None, "test"), "{neither}");
        // Where it restricts something, it counts as if it does.
        let imp = secure(neither.clone());
        assert_eq!((imp.secure, imp.is_refused()), (Some(Flag(true)), false), "{neither}");
    }
    for nothing in [json!(null), json!(""), json!(" ")] {
        let imp = secure(nothing.clone());
        assert_eq!((imp.secure, imp.is_refused()), (None, false), "{nothing}");
    }
}

#[test]
fn an_empty_text_says_no_more_than_none() {
    for nothing in ["", " "] {
        let request = request_with(json!({
            "cur": [nothing], "wseat": [nothing, null], "wlang": nothing, "bcat": [nothing], "test": nothing,
            "regs": { "gdpr": nothing, "ext": nothing }, "user": nothing, "site": nothing,
            "imp": [{ "id": "1", "bidfloor": nothing, "pmp": nothing, "native": nothing,
                "banner": { "w": 300, "h": 250, "format": nothing, "battr": [nothing] } }],
        }));
        assert_eq!(request.unread().count(), 0, "{:?}", request.unread().collect::<Vec<_>>());
        let lists = [&request.cur, &request.wseat, &request.wlang, &request.bcat];
        assert!(lists.iter().all(|list| list.is_empty()), "{lists:?}");
        assert!(request.regs.is_some_and(|regs| regs.gdpr.is_none()) && request.user.is_none());
        assert!(request.imp[0].banner.as_ref().is_some_and(|banner| banner.battr.is_empty()));
    }
    let request = request_with(json!({ "cur": ["EUR ", "usd"], "device": { "geo": { "country": " DEU " } } }));
    assert_eq!(request.cur, ["EUR", "usd"]);
    assert_eq!(request.places().next().and_then(|geo| geo.country.as_deref()), Some("DEU"));
}

#[test]
fn one_object_is_a_list_of_it_and_nothing_is_left_out() {
    let read = |format: Value, deals: Value| {
        let imp = imp_with(json!({ "banner": { "format": format }, "pmp": { "deals": deals } }));
        assert!(imp.unread.is_empty(), "{:?}", imp.unread);
        (imp.banner.as_ref().map_or(0, |banner| banner.sizes().count()), imp.deals().len())
    };
    let (size, deal) = (json!({ "w": 300, "h": 250 }), json!({ "id": "d" }));
    assert_eq!(read(size.clone(), deal.clone()), (1, 1));
    assert_eq!(read(json!([null, size, [], "300x250", ""]), json!([null, deal, [], ""])), (1, 1));
    assert_eq!(read(json!([]), json!(null)), (0, 0));
    let lost = |fields: Value| imp_with(fields).unread.into_iter().map(|part| part.path).collect::<Vec<_>>();
    assert_eq!(lost(json!({ "pmp": { "deals": [{ "id": "d" }, "d2"] } })), ["imp[0].pmp.deals[1]"]);
    assert_eq!(lost(json!({ "pmp": { "deals": "d2" } })), ["imp[0].pmp.deals"]);
    assert_eq!(lost(json!({ "banner": { "w": 300, "h": 250, "format": 5 } })), [""; 0], "it has a size without");
}

#[test]
fn one_impression_is_a_list_of_it() {
    let imp = json!({ "id": "1", "banner": { "w": 300, "h": 250 } });
    let plain = request_with(json!({ "imp": imp }));
    assert_eq!((plain.imp.len(), plain.imp[0].id.as_str(), plain.unread().count()), (1, "1", 0));
    // One of which something cannot be read is taken apart like those of a list.
    let odd = request_with(json!({ "imp": { "id": "1", "bidfloor": "?", "banner": { "w": 300, "h": 250 } } }));
    let lost: Vec<&str> = odd.unread().map(|part| part.path.as_str()).collect();
    assert_eq!((odd.imp.len(), lost), (1, vec!["imp[0].bidfloor"]));
    for none in [json!(null), json!("1"), json!(1), json!([]), json!({})] {
        let body = json!({ "id": "r1", "imp": none }).to_string();
        assert_eq!(read(body.as_bytes()).expect_err("no impression").path, "imp", "{none}");
    }
}

#[test]
fn ids_may_be_numbers_and_prices_texts() {
    let request = request_with(json!({
        "id": 7, "user": { "id": 5 }, "app": { "bundle": 12_345 },
        "imp": [{ "id": u64::MAX, "bidfloor": "0.5", "banner": { "w": 300.0, "h": "250" } }],
    }));
    let app = request.app.as_ref().and_then(|app| app.bundle.as_deref());
    let user = request.user.as_ref().and_then(|user| user.id.as_deref());
    assert_eq!((request.id.as_str(), user, app), ("7", Some("5"), Some("12345")));
    let small = imp_with(json!({ "bidfloor": "1e-3" }));
    assert_eq!((small.bidfloor.to_string().as_str(), small.is_refused()), ("0.001", false));
    for no_price in ["-1e-3", "inf", "NaN", "1e400"] {
        assert!(imp_with(json!({ "bidfloor": no_price })).is_refused(), "{no_price}");
    }
    let imp = &request.imp[0];
    assert_eq!((imp.id.as_str(), imp.bidfloor), ("18446744073709551615", Cpm::from_milli(50)));
    assert_eq!(imp.banner.as_ref().map(|banner| banner.sizes().collect::<Vec<_>>()), Some(vec![(300, 250)]));
}

#[test]
fn a_list_may_be_one_value_and_an_object_an_empty_list() {
    let request = request_with(json!({
        "cur": "EUR", "bcat": "", "badv": null, "wseat": ["s1", null, 5], "user": [], "regs": { "ext": [] },
        "site": "daily.example", "ext": 5,
    }));
    assert_eq!((request.cur, request.bcat.len(), request.badv.len()), (vec!["EUR".to_owned()], 0, 0));
    assert_eq!(request.wseat, ["s1", "5"]);
    assert!(request.user.is_none() && request.regs.is_some() && request.site.is_none() && request.unread.is_empty());
}

#[test]
fn what_cannot_be_read_is_named_with_what_it_is_about() {
    let lost = |fields: Value| {
        let request = request_with(fields);
        request.unread().map(|part| (part.what, part.path.clone())).collect::<Vec<_>>()
    };
    let one = |fields: Value| lost(json!({ "imp": [fields] }));
    for (found, what, path) in [
        (lost(json!({ "regs": "none" })), Unread::Privacy, "regs"),
        (lost(json!({ "device": 5 })), Unread::Privacy, "device"),
        (lost(json!({ "user": ["u1"] })), Unread::Privacy, "user"),
        (lost(json!({ "test": 3 })), Unread::Test, "test"),
        (lost(json!({ "badv": { "a.example": 1 } })), Unread::Blocks, "badv"),
        (lost(json!({ "bcat": ["IAB1", []] })), Unread::Blocks, "bcat[1]"),
        (lost(json!({ "cur": [true] })), Unread::Terms, "cur[0]"),
        (one(json!({ "id": "1", "bidfloor": -0.01 })), Unread::Floor, "imp[0].bidfloor"),
        (
            one(json!({ "id": "1", "pmp": { "deals": [{ "id": "d", "bidfloor": "?" }] } })),
            Unread::Floor,
            "imp[0].pmp.deals[0].bidfloor",
        ),
        (one(json!({ "id": "1", "pmp": { "deals": [{}] } })), Unread::Floor, "imp[0].pmp.deals[0].id"),
        (one(json!({ "id": "1", "banner": { "battr": ["all"] } })), Unread::Banner, "imp[0].banner.battr[0]"),
        (one(json!({ "id": "1", "video": {} })), Unread::Video, "imp[0].video.mimes"),
        (one(json!({ "id": "1", "native": { "request": "[no" } })), Unread::Native, "imp[0].native.request"),
        (one(json!({ "id": {} })), Unread::Imp, "imp[0].id"),
        (one(json!("1")), Unread::Imp, "imp[0]"),
    ] {
        assert_eq!(found[0], (what, path.to_owned()), "{found:?}");
    }
    let both = lost(json!({ "test": 3, "regs": 1, "imp": [{ "id": "1", "banner": 1, "video": 1 }, { "id": "1" }] }));
    let names: Vec<&str> = both.iter().map(|(what, _)| what.name()).collect();
    assert_eq!(names, ["unread_privacy", "unread_test", "unread_banner", "unread_video", "unread_imp", "unread_imp"]);
}

#[test]
fn a_list_is_read_without_what_hides_no_block() {
    let request = request_with(json!({
        "badv": ["a.example", null, "", 5], "bcat": [null, "IAB25", 7.0], "bapp": [123_456_789.0, null], "bseat": [8],
    }));
    assert_eq!((request.badv.join(" "), request.bcat.join(" ")), ("a.example 5".to_owned(), "IAB25 7".to_owned()));
    assert_eq!((request.bapp.join(" "), request.bseat.join(" ")), ("123456789".to_owned(), "8".to_owned()));
    assert!(request.unread.is_empty(), "{:?}", request.unread);
    for name in ["badv", "bcat", "bapp", "bseat"] {
        for hidden in [json!({ "id": "a.example" }), json!(["a.example"]), json!(true), json!(5.5)] {
            let lost = request_with(json!({ name: ["b.example", hidden] })).unread;
            assert_eq!(lost[0].path, format!("{name}[1]"), "it may block the ad");
        }
    }
    for name in ["acat", "cur", "wlang", "wlangb", "wseat"] {
        for odd in [json!({}), json!([]), json!(false), json!(5.5)] {
            let request = request_with(json!({ name: [odd, "x", null, odd], "test": {} }));
            let lists = [&request.acat, &request.cur, &request.wlang, &request.wlangb, &request.wseat];
            assert_eq!(lists.into_iter().flatten().collect::<Vec<_>>(), ["x"], "{name}: it allows less");
            assert_eq!(request.unread.len(), 1, "the test");
            let alone = request_with(json!({ name: [null, odd] })).unread;
            assert_eq!(alone[0].path, format!("{name}[1]"), "nobody knows what is allowed");
        }
    }
}

#[test]
fn a_law_of_which_nobody_knows_applies() {
    let read = |sent: Value| request_with(json!({ "regs": { "gdpr": sent, "ext": { "gdpr": sent } } }));
    let gdpr = |request: BidRequest| request.regs.map(|regs| (regs.gdpr, regs.ext.and_then(|ext| ext.gdpr)));
    for (sent, applies) in [
        (json!(2), Some(Flag(true))),
        (json!(-1), Some(Flag(true))),
        (json!("2"), Some(Flag(true))),
        (json!(true), Some(Flag(true))),
        (json!(1.0), Some(Flag(true))),
        (json!(0), Some(Flag(false))),
        (json!("0"), Some(Flag(false))),
        (json!("false"), Some(Flag(false))),
        (json!(null), None),
        (json!(""), None),
    ] {
        let request = read(sent.clone());
        assert!(request.unread.is_empty(), "{:?}", request.unread);
        assert_eq!(gdpr(request), Some((applies, applies)), "{sent}");
    }
    for odd in [json!("yes"), json!(0.5), json!({})] {
        let request = read(odd.clone());
        let told: Vec<_> = request.unread.iter().map(|part| (part.what, part.path.as_str())).collect();
        assert_eq!(told, [(Unread::Consent, "regs.ext.gdpr"), (Unread::Consent, "regs.gdpr")], "{odd}");
        assert_eq!(gdpr(request), Some((Some(Flag(true)), Some(Flag(true)))), "{odd}");
    }
}

#[test]
fn what_cannot_be_read_about_a_reader_is_told_once_each() {
    let odd = json!({ "x": 1 });
    let sent = with_everywhere(&odd);
    let request = request_with(json!({ "device": sent["device"], "user": sent["user"], "regs": sent["regs"] }));
    let told: Vec<&str> = request.unread.iter().map(|part| part.path.as_str()).collect();
    let mut all = vec!["device.dnt", "device.ext.atts", "device.geo.country", "device.lmt", "regs.coppa", "regs.gdpr"];
    all.extend(["regs.gpp", "regs.gpp_sid", "regs.us_privacy", "user.consent", "user.ext.consent"]);
    assert_eq!(told, all);
    // However many entries of a list cannot be read, it is one.
    let sections = request_with(json!({ "regs": { "gpp_sid": vec!["?"; 8_000] } }));
    assert_eq!(sections.unread.iter().map(|part| part.path.as_str()).collect::<Vec<_>>(), ["regs.gpp_sid[0]"]);
    for object in ["regs.ext", "regs.dsa", "user.ext", "user.geo", "device.geo"] {
        let (of, field) = object.split_once('.').expect("a path");
        let unread = request_with(json!({ of: { field: 5 } })).unread;
        assert_eq!(unread.iter().map(ToString::to_string).collect::<Vec<_>>(), [format!("{object}: is not an object")]);
    }
}

#[test]
fn an_empty_object_is_an_empty_list() {
    let none = json!({});
    let video = json!({ "mimes": ["video/mp4"], "protocols": none, "delivery": none, "rqddurs": none, "battr": none,
        "durfloors": none });
    let request = request_with(json!({
        "bcat": none, "badv": none, "bapp": none, "bseat": none, "acat": none, "cur": none, "wseat": none, "wlang": none,
        "regs": { "gpp_sid": none },
        "imp": [{ "id": "1", "pmp": { "deals": none }, "video": video,
            "banner": { "w": 300, "h": 250, "format": none, "btype": none, "battr": none } }],
    }));
    assert_eq!(request.unread().count(), 0, "{:?}", request.unread().collect::<Vec<_>>());
    let lists = [&request.bcat, &request.badv, &request.bapp, &request.bseat, &request.acat, &request.cur];
    assert!(lists.iter().all(|list| list.is_empty()) && request.wseat.is_empty() && request.wlang.is_empty());
    let imp = &request.imp[0];
    assert!(imp.deals().is_empty() && imp.video.as_ref().is_some_and(|video| video.durfloors.is_empty()));
    assert_eq!(imp.banner.as_ref().map(|banner| banner.sizes().count()), Some(1));
    // What is in it is read as before.
    let deal = imp_with(json!({ "pmp": { "deals": { "id": "d", "bidfloor": "0.7", "wseat": "s" } } }));
    assert_eq!((deal.deals()[0].id.as_str(), deal.deals()[0].wseat.len()), ("d", 1));
}

/// A request with this value wherever it must not cost anything.
fn with_everywhere(sent: &Value) -> Value {
    let geo = json!({ "country": sent, "region": sent, "lat": sent });
    let device = json!({ "ua": sent, "ip": sent, "geo": geo, "dnt": sent, "lmt": sent, "devicetype": sent, "w": sent,
        "language": sent, "sua": sent, "ifa": sent, "ext": { "atts": sent } });
    let user =
        json!({ "id": sent, "buyeruid": sent, "consent": sent, "geo": sent, "ext": { "eids": sent, "consent": sent } });
    let regs = json!({ "coppa": sent, "gdpr": sent, "us_privacy": sent, "gpp": sent, "gpp_sid": sent, "dsa": sent, "ext": sent });
    let banner = json!({ "w": 300, "h": 250, "format": sent, "pos": sent, "ext": sent });
    let video = json!({ "mimes": ["video/mp4", sent], "protocols": [sent, 3], "protocol": sent, "delivery": [2, sent], "rqddurs": [15, sent],
        "skip": sent, "skipmin": sent, "skipafter": sent, "w": sent, "h": sent, "playbackmethod": sent });
    let parts = json!({ "id": 2, "required": 0, "title": sent, "img": sent, "data": { "type": sent, "len": sent } });
    let assets = json!([{ "id": 1, "required": sent, "title": { "len": 90 } }, parts, sent]);
    let trackers = json!([{ "event": 1, "methods": sent }, sent]);
    let native = json!({ "ver": sent, "request": { "ver": sent, "eventtrackers": trackers, "assets": assets } });
    let imp = json!({ "id": "1", "bidfloorcur": sent, "tagid": sent, "secure": sent, "ext": sent, "exp": sent, "banner": banner, "video": video,
        "native": native, "pmp": { "private_auction": sent, "deals": [{ "id": "d", "at": sent, "wseat": ["s", sent] }] } });
    json!({ "at": sent, "tmax": sent, "cattax": sent, "ext": sent, "source": sent, "site": sent, "app": sent, "user": user,
        "device": device, "regs": regs, "imp": [imp] })
}

#[test]
fn what_no_bid_depends_on_costs_none() {
    for sent in [json!(-1), json!(2.5), json!("?"), json!(true), json!(["?"]), json!({ "x": 1 })] {
        let request = request_with(with_everywhere(&sent));
        let told: Vec<_> = request.unread().filter(|part| part.what != Unread::Consent).collect();
        assert!(told.is_empty(), "{sent}: {told:?}");
        let imp = &request.imp[0];
        assert!(imp.banner.is_some() && imp.video.is_some() && imp.native.is_some() && !imp.is_refused());
    }
    // A list of what is allowed that has nothing else would allow everything.
    for name in ["mimes", "protocols", "delivery", "rqddurs"] {
        let mut video = json!({ "mimes": ["video/mp4"] });
        video[name] = json!([{}]);
        assert!(imp_with(json!({ "video": video })).video.is_none(), "{name}");
    }
}

#[test]
fn a_form_that_cannot_be_read_leaves_the_others() {
    let imp = imp_with(json!({ "native": { "request": "[not json" }, "video": { "mimes": ["video/mp4"] } }));
    assert!(imp.banner.is_some() && imp.video.is_some() && imp.native.is_none() && !imp.is_refused());
    let imps = request_with(json!({ "imp": [7, { "id": "2", "banner": { "w": 300, "h": 250 } }] })).imp;
    assert!(imps[0].is_refused() && !imps[1].is_refused());
}

#[test]
fn a_native_request_is_a_text_or_the_object_itself() {
    let asked =
        json!({ "ver": 1, "assets": [{ "id": "1", "required": true, "title": { "len": 90.0 } }, { "img": {} }] });
    let read = |request: Value| imp_with(json!({ "native": { "request": request } })).native.expect("native").markup;
    let as_object = read(asked.clone());
    assert_eq!((as_object.assets.len(), as_object.assets[0].id, as_object.assets[1].id), (2, Some(1), None));
    assert_eq!(read(json!(format!("\u{feff}{asked}"))), as_object);
    let twice = json!(json!(asked.to_string()).to_string());
    for same in
        [json!(asked.to_string()), twice, json!({ "native": asked }), json!(json!({ "native": asked }).to_string())]
    {
        let read = read(same.clone());
        assert_eq!(read.is_wrapped, same.to_string().contains("native"), "{same}");
        assert_eq!(NativeRequest { is_wrapped: false, ..read }, as_object, "{same}");
    }
    let odd = read(json!({ "assets": [null, { "id": 1, "title": {} }], "eventtrackers": ["pixel", null] }));
    assert_eq!((odd.assets.len(), odd.eventtrackers.len()), (1, 0), "how it counts is as before 1.2");
}

#[test]
fn a_native_request_says_its_version_in_one_of_two_places() {
    let version = |native: Value| imp_with(json!({ "native": native })).native.expect("native").markup.version();
    let assets = json!([{ "id": 1, "title": {} }]);
    for (said, read) in [
        (json!("1"), NativeVersion::V1),
        (json!(1.0), NativeVersion::V1),
        (json!("1.0.0.2"), NativeVersion::V1),
        (json!(1.1), NativeVersion::V11),
        (json!("1.1"), NativeVersion::V11),
        (json!("1.2"), NativeVersion::V12),
        (json!("2.0"), NativeVersion::V12),
        (json!(""), NativeVersion::V12),
        (json!(null), NativeVersion::V12),
    ] {
        let within = json!({ "request": { "ver": said, "assets": assets } });
        let beside = json!({ "ver": said, "request": json!({ "assets": assets }).to_string() });
        assert_eq!((version(within), version(beside)), (read, read), "{said}");
    }
    let both = json!({ "ver": "1.0", "request": { "ver": "1.2", "assets": assets } });
    let neither = json!({ "request": { "native": { "assets": assets } } });
    assert_eq!((version(both), version(neither)), (NativeVersion::V12, NativeVersion::V1));
}

#[test]
fn a_mark_before_the_body_says_nothing() {
    let body = "\u{feff}{\"id\":\"r\",\"imp\":[{\"id\":\"0\",\"bidfloor\":\"cheap\"}]}";
    let request = read(body.as_bytes()).expect("a request");
    assert_eq!((request.id.as_str(), request.unread().count()), ("r", 1));
    assert!(read("\u{feff}\u{feff}{}".as_bytes()).is_err() && read("\u{feff}".as_bytes()).is_err());
}

#[test]
fn a_site_or_app_is_named_by_its_host_or_its_id_whatever_is_around_it() {
    let source = |fields: Value| request_with(fields).source().to_owned();
    for domain in ["news.example", "https://news.example/a?b#c", " news.example:443", "news.example.", "news.example/a"]
    {
        assert_eq!(source(json!({ "site": { "domain": domain } })), "news.example", "{domain}");
        assert_eq!(source(json!({ "app": { "domain": domain } })), "news.example", "{domain}");
    }
    let store = "https://play.google.com/store/apps/details?id=com.games.puzzle";
    for bundle in ["com.games.puzzle", store] {
        let app = json!({ "app": { "bundle": bundle, "domain": "games.example" } });
        assert_eq!(source(app), "com.games.puzzle", "{bundle}");
    }
    assert_eq!(
        source(json!({ "site": { "domain": "" }, "app": { "bundle": "", "domain": "a.example" } })),
        "a.example"
    );
    for domain in ["www.news.example", "WWW.news.example", "https://www.news.example/a"] {
        assert_eq!(source(json!({ "site": { "domain": domain } })), "news.example", "{domain}");
    }
    assert_eq!(source(json!({ "site": { "page": "https://www.news.example/a" } })), "news.example");
    assert_eq!(source(json!({ "site": { "domain": "www.example" } })), "www.example", "it is the name itself");
    let by_apple = json!(["553834731", "id553834731", "https://apps.apple.com/us/app/x/id553834731", 553_834_731.0]);
    for bundle in by_apple.as_array().into_iter().flatten() {
        assert_eq!(source(json!({ "app": { "bundle": bundle } })), "553834731", "{bundle}");
    }
    assert_eq!(source(json!({ "app": { "bundle": "www.tea.app" } })), "www.tea.app", "an app is no site");
    assert_eq!(source(json!({ "app": { "bundle": "id.tea" } })), "id.tea");
    // What it is on says where it is, if nothing else does.
    for domain in [json!(null), json!(""), json!(" ")] {
        let site = json!({ "domain": domain, "page": "https://news.example:8443/a?b" });
        assert_eq!(source(json!({ "site": site })), "news.example", "{domain}");
        let app = json!({ "bundle": domain, "storeurl": store, "domain": "games.example" });
        assert_eq!(source(json!({ "app": app })), "com.games.puzzle", "{domain}");
    }
    for page in ["about:blank", "/today", "https://", ""] {
        assert_eq!(source(json!({ "site": { "page": page } })), "", "{page}");
    }
}
