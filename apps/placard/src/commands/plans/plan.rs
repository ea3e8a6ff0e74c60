//! Users' plans: offering, viewing and rejecting them, and where their figures come from.

use base::ProductId;
use campaigns::plans::plan_control;
use campaigns::plans::plan_evidence::{EventFilter, EventKind, conversions, events, report};
use campaigns::plans::plan_views::{PlanFilter, all_plans};
use clap::{ArgGroup, Subcommand};
use foundation::people::staff_accounts::find_account;
use money::wallet::records;
use plans::Status;
use serde_json::Value;

use crate::cli::{LimitArg, ReasonArg, UserArg, name_of};
use crate::context::{Context, collect, id};
use crate::failure::Failure;
use crate::output::{cell, heading, lines_text, record_text, table_text};

const EXAMPLES: &str = "\
Examples:
  placard plan list --user mia --status putting
  placard plan show P7K2M9QXA3
  placard plan events P7K2M9QXA3 --filtered --kind click
  placard plan conversions P7K2M9QXA3 --limit 20
  placard plan entries P7K2M9QXA3
  placard plan offer mia 3 --reason \"as agreed by telephone\"
  placard plan reject P7K2M9QXA3 --reason \"the shop is closed\"";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Offer a user a plan on a product, for the user to put an amount on
    Offer {
        /// Username, account id, e-mail address, telephone or plan number
        name: String,
        /// The product's id
        product: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// List plans, newest first
    List {
        /// Such as putting, put_finished or settled
        #[arg(long, value_parser = name_of!(Status))]
        status: Option<Status>,
        #[command(flatten)]
        of: UserArg,
        #[command(flatten)]
        at_most: LimitArg,
    },
    /// Show a plan, its steps, and where its figures come from
    Show {
        /// The plan's number, in upper or lower case
        plan_no: String,
    },
    /// List a plan's impressions and clicks, newest first, and why some do
    /// not count
    #[command(group = ArgGroup::new("which").args(["filtered", "counted"]))]
    Events {
        /// The plan's number, in upper or lower case
        plan_no: String,
        /// Only these: impression or click
        #[arg(long, value_parser = ["impression", "click"])]
        kind: Option<String>,
        /// Only those that do not count
        #[arg(long)]
        filtered: bool,
        /// Only those that count
        #[arg(long)]
        counted: bool,
        #[command(flatten)]
        at_most: LimitArg,
    },
    /// List a plan's conversions, newest first, and why some were refused
    Conversions {
        /// The plan's number, in upper or lower case
        plan_no: String,
        #[command(flatten)]
        at_most: LimitArg,
    },
    /// List the entries on a plan's hold, newest first
    Entries {
        /// The plan's number, in upper or lower case
        plan_no: String,
        #[command(flatten)]
        at_most: LimitArg,
    },
    /// End a plan that has not delivered; everything is returned
    Reject {
        /// The plan's number, in upper or lower case
        plan_no: String,
        #[command(flatten)]
        because: ReasonArg,
    },
}

const PLANS: &str = "number: plan_no, user, product: product/name, status, budget: put_amount, consumed, revenue, \
    profit, created: created_at";
const EVENTS: &str = "id, time, kind, slot, price, counted, reason";
const CONVERSIONS: &str = "id, received: received_at, event: event_id, payout, accepted, reason, reversed: reversed_at";
const ENTRIES: &str = "line: id, time, account, amount, balance, kind, transaction: transaction_id";
const TIMELINE: &str = "time: at, status, reason";
const FILTERED: &str = "what, does not count because: reason, number";

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let app = &context.app;
    match command {
        Command::Offer { name, product, because } => {
            let by = context.staff(&because).await?;
            let user = find_account(app, &name).await?;
            let product: ProductId = id(&product)?;
            context.out.record(&plan_control::offer(app, &by, user, product).await?)
        }
        Command::Reject { plan_no, because } => {
            let by = context.staff(&because).await?;
            context.out.record(&plan_control::reject(app, &by, &plan_no).await?)
        }
        looks => look(context, looks).await,
    }
}

