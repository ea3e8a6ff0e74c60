//! Withdrawals: one operator approves, another pays. One may reject them before that; afterwards it takes two.

use base::WithdrawalId;
use clap::Subcommand;
use money::wallet::payment_files::PaidByFile as Exported;
use money::wallet::withdrawals::{
    WithdrawalFilter, all_withdrawals, approve_withdrawal, pay_withdrawal, reject_withdrawal, withdrawal_detail,
};
use serde_json::Value;
use wallet::{BankDocument, WithdrawalStatus};

use crate::cli::{LimitArg, ReasonArg, UserArg, name_of};
use crate::commands::wallet::payment_file::{self, Export};
use crate::context::{Context, collect, id};
use crate::failure::Failure;
use crate::output::{cell, heading, record_text, table_text};

pub const AFTER: &str = "\
Examples:
  placard withdrawal list --status pending
  placard withdrawal list --user mia
  placard withdrawal show 12
  placard withdrawal approve 12 --reason \"account compared with the last ones\"
  placard withdrawal pay 12 --reference OUT-2026-12 --reason \"paid\"
  placard withdrawal export friday.xml --on 2026-11-27 --reason \"the week's\"
  placard withdrawal untaken 12 --reason \"the bank returned the file\"
  placard withdrawal reject 12 --reason \"the account is closed\"";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List withdrawals, newest first
    List {
        #[arg(long, value_parser = name_of!(WithdrawalStatus))]
        status: Option<WithdrawalStatus>,
        #[command(flatten)]
        of: UserArg,
        #[command(flatten)]
        at_most: LimitArg,
    },
    /// Show a withdrawal: where it goes, since when and how often it went there, and how
    /// the user's money came in
    Show { id: String },
    /// Approve a withdrawal; another operator pays it
    Approve {
        id: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Book that an approved withdrawal has been paid
    Pay {
        id: String,
        /// The bank's reference of the payment
        #[arg(long)]
        reference: Option<String>,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Write a file that tells the bank to pay what another operator approved
    ///
    /// The file (pain.001.001.09) has accounts in clear. Each withdrawal is in one file at most, and is booked as paid
    /// once the bank's statement shows it. Wallet addresses are left out, and named.
    Export(Export),
    /// Say that the bank did not take an exported withdrawal; once another operator says so too, it can be paid again
    Untaken {
        /// The withdrawal's number
        id: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Return the money; the user is told the reason. Once it was approved, another operator approves that
    Reject {
        id: String,
        #[command(flatten)]
        because: ReasonArg,
    },
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let app = &context.app;
    match command {
        Command::List { status, of, at_most } => list(context, status, of, at_most).await,
        Command::Show { id: withdrawal } => {
            let reader = context.sign_in().await?.role;
            context.out.show(&withdrawal_detail(app, id(&withdrawal)?).await?.as_seen_by(reader), detail_text)
        }
        Command::Approve { id: withdrawal, because } => {
            let by = context.staff(&because).await?;
            let withdrawal: WithdrawalId = id(&withdrawal)?;
            approve_withdrawal(app, &by, withdrawal).await?;
            context.print_decided(&withdrawal_detail(app, withdrawal).await?.withdrawal).await
        }
        Command::Pay { id: withdrawal, reference, because } => {
            let by = context.staff(&because).await?;
            let withdrawal: WithdrawalId = id(&withdrawal)?;
            pay_withdrawal(app, &by, withdrawal, reference).await?;
            context.print_decided(&withdrawal_detail(app, withdrawal).await?.withdrawal).await
        }
        Command::Export(typed) => payment_file::write(context, BankDocument::Withdrawal, typed).await,
        Command::Untaken { id: withdrawal, because } => {
            payment_file::untaken(context, Exported::Withdrawal(id(&withdrawal)?), &because).await
        }
        Command::Reject { id: withdrawal, because } => {
            let by = context.staff(&because).await?;
            let withdrawal: WithdrawalId = id(&withdrawal)?;
            context.out.record(&reject_withdrawal(app, &by, withdrawal).await?)
        }
    }
}

async fn list(
    context: &Context,
    status: Option<WithdrawalStatus>,
    of: UserArg,
    at_most: LimitArg,
) -> Result<(), Failure> {
    let reader = context.sign_in().await?.role;
    let wanted = WithdrawalFilter { status, user: of.find(context).await? };
    let found = collect(at_most, |page| all_withdrawals(&context.app, wanted, page)).await?;
    let found: Vec<_> = found.into_iter().map(|withdrawal| withdrawal.as_seen_by(reader)).collect();
    context.out.show(&found, |found| {
        let rows: Vec<Value> = found.as_array().into_iter().flatten().map(row).collect();
        table_text(&rows.into(), COLUMNS)
    })
}

const COLUMNS: &str = "id, user, amount, status, account, requested: day";

/// The columns that matter most, so short that most account numbers fit beside them.
fn row(withdrawal: &Value) -> Value {
    let mut row = withdrawal.clone();
    let day = cell(withdrawal.pointer("/requested_at").unwrap_or(&Value::Null)).chars().take(DAY).collect::<String>();
    if let Some(fields) = row.as_object_mut() {
        fields.insert("account".to_owned(), account(withdrawal).into());
        fields.insert("day".to_owned(), day.into());
    }
    row
}

const DAY: usize = "2026-11-26".len();

/// The number or address.
fn account(withdrawal: &Value) -> &str {
    let text = |name: &str| withdrawal.pointer(&format!("/destination/{name}")).and_then(Value::as_str);
    text("bank_account").or_else(|| text("address")).unwrap_or("cannot be read")
}

const HISTORY: &str = "at, event, by, amount, withdrawal";
const RECEIVED: &str = "kind, amount, lines, last: last_at";

fn detail_text(detail: &Value) -> String {
    let mut facts = detail.clone();
    let mut list = |name: &str, columns: &str| {
        let rows = facts.as_object_mut().and_then(|facts| facts.remove(name)).unwrap_or_default();
        table_text(&rows, columns).trim_end().to_owned()
    };
    let (history, received) = (list("destination_history", HISTORY), list("received", RECEIVED));
    format!(
        "{}\n{}\n{history}\n\n{}\n{received}\n",
        record_text(&facts),
        heading("The account"),
        heading("What came in")
    )
}
