//! Products, as clients see them and as staff define them.

use std::collections::BTreeMap;

use auth::Permission;
use base::{AdvertiserId, Field, Money, ProductId, Rate, named};
use delivery::is_landing_page;
use foundation::staff::requests::RequestView;
use foundation::staff::{Changes, Staff};
use foundation::{App, Error, Fields, Refusal};
use i18n::Lang;
use plans::{ContentType, Pricing};
use serde::{Deserialize, Serialize};
use store::plans::product::{NewProduct, ProductRow};
use store::{Page, PageRequest};
use utoipa::ToSchema;

use crate::catalogue::product_pictures::{find_added, is_own, not_added, shown_files};
use crate::catalogue::product_terms;
use crate::catalogue::targeting::OF_PRODUCT;

pub use crate::catalogue::targeting::Targeting;
pub use market::{Content, Creative, OpenRtbTerms, PictureFile, Translation, VideoFile, Words};

/// What delivery costs the user: `price` for a thousand impressions (cpm) or
/// for a click (cpc), over at most `days` days.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PutRule {
    pub pricing: Pricing,
    pub price: Money,
    pub days: i32,
}

/// What a conversion pays the user before the fee.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Payout {
    pub per: String,
    pub amount: Money,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Product {
    pub id: ProductId,
    pub name: String,
    pub summary: String,
    pub image: String,
    pub min_put: Money,
    pub max_put: Money,
    pub content_types: Vec<ContentType>,
    pub content: Content,
    pub targeting: Targeting,
    pub put_rule: PutRule,
    pub payout: Payout,
    /// How long after a click a conversion counts, in days; 0 means as long as the plan
    /// runs.
    pub attribution_days: i32,
    /// The platform's share of what conversions pay, such as `0.05`.
    pub fee_rate: String,
    /// The words in other languages; see [`Product::tell_in`].
    #[serde(skip)]
    translations: BTreeMap<String, Translation>,
}

impl Product {
    pub fn view(row: &ProductRow) -> Result<Self, Error> {
        let mut content = content_of(row)?;
        let translations = std::mem::take(&mut content.translations);
        Ok(Self {
            id: row.id,
            name: row.name.clone(),
            summary: row.summary.clone(),
            image: row.image.clone(),
            min_put: row.min_put,
            max_put: row.max_put,
            content_types: content.types(),
            content,
            targeting: targeting_of(&row.targeting)?,
            put_rule: put_rule(row.pricing, row.price, row.days),
            payout: Payout { per: "conversion".into(), amount: row.payout },
            attribution_days: row.attribution_days,
            fee_rate: row.fee_rate.to_string(),
            translations,
        })
    }

    /// In the reader's language, as far as its words are translated.
    pub fn tell_in(&mut self, lang: Lang) {
        self.content.translations = std::mem::take(&mut self.translations);
        if let Some(summary) = self.content.tell_in(lang.code()) {
            self.summary = summary;
        }
    }
}

pub fn content_of(row: &ProductRow) -> Result<Content, Error> {
    serde_json::from_str(&row.content).map_err(|e| Error::Internal(format!("content of product {}: {e}", row.id)))
}

pub(crate) fn targeting_of(json: &str) -> Result<Targeting, Error> {
    serde_json::from_str(json).map_err(|e| Error::Internal(format!("targeting {json}: {e}")))
}

/// The product's terms for exchanges.
pub(crate) fn openrtb_of(stored: Option<&str>) -> Result<OpenRtbTerms, Error> {
    OpenRtbTerms::read(stored).map_err(|e| Error::Internal(format!("what exchanges are told: {e}")))
}

pub const fn put_rule(pricing: Pricing, price: Money, days: i32) -> PutRule {
    PutRule { pricing, price, days }
}

/// A product as staff see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StaffProduct {
    #[serde(flatten)]
    pub product: Product,
    pub advertiser_id: AdvertiserId,
    /// `draft` until a second person has approved its terms, then `offered`, or `closed`.
    pub status: &'static str,
    pub landing_url: Option<String>,
    pub conversions_per_click: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openrtb: Option<OpenRtbTerms>,
    /// Whether it is offered in auctions, or why it is not.
    pub auctions: AuctionReadiness,
}

named!(
    /// Whether a product is offered in auctions.
    AuctionReadiness {
        Ready "ready",
        /// Only where none are blocked, since it could be of any.
        NoCategories "no_categories",
        /// Every bid names its advertiser, and nothing says whose this one is.
        NoDomain "no_domain",
        /// A click has no price per view.
        PaidByClicks "paid_by_clicks",
    }
);

