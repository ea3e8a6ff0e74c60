//! Finding the place of a statement.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use base::{Money, refuse_if};

use super::alike::alike;
use super::bag::{Bag, By, Keys, comes_again, may_make};
use super::day::{Part, Touch, Way, Ways, ways};
use super::unproven::{self, Proof, proof};
use super::{Balances, Extent, Misplaced, Place, Span, pairs};
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
    let placed = placed(file);
    let (spans, doubtful) = alike(&placed, spans);
    let spans = &*spans;
    let found = match Search::new(&placed, balances, spans, By::AmountAndReference).found() {
        Ok(found) if found.without_gap() && !doubtful => found,
        Ok(mut found) => {
            // With a gap, or with lines whose references do not tell whether they are the same, a person must look if
            // comparing without references leaves as few gaps or fewer.
            let least = found.outcomes.iter().map(|outcome| outcome.gaps).min().unwrap_or_default();
            let by_amount = Search::new(&placed, balances, spans, By::Amount).found().unwrap_or_default();
            let rivals = |outcome: &Outcome| outcome.gaps < least || (doubtful && outcome.gaps == least);
            found.outcomes.extend(by_amount.outcomes.into_iter().filter(rivals));
            found
        }
        Err(refused) => {
            // A bank may have changed a reference meanwhile. Amounts decide where a whole day is in both.
            let found = Search::new(&placed, balances, spans, By::Amount).found().unwrap_or_default();
            if found.outcomes.is_empty() || !found.without_gap() {
                return Err(refused);
            }
            found
        }
    };
    finished(spans, choose(file, &placed, spans, found, told)?)
}

/// The statement, with lines that are booked on days before it moved to its first day: its balances include them there.
fn placed(file: &Statement) -> Cow<'_, Statement> {
    if file.lines.iter().all(|line| line.booked_on >= file.from) {
        return Cow::Borrowed(file);
    }
    let mut placed = file.clone();
    placed.lines.iter_mut().for_each(|line| line.booked_on = line.booked_on.max(file.from));
    Cow::Owned(placed)
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
    /// Whether it adds to a day that was put together from parts and may come to a balance again. What was taken for an
    /// overlap then may have been another time of the day.
    patched: bool,
}

impl Outcome {
    fn count(&self) -> usize {
        self.known.values().map(Bag::len).sum()
    }
}

/// The places that leave the fewest gaps.
#[derive(Debug, Default)]
struct Found {
    outcomes: Vec<Outcome>,
    /// How many lines are known in places that leave more gaps, on days that may come to a balance again.
    rivals: BTreeSet<usize>,
}

impl Found {
    fn without_gap(&self) -> bool {
        self.outcomes.iter().all(|outcome| outcome.gaps == 0)
    }
}

/// A place, with the lines of the file that are stored if it is the right one.
struct Candidate {
    outcome: Outcome,
    known: usize,
    proof: Result<Proof, Misplaced>,
}

/// The candidates of an outcome. There are two if lines may be known from unproven spans: in one they count as new, in
/// the other as known.
fn candidates(file: &Statement, placed: &Statement, spans: &[Span], outcome: Outcome) -> Vec<Candidate> {
    let candidate = |proof: Proof| Candidate {
        outcome: outcome.clone(),
        known: file.lines.len().saturating_sub(proof.new.len()),
        proof: Ok(proof),
    };
    match unknown(placed, spans, &outcome) {
        Ok(rest) => {
            let certain = proof(file, spans, rest.clone(), false);
            let all = (certain.doubtful > 0).then(|| proof(file, spans, rest, true));
            [certain].into_iter().chain(all).map(candidate).collect()
        }
        Err(why) => vec![Candidate { known: outcome.count(), outcome, proof: Err(why) }],
    }
}

/// The positions of the lines that no proven span has.
fn unknown(placed: &Statement, spans: &[Span], outcome: &Outcome) -> Result<Vec<usize>, Misplaced> {
    let joined: Vec<&Span> = outcome.joined.iter().filter_map(|at| spans.get(*at)).collect();
    let known = pairs::known(&placed.lines, &joined, &outcome.known, outcome.by)?;
    // Lines that count as known must be in a span that the place joins.
    refuse_if(known.len() != outcome.count(), Misplaced::Unclear { known: Vec::new() })?;
    Ok((0..placed.lines.len()).filter(|at| !known.contains(at)).collect())
}

