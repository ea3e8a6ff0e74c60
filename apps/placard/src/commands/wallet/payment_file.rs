//! Files that tell the bank to pay, of withdrawals and of publishers' payouts alike.

use std::path::PathBuf;

use clap::Args;
use money::wallet::payment_files::{PaidByFile, export, report_not_taken};
use serde_json::Value;
use wallet::BankDocument;

use crate::cli::ReasonArg;
use crate::context::Context;
use crate::failure::Failure;
use crate::files::OutputFiles;
use crate::output::{heading, record_text, table_text};

#[derive(Debug, Args)]
pub struct Export {
    /// The file to write; it must be new, and only its owner may read it
    pub file: PathBuf,
    /// The day (UTC) on which the bank pays, such as 2026-01-31; today if it is missing
    #[arg(long, value_name = "DAY")]
    pub on: Option<String>,
    #[command(flatten)]
    pub because: ReasonArg,
}

const PAYMENTS: &str = "document, of, amount, id: end_to_end, account, name";
const RENAMED: &str = "document, bound as: bound_as, name";
const LEFT_OUT: &str = "document, of, amount, reason";

/// Writes the file once everything is stored: what could not be stored is not sent to a bank.
pub async fn write(context: &Context, kind: BankDocument, typed: Export) -> Result<(), Failure> {
    let by = context.staff(&typed.because).await?;
    let files = |bytes| OutputFiles {
        folder: None,
        absent: Vec::new(),
        new: true,
        private: true,
        files: vec![(typed.file.clone(), bytes)],
    };
    context.files.may_write(&files(Vec::new()))?;
    let (exported, bytes) = export(&context.app, &by, kind, typed.on.as_deref()).await?;
    let is_empty = bytes.is_none();
    if let Some(bytes) = bytes {
        context.files.write(&files(bytes))?;
    }
    context.out.show(&exported, text)?;
    if is_empty { Err(Failure::Found) } else { Ok(()) }
}

/// One person says that the bank did not take it, another agrees.
pub async fn untaken(context: &Context, document: PaidByFile, because: &ReasonArg) -> Result<(), Failure> {
    let by = context.staff(because).await?;
    context.out.record(&report_not_taken(&context.app, &by, document).await?)
}

fn text(exported: &Value) -> String {
    let mut facts = exported.clone();
    let mut part = |name: &str| facts.as_object_mut().and_then(|facts| facts.remove(name)).unwrap_or_default();
    let (payments, left_out) = (part("payments"), part("left_out"));
    let renamed: Vec<Value> =
        payments.as_array().into_iter().flatten().filter(|one| one.get("bound_as").is_some()).cloned().collect();
    let mut shown = record_text(&facts);
    for (title, rows, columns) in [
        ("In the file", payments, PAYMENTS),
        ("Names in the bank's letters", renamed.into(), RENAMED),
        ("Left out", left_out, LEFT_OUT),
    ] {
        if rows.as_array().is_some_and(|rows| !rows.is_empty()) {
            shown = format!("{}\n\n{}\n{}", shown.trim_end(), heading(title), table_text(&rows, columns));
        }
    }
    shown
}
