//! Verifies the audit log's chain from its beginning to its sealed end, and describes any
//! tampering.

use auth::Sealer;
use diesel::prelude::*;

use super::done::Done;
use super::rows::RowDigests;
use super::{FIRST_VERSION, GENESIS, Head, NUMBERED, Record, WITH_ROWS};
use crate::schema::audit;
use crate::{Conn, Error, Tx};

const ROWS_AT_ONCE: i64 = 1_000;
/// After this many breaks of the chain, the check does not look for more.
const MARKED: usize = 500;
/// No more faults than this are listed.
const LISTED: usize = 20;

/// The result of checking the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainReport {
    pub rows: i64,
    /// The first wrong record; `None` if all are right.
    pub broken_at: Option<i64>,
    /// The hash of the last record.
    pub head: Vec<u8>,
    /// What is wrong, in words.
    pub faults: Vec<String>,
    /// The record that has the hash that somebody saved.
    pub noted: Option<i64>,
}

/// The part of a record that is needed to check its neighbours.
#[derive(Clone, Debug)]
pub(super) struct ChainLink {
    pub id: i64,
    pub version: i16,
    prev: Vec<u8>,
    hash: Vec<u8>,
    /// Whether its content matches its hash.
    whole: bool,
}

impl ChainLink {
    fn of(record: Record) -> Self {
        let whole = record.is_whole();
        Self { id: record.id, version: record.version, prev: record.prev_hash, hash: record.hash, whole }
    }

    fn genesis() -> Self {
        Self { id: 0, version: FIRST_VERSION, prev: Vec::new(), hash: GENESIS.to_vec(), whole: true }
    }

    fn follows(&self, before: &Self) -> bool {
        self.prev == before.hash
    }

    /// Whether this record's version cannot follow that of the record before it. Once records contain the digests of
    /// rows, no version without them follows. Later versions only cover more rows, and may alternate: while servers are
    /// upgraded one by one, two versions write.
    const fn is_outdated(&self, before: &Self) -> bool {
        self.version < before.version && self.version < WITH_ROWS
    }

    /// Whether its id follows the one before. From version `NUMBERED` on, ids have no gaps.
    fn is_next(&self, before: &Self) -> bool {
        self.version < NUMBERED || self.id == before.id + 1
    }
}

/// A break of the chain.
#[derive(Clone, Debug)]
struct ChainBreak {
    before: ChainLink,
    here: ChainLink,
}

/// Verifies the chain from its beginning. Without a `sealer`, the seal of its end is not checked. `noted` is a hash
/// that somebody saved elsewhere; the chain must contain it.
pub fn verify(conn: &mut Conn, sealer: Option<&Sealer>, noted: Option<&[u8; 32]>) -> Result<ChainReport, Error> {
    let (mut walk, mut named, mut done) = (ChainWalk::new(noted), RowDigests::default(), Done::default());
    loop {
        let above = walk.last.id;
        let rows: Vec<Record> =
            audit::table.filter(audit::id.gt(above)).order(audit::id).limit(ROWS_AT_ONCE).load(conn)?;
        if rows.is_empty() {
            break;
        }
        for record in rows {
            named.take(&record);
            done.take(&record);
            walk.step(ChainLink::of(record));
        }
    }
    walk.rows_edited = named.check(conn, &walk.last)?;
    walk.rows_edited.extend(done.check(conn, walk.last.id)?);
    let head = super::head(conn)?;
    let sealed = match head.as_ref().zip(sealer) {
        Some((head, sealer)) => head.is_sealed(conn, sealer)?,
        None => true,
    };
    Ok(walk.end(head.as_ref(), sealed))
}

/// Whether all records from this one on are unchanged, up to the sealed end. The end stays locked.
pub fn holds_since(tx: &mut Tx<'_>, first: i64) -> Result<bool, Error> {
    let sealer = tx.context().sealer()?;
    let head = super::head::lock(tx)?;
    if !head.is_sealed(tx, &sealer)? {
        return Ok(false);
    }
    let mut last: Option<ChainLink> = None;
    loop {
        let above = last.as_ref().map_or(first - 1, |last| last.id);
        let rows: Vec<Record> =
            audit::table.filter(audit::id.gt(above)).order(audit::id).limit(ROWS_AT_ONCE).load(tx.conn())?;
        if rows.is_empty() {
            break;
        }
        for here in rows.into_iter().map(ChainLink::of) {
            let follows = last.as_ref().is_none_or(|before| here.follows(before) && here.is_next(before));
            if !here.whole || !follows {
                return Ok(false);
            }
            last = Some(here);
        }
    }
    Ok(last.is_some_and(|last| last.id == head.last_id && last.hash == head.hash))
}

struct ChainWalk<'a> {
    noted: Option<&'a [u8; 32]>,
    found: Option<i64>,
    rows: i64,
    last: ChainLink,
    marks: Vec<ChainBreak>,
    /// Rows that differ from the last record about them.
    rows_edited: Vec<(i64, String)>,
}

impl<'a> ChainWalk<'a> {
    fn new(noted: Option<&'a [u8; 32]>) -> Self {
        // Somebody may have saved the hash of the empty chain.
        let found = noted.filter(|hash| **hash == GENESIS).map(|_| 0);
        Self { noted, found, rows: 0, last: ChainLink::genesis(), marks: Vec::new(), rows_edited: Vec::new() }
    }

