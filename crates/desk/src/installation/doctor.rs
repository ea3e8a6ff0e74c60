//! Checking the health of an installation: findings, and what to do about them.
//! It changes nothing: no migration is run and no secret is created.

mod machine;
mod public_log;
mod rows;
mod witnesses;

use std::path::Path;

use auth::Secrets;
use base::{Clock, Timestamp};
use campaigns::delivery::archive::{file_problem, has_its_size};
use foundation::Error;
use objects::Objects;
use serde::Serialize;
use store::delivery::archive::EventArchive;
use store::installation::health::{self, Inspection, OtherSchema};
use store::installation::high_water::MarkComparison;
use store::installation::{Unopened, soundness};
use tokio::runtime::Handle;

use crate::installation::settings::{Installation, Values};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    Ok,
    Warning,
    Problem,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub check: &'static str,
    pub status: Health,
    pub found: String,
    /// What to do; empty if nothing is needed.
    pub advice: String,
}

impl Finding {
    fn ok(check: &'static str, found: impl ToString) -> Self {
        Self { check, status: Health::Ok, found: one_line(found), advice: String::new() }
    }

    fn warning(check: &'static str, found: impl ToString, advice: impl ToString) -> Self {
        Self { check, status: Health::Warning, found: one_line(found), advice: advice.to_string() }
    }

    fn problem(check: &'static str, found: impl ToString, advice: impl ToString) -> Self {
        Self { check, status: Health::Problem, found: one_line(found), advice: advice.to_string() }
    }
}

/// Libraries report over several lines, with tabs before the later ones.
fn one_line(found: impl ToString) -> String {
    let text = found.to_string();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join(" ")
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnosis {
    /// Whether there is no problem; warnings do not count.
    pub ok: bool,
    pub at: Timestamp,
    pub findings: Vec<Finding>,
}

/// A ledger with up to this many transactions is always verified as a whole.
const READ_WHOLE: i64 = 100_000;

/// Runs all checks; with `full`, also on every row of the ledger.
///
/// # Errors
/// Only if no thread can be started.
pub async fn examine(values: Values, clock: Clock, full: bool) -> Result<Diagnosis, Error> {
    let now = clock.now();
    let looked = tokio::task::spawn_blocking(move || findings(&values, now, full));
    let findings = looked.await.map_err(|error| Error::Internal(error.to_string()))?;
    let ok = findings.iter().all(|finding| finding.status != Health::Problem);
    Ok(Diagnosis { ok, at: now, findings })
}

fn findings(values: &Values, now: Timestamp, full: bool) -> Vec<Finding> {
    let installation = match Installation::read(values) {
        Ok(installation) => installation,
        Err(wrong) => return vec![Finding::problem("configuration", wrong, "mend it: nothing starts with it")],
    };
    let mut all = vec![configuration(values, &installation)];
    all.extend(machine::findings(&installation));
    all.extend(whole_file(&installation));
    match health::look(&installation.database_url, now) {
        Err(error) => all.push(Finding::problem("database", error, "see that it runs and lets this machine in")),
        Ok(Inspection::Nothing) => all.push(Finding::warning(
            "database",
            "there is none yet",
            "the server makes it when it starts; `placard restore` fills it from a backup",
        )),
        Ok(Inspection::OtherSchema(other)) => all.push(schema(&other)),
        Ok(Inspection::All(figures)) => {
            all.push(Finding::ok("migrations", "the schema is this program's"));
            all.extend(rows::findings(&installation, &figures, now));
            all.extend(secrets(&installation));
            all.extend(public_log::finding(&installation, now));
            all.extend(archives(&installation, &figures.archives, full));
            if full || figures.transactions <= READ_WHOLE {
                all.push(whole_ledger(&installation));
            }
        }
    }
    all.extend(replica(&installation));
    all.extend(push(&installation));
    all.extend(witnesses::finding(&installation, now));
    all
}

fn configuration(values: &Values, installation: &Installation) -> Finding {
    let unknown = values.unknown();
    match unknown.is_empty() {
        true => Finding::ok("configuration", format!("{} installation", installation.realm.name())),
        false => Finding::warning(
            "configuration",
            format!("nobody reads {}", unknown.join(", ")),
            "mend the name; `placard config show` lists those that are read",
        ),
    }
}

fn schema(OtherSchema { pending, contracting, unknown, others }: &OtherSchema) -> Finding {
    if !contracting.is_empty() && !others.is_empty() {
        let found = format!("{} removes what {} still uses", contracting.join(", "), others.join(", "));
        return Finding::problem("migrations", found, "replace every older server first, then `placard migrate`");
    }
    if unknown.is_empty() {
        let advice = "back up, then `placard migrate`, or start the server, which migrates too";
        return Finding::problem("migrations", format!("pending: {}", pending.join(", ")), advice);
    }
    let found = format!("unknown to this program: {}", unknown.join(", "));
    Finding::problem("migrations", found, "a newer program migrated it: use that one")
}

/// The secrets, and the mark, which is sealed with them.
fn secrets(installation: &Installation) -> Vec<Finding> {
    let (path, advice) =
        (&installation.secret_file, "put the installation's own file there: nothing starts without it");
    let shown = path.display();
    let seen =
        Unopened::connect(&installation.database_url).and_then(|mut database| Ok((database.history()?, database)));
    let (past, mut database) = match seen {
        Ok(seen) => seen,
        Err(error) => return vec![Finding::problem("secrets", error, "see that the database answers")],
    };
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if past.used => return vec![Finding::problem("secrets", format!("{shown}: {error}"), advice)],
        Err(_) => return vec![Finding::ok("secrets", "there are none yet; they are made on first use")],
    };
    let secrets = match Secrets::parse(&text) {
        Ok(secrets) => secrets,
        Err(bad) => return vec![Finding::problem("secrets", format!("{shown}: {bad}"), advice)],
    };
    if past.secrets.is_some_and(|kept| kept != secrets.fingerprint()) {
        return vec![Finding::problem("secrets", format!("{shown} is not what the database was used with"), advice)];
    }
    let file = match machine::others_may_read(path) {
        false => Finding::ok("secrets", format!("{shown}, for its owner alone")),
        true => Finding::problem("secrets", format!("others may read {shown}"), format!("chmod 600 {shown}")),
    };
    vec![file, mark(installation, &mut database, &secrets)]
}

