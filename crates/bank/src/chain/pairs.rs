//! Which lines of a file are which stored ones, once it is known how many of each kind are.

use std::collections::{BTreeMap, BTreeSet};

use super::bag::{Bag, By, Keys, purpose};
use super::{Misplaced, Span, Stored};
use crate::day::Day;
use crate::statement::Line;

/// The positions of the known lines. Where one of several equal lines is known, it is the one that says the same.
pub fn known(
    lines: &[Line],
    joined: &[&Span],
    known: &BTreeMap<Day, Bag>,
    by: By,
) -> Result<BTreeSet<usize>, Misplaced> {
    let mut keys = Keys::new(by);
    keys.days(lines.iter());
    // In the order in which they were numbered for the counts.
    keys.days(joined.iter().flat_map(|span| span.lines.iter().map(|kept| &kept.line)));
    let mut stored: BTreeMap<(Day, usize), Vec<&Stored>> = BTreeMap::new();
    for kept in joined.iter().flat_map(|span| &span.lines) {
        stored.entry((kept.line.booked_on, keys.of(&kept.line))).or_default().push(kept);
    }
    let mut own: BTreeMap<(Day, usize), Vec<usize>> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        own.entry((line.booked_on, keys.of(line))).or_default().push(at);
    }
    let mut found = BTreeSet::new();
    for ((day, key), places) in own {
        let count = known.get(&day).map_or(0, |bag| bag.count(key));
        let mut left = stored.remove(&(day, key)).unwrap_or_default();
        let all = places.len();
        let mut taken = take(lines, places, &mut left, count);
        if by == By::Amount && count < all && taken.changed {
            return Err(changed(day, lines, &taken.places));
        }
        found.append(&mut taken.places);
    }
    Ok(found)
}

struct TakenLines {
    places: BTreeSet<usize>,
    /// Whether one of them has another purpose than the stored line has.
    changed: bool,
}

fn take(lines: &[Line], places: Vec<usize>, stored: &mut Vec<&Stored>, count: usize) -> TakenLines {
    let mut taken = TakenLines { places: BTreeSet::new(), changed: false };
    let alike: [fn(&Line, &Line) -> bool; 3] =
        [|one, other| one == other, |one, other| purpose(one) == purpose(other), |_, _| true];
    for (rank, alike) in alike.into_iter().enumerate() {
        for place in &places {
            let Some(line) = lines.get(*place).filter(|_| taken.places.len() < count) else { continue };
            if taken.places.contains(place) {
                continue;
            }
            if let Some(at) = stored.iter().position(|kept| alike(&kept.line, line)) {
                stored.swap_remove(at);
                taken.places.insert(*place);
                taken.changed |= rank == 2;
            }
        }
    }
    taken
}

fn changed(day: Day, lines: &[Line], places: &BTreeSet<usize>) -> Misplaced {
    let amount = places.iter().next().and_then(|at| lines.get(*at)).map(|line| line.amount).unwrap_or_default();
    Misplaced::OtherLines { day, stored: amount, file: amount }
}
