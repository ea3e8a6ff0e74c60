//! The bank's statements and their lines, as imported.

pub mod documents;
pub mod matches;
pub mod spans;

use std::collections::{BTreeMap, BTreeSet};

use bank::{Day, Line, Statement};
use base::{BankLineId, BankStatementId, Money, OperatorId, Timestamp};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, SmallInt, Text};
use wallet::LineStatus;

use crate::schema::{bank_lines as lines, bank_statements as statements};
use crate::{Conn, Error, Page, PageRequest, Tx};
use db::NumberedQuery;
use db::bulk::Statement as _;
use db::statement;

/// A stored statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredStatement {
    pub id: BankStatementId,
    pub account: String,
    pub currency: String,
    /// The bank's own number; empty if the file had none.
    pub number: String,
    pub from: Day,
    pub to: Day,
    pub opening: Option<Money>,
    pub closing: Option<Money>,
    pub left_out: i64,
    pub imported_by: OperatorId,
    pub imported_at: Timestamp,
}

/// A stored line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredLine {
    pub id: BankLineId,
    pub statement: BankStatementId,
    pub line: Line,
    pub status: LineStatus,
}

#[derive(Queryable)]
struct StatementRow {
    id: i64,
    account: String,
    currency: String,
    number: String,
    from_on: i64,
    to_on: i64,
    opening: Option<i64>,
    closing: Option<i64>,
    left_out: i64,
    _digest: Vec<u8>,
    imported_by: i64,
    imported_at: i64,
}

impl From<StatementRow> for StoredStatement {
    fn from(row: StatementRow) -> Self {
        Self {
            id: BankStatementId(row.id),
            account: row.account,
            currency: row.currency,
            number: row.number,
            from: day(row.from_on),
            to: day(row.to_on),
            opening: row.opening.map(Money::from_minor),
            closing: row.closing.map(Money::from_minor),
            left_out: row.left_out,
            imported_by: OperatorId(row.imported_by),
            imported_at: Timestamp::from_millis(row.imported_at),
        }
    }
}

#[derive(Queryable)]
struct LineRow {
    id: i64,
    statement_id: i64,
    _account: String,
    line_key: String,
    booked_on: i64,
    amount: i64,
    reference_texts: String,
    counterparty: String,
    description: String,
    reversal: bool,
    status: i16,
    span_id: Option<i64>,
}

impl TryFrom<LineRow> for StoredLine {
    type Error = Error;

    fn try_from(row: LineRow) -> Result<Self, Error> {
        let line = Line {
            id: row.line_key,
            booked_on: day(row.booked_on),
            amount: Money::from_minor(row.amount),
            references: row.reference_texts.lines().map(str::to_owned).collect(),
            counterparty: row.counterparty,
            description: row.description,
            reversal: row.reversal,
        };
        let status = LineStatus::try_from(row.status)?;
        Ok(Self { id: BankLineId(row.id), statement: BankStatementId(row.statement_id), line, status })
    }
}

fn day(millis: i64) -> Day {
    Day::of(Timestamp::from_millis(millis))
}

/// # Errors
/// A unique violation if the file was imported before; the transaction cannot continue
/// after it.
pub fn insert(
    tx: &mut Tx<'_>,
    statement: &Statement,
    digest: &[u8; 32],
    by: OperatorId,
) -> Result<BankStatementId, Error> {
    let now = tx.now();
    let conn: &mut Conn = tx;
    let id = diesel::insert_into(statements::table)
        .values((
            statements::account.eq(&statement.account),
            statements::currency.eq(&statement.currency),
            statements::number.eq(&statement.number),
            statements::from_on.eq(statement.from.start().millis()),
            statements::to_on.eq(statement.to.start().millis()),
            statements::opening.eq(statement.opening),
            statements::closing.eq(statement.closing),
            statements::left_out.eq(i64::try_from(statement.left_out).unwrap_or(i64::MAX)),
            statements::digest.eq(digest.to_vec()),
            statements::imported_by.eq(by),
            statements::imported_at.eq(now),
        ))
        .returning(statements::id)
        .get_result(conn)?;
    tx.notes().vouches("bank_statements", id);
    Ok(BankStatementId(id))
}

pub fn find_by_digest(conn: &mut Conn, digest: &[u8; 32]) -> Result<Option<BankStatementId>, Error> {
    let by_digest = statements::table.filter(statements::digest.eq(digest.to_vec()));
    let id: Option<i64> = by_digest.select(statements::id).first(conn).optional()?;
    Ok(id.map(BankStatementId))
}

pub fn find(conn: &mut Conn, id: BankStatementId) -> Result<Option<StoredStatement>, Error> {
    let row: Option<StatementRow> = statements::table.find(id).first(conn).optional()?;
    Ok(row.map(StoredStatement::from))
}

