//! The bank's statements and their lines, as imported.

pub mod documents;
pub mod matches;
pub mod spans;

use std::collections::{BTreeMap, BTreeSet};

use bank::{Day, Line, Statement};
use base::{BankLineId, BankStatementId, Money, OperatorId, Timestamp};
use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use wallet::{Account, LineStatus, PlatformAccount};

use crate::schema::{bank_lines as lines, bank_statements as statements};
use crate::{Conn, Error, Page, PageRequest, Tx};
use db::NumberedQuery;
use db::bulk::Statement as _;
use db::{One, insert, row, statement, update};

/// A stored statement.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = statements)]
pub struct StoredStatement {
    pub id: BankStatementId,
    pub account: String,
    pub currency: String,
    /// The bank's own number; empty if the file had none.
    pub number: String,
    #[diesel(column_name = from_on)]
    pub from: Day,
    #[diesel(column_name = to_on)]
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
struct LineRow {
    id: BankLineId,
    statement_id: BankStatementId,
    _account: String,
    line_key: String,
    booked_on: Day,
    amount: Money,
    reference_texts: String,
    counterparty: String,
    description: String,
    reversal: bool,
    status: LineStatus,
    span_id: Option<i64>,
}

impl From<LineRow> for StoredLine {
    fn from(row: LineRow) -> Self {
        let line = Line {
            id: row.line_key,
            booked_on: row.booked_on,
            amount: row.amount,
            references: row.reference_texts.lines().map(str::to_owned).collect(),
            counterparty: row.counterparty,
            description: row.description,
            reversal: row.reversal,
        };
        Self { id: row.id, statement: row.statement_id, line, status: row.status }
    }
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
    let id: BankStatementId = diesel::insert_into(statements::table)
        .values((
            statements::account.eq(&statement.account),
            statements::currency.eq(&statement.currency),
            statements::number.eq(&statement.number),
            statements::from_on.eq(statement.from.start()),
            statements::to_on.eq(statement.to.start()),
            statements::opening.eq(statement.opening),
            statements::closing.eq(statement.closing),
            statements::left_out.eq(i64::try_from(statement.left_out).unwrap_or(i64::MAX)),
            statements::digest.eq(digest.to_vec()),
            statements::imported_by.eq(by),
            statements::imported_at.eq(tx.now()),
        ))
        .returning(statements::id)
        .get_result(tx.conn())?;
    tx.notes().vouches("bank_statements", id.0);
    Ok(id)
}

pub fn find_by_digest(conn: &mut Conn, digest: &[u8; 32]) -> Result<Option<BankStatementId>, Error> {
    let by_digest = statements::table.filter(statements::digest.eq(digest.to_vec()));
    Ok(by_digest.select(statements::id).first(conn).optional()?)
}

pub fn find(conn: &mut Conn, id: BankStatementId) -> Result<Option<StoredStatement>, Error> {
    Ok(statements::table.find(id).select(StoredStatement::as_select()).first(conn).optional()?)
}

/// Who imported these statements.
pub fn importers(
    conn: &mut Conn,
    ids: impl IntoIterator<Item = BankStatementId>,
) -> Result<BTreeMap<BankStatementId, OperatorId>, Error> {
    let ids: BTreeSet<BankStatementId> = ids.into_iter().collect();
    let these = statements::table.filter(statements::id.eq_any(ids.into_iter().collect::<Vec<_>>()));
    let rows: Vec<(BankStatementId, OperatorId)> =
        these.select((statements::id, statements::imported_by)).load(conn)?;
    Ok(rows.into_iter().collect())
}

/// The last day covered by any statement.
pub fn last_day(conn: &mut Conn) -> Result<Option<Day>, Error> {
    Ok(statements::table.select(diesel::dsl::max(statements::to_on)).first(conn)?)
}

/// Newest first.
pub fn page(conn: &mut Conn, request: PageRequest) -> Result<Page<StoredStatement>, Error> {
    let newest = statements::table.filter(statements::id.lt(request.below())).order(statements::id.desc());
    let rows = newest.limit(request.fetch()).select(StoredStatement::as_select()).load(conn)?;
    Ok(Page::cut(rows, request, |kept: &StoredStatement| kept.id.0))
}

insert! {
    struct InsertedLine<'a>, INSERT_LINES into "bank_lines" {
        statement_id: BankStatementId,
        account: &'a str,
        line_key: &'a str,
        booked_on: Timestamp,
        amount: Money,
        reference_texts: String,
        counterparty: &'a str,
        description: &'a str,
        reversal: bool,
        status: LineStatus,
    } then "ON CONFLICT (account, line_key) DO NOTHING RETURNING id, line_key"
}
statement!(
    TAKEN,
    each: "SELECT b.id, b.line_key FROM bank_lines b JOIN unnest(?, ?) AS u(account, line_key) \
         ON b.account = u.account AND b.line_key = u.line_key",
);
update! {
    struct Standing, SET_STATUS of "bank_lines" { status: LineStatus } by { id: BankLineId }
}
/// Lines written or read at a time.
const CHUNK: usize = 2_000;

