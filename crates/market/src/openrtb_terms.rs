//! The description of a product for exchanges, and what is needed to show its ads there.

use base::Field;
use serde::{Deserialize, Serialize};

/// The table `openrtb` of a product's file. Without it, exchanges that block categories get no bid, and
/// neither do videos and native ads with pictures.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenRtbTerms {
    /// The advertiser's domain, if it is not that of the landing page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// Codes of the IAB Content Taxonomy 1.0, such as `IAB8-5`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// The language of its creatives, such as `en`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The deals that were agreed for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deals: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<PictureFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub video: Option<VideoFile>,
}

/// The picture of its creatives, in pixels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PictureFile {
    /// Such as `image/jpeg`.
    #[serde(rename = "type")]
    pub mime: String,
    pub width: u32,
    pub height: u32,
}

/// The video of its video creative.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VideoFile {
    /// Such as `video/mp4`.
    #[serde(rename = "type")]
    pub mime: String,
    pub seconds: u32,
    pub width: u32,
    pub height: u32,
}

const MOST: usize = 20;
const LONGEST_DEAL: usize = 64;
const LARGEST: u32 = 10_000;
const LONGEST_VIDEO: u32 = 600;

impl OpenRtbTerms {
    /// The fields that are invalid, by their names in a product's file.
    pub fn invalid_fields(&self) -> Vec<Field> {
        let mut wrong = Vec::new();
        let mut refuse_if = |is_wrong: bool, field| {
            if is_wrong {
                wrong.push(field);
            }
        };
        refuse_if(self.domain.as_deref().is_some_and(|domain| !is_domain(domain)), Field::OpenrtbDomain);
        let categories = self.categories.iter().all(|category| is_category(category));
        refuse_if(!categories || self.categories.len() > MOST, Field::OpenrtbCategories);
        refuse_if(self.language.as_deref().is_some_and(|language| !is_language(language)), Field::OpenrtbLanguage);
        let deals = self.deals.iter().all(|deal| is_deal(deal));
        refuse_if(!deals || self.deals.len() > MOST, Field::OpenrtbDeals);
        let sized = |width: u32, height: u32| [width, height].iter().all(|side| (1..=LARGEST).contains(side));
        let picture = |file: &PictureFile| is_mime(&file.mime, "image/") && sized(file.width, file.height);
        refuse_if(!self.picture.as_ref().is_none_or(picture), Field::OpenrtbPicture);
        let video = |file: &VideoFile| {
            let lasts = (1..=LONGEST_VIDEO).contains(&file.seconds);
            is_mime(&file.mime, "video/") && sized(file.width, file.height) && lasts
        };
        refuse_if(!self.video.as_ref().is_none_or(video), Field::OpenrtbVideo);
        wrong
    }

    /// The advertiser's domain, which every bid must name: the one given here, or that of the landing page. Without a
    /// domain, the product is in no auction.
    pub fn advertiser_domain(&self, landing_url: Option<&str>) -> Option<String> {
        self.domain.clone().or_else(|| landing_url.and_then(host))
    }

    /// The stored text; `None` if nothing is given.
    pub fn stored(&self) -> Result<Option<String>, serde_json::Error> {
        if *self == Self::default() {
            return Ok(None);
        }
        serde_json::to_string(self).map(Some)
    }

    pub fn read(stored: Option<&str>) -> Result<Self, serde_json::Error> {
        stored.map_or_else(|| Ok(Self::default()), serde_json::from_str)
    }
}

/// The host of a web address, as a domain of its own.
fn host(address: &str) -> Option<String> {
    let host = delivery::landing_host(address)?;
    let domain = host.strip_prefix("www.").unwrap_or(&host);
    domain.parse::<supply::Domain>().ok().map(|domain| domain.to_string())
}

fn is_domain(text: &str) -> bool {
    text.parse::<supply::Domain>().is_ok()
}

