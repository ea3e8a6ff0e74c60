//! A publisher's month, for staff and for itself: as figures, as CSV, and as PDF in any language. Days are
//! days of UTC, as in the ledger.

use std::collections::BTreeMap;

use base::{Field, Money, PublisherId, SlotId, Timestamp};
use calendar::{Month, Zone};
use delivery::Reason;
use documents::{Cell, Head, Line};
use foundation::{App, Error, Realm, Refusal};
use i18n::Lang;
use serde::Serialize;
use store::delivery::publisher as rows;
use store::wallet::payouts;
use supply::{Correction, Figures, Statement};
use utoipa::ToSchema;

use crate::wallet::statement_file::{LINES_IN_PDF, print};

/// A publisher's statement of a month.
#[derive(Clone)]
pub struct PublisherStatement {
    app: App,
    publisher: PublisherId,
    name: String,
    month: Month,
    keys: BTreeMap<SlotId, String>,
    statement: Statement,
}

/// The month in figures; amounts are decimals in the platform's currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PublisherStatement)]
pub struct StatementView {
    pub publisher_id: PublisherId,
    pub name: String,
    pub month: String,
    pub opening: Money,
    pub earned: Money,
    pub paid: Money,
    /// The sum of the corrections; negative if they took back more than they added.
    pub corrected: Money,
    pub closing: Money,
    pub impressions: i64,
    pub clicks: i64,
    pub viewable: i64,
    pub filtered: i64,
    pub slots: Vec<SlotView>,
    pub payments: Vec<PaymentView>,
    pub corrections: Vec<CorrectionView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PublisherStatementSlot)]
pub struct SlotView {
    pub slot: String,
    pub impressions: i64,
    pub clicks: i64,
    /// Impressions that were in view for long enough.
    pub viewable: i64,
    /// Events that do not count, by their reason.
    pub filtered: BTreeMap<&'static str, i64>,
    pub earned: Money,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PublisherPayment)]
pub struct PaymentView {
    pub time: Timestamp,
    pub amount: Money,
    pub reference: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PublisherCorrection)]
pub struct CorrectionView {
    pub time: Timestamp,
    /// Negative if it was taken back.
    pub amount: Money,
    pub reason: String,
}

/// The statement of a month, such as `2026-01`, or of this month so far.
///
/// # Errors
/// The field `month`; `not_found`.
pub async fn statement(app: &App, id: PublisherId, month: Option<&str>) -> Result<PublisherStatement, Error> {
    let now = app.now();
    let month =
        month.map_or(Ok(Zone::UTC.month(now)), |text| text.parse().map_err(|_| Error::field(Field::Month, "invalid")));
    let month: Month = month?;
    let period = Zone::UTC.month_period(month);
    let (name, parts) = app
        .db
        .snapshot(move |conn| {
            let row = rows::find(conn, id)?.ok_or(Refusal::NotFound)?;
            Ok::<_, Error>((row.name, payouts::month(conn, id, period.from, period.until)?))
        })
        .await?;
    let balances = (parts.opening, parts.closing);
    let statement = Statement::new((period.from, period.until), balances, parts.days, parts.movements)
        .map_err(|wrong| Error::Internal(format!("the statement of publisher {id} for {month}: {wrong}")))?;
    Ok(PublisherStatement { app: app.clone(), publisher: id, name, month, keys: parts.keys, statement })
}

fn reason(code: i16) -> &'static str {
    Reason::try_from(code).map_or("unknown", Reason::name)
}

impl PublisherStatement {
    fn key(&self, slot: SlotId) -> String {
        self.keys.get(&slot).cloned().unwrap_or_else(|| slot.to_string())
    }

    /// # Errors
    /// `Internal` for sums that cannot be kept.
    pub fn view(&self) -> Result<StatementView, Error> {
        let Statement { opening, payments, corrections, totals, paid, corrected, closing, .. } = &self.statement;
        let slot = |(slot, figures): (SlotId, Figures)| SlotView {
            slot: self.key(slot),
            impressions: figures.impressions,
            clicks: figures.clicks,
            viewable: figures.viewable,
            filtered: figures.filtered.iter().map(|(code, number)| (reason(*code), *number)).collect(),
            earned: figures.earned,
        };
        let payment =
            |of: &supply::Payment| PaymentView { time: of.at, amount: of.amount, reference: of.reference.clone() };
        let correction = |of: &Correction| CorrectionView { time: of.at, amount: of.amount, reason: of.reason.clone() };
        Ok(StatementView {
            publisher_id: self.publisher,
            name: self.name.clone(),
            month: self.month.to_string(),
            opening: *opening,
            earned: totals.earned,
            paid: *paid,
            corrected: *corrected,
            closing: *closing,
            impressions: totals.impressions,
            clicks: totals.clicks,
            viewable: totals.viewable,
            filtered: totals.all_filtered(),
            slots: self.statement.by_slot()?.into_iter().map(slot).collect(),
            payments: payments.iter().map(payment).collect(),
            corrections: corrections.iter().map(correction).collect(),
        })
    }

