//! The proof file: a user's book of a month as it was hashed, and that it is in a log whose head is signed. docs/PROOF.md
//! describes it, and every check, completely.
//!
//! A file is written section by section: [`BookHead::text`], [`line()`] for each transaction, and [`inclusion()`]. It is verified
//! by [`verify`], which keeps one line in memory.

mod balances;
mod book;
mod hex;
mod inclusion;
mod json;
mod keys;
mod lines;
mod moment;

use std::fmt;
use std::io::{BufRead, Seek};

pub use book::BookHead;
pub use inclusion::text as inclusion;
pub use json::{LARGEST, write as line};
pub use keys::KeyFile;
pub use lines::{BadFile, LARGEST_FILE, LONGEST_LINE};
pub use moment::Moment;

use crate::balances::Section;
use crate::{TreeHead, hash};
use balances::Balances;
use book::Chain;
use lines::Lines;

/// The facts that a file proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    pub book: BookHead,
    /// The number of the last transaction: of the file, or before it if it has none.
    pub last: i64,
    /// The log's head that was signed.
    pub head: TreeHead,
    /// Witnesses that signed it too, and when, in seconds since 1970.
    pub cosigned: Vec<(String, u64)>,
    pub balances: Option<Section>,
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BookHead { origin, book, month, transactions, previous: (before, _), .. } = &self.book;
        match *transactions {
            0 => writeln!(
                f,
                "{month}: no transaction in this file; the last one before is number {before} of book {book}"
            )?,
            _ => writeln!(
                f,
                "{month}: transactions {} to {} of book {book} are as the log has them",
                before + 1,
                self.last
            )?,
        }
        let TreeHead { size, root } = &self.head;
        writeln!(f, "log: {origin}, {size} entries, root {}", hash::base64(root))?;
        for (witness, seconds) in &self.cosigned {
            let millis = seconds.checked_mul(1_000).and_then(|millis| i64::try_from(millis).ok());
            match millis.and_then(Moment::of) {
                Some(at) => writeln!(f, "cosigned: {witness}, {at}")?,
                None => writeln!(f, "cosigned: {witness}, {seconds} s after 1970")?,
            }
        }
        if let Some(Section { record, place, .. }) = &self.balances {
            let (day, sequence) = (&record.day, place.sequence);
            write!(f, "balances at the end of {day}, up to transaction {sequence}, in minor units and of all:")?;
            for (name, (own, all)) in record.accounts.iter().zip(place.balances.iter().zip(&record.totals)) {
                write!(f, " {name} {own} of {all}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Verifies a file with the keys that the verifier has stored.
///
/// # Errors
/// The first thing that does not hold, with its line.
pub fn verify(mut file: impl BufRead + Seek, keys: &KeyFile) -> Result<Proved, BadFile> {
    // Which transaction's hash the balances need is said after all transactions.
    let wanted = balances::wanted(&mut Lines::new(&mut file));
    let begin = file.rewind();
    let mut lines = Lines::new(&mut file);
    begin.map_err(|error| lines.bad(format!("the file cannot be read: {error}")))?;

    let head = BookHead::read(&mut lines)?;
    let mut chain = Chain::new(&head, wanted);
    for _ in 0..head.transactions {
        chain.take(&mut lines)?;
    }
    let balances = match lines.line()? {
        "== balances" => Some(Balances::read(&mut lines)?),
        "== inclusion" => None,
        _ => return Err(lines.bad("here “== balances” or “== inclusion” must be")),
    };
    let signed = inclusion::read(&mut lines, chain.hash(), &head.origin, keys)?;
    let checked = balances.map(|balances| balances.check(&head.origin, chain.then.as_ref(), &signed.head));
    let (last, balances) = (chain.last(), checked.transpose()?);
    Ok(Proved { last, head: signed.head, cosigned: signed.cosigned, balances, book: head })
}
