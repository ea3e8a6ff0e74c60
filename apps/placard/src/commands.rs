//! One file per group of commands, and the dispatch to them.

pub mod delivery;
pub mod installation;
pub mod notifications;
pub mod offers;
pub mod people;
pub mod plans;
pub mod staff;
pub mod tree;
pub mod wallet;

use std::sync::Arc;

use desk::installation::upgrade::bring_up_to_date;
use foundation::{Error, ProgressCallback};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use crate::cli::{Cli, Command};
use crate::commands::delivery::{publisher, slot, ssp, traffic};
use crate::commands::installation::{accept, archive, backup, config, contact, content, demo, doctor, restore};
use crate::commands::notifications::{conversation, feedback, notify};
use crate::commands::offers::{coupon, promotion};
use crate::commands::people::{code, ticket};
use crate::commands::plans::{advertiser, operated, plan, product, report};
use crate::commands::staff::{account, audit, key, operator, request};
use crate::commands::wallet::{acceptor, bank, chargeback, exchange, flow, ledger, log, recharge, startup, withdrawal};
use crate::context::Context;
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Progress;

pub async fn run(cli: Cli) -> Result<(), Failure> {
    let out = Output { json: cli.json, color: cli.color.into() };
    match cli.command {
        // Information about the program itself needs no installation.
        Command::Commands => tree::commands(out),
        Command::Completions(wanted) => tree::completions(out, &wanted),
        Command::Man(wanted) => tree::pages(out, &wanted),
        Command::Config(command) => config::run(out, &command),
        Command::Key(command) => key::run(out, &command),
        Command::Advertiser(advertiser::Command::Report(command)) => report::run(out, command).await,
        Command::Doctor(command) => doctor::run(out, command).await,
        // Creating or inspecting an installation does not need one.
        Command::Backup(command) if command.check => backup::look(out, command).await,
        Command::Restore(command) => restore::run(out, command).await,
        Command::Accept(command) => accept::run(out, command).await,
        // This command may need a clock of its own.
        Command::Demo(command) => demo::run(out, command).await,
        command => {
            let context = if begins(&command) { Context::open(out)? } else { Context::open_existing(out)? };
            bring_up_to_date(&context.app).await?;
            with_installation(&context, command).await
        }
    }
}

/// Whether it may be the first in an installation, which then begins.
const fn begins(command: &Command) -> bool {
    matches!(
        command,
        Command::Migrate | Command::Operator(operator::Command::Add { .. } | operator::Command::Founders { .. })
    )
}

/// Where a command can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunsWhere {
    /// Anywhere, because it concerns only the program and its environment.
    Here,
    /// Only on the installation's machine, because it creates, replaces or inspects what
    /// servers depend on, or simulates visitors.
    Installation,
    /// On the installation's machine, or on a server on behalf of an operator.
    Anywhere,
}

/// All commands are listed, so that a new one must be added here.
pub const fn place(command: &Command) -> RunsWhere {
    match command {
        Command::Advertiser(advertiser::Command::Report(_))
        | Command::Commands
        | Command::Completions(_)
        | Command::Man(_)
        | Command::Config(_)
        | Command::Key(_) => RunsWhere::Here,
        Command::Accept(_)
        | Command::Archive(_)
        | Command::Backup(_)
        | Command::Demo(_)
        | Command::Doctor(_)
        | Command::Log(log::Command::NewKey)
        | Command::Migrate
        | Command::Operator(operator::Command::Founders { .. })
        | Command::Restore(_)
        | Command::Traffic(_) => RunsWhere::Installation,
        Command::Acceptor(_)
        | Command::Account(_)
        | Command::Advertiser(_)
        | Command::Audit(_)
        | Command::Bank(_)
        | Command::Chargeback(_)
        | Command::Code(_)
        | Command::Contact(_)
        | Command::Content(_)
        | Command::Conversation(_)
        | Command::Coupon(_)
        | Command::Delivery(_)
        | Command::Exchange(_)
        | Command::Feedback(_)
        | Command::Flow(_)
        | Command::Ledger(_)
        | Command::Log(_)
        | Command::Notify(_)
        | Command::Operated(_)
        | Command::Operator(_)
        | Command::Plan(_)
        | Command::Product(_)
        | Command::Promotion(_)
        | Command::Publisher(_)
        | Command::Ssp(_)
        | Command::Recharge(_)
        | Command::Request(_)
        | Command::Slot(_)
        | Command::Startup(_)
        | Command::Ticket(_)
        | Command::Withdrawal(_) => RunsWhere::Anywhere,
    }
}

