//! OpenRTB Native 1.2: which parts of an ad a page asks for, and the parts of one.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::read::{Flag, fields};

/// Events and ways to count them, by the standard's lists.
const IMPRESSION: i32 = 1;
const VIEWABLE: i32 = 2;
const PIXEL: i32 = 1;
/// Kinds of pictures.
const ICON: i32 = 1;
const MAIN: i32 = 3;
/// Kinds of texts.
const SPONSORED: i32 = 1;
const DESCRIPTION: i32 = 2;
const CALL_TO_ACTION: i32 = 12;

const VERSION: &str = "1.2";

/// What the page asks for (section 4), with the fields that are read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct NativeRequest {
    #[serde(default, deserialize_with = "fields::objects")]
    pub assets: Vec<AskedAsset>,
    #[serde(default, deserialize_with = "fields::objects")]
    pub eventtrackers: Vec<AskedTracker>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct AskedAsset {
    /// Without it, nothing can be answered for it.
    #[serde(default, deserialize_with = "fields::maybe_id")]
    pub id: Option<i64>,
    #[serde(default, deserialize_with = "fields::flag")]
    pub required: Option<Flag>,
    #[serde(default, deserialize_with = "fields::object")]
    pub title: Option<AskedTitle>,
    #[serde(default, deserialize_with = "fields::object")]
    pub img: Option<AskedImage>,
    #[serde(default, deserialize_with = "fields::object")]
    pub data: Option<AskedData>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct AskedTitle {
    /// The most characters.
    #[serde(default, deserialize_with = "fields::count")]
    pub len: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct AskedImage {
    #[serde(default, rename = "type", deserialize_with = "fields::number")]
    pub kind: Option<i32>,
    #[serde(default, deserialize_with = "fields::least")]
    pub wmin: Option<u32>,
    #[serde(default, deserialize_with = "fields::least")]
    pub hmin: Option<u32>,
    #[serde(default, deserialize_with = "fields::texts")]
    pub mimes: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct AskedData {
    #[serde(default, rename = "type", deserialize_with = "fields::number")]
    pub kind: Option<i32>,
    /// The most characters.
    #[serde(default, deserialize_with = "fields::count")]
    pub len: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct AskedTracker {
    #[serde(default, deserialize_with = "fields::maybe_number")]
    pub event: Option<i32>,
    #[serde(default, deserialize_with = "fields::numbers")]
    pub methods: Vec<i32>,
}

/// Reads a native request: JSON within a text, or the object itself; until version 1.1 within an
/// object `native`.
pub(crate) fn asked<'de, D: Deserializer<'de>>(from: D) -> Result<NativeRequest, D::Error> {
    #[derive(Deserialize)]
    struct Outer {
        native: Option<NativeRequest>,
        #[serde(default, deserialize_with = "fields::objects")]
        assets: Vec<AskedAsset>,
        #[serde(default, deserialize_with = "fields::objects")]
        eventtrackers: Vec<AskedTracker>,
    }

    struct OuterVisitor;

    impl<'de> Visitor<'de> for OuterVisitor {
        type Value = Outer;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a native request")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Outer, E> {
            serde_json::from_str(text).map_err(E::custom)
        }

        fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Outer, A::Error> {
            Outer::deserialize(MapAccessDeserializer::new(object))
        }
    }

    let Outer { native, assets, eventtrackers } = from.deserialize_any(OuterVisitor)?;
    Ok(native.unwrap_or(NativeRequest { assets, eventtrackers }))
}

impl NativeRequest {
    fn counts(&self, event: i32) -> bool {
        self.eventtrackers.iter().any(|asked| asked.event == Some(event) && asked.methods.contains(&PIXEL))
    }
}

/// A picture of an ad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture<'a> {
    pub url: &'a str,
    pub mime: &'a str,
    pub w: u32,
    pub h: u32,
}

/// The parts that an ad has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NativeParts<'a> {
    pub title: &'a str,
    /// Who pays for it.
    pub sponsored: &'a str,
    pub description: Option<&'a str>,
    pub call_to_action: Option<&'a str>,
    pub image: Option<Picture<'a>>,
    pub icon: Option<Picture<'a>>,
}

/// Where an ad leads, and what is called when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NativeLinks<'a> {
    pub click: &'a str,
    /// Called besides, at a click.
    pub click_tracker: Option<&'a str>,
    pub impression: &'a str,
    /// Called when half of it was seen for a second.
    pub viewable: Option<&'a str>,
}

