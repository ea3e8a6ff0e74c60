//! Accounts that users can follow.

use campaigns::plans::operated;
use clap::Subcommand;

use crate::cli::{LimitArg, ReasonArg};
use crate::context::{Context, collect};
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  placard operated add mia --id OP-1004 --name \"Mia's picks\" \\
    --reason \"asked to be followed\"
  placard operated list
  placard operated remove OP-1004 --reason \"left the programme\"";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Request that users can follow an account by an id
    Add {
        /// The user of the account
        username: String,
        /// What followers enter, such as OP-1001; never given twice
        #[arg(long)]
        id: String,
        /// What followers see
        #[arg(long)]
        name: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// List current and former ones, newest first
    List {
        #[command(flatten)]
        at_most: LimitArg,
    },
    /// Request its removal; once that is approved, nobody follows it any more
    Remove {
        /// What followers enter, such as OP-1001
        id: String,
        #[command(flatten)]
        because: ReasonArg,
    },
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Add { username, id, name, because } => {
            let by = context.staff(&because).await?;
            context.out.record(&operated::add(&context.app, by, &username, &id, &name).await?)
        }
        Command::List { at_most } => {
            context.sign_in().await?;
            let found = collect(at_most, |page| operated::list(&context.app, page)).await?;
            context.out.list(&found, "id: operated_id, user: username, name, added: added_at, removed: removed_at")
        }
        Command::Remove { id, because } => {
            let by = context.staff(&because).await?;
            context.out.record(&operated::remove(&context.app, by, &id).await?)
        }
    }
}
