//! What senders do to every field of a request: nothing is refused as a whole for it, nothing panics,
//! and no wish of the reader, floor or block is lost by it.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use openrtb::testing::{CANDIDATE, PARTS, VIDEO};
use openrtb::{Auction, Candidate, Circumstances, Cpm, Creative, NoBid, consider, read};
use serde_json::{Value, json};

/// Everything that is read, in its plain form.
fn exemplary() -> Value {
    let native = json!({
        "ver": "1.2",
        "assets": [
            { "id": 1, "required": 1, "title": { "len": 90 } },
            { "id": 2, "img": { "type": 3, "wmin": 300, "hmin": 150, "mimes": ["image/jpeg"] } },
            { "id": 3, "data": { "type": 2, "len": 140 } },
        ],
        "eventtrackers": [{ "event": 1, "methods": [1] }],
    });
    let site = json!({ "id": "1", "name": "News", "domain": "news.example", "page": "https://news.example/",
        "publisher": { "id": "1", "name": "News", "domain": "news.example" } });
    let device = json!({ "ua": "Mozilla/5.0", "ip": "192.0.2.1", "dnt": 0, "lmt": 0, "devicetype": 4, "w": 390, "h": 844,
        "language": "en", "ifa": "a1", "ext": { "atts": 3 }, "geo": { "country": "USA", "region": "CA" } });
    let user =
        json!({ "id": "u1", "buyeruid": "b1", "geo": { "country": "USA" }, "consent": "", "ext": { "consent": "" } });
    let regs = json!({ "coppa": 0, "gdpr": 0, "us_privacy": "1YNN", "gpp": "", "gpp_sid": [-1],
        "ext": { "gdpr": 0, "us_privacy": "1YNN", "gpc": "0", "dsa": { "dsarequired": 0 } } });
    let deal = json!({ "id": "d1", "bidfloor": 0.7, "bidfloorcur": "USD", "at": 1, "wseat": ["s1"], "wadomain": ["tea.example"],
        "mincpmpersec": 0.01, "durfloors": [{ "mindur": 5, "maxdur": 20, "bidfloor": 0.6 }] });
    let banner = json!({ "w": 300, "h": 250, "btype": [1], "battr": [13],
        "format": [{ "w": 300, "h": 250 }, { "w": 320, "h": 50 }] });
    let video = json!({ "mimes": ["video/mp4"], "minduration": 5, "maxduration": 30, "rqddurs": [15],
        "protocols": [2, 3], "protocol": 3, "w": 640, "h": 360, "linearity": 1, "battr": [13], "delivery": [2],
        "skip": 1, "skipmin": 5, "skipafter": 5, "mincpmpersec": 0.01, "durfloors": [{ "mindur": 5, "maxdur": 20, "bidfloor": 0.6 }] });
    let first = json!({ "id": "1", "bidfloor": 0.5, "bidfloorcur": "USD", "secure": 1, "exp": 60, "tagid": "top",
        "ext": { "bidder": { "slot": "k" }, "prebid": { "storedrequest": { "id": "k" } } },
        "pmp": { "private_auction": 0, "deals": [deal] }, "banner": banner });
    let second = json!({ "id": "2", "bidfloor": 0.5, "video": video });
    let third = json!({ "id": "3", "bidfloor": 0.5, "native": { "request": native, "battr": [13] } });
    json!({
        "id": "r1", "test": 0, "at": 1, "tmax": 500, "cur": ["USD"], "wseat": ["s1"], "bseat": ["s2"],
        "wlang": ["en"], "wlangb": ["en"], "acat": ["IAB8"], "bcat": ["IAB25"], "cattax": 1,
        "badv": ["rival.example"], "bapp": ["com.rival.game"], "ext": { "tmaxmax": 900 },
        "site": site, "device": device, "user": user, "regs": regs, "imp": [first, second, third],
    })
}

