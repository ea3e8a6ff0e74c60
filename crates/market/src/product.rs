//! A product as slots and exchanges show it, kept in memory.

use base::{ProductId, hex, keyed_hash};
use delivery::Audience;
use openrtb::{Candidate, NativeParts, Picture, Sizes, Wants, app_in_store};
use plans::ContentType;

use crate::content::{Content, Creative};
use crate::index::bids::Seller;
use crate::openrtb_terms::{OpenRtbTerms, VideoFile};

/// The description of a product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    pub id: ProductId,
    pub name: String,
    pub content: Content,
    /// The audience that it is for.
    pub targeting: Audience,
    /// Where a click leads; `None` for the hosted page.
    pub landing_url: Option<String>,
    pub terms: OpenRtbTerms,
}

#[derive(Debug, PartialEq, Eq)]
pub struct ServedProduct {
    pub id: ProductId,
    pub name: String,
    content: Content,
    targeting: Audience,
    pub terms: OpenRtbTerms,
    /// The video's bitrate in kilobits per second, if the size of its file is known.
    pub video_bitrate: Option<u32>,
    /// The advertiser's, for exchanges.
    domains: Vec<String>,
    /// The app that it leads to, by its id in a store.
    app: Option<String>,
    campaign: String,
    /// The creatives' ids by content type. An id changes as soon as the creative does.
    creative_ids: Vec<(ContentType, String)>,
}

impl ServedProduct {
    /// `file_size` knows how many bytes some files have, by their addresses.
    pub fn new(product: Product, file_size: impl Fn(&str) -> Option<u64>) -> Self {
        let Product { id, name, content, targeting, landing_url, terms } = product;
        let film =
            content.of(ContentType::Video).and_then(|creative| creative.video.as_deref()).zip(terms.video.as_ref());
        let bitrate =
            |(address, file): (&str, &VideoFile)| openrtb::VideoFile::bitrate_of(file_size(address)?, file.seconds);
        let video_bitrate = film.and_then(bitrate);
        let domains = terms.advertiser_domain(landing_url.as_deref()).into_iter().collect();
        let app = landing_url.as_deref().and_then(app_in_store).map(str::to_owned);
        let campaign = format!("product-{id}");
        let identify = |kind: ContentType| Some((kind, creative_id(kind, content.of(kind)?, &name, &file_size)));
        let creative_ids = ContentType::ALL.iter().copied().filter_map(identify).collect();
        Self { id, name, content, targeting, terms, video_bitrate, domains, app, campaign, creative_ids }
    }

    /// Whether bids can say whose ad it is.
    pub(crate) fn has_domain(&self) -> bool {
        !self.domains.is_empty()
    }

    pub fn fits(&self, audience: &Audience) -> bool {
        delivery::fits(&self.targeting, audience)
    }

    pub fn has(&self, kind: ContentType) -> bool {
        self.content.of(kind).is_some()
    }

    /// Whether it has a video of which is known what players must know.
    pub(crate) fn has_film(&self) -> bool {
        let creative = self.content.of(ContentType::Video);
        self.terms.video.is_some() && creative.is_some_and(|creative| creative.video.is_some())
    }

    /// The id of its creative of this content type, within its campaign.
    fn creative_id(&self, kind: ContentType) -> Option<&str> {
        self.creative_ids.iter().find(|(of, _)| *of == kind).map(|(_, id)| id.as_str())
    }

    /// The id of its creative of this content type among all that are offered: `crid` in bids.
    pub fn crid(&self, kind: ContentType) -> Option<String> {
        Some(format!("{}-{}", self.campaign, self.creative_id(kind)?))
    }

    /// Its creative of this content type; another one if that is gone.
    pub fn creative(&self, kind: ContentType) -> Option<&Creative> {
        self.content.shown_as(kind)
    }
}

/// Exchanges review creatives once, by their ids. A file that comes with the app may change below its name, as its size
/// tells.
fn creative_id(
    kind: ContentType,
    creative: &Creative,
    advertised: &str,
    file_size: impl Fn(&str) -> Option<u64>,
) -> String {
    let Creative { title, text, image, video } = creative;
    let video = video.as_deref().unwrap_or_default();
    let sizes = [image.as_str(), video].map(|file| file_size(file).unwrap_or_default().to_string());
    let shown = [advertised, title, text, image, video, &sizes.join(" ")].join("\0");
    let mut digest = hex::encode(&keyed_hash(b"creative", &[shown.as_bytes()]));
    digest.truncate(12);
    format!("{}-{digest}", kind.name())
}

/// How an exchange is offered a creative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdForm {
    Banner,
    Video,
    Native,
}

impl AdForm {
    /// The forms of a content type, the preferred one first.
    pub const fn of(content: ContentType) -> &'static [Self] {
        match content {
            ContentType::Video => &[Self::Video],
            ContentType::LandingPage | ContentType::GameDescription => &[Self::Banner, Self::Native],
        }
    }
}

/// HTML with a script, which reports that it was viewable.
const HTML: i32 = 3;

/// A plan's creative in one form, at one price.
#[derive(Clone, Copy, Debug)]
pub struct ExchangeAd<'a> {
    pub product: &'a ServedProduct,
    pub content: ContentType,
    pub form: AdForm,
    /// The price for one view, in thousandths of a minor unit.
    pub price_milli: i64,
}

