//! The calls that a session of staff in a user's account may make: those that only read, and are listed here.
//! Everything else is refused, so a new call is refused until somebody has thought about it.

use actix_web::HttpRequest;

/// The calls that change nothing, not even what counts as read.
const READS: &[(&str, &[&str])] = &[
    (
        "GET",
        &[
            "/api/acceptor/list",
            "/api/acceptor/order/list",
            "/api/activities",
            "/api/ad/order/data_statistics/list",
            "/api/assistance/list",
            "/api/bank_card/detail",
            "/api/conversation",
            "/api/customer/messages",
            "/api/customer/pictures/{id}",
            "/api/level",
            "/api/level/credit",
            "/api/plan/compare",
            "/api/plan/order/event",
            "/api/plan/order/events",
            "/api/plan/order/list",
            "/api/plan/order/series",
            "/api/plan/product/results",
            "/api/products",
            "/api/report",
            "/api/transaction_flow/by_day",
            "/api/transaction_flow/export",
            "/api/transaction_flow/list",
            "/api/transaction_flow/proof",
            "/api/user/info",
            "/api/user/property",
            "/api/user/push",
            "/api/user/recharge/announcements",
            "/api/user/recharges",
            "/api/user/sessions",
            "/api/user_coupon/list",
            "/api/withdrawals",
            "/api/withdrawals/pace",
        ],
    ),
    (
        "POST",
        &[
            "/api/plan/order/app/detail",
            "/api/plan/order/await/put/count",
            "/api/plan/order/detail",
            "/api/plan/order/quote",
            "/api/user/notifications",
            "/api/user/notifications/unread_count",
        ],
    ),
];

pub fn may_call(request: &HttpRequest) -> bool {
    let Some(path) = request.match_pattern() else { return false };
    let method = request.method().as_str();
    READS.iter().any(|(with, paths)| *with == method && paths.contains(&path.as_str()))
}
