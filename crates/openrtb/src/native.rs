//! OpenRTB Native 1.0 to 1.2: which parts of an ad a page asks for, and the parts of one.

use std::collections::BTreeMap;
use std::fmt;

use base::named;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::read::fields::{UNKNOWN_NUMBER, Unknown};
use crate::read::{Flag, fields, object};

/// The mark of UTF-8.
const MARK: char = '\u{feff}';
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

named!(
    /// A version, as answers name it.
    NativeVersion {
        V1 "1",
        V11 "1.1",
        V12 "1.2",
    }
);

impl NativeVersion {
    /// Parses a version in any notation: `1`, `1.0`, `1.0.0.2`. A newer or unknown version counts as the newest known
    /// one.
    pub(crate) fn said(version: &str) -> Option<Self> {
        let mut parts = version.trim().split('.');
        match (parts.next(), parts.next()) {
            (None | Some(""), _) => None,
            (Some("1"), None | Some("" | "0")) => Some(Self::V1),
            (Some("1"), Some("1")) => Some(Self::V11),
            _ => Some(Self::V12),
        }
    }
}

object! {
    /// The page's request (section 4), with the fields that are read.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct NativeRequest {
        /// The version, as the page writes it.
        pub ver: Option<String> = "fields::maybe_version",
        pub assets: Vec<AskedAsset> = "fields::maybe_objects",
        /// How the page counts; without it, as before 1.2.
        pub eventtrackers: Vec<AskedTracker> = "fields::maybe_objects",
        /// Whether it came within an object `native`, as before 1.1.
        #[serde(skip)]
        pub is_wrapped: bool,
    }

    /// What of it cannot be read, fits nothing: the asset is not answered, and the others are.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    pub struct AskedAsset {
        /// Without an id, the asset cannot be answered.
        pub id: Option<i64> = "fields::maybe_id",
        pub required: Option<Flag> = "fields::applies",
        pub title: Option<AskedTitle> = "fields::object_or_unknown",
        pub img: Option<AskedImage> = "fields::object_or_unknown",
        pub data: Option<AskedData> = "fields::object_or_unknown",
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
    pub struct AskedTitle {
        /// The most characters.
        pub len: Option<u32> = "fields::most_or_none",
    }

    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct AskedImage {
        #[serde(rename = "type")]
        pub kind: Option<i32> = "fields::number_or_unknown",
        pub w: Option<u32> = "fields::size_or_unknown",
        pub h: Option<u32> = "fields::size_or_unknown",
        pub wmin: Option<u32> = "fields::size_or_unknown",
        pub hmin: Option<u32> = "fields::size_or_unknown",
        pub mimes: Vec<String> = "fields::texts_or_unknown",
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
    pub struct AskedData {
        #[serde(rename = "type")]
        pub kind: Option<i32> = "fields::number_or_unknown",
        /// The most characters.
        pub len: Option<u32> = "fields::most_or_none",
    }

    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    pub struct AskedTracker {
        pub event: Option<i32> = "fields::maybe_number",
        pub methods: Vec<i32> = "fields::maybe_numbers",
    }
}

impl Unknown for AskedTitle {
    fn unknown() -> Self {
        Self { len: Some(0) }
    }
}

impl Unknown for AskedImage {
    fn unknown() -> Self {
        Self { kind: Some(UNKNOWN_NUMBER), ..Self::default() }
    }
}

impl Unknown for AskedData {
    fn unknown() -> Self {
        Self { kind: Some(UNKNOWN_NUMBER), len: None }
    }
}

