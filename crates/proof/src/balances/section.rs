//! A user's part of a proof file: the day's record, their place in its tree, and that the record is in the log.

use std::fmt::Write as _;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::record::{amount, spaced};
use super::{BadBalances, Leaf, Node, Record};
use crate::hash::{self, Hash};
use crate::proofs::{TreeHead, includes};

/// The lines of a record.
const RECORD: usize = 7;
/// The highest tree, and the longest proof.
const HIGHEST: usize = 63;

/// The place of a user's balances in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub index: u64,
    pub salt: [u8; 32],
    /// The last transaction of the user's book for which the balances hold.
    pub sequence: u64,
    /// The balances, in the order of the record's accounts.
    pub balances: Vec<u64>,
    /// The siblings, the lowest first.
    pub path: Vec<Node>,
}

/// The section about balances in a proof file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub record: Record,
    pub place: Place,
    /// The record's place in the log.
    pub index: u64,
    pub inclusion: Vec<Hash>,
}

impl Section {
    pub fn text(&self) -> String {
        let Place { index, salt, sequence, balances, path } = &self.place;
        let salt: String = salt.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
        let mut text = self.record.text();
        let mut line = |name: &str, said: &str| {
            // Writing to a text does not fail.
            let _ = writeln!(text, "{name}: {said}");
        };
        line("leaf", &format!("{index} {salt} {sequence} {}", spaced(balances)));
        for Node { hash, sums } in path {
            line("sum", &format!("{} {}", STANDARD.encode(hash), spaced(sums)));
        }
        line("index", &self.index.to_string());
        for hash in &self.inclusion {
            line("hash", &STANDARD.encode(hash));
        }
        text
    }

    /// Reads what [`Section::text`] writes, and nothing else.
    ///
    /// # Errors
    /// Those of [`Record::parse`].
    pub fn parse(text: &str) -> Result<Self, BadBalances> {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let (record, rest) = lines.split_at_checked(RECORD).ok_or(BadBalances::Malformed)?;
        let record = Record::parse(&record.concat())?;
        let read = Self::read(record, rest).ok_or(BadBalances::Malformed)?;
        if read.text() == text { Ok(read) } else { Err(BadBalances::Malformed) }
    }

    fn read(record: Record, lines: &[&str]) -> Option<Self> {
        let said =
            |line: &&str, name: &str| Some(line.strip_suffix('\n')?.strip_prefix(name)?.strip_prefix(": ")?.to_owned());
        let (leaf, rest) = lines.split_first()?;
        let leaf = said(leaf, "leaf")?;
        let mut parts = leaf.split(' ');
        let (index, salt, sequence) = (parts.next()?.parse().ok()?, unhex(parts.next()?)?, amount(parts.next()?)?);
        let balances = parts.map(amount).collect::<Option<_>>()?;
        let sums = rest.iter().take_while(|line| line.starts_with("sum: ")).count();
        let (sums, rest) = rest.split_at_checked(sums)?;
        let path = sums.iter().map(|line| node(&said(line, "sum")?)).collect::<Option<Vec<_>>>()?;
        let (at, hashes) = rest.split_first()?;
        let inclusion = hashes.iter().map(|line| base64(&said(line, "hash")?)).collect::<Option<Vec<_>>>()?;
        let place = Place { index, salt, sequence, balances, path };
        let read = Self { record, place, index: said(at, "index")?.parse().ok()?, inclusion };
        (read.place.path.len() <= HIGHEST && read.inclusion.len() <= HIGHEST).then_some(read)
    }

    /// Whether the balances, as of the transaction with this hash, are part of the record's totals.
    ///
    /// # Errors
    /// `Nobodys`, `Accounts`, `Overflow` and `NotIncluded`.
    pub fn check(&self, transaction: &Hash) -> Result<(), BadBalances> {
        let (record, place) = (&self.record, &self.place);
        // All books begin with the same hash, so two users without transactions could be shown the same leaf.
        if place.sequence == 0 {
            return Err(BadBalances::Nobodys);
        }
        let accounts = record.accounts.len();
        if place.balances.len() != accounts || place.path.iter().any(|node| node.sums.len() != accounts) {
            return Err(BadBalances::Accounts);
        }
        let height = record.leaves.checked_ilog2().and_then(|height| usize::try_from(height).ok());
        if height != Some(place.path.len()) || place.index >= record.leaves {
            return Err(BadBalances::NotIncluded);
        }
        let (sequence, balances) = (place.sequence, place.balances.clone());
        let leaf = Leaf { salt: place.salt, transaction: *transaction, sequence, balances };
        let found = leaf.node()?.root(place.index, &place.path)?;
        let same = found.hash == record.root && found.sums == record.totals;
        if same { Ok(()) } else { Err(BadBalances::NotIncluded) }
    }

    /// Whether the record is in the log with this head.
    pub fn included(&self, head: &TreeHead) -> bool {
        includes(&hash::leaf(&self.record.entry()), self.index, head.size, &self.inclusion, &head.root)
    }
}

fn node(text: &str) -> Option<Node> {
    let mut parts = text.split(' ');
    Some(Node { hash: base64(parts.next()?)?, sums: parts.map(amount).collect::<Option<_>>()? })
}

fn base64(text: &str) -> Option<Hash> {
    STANDARD.decode(text).ok()?.try_into().ok()
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let digits = text.bytes().map(|byte| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok()));
    let digits: Vec<u8> = digits.collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks();
    let bytes: Vec<u8> = pairs.iter().map(|[high, low]| high << 4 | low).collect();
    bytes.try_into().ok().filter(|_| rest.is_empty())
}
