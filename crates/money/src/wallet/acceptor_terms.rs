//! The terms of an acceptor: its rates and limits. One operator requests them and
//! another approves. Until then a new acceptor is a draft that gives no quotes, and an
//! existing one keeps its terms. A rate far from those of the last month needs an admin.

use std::collections::BTreeMap;

use base::{AcceptorId, Money, RequestId, Timestamp, refuse_if};
use foundation::staff::Staff;
use foundation::staff::requests::{CheckedRequest, Proposal, RequestView, file, waiting};
use foundation::{Error, Refusal};
use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::Tx;
use store::staff::requests::{MoneyRequest, Subject};
use store::wallet::acceptor_history::{self, Agreement, RateChange};
use store::wallet::acceptors::{self as rows, Acceptor, NewAcceptor};
use store::wallet::exchange::{self as orders, Order, Quote};
use wallet::{Band, ExchangeLimits, RequestKind};

use crate::wallet::acceptors::{decimals, shown};

/// As requested, approved and recorded; amounts and rates are decimals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct AcceptorTerms {
    limit: Money,
    daily_limit: Option<Money>,
    quote_seconds: i32,
    rates: BTreeMap<String, String>,
}

impl AcceptorTerms {
    fn of(limits: ExchangeLimits, quote_seconds: i32, rates: &BTreeMap<String, Decimal>) -> Self {
        Self {
            limit: limits.per_order,
            daily_limit: limits.per_day,
            quote_seconds,
            rates: rates.iter().map(|(currency, rate)| (currency.clone(), shown(*rate))).collect(),
        }
    }

