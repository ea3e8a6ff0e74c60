//! The mark beside a database: the least that must be in it.
//!
//! After every commit, and before anybody is answered, what the database has
//! come to is written into a small file under a seal. It reaches the disk
//! within a second, so that after a power cut it may be behind the database,
//! and it is never ahead. A database that is behind its mark has lost what was
//! answered, and is not opened.
//!
//! SQLite counts its commits. On PostgreSQL such a count would be a row that
//! all wait for, so each server notes the last transaction and the last record
//! of the audit that it wrote itself, with their hashes.

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

mod keeper;

pub(crate) use keeper::{Keeper, run as keep};

const TITLE: &str = "placard mark 1";
const PURPOSE: &str = TITLE;
/// Of the file: a disk writes as much whole or not at all.
const BYTES: usize = 512;
const READ_AGAIN: usize = 5;
const BETWEEN_READS: Duration = Duration::from_millis(20);
/// More than any such file has; what is longer is none.
const LONGEST: u64 = 4_096;

/// One link of a chain: its number and its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    pub id: i64,
    pub hash: [u8; 32],
}

/// The ends of what one database transaction wrote.
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

/// How far a database has come, or had when somebody was answered last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// When its installation began, which tells it from others.
    pub installation: i64,
    /// Only SQLite's are counted.
    pub commits: i64,
    pub transaction: Option<Link>,
    pub record: Option<Link>,
    /// Of the last commit, in milliseconds.
    pub at: i64,
}

impl Mark {
    fn text(&self, sealer: &Sealer) -> String {
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
        // Always of one length, so that nothing of a longer one stays behind it.
        format!("{:<width$}\n", format!("{body}seal {seal}"), width = BYTES - 1)
    }

    /// What a file says, and whether this installation sealed it.
    fn parse(text: &str, sealer: &Sealer) -> Option<(Self, bool)> {
        let (body, seal) = text.split_once("seal ")?;
        let sealed = hex::decode::<32>(seal.trim()).is_some_and(|seal| sealer.fits(PURPOSE, body.as_bytes(), &seal));
        Some((Self::read(body)?, sealed))
    }

    /// What it says, whoever wrote it.
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

    /// As a backup says it of itself.
    pub fn sealed(&self, sealer: &Sealer) -> String {
        self.text(sealer).trim_end().to_owned()
    }

    /// What a backup says of itself; `None` where it is no mark, or `sealer`
    /// is given and did not seal it.
    pub fn unsealed(text: &str, sealer: Option<&Sealer>) -> Option<Self> {
        match sealer {
            Some(sealer) => Self::parse(text, sealer).filter(|(_, sealed)| *sealed).map(|(mark, _)| mark),
            None => Self::read(text),
        }
    }

    /// What is in it, for people.
    pub fn told(&self) -> String {
        let last = |what: &str, link: Option<Link>| link.map(|link| format!("{what} {}", link.id));
        let ends = [last("transaction", self.transaction), last("audit record", self.record)];
        let ends: Vec<String> = ends.into_iter().flatten().collect();
        let at = Timestamp::from_millis(self.at);
        if ends.is_empty() { at.to_string() } else { format!("{at} ({})", ends.join(", ")) }
    }
}

/// `None` is nonsense; `Some(None)` says that there is none.
fn link(text: &str) -> Option<Option<Link>> {
    match text.split_once(' ')? {
        ("0", "-") => Some(None),
        (id, hash) => Some(Some(Link { id: id.parse().ok()?, hash: hex::decode(hash)? })),
    }
}

/// Where the mark of a database is kept: SQLite's beside it, that of a server
/// on PostgreSQL with what else is its own.
///
/// # Errors
/// `Connect` where the address is none.
pub fn place(url: &str, data_dir: &Path) -> Result<PathBuf, Error> {
    Ok(match Target::parse(url)? {
        Target::Sqlite(path) => path.with_extension("mark"),
        Target::Postgres(_) => data_dir.join("postgres.mark"),
    })
}

/// What was found when a database was held against its mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkComparison {
    pub mark: Option<Mark>,
    /// What the database has.
    pub found: Mark,
    /// What is wrong, in one line; nothing where all that is marked is there.
    pub lost: Option<String>,
}

