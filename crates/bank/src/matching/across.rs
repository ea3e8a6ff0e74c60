//! References that a bank has written with blanks in them: in groups of four, or cut where its line ended.

use std::collections::BTreeSet;

use aho_corasick::AhoCorasick;

use super::bounded;

/// Shorter references are found only as they are: with blanks left out, chance makes them.
const SHORTEST: usize = 8;

/// The references without their blanks.
pub struct Across {
    automaton: AhoCorasick,
    /// The position of each among all references.
    places: Vec<usize>,
}

impl Across {
    pub fn new(patterns: &[(&String, &Vec<usize>)]) -> Option<Self> {
        let long = |reference: &str| reference.chars().filter(|c| c.is_alphanumeric()).count() >= SHORTEST;
        let (places, plain): (Vec<usize>, Vec<String>) = patterns
            .iter()
            .enumerate()
            .filter(|(_, (reference, _))| long(reference))
            .map(|(place, (reference, _))| (place, reference.replace(' ', "")))
            .unzip();
        let automaton = AhoCorasick::new(plain).ok()?;
        Some(Self { automaton, places })
    }

    /// The documents that a text names if blanks within a reference do not count. It begins and ends with a word.
    pub fn named(&self, text: &str, patterns: &[(&String, &Vec<usize>)]) -> BTreeSet<usize> {
        let mut plain = String::with_capacity(text.len());
        // Where each byte was.
        let mut was = Vec::with_capacity(text.len());
        for (at, c) in text.char_indices().filter(|(_, c)| *c != ' ') {
            plain.push(c);
            was.extend(at..at + c.len_utf8());
        }
        let mut found = BTreeSet::new();
        for hit in self.automaton.find_overlapping_iter(&plain) {
            let place = |at: usize| was.get(at).copied().unwrap_or_default();
            let whole = bounded(text, place(hit.start()), place(hit.end().saturating_sub(1)) + 1);
            let of = self.places.get(hit.pattern().as_usize()).and_then(|place| patterns.get(*place));
            if let Some((_, documents)) = of.filter(|_| whole) {
                found.extend(documents.iter().copied());
            }
        }
        found
    }
}
