//! Whom a product is for, and whom a slot reaches, in the codes that describe readers.

use base::Field;
use delivery::Device;
use foundation::Fields;
use openrtb::alpha_2;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Whom a product is for, or whom a slot reaches; an empty list means everybody.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct Targeting {
    #[serde(default)]
    pub regions: Vec<String>,
    #[serde(default)]
    pub languages: Vec<String>,
    #[serde(default)]
    pub devices: Vec<String>,
    #[serde(default)]
    pub interests: Vec<String>,
}

impl From<Targeting> for delivery::Audience {
    fn from(t: Targeting) -> Self {
        Self { regions: t.regions, languages: t.languages, devices: t.devices, interests: t.interests }
    }
}

/// The names of a product's four lists in a file, in order.
pub(crate) const OF_PRODUCT: [Field; 4] =
    [Field::TargetingRegions, Field::TargetingLanguages, Field::TargetingDevices, Field::TargetingInterests];
pub(crate) const OF_SLOT: [Field; 4] =
    [Field::AudienceRegions, Field::AudienceLanguages, Field::AudienceDevices, Field::AudienceInterests];

impl Targeting {
    /// Converts the lists to the codes that are compared. Other spellings, such as `UK` or `phone`, would never match
    /// anybody.
    ///
    /// # Errors
    /// The lists that name something else.
    pub(crate) fn coded(&self, [regions, languages, devices, interests]: [Field; 4]) -> Result<Self, Fields> {
        let mut wrong = Fields::new();
        let mut read = |list: &[String], field: Field, code: fn(&str) -> Option<String>| {
            let mut codes = Vec::<String>::with_capacity(list.len());
            for written in list {
                match code(written.trim()) {
                    Some(code) if codes.contains(&code) => {}
                    Some(code) => codes.push(code),
                    None => {
                        wrong.insert(field, "invalid");
                    }
                }
            }
            codes
        };
        let coded = Self {
            regions: read(&self.regions, regions, region),
            languages: read(&self.languages, languages, language),
            devices: read(&self.devices, devices, device),
            interests: read(&self.interests, interests, interest),
        };
        if wrong.is_empty() { Ok(coded) } else { Err(wrong) }
    }
}

