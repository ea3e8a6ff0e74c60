//! A statement as CSV, and as PDF in any language.

use base::{Money, SlotId, Timestamp, refuse_if};
use calendar::Zone;
use documents::{Cell, Head, Line};
use foundation::{Error, Realm, Refusal};
use i18n::Lang;
use supply::{Auctions, Figures, Statement};

use super::{PublisherStatement, StatementLine, What, day, reason};
use crate::wallet::statement_file::{LINES_IN_PDF, print};

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

    /// A date in the reader's language.
    fn date(&self, at: Timestamp) -> String {
        i18n::date(self.lang, &at.to_string())
    }

    fn moment(&self, at: Timestamp) -> String {
        i18n::moment(self.lang, &at.to_string())
    }

    /// What is counted in a period, each count with its name.
    fn counts(&self, figures: &Figures) -> Vec<(String, i64)> {
        let Auctions { bids, wins, unconfirmed } = figures.auctions;
        let of_auctions = |key: &str, number| (self.text(key), number);
        let of_plans = |key: &str, number| (self.plain(&format!("plans.{key}")), number);
        let mut counts = Vec::new();
        if self.of.is_of_exchange() {
            counts.extend([of_auctions("bids", bids), of_auctions("wins", wins)]);
        }
        counts.push(of_plans("impressions", figures.impressions));
        if self.of.is_of_exchange() {
            counts.push(of_auctions("unconfirmed", unconfirmed));
        }
        counts.extend([of_plans("clicks", figures.clicks), of_plans("viewable", figures.viewable)]);
        counts
    }

    /// The name for what a slot earned. The people of an exchange do not know its one slot by a name.
    fn earned_in(&self, slot: SlotId) -> String {
        if self.of.is_of_exchange() { self.text("owed") } else { self.of.key(slot) }
    }
}

// CSV ------------------------------------------------------------------------

impl PublisherStatement {
    /// One row for each slot and day, each payment and each correction, with a column for each reason for which events
    /// did not count.
    ///
    /// # Errors
    /// `Internal` for sums that cannot be kept.
    pub fn csv(&self, lang: Lang) -> Result<Vec<u8>, Error> {
        let texts = Texts { of: self, lang };
        let Statement { opening, closing, totals, .. } = &self.statement;
        let reasons: Vec<i16> = totals.filtered.keys().copied().collect();
        let counted: Vec<String> = texts.counted(totals, &reasons).into_iter().map(|(name, _)| name).collect();
        let mut rows = vec![texts.csv_head(&counted), texts.csv_balance("opening", *opening, counted.len())];
        rows.extend(self.moved()?.iter().map(|line| texts.csv_row(line, &reasons, counted.len())));
        rows.push(texts.csv_balance("closing", *closing, counted.len()));
        documents::encode_csv(true, &rows).map_err(|e| Error::Internal(e.to_string()))
    }
}

