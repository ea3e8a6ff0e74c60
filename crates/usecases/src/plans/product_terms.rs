//! The terms of a product: price, payout and landing page. One operator requests them
//! and another approves. Until then a new product is a draft, and an existing one
//! keeps its terms. Plans keep the terms they were made with.

use base::{Money, ProductId};
use plans::Pricing;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::Tx;
use store::plans::product::{self, NewProduct};
use store::staff::requests::Subject;
use wallet::RequestKind;

use crate::staff::Staff;
use crate::staff::requests::{CheckedRequest, Proposal, RequestView, file, waiting};
use crate::{Error, Refusal};

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
    #[serde(default)]
    landing_url: Option<String>,
    conversions_per_click: i32,
}

impl ProductTerms {
    fn of(product: &NewProduct) -> Result<Self, Error> {
        let money = |minor| Money::from_minor(minor).to_string();
        let pricing = Pricing::try_from(product.pricing).map_err(|e| Error::Internal(e.to_string()))?;
        Ok(Self {
            min_put: money(product.min_put),
            max_put: money(product.max_put),
            pricing: pricing.name().to_owned(),
            price: money(product.price),
            days: product.days,
            payout: money(product.payout),
            attribution_days: product.attribution_days,
            fee_rate: product.fee_rate.clone(),
            landing_url: product.landing_url.clone(),
            conversions_per_click: product.conversions_per_click,
        })
    }

    /// The product with these terms.
    fn on(self, product: NewProduct) -> Result<NewProduct, Error> {
        let money = |text: &str| text.parse::<Money>().map(Money::minor).map_err(|e| Error::Internal(e.to_string()));
        let pricing = Pricing::from_name(&self.pricing).ok_or_else(|| Error::Internal("no such pricing".to_owned()))?;
        Ok(NewProduct {
            min_put: money(&self.min_put)?,
            max_put: money(&self.max_put)?,
            pricing: pricing.code(),
            price: money(&self.price)?,
            days: self.days,
            payout: money(&self.payout)?,
            attribution_days: self.attribution_days,
            fee_rate: self.fee_rate,
            landing_url: self.landing_url,
            conversions_per_click: self.conversions_per_click,
            ..product
        })
    }
}

/// The approved terms; a draft has none.
fn agreed(product: &NewProduct) -> Result<Value, Error> {
    if product.draft { Ok(Value::Null) } else { Ok(json!(ProductTerms::of(product)?)) }
}

/// Requests the terms of a product, which is locked or new; `None` if they are approved
/// already. If the same request is open, returns that one. It counts in limits with what
/// a conversion pays.
///
/// # Errors
/// `not_permitted`, `limit_exceeded`.
pub(crate) fn ask(
    tx: &mut Tx<'_>,
    by: &Staff,
    id: ProductId,
    present: &NewProduct,
    wanted: &NewProduct,
) -> Result<Option<RequestView>, Error> {
    let Some(proposal) = Proposal::between(&agreed(present)?, &ProductTerms::of(wanted)?) else { return Ok(None) };
    let about = (RequestKind::ProductTerms, Subject::Product(id));
    if let Some(waiting) = waiting(tx, about, &proposal)? {
        return Ok(Some(waiting));
    }
    let filed = CheckedRequest {
        kind: about.0,
        subject: about.1,
        amount: Money::from_minor(wanted.payout),
        reference: None,
        proposal: Some(proposal),
    };
    file(tx, by, filed).map(Some)
}

/// The wanted product with its present terms: these changes need only one person.
pub(crate) fn on_present_terms(present: &NewProduct, wanted: NewProduct) -> Result<NewProduct, Error> {
    ProductTerms::of(present)?.on(NewProduct { draft: present.draft, ..wanted })
}

/// Writes the approved terms; a draft is offered from now on.
///
/// # Errors
/// `not_found`; `proposal_stale` if the terms have changed since the request.
pub(crate) fn agree(tx: &mut Tx<'_>, id: ProductId, proposal: &Proposal) -> Result<(), Error> {
    let present = product::find(tx, id)?.ok_or(Refusal::NotFound)?.as_new();
    let terms: ProductTerms = proposal.apply(&agreed(&present)?)?;
    Ok(product::change(tx, id, &NewProduct { draft: false, ..terms.on(present)? })?)
}