/// The last day covered by any statement.
pub fn last_day(conn: &mut Conn) -> Result<Option<Day>, Error> {
    let last: Option<i64> = statements::table.select(diesel::dsl::max(statements::to_on)).first(conn)?;
    Ok(last.map(day))
}

/// Newest first.
pub fn page(conn: &mut Conn, request: PageRequest) -> Result<Page<StoredStatement>, Error> {
    let rows: Vec<StatementRow> = statements::table
        .filter(statements::id.lt(request.below()))
        .order(statements::id.desc())
        .limit(request.fetch())
        .load(conn)?;
    Ok(Page::cut(rows.into_iter().map(StoredStatement::from).collect(), request, |kept: &StoredStatement| kept.id.0))
}

statement!(
    INSERT_LINES,
    postgres: "INSERT INTO bank_lines (statement_id, account, line_key, booked_on, amount, reference_texts, \
         counterparty, description, reversal, status) SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
         ON CONFLICT (account, line_key) DO NOTHING RETURNING id, line_key",
    sqlite: "INSERT INTO bank_lines (statement_id, account, line_key, booked_on, amount, reference_texts, \
         counterparty, description, reversal, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
         ON CONFLICT (account, line_key) DO NOTHING RETURNING id, line_key",
);
statement!(
    TAKEN,
    postgres: "SELECT b.id, b.line_key FROM bank_lines b JOIN unnest(?, ?) AS u(account, line_key) \
         ON b.account = u.account AND b.line_key = u.line_key",
    sqlite: "SELECT id, line_key FROM bank_lines WHERE account = ? AND line_key = ?",
);
statement!(
    SET_STATUS,
    postgres: "UPDATE bank_lines l SET status = u.s FROM unnest(?, ?) AS u(s, id) WHERE l.id = u.id",
    sqlite: "UPDATE bank_lines SET status = ? WHERE id = ?",
);
/// Lines written or read at a time.
const CHUNK: usize = 2_000;

#[derive(QueryableByName)]
struct WrittenLine {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Text)]
    line_key: String,
}

/// Inserts a statement's lines, except those that exist already, and returns the row of
/// each.
pub fn insert_lines(
    tx: &mut Tx<'_>,
    statement: BankStatementId,
    account: &str,
    lines: &[&Line],
) -> Result<BTreeMap<String, BankLineId>, Error> {
    let mut written = BTreeMap::new();
    for lines in lines.chunks(CHUNK) {
        let texts = |f: fn(&Line) -> String| lines.iter().map(|line| f(line)).collect::<Vec<_>>();
        let numbers = |f: fn(&Line) -> i64| lines.iter().map(|line| f(line)).collect::<Vec<_>>();
        let rows: Vec<WrittenLine> = INSERT_LINES.load(
            tx,
            &[
                vec![statement.0; lines.len()].into(),
                vec![account.to_owned(); lines.len()].into(),
                texts(|line| line.id.clone()).into(),
                numbers(|line| line.booked_on.start().millis()).into(),
                numbers(|line| line.amount.minor()).into(),
                texts(|line| line.references.join("\n")).into(),
                texts(|line| line.counterparty.clone()).into(),
                texts(|line| line.description.clone()).into(),
                lines.iter().map(|line| line.reversal).collect::<Vec<_>>().into(),
                vec![LineStatus::Open.code(); lines.len()].into(),
            ],
        )?;
        written.extend(rows.into_iter().map(|row| (row.line_key, BankLineId(row.id))));
    }
    Ok(written)
}

/// Those of these keys that lines of the account have already.
pub fn taken_keys(conn: &mut Conn, account: &str, lines: &[&Line]) -> Result<BTreeSet<String>, Error> {
    let mut found = BTreeSet::new();
    for lines in lines.chunks(CHUNK) {
        let keys: Vec<String> = lines.iter().map(|line| line.id.clone()).collect();
        let rows: Vec<WrittenLine> = TAKEN.load(conn, &[vec![account.to_owned(); keys.len()].into(), keys.into()])?;
        found.extend(rows.into_iter().map(|row| row.line_key));
    }
    Ok(found)
}

pub fn set_status(tx: &mut Tx<'_>, ids: &[BankLineId], status: LineStatus) -> Result<(), Error> {
    let numbers: Vec<i64> = ids.iter().map(|id| id.0).collect();
    SET_STATUS.execute(tx, &[vec![status.code(); numbers.len()].into(), numbers.into()])?;
    Ok(())
}

pub fn find_line(conn: &mut Conn, id: BankLineId) -> Result<Option<StoredLine>, Error> {
    let row: Option<LineRow> = lines::table.find(id).first(conn).optional()?;
    row.map(StoredLine::try_from).transpose()
}

