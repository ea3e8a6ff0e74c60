//! Whatever is asked, what is offered is within it, and nothing panics.

use market::{AdForm, BidOffer, BidOutcome, Index, Seller};
use openrtb::{Bid, BidRequest, Cpm, NoBid, read};
use proptest::prelude::*;
use proptest::sample::{Index as Place, select, subsequence};
use serde_json::{Value, json};

use super::{CURRENCY, FILM, GAME, T, TEA, ask, grant, index_of, plan, share, slot, ssp};

/// A text of a list, and the products that it blocks.
type Listed = (&'static str, &'static [i64]);

const DOMAINS: [Listed; 9] = [
    ("tea.example", &[TEA]),
    ("https://www.TEA.example/x?y", &[TEA]),
    ("shop.tea.example", &[TEA]),
    ("film.example:443", &[FILM]),
    ("*.games.example", &[GAME]),
    ("example", &[TEA, FILM, GAME]),
    ("a b", &[TEA, FILM, GAME]),
    ("badtea.example", &[]),
    ("tea.example.net", &[]),
];
/// Of the game nobody knows the category, so it may be any that is blocked.
const CATEGORIES: [Listed; 5] = [
    ("IAB8", &[TEA, GAME]),
    ("iab8-18", &[TEA, GAME]),
    ("IAB1", &[FILM, GAME]),
    ("IAB25-3", &[GAME]),
    ("nonsense", &[TEA, FILM, GAME]),
];
const APPS: [Listed; 3] = [
    ("com.tea.app", &[GAME]),
    ("https://play.google.com/store/apps/details?id=com.tea.app", &[GAME]),
    ("com.rival.app", &[]),
];

/// A CPM in ten-thousandths.
type TenThousandths = i64;

#[derive(Clone, Debug)]
struct Deal {
    id: &'static str,
    floor: TenThousandths,
    at: i32,
    seat: Option<&'static str>,
}

/// A request in plain words, so that nothing but this module needs to read it.
#[derive(Clone, Debug)]
struct Wishes {
    floor: TenThousandths,
    floor_currency: Option<&'static str>,
    currencies: Option<Vec<&'static str>>,
    domains: Vec<Listed>,
    categories: Vec<Listed>,
    apps: Vec<Listed>,
    deals: Vec<Deal>,
    private: bool,
    sizes: Vec<(u32, u32)>,
    seconds: (u32, u32),
    protocols: Vec<i32>,
    mime: &'static str,
    attributes: Vec<i32>,
    title: u32,
    seat: Option<&'static str>,
    kind: Option<i32>,
    test: bool,
    multiplier: i32,
}

fn floor() -> impl Strategy<Value = TenThousandths> {
    prop_oneof![Just(0), 0_i64..60_000, Just(7_000), Just(7_001)]
}

fn deal() -> impl Strategy<Value = Deal> {
    let seat = select(vec![None, None, Some("s1"), Some("s2")]);
    (select(vec!["d1", "d1", "d2"]), floor(), 1_i32..4, seat).prop_map(|(id, floor, at, seat)| Deal {
        id,
        floor,
        at,
        seat,
    })
}

fn wishes() -> impl Strategy<Value = Wishes> {
    let currency = select(vec![None, None, Some("USD"), Some("usd"), Some("EUR"), Some("")]);
    let currencies =
        select(vec![None, None, Some(vec![]), Some(vec!["USD"]), Some(vec!["EUR", "usd"]), Some(vec!["EUR"])]);
    let price = (floor(), currency, currencies, prop::collection::vec(deal(), 0..3), prop::bool::weighted(0.2));
    let few = |all: &[Listed]| subsequence(all.to_vec(), 0..=1);
    let blocks = (few(&DOMAINS), few(&CATEGORIES), few(&APPS));
    let sizes = subsequence(vec![(300, 250), (320, 50), (1, 1), (40, 40), (970, 250), (9_000, 100)], 0..=3);
    let protocols = subsequence(vec![2, 3, 5, 6, 7, 13], 0..=3);
    let mime = select(vec!["video/mp4", "video/mp4", "VIDEO/MP4", "video/webm"]);
    let seconds = (0_u32..40, 1_u32..40);
    let forms = (sizes, seconds, protocols, mime, subsequence(vec![1, 6, 16], 0..=2), 1_u32..6);
    let seat = select(vec![None, None, None, Some("s1"), Some("s2")]);
    let kind = prop::option::of(1_i32..9);
    let rest = (seat, kind, prop::bool::weighted(0.05), select(vec![1_i32, 1, 1, 1, 1, 2]));
    (price, blocks, forms, rest).prop_map(|(price, blocks, forms, rest)| Wishes {
        floor: price.0,
        floor_currency: price.1,
        currencies: price.2,
        deals: price.3,
        private: price.4,
        domains: blocks.0,
        categories: blocks.1,
        apps: blocks.2,
        sizes: forms.0,
        seconds: forms.1,
        protocols: forms.2,
        mime: forms.3,
        attributes: forms.4,
        title: forms.5,
        seat: rest.0,
        kind: rest.1,
        test: rest.2,
        multiplier: rest.3,
    })
}

