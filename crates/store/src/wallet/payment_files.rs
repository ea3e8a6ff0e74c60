//! Files that tell the bank to pay withdrawals and publishers' payouts, and the payments in them.

use bank::Day;
use base::{Money, OperatorId, Timestamp};
use db::NumberedQuery;
use db::bulk::Statement as _;
use db::{One, insert, row, update};
use diesel::dsl::{exists, not};
use diesel::prelude::*;
use wallet::{BankDocument, FirstDecision, RequestKind, RequestStatus, WithdrawalStatus};

use super::bank::documents::Key;
use super::bank::matches;
use super::references::WITHDRAWAL;
use crate::schema::{exported_payments as exported, money_requests as requests, payment_files as files};
use crate::{Conn, Error, Tx, will_change};

/// A file before its content is known.
#[derive(Clone, Copy, Debug, Insertable)]
#[diesel(table_name = files)]
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
    let id: i64 = diesel::insert_into(files::table)
        .values((new, files::message.eq(""), files::made_at.eq(tx.now()), files::sha256.eq(Vec::new())))
        .returning(files::id)
        .get_result(tx.conn())?;
    tx.notes().vouches("payment_files", id);
    Ok(id)
}

/// Stores the file's id at the bank and its digest.
pub fn finish(tx: &mut Tx<'_>, id: i64, message: &str, sha256: &[u8; 32]) -> Result<(), Error> {
    will_change(tx, "payment_files", [id])?;
    tx.run(diesel::update(files::table.find(id)).set((files::message.eq(message), files::sha256.eq(sha256.to_vec()))))
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

insert! {
    struct InsertedPayment<'a>, INSERT into "exported_payments" {
        file_id: i64,
        withdrawal_id: Option<i64>,
        request_id: Option<i64>,
        amount: Money,
        end_to_end: &'a str,
    } then "RETURNING id"
}
insert! {
    struct Claim, CLAIM into "payment_references" {
        kind: i16,
        compared: String,
        holder: i64,
    }
}

/// Stores a file's payments, and gives their ids to their documents as references, so that no other document is paid
/// under them.
///
/// # Errors
/// A unique violation if one is in a file already, or another document has an id; the transaction cannot continue after
/// it.
pub fn add(tx: &mut Tx<'_>, file: i64, new: &[NewPayment]) -> Result<(), Error> {
    let rows = new.iter().map(|NewPayment { kind, row, amount, end_to_end }| {
        let withdrawn = *kind == BankDocument::Withdrawal;
        let (withdrawal_id, request_id) = if withdrawn { (Some(*row), None) } else { (None, Some(*row)) };
        InsertedPayment { file_id: file, withdrawal_id, request_id, amount: *amount, end_to_end }
    });
    let added: Vec<One<i64>> = INSERT.load(tx, &InsertedPayment::columns(&rows.collect::<Vec<_>>()))?;
    added.iter().for_each(|row| tx.notes().vouches("exported_payments", row.0));
    let claim = |one: &NewPayment| Claim {
        kind: match one.kind {
            BankDocument::Withdrawal => WITHDRAWAL,
            _ => RequestKind::PublisherPayout.code(),
        },
        compared: bank::reference::compared(&one.end_to_end),
        holder: one.row,
    };
    CLAIM.execute(tx, &Claim::columns(&new.iter().map(claim).collect::<Vec<_>>()))?;
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

type Row = (i64, i64, String, String, Timestamp, Option<OperatorId>, Option<OperatorId>, Option<Timestamp>);

/// The payment of a document in a file, if there is one.
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
        made_at,
        doubted: by.map(|by| FirstDecision { by, person, at }),
    }))
}

/// Stores that an operator reports that the bank did not take it.
pub fn doubt(tx: &mut Tx<'_>, of: &ExportedPayment, by: OperatorId, person: OperatorId) -> Result<(), Error> {
    will_change(tx, "exported_payments", [of.id])?;
    tx.run(diesel::update(exported::table.find(of.id)).set((
        exported::doubted_by.eq(by),
        exported::doubted_person.eq(person),
        exported::doubted_at.eq(tx.now()),
    )))
}