/// What senders put where something else should be.
fn odd() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(3),
        json!(-1),
        json!(1.0),
        json!(933.25),
        json!(1e300),
        json!(u64::MAX),
        json!(""),
        json!("0"),
        json!("1"),
        json!("true"),
        json!("1.5"),
        json!("-1"),
        json!("x"),
        json!("a,b"),
        json!([]),
        json!([null]),
        json!([[]]),
        json!(["x"]),
        json!([1.5]),
        json!({}),
        json!({ "x": 1 }),
    ]
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

struct Ads {
    texts: Vec<String>,
    categories: Vec<String>,
    deals: Vec<String>,
}

impl Ads {
    fn new() -> Self {
        let one = |text: &str| vec![text.to_owned()];
        Self { texts: one("tea.example"), categories: one("IAB8-18"), deals: one("d1") }
    }

    fn all(&self) -> [Candidate<'_>; 3] {
        let of = |creative| Candidate {
            creative,
            domains: &self.texts,
            categories: &self.categories,
            deals: &self.deals,
            seat: Some("s1"),
            language: Some("en"),
            app: Some("com.tea.app"),
            attributes: &[6],
            ..CANDIDATE
        };
        [CANDIDATE.creative, Creative::Video(VIDEO), Creative::Native(PARTS)].map(of)
    }
}

fn with(place: &str, value: &Value) -> Value {
    let mut request = exemplary();
    *request.pointer_mut(place).unwrap_or_else(|| panic!("{place} is there")) = value.clone();
    request
}

#[test]
fn the_exemplary_request_is_bid_on_in_each_form() {
    let request = read(exemplary().to_string().as_bytes()).expect("a request");
    assert_eq!(request.unread().count(), 0);
    for candidate in Ads::new().all() {
        let offer = consider(&request, &candidate, &Circumstances::default());
        assert!(offer.is_ok(), "{offer:?} {candidate:?}");
    }
}

#[test]
fn an_odd_value_costs_at_most_what_it_is_about() {
    let mut all = Vec::new();
    places(&exemplary(), "", &mut all);
    let (ads, mut bids) = (Ads::new(), 0);
    for place in &all {
        for value in odd() {
            let body = with(place, &value).to_string();
            let request = match read(body.as_bytes()) {
                Ok(request) => request,
                Err(error) => {
                    assert!(["", "/id", "/imp"].contains(&place.as_str()), "{place} = {value}: {error}");
                    continue;
                }
            };
            for candidate in ads.all() {
                let Ok(offer) = consider(&request, &candidate, &Circumstances::default()) else { continue };
                bids += 1;
                let by_duration = offer.imp.video.as_ref().is_some_and(|video| !video.durfloors.is_empty());
                let floor = offer.deal.map_or(offer.imp.bidfloor, |deal| deal.bidfloor);
                assert!(
                    (by_duration || offer.price >= floor) && offer.price <= Cpm::from_milli(100),
                    "{place} = {value}"
                );
                let (w, h) = offer.size.unwrap_or((300, 250));
                assert!(w >= 50 && h >= 50, "{place} = {value}");
                // What the other impressions say is not lost with one of them.
                assert!(!offer.imp.is_refused());
            }
        }
    }
    let tried = all.len() * odd().len() * 3;
    assert!(bids * 2 > tried, "{bids} of {tried}");
}

/// Whether a value says, in whatever way, that there is no such restriction.
fn lifts(place: &str, value: &Value) -> bool {
    let lists = ["/bcat", "/badv", "/bapp", "/imp/0/banner/battr", "/imp/0/banner/btype", "/regs/gpp_sid"];
    let is_empty_list = lists.contains(&place) && *value == json!({});
    if is_empty_list || [json!(null), json!([]), json!([null])].contains(value) {
        return true;
    }
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let is_zero = ["", "0", "false"].contains(&text.as_str());
    match place {
        "/test"
        | "/regs/coppa"
        | "/regs/gdpr"
        | "/device/dnt"
        | "/device/lmt"
        | "/regs/ext/gpc"
        | "/imp/0/pmp/private_auction" => is_zero,
        // What is bid is 1.
        "/imp/0/bidfloor" => ["", "0", "1", "1.0"].contains(&text.as_str()),
        // A list that can be read, without what was in it.
        "/badv" | "/bapp" => value.is_string() || value.is_number() || *value == json!(["x"]),
        "/imp/0/banner/battr" | "/imp/0/banner/btype" => text.is_empty() || text.parse::<f64>().is_ok(),
        "/regs/gpp_sid" => text.is_empty() || text == "-1",
        "/device/ext/atts" => ["", "3", "-1"].contains(&text.as_str()),
        _ => text.is_empty(),
    }
}

