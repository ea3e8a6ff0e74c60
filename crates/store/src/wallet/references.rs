//! Payment references in the form in which they are compared, and which document has each. For each kind of document, a
//! payment counts only once.

use std::collections::BTreeSet;

use db::bulk::{Statement, ascending};
use db::{One, insert};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, SmallInt, Text};
use wallet::{RequestKind, RequestStatus};

use crate::schema::{money_requests, payment_references as references, withdrawals};
use crate::{Conn, Error, Tx};

/// The kind of a withdrawal; requests have their own kind's number.
pub const WITHDRAWAL: i16 = 0;
/// Documents whose rows are this close to the newest one with a compared reference are checked again: servers of the
/// previous version may have added some without.
const AGAIN: i64 = 1_000;
/// Rows compared at a time.
const CHUNK: i64 = 2_000;
/// References looked for at a time.
const VALUES_AT_ONCE: usize = 5_000;

/// A document with a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holder {
    pub kind: i16,
    /// Its row; `None` for a payment that is only a transaction.
    pub row: Option<i64>,
}

// Inserts a reference, or locks the document that has it until the transaction ends.
const CLAIM: &str = "INSERT INTO payment_references (kind, compared, holder) VALUES ";
const OR_LOOK: &str = " ON CONFLICT (kind, compared) DO UPDATE SET holder = payment_references.holder RETURNING holder";

/// Gives a reference to a document; `false` if another one has it. Documents that were rejected or expired have no
/// reference.
pub fn claim(tx: &mut Tx<'_>, kind: i16, reference: &str, row: i64) -> Result<bool, Error> {
    let conn: &mut Conn = tx;
    let compared = bank::reference::compared(reference);
    let sql = match conn {
        Conn::Sqlite(_) => format!("{CLAIM}(?, ?, ?){OR_LOOK}"),
        Conn::Postgres(_) => format!("{CLAIM}($1, $2, $3){OR_LOOK}"),
    };
    let held: One<Option<i64>> = diesel::sql_query(sql)
        .bind::<SmallInt, _>(kind)
        .bind::<Text, _>(&compared)
        .bind::<BigInt, _>(row)
        .get_result(conn)?;
    match held.0 {
        Some(holder) if holder == row => return Ok(true),
        Some(holder) if kind != WITHDRAWAL && is_free(conn, holder)? => {}
        _ => return Ok(false),
    }
    diesel::update(references::table.find((kind, compared))).set(references::holder.eq(row)).execute(conn)?;
    Ok(true)
}

fn is_free(conn: &mut Conn, request: i64) -> Result<bool, Error> {
    let over = [RequestStatus::Rejected.code(), RequestStatus::Expired.code()];
    let found = money_requests::table.find(request).filter(money_requests::status.eq_any(over));
    Ok(diesel::select(diesel::dsl::exists(found)).get_result(conn)?)
}

/// The documents that have this reference in any spelling, one of each kind.
pub fn holders(conn: &mut Conn, reference: &str) -> Result<Vec<Holder>, Error> {
    let compared = bank::reference::compared(reference);
    let rows: Vec<(i16, Option<i64>)> = references::table
        .filter(references::compared.eq(compared))
        .select((references::kind, references::holder))
        .order(references::kind)
        .load(conn)?;
    Ok(rows.into_iter().map(|(kind, row)| Holder { kind, row }).collect())
}

/// The rows of requests of these kinds that have one of these references, in the form in which references are compared.
pub fn requests_under(conn: &mut Conn, kinds: &[RequestKind], compared: &[String]) -> Result<Vec<i64>, Error> {
    let kinds: Vec<i16> = kinds.iter().map(|kind| kind.code()).collect();
    let mut found = Vec::new();
    // SQLite takes 32,766 values in a statement.
    for compared in compared.chunks(VALUES_AT_ONCE) {
        let rows: Vec<Option<i64>> = references::table
            .filter(references::compared.eq_any(compared).and(references::kind.eq_any(kinds.clone())))
            .select(references::holder)
            .load(conn)?;
        found.extend(rows.into_iter().flatten());
    }
    Ok(found)
}

insert! {
    struct Kept<'a>, KEEP into "payment_references" {
        kind: i16,
        compared: &'a str,
        holder: Option<i64>,
    } then "ON CONFLICT DO NOTHING"
}

/// How far the comparison of older documents has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    stage: usize,
    above: i64,
}

/// The order in which older documents get their references: approved ones before open ones.
const STAGES: [Stage; 4] = [Stage::Transactions, Stage::Withdrawals, Stage::Approved, Stage::Requested];

#[derive(Clone, Copy, Debug)]
enum Stage {
    Transactions,
    Withdrawals,
    Approved,
    Requested,
}

/// Documents whose references are not stored yet, in the order in which they get them.
#[derive(Clone, Debug)]
pub struct Uncompared {
    of: Vec<(i16, String, Option<i64>)>,
    pub next: Compared,
}

