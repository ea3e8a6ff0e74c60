//! Statements without balances: nothing proves them until a later file with balances has their lines.

use std::collections::{BTreeMap, BTreeSet};

use super::bag::{Bag, By, Keys, purpose};
use super::{Extent, Misplaced, Place, Span, Stored};
use crate::day::Day;
use crate::statement::{Line, Statement};

/// What a statement with balances proves.
pub struct Proof {
    /// The positions of lines that no unproven span has either.
    pub new: Vec<usize>,
    pub proven: Vec<i64>,
    pub left: Vec<(i64, Option<Extent>)>,
}

/// Looks for a file's lines among unproven ones. On a day that the file has whole, the amount is enough.
pub fn proof(file: &Statement, spans: &[Span], rest: Vec<usize>) -> Proof {
    let mut proof = Proof { new: rest, proven: Vec::new(), left: Vec::new() };
    for span in spans.iter().filter(|span| span.extent.balances.is_none()) {
        let mut kept: Vec<&Stored> = span.lines.iter().collect();
        let before = kept.len();
        take(file, &mut proof, &mut kept, |one, other| purpose(one) == purpose(other));
        take(file, &mut proof, &mut kept, |one, _| one.booked_on > file.from && one.booked_on < file.to);
        if kept.len() < before {
            proof.left.push((span.id, remaining(file, span, &kept)));
        }
    }
    proof
}

fn take(file: &Statement, proof: &mut Proof, kept: &mut Vec<&Stored>, alike: impl Fn(&Line, &Line) -> bool) {
    proof.new.retain(|at| {
        let Some(line) = file.lines.get(*at) else { return true };
        let same = |stored: &&Stored| {
            let other = &stored.line;
            other.booked_on == line.booked_on && other.amount == line.amount && alike(line, other)
        };
        let Some(found) = kept.iter().position(same) else { return true };
        proof.proven.push(kept.swap_remove(found).id);
        false
    });
}

/// The days of an unproven span that the file leaves. Its days may be outside the file's.
fn remaining(file: &Statement, span: &Span, kept: &[&Stored]) -> Option<Extent> {
    let mut days: BTreeSet<Day> = kept.iter().map(|stored| stored.line.booked_on).collect();
    days.extend([span.extent.from].into_iter().filter(|day| *day < file.from));
    days.extend([span.extent.to].into_iter().filter(|day| *day > file.to));
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