impl AuctionReadiness {
    fn of(pricing: Pricing, openrtb: &OpenRtbTerms, landing_url: Option<&str>) -> Self {
        match (pricing, openrtb.advertiser_domain(landing_url)) {
            (Pricing::Cpc, _) => Self::PaidByClicks,
            (Pricing::Cpm, None) => Self::NoDomain,
            (Pricing::Cpm, Some(_)) if openrtb.categories.is_empty() => Self::NoCategories,
            (Pricing::Cpm, Some(_)) => Self::Ready,
        }
    }
}

impl StaffProduct {
    fn view(row: &ProductRow) -> Result<Self, Error> {
        let status = match (row.draft, row.active) {
            (true, _) => "draft",
            (false, true) => "offered",
            (false, false) => "closed",
        };
        let mut product = Product::view(row)?;
        product.content.translations = std::mem::take(&mut product.translations);
        let openrtb = row.openrtb.as_deref().map(|stored| openrtb_of(Some(stored))).transpose()?;
        let known = openrtb.clone().unwrap_or_default();
        let auctions = AuctionReadiness::of(product.put_rule.pricing, &known, row.landing_url.as_deref());
        Ok(Self {
            product,
            advertiser_id: row.advertiser_id,
            status,
            landing_url: row.landing_url.clone(),
            conversions_per_click: row.conversions_per_click,
            openrtb,
            auctions,
        })
    }
}

/// A page of all products, for staff.
pub async fn all_products(app: &App, request: PageRequest) -> Result<Page<StaffProduct>, Error> {
    let page = app.db.read(move |conn| store::plans::product::page(conn, false, request)).await?;
    let next = page.next;
    let items = page.items.iter().map(StaffProduct::view).collect::<Result<_, _>>()?;
    Ok(Page { items, next })
}

/// A page of the products on offer.
pub async fn products(app: &App, request: PageRequest) -> Result<Page<Product>, Error> {
    let page = app.db.read(move |conn| store::plans::product::page(conn, true, request)).await?;
    let next = page.next;
    let items = page.items.iter().map(Product::view).collect::<Result<_, _>>()?;
    Ok(Page { items, next })
}

pub async fn product(app: &App, id: ProductId) -> Result<Product, Error> {
    let row = app.db.read(move |conn| store::plans::product::find(conn, id)).await?;
    Product::view(&row.filter(|row| !row.draft).ok_or(Refusal::NotFound)?)
}

/// The put rule as staff write it.
#[derive(Clone, Debug, Deserialize)]
pub struct PutRuleFile {
    pub pricing: String,
    pub price: String,
    pub days: i32,
}

/// A product in a TOML or JSON file by staff.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProductFile {
    /// The advertiser's id.
    pub advertiser: i64,
    pub name: String,
    pub summary: String,
    pub image: String,
    pub min_put: String,
    pub max_put: String,
    pub put_rule: PutRuleFile,
    pub payout: String,
    pub attribution_days: i32,
    pub fee_rate: String,
    pub content: Content,
    #[serde(default)]
    pub targeting: Targeting,
    pub landing_url: Option<String>,
    /// The most conversions that one click can bring.
    #[serde(default = "once")]
    pub conversions_per_click: i32,
    #[serde(default)]
    pub openrtb: OpenRtbTerms,
}

/// The most decimals of a fee rate. Level and VIP take whole per cents off it, so agreed
/// rates have at most eight.
const RATE_DECIMALS: u32 = 6;

const fn once() -> i32 {
    1
}

