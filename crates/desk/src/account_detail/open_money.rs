//! Money that the user waits for and staff decide on.

use base::{Money, Timestamp, UserId};
use foundation::Error;
use serde::Serialize;
use store::Conn;
use store::staff::requests;
use store::wallet::{exchange, withdrawals as rows};
use wallet::{RequestStatus, WithdrawalStatus};

use crate::account_detail::MOST;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpenMoney {
    /// `withdrawal`, `exchange` or the kind of a request.
    pub kind: String,
    pub id: String,
    pub amount: Money,
    pub status: String,
    pub since: Timestamp,
    pub age_seconds: i64,
    /// When it expires without a decision.
    pub expires_at: Option<Timestamp>,
    /// The next step.
    pub next: String,
}

impl OpenMoney {
    fn new(kind: &str, id: String, amount: Money, since: Timestamp, now: Timestamp) -> Self {
        Self {
            kind: kind.to_owned(),
            id,
            amount,
            status: String::new(),
            since,
            age_seconds: now.since(since).max(0) / 1000,
            expires_at: None,
            next: String::new(),
        }
    }
}

pub(super) fn withdrawals(conn: &mut Conn, user: UserId, now: Timestamp) -> Result<Vec<OpenMoney>, Error> {
    let open = rows::open_of(conn, user, MOST)?;
    let view = |w: rows::Withdrawal| {
        let approved = w.review.status == WithdrawalStatus::Approved;
        let next = if approved { "another operator pays it" } else { "an operator approves it" };
        let status = w.review.status.name().to_owned();
        let open = OpenMoney::new("withdrawal", w.id.to_string(), w.amount, w.requested_at, now);
        OpenMoney { status, next: next.to_owned(), ..open }
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
        let status = order.review.status.name().to_owned();
        let open = OpenMoney::new("exchange", order.id.to_string(), order.amount, order.created_at, now);
        OpenMoney { status, next, ..open }
    };
    Ok(open.into_iter().map(view).collect())
}

/// The requests about this user that are not decided yet.
pub(super) fn requests(conn: &mut Conn, user: UserId, now: Timestamp) -> Result<Vec<OpenMoney>, Error> {
    let open =
        requests::RequestFilter { status: Some(RequestStatus::Requested), user: Some(user), ..Default::default() };
    let view = |request: requests::MoneyRequest| {
        let open =
            OpenMoney::new(request.kind.name(), request.id.to_string(), request.amount, request.requested_at, now);
        OpenMoney {
            status: request.review.status.name().to_owned(),
            expires_at: Some(request.review.expires_at),
            next: "another operator approves it".to_owned(),
            ..open
        }
    };
    Ok(requests::page(conn, &open, now, MOST)?.items.into_iter().map(view).collect())
}