/// Something that the page requires is missing, or longer than it allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the ad has nothing for asset {id:?}")]
pub struct MissingAsset {
    pub id: Option<i64>,
}

/// The markup of an ad (section 5): `Bid.adm` is this as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NativeMarkup {
    pub ver: String,
    pub assets: Vec<Asset>,
    pub link: Link,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub eventtrackers: Vec<Tracker>,
    /// For pages that do not say how they count: the way of before 1.2.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub imptrackers: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asset {
    pub id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Title>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub img: Option<Image>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Data>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Title {
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    #[serde(rename = "type")]
    pub kind: i32,
    pub url: String,
    pub w: u32,
    pub h: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Data {
    #[serde(rename = "type")]
    pub kind: i32,
    pub value: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    pub url: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clicktrackers: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tracker {
    pub event: i32,
    pub method: i32,
    pub url: String,
}

impl NativeParts<'_> {
    /// The parts that a page asks for, as far as the ad has them.
    ///
    /// # Errors
    /// The first required one that it does not have.
    pub fn assets(&self, request: &NativeRequest) -> Result<Vec<Asset>, MissingAsset> {
        let mut found = Vec::with_capacity(request.assets.len());
        for asked in &request.assets {
            match self.asset(asked) {
                Some(asset) => found.push(asset),
                None if asked.required == Some(Flag(true)) => return Err(MissingAsset { id: asked.id }),
                None => {}
            }
        }
        Ok(found)
    }

    fn asset(&self, asked: &AskedAsset) -> Option<Asset> {
        let asset = Asset { id: asked.id?, title: None, img: None, data: None };
        if let Some(title) = asked.title {
            let text = fitting(self.title, title.len)?;
            return Some(Asset { title: Some(Title { text }), ..asset });
        }
        if let Some(img) = &asked.img {
            return Some(Asset { img: Some(self.image(img)?), ..asset });
        }
        let data = asked.data?;
        let kind = data.kind?;
        let text = match kind {
            SPONSORED => Some(self.sponsored),
            DESCRIPTION => self.description,
            CALL_TO_ACTION => self.call_to_action,
            _ => None,
        };
        let value = fitting(text?, data.len)?;
        Some(Asset { data: Some(Data { kind, value }), ..asset })
    }

    fn image(&self, asked: &AskedImage) -> Option<Image> {
        let kind = asked.kind.unwrap_or(MAIN);
        let picture = match kind {
            ICON => self.icon,
            MAIN => self.image,
            _ => None,
        }?;
        let large = asked.wmin.is_none_or(|w| picture.w >= w) && asked.hmin.is_none_or(|h| picture.h >= h);
        let known = asked.mimes.is_empty() || asked.mimes.iter().any(|mime| mime.eq_ignore_ascii_case(picture.mime));
        (large && known).then(|| Image { kind, url: picture.url.to_owned(), w: picture.w, h: picture.h })
    }
}

impl NativeMarkup {
    /// The markup of an ad, with what the page asks for.
    ///
    /// # Errors
    /// The first required part that the ad does not have.
    pub fn new(
        request: &NativeRequest,
        parts: &NativeParts<'_>,
        links: &NativeLinks<'_>,
    ) -> Result<Self, MissingAsset> {
        let tracker = |event, url: &str| Tracker { event, method: PIXEL, url: url.to_owned() };
        let mut markup = Self {
            ver: VERSION.to_owned(),
            assets: parts.assets(request)?,
            link: Link {
                url: links.click.to_owned(),
                clicktrackers: links.click_tracker.into_iter().map(str::to_owned).collect(),
            },
            eventtrackers: Vec::new(),
            imptrackers: Vec::new(),
        };
        if request.counts(IMPRESSION) {
            markup.eventtrackers.push(tracker(IMPRESSION, links.impression));
        } else {
            markup.imptrackers.push(links.impression.to_owned());
        }
        if let Some(viewable) = links.viewable.filter(|_| request.counts(VIEWABLE)) {
            markup.eventtrackers.push(tracker(VIEWABLE, viewable));
        }
        Ok(markup)
    }
}

/// A text is never cut: what it says would change.
fn fitting(text: &str, most: Option<u32>) -> Option<String> {
    let length = u32::try_from(text.chars().count()).ok()?;
    let fits = !text.is_empty() && most.is_none_or(|most| length <= most);
    fits.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::{LINKS, PARTS};

    fn asked(assets: serde_json::Value) -> NativeRequest {
        serde_json::from_value(json!({ "ver": "1.2", "assets": assets })).expect("a request")
    }

    #[test]
    fn what_is_asked_for_is_filled_in_by_number() {
        let request = asked(json!([
            { "id": 7, "required": 1, "title": { "len": 14 } },
            { "id": 3, "img": { "type": 3, "wmin": 1200, "hmin": 627, "mimes": ["image/png", "image/JPEG"] } },
            { "id": 4, "img": { "type": 1, "wmin": 64 } },
            { "id": 5, "data": { "type": 1 } },
            { "id": 6, "data": { "type": 2, "len": 200 } },
            { "id": 8, "data": { "type": 12, "len": 8 } },
        ]));
        let assets = serde_json::to_value(PARTS.assets(&request).expect("assets")).expect("JSON");
        let expected = json!([
            { "id": 7, "title": { "text": "Shoes & \"more\"" } },
            { "id": 3, "img": { "type": 3, "url": "https://ads.example/i.jpg", "w": 1200, "h": 627 } },
            { "id": 4, "img": { "type": 1, "url": "https://ads.example/icon.png", "w": 80, "h": 80 } },
            { "id": 5, "data": { "type": 1, "value": "Shoes Ltd" } },
            { "id": 6, "data": { "type": 2, "value": "All shoes" } },
            { "id": 8, "data": { "type": 12, "value": "Buy now" } },
        ]);
        assert_eq!(assets, expected);
    }

    #[test]
    fn what_is_missing_is_left_out_unless_it_is_required() {
        for (field, value) in [
            ("title", json!({ "len": 13 })),
            ("img", json!({ "type": 3, "wmin": 1201 })),
            ("img", json!({ "type": 3, "hmin": 628 })),
            ("img", json!({ "type": 3, "mimes": ["image/webp"] })),
            ("img", json!({ "type": 500 })),
            ("data", json!({ "type": 2, "len": 8 })),
            ("data", json!({ "type": 6 })),
            ("video", json!({ "mimes": ["video/mp4"] })),
        ] {
            let one = |required: i32| asked(json!([{ "id": 9, "required": required, field: value }]));
            assert_eq!(PARTS.assets(&one(0)), Ok(Vec::new()), "{field} {value}");
            assert_eq!(PARTS.assets(&one(1)), Err(MissingAsset { id: Some(9) }), "{field} {value}");
        }
        let bare = NativeParts { description: None, call_to_action: None, image: None, icon: None, ..PARTS };
        let all = asked(
            json!([{ "id": 1, "img": {} }, { "id": 2, "img": { "type": 1 } }, { "id": 3, "data": { "type": 12 } }]),
        );
        assert_eq!(bare.assets(&all), Ok(Vec::new()));
    }

    #[test]
    fn events_are_counted_as_the_page_can() {
        let tracked = |trackers: serde_json::Value| {
            let request = serde_json::from_value(json!({ "eventtrackers": trackers })).expect("a request");
            serde_json::to_value(NativeMarkup::new(&request, &PARTS, &LINKS).expect("markup")).expect("JSON")
        };
        let older = tracked(json!([]));
        assert_eq!(older["imptrackers"], json!(["https://ads.example/t/i?a=1&b=2"]));
        assert_eq!((older.get("eventtrackers"), &older["ver"]), (None, &json!("1.2")));
        let scripts = tracked(json!([{ "event": 1, "methods": [2] }]));
        assert_eq!(scripts["imptrackers"], older["imptrackers"], "only pixels are offered");
        let both = tracked(json!([{ "event": 1, "methods": [1, 2] }, { "event": 2, "methods": [1] }]));
        let expected = json!([
            { "event": 1, "method": 1, "url": "https://ads.example/t/i?a=1&b=2" },
            { "event": 2, "method": 1, "url": "https://ads.example/t/v" },
        ]);
        assert_eq!((&both["eventtrackers"], both.get("imptrackers")), (&expected, None));
        let link = json!({ "url": "https://ads.example/t/c", "clicktrackers": ["https://ads.example/t/k"] });
        assert_eq!(both["link"], link);
    }
}
