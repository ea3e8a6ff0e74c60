//! A statement, independent of the file format.

use std::collections::HashMap;

use base::{Money, hex};
use sha2::{Digest, Sha256};

use crate::day::Day;
use crate::mistakes::{Mistakes, Problem};

/// The most lines of one file; even a large shop has fewer a day.
pub const MOST_LINES: usize = 50_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The account's number, such as an IBAN.
    pub account: String,
    pub currency: String,
    /// The bank's number of the statement; empty if the file has none.
    pub number: String,
    /// The days of its balances. A line may be booked back into a day before the first one.
    pub from: Day,
    pub to: Day,
    pub opening: Option<Money>,
    pub closing: Option<Money>,
    pub lines: Vec<Line>,
    /// The number of skipped entries: amount zero, or not yet booked.
    pub left_out: u64,
    /// The columns of a table that say nothing that is kept.
    pub passed_over: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The bank's reference, or else a digest of the line: its own within the file.
    pub id: String,
    pub booked_on: Day,
    /// Positive for incoming money.
    pub amount: Money,
    /// The references given by payer and banks.
    pub references: Vec<String>,
    pub counterparty: String,
    pub description: String,
    /// Whether it reverses an earlier line.
    pub reversal: bool,
}

impl Statement {
    /// # Errors
    /// `Unbalanced` if both balances are known and the lines do not add up to their
    /// difference.
    pub(crate) fn check_balances(&self) -> Result<(), Problem> {
        let (Some(opening), Some(closing)) = (self.opening, self.closing) else { return Ok(()) };
        let lines = self.lines.iter().map(|line| line.amount);
        let sum = Money::sum(std::iter::once(opening).chain(lines)).map_err(|_| Problem::TooLarge)?;
        if sum == closing { Ok(()) } else { Err(Problem::Unbalanced { opening, sum, closing }) }
    }
}

/// The digest that identifies an imported file: its bytes and the account read.
pub fn digest_of(file: &[u8], account: &str) -> [u8; 32] {
    Sha256::new().chain_update(Sha256::digest(file)).chain_update(account.as_bytes()).finalize().into()
}

/// Gives an id of its own to each line. Banks may write the same reference on all lines of a batch, or of a day; these
/// are numbered. A line without one gets a digest of its content and of the number of equal lines before it.
pub fn identify(lines: &mut [Line]) {
    number(lines);
    let mut equal: HashMap<[u8; 32], u64> = HashMap::new();
    for line in lines.iter_mut().filter(|line| line.id.is_empty()) {
        let content = digest(line, 0);
        let before = equal.entry(content).or_default();
        line.id = hex::encode(&digest(line, *before));
        line.id.truncate(32);
        *before += 1;
    }
}

fn number(lines: &mut [Line]) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for line in lines.iter_mut().filter(|line| !line.id.is_empty()) {
        let times = seen.entry(line.id.clone()).or_default();
        *times += 1;
        if *times > 1 {
            line.id = format!("{}#{times}", line.id);
        }
    }
}

fn digest(line: &Line, before: u64) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(line.booked_on.start().millis().to_be_bytes());
    hasher.update(line.amount.minor().to_be_bytes());
    hasher.update(before.to_be_bytes());
    let texts = line.references.iter().chain([&line.counterparty, &line.description]);
    for text in texts {
        hasher.update(u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize().into()
}

/// Whether one more line is allowed.
pub fn room(lines: usize, at: u64, mistakes: &mut Mistakes) -> bool {
    if lines < MOST_LINES {
        return true;
    }
    mistakes.add(at, "the file", Problem::TooManyLines { most: MOST_LINES });
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(minor: i64) -> Line {
        Line {
            id: String::new(),
            booked_on: Day::default(),
            amount: Money::from_minor(minor),
            references: vec!["A".into()],
            counterparty: String::new(),
            description: String::new(),
            reversal: false,
        }
    }

    #[test]
    fn equal_lines_have_ids_of_their_own_and_keep_them() {
        let ids = |lines: &[i64]| {
            let mut lines: Vec<Line> = lines.iter().map(|minor| line(*minor)).collect();
            identify(&mut lines);
            lines.into_iter().map(|line| line.id).collect::<Vec<_>>()
        };
        let once = ids(&[1, 2, 1]);
        assert!(once[0] != once[1] && once[0] != once[2] && once.iter().all(|id| id.len() == 32));
        assert_eq!(ids(&[2, 1, 1]), [once[1].clone(), once[0].clone(), once[2].clone()]);
    }

    #[test]
    fn a_file_is_known_by_its_bytes_and_its_account() {
        let known = digest_of(b"file", "A-1");
        assert_eq!(known, digest_of(b"file", "A-1"));
        for other in [digest_of(b"file", "A-2"), digest_of(b"fileA", "-1"), digest_of(b"", "")] {
            assert_ne!(known, other);
        }
    }

    #[test]
    fn all_that_a_line_says_is_in_its_id() {
        let id = |line: Line| {
            let mut lines = [line];
            identify(&mut lines);
            lines.map(|line| line.id).concat()
        };
        let other_day = Day::parse("2026-01-31").expect("a day");
        for other in [
            line(2),
            Line { booked_on: other_day, ..line(1) },
            Line { references: vec!["B".into()], ..line(1) },
            Line { counterparty: "B".into(), ..line(1) },
            Line { description: "B".into(), ..line(1) },
        ] {
            assert_ne!(id(other), id(line(1)));
        }
        assert_eq!(id(Line { id: "of the bank".into(), ..line(1) }), "of the bank");
    }

    #[test]
    fn there_is_room_for_so_many_lines_and_no_more() {
        let mut mistakes = Mistakes::default();
        assert!(room(0, 1, &mut mistakes) && room(MOST_LINES - 1, 1, &mut mistakes) && mistakes.is_empty());
        assert!(!room(MOST_LINES, 7, &mut mistakes));
        assert_eq!(mistakes, Mistakes::one(7, "the file", Problem::TooManyLines { most: MOST_LINES }));
    }
}
