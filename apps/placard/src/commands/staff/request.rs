//! Requests of every kind: one operator makes them, another approves.

use base::{RequestId, UserId};
use clap::{Args, Subcommand};
use desk::requests::show_to;
use desk::requests::{MoneyRequestDraft, approve, approve_key, reject, request, requests};
use foundation::people::staff_accounts::find_account;
use foundation::staff::requests::{RequestFilter, RequestRef};
use serde_json::Value;
use wallet::{RequestDocument, RequestStatus};

use crate::cli::{LimitArg, ReasonArg, UserArg, name_of};
use crate::context::{Context, collect, id};
use crate::failure::Failure;
use crate::output::{cell, heading, lines_text, record_text};

const AFTER: &str = "\
An ID is the number that was printed when it was asked for. Requests of a time
when each kind had numbers of its own are told apart by their kind, as the
audit log names them: recharge:5.

Examples:
  placard request list --status requested --others
  placard request show 17
  placard request approve 17 --reason \"seen on the bank statement\"
  placard request approve 18 --fingerprint \"3f2a 91bc 04de 77a1 5c0b\" \\
    --reason \"read to me by their Ms Vogel\"
  placard request reject 17 --reason \"the sender is somebody else\"";

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct Request {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List requests of every kind, newest first
    List {
        /// One of requested, approved, rejected, expired
        #[arg(long, value_parser = name_of!(RequestStatus))]
        status: Option<RequestStatus>,
        /// Only those you made yourself
        #[arg(long, conflicts_with = "others")]
        mine: bool,
        /// Only those others made, which you may approve
        #[arg(long)]
        others: bool,
        #[command(flatten)]
        of: UserArg,
        #[command(flatten)]
        at_most: LimitArg,
    },
    /// Show a request; once a new login password is approved, also your half of its code,
    /// once
    Show {
        /// Its number, or its kind and number such as recharge:5
        id: String,
    },
    /// Approve another operator's request
    Approve {
        #[command(flatten)]
        decision: Decision,
        /// For a counterparty's key: the fingerprint that its holder read to you. Call them on the number that you
        /// have, and ask whether they opened the link themselves
        #[arg(long)]
        fingerprint: Option<String>,
    },
    /// Reject a request; for a recharge, the user is told the reason
    Reject(Decision),
}

/// A request's number, and the reason of the decision.
#[derive(Debug, Args)]
pub struct Decision {
    /// The number of the request
    id: String,
    #[command(flatten)]
    because: ReasonArg,
}

/// Which requests of one kind are listed.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// One of requested, approved, rejected, expired
    #[arg(long, value_parser = name_of!(RequestStatus))]
    pub status: Option<RequestStatus>,
    #[command(flatten)]
    pub of: UserArg,
    #[command(flatten)]
    pub at_most: LimitArg,
}

pub async fn run(context: &Context, Request { command }: Request) -> Result<(), Failure> {
    match command {
        Command::List { status, mine, others, of, at_most } => {
            let by = context.sign_in().await?.id;
            let made_by = (mine || others).then_some((by, mine));
            let wanted = RequestFilter { status, made_by, user: of.find(context).await?, document: None };
            list_wanted(context, wanted, at_most, INBOX).await
        }
        Command::Show { id } => {
            let by = context.staff(&ReasonArg { reason: "looked at it".to_owned() }).await?;
            context.out.show(&show_to(&context.app, &by, id.parse()?).await?, request_text)
        }
        Command::Approve { decision: Decision { id, because }, fingerprint } => {
            let by = context.staff(&because).await?;
            let decided = approve_key(&context.app, &by, id.parse()?, fingerprint.as_deref()).await?;
            context.print_decided(&decided).await
        }
        Command::Reject(Decision { id, because }) => {
            let by = context.staff(&because).await?;
            context.out.record(&reject(&context.app, &by, id.parse()?).await?)
        }
    }
}

/// The lines of a terminal. With more than that, the first ones are out of sight.
const ONE_SCREEN: usize = 24;
/// What somebody decides on. The amount comes last: nothing can be written below it.
const DECIDED: [&str; 6] = ["requested_by_name", "name", "username", "id", "kind", "amount"];

/// A request; below a long one, once more what is decided. Whoever asks could write texts that push it out of sight.
fn request_text(request: &Value) -> String {
    let text = record_text(request);
    if text.lines().count() < ONE_SCREEN {
        return text;
    }
    let there =
        |name: &&'static str| request.get(*name).filter(|value| !value.is_null()).map(|value| (*name, cell(value)));
    let lines: Vec<(&str, String)> = DECIDED.iter().filter_map(there).collect();
    format!("{text}\n{}\n{}", heading("What is decided"), lines_text(&lines))
}

/// Requests a movement of a user's money.
pub async fn make(
    context: &Context,
    because: &ReasonArg,
    username: &str,
    draft: impl FnOnce(UserId) -> MoneyRequestDraft,
) -> Result<(), Failure> {
    let by = context.staff(because).await?;
    let user = find_account(&context.app, username).await?;
    context.out.record(&request(&context.app, &by, draft(user)).await?)
}

/// Approves a request, which must be of this document.
pub async fn approve_one(context: &Context, document: RequestDocument, decision: Decision) -> Result<(), Failure> {
    let by = context.staff(&decision.because).await?;
    let id: RequestId = id(&decision.id)?;
    context.print_decided(&approve(&context.app, &by, RequestRef::of(document, id)).await?).await
}

/// Rejects a request, which must be of this document.
pub async fn reject_one(context: &Context, document: RequestDocument, decision: Decision) -> Result<(), Failure> {
    let by = context.staff(&decision.because).await?;
    let id: RequestId = id(&decision.id)?;
    context.out.record(&reject(&context.app, &by, RequestRef::of(document, id)).await?)
}

/// Lists the requests of one kind of document.
pub async fn list(
    context: &Context,
    document: RequestDocument,
    ListArgs { status, of, at_most }: ListArgs,
    columns: &str,
) -> Result<(), Failure> {
    context.sign_in().await?;
    let wanted = RequestFilter { document: Some(document), status, user: of.find(context).await?, made_by: None };
    list_wanted(context, wanted, at_most, columns).await
}

const INBOX: &str = "id, kind, user: username, about: name, amount, status, asked by: requested_by_name";

async fn list_wanted(
    context: &Context,
    wanted: RequestFilter,
    at_most: LimitArg,
    columns: &str,
) -> Result<(), Failure> {
    let found = collect(at_most, |page| requests(&context.app, wanted, page)).await?;
    context.out.list(&found, columns)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_amount_is_in_sight_however_long_the_texts_are() {
        let asked = |reason: String| json!({ "amount": "9000.00", "id": "7", "kind": "recharge", "reason": reason });
        let short = request_text(&asked("seen".to_owned()));
        assert_eq!(short, record_text(&asked("seen".to_owned())));
        let long = request_text(&asked("a\n".repeat(200)));
        let end: Vec<&str> = long.lines().rev().take(3).collect();
        assert_eq!(end, ["amount  9000.00", "kind    recharge", "id      7"], "{long}");
    }
}
