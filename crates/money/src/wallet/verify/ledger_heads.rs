//! The heads of the ledger's books, written to a file. Kept elsewhere, it can prove
//! later that nothing before it was changed, even by somebody with the database and
//! its secrets.

use base::{Field, Timestamp};
use foundation::{App, Error};
use serde::Serialize;
use sha2::{Digest, Sha256};
use store::wallet::verify::{BookEnd, NotedEnds, book_ends};

const TITLE: &str = "placard ledger heads 1";
const PURPOSE: &str = TITLE;

/// The heads of all books in one digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LedgerHead {
    pub at: Timestamp,
    pub books: i64,
    pub transactions: i64,
    /// SHA-256 over the lines of `ledger heads`.
    pub digest: String,
    /// This installation's seal of time and digest.
    pub seal: String,
}

/// The heads from one moment, and the file that contains them.
#[derive(Clone, Debug)]
pub struct Heads {
    pub head: LedgerHead,
    pub file: String,
}

pub async fn ledger_heads(app: &App) -> Result<Heads, Error> {
    let ends = app.db.snapshot(book_ends).await?;
    let lines: String = ends.iter().filter(|end| end.sequence > 0).map(line).collect();
    let at = app.now();
    let digest = auth::hex::encode(&Sha256::digest(lines.as_bytes()));
    let seal = auth::hex::encode(&app.secrets.sealer().seal(PURPOSE, sealed(&at.to_string(), &digest).as_bytes()));
    let file = format!("{TITLE}\nat {at}\ndigest {digest}\nseal {seal}\n{lines}");
    let transactions = ends.iter().map(|end| end.sequence).sum();
    let books = i64::try_from(ends.iter().filter(|end| end.sequence > 0).count()).unwrap_or(i64::MAX);
    Ok(Heads { head: LedgerHead { at, books, transactions, digest, seal }, file })
}

fn line(end: &BookEnd) -> String {
    format!("{} {} {}\n", end.book, end.sequence, auth::hex::encode(&end.hash))
}

fn sealed(at: &str, digest: &str) -> String {
    format!("{at} {digest}")
}

/// Saved heads from a file.
#[derive(Clone, Debug)]
pub struct NotedHeads {
    at: Timestamp,
    books: NotedEnds,
}

impl NotedHeads {
    /// The time when they were saved, and the heads by book.
    pub fn into_parts(self) -> (Timestamp, NotedEnds) {
        (self.at, self.books)
    }

    /// Parses the output of [`ledger_heads`].
    ///
    /// # Errors
    /// The field `heads`: `invalid` for another kind of file, `changed` if its lines or
    /// seal are not as this installation wrote them.
    pub fn read(app: &App, file: &str) -> Result<Self, Error> {
        let invalid = || Error::field(Field::Heads, "invalid");
        let (heading, lines) = split(file).ok_or_else(invalid)?;
        let digest = auth::hex::encode(&Sha256::digest(lines.as_bytes()));
        let seal = auth::hex::decode::<32>(heading.seal).ok_or_else(invalid)?;
        let whole = app.secrets.sealer().fits(PURPOSE, sealed(heading.at, &digest).as_bytes(), &seal);
        Error::field_if(digest != heading.digest || !whole, Field::Heads, "changed")?;
        let at = Timestamp::parse(heading.at).ok_or_else(invalid)?;
        let books = lines.lines().map(noted).collect::<Option<NotedEnds>>().ok_or_else(invalid)?;
        Ok(Self { at, books })
    }
}

struct Heading<'a> {
    at: &'a str,
    digest: &'a str,
    seal: &'a str,
}

fn split(file: &str) -> Option<(Heading<'_>, &str)> {
    let rest = file.strip_prefix(TITLE)?.strip_prefix('\n')?;
    let (at, rest) = rest.strip_prefix("at ")?.split_once('\n')?;
    let (digest, rest) = rest.strip_prefix("digest ")?.split_once('\n')?;
    let (seal, lines) = rest.strip_prefix("seal ")?.split_once('\n')?;
    Some((Heading { at, digest, seal }, lines))
}

fn noted(line: &str) -> Option<(i64, (i64, [u8; 32]))> {
    let mut parts = line.split(' ');
    let (book, sequence) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some((book, (sequence, auth::hex::decode(parts.next()?)?)))
}
