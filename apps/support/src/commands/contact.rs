//! Whom users can turn to, as `PLACARD_CONTACTS` lists them.

use clap::Subcommand;

use crate::context::Context;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List contacts in the order users see them; no sign-in needed
    List,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let Command::List = command;
    let columns = [("list", "/list"), ("id", "/id"), ("type", "/type"), ("label", "/label"), ("url", "/url")];
    context.out.list(&context.app.settings.contacts.listed(), &columns)
}
