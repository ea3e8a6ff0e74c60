//! One transaction of the ledger as text.

use money::wallet::records::TransactionView;
use serde_json::Value;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::{cell, heading, lines_text, table_text};

const ENTRIES: &str = "line: id, owner, account, plan: plan_id, amount, balance, shown as: kind";

pub fn show(context: &Context, transaction: &TransactionView) -> Result<(), Failure> {
    context.out.show(transaction, text)
}

fn text(transaction: &Value) -> String {
    let part = |name: &str| transaction.pointer(name).unwrap_or(&Value::Null);
    let named = |who: &str, name: &str| match part(name).as_str() {
        Some(name) => format!("{} ({name})", cell(part(who))),
        None => cell(part(who)),
    };
    let facts = [
        ("transaction", cell(part("/id"))),
        ("kind", cell(part("/kind"))),
        ("recorded", cell(part("/recorded_at"))),
        ("happened", cell(part("/event_at"))),
        ("by", named("/actor", "/actor_name")),
        ("reason", cell(part("/reason"))),
        ("document", format!("{} {}", cell(part("/ref/type")), cell(part("/ref/id")))),
        ("reference", cell(part("/idempotency_key"))),
        ("book", format!("{}, no. {}", named("/book", "/book_name"), cell(part("/sequence")))),
        ("hash", cell(part("/hash"))),
        ("before it", cell(part("/prev_hash"))),
        ("intact", cell(part("/intact"))),
    ];
    format!(
        "{}\n{}\n{}",
        lines_text(&facts),
        heading("Entries, which sum to zero"),
        table_text(part("/entries"), ENTRIES)
    )
}