fn number(price: TenThousandths) -> Value {
    let text = format!("{}.{:04}", price / 10_000, price % 10_000);
    serde_json::from_str(&text).expect("a number")
}

/// Whether a price of so many thousandths of a minor unit reaches a floor.
fn reaches(milli: i64, floor: TenThousandths, currency: Option<&str>) -> bool {
    let is_ours = currency.is_none_or(|said| said.is_empty() || said.eq_ignore_ascii_case(CURRENCY));
    floor == 0 || (is_ours && milli * 100 >= floor)
}

impl Wishes {
    fn body(&self) -> Value {
        let texts = |listed: &[Listed]| listed.iter().map(|(text, _)| *text).collect::<Vec<_>>();
        let deals: Vec<Value> = self
            .deals
            .iter()
            .map(|Deal { id, floor, at, seat }| {
                let seats: Vec<&str> = seat.iter().copied().collect();
                json!({ "id": id, "bidfloor": number(*floor), "at": at, "wseat": seats })
            })
            .collect();
        let formats: Vec<Value> = self.sizes.iter().map(|(w, h)| json!({ "w": w, "h": h })).collect();
        let assets = json!([
            { "id": 1, "required": 1, "title": { "len": self.title } },
            { "id": 2, "img": { "type": 3, "wmin": 600, "hmin": 314 } },
        ]);
        let imp = json!({
            "id": "1", "bidfloor": number(self.floor), "bidfloorcur": self.floor_currency, "secure": 1,
            "qty": { "multiplier": self.multiplier },
            "pmp": { "private_auction": i32::from(self.private), "deals": deals },
            "banner": { "format": formats, "battr": self.attributes },
            "video": { "mimes": [self.mime], "minduration": self.seconds.0, "maxduration": self.seconds.1,
                "protocols": self.protocols, "skip": 1, "battr": self.attributes },
            "native": { "request": json!({ "ver": "1.2", "assets": assets }).to_string(), "battr": self.attributes },
        });
        let seats: Vec<&str> = self.seat.iter().copied().collect();
        json!({
            "id": "r", "test": i32::from(self.test), "cur": self.currencies, "wseat": seats,
            "badv": texts(&self.domains), "bcat": texts(&self.categories), "bapp": texts(&self.apps),
            "device": { "devicetype": self.kind }, "imp": [imp],
        })
    }

    fn blocks(&self, product: i64) -> bool {
        let lists = [&self.domains, &self.categories, &self.apps];
        lists.into_iter().flatten().any(|(_, blocked)| blocked.contains(&product))
    }

    fn takes_currency(&self) -> bool {
        let Some(listed) = self.currencies.as_ref().filter(|listed| !listed.is_empty()) else { return true };
        listed.iter().any(|one| one.eq_ignore_ascii_case(CURRENCY))
    }

    /// Fails unless an offer, for which so much is paid at most, is within these wishes.
    fn assert_hold(&self, product: i64, offer: &BidOffer<'_>, bid: &Bid, most: i64) {
        let milli = bid.price.milli().expect("a small price");
        assert!(milli > 0 && milli <= offer.price_milli && offer.price_milli <= most, "{milli} of {most}");
        assert!(!self.test && self.takes_currency() && self.kind != Some(8) && self.multiplier == 1);
        assert!(!self.blocks(product), "{product} is blocked");
        assert!(self.seat.is_none_or(|seat| seat == "s1"));
        assert_eq!((bid.impid.as_str(), bid.adomain.len()), ("1", 1));
        match &bid.dealid {
            // Of two deals with the same id, it is one.
            Some(id) => assert!(self.deals.iter().any(|deal| {
                let price = if deal.at == 3 && deal.floor > 0 {
                    bid.price == serde_json::from_value::<Cpm>(number(deal.floor)).expect("a price")
                } else {
                    reaches(milli, deal.floor, None)
                };
                deal.id == id && id == "d1" && deal.seat.is_none_or(|seat| seat == "s1") && price
            })),
            None => assert!(!self.private && reaches(milli, self.floor, self.floor_currency)),
        }
        assert!(bid.attr.iter().all(|attribute| !self.attributes.contains(attribute)), "{:?}", bid.attr);
        match offer.form {
            AdForm::Banner => {
                let size = bid.w.zip(bid.h).expect("a size");
                assert!(self.sizes.contains(&size) && size.0 >= 50 && size.1 >= 50, "{size:?}");
            }
            AdForm::Video => {
                let seconds = bid.dur.expect("a duration");
                assert!((self.seconds.0..=self.seconds.1).contains(&seconds), "{seconds}");
                let protocol = bid.protocol.expect("a version");
                assert!(self.protocols.is_empty() || self.protocols.contains(&protocol), "{protocol}");
                assert!(self.mime.eq_ignore_ascii_case("video/mp4"));
            }
            AdForm::Native => assert!(self.title >= 3, "a title is never cut"),
        }
    }
}