/// A statement's lines without a confirmed match, in the order of the file, above
/// `after`.
pub fn open_of(
    conn: &mut Conn,
    statement: BankStatementId,
    after: BankLineId,
    limit: i64,
) -> Result<Vec<StoredLine>, Error> {
    let rows: Vec<LineRow> = lines::table
        .filter(lines::statement_id.eq(statement).and(lines::id.gt(after)))
        .filter(lines::status.eq(LineStatus::Open))
        .order(lines::id)
        .limit(limit)
        .load(conn)?;
    rows.into_iter().map(StoredLine::try_from).collect()
}

/// Lines of all statements without a confirmed match, oldest first.
pub fn open(conn: &mut Conn, limit: i64) -> Result<Vec<StoredLine>, Error> {
    let rows: Vec<LineRow> = lines::table
        // Written out: SQLite does not recognise the index's condition in a bound value.
        .filter(sql::<Bool>("status = 0"))
        .order((lines::booked_on, lines::id))
        .limit(limit)
        .load(conn)?;
    rows.into_iter().map(StoredLine::try_from).collect()
}

/// Lines without a confirmed match that were booked from a day on and move one of these amounts, oldest first.
pub fn open_moving(conn: &mut Conn, amounts: &[Money], from: Day, limit: i64) -> Result<Vec<StoredLine>, Error> {
    let rows: Vec<LineRow> = lines::table
        .filter(sql::<Bool>("status = 0"))
        .filter(lines::booked_on.ge(from.start().millis()))
        .filter(lines::amount.eq_any(amounts.iter().map(|amount| amount.minor())))
        .order((lines::booked_on, lines::id))
        .limit(limit)
        .load(conn)?;
    rows.into_iter().map(StoredLine::try_from).collect()
}

/// The number of a statement's lines with one status, and their sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub lines: i64,
    pub amount: Money,
}

#[derive(QueryableByName)]
struct SumRow {
    #[diesel(sql_type = BigInt)]
    statement_id: i64,
    #[diesel(sql_type = SmallInt)]
    status: i16,
    #[diesel(sql_type = BigInt)]
    lines: i64,
    #[diesel(sql_type = BigInt)]
    amount: i64,
}

statement!(
    SUMS,
    each: "SELECT statement_id, status, COUNT(*) AS lines, CAST(SUM(amount) AS BIGINT) AS amount FROM bank_lines \
         WHERE statement_id = ANY(?) GROUP BY statement_id, status",
);

pub type Sums = BTreeMap<(BankStatementId, LineStatus), Sum>;

pub fn sums(conn: &mut Conn, of: &[BankStatementId]) -> Result<Sums, Error> {
    let ids: Vec<i64> = of.iter().map(|id| id.0).collect();
    let rows: Vec<SumRow> = SUMS.load(conn, &[ids.into()])?;
    rows.into_iter()
        .map(|row| {
            let status = LineStatus::try_from(row.status)?;
            let sum = Sum { lines: row.lines, amount: Money::from_minor(row.amount) };
            Ok(((BankStatementId(row.statement_id), status), sum))
        })
        .collect()
}

/// The bank's balances in the ledger, and the sum of all its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Books {
    /// The sum of all lines.
    pub lines: Money,
    /// What came to the bank according to the ledger, less what went.
    pub bank: Money,
    /// Credited, but not on a line yet.
    pub recharge_clearing: Money,
    /// Paid out, but not on a line yet.
    pub payout_transit: Money,
}

#[derive(QueryableByName)]
struct BooksRow {
    #[diesel(sql_type = BigInt)]
    lines: i64,
    #[diesel(sql_type = BigInt)]
    bank: i64,
    #[diesel(sql_type = BigInt)]
    clearing: i64,
    #[diesel(sql_type = BigInt)]
    transit: i64,
}

/// A ledger account increases by what others lose, so what the bank holds is the negative
/// of its balance. SQLite uses the index of these accounts only for a query that repeats
/// one of the index's conditions.
pub fn books(conn: &mut Conn) -> Result<Books, Error> {
    let query = NumberedQuery::new(
        "SELECT (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM bank_lines) AS lines, \
         (SELECT CAST(COALESCE(-SUM(amount), 0) AS BIGINT) FROM entries WHERE account_kind = 401) AS bank, \
         (SELECT CAST(COALESCE(-SUM(amount), 0) AS BIGINT) FROM entries WHERE account_kind = 402) AS clearing, \
         (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM entries WHERE account_kind = 409) AS transit",
    );
    let row: BooksRow = query.get_result(conn)?;
    Ok(Books {
        lines: Money::from_minor(row.lines),
        bank: Money::from_minor(row.bank),
        recharge_clearing: Money::from_minor(row.clearing),
        payout_transit: Money::from_minor(row.transit),
    })
}
