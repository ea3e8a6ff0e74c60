//! The places of a statement on a day on which its beginning or its end lies.

use std::collections::{BTreeMap, BTreeSet};

use super::bag::{Bag, Keys, may_make};

/// A span on that day.
pub struct Touch {
    /// Its position among the spans.
    pub at: usize,
    /// Its lines of the day.
    pub bag: Bag,
    /// The balance when the day's part of it begins.
    pub begins: i128,
    /// The balances at which it begins and ends, if that is on this day.
    pub opening: Option<i128>,
    pub closing: Option<i128>,
}

/// A statement on a day. If it ends on another, `closing` is unknown and nothing of the day is after it.
pub struct Part<'a> {
    pub bag: &'a Bag,
    /// The keys of its lines in the order of the file.
    pub order: &'a [usize],
    pub opening: i128,
    pub closing: Option<i128>,
}

/// One way to place the statement on the day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    pub known: Bag,
    /// Positions of the spans that it joins, and of those that begin before it and end after it.
    pub joined: BTreeSet<usize>,
    pub begin: Option<usize>,
    pub end: Option<usize>,
    /// How many gaps there are on the day with it.
    pub gaps: usize,
}

/// If more spans of one day have lines of the file, not every choice is tried.
const MOST_NEAR: usize = 8;

/// The ways of placing it.
#[derive(Debug)]
pub struct Ways {
    /// The ways with the fewest gaps, one for each set of known lines and each pair of ends.
    pub best: Vec<Way>,
    /// How many lines are known in each of the others.
    pub others: BTreeSet<usize>,
}

pub fn ways(part: &Part<'_>, touches: &[Touch], keys: &Keys) -> Ways {
    // A span without a line of the file's cannot be within it.
    let near = |touch: &Touch| touch.bag.is_empty() || !touch.bag.common(part.bag).is_empty();
    let near: Vec<usize> = (0..touches.len()).filter(|n| touches.get(*n).is_some_and(near)).collect();
    let mut found = Vec::new();
    for (n, touch) in touches.iter().enumerate() {
        found.extend(inside(part, touch, n, touches, keys));
    }
    let on_this_day = part.closing.is_some();
    // Spans that go on after the day are always reached by a statement that does.
    let reached = |touch: &Touch| !on_this_day && touch.closing.is_none();
    let containable = |touch: &Touch| touch.opening.is_some() && (touch.closing.is_some() || reached(touch));
    for held in choices(&near) {
        let fits = touches.iter().enumerate().all(|(n, touch)| match held.contains(&n) {
            true => containable(touch),
            false => !reached(touch),
        });
        if fits {
            found.extend(around(part, &held, touches, keys));
        }
    }
    fewest(found)
}

/// The sets of spans that the statement may hold: of many, all or none.
fn choices(near: &[usize]) -> Vec<BTreeSet<usize>> {
    if near.len() > MOST_NEAR {
        return vec![BTreeSet::new(), near.iter().copied().collect()];
    }
    let chosen = |mask: usize| near.iter().enumerate().filter(move |(bit, _)| mask >> bit & 1 == 1).map(|(_, n)| *n);
    (0..1usize << near.len()).map(|mask| chosen(mask).collect()).collect()
}

fn fewest(found: Vec<Way>) -> Ways {
    let least = found.iter().map(|way| way.gaps).min().unwrap_or(0);
    let (fewest, more): (Vec<Way>, Vec<Way>) = found.into_iter().partition(|way| way.gaps == least);
    let others = more.iter().map(|way| way.known.len()).collect();
    let mut best: Vec<Way> = Vec::new();
    for way in fewest {
        let is_same = |other: &Way| {
            (&other.known, other.begin, other.end, &other.joined) == (&way.known, way.begin, way.end, &way.joined)
        };
        if !best.iter().any(is_same) {
            best.push(way);
        }
    }
    Ways { best, others }
}

/// The statement's part lies within a span.
fn inside(part: &Part<'_>, touch: &Touch, n: usize, touches: &[Touch], keys: &Keys) -> Option<Way> {
    // A span that ends on this day cannot hold a statement that goes on.
    if part.closing.is_none() && touch.closing.is_some() {
        return None;
    }
    let rest = touch.bag.without(part.bag)?;
    if !may_make(part.opening - touch.begins, keys.amounts(&rest).into_iter()) {
        return None;
    }
    let joined = BTreeSet::from([n]);
    let gaps = gaps(touches, &BTreeSet::new(), None);
    let of = Some(touch.at);
    Some(Way { known: part.bag.clone(), joined: at(&joined, touches), begin: of, end: of, gaps })
}

