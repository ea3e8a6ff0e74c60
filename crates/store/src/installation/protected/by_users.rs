//! Documents of users, which the ledger protects.

use super::Field::{Bool, Later, Made, Plain};
use super::ProtectedTable;
use crate::staff::audit::WITH_ROWS;

/// Compared with the transaction of this kind that moved the money.
pub const BY_USERS: &[(wallet::TransactionKind, ProtectedTable)] = &[
    (
        wallet::TransactionKind::PlanPut,
        ProtectedTable {
            table: "plans",
            key: "id",
            name: "plan",
            columns: &[
                Plain("plan_no"),
                Plain("user_id"),
                Plain("product_id"),
                Plain("advertiser_id"),
                Bool("official"),
                Plain("content_type"),
                // As put. What was added later is compared with its transactions.
                Made {
                    name: "put_amount",
                    sqlite: "CAST(put_amount - added_amount AS TEXT)",
                    postgres: "CAST(put_amount - added_amount AS TEXT)",
                },
                Made {
                    name: "paid_amount",
                    sqlite: "CAST(paid_amount - added_amount AS TEXT)",
                    postgres: "CAST(paid_amount - added_amount AS TEXT)",
                },
                Plain("unit_milli"),
                Plain("pricing"),
                Plain("price"),
                Plain("days"),
                Plain("payout"),
                Plain("attribution_days"),
                Plain("fee_rate"),
                Plain("put_at"),
                Plain("coupon_id"),
                Plain("conversions_per_click"),
                Plain("landing_url"),
            ],
            undecided: &[],
            since: WITH_ROWS,
        },
    ),
    (
        wallet::TransactionKind::WithdrawalAsked,
        ProtectedTable {
            table: "withdrawals",
            key: "id",
            name: "withdrawal",
            columns: &[Plain("user_id"), Plain("amount"), Plain("fee"), Plain("destination"), Plain("requested_at")],
            undecided: &[],
            since: WITH_ROWS,
        },
    ),
    (
        wallet::TransactionKind::ExchangePut,
        ProtectedTable {
            table: "exchange_orders",
            key: "id",
            name: "exchange",
            columns: &[
                Plain("user_id"),
                Plain("acceptor_id"),
                Plain("amount"),
                Plain("currency"),
                Plain("rate"),
                Plain("receives"),
                Plain("created_at"),
                Later("terms_id"),
                Later("day_ends_at"),
            ],
            undecided: &[],
            since: WITH_ROWS,
        },
    ),
    (
        wallet::TransactionKind::DeliveryRefunded,
        ProtectedTable {
            table: "delivery_refunds",
            key: "id",
            name: "delivery refund",
            columns: &[
                Plain("request_id"),
                Plain("plan_id"),
                Plain("user_id"),
                Plain("publisher_id"),
                Plain("amount"),
                Plain("own"),
                Plain("promotional"),
                Plain("coupon"),
                Plain("taken"),
                Plain("refunded_at"),
                Made {
                    name: "events",
                    sqlite: "(SELECT group_concat(e.line, ' ') FROM (SELECT c.event_id || ':' || c.kind || ':' || c.at || ':' || \
                             c.slot_id || ':' || lower(hex(c.nonce)) || ':' || c.price_milli || ':' || c.milli || ':' || \
                             c.owed_milli AS line FROM corrected_events c WHERE c.request_id = delivery_refunds.request_id \
                             AND c.plan_id = delivery_refunds.plan_id ORDER BY c.event_id) e)",
                    postgres: "(SELECT string_agg(c.event_id || ':' || c.kind || ':' || c.at || ':' || c.slot_id || ':' || \
                               encode(c.nonce, 'hex') || ':' || c.price_milli || ':' || c.milli || ':' || c.owed_milli, ' ' \
                               ORDER BY c.event_id) FROM corrected_events c WHERE c.request_id = delivery_refunds.request_id \
                               AND c.plan_id = delivery_refunds.plan_id)",
                },
            ],
            undecided: &[],
            since: WITH_ROWS,
        },
    ),
];
