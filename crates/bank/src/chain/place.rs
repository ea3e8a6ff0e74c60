//! Finding the place of a statement.

use std::collections::{BTreeMap, BTreeSet};

use base::Money;

use super::bag::{Bag, By, Keys, may_make};
use super::day::{Part, Touch, Way, ways};
use super::{Balances, Extent, Misplaced, Place, Span, pairs, unproven};
use crate::day::Day;
use crate::statement::Statement;

/// Finds out which lines of a statement are new to its account. `spans` are all that share a day with it; `told` is
/// how many of its lines are known, where a person has said so.
///
/// # Errors
/// [`Misplaced`] if it holds nothing new, if it contradicts what is stored, or if several places fit.
pub fn place(file: &Statement, spans: &[Span], told: Option<usize>) -> Result<Place, Misplaced> {
    let (Some(opening), Some(closing)) = (file.opening, file.closing) else {
        return unproven::place(file, spans, told);
    };
    let balances = Balances { opening, closing };
    let strict = Search::new(file, balances, spans, By::AmountAndReference).outcomes();
    let found = match strict {
        Ok(found) if found.iter().all(|outcome| outcome.gaps == 0) => found,
        Ok(found) => {
            // Only with a gap: if it fits without one where references are left out, a person must look.
            let by_amount = Search::new(file, balances, spans, By::Amount).outcomes().unwrap_or_default();
            let better = by_amount.into_iter().filter(|outcome| outcome.gaps == 0);
            found.into_iter().chain(better).collect()
        }
        Err(refused) => {
            // A bank may have changed a reference meanwhile. Amounts decide where a whole day is in both.
            let by_amount = Search::new(file, balances, spans, By::Amount).outcomes().unwrap_or_default();
            let found: Vec<Outcome> = by_amount.into_iter().filter(|outcome| outcome.gaps == 0).collect();
            if found.is_empty() {
                return Err(refused);
            }
            found
        }
    };
    let chosen = choose(found, told)?;
    finished(file, spans, &chosen)
}

/// A set of known lines that fits.
#[derive(Clone, Debug)]
struct Outcome {
    by: By,
    known: BTreeMap<Day, Bag>,
    /// Positions of spans.
    joined: BTreeSet<usize>,
    begin: Option<usize>,
    end: Option<usize>,
    extent: Extent,
    gaps: usize,
}

impl Outcome {
    fn count(&self) -> usize {
        self.known.values().map(Bag::len).sum()
    }
}

/// The only place, or the only one with as many known lines as a person says. Where the same lines are known in several
/// places, no number tells them apart: only a statement with more of the day does.
fn choose(found: Vec<Outcome>, told: Option<usize>) -> Result<Outcome, Misplaced> {
    let mut found = distinct(found);
    let counts: BTreeSet<usize> = found.iter().map(Outcome::count).collect();
    let unclear = || {
        let known = if counts.len() > 1 { counts.iter().copied().collect() } else { Vec::new() };
        Misplaced::Unclear { known }
    };
    if let Some(told) = told.filter(|_| found.len() > 1) {
        found.retain(|outcome| outcome.count() == told);
    }
    match (found.pop(), found.is_empty()) {
        (Some(only), true) => Ok(only),
        _ => Err(unclear()),
    }
}

/// Places that store other lines, or lead to another stretch.
fn distinct(found: Vec<Outcome>) -> Vec<Outcome> {
    let mut distinct: Vec<Outcome> = Vec::new();
    for outcome in found {
        let is_same = |other: &Outcome| {
            let count = other.by != outcome.by && other.count() == outcome.count();
            let known = other.by == outcome.by && other.known == outcome.known;
            (count || known) && other.extent == outcome.extent
        };
        if !distinct.iter().any(is_same) {
            distinct.push(outcome);
        }
    }
    distinct
}

fn finished(file: &Statement, spans: &[Span], chosen: &Outcome) -> Result<Place, Misplaced> {
    let joined: Vec<&Span> = chosen.joined.iter().filter_map(|at| spans.get(*at)).collect();
    let known = pairs::known(&file.lines, &joined, &chosen.known, chosen.by)?;
    let rest: Vec<usize> = (0..file.lines.len()).filter(|at| !known.contains(at)).collect();
    let proof = unproven::proof(file, spans, rest);
    let grown = joined.iter().all(|span| span.extent != chosen.extent);
    if proof.new.is_empty() && proof.proven.is_empty() && !joined.is_empty() && !grown {
        return Err(Misplaced::Known { span: joined.first().map(|span| span.id) });
    }
    Ok(Place {
        known: file.lines.len().saturating_sub(proof.new.len()),
        new: proof.new,
        extent: chosen.extent,
        joined: joined.iter().map(|span| span.id).collect(),
        proven: proof.proven,
        left: proof.left,
    })
}

