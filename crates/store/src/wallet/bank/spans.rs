//! The spans of an account's history that statements cover.

use std::collections::BTreeMap;

use bank::{Balances, Day, Extent, Place, Span, Statement, Stored, day_within, last, plain_account};
use base::{BankStatementId, Money, Timestamp};
use db::NumberedQuery;
use db::bulk::Statement as _;
use db::{row, statement, update};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;

use super::{LineRow, StoredLine};
use crate::schema::{bank_lines as lines, bank_spans as spans, bank_statements as statements};
use crate::{Conn, Error, Tx};

#[derive(Queryable)]
struct SpanRow {
    id: i64,
    account: String,
    statement_id: BankStatementId,
    from_on: Timestamp,
    to_on: Timestamp,
    opening: Option<Money>,
    closing: Option<Money>,
    part_of: Option<i64>,
}

impl SpanRow {
    fn extent(&self) -> Extent {
        let balances = self.opening.zip(self.closing);
        Extent {
            from: Day::of(self.from_on),
            to: Day::of(self.to_on),
            balances: balances.map(|(opening, closing)| Balances { opening, closing }),
        }
    }

    fn root(&self) -> i64 {
        self.part_of.unwrap_or(self.id)
    }
}

/// More statements than an account has in a lifetime.
const MOST: i64 = 100_000;
/// More lines than there are on the days in question; a file has at most a quarter of this number.
const MOST_LINES: i64 = 200_000;

const ADVISORY_LOCK: i64 = 0x706c_6163_6172_6434;

/// Lets one import at a time find its place. SQLite has only one writer anyway.
pub fn lock(tx: &mut Tx<'_>) -> Result<(), Error> {
    if let Conn::Postgres(conn) = tx.conn() {
        conn.batch_execute(&format!("SELECT pg_advisory_xact_lock({ADVISORY_LOCK})"))?;
    }
    Ok(())
}

/// More accounts than anybody has at banks, however they were spelled.
const MOST_SPELLINGS: i64 = 1_000;

/// All spellings of an account in rows: the plain form, and others from before there was one.
fn spellings(conn: &mut Conn, account: &str) -> Result<Vec<String>, Error> {
    let all: Vec<String> = spans::table.select(spans::account).distinct().limit(MOST_SPELLINGS).load(conn)?;
    let plain = plain_account(account);
    Ok(all.into_iter().filter(|spelled| plain_account(spelled) == plain).collect())
}

/// The spans of an account.
#[derive(Default)]
pub struct Spans {
    accounts: Vec<String>,
    rows: Vec<SpanRow>,
}

impl Spans {
    /// All spans of an account.
    pub fn of(conn: &mut Conn, account: &str) -> Result<Self, Error> {
        let accounts = spellings(conn, account)?;
        let rows = spans::table.filter(spans::account.eq_any(&accounts)).order(spans::id).limit(MOST).load(conn)?;
        Ok(Self { accounts, rows })
    }

    /// Where the account is covered, without the spans that these have joined.
    pub fn extents(&self, joined: &[i64]) -> Vec<Extent> {
        let free = |row: &&SpanRow| row.part_of.is_none() && !joined.contains(&row.id);
        self.rows.iter().filter(free).map(SpanRow::extent).collect()
    }

    /// The statement that a span began with.
    pub fn statement(&self, span: i64) -> Option<BankStatementId> {
        self.rows.iter().find(|row| row.id == span).map(|row| row.statement_id)
    }

    /// The spans that share a day with a statement, with their lines.
    pub fn touching(&self, conn: &mut Conn, statement: &Statement) -> Result<Vec<Span>, Error> {
        let Statement { from, to, .. } = *statement;
        let earliest = statement.lines.iter().map(|line| line.booked_on).fold(from, Day::min);
        let roots = self.rows.iter().filter(|row| row.part_of.is_none());
        let span = |row: &SpanRow| Span {
            id: row.id,
            extent: row.extent(),
            parts: Vec::new(),
            before: Money::ZERO,
            lines: Vec::new(),
        };
        let mut found: BTreeMap<i64, Span> = roots
            .map(|row| (row.id, span(row)))
            .filter(|(_, span)| {
                // An unproven line may be one that the statement reverses.
                let begins = if span.extent.balances.is_some() { from } else { earliest };
                span.extent.from <= to && span.extent.to >= begins
            })
            .collect();
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let of_span: BTreeMap<i64, i64> = self.rows.iter().map(|row| (row.id, row.root())).collect();
        let of_statement: BTreeMap<BankStatementId, i64> =
            self.rows.iter().map(|row| (row.statement_id, row.root())).collect();
        let root = |statement: BankStatementId, span: Option<i64>| match span {
            Some(span) => of_span.get(&span).copied(),
            None => of_statement.get(&statement).copied(),
        };
        let proven = self.rows.iter().filter(|row| row.opening.is_some());
        for (row, whole) in proven.filter_map(|row| Some((row, row.part_of?))) {
            if let Some(span) = found.get_mut(&whole) {
                span.parts.push(row.extent());
            }
        }
        for before in self.sum_before(conn, from)? {
            let span = root(before.statement_id, Some(before.span_id).filter(|span| *span != 0));
            if let Some(span) = span.and_then(|span| found.get_mut(&span)) {
                let both = Money::sum([span.before, before.moved]);
                span.before = both.map_err(|_| Error::Corrupt("the bank's lines are too much for a sum".to_owned()))?;
            }
        }
        for (first, numbered, row) in self.lines(conn, statement, &found)? {
            let span = root(row.statement_id, row.span_id);
            let mut kept = StoredLine::from(row);
            let Some(span) = span.and_then(|span| found.get_mut(&span)) else { continue };
            if span.extent.balances.is_some() {
                let Some(day) = day_within(kept.line.booked_on, first, statement) else { continue };
                kept.line.booked_on = day;
            }
            span.lines.push(Stored { id: kept.id.0, line: kept.line, numbered });
        }
        Ok(found.into_values().collect())
    }

