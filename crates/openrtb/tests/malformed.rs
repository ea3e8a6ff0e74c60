//! What is no request of the standard is refused with the path of the field.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use openrtb::read;

fn path(body: impl AsRef<[u8]>) -> String {
    match read(body.as_ref()) {
        Ok(request) => panic!("{request:?}"),
        Err(error) => error.path,
    }
}

/// A request with this impression.
fn imp(imp: &str) -> String {
    format!(r#"{{"id":"r","imp":[{{"id":"0","banner":{{"w":1,"h":1}}}},{imp}]}}"#)
}

/// A request with these fields.
fn with(fields: &str) -> String {
    format!(r#"{{"id":"r","imp":[{{"id":"0"}}],{fields}}}"#)
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
        "{}",
        "not JSON",
        "id=1&imp=2",
        r#"{"id":"r","imp":[{"id":"0"}]} and more"#,
        r#"{"id":"r","imp":[{"id":"0"}]}{}"#,
        r#"{"imp":[{"id":"0"}]}"#,
        r#"{"id":"r"}"#,
        r#"{'id':'r'}"#,
    ] {
        assert_eq!(path(body), ".", "{body}");
    }
    assert_eq!(path(b"\xff\xfe{}"), ".");
    assert_eq!(path([0; 64]), ".");
}

#[test]
fn a_text_that_is_not_utf_8_is_named() {
    assert_eq!(path(b"{\"id\":\"\xff\",\"imp\":[{\"id\":\"0\"}]}"), "id");
    assert_eq!(path(b"{\"id\":\"r\",\"site\":{\"\xff\":1}}"), "site");
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
fn a_wrong_type_is_named_by_its_path() {
    for (fields, wrong) in [
        (r#""tmax":"soon""#, "tmax"),
        (r#""tmax":-1"#, "tmax"),
        (r#""tmax":99999999999"#, "tmax"),
        (r#""at":"first""#, "at"),
        (r#""cur":"USD""#, "cur"),
        (r#""cur":["USD",1]"#, "cur[1]"),
        (r#""bcat":[["IAB1"]]"#, "bcat[0]"),
        (r#""badv":{"0":"a.example"}"#, "badv"),
        (r#""site":"daily.example""#, "site"),
        (r#""site":{"publisher":{"domain":1}}"#, "site.publisher.domain"),
        (r#""app":{"bundle":12345}"#, "app.bundle"),
        (r#""device":{"geo":{"country":49}}"#, "device.geo.country"),
        (r#""device":{"devicetype":"phone"}"#, "device.devicetype"),
        (r#""device":{"lmt":2}"#, "device.lmt"),
        (r#""device":{"dnt":true}"#, "device.dnt"),
        (r#""user":{"id":7}"#, "user.id"),
        (r#""user":{"consent":[]}"#, "user.consent"),
        (r#""user":{"ext":{"consent":1}}"#, "user.ext.consent"),
        (r#""regs":{"gdpr":"1"}"#, "regs.gdpr"),
        (r#""regs":{"coppa":-1}"#, "regs.coppa"),
        (r#""regs":{"us_privacy":1}"#, "regs.us_privacy"),
        (r#""regs":{"gpp_sid":["7"]}"#, "regs.gpp_sid[0]"),
        (r#""regs":{"ext":{"gdpr":1.5}}"#, "regs.ext.gdpr"),
    ] {
        assert_eq!(path(with(fields)), wrong, "{fields}");
    }
}

#[test]
fn an_impression_is_named_by_its_place() {
    for (fields, wrong) in [
        (r#""1""#, "imp[1]"),
        (r#"{}"#, "imp[1]"),
        (r#"{"id":1}"#, "imp[1].id"),
        (r#"{"id":""}"#, "imp[1].id"),
        (r#"{"id":"0"}"#, "imp[1].id"),
        (r#"{"id":"1","bidfloor":-0.01}"#, "imp[1].bidfloor"),
        (r#"{"id":"1","bidfloor":"0.5"}"#, "imp[1].bidfloor"),
        (r#"{"id":"1","bidfloor":1e400}"#, "imp[1].bidfloor"),
        (r#"{"id":"1","bidfloorcur":840}"#, "imp[1].bidfloorcur"),
        (r#"{"id":"1","secure":3}"#, "imp[1].secure"),
        (r#"{"id":"1","exp":-1}"#, "imp[1].exp"),
        (r#"{"id":"1","banner":[]}"#, "imp[1].banner"),
        (r#"{"id":"1","banner":{"w":-300,"h":250}}"#, "imp[1].banner.w"),
        (r#"{"id":"1","banner":{"w":300.5,"h":250}}"#, "imp[1].banner.w"),
        (r#"{"id":"1","banner":{"format":[{"w":1,"h":1},{"w":"1"}]}}"#, "imp[1].banner.format[1].w"),
        (r#"{"id":"1","banner":{"battr":[1,"2"]}}"#, "imp[1].banner.battr[1]"),
        (r#"{"id":"1","video":{}}"#, "imp[1].video"),
        (r#"{"id":"1","video":{"mimes":[]}}"#, "imp[1].video.mimes"),
        (r#"{"id":"1","video":{"mimes":"video/mp4"}}"#, "imp[1].video.mimes"),
        (r#"{"id":"1","video":{"mimes":["video/mp4"],"maxduration":"30"}}"#, "imp[1].video.maxduration"),
        (
            r#"{"id":"1","video":{"mimes":["video/mp4"],"durfloors":[{"bidfloor":-1}]}}"#,
            "imp[1].video.durfloors[0].bidfloor",
        ),
        (r#"{"id":"1","pmp":{"deals":[{}]}}"#, "imp[1].pmp.deals[0]"),
        (r#"{"id":"1","pmp":{"deals":[{"id":"d"},{"id":""}]}}"#, "imp[1].pmp.deals[1].id"),
        (r#"{"id":"1","pmp":{"private_auction":"yes"}}"#, "imp[1].pmp.private_auction"),
        (r#"{"id":"1","ext":{"prebid":{"storedrequest":{"id":5}}}}"#, "imp[1].ext.prebid.storedrequest.id"),
        (r#"{"id":"1","ext":{"prebid":{"bidder":{"placard":{"slot":5}}}}}"#, "imp[1].ext.prebid.bidder.placard.slot"),
        (r#"{"id":"1","ext":{"bidder":{"slot":[]}}}"#, "imp[1].ext.bidder.slot"),
    ] {
        assert_eq!(path(imp(fields)), wrong, "{fields}");
    }
    assert_eq!(path(r#"{"id":"","imp":[{"id":"0"}]}"#), "id");
    assert_eq!(path(r#"{"id":"r","imp":[]}"#), "imp");
    assert_eq!(path(r#"{"id":"r","imp":{}}"#), "imp");
    let many: Vec<String> = (0..101).map(|number| format!(r#"{{"id":"{number}"}}"#)).collect();
    assert_eq!(path(format!(r#"{{"id":"r","imp":[{}]}}"#, many.join(","))), "imp");
}

#[test]
fn a_native_request_is_json_within_a_text_and_has_paths_as_well() {
    let native = |request: &str| {
        let request = serde_json::to_string(request).expect("JSON");
        imp(&format!(r#"{{"id":"1","native":{{"request":{request}}}}}"#))
    };
    let inner = "imp[1].native.request";
    for (request, wrong) in [
        ("", inner.to_owned()),
        ("no JSON", inner.to_owned()),
        ("[]", inner.to_owned()),
        (r#"{"assets":[]} more"#, inner.to_owned()),
        (r#"{"assets":{}}"#, format!("{inner}.assets")),
        (r#"{"assets":[{"title":{"len":1}}]}"#, format!("{inner}.assets[0]")),
        (r#"{"assets":[{"id":1,"title":{}}]}"#, format!("{inner}.assets[0].title")),
        (r#"{"assets":[{"id":1},{"id":2,"img":{"wmin":"50"}}]}"#, format!("{inner}.assets[1].img.wmin")),
        (r#"{"assets":[{"id":1,"data":{"len":1}}]}"#, format!("{inner}.assets[0].data")),
        (r#"{"native":{"assets":[{"id":"1"}]}}"#, format!("{inner}.native.assets[0].id")),
        (r#"{"eventtrackers":[{"event":1,"methods":1}]}"#, format!("{inner}.eventtrackers[0].methods")),
    ] {
        assert_eq!(path(native(request)), wrong, "{request}");
    }
    assert_eq!(path(imp(r#"{"id":"1","native":{"request":{"assets":[]}}}"#)), inner);
    assert_eq!(path(imp(r#"{"id":"1","native":{}}"#)), "imp[1].native");
    for good in [r#"{"assets":[]}"#, r#"{"native":{"assets":null,"ver":"1.0"}}"#, "{}"] {
        assert!(read(native(good).as_bytes()).is_ok(), "{good}");
    }
}

#[test]
fn depth_and_size_end_in_a_refusal() {
    let deep =
        |depth: usize| with(&format!(r#""regs":{{"ext":{{"gpc":{}{}}}}}"#, "[".repeat(depth), "]".repeat(depth)));
    assert!(read(deep(50).as_bytes()).is_ok(), "extensions are the exchange's own");
    assert!(read(deep(100_000).as_bytes()).is_err());
    let nested = format!(r#"{{"x":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert!(read(nested.as_bytes()).is_err());
    let long = with(&format!(r#""site":{{"page":"{}"}}"#, "x".repeat(1_000_000)));
    assert!(read(long.as_bytes()).is_ok(), "how long a body may be, the server says");
}

#[test]
fn an_error_says_where_and_what() {
    let error = read(with(r#""device":{"lmt":2}"#).as_bytes()).expect_err("refused");
    assert_eq!(error.path, "device.lmt");
    let text = error.to_string();
    assert!(text.starts_with("device.lmt: invalid value: integer `2`, expected 0 or 1"), "{text}");
}

#[test]
fn what_would_be_much_when_parsed_is_not_parsed() {
    let list = |count: usize, one: &str| vec![one; count].join(",");
    assert_eq!(
        read(with(&format!(r#""badv":[{}]"#, list(8_000, r#""a""#))).as_bytes()).expect("read").badv.len(),
        8_000
    );
    let error = read(with(&format!(r#""badv":[{}]"#, list(8_200, r#""a""#))).as_bytes()).expect_err("too many");
    assert_eq!((error.path.as_str(), error.problem.as_str()), (".", "has more than 8192 values"));
    let imps = |count: usize| {
        let imps: Vec<String> = (0..count).map(|number| format!(r#"{{"id":"{number}"}}"#)).collect();
        format!(r#"{{"id":"r","imp":[{}]}}"#, imps.join(","))
    };
    assert_eq!(read(imps(100).as_bytes()).expect("read").imp.len(), 100);
    assert_eq!(path(imps(101)), "imp");
    // The first that is too many ends it, whatever it is.
    let odd = imps(101).replace(r#"{"id":"100"}"#, "7");
    assert!(read(odd.as_bytes()).expect_err("too many").problem.starts_with("has more than 100"));
}

#[test]
fn how_long_a_page_waits_is_read_whatever_else_its_extensions_are() {
    let timeout = |ext: &str| {
        let body = format!(r#"{{"id":"1","ext":{ext},"imp":[{{"id":"1"}}]}}"#);
        read(body.as_bytes()).expect("a request").timeout
    };
    assert_eq!(timeout(r#"{"prebid":{"tmaxmax":7},"tmaxmax":1500,"x":[{}]}"#), Some(1_500));
    let others = ["null", "[1,[2]]", "\"x\"", "true", "-1", "1.5", "{}", r#"{"tmaxmax":-1}"#, r#"{"tmaxmax":"9"}"#];
    assert_eq!(others.map(timeout), [None; 9]);
    assert_eq!(timeout(r#"{"tmaxmax":9007199254740993}"#), None);
    assert_eq!(read(br#"{"id":"1","imp":[{"id":"1"}]}"#).expect("a request").timeout, None);
}
