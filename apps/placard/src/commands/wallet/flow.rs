//! A user's statement.

use std::cell::RefCell;

use base::UserId;
use calendar::Zone;
use campaigns::plans::plan_views::by_number;
use clap::Args;
use foundation::people::staff_accounts::find_account;
use i18n::Lang;
use money::wallet::flow_list::{FlowQuery, flow_list};
use money::wallet::records::of_line;
use money::wallet::statement_file::{CsvPosition, StatementRequest, export};
use serde_json::{Value, json};

use crate::cli::{LimitArg, pasted_value};
use crate::commands::wallet::transaction;
use crate::context::{Context, collect};
use crate::failure::Failure;
use crate::output::table_text;
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  placard flow mia --limit 20
  placard flow mia --month 2026-01 --csv > mia-2026-01.csv
  placard flow mia --plan P23456789A --kind ad_billing
  placard flow mia --from 2026-01-05T14:00:00Z --until 2026-01-05T15:00:00Z
  placard flow mia --line 4711";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Flow {
    /// Username, account id, e-mail address, telephone or plan number
    name: String,
    /// Only this month (UTC), such as 2026-01
    #[arg(long, value_parser = pasted_value)]
    month: Option<String>,
    /// Only lines recorded from this time on, such as 2026-01-05T14:00:00Z
    #[arg(long, requires = "until", conflicts_with = "month")]
    from: Option<String>,
    /// Only lines recorded before this time
    #[arg(long, requires = "from")]
    until: Option<String>,
    /// Only lines of this kind, such as ad_billing
    #[arg(long)]
    kind: Option<String>,
    /// Only lines of this plan, by its number
    #[arg(long)]
    plan: Option<String>,
    /// Print every line as CSV, whatever --limit and --json say
    #[arg(long, conflicts_with_all = ["from", "kind", "plan"])]
    csv: bool,
    /// Show the whole transaction behind the line with this id
    #[arg(long, conflicts_with_all = ["month", "csv", "from", "kind", "plan"])]
    line: Option<i64>,
    #[command(flatten)]
    at_most: LimitArg,
}

const LINES: &str = "line: id, time, kind, amount, balance, remark";
/// The same figures as in the app and on the printed statement: a refund does not count as money in.
const MONTHS: &str = "month, money in: net_income, money out: net_expense, refunds";

const SUM: &str = "lines, available, held, promotional";

pub async fn run(context: &Context, flow: Flow) -> Result<(), Failure> {
    context.sign_in().await?;
    if let Some(line) = flow.line {
        return transaction::show(context, &of_line(&context.app, &flow.name, line).await?);
    }
    let user = find_account(&context.app, &flow.name).await?;
    if flow.csv {
        return csv(context, user, flow.month).await;
    }
    let plan = match &flow.plan {
        Some(number) => Some(by_number(&context.app, number).await?.id),
        None => None,
    };
    let Flow { month, from, until, kind, at_most, .. } = flow;
    let wanted = FlowQuery { month, from, until, kind, plan, ..FlowQuery::default() };
    let (app, told) = (&context.app, RefCell::new((Vec::new(), None)));
    let items = collect(at_most, |page| {
        let (query, told) = (FlowQuery { page, ..wanted.clone() }, &told);
        async move {
            let statement = flow_list(app, user, query).await?;
            let (months, sum) = &mut *told.borrow_mut();
            *sum = statement.sum.or(sum.take());
            for month in statement.months {
                // The totals of a month that spans two pages are on both.
                if !months.contains(&month) {
                    months.push(month);
                }
            }
            Ok(statement.lines)
        }
    })
    .await?;
    let (months, sum) = told.into_inner();
    context.out.show(&json!({ "items": items, "months": months, "sum": sum }), text)
}

/// In English and UTC, like everything on the command line.
async fn csv(context: &Context, user: UserId, month: Option<String>) -> Result<(), Failure> {
    let wanted = StatementRequest { month, zone: Zone::UTC, lang: Lang::En };
    let (export, mut place) = (export(&context.app, user, wanted).await?, CsvPosition::Head);
    while let Some((bytes, next)) = export.csv(place).await? {
        if !terminal::print_bytes(&bytes).await? {
            return Ok(());
        }
        place = next;
    }
    Ok(())
}

fn text(statement: &Value) -> String {
    let part = |name: &str| statement.get(name).unwrap_or(&Value::Null);
    let lists = format!("{}\n{}", table_text(part("items"), LINES), table_text(part("months"), MONTHS));
    match part("sum") {
        Value::Null => lists,
        sum => format!("{lists}\n{}", table_text(&json!([sum]), SUM)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A customer on the telephone reads the same figures in the app.
    #[test]
    fn a_month_is_told_as_in_the_app() {
        let month = json!({
            "month": "2026-01", "income": "150.00", "expense": "90.00", "refunds": "40.00",
            "net_income": "110.00", "net_expense": "50.00",
        });
        let shown = text(&json!({ "items": [], "months": [month], "sum": null }));
        let lines: Vec<Vec<&str>> = shown.lines().map(|line| line.split_whitespace().collect()).collect();
        assert!(shown.contains("MONTH    MONEY IN  MONEY OUT  REFUNDS"), "{shown}");
        assert!(lines.contains(&vec!["2026-01", "110.00", "50.00", "40.00"]), "{shown}");
    }
}
