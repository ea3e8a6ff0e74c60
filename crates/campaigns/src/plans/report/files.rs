//! A report as a file: CSV for spreadsheets, and PDF.

use std::str::FromStr;

use base::{UserId, named};
use documents::{Cell, Head, Table};
use foundation::{App, Error, Realm, Refusal};
use i18n::Lang;
use money::wallet::statement_file::print;
use rust_decimal::{Decimal, RoundingStrategy};
use store::people::users;

use super::{Report, ReportBy, ReportFigures, ReportQuery, ReportRow, report};

named!(
    /// How a report comes.
    ReportFormat {
        Json "json",
        Csv "csv",
        Pdf "pdf",
    }
);

/// A report to be written.
#[derive(Clone, Debug)]
pub struct ReportFile {
    report: Report,
    username: String,
    zone: String,
    made: String,
    currency: String,
    lang: Lang,
}

/// # Errors
/// Those of [`report`].
pub async fn file(app: &App, user: UserId, query: ReportQuery) -> Result<ReportFile, Error> {
    let (lang, zone) = (query.lang, query.zone);
    let report = report(app, user, query).await?;
    let found = app.db.read(move |conn| users::find(conn, user)).await?;
    let username = found.ok_or(Refusal::NotFound)?.username;
    let shown = zone.shown(report.updated_at);
    let made = format!("{} {}", i18n::date(lang, &shown), shown.get(11..16).unwrap_or_default());
    let currency = app.settings.currency.code.clone();
    Ok(ReportFile { report, username, zone: zone.name(), made, currency, lang })
}

/// The texts of the counts of a row, in their order.
const COUNTS: [&str; 3] = ["plans.impressions", "plans.clicks", "plans.conversions"];

impl ReportFile {
    /// The file's name without its extension; it says if the installation is simulated.
    pub fn name(&self) -> String {
        let source = if self.simulated() { "-simulated" } else { "" };
        let Report { from, to, by, .. } = &self.report;
        format!("placard-{by}-{from}-{to}{source}")
    }

    fn simulated(&self) -> bool {
        self.report.data_source == Realm::Simulated
    }

    fn plain(&self, key: &str) -> String {
        i18n::text(self.lang, key, &[])
    }

    fn text(&self, key: &str) -> String {
        self.plain(&format!("server.report.{key}"))
    }

    fn statement(&self, key: &str) -> String {
        self.plain(&format!("server.statement.{key}"))
    }

    /// The heading of the first column.
    fn heading(&self) -> String {
        self.text(&format!("by.{}", self.report.by))
    }

    fn row_name(&self, row: &ReportRow) -> String {
        match self.report.by {
            ReportBy::Day => i18n::date(self.lang, &row.key),
            _ => row.name.clone(),
        }
    }

    // CSV --------------------------------------------------------------------

    /// The totals are the last row.
    ///
    /// # Errors
    /// `Internal` if it cannot be written.
    pub fn csv(&self) -> Result<Vec<u8>, Error> {
        let mut rows = vec![self.csv_head()];
        rows.extend(self.report.rows.iter().map(|row| {
            // Days stay as spreadsheets read them.
            let name = if self.report.by == ReportBy::Day { row.key.clone() } else { row.name.clone() };
            csv_row(name, row.detail.clone().unwrap_or_default(), &row.figures, &row.before)
        }));
        let note = if self.simulated() { self.plain("app.simulated") } else { String::new() };
        rows.push(csv_row(self.text("total"), note, &self.report.totals, &self.report.before));
        documents::encode_csv(true, &rows).map_err(|e| Error::Internal(e.to_string()))
    }

    fn csv_head(&self) -> Vec<Cell> {
        let money = |key: &str| i18n::aside(self.lang, &self.plain(key), &self.currency);
        let own = [
            money("plans.consumed"),
            money("adCenter.figures.platform_paid"),
            money("plans.revenue"),
            money("adCenter.figures.profit"),
            self.plain("plans.roi"),
        ];
        let names: Vec<String> = COUNTS.map(|key| self.plain(key)).into_iter().chain(own).collect();
        let before = self.text("before");
        let of_before = names.iter().map(|name| i18n::joined(self.lang, name, &before));
        let first = match self.report.by {
            ReportBy::Day => i18n::aside(self.lang, &self.heading(), &self.zone),
            _ => self.heading(),
        };
        let all = [first, self.text("detail")].into_iter().chain(names.iter().cloned()).chain(of_before);
        all.map(Cell::Text).collect()
    }

    // PDF --------------------------------------------------------------------

    /// # Errors
    /// `Internal` if it cannot be laid out.
    pub async fn pdf(&self) -> Result<Vec<u8>, Error> {
        let table = self.table();
        print(move || documents::table_pdf(&table)).await
    }