row! {
    struct WrittenLine {
        id: BankLineId,
        line_key: String,
    }
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
        let rows: Vec<_> = lines.iter().map(|line| InsertedLine::of(statement, account, line)).collect();
        let rows: Vec<WrittenLine> = INSERT_LINES.load(tx, &InsertedLine::columns(&rows))?;
        written.extend(rows.into_iter().map(|row| (row.line_key, row.id)));
    }
    Ok(written)
}

impl<'a> InsertedLine<'a> {
    fn of(statement_id: BankStatementId, account: &'a str, line: &'a Line) -> Self {
        Self {
            statement_id,
            account,
            line_key: &line.id,
            booked_on: line.booked_on.start(),
            amount: line.amount,
            reference_texts: line.references.join("\n"),
            counterparty: &line.counterparty,
            description: &line.description,
            reversal: line.reversal,
            status: LineStatus::Open,
        }
    }
}

/// Those of these lines' keys that stored lines of the account already have.
pub fn find_taken_keys(conn: &mut Conn, account: &str, lines: &[&Line]) -> Result<BTreeSet<String>, Error> {
    let mut found = BTreeSet::new();
    for lines in lines.chunks(CHUNK) {
        let keys: Vec<String> = lines.iter().map(|line| line.id.clone()).collect();
        let rows: Vec<WrittenLine> = TAKEN.load(conn, &[vec![account.to_owned(); keys.len()].into(), keys.into()])?;
        found.extend(rows.into_iter().map(|row| row.line_key));
    }
    Ok(found)
}

pub fn set_status(tx: &mut Tx<'_>, ids: &[BankLineId], status: LineStatus) -> Result<(), Error> {
    let standing = |id: &BankLineId| Standing { status, id: *id };
    SET_STATUS.execute(tx, &Standing::columns(&ids.iter().map(standing).collect::<Vec<_>>()))?;
    Ok(())
}

pub fn find_line(conn: &mut Conn, id: BankLineId) -> Result<Option<StoredLine>, Error> {
    let row: Option<LineRow> = lines::table.find(id).first(conn).optional()?;
    Ok(row.map(StoredLine::from))
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
    Ok(rows.into_iter().map(StoredLine::from).collect())
}

/// The lines with these ids.
pub fn find_lines(conn: &mut Conn, ids: &[BankLineId]) -> Result<Vec<StoredLine>, Error> {
    let rows: Vec<LineRow> = lines::table.filter(lines::id.eq_any(ids.to_vec())).order(lines::id).load(conn)?;
    Ok(rows.into_iter().map(StoredLine::from).collect())
}

/// The condition is written out, because SQLite does not match the index's condition with a bound value.
fn is_open() -> SqlLiteral<Bool> {
    sql(&format!("status = {}", LineStatus::Open.code()))
}

/// Lines of all statements without a confirmed match, oldest first.
pub fn open(conn: &mut Conn, limit: i64) -> Result<Vec<StoredLine>, Error> {
    let rows: Vec<LineRow> =
        lines::table.filter(is_open()).order((lines::booked_on, lines::id)).limit(limit).load(conn)?;
    Ok(rows.into_iter().map(StoredLine::from).collect())
}

/// Lines without a confirmed match that were booked from a day on and move one of these amounts, oldest first.
pub fn open_moving(conn: &mut Conn, amounts: &[Money], from: Day, limit: i64) -> Result<Vec<StoredLine>, Error> {
    let rows: Vec<LineRow> = lines::table
        .filter(is_open())
        .filter(lines::booked_on.ge(from.start()))
        .filter(lines::amount.eq_any(amounts))
        .order((lines::booked_on, lines::id))
        .limit(limit)
        .load(conn)?;
    Ok(rows.into_iter().map(StoredLine::from).collect())
}

/// Lines with this amount, matched or not, in statements that end on this day or later. Those of the latest statements
/// come first.
pub fn moving(conn: &mut Conn, amount: Money, from: Day, limit: i64) -> Result<Vec<StoredLine>, Error> {
    let latest = statements::table.filter(statements::to_on.ge(from.start()));
    let latest: Vec<BankStatementId> = latest.select(statements::id).load(conn)?;
    if latest.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<LineRow> = lines::table
        .filter(lines::statement_id.eq_any(latest).and(lines::amount.eq(amount)))
        .order((lines::statement_id.desc(), lines::id.desc()))
        .limit(limit)
        .load(conn)?;
    Ok(rows.into_iter().map(StoredLine::from).collect())
}

