//! Carries out an approved correction: refunds, reversals of the clicks' conversions, and what follows from both.

use std::collections::{BTreeMap, BTreeSet};

use auth::AccountStatus;
use base::{Money, PlanId, PublisherId, Timestamp, UserId, refuse_if};
use foundation::notices::{Notice, NoticeKind, notify_all};
use foundation::staff::Staff;
use foundation::staff::requests::Proposal;
use foundation::{Error, Refusal};
use money::offers::level_and_credit::count_refund;
use plans::Status;
use serde::Deserialize;
use store::Tx;
use store::delivery::conversion;
use store::delivery::rollup::{self, Refunded};
use store::people::users;
use store::plans::plan::{self, PlanRow};
use store::plans::product;
use store::staff::requests::{MoneyRequest, Subject};
use store::wallet::books::{Books, Note, Owner};
use store::wallet::corrections::{self as rows, Mark, NewRefund, OfClick};
use supply::GivenBack;
use wallet::{Document, refund_delivery};

use super::{chosen, digest, reckon_refunds};
use crate::delivery::postback::reversal::take_back;
use crate::rules;

/// Locks the users, advertisers, plans and the publisher of a request's events.
pub fn lock(tx: &mut Tx<'_>, found: &MoneyRequest) -> Result<Books, Error> {
    let parties = rows::parties(tx, found.row())?;
    let (users, advertisers) = (parties.iter().map(|(_, user, _)| *user), parties.iter().map(|(.., of)| *of));
    let mut books = Books::lock(tx, users, advertisers)?;
    plan::lock_all(tx, parties.iter().map(|(plan, ..)| *plan))?;
    if let Subject::Publisher(id) = found.subject {
        books.lock_publishers(tx, [id])?;
    }
    Ok(books)
}

/// Carries out an approved correction, exactly as it was requested.
///
/// # Errors
/// `proposal_stale` if the events are not those that were requested, or if some of it was given
/// back meanwhile.
pub fn carry_out(
    tx: &mut Tx<'_>,
    by: &Staff,
    books: &mut Books,
    (publisher, found): (PublisherId, &MoneyRequest),
) -> Result<(), Error> {
    let marks = rows::marks(tx, found.row())?;
    let asked = Proposal::of(found)?;
    refuse_if(asked.new_text("events_sha256") != Some(digest(&marks).as_str()), Refusal::ProposalStale)?;
    let ids: BTreeSet<PlanId> = marks.iter().map(|mark| mark.plan).collect();
    still_there(tx, &ids, &marks)?;
    let plans = plan::lock_all(tx, ids.iter().copied())?;
    let reversed = reverse(tx, books, &plans, &marks, found.requested_at)?;
    // The plans are read again, because the reversals have changed them.
    let plans = plan::lock_all(tx, ids.iter().copied())?;
    let asked = asked_of_plans(&asked)?;
    let (given, total) = reckon_refunds(tx, publisher, &plans, &marks, Some(&asked))?;
    // The amount that both people's limits were checked against.
    if total != Money::sum(asked.into_values())? || total.plus(reversed)? > found.amount {
        return Err(Refusal::ProposalStale.into());
    }
    refund(tx, by, books, (publisher, found), &given, &marks)?;
    rules::check(tx, &ids.into_iter().collect::<Vec<_>>(), |_| false)
}

#[derive(Deserialize)]
struct Asked {
    /// The amounts by plan number.
    plans: BTreeMap<String, String>,
}

fn asked_of_plans(asked: &Proposal) -> Result<BTreeMap<String, Money>, Error> {
    let Asked { plans } = asked.target()?;
    let read = |(plan, amount): (String, String)| {
        let amount = amount.parse().map_err(|_| Error::Internal(format!("a request gives {amount} back")))?;
        Ok((plan, amount))
    };
    plans.into_iter().map(read).collect()
}

/// Checks that the events can still be refunded, because other corrections may have been approved since.
fn still_there(tx: &mut Tx<'_>, plans: &BTreeSet<PlanId>, marks: &[Mark]) -> Result<(), Error> {
    let times = marks.iter().map(|mark| mark.at);
    let (Some(first), Some(last)) = (times.clone().min(), times.max()) else { return Ok(()) };
    let plans: Vec<PlanId> = plans.iter().copied().collect();
    let earlier = rows::sum_taken_back(tx, &plans, (first, last.plus_millis(1)))?;
    let too_much = |mark: &Mark| {
        let before = earlier.get(&(mark.plan, mark.event));
        before.is_some_and(|before| mark.milli == 0 || before.saturating_add(mark.milli) > mark.price_milli)
    };
    if marks.iter().any(too_much) { Err(Refusal::ProposalStale.into()) } else { Ok(()) }
}

