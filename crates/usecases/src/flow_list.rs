//! The user's statement, with what each month on it brought and took.

use base::UserId;
use serde::Serialize;
use store::flows::{self, Filter, Flow};
use store::{Page, PageRequest};
use utoipa::ToSchema;
use wallet::{Account, FlowKind};

use crate::zone::{Month, Zone};
use crate::{App, Error};

/// Which lines are wanted, as the client wrote it.
#[derive(Clone, Debug)]
pub struct FlowQuery {
    /// `2026-01`, cut in `zone`.
    pub month: Option<String>,
    /// A name of [`FlowKind`].
    pub kind: Option<String>,
    pub zone: Zone,
    pub page: PageRequest,
}

/// A line of the statement; amounts are decimals in the platform's currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Flow)]
pub struct FlowView {
    pub id: String,
    pub time: String,
    /// Signed: what `account` gained or lost.
    pub amount: String,
    /// What was available after it.
    pub balance: String,
    pub kind: String,
    pub remark: String,
    #[serde(rename = "ref")]
    pub reference: FlowRef,
    /// `available`, `held` for what a plan holds, or `promotional`.
    pub account: String,
}

/// The document behind a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FlowRef {
    #[serde(rename = "type")]
    pub kind: String,
    pub id: String,
}

/// What a month brought to `available` and took from it, whatever the kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FlowMonth {
    /// `2026-01`.
    pub month: String,
    pub income: String,
    /// Not negative.
    pub expense: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub lines: Page<FlowView>,
    /// The whole of the month asked for, or of every month that the lines
    /// reach, newest first.
    pub months: Vec<FlowMonth>,
}

impl From<Flow> for FlowView {
    fn from(flow: Flow) -> Self {
        let account = match flow.account {
            Account::Hold { .. } => "held",
            Account::User(_, account) => account.name(),
            Account::Advertiser(_) | Account::Platform(_) => "",
        };
        Self {
            id: flow.id.to_string(),
            time: flow.at.to_string(),
            amount: flow.amount.to_string(),
            balance: flow.available_after.to_string(),
            kind: flow.kind.name().to_owned(),
            remark: flow.remark,
            reference: FlowRef { kind: flow.ref_type, id: flow.ref_id.to_string() },
            account: account.to_owned(),
        }
    }
}

/// # Errors
/// The field `month` or `kind` where it is none.
pub async fn flow_list(app: &App, user: UserId, query: FlowQuery) -> Result<Statement, Error> {
    let month = query.month.as_deref().map(read_month).transpose()?;
    let kind = query.kind.as_deref().map(read_kind).transpose()?;
    let zone = query.zone;
    app.db
        .snapshot(move |conn| {
            let filter = Filter { period: month.map(|m| zone.month_period(m)), kind };
            let lines = flows::page(conn, user, filter, query.page)?;
            let months = match month {
                Some(month) => vec![month],
                None => months_of(&lines.items, zone),
            };
            let periods: Vec<_> = months.iter().map(|m| zone.month_period(*m)).collect();
            let turnovers = flows::turnovers(conn, user, &periods)?;
            let months = months.into_iter().zip(turnovers).map(|(month, sums)| FlowMonth {
                month: month.to_string(),
                income: sums.income.to_string(),
                expense: sums.expense.to_string(),
            });
            Ok(Statement { lines: lines.map(FlowView::from), months: months.collect() })
        })
        .await
}

fn read_month(text: &str) -> Result<Month, Error> {
    text.parse().map_err(|_| Error::field("month", "invalid"))
}

fn read_kind(text: &str) -> Result<FlowKind, Error> {
    FlowKind::from_name(text).ok_or_else(|| Error::field("kind", "invalid"))
}

fn months_of(lines: &[Flow], zone: Zone) -> Vec<Month> {
    let mut months: Vec<Month> = lines.iter().map(|line| zone.month(line.at)).collect();
    months.sort_unstable_by(|a, b| b.cmp(a));
    months.dedup();
    months
}