/// Reads a native request: JSON within a text, some write it twice so, or the object itself; until version 1.1 within
/// an object `native`.
pub(crate) fn asked<'de, D: Deserializer<'de>>(from: D) -> Result<NativeRequest, D::Error> {
    #[derive(Deserialize)]
    struct Outer {
        #[serde(default, deserialize_with = "fields::object")]
        native: Option<NativeRequest>,
        #[serde(default, deserialize_with = "fields::maybe_version")]
        ver: Option<String>,
        #[serde(default, deserialize_with = "fields::maybe_objects")]
        assets: Vec<AskedAsset>,
        #[serde(default, deserialize_with = "fields::maybe_objects")]
        eventtrackers: Vec<AskedTracker>,
    }

    struct OuterVisitor;

    impl<'de> Visitor<'de> for OuterVisitor {
        type Value = Outer;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a native request")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Outer, E> {
            let text = text.trim_start_matches(MARK);
            match serde_json::from_str::<String>(text) {
                Ok(within) => serde_json::from_str(&within).map_err(E::custom),
                Err(_) => serde_json::from_str(text).map_err(E::custom),
            }
        }

        fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Outer, A::Error> {
            Outer::deserialize(MapAccessDeserializer::new(object))
        }
    }

    let Outer { native, ver, assets, eventtrackers } = from.deserialize_any(OuterVisitor)?;
    Ok(match native {
        Some(native) => NativeRequest { ver: native.ver.or(ver), is_wrapped: true, ..native },
        None => NativeRequest { ver, assets, eventtrackers, is_wrapped: false },
    })
}

impl NativeRequest {
    /// The version in which it is answered.
    pub fn version(&self) -> NativeVersion {
        let said = self.ver.as_deref().and_then(NativeVersion::said);
        said.unwrap_or(if self.is_wrapped { NativeVersion::V1 } else { NativeVersion::V12 })
    }

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
    /// The sponsor's name.
    pub sponsored: &'a str,
    pub description: Option<&'a str>,
    pub call_to_action: Option<&'a str>,
    pub image: Option<Picture<'a>>,
    pub icon: Option<Picture<'a>>,
}

/// The addresses of an ad: where it leads, and what it calls when.
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

/// The markup of an ad (section 5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NativeMarkup {
    pub ver: String,
    pub assets: Vec<Asset>,
    pub link: Link,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub eventtrackers: Vec<Tracker>,
    /// The impression trackers of versions before 1.2, for pages that do not say how they count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub imptrackers: Vec<String>,
    /// Whether it is written within an object `native`.
    #[serde(skip)]
    pub is_wrapped: bool,
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
        let fits = is_side(picture.w, asked.w, asked.wmin) && is_side(picture.h, asked.h, asked.hmin);
        let is_its = |mime: &String| registered(mime).eq_ignore_ascii_case(registered(picture.mime));
        let known = asked.mimes.is_empty() || asked.mimes.iter().any(is_its);
        (fits && known).then(|| Image { kind, url: picture.url.to_owned(), w: picture.w, h: picture.h })
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
        let version = request.version();
        let mut markup = Self {
            ver: version.name().to_owned(),
            assets: parts.assets(request)?,
            link: Link {
                url: links.click.to_owned(),
                clicktrackers: links.click_tracker.into_iter().map(str::to_owned).collect(),
            },
            eventtrackers: Vec::new(),
            imptrackers: Vec::new(),
            is_wrapped: request.is_wrapped && version == NativeVersion::V1,
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

    /// `Bid.adm`.
    ///
    /// # Errors
    /// Never: every part of it can be written as JSON.
    pub fn adm(&self) -> serde_json::Result<String> {
        if self.is_wrapped {
            return serde_json::to_string(&BTreeMap::from([("native", self)]));
        }
        serde_json::to_string(self)
    }
}

/// Whether a picture may have this side. One that is asked for without a least is required exactly (section 4.4).
fn is_side(side: u32, exact: Option<u32>, least: Option<u32>) -> bool {
    match least.filter(|least| *least > 0) {
        Some(least) => side >= least,
        None => exact.is_none_or(|exact| side == exact),
    }
}

/// A type of pictures by its registered name: the standard itself writes `image/jpg` (section 4.4).
fn registered(mime: &str) -> &str {
    if mime.eq_ignore_ascii_case("image/jpg") { "image/jpeg" } else { mime }
}

/// A text is never cut: what it says would change.
fn fitting(text: &str, most: Option<u32>) -> Option<String> {
    let length = u32::try_from(text.chars().count()).ok()?;
    let fits = !text.is_empty() && most.is_none_or(|most| length <= most);
    fits.then(|| text.to_owned())
}

#[cfg(test)]
mod tests;