impl Texts<'_> {
    /// A column for each count, and one for each reason for which events did not count.
    fn counted(&self, figures: &Figures, reasons: &[i16]) -> Vec<(String, i64)> {
        let filtered = |code: &i16| {
            let name = i18n::headed(self.lang, &self.plain("plans.filtered"), &self.reason(*code));
            (name, figures.filtered.get(code).copied().unwrap_or(0))
        };
        self.counts(figures).into_iter().chain(reasons.iter().map(filtered)).collect()
    }

    fn csv_head(&self, counted: &[String]) -> Vec<Cell> {
        let currency = &self.of.app.settings.currency.code;
        let money = |key: &str| i18n::aside(self.lang, &self.text(key), currency);
        let first = [i18n::aside(self.lang, &self.text("day"), "UTC"), self.text("kind")];
        let last = [money("amount"), money("publisher_balance"), self.text("reference")];
        first.into_iter().chain(counted.iter().cloned()).chain(last).map(Cell::Text).collect()
    }

    /// A row with a balance. In a simulated installation, it says so.
    fn csv_balance(&self, key: &str, balance: Money, counted: usize) -> Vec<Cell> {
        let simulated = self.of.app.realm() == Realm::Simulated;
        let note = if simulated { self.plain("app.simulated") } else { String::new() };
        let nothing = std::iter::repeat_n(Cell::Number(String::new()), counted + 1);
        [Cell::Text(self.of.month.to_string()), Cell::Text(self.text(key))]
            .into_iter()
            .chain(nothing)
            .chain([Cell::Number(balance.to_string()), Cell::Text(note)])
            .collect()
    }

    fn csv_row(&self, line: &StatementLine<'_>, reasons: &[i16], counted: usize) -> Vec<Cell> {
        let no_counts = || vec![Cell::Number(String::new()); counted];
        let (what, counts, reference) = match line.what {
            What::Earned(slot, figures) => {
                let counts = self.counted(figures, reasons).into_iter();
                (self.earned_in(slot), counts.map(|(_, number)| Cell::Number(number.to_string())).collect(), "")
            }
            What::Paid(reference) => (self.text("paid_out"), no_counts(), reference),
            What::Corrected(reason) => (self.text("correction"), no_counts(), reason),
        };
        let mut row = vec![Cell::Text(day(line.at)), Cell::Text(what)];
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
        refuse_if(moved.len() > LINES_IN_PDF, Refusal::StatementTooLong)?;
        let lines = moved.iter().map(|line| texts.line(line)).collect();
        let document = texts.page(lines);
        print(move || documents::pdf(&document)).await
    }
}

impl Texts<'_> {
    fn line(&self, line: &StatementLine<'_>) -> Line {
        let (what, remark) = match line.what {
            What::Earned(slot, figures) => (self.earned_in(slot), self.remark(figures)),
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

    /// Counts, and how many events did not count.
    fn all_counts(&self, figures: &Figures) -> Vec<(String, i64)> {
        let mut counts = self.counts(figures);
        counts.push((self.plain("plans.filtered"), figures.all_filtered()));
        counts
    }

    /// Such as: Impressions 1,200 · Clicks 3 · Filtered 2.
    fn remark(&self, figures: &Figures) -> String {
        let counts = self.all_counts(figures).into_iter().map(|count| written(self.lang, count));
        counts.map(|(name, number)| format!("{name} {number}")).collect::<Vec<_>>().join(" · ")
    }

    /// The month's counts, and why events did not count.
    fn facts(&self) -> Vec<(String, String)> {
        let totals = &self.of.statement.totals;
        let reasons = totals.filtered.iter().map(|(code, number)| (self.reason(*code), *number));
        let facts = self.all_counts(totals).into_iter().chain(reasons);
        facts.map(|fact| written(self.lang, fact)).collect()
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
        let [whose, title, earned] = if self.of.is_of_exchange() {
            ["exchange", "exchange_title", "owed"]
        } else {
            ["publisher", "publisher_title", "earned"]
        };
        let mut facts = vec![
            fact(whose, name.clone()),
            fact("currency", currency.clone()),
            fact("zone", "UTC".to_owned()),
            fact("made", self.moment(app.now())),
        ];
        facts.extend(self.facts());
        let head = Head {
            lang: self.lang.bcp47().to_owned(),
            title: self.text(title),
            subtitle: format!("{} – {}", self.date(period.from), self.date(period.until.plus_millis(-1))),
            warning: (app.realm() == Realm::Simulated).then(|| self.plain("app.simulated")),
            facts,
            figures: vec![
                figure("opening", statement.opening),
                figure(earned, statement.totals.earned),
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

/// A count for people to read. Cells of a table stay plain numbers, because programs read them.
fn written(lang: Lang, (name, number): (String, i64)) -> (String, String) {
    (name, i18n::decimal(lang, &number.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_written_as_in_the_app() {
        let of = |lang, number| written(lang, ("x".to_owned(), number)).1;
        assert_eq!([of(Lang::En, 1_234_567), of(Lang::De, 1_200), of(Lang::De, 7)], ["1,234,567", "1.200", "7"]);
    }
}