    fn step(&mut self, here: ChainLink) {
        self.rows += 1;
        if self.noted.is_some_and(|noted| here.hash == noted) {
            self.found = Some(here.id);
        }
        let before = std::mem::replace(&mut self.last, here);
        let here = &self.last;
        let holds = here.whole && here.follows(&before) && here.is_next(&before) && !here.is_outdated(&before);
        if !holds && self.marks.len() < MARKED {
            self.marks.push(ChainBreak { before, here: here.clone() });
        }
    }

    fn end(self, head: Option<&Head>, sealed: bool) -> ChainReport {
        let mut faults = explain(&self.marks);
        let named = self.marks.last().is_some_and(|mark| mark.here.id == self.last.id);
        let clean = faults.is_empty();
        faults.extend(self.against_head(head, sealed, named, clean));
        if self.noted.is_some() && self.found.is_none() {
            let gone = "no record has the hash that was noted: records up to it were changed or cut off";
            faults.push((self.last.id, gone.to_owned()));
        }
        // The records of a broken chain prove nothing about rows.
        if faults.is_empty() {
            faults.extend(self.rows_edited);
        }
        let broken_at = faults.iter().map(|(id, _)| *id).min();
        let faults = faults.into_iter().take(LISTED).map(|(_, fault)| fault).collect();
        ChainReport { rows: self.rows, broken_at, head: self.last.hash, faults, noted: self.found }
    }

    /// Compares the end of the chain with the sealed end. `named` says that the last record is already among the
    /// faults, `clean` that there are no faults.
    fn against_head(&self, head: Option<&Head>, sealed: bool, named: bool, clean: bool) -> Option<(i64, String)> {
        let last = &self.last;
        let Some(head) = head else {
            return Some((last.id, "the audit's head was removed".to_owned()));
        };
        if !sealed {
            let by_hand = "the audit's head was changed by hand, or sealed with other secrets than these";
            return Some((last.id, by_hand.to_owned()));
        }
        let missing = head.records - self.rows;
        if last.id < head.last_id {
            let (at, to) = (head.last_at, head.last_id);
            let cut = format!("the last {missing} records were cut off, up to record {to} of {at}");
            return Some((last.id + 1, cut));
        }
        if last.id > head.last_id {
            let from = head.last_id + 1;
            return Some((from, format!("records from {from} on were put in behind the sealed end")));
        }
        if last.hash != head.hash && !named {
            return Some((last.id, format!("record {}, the last, was edited and its hash with it", last.id)));
        }
        let counts = format!("there are {} records and the sealed end counts {}", self.rows, head.records);
        (missing != 0 && clean).then_some((last.id, counts))
    }
}

/// What happened at each break, with the record that it concerns.
fn explain(marks: &[ChainBreak]) -> Vec<(i64, String)> {
    let swapped = swaps(marks);
    let mut faults: Vec<(i64, String)> = swapped
        .iter()
        .map(|(one, other)| (*one, format!("records {one} and {other} stand in each other's place")))
        .collect();
    let displaced = |id: i64| swapped.iter().any(|(one, other)| *one == id || *other == id);
    let rest = marks.iter().filter(|mark| !displaced(mark.here.id));
    for mark in rest {
        let after_displaced = displaced(mark.before.id);
        faults.extend(at(mark, after_displaced));
    }
    faults.sort();
    faults
}

/// Pairs of swapped records: each continues the chain in the place of the other.
fn swaps(marks: &[ChainBreak]) -> Vec<(i64, i64)> {
    let mut found = Vec::new();
    for (n, one) in marks.iter().enumerate() {
        for other in marks.iter().skip(n + 1) {
            // Swapped neighbours continue each other in the wrong order.
            let before_other = if other.before.id == one.here.id { &other.here } else { &other.before };
            if other.here.follows(&one.before) && one.here.follows(before_other) {
                found.push((one.here.id, other.here.id));
            }
        }
    }
    found
}

fn at(mark: &ChainBreak, after_displaced: bool) -> Vec<(i64, String)> {
    let (before, here) = (&mark.before, &mark.here);
    let mut faults = Vec::new();
    if !here.is_next(before) {
        faults.push((before.id + 1, missing(before.id + 1, here.id)));
    }
    if !here.whole {
        let edited = format!("record {} was edited: what it says does not give its hash", here.id);
        faults.push((here.id, edited));
    } else if here.is_outdated(before) {
        faults.push((here.id, format!("record {} was put in: it is of an older kind than those before it", here.id)));
    } else if !here.follows(before) && here.is_next(before) && before.whole && !after_displaced {
        faults.push(unlinked(before, here));
    }
    faults
}

fn missing(from: i64, next: i64) -> String {
    let last = next - 1;
    if from == last {
        return format!("record {from} is missing: record {next} does not follow record {}", from - 1);
    }
    format!("records {from} to {last} are missing: record {next} does not follow record {}", from - 1)
}

/// Both records are unchanged, but the second does not continue the first.
fn unlinked(before: &ChainLink, here: &ChainLink) -> (i64, String) {
    let (one, next) = (before.id, here.id);
    if one == 0 {
        return (next, format!("records before record {next} are missing: it is not a first one"));
    }
    if here.prev == before.prev {
        return (one, format!("record {one} was put in: record {next} follows what stands before it"));
    }
    if here.version < NUMBERED {
        return (
            one,
            format!(
                "record {one} was edited and its hash with it, or records between it and record {next} are missing"
            ),
        );
    }
    (one, format!("record {one} was edited and its hash with it: record {next} follows another"))
}
