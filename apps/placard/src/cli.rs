//! The command line. Each group of commands is defined with its implementation.

use std::convert::Infallible;

use anstream::ColorChoice;
use base::digits::plain_digit;
use base::invisible::is_default_ignorable;
use base::typed::{narrow, plain_hyphen};
use campaigns::catalogue::counterparty_keys::LOCAL;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use foundation::App;
use i18n::Lang;
use supply::Domain;

use crate::commands::delivery::{publisher, slot, ssp, traffic};
use crate::commands::installation::{accept, archive, backup, config, contact, content, demo, doctor, restore};
use crate::commands::notifications::{conversation, feedback, notify};
use crate::commands::offers::{coupon, promotion};
use crate::commands::people::{code, ticket};
use crate::commands::plans::{advertiser, operated, plan, product};
use crate::commands::staff::{account, audit, key, operator, request};
use crate::commands::wallet::{acceptor, bank, chargeback, exchange, flow, ledger, log, recharge, startup, withdrawal};
use crate::commands::{delivery, tree};
use crate::failure::Failure;
use crate::terminal;

const ABOUT: &str = "Works on a Placard installation: accounts, money, advertisers, plans and checks.";

const AFTER: &str = "\
Staff sign in by the variables PLACARD_OPERATOR and PLACARD_OPERATOR_KEY; the
key is printed once, by `operator add`. Every change needs --reason and is
kept in the audit log. Recharges, withdrawals, exchanges, chargebacks,
promotional credit, start-up funds and advertisers' payments need two operators.

Exit codes: 0 done, 1 refused (the reason is on standard error), 2 wrong usage,
or output that could not be written.

Which installation it works on is told by the same variables as the server's:
PLACARD_DATABASE_URL, PLACARD_SECRET_FILE, PLACARD_DATA_DIR, PLACARD_REALM,
PLACARD_CONTACTS, PLACARD_CURRENCY, PLACARD_DOMAIN, PLACARD_FILES_URL,
PLACARD_PAYER_NAME, PLACARD_PAYER_ACCOUNT, PLACARD_PAYER_BIC,
PLACARD_PAYOUT_MINIMUM, PLACARD_PAYOUT_DELAY_DAYS, PLACARD_PAYOUT_NETWORKS,
or a file named by PLACARD_CONFIG. With PLACARD_SERVER, such as https://ads.example.com:9443,
that server runs the command, and none of these is needed.

Examples:
  placard operator add anna --role admin --reason \"first operator\"
  placard code issue --count 5 --reason \"spring fair\"
  placard recharge request mia 250.00 --reference BANK-4711 --reason \"transfer\"
  placard ledger verify --json";

const MIGRATE: &str = "\
Every other command that needs the database migrates it as well. Back up first.
Only this, the server, `operator add`, `operator founders`, `demo seed` and
`restore` begin an installation in a database that is empty or not there.

Examples:
  placard backup before.placard --reason \"before the upgrade\"
  placard migrate";

const USAGE: &str = "Usage: ";
const WIDTH: usize = 80;

#[derive(Debug, Parser)]
#[command(name = "placard", version, about = ABOUT, after_help = AFTER, max_term_width = WIDTH)]
pub struct Cli {
    /// Print one JSON document instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// Colours: auto (on a terminal, without NO_COLOR), always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub color: Color,
    #[command(subcommand)]
    pub command: Command,
}

/// The complete command line.
pub fn command() -> clap::Command {
    built(Cli::command())
}

/// The commands that have a page for `man`: all but the `help` that each group has for each of its own.
pub fn documented() -> clap::Command {
    built(Cli::command().disable_help_subcommand(true))
}

fn built(mut whole: clap::Command) -> clap::Command {
    whole.build();
    fold_usage(whole)
}

/// The arguments as typed, and parsed.
pub struct ParsedCommand {
    pub cli: Cli,
    pub matches: ArgMatches,
}

/// Parses the arguments; if they are wrong, explains that and exits.
///
/// # Errors
/// `Unwritten` if help was asked for and is lost.
pub fn parse_typed() -> Result<ParsedCommand, Failure> {
    // Correct arguments need no explanation, and folding the usage of all commands takes
    // longer than most commands.
    let matches = match Cli::command().try_get_matches().or_else(|_| command().try_get_matches()) {
        Ok(matches) => matches,
        Err(asked) if !asked.use_stderr() => {
            terminal::print(asked.render().ansi().to_string(), ColorChoice::Auto)?;
            std::process::exit(0)
        }
        Err(wrong) => wrong.exit(),
    };
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    Ok(ParsedCommand { cli, matches })
}

