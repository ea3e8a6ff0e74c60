//! Reports: the figures of any days of the user's time zone, divided by day, plan, product, site, form, device or
//! region, and compared with as many days before. The rows add up to the totals, which are those of the overview.

mod days;
mod files;
mod rows;

use base::{Money, MoneyError, Timestamp, UserId, named};
use calendar::Zone;
use foundation::{App, Error, Realm};
use i18n::Lang;
use plans::Delivered;
use serde::Serialize;
use store::Conn;
use store::delivery::stats::report::conversions;
use store::delivery::stats::{TotalsToDate, to_date};
use utoipa::ToSchema;

use days::Days;
pub use files::{ReportFile, ReportFormat, file};
use rows::Row;

named!(
    /// By what a report is divided.
    ReportBy {
        Day "day",
        Plan "plan",
        Product "product",
        /// A slot of a publisher, or what an exchange names.
        Placement "placement",
        /// The type of content that was shown.
        Form "form",
        Device "device",
        /// The slot's region, if it names one.
        Region "region",
    }
);

/// Which report, as a client asks for it.
#[derive(Clone, Debug)]
pub struct ReportQuery {
    /// The first day and the last one, such as `2026-01-31`.
    pub from: Option<String>,
    pub to: Option<String>,
    pub by: ReportBy,
    pub zone: Zone,
    pub lang: Lang,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Report {
    /// The first day and the last one, in the user's zone.
    pub from: String,
    pub to: String,
    /// The first day of those before, with which all is compared. `before_to` is the last one.
    pub before_from: String,
    pub before_to: String,
    pub by: ReportBy,
    pub totals: ReportFigures,
    pub before: ReportFigures,
    /// By day, in order of time; otherwise those that used most of the user's own money first. They add up to the
    /// totals: the last one may be `others`, and what belongs to none of them is `unknown`.
    pub rows: Vec<ReportRow>,
    pub data_source: Realm,
    pub updated_at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReportRow {
    /// The day, the id of the plan, product or slot, or a code. For the rest, `others` or `unknown`.
    pub key: String,
    /// In the user's language.
    pub name: String,
    /// The plan's number, or the slot's publisher or exchange.
    pub detail: Option<String>,
    #[serde(flatten)]
    pub figures: ReportFigures,
    /// The figures of the days before; by day, those of the corresponding day.
    pub before: ReportFigures,
}

/// The figures, as in the overview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReportFigures {
    pub impressions: i64,
    pub clicks: i64,
    pub conversions: i64,
    /// The user's own money used, billed or not.
    pub consumed: Money,
    /// What coupons and promotional credit paid of what was delivered, in addition to `consumed`.
    pub platform_paid: Money,
    /// What accepted conversions pay, settled or not, before the fee.
    pub revenue: Money,
    /// `revenue` less the fee on it, less `consumed`; may be negative.
    pub profit: Money,
    /// Profit per own money used; null if none was used.
    pub return_on_spend: Option<String>,
}

impl ReportFigures {
    fn of(delivered: &Delivered) -> Result<Self, MoneyError> {
        let earned = delivered.earned;
        Ok(Self {
            impressions: delivered.impressions,
            clicks: delivered.clicks,
            conversions: delivered.conversions,
            consumed: earned.own_used()?,
            platform_paid: earned.platform_used,
            revenue: earned.revenue,
            profit: earned.profit()?,
            return_on_spend: earned.return_on_spend()?,
        })
    }
}

/// # Errors
/// `params` for `from` and `to`: missing, no days, the wrong way round, or more than 366.
pub async fn report(app: &App, user: UserId, query: ReportQuery) -> Result<Report, Error> {
    let days = Days::read(query.from.as_deref(), query.to.as_deref(), query.zone)?;
    let source = app.realm();
    app.db.report(move |conn, now| read(conn, user, &query, days, now, source)).await
}

fn read(
    conn: &mut Conn,
    user: UserId,
    query: &ReportQuery,
    days: Days,
    now: Timestamp,
    data_source: Realm,
) -> Result<Report, Error> {
    let by_day = query.by == ReportBy::Day;
    let edges = if by_day { days.each() } else { days.ends().to_vec() };
    let steps = steps(conn, user, &edges)?;
    let (before, of_days) = steps.split_at(steps.len() / 2);
    let (totals, all_before) = (sum(of_days)?, sum(before)?);
    let rows = if by_day {
        days.names()
            .zip(of_days.iter().zip(before))
            .map(|(day, (now, before))| Row::named(day, *now, *before))
            .collect()
    } else {
        rows::read(conn, user, query, &days, totals, all_before)?
    };
    let [from, to, before_from, before_to] = days.limits();
    Ok(Report {
        from,
        to,
        before_from,
        before_to,
        by: query.by,
        totals: ReportFigures::of(&totals)?,
        before: ReportFigures::of(&all_before)?,
        rows: rows.into_iter().map(Row::view).collect::<Result<_, _>>()?,
        data_source,
        updated_at: now,
    })
}

/// The delivery between each two consecutive times.
fn steps(conn: &mut Conn, user: UserId, edges: &[Timestamp]) -> Result<Vec<Delivered>, Error> {
    let totals = to_date(conn, user, edges)?;
    let conversions = conversions(conn, user, edges)?;
    let step = |(ends, conversions): (&[TotalsToDate], i64)| match ends {
        [first, last] => {
            let step = last.since(first);
            let earned = step.earned();
            Delivered { impressions: step.impressions, clicks: step.clicks, conversions, earned }
        }
        _ => Delivered::default(),
    };
    Ok(totals.windows(2).zip(conversions).map(step).collect())
}

fn sum(of: &[Delivered]) -> Result<Delivered, MoneyError> {
    of.iter().try_fold(Delivered::default(), |all, one| all.plus(*one))
}
