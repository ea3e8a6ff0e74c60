//! Verifies which document has a bank's reference against the documents themselves, which the audit log protects. If no
//! document had a reference, its payment could be credited again.

use std::collections::BTreeMap;

use diesel::prelude::*;
use wallet::{RequestKind, RequestStatus};

use super::faults::{Faults, Law};
use crate::installation::protected::WITH_CODES;
use crate::schema::{audit, money_requests, payment_references, withdrawals};
use crate::wallet::references::WITHDRAWAL;
use crate::{Conn, Error};

/// Documents read at a time.
const CHUNK: i64 = 4_000;

/// The rows of the documents with a reference, by kind of document and compared form. Several documents may have the
/// same reference from before references were compared.
type Holders = BTreeMap<(i16, String), Vec<i64>>;

pub(super) fn check(conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
    let mut documents = Holders::new();
    withdrawals(conn, &mut documents)?;
    requests(conn, &mut documents)?;
    let held = read_references(conn)?;
    for ((kind, compared), rows) in &documents {
        let holder = held.get(&(*kind, compared.clone()));
        if !holder.is_some_and(|holder| holder.is_none_or(|row| rows.contains(&row))) {
            faults.add(Law::Rows, || {
                let name = if RequestKind::try_from(*kind).is_ok() { "request" } else { "withdrawal" };
                format!(
                    "the reference of {name} {} is not held for it: it could count again",
                    rows.first().unwrap_or(&0)
                )
            });
        }
    }
    check_shared(conn, &documents, faults)
}

/// A document that got its reference since references are compared shares it with no other. Somebody may have given the
/// reference to a request that was over, and so set it free, which leaves no trace in the reference's own row.
fn check_shared(conn: &mut Conn, documents: &Holders, faults: &mut Faults) -> Result<(), Error> {
    let name = |kind: i16, row: &i64| match RequestKind::try_from(kind) {
        Ok(kind) => format!("{}:{row}", kind.document()),
        Err(_) => format!("withdrawal:{row}"),
    };
    let mut names: Vec<String> = Vec::new();
    for ((kind, _), rows) in documents.iter().filter(|(_, rows)| rows.len() > 1) {
        names.extend(rows.iter().map(|row| name(*kind, row)));
    }
    if names.is_empty() {
        return Ok(());
    }
    // A payout gets its reference when it is paid.
    let since: Vec<String> = audit::table
        .filter(audit::subject.eq_any(names).and(audit::version.ge(WITH_CODES)))
        .filter(audit::action.like("%.request").or(audit::action.like("%.pay")))
        .select(audit::subject)
        .distinct()
        .order(audit::subject)
        .load(conn)?;
    for document in since {
        faults.add(Law::Rows, || format!("{document} has the reference of another, which counts only once"));
    }
    Ok(())
}

fn read_references(conn: &mut Conn) -> Result<BTreeMap<(i16, String), Option<i64>>, Error> {
    let rows: Vec<(i16, String, Option<i64>)> = payment_references::table.load(conn)?;
    Ok(rows.into_iter().map(|(kind, compared, holder)| ((kind, compared), holder)).collect())
}

fn withdrawals(conn: &mut Conn, documents: &mut Holders) -> Result<(), Error> {
    let mut above = i64::MIN;
    loop {
        let found: Vec<(i64, Option<String>)> = withdrawals::table
            .filter(withdrawals::id.gt(above).and(withdrawals::reference.is_not_null()))
            .select((withdrawals::id, withdrawals::reference))
            .order(withdrawals::id)
            .limit(CHUNK)
            .load(conn)?;
        let Some((last, _)) = found.last() else { return Ok(()) };
        above = *last;
        for (row, reference) in found {
            note(documents, WITHDRAWAL, reference, row);
        }
    }
}

fn requests(conn: &mut Conn, documents: &mut Holders) -> Result<(), Error> {
    let standing = [RequestStatus::Requested.code(), RequestStatus::Approved.code()];
    let mut above = i64::MIN;
    loop {
        let found: Vec<(i64, i16, Option<String>)> = money_requests::table
            .filter(money_requests::id.gt(above).and(money_requests::reference.is_not_null()))
            .filter(money_requests::status.eq_any(standing))
            .select((money_requests::id, money_requests::kind, money_requests::reference))
            .order(money_requests::id)
            .limit(CHUNK)
            .load(conn)?;
        let Some((last, ..)) = found.last() else { return Ok(()) };
        above = *last;
        for (row, kind, reference) in found {
            note(documents, kind, reference, row);
        }
    }
}

fn note(documents: &mut Holders, kind: i16, reference: Option<String>, row: i64) {
    let compared = bank::reference::compared(reference.as_deref().unwrap_or_default());
    documents.entry((kind, compared)).or_default().push(row);
}
