//! Making and checking backups.

use std::path::PathBuf;

use clap::Args;
use desk::installation::backup::{BackupOptions, back_up, check};
use desk::installation::settings::{Installation, Values};
use serde_json::Value;

use crate::commands::{show_steps, unless_stopped};
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{Output, record_text};

const AFTER: &str = "\
The file holds every row as of one moment, while everything runs, and every
uploaded picture; `restore` takes it into SQLite and PostgreSQL alike. It gets
its name only after it was restored into a database that is thrown away, and
the ledger's laws held there. That needs about as much room beside the file
as the database has. The secrets are kept apart unless --with-secrets asks
for them: who has both can try out every transaction password.

Where there are operators an admin signs in. The audit keeps who made it, and
the file's digest.

Examples:
  placard backup /backups/2026-11-21.placard
  placard backup --with-secrets /vault/move.placard --reason \"new machine\"
  placard backup --check /backups/2026-11-21.placard
  placard backup --check --quick /backups/2026-11-21.placard --json";

/// Save everything in one file, or check such a file
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct Backup {
    /// The file: a new one, or with --check an existing one
    pub file: PathBuf,
    /// Check the file instead of making one; needs no database and no sign-in
    #[arg(long, conflicts_with_all = ["with_secrets", "reason"])]
    pub check: bool,
    /// Compare only digests and counts, without a trial restore
    #[arg(long)]
    pub quick: bool,
    /// Include the secret file
    #[arg(long)]
    pub with_secrets: bool,
    /// Why; kept in the audit log
    #[arg(long, default_value = "a backup")]
    pub reason: String,
}

pub async fn run(context: &Context, command: Backup) -> Result<(), Failure> {
    let by = context.staff_if_any(&command.reason).await?;
    let (told, progress) = show_steps(context.out);
    let wanted = BackupOptions { path: command.file, with_secrets: command.with_secrets, quick: command.quick };
    let installation = Installation::read(&Values::load()?)?;
    let made = unless_stopped(back_up(&context.app, &installation, by.as_ref(), wanted, told)).await;
    progress.finish();
    context.out.show(&made?, text)
}

pub async fn look(out: Output, command: Backup) -> Result<(), Failure> {
    let (told, progress) = show_steps(out);
    let found = unless_stopped(check(command.file, command.quick, told)).await;
    progress.finish();
    let found = found?;
    out.show(&found, text)?;
    if found.ok { Ok(()) } else { Err(Failure::Found) }
}

fn text(made: &Value) -> String {
    let missing = made.get("missing_files").and_then(Value::as_array).is_some_and(|files| !files.is_empty());
    let warning = "\nThe storage does not have the bytes of the missing files any more.\n";
    format!("{}{}", record_text(made), if missing { warning } else { "" })
}
