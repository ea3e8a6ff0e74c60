//! Finding the document that a line of the bank belongs to.
//!
//! A match is certain only if the line contains the document's external reference and
//! has exactly its amount, and no other line or document fits as well. Everything
//! else is left to a person.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use aho_corasick::{AhoCorasick, MatchKind};
use base::Money;

use crate::day::Day;
use crate::reference::{self, is_hidden};

mod across;

use across::Across;

/// A payment of ours that the bank's statement should show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document<K> {
    pub key: K,
    /// Positive for incoming money.
    pub amount: Money,
    /// The external reference; empty if none was recorded.
    pub reference: String,
    pub counterparty: String,
    /// When it was approved or paid.
    pub day: Day,
}

/// The parts of a line that matching needs.
#[derive(Clone, Copy, Debug)]
pub struct LineFacts<'a> {
    pub id: &'a str,
    pub booked_on: Day,
    pub amount: Money,
    /// Its references and its description.
    pub texts: &'a [String],
    pub counterparty: &'a str,
}

/// The result for one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding<K> {
    /// Reference and amount fit this document and no other.
    Match(K),
    /// The reference fits these documents, the amount does not.
    Difference(Vec<K>),
    /// The amount fits and the day or name makes it likely, or several documents fit
    /// equally well.
    Suggestion(Vec<K>),
    /// No document fits.
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings<K> {
    /// One finding per line, in the same order.
    pub lines: Vec<Finding<K>>,
    /// Documents that no line names or matches, although the statement goes beyond their
    /// day.
    pub missing: Vec<K>,
}

/// The most documents listed for one line.
const NAMED: usize = 3;
/// The most documents of one amount considered on each side of a line's day.
const LOOKED_AT: usize = 32;
/// The most days between document and line, without and with a matching name.
const NEAR: u64 = 5;
const NEAR_BY_NAME: u64 = 30;

/// Compares all lines with all documents; `until` is the last day that the
/// lines cover.
pub fn match_up<K: Copy + Ord>(lines: &[LineFacts<'_>], documents: &[Document<K>], until: Day) -> Findings<K> {
    let named = named(lines, documents);
    let alone = alone(lines, documents, &named);
    let taken: BTreeSet<usize> = alone.values().copied().collect();
    let by_amount = by_amount(documents, &taken);
    let mut spoken_for = taken.clone();
    let mut found = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let names = named.get(at).map(Vec::as_slice).unwrap_or_default();
        let finding = match alone.get(&at) {
            Some(document) => Picked::Match(*document),
            None => {
                let free: Vec<usize> = names.iter().copied().filter(|d| !taken.contains(d)).collect();
                spoken_for.extend(&free);
                let same_amount = by_amount.get(&line.amount).map(Vec::as_slice).unwrap_or_default();
                pick(line, &free, documents, nearest(line.booked_on, same_amount))
            }
        };
        found.push(finding);
    }
    let key = |at: &usize| documents.get(*at).map(|document| document.key);
    let missing = (0..documents.len())
        .filter(|at| !spoken_for.contains(at) && documents.get(*at).is_some_and(|d| d.day <= until))
        .filter_map(|at| key(&at))
        .collect();
    let lines = found.into_iter().map(|picked| picked.keyed(key)).collect();
    Findings { lines, missing }
}

/// A finding with indices of documents.
enum Picked {
    Match(usize),
    Difference(Vec<usize>),
    Suggestion(Vec<usize>),
    Unknown,
}

impl Picked {
    fn keyed<K>(self, key: impl Fn(&usize) -> Option<K>) -> Finding<K> {
        let keys = |places: Vec<usize>| places.iter().take(NAMED).filter_map(&key).collect();
        match self {
            Self::Match(place) => key(&place).map_or(Finding::Unknown, Finding::Match),
            Self::Difference(places) => Finding::Difference(keys(places)),
            Self::Suggestion(places) => Finding::Suggestion(keys(places)),
            Self::Unknown => Finding::Unknown,
        }
    }
}

/// The finding for a line without a certain match.
fn pick<K>(line: &LineFacts<'_>, named: &[usize], documents: &[Document<K>], near: &[(Day, usize)]) -> Picked {
    let amount = |at: &usize| documents.get(*at).map(|document| document.amount);
    let (equal, other): (Vec<usize>, Vec<usize>) = named.iter().partition(|at| amount(at) == Some(line.amount));
    if !equal.is_empty() {
        return Picked::Suggestion(equal);
    }
    if !other.is_empty() {
        return Picked::Difference(other);
    }
    let mut near: Vec<(bool, u64, usize)> = near
        .iter()
        .filter_map(|(day, at)| {
            let apart = line.booked_on.apart(*day);
            let by_name = same_name(line.counterparty, &documents.get(*at)?.counterparty);
            let near = apart <= NEAR || (by_name && apart <= NEAR_BY_NAME);
            near.then_some((!by_name, apart, *at))
        })
        .collect();
    near.sort_unstable();
    if near.is_empty() { Picked::Unknown } else { Picked::Suggestion(near.into_iter().map(|(.., at)| at).collect()) }
}

