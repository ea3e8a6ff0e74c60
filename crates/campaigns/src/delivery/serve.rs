//! Answering a publisher's slot. The price of one event is reserved before the
//! creative is sent.

pub mod vast;

use std::net::IpAddr;

use base::ProductId;
use delivery::{Nonce, Origin, Progress, Token};
use foundation::{App, Error, Realm, random};
use i18n::Lang;
use plans::ContentType;
use serde::Serialize;
use store::delivery::arm::ArmRow;
use store::plans::plan::PlanRow;
use utoipa::ToSchema;

use crate::AdServer;
use crate::catalogue::products::{Content, Creative};
use crate::delivery::market::{self, AskedSlot, ServedOffer, ServedProduct, SlotMedia};

/// The answer to a slot; `label` says that it is an advertisement, and whose.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SlotAnswer {
    pub creative: Creative,
    pub impression_url: String,
    /// Reports that half of the creative was in view for a second, or for two while a video played.
    pub viewable_url: String,
    /// The beginning of the addresses of a video's reports; the name of a VAST event and `.gif` follow.
    #[serde(skip)]
    pub played_url: String,
    pub click_url: String,
    pub label: String,
    /// `live` or `simulated`.
    pub data_source: Realm,
}

/// Answers a slot with the fitting plan that was served longest ago, so that creatives
/// take turns; `None` if nothing fits. `from` is the reader's address, if known: a
/// network that does not show its creatives gets no more for a while.
///
/// # Errors
/// `not_found` for a key that belongs to no active slot.
pub async fn serve(
    app: &AdServer,
    key: &str,
    from: Option<IpAddr>,
    base: &str,
    lang: Lang,
) -> Result<Option<SlotAnswer>, Error> {
    let Some((served, token)) = promise(app, AskedSlot { key, media: SlotMedia::Any }, from).await? else {
        return Ok(None);
    };
    let signed = token.sign(app.secrets.signing());
    SlotAnswer::of(app, (&served.product, served.content), &signed, base, lang).map(Some)
}

/// The ad with its price reserved, and the token of its addresses.
async fn promise(
    app: &AdServer,
    asked: AskedSlot<'_>,
    from: Option<IpAddr>,
) -> Result<Option<(ServedOffer, Token)>, Error> {
    let picked = market::pick(app, asked, from).await?;
    app.figures.slot(picked.is_some());
    let Some(served) = picked else { return Ok(None) };
    let issued_at = served.at;
    let token = Token {
        plan: served.plan,
        origin: Origin::Slot(served.slot),
        lease: served.lease,
        realm: app.realm().code(),
        issued_at,
        nonce: Nonce::mint(issued_at, served.choice.map_or_else(random, |(_, seed)| Ok(seed))?),
        choice: served.choice.map(|(choice, _)| choice),
        limited: false,
        bid: None,
        offered_seconds: None,
    };
    Ok(Some((served, token)))
}

impl SlotAnswer {
    /// The address of a report on the video.
    pub fn report_url(&self, progress: Progress) -> String {
        format!("{}{progress}.gif", self.played_url)
    }

    /// A product's creative, with the addresses to call when it is seen, viewable and clicked.
    pub(crate) fn of(
        app: &App,
        (product, content): (&ServedProduct, ContentType),
        token: &str,
        base: &str,
        lang: Lang,
    ) -> Result<Self, Error> {
        let mut creative = product.creative(content).ok_or_else(|| no_content(product.id))?.clone();
        creative.image = absolute(&creative.image, base);
        creative.video = creative.video.map(|video| absolute(&video, base));
        Ok(Self {
            creative,
            impression_url: format!("{base}/t/i/{token}.gif"),
            viewable_url: format!("{base}/t/v/{token}.gif"),
            played_url: format!("{base}/t/p/{token}/"),
            click_url: format!("{base}/t/c/{token}"),
            label: format!("{} · {}", i18n::text(lang, "plans.adLabel", &[]), product.name),
            data_source: app.realm(),
        })
    }
}

/// Makes an address absolute. Creatives are shown on other sites, where relative addresses would not work.
fn absolute(address: &str, base: &str) -> String {
    if address.starts_with('/') { format!("{base}{address}") } else { address.to_owned() }
}

/// What is shown of a plan's product: the chosen creative, or the plan's own content
/// type.
pub(crate) fn creative_of(
    plan: &PlanRow,
    product: ProductId,
    content: &Content,
    chosen: Option<&ArmRow>,
) -> Result<Creative, Error> {
    let chosen = chosen.and_then(|arm| ContentType::try_from(arm.content_type).ok());
    let kind = chosen.or(plan.content_type).unwrap_or(ContentType::LandingPage);
    Ok(content.shown_as(kind).ok_or_else(|| no_content(product))?.clone())
}

fn no_content(product: ProductId) -> Error {
    Error::Internal(format!("product {product} has no content"))
}

/// The token of a plan's share link: valid as long as the plan, never billed.
pub(crate) fn share_token(app: &App, plan: &PlanRow) -> String {
    let token = Token {
        plan: plan.id,
        origin: Origin::Share,
        lease: 0,
        realm: app.realm().code(),
        issued_at: plan.created_at,
        nonce: Nonce([0; 16]),
        choice: None,
        limited: false,
        bid: None,
        offered_seconds: None,
    };
    token.sign(app.secrets.signing())
}