    /// Days, payments and corrections in the order of time, with the balance after each. What
    /// was earned on a day stands first.
    fn moved(&self) -> Result<Vec<Moved<'_>>, Error> {
        let Statement { opening, days, payments, corrections, .. } = &self.statement;
        let earned = days.iter().map(|row| (row.day, What::Earned(row.slot, &row.figures), row.figures.earned));
        let mut all: Vec<_> = earned.collect();
        for payment in payments {
            all.push((payment.at, What::Paid(&payment.reference), payment.amount.negated()?));
        }
        all.extend(corrections.iter().map(|of| (of.at, What::Corrected(&of.reason), of.amount)));
        all.sort_by_key(|(at, ..)| *at);
        let mut balance = *opening;
        let mut lines = Vec::with_capacity(all.len());
        for (at, what, amount) in all {
            balance = balance.plus(amount)?;
            lines.push(Moved { at, what, amount, balance });
        }
        Ok(lines)
    }
}

/// A line of the statement.
struct Moved<'a> {
    at: Timestamp,
    what: What<'a>,
    amount: Money,
    balance: Money,
}

enum What<'a> {
    Earned(SlotId, &'a Figures),
    /// Under the bank's reference.
    Paid(&'a str),
    /// For this reason.
    Corrected(&'a str),
}

/// The statement's texts in one language.
struct Texts<'a> {
    of: &'a PublisherStatement,
    lang: Lang,
}

impl Texts<'_> {
    fn text(&self, key: &str) -> String {
        i18n::text(self.lang, &format!("server.statement.{key}"), &[])
    }

    fn plain(&self, key: &str) -> String {
        i18n::text(self.lang, key, &[])
    }

    fn reason(&self, code: i16) -> String {
        self.plain(&format!("plans.events.reason.{}", reason(code)))
    }

    fn decimal(&self, amount: Money) -> String {
        i18n::decimal(self.lang, &amount.to_string())
    }

    /// In the reader's language.
    fn date(&self, at: Timestamp) -> String {
        i18n::date(self.lang, &at.to_string())
    }

    fn moment(&self, at: Timestamp) -> String {
        i18n::moment(self.lang, &at.to_string())
    }

    fn day(at: Timestamp) -> String {
        let shown = at.to_string();
        shown.get(..10).unwrap_or(&shown).to_owned()
    }
}

// CSV ------------------------------------------------------------------------

/// The columns of counts before those of what does not count.
const COUNTS: usize = 3;

impl PublisherStatement {
    /// Every slot's day, payment and correction, with a column for each reason for which events
    /// did not count.
    ///
    /// # Errors
    /// `Internal` for sums that cannot be kept.
    pub fn csv(&self, lang: Lang) -> Result<Vec<u8>, Error> {
        let texts = Texts { of: self, lang };
        let reasons: Vec<i16> = self.statement.totals.filtered.keys().copied().collect();
        let mut rows = vec![texts.csv_head(&reasons), texts.csv_balance("opening", self.statement.opening, &reasons)];
        rows.extend(self.moved()?.iter().map(|line| texts.csv_row(line, &reasons)));
        rows.push(texts.csv_balance("closing", self.statement.closing, &reasons));
        documents::rows(true, &rows).map_err(|e| Error::Internal(e.to_string()))
    }
}

impl Texts<'_> {
    fn csv_head(&self, reasons: &[i16]) -> Vec<Cell> {
        let currency = &self.of.app.settings.currency.code;
        let money = |key: &str| format!("{} ({currency})", self.text(key));
        let fixed = [
            format!("{} (UTC)", self.text("day")),
            self.text("kind"),
            self.plain("plans.impressions"),
            self.plain("plans.clicks"),
            self.plain("plans.viewable"),
        ];
        let filtered = reasons.iter().map(|code| format!("{}: {}", self.plain("plans.filtered"), self.reason(*code)));
        let last = [money("amount"), money("publisher_balance"), self.text("reference")];
        fixed.into_iter().chain(filtered).chain(last).map(Cell::Text).collect()
    }

    /// In a simulated installation, it says so.
    fn csv_balance(&self, key: &str, balance: Money, reasons: &[i16]) -> Vec<Cell> {
        let simulated = self.of.app.realm() == Realm::Simulated;
        let note = if simulated { self.plain("app.simulated") } else { String::new() };
        let nothing = std::iter::repeat_n(Cell::Number(String::new()), COUNTS + reasons.len() + 1);
        [Cell::Text(self.of.month.to_string()), Cell::Text(self.text(key))]
            .into_iter()
            .chain(nothing)
            .chain([Cell::Number(balance.to_string()), Cell::Text(note)])
            .collect()
    }

    fn csv_row(&self, line: &Moved<'_>, reasons: &[i16]) -> Vec<Cell> {
        let empty = || Cell::Number(String::new());
        let number = |number: i64| Cell::Number(number.to_string());
        let no_counts = || std::iter::repeat_with(empty).take(COUNTS + reasons.len()).collect::<Vec<_>>();
        let (what, counts, reference) = match line.what {
            What::Earned(slot, figures) => {
                let filtered = reasons.iter().map(|code| number(figures.filtered.get(code).copied().unwrap_or(0)));
                let counts: [i64; COUNTS] = [figures.impressions, figures.clicks, figures.viewable];
                let counts = counts.map(number).into_iter().chain(filtered).collect();
                (self.of.key(slot), counts, "")
            }
            What::Paid(reference) => (self.text("paid_out"), no_counts(), reference),
            What::Corrected(reason) => (self.text("correction"), no_counts(), reason),
        };
        let mut row = vec![Cell::Text(Self::day(line.at)), Cell::Text(what)];
        row.extend(counts);
        row.extend([
            Cell::Number(line.amount.to_string()),
            Cell::Number(line.balance.to_string()),
            Cell::Text(reference.to_owned()),
        ]);
        row
    }
}