    /// The content of the PDF.
    pub fn table(&self) -> Table {
        let Report { totals, before, .. } = &self.report;
        let numbers = ["plans.consumed", "plans.revenue", "adCenter.figures.profit", "plans.roi"];
        let headings = COUNTS.into_iter().chain(numbers).map(|key| self.plain(key));
        let total = documents::Row {
            cells: self.cells(self.text("total"), totals),
            below: self.cells(self.text("before"), before),
            is_total: true,
        };
        let rows = self.report.rows.iter().map(|row| {
            let detail = row.detail.clone().unwrap_or_default();
            documents::Row {
                cells: self.cells(self.row_name(row), &row.figures),
                below: self.cells(detail, &row.before),
                is_total: false,
            }
        });
        Table {
            head: self.head(),
            headings: [self.heading()].into_iter().chain(headings).collect(),
            rows: [total].into_iter().chain(rows).collect(),
        }
    }

    fn head(&self) -> Head {
        let Report { from, to, before_from, before_to, totals, .. } = &self.report;
        let between = |from: &str, to: &str| format!("{} – {}", self.day(from), self.day(to));
        let figure = |key: &str, value: String| (self.plain(key), format!("{value} {}", self.currency));
        let mut figures = vec![
            figure("plans.consumed", self.decimal(&totals.consumed.to_string())),
            figure("plans.revenue", self.decimal(&totals.revenue.to_string())),
            figure("adCenter.figures.profit", self.decimal(&totals.profit.to_string())),
        ];
        if totals.platform_paid.is_positive() {
            let paid = self.decimal(&totals.platform_paid.to_string());
            figures.push(figure("adCenter.figures.platform_paid", paid));
        }
        Head {
            lang: self.lang.bcp47().to_owned(),
            title: i18n::headed(self.lang, &self.text("title"), &self.heading()),
            subtitle: between(from, to),
            warning: self.simulated().then(|| self.plain("app.simulated")),
            facts: vec![
                (self.statement("user"), self.username.clone()),
                (self.statement("currency"), self.currency.clone()),
                (self.statement("zone"), self.zone.clone()),
                (self.statement("made"), self.made.clone()),
                (self.text("before"), between(before_from, before_to)),
            ],
            figures,
            empty: self.text("empty"),
            page: self.statement("page"),
        }
    }

    fn cells(&self, name: String, figures: &ReportFigures) -> Vec<String> {
        let counts = [figures.impressions, figures.clicks, figures.conversions].map(|n| n.to_string());
        let money = [figures.consumed, figures.revenue, figures.profit].map(|amount| amount.to_string());
        let numbers = counts.into_iter().chain(money).map(|number| self.decimal(&number));
        [name].into_iter().chain(numbers).chain([percent(self.lang, figures.return_on_spend.as_deref())]).collect()
    }

    fn day(&self, day: &str) -> String {
        i18n::date(self.lang, day)
    }

    fn decimal(&self, number: &str) -> String {
        i18n::decimal(self.lang, number)
    }
}

/// A share with one decimal, rounded as in the app; a dash if there is none.
fn percent(lang: Lang, share: Option<&str>) -> String {
    let share = share.and_then(|share| Decimal::from_str(share).ok());
    let hundredfold = share.and_then(|share| share.checked_mul(Decimal::ONE_HUNDRED));
    hundredfold.map_or_else(
        || "–".to_owned(),
        |percent| {
            // A precision alone cuts off what is beyond it, and leaves a sign to zero.
            let rounded = percent.round_dp_with_strategy(1, RoundingStrategy::MidpointAwayFromZero).normalize();
            i18n::percent(lang, &format!("{rounded:.1}"))
        },
    )
}

/// Plain numbers, because programs read them.
fn csv_row(name: String, detail: String, now: &ReportFigures, before: &ReportFigures) -> Vec<Cell> {
    let numbers = [now, before].into_iter().flat_map(|of| {
        let counts = [of.impressions, of.clicks, of.conversions].map(|n| n.to_string());
        let money = [of.consumed, of.platform_paid, of.revenue, of.profit].map(|amount| amount.to_string());
        counts.into_iter().chain(money).chain([of.return_on_spend.clone().unwrap_or_default()])
    });
    [Cell::Text(name), Cell::Text(detail)].into_iter().chain(numbers.map(Cell::Number)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_return_is_rounded_as_in_the_app() {
        let shown = |share| percent(Lang::En, Some(share));
        let all = ["-0.437951", "0.545648", "0.062500", "-1.000000", "-0.000400"].map(shown);
        assert_eq!(all, ["-43.8%", "54.6%", "6.3%", "-100.0%", "0.0%"]);
        assert_eq!(percent(Lang::En, None), "–");
    }
}
