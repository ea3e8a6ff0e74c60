//! Slots: adding them from files and listing them.

use campaigns::delivery::slots;
use clap::Subcommand;
use content::Kind;

use crate::commands::installation::file::{self, EntryArgs};
use crate::context::Context;
use crate::failure::Failure;

const EXAMPLE: &str = "\
A slot file is TOML, or JSON where its name ends in .json:
  key = \"news-top\"               # what the publisher's page asks with
  publisher = \"The Daily Example\" # its name or number; a new name adds a publisher
  content_types = [\"landing_page\", \"video\"]
  [audience]                     # regions, languages, devices, interests
  regions = [\"DE\"]";

const EXAMPLES: &str = "\
Examples:
  placard slot add front.toml --reason \"new publisher\"
  placard slot list";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Add a slot from a file
    #[command(after_help = EXAMPLE)]
    Add(EntryArgs),
    /// List all slots
    List,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Add(entry) => {
            let (app, by, item) = file::entry(context, Kind::Slot, &entry).await?;
            let added = slots::add(&app, &by, item.file()?).await;
            context.out.record(&file::named(&item, added)?)
        }
        Command::List => {
            context.sign_in().await?;
            let all = slots::list(&context.app).await?;
            context.out.list(&all, "id, key, publisher, shows: content_types, active")
        }
    }
}