pub async fn with_installation(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Operator(command) => operator::run(context, command).await,
        Command::Code(command) => code::run(context, command).await,
        Command::Coupon(command) => coupon::run(context, command).await,
        Command::Promotion(command) => promotion::run(context, command).await,
        Command::Account(command) => account::run(context, command).await,
        Command::Recharge(command) => recharge::run(context, command).await,
        Command::Request(command) => request::run(context, command).await,
        Command::Withdrawal(command) => withdrawal::run(context, command).await,
        Command::Bank(command) => bank::run(context, command).await,
        Command::Chargeback(command) => chargeback::run(context, command).await,
        Command::Acceptor(command) => acceptor::run(context, command).await,
        Command::Exchange(command) => exchange::run(context, command).await,
        Command::Advertiser(command) => advertiser::run(context, command).await,
        Command::Product(command) => product::run(context, command).await,
        Command::Publisher(command) => publisher::run(context, command).await,
        Command::Ssp(command) => ssp::run(context, command).await,
        Command::Slot(command) => slot::run(context, command).await,
        Command::Plan(command) => plan::run(context, command).await,
        Command::Startup(command) => startup::run(context, command).await,
        Command::Ticket(command) => ticket::run(context, command).await,
        Command::Operated(command) => operated::run(context, command).await,
        Command::Notify(command) => notify::run(context, command).await,
        Command::Conversation(command) => conversation::run(context, command).await,
        Command::Feedback(command) => feedback::run(context, command).await,
        Command::Contact(command) => contact::run(context, command).await,
        Command::Content(command) => content::run(context, command).await,
        Command::Flow(command) => flow::run(context, command).await,
        Command::Ledger(command) => ledger::run(context, command).await,
        Command::Log(command) => log::run(context, command).await,
        Command::Delivery(command) => delivery::run(context, command).await,
        Command::Audit(command) => audit::run(context, command).await,
        Command::Traffic(command) => traffic::run(context, command).await,
        // Opening the database has migrated it.
        Command::Migrate => context.out.record(&json!({ "migrated": true, "realm": context.app.realm().name() })),
        Command::Archive(command) => archive::run(context, command).await,
        Command::Backup(command) => backup::run(context, command).await,
        Command::Accept(_)
        | Command::Commands
        | Command::Completions(_)
        | Command::Config(_)
        | Command::Demo(_)
        | Command::Doctor(_)
        | Command::Key(_)
        | Command::Man(_)
        | Command::Restore(_) => Err(opens_none()),
    }
}

/// These commands run before an installation is opened.
pub fn opens_none() -> Failure {
    Failure::Usage("this command opens no installation".to_owned())
}

/// Runs work that is dropped when the process is told to stop, so that no unfinished copy is left behind. Only for work
/// on this machine, since a server handles the same signals itself.
async fn unless_stopped<T, E>(work: impl Future<Output = Result<T, E>>) -> Result<T, Failure>
where
    Failure: From<E>,
{
    // Both signals are awaited before the work begins.
    let receive = |kind| signal(kind).map_err(|error| Error::Internal(error.to_string()));
    let (mut terminated, mut interrupted) = (receive(SignalKind::terminate())?, receive(SignalKind::interrupt())?);
    let stopped = || Failure::Unsaved("stopped", "it was stopped before its end".to_owned());
    tokio::select! {
        done = work => done.map_err(Failure::from),
        _ = terminated.recv() => Err(stopped()),
        _ = interrupted.recv() => Err(stopped()),
    }
}

/// Reports the steps of longer work on one progress bar.
fn show_steps(out: Output) -> (ProgressCallback, Progress) {
    let progress = Progress::new(out, "", None);
    let bar = progress.clone();
    let told: ProgressCallback = Arc::new(move |doing, done| {
        bar.doing(doing);
        bar.at(done);
    });
    (told, progress)
}
