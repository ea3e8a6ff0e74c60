//! A month's statement as a file: every line as CSV, or a summary for reading as PDF.

use std::collections::BTreeMap;

use base::{Field, Money, Period, PlanId, Timestamp, UserId, named, refuse_if};
use calendar::{Month, Zone};
use documents::{Cell, DocumentError, Head, Line, Statement};
use foundation::fields::begun_month;
use foundation::{App, Error, Realm, Refusal};
use i18n::Lang;
use proof::{TreeHead, hash};
use store::Conn;
use store::people::users;
use store::plans::plan;
use store::wallet::corrections;
use store::wallet::flows::{self, Flow, PlanBilling, StatementSlice, Turnover};
use tokio::sync::Semaphore;
use wallet::{Account, DocumentKind, FlowKind};

use crate::wallet::public_log;

named!(
    /// The kinds of files that a month's statement can be had as.
    StatementFormat {
        Csv "csv",
        Pdf "pdf",
    }
);

/// Which statement, as sent by the client.
#[derive(Clone, Debug)]
pub struct StatementRequest {
    /// `2026-01`, in `zone`; everything if it is missing.
    pub month: Option<String>,
    pub zone: Zone,
    pub lang: Lang,
}

/// A statement as of the time of the request: later lines are in none of its parts.
#[derive(Clone)]
pub struct Export {
    app: App,
    user: UserId,
    username: String,
    month: Option<Month>,
    zone: Zone,
    lang: Lang,
    period: Period,
    /// When the closing balance was taken: the end of the period, or now if the period has not ended.
    taken_at: Timestamp,
    until: i64,
    opening: Money,
    closing: Money,
    turnover: Turnover,
    /// The published head of the public log, if there is one.
    log: Option<TreeHead>,
}

/// Lines read at a time, and the most lines of a PDF.
const CHUNK: i64 = 1_000;
pub const LINES_IN_PDF: usize = 3_000;

/// Layout keeps a core busy; two at once leave the other cores free.
static PRESSES: Semaphore = Semaphore::const_new(2);

/// Lays out a document.
///
/// # Errors
/// `Internal` if that is not possible.
pub async fn print(write: impl FnOnce() -> Result<Vec<u8>, DocumentError> + Send + 'static) -> Result<Vec<u8>, Error> {
    let _press = PRESSES.acquire().await.map_err(|e| Error::Internal(e.to_string()))?;
    let printed = tokio::task::spawn_blocking(write).await;
    printed.map_err(|e| Error::Internal(e.to_string()))?.map_err(|e| Error::Internal(e.to_string()))
}

/// # Errors
/// The field `month`.
pub async fn export(app: &App, user: UserId, wanted: StatementRequest) -> Result<Export, Error> {
    let StatementRequest { month, zone, lang } = wanted;
    let now = app.now();
    let month = month.map(|text| begun_month(&text, zone, now)).transpose();
    let month = month.map_err(|problem| Error::field(Field::Month, problem))?;
    let period = month.map_or(Period { from: Timestamp::EPOCH, until: now.plus_millis(1) }, |m| zone.month_period(m));
    let (begun, taken_at) = (app.clone(), now.min(period.until));
    let log = public_log::read_published_head(app).await?;
    app.db
        .snapshot(move |conn| {
            let username = users::find(conn, user)?.ok_or(Refusal::NotFound)?.username;
            let turnover = flows::turnovers(conn, user, &[period])?.pop().unwrap_or_default();
            let mut ends = flows::available_at(conn, user, &[period.from, period.until])?.into_iter();
            let (opening, closing) = (ends.next().unwrap_or_default(), ends.next().unwrap_or_default());
            let until = flows::newest(conn, user)?;
            let app = begun.clone();
            Ok(Export {
                app,
                user,
                username,
                month,
                zone,
                lang,
                period,
                taken_at,
                until,
                opening,
                closing,
                turnover,
                log,
            })
        })
        .await
}

impl Export {
    /// The file's name without its extension; it says if the installation is simulated.
    pub fn name(&self) -> String {
        let source = if self.simulated() { "-simulated" } else { "" };
        let month = self.month.map(|month| format!("-{month}")).unwrap_or_default();
        format!("placard{month}{source}")
    }

    fn simulated(&self) -> bool {
        self.app.realm() == Realm::Simulated
    }