/// The certain matches: lines with one fitting document that fits no other line.
fn alone<K>(lines: &[LineFacts<'_>], documents: &[Document<K>], named: &[Vec<usize>]) -> BTreeMap<usize, usize> {
    let mut fits: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut lines_of: HashMap<usize, usize> = HashMap::new();
    for (at, (line, names)) in lines.iter().zip(named).enumerate() {
        for document in names.iter().filter(|d| documents.get(**d).is_some_and(|d| d.amount == line.amount)) {
            fits.entry(at).or_default().push(*document);
            *lines_of.entry(*document).or_default() += 1;
        }
    }
    let one = |documents: &Vec<usize>| match documents.as_slice() {
        [only] if lines_of.get(only) == Some(&1) => Some(*only),
        _ => None,
    };
    fits.iter().filter_map(|(line, documents)| Some((*line, one(documents)?))).collect()
}

/// Documents without a certain match, by amount and in order of their days.
fn by_amount<K>(documents: &[Document<K>], taken: &BTreeSet<usize>) -> HashMap<Money, Vec<(Day, usize)>> {
    let mut by_amount: HashMap<Money, Vec<(Day, usize)>> = HashMap::new();
    for (at, document) in documents.iter().enumerate().filter(|(at, _)| !taken.contains(at)) {
        by_amount.entry(document.amount).or_default().push((document.day, at));
    }
    by_amount.values_mut().for_each(|same| same.sort_unstable());
    by_amount
}

/// The documents around a day. If thousands have the same amount, a few are enough to
/// show that a person must look.
fn nearest(day: Day, same: &[(Day, usize)]) -> &[(Day, usize)] {
    let middle = same.partition_point(|(other, _)| *other < day);
    let end = middle.saturating_add(LOOKED_AT).min(same.len());
    same.get(middle.saturating_sub(LOOKED_AT)..end).unwrap_or_default()
}

/// The documents whose reference each line contains. One automaton searches for all
/// references at once, so the time depends only on the length of the texts.
fn named<K>(lines: &[LineFacts<'_>], documents: &[Document<K>]) -> Vec<Vec<usize>> {
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, document) in documents.iter().enumerate() {
        let reference = folded(&document.reference);
        if !reference.is_empty() {
            places.entry(reference).or_default().push(at);
        }
    }
    let patterns: Vec<(&String, &Vec<usize>)> = places.iter().collect();
    let automaton =
        AhoCorasick::builder().match_kind(MatchKind::Standard).build(patterns.iter().map(|(reference, _)| reference));
    let Ok(automaton) = automaton else { return vec![Vec::new(); lines.len()] };
    let across = Across::new(&patterns);
    let of_line = |line: &LineFacts<'_>| {
        let mut found = BTreeSet::new();
        for text in line.texts.iter().map(String::as_str).chain([line.id]) {
            let text = folded(text);
            for hit in automaton.find_overlapping_iter(&text) {
                if bounded(&text, hit.start(), hit.end())
                    && let Some((_, documents)) = patterns.get(hit.pattern().as_usize())
                {
                    found.extend(documents.iter().copied());
                }
            }
        }
        if found.is_empty()
            && let Some(across) = &across
        {
            found.extend(line.texts.iter().flat_map(|text| across.named(&folded(text), &patterns)));
        }
        found.into_iter().collect()
    };
    lines.iter().map(of_line).collect()
}

/// The text in a form for comparing: without case, compatibility forms and invisible characters, with single blanks,
/// and with one kind of hyphen. Letters stay letters, so word boundaries are preserved.
fn folded(text: &str) -> String {
    let shown = |c: &char| c.is_whitespace() || !is_hidden(*c);
    // A hyphen that does not break lines is compatible with the first of these. Longer dashes part words.
    let plain = |c: char| if matches!(c, '\u{2010}' | '\u{2012}') { '-' } else { c };
    let small: String = reference::folded(text).chars().filter(shown).map(plain).collect();
    small.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the match is a whole word: `AB-1` is not in `AB-12`, `AB-1-2` or `XAB-1`,
/// but is in `/AB-1/` and `AB-1.`.
fn bounded(text: &str, start: usize, end: usize) -> bool {
    let mut before = text.get(..start).unwrap_or_default().chars().rev();
    let mut after = text.get(end..).unwrap_or_default().chars();
    !goes_on(before.next(), before.next()) && !goes_on(after.next(), after.next())
}

fn goes_on(next: Option<char>, beyond: Option<char>) -> bool {
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    letter(next) || (matches!(next, Some('-' | '_' | '.' | '~')) && letter(beyond))
}

/// Whether the longer name contains all words of the shorter one.
fn same_name(one: &str, other: &str) -> bool {
    let words = |name: &str| -> BTreeSet<String> {
        let name = name.to_lowercase();
        name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (one, other) = (words(one), words(other));
    !one.is_empty() && !other.is_empty() && (one.is_subset(&other) || other.is_subset(&one))
}

#[cfg(test)]
mod tests;
