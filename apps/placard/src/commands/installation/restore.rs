//! Restoring an installation from a backup.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;
use usecases::installation::backup::restore;
use usecases::installation::settings::{Installation, Values};

use crate::commands::shown_steps;
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

Examples:
  placard backup --check /backups/2026-11-21.placard
  PLACARD_DATABASE_URL=postgres://placard@db/placard \\
    placard restore /backups/2026-11-21.placard";

/// Restore a backup into an empty database; no sign-in needed
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct Restore {
    /// The file written by `backup`
    pub file: PathBuf,
}

pub async fn run(out: Output, command: Restore) -> Result<(), Failure> {
    let installation = Installation::read(&Values::load()?)?;
    let (told, progress) = shown_steps(out);
    let restored = restore(&installation, command.file, told).await;
    progress.done();
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
    format!("{}{advice}{older}", record_text(restored))
}