struct Search<'a> {
    file: &'a Statement,
    balances: Balances,
    spans: &'a [Span],
    by: By,
    keys: Keys,
    /// The file's lines of each day, and those of each proven span.
    own: BTreeMap<Day, Bag>,
    stored: BTreeMap<usize, BTreeMap<Day, Bag>>,
}

impl<'a> Search<'a> {
    fn new(file: &'a Statement, balances: Balances, spans: &'a [Span], by: By) -> Self {
        let mut keys = Keys::new(by);
        let own = keys.days(file.lines.iter());
        let meets =
            |span: &Span| span.extent.balances.is_some() && span.extent.from <= file.to && span.extent.to >= file.from;
        let stored = spans.iter().enumerate().filter(|(_, span)| meets(span));
        let stored = stored.map(|(at, span)| (at, keys.days(span.lines.iter().map(|kept| &kept.line)))).collect();
        Self { file, balances, spans, by, keys, own, stored }
    }

    fn outcomes(&self) -> Result<Vec<Outcome>, Misplaced> {
        let (from, to) = (self.file.from, self.file.to);
        if from == to {
            let found = self.at_end(from, true, Some(minor(self.balances.closing)))?;
            return Ok(found.iter().map(|way| self.outcome(BTreeMap::new(), way, way, from, to)).collect());
        }
        let between = self.between()?;
        let begins = self.at_end(from, true, None)?;
        let ends = self.at_end(to, false, None)?;
        let pairs = begins.iter().flat_map(|begin| ends.iter().map(move |end| (begin, end)));
        Ok(pairs
            .map(|(begin, end)| {
                let mut outcome = self.outcome(between.clone(), begin, end, from, to);
                outcome.end = end.begin;
                outcome.extent = self.extent(outcome.begin, outcome.end);
                outcome.joined.extend(self.within());
                outcome.gaps = begin.gaps + end.gaps;
                outcome
            })
            .collect())
    }

    fn outcome(&self, mut known: BTreeMap<Day, Bag>, begin: &Way, end: &Way, from: Day, to: Day) -> Outcome {
        known.insert(from, begin.known.clone());
        known.insert(to, end.known.clone());
        let joined = begin.joined.union(&end.joined).copied().collect();
        let extent = self.extent(begin.begin, end.end);
        Outcome { by: self.by, known, joined, begin: begin.begin, end: end.end, extent, gaps: begin.gaps }
    }

    fn extent(&self, begin: Option<usize>, end: Option<usize>) -> Extent {
        let of = |at: Option<usize>| at.and_then(|at| self.spans.get(at)).map(|span| span.extent);
        let (begin, end) = (of(begin), of(end));
        let opening = begin.and_then(|extent| extent.balances).map_or(self.balances.opening, |known| known.opening);
        let closing = end.and_then(|extent| extent.balances).map_or(self.balances.closing, |known| known.closing);
        Extent {
            from: begin.map_or(self.file.from, |extent| extent.from),
            to: end.map_or(self.file.to, |extent| extent.to),
            balances: Some(Balances { opening, closing }),
        }
    }

