//! The terms of an acceptor: its rates and limits. One operator requests them and
//! another approves. Until then a new acceptor is a draft that gives no quotes, and an
//! existing one keeps its terms. A large change of a rate needs an admin.

use std::collections::BTreeMap;

use auth::Role;
use base::{AcceptorId, Money};
use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::Tx;
use store::staff::requests::{MoneyRequest, Subject};
use store::wallet::acceptors::{self as rows, Acceptor, NewAcceptor};
use wallet::{ExchangeLimits, RequestKind};

use crate::staff::Staff;
use crate::staff::requests::{CheckedRequest, Proposal, RequestView, file, waiting};
use crate::wallet::acceptors::shown;
use crate::{Error, Refusal};

/// As requested, approved and recorded; amounts and rates are decimals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct AcceptorTerms {
    limit: String,
    #[serde(default)]
    daily_limit: Option<String>,
    quote_seconds: i32,
    rates: BTreeMap<String, String>,
}

impl AcceptorTerms {
    fn of(limits: ExchangeLimits, quote_seconds: i32, rates: &BTreeMap<String, Decimal>) -> Self {
        Self {
            limit: limits.per_order.to_string(),
            daily_limit: limits.per_day.map(|limit| limit.to_string()),
            quote_seconds,
            rates: rates.iter().map(|(currency, rate)| (currency.clone(), shown(*rate))).collect(),
        }
    }

    /// The acceptor with these terms.
    fn on(self, acceptor: &Acceptor) -> Result<NewAcceptor, Error> {
        let unreadable = || Error::Internal("the terms of an acceptor cannot be read".to_owned());
        let money = |text: &str| text.parse::<Money>().map_err(|_| unreadable());
        let rates = self.rates.into_iter().map(|(currency, rate)| {
            Decimal::from_str_exact(&rate).map(|rate| (currency, rate)).map_err(|_| unreadable())
        });
        Ok(NewAcceptor {
            name: acceptor.name.clone(),
            kind: acceptor.kind,
            limits: ExchangeLimits {
                per_order: money(&self.limit)?,
                per_day: self.daily_limit.as_deref().map(money).transpose()?,
            },
            quote_seconds: self.quote_seconds,
            rates: rates.collect::<Result<_, Error>>()?,
        })
    }
}

/// The approved terms; a draft has none.
fn agreed(acceptor: &Acceptor) -> Value {
    if acceptor.draft {
        return Value::Null;
    }
    json!(AcceptorTerms::of(acceptor.limits, acceptor.quote_seconds, &acceptor.rates))
}

/// Requests the terms of an acceptor, which is locked or new; `None` if they are approved
/// already. If the same request is open, returns that one.
///
/// # Errors
/// `not_permitted`, `limit_exceeded`.
pub(crate) fn ask(
    tx: &mut Tx<'_>,
    by: &Staff,
    present: &Acceptor,
    wanted: &NewAcceptor,
) -> Result<Option<RequestView>, Error> {
    let terms = AcceptorTerms::of(wanted.limits, wanted.quote_seconds, &wanted.rates);
    let Some(proposal) = Proposal::between(&agreed(present), &terms) else { return Ok(None) };
    let about = (RequestKind::AcceptorTerms, Subject::Acceptor(present.id));
    if let Some(waiting) = waiting(tx, about, &proposal)? {
        return Ok(Some(waiting));
    }
    let known = AgreedAcceptors::load(tx)?;
    let filed = CheckedRequest {
        kind: about.0,
        subject: about.1,
        amount: known.cost(present, wanted)?,
        reference: None,
        proposal: Some(proposal),
    };
    file(tx, by, filed).map(Some)
}

