//! Acceptors: adding them from files, their rates and codes.

use base::AcceptorId;
use clap::{Args, Subcommand};
use content::Kind;
use money::wallet::acceptor_admin::{
    add_acceptor, close_acceptor, list_acceptors, open_acceptor, renew_code, set_rate,
};

use crate::cli::ReasonArg;
use crate::commands::installation::file::{self, EntryArgs};
use crate::context::{Context, id};
use crate::failure::Failure;

const EXAMPLE: &str = "\
An acceptor file is TOML, or JSON where its name ends in .json:
  name = \"Bright Exchange\"
  type = \"enterprise\"            # or personal
  limit = \"5000.00\"              # the most of one order
  daily_limit = \"20000.00\"       # the most of one user's on one day; optional
  quote_seconds = 600            # how long a rate holds once it was shown
  # code = \"…\"                   # drawn at random where it is missing
  [rates]                        # what one of the platform's is paid with
  EUR = \"0.92\"
  JPY = \"157.40\"

The acceptance code is printed once. Only a digest of it is kept.";

const EXAMPLES: &str = "\
Examples:
  placard acceptor add harbour.toml --reason \"new acceptor\"
  placard acceptor rate 2 EUR 0.915 --reason \"rate of today\"
  placard acceptor code 2 --reason \"the code was lost\"
  placard acceptor close 2 --reason \"on holiday\"
  placard acceptor list";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Request an acceptor from a file; prints its code, only once
    #[command(after_help = EXAMPLE)]
    Add(EntryArgs),
    /// List acceptors with their rates
    List,
    /// Request a rate; rates shown before hold until they expire
    Rate {
        /// The acceptor's id, as `acceptor list` shows it
        id: String,
        /// A code of ISO 4217, such as EUR
        currency: String,
        /// What is paid for one unit of the platform's currency, such as 0.92
        rate: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Request a new acceptance code, which replaces the previous one when it is approved;
    /// prints it, only once
    Code(AcceptorChangeArgs),
    /// Take no more orders; open ones continue
    Close(AcceptorChangeArgs),
    /// Request that it takes orders again
    Open(AcceptorChangeArgs),
}

#[derive(Debug, Args)]
pub struct AcceptorChangeArgs {
    /// The acceptor's id, as `acceptor list` shows it
    id: String,
    #[command(flatten)]
    because: ReasonArg,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let app = &context.app;
    match command {
        Command::Add(entry) => {
            let (stage, by, item) = file::entry(context, Kind::Acceptor, &entry).await?;
            let added = add_acceptor(&stage, &by, &item.file()?).await;
            let asked = file::named(&item, added)?;
            // A rehearsal creates no acceptor, so its code is not shown.
            if entry.rehearsal.dry_run { context.out.record(&asked.request) } else { context.out.record(&asked) }
        }
        Command::List => list(context).await,
        Command::Rate { id: acceptor, currency, rate, because } => {
            let by = context.staff(&because).await?;
            let acceptor: AcceptorId = id(&acceptor)?;
            context.out.record(&set_rate(app, &by, acceptor, &currency, &rate).await?)
        }
        Command::Code(AcceptorChangeArgs { id: acceptor, because }) => {
            let by = context.staff(&because).await?;
            context.out.record(&renew_code(app, &by, id(&acceptor)?).await?)
        }
        Command::Close(AcceptorChangeArgs { id: acceptor, because }) => {
            let by = context.staff(&because).await?;
            context.out.record(&close_acceptor(app, &by, id(&acceptor)?).await?)
        }
        Command::Open(AcceptorChangeArgs { id: acceptor, because }) => {
            let by = context.staff(&because).await?;
            context.out.record(&open_acceptor(app, &by, id(&acceptor)?).await?)
        }
    }
}

async fn list(context: &Context) -> Result<(), Failure> {
    context.sign_in().await?;
    let columns = "id, name, type, limit, daily: daily_limit, active, draft, rates";
    context.out.list(&list_acceptors(&context.app).await?, columns)
}
