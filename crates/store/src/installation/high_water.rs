//! The high-water mark beside a database: the state that the database must at least have reached.
//!
//! After every commit, and before anybody is answered, the state of the database is written into a small sealed file.
//! The file reaches the disk within a second, so after a power cut it may be behind the database, but it is never
//! ahead. A database that is behind its mark has lost something that somebody was told, and is not opened.
//!
//! SQLite counts its commits. On PostgreSQL such a count would be a row that everybody
//! waits for, so each server notes the last transaction and the last audit record that it
//! wrote itself, with their hashes.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use auth::{Sealer, hex};
use base::Timestamp;
use diesel::prelude::*;

use crate::installation::identity::has_column;
use crate::schema::{audit, high_water, installation, transactions};
use crate::{Conn, Error, Tx};
use db::Target;

pub(crate) mod keeper;

pub(crate) use keeper::{Keeper, run as keep};

const TITLE: &str = "placard mark 1";
const PURPOSE: &str = TITLE;
/// The size of the file: a disk writes this much completely or not at all.
pub const BYTES: usize = 512;
const READ_AGAIN: usize = 5;
const BETWEEN_READS: Duration = Duration::from_millis(20);
/// Larger than any such file; a longer one is not a mark.
const LONGEST: u64 = 4_096;

/// One link of a chain: its number and its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    pub id: i64,
    pub hash: [u8; 32],
}

/// The last links that one database transaction wrote.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Written {
    pub transaction: Option<Link>,
    pub record: Option<Link>,
}

impl Written {
    pub const fn is_any(&self) -> bool {
        self.transaction.is_some() || self.record.is_some()
    }
}

/// The state of a database now, or when somebody was last answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// When its installation began, which distinguishes it from others.
    pub installation: i64,
    /// Counted only by SQLite.
    pub commits: i64,
    pub transaction: Option<Link>,
    pub record: Option<Link>,
    /// The time of the last commit, in milliseconds.
    pub at: i64,
}

impl Mark {
    pub fn text(&self, sealer: &Sealer) -> String {
        let link = |link: Option<Link>| link.map_or("0 -".to_owned(), |l| format!("{} {}", l.id, hex::encode(&l.hash)));
        let body = format!(
            "{TITLE}\ninstallation {}\ncommits {}\ntransaction {}\nrecord {}\nat {}\n",
            self.installation,
            self.commits,
            link(self.transaction),
            link(self.record),
            self.at,
        );
        let seal = hex::encode(&sealer.seal(PURPOSE, body.as_bytes()));
        // Always the same length, so that nothing remains of a longer one.
        format!("{:<width$}\n", format!("{body}seal {seal}"), width = BYTES - 1)
    }

    /// The content of a file, and whether this installation sealed it.
    pub fn parse(text: &str, sealer: &Sealer) -> Option<(Self, bool)> {
        let (body, seal) = text.split_once("seal ")?;
        let sealed = hex::decode::<32>(seal.trim()).is_some_and(|seal| sealer.fits(PURPOSE, body.as_bytes(), &seal));
        Some((Self::read(body)?, sealed))
    }

    /// The content, whoever wrote it.
    fn read(body: &str) -> Option<Self> {
        let mut lines = body.strip_prefix(TITLE)?.strip_prefix('\n')?.lines();
        let mut next = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let mark = Self {
            installation: next("installation")?.parse().ok()?,
            commits: next("commits")?.parse().ok()?,
            transaction: link(next("transaction")?)?,
            record: link(next("record")?)?,
            at: next("at")?.parse().ok()?,
        };
        Some(mark)
    }

    /// The form stored in a backup.
    pub fn sealed(&self, sealer: &Sealer) -> String {
        self.text(sealer).trim_end().to_owned()
    }

    /// Parses the form stored in a backup; `None` if it is not a mark, or if `sealer` is
    /// given and did not seal it.
    pub fn unsealed(text: &str, sealer: Option<&Sealer>) -> Option<Self> {
        match sealer {
            Some(sealer) => Self::parse(text, sealer).filter(|(_, sealed)| *sealed).map(|(mark, _)| mark),
            None => Self::read(text),
        }
    }

    /// Describes the mark for people.
    pub fn told(&self) -> String {
        let last = |what: &str, link: Option<Link>| link.map(|link| format!("{what} {}", link.id));
        let ends = [last("transaction", self.transaction), last("audit record", self.record)];
        let ends: Vec<String> = ends.into_iter().flatten().collect();
        let at = Timestamp::from_millis(self.at);
        if ends.is_empty() { at.to_string() } else { format!("{at} ({})", ends.join(", ")) }
    }
}

