//! Finds what is missing between the spans of an account.

use base::Money;

use super::{Balances, Extent};
use crate::day::Day;

/// A gap between two spans, or a possible one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The last day before it and the first day after it.
    pub after: Day,
    pub before: Day,
    /// The balances there. Equal ones prove nothing where an account has the same balance every day.
    pub from: Money,
    pub to: Money,
}

type Stretch = (Day, Day, Balances);

/// If a day has more spans, not every order is tried.
const MOST_ORDERED: usize = 7;

/// The gaps between an account's proven stretches.
pub fn gaps(extents: &[Extent]) -> Vec<Gap> {
    let ordered = ordered(extents);
    ordered.windows(2).filter_map(|pair| if let [one, other] = pair { gap(one, other) } else { None }).collect()
}

/// The day on which an account's proven stretches end, and the balance there.
pub fn last(extents: &[Extent]) -> Option<(Day, Money)> {
    ordered(extents).last().map(|(_, to, balances)| (*to, balances.closing))
}

/// The proven stretches as they follow each other.
fn ordered(extents: &[Extent]) -> Vec<Stretch> {
    let proven = extents.iter().filter_map(|extent| Some((extent.from, extent.to, extent.balances?)));
    let mut proven: Vec<Stretch> = proven.collect();
    proven.sort_by_key(|(from, to, _)| (*from, *to));
    let mut ordered: Vec<Stretch> = Vec::with_capacity(proven.len());
    for day in proven.chunk_by(|one, other| one.0 == other.0) {
        let last = ordered.last().map(|(.., balances)| balances.closing);
        // A stretch that goes on to another day is the last of its first one.
        let within = day.partition_point(|(from, to, _)| from == to);
        let (within, on) = day.split_at_checked(within).unwrap_or((day, &[]));
        ordered.extend(in_order(within, last));
        ordered.extend(on);
    }
    ordered
}

fn gap(one: &Stretch, other: &Stretch) -> Option<Gap> {
    let (from, to) = (one.2.closing, other.2.opening);
    let moves_nothing = |balances: &Balances| balances.opening == balances.closing;
    // If the balance is the same every day, it says nothing about days that no statement covers.
    let unseen = one.1.apart(other.0) > 1 && (moves_nothing(&one.2) || moves_nothing(&other.2));
    (from != to || unseen).then_some(Gap { after: one.1, before: other.0, from, to })
}

/// The order of stretches of one day with the fewest gaps.
fn in_order(day: &[Stretch], last: Option<Money>) -> Vec<Stretch> {
    if day.len() > MOST_ORDERED {
        return one_after_the_other(day.to_vec(), last);
    }
    let mut best: Option<(usize, Vec<Stretch>)> = None;
    orders(day.to_vec(), Vec::new(), &mut |order| {
        let starts = last.into_iter().chain(order.iter().map(|(.., balances)| balances.closing));
        let offset = usize::from(last.is_none());
        let gaps = starts.zip(order.iter().skip(offset)).filter(|(from, next)| *from != next.2.opening).count();
        if best.as_ref().is_none_or(|(fewest, _)| gaps < *fewest) {
            best = Some((gaps, order.to_vec()));
        }
    });
    best.map(|(_, order)| order).unwrap_or_default()
}

/// Orders spans: the next one is one that begins at the last balance, or else one that no other leads to.
fn one_after_the_other(mut rest: Vec<Stretch>, mut last: Option<Money>) -> Vec<Stretch> {
    let mut ordered = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let leads_to = |at: &usize| {
            let opening = rest.get(*at).map(|(.., balances)| balances.opening);
            rest.iter().enumerate().any(|(other, (.., balances))| other != *at && Some(balances.closing) == opening)
        };
        let follows = rest.iter().position(|(.., balances)| Some(balances.opening) == last);
        let next = follows.or_else(|| (0..rest.len()).find(|at| !leads_to(at))).unwrap_or(0);
        let next = rest.remove(next);
        last = Some(next.2.closing);
        ordered.push(next);
    }
    ordered
}

fn orders<T: Clone>(rest: Vec<T>, chosen: Vec<T>, tell: &mut impl FnMut(&[T])) {
    if rest.is_empty() {
        return tell(&chosen);
    }
    for at in 0..rest.len() {
        let mut rest = rest.clone();
        let mut chosen = chosen.clone();
        chosen.push(rest.remove(at));
        orders(rest, chosen, tell);
    }
}
