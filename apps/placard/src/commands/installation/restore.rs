//! Restoring an installation from a backup.

use std::path::PathBuf;

use base::Timestamp;
use clap::Args;
use desk::installation::backup::restore;
use desk::installation::copying::restore_copy;
use desk::installation::settings::{Installation, Values, copies_at};
use serde_json::Value;

use crate::cli::pasted;
use crate::commands::show_steps;
use crate::failure::Failure;
use crate::output::{Output, record_text};

const AFTER: &str = "\
It works on the database that PLACARD_DATABASE_URL names, which must be empty,
of either kind: a backup of SQLite can be restored into PostgreSQL. Nothing is
changed unless the whole file fits its digests, and then all of it is restored
or nothing. Afterwards the ledger's laws are checked; it exits 1 when one is
broken. Stop the old server first: what it answers from now on is lost.

Where the mark of the database that was there is left, and says that more was
answered than is in the backup, that is told as `lost`, and it exits 1: all is
restored, and nothing opens it until `accept loss` was run.

What does not match the ledger's laws or the audit log is told as `unsound`, it
exits 1, and nothing opens the database until `accept edits` was run.

The address of copies (PLACARD_COPY_URL of the lost server) restores a SQLite
database at its last moment, or as it was at --until. No file may be in the
database's place.

Examples:
  placard restore file:///copies
  placard restore s3://bucket/copies --until 2026-11-24T11:21:12Z
  placard backup --check /backups/2026-11-21.placard
  PLACARD_DATABASE_URL=postgres://placard@db/placard \\
    placard restore /backups/2026-11-21.placard";

/// Restore a backup into an empty database; no sign-in needed
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct Restore {
    /// The file written by `backup`, or the address of copies
    pub file: PathBuf,
    /// For copies: restore what was there at this moment (RFC 3339)
    #[arg(long, value_parser = moment)]
    pub until: Option<Timestamp>,
}

fn moment(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(&pasted(text)).ok_or_else(|| "a moment, such as 2026-11-24T11:21:12Z".to_owned())
}

pub async fn run(out: Output, command: Restore) -> Result<(), Failure> {
    let values = Values::load()?;
    let installation = Installation::read(&values)?;
    let (told, progress) = show_steps(out);
    if let Some(address) = command.file.to_str().filter(|file| file.contains("://")) {
        let restored = restore_copy(&installation, &copies_at(&values, address)?, command.until, told).await;
        progress.finish();
        let restored = restored?;
        out.show(&restored, |shown| text(shown, &installation))?;
        return if restored.ok { Ok(()) } else { Err(Failure::Found) };
    }
    if command.until.is_some() {
        return Err(Failure::Usage("--until: a backup has one moment alone".to_owned()));
    }
    let restored = restore(&installation, command.file, told).await;
    progress.finish();
    let restored = restored?;
    out.show(&restored, |shown| text(shown, &installation))?;
    if restored.ok { Ok(()) } else { Err(Failure::Found) }
}

fn text(restored: &Value, installation: &Installation) -> String {
    let file = installation.secret_file.display();
    let advice = match restored.get("secrets").and_then(Value::as_str) {
        Some("missing") => format!(
            "\nThe backup came without secrets and {file} is not there. Put the old\n\
             one there: nothing starts without it, since no transaction password or\n\
             advertiser's key would fit new ones.\n"
        ),
        Some("different") => format!(
            "\n{file} has other secrets than the installation that was backed up:\n\
             nothing starts with them. Put the old file there.\n"
        ),
        _ => String::new(),
    };
    let older = match restored.get("lost").and_then(Value::as_str) {
        Some(lost) => format!(
            "\nThe backup is older than what was answered: {lost}.\n\
             Look for a later one first; `placard accept loss` goes on with this one.\n"
        ),
        None => String::new(),
    };
    let unsound = match restored.get("unsound").and_then(Value::as_str) {
        Some(what) => format!(
            "\nWhat was restored does not match itself: {what}.\n\
             Look for another backup first; `placard accept edits` goes on with this one.\n"
        ),
        None => String::new(),
    };
    format!("{}{advice}{older}{unsound}", record_text(restored))
}
