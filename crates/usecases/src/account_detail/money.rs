//! What a user waits for and staff decide on.

use base::{Money, Timestamp, UserId};
use serde::Serialize;
use store::{Conn, exchange, withdrawals as rows};
use wallet::WithdrawalStatus;

use super::MOST;
use crate::Error;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpenMoney {
    pub id: String,
    pub amount: String,
    pub status: String,
    pub since: String,
    pub age_seconds: i64,
    /// What comes next.
    pub next: String,
}

impl OpenMoney {
    fn new(id: String, amount: Money, status: &str, since: Timestamp, now: Timestamp) -> Self {
        Self {
            id,
            amount: amount.to_string(),
            status: status.to_owned(),
            since: since.to_string(),
            age_seconds: now.since(since).max(0) / 1000,
            next: String::new(),
        }
    }
}

pub(super) fn withdrawals(conn: &mut Conn, user: UserId, now: Timestamp) -> Result<Vec<OpenMoney>, Error> {
    let open = rows::open_of(conn, user, MOST)?;
    let view = |w: rows::Withdrawal| {
        let approved = w.review.status == WithdrawalStatus::Approved;
        let next = if approved { "another operator pays it" } else { "an operator approves it" };
        let status = w.review.status.name();
        OpenMoney { next: next.to_owned(), ..OpenMoney::new(w.id.to_string(), w.amount, status, w.requested_at, now) }
    };
    Ok(open.into_iter().map(view).collect())
}

pub(super) fn exchanges(conn: &mut Conn, user: UserId, now: Timestamp) -> Result<Vec<OpenMoney>, Error> {
    let open = exchange::current(conn, user)?;
    let view = |order: exchange::Order| {
        let next = match order.review.approved_by {
            Some(_) => format!("another operator completes it with {}", order.acceptor_name),
            None => format!("an operator hands it to {}", order.acceptor_name),
        };
        let status = order.review.status.name();
        OpenMoney { next, ..OpenMoney::new(order.id.to_string(), order.amount, status, order.created_at, now) }
    };
    Ok(open.into_iter().map(view).collect())
}
