//! Users' accounts: finding them, answering callers, and changing their status.

mod figures;
mod notes;
mod show;

use auth::AccountStatus;
use base::Timestamp;
use clap::{Args, Subcommand};
use desk::account_figures::Figure;
use foundation::people::login::reset_login_password;
use foundation::people::pay_password::{ResetOutcome, reset_pay_password};
use foundation::people::staff_accounts::{
    Filter, OpenItem, account_sessions, change_status, end_account_sessions, list_accounts,
};
use serde_json::json;

use crate::cli::{LimitArg, OwnReasonArg, ReasonArg, name_of, pasted};
use crate::context::{Context, collect};
use crate::failure::Failure;

const EXAMPLES: &str = "\
NAME is a username, an account's id, an e-mail address, a telephone number or
the number of one of the account's plans.

Examples:
  placard account show mia@example.com
  placard account show \"+49 170 1234567\"
  placard account figures mia --figure to_be_consumed
  placard account list --has-open withdrawal
  placard account note mia \"identity checked by letter of 3 March\"
  placard account disable mia --reason \"asked to, by telephone\"
  placard account reset-pay-password mia --reason \"identity checked\"
  placard account reset-login-password mia --reason \"identity checked\"";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// List accounts, newest first
    List {
        /// One of active, not_activated, disabled, cancelled
        #[arg(long, value_parser = name_of!(AccountStatus))]
        status: Option<AccountStatus>,
        /// Part of a name, an e-mail address or a telephone number
        #[arg(long)]
        search: Option<String>,
        /// The shop's level, a whole number from 1
        #[arg(long)]
        level: Option<i32>,
        /// Registered on this day (UTC) or later, such as 2026-01-31
        #[arg(long, value_parser = day)]
        since: Option<Timestamp>,
        /// Only accounts with an open withdrawal, recharge, exchange or feedback
        #[arg(long, value_parser = name_of!(OpenItem))]
        has_open: Option<OpenItem>,
        #[command(flatten)]
        at_most: LimitArg,
    },
    /// One account on one screen: its status and why, its figures, what prevents a
    /// withdrawal, what is open
    Show {
        #[command(flatten)]
        who: AccountArg,
    },
    /// Show each of the wallet's figures in detail: its parts, and the latest entries
    /// behind it
    Figures {
        #[command(flatten)]
        who: AccountArg,
        /// Only this one, by its name in `account show --json`, such as
        /// to_be_consumed
        #[arg(long, value_parser = name_of!(Figure))]
        figure: Option<Figure>,
        /// Show at most this many entries of each, newest first (1 to 100)
        #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
        limit: u32,
    },
    /// Activate a disabled or new account
    Activate(AccountChangeArgs),
    /// Disable an account until it is activated again
    Disable(AccountChangeArgs),
    /// Cancel an account permanently
    Cancel(AccountChangeArgs),
    /// Reset the transaction password, after verifying the user's identity
    ResetPayPassword(AccountChangeArgs),
    /// Request a code for a new login password, after verifying the user's identity
    ///
    /// Once another operator has approved it, `request show ID` shows each of you one half of
    /// the code, once. Read yours to the user, and nobody else.
    ResetLoginPassword(AccountChangeArgs),
    /// List open sessions, or end them all
    Sessions {
        #[command(flatten)]
        who: AccountArg,
        /// End them all, which signs the user out everywhere
        #[arg(long, requires = "reason")]
        end: bool,
        /// Why; required with --end
        #[arg(long)]
        reason: Option<String>,
    },
    /// Write a note for other staff, which the user never sees
    Note {
        #[command(flatten)]
        who: AccountArg,
        /// The note, at most 500 characters
        text: String,
        #[command(flatten)]
        because: OwnReasonArg,
    },
    /// List notes, newest first
    Notes {
        #[command(flatten)]
        who: AccountArg,
        /// Include withdrawn ones
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        at_most: LimitArg,
    },
    /// Withdraw a note; it is kept, but no longer shown
    Unnote {
        /// The note's id, as `account notes` shows it
        id: String,
        #[command(flatten)]
        because: ReasonArg,
    },
}

/// The account of a command.
#[derive(Debug, Args)]
pub struct AccountArg {
    /// Username, account id, e-mail address, telephone or plan number
    name: String,
}

#[derive(Debug, Args)]
pub struct AccountChangeArgs {
    #[command(flatten)]
    who: AccountArg,
    #[command(flatten)]
    because: ReasonArg,
}

fn day(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(&format!("{}T00:00:00Z", pasted(text))).ok_or_else(|| "a day such as 2026-12-31".to_owned())
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::List { status, search, level, since, has_open, at_most } => {
            list(context, Filter { status, search, level, since, has_open }, at_most).await
        }
        Command::Show { who } => show::run(context, &who.name).await,
        Command::Figures { who, figure, limit } => figures::run(context, &who.name, figure, limit).await,
        Command::Activate(change) => set(context, change, AccountStatus::Active).await,
        Command::Disable(change) => set(context, change, AccountStatus::Disabled).await,
        Command::Cancel(change) => set(context, change, AccountStatus::Cancelled).await,
        Command::ResetPayPassword(change) => reset(context, change).await,
        Command::ResetLoginPassword(change) => reset_login(context, change).await,
        Command::Sessions { who, end: false, .. } => sessions(context, &who.name).await,
        Command::Sessions { who, end: true, reason } => end_sessions(context, &who.name, reason).await,
        Command::Note { who, text, because } => notes::add(context, &who.name, &text, because).await,
        Command::Notes { who, all, at_most } => notes::list(context, &who.name, all, at_most).await,
        Command::Unnote { id, because } => notes::withdraw(context, &id, &because).await,
    }
}

async fn list(context: &Context, filter: Filter, at_most: LimitArg) -> Result<(), Failure> {
    context.sign_in().await?;
    let accounts = collect(at_most, |page| list_accounts(&context.app, filter.clone(), page)).await?;
    context.out.list(&accounts, "id, username, status, level, email, phone")
}

async fn set(context: &Context, change: AccountChangeArgs, to: AccountStatus) -> Result<(), Failure> {
    let by = context.staff(&change.because).await?;
    let user = change_status(&context.app, by, &change.who.name, to).await?;
    context.out.record(&user)
}

async fn reset(context: &Context, change: AccountChangeArgs) -> Result<(), Failure> {
    let by = context.staff(&change.because).await?;
    match reset_pay_password(&context.app, by, &change.who.name).await? {
        ResetOutcome::Done(username) => context.out.record(&json!({ "username": username, "pay_password_set": false })),
        ResetOutcome::Requested(asked) => context.out.record(&*asked),
    }
}

async fn reset_login(context: &Context, change: AccountChangeArgs) -> Result<(), Failure> {
    let by = context.staff(&change.because).await?;
    context.out.record(&reset_login_password(&context.app, by, &change.who.name).await?)
}

async fn sessions(context: &Context, name: &str) -> Result<(), Failure> {
    context.sign_in().await?;
    let sessions = account_sessions(&context.app, name).await?;
    context.out.list(&sessions, "id, begun: created_at, last seen: last_seen, device, of staff: operator")
}

async fn end_sessions(context: &Context, name: &str, reason: Option<String>) -> Result<(), Failure> {
    let by = context.staff(&ReasonArg { reason: reason.unwrap_or_default() }).await?;
    let (username, ended) = end_account_sessions(&context.app, by, name).await?;
    context.out.record(&json!({ "username": username, "ended": ended }))
}
