//! What users owe because chargebacks could not take it: what was written off, less what was collected or waived since.
//! It is the sum of approved requests, which the audit log protects.

use std::collections::HashMap;

use base::{Money, UserId};
use db::bulk::{Statement as _, ascending};
use db::{row, statement};
use wallet::{RequestKind, RequestStatus};

use crate::{Conn, Error};

row! {
    struct DueRow {
        user_id: UserId,
        due: Money,
    }
}

// A user has few requests, and they have an index.
statement!(
    DUE,
    each: &format!(
        "SELECT user_id, CAST(SUM(CASE kind WHEN {chargeback} THEN written_off ELSE -amount END) AS BIGINT) AS due \
         FROM money_requests WHERE user_id = ANY(?) AND status = {approved} AND kind IN ({chargeback}, {collected}, {waived}) \
         GROUP BY user_id",
        chargeback = RequestKind::Chargeback.code(),
        collected = RequestKind::ChargebackCollection.code(),
        waived = RequestKind::ChargebackWaiver.code(),
        approved = RequestStatus::Approved.code(),
    ),
);

/// What is due, by user; users without a chargeback are left out. It changes only while the user's books are locked.
pub fn due_of(conn: &mut Conn, users: impl IntoIterator<Item = UserId>) -> Result<HashMap<UserId, Money>, Error> {
    let rows: Vec<DueRow> = DUE.load(conn, &[ascending(users.into_iter().map(|user| user.0)).into()])?;
    Ok(rows.into_iter().map(|row| (row.user_id, row.due)).collect())
}

/// What a user owes; zero without a chargeback.
pub fn due(conn: &mut Conn, user: UserId) -> Result<Money, Error> {
    Ok(due_of(conn, [user])?.remove(&user).unwrap_or_default())
}
