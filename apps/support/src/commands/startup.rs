//! Start-up funds, which the provider advances to a user.

use clap::Subcommand;
use usecases::accounts::find_account;
use usecases::startup::advance_startup;

use crate::cli::Because;
use crate::context::Context;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Advance funds; the user reads the reason and returns them without
    /// paying anything in
    Advance {
        username: String,
        amount: String,
        #[command(flatten)]
        because: Because,
    },
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let Command::Advance { username, amount, because } = command;
    let by = context.staff(&because).await?;
    let user = find_account(&context.app, &username).await?;
    context.out.record(&advance_startup(&context.app, &by, user, &amount).await?)
}