/// The only place, or the only one with as many known lines as a person says. If several places have that number, it
/// does not tell them apart: only a statement with more of the day does.
fn choose(
    file: &Statement,
    placed: &Statement,
    spans: &[Span],
    found: Found,
    told: Option<usize>,
) -> Result<Candidate, Misplaced> {
    let Found { outcomes, rivals } = found;
    let outcomes = distinct(outcomes);
    let mut candidates: Vec<Candidate> =
        outcomes.into_iter().flat_map(|outcome| candidates(file, placed, spans, outcome)).collect();
    let counts: BTreeSet<usize> = candidates.iter().map(|one| one.known).chain(rivals.iter().copied()).collect();
    // Rival places, and places for which it is unclear which lines are known, count only lines of proven spans. They
    // may have some of the unproven lines in addition.
    let vague: BTreeSet<usize> = candidates.iter().filter(|one| one.proof.is_err()).map(|one| one.known).collect();
    let unproven = spans.iter().filter(|span| span.extent.balances.is_none()).flat_map(|span| &span.lines);
    let unproven = unproven.filter(|kept| file.from <= kept.line.booked_on && kept.line.booked_on <= file.to).count();
    let alone = |count: usize| {
        let least = count.saturating_sub(unproven);
        let is_rivals = rivals.range(least..=count).chain(vague.range(least..count)).next().is_some();
        !is_rivals && candidates.iter().filter(|one| one.known == count).count() == 1
    };
    let open = Misplaced::Unclear { known: Vec::new() };
    if counts.len() > 1 || candidates.len() > 1 {
        if !counts.iter().any(|count| alone(*count)) {
            return Err(open);
        }
        let said = told.filter(|told| alone(*told));
        let Some(said) = said else { return Err(Misplaced::Unclear { known: counts.into_iter().collect() }) };
        candidates.retain(|one| one.known == said);
    }
    candidates.pop().filter(|chosen| !chosen.outcome.patched).ok_or(open)
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

fn finished(spans: &[Span], chosen: Candidate) -> Result<Place, Misplaced> {
    let Candidate { outcome, known, proof } = chosen;
    let proof = proof?;
    let joined: Vec<&Span> = outcome.joined.iter().filter_map(|at| spans.get(*at)).collect();
    let grown = joined.iter().all(|span| span.extent != outcome.extent);
    if proof.new.is_empty() && proof.proven.is_empty() && !joined.is_empty() && !grown {
        return Err(Misplaced::Known { span: joined.first().map(|span| span.id) });
    }
    Ok(Place {
        known,
        new: proof.new,
        extent: outcome.extent,
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

    fn found(&self) -> Result<Found, Misplaced> {
        let (from, to) = (self.file.from, self.file.to);
        if from == to {
            let ways = self.at_end(from, true, Some(minor(self.balances.closing)))?;
            let outcomes = ways.best.iter().map(|way| self.outcome(BTreeMap::new(), way, way, from, to)).collect();
            return Ok(Found { outcomes, rivals: self.rivals(from, &ways) });
        }
        let between = self.between()?;
        let begins = self.at_end(from, true, None)?;
        let ends = self.at_end(to, false, None)?;
        let pairs = begins.best.iter().flat_map(|begin| ends.best.iter().map(move |end| (begin, end)));
        let outcomes = pairs
            .map(|(begin, end)| {
                let mut outcome = self.outcome(between.clone(), begin, end, from, to);
                outcome.end = end.begin;
                outcome.extent = self.extent(outcome.begin, outcome.end);
                outcome.joined.extend(self.within());
                outcome.gaps = begin.gaps + end.gaps;
                outcome
            })
            .collect();
        let of_best = |ways: &Ways| ways.best.iter().map(|way| way.known.len()).collect::<BTreeSet<usize>>();
        let whole: usize = between.values().map(Bag::len).sum();
        let sums = |one: &BTreeSet<usize>, other: &BTreeSet<usize>| {
            one.iter().flat_map(|one| other.iter().map(move |other| whole + one + other)).collect::<Vec<usize>>()
        };
        let (first, last) = (self.rivals(from, &begins), self.rivals(to, &ends));
        let mut rivals: BTreeSet<usize> = sums(&first, &of_best(&ends)).into_iter().collect();
        rivals.extend(sums(&of_best(&begins), &last));
        rivals.extend(sums(&first, &last));
        Ok(Found { outcomes, rivals })
    }

    /// How many lines are known on a day in ways with more gaps, if it may come to a balance again.
    fn rivals(&self, day: Day, ways: &Ways) -> BTreeSet<usize> {
        if ways.best.iter().any(|way| self.may_recur(day, &way.known)) { ways.others.clone() } else { BTreeSet::new() }
    }

    /// Whether a day comes to a balance again with a line of the file, in some order. If a stored stretch has the whole
    /// day, its lines are all there were.
    fn may_recur(&self, day: Day, known: &Bag) -> bool {
        let complete =
            |at: &usize| self.spans.get(*at).is_some_and(|span| span.extent.from < day && day < span.extent.to);
        if self.stored.keys().any(complete) {
            return false;
        }
        let own = self.own.get(&day).cloned().unwrap_or_default();
        let mut stored = Bag::default();
        self.stored.values().filter_map(|days| days.get(&day)).for_each(|bag| stored.add_all(bag));
        match stored.without(known) {
            // The same lines again.
            Some(rest) if rest.is_empty() && own == *known => false,
            Some(rest) => comes_again(self.keys.amounts(&rest), self.keys.amounts(&own)),
            None => true,
        }
    }

    /// Whether the file adds to a day at which statements were joined.
    fn is_patched(&self, day: Day, known: &Bag) -> bool {
        let touches = |part: &Extent| part.from <= day && day <= part.to;
        let parts = |at: &usize| self.spans.get(*at).is_some_and(|span| span.parts.iter().any(touches));
        self.stored.keys().any(parts) && self.may_recur(day, known)
    }

    fn outcome(&self, mut known: BTreeMap<Day, Bag>, begin: &Way, end: &Way, from: Day, to: Day) -> Outcome {
        let patched = self.is_patched(from, &begin.known) || self.is_patched(to, &end.known);
        known.insert(from, begin.known.clone());
        known.insert(to, end.known.clone());
        let joined = begin.joined.union(&end.joined).copied().collect();
        let extent = self.extent(begin.begin, end.end);
        Outcome { by: self.by, known, joined, begin: begin.begin, end: end.end, extent, gaps: begin.gaps, patched }
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

    /// Checks that spans that begin on a day begin at a balance that the file may have had then.
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
    fn at_end(&self, day: Day, forwards: bool, closing: Option<i128>) -> Result<Ways, Misplaced> {
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
        if found.best.is_empty() {
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

    /// A span on one day, read forwards or backwards. Backwards, the balances are negated instead of the amounts, which
    /// has the same effect.
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