/// Reverses the conversions of the clicks that are not settled and existed when the correction was requested; returns
/// what they paid.
fn reverse(
    tx: &mut Tx<'_>,
    books: &mut Books,
    plans: &[PlanRow],
    marks: &[Mark],
    requested_at: Timestamp,
) -> Result<Money, Error> {
    let mut found = rows::conversions(tx, &chosen::clicks(marks))?;
    found.retain(|of| of.conversion.received_at <= requested_at);
    let mut counted = Vec::new();
    let mut ids = Vec::new();
    let mut amount = Money::ZERO;
    for plan in plans.iter().filter(|plan| plan.settled_at.is_none()) {
        if plan.status == Status::Settled {
            continue;
        }
        let of_plan: Vec<&OfClick> = found.iter().filter(|of| of.conversion.plan == Some(plan.id)).collect();
        for of in &of_plan {
            take_back(tx, books, plan, (of.advertiser, &of.conversion))?;
            ids.push(of.conversion.id);
            amount = amount.plus(of.conversion.payout)?;
        }
        let rolled = of_plan.iter().map(|of| &of.conversion);
        let rolled: Vec<_> = rolled.filter(|of| of.id <= plan.figures.rolled_conversion_id).collect();
        if !rolled.is_empty() {
            counted.push((plan, rolled));
        }
    }
    books.flush(tx)?;
    conversion::mark_reversed(tx, &ids)?;
    rollup::uncount(tx, &counted)?;
    Ok(amount)
}

fn refund(
    tx: &mut Tx<'_>,
    by: &Staff,
    books: &mut Books,
    (publisher, found): (PublisherId, &MoneyRequest),
    given: &[(&PlanRow, GivenBack)],
    marks: &[Mark],
) -> Result<(), Error> {
    let given: Vec<_> = given.iter().filter(|(_, of)| of.amount.is_positive()).collect();
    let whose: Vec<_> = given.iter().map(|(plan, _)| (plan.id, plan.user_id)).collect();
    let paid = rows::sum_paid(tx, &whose)?;
    let cancelled = cancelled(tx, whose.iter().map(|(_, user)| *user))?;
    let mut new = Vec::with_capacity(given.len());
    for (plan, of) in &given {
        let paid = paid.get(&plan.id).copied().unwrap_or_default().refund(of.amount)?;
        let (plan, user, GivenBack { amount, taken }) = (plan.id, plan.user_id, *of);
        new.push(NewRefund { plan, user, publisher, paid, amount, taken });
    }
    // The hash of each transaction covers the refund's row, so the row is inserted first.
    let numbers = rows::insert_refunds(tx, found.row(), &new)?;
    for of in &new {
        let number = numbers.get(&of.plan).copied();
        let number = number.ok_or_else(|| Error::Internal("a refund was not written".into()))?;
        let note = Note {
            document: Document::DeliveryRefund(number),
            event_at: tx.now(),
            actor: by.actor(),
            reason: found.reason.clone(),
            idempotency_key: None,
        };
        let to = wallet::Refunded { user: of.user, cancelled: cancelled.contains(&of.user) };
        // A coupon's part is not paid to the user, but is booked in the user's book all the same.
        books.enter_about(Owner::User(of.user), &refund_delivery(to, of.paid, (publisher, of.taken))?, note)?;
    }
    books.flush(tx)?;
    let mut events = BTreeMap::<PlanId, Vec<_>>::new();
    for mark in marks.iter().filter(|mark| mark.milli > 0) {
        events.entry(mark.plan).or_default().push((mark.at, mark.milli));
    }
    let refunded = |((plan, _), of): (&&(&'_ PlanRow, GivenBack), &NewRefund)| {
        let given = of.paid.promotional.plus(of.paid.coupon)?;
        Ok((plan.id, of.amount, given))
    };
    let refunded = given.iter().zip(&new).map(refunded).collect::<Result<Vec<_>, Error>>()?;
    let refunded = given.iter().zip(refunded).map(|((plan, _), (id, amount, given))| Refunded {
        plan,
        amount,
        given,
        events: events.remove(&id).unwrap_or_default(),
    });
    rollup::refund(tx, &refunded.collect::<Vec<_>>())?;
    for ((plan, _), of) in given.iter().zip(&new).filter(|((plan, _), _)| plan.settled_at.is_some()) {
        count_refund(tx, plan, of.paid.own)?;
    }
    tell(tx, (given.as_slice(), new.as_slice()), &cancelled, &found.reason)
}

/// Those of these users whose accounts are cancelled. Their wallets are locked, so this cannot change.
fn cancelled(tx: &mut Tx<'_>, of: impl Iterator<Item = UserId>) -> Result<BTreeSet<UserId>, Error> {
    let found = users::find_all(tx, of)?;
    Ok(found.iter().filter(|user| user.status == AccountStatus::Cancelled).map(|user| user.id).collect())
}

/// Notifies users of what came back to them, as on their statement lines: neither a coupon's part, nor credit of a
/// cancelled account.
fn tell(
    tx: &mut Tx<'_>,
    (given, new): (&[&(&PlanRow, GivenBack)], &[NewRefund]),
    cancelled: &BTreeSet<UserId>,
    reason: &str,
) -> Result<(), Error> {
    let names = product::names(tx, given.iter().map(|(plan, _)| plan.product_id))?;
    let mut told = Vec::with_capacity(new.len());
    for ((plan, _), of) in given.iter().zip(new) {
        let credit = if cancelled.contains(&of.user) { Money::ZERO } else { of.paid.promotional };
        let amount = of.paid.own.plus(credit)?;
        if amount.is_positive() {
            let product = names.get(&plan.product_id).cloned().unwrap_or_default();
            let (plan, reason) = (plan.plan_no.clone(), reason.to_owned());
            told.push(Notice::of(of.user, &NoticeKind::DeliveryRefunded { plan, product, amount, reason }));
        }
    }
    notify_all(tx, &told)
}