/// `GB`, or a part of a country such as `US-CA`.
fn region(written: &str) -> Option<String> {
    let written = written.replace('_', "-");
    let (country, part) = written.split_once('-').map_or((written.as_str(), None), |(of, part)| (of, Some(part)));
    // ISO 3166 reserves `UK`, which is often written in place of `GB`.
    let country = alpha_2(if country.eq_ignore_ascii_case("UK") { "GB" } else { country })?;
    let Some(part) = part else { return Some(country.to_owned()) };
    let is_part = (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    is_part.then(|| format!("{country}-{}", part.to_ascii_uppercase()))
}

/// The codes of ISO 639-1, and three older ones that some devices still send.
const LANGUAGES: &str = "\
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo \
    es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg \
    ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn \
    no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw \
    ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu in iw ji";

/// The platform's own codes, and codes of ISO 639-2 for languages that devices name by two letters.
const LONGER: [(&str, &str); 18] = [
    ("chi", "zh"),
    ("cht", "zh-Hant"),
    ("deu", "de"),
    ("eng", "en"),
    ("fra", "fr"),
    ("fre", "fr"),
    ("ger", "de"),
    ("ita", "it"),
    ("jp", "ja"),
    ("jpn", "ja"),
    ("kor", "ko"),
    ("nld", "nl"),
    ("por", "pt"),
    ("rus", "ru"),
    ("spa", "es"),
    ("tha", "th"),
    ("vie", "vi"),
    ("zho", "zh"),
];

/// `de`, or a variant such as `zh-Hant`, as in BCP 47.
fn language(written: &str) -> Option<String> {
    let lower = written.replace('_', "-").to_ascii_lowercase();
    let (main, kinds) = lower.split_once('-').map_or((lower.as_str(), None), |(main, kinds)| (main, Some(kinds)));
    let main = LONGER.iter().find(|(code, _)| *code == main).map_or(main, |(_, plain)| *plain);
    let is_known = main.split('-').next().is_some_and(|code| match code.len() {
        2 => LANGUAGES.split(' ').any(|known| known == code),
        3 => code.bytes().all(|b| b.is_ascii_lowercase()),
        _ => false,
    });
    let is_kind = |kind: &str| (2..=8).contains(&kind.len()) && kind.bytes().all(|b| b.is_ascii_alphanumeric());
    let cased = |kind: &str| match kind.len() {
        2 => kind.to_ascii_uppercase(),
        4 => kind.get(..1).unwrap_or_default().to_ascii_uppercase() + kind.get(1..).unwrap_or_default(),
        _ => kind.to_owned(),
    };
    let kinds: Vec<&str> = kinds.map(|kinds| kinds.split('-').collect()).unwrap_or_default();
    let tag = || std::iter::once(main.to_owned()).chain(kinds.iter().map(|kind| cased(kind))).collect::<Vec<_>>();
    (is_known && kinds.iter().all(|kind| is_kind(kind))).then(|| tag().join("-"))
}

/// The kinds of devices that user agents and exchanges distinguish.
fn device(written: &str) -> Option<String> {
    let lower = written.to_ascii_lowercase();
    let one = lower.strip_suffix('s').unwrap_or(&lower);
    let name = match one {
        "phone" | "smartphone" | "mobile phone" => "mobile",
        "computer" | "laptop" | "pc" => "desktop",
        "ctv" | "smart tv" | "television" => "tv",
        name => name,
    };
    Device::from_name(name).map(|device| device.name().to_owned())
}

/// Interests are free words that publishers and advertisers agree on.
fn interest(written: &str) -> Option<String> {
    (!written.is_empty()).then(|| written.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn what_is_meant_is_read_however_it_is_written() {
        let written = Targeting {
            regions: texts(&["uk", "GB", " de ", "FRA", "us_ca", "UK-sct"]),
            languages: texts(&["DE", "zh_hant", "pt-br", "cht", "jp", "kor", "eng", "fil", "es-419", "iw"]),
            devices: texts(&["Phone", "smartphones", "MOBILE", "pc", "tablets", "TV"]),
            interests: texts(&["Food ", "home"]),
        };
        let coded = Targeting {
            regions: texts(&["GB", "DE", "FR", "US-CA", "GB-SCT"]),
            languages: texts(&["de", "zh-Hant", "pt-BR", "ja", "ko", "en", "fil", "es-419", "iw"]),
            devices: texts(&["mobile", "desktop", "tablet", "tv"]),
            interests: texts(&["Food", "home"]),
        };
        assert_eq!(written.coded(OF_PRODUCT).as_ref(), Ok(&coded));
        assert_eq!(coded.coded(OF_SLOT).as_ref(), Ok(&coded), "and so it stays");
        assert_eq!(Targeting::default().coded(OF_SLOT), Ok(Targeting::default()));
    }

    /// A file of texts may be named by another code than that of BCP 47.
    #[test]
    fn a_language_of_the_app_is_known_by_its_own_code() {
        let main = |tag: &str| tag.split('-').next().map(str::to_owned);
        for lang in i18n::Lang::ALL {
            let known = language(lang.code());
            assert_eq!(known.as_deref().and_then(main), main(lang.bcp47()), "{}", lang.code());
        }
    }

    #[test]
    fn what_would_match_nobody_is_refused_by_its_list() {
        let named = |field: Field| Err(Fields::from([(field, "invalid")]));
        for wrong in ["", "EU", "Europe", "Germany", "XX", "US-", "US-CALI", "US-C A", "-CA"] {
            let targeting = Targeting { regions: texts(&["DE", wrong]), ..Targeting::default() };
            assert_eq!(targeting.coded(OF_PRODUCT), named(Field::TargetingRegions), "{wrong}");
        }
        for wrong in ["", "cn", "German", "d", "de-", "de-x", "de--AT", "12"] {
            let targeting = Targeting { languages: texts(&[wrong]), ..Targeting::default() };
            assert_eq!(targeting.coded(OF_SLOT), named(Field::AudienceLanguages), "{wrong}");
        }
        for wrong in ["", "s", "watch", "iPhone", "mobile/tablet"] {
            let targeting = Targeting { devices: texts(&[wrong]), ..Targeting::default() };
            assert_eq!(targeting.coded(OF_PRODUCT), named(Field::TargetingDevices), "{wrong}");
        }
        let all = texts(&[" "]);
        let targeting =
            Targeting { regions: all.clone(), languages: all.clone(), devices: all.clone(), interests: all };
        let wrong = targeting.coded(OF_SLOT).expect_err("nothing is named");
        assert_eq!(wrong.len(), OF_SLOT.len());
    }
}
