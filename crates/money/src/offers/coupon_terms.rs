//! The terms of a coupon: its value, for whom it is, and how many are given. One
//! operator requests them and another approves. Until then a new coupon is a draft
//! that nobody gets, and an existing one keeps its terms. One person may reduce the
//! quantity.

use base::{CouponDefinitionId, Money, Rate, Timestamp, refuse_if};
use coupons::{Benefit, Definition, Effect, Kind, Validity};
use foundation::staff::Staff;
use foundation::staff::requests::{CheckedRequest, Proposal, RequestView, file, waiting};
use foundation::{Error, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::offers::coupons::{self as rows, StoredDefinition};
use store::staff::requests::Subject;
use store::{Conn, Tx};
use wallet::RequestKind;

use crate::offers::coupon_views::worth;

/// As requested, approved and recorded; amounts are decimals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CouponTerms {
    pub kind: Kind,
    pub effect: Effect,
    pub value: String,
    pub max_value: Option<Money>,
    pub min_amount: Money,
    pub days: Option<i64>,
    pub ends: Option<Timestamp>,
    pub operated_id: Option<String>,
    pub activity: Option<String>,
    pub quantity: i64,
}

impl CouponTerms {
    pub fn of(definition: &Definition) -> Self {
        let (value, max_value) = worth(definition.benefit);
        let (days, ends) = match definition.validity {
            Validity::Days(days) => (Some(days), None),
            Validity::Until(end) => (None, Some(end)),
        };
        Self {
            kind: definition.kind,
            effect: definition.effect(),
            value,
            max_value,
            min_amount: definition.min_amount,
            days,
            ends,
            operated_id: definition.operated_id.clone(),
            activity: definition.activity.clone(),
            quantity: definition.quantity,
        }
    }

    /// The definition with this name and these terms.
    fn on(self, name: String) -> Result<Definition, Error> {
        let unreadable = || Error::Internal("the terms of a coupon cannot be read".to_owned());
        let money = |text: &str| text.parse::<Money>().map_err(|_| unreadable());
        let benefit = match self.effect {
            Effect::Discount => {
                Benefit::Discount { rate: self.value.parse::<Rate>().map_err(|_| unreadable())?, cap: self.max_value }
            }
            Effect::Deduction => Benefit::Deduction(money(&self.value)?),
            Effect::Addition => Benefit::Addition(money(&self.value)?),
        };
        let end = self.ends.map(Validity::Until);
        Ok(Definition {
            name,
            kind: self.kind,
            benefit,
            min_amount: self.min_amount,
            validity: self.days.map(Validity::Days).or(end).ok_or_else(unreadable)?,
            operated_id: self.operated_id,
            activity: self.activity,
            quantity: self.quantity,
        })
    }
}

/// The approved terms; a draft has none.
pub fn agreed(defined: &StoredDefinition) -> Option<&Definition> {
    Some(&defined.definition).filter(|_| !defined.draft)
}

fn state(agreed: Option<&Definition>) -> Value {
    agreed.map_or(Value::Null, |definition| json!(CouponTerms::of(definition)))
}

/// Requests the terms of a coupon, which is locked or new; `None` if they are approved
/// already. If the same request is open, returns that one.
///
/// # Errors
/// `not_permitted`, `limit_exceeded`, `amount_out_of_range`.
pub fn ask(
    tx: &mut Tx<'_>,
    by: &Staff,
    present: &StoredDefinition,
    wanted: &Definition,
) -> Result<Option<RequestView>, Error> {
    let agreed = agreed(present);
    let Some(proposal) = Proposal::between(&state(agreed), &CouponTerms::of(wanted)) else { return Ok(None) };
    let about = (RequestKind::CouponTerms, Subject::Coupon(present.id));
    if let Some(waiting) = waiting(tx, about, &proposal)? {
        return Ok(Some(waiting));
    }
    let cost = wanted.cost(agreed, present.given, largest_put(tx, wanted)?);
    let amount = cost.map_err(|_| Refusal::AmountOutOfRange)?;
    let filed = CheckedRequest { kind: about.0, subject: about.1, amount, reference: None, proposal: Some(proposal) };
    file(tx, by, filed).map(Some)
}

/// The most that one coupon of this definition can cost.
pub(crate) fn most(conn: &mut Conn, definition: &Definition) -> Result<Money, Error> {
    let largest = largest_put(conn, definition)?;
    Ok(definition.most(largest)?)
}

/// The largest put amount of any product; zero if the coupon's cost does not depend on the amount.
fn largest_put(conn: &mut Conn, definition: &Definition) -> Result<Money, Error> {
    if definition.is_unbounded() { Ok(store::plans::product::largest_put(conn)?) } else { Ok(Money::ZERO) }
}

/// Writes the approved terms; a draft can be given out from now on.
///
/// # Errors
/// `not_found`; `proposal_stale` if the terms have changed since the request, or users
/// hold coupons with other terms.
pub fn agree(tx: &mut Tx<'_>, id: CouponDefinitionId, proposal: &Proposal) -> Result<(), Error> {
    let present = rows::find_definition(tx, id)?.ok_or(Refusal::NotFound)?;
    let terms: CouponTerms = proposal.apply(&state(agreed(&present)))?;
    let wanted = terms.on(present.definition.name.clone())?;
    refuse_if(present.given > 0 && !wanted.promises_the_same(&present.definition), Refusal::ProposalStale)?;
    Ok(rows::redefine(tx, id, &wanted, false)?)
}