/// Parses arguments that somebody else typed.
pub fn parse_sent(arguments: &[String]) -> Result<Cli, clap::Error> {
    let words = std::iter::once("placard").chain(arguments.iter().map(String::as_str));
    Cli::from_arg_matches(&Cli::command().try_get_matches_from(words)?)
}

/// clap does not break lines of usage, however long.
fn fold_usage(mut command: clap::Command) -> clap::Command {
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    if usage.lines().any(|line| line.len() + USAGE.len() > WIDTH) {
        command = command.override_usage(folded(usage));
    }
    command.mut_subcommands(fold_usage)
}

fn folded(usage: &str) -> String {
    // A command with commands of its own has a line for each form.
    let lines = usage.lines().map(|line| folded_line(line.trim_start()));
    lines.collect::<Vec<_>>().join("\n       ")
}

fn folded_line(usage: &str) -> String {
    let (mut text, mut column) = (String::new(), USAGE.len());
    // A value stays on its option's line.
    for part in usage.replace(" <", "\u{a0}<").replace("[OPTIONS]\u{a0}", "[OPTIONS] ").split(' ') {
        if column + part.len() > WIDTH {
            text.truncate(text.trim_end().len());
            text.push_str("\n         ");
            column = 9;
        }
        text.push_str(part);
        text.push(' ');
        column += part.len() + 1;
    }
    text.trim_end().replace('\u{a0}', " ")
}

/// When output is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::Always,
            Color::Never => Self::Never,
        }
    }
}

/// The reason that every change requires.
#[derive(Clone, Debug, Args)]
pub struct ReasonArg {
    /// Why; kept in the audit log
    #[arg(long)]
    pub reason: String,
}

/// The reason of a change that tells one itself.
#[derive(Clone, Debug, Args)]
pub struct OwnReasonArg {
    /// Why; kept in the audit log. By default, the text itself is the reason
    #[arg(long)]
    pub reason: Option<String>,
}

/// Where the app is, for links into it.
#[derive(Clone, Debug, Args)]
pub struct BaseArg {
    /// Where the app is served, such as <https://ads.example.com>; without it, https at PLACARD_DOMAIN, or
    /// <http://127.0.0.1:8080> if there is none
    #[arg(long, value_parser = app_address)]
    base: Option<String>,
}

impl BaseArg {
    /// Where links into the app of this installation begin: they are sent to others, who cannot open one of this machine.
    pub fn of(&self, app: &App) -> String {
        // A name of this machine has neither a certificate nor the usual port.
        let domain = app.settings.domain.as_ref().map(Domain::as_str).filter(|name| !name.ends_with(".localhost"));
        let served = || domain.map_or_else(|| LOCAL.to_owned(), |name| format!("https://{name}"));
        self.base.clone().unwrap_or_else(served)
    }
}

