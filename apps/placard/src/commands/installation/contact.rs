//! Contacts for users: those that staff maintain, or else those of `PLACARD_CONTACTS`.

use clap::Subcommand;
use i18n::Lang;

use crate::context::Context;
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  placard contact list
  placard content export --kind contact > contacts.toml
  placard content apply contacts.toml --reason \"another desk\"";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// List contacts in the order users see them; no sign-in needed
    List,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let Command::List = command;
    let columns = "list, id, type, label, url, from";
    context.app.follow_content().await;
    let contacts = context.app.contacts(Lang::default());
    context.out.list(&contacts.listed(context.app.contacts_from()), columns)
}