async fn look(context: &Context, command: Command) -> Result<(), Failure> {
    context.sign_in().await?;
    let app = &context.app;
    match command {
        Command::List { status, of, at_most } => {
            let wanted = PlanFilter { status, user: of.find(context).await? };
            context.out.list(&collect(at_most, |page| all_plans(app, wanted, page)).await?, PLANS)
        }
        Command::Show { plan_no } => context.out.show(&report(app, &plan_no).await?, text),
        Command::Events { plan_no, kind, filtered, counted, at_most } => {
            let filtered = (filtered || counted).then_some(filtered);
            let wanted = EventFilter { kind: kind.as_deref().and_then(EventKind::from_name), filtered };
            context.out.list(&collect(at_most, |page| events(app, &plan_no, wanted, page)).await?, EVENTS)
        }
        Command::Conversions { plan_no, at_most } => {
            context.out.list(&collect(at_most, |page| conversions(app, &plan_no, page)).await?, CONVERSIONS)
        }
        Command::Entries { plan_no, at_most } => {
            context.out.list(&collect(at_most, |page| records::of_plan(app, &plan_no, page)).await?, ENTRIES)
        }
        Command::Offer { .. } | Command::Reject { .. } => Ok(()),
    }
}

/// Fields that only programs need are left to `--json`.
const TERMS: &str = "plan_no, username, status, reason, paused, origin, ai_delivery, content_type, fee_rate, \
    progress, consumed, platform_paid, refunded, bill_at, revenue, profit, settled_profit, created_at, put_at, \
    started_at, finished_at, settles_at, settled_at";

fn text(report: &Value) -> String {
    let part = |name: &str| report.pointer(name).unwrap_or(&Value::Null);
    let given = |name: &str| report.get(name).filter(|value| !value.is_null()).map(cell);
    let mut terms: Vec<(&str, String)> = TERMS.split(", ").filter_map(|name| Some((name, given(name)?))).collect();
    terms.push(("product", cell(part("/product/name"))));
    let plan = lines_text(&terms);
    format!(
        "{plan}\n{}\n{}\n{}\n{}\n{}\n{}",
        heading("Steps"),
        table_text(part("/timeline"), TIMELINE),
        heading("Budget"),
        record_text(part("/budget")),
        heading("Delivery (more: placard plan events, conversions, entries)"),
        delivery(part("/delivery")),
    )
}

fn delivery(delivery: &Value) -> String {
    let part = |name: &str| delivery.pointer(name).unwrap_or(&Value::Null);
    let number = |name: &str| part(name).as_i64().unwrap_or(0);
    // The number that the app shows, and that the revenue belongs to.
    let conversions = number("/conversions/accepted") - number("/conversions/reversed");
    let figures = [
        ("impressions", cell(part("/impressions/counted"))),
        ("  cost", cell(part("/impressions/cost"))),
        ("clicks", cell(part("/clicks/counted"))),
        ("  cost", cell(part("/clicks/cost"))),
        ("conversions", conversions.to_string()),
        ("  reversed", cell(part("/conversions/reversed"))),
        ("  revenue", cell(part("/conversions/revenue"))),
        ("adds up to what is booked", cell(part("/adds_up"))),
    ];
    let mut not_counted: Vec<Value> = Vec::new();
    for (what, list) in
        [("impression", "/impressions/filtered"), ("click", "/clicks/filtered"), ("conversion", "/conversions/refused")]
    {
        for item in part(list).as_array().into_iter().flatten() {
            let mut item = item.clone();
            if let Some(fields) = item.as_object_mut() {
                fields.insert("what".to_owned(), what.into());
            }
            not_counted.push(item);
        }
    }
    let filtered = match not_counted.is_empty() {
        true => String::new(),
        false => format!("\n{}", table_text(&Value::Array(not_counted), FILTERED)),
    };
    format!("{}{filtered}", lines_text(&figures))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn conversions_are_as_many_as_the_app_shows() {
        let conversions = json!({ "accepted": 5, "reversed": 1, "revenue": "14.40", "refused": [] });
        let shown = delivery(&json!({ "conversions": conversions }));
        let lines: Vec<Vec<&str>> = shown.lines().map(|line| line.split_whitespace().collect()).collect();
        for line in [["conversions", "4"], ["reversed", "1"], ["revenue", "14.40"]] {
            assert!(lines.contains(&line.to_vec()), "{shown}");
        }
    }
}
