//! The user's recharges: each was requested by staff after a payment, and is credited once
//! a second operator has approved it.

pub mod announcements;

use base::{Money, RequestId, Timestamp, UserId};
use foundation::{App, Error};
use serde::Serialize;
use store::staff::requests::{self as rows, MoneyRequest, RequestFilter};
use store::{Page, PageRequest};
use utoipa::ToSchema;
use wallet::RequestDocument;

pub use wallet::RequestStatus;

/// A recharge as its user sees it: without who requested and decided it, and their reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Recharge)]
pub struct RechargeView {
    pub id: RequestId,
    /// A decimal in the platform's currency.
    pub amount: Money,
    /// `requested` until somebody decides, `approved` once it is credited.
    pub status: RequestStatus,
    /// The bank's reference of the payment.
    pub reference: Option<String>,
    pub requested_at: Timestamp,
    /// When it lapses if nobody has decided.
    pub expires_at: Timestamp,
    pub decided_at: Option<Timestamp>,
}

impl RechargeView {
    fn of(request: MoneyRequest, now: Timestamp) -> Self {
        Self {
            id: request.id,
            amount: request.amount,
            status: request.review.status_at(now),
            reference: request.reference,
            requested_at: request.requested_at,
            expires_at: request.review.expires_at,
            decided_at: request.decided_at,
        }
    }
}

/// Newest first; of one status if given.
pub async fn recharges(
    app: &App,
    user: UserId,
    status: Option<RequestStatus>,
    page: PageRequest,
) -> Result<Page<RechargeView>, Error> {
    let now = app.now();
    let filter = RequestFilter {
        document: Some(RequestDocument::Recharge),
        status,
        user: Some(user),
        ..RequestFilter::default()
    };
    let found = app.db.read(move |conn| rows::page(conn, &filter, now, page)).await?;
    Ok(found.map(|request| RechargeView::of(request, now)))
}
