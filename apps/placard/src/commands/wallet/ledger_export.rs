//! The whole ledger, for programs that recompute it.

use std::fs::File;
use std::io::{BufWriter, IntoInnerError, Read, Seek};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use foundation::Error;
use money::wallet::ledger_export::{ExportedLedger, JournalFormat, LedgerExport, export};

use crate::context::Context;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::terminal;

/// Printed at a time.
const PART: u64 = 256 * 1024;

#[derive(Debug, Args)]
pub struct Export {
    /// The program that is to read it
    #[arg(long, value_enum)]
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

/// Nothing is printed, and no file appears, before all of it is there: half a ledger would be taken for a whole one.
pub async fn run(context: &Context, wanted: Export) -> Result<(), Failure> {
    context.signed_in().await?;
    let format = match wanted.format {
        Format::Hledger => JournalFormat::Hledger,
        Format::Beancount => JournalFormat::Beancount,
    };
    let unfinished = context.files.unfinished(wanted.file.as_deref())?;
    let (file, exported) = written(context, LedgerExport { format, names: wanted.names }, unfinished.writer()?).await?;
    match wanted.file {
        Some(path) => {
            context.files.finish(unfinished, path)?;
            context.out.record(&exported)
        }
        None => print(file).await,
    }
}

async fn written(context: &Context, wanted: LedgerExport, file: File) -> Result<(File, ExportedLedger), Failure> {
    let bar = Progress::new(context.out, "writing transactions", Some(0));
    let shown = bar.clone();
    let progress = move |done: i64, all: i64| {
        shown.of(u64::try_from(all).unwrap_or(0));
        shown.at(u64::try_from(done).unwrap_or(0));
    };
    let done = export(&context.app, wanted, BufWriter::new(file), Box::new(progress)).await;
    bar.done();
    let (file, exported) = done?;
    let file = file.into_inner().map_err(IntoInnerError::into_error).map_err(unwritten)?;
    Ok((file, exported))
}

async fn print(mut file: File) -> Result<(), Failure> {
    file.rewind().map_err(unwritten)?;
    loop {
        let read = tokio::task::spawn_blocking(move || {
            let mut part = Vec::new();
            let read = (&mut file).take(PART).read_to_end(&mut part);
            read.map(|_| (file, part))
        });
        let (rest, part) = read.await.map_err(|e| Error::Internal(e.to_string()))?.map_err(unwritten)?;
        if part.is_empty() || !terminal::print_bytes(&part).await? {
            return Ok(());
        }
        file = rest;
    }
}

fn unwritten(error: std::io::Error) -> Failure {
    Failure::Unwritten(error.to_string())
}
