//! What publishers and ad exchanges, which are publishers too, have earned and are paid.

use std::path::PathBuf;

use base::PublisherId;
use campaigns::delivery::ssp;
use clap::Subcommand;
use i18n::Lang;
use money::wallet::publishers::{corrections, payouts, statement, terms};
use supply::PublisherKind;

use crate::cli::{ReasonArg, lang, pasted_value};
use crate::commands::installation::file;
use crate::context::{Context, id};
use crate::failure::Failure;
use crate::terminal;

const DESTINATION: &str = "\
A destination file is TOML, or JSON where its name ends in .json:
  holder = \"Garden Weekly Ltd\"
  account = \"DE89370400440532013000\"  # an IBAN, or the bank's own number
  bank = \"Example Bank\"";

#[derive(Debug, Subcommand)]
pub enum Earnings {
    /// Request another share of bills, or another bank account for payouts
    #[command(after_help = DESTINATION)]
    Terms {
        /// Its number
        id: String,
        /// Its share of what is billed, such as 0.65; for an SSP, the share of a view's price that is bid
        #[arg(long)]
        share: Option<String>,
        /// A file with the bank account; TOML, or JSON if the name ends in .json
        #[arg(long)]
        destination: Option<PathBuf>,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Show what it has earned, what it was paid, and on which account
    Account {
        /// Its number
        id: String,
    },
    /// Show its statement of a month: what was shown, what that earned, and what was paid
    Statement {
        /// Its number
        id: String,
        /// A month (UTC), such as 2026-01; this month so far if it is missing
        #[arg(long, value_parser = pasted_value)]
        month: Option<String>,
        /// Print every day as CSV
        #[arg(long)]
        csv: bool,
        /// Print a PDF
        #[arg(long, conflicts_with = "csv")]
        pdf: bool,
        /// The language of CSV and PDF
        #[arg(long, value_parser = lang, default_value = "en")]
        lang: Lang,
    },
    /// Request a correction of what it has earned; another operator approves it
    ///
    /// A positive amount is paid from the platform's revenue. A negative one takes back what
    /// corrections added, as far as the publisher is owed it and it was not promised to a payout;
    /// what it should not have earned from bills goes back to those who were billed (`delivery
    /// correct`). The reason is on its statement.
    Correct {
        /// Its number
        id: String,
        /// A decimal in the platform's currency, such as 12.34, or -12.34
        #[arg(long, allow_hyphen_values = true, value_parser = pasted_value)]
        amount: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Book that an approved payout has been paid
    Paid {
        /// The number of the payout's request
        id: String,
        /// The bank's reference of the payment
        #[arg(long)]
        reference: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Request that an approved payout which could not be paid is taken back; another operator approves it
    Unpaid {
        /// The number of the payout's request
        id: String,
        #[command(flatten)]
        because: ReasonArg,
    },
}

pub async fn run(context: &Context, kind: PublisherKind, command: Earnings) -> Result<(), Failure> {
    match command {
        Earnings::Terms { id, share, destination, because } => {
            let by = context.staff(&because).await?;
            let destination = destination.as_deref().map(|path| file::read(context, path)).transpose()?;
            let whose = whose(context, kind, &id).await?;
            let asked = terms::request_terms(&context.app, &by, whose, share.as_deref(), destination);
            context.out.record(&asked.await?)
        }
        Earnings::Account { id } => {
            context.sign_in().await?;
            let whose = whose(context, kind, &id).await?;
            context.out.record(&payouts::account(&context.app, whose).await?)
        }
        Earnings::Statement { id, month, csv, pdf, lang } => {
            context.sign_in().await?;
            let whose = whose(context, kind, &id).await?;
            let statement = statement::statement(&context.app, whose, month.as_deref()).await?;
            let file = match (csv, pdf, statement.of_exchange()) {
                (true, ..) => statement.csv(lang)?,
                (_, true, _) => statement.pdf(lang).await?,
                (.., Some(of_exchange)) => return context.out.record(&of_exchange),
                (.., None) => return context.out.record(&statement.view()?),
            };
            terminal::print_bytes(&file).await?;
            Ok(())
        }
        Earnings::Correct { id, amount, because } => {
            let by = context.staff(&because).await?;
            let whose = whose(context, kind, &id).await?;
            context.out.record(&corrections::request_correction(&context.app, &by, whose, &amount).await?)
        }
        Earnings::Paid { id: request, reference, because } => {
            let by = context.staff(&because).await?;
            context.print_decided(&payouts::pay(&context.app, &by, id(&request)?, &reference).await?).await
        }
        Earnings::Unpaid { id: request, because } => {
            let by = context.staff(&because).await?;
            context.out.record(&payouts::take_back(&context.app, &by, id(&request)?).await?)
        }
    }
}

/// What is asked for: whose number it is, how much, and why.
pub struct PayoutArgs {
    pub id: String,
    pub amount: String,
    pub because: ReasonArg,
}

pub async fn request_payout(context: &Context, kind: PublisherKind, asked: PayoutArgs) -> Result<(), Failure> {
    let by = context.staff(&asked.because).await?;
    let whose = whose(context, kind, &asked.id).await?;
    context.out.record(&payouts::request_payout(&context.app, &by, whose, &asked.amount).await?)
}

/// An exchange is a publisher as well, under its number, but no publisher is an exchange.
async fn whose(context: &Context, kind: PublisherKind, given: &str) -> Result<PublisherId, Failure> {
    let whose: PublisherId = id(given)?;
    if kind == PublisherKind::Ssp {
        ssp::staff::is_there(&context.app, whose).await?;
    }
    Ok(whose)
}