#[test]
fn no_restriction_is_lost() {
    let open = json!({ "id": "r", "regs": { "gdpr": 0, "ext": {} }, "device": { "lmt": 0, "ext": {} },
        "user": { "ext": {} }, "imp": [{ "id": "1", "banner": { "w": 300, "h": 250 }, "pmp": {} }] });
    let ads = Ads::new();
    let [banner, ..] = ads.all();
    let offered = |request: &Value| {
        let request = read(request.to_string().as_bytes()).map_err(|_| NoBid::InvalidRequest)?;
        let auction = Auction::open(&request, &Circumstances::default())?;
        auction.consider(&banner)?;
        Ok(!auction.limits().is_empty())
    };
    assert_eq!(offered(&open), Ok(false), "nothing is restricted");
    for (place, value) in [
        ("/test", json!(1)),
        ("/bcat", json!(["IAB8"])),
        ("/badv", json!(["tea.example"])),
        ("/bapp", json!(["com.tea.app"])),
        ("/imp/0/bidfloor", json!(2)),
        ("/imp/0/banner/battr", json!([6])),
        ("/imp/0/banner/btype", json!([4])),
        ("/imp/0/pmp/private_auction", json!(1)),
        ("/regs/coppa", json!(1)),
        ("/regs/gdpr", json!(1)),
        ("/regs/us_privacy", json!("1YYN")),
        ("/regs/gpp_sid", json!([7])),
        ("/regs/ext/gpc", json!("1")),
        ("/device/dnt", json!(1)),
        ("/device/lmt", json!(1)),
        ("/device/ext/atts", json!(2)),
        ("/user/ext/consent", json!("nonsense")),
    ] {
        let set = |value: &Value| {
            let mut request = open.clone();
            if place.starts_with("/user") {
                request["regs"]["gdpr"] = json!(null);
            }
            let (object, field) = place.rsplit_once('/').expect("a place");
            request.pointer_mut(object).expect("an object")[field] = value.clone();
            offered(&request)
        };
        // There is no bid, or nobody is recognized.
        let is_kept = |outcome: Result<bool, NoBid>| outcome != Ok(false);
        assert!(is_kept(set(&value)), "{place} restricts");
        for odd in odd().into_iter().filter(|odd| !lifts(place, odd)) {
            assert!(is_kept(set(&odd)), "{place} = {odd}");
        }
    }
    // What is about the reader cannot be read: there are bids, and nobody is recognized.
    let mut unsaid = open.clone();
    unsaid["regs"]["gdpr"] = json!(null);
    assert_eq!(offered(&unsaid), Ok(false), "no law applies");
    for place in ["/regs/ext", "/user/ext", "/device/geo", "/user/geo"] {
        let (object, field) = place.rsplit_once('/').expect("a place");
        for part in [json!(1), json!("x"), json!(true), json!([[]])] {
            let mut request = unsaid.clone();
            request.pointer_mut(object).expect("an object")[field] = part.clone();
            assert_eq!(offered(&request), Ok(true), "{place} = {part}");
        }
    }
    for (place, parts) in [
        ("/regs", vec![json!(1), json!("x"), json!(true), json!(["x"]), json!([null])]),
        ("/device", vec![json!(1), json!("x"), json!(false)]),
        ("/user", vec![json!("x"), json!(7)]),
        ("/imp/0/pmp", vec![json!("x"), json!(7), json!([{}])]),
    ] {
        for part in parts {
            let mut request = open.clone();
            *request.pointer_mut(place).expect("there") = part.clone();
            assert_eq!(offered(&request), Err(NoBid::InvalidRequest), "{place} = {part}");
        }
    }
}
