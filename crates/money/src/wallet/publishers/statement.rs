//! A publisher's month, for staff and for the publisher: as figures, as CSV, and as PDF in any language. Days are days
//! of UTC, as in the ledger. An ad exchange gets the same, with the results of its auctions.

mod file;

use std::collections::BTreeMap;

use base::{Field, Money, PublisherId, SlotId, Timestamp};
use calendar::{Month, Zone};
use delivery::Reason;
use foundation::fields::begun_month;
use foundation::{App, Error, Refusal};
use serde::Serialize;
use store::delivery::publisher as rows;
use store::wallet::payouts;
use supply::{Auctions, Correction, Figures, Payment, PublisherKind, SlotDay, Statement};
use utoipa::ToSchema;

/// A publisher's statement of a month.
#[derive(Clone)]
pub struct PublisherStatement {
    app: App,
    publisher: PublisherId,
    kind: PublisherKind,
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

impl PaymentView {
    fn of(paid: &Payment) -> Self {
        Self { time: paid.at, amount: paid.amount, reference: paid.reference.clone() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PublisherCorrection)]
pub struct CorrectionView {
    pub time: Timestamp,
    /// Negative if it was taken back.
    pub amount: Money,
    pub reason: String,
}

impl CorrectionView {
    fn of(corrected: &Correction) -> Self {
        Self { time: corrected.at, amount: corrected.amount, reason: corrected.reason.clone() }
    }
}

/// An exchange's month: what came of its auctions, and the prices that it is owed. Opening, owed and corrected,
/// less paid, come to closing; both balances are the ledger's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExchangeStatementView {
    pub publisher_id: PublisherId,
    pub name: String,
    pub month: String,
    pub opening: Money,
    pub owed: Money,
    pub paid: Money,
    pub corrected: Money,
    pub closing: Money,
    #[serde(flatten)]
    pub counts: ExchangeCounts,
    pub clicks: i64,
    pub viewable: i64,
    /// Events that do not count, by their reason.
    pub filtered: BTreeMap<&'static str, i64>,
    pub days: Vec<ExchangeDayView>,
    pub payments: Vec<PaymentView>,
    pub corrections: Vec<CorrectionView>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ExchangeCounts {
    pub bids: i64,
    /// The bids that were won, according to the exchange.
    pub wins: i64,
    pub views: i64,
    /// The views that only the exchange's notice reports.
    pub unconfirmed: i64,
}

impl ExchangeCounts {
    const fn of(figures: &Figures) -> Self {
        let Auctions { bids, wins, unconfirmed } = figures.auctions;
        Self { bids, wins, views: figures.impressions, unconfirmed }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExchangeDayView {
    pub day: String,
    #[serde(flatten)]
    pub counts: ExchangeCounts,
    pub owed: Money,
}

/// The statement of a month, such as `2026-01`, or of this month so far.
///
/// # Errors
/// The field `month`; `not_found`.
pub async fn statement(app: &App, id: PublisherId, month: Option<&str>) -> Result<PublisherStatement, Error> {
    let now = app.now();
    let month = month.map_or(Ok(Zone::UTC.month(now)), |text| begun_month(text, Zone::UTC, now));
    let month = month.map_err(|problem| Error::field(Field::Month, problem))?;
    let period = Zone::UTC.month_period(month);
    let ((kind, name), parts) = app
        .db
        .snapshot(move |conn| {
            let row = rows::find(conn, id)?.ok_or(Refusal::NotFound)?;
            Ok::<_, Error>(((row.kind, row.name), payouts::month(conn, id, period.from, period.until)?))
        })
        .await?;
    let balances = (parts.opening, parts.closing);
    let statement = Statement::new((period.from, period.until), balances, parts.days, parts.movements)
        .map_err(|wrong| Error::Internal(format!("the statement of publisher {id} for {month}: {wrong}")))?;
    Ok(PublisherStatement { app: app.clone(), publisher: id, kind, name, month, keys: parts.keys, statement })
}

fn reason(code: i16) -> &'static str {
    Reason::try_from(code).map_or("unknown", Reason::name)
}

fn by_reason(figures: &Figures) -> BTreeMap<&'static str, i64> {
    figures.filtered.iter().map(|(code, number)| (reason(*code), *number)).collect()
}

/// Such as `2026-01-05`.
fn day(at: Timestamp) -> String {
    let shown = at.to_string();
    shown.get(..10).unwrap_or(&shown).to_owned()
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
            filtered: by_reason(&figures),
            earned: figures.earned,
        };
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
            payments: payments.iter().map(PaymentView::of).collect(),
            corrections: corrections.iter().map(CorrectionView::of).collect(),
        })
    }

    /// The month of an exchange; `None` for a publisher with places of its own.
    pub fn of_exchange(&self) -> Option<ExchangeStatementView> {
        let Statement { opening, days, payments, corrections, totals, paid, corrected, closing } = &self.statement;
        let in_day = |row: &SlotDay| ExchangeDayView {
            day: day(row.day),
            counts: ExchangeCounts::of(&row.figures),
            owed: row.figures.earned,
        };
        self.is_of_exchange().then(|| ExchangeStatementView {
            publisher_id: self.publisher,
            name: self.name.clone(),
            month: self.month.to_string(),
            opening: *opening,
            owed: totals.earned,
            paid: *paid,
            corrected: *corrected,
            closing: *closing,
            counts: ExchangeCounts::of(totals),
            clicks: totals.clicks,
            viewable: totals.viewable,
            filtered: by_reason(totals),
            // An exchange has only one slot.
            days: days.iter().map(in_day).collect(),
            payments: payments.iter().map(PaymentView::of).collect(),
            corrections: corrections.iter().map(CorrectionView::of).collect(),
        })
    }

    const fn is_of_exchange(&self) -> bool {
        matches!(self.kind, PublisherKind::Ssp)
    }

    /// Days, payments and corrections in order of time, with the balance after each. The earnings of a day come before
    /// its other lines.
    fn moved(&self) -> Result<Vec<StatementLine<'_>>, Error> {
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
            lines.push(StatementLine { at, what, amount, balance });
        }
        Ok(lines)
    }
}

/// A line of the statement.
struct StatementLine<'a> {
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
