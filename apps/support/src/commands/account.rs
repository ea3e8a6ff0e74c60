//! Users' accounts: finding them, and changing how they stand.

use auth::AccountStatus;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use usecases::account_detail::account_detail;
use usecases::accounts::{account_sessions, change_status, end_account_sessions, list_accounts, reset_pay_password};

use crate::cli::{AtMost, Because};
use crate::context::{Context, collect};
use crate::failure::Failure;
use crate::output::{Column, record_text, table_text};

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List accounts, newest first
    List {
        #[arg(long, value_parser = status)]
        status: Option<AccountStatus>,
        /// Part of a name, an e-mail address or a telephone number
        #[arg(long)]
        search: Option<String>,
        #[command(flatten)]
        at_most: AtMost,
    },
    /// One account: figures, latest movements, plans and what to know first
    Show { username: String },
    /// Let a disabled or new account act
    Activate(Change),
    /// Bar an account until it is activated again
    Disable(Change),
    /// End an account for good
    Cancel(Change),
    /// Take the transaction password away, once it is sure who asks
    ResetPayPassword(Change),
    /// List open sessions, or end them all
    Sessions {
        username: String,
        #[arg(long, requires = "reason")]
        end: bool,
        /// Why; needed with --end
        #[arg(long)]
        reason: Option<String>,
    },
}

#[derive(Debug, Args)]
pub struct Change {
    username: String,
    #[command(flatten)]
    because: Because,
}

fn status(name: &str) -> Result<AccountStatus, String> {
    AccountStatus::parse(name).ok_or_else(|| "one of active, not_activated, disabled, cancelled".to_owned())
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::List { status, search, at_most } => list(context, status, search, at_most).await,
        Command::Show { username } => show(context, &username).await,
        Command::Activate(change) => set(context, change, AccountStatus::Active).await,
        Command::Disable(change) => set(context, change, AccountStatus::Disabled).await,
        Command::Cancel(change) => set(context, change, AccountStatus::Cancelled).await,
        Command::ResetPayPassword(change) => reset(context, change).await,
        Command::Sessions { username, end: false, .. } => sessions(context, &username).await,
        Command::Sessions { username, end: true, reason } => end_sessions(context, &username, reason).await,
    }
}

async fn list(
    context: &Context,
    status: Option<AccountStatus>,
    search: Option<String>,
    at_most: AtMost,
) -> Result<(), Failure> {
    context.signed_in().await?;
    let accounts = collect(at_most, |page| list_accounts(&context.app, status, search.clone(), page)).await?;
    let columns =
        [("id", "/id"), ("username", "/username"), ("status", "/status"), ("email", "/email"), ("phone", "/phone")];
    context.out.list(&accounts, &columns)
}

async fn show(context: &Context, username: &str) -> Result<(), Failure> {
    context.signed_in().await?;
    let detail = account_detail(&context.app, username).await?;
    context.out.show(&detail, detail_text)
}

const FLOW: &[Column] =
    &[("time", "/time"), ("kind", "/kind"), ("amount", "/amount"), ("balance", "/balance"), ("remark", "/remark")];
const PLANS: &[Column] =
    &[("plan", "/plan_no"), ("product", "/product/name"), ("put", "/put_amount"), ("status", "/status")];

fn detail_text(detail: &Value) -> String {
    let part = |name: &str| detail.get(name).unwrap_or(&Value::Null);
    let mut user = part("user").clone();
    if let Some(fields) = user.as_object_mut() {
        // Whom the user may turn to is the same for everyone.
        fields.retain(|name, _| !name.ends_with("customer_service_url"));
    }
    let about = json!({ "user": user, "property": part("property"), "flags": part("flags") });
    format!(
        "{}\nLatest movements\n{}\nLatest plans\n{}",
        record_text(&about),
        table_text(part("flow"), FLOW),
        table_text(part("plans"), PLANS)
    )
}

async fn set(context: &Context, change: Change, to: AccountStatus) -> Result<(), Failure> {
    let by = context.staff(&change.because).await?;
    let user = change_status(&context.app, by, &change.username, to).await?;
    context.out.record(&user)
}

async fn reset(context: &Context, change: Change) -> Result<(), Failure> {
    let by = context.staff(&change.because).await?;
    reset_pay_password(&context.app, by, &change.username).await?;
    context.out.record(&json!({ "username": change.username, "pay_password_set": false }))
}

async fn sessions(context: &Context, username: &str) -> Result<(), Failure> {
    context.signed_in().await?;
    let sessions = account_sessions(&context.app, username).await?;
    let columns = [("id", "/id"), ("begun", "/created_at"), ("last seen", "/last_seen"), ("device", "/device")];
    context.out.list(&sessions, &columns)
}

async fn end_sessions(context: &Context, username: &str, reason: Option<String>) -> Result<(), Failure> {
    let by = context.staff(&Because { reason: reason.unwrap_or_default() }).await?;
    let ended = end_account_sessions(&context.app, by, username).await?;
    context.out.record(&json!({ "username": username, "ended": ended }))
}
