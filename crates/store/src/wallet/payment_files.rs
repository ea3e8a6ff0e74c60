//! Files that tell the bank to pay withdrawals and publishers' payouts, and the payments in them.

use bank::Day;
use base::{Money, OperatorId, Timestamp};
use db::NumberedQuery;
use db::bulk::Statement as _;
use db::statement;
use diesel::dsl::{exists, not};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};
use wallet::{BankDocument, FirstDecision, RequestKind, RequestStatus};

use super::bank::documents::Key;
use super::references::WITHDRAWAL;
use crate::schema::{exported_payments as exported, money_requests as requests, payment_files as files};
use crate::{Conn, Error, Tx};

/// A file before its content is known.
#[derive(Clone, Copy, Debug)]
pub struct NewFile {
    pub kind: BankDocument,
    pub made_by: OperatorId,
    /// The person that operator counts as.
    pub made_person: OperatorId,
    pub execute_on: Day,
    pub payments: i64,
    pub total: Money,
}

/// Stores a file, and returns its number.
pub fn begin(tx: &mut Tx<'_>, new: &NewFile) -> Result<i64, Error> {
    let now = tx.now();
    let conn: &mut Conn = tx;
    let id: i64 = diesel::insert_into(files::table)
        .values((
            files::kind.eq(new.kind),
            files::message.eq(""),
            files::made_by.eq(new.made_by),
            files::made_person.eq(new.made_person),
            files::made_at.eq(now),
            files::execute_on.eq(new.execute_on.start().millis()),
            files::payments.eq(new.payments),
            files::total.eq(new.total),
            files::sha256.eq(Vec::new()),
        ))
        .returning(files::id)
        .get_result(conn)?;
    tx.notes().vouches("payment_files", id);
    Ok(id)
}

/// Stores how the bank knows the file, and what is in it.
pub fn finish(tx: &mut Tx<'_>, id: i64, message: &str, sha256: &[u8; 32]) -> Result<(), Error> {
    tx.notes().vouches("payment_files", id);
    let conn: &mut Conn = tx;
    diesel::update(files::table.find(id))
        .set((files::message.eq(message), files::sha256.eq(sha256.to_vec())))
        .execute(conn)?;
    Ok(())
}

/// A payment of a file.
#[derive(Clone, Debug)]
pub struct NewPayment {
    pub kind: BankDocument,
    /// The document's row.
    pub row: i64,
    pub amount: Money,
    pub end_to_end: String,
}

#[derive(QueryableByName)]
struct Added {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

statement!(
    INSERT,
    postgres: "INSERT INTO exported_payments (file_id, withdrawal_id, request_id, amount, end_to_end) \
         SELECT * FROM unnest(?, ?, ?, ?, ?) RETURNING id",
    sqlite: "INSERT INTO exported_payments (file_id, withdrawal_id, request_id, amount, end_to_end) \
         VALUES (?, ?, ?, ?, ?) RETURNING id",
);
statement!(
    CLAIM,
    postgres: "INSERT INTO payment_references (kind, compared, holder) SELECT * FROM unnest(?, ?, ?)",
    sqlite: "INSERT INTO payment_references (kind, compared, holder) VALUES (?, ?, ?)",
);

/// Stores a file's payments, and gives their ids to their documents: no other is paid under them.
///
/// # Errors
/// A unique violation if one is in a file already, or another document has an id; the transaction cannot continue after
/// it.
pub fn add(tx: &mut Tx<'_>, file: i64, new: &[NewPayment]) -> Result<(), Error> {
    let rows_of = |withdrawn: bool| -> Vec<Option<i64>> {
        new.iter().map(|one| Some(one.row).filter(|_| (one.kind == BankDocument::Withdrawal) == withdrawn)).collect()
    };
    let columns = [
        vec![file; new.len()].into(),
        rows_of(true).into(),
        rows_of(false).into(),
        new.iter().map(|one| one.amount.minor()).collect::<Vec<_>>().into(),
        new.iter().map(|one| one.end_to_end.clone()).collect::<Vec<_>>().into(),
    ];
    let added: Vec<Added> = INSERT.load(tx, &columns)?;
    added.iter().for_each(|row| tx.notes().vouches("exported_payments", row.id));
    let kind = |one: &NewPayment| match one.kind {
        BankDocument::Withdrawal => WITHDRAWAL,
        _ => RequestKind::PublisherPayout.code(),
    };
    let claims = [
        new.iter().map(kind).collect::<Vec<_>>().into(),
        new.iter().map(|one| bank::reference::compared(&one.end_to_end)).collect::<Vec<_>>().into(),
        new.iter().map(|one| one.row).collect::<Vec<_>>().into(),
    ];
    CLAIM.execute(tx, &claims)?;
    Ok(())
}

/// A document's payment in a file, until two people say that the bank did not take it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedPayment {
    id: i64,
    pub file: i64,
    pub message: String,
    pub end_to_end: String,
    pub made_at: Timestamp,
    /// Who said that the bank did not take it.
    pub doubted: Option<FirstDecision>,
}

