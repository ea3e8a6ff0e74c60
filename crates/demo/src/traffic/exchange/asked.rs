//! What the simulated exchange sells: an impression on one of its sites or in one of its apps, and what it says about
//! the reader.

use openrtb::Cpm;
use serde_json::{Value, json};

use super::auction::share_of;
use crate::dice::Dice;
use crate::traffic::people::Visitor;

/// How long the exchange waits for an answer, in milliseconds.
pub const TMAX: u64 = 500;

/// Per thousand impressions.
const IN_APPS: u64 = 450;
const NATIVE: u64 = 220;
const VIDEO: u64 = 80;
/// Only over HTTPS.
const SECURE: u64 = 30;
/// With categories or advertisers that the site does not show.
const BLOCKS: u64 = 120;
/// Of readers who ask not to be tracked.
const LIMITED: u64 = 150;
/// Bodies that are compressed.
const ZIPPED: u64 = 500;
/// What is paid for an impression, per thousand of the usual price.
const NATIVE_WORTH: u64 = 1_150;
const VIDEO_WORTH: u64 = 1_700;
/// Without knowing the reader.
const UNKNOWN_WORTH: u64 = 750;

/// Domains that belong to nobody. The number is how often one is visited.
const SITES: &[(&str, &str, u64)] = &[
    ("morning-post.example", "IAB12", 30),
    ("recipes-at-home.example", "IAB8", 18),
    ("goal-ticker.example", "IAB17", 16),
    ("cheap-flights-blog.example", "IAB20", 9),
    ("garden-forum.example", "IAB10", 6),
];
const APPS: &[(&str, &str, u64)] =
    &[("example.weather.today", "IAB15", 26), ("example.games.blocks", "IAB9", 22), ("example.radio.live", "IAB1", 11)];
/// An app for children, in which nobody may be recognized.
const FOR_CHILDREN: (&str, &str, u64) = ("example.kids.painting", "IAB9", 5);
/// Countries with their languages, and whether readers must agree to be known.
const COUNTRIES: &[(&str, &str, bool, u64)] = &[
    ("USA", "en", false, 30),
    ("GBR", "en", true, 12),
    ("DEU", "de", true, 14),
    ("FRA", "fr", true, 9),
    ("ESP", "es", true, 7),
    ("BRA", "pt", false, 8),
    ("JPN", "ja", false, 6),
    ("TWN", "zh", false, 6),
    ("THA", "th", false, 4),
    ("VNM", "vi", false, 4),
];
const BANNERS: &[(u32, u32)] = &[(300, 250), (320, 50), (320, 100), (728, 90), (300, 600)];

/// One impression for sale.
#[derive(Clone, Debug)]
pub struct Asked {
    pub request: Value,
    pub zipped: bool,
    pub visitor: Visitor,
    /// The site or app.
    pub place: &'static str,
    /// Below that nothing is sold.
    pub floor: i64,
    /// The price that competitors usually pay for a similar impression.
    pub usual: i64,
}

struct Place {
    name: &'static str,
    category: &'static str,
    in_app: bool,
    for_children: bool,
}

impl Asked {
    /// The impression of this number in the run. `usual` is what is usually paid.
    pub fn draw(dice: &mut Dice, number: u64, usual: i64, currency: &str) -> Self {
        let visitor = Visitor::drawn(|end| dice.below(end));
        let place = place(dice, is_phone(&visitor));
        let (imp, worth) = form(dice);
        let (device, regs, unknown) = reader(dice, &visitor, &place);
        let worth = if unknown { worth * UNKNOWN_WORTH / 1_000 } else { worth };
        let usual = share_of(usual, worth);
        let floor = share_of(usual, 100 + dice.below(600));
        let mut request = json!({
            "id": format!("sim-{number}-{:08x}", dice.below(1 << 32)),
            "at": 1,
            "tmax": TMAX,
            "cur": [currency],
            "imp": [imp],
            "device": device,
            "regs": regs,
        });
        let put = |into: &mut Value, name: &str, value: Value| {
            if let Some(fields) = into.as_object_mut() {
                fields.insert(name.to_owned(), value);
            }
        };
        if let Some(imp) = request.pointer_mut("/imp/0") {
            put(imp, "bidfloor", json!(Cpm::from_milli(floor)));
            put(imp, "bidfloorcur", json!(currency));
            if dice.chance(SECURE) {
                put(imp, "secure", json!(1));
            }
        }
        put(&mut request, if place.in_app { "app" } else { "site" }, place.told());
        if dice.chance(BLOCKS) {
            put(&mut request, "bcat", json!(["IAB25", "IAB26", "IAB7-39"]));
            put(&mut request, "badv", json!(["rival.example"]));
        }
        Self { request, zipped: dice.chance(ZIPPED), visitor, place: place.name, floor, usual }
    }
}

impl Place {
    fn told(&self) -> Value {
        let publisher = json!({ "id": self.name, "name": self.name });
        if self.in_app {
            return json!({ "bundle": self.name, "cat": [self.category], "publisher": publisher });
        }
        let page = format!("https://www.{}/today", self.name);
        json!({ "domain": self.name, "page": page, "cat": [self.category], "publisher": publisher })
    }
}

fn is_phone(visitor: &Visitor) -> bool {
    visitor.agent.contains("Mobile")
}

