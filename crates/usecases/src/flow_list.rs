//! The user's statement, with what each month on it brought and took.

use base::UserId;
use store::flows::{self, Filter, Flow, Turnover};
use store::{Page, PageRequest};
use wallet::FlowKind;

use crate::{App, Error};
use crate::zone::{Month, Zone};

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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub lines: Page<Flow>,
    /// The whole of the month asked for, or of every month that the lines
    /// reach, newest first, whatever the kind.
    pub months: Vec<(Month, Turnover)>,
}

/// # Errors
/// The field `month` or `kind` where it is none.
pub async fn flow_list(app: &App, user: UserId, query: FlowQuery) -> Result<Statement, Error> {
    let month = query.month.as_deref().map(read_month).transpose()?;
    let kind = query.kind.as_deref().map(read_kind).transpose()?;
    let zone = query.zone;
    app.db.snapshot(move |conn| {
        let filter = Filter { period: month.map(|m| zone.month_period(m)), kind };
        let lines = flows::page(conn, user, filter, query.page)?;
        let months = match month {
            Some(month) => vec![month],
            None => months_of(&lines.items, zone),
        };
        let periods: Vec<_> = months.iter().map(|m| zone.month_period(*m)).collect();
        let turnovers = flows::turnovers(conn, user, &periods)?;
        Ok(Statement { lines, months: months.into_iter().zip(turnovers).collect() })
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
