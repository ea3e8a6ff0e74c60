//! Statements without balances: nothing proves them until a later file with balances has their lines.

use std::collections::{BTreeMap, BTreeSet};

use super::bag::{Bag, By, Keys, purpose};
use super::{Extent, Misplaced, Place, Span, Stored};
use crate::day::Day;
use crate::reference::compared;
use crate::statement::{Line, Statement};

/// The lines that a statement with balances proves.
pub struct Proof {
    /// The positions of lines that no unproven span has either.
    pub new: Vec<usize>,
    pub proven: Vec<i64>,
    pub left: Vec<(i64, Option<Extent>)>,
    /// How many of the new lines may be unproven ones all the same: they have the day and the amount of one.
    pub doubtful: usize,
}

/// Looks for a file's lines among unproven ones. Of the same day and amount it is the one that says the same, or shares
/// a reference that no other has. On a day that the file has whole, the amount is enough; on its first and its last one
/// a person decides whether it is.
pub fn proof(file: &Statement, spans: &[Span], rest: Vec<usize>, with_doubtful: bool) -> Proof {
    let mut search = Search::new(file, spans, rest);
    search.take(|one, other| purpose(one) == purpose(other));
    search.take_by_reference();
    let decided = |line: &Line| with_doubtful || (line.booked_on > file.from && line.booked_on < file.to);
    search.take(|one, other| decided(one) && compared(&one.counterparty) == compared(&other.counterparty));
    search.take(|one, _| decided(one));
    search.finish(spans)
}

pub type Kind = (Day, i64);

pub fn kind(line: &Line) -> Kind {
    (line.booked_on, line.amount.minor())
}