/// Whether a change is made, or only described.
#[derive(Clone, Copy, Debug, Args)]
pub struct Rehearsal {
    /// Check everything and print what would be done; change nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// The length of a list.
#[derive(Clone, Copy, Debug, Args)]
pub struct LimitArg {
    /// Show at most this many, newest first
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: u32,
}

/// Whose items a list shows.
#[derive(Clone, Debug, Default, Args)]
pub struct UserArg {
    /// Only this user's: username, account id, e-mail address, telephone or plan number
    #[arg(long)]
    pub user: Option<String>,
}

/// Parses an argument that is a name of an enumeration, in capitals or not.
macro_rules! name_of {
    ($kind:ident) => {
        |name: &str| {
            let names = || $kind::ALL.iter().map(|each| each.name()).collect::<Vec<_>>().join(", ");
            $kind::from_name(&base::typed::folded(name)).ok_or_else(|| format!("one of {}", names()))
        }
    };
}
pub(crate) use name_of;

/// Where the app is served. Without a scheme, what is printed would be no link, and some are printed only once.
pub fn app_address(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_address = host.is_some_and(|host| !host.starts_with('/') && !host.is_empty() && !host.contains(' '));
    if is_address { Ok(text.to_owned()) } else { Err("an address such as https://ads.example.com".to_owned()) }
}

/// A number or a day without the blanks and what is not shown that were copied with it, and in plain digits and
/// hyphens.
pub fn pasted(text: &str) -> String {
    let shown: String = text.chars().filter(|c| !is_default_ignorable(*c)).collect();
    shown.trim().chars().map(|c| plain_hyphen(plain_digit(narrow(c)))).collect()
}

/// Whether it is an amount or a month is checked where it is used.
pub fn pasted_value(text: &str) -> Result<String, Infallible> {
    Ok(pasted(text))
}

/// A language by its code.
pub fn lang(code: &str) -> Result<Lang, String> {
    Lang::parse(&base::typed::folded(code)).ok_or_else(|| format!("one of {}", Lang::ALL.map(Lang::code).join(", ")))
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Members of staff: their keys, roles and limits
    #[command(subcommand, after_help = operator::AFTER)]
    Operator(operator::Command),
    /// Authorization codes, which open ad accounts
    #[command(subcommand)]
    Code(code::Command),
    /// Users' accounts
    #[command(subcommand)]
    Account(account::Command),
    /// Requests of every kind: one operator makes them, another approves
    Request(request::Request),
    /// Payments by users
    #[command(subcommand, after_help = recharge::AFTER)]
    Recharge(recharge::Command),
    /// Payments to users
    #[command(subcommand, after_help = withdrawal::AFTER)]
    Withdrawal(withdrawal::Command),
    /// The bank's statements, and which payments they show
    #[command(subcommand, after_help = bank::AFTER)]
    Bank(bank::Command),
    /// Payments that the bank took back
    Chargeback(chargeback::Chargeback),
    /// Acceptors, who pay out in other currencies, and their rates
    #[command(subcommand)]
    Acceptor(acceptor::Command),
    /// Users' exchanges with acceptors
    #[command(subcommand, after_help = exchange::AFTER)]
    Exchange(exchange::Command),
    /// Advertisers, who offer products and fund conversions
    #[command(subcommand, after_help = advertiser::AFTER)]
    Advertiser(advertiser::Command),
    /// Products of advertisers
    #[command(subcommand)]
    Product(product::Command),
    /// Pairs of keys that advertisers sign postbacks with; no sign-in needed
    #[command(subcommand, after_help = key::AFTER)]
    Key(key::Command),
    /// Ad exchanges (SSPs) that ask for bids by OpenRTB
    #[command(subcommand)]
    Ssp(ssp::Command),
    /// Publishers, who own slots
    #[command(subcommand)]
    Publisher(publisher::Command),
    /// Places on publishers' pages
    #[command(subcommand)]
    Slot(slot::Command),
    /// Users' plans
    #[command(subcommand)]
    Plan(plan::Command),
    /// Coupons, which lower the price of a plan or raise its budget
    #[command(subcommand)]
    Coupon(coupon::Command),
    /// Promotional credit, which users can only put on plans
    #[command(subcommand, after_help = promotion::AFTER)]
    Promotion(promotion::Command),
    /// Start-up funds advanced to users
    #[command(subcommand, after_help = startup::AFTER)]
    Startup(startup::Command),
    /// One-time tickets for the native shell
    #[command(subcommand)]
    Ticket(ticket::Command),
    /// Accounts that users can follow
    #[command(subcommand)]
    Operated(operated::Command),
    Notify(notify::Notify),
    /// Conversations with users
    #[command(subcommand)]
    Conversation(conversation::Command),
    /// Feedback from users
    #[command(subcommand)]
    Feedback(feedback::Command),
    /// Contacts for users
    #[command(subcommand)]
    Contact(contact::Command),
    /// Content in files: products, coupons, contacts, questions and more
    #[command(subcommand)]
    Content(content::Command),
    /// A user's statement
    Flow(flow::Flow),
    /// Checks of the ledger; no sign-in needed
    #[command(subcommand)]
    Ledger(ledger::Command),
    /// The public log of the ledger: its state, a new log, another key
    #[command(subcommand, after_help = log::AFTER)]
    Log(log::Command),
    /// Checks of delivery; no sign-in needed
    #[command(subcommand)]
    Delivery(delivery::Command),
    /// What staff did, and why
    #[command(subcommand)]
    Audit(audit::Command),
    /// The configuration of this installation
    #[command(subcommand, after_help = config::EXAMPLES)]
    Config(config::Command),
    Doctor(doctor::Doctor),
    Backup(backup::Backup),
    /// Events of months that are over, in files
    #[command(subcommand, after_help = archive::AFTER)]
    Archive(archive::Command),
    Restore(restore::Restore),
    /// Accept a loss or changed secrets, if the installation cannot be opened
    #[command(subcommand, after_help = accept::AFTER)]
    Accept(accept::Command),
    /// Migrate the database to the current schema, as the server does at start
    #[command(after_help = MIGRATE)]
    Migrate,
    /// The demonstration, for a simulated installation
    #[command(subcommand)]
    Demo(demo::Command),
    /// Simulated visitors, for a simulated installation
    #[command(subcommand)]
    Traffic(traffic::Command),
    /// A completion script for a shell
    Completions(tree::Completions),
    /// Manual pages
    Man(tree::Pages),
    /// All commands, one per line
    #[command(hide = true)]
    Commands,
}

#[cfg(test)]
mod fields;