impl ProductFile {
    /// Checks every field; the error names the ones that are wrong.
    pub fn check(&self) -> Result<NewProduct, Error> {
        let mut wrong = Fields::new();
        let mut amount = |field: Field, text: &str| match text.parse::<Money>() {
            Ok(amount) if amount.is_positive() => amount,
            _ => {
                wrong.insert(field, "invalid_amount");
                Money::ZERO
            }
        };
        let (min_put, max_put) = (amount(Field::MinPut, &self.min_put), amount(Field::MaxPut, &self.max_put));
        let (price, payout) = (amount(Field::PutRulePrice, &self.put_rule.price), amount(Field::Payout, &self.payout));
        if self.name.trim().is_empty() {
            wrong.insert(Field::Name, "required");
        }
        if min_put > max_put {
            wrong.insert(Field::MaxPut, "invalid");
        }
        if self.content.types().is_empty() {
            wrong.insert(Field::Content, "required");
        }
        let translated = |code: &String| Lang::parse(code).is_some_and(|lang| lang != Lang::En);
        if !self.content.translations.keys().all(translated) || !self.content.has_what_is_translated() {
            wrong.insert(Field::Content, "invalid");
        }
        let is_short = |rate: &Rate| rate.decimal().normalize().scale() <= RATE_DECIMALS;
        let fee_rate = self.fee_rate.parse::<Rate>().ok().filter(is_short);
        if fee_rate.is_none() {
            wrong.insert(Field::FeeRate, "invalid");
        }
        if !(1..=365).contains(&self.put_rule.days) {
            wrong.insert(Field::PutRuleDays, "invalid");
        }
        if !(0..=90).contains(&self.attribution_days) {
            wrong.insert(Field::AttributionDays, "invalid");
        }
        if !(1..=1_000_000).contains(&self.conversions_per_click) {
            wrong.insert(Field::ConversionsPerClick, "invalid");
        }
        // Clicks are redirected to web pages only, never to another kind of address.
        if self.landing_url.as_deref().is_some_and(|url| !is_landing_page(url)) {
            wrong.insert(Field::LandingUrl, "invalid");
        }
        let files = shown_files(&self.image, &self.content);
        wrong.extend(files.iter().filter(|file| !is_own(file.address)).map(|file| (file.field, "not_ours")));
        wrong.extend(self.openrtb.invalid_fields().into_iter().map(|field| (field, "invalid")));
        let targeting = self.targeting.coded(OF_PRODUCT).unwrap_or_else(|lists| {
            wrong.extend(lists);
            Targeting::default()
        });
        let pricing = Pricing::from_name(&self.put_rule.pricing);
        if pricing.is_none() {
            wrong.insert(Field::PutRulePricing, "invalid");
        }
        let (Some(pricing), Some(fee_rate), true) = (pricing, fee_rate, wrong.is_empty()) else {
            return Err(Error::Fields(wrong));
        };
        let json = |text: Result<String, serde_json::Error>| text.map_err(|e| Error::Internal(e.to_string()));
        Ok(NewProduct {
            advertiser_id: AdvertiserId(self.advertiser),
            name: self.name.trim().to_owned(),
            summary: self.summary.clone(),
            image: self.image.clone(),
            min_put,
            max_put,
            pricing,
            price,
            days: self.put_rule.days,
            payout,
            attribution_days: self.attribution_days,
            fee_rate,
            content: json(serde_json::to_string(&self.content))?,
            targeting: json(serde_json::to_string(&targeting))?,
            landing_url: self.landing_url.clone(),
            active: true,
            draft: true,
            conversions_per_click: self.conversions_per_click,
            openrtb: self.openrtb.stored().map_err(|e| Error::Internal(e.to_string()))?,
        })
    }
}

/// A new product, and the request for its terms.
#[derive(Clone, Debug, Serialize)]
pub struct AddedProduct {
    #[serde(flatten)]
    pub request: RequestView,
    pub product: StaffProduct,
}

/// Inserts a draft and requests its terms; it is offered once another operator has
/// approved them.
///
/// # Errors
/// All wrong fields; `not_permitted`, `limit_exceeded`.
pub async fn add_product(app: &App, by: &Staff, file: &ProductFile) -> Result<AddedProduct, Error> {
    by.may(Permission::Catalogue)?;
    let product = file.check()?;
    let (by, file) = (by.clone(), file.clone());
    app.db
        .write(move |tx| {
            let advertiser = product.advertiser_id;
            Error::field_if(store::plans::advertiser::find(tx, advertiser)?.is_none(), Field::Advertiser, "not_found")?;
            Error::field_if(store::plans::product::find_by_name(tx, &product.name)?.is_some(), Field::Name, "taken")?;
            let files = shown_files(&file.image, &file.content);
            let missing = not_added(&files, &find_added(tx, &files)?);
            if !missing.is_empty() {
                return Err(Error::Fields(missing.into_iter().map(|field| (field, "not_added")).collect()));
            }
            let row = store::plans::product::insert(tx, &product)?;
            let request = product_terms::ask(tx, &by, row.id, &product, &product)?;
            let request = request.ok_or_else(|| Error::Internal("a draft has terms already".to_owned()))?;
            let view = StaffProduct::view(&row)?;
            let changes = Changes::made(&view).about("advertiser", advertiser.0);
            by.record(tx, "product.add", format!("product:{}", row.id), &changes.details())?;
            Ok(AddedProduct { request, product: view })
        })
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_product_lacks_for_auctions_is_said() {
        let with = |domain: Option<&str>, category: Option<&str>| OpenRtbTerms {
            domain: domain.map(str::to_owned),
            categories: category.into_iter().map(str::to_owned).collect(),
            ..OpenRtbTerms::default()
        };
        for (terms, expected) in [
            (with(Some("tea.example"), Some("IAB8")), AuctionReadiness::Ready),
            (with(Some("tea.example"), None), AuctionReadiness::NoCategories),
            (with(None, Some("IAB8")), AuctionReadiness::NoDomain),
        ] {
            assert_eq!(AuctionReadiness::of(Pricing::Cpm, &terms, None), expected, "{terms:?}");
            assert_eq!(AuctionReadiness::of(Pricing::Cpc, &terms, None), AuctionReadiness::PaidByClicks);
        }
    }
}