    fn text(&self, key: &str) -> String {
        i18n::text(self.lang, &format!("server.statement.{key}"), &[])
    }

    fn kind(&self, kind: FlowKind) -> String {
        i18n::text(self.lang, &format!("wallet.kind.{}", kind.name()), &[])
    }

    fn what(&self, line: &Flow) -> String {
        if line.added { i18n::text(self.lang, "wallet.added", &[]) } else { self.kind(line.kind) }
    }

    fn account(&self, account: Account) -> String {
        match account {
            Account::Hold { .. } => self.text("account.held"),
            Account::User(_, wallet::UserAccount::Promotional) => i18n::text(self.lang, "wallet.promotional", &[]),
            _ => self.text("account.available"),
        }
    }

    fn stretch(&self, after: Option<(Timestamp, i64)>, limit: i64, unbilled: bool) -> StatementSlice {
        StatementSlice { period: self.period, after, until: self.until, limit, unbilled }
    }
}

/// The position in a CSV.
#[derive(Clone, Copy, Debug)]
pub enum CsvPosition {
    Head,
    After(Option<(Timestamp, i64)>),
    End,
}

impl Export {
    /// The next part of the CSV and the position after it; `None` at its end.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn csv(&self, place: CsvPosition) -> Result<Option<(Vec<u8>, CsvPosition)>, Error> {
        let after = match place {
            CsvPosition::Head => return Ok(Some((part(true, &self.head())?, CsvPosition::After(None)))),
            CsvPosition::After(after) => after,
            CsvPosition::End => return Ok(None),
        };
        let (user, stretch) = (self.user, self.stretch(after, CHUNK, false));
        let read = move |conn: &mut Conn| {
            let lines = flows::statement_slice(conn, user, stretch)?;
            Ok::<_, Error>((RefundedPlans::of(conn, user, &lines)?, lines))
        };
        let (plans, lines) = self.app.db.snapshot(read).await?;
        let mut rows: Vec<Vec<Cell>> = lines.iter().map(|line| self.row(line, &plans)).collect();
        match lines.last() {
            Some(last) if i64::try_from(lines.len()).is_ok_and(|n| n == CHUNK) => {
                Ok(Some((part(false, &rows)?, CsvPosition::After(Some((last.at, last.id))))))
            }
            _ => {
                rows.push(self.balance("closing", Some(self.taken_at), self.closing));
                rows.extend(self.log_head().map(|head| self.log_row(head)));
                Ok(Some((part(false, &rows)?, CsvPosition::End)))
            }
        }
    }

    /// The header and the opening balance.
    fn head(&self) -> Vec<Vec<Cell>> {
        let currency = &self.app.settings.currency.code;
        let money = |key: &str| i18n::aside(self.lang, &self.text(key), currency);
        let time = i18n::aside(self.lang, &self.text("time"), &self.zone.name());
        let names = [
            time,
            self.text("kind"),
            money("amount"),
            self.text("account_heading"),
            money("balance"),
            self.text("remark"),
            self.text("reference"),
        ];
        // The beginning of all lines has no time.
        let began = self.month.map(|_| self.period.from);
        vec![names.map(Cell::Text).to_vec(), self.balance("opening", began, self.opening)]
    }

    /// A row with a balance instead of a movement. In a simulated installation, it says
    /// so.
    fn balance(&self, key: &str, at: Option<Timestamp>, balance: Money) -> Vec<Cell> {
        let remark = if self.simulated() { i18n::text(self.lang, "app.simulated", &[]) } else { String::new() };
        vec![
            Cell::Text(at.map(|at| self.zone.shown(at)).unwrap_or_default()),
            Cell::Text(self.text(key)),
            Cell::Number(String::new()),
            Cell::Text(String::new()),
            Cell::Number(balance.to_string()),
            Cell::Text(remark),
            Cell::Text(String::new()),
        ]
    }

    /// The head of the public log. Whoever keeps the file can compare the log with it later.
    fn log_head(&self) -> Option<String> {
        let TreeHead { size, root } = self.log?;
        let (entries, root) = (size.to_string(), hash::base64(&root));
        Some(i18n::text(self.lang, "server.statement.log_head", &[("entries", &entries), ("root", &root)]))
    }

    fn log_row(&self, head: String) -> Vec<Cell> {
        let texts =
            [self.zone.shown(self.app.now()), self.text("log"), String::new(), String::new(), String::new(), head];
        texts.into_iter().chain([String::new()]).map(Cell::Text).collect()
    }

    fn row(&self, line: &Flow, plans: &RefundedPlans) -> Vec<Cell> {
        vec![
            Cell::Text(self.zone.shown(line.at)),
            Cell::Text(self.what(line)),
            Cell::Number(line.amount.to_string()),
            Cell::Text(self.account(line.account)),
            Cell::Number(line.available_after.to_string()),
            Cell::Text(line.remark.clone()),
            Cell::Text(self.reference(line, plans)),
        ]
    }

    /// The document by its number, if it has one of its own, and the plan of a refund for events.
    fn reference(&self, line: &Flow, plans: &RefundedPlans) -> String {
        let name = self.text(&format!("ref.{}", line.ref_type.name()));
        match (line.ref_type, plans.of_line(line)) {
            (DocumentKind::Deposit | DocumentKind::Startup | DocumentKind::Vip, _) => name,
            (_, Some(plan)) => format!("{name} {} · {plan}", line.ref_id),
            (_, None) => format!("{name} {}", line.ref_id),
        }
    }
}

