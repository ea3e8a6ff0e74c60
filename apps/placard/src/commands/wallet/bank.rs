//! The bank's statements: one operator imports, another confirms.

use std::path::PathBuf;

use bank::{Day, DayOrder, DecimalMark, MOST_BYTES, Mistakes, Statement, Told, digest_of, encoding_named, read};
use base::{BankLineId, BankStatementId, Money};
use clap::{Args, Subcommand, ValueEnum};
use foundation::people::staff_accounts::find_account;
use money::wallet::reconcile::{
    BankFile, confirm, ignore_line, import, match_line, open, propose, request_line, show, statements, unmatch_line,
};
use serde_json::Value;

use crate::cli::{LimitArg, ReasonArg};
use crate::context::{Context, collect, id};
use crate::failure::Failure;
use crate::output::{cell, indented, record_text, table_text};
use crate::progress::Progress;

pub const AFTER: &str = "\
A statement is CAMT.053 (XML), or CSV with the columns date, amount, currency
and, where there are any, reference, counterparty, description, id, or the names
that banks give these.

Examples:
  placard bank import may.xml --dry-run --reason \"a look\"
  placard bank import may.csv --account DE02 --decimal comma --reason \"May\"
  placard bank show 3
  placard bank confirm 3 --proposals 5f0c19d3a2b47e685f4b0d3c8e21a796 --reason \"as told\"
  placard bank match 812 withdrawal:7 --reason \"their bank cut the reference\"
  placard bank ignore 813 --reason \"the bank's monthly fee\"
  placard bank request 814 mia --reason \"paid without telling us\"
  placard bank open --limit 20";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Store a statement and propose the certain matches; nothing is booked until another
    /// operator confirms
    Import(Import),
    /// Book the matches of a statement that another operator proposed, as bank show lists them
    Confirm(Confirm),
    /// Compare a statement's open lines again, after more was approved or paid, or whoever
    /// proposed matches was revoked
    Propose(StatementArgs),
    /// Match a line with a document; another operator confirms it
    Match {
        /// The line's number
        line: String,
        /// Such as recharge:5, withdrawal:7, chargeback:3, advertiser_fund:4
        document: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Mark a line as none of ours; another operator confirms it
    Ignore(LineArgs),
    /// Withdraw a proposal, or request that a confirmed match be undone
    Unmatch(LineArgs),
    /// Request that a line's payment be credited to a user; another operator approves it
    Request {
        /// The line's number
        line: String,
        /// Username, account id, e-mail address, telephone or plan number
        username: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Show a statement, the ledger's balances, and the open lines
    Show {
        /// The statement's number
        statement: String,
    },
    /// List statements, newest first
    List {
        #[command(flatten)]
        at_most: LimitArg,
    },
    /// List everything without a match, oldest first
    Open {
        /// Show at most this many
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=5000))]
        limit: u32,
    },
}

