//! What staff did, and why.

use base::Timestamp;
use clap::{Args, Subcommand};
use foundation::staff::audit_log::{AuditFilter, audit_head, audit_lines, audit_record, verify_audit};

use crate::cli::{LimitArg, pasted};
use crate::context::{Context, collect};
use crate::failure::Failure;

const EXAMPLES: &str = "\
Each record keeps the hash of the one before it, and where the chain ends is
sealed with a key that is not in the database. Note what `audit head` prints
somewhere else now and then: who has both the database and the secrets can
write everything anew, but not what you noted.

Examples:
  placard audit list --operator ann --since 2026-11-01
  placard audit list --action withdrawal.pay --json
  placard audit show 412
  placard audit verify
  placard audit verify --head 5fd924625f6ab16a19cc9807c7c506ae1813490e4ba675f8\
43d5a10e0baacdb8";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// List changes, newest first
    List {
        #[command(flatten)]
        filter: Filter,
        #[command(flatten)]
        at_most: LimitArg,
    },
    /// Show one record, with old and new values
    Show {
        /// The record's number, as `audit list` shows it
        id: i64,
    },
    /// Print the head of the chain, to be saved elsewhere. Needs no sign-in
    Head,
    /// Check that no record was edited, added, moved or removed; exits with 1 otherwise.
    /// Needs no sign-in
    Verify {
        /// A saved head: the chain must contain it
        #[arg(long, value_name = "HEX")]
        head: Option<String>,
    },
}

#[derive(Debug, Args)]
pub struct Filter {
    /// Only what this operator did
    #[arg(long, value_name = "NAME")]
    operator: Option<String>,
    /// Only this action, such as account.status
    #[arg(long)]
    action: Option<String>,
    /// Only what concerns this subject, such as user:7 or withdrawal:12
    #[arg(long)]
    subject: Option<String>,
    /// Only from this day (UTC) on, such as 2026-11-01, or a time
    #[arg(long, value_name = "DATE", value_parser = since)]
    since: Option<Timestamp>,
    /// Without what users did to their own accounts
    #[arg(long)]
    staff: bool,
}

/// A day begins at midnight.
fn since(text: &str) -> Result<Timestamp, String> {
    let text = pasted(text);
    let day = Timestamp::parse(&format!("{text}T00:00:00Z"));
    day.or_else(|| Timestamp::parse(&text)).ok_or_else(|| "a day such as 2026-11-01".to_owned())
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::List { filter, at_most } => list(context, filter, at_most).await,
        Command::Show { id } => {
            context.sign_in().await?;
            context.out.record(&audit_record(&context.app, id).await?)
        }
        Command::Head => context.out.record(&audit_head(&context.app).await?),
        Command::Verify { head } => {
            let found = verify_audit(&context.app, head.as_deref()).await?;
            context.out.record(&found)?;
            if found.ok { Ok(()) } else { Err(Failure::Found) }
        }
    }
}

async fn list(context: &Context, filter: Filter, at_most: LimitArg) -> Result<(), Failure> {
    context.sign_in().await?;
    let Filter { operator, action, subject, since, staff } = filter;
    let wanted = AuditFilter { operator, action, subject, since, by_staff: staff };
    let lines = collect(at_most, |page| audit_lines(&context.app, wanted.clone(), page)).await?;
    context.out.list(&lines, "id, at, operator, action, subject, reason")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_taken_from_its_midnight() {
        assert_eq!(since("2026-11-01"), Ok(Timestamp::parse("2026-11-01T00:00:00Z").expect("a moment")));
        assert_eq!(since("2026-11-01T12:00:00Z"), Ok(Timestamp::parse("2026-11-01T12:00:00Z").expect("a moment")));
        assert!(since("yesterday").is_err());
    }
}