    /// The account's lines on a statement's days, those that other statements of these days have reversed before them,
    /// and all unproven lines of these spans. Each has the first day of its statement, and says whether that statement
    /// has a number from the bank.
    fn lines(
        &self,
        conn: &mut Conn,
        of: &Statement,
        found: &BTreeMap<i64, Span>,
    ) -> Result<Vec<(Day, bool, LineRow)>, Error> {
        let (from, to) = (of.from.start(), of.to.start());
        let begins_within = statements::from_on.ge(from).and(statements::from_on.le(to));
        let on_these = lines::booked_on.ge(from).or(begins_within).and(lines::booked_on.le(to));
        let unproven = self.rows.iter().filter(|row| row.opening.is_none() && found.contains_key(&row.id));
        let unproven: Vec<BankStatementId> = unproven.map(|row| row.statement_id).collect();
        let rows: Vec<(Day, bool, LineRow)> = lines::table
            .inner_join(statements::table)
            .filter(lines::account.eq_any(&self.accounts))
            .filter(on_these.or(lines::statement_id.eq_any(unproven)))
            .order(lines::id)
            .limit(MOST_LINES)
            .select((statements::from_on, statements::number.ne(""), lines::all_columns))
            .load(conn)?;
        if i64::try_from(rows.len()) == Ok(MOST_LINES) {
            return Err(Error::Corrupt("the bank's lines of these days are too many to compare".to_owned()));
        }
        Ok(rows)
    }

    /// The sums of the lines before a day, without those that a later statement reversed.
    fn sum_before(&self, conn: &mut Conn, from: Day) -> Result<Vec<Moved>, Error> {
        let spelled = |account: &String| self.rows.iter().find(|row| row.account == *account).map(|row| row.id);
        let spelled: Vec<i64> = self.accounts.iter().filter_map(spelled).collect();
        let query = NumberedQuery::new(&format!(
            "SELECT statement_id, COALESCE(span_id, 0) AS span_id, CAST(SUM(amount) AS BIGINT) AS moved FROM bank_lines \
             WHERE account IN (SELECT account FROM bank_spans WHERE id IN ({})) AND booked_on < ? \
             AND statement_id IN (SELECT id FROM bank_statements WHERE from_on < ?) \
             GROUP BY statement_id, COALESCE(span_id, 0)",
            vec!["?"; spelled.len()].join(", ")
        ));
        let query = spelled.into_iter().fold(query, NumberedQuery::bind);
        Ok(query.bind(from.start().millis()).bind(from.start().millis()).load(conn)?)
    }
}

row! {
    struct Moved {
        statement_id: BankStatementId,
        span_id: i64,
        moved: Money,
    }
}

statement!(
    JOIN,
    postgres: "UPDATE bank_spans s SET part_of = u.whole FROM unnest(?, ?) AS u(whole, id) \
         WHERE u.id = s.id OR u.id = s.part_of",
    sqlite: "UPDATE bank_spans SET part_of = ? WHERE ? IN (id, part_of)",
);
update! {
    struct Shortened, SHORTEN of "bank_spans" {
        from_on: Timestamp,
        to_on: Timestamp,
    } by { id: i64 }
}
update! {
    struct Proven, PROVE of "bank_lines" { span_id: i64 } by { id: i64 }
}

const ADOPT: &str = "INSERT INTO bank_spans (account, statement_id, from_on, to_on, opening, closing) \
     SELECT s.account, s.id, CASE WHEN l.lines > 0 THEN l.from_on ELSE s.to_on END, s.to_on, \
     CASE WHEN s.opening IS NULL OR s.closing IS NULL THEN NULL ELSE s.closing - l.moved END, \
     CASE WHEN s.opening IS NULL OR s.closing IS NULL THEN NULL ELSE s.closing END \
     FROM bank_statements s JOIN (SELECT t.id AS id, COUNT(b.id) AS lines, MIN(b.booked_on) AS from_on, \
     CAST(COALESCE(SUM(b.amount), 0) AS BIGINT) AS moved FROM bank_statements t \
     LEFT JOIN bank_lines b ON b.statement_id = t.id \
     WHERE NOT EXISTS (SELECT 1 FROM bank_spans p WHERE p.statement_id = t.id) GROUP BY t.id) l ON l.id = s.id \
     ORDER BY s.id";

