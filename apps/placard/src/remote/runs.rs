//! The server's side: runs a command for somebody else.

use std::time::Duration;

use anstream::ColorChoice;
use campaigns::AdServer;
use foundation::staff::ActionOrigin;
use store::staff::operators::Operator;
use tokio::sync::mpsc::Sender;

use super::RemoteCommand;
use crate::cli;
use crate::commands::{self, RunsWhere};
use crate::context::Context;
use crate::failure::Failure;
use crate::files::Files;
use crate::output::Output;
use crate::terminal::{OutputItem, RemoteTerminal, complain};

/// The longest time for a command.
const LIMIT: Duration = Duration::from_secs(600);

/// The authenticated operator, and the addresses of the call.
pub struct Caller {
    pub app: AdServer,
    pub operator: Operator,
    pub place: ActionOrigin,
}

/// Runs a command to its end, even if nobody reads its output any more.
pub async fn run(caller: Caller, asked: RemoteCommand, wire: Sender<OutputItem>) {
    let distant = RemoteTerminal::new(asked.width, wire);
    let command = async {
        match tokio::time::timeout(LIMIT, perform(caller, asked)).await {
            Ok(code) => code,
            Err(_) => Failure::Server(format!(
                "it took more than {} s and was given up; `audit list` shows what was done",
                LIMIT.as_secs()
            ))
            .tell(),
        }
    };
    let code = distant.clone().show(command).await;
    distant.print(OutputItem::Code(code));
    distant.flush().await;
}

async fn perform(caller: Caller, asked: RemoteCommand) -> u8 {
    let cli = match cli::parse_sent(&asked.arguments) {
        Ok(cli) => cli,
        Err(error) => {
            complain(error.render().to_string().trim_end());
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    if commands::place(&cli.command) != RunsWhere::Anywhere {
        return Failure::Usage("a server does not run this command".to_owned()).tell();
    }
    caller.app.follow_content().await;
    let out = Output { json: cli.json, color: ColorChoice::Always };
    let context = Context::of_call(caller.app, out, Files::Sent(asked.files), caller.operator, caller.place);
    match commands::with_installation(&context, cli.command).await {
        Ok(()) => 0,
        Err(failure) => failure.tell(),
    }
}