    /// The acceptor with these terms.
    fn on(self, acceptor: &Acceptor) -> Result<NewAcceptor, Error> {
        let unreadable = || Error::Internal("the terms of an acceptor cannot be read".to_owned());
        let rates = self.rates.into_iter().map(|(currency, rate)| {
            Decimal::from_str_exact(&rate).map(|rate| (currency, rate)).map_err(|_| unreadable())
        });
        Ok(NewAcceptor {
            name: acceptor.name.clone(),
            kind: acceptor.kind,
            limits: ExchangeLimits { per_order: self.limit, per_day: self.daily_limit },
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
pub fn ask(
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
    let known = AgreedRates::load(tx)?;
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
/// `not_found`; `proposal_stale` if the terms have changed since the request, or it would
/// count with more by now; `admin_needed` if a rate differs too much from what was in force
/// lately and neither of the two is an admin.
pub fn agree(
    tx: &mut Tx<'_>,
    by: &Staff,
    id: AcceptorId,
    found: &MoneyRequest,
    proposal: &Proposal,
) -> Result<(), Error> {
    let present = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
    let terms: AcceptorTerms = proposal.apply(&agreed(&present))?;
    let wanted = terms.on(&present)?;
    let known = AgreedRates::load(tx)?;
    refuse_if(known.cost(&present, &wanted)? > found.amount, Refusal::ProposalStale)?;
    if known.are_left_by(&present, &wanted) {
        by.admin_with(tx, found.review.requested_by)?;
    }
    rows::change(tx, id, &wanted, present.active)?;
    Ok(rows::approve_terms(tx, id)?)
}

/// The amount with which an order counts towards limits: what it pays out, converted at the lowest rate that any
/// acceptor had for its currency since a month before the order. So a raised rate does not make a large payment look
/// small. It is never less than what the user sets aside.
///
/// # Errors
/// `rate_not_agreed` if its rate is not what two people had agreed on, or what it pays out
/// does not follow from it.
pub(crate) fn value(tx: &mut Tx<'_>, order: &Order) -> Result<Money, Error> {
    let places = decimals(&order.currency).ok_or(Refusal::RateNotAgreed)?;
    let follows = wallet::exchanged(order.amount, order.rate, places) == Ok(order.receives);
    refuse_if(!follows || !orders::is_agreed(tx, order)?, Refusal::RateNotAgreed)?;
    let known = AgreedRates::since(tx, order.created_at)?;
    let Some(Band { lowest, .. }) = known.of_all(&order.currency) else { return Ok(order.amount) };
    let units = order.receives.checked_div(lowest).and_then(|paid| minor(paid.checked_mul(Decimal::ONE_HUNDRED)?));
    Ok(units.ok_or(Refusal::AmountOutOfRange)?.max(order.amount))
}

/// The request in which two people agreed on the rate of a quote.
///
/// # Errors
/// `quote_expired` if that rate was not in force at any time in which it can have been
/// shown.
pub(crate) fn find_agreement(tx: &mut Tx<'_>, acceptor: AcceptorId, quote: &Quote) -> Result<Option<RequestId>, Error> {
    let present = rows::find(tx, acceptor)?.ok_or(Refusal::NotFound)?;
    let now = tx.now();
    let period = (now.plus_millis(-wallet::LONGEST_QUOTE_MILLIS), now);
    let rate = (quote.currency.as_str(), quote.rate);
    match acceptor_history::agreement(tx, (acceptor, &present.rates), rate, period)? {
        Agreement::By(request) => Ok(Some(request)),
        Agreement::Older => Ok(None),
        Agreement::No => {
            tracing::error!(%acceptor, currency = quote.currency, "a quote has a rate that nobody agreed on");
            Err(Refusal::QuoteExpired.into())
        }
    }
}

/// This part of an amount, rounded up.
///
/// # Errors
/// `amount_out_of_range`.
pub(crate) fn part_of(amount: Money, part: Option<Decimal>) -> Result<Money, Error> {
    let units = part.and_then(|part| part.checked_mul(Decimal::from(amount.minor())));
    Ok(units.and_then(minor).ok_or(Refusal::AmountOutOfRange)?)
}

fn minor(units: Decimal) -> Option<Money> {
    let whole = units.round_dp_with_strategy(0, RoundingStrategy::AwayFromZero);
    i64::try_from(whole).ok().map(Money::from_minor)
}

/// The approved rates of all acceptors, now and in the last month.
struct AgreedRates {
    acceptors: Vec<Acceptor>,
    changes: Vec<RateChange>,
}

impl AgreedRates {
    fn load(tx: &mut Tx<'_>) -> Result<Self, Error> {
        let now = tx.now();
        Self::since(tx, now)
    }

    /// The rates from a month before `time` until now.
    fn since(tx: &mut Tx<'_>, time: Timestamp) -> Result<Self, Error> {
        let mut acceptors = rows::list(tx, None, false)?;
        acceptors.retain(|acceptor| !acceptor.draft);
        Ok(Self { acceptors, changes: acceptor_history::since(tx, time.plus_days(-wallet::BAND_DAYS))? })
    }

    /// The band of all acceptors' rates for a currency.
    fn of_all(&self, currency: &str) -> Option<Band> {
        let now = self.acceptors.iter().filter_map(|acceptor| acceptor.rates.get(currency).copied());
        Band::of(now.chain(self.changes.iter().flat_map(|change| change.rates(currency))))
    }

    /// The band that a new rate is compared with: the acceptor's own rates, even if it does not pay this currency at
    /// the moment, or else the rates of all.
    fn before(&self, present: &Acceptor, currency: &str) -> Option<Band> {
        let now = present.rates.get(currency).filter(|_| !present.draft).copied();
        let own = self.changes.iter().filter(|change| change.acceptor == present.id);
        Band::of(now.into_iter().chain(own.flat_map(|change| change.rates(currency)))).or_else(|| self.of_all(currency))
    }

    /// The new rates, each with the band that it is compared with.
    fn changed<'a>(
        &'a self,
        present: &'a Acceptor,
        wanted: &'a NewAcceptor,
    ) -> impl Iterator<Item = (Decimal, Option<Band>)> + 'a {
        let is_new = move |(currency, rate): &(&String, &Decimal)| {
            present.draft || present.rates.get(currency.as_str()) != Some(*rate)
        };
        wanted.rates.iter().filter(is_new).map(move |(currency, rate)| (*rate, self.before(present, currency)))
    }

    /// What the new terms can cost: how much more one day's orders (one order if there is no daily limit) can cost than
    /// at any rate of the last month, or how much less users can get for them. For a new acceptor, the whole amount.
    fn cost(&self, present: &Acceptor, wanted: &NewAcceptor) -> Result<Money, Error> {
        let most = wanted.limits.per_day.unwrap_or(wanted.limits.per_order);
        let raised = present.draft || wanted.limits != present.limits;
        let mut cost = if raised { wanted.limits.per_order } else { Money::ZERO };
        for (rate, band) in self.changed(present, wanted) {
            let more = match band {
                Some(band) => part_of(most, band.change(rate))?,
                None => most,
            };
            cost = cost.max(more);
        }
        Ok(cost)
    }

    /// Whether a rate is new to the installation, or differs too much from what was in
    /// force lately.
    fn are_left_by(&self, present: &Acceptor, wanted: &NewAcceptor) -> bool {
        self.changed(present, wanted).any(|(rate, band)| band.is_none_or(|band| band.is_left_by(rate)))
    }
}
