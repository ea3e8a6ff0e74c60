//! What is no request at all is refused, with the path of what is wrong.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use openrtb::{BidRequest, Unread, read};

fn path(body: impl AsRef<[u8]>) -> String {
    match read(body.as_ref()) {
        Ok(request) => panic!("{request:?}"),
        Err(error) => error.path,
    }
}

/// A request with these fields.
fn with(fields: &str) -> String {
    format!(r#"{{"id":"r","imp":[{{"id":"0"}}],{fields}}}"#)
}

fn taken(fields: &str) -> BidRequest {
    read(with(fields).as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn what_is_not_json_is_wrong_as_a_whole() {
    for body in [
        "",
        " ",
        "null",
        "[]",
        "1",
        "\"text\"",
        "{",
        "not JSON",
        "id=1&imp=2",
        r#"{"id":"r","imp":[{"id":"0"}]} and more"#,
        r#"{"id":"r","imp":[{"id":"0"}]}{}"#,
        r#"{'id':'r'}"#,
    ] {
        assert_eq!(path(body), ".", "{body}");
    }
    assert_eq!(path(b"\xff\xfe{}"), ".");
    assert_eq!(path([0; 64]), ".");
}

#[test]
fn a_request_has_an_id_and_a_list_of_impressions() {
    for (body, wrong) in [
        ("{}", "imp"),
        (r#"{"id":"r"}"#, "imp"),
        (r#"{"imp":[{"id":"0"}]}"#, "id"),
        (r#"{"id":"","imp":[{"id":"0"}]}"#, "id"),
        (r#"{"id":true,"imp":[{"id":"0"}]}"#, "id"),
        (r#"{"id":["r"],"imp":[{"id":"0"}]}"#, "id"),
        (r#"{"id":"r","imp":[]}"#, "imp"),
        (r#"{"id":"r","imp":{}}"#, "imp"),
        (r#"{"id":"r","imp":null}"#, "imp"),
    ] {
        assert_eq!(path(body), wrong, "{body}");
    }
    let imps = |count: usize| {
        let imps: Vec<String> = (0..count).map(|number| format!(r#"{{"id":"{number}"}}"#)).collect();
        format!(r#"{{"id":"r","imp":[{}]}}"#, imps.join(","))
    };
    assert_eq!(read(imps(100).as_bytes()).expect("read").imp.len(), 100);
    assert_eq!(path(imps(101)), "imp");
}

#[test]
fn a_field_that_is_there_twice_could_be_either() {
    let lost = |body: &str| {
        let request = read(body.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        request.unread().map(|lost| lost.path.clone()).collect::<Vec<_>>()
    };
    let nothing = r#""tmax":5,"tmax":6,"site":{"name":"a","name":"b"},"ext":{"x":1,"x":2},"unknown":1,"unknown":2"#;
    assert_eq!(lost(&with(nothing)), [""; 0]);
    assert_eq!(lost(&with(r#""bcat":[],"bcat":["IAB1"],"regs":{"coppa":1,"coppa":0}"#)), ["bcat[0]", "regs.coppa"]);
    assert_eq!(lost(r#"{"id":"r","imp":[{"id":"0","bidfloor":5,"bidfloor":0}]}"#), ["imp[0].bidfloor"]);
    assert_eq!(lost(r#"{"id":"r","imp":[{"id":"0"}],"imp":[{"id":"1"}]}"#), ["imp[0]", "imp[0].id"]);
    assert_eq!(path(r#"{"id":"r","id":"s","imp":[{"id":"0"}]}"#), "id");
    let same = taken(r#""tmax":5,"tmax":5,"bcat":["IAB1"],"bcat":["IAB1"]"#);
    assert_eq!((same.tmax, same.bcat.len(), same.unread().count()), (Some(5), 1, 0), "it is said, if twice");
}

#[test]
fn an_id_or_a_name_of_a_field_that_is_no_text_is_named() {
    assert_eq!(path(b"{\"id\":\"\xff\",\"imp\":[{\"id\":\"0\"}]}"), "id");
    assert_eq!(path(br#"{"id":"r\ud83d","imp":[{"id":"0"}]}"#), "id");
    assert_eq!(path(b"{\"id\":\"r\",\"site\":{\"\xff\":1}}"), "site");
}

#[test]
fn a_text_of_which_a_part_is_missing_costs_only_what_depends_on_it() {
    let bytes = |fields: &str| with(fields).replace('?', "\u{1}").into_bytes();
    let sent = |fields: &str, part: &[u8]| -> Vec<u8> {
        bytes(fields).into_iter().flat_map(|b| if b == 1 { part.to_vec() } else { vec![b] }).collect()
    };
    for part in [&b"\xff"[..], br"\ud83d", b"\xf0\x9f\x98", b"\n"] {
        let read = |fields: &str| read(&sent(fields, part)).unwrap_or_else(|error| panic!("{error}"));
        let lost = |fields: &str| read(fields).unread().map(|lost| lost.path.clone()).collect::<Vec<_>>();
        let site = read(r#""site":{"name":"Game ?","domain":"a.example"}"#);
        assert_eq!(site.site.as_ref().and_then(|site| site.name.as_deref()), Some("Game \u{fffd}"));
        assert_eq!((site.unread().count(), site.source()), (0, "a.example"));
        assert_eq!(lost(r#""badv":["a.example","b?.example"]"#), ["badv"]);
        assert_eq!(lost(r#""bapp":"com.a?","bseat":["?"],"test":0"#), ["bapp", "bseat"]);
        assert_eq!(lost(r#""wseat":["?"],"site":{"page":"?"}"#), [""; 0]);
        // Where the reader is, and what they allow: nothing that could be more than it says.
        assert_eq!(read(r#""regs":{"us_privacy":"1YN?"}"#).unread().count(), 0);
        let imps = r#"{"id":"r","imp":[{"id":"0","tagid":"?"},{"id":"1?"}]}"#.replace('?', "\u{1}").into_bytes();
        let imps: Vec<u8> = imps.into_iter().flat_map(|b| if b == 1 { part.to_vec() } else { vec![b] }).collect();
        let read = openrtb::read(&imps).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.imp.iter().map(|imp| imp.is_refused()).collect::<Vec<_>>(), [false, true]);
        assert_eq!(read.unread().next().map(|lost| lost.path.as_str()), Some("imp[1].id"));
    }
}

#[test]
fn what_is_no_number_costs_only_what_depends_on_it() {
    for sent in ["NaN", "Infinity", "-Infinity"] {
        let lost = |fields: String| taken(&fields).unread().map(|lost| lost.path.clone()).collect::<Vec<_>>();
        let device = format!(r#""device":{{"geo":{{"lat":{sent},"lon":{sent}}},"pxratio":{sent}}}"#);
        assert_eq!(lost(format!(r#"{device},"tmax":{sent}"#)), [""; 0]);
        assert_eq!(lost(format!(r#"{device},"badv":[{sent}]"#)), ["badv"]);
        let floor = read(format!(r#"{{"id":"r","imp":[{{"id":"0","bidfloor":{sent}}}]}}"#).as_bytes()).expect("read");
        assert!(floor.imp[0].is_refused(), "the floor could be any");
        assert_eq!(path(format!(r#"{{"id":{sent},"imp":[]}}"#)), "id");
    }
}

#[test]
fn a_request_that_ends_too_early_is_refused_wherever_it_ends() {
    let whole =
        with(r#""device":{"ua":"Mozilla","geo":{"country":"DEU"}},"regs":{"gdpr":1,"gpp_sid":[7]},"bcat":["IAB1"]"#);
    assert!(read(whole.as_bytes()).is_ok());
    for cut in 0..whole.len() {
        assert!(read(&whole.as_bytes()[..cut]).is_err(), "{cut}");
    }
}

#[test]
fn depth_and_size_end_in_a_refusal() {
    let deep = |name: &str, depth: usize| with(&format!(r#""{name}":{}{}"#, "[".repeat(depth), "]".repeat(depth)));
    assert!(read(deep("ext", 100_000).as_bytes()).is_ok(), "what is not read is skipped, however deep it is");
    assert_eq!(read(deep("test", 50).as_bytes()).expect("taken apart").unread().count(), 1);
    assert!(read(deep("test", 1_000).as_bytes()).is_err());
    let nested = format!(r#"{{"x":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert!(read(nested.as_bytes()).is_err());
    let long = with(&format!(r#""site":{{"page":"{}"}}"#, "x".repeat(1_000_000)));
    assert!(read(long.as_bytes()).is_ok(), "how long a body may be, the server says");
}

#[test]
fn what_would_be_much_when_parsed_is_not_parsed() {
    let list = |count: usize, one: &str| vec![one; count].join(",");
    assert_eq!(taken(&format!(r#""badv":[{}]"#, list(8_000, r#""a""#))).badv.len(), 8_000);
    let error = read(with(&format!(r#""badv":[{}]"#, list(8_200, r#""a""#))).as_bytes()).expect_err("too many");
    assert_eq!((error.path.as_str(), error.problem.as_str()), (".", "has more than 8192 values"));
    assert_eq!(error.to_string(), ".: has more than 8192 values");
    // Whatever is not read takes no room, unless the request must be taken apart.
    let nested = |test: &str| with(&format!(r#""x":[{}],"test":{test}"#, list(2_100, "[]")));
    assert!(read(nested("1").as_bytes()).is_ok());
    assert!(read(nested("3").as_bytes()).expect_err("too many").problem.starts_with("has more than 2048 parts"));
}

#[test]
fn how_long_a_page_waits_is_read_whatever_else_its_extensions_are() {
    let timeout = |ext: &str| taken(&format!(r#""ext":{ext}"#)).timeout();
    assert_eq!(timeout(r#"{"prebid":{"tmaxmax":7},"tmaxmax":1500,"x":[{}]}"#), Some(1_500));
    let others = ["null", "[1,[2]]", "\"x\"", "true", "-1", "1.5", "{}", r#"{"tmaxmax":-1}"#, r#"{"tmaxmax":"?"}"#];
    assert_eq!(others.map(timeout), [None; 9]);
    assert_eq!(timeout(r#"{"tmaxmax":9007199254740993}"#), None);
    assert_eq!(timeout(r#"{"tmaxmax":"900.5"}"#), Some(900));
}

#[test]
fn a_hundred_impressions_that_cannot_be_read_are_told_one_by_one() {
    let imps: Vec<String> =
        (0..100).map(|id| format!(r#"{{"id":"{id}","bidfloor":"?","banner":5,"pmp":5}}"#)).collect();
    let request = read(format!(r#"{{"id":"r","imp":[{}]}}"#, imps.join(",")).as_bytes()).expect("read");
    assert_eq!(request.unread().count(), 300);
    assert_eq!(request.unread().filter(|part| part.what == Unread::Floor).count(), 200);
}