/// The numbers of the plans for whose events something was refunded, by the refund. The lines of a refund show its
/// reason as their remark, where other lines of a plan show the plan's number.
#[derive(Default)]
struct RefundedPlans(BTreeMap<i64, String>);

impl RefundedPlans {
    fn of(conn: &mut Conn, user: UserId, lines: &[Flow]) -> Result<Self, Error> {
        let is_one = |line: &&Flow| line.ref_type == DocumentKind::DeliveryRefund;
        let refunds: Vec<i64> = lines.iter().filter(is_one).map(|line| line.ref_id).collect();
        if refunds.is_empty() {
            return Ok(Self::default());
        }
        let of = corrections::plans_of(conn, &refunds)?;
        let ids: Vec<PlanId> = of.values().copied().map(PlanId).collect();
        let names = plan::names(conn, user, &ids)?;
        let number = |id: i64| names.iter().find(|name| name.id == PlanId(id)).map(|name| name.plan_no.clone());
        Ok(Self(of.into_iter().filter_map(|(refund, plan)| Some((refund, number(plan)?))).collect()))
    }

    fn of_line(&self, line: &Flow) -> Option<&str> {
        let is_one = line.ref_type == DocumentKind::DeliveryRefund;
        if is_one { self.0.get(&line.ref_id).map(String::as_str) } else { None }
    }
}

fn part(first: bool, rows: &[Vec<Cell>]) -> Result<Vec<u8>, Error> {
    documents::encode_csv(first, rows).map_err(|e| Error::Internal(e.to_string()))
}

impl Export {
    /// A month as PDF. A plan's bills are one line a day.
    ///
    /// # Errors
    /// The field `month` if there is none; `statement_too_long` for too many lines; CSV
    /// has no such limit.
    pub async fn pdf(&self) -> Result<Vec<u8>, Error> {
        let document = self.document().await?;
        print(move || documents::pdf(&document)).await
    }

    /// What the PDF says.
    ///
    /// # Errors
    /// Those of [`Export::pdf`].
    pub async fn document(&self) -> Result<Statement, Error> {
        let month = self.month.ok_or_else(|| Error::field(Field::Month, "required"))?;
        let (user, days) = (self.user, self.zone.days_of(month));
        let asked = days.clone();
        let limit = i64::try_from(LINES_IN_PDF).unwrap_or(i64::MAX).saturating_add(1);
        let (stretch, until) = (self.stretch(None, limit, true), self.until);
        let read = move |conn: &mut Conn| {
            let lines = flows::statement_slice(conn, user, stretch)?;
            let plans = RefundedPlans::of(conn, user, &lines)?;
            Ok::<_, Error>((lines, plans, flows::sum_billed(conn, user, &asked, until)?))
        };
        let (lines, plans, billed) = self.app.db.snapshot(read).await?;
        refuse_if(lines.len() + billed.len() > LINES_IN_PDF, Refusal::StatementTooLong)?;
        let mut shown = self.lines(&days, (lines.as_slice(), &plans), &billed);
        if let Some(remark) = self.log_head() {
            if shown.is_empty() {
                shown.push(Line { what: self.text("empty"), ..Line::default() });
            }
            let time = self.minute(self.app.now());
            shown.push(Line { time, what: self.text("log"), remark, ..Line::default() });
        }
        self.statement(shown)
    }

