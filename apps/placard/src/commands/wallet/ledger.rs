//! Checks of the ledger. They change nothing, and but for `show` and `export` show no user's data, so a nightly job
//! can run them without an operator's key.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use money::wallet::ledger_heads::{NotedHeads, ledger_heads};
use money::wallet::records;
use money::wallet::verify::{trial_balance, verify_since};

use crate::commands::wallet::ledger_export::{self, Export};
use crate::commands::wallet::transaction;
use crate::context::{Context, id};
use crate::failure::Failure;
use crate::files::OutputFiles;
use crate::progress::Progress;

const EXAMPLES: &str = "\
All of it may run while the servers do; what it tells is as of one moment.
Keep what `ledger heads` writes somewhere else: `ledger verify --heads` shows
later that nothing before it was changed.

Examples:
  placard ledger verify
  placard ledger head --json
  placard ledger heads /backup/heads-2026-11-21.txt
  placard ledger verify --heads /backup/heads-2026-11-21.txt
  placard ledger export --format beancount books.beancount";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Verify every law of the ledger; exits with 1 if one is broken
    Verify {
        /// A file written by `ledger heads`: every book must contain its saved head
        #[arg(long, value_name = "FILE")]
        heads: Option<PathBuf>,
    },
    /// Print one digest of all books' heads, to be saved elsewhere
    Head,
    /// Write each book's head to a new file, to be saved elsewhere
    Heads {
        /// The file; it must not exist yet
        file: PathBuf,
    },
    /// Show one transaction with all its entries, who caused it and why, and whether it
    /// is unchanged; needs a sign-in
    Show {
        /// The transaction's id
        transaction: String,
    },
    /// The balance of each kind of account; they sum to zero
    TrialBalance,
    /// Write all accounts, transactions and balances for hledger or Beancount; needs a
    /// sign-in
    Export(Export),
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Verify { heads } => verify(context, heads.as_deref()).await,
        Command::Head => context.out.record(&ledger_heads(&context.app).await?.head),
        Command::Heads { file } => {
            let heads = ledger_heads(&context.app).await?;
            let files = vec![(file, heads.file.into_bytes())];
            context.files.write(&OutputFiles { folder: None, absent: Vec::new(), new: true, private: false, files })?;
            context.out.record(&heads.head)
        }
        Command::Show { transaction: wanted } => {
            context.sign_in().await?;
            transaction::show(context, &records::transaction(&context.app, id(&wanted)?).await?)
        }
        Command::Export(wanted) => ledger_export::run(context, wanted).await,
        Command::TrialBalance => context.out.list(&trial_balance(&context.app).await?, "account, entries, balance"),
    }
}

async fn verify(context: &Context, heads: Option<&Path>) -> Result<(), Failure> {
    let noted = match heads {
        Some(file) => {
            let wrong = |problem| Failure::Usage(format!("{}: {problem}", file.display()));
            let text = context.files.read_text(file, usize::MAX).map_err(wrong)?;
            Some(NotedHeads::read(&context.app, &text)?)
        }
        None => None,
    };
    let bar = Progress::new(context.out, "reading transactions", Some(0));
    let shown = bar.clone();
    let progress = move |done: i64, all: i64| {
        shown.of(u64::try_from(all).unwrap_or(0));
        shown.at(u64::try_from(done).unwrap_or(0));
    };
    let found = verify_since(&context.app, noted, Box::new(progress)).await;
    bar.finish();
    let found = found?;
    context.out.record(&found)?;
    if found.ok { Ok(()) } else { Err(Failure::Found) }
}
