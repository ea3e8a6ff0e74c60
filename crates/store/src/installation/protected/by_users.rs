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
            ],
            undecided: &[],
            since: WITH_ROWS,
        },
    ),
];