impl<'a> ExchangeAd<'a> {
    /// `None` if the product has no such creative, or not what an exchange needs to know of
    /// it. The impression may come within `lasts` seconds.
    pub fn candidate(&self, seller: Seller<'a>, lasts: u32, currency: &'a str, secure: bool) -> Option<Candidate<'a>> {
        let ServedProduct { terms, targeting, domains, app, campaign, content, .. } = self.product;
        let creative = content.of(self.content)?;
        let addresses = [Some(&creative.image), creative.video.as_ref()];
        let is_secure = |address: &&String| address.starts_with("https://") || (secure && address.starts_with('/'));
        let wants = Wants { regions: &targeting.regions, languages: &targeting.languages, devices: &targeting.devices };
        Some(Candidate {
            price_milli: self.price_milli,
            currency,
            seat: seller.seat(),
            campaign,
            creative: self.creative(creative)?,
            creative_id: self.product.creative_id(self.content)?,
            language: terms.language.as_deref(),
            secure: secure && addresses.iter().flatten().all(is_secure),
            attributes: &[],
            domains,
            app: app.as_deref(),
            categories: &terms.categories,
            deals: &terms.deals,
            // A slot has said whom it reaches.
            wants: if seller.has_audience() { Wants::default() } else { wants },
            counts_visitors: false,
            lasts,
        })
    }

    fn creative(&self, creative: &'a Creative) -> Option<openrtb::Creative<'a>> {
        match self.form {
            AdForm::Banner => Some(openrtb::Creative::Banner { sizes: Sizes::Any, btype: HTML }),
            AdForm::Native => Some(openrtb::Creative::Native(self.native(creative))),
            AdForm::Video => {
                let file = self.product.terms.video.as_ref().filter(|_| creative.video.is_some())?;
                let (seconds, w, h, bitrate) = (file.seconds, file.width, file.height, self.product.video_bitrate);
                Some(openrtb::Creative::Video(openrtb::VideoFile { mime: &file.mime, seconds, w, h, bitrate }))
            }
        }
    }

    /// The parts of a native ad.
    pub fn native(&self, creative: &'a Creative) -> NativeParts<'a> {
        let picture = self.product.terms.picture.as_ref();
        NativeParts {
            title: &creative.title,
            sponsored: &self.product.name,
            description: Some(&creative.text),
            call_to_action: None,
            image: picture.map(|file| Picture {
                url: &creative.image,
                mime: &file.mime,
                w: file.width,
                h: file.height,
            }),
            icon: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_creative_has_another_id_and_the_same_one_has_its_own() {
        let tea = Creative { title: "Tea".into(), text: "By post".into(), image: "/a.svg".into(), video: None };
        let ids = |creative: &Creative, name: &str, bytes: u64| {
            let product = Product {
                id: ProductId(1),
                name: name.into(),
                content: Content { landing_page: Some(creative.clone()), ..Content::default() },
                targeting: Audience::default(),
                landing_url: None,
                terms: OpenRtbTerms::default(),
            };
            let served = ServedProduct::new(product, |_| Some(bytes));
            let id = |kind| served.creative_id(kind).map(str::to_owned);
            (id(ContentType::LandingPage).expect("an id"), id(ContentType::Video))
        };
        let (first, of_no_video) = ids(&tea, "Tea", 100);
        assert!(first.starts_with("landing_page-") && first.len() == 25 && of_no_video.is_none(), "{first}");
        assert_eq!(ids(&tea, "Tea", 100).0, first);
        let changed = [
            ids(&Creative { image: "/b.svg".into(), ..tea.clone() }, "Tea", 100),
            ids(&Creative { title: "Green tea".into(), ..tea.clone() }, "Tea", 100),
            ids(&Creative { text: "In a shop".into(), ..tea.clone() }, "Tea", 100),
            ids(&Creative { video: Some("/a.mp4".into()), ..tea.clone() }, "Tea", 100),
            ids(&tea, "Green tea", 100),
            ids(&tea, "Tea", 101),
        ];
        let mut all: Vec<String> = changed.into_iter().map(|(id, _)| id).chain([first]).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 7);
    }

    #[test]
    fn the_bitrate_is_that_of_its_videos_file() {
        let film =
            Creative { title: String::new(), text: String::new(), image: String::new(), video: Some("/a.mp4".into()) };
        let file = VideoFile { mime: "video/mp4".into(), seconds: 10, width: 640, height: 360 };
        let bitrate = |content: Content, file: Option<VideoFile>| {
            let product = Product {
                id: ProductId(1),
                name: "Tea".into(),
                content,
                targeting: Audience::default(),
                landing_url: None,
                terms: OpenRtbTerms { video: file, ..OpenRtbTerms::default() },
            };
            ServedProduct::new(product, |address| (address == "/a.mp4").then_some(1_000_000)).video_bitrate
        };
        let of = |creative: Creative| Content { video: Some(creative), ..Content::default() };
        assert_eq!(bitrate(of(film.clone()), Some(file.clone())), Some(800));
        assert_eq!(bitrate(of(film.clone()), None), None, "nobody knows how long it is");
        let other = Creative { video: Some("/b.mp4".into()), ..film.clone() };
        assert_eq!(bitrate(of(other), Some(file.clone())), None, "nobody knows how large it is");
        let elsewhere = Content { landing_page: Some(film), ..Content::default() };
        assert_eq!(bitrate(elsewhere, Some(file)), None, "exchanges are offered the video's creative");
    }
}