/// Gives a span to statements without one: a server of the previous version may have imported them while it still ran.
pub fn adopt(tx: &mut Tx<'_>) -> Result<(), Error> {
    lock(tx)?;
    tx.run(diesel::sql_query(ADOPT))
}

/// Stores the span of a statement, and which spans it joins.
pub fn insert(tx: &mut Tx<'_>, account: &str, statement: BankStatementId, place: &Place) -> Result<(), Error> {
    let Extent { from, to, balances } = place.extent;
    let id: i64 = diesel::insert_into(spans::table)
        .values((
            spans::account.eq(account),
            spans::statement_id.eq(statement),
            spans::from_on.eq(from.start()),
            spans::to_on.eq(to.start()),
            spans::opening.eq(balances.map(|known| known.opening)),
            spans::closing.eq(balances.map(|known| known.closing)),
        ))
        .returning(spans::id)
        .get_result(tx.conn())?;
    let gone = place.left.iter().filter(|(_, rest)| rest.is_none()).map(|(span, _)| *span);
    let joined: Vec<i64> = place.joined.iter().copied().chain(gone).collect();
    JOIN.execute(tx, &[vec![id; joined.len()].into(), joined.into()])?;
    let left = place.left.iter().filter_map(|(span, rest)| Some((*span, (*rest)?)));
    let left = left.map(|(id, rest)| Shortened { from_on: rest.from.start(), to_on: rest.to.start(), id });
    SHORTEN.execute(tx, &Shortened::columns(&left.collect::<Vec<_>>()))?;
    let proven = place.proven.iter().map(|line| Proven { span_id: id, id: *line });
    PROVE.execute(tx, &Proven::columns(&proven.collect::<Vec<_>>()))?;
    Ok(())
}

/// Those of these statements that nothing has proved complete.
pub fn unproven(conn: &mut Conn, account: &str) -> Result<Vec<BankStatementId>, Error> {
    let accounts = spellings(conn, account)?;
    let all = spans::table.filter(spans::account.eq_any(accounts)).filter(spans::part_of.is_null());
    Ok(all.filter(spans::opening.is_null()).select(spans::statement_id).limit(MOST).load(conn)?)
}

/// Where each account is covered.
pub fn find_covered(conn: &mut Conn) -> Result<BTreeMap<String, Vec<Extent>>, Error> {
    let rows: Vec<SpanRow> =
        spans::table.filter(spans::part_of.is_null()).order((spans::account, spans::id)).limit(MOST).load(conn)?;
    let mut accounts: BTreeMap<String, Vec<Extent>> = BTreeMap::new();
    for row in rows {
        let extent = row.extent();
        accounts.entry(plain_account(&row.account)).or_default().push(extent);
    }
    Ok(accounts)
}

row! {
    struct NewestSpan {
        account: String,
        currency: String,
        from_on: Timestamp,
        to_on: Timestamp,
        opening: Money,
        closing: Money,
    }
}

/// What the bank holds in a currency: the sum of the closing balances of each account's last span, and the earliest of
/// their days. `None` if no statement has a balance. A hundred spans are enough to find the last one, because no day
/// has that many.
pub fn closing(conn: &mut Conn, currency: &str) -> Result<Option<(Money, Day)>, Error> {
    let rows: Vec<NewestSpan> = NumberedQuery::new(
        "SELECT account, currency, from_on, to_on, opening, closing FROM (SELECT p.account, s.currency, p.from_on, \
         p.to_on, p.opening, p.closing, ROW_NUMBER() OVER (PARTITION BY p.account, s.currency \
         ORDER BY p.to_on DESC, p.from_on DESC, p.id DESC) AS place FROM bank_spans p \
         JOIN bank_statements s ON s.id = p.statement_id WHERE p.part_of IS NULL AND p.closing IS NOT NULL) newest \
         WHERE place <= 100",
    )
    .load(conn)?;
    let mut accounts: BTreeMap<String, Vec<Extent>> = BTreeMap::new();
    for row in rows.into_iter().filter(|row| row.currency == currency) {
        let balances = Some(Balances { opening: row.opening, closing: row.closing });
        let extent = Extent { from: Day::of(row.from_on), to: Day::of(row.to_on), balances };
        accounts.entry(plain_account(&row.account)).or_default().push(extent);
    }
    let ends: Vec<(Day, Money)> = accounts.values().filter_map(|extents| last(extents)).collect();
    let Some(day) = ends.iter().map(|(day, _)| *day).min() else { return Ok(None) };
    let sum = Money::sum(ends.iter().map(|(_, closing)| *closing));
    let sum = sum.map_err(|_| Error::Corrupt("the bank's balances are too much for a sum".to_owned()))?;
    Ok(Some((sum, day)))
}