fn mark(installation: &Installation, database: &mut Unopened, secrets: &Secrets) -> Finding {
    let advice = "restore what is missing; `placard accept loss` goes on without it: docs/BACKUPS.md";
    match installation.hold_against(database, secrets) {
        Err(error) => Finding::problem("mark", error, "see that the database answers"),
        Ok(MarkComparison { lost: Some(lost), .. }) => Finding::problem("mark", lost, advice),
        Ok(MarkComparison { mark: Some(_), .. }) => Finding::ok("mark", "all is there that was answered"),
        Ok(MarkComparison { mark: None, .. }) => Finding::ok("mark", "there is none yet; the server makes it"),
    }
}

/// Whether the files of archived events are there; with `full`, all their bytes.
fn archives(installation: &Installation, archives: &[EventArchive], full: bool) -> Option<Finding> {
    let advice = "put the file back from a backup: docs/CAPACITY.md, Archive of events";
    if archives.is_empty() {
        return None;
    }
    let objects = match Objects::open(&installation.files) {
        Ok(objects) => objects,
        Err(error) => return Some(Finding::problem("archives", error, advice)),
    };
    let problem = Handle::current().block_on(async {
        for archive in archives {
            let found = match full {
                true => file_problem(&objects, archive).await,
                false => has_its_size(&objects, archive).await,
            };
            if found.is_some() {
                return found;
            }
        }
        None
    });
    Some(match problem {
        Some(found) => Finding::problem("archives", format!("{}: {}", found.file, found.problem), advice),
        None => Finding::ok("archives", format!("the events of {} months are in their files", archives.len())),
    })
}

/// PostgreSQL checks its own files.
fn whole_file(installation: &Installation) -> Option<Finding> {
    let path = installation.database_url.strip_prefix("sqlite://")?;
    if !Path::new(path).exists() {
        return None;
    }
    let advice = "stop the server, keep a copy, and restore a backup: docs/BACKUPS.md";
    Some(match soundness::damage(&installation.database_url) {
        Ok(damage) if damage.is_empty() => Finding::ok("file", "the database is whole"),
        Ok(damage) => Finding::problem("file", format!("damaged: {}", damage.join("; ")), advice),
        Err(error) => Finding::problem("file", error, "see that this program may open and write it"),
    })
}

fn whole_ledger(installation: &Installation) -> Finding {
    let advice = "stop paying out, keep the database as it is, and see docs/OPERATIONS.md";
    let secrets = std::fs::read_to_string(&installation.secret_file).ok().and_then(|text| Secrets::parse(&text).ok());
    let sealer = secrets.map(|secrets| secrets.sealer());
    match health::look_at_books(&installation.database_url, sealer.as_ref()) {
        Err(error) => Finding::problem("whole ledger", error, advice),
        Ok((laws, audit))
            if laws.faults.is_empty()
                && audit.is_empty()
                && laws.chain_ok
                && laws.balances_ok
                && laws.sum.is_zero() =>
        {
            Finding::ok("whole ledger", format!("{} transactions keep every law", laws.transactions))
        }
        Ok((laws, audit)) => {
            let first = laws.faults.first().or(audit.first()).cloned().unwrap_or_else(|| "a law is broken".to_owned());
            Finding::problem("whole ledger", first, advice)
        }
    }
}

/// If the replica lags more than this, reports are read from the primary.
const REPLICA_LAG_MILLIS: i64 = 30_000;

/// Whether devices are notified, and the contact that push services are told.
fn push(installation: &Installation) -> Option<Finding> {
    let settings = installation.settings.push.as_ref()?;
    let subject = settings.subject.as_str();
    Some(match &settings.test_service {
        None => Finding::ok("push", format!("notices are sent to devices for {subject}")),
        Some(_) => Finding::warning(
            "push",
            format!("notices are sent to devices for {subject}, and to PLACARD_PUSH_TEST_SERVICE"),
            "remove PLACARD_PUSH_TEST_SERVICE unless something is tested",
        ),
    })
}

fn replica(installation: &Installation) -> Option<Finding> {
    let url = installation.replica_url.as_ref()?;
    let advice = "reports come from the primary meanwhile; see pg_stat_replication there";
    Some(match health::replica_lag(url) {
        Err(error) => Finding::warning("replica", error, advice),
        Ok(None) => Finding::warning("replica", "PLACARD_REPLICA_URL names no replica", advice),
        Ok(Some(lag)) if lag > REPLICA_LAG_MILLIS => {
            Finding::warning("replica", format!("{} s behind", lag / 1000), advice)
        }
        Ok(Some(lag)) => Finding::ok("replica", format!("{lag} ms behind")),
    })
}
