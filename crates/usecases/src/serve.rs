//! A publisher's slot asks what to show. The price of one event is reserved
//! before the creative is sent.

use base::{ProductId, Timestamp};
use delivery::{Nonce, Origin, Token, VIEW_WINDOW_SECONDS};
use plans::{ContentType, Status};
use serde::Serialize;
use store::event::Wanted;
use store::plan::PlanRow;
use store::product::ProductRow;
use utoipa::ToSchema;

use crate::catalog::{Creative, content_of, targeting_of};
use crate::{App, Error, Refusal, random, slots};

/// The answer to a slot; `label` says whose advertisement it is.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SlotAnswer {
    pub creative: Creative,
    pub impression_url: String,
    pub click_url: String,
    pub label: String,
    /// `live` or `simulated`.
    pub data_source: String,
}

/// Answers a slot with the fitting plan that was served longest ago, so that
/// creatives take turns; `None` when nothing fits.
///
/// # Errors
/// `not_found` for a key that is no active slot's.
pub async fn serve(app: &App, key: &str, base: &str) -> Result<Option<SlotAnswer>, Error> {
    let key = key.to_owned();
    let (slot, products) = app
        .db
        .read(move |conn| Ok::<_, Error>((store::slot::find(conn, &key)?, store::product::fundable(conn)?)))
        .await?;
    let slot = slot.ok_or(Refusal::NotFound)?;
    let audience = targeting_of(&slot.audience)?.into();
    let content = slots::content_types(&slot)?;
    let fitting = fitting(products, &audience)?;
    if fitting.is_empty() {
        return Ok(None);
    }
    let nonce = Nonce(random()?);
    let ids: Vec<ProductId> = fitting.iter().map(ProductRow::id).collect();
    let served = app
        .db
        .write(move |tx| {
            let until = tx.now().plus_seconds(VIEW_WINDOW_SECONDS);
            let wanted = Wanted { products: &ids, content: &content };
            let Some(plan) = store::event::reserve(tx, &wanted, nonce, until)? else { return Ok(None) };
            if plan.status()? == Status::Matching {
                let step = plan.life()?.first_delivery(tx.now())?;
                store::plan::apply(tx, &plan, &step)?;
            }
            Ok::<_, Error>(Some((plan, tx.now())))
        })
        .await?;
    let Some((plan, at)) = served else { return Ok(None) };
    let product = fitting.iter().find(|p| p.id == plan.product_id).ok_or(Refusal::NotFound)?;
    let token =
        Token { plan: plan.id(), origin: Origin::Slot(slot.id()), realm: app.realm().code(), issued_at: at, nonce };
    answer(app, &plan, product, &token.sign(app.secrets.signing()), base).map(Some)
}

fn fitting(products: Vec<ProductRow>, audience: &delivery::Audience) -> Result<Vec<ProductRow>, Error> {
    let mut fitting = Vec::with_capacity(products.len());
    for product in products {
        if delivery::fits(&targeting_of(&product.targeting)?.into(), audience) {
            fitting.push(product);
        }
    }
    Ok(fitting)
}

fn answer(app: &App, plan: &PlanRow, product: &ProductRow, token: &str, base: &str) -> Result<SlotAnswer, Error> {
    let mut creative = creative_of(plan, product)?;
    creative.image = absolute(&creative.image, base);
    creative.video = creative.video.map(|video| absolute(&video, base));
    Ok(SlotAnswer {
        creative,
        impression_url: format!("{base}/t/i/{token}.gif"),
        click_url: format!("{base}/t/c/{token}"),
        label: format!("Ad · {}", product.name),
        data_source: app.realm().name().into(),
    })
}

/// A creative is shown on another's page, where a path of ours leads nowhere.
fn absolute(address: &str, base: &str) -> String {
    if address.starts_with('/') { format!("{base}{address}") } else { address.to_owned() }
}

pub(crate) fn creative_of(plan: &PlanRow, product: &ProductRow) -> Result<Creative, Error> {
    let content = content_of(product)?;
    let kind = plan.content_type()?.unwrap_or(ContentType::LandingPage);
    let creative = content.of(kind).or(content.landing_page.as_ref()).or(content.video.as_ref());
    let creative = creative.or(content.game_description.as_ref());
    creative.cloned().ok_or_else(|| Error::Internal(format!("product {} has no content", product.id)))
}

/// The token of a plan's own links: good as long as the plan, billed never.
pub(crate) fn share_token(app: &App, plan: &PlanRow) -> String {
    let token = Token {
        plan: plan.id(),
        origin: Origin::Share,
        realm: app.realm().code(),
        issued_at: Timestamp::from_millis(plan.created_at),
        nonce: Nonce([0; 16]),
    };
    token.sign(app.secrets.signing())
}