type Row = (i64, i64, String, String, i64, Option<i64>, Option<i64>, Option<i64>);

/// The file that has a document.
pub fn of(conn: &mut Conn, kind: BankDocument, row: i64) -> Result<Option<ExportedPayment>, Error> {
    let live = exported::table.inner_join(files::table).filter(exported::freed_at.is_null()).select((
        exported::id,
        files::id,
        files::message,
        exported::end_to_end,
        files::made_at,
        exported::doubted_by,
        exported::doubted_person,
        exported::doubted_at,
    ));
    let found: Option<Row> = match kind {
        BankDocument::Withdrawal => live.filter(exported::withdrawal_id.eq(row)).first(conn).optional()?,
        _ => live.filter(exported::request_id.eq(row)).first(conn).optional()?,
    };
    Ok(found.map(|(id, file, message, end_to_end, made_at, by, person, at)| ExportedPayment {
        id,
        file,
        message,
        end_to_end,
        made_at: Timestamp::from_millis(made_at),
        doubted: by.map(|by| FirstDecision {
            by: OperatorId(by),
            person: person.map(OperatorId),
            at: at.map(Timestamp::from_millis),
        }),
    }))
}

/// Stores that somebody says that the bank did not take it.
pub fn doubt(tx: &mut Tx<'_>, of: &ExportedPayment, by: OperatorId, person: OperatorId) -> Result<(), Error> {
    tx.notes().vouches("exported_payments", of.id);
    let now = tx.now();
    let conn: &mut Conn = tx;
    diesel::update(exported::table.find(of.id))
        .set((exported::doubted_by.eq(by), exported::doubted_person.eq(person), exported::doubted_at.eq(now)))
        .execute(conn)?;
    Ok(())
}

/// Stores that another agrees: it is in no file any more.
pub fn free(tx: &mut Tx<'_>, of: &ExportedPayment, by: OperatorId) -> Result<(), Error> {
    tx.notes().vouches("exported_payments", of.id);
    let now = tx.now();
    let conn: &mut Conn = tx;
    diesel::update(exported::table.find(of.id))
        .set((exported::freed_by.eq(by), exported::freed_at.eq(now)))
        .execute(conn)?;
    Ok(())
}

/// The rows of approved payouts of publishers that are neither paid nor in a file, oldest first.
pub fn exportable_payouts(conn: &mut Conn, most: i64) -> Result<Vec<i64>, Error> {
    let taken =
        exported::table.filter(exported::request_id.eq(requests::id.nullable())).filter(exported::freed_at.is_null());
    Ok(requests::table
        .filter(requests::kind.eq(RequestKind::PublisherPayout))
        .filter(requests::status.eq(RequestStatus::Approved).and(requests::paid_at.is_null()))
        .filter(not(exists(taken)))
        .order(requests::id)
        .limit(most)
        .select(requests::id)
        .load(conn)?)
}

/// A document that is not booked as paid, with its payment in a file if it is in one.
#[derive(QueryableByName)]
struct UnpaidRow {
    #[diesel(sql_type = Bool)]
    withdrawn: bool,
    #[diesel(sql_type = BigInt)]
    row_id: i64,
    #[diesel(sql_type = Nullable<Text>)]
    end_to_end: Option<String>,
    #[diesel(sql_type = Nullable<BigInt>)]
    made_by: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    made_person: Option<i64>,
}

/// What the bank was told to pay, and is not booked as paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuePayment {
    pub withdrawn: bool,
    pub row: i64,
    pub end_to_end: String,
    made_by: i64,
    made_person: i64,
}