/// A file's lines that no proven span has, and the unproven ones, each with the position of its span.
struct Search<'a> {
    file: &'a Statement,
    new: Vec<usize>,
    kept: BTreeMap<Kind, Vec<(usize, &'a Stored)>>,
    proven: Vec<(usize, &'a Stored)>,
}

impl<'a> Search<'a> {
    fn new(file: &'a Statement, spans: &'a [Span], new: Vec<usize>) -> Self {
        let mut kept: BTreeMap<Kind, Vec<(usize, &Stored)>> = BTreeMap::new();
        for (at, span) in spans.iter().enumerate().filter(|(_, span)| span.extent.balances.is_none()) {
            span.lines.iter().for_each(|stored| kept.entry(kind(&stored.line)).or_default().push((at, stored)));
        }
        Self { file, new, kept, proven: Vec::new() }
    }

    fn take(&mut self, alike: impl Fn(&Line, &Line) -> bool) {
        let Self { file, new, kept, proven } = self;
        new.retain(|at| {
            let Some(line) = file.lines.get(*at) else { return true };
            let Some(stored) = kept.get_mut(&kind(line)) else { return true };
            let Some(found) = stored.iter().position(|(_, kept)| alike(line, &kept.line)) else { return true };
            proven.push(stored.swap_remove(found));
            false
        });
    }

    /// If several payments of a kind have the same reference, such as that of a batch, it identifies none of them.
    fn take_by_reference(&mut self) {
        let mut holders: BTreeMap<(Kind, String), (usize, usize)> = BTreeMap::new();
        for line in
            self.new.iter().filter_map(|at| self.file.lines.get(*at)).filter(|l| self.kept.contains_key(&kind(l)))
        {
            references(line).for_each(|one| holders.entry((kind(line), one)).or_default().0 += 1);
        }
        for (kind, (_, stored)) in self.kept.iter().flat_map(|(kind, all)| all.iter().map(move |kept| (*kind, kept))) {
            references(&stored.line).for_each(|one| holders.entry((kind, one)).or_default().1 += 1);
        }
        self.take(|one, other| {
            let shared = |reference: &String| references(other).any(|of_other| of_other == *reference);
            references(one).any(|one_of| {
                shared(&one_of) && holders.get(&(kind(one), one_of)).is_some_and(|holders| *holders == (1, 1))
            })
        });
    }

    fn finish(self, spans: &[Span]) -> Proof {
        let Self { file, new, kept, proven } = self;
        let mut lines: BTreeMap<Kind, usize> = BTreeMap::new();
        let of_new = new.iter().filter_map(|at| file.lines.get(*at));
        of_new.for_each(|line| *lines.entry(kind(line)).or_default() += 1);
        let doubtful = lines.iter().map(|(kind, count)| kept.get(kind).map_or(0, |kept| kept.len().min(*count))).sum();
        let touched: BTreeSet<usize> = proven.iter().map(|(span, _)| *span).collect();
        let left = touched.into_iter().filter_map(|at| Some((at, spans.get(at)?))).map(|(at, span)| {
            let rest = kept.values().flatten().filter(|(of, _)| *of == at).map(|(_, kept)| kept.line.booked_on);
            (span.id, remaining(rest))
        });
        let left = left.collect();
        Proof { new, proven: proven.iter().map(|(_, stored)| stored.id).collect(), left, doubtful }
    }
}

/// Its references as they are compared, each once.
pub fn references(line: &Line) -> impl Iterator<Item = String> {
    let all: BTreeSet<String> = line.references.iter().map(|reference| compared(reference)).collect();
    all.into_iter().filter(|reference| !reference.is_empty())
}

/// The days that are left of an unproven span.
fn remaining(kept: impl Iterator<Item = Day>) -> Option<Extent> {
    let days: BTreeSet<Day> = kept.collect();
    let (from, to) = (*days.first()?, *days.last()?);
    Some(Extent { from, to, balances: None })
}

/// Finds the new lines of a statement without balances.
pub fn place(file: &Statement, spans: &[Span], told: Option<usize>) -> Result<Place, Misplaced> {
    let mut days: BTreeMap<Day, Vec<usize>> = BTreeMap::new();
    for (at, line) in file.lines.iter().enumerate() {
        days.entry(line.booked_on).or_default().push(at);
    }
    let (mut proven, mut doubtful) = (BTreeSet::new(), BTreeSet::new());
    for (day, places) in &days {
        let stored: Vec<&Line> = stored(spans, *day).collect();
        if whole(spans, *day) {
            let found = same(&file.lines, places, &stored, By::Amount);
            if found.len() < places.len() {
                return Err(other_lines(*day, file, places, &stored));
            }
            proven.extend(found);
        } else {
            doubtful.extend(same(&file.lines, places, &stored, By::Amount));
        }
    }
    let (some, all) = (proven.len(), proven.len() + doubtful.len());
    // A person decides, unless all is there: then storing it again would be worse.
    let unclear = if all == file.lines.len() { told.is_some() } else { !doubtful.is_empty() };
    if unclear && told.is_none_or(|told| told != all && told != some) {
        return Err(Misplaced::Unclear { known: vec![some, all] });
    }
    let known: BTreeSet<usize> = match told {
        Some(told) if told == some => proven,
        _ => proven.union(&doubtful).copied().collect(),
    };
    let new: Vec<usize> = (0..file.lines.len()).filter(|at| !known.contains(at)).collect();
    if new.is_empty() {
        return Err(Misplaced::Known { span: spans.first().map(|span| span.id) });
    }
    // Its days are those of its lines: of others it proves nothing.
    let days: BTreeSet<Day> = new.iter().filter_map(|at| file.lines.get(*at)).map(|line| line.booked_on).collect();
    let (from, to) = (days.first().copied().unwrap_or(file.from), days.last().copied().unwrap_or(file.to));
    let extent = Extent { from, to, balances: None };
    let (joined, left) = (Vec::new(), Vec::new());
    Ok(Place { known: known.len(), new, extent, joined, proven: Vec::new(), left })
}

fn stored(spans: &[Span], day: Day) -> impl Iterator<Item = &Line> {
    spans.iter().flat_map(|span| &span.lines).map(|kept| &kept.line).filter(move |line| line.booked_on == day)
}

/// Whether a day's lines are all stored.
fn whole(spans: &[Span], day: Day) -> bool {
    spans.iter().any(|Span { extent, .. }| extent.balances.is_some() && extent.from < day && day < extent.to)
}

/// The lines that are stored, as many of each kind.
fn same(lines: &[Line], places: &[usize], stored: &[&Line], by: By) -> BTreeSet<usize> {
    let mut keys = Keys::new(by);
    let mut left = Bag::default();
    stored.iter().for_each(|line| left.add(keys.of(line), 1));
    let mut found = BTreeSet::new();
    let mut used = Bag::default();
    for at in places {
        let Some(key) = lines.get(*at).map(|line| keys.of(line)) else { continue };
        if used.count(key) < left.count(key) {
            used.add(key, 1);
            found.insert(*at);
        }
    }
    found
}

fn other_lines(day: Day, file: &Statement, places: &[usize], stored: &[&Line]) -> Misplaced {
    let own = base::Money::sum(places.iter().filter_map(|at| file.lines.get(*at)).map(|line| line.amount));
    let kept = base::Money::sum(stored.iter().map(|line| line.amount));
    match (kept, own) {
        (Ok(stored), Ok(file)) => Misplaced::OtherLines { day, stored, file },
        _ => Misplaced::TooLarge,
    }
}
