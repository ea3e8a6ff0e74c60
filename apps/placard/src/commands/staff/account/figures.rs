//! The figures of a wallet in detail.

use desk::account_figures::{Figure, account_figures};
use serde_json::Value;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::{cell, heading, table_text};

const PARTS: &str = "made of: what, amount, status, since";
const ENTRIES: &str = "line: id, time, amount, balance, document: ref/type, no: ref/id, transaction: transaction_id";

pub async fn run(context: &Context, name: &str, only: Option<Figure>, limit: u32) -> Result<(), Failure> {
    context.sign_in().await?;
    let figures = account_figures(&context.app, name, only, limit.into()).await?;
    context.out.show(&figures, |figures| figures.as_array().into_iter().flatten().map(text).collect())
}

fn text(figure: &Value) -> String {
    let part = |name: &str| figure.get(name).unwrap_or(&Value::Null);
    let listed = |name: &str, columns| {
        let records = part(name);
        let empty = records.as_array().is_none_or(Vec::is_empty);
        if empty { String::new() } else { table_text(records, columns) }
    };
    let sums = match part("adds_up") {
        Value::Bool(true) => ", which its parts add up to",
        Value::Bool(false) => ", which its parts DO NOT add up to",
        _ => "",
    };
    let title = format!("{}  {}{sums}", cell(part("figure")), cell(part("amount")));
    format!("{}\n{}{}\n", heading(&title), listed("parts", PARTS), listed("entries", ENTRIES))
}
