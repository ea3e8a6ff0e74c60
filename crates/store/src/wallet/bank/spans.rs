//! The stretches of an account's history that statements cover.

use std::collections::BTreeMap;

use bank::{Balances, Day, Extent, Place, Span, Stored};
use base::{BankStatementId, Money, Timestamp};
use db::NumberedQuery;
use db::bulk::Statement as _;
use db::{statement, update};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::BigInt;

use super::{LineRow, StoredLine};
use crate::schema::{bank_lines as lines, bank_spans as spans};
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

    const fn root(&self) -> i64 {
        match self.part_of {
            Some(root) => root,
            None => self.id,
        }
    }
}

/// More statements than an account has in a lifetime.
const MOST: i64 = 100_000;
/// More lines than days in question have; a file has a quarter of them.
const MOST_LINES: i64 = 200_000;

const ADVISORY_LOCK: i64 = 0x706c_6163_6172_6434;

/// Lets one import after another find its place. SQLite has one writer anyway.
pub fn lock(tx: &mut Tx<'_>) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    if let Conn::Postgres(conn) = conn {
        conn.batch_execute(&format!("SELECT pg_advisory_xact_lock({ADVISORY_LOCK})"))?;
    }
    Ok(())
}

/// The account's stretches.
#[derive(Default)]
pub struct Spans {
    rows: Vec<SpanRow>,
}

impl Spans {
    /// All of an account.
    pub fn of(conn: &mut Conn, account: &str) -> Result<Self, Error> {
        let rows = spans::table.filter(spans::account.eq(account)).order(spans::id).limit(MOST).load(conn)?;
        Ok(Self { rows })
    }

    /// Where the account is covered, without the stretches that these have joined.
    pub fn extents(&self, joined: &[i64]) -> Vec<Extent> {
        let free = |row: &&SpanRow| row.part_of.is_none() && !joined.contains(&row.id);
        self.rows.iter().filter(free).map(SpanRow::extent).collect()
    }

    /// The statement that a stretch began with.
    pub fn statement(&self, span: i64) -> Option<BankStatementId> {
        self.rows.iter().find(|row| row.id == span).map(|row| row.statement_id)
    }

    /// The stretches that share a day with these, with their lines.
    pub fn touching(&self, conn: &mut Conn, account: &str, from: Day, to: Day) -> Result<Vec<Span>, Error> {
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
            .filter(|(_, span)| span.extent.from <= to && span.extent.to >= from)
            .collect();
        let Some(first) = found.keys().next().copied() else { return Ok(Vec::new()) };
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
        for before in sum_before(conn, first, from)? {
            let span = root(before.statement_id, Some(before.span_id).filter(|span| *span != 0));
            if let Some(span) = span.and_then(|span| found.get_mut(&span)) {
                let both = Money::sum([span.before, before.moved]);
                span.before = both.map_err(|_| Error::Corrupt("the bank's lines are too much for a sum".to_owned()))?;
            }
        }
        let rows: Vec<LineRow> = lines::table
            .filter(lines::account.eq(account).and(lines::booked_on.ge(from.start())))
            .filter(lines::booked_on.le(to.start()))
            .order(lines::id)
            .limit(MOST_LINES)
            .load(conn)?;
        if i64::try_from(rows.len()) == Ok(MOST_LINES) {
            return Err(Error::Corrupt("the bank's lines of these days are too many to compare".to_owned()));
        }
        for row in rows {
            let span = root(row.statement_id, row.span_id);
            let kept = StoredLine::from(row);
            if let Some(span) = span.and_then(|span| found.get_mut(&span)) {
                span.lines.push(Stored { id: kept.id.0, line: kept.line });
            }
        }
        Ok(found.into_values().collect())
    }
}

#[derive(QueryableByName)]
struct Moved {
    #[diesel(sql_type = BigInt)]
    statement_id: BankStatementId,
    #[diesel(sql_type = BigInt)]
    span_id: i64,
    #[diesel(sql_type = BigInt)]
    moved: Money,
}

/// What the lines before a day come to, for the account of this stretch.
fn sum_before(conn: &mut Conn, span: i64, from: Day) -> Result<Vec<Moved>, Error> {
    let query = NumberedQuery::new(
        "SELECT statement_id, COALESCE(span_id, 0) AS span_id, CAST(SUM(amount) AS BIGINT) AS moved FROM bank_lines \
         WHERE account = (SELECT account FROM bank_spans WHERE id = ?) AND booked_on < ? \
         GROUP BY statement_id, COALESCE(span_id, 0)",
    );
    Ok(query.bind(span).bind(from.start().millis()).load(conn)?)
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

/// Gives a stretch to statements that have none: a server of the version before may have
/// imported them while it still ran.
pub fn adopt(tx: &mut Tx<'_>) -> Result<(), Error> {
    lock(tx)?;
    let conn: &mut Conn = tx;
    diesel::sql_query(ADOPT).execute(conn)?;
    Ok(())
}

/// Stores the stretch of a statement, and what it joins.
pub fn insert(tx: &mut Tx<'_>, account: &str, statement: BankStatementId, place: &Place) -> Result<(), Error> {
    let Extent { from, to, balances } = place.extent;
    let conn: &mut Conn = tx;
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
        .get_result(conn)?;
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

/// Of these statements, those that nothing has proved.
pub fn unproven(conn: &mut Conn, account: &str) -> Result<Vec<BankStatementId>, Error> {
    let all = spans::table.filter(spans::account.eq(account)).filter(spans::part_of.is_null());
    Ok(all.filter(spans::opening.is_null()).select(spans::statement_id).limit(MOST).load(conn)?)
}

/// Where each account is covered.
pub fn find_covered(conn: &mut Conn) -> Result<BTreeMap<String, Vec<Extent>>, Error> {
    let rows: Vec<SpanRow> =
        spans::table.filter(spans::part_of.is_null()).order((spans::account, spans::id)).limit(MOST).load(conn)?;
    let mut accounts: BTreeMap<String, Vec<Extent>> = BTreeMap::new();
    for row in rows {
        let extent = row.extent();
        accounts.entry(row.account).or_default().push(extent);
    }
    Ok(accounts)
}
