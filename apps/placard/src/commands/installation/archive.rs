//! Moving events of months that are over into files.

use campaigns::delivery::archive::{archive_month, archives, check_archives};
use clap::Subcommand;

use crate::cli::{ReasonArg, pasted_value};
use crate::commands::show_steps;
use crate::context::Context;
use crate::failure::Failure;

pub const AFTER: &str = "\
A month can be archived from the third day after its end on, when every plan
that has an event in it is settled or failed. Its events go into one Parquet
file in the storage of files (PLACARD_FILES_URL) and are read there from then
on: lists, recounts and backups have them as before. The file is read back and
compared with the database before anything is removed. An admin signs in; on
PostgreSQL, the database's address is that of its owner's role.

Examples:
  placard archive month 2026-08 --reason \"the disk is half full\"
  placard archive list
  placard archive list --check --json";

const COLUMNS: &str = "month, events, bytes, file, sha256, problem";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Move a month's events into a file
    Month {
        /// The month, in UTC, such as 2026-08
        #[arg(value_parser = pasted_value)]
        month: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// List the months in files; no sign-in needed
    List {
        /// Read every file and compare it with its record; exits with 1 if one differs
        #[arg(long)]
        check: bool,
    },
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Month { month, because } => {
            let by = context.staff(&because).await?;
            let month = month.parse().map_err(|_| Failure::Usage(format!("{month} is no month such as 2026-08")))?;
            let (told, progress) = show_steps(context.out);
            let archived = archive_month(&context.app, &by, month, told).await;
            progress.finish();
            context.out.record(&archived?)
        }
        Command::List { check: false } => context.out.list(&archives(&context.app).await?, COLUMNS),
        Command::List { check: true } => {
            let found = check_archives(&context.app).await?;
            context.out.list(&found, COLUMNS)?;
            if found.iter().all(|archive| archive.problem.is_none()) { Ok(()) } else { Err(Failure::Found) }
        }
    }
}