    /// The lines by day, and within a day in the order of writing; the day's bills come last.
    fn lines(&self, days: &[Period], (lines, plans): (&[Flow], &RefundedPlans), billed: &[PlanBilling]) -> Vec<Line> {
        let mut rest = lines;
        let mut bills = billed;
        let mut balance = self.opening;
        let mut all = Vec::with_capacity(lines.len() + billed.len());
        for (place, day) in (0_i64..).zip(days) {
            let (own, later) = rest.split_at(rest.partition_point(|line| line.at < day.until));
            rest = later;
            for line in own {
                balance = line.available_after;
                all.push(self.line(line, plans));
            }
            let (own, later) = bills.split_at(bills.partition_point(|bill| bill.place <= place));
            bills = later;
            all.extend(own.iter().map(|bill| self.bills(bill, *day, balance)));
        }
        all
    }

    fn line(&self, line: &Flow, plans: &RefundedPlans) -> Line {
        let beside = !matches!(line.account, Account::User(_, wallet::UserAccount::Available));
        let account = if beside { self.account(line.account) } else { String::new() };
        let plan = plans.of_line(line).unwrap_or_default();
        let parts = [account.as_str(), plan, line.remark.as_str()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        Line {
            time: self.minute(line.at),
            what: self.what(line),
            remark: parts.join(" · "),
            amount: self.signed(line.amount),
            beside,
            balance: self.decimal(line.available_after),
        }
    }

    fn bills(&self, bill: &PlanBilling, day: Period, balance: Money) -> Line {
        let lines = u64::try_from(bill.lines).unwrap_or_default();
        // No line ends between the number and what is counted.
        let count = i18n::counted(self.lang, "server.statement.bills", lines, &[]).replace(' ', "\u{a0}");
        Line {
            time: self.day(day.from),
            what: self.kind(FlowKind::AdBilling),
            remark: [self.text("account.held"), bill.remark.clone(), count].join(" · "),
            amount: self.signed(bill.amount),
            beside: true,
            balance: self.decimal(balance),
        }
    }

    fn signed(&self, amount: Money) -> String {
        let shown = self.decimal(amount);
        if amount.is_positive() { format!("+{shown}") } else { shown }
    }

    /// An amount in the reader's language. Cells of a table stay plain decimals, because programs read them.
    fn decimal(&self, amount: Money) -> String {
        i18n::decimal(self.lang, &amount.to_string())
    }

    /// A day in the reader's language, as the app writes it.
    fn day(&self, at: Timestamp) -> String {
        i18n::date(self.lang, &self.zone.shown(at))
    }

    /// A time to the minute, which is precise enough for people.
    fn minute(&self, at: Timestamp) -> String {
        let shown = self.zone.shown(at);
        format!("{} {}", self.day(at), shown.get(11..16).unwrap_or_default())
    }

    fn statement(&self, lines: Vec<Line>) -> Result<Statement, Error> {
        let currency = &self.app.settings.currency.code;
        let fact = |key: &str, value: String| (self.text(key), value);
        let figure = |key: &str, value: Money| (self.text(key), format!("{} {currency}", self.decimal(value)));
        let (income, expense) = self.turnover.net()?;
        let refunds = format!("{} {currency}", self.decimal(self.turnover.refunds));
        let last = self.period.until.plus_millis(-1);
        let mut closing = figure("closing", self.closing);
        if self.taken_at < self.period.until {
            closing.0 = i18n::aside(self.lang, &closing.0, &self.minute(self.taken_at));
        }
        let head = Head {
            lang: self.lang.bcp47().to_owned(),
            title: self.text("title"),
            subtitle: format!("{} – {}", self.day(self.period.from), self.day(last)),
            warning: self.simulated().then(|| i18n::text(self.lang, "app.simulated", &[])),
            facts: vec![
                fact("user", self.username.clone()),
                fact("currency", currency.clone()),
                fact("zone", self.zone.name()),
                fact("made", self.minute(self.app.now())),
                fact("refunds", refunds),
            ],
            figures: vec![
                figure("opening", self.opening),
                figure("income", income),
                figure("expense", expense),
                closing,
            ],
            empty: self.text("empty"),
            page: self.text("page"),
        };
        Ok(Statement { head, headings: ["time", "kind", "amount", "balance"].map(|key| self.text(key)), lines })
    }
}