/// Writes the approved terms; a draft gives quotes from now on.
///
/// # Errors
/// `not_found`; `proposal_stale` if the terms have changed since the request;
/// `admin_needed` if a rate differs too much from the previous one and neither of the two
/// is an admin.
pub(crate) fn agree(
    tx: &mut Tx<'_>,
    by: &Staff,
    id: AcceptorId,
    found: &MoneyRequest,
    proposal: &Proposal,
) -> Result<(), Error> {
    let present = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
    let terms: AcceptorTerms = proposal.apply(&agreed(&present))?;
    let wanted = terms.on(&present)?;
    if AgreedAcceptors::load(tx)?.leaves(&present, &wanted) {
        let asked = store::staff::operators::lock(tx, found.review.requested_by)?;
        if !(by.is(Role::Admin) || asked.is_some_and(|operator| operator.role == Role::Admin)) {
            return Err(Refusal::AdminNeeded.into());
        }
    }
    rows::change(tx, id, &wanted, present.active)?;
    Ok(rows::agreed(tx, id)?)
}

/// The value of what an exchange pays out, at the lowest approved rate for its currency:
/// never less than what the user sets aside.
pub(crate) fn value(tx: &mut Tx<'_>, amount: Money, currency: &str, receives: Decimal) -> Result<Money, Error> {
    let Some(reference) = AgreedAcceptors::load(tx)?.reference(currency) else { return Ok(amount) };
    let units = receives.checked_div(reference).and_then(|paid| minor(paid.checked_mul(Decimal::ONE_HUNDRED)?));
    Ok(units.ok_or(Refusal::AmountOutOfRange)?.max(amount))
}

fn minor(units: Decimal) -> Option<Money> {
    let whole = units.round_dp_with_strategy(0, RoundingStrategy::AwayFromZero);
    i64::try_from(whole).ok().map(Money::from_minor)
}

/// Every acceptor with approved terms.
struct AgreedAcceptors(Vec<Acceptor>);

impl AgreedAcceptors {
    fn load(tx: &mut Tx<'_>) -> Result<Self, Error> {
        let all = rows::list(tx, None, false)?;
        Ok(Self(all.into_iter().filter(|acceptor| !acceptor.draft).collect()))
    }

    /// The lowest current or previous rate of a currency.
    fn reference(&self, currency: &str) -> Option<Decimal> {
        let of = |acceptor: &Acceptor| {
            let rates = [acceptor.rates.get(currency), acceptor.rates_before.get(currency)];
            rates.into_iter().flatten().copied().min()
        };
        self.0.iter().filter_map(of).min()
    }

    /// The rate that a new one is compared with: the acceptor's own, or else the others'.
    fn before(&self, present: &Acceptor, currency: &str) -> Option<Decimal> {
        let own = present.rates.get(currency).filter(|_| !present.draft).copied();
        own.or_else(|| self.reference(currency))
    }

    /// How much more one day's orders can cost than before, or one order if there is no
    /// daily limit; for a new acceptor, all of it.
    fn cost(&self, present: &Acceptor, wanted: &NewAcceptor) -> Result<Money, Error> {
        let most = wanted.limits.per_day.unwrap_or(wanted.limits.per_order);
        let raised = present.draft || wanted.limits != present.limits;
        let mut cost = if raised { wanted.limits.per_order } else { Money::ZERO };
        for (currency, rate) in &wanted.rates {
            let more = match self.before(present, currency) {
                Some(before) if *rate > before => (*rate - before)
                    .checked_div(before)
                    .and_then(|share| share.checked_mul(Decimal::from(most.minor())))
                    .and_then(minor)
                    .ok_or(Refusal::AmountOutOfRange)?,
                Some(_) => Money::ZERO,
                None => most,
            };
            cost = cost.max(more);
        }
        Ok(cost)
    }

    /// Whether a rate is new to the installation, or differs too much from the previous
    /// one.
    fn leaves(&self, present: &Acceptor, wanted: &NewAcceptor) -> bool {
        wanted.rates.iter().any(|(currency, rate)| match self.before(present, currency) {
            Some(before) => wallet::rate_leaves(before, *rate),
            None => true,
        })
    }
}
