//! Slots: adding them from files and listing them.

use std::path::PathBuf;

use clap::Subcommand;
use usecases::slots::{self, SlotFile};

use crate::cli::Because;
use crate::commands::file;
use crate::context::Context;
use crate::failure::Failure;

const EXAMPLE: &str = "\
A slot file is TOML, or JSON where its name ends in .json:
  key = \"news-top\"               # what the publisher's page asks with
  publisher = \"The Daily Example\"
  content_types = [\"landing_page\", \"video\"]
  [audience]                     # regions, languages, devices, interests
  regions = [\"DE\"]";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Add a slot that a file describes
    #[command(after_help = EXAMPLE)]
    Add {
        file: PathBuf,
        #[command(flatten)]
        because: Because,
    },
    /// List all slots
    List,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Add { file: path, because } => {
            let by = context.staff(&because).await?;
            let slot: SlotFile = file::read(&path)?;
            context.out.record(&slots::add(&context.app, &by, slot).await?)
        }
        Command::List => {
            context.signed_in().await?;
            let all = slots::list(&context.app).await?;
            let columns = [
                ("id", "/id"),
                ("key", "/key"),
                ("publisher", "/publisher"),
                ("shows", "/content_types"),
                ("active", "/active"),
            ];
            context.out.list(&all, &columns)
        }
    }
}