/// Signs that people leave out of references, or put into them.
const SIGNS: &str = " !\"#$%&'()*+,-./:;=?@_|~";
/// Whether something in a line's number or references is not ASCII.
const OTHER_LETTERS: &str = "octet_length(line_key || reference_texts) > length(line_key || reference_texts)";

/// Lines of money that came in, in statements that end on this day or later, whose number or references may contain
/// these Latin letters and digits: with whatever signs between them, or in other letters, such as those with accents.
/// Those of the latest statements come first.
pub fn received_naming(conn: &mut Conn, plain: Option<&str>, from: Day, limit: i64) -> Result<Vec<StoredLine>, Error> {
    let latest = statements::table.filter(statements::to_on.ge(from.start()));
    let latest: Vec<BankStatementId> = latest.select(statements::id).load(conn)?;
    if latest.is_empty() {
        return Ok(Vec::new());
    }
    let received = || {
        lines::table
            .filter(lines::statement_id.eq_any(latest.clone()).and(lines::amount.gt(Money::ZERO)))
            .order((lines::statement_id.desc(), lines::id.desc()))
            .limit(limit)
    };
    let mut rows: Vec<LineRow> = received().filter(sql::<Bool>(OTHER_LETTERS)).load(conn)?;
    if let Some(plain) = plain {
        let unsigned = SIGNS.chars().fold("lower(line_key || ' ' || reference_texts)".to_owned(), |text, sign| {
            // In a text, SQL writes a quotation mark twice.
            let sign = if sign == '\'' { "''".to_owned() } else { sign.to_string() };
            format!("REPLACE({text}, '{sign}', '')")
        });
        rows.extend(received().filter(sql::<Text>(&unsigned).like(format!("%{plain}%"))).load::<LineRow>(conn)?);
    }
    Ok(rows.into_iter().map(StoredLine::from).collect())
}

statement!(
    LOCK,
    each: "SELECT id FROM bank_lines WHERE id = ANY(?)",
    lock: "ORDER BY id FOR NO KEY UPDATE",
);

/// Locks these lines, so that of two who decide what they were for, the second sees what the first did.
pub fn lock(tx: &mut Tx<'_>, ids: &[BankLineId]) -> Result<(), Error> {
    let _: Vec<One<BankLineId>> = LOCK.load(tx, &[ids.iter().collect()])?;
    Ok(())
}

/// The number of a statement's lines with one status, and their sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub lines: i64,
    pub amount: Money,
}

row! {
    struct SumRow {
        statement_id: BankStatementId,
        status: LineStatus,
        lines: i64,
        amount: Money,
    }
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
            let status = row.status;
            let sum = Sum { lines: row.lines, amount: row.amount };
            Ok(((row.statement_id, status), sum))
        })
        .collect()
}

/// The bank's balances in the ledger, and the sum of all its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Books {
    /// The sum of all lines.
    pub lines: Money,
    /// What the bank received according to the ledger, less what it paid out.
    pub bank: Money,
    /// Credited, but not on a line yet.
    pub recharge_clearing: Money,
    /// Paid out, but not on a line yet.
    pub payout_transit: Money,
}

row! {
    struct BooksRow {
        lines: Money,
        bank: Money,
        clearing: Money,
        transit: Money,
    }
}

/// The bank's balances. What the bank holds is a debit in the ledger, so it is the negative of the account's balance.
/// SQLite uses the index of these accounts only for a query that repeats one of the index's conditions.
pub fn books(conn: &mut Conn) -> Result<Books, Error> {
    let code = |account: PlatformAccount| Account::Platform(account).key().code;
    let query = NumberedQuery::new(&format!(
        "SELECT (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM bank_lines) AS lines, \
         (SELECT CAST(COALESCE(-SUM(amount), 0) AS BIGINT) FROM entries WHERE account_kind = {bank}) AS bank, \
         (SELECT CAST(COALESCE(-SUM(amount), 0) AS BIGINT) FROM entries WHERE account_kind = {clearing}) AS clearing, \
         (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM entries WHERE account_kind = {transit}) AS transit",
        bank = code(PlatformAccount::Bank),
        clearing = code(PlatformAccount::RechargeClearing),
        transit = code(PlatformAccount::PayoutTransit)
    ));
    let row: BooksRow = query.get_result(conn)?;
    Ok(Books { lines: row.lines, bank: row.bank, recharge_clearing: row.clearing, payout_transit: row.transit })
}
