//! Conversations with users.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use foundation::notifications::conversation_staff::{self, Filter, Status};
use serde_json::{Value, json};

use crate::cli::{LimitArg, OwnReasonArg, ReasonArg, UserArg, name_of};
use crate::context::{Context, collect};
use crate::failure::Failure;
use crate::files::OutputFiles;
use crate::output::{cell, heading, indented};

const EXAMPLES: &str = "\
Examples:
  placard conversation list --waiting
  placard conversation show mia
  placard conversation answer mia \"It is on its way.\"
  placard conversation close mia --reason \"answered\"
  placard conversation picture 0123456789abcdef0123456789abcdef receipt.jpg";

/// Reading is its own reason, and so is answering unless another one is told.
const READ: &str = "read";
const ANSWERED: &str = "answered";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// List conversations, the newest message first
    List {
        /// Open or closed
        #[arg(long, value_parser = name_of!(Status))]
        status: Option<Status>,
        /// Only where there is something to read or to answer
        #[arg(long)]
        waiting: bool,
        #[command(flatten)]
        of: UserArg,
        #[command(flatten)]
        at_most: LimitArg,
    },
    /// Show the latest messages; the user sees that they were read
    Show {
        /// Username, id, e-mail address, telephone number or plan
        user: String,
        /// How many messages, 1 to 100
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(i64).range(1..=100))]
        limit: i64,
    },
    /// Answer; the user gets a notice
    Answer {
        /// Username, id, e-mail address, telephone number or plan
        user: String,
        /// The answer, at most 2000 characters
        text: String,
        #[command(flatten)]
        because: OwnReasonArg,
    },
    /// Close it; the next message opens it again
    Close {
        /// Username, id, e-mail address, telephone number or plan
        user: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Save a picture to a new file
    Picture {
        /// Its id, from `conversation show`
        id: String,
        /// The file to be written
        file: PathBuf,
    },
}

fn because(reason: impl Into<String>) -> ReasonArg {
    ReasonArg { reason: reason.into() }
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::List { status, waiting, of, at_most } => {
            context.sign_in().await?;
            let filter = Filter { status, waiting, user: of.find(context).await? };
            let found = collect(at_most, |page| conversation_staff::list(&context.app, filter, page)).await?;
            context.out.list(&found, "user: username, status, waiting, last: last_at, by: last_by, text")
        }
        Command::Show { user, limit } => {
            let by = context.staff(&because(READ)).await?;
            context.out.show(&conversation_staff::show(&context.app, by, &user, limit).await?, conversation)
        }
        Command::Answer { user, text, because: told } => {
            let by = context.staff(&because(told.reason.unwrap_or_else(|| ANSWERED.to_owned()))).await?;
            context.out.show(&conversation_staff::answer(&context.app, by, &user, &text).await?, message)
        }
        Command::Close { user, because } => {
            let by = context.staff(&because).await?;
            context.out.show(&conversation_staff::close(&context.app, by, &user).await?, conversation)
        }
        Command::Picture { id, file } => picture(context, &id, &file).await,
    }
}

async fn picture(context: &Context, id: &str, file: &Path) -> Result<(), Failure> {
    context.sign_in().await?;
    let (mime, bytes) = conversation_staff::picture(&context.app, id).await?;
    let shown = json!({ "file": file, "mime": mime, "bytes": bytes.len() });
    let files = vec![(file.to_owned(), bytes)];
    context.files.write(&OutputFiles { folder: None, absent: Vec::new(), new: true, private: false, files })?;
    context.out.record(&shown)
}

/// The text of a conversation: who, whether it waits, and the messages in order.
fn conversation(shown: &Value) -> String {
    let value = |name: &str| cell(shown.get(name).unwrap_or(&Value::Null));
    let waiting = if shown.get("waiting") == Some(&Value::Bool(true)) { ", waiting" } else { "" };
    let mut text = format!("{}, {}{waiting}\n", value("username"), value("status"));
    if shown.get("more") == Some(&Value::Bool(true)) {
        text.push_str("(there are older messages; raise --limit to see them)\n");
    }
    let messages = shown.get("messages").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    text.extend(messages.iter().map(|one| format!("\n{}", message(one))));
    text
}

fn message(shown: &Value) -> String {
    let value = |name: &str| cell(shown.get(name).unwrap_or(&Value::Null));
    let read = if shown.get("read") == Some(&Value::Bool(true)) { ", read" } else { ", not read yet" };
    let mut text = format!("{}\n", heading(&format!("{}  {}{read}", value("at"), value("by"))));
    let written = value("text");
    if !written.is_empty() {
        text.push_str(&indented(&written, 2));
    }
    let pictures = shown.get("pictures").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    text.extend(pictures.iter().map(|id| format!("  picture {}\n", cell(id))));
    text
}
