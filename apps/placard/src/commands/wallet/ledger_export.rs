//! The whole ledger, for programs that recompute it.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use money::wallet::ledger_export::{JournalFormat, LedgerExport, export};

use crate::commands::unless_stopped;
use crate::context::Context;
use crate::failure::Failure;
use crate::files::WrittenWhole;
use crate::progress::Progress;
use crate::terminal;

#[derive(Debug, Args)]
pub struct Export {
    /// The program that is to read it
    #[arg(long, value_enum, ignore_case = true)]
    format: Format,
    /// Write names and reasons, instead of pseudonyms
    #[arg(long)]
    names: bool,
    /// The file, which must not exist yet; standard output if it is left out
    file: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Hledger,
    Beancount,
}

/// Prints nothing, and creates no file, until everything is there: half a ledger could be taken for a whole one.
pub async fn run(context: &Context, wanted: Export) -> Result<(), Failure> {
    context.sign_in().await?;
    // An export that is printed leaves no file.
    match wanted.file.is_some() && !terminal::is_distant() {
        true => unless_stopped(write(context, wanted)).await,
        false => write(context, wanted).await,
    }
}

async fn write(context: &Context, wanted: Export) -> Result<(), Failure> {
    let format = match wanted.format {
        Format::Hledger => JournalFormat::Hledger,
        Format::Beancount => JournalFormat::Beancount,
    };
    let unfinished = context.files.create_unfinished(wanted.file.as_deref())?;
    let bar = Progress::new(context.out, "writing transactions", Some(0));
    let shown = bar.clone();
    let progress = move |done: i64, all: i64| {
        shown.of(u64::try_from(all).unwrap_or(0));
        shown.at(u64::try_from(done).unwrap_or(0));
    };
    let ledger = LedgerExport { format, names: wanted.names };
    let done = export(&context.app, ledger, unfinished.writer()?, Box::new(progress)).await;
    bar.finish();
    let (writer, exported) = done?;
    let written = WrittenWhole::of(writer)?;
    match wanted.file {
        Some(path) => {
            context.files.finish(unfinished, path)?;
            context.out.record(&exported)
        }
        None => written.print().await,
    }
}