/// `IAB8` or `IAB8-5`.
fn is_category(text: &str) -> bool {
    let number = |text: &str| (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    let Some(rest) = text.strip_prefix("IAB") else { return false };
    rest.split_once('-').map_or_else(|| number(rest), |(tier, below)| number(tier) && number(below))
}

/// A tag of BCP 47, as far as exchanges use them: `de`, `zh-Hant`.
fn is_language(text: &str) -> bool {
    let part = |part: &str| (2..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    text.split('-').count() <= 3 && text.split('-').all(part)
}

fn is_deal(text: &str) -> bool {
    (1..=LONGEST_DEAL).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic())
}

fn is_mime(text: &str, of: &str) -> bool {
    let rest = text.strip_prefix(of).unwrap_or_default();
    !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_checked() {
        let texts = |text: &str| vec![text.to_owned()];
        let picture = PictureFile { mime: "image/jpeg".into(), width: 1200, height: 628 };
        let video = VideoFile { mime: "video/mp4".into(), seconds: 15, width: 1280, height: 720 };
        let good = OpenRtbTerms {
            domain: Some("tea.example".into()),
            categories: vec!["IAB8".into(), "IAB8-18".into()],
            language: Some("zh-Hant".into()),
            deals: texts("Spring/26"),
            picture: Some(picture.clone()),
            video: Some(video.clone()),
        };
        assert!(
            OpenRtbTerms::invalid_fields(&good).is_empty()
                && OpenRtbTerms::invalid_fields(&OpenRtbTerms::default()).is_empty()
        );
        for domain in ["", "https://tea.example", "tea example"] {
            assert_eq!(
                OpenRtbTerms::invalid_fields(&OpenRtbTerms { domain: Some(domain.into()), ..good.clone() }),
                [Field::OpenrtbDomain]
            );
        }
        for category in ["", "IAB", "iab8", "IAB8-", "IAB8-5-1", "IAB100"] {
            let terms = OpenRtbTerms { categories: texts(category), ..good.clone() };
            assert_eq!(OpenRtbTerms::invalid_fields(&terms), [Field::OpenrtbCategories], "{category}");
        }
        for language in ["", "d", "de_AT", "de-", "languages-of-all-kinds"] {
            let terms = OpenRtbTerms { language: Some(language.into()), ..good.clone() };
            assert_eq!(OpenRtbTerms::invalid_fields(&terms), [Field::OpenrtbLanguage], "{language}");
        }
        for deal in ["", "a b", &"d".repeat(65)] {
            assert_eq!(
                OpenRtbTerms::invalid_fields(&OpenRtbTerms { deals: texts(deal), ..good.clone() }),
                [Field::OpenrtbDeals],
                "{deal}"
            );
        }
        for picture in [
            PictureFile { mime: "video/mp4".into(), ..picture.clone() },
            PictureFile { width: 0, ..picture.clone() },
            PictureFile { height: 10_001, ..picture },
        ] {
            assert_eq!(
                OpenRtbTerms::invalid_fields(&OpenRtbTerms { picture: Some(picture), ..good.clone() }),
                [Field::OpenrtbPicture]
            );
        }
        for video in [
            VideoFile { mime: "video/".into(), ..video.clone() },
            VideoFile { seconds: 0, ..video.clone() },
            VideoFile { seconds: 601, ..video },
        ] {
            assert_eq!(
                OpenRtbTerms::invalid_fields(&OpenRtbTerms { video: Some(video), ..good.clone() }),
                [Field::OpenrtbVideo]
            );
        }
    }

    #[test]
    fn an_advertisers_domain_is_what_is_said_or_that_of_its_page() {
        let (none, said) =
            (OpenRtbTerms::default(), OpenRtbTerms { domain: Some("tea.test".into()), ..OpenRtbTerms::default() });
        let of = |landing_url| none.advertiser_domain(Some(landing_url));
        assert_eq!(of("https://www.Tea.example/first?x=1").as_deref(), Some("tea.example"));
        assert_eq!(of("http://tea.example:8080#a").as_deref(), Some("tea.example"));
        assert_eq!(of("HTTPS://www.例え.jp/茶").as_deref(), Some("xn--r8jz45g.jp"));
        assert_eq!((of("https://192.0.2.1/"), of("tea.example"), of("https:///")), (None, None, None));
        assert_eq!(said.advertiser_domain(Some("https://tea.example/")).as_deref(), Some("tea.test"));
        assert_eq!((said.advertiser_domain(None), none.advertiser_domain(None)), (Some("tea.test".into()), None));
    }

    #[test]
    fn what_says_nothing_is_stored_as_nothing() {
        let terms = OpenRtbTerms { language: Some("de".into()), ..OpenRtbTerms::default() };
        let stored = terms.stored().expect("stored");
        assert_eq!(stored.as_deref(), Some(r#"{"language":"de"}"#));
        assert_eq!(OpenRtbTerms::read(stored.as_deref()).expect("read"), terms);
        assert_eq!(OpenRtbTerms::default().stored().expect("stored"), None);
        assert_eq!(OpenRtbTerms::read(None).expect("read"), OpenRtbTerms::default());
    }
}
