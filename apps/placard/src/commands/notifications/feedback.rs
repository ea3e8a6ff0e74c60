//! Feedback from users.

use clap::Subcommand;
use foundation::notifications::feedback::{self, FeedbackFilter, Status};

use crate::cli::{LimitArg, ReasonArg, UserArg, name_of};
use crate::context::{Context, collect, id};
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  placard feedback list --status open --limit 20
  placard feedback show 17
  placard feedback close 17 --reply \"Mended today; thank you.\" \\
    --reason \"answered\"";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// List feedback, newest first
    List {
        /// Open or closed
        #[arg(long, value_parser = name_of!(Status))]
        status: Option<Status>,
        #[command(flatten)]
        of: UserArg,
        #[command(flatten)]
        at_most: LimitArg,
    },
    /// Show one in full
    Show {
        /// Its id, from `feedback list`
        id: String,
    },
    /// Close it; the user is told the reply
    Close {
        /// Its id, from `feedback list`
        id: String,
        /// The reply to the user
        #[arg(long)]
        reply: Option<String>,
        #[command(flatten)]
        because: ReasonArg,
    },
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::List { status, of, at_most } => {
            context.sign_in().await?;
            let wanted = FeedbackFilter { status, user: of.find(context).await? };
            let found = collect(at_most, |page| feedback::list(&context.app, wanted, page)).await?;
            context.out.list(&found, "id, user: username, time: created_at, status, topic")
        }
        Command::Show { id: text } => {
            context.sign_in().await?;
            context.out.record(&feedback::show(&context.app, id(&text)?).await?)
        }
        Command::Close { id: text, reply, because } => {
            let by = context.staff(&because).await?;
            context.out.record(&feedback::close(&context.app, by, id(&text)?, reply).await?)
        }
    }
}