    /// Spans with more than a day in common with the file, or with a day that it has whole.
    fn within(&self) -> impl Iterator<Item = usize> + '_ {
        self.stored.keys().copied().filter(|at| {
            let extent = self.spans.get(*at).map(|span| span.extent);
            extent.is_some_and(|extent| extent.from < self.file.to && extent.to > self.file.from)
        })
    }

    /// The days between the first and the last: the file has all their lines.
    fn between(&self) -> Result<BTreeMap<Day, Bag>, Misplaced> {
        let none = Bag::default();
        let mut days: BTreeSet<Day> = self.own.keys().copied().collect();
        days.extend(self.stored.values().flat_map(|span| span.keys().copied()));
        days.retain(|day| *day > self.file.from && *day < self.file.to);
        let mut known: BTreeMap<Day, Bag> = BTreeMap::new();
        for day in days {
            let own = self.own.get(&day).unwrap_or(&none);
            let mut all = Bag::default();
            let mut whole = false;
            for (at, stored) in &self.stored {
                all.add_all(stored.get(&day).unwrap_or(&none));
                whole |= self.spans.get(*at).is_some_and(|span| span.extent.from < day && day < span.extent.to);
            }
            let rest = own.without(&all).filter(|rest| !whole || rest.is_empty());
            let rest = rest.ok_or_else(|| self.other_lines(day, &all, own))?;
            self.begins_there(day, &rest)?;
            known.insert(day, all);
        }
        Ok(known)
    }

    /// Whether spans that begin on a day begin at a balance that the file may have had then.
    fn begins_there(&self, day: Day, new: &Bag) -> Result<(), Misplaced> {
        let before: i128 = self.own.range(..day).map(|(_, bag)| self.keys.sum(bag)).sum();
        let file = minor(self.balances.opening) + before;
        for at in self.stored.keys() {
            let Some(span) = self.spans.get(*at).filter(|span| span.extent.from == day) else { continue };
            let Some(balances) = span.extent.balances else { continue };
            let others = self.stored.iter().filter(|(other, _)| *other != at);
            let others: Vec<i128> =
                others.filter_map(|(_, days)| days.get(&day)).map(|bag| self.keys.sum(bag)).collect();
            let opening = minor(balances.opening);
            if !may_make(opening - file, self.keys.amounts(new).into_iter().chain(others)) {
                return Err(other_balance(day, opening, file));
            }
        }
        Ok(())
    }

    fn other_lines(&self, day: Day, stored: &Bag, file: &Bag) -> Misplaced {
        match (money(self.keys.sum(stored)), money(self.keys.sum(file))) {
            (Some(stored), Some(file)) => Misplaced::OtherLines { day, stored, file },
            _ => Misplaced::TooLarge,
        }
    }

    /// The ways of placing the file's first day, or its last one, which is the first one backwards.
    fn at_end(&self, day: Day, forwards: bool, closing: Option<i128>) -> Result<Vec<Way>, Misplaced> {
        let none = Bag::default();
        let own = self.own.get(&day).unwrap_or(&none);
        let touches: Vec<Touch> =
            self.stored.iter().filter_map(|(at, days)| self.touch(*at, days, day, forwards)).collect();
        let lines = self.file.lines.iter().filter(|line| line.booked_on == day);
        let order = lines.map(|line| self.keys.find(line)).collect::<Vec<_>>();
        let opening = if forwards { self.balances.opening } else { self.balances.closing };
        let sign = if forwards { 1 } else { -1 };
        let part = Part { bag: own, order: &order, opening: sign * minor(opening), closing };
        let found = ways(&part, &touches, &self.keys);
        if found.is_empty() {
            let mut all = Bag::default();
            touches.iter().for_each(|touch| all.add_all(&touch.bag));
            return Err(self.refusal(day, &touches, &all, own, opening));
        }
        Ok(found)
    }

    fn refusal(&self, day: Day, touches: &[Touch], all: &Bag, own: &Bag, balance: Money) -> Misplaced {
        let held = own.without(all).is_some() || all.without(own).is_some();
        let first = touches.iter().filter_map(|touch| self.spans.get(touch.at)).find_map(|span| span.extent.balances);
        match first {
            Some(stored) if held => other_balance(day, minor(stored.opening), minor(balance)),
            _ => self.other_lines(day, all, own),
        }
    }

    /// A span as it is on a day, seen forwards or backwards. Backwards the balances are negated instead of the
    /// amounts, which comes to the same.
    fn touch(&self, at: usize, days: &BTreeMap<Day, Bag>, day: Day, forwards: bool) -> Option<Touch> {
        let span = self.spans.get(at)?;
        let Extent { from, to, balances } = span.extent;
        let Balances { opening, closing } = balances?;
        if day < from || day > to {
            return None;
        }
        let bag = days.get(&day).cloned().unwrap_or_default();
        let moved: i128 = days.range(..day).map(|(_, bag)| self.keys.sum(bag)).sum();
        let begins = minor(opening) + minor(span.before) + moved;
        let (opening, closing) = ((from == day).then_some(minor(opening)), (to == day).then_some(minor(closing)));
        Some(match forwards {
            true => Touch { at, begins, opening, closing, bag },
            false => Touch {
                at,
                begins: -(begins + self.keys.sum(&bag)),
                opening: closing.map(|closing| -closing),
                closing: opening.map(|opening| -opening),
                bag,
            },
        })
    }
}

fn other_balance(day: Day, stored: i128, file: i128) -> Misplaced {
    match (money(stored), money(file)) {
        (Some(stored), Some(file)) => Misplaced::OtherBalance { day, stored, file },
        _ => Misplaced::TooLarge,
    }
}

fn minor(money: Money) -> i128 {
    i128::from(money.minor())
}

fn money(minor: i128) -> Option<Money> {
    i64::try_from(minor).ok().map(Money::from_minor)
}