/// A plan of a product at this price, with enough to promise.
fn market(product: i64, unit: i64) -> Index {
    let mut index = index_of(&slot(share(7_000)), [plan(product, unit)]);
    let left = unit.saturating_mul(1_000);
    grant(&mut index, 1, left, left, T);
    index
}

/// Asks for each impression of a request, for an exchange and a page, and calls `check` with what is offered.
fn ask_all(
    index: &mut Index,
    request: &BidRequest,
    parts: i64,
    mut check: impl FnMut(&BidOffer<'_>, &Bid, Seller<'_>),
) {
    let (ssp, slot) = (ssp(2, share(parts)), slot(share(parts)));
    for seller in [Seller::Ssp(&ssp), Seller::Page(&slot, None)] {
        for imp in &request.imp {
            let Ok(BidOutcome::Offers(offer, _)) = ask(index, (request, imp), seller, T) else { continue };
            let candidate = offer.ad().candidate(seller, offer.offer.expires, CURRENCY, true).expect("a candidate");
            check(&offer, &offer.offer.bid("b".into(), &candidate), seller);
        }
    }
}

const OPEN: Wishes = Wishes {
    floor: 0,
    floor_currency: None,
    currencies: None,
    domains: Vec::new(),
    categories: Vec::new(),
    apps: Vec::new(),
    deals: Vec::new(),
    private: false,
    sizes: Vec::new(),
    seconds: (1, 30),
    protocols: Vec::new(),
    mime: "video/mp4",
    attributes: Vec::new(),
    title: 90,
    seat: None,
    kind: None,
    test: false,
    multiplier: 1,
};

