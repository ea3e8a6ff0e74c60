//! The terms of a product and its presentation: price, payout, landing page, texts, pictures and targeting. One
//! operator requests them and another approves. Until then a new product is a draft, and an existing one stays as it
//! is. Plans keep the terms that they were made with, but show the product's present content.

use base::{Money, ProductId};
use foundation::staff::Staff;
use foundation::staff::requests::{CheckedRequest, Proposal, RequestView, file, waiting};
use foundation::{Error, Refusal};
use plans::Pricing;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::Tx;
use store::plans::product::{self, NewProduct};
use store::staff::requests::Subject;
use wallet::RequestKind;

use crate::catalogue::products::{Content, Targeting};

/// As requested, approved and recorded; amounts are decimals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ProductTerms {
    min_put: String,
    max_put: String,
    pricing: String,
    price: String,
    days: i32,
    payout: String,
    attribution_days: i32,
    fee_rate: String,
    landing_url: Option<String>,
    conversions_per_click: i32,
    /// The presentation. Requests of earlier versions lack it, so it stays as it is.
    #[serde(flatten)]
    shown: Option<Shown>,
    /// Whether it is offered. A draft keeps its own value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    active: Option<bool>,
}

/// What users and visitors see of a product, and whom it is targeted at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Shown {
    name: String,
    summary: String,
    image: String,
    content: Content,
    targeting: Targeting,
    /// The product's description for exchanges.
    openrtb: Option<Value>,
}

impl Shown {
    fn of(product: &NewProduct) -> Result<Self, Error> {
        let unreadable = |e: serde_json::Error| Error::Internal(format!("product {}: {e}", product.name));
        Ok(Self {
            name: product.name.clone(),
            summary: product.summary.clone(),
            image: product.image.clone(),
            content: serde_json::from_str(&product.content).map_err(unreadable)?,
            targeting: serde_json::from_str(&product.targeting).map_err(unreadable)?,
            openrtb: product.openrtb.as_deref().map(serde_json::from_str).transpose().map_err(unreadable)?,
        })
    }

    /// Applies this presentation to a product.
    fn on(self, product: NewProduct) -> Result<NewProduct, Error> {
        let unwritable = |e: serde_json::Error| Error::Internal(format!("a product: {e}"));
        Ok(NewProduct {
            name: self.name,
            summary: self.summary,
            image: self.image,
            content: serde_json::to_string(&self.content).map_err(unwritable)?,
            targeting: serde_json::to_string(&self.targeting).map_err(unwritable)?,
            openrtb: self.openrtb.map(|terms| terms.to_string()),
            ..product
        })
    }
}

impl ProductTerms {
    fn of(product: &NewProduct) -> Result<Self, Error> {
        Ok(Self {
            min_put: product.min_put.to_string(),
            max_put: product.max_put.to_string(),
            pricing: product.pricing.name().to_owned(),
            price: product.price.to_string(),
            days: product.days,
            payout: product.payout.to_string(),
            attribution_days: product.attribution_days,
            fee_rate: product.fee_rate.to_string(),
            landing_url: product.landing_url.clone(),
            conversions_per_click: product.conversions_per_click,
            shown: Some(Shown::of(product)?),
            active: Some(product.active),
        })
    }

    /// Applies these terms and their presentation to a product.
    fn on(self, product: NewProduct) -> Result<NewProduct, Error> {
        let money = |text: &str| text.parse::<Money>().map_err(|e| Error::Internal(e.to_string()));
        let pricing = Pricing::from_name(&self.pricing).ok_or_else(|| Error::Internal("no such pricing".to_owned()))?;
        let product = match self.shown {
            Some(shown) => shown.on(product)?,
            None => product,
        };
        Ok(NewProduct {
            min_put: money(&self.min_put)?,
            max_put: money(&self.max_put)?,
            pricing,
            price: money(&self.price)?,
            days: self.days,
            payout: money(&self.payout)?,
            attribution_days: self.attribution_days,
            fee_rate: self.fee_rate.parse().map_err(|e: base::ParseMoneyError| Error::Internal(e.to_string()))?,
            landing_url: self.landing_url,
            conversions_per_click: self.conversions_per_click,
            active: self.active.unwrap_or(product.active),
            ..product
        })
    }

    /// The terms without the presentation, which costs nothing.
    fn costing(self) -> Self {
        Self { shown: None, active: None, ..self }
    }
}

/// The approved terms; a draft has none.
fn agreed(product: &NewProduct) -> Result<Value, Error> {
    if product.draft { Ok(Value::Null) } else { Ok(json!(ProductTerms::of(product)?)) }
}

/// Requests the terms of a product, which is locked or new; `None` if they are approved already. If the same request is
/// open, returns that one. It counts towards limits with what a conversion pays, unless it changes only the
/// presentation.
///
/// # Errors
/// `not_permitted`, `limit_exceeded`.
pub fn ask(
    tx: &mut Tx<'_>,
    by: &Staff,
    id: ProductId,
    present: &NewProduct,
    wanted: &NewProduct,
) -> Result<Option<RequestView>, Error> {
    let terms = ProductTerms::of(wanted)?;
    let costs = present.draft || ProductTerms::of(present)?.costing() != terms.clone().costing();
    let terms = ProductTerms { active: terms.active.filter(|_| !present.draft), ..terms };
    let Some(proposal) = Proposal::between(&agreed(present)?, &terms) else { return Ok(None) };
    let about = (RequestKind::ProductTerms, Subject::Product(id));
    if let Some(waiting) = waiting(tx, about, &proposal)? {
        return Ok(Some(waiting));
    }
    let filed = CheckedRequest {
        kind: about.0,
        subject: about.1,
        amount: if costs { wanted.payout } else { Money::ZERO },
        reference: None,
        proposal: Some(proposal),
    };
    file(tx, by, filed).map(Some)
}

/// The part of a change that one person may make: of a draft, which nobody sees, everything but its terms; of any other
/// product, only closing it.
pub fn changed_by_one_person(present: &NewProduct, wanted: NewProduct) -> Result<NewProduct, Error> {
    if present.draft {
        let terms = ProductTerms::of(present)?.costing();
        return terms.on(NewProduct { draft: true, ..wanted });
    }
    Ok(NewProduct { active: present.active && wanted.active, ..present.clone() })
}

/// Writes the approved terms; a draft is offered from now on.
///
/// # Errors
/// `not_found`; `proposal_stale` if the terms have changed since the request.
pub fn agree(tx: &mut Tx<'_>, id: ProductId, proposal: &Proposal) -> Result<(), Error> {
    let present = product::find(tx, id)?.ok_or(Refusal::NotFound)?.as_new();
    let terms: ProductTerms = proposal.apply(&agreed(&present)?)?;
    Ok(product::change(tx, id, &NewProduct { draft: false, ..terms.on(present)? })?)
}
