//! Documents of users, which the ledger protects.

use super::{ProtectedTable, decided};
use crate::staff::audit::WITH_ROWS;

/// Compared with the transaction of this kind that moved the money.
pub const BY_USERS: &[(wallet::TransactionKind, ProtectedTable)] = &[
    (
        wallet::TransactionKind::PlanPut,
        decided(
            ("plans", "id", "plan"),
            WITH_ROWS,
            columns! {
                plan_no, user_id, product_id, advertiser_id, official: Bool, content_type,
                // The amounts at the put. Later additions are compared with their own transactions.
                put_amount: Made {
                    sqlite: "CAST(put_amount - added_amount AS TEXT)",
                    postgres: "CAST(put_amount - added_amount AS TEXT)",
                },
                paid_amount: Made {
                    sqlite: "CAST(paid_amount - added_amount AS TEXT)",
                    postgres: "CAST(paid_amount - added_amount AS TEXT)",
                },
                unit_milli, pricing, price, days, payout, attribution_days, fee_rate, put_at, coupon_id,
                conversions_per_click, landing_url,
            },
        ),
    ),
    (
        wallet::TransactionKind::WithdrawalAsked,
        decided(
            ("withdrawals", "id", "withdrawal"),
            WITH_ROWS,
            columns! { user_id, amount, fee, destination, requested_at },
        ),
    ),
    (
        wallet::TransactionKind::ExchangePut,
        decided(
            ("exchange_orders", "id", "exchange"),
            WITH_ROWS,
            columns! {
                user_id, acceptor_id, amount, currency, rate, receives, created_at, terms_id: Later,
                day_ends_at: Later,
            },
        ),
    ),
    (
        wallet::TransactionKind::DeliveryRefunded,
        decided(
            ("delivery_refunds", "id", "delivery refund"),
            WITH_ROWS,
            columns! {
                request_id, plan_id, user_id, publisher_id, amount, own, promotional, coupon, taken, refunded_at,
                events: Made {
                    sqlite: "(SELECT group_concat(e.line, ' ') FROM (SELECT c.event_id || ':' || c.kind || ':' || c.at || ':' || \
                             c.slot_id || ':' || lower(hex(c.nonce)) || ':' || c.price_milli || ':' || c.milli || ':' || \
                             c.owed_milli AS line FROM corrected_events c WHERE c.request_id = delivery_refunds.request_id \
                             AND c.plan_id = delivery_refunds.plan_id ORDER BY c.event_id) e)",
                    postgres: "(SELECT string_agg(c.event_id || ':' || c.kind || ':' || c.at || ':' || c.slot_id || ':' || \
                               encode(c.nonce, 'hex') || ':' || c.price_milli || ':' || c.milli || ':' || c.owed_milli, ' ' \
                               ORDER BY c.event_id) FROM corrected_events c WHERE c.request_id = delivery_refunds.request_id \
                               AND c.plan_id = delivery_refunds.plan_id)",
                },
            },
        ),
    ),
];