#[derive(Debug, Args)]
pub struct Import {
    /// The bank's file, of 32 MiB at most
    pub file: PathBuf,
    /// The account's number; required for CSV, and for CAMT files with several accounts
    #[arg(long)]
    pub account: Option<String>,
    /// The currency of a CSV that does not say it, such as USD
    #[arg(long, value_name = "CODE")]
    pub currency: Option<String>,
    /// The decimal mark in CSV
    #[arg(long, value_name = "MARK", default_value = "point", ignore_case = true)]
    pub decimal: DecimalMarkArg,
    /// Which number of a day such as 03/02/2026 comes first, if no line of the CSV shows it; then
    /// years of two digits are read too, if they are last
    #[arg(long, value_name = "ORDER", ignore_case = true)]
    pub dates: Option<DayOrderArg>,
    /// The balance before the first line, such as 100.00
    #[arg(long, value_name = "AMOUNT", requires = "closing", allow_hyphen_values = true)]
    pub opening: Option<Money>,
    /// The balance after the last line; without one nothing proves the lines of a CSV
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    pub closing: Option<Money>,
    /// The file's encoding, such as windows-1252, if the file does not name it
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<String>,
    /// If the statement fits in several places: how many of its lines are stored already
    #[arg(long, value_name = "NUMBER")]
    pub known: Option<usize>,
    /// Print the result and store nothing
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub because: ReasonArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum DayOrderArg {
    DayFirst,
    MonthFirst,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum DecimalMarkArg {
    Point,
    Comma,
}

#[derive(Debug, Args)]
pub struct StatementArgs {
    /// The statement's number
    pub statement: String,
    #[command(flatten)]
    pub because: ReasonArg,
}

#[derive(Debug, Args)]
pub struct Confirm {
    /// The statement's number
    pub statement: String,
    /// The digest of the proposals that bank show prints; nothing is booked if other proposals wait by now
    #[arg(long, value_name = "DIGEST")]
    pub proposals: String,
    #[command(flatten)]
    pub because: ReasonArg,
}

#[derive(Debug, Args)]
pub struct LineArgs {
    /// The line's number
    pub line: String,
    #[command(flatten)]
    pub because: ReasonArg,
}

const LEFTOVERS: &str = "finding, line, on, amount, name: counterparty, text, user, documents";

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let app = &context.app;
    match command {
        Command::Import(typed) => take_in(context, typed).await,
        Command::Confirm(typed) => confirm_statement(context, typed).await,
        Command::Propose(of) => {
            let by = context.staff(&of.because).await?;
            let found = propose(app, &by, id(&of.statement)?).await?;
            context.out.list(&found, LINES)
        }
        Command::Match { line, document, because } => {
            let by = context.staff(&because).await?;
            context.out.record(&match_line(app, &by, id::<BankLineId>(&line)?, &document).await?)
        }
        Command::Ignore(of) => {
            let by = context.staff(&of.because).await?;
            context.out.record(&ignore_line(app, &by, id::<BankLineId>(&of.line)?).await?)
        }
        Command::Unmatch(of) => {
            let by = context.staff(&of.because).await?;
            context.out.record(&unmatch_line(app, &by, id::<BankLineId>(&of.line)?).await?)
        }
        Command::Request { line, username, because } => {
            let by = context.staff(&because).await?;
            let user = find_account(app, &username).await?;
            context.out.record(&request_line(app, &by, id::<BankLineId>(&line)?, user).await?)
        }
        Command::Show { statement } => {
            context.sign_in().await?;
            context.out.show(&show(app, id(&statement)?).await?, with_leftovers)
        }
        Command::List { at_most } => {
            context.sign_in().await?;
            context.out.list(&collect(at_most, |page| statements(app, page)).await?, STATEMENTS)
        }
        Command::Open { limit } => {
            context.sign_in().await?;
            let found = open(app, usize::try_from(limit).unwrap_or(usize::MAX)).await?;
            let columns = format!("{LEFTOVERS}, days: age_days");
            context.out.show(&found, |found| format!("{}{}", table_text(found, &columns), returned(found)))
        }
    }
}

const LINES: &str = "line: id, booked: booked_on, amount, document: match/document, status: match/status";
const STATEMENTS: &str = "id, account, from, to, lines, moved, matched, open";

async fn take_in(context: &Context, typed: Import) -> Result<(), Failure> {
    let by = context.staff(&typed.because).await?;
    let wrong = |problem| Failure::Usage(format!("{}: {problem}", typed.file.display()));
    // One byte more than allowed shows that the file is too large.
    let bytes = context.files.read(&typed.file, MOST_BYTES).map_err(wrong)?;
    let latest = Day::begun(context.app.now());
    let statements = statements_of(&bytes, &typed, context.app.settings.currency.code.as_str(), latest)?;
    let account = statements.first().map(|statement| statement.account.clone()).unwrap_or_default();
    let file = BankFile { statements, digest: digest_of(&bytes, &account), known: typed.known };
    let mut imported = import(&context.app, &by, file, typed.dry_run).await?;
    match (imported.pop(), imported.is_empty()) {
        (Some(only), true) => context.out.show(&only, with_leftovers),
        (last, _) => {
            imported.extend(last);
            context.out.show(&imported, each_with_leftovers)
        }
    }
}

fn statements_of(bytes: &[u8], typed: &Import, currency: &str, latest: Day) -> Result<Vec<Statement>, Failure> {
    let encoding = match typed.encoding.as_deref() {
        Some(name) => {
            Some(encoding_named(name).ok_or_else(|| Failure::Usage(format!("--encoding: {name} is not known")))?)
        }
        None => None,
    };
    let told = Told {
        account: typed.account.clone(),
        currency: currency.to_owned(),
        currency_of_file: typed.currency.clone(),
        decimal: match typed.decimal {
            DecimalMarkArg::Point => DecimalMark::Point,
            DecimalMarkArg::Comma => DecimalMark::Comma,
        },
        order: typed.dates.map(|order| match order {
            DayOrderArg::DayFirst => DayOrder::DayFirst,
            DayOrderArg::MonthFirst => DayOrder::MonthFirst,
        }),
        opening: typed.opening,
        closing: typed.closing,
        encoding,
        latest: Some(latest),
    };
    read(bytes, &told).map_err(|mistakes: Mistakes| Failure::Usage(format!("{}:\n{mistakes}", typed.file.display())))
}

async fn confirm_statement(context: &Context, typed: Confirm) -> Result<(), Failure> {
    let by = context.staff(&typed.because).await?;
    let statement: BankStatementId = id(&typed.statement)?;
    let waiting = show(&context.app, statement).await?.waiting;
    let bar = Progress::new(context.out, "confirming", u64::try_from(waiting).ok());
    let told = |done| bar.at(u64::try_from(done).unwrap_or(0));
    let done = confirm(&context.app, &by, statement, &typed.proposals, told).await;
    bar.finish();
    context.print_decided(&done?).await
}

const GAPS: &str = "after, balance: from, before, balance: to";

/// A record, followed by what is missing and what does not match.
fn with_leftovers(value: &Value) -> String {
    let mut record = value.clone();
    let mut part = |name| record.as_object_mut().and_then(|fields| fields.remove(name)).unwrap_or_default();
    let (left, gaps) = (part("leftovers"), part("gaps"));
    let filled = |list: &Value| list.as_array().is_some_and(|list| !list.is_empty());
    let gaps = match filled(&gaps) {
        true => format!("\nsomething is missing between\n{}", table_text(&gaps, GAPS)),
        false => String::new(),
    };
    let left = match filled(&left) {
        true => format!("{}{}", table_text(&left, LEFTOVERS), returned(&left)),
        false => "nothing is left\n".to_owned(),
    };
    format!("{}{gaps}\n{left}", record_text(&record))
}

/// The payout that came back, and the bank's text.
fn returned(left: &Value) -> String {
    let told = left.as_array().into_iter().flatten().filter_map(|one| {
        let payout = one.get("returned")?;
        let value = |of: &Value, name: &str| cell(of.get(name).unwrap_or(&Value::Null));
        let (document, of, amount) = (value(payout, "document"), value(payout, "of"), value(payout, "amount"));
        let (name, account) = (value(payout, "name"), value(payout, "account"));
        let (back, said) = (value(one, "amount"), value(one, "text"));
        let text = format!(
            "{document} of {of} came back: {back} of {amount} that was paid to {name}, account {account}. The bank says: {said}"
        );
        Some(format!("\n{}", indented(&text, 0)))
    });
    told.collect()
}

fn each_with_leftovers(value: &Value) -> String {
    value.as_array().map(|all| all.iter().map(with_leftovers).collect::<Vec<_>>().join("\n")).unwrap_or_default()
}