/// Apps are on phones.
fn place(dice: &mut Dice, on_phone: bool) -> Place {
    let in_app = on_phone && dice.chance(IN_APPS);
    let apps: Vec<_> = APPS.iter().chain([&FOR_CHILDREN]).copied().collect();
    let from = if in_app { &apps } else { SITES };
    let (name, category, _) = weighted(dice, from, |place| place.2).unwrap_or(FOR_CHILDREN);
    Place { name, category, in_app, for_children: name == FOR_CHILDREN.0 }
}

/// The impression, and what it is worth per thousand of the usual price.
fn form(dice: &mut Dice) -> (Value, u64) {
    let drawn = dice.below(1_000);
    if drawn < VIDEO {
        let video = json!({ "mimes": ["video/mp4"], "minduration": 5, "maxduration": 30, "protocols": [7, 13],
            "w": 640, "h": 360, "linearity": 1, "plcmt": 1 });
        return (json!({ "id": "1", "video": video }), VIDEO_WORTH);
    }
    if drawn < VIDEO + NATIVE {
        // Half of them only take ads with a picture.
        let needs_picture = u8::from(dice.chance(500));
        let native = json!({
            "ver": "1.2",
            "assets": [
                { "id": 1, "required": 1, "title": { "len": 90 } },
                { "id": 2, "required": needs_picture, "img": { "type": 3, "wmin": 300, "hmin": 150 } },
                { "id": 3, "data": { "type": 1 } },
                { "id": 4, "data": { "type": 2, "len": 140 } },
            ],
            "eventtrackers": [{ "event": 1, "methods": [1] }, { "event": 2, "methods": [1] }],
        });
        return (json!({ "id": "1", "native": { "request": native.to_string(), "ver": "1.2" } }), NATIVE_WORTH);
    }
    let (w, h) = dice.pick(BANNERS).copied().unwrap_or((300, 250));
    (json!({ "id": "1", "banner": { "format": [{ "w": w, "h": h }], "pos": 1 } }), 1_000)
}

/// The reader's device and rights, and whether they may not be recognized.
fn reader(dice: &mut Dice, visitor: &Visitor, place: &Place) -> (Value, Value, bool) {
    let drawn = weighted(dice, COUNTRIES, |country| country.3);
    let (country, language, must_agree, _) = drawn.unwrap_or(("USA", "en", false, 1));
    let limited = u8::from(dice.chance(LIMITED));
    let kind = if is_phone(visitor) { 4 } else { 2 };
    let device = json!({ "ua": visitor.agent, "ip": visitor.address, "devicetype": kind, "lmt": limited,
        "language": language, "geo": { "country": country } });
    let regs = json!({ "coppa": u8::from(place.for_children), "gdpr": u8::from(must_agree) });
    (device, regs, limited == 1 || must_agree || place.for_children)
}

/// Draws one of them, each as often as its weight says.
fn weighted<T: Copy>(dice: &mut Dice, from: &[T], weight: impl Fn(&T) -> u64) -> Option<T> {
    let mut left = dice.below(from.iter().map(&weight).sum());
    from.iter().copied().find(|one| {
        let here = left < weight(one);
        left = left.saturating_sub(weight(one));
        here
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(seed: u64, count: u64) -> Vec<Asked> {
        let mut dice = Dice::new(seed);
        (0..count).map(|number| Asked::draw(&mut dice, number, 3_000, "USD")).collect()
    }

    #[test]
    fn every_request_can_be_read_and_says_what_the_exchange_means() {
        for asked in drawn(1, 2_000) {
            let read = openrtb::read(asked.request.to_string().as_bytes());
            let read = read.unwrap_or_else(|wrong| panic!("{wrong}: {}", asked.request));
            assert_eq!(read.imp[0].bidfloor, Cpm::from_milli(asked.floor), "{}", asked.request);
            assert!(asked.floor > 0 && asked.floor < asked.usual);
            assert!(read.source() == asked.place && read.site.is_some() != read.app.is_some());
        }
    }

    #[test]
    fn all_kinds_are_sold_and_most_are_banners() {
        let all = drawn(1, 5_000);
        let count = |pointer: &str| all.iter().filter(|asked| asked.request.pointer(pointer).is_some()).count();
        let [banners, natives, videos] = ["banner", "native", "video"].map(|form| count(&format!("/imp/0/{form}")));
        assert_eq!(banners + natives + videos, 5_000);
        assert!(banners > 3_000 && natives > 800 && videos > 250, "{banners} {natives} {videos}");
        let (sites, apps) = (count("/site"), count("/app"));
        assert!(sites > apps && apps > 800, "{sites} {apps}");
        let is = |pointer: &str| all.iter().filter(|asked| asked.request.pointer(pointer) == Some(&json!(1))).count();
        let [gdpr, coppa, lmt] = ["/regs/gdpr", "/regs/coppa", "/device/lmt"].map(is);
        assert!(gdpr > 1_500 && coppa > 50 && lmt > 500, "{gdpr} {coppa} {lmt}");
        let zipped = all.iter().filter(|asked| asked.zipped).count();
        assert!((2_200..2_800).contains(&zipped), "{zipped}");
    }

    #[test]
    fn the_same_seed_asks_the_same() {
        let texts = |seed| drawn(seed, 50).into_iter().map(|asked| asked.request.to_string()).collect::<Vec<_>>();
        assert_eq!(texts(4), texts(4));
        assert_ne!(texts(4), texts(5));
    }
}