/// Parses a link. `None` if the text is invalid; `Some(None)` if there is no link.
fn link(text: &str) -> Option<Option<Link>> {
    match text.split_once(' ')? {
        ("0", "-") => Some(None),
        (id, hash) => Some(Some(Link { id: id.parse().ok()?, hash: hex::decode(hash)? })),
    }
}

/// The path of a database's mark: beside the file for SQLite, in the server's data folder
/// for PostgreSQL.
///
/// # Errors
/// `Connect` if the address is invalid.
pub fn place(url: &str, data_dir: &Path) -> Result<PathBuf, Error> {
    Ok(match Target::parse(url)? {
        Target::Sqlite(path) => path.with_extension("mark"),
        Target::Postgres(_) => data_dir.join("postgres.mark"),
    })
}

/// The result of comparing a database with its mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkComparison {
    pub mark: Option<Mark>,
    /// The state of the database.
    pub found: Mark,
    /// What is missing, in one line; `None` if everything that is marked is there.
    pub lost: Option<String>,
}

/// Compares a database, or `None` if there is none, with its mark.
pub(super) fn compare(conn: Option<&mut Conn>, place: &Path, sealer: &Sealer) -> Result<MarkComparison, Error> {
    let read = || keeper::read(place).map_err(|e| Error::Connect(format!("{}: {e}", place.display())));
    let mut text = read()?;
    let mut known = text.as_deref().and_then(|text| Mark::parse(text, sealer));
    // A running server may be writing the mark, so a partly written one is read again.
    for _ in 0..READ_AGAIN {
        if text.is_none() || known.is_some_and(|(_, sealed)| sealed) {
            break;
        }
        thread::sleep(BETWEEN_READS);
        text = read()?;
        known = text.as_deref().and_then(|text| Mark::parse(text, sealer));
    }
    let mark = known.map(|(mark, _)| mark);
    let (found, missing) = match conn {
        Some(conn) => {
            let found = read_mark(conn)?;
            (found, mark.map(|mark| lacks(conn, &mark, &found)).transpose()?.flatten())
        }
        None => (Mark::default(), mark.map(|_| "it is not there".to_owned())),
    };
    let shown = place.display();
    let lost = match (text.is_some(), known) {
        (true, None) => Some(format!("{shown} is not a mark")),
        (true, Some((_, false))) => Some(format!("{shown} was not sealed by this installation's secrets")),
        (true, Some((mark, true))) => {
            missing.map(|missing| format!("{missing}, though {shown} says that it was answered up to {}", mark.told()))
        }
        (false, _) if found.commits > 0 => Some(format!("its mark {shown} is missing, which says what must be in it")),
        (false, _) => None,
    };
    Ok(MarkComparison { mark, found, lost })
}

/// The state of a database of any version.
///
/// # Errors
/// Those of the database.
pub fn read_mark(conn: &mut Conn) -> Result<Mark, Error> {
    if !has_column(conn, "installation", "realm")? {
        return Ok(Mark::default());
    }
    let begun: Option<i64> = installation::table.select(installation::created_at).first(conn).optional()?;
    let commits: Option<i64> = match has_column(conn, "high_water", "commits")? {
        true => high_water::table.select(high_water::commits).first(conn).optional()?,
        false => None,
    };
    let transaction: Option<(i64, Vec<u8>, i64)> = transactions::table
        .order(transactions::id.desc())
        .select((transactions::id, transactions::hash, transactions::recorded_at))
        .first(conn)
        .optional()?;
    let record: Option<(i64, Vec<u8>, i64)> =
        audit::table.order(audit::id.desc()).select((audit::id, audit::hash, audit::at)).first(conn).optional()?;
    let at = transaction.iter().chain(&record).map(|(.., at)| *at).max();
    let link =
        |row: Option<(i64, Vec<u8>, i64)>| row.and_then(|(id, hash, _)| Some(Link { id, hash: hash.try_into().ok()? }));
    Ok(Mark {
        installation: begun.unwrap_or(0),
        commits: commits.unwrap_or(0),
        transaction: link(transaction),
        record: link(record),
        at: at.or(begun).unwrap_or(0),
    })
}

fn lacks(conn: &mut Conn, mark: &Mark, found: &Mark) -> Result<Option<String>, Error> {
    if mark.installation != found.installation {
        return Ok(Some("it is another installation's, or a new one".to_owned()));
    }
    if found.commits < mark.commits {
        return Ok(Some(format!("its last {} commits are missing", mark.commits - found.commits)));
    }
    if let Some(link) = mark.transaction {
        let hash: Option<Vec<u8>> =
            transactions::table.find(link.id).select(transactions::hash).first(conn).optional()?;
        if hash.as_deref() != Some(&link.hash[..]) {
            return Ok(Some(format!("transaction {} of the ledger is missing", link.id)));
        }
    }
    if let Some(link) = mark.record {
        let hash: Option<Vec<u8>> = audit::table.find(link.id).select(audit::hash).first(conn).optional()?;
        if hash.as_deref() != Some(&link.hash[..]) {
            return Ok(Some(format!("record {} of the audit is missing", link.id)));
        }
    }
    Ok(None)
}

