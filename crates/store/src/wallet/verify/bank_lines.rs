//! Compares the bank's lines, and the documents that the bank has shown, with the matches, which the audit log protects.

use diesel::prelude::*;
use wallet::{LineStatus, MatchStatus};

use super::faults::{Faults, Law};
use crate::{Conn, Error};
use db::row;

row! {
    struct Mismatch {
        what: String,
        id: i64,
        /// The statement of a line.
        statement: i64,
    }
}

pub(super) fn check(conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
    for Mismatch { what, id, statement } in diesel::sql_query(sql()).load(conn)? {
        faults.add(Law::Rows, || match what.as_str() {
            "line" => {
                format!("bank statement {statement}: line {id} does not have the status that its matches give it")
            }
            "match" => format!("bank match {id} joins a line and a document of different amounts"),
            what => format!("the bank has shown {what} {id} according to its row or to its matches, but not to both"),
        });
    }
    Ok(())
}

/// The query. A doubted match stands until a second person agrees that it is wrong.
fn sql() -> String {
    let (confirmed, doubted) = (MatchStatus::Confirmed.code(), MatchStatus::Doubted.code());
    let (open, matched, ignored) = (LineStatus::Open.code(), LineStatus::Matched.code(), LineStatus::Ignored.code());
    let stands = format!("m.status IN ({confirmed}, {doubted})");
    format!(
        "SELECT what, id, statement FROM (SELECT 'line' AS what, l.id AS id, l.statement_id AS statement FROM bank_lines l LEFT JOIN bank_matches m \
         ON m.line_id = l.id AND {stands} WHERE l.status <> CASE WHEN m.id IS NULL THEN {open} \
         WHEN m.request_id IS NULL AND m.withdrawal_id IS NULL THEN {ignored} ELSE {matched} END \
         UNION ALL SELECT 'request' AS what, d.id AS id, d.id AS statement FROM money_requests d WHERE (d.cleared_at IS NOT NULL) <> \
         EXISTS (SELECT 1 FROM bank_matches m WHERE m.request_id = d.id AND {stands}) \
         UNION ALL SELECT 'withdrawal' AS what, d.id AS id, d.id AS statement FROM withdrawals d WHERE (d.cleared_at IS NOT NULL) <> \
         EXISTS (SELECT 1 FROM bank_matches m WHERE m.withdrawal_id = d.id AND {stands}) \
         UNION ALL SELECT 'match' AS what, m.id AS id, l.statement_id AS statement FROM bank_matches m JOIN bank_lines l ON l.id = m.line_id \
         LEFT JOIN money_requests r ON r.id = m.request_id LEFT JOIN withdrawals w ON w.id = m.withdrawal_id \
         WHERE {stands} AND ABS(l.amount) <> COALESCE(r.amount, w.amount)) found ORDER BY what, id LIMIT 20"
    )
}