const UNPAID: &str = "SELECT d.withdrawn, d.row_id, i.end_to_end, f.made_by, f.made_person FROM \
     (SELECT (1 = 1) AS withdrawn, w.id AS row_id FROM withdrawals w WHERE w.status <> 2 AND w.id IN (WITHDRAWALS) \
     UNION ALL SELECT (1 = 0) AS withdrawn, r.id AS row_id FROM money_requests r \
     WHERE r.kind = 11 AND r.paid_at IS NULL AND r.id IN (REQUESTS)) d \
     LEFT JOIN exported_payments i ON i.freed_at IS NULL \
     AND ((d.withdrawn AND i.withdrawal_id = d.row_id) OR (NOT d.withdrawn AND i.request_id = d.row_id)) \
     LEFT JOIN payment_files f ON f.id = i.file_id ORDER BY d.withdrawn, d.row_id";

/// Of these documents, those that are not booked as paid; `None` if one of them is in no file either.
pub fn due(conn: &mut Conn, documents: &[Key]) -> Result<Option<Vec<DuePayment>>, Error> {
    let listed = |withdrawn: bool| {
        let of = documents.iter().filter(|key| (key.kind == BankDocument::Withdrawal) == withdrawn);
        let rows: Vec<String> = of.map(|key| key.row.to_string()).collect();
        if rows.is_empty() { "-1".to_owned() } else { rows.join(", ") }
    };
    let sql = UNPAID.replace("WITHDRAWALS", &listed(true)).replace("REQUESTS", &listed(false));
    let rows: Vec<UnpaidRow> = diesel::sql_query(sql).load(conn)?;
    let due = |row: UnpaidRow| {
        Some(DuePayment {
            withdrawn: row.withdrawn,
            row: row.row_id,
            end_to_end: row.end_to_end?,
            made_by: row.made_by?,
            made_person: row.made_person?,
        })
    };
    Ok(rows.into_iter().map(due).collect())
}

statement!(
    PAY_WITHDRAWALS,
    postgres: "UPDATE withdrawals w SET status = 2, paid_by = u.b, reference = u.r, decided_at = u.t \
         FROM unnest(?, ?, ?, ?) AS u(b, r, t, id) WHERE w.id = u.id",
    sqlite: "UPDATE withdrawals SET status = 2, paid_by = ?, reference = ?, decided_at = ? WHERE id = ?",
);
statement!(
    PAY_REQUESTS,
    postgres: "UPDATE money_requests q SET paid_by = u.b, paid_person = u.p, reference = u.r, paid_at = u.t \
         FROM unnest(?, ?, ?, ?, ?) AS u(b, p, r, t, id) WHERE q.id = u.id",
    sqlite: "UPDATE money_requests SET paid_by = ?, paid_person = ?, reference = ?, paid_at = ? WHERE id = ?",
);

/// Stores that the bank paid them, on the word of whoever made their file.
pub fn paid(tx: &mut Tx<'_>, due: &[DuePayment]) -> Result<(), Error> {
    let now = tx.now().millis();
    let (withdrawn, asked): (Vec<&DuePayment>, Vec<&DuePayment>) = due.iter().partition(|one| one.withdrawn);
    let numbers = |of: &[&DuePayment], get: fn(&DuePayment) -> i64| of.iter().map(|one| get(one)).collect::<Vec<_>>();
    let ids = |of: &[&DuePayment]| of.iter().map(|one| one.end_to_end.clone()).collect::<Vec<_>>();
    withdrawn.iter().for_each(|one| tx.notes().vouches("withdrawals", one.row));
    asked.iter().for_each(|one| tx.notes().vouches("money_requests", one.row));
    let columns = [
        numbers(&withdrawn, |one| one.made_by).into(),
        ids(&withdrawn).into(),
        vec![now; withdrawn.len()].into(),
        numbers(&withdrawn, |one| one.row).into(),
    ];
    PAY_WITHDRAWALS.execute(tx, &columns)?;
    let columns = [
        numbers(&asked, |one| one.made_by).into(),
        numbers(&asked, |one| one.made_person).into(),
        ids(&asked).into(),
        vec![now; asked.len()].into(),
        numbers(&asked, |one| one.row).into(),
    ];
    PAY_REQUESTS.execute(tx, &columns)?;
    Ok(())
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = BigInt)]
    found: i64,
}

/// Whether a line of the bank is matched with the document, or waits for it.
pub fn is_matched(conn: &mut Conn, kind: BankDocument, row: i64) -> Result<bool, Error> {
    let column = if kind == BankDocument::Withdrawal { "withdrawal_id" } else { "request_id" };
    let matched = format!("SELECT COUNT(*) AS found FROM bank_matches WHERE status IN (0, 1, 3) AND {column} = ?");
    let counted: Found = NumberedQuery::new(&matched).bind(row).get_result(conn)?;
    Ok(counted.found > 0)
}