/// The next documents from before references were compared; `None` if there are no more.
pub fn find_uncompared(conn: &mut Conn, mut at: Compared) -> Result<Option<Uncompared>, Error> {
    while let Some(stage) = STAGES.get(at.stage).copied() {
        let above = if at.above == 0 { begins_above(conn, stage)? } else { at.above };
        let found = part(conn, stage, above)?;
        at = match found.last() {
            Some((id, ..)) if !matches!(stage, Stage::Transactions) => Compared { above: *id, ..at },
            _ => Compared { stage: at.stage + 1, above: 0 },
        };
        let of_row = |id: i64| (!matches!(stage, Stage::Transactions)).then_some(id);
        let compared = found.into_iter().map(|(id, kind, text)| (kind, bank::reference::compared(&text), of_row(id)));
        let of = find_not_held(conn, compared.collect())?;
        if !of.is_empty() {
            return Ok(Some(Uncompared { of, next: at }));
        }
    }
    Ok(None)
}

fn find_not_held(
    conn: &mut Conn,
    mut of: Vec<(i16, String, Option<i64>)>,
) -> Result<Vec<(i16, String, Option<i64>)>, Error> {
    let texts: Vec<&String> = of.iter().map(|(_, compared, _)| compared).collect();
    let held: BTreeSet<(i16, String)> = references::table
        .filter(references::compared.eq_any(texts))
        .select((references::kind, references::compared))
        .load(conn)?
        .into_iter()
        .collect();
    of.retain(|(kind, compared, _)| !held.contains(&(*kind, compared.clone())));
    Ok(of)
}

/// Gives them their references. If several have the same, the first one keeps it.
pub fn keep(tx: &mut Tx<'_>, found: &Uncompared) -> Result<(), Error> {
    let kept = found.of.iter().map(|(kind, compared, holder)| Kept { kind: *kind, compared, holder: *holder });
    KEEP.execute(tx, &Kept::columns(&kept.collect::<Vec<_>>()))?;
    Ok(())
}

fn begins_above(conn: &mut Conn, stage: Stage) -> Result<i64, Error> {
    let of_requests = matches!(stage, Stage::Approved);
    let newest: Option<i64> = match stage {
        // There are few.
        Stage::Transactions | Stage::Requested => return Ok(i64::MIN + 1),
        Stage::Withdrawals | Stage::Approved if of_requests => references::table
            .filter(references::kind.ne(WITHDRAWAL))
            .select(diesel::dsl::max(references::holder))
            .first(conn)?,
        Stage::Withdrawals | Stage::Approved => references::table
            .filter(references::kind.eq(WITHDRAWAL))
            .select(diesel::dsl::max(references::holder))
            .first(conn)?,
    };
    Ok(newest.map_or(i64::MIN + 1, |newest| newest - AGAIN))
}

type Found = (i64, i16, String);

fn part(conn: &mut Conn, stage: Stage, above: i64) -> Result<Vec<Found>, Error> {
    let status = match stage {
        Stage::Transactions => return find_booked_before(conn),
        Stage::Withdrawals => {
            let rows: Vec<(i64, Option<String>)> = withdrawals::table
                .filter(withdrawals::id.gt(above).and(withdrawals::reference.is_not_null()))
                .select((withdrawals::id, withdrawals::reference))
                .order(withdrawals::id)
                .limit(CHUNK)
                .load(conn)?;
            return Ok(rows.into_iter().filter_map(|(id, text)| Some((id, WITHDRAWAL, text?))).collect());
        }
        Stage::Approved => RequestStatus::Approved,
        Stage::Requested => RequestStatus::Requested,
    };
    let rows: Vec<(i64, i16, Option<String>)> = money_requests::table
        .filter(money_requests::id.gt(above).and(money_requests::reference.is_not_null()))
        .filter(money_requests::status.eq(status))
        .select((money_requests::id, money_requests::kind, money_requests::reference))
        .order(money_requests::id)
        .limit(CHUNK)
        .load(conn)?;
    Ok(rows.into_iter().filter_map(|(id, kind, text)| Some((id, kind, text?))).collect())
}

/// Payments of advertisers from before they were requests. They exist only as transactions, with the bank's reference
/// as their key.
fn find_booked_before(conn: &mut Conn) -> Result<Vec<Found>, Error> {
    use crate::schema::transactions;
    let rows: Vec<(i64, Option<String>)> = transactions::table
        .filter(transactions::ref_type.eq("advertiser_funding").and(transactions::idempotency_key.is_not_null()))
        .select((transactions::id, transactions::idempotency_key))
        .order(transactions::idempotency_key)
        .load(conn)?;
    let kind = RequestKind::AdvertiserFund.code();
    Ok(rows.into_iter().filter_map(|(id, text)| Some((id, kind, text?))).collect())
}

/// A withdrawal with a reference: its number, amount, user and the reference as written.
pub type WithdrawalUse = (i64, i64, String, Option<String>);

pub fn withdrawals_of(conn: &mut Conn, rows: impl Iterator<Item = i64>) -> Result<Vec<WithdrawalUse>, Error> {
    use crate::schema::users;
    let ids = ascending(rows);
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    Ok(withdrawals::table
        .inner_join(users::table)
        .filter(withdrawals::id.eq_any(ids))
        .select((withdrawals::id, withdrawals::amount, users::username, withdrawals::reference))
        .load(conn)?)
}