/// Stores that a second person agrees. The document is in no file any more.
pub fn free(tx: &mut Tx<'_>, of: &ExportedPayment, by: OperatorId) -> Result<(), Error> {
    will_change(tx, "exported_payments", [of.id])?;
    tx.run(
        diesel::update(exported::table.find(of.id)).set((exported::freed_by.eq(by), exported::freed_at.eq(tx.now()))),
    )
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

row! {
    /// A document that is not booked as paid, with its payment in a file if it is in one.
    struct UnpaidRow {
        withdrawn: bool,
        row_id: i64,
        end_to_end: Option<String>,
        made_by: Option<OperatorId>,
        made_person: Option<OperatorId>,
    }
}

/// A payment that the bank was told to make, and that is not booked as paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuePayment {
    pub withdrawn: bool,
    pub row: i64,
    pub end_to_end: String,
    made_by: OperatorId,
    made_person: OperatorId,
}

fn unpaid(withdrawals: &str, requests: &str) -> String {
    format!(
        "SELECT d.withdrawn, d.row_id, i.end_to_end, f.made_by, f.made_person FROM \
     (SELECT (1 = 1) AS withdrawn, w.id AS row_id FROM withdrawals w WHERE w.status <> {paid} AND w.id IN ({withdrawals}) \
     UNION ALL SELECT (1 = 0) AS withdrawn, r.id AS row_id FROM money_requests r \
     WHERE r.kind = {payout} AND r.paid_at IS NULL AND r.id IN ({requests})) d \
     LEFT JOIN exported_payments i ON i.freed_at IS NULL \
     AND ((d.withdrawn AND i.withdrawal_id = d.row_id) OR (NOT d.withdrawn AND i.request_id = d.row_id)) \
     LEFT JOIN payment_files f ON f.id = i.file_id ORDER BY d.withdrawn, d.row_id",
        paid = WithdrawalStatus::Paid.code(),
        payout = RequestKind::PublisherPayout.code()
    )
}

/// Those of these documents that are not booked as paid; `None` if one of them is in no file.
pub fn find_due(conn: &mut Conn, documents: &[Key]) -> Result<Option<Vec<DuePayment>>, Error> {
    let listed = |withdrawn: bool| {
        let of = documents.iter().filter(|key| (key.kind == BankDocument::Withdrawal) == withdrawn);
        let rows: Vec<String> = of.map(|key| key.row.to_string()).collect();
        if rows.is_empty() { "-1".to_owned() } else { rows.join(", ") }
    };
    let rows: Vec<UnpaidRow> = diesel::sql_query(unpaid(&listed(true), &listed(false))).load(conn)?;
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

update! {
    struct PaidWithdrawal<'a>, PAY_WITHDRAWALS of "withdrawals" {
        status: WithdrawalStatus,
        paid_by: OperatorId,
        reference: &'a str,
        decided_at: Timestamp,
    } by { id: i64 }
}
update! {
    struct PaidRequest<'a>, PAY_REQUESTS of "money_requests" {
        paid_by: OperatorId,
        paid_person: OperatorId,
        reference: &'a str,
        paid_at: Timestamp,
    } by { id: i64 }
}

/// Stores that the bank made these payments. They count as paid by the operator who made their file.
pub fn mark_paid(tx: &mut Tx<'_>, due: &[DuePayment]) -> Result<(), Error> {
    let now = tx.now();
    let (withdrawn, asked): (Vec<&DuePayment>, Vec<&DuePayment>) = due.iter().partition(|one| one.withdrawn);
    will_change(tx, "withdrawals", withdrawn.iter().map(|one| one.row))?;
    will_change(tx, "money_requests", asked.iter().map(|one| one.row))?;
    let withdrawals = withdrawn.iter().map(|one| PaidWithdrawal {
        status: WithdrawalStatus::Paid,
        paid_by: one.made_by,
        reference: &one.end_to_end,
        decided_at: now,
        id: one.row,
    });
    PAY_WITHDRAWALS.execute(tx, &PaidWithdrawal::columns(&withdrawals.collect::<Vec<_>>()))?;
    let requests = asked.iter().map(|one| PaidRequest {
        paid_by: one.made_by,
        paid_person: one.made_person,
        reference: &one.end_to_end,
        paid_at: now,
        id: one.row,
    });
    PAY_REQUESTS.execute(tx, &PaidRequest::columns(&requests.collect::<Vec<_>>()))?;
    Ok(())
}

/// Whether a line of the bank is matched with the document, or a match is proposed.
pub fn is_matched(conn: &mut Conn, kind: BankDocument, row: i64) -> Result<bool, Error> {
    let column = if kind == BankDocument::Withdrawal { "withdrawal_id" } else { "request_id" };
    let current = matches::current();
    let matched = format!("SELECT COUNT(*) AS found FROM bank_matches WHERE status IN ({current}) AND {column} = ?");
    let counted: One<i64> = NumberedQuery::new(&matched).bind(row).get_result(conn)?;
    Ok(counted.0 > 0)
}