/// Counts the commit that is about to happen. On PostgreSQL commits are not counted.
pub(crate) fn count(conn: &mut Conn) -> Result<Option<i64>, Error> {
    let Conn::Sqlite(conn) = conn else { return Ok(None) };
    let commits = diesel::update(high_water::table)
        .set(high_water::commits.eq(high_water::commits + 1))
        .returning(high_water::commits)
        .get_result(conn)?;
    Ok(Some(commits))
}

/// Writes something unimportant, to see whether writing works.
pub(crate) fn probe(tx: &mut Tx<'_>) -> Result<(), Error> {
    match diesel::update(high_water::table).set(high_water::probed_at.eq(tx.now())).execute(tx.conn())? {
        1 => Ok(()),
        _ => Err(Error::Corrupt("the row that the probe writes is not there".into())),
    }
}

/// Stores that the whole ledger was found right at `at`.
pub fn note_verified(tx: &mut Tx<'_>, at: Timestamp) -> Result<(), Error> {
    tx.run(diesel::update(high_water::table).set(high_water::verified_at.eq(at)))
}

/// Describes what the mark has and the database lacks. Commits are not compared, because a copy counts its own.
///
/// # Errors
/// Those of the database.
pub fn lacking(conn: &mut Conn, mark: &Mark) -> Result<Option<String>, Error> {
    let found = read_mark(conn)?;
    lacks(conn, &Mark { commits: 0, ..*mark }, &found)
}

/// Compares a restored database with the existing mark, and describes what is missing in one line. If something is
/// missing, the mark stays, and nobody can open the database without accepting the loss. Without a mark, or with a mark
/// of another installation (another number, or sealed by `others`), a new count begins. `made` is the state of the
/// database when the backup was made.
///
/// # Errors
/// `Connect`, or the database's error.
pub fn hold_restored(
    url: &str,
    place: &Path,
    made: Option<&Mark>,
    others: Option<&Sealer>,
) -> Result<Option<String>, Error> {
    let mut conn = Target::parse(url)?.open()?;
    let found = read_mark(&mut conn)?;
    let text = keeper::read(place).map_err(|e| Error::Connect(format!("{}: {e}", place.display())))?;
    let of_others = |text: &str| others.is_some_and(|others| Mark::unsealed(text, Some(others)).is_some());
    let text = text.filter(|text| !of_others(text));
    let mark = text.as_deref().and_then(|text| Mark::read(text.split_once("seal ")?.0));
    let Some(mark) = mark.filter(|mark| mark.installation == found.installation) else {
        drop(conn);
        begin_anew(url, place)?;
        return Ok(None);
    };
    // If both count commits, the count continues from that of the backup.
    let counted = made.map(|made| made.commits).filter(|_| matches!(conn, Conn::Sqlite(_))).unwrap_or(0);
    let commits = if counted > 0 { mark.commits } else { 0 };
    let missing = lacks(&mut conn, &Mark { commits, ..mark }, &Mark { commits: counted, ..found })?;
    set_count(&mut conn, counted)?;
    drop(conn);
    if missing.is_none() && counted == 0 {
        begin_anew(url, place)?;
    }
    let shown = place.display();
    Ok(missing.map(|missing| format!("{missing}, though {shown} says that it was answered up to {}", mark.told())))
}

/// Sets a database's count of commits to that of its backup, because nobody was told what was written since.
///
/// # Errors
/// `Connect`, or the database's error.
pub fn count_from(url: &str, made: Option<&Mark>) -> Result<(), Error> {
    let mut conn = Target::parse(url)?.open()?;
    set_count(&mut conn, made.map_or(0, |made| made.commits))
}

fn set_count(conn: &mut Conn, commits: i64) -> Result<(), Error> {
    if let Conn::Sqlite(conn) = conn {
        diesel::update(high_water::table).set(high_water::commits.eq(commits)).execute(conn)?;
    }
    Ok(())
}

/// Begins a new count for a restored database, without a mark.
///
/// # Errors
/// `Connect`, or the database's error.
pub fn begin_anew(url: &str, place: &Path) -> Result<(), Error> {
    let mut conn = Target::parse(url)?.open()?;
    diesel::update(high_water::table).set(high_water::commits.eq(0)).execute(&mut conn)?;
    keeper::remove(place).map_err(|e| Error::Connect(format!("{}: {e}", place.display())))
}