// PDF ------------------------------------------------------------------------

impl PublisherStatement {
    /// # Errors
    /// `statement_too_long` for too many lines; CSV has no such limit.
    pub async fn pdf(&self, lang: Lang) -> Result<Vec<u8>, Error> {
        let texts = Texts { of: self, lang };
        let moved = self.moved()?;
        if moved.len() > LINES_IN_PDF {
            return Err(Refusal::StatementTooLong.into());
        }
        let lines = moved.iter().map(|line| texts.line(line)).collect();
        let document = texts.page(lines);
        print(move || documents::pdf(&document)).await
    }
}

impl Texts<'_> {
    fn line(&self, line: &Moved<'_>) -> Line {
        let (what, remark) = match line.what {
            What::Earned(slot, figures) => (self.of.key(slot), self.counts(figures)),
            What::Paid(reference) => (self.text("paid_out"), reference.to_owned()),
            What::Corrected(reason) => (self.text("correction"), reason.to_owned()),
        };
        let sign = if line.amount.is_positive() { "+" } else { "" };
        Line {
            time: self.date(line.at),
            what,
            remark,
            amount: format!("{sign}{}", self.decimal(line.amount)),
            beside: false,
            balance: self.decimal(line.balance),
        }
    }

    /// Such as: Impressions 120 · Clicks 3 · Filtered 2.
    fn counts(&self, figures: &Figures) -> String {
        let counts = [
            ("plans.impressions", figures.impressions),
            ("plans.clicks", figures.clicks),
            ("plans.viewable", figures.viewable),
            ("plans.filtered", figures.all_filtered()),
        ];
        counts.map(|(key, number)| format!("{} {number}", self.plain(key))).join(" · ")
    }

    /// The month's counts, and why events did not count.
    fn facts(&self) -> Vec<(String, String)> {
        let totals = &self.of.statement.totals;
        let mut facts = vec![
            (self.plain("plans.impressions"), totals.impressions.to_string()),
            (self.plain("plans.clicks"), totals.clicks.to_string()),
            (self.plain("plans.viewable"), totals.viewable.to_string()),
            (self.plain("plans.filtered"), totals.all_filtered().to_string()),
        ];
        facts.extend(totals.filtered.iter().map(|(code, number)| (self.reason(*code), number.to_string())));
        facts
    }

    fn page(&self, lines: Vec<Line>) -> documents::Statement {
        let PublisherStatement { app, name, month, statement, .. } = self.of;
        let currency = &app.settings.currency.code;
        let fact = |key: &str, value: String| (self.text(key), value);
        let figure = |key: &str, value: Money| (self.text(key), format!("{} {currency}", self.decimal(value)));
        let period = Zone::UTC.month_period(*month);
        let mut closing = figure("closing", statement.closing);
        if app.now() < period.until {
            closing.0 = i18n::aside(self.lang, &closing.0, &self.moment(app.now()));
        }
        let mut facts = vec![
            fact("publisher", name.clone()),
            fact("currency", currency.clone()),
            fact("zone", "UTC".to_owned()),
            fact("made", self.moment(app.now())),
        ];
        facts.extend(self.facts());
        let head = Head {
            lang: self.lang.bcp47().to_owned(),
            title: self.text("publisher_title"),
            subtitle: format!("{} – {}", self.date(period.from), self.date(period.until.plus_millis(-1))),
            warning: (app.realm() == Realm::Simulated).then(|| self.plain("app.simulated")),
            facts,
            figures: vec![
                figure("opening", statement.opening),
                figure("earned", statement.totals.earned),
                figure("paid_out", statement.paid),
                figure("corrections", statement.corrected),
                closing,
            ],
            empty: self.text("empty"),
            page: self.text("page"),
        };
        let headings = ["day", "kind", "amount", "publisher_balance"].map(|key| self.text(key));
        documents::Statement { head, headings, lines }
    }
}
