//! Chooses which events are corrected, and by how much.

use std::collections::{BTreeMap, HashMap};

use base::{PlanId, refuse_if};
use delivery::{EventKind, Nonce};
use foundation::Error;
use plans::MILLI;
use store::wallet::corrections::{CorrectableEvent, Mark, Shares};
use supply::{Share, in_proportion};

use super::Scope;

/// What the choice depends on, besides the events.
pub(super) struct Choice<'a> {
    pub scope: &'a Scope,
    pub in_exchange: bool,
    /// What approved corrections have refunded, by plan and event.
    pub earlier: BTreeMap<(PlanId, i64), i64>,
    pub shares: Shares,
}

impl Choice<'_> {
    /// The marks, sorted by plan and event. The price of an event is refunded at most once in total, and an event
    /// without a price is marked at most once.
    pub fn marks(&self, candidates: Vec<CorrectableEvent>) -> Result<Vec<Mark>, Error> {
        let named = named_later(&candidates);
        let mut marks: Vec<Mark> = candidates
            .iter()
            .filter(|event| event.kind != EventKind::Notice && self.scope.has(event))
            .filter_map(|event| self.whole(event, named.get(&event.nonce).copied().unwrap_or_default()))
            .collect();
        marks.sort_unstable_by_key(|mark| (mark.plan, mark.event));
        match self.scope.sum {
            Some(sum) => part_of(sum.minor(), marks),
            None => Ok(marks),
        }
    }

    /// A mark for the whole price of an event, or for the rest of it.
    fn whole(&self, event: &CorrectableEvent, named_later: i64) -> Option<Mark> {
        let earlier = self.earlier.get(&(event.plan, event.event)).copied();
        let milli = event.price_milli.saturating_sub(earlier.unwrap_or_default());
        if milli <= 0 && earlier.is_some() {
            return None;
        }
        let due = if self.in_exchange {
            event.cleared_milli.unwrap_or_default().saturating_add(named_later)
        } else {
            self.share(event).map_or(0, |share| share.of_milli(event.price_milli))
        };
        let owed_milli = part(due.clamp(0, event.price_milli), milli, event.price_milli);
        let CorrectableEvent { plan, event: id, kind, at, slot, nonce, price_milli, .. } = event.clone();
        Some(Mark { plan, event: id, kind, at, slot, nonce, price_milli, milli, owed_milli })
    }

    /// The share of the bill that has the event's part. If a slot had less than a minor unit on that bill, the next one
    /// has its part.
    fn share(&self, event: &CorrectableEvent) -> Option<Share> {
        let of_slot = self.shares.get(&(event.plan, event.slot))?;
        let (_, parts) = of_slot.range(event.event..).next()?;
        Share::from_parts(*parts)
    }
}

/// The prices that an exchange named after the picture had reported the view.
fn named_later(candidates: &[CorrectableEvent]) -> HashMap<Nonce, i64> {
    let mut named = HashMap::new();
    for notice in candidates.iter().filter(|event| event.kind == EventKind::Notice) {
        *named.entry(notice.nonce).or_default() += notice.cleared_milli.unwrap_or_default();
    }
    named
}

/// Divides a sum in place of the whole price: each plan gets its part in whole minor units, and each event its part of
/// that.
fn part_of(sum: i64, marks: Vec<Mark>) -> Result<Vec<Mark>, Error> {
    let mut of_plans = BTreeMap::<PlanId, Vec<Mark>>::new();
    for mark in marks.into_iter().filter(|mark| mark.milli > 0) {
        of_plans.entry(mark.plan).or_default().push(mark);
    }
    let wholes: Vec<i64> = of_plans.values().map(|marks| marks.iter().map(|mark| mark.milli).sum()).collect();
    refuse_if(sum.saturating_mul(MILLI) > wholes.iter().sum(), supply::Refused::MoreThanDelivered)?;
    let mut chosen = Vec::new();
    for ((marks, whole), amount) in of_plans.into_values().zip(&wholes).zip(in_proportion(sum, &wholes)?) {
        let column = |of: fn(&Mark) -> i64| marks.iter().map(of).collect::<Vec<i64>>();
        let milli = amount.saturating_mul(MILLI).min(*whole);
        let due = column(|mark| mark.owed_milli);
        let owed = in_proportion(part(due.iter().sum(), milli, *whole), &due)?;
        let parts = in_proportion(milli, &column(|mark| mark.milli))?.into_iter().zip(owed);
        let lessened = |(mark, (milli, owed)): (Mark, (i64, i64))| Mark { milli, owed_milli: owed.min(milli), ..mark };
        chosen.extend(marks.into_iter().zip(parts).map(lessened).filter(|mark| mark.milli > 0));
    }
    Ok(chosen)
}

/// A proportional part, rounded down.
fn part(of: i64, part: i64, whole: i64) -> i64 {
    let part = (i128::from(of) * i128::from(part)).checked_div(i128::from(whole)).unwrap_or_default();
    i64::try_from(part).unwrap_or_default()
}

/// The corrected clicks whose conversions are reversed. A sum is not for any click in particular.
pub(super) fn clicks(marks: &[Mark]) -> Vec<(PlanId, Nonce)> {
    let whole = marks.iter().filter(|mark| mark.kind == EventKind::Click && mark.milli == mark.price_milli);
    whole.map(|mark| (mark.plan, mark.nonce)).collect()
}