/// Holds a database against its mark, and changes nothing.
///
/// # Errors
/// `Connect`, or what the database says.
pub fn hold(url: &str, place: &Path, sealer: &Sealer) -> Result<MarkComparison, Error> {
    let target = Target::parse(url)?;
    let read = || keeper::read(place).map_err(|e| Error::Connect(format!("{}: {e}", place.display())));
    let mut text = read()?;
    let mut known = text.as_deref().and_then(|text| Mark::parse(text, sealer));
    // Half of it may be from before a server that is at work wrote it.
    for _ in 0..READ_AGAIN {
        if text.is_none() || known.is_some_and(|(_, sealed)| sealed) {
            break;
        }
        thread::sleep(BETWEEN_READS);
        text = read()?;
        known = text.as_deref().and_then(|text| Mark::parse(text, sealer));
    }
    let mark = known.map(|(mark, _)| mark);
    let (found, missing) = match look(&target, mark.as_ref())? {
        Some(seen) => seen,
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

/// How far a database has come, and what of a mark it lacks; `None` where it
/// is not there.
fn look(target: &Target, mark: Option<&Mark>) -> Result<Option<(Mark, Option<String>)>, Error> {
    if let Target::Sqlite(path) = target
        && !path.exists()
    {
        return Ok(None);
    }
    let mut conn = target.open()?;
    let found = reached(&mut conn)?;
    let missing = mark.map(|mark| lacks(&mut conn, mark, &found)).transpose()?;
    Ok(Some((found, missing.flatten())))
}

/// How far a database has come; it may be of any age.
///
/// # Errors
/// What the database says.
pub fn reached(conn: &mut Conn) -> Result<Mark, Error> {
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

/// Counts the commit that is about to be. Nothing is counted on PostgreSQL.
pub(crate) fn count(conn: &mut Conn) -> Result<Option<i64>, Error> {
    let Conn::Sqlite(conn) = conn else { return Ok(None) };
    let commits = diesel::update(high_water::table)
        .set(high_water::commits.eq(high_water::commits + 1))
        .returning(high_water::commits)
        .get_result(conn)?;
    Ok(Some(commits))
}

/// Writes something that nobody needs, to see whether anything can be written.
pub(crate) fn probe(tx: &mut Tx<'_>) -> Result<(), Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    match diesel::update(high_water::table).set(high_water::probed_at.eq(now)).execute(conn)? {
        1 => Ok(()),
        _ => Err(Error::Corrupt("the row that the probe writes is not there".into())),
    }
}

/// What a mark says and a database lacks, commits apart: a copy does not count
/// on.
///
/// # Errors
/// What the database says.
pub fn lacking(conn: &mut Conn, mark: &Mark) -> Result<Option<String>, Error> {
    let found = reached(conn)?;
    lacks(conn, &Mark { commits: 0, ..*mark }, &found)
}

/// Holds a database that was just filled against the mark that lies beside it:
/// what was answered and is not in it, in one line. Then the mark stays, and
/// nobody opens the database without accepting that. Without such a mark, or
/// with another installation's, the count begins anew: one of another number,
/// or one that `others` sealed. `made` is how far the database had come that
/// the backup is of.
///
/// # Errors
/// `Connect`, or what the database says.
pub fn hold_restored(
    url: &str,
    place: &Path,
    made: Option<&Mark>,
    others: Option<&Sealer>,
) -> Result<Option<String>, Error> {
    let mut conn = Target::parse(url)?.open()?;
    let found = reached(&mut conn)?;
    let text = keeper::read(place).map_err(|e| Error::Connect(format!("{}: {e}", place.display())))?;
    let of_others = |text: &str| others.is_some_and(|others| Mark::unsealed(text, Some(others)).is_some());
    let text = text.filter(|text| !of_others(text));
    let mark = text.as_deref().and_then(|text| Mark::read(text.split_once("seal ")?.0));
    let Some(mark) = mark.filter(|mark| mark.installation == found.installation) else {
        drop(conn);
        begin_anew(url, place)?;
        return Ok(None);
    };
    // Where both are counted, the count goes on from where the backup was made.
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

/// Sets the count of a database to what it was when its backup was made: what
/// was written since is not what was answered.
///
/// # Errors
/// `Connect`, or what the database says.
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

/// Lets a database that was just filled begin its count anew, without a mark.
///
/// # Errors
/// `Connect`, or what the database says.
pub fn begin_anew(url: &str, place: &Path) -> Result<(), Error> {
    let mut conn = Target::parse(url)?.open()?;
    diesel::update(high_water::table).set(high_water::commits.eq(0)).execute(&mut conn)?;
    keeper::remove(place).map_err(|e| Error::Connect(format!("{}: {e}", place.display())))
}

#[cfg(test)]
mod tests {
    use auth::Secrets;

    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else_is_sealed() {
        let sealer = Secrets::new([1; 32], [2; 32], [3; 32]).sealer();
        let link = Link { id: i64::MAX, hash: [7; 32] };
        for mark in [
            Mark::default(),
            Mark {
                installation: i64::MAX,
                commits: i64::MAX,
                transaction: Some(link),
                record: Some(link),
                at: i64::MAX,
            },
        ] {
            let text = mark.text(&sealer);
            assert_eq!(text.len(), BYTES);
            assert_eq!(Mark::parse(&text, &sealer), Some((mark, true)));
            let edited = text.replacen("commits ", "commits 1", 1);
            assert!(Mark::parse(&edited, &sealer).is_none_or(|(_, sealed)| !sealed));
            let others = Secrets::new([1; 32], [2; 32], [4; 32]).sealer();
            assert_eq!(Mark::parse(&text, &others), Some((mark, false)));
        }
        assert_eq!(Mark::parse("", &sealer), None);
        assert_eq!(Mark::parse("placard mark 1\nseal ", &sealer), None);
    }
}