/// Otherwise the laws below would hold of nothing.
#[test]
fn who_asks_for_anything_is_offered_each_product_in_its_form() {
    for (product, sizes, form) in [
        (TEA, vec![(300, 250)], AdForm::Banner),
        (TEA, vec![], AdForm::Native),
        (FILM, vec![], AdForm::Video),
        (GAME, vec![(320, 50)], AdForm::Banner),
    ] {
        let wishes = Wishes { sizes, ..OPEN };
        let request = read(wishes.body().to_string().as_bytes()).expect("a request");
        let mut forms = Vec::new();
        ask_all(&mut market(product, 100), &request, 7_000, |offer, bid, _| {
            wishes.assert_hold(product, offer, bid, 70);
            forms.push(offer.form);
        });
        assert_eq!(forms, [form, form], "to an exchange and a page");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn what_is_offered_is_within_what_is_asked(
        wishes in wishes(),
        product in select(vec![TEA, FILM, GAME]),
        unit in prop_oneof![1_i64..1_000, Just(100)],
        parts in 1_000_i64..=9_500,
    ) {
        let request = read(wishes.body().to_string().as_bytes()).expect("a request");
        let most = share(parts).of_milli(unit);
        ask_all(&mut market(product, unit), &request, parts, |offer, bid, seller| match seller {
            Seller::Ssp(_) => wishes.assert_hold(product, offer, bid, most),
            // Nobody bids on behalf of a seat on a page.
            Seller::Page(..) => {
                assert!(wishes.seat.is_none());
                wishes.assert_hold(product, offer, bid, most);
            }
        });
    }

    /// A price is bid if it reaches the floor, and only then.
    #[test]
    fn a_floor_is_reached_or_nothing_is_bid(
        unit in prop_oneof![0_i64..2_000, any::<i64>()],
        parts in 1_000_i64..=9_500,
        floor in prop_oneof![0_i64..200_000, Just(i64::MAX / 10)],
        currency in select(vec![None, Some("USD"), Some("EUR"), Some("JPY"), Some("XXX")]),
    ) {
        let wishes = Wishes { floor, floor_currency: currency, sizes: vec![(300, 250)], ..OPEN };
        let request = read(wishes.body().to_string().as_bytes()).expect("a request");
        let (ssp, mut index) = (ssp(2, share(parts)), market(TEA, unit));
        let price = share(parts).of_milli(unit);
        let is_ours = floor == 0 || currency.is_none_or(|said| said == CURRENCY);
        // In whole numbers, and wider ones than the market's.
        let reaches = price > 0 && is_ours && i128::from(price) * 100 >= i128::from(floor);
        match ask(&mut index, (&request, &request.imp[0]), Seller::Ssp(&ssp), T) {
            Ok(BidOutcome::Offers(offer, _)) => {
                prop_assert!(reaches, "{price} for {floor}");
                prop_assert_eq!(offer.offer.price, Cpm::from_milli(price));
            }
            // The amount of a lease ends where numbers do.
            Ok(BidOutcome::Ask(_)) => prop_assert!(reaches && unit > i64::MAX / 1_000),
            Ok(BidOutcome::Nothing(why)) => {
                prop_assert!(!reaches || unit > i64::MAX / 1_000, "{price} for {floor}");
                prop_assert!([NoBid::BelowFloor, NoBid::FloorCurrency, NoBid::NoBudget].contains(&why), "{why:?}");
            }
            other => panic!("{other:?}"),
        }
    }

    /// Bytes that were lost, added or changed on the way.
    #[test]
    fn a_damaged_request_is_refused_or_answered_within_what_is_read(
        wishes in wishes(),
        damages in prop::collection::vec((any::<Place>(), 0_u8..3, any::<u8>()), 1..6),
        product in select(vec![TEA, FILM, GAME]),
    ) {
        let mut body = wishes.body().to_string().into_bytes();
        for (place, kind, byte) in damages {
            let at = place.index(body.len());
            match kind {
                0 => body[at] = byte,
                1 => body.insert(at, byte),
                _ => { body.remove(at); }
            }
        }
        let Ok(request) = read(&body) else { return Ok(()) };
        ask_all(&mut market(product, 100), &request, 7_000, |offer, bid, _| {
            assert!(bid.price <= Cpm::from_milli(70) && bid.price > Cpm::ZERO);
            let imp = request.imp.iter().find(|imp| imp.id == bid.impid).expect("one of its impressions");
            let floor = offer.offer.deal.map_or(imp.bidfloor, |deal| deal.bidfloor);
            assert!(bid.price >= floor, "{floor} is asked");
            let blocked = match offer.form {
                AdForm::Banner => imp.banner.as_ref().map(|form| &form.battr),
                AdForm::Video => imp.video.as_ref().map(|form| &form.battr),
                AdForm::Native => imp.native.as_ref().map(|form| &form.battr),
            };
            let blocked = blocked.expect("the form was asked for");
            assert!(bid.attr.iter().all(|attribute| !blocked.contains(attribute)));
        });
    }

    #[test]
    fn any_json_is_refused_or_answered(body in json_like(), product in select(vec![TEA, FILM, GAME])) {
        if let Ok(request) = read(body.to_string().as_bytes()) {
            ask_all(&mut market(product, 100), &request, 7_000, |offer, _, _| {
                assert!(offer.offer.price <= Cpm::from_milli(70) && offer.price_milli <= 70);
            });
        }
    }
}

/// Documents with names that requests have.
fn json_like() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        select(vec!["1", "USD", "tea.example", "video/mp4", "", "300", "IAB8", "d1"]).prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(3, 24, 4, |inner| {
        let named = "(id|w|h|banner|video|native|format|mimes|request|assets|title|bidfloor|pmp|deals|ext|qty)";
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::hash_map(named, inner, 0..5).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    });
    let value = value.boxed();
    let fields = "(badv|bcat|cur|site|app|device|user|regs|wseat|tmax|test|ext|source|at)";
    let imps = prop::collection::vec(value.clone(), 0..3);
    (imps, prop::collection::hash_map(fields, value, 0..4)).prop_map(|(imps, fields)| {
        let mut body: serde_json::Map<String, Value> = fields.into_iter().collect();
        body.insert("id".to_owned(), json!("r"));
        let of = |(number, imp): (usize, Value)| match imp {
            Value::Object(mut imp) => {
                imp.insert("id".to_owned(), json!(number.to_string()));
                imp.entry("banner").or_insert_with(|| json!({ "w": 300, "h": 250 }));
                Value::Object(imp)
            }
            other => other,
        };
        body.insert("imp".to_owned(), imps.into_iter().enumerate().map(of).collect::<Vec<_>>().into());
        Value::Object(body)
    })
}
