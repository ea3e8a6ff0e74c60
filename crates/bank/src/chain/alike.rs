//! Recognises one payment in two forms: a table that somebody made has fewer references than the bank's own file.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::bag::purpose;
use super::unproven::{Kind, kind, references};
use super::{Span, Stored};
use crate::statement::Statement;

/// The spans in the file's words: a line of the other form says what a line of the file says, if they share a reference
/// that no other of their day and amount has. And whether one is left that may be a line of the file all the same.
pub fn alike<'a>(file: &Statement, spans: &'a [Span]) -> (Cow<'a, [Span]>, bool) {
    let is_other = |kept: &Stored| kept.numbered == file.number.is_empty();
    let proven = spans.iter().enumerate().filter(|(_, span)| span.extent.balances.is_some());
    let stored: Vec<Kept<'_>> =
        proven.flat_map(|(at, span)| span.lines.iter().enumerate().map(move |(n, kept)| (at, n, kept))).collect();
    if !stored.iter().any(|(.., kept)| is_other(kept)) {
        return (Cow::Borrowed(spans), false);
    }
    let (own, stored) = without_equals(file, stored);
    // The lines with a reference, of the file and of the stored lines.
    let mut holders: BTreeMap<(Kind, String), (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (place, line) in own.iter().filter_map(|place| Some((*place, file.lines.get(*place)?))) {
        references(line).for_each(|one| holders.entry((kind(line), one)).or_default().0.push(place));
    }
    for (n, (.., kept)) in stored.iter().enumerate() {
        references(&kept.line).for_each(|one| holders.entry((kind(&kept.line), one)).or_default().1.push(n));
    }
    let (mut of_file, mut of_stored, mut worded) = (BTreeSet::new(), BTreeSet::new(), spans.to_vec());
    for (places, numbers) in holders.values() {
        let ([place], [n]) = (places.as_slice(), numbers.as_slice()) else { continue };
        let (Some(line), Some((at, within, kept))) = (file.lines.get(*place), stored.get(*n)) else { continue };
        if !is_other(kept) || of_file.contains(place) || of_stored.contains(n) {
            continue;
        }
        of_file.insert(*place);
        of_stored.insert(*n);
        if let Some(said) = worded.get_mut(*at).and_then(|span| span.lines.get_mut(*within)) {
            said.line.references.clone_from(&line.references);
            said.line.description.clone_from(&line.description);
        }
    }
    let left = own.iter().filter(|place| !of_file.contains(*place)).filter_map(|place| file.lines.get(*place));
    let left: BTreeSet<Kind> = left.map(kind).collect();
    let mut others = stored.iter().enumerate().filter(|(n, (.., kept))| !of_stored.contains(n) && is_other(kept));
    let doubtful = others.any(|(_, (.., kept))| left.contains(&kind(&kept.line)));
    (Cow::Owned(worded), doubtful)
}

/// A stored line, with the positions of its span and within that.
type Kept<'a> = (usize, usize, &'a Stored);

/// The file's lines and the stored ones without those that say the same.
fn without_equals<'a>(file: &Statement, stored: Vec<Kept<'a>>) -> (Vec<usize>, Vec<Kept<'a>>) {
    let mut equal: HashMap<(Kind, String), (usize, usize)> = HashMap::new();
    for (.., kept) in &stored {
        equal.entry((kind(&kept.line), purpose(&kept.line))).or_default().0 += 1;
    }
    let mut own = Vec::new();
    for (at, line) in file.lines.iter().enumerate() {
        match equal.get_mut(&(kind(line), purpose(line))) {
            Some((there, taken)) if *taken < *there => *taken += 1,
            _ => own.push(at),
        }
    }
    let is_left = |(.., kept): &Kept<'a>| match equal.get_mut(&(kind(&kept.line), purpose(&kept.line))) {
        Some((_, taken)) if *taken > 0 => {
            *taken -= 1;
            false
        }
        _ => true,
    };
    (own, stored.into_iter().filter(is_left).collect())
}