/// The statement's part holds some spans whole, and may reach into one before and one after.
fn around(part: &Part<'_>, held: &BTreeSet<usize>, touches: &[Touch], keys: &Keys) -> Vec<Way> {
    let mut rest = part.bag.clone();
    for touch in held.iter().filter_map(|n| touches.get(*n)) {
        match rest.without(&touch.bag) {
            Some(left) => rest = left,
            None => return Vec::new(),
        }
    }
    let free = |n: &usize| !held.contains(n);
    let mut found = Vec::new();
    for (before, first) in ends(part, &rest, touches, &free, keys, true) {
        let Some(left) = rest.without(&first) else { continue };
        let other = |n: &usize| free(n) && before != Some(*n);
        for (after, last) in ends(part, &left, touches, &other, keys, false) {
            let Some(new) = left.without(&last) else { continue };
            if !reachable(part.opening + keys.sum(&first), &new, held, touches, keys) {
                continue;
            }
            let mut known = first.clone();
            known.add_all(&last);
            held.iter().filter_map(|n| touches.get(*n)).for_each(|touch| known.add_all(&touch.bag));
            let joined: BTreeSet<usize> = held.iter().copied().chain(before).chain(after).collect();
            let whole = merged(part, before, after, held, touches);
            found.push(Way {
                known,
                joined: at(&joined, touches),
                begin: before.and_then(|n| touches.get(n)).map(|touch| touch.at),
                end: after.and_then(|n| touches.get(n)).map(|touch| touch.at),
                gaps: gaps(touches, &joined, Some(whole)),
            });
        }
    }
    found
}

/// The span into which the part reaches at its beginning or its end, and the lines that both have; or none.
fn ends(
    part: &Part<'_>,
    rest: &Bag,
    touches: &[Touch],
    free: &dyn Fn(&usize) -> bool,
    keys: &Keys,
    beginning: bool,
) -> Vec<(Option<usize>, Bag)> {
    let mut found = vec![(None, Bag::default())];
    for (n, touch) in touches.iter().enumerate().filter(|(n, _)| free(n)) {
        let sum = match beginning {
            true => touch.closing.map(|closing| closing - part.opening),
            false => part.closing.zip(touch.opening).map(|(closing, opening)| closing - opening),
        };
        let Some(sum) = sum else { continue };
        let shared = rest.common(&touch.bag).parts(sum, keys, part.order);
        found.extend(shared.into_iter().map(|shared| (Some(n), shared)));
    }
    found
}

/// Whether the balance before each held span can be reached.
fn reachable(from: i128, new: &Bag, held: &BTreeSet<usize>, touches: &[Touch], keys: &Keys) -> bool {
    held.iter().all(|n| {
        let others = held.iter().filter(|other| *other != n).filter_map(|other| touches.get(*other));
        let sums: Vec<i128> = others.map(|touch| keys.sum(&touch.bag)).collect();
        touches.get(*n).is_some_and(|touch| may_make(touch.begins - from, keys.amounts(new).into_iter().chain(sums)))
    })
}

type Ends = (Option<i128>, Option<i128>);

/// The ends on this day of the statement together with the spans that it joins.
fn merged(
    part: &Part<'_>,
    before: Option<usize>,
    after: Option<usize>,
    held: &BTreeSet<usize>,
    touches: &[Touch],
) -> Ends {
    let begin = match before.and_then(|n| touches.get(n)) {
        Some(touch) => touch.opening,
        None => Some(part.opening),
    };
    let goes_on = held.iter().filter_map(|n| touches.get(*n)).any(|touch| touch.closing.is_none());
    let end = match after.and_then(|n| touches.get(n)) {
        Some(touch) => touch.closing,
        None if goes_on => None,
        None => part.closing,
    };
    (begin, end)
}

fn at(joined: &BTreeSet<usize>, touches: &[Touch]) -> BTreeSet<usize> {
    joined.iter().filter_map(|n| touches.get(*n)).map(|touch| touch.at).collect()
}

/// The fewest gaps that remain however the stretches of the day follow each other: as many unbroken walks as are
/// needed from balance to balance, less one.
fn gaps(touches: &[Touch], joined: &BTreeSet<usize>, whole: Option<Ends>) -> usize {
    let others = touches.iter().enumerate().filter(|(n, _)| !joined.contains(n));
    let stretches: Vec<Ends> = others.map(|(_, touch)| (touch.opening, touch.closing)).chain(whole).collect();
    walks(&stretches).saturating_sub(1)
}

fn walks(stretches: &[Ends]) -> usize {
    // A point where a span can begin or end; coming from another day, or going on to one, is a point of its own.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    enum Point {
        Balance(i128),
        Before(usize),
        After(usize),
    }
    let mut groups: BTreeMap<Point, usize> = BTreeMap::new();
    let mut degrees: BTreeMap<Point, i64> = BTreeMap::new();
    for (n, (opening, closing)) in stretches.iter().enumerate() {
        let (from, to) =
            (opening.map_or(Point::Before(n), Point::Balance), closing.map_or(Point::After(n), Point::Balance));
        *degrees.entry(from).or_default() += 1;
        *degrees.entry(to).or_default() -= 1;
        let (one, other) = (groups.get(&from).copied(), groups.get(&to).copied());
        let group = one.or(other).unwrap_or(n);
        groups.values_mut().filter(|group| Some(**group) == one || Some(**group) == other).for_each(|g| *g = group);
        groups.insert(from, group);
        groups.insert(to, group);
    }
    let mut walks: BTreeMap<usize, i64> = BTreeMap::new();
    for (point, degree) in degrees {
        *walks.entry(groups.get(&point).copied().unwrap_or(0)).or_default() += degree.max(0);
    }
    walks.values().map(|needed| usize::try_from((*needed).max(1)).unwrap_or(usize::MAX)).sum()
}
