//! Protected rows: those that decide who may do what and what is paid, with the columns that matter. A new column of
//! these tables is listed either here or, with a reason, among those that decide nothing: a test reads them all.
//!
//! Rows that staff decide on are protected by the audit log: each record contains a digest of every row that its action
//! wrote. So are rows that users decide on in their own accounts, which is rare: their record has the user as actor.
//! Users' documents about money are protected by the ledger: the hash of the transaction covers the document's digest.

mod lines;

use crate::staff::audit::{WITH_ACCOUNTS, WITH_CODES, WITH_PUBLISHERS, WITH_ROWS};

/// A column, with what is needed to write it as the same text from either database.
#[derive(Clone, Copy, Debug)]
pub enum Field {
    Plain(&'static str),
    Bool(&'static str),
    Bytes(&'static str),
    /// A number, a flag or a text that was added later. It is written, with its name, only if it is there and not
    /// zero, so that rows from before still match their record.
    Later(&'static str),
    /// A text or number that records protect from version [`WITH_CODES`] on; the digests in older ones are without it.
    Added(&'static str),
    /// Computed from other rows that belong to this one.
    Made {
        name: &'static str,
        sqlite: &'static str,
        postgres: &'static str,
    },
}

use Field::{Added, Bool, Bytes, Later, Made, Plain};

/// A table with protected rows.
#[derive(Debug)]
pub struct ProtectedTable {
    pub table: &'static str,
    pub key: &'static str,
    /// The name of a row in messages.
    pub name: &'static str,
    pub columns: &'static [Field],
    /// The content of rows that staff have not decided on yet: of any row, or of that with
    /// one key.
    undecided: &'static [(Option<i64>, &'static str)],
    /// The first version of records that names such rows.
    pub(crate) since: i16,
}

/// Compared with the audit log.
pub const BY_AUDIT: &[ProtectedTable] = &[
    ProtectedTable {
        table: "operators",
        key: "id",
        name: "operator",
        columns: &[
            Plain("name"),
            Plain("role"),
            Bytes("key_hash"),
            Bytes("public_key"),
            Plain("created_at"),
            Plain("revoked_at"),
            Plain("key_from"),
            Plain("person"),
            Plain("confirmed_by"),
            Plain("confirmed_at"),
            Later("rotated_at"),
            Later("founder_since"),
            Later("founder_rotated_at"),
        ],
        undecided: &[],
        since: WITH_ROWS,
    },
    ProtectedTable {
        table: "role_limits",
        key: "role",
        name: "the limits of role",
        columns: &[Plain("at_once"), Plain("daily")],
        // As the migration created them.
        undecided: &[
            (Some(1), "7:1000000,7:5000000,"),
            (Some(2), "7:5000000,8:20000000,"),
            (Some(3), "9:100000000,9:500000000,"),
        ],
        since: WITH_ROWS,
    },
    ProtectedTable {
        table: "money_requests",
        key: "id",
        name: "request",
        columns: &[
            Plain("kind"),
            Plain("old_number"),
            Plain("user_id"),
            Plain("advertiser_id"),
            Plain("amount"),
            Plain("reference"),
            Plain("status"),
            Plain("reason"),
            Plain("requested_by"),
            Plain("requested_at"),
            Plain("expires_at"),
            Plain("decided_by"),
            Plain("decided_at"),
            Plain("written_off"),
            Plain("product_id"),
            Plain("coupon_definition_id"),
            Plain("acceptor_id"),
            Plain("proposal"),
            Plain("requested_person"),
            Plain("decided_person"),
            Later("publisher_id"),
            Later("paid_by"),
            Later("paid_person"),
            Later("paid_at"),
        ],
        undecided: &[],
        since: WITH_ROWS,
    },
    ProtectedTable {
        table: "advertisers",
        key: "id",
        name: "advertiser",
        columns: &[Plain("name"), Plain("key_version"), Plain("created_at"), Plain("postback_key"), Plain("daily_cap")],
        undecided: &[],
        since: WITH_ROWS,
    },
    ProtectedTable {
        table: "products",
        key: "id",
        name: "product",
        columns: &[
            Plain("advertiser_id"),
            Plain("min_put"),
            Plain("max_put"),
            Plain("pricing"),
            Plain("price"),
            Plain("days"),
            Plain("payout"),
            Plain("attribution_days"),
            Plain("fee_rate"),
            Plain("landing_url"),
            Bool("active"),
            Bool("draft"),
            Plain("conversions_per_click"),
            // What users and readers are shown.
            Added("name"),
            Added("summary"),
            Added("image"),
            Added("content"),
            Added("targeting"),
            Added("openrtb"),
        ],
        undecided: &[],
        since: WITH_ROWS,
    },
    ProtectedTable {
        table: "coupon_definitions",
        key: "id",
        name: "coupon definition",
        columns: &[
            Plain("kind"),
            Plain("effect"),
            Plain("rate"),
            Plain("amount"),
            Plain("max_value"),
            Plain("min_amount"),
            Plain("days"),
            Plain("ends_at"),
            Plain("operated_id"),
            Plain("activity"),
            Later("draft"),
            Later("quantity"),
        ],
        undecided: &[],
        since: WITH_ROWS,
    },
    ProtectedTable {
        table: "acceptors",
        key: "id",
        name: "acceptor",
        columns: &[
            Plain("kind"),
            Bytes("code_hash"),
            Plain("order_limit"),
            Plain("daily_limit"),
            Plain("quote_seconds"),
            Bool("active"),
            Bool("draft"),
            Made {
                name: "rates",
                sqlite: "(SELECT group_concat(x, ';') FROM (SELECT r.currency || '=' || r.rate || '<' || COALESCE(r.rate_before, '') AS x \
                         FROM acceptor_rates r WHERE r.acceptor_id = acceptors.id ORDER BY r.currency))",
                postgres: "(SELECT string_agg(r.currency || '=' || r.rate || '<' || COALESCE(r.rate_before, ''), ';' ORDER BY r.currency COLLATE \"C\") \
                           FROM acceptor_rates r WHERE r.acceptor_id = acceptors.id)",
            },
        ],
        undecided: &[],
        since: WITH_ROWS,
    },
    ProtectedTable {
        table: "withdrawals",
        key: "id",
        name: "withdrawal",
        columns: &[
            Plain("status"),
            Plain("approved_by"),
            Plain("approved_person"),
            Plain("approved_at"),
            Plain("paid_by"),
            Plain("decided_at"),
            Plain("reference"),
            Plain("reason"),
        ],
        undecided: &[(None, "1:0,-,-,-,-,-,-,0:,")],
        since: WITH_ROWS,
    },
    ProtectedTable {
        table: "exchange_orders",
        key: "id",
        name: "exchange",
        // The user may cancel it, which the ledger shows.
        columns: &[Plain("approved_by"), Plain("approved_person"), Plain("approved_at"), Plain("completed_by")],
        undecided: &[(None, "-,-,-,-,")],
        since: WITH_ROWS,
    },
    ProtectedTable {
        table: "users",
        key: "id",
        name: "user",
        columns: &[
            Plain("username"),
            Plain("username_key"),
            Plain("password_hash"),
            Plain("entry"),
            Plain("status"),
            Bool("store_opened"),
            Plain("pay_password_hash"),
            Plain("payouts_held_until"),
            Added("email"),
            Added("phone"),
        ],
        undecided: &[],
        since: WITH_ACCOUNTS,
    },
    ProtectedTable {
        table: "bank_cards",
        key: "user_id",
        name: "the payout account of user",
        columns: &[Plain("destination"), Plain("updated_at")],
        undecided: &[],
        since: WITH_ACCOUNTS,
    },
    ProtectedTable {
        table: "coupons",
        key: "id",
        name: "coupon",
        // Whether it was used is compared with the plans.
        columns: &[
            Plain("user_id"),
            Plain("definition_id"),
            Plain("activity"),
            Plain("received_at"),
            Plain("expires_at"),
        ],
        undecided: &[],
        since: WITH_ACCOUNTS,
    },
    ProtectedTable {
        table: "publishers",
        key: "id",
        name: "publisher",
        columns: &[
            Plain("name"),
            Plain("domain"),
            Plain("contact"),
            Plain("status"),
            Plain("share_parts"),
            Plain("destination"),
            Plain("destination_since"),
            Plain("created_at"),
            Later("key_digest"),
            Later("key_since"),
            Later("kind"),
        ],
        undecided: &[],
        since: WITH_PUBLISHERS,
    },
    ProtectedTable {
        table: "slots",
        key: "id",
        name: "slot",
        // Who is paid for what is shown there.
        columns: &[Plain("key"), Plain("publisher_id"), Bool("active")],
        undecided: &[],
        since: WITH_PUBLISHERS,
    },
    ProtectedTable {
        table: "ssps",
        key: "publisher_id",
        name: "SSP",
        columns: &[Plain("slot_id"), Bytes("key_hash"), Plain("seat"), Later("silent"), Later("unconfirmed")],
        undecided: &[],
        since: WITH_PUBLISHERS,
    },
    ProtectedTable {
        table: "contact_changes",
        key: "id",
        name: "change of a contact",
        columns: &[Plain("user_id"), Plain("kind"), Plain("before"), Plain("after"), Plain("changed_at")],
        undecided: &[],
        // Every row is newer than records of this version, so none needs another one.
        since: WITH_PUBLISHERS,
    },
    ProtectedTable {
        table: "event_archives",
        key: "month",
        name: "the archive of events of",
        columns: &[
            Plain("begins_at"),
            Plain("ends_at"),
            Plain("events"),
            Plain("first_id"),
            Plain("last_id"),
            Plain("file"),
            Plain("bytes"),
            Plain("sha256"),
            Plain("footer_at"),
            Plain("footer_sha256"),
            Plain("rows_sha256"),
            Plain("archived_at"),
            Plain("archived_by"),
        ],
        undecided: &[],
        // Every row is newer than records of this version, so none needs another one.
        since: WITH_PUBLISHERS,
    },
    ProtectedTable {
        table: "authorization_codes",
        key: "id",
        name: "authorization code",
        columns: &[
            Plain("code_hash"),
            Plain("issued_by"),
            Plain("issued_at"),
            Plain("expires_at"),
            Plain("used_by"),
            Plain("used_at"),
            Plain("activation"),
        ],
        undecided: &[],
        since: WITH_CODES,
    },
    ProtectedTable {
        table: "contacts",
        key: "id",
        name: "contact",
        columns: &[
            Plain("name"),
            Plain("list"),
            Plain("kind"),
            Plain("url"),
            Plain("label"),
            Plain("place"),
            Bool("active"),
        ],
        undecided: &[],
        since: WITH_CODES,
    },
    ProtectedTable {
        table: "questions",
        key: "id",
        name: "question",
        columns: &[Plain("name"), Plain("question"), Plain("answer"), Plain("place"), Bool("active")],
        undecided: &[],
        since: WITH_CODES,
    },
    ProtectedTable {
        table: "activities",
        key: "id",
        name: "activity",
        columns: &[
            Plain("name"),
            Plain("definition_id"),
            Plain("title"),
            Plain("rules"),
            Plain("starts_at"),
            Plain("ends_at"),
            Bool("active"),
        ],
        undecided: &[],
        since: WITH_CODES,
    },
    ProtectedTable {
        table: "announcements",
        key: "id",
        name: "notice",
        columns: &[Plain("category"), Plain("texts"), Plain("lang"), Plain("starts_at"), Plain("created_at")],
        undecided: &[],
        since: WITH_CODES,
    },
    ProtectedTable {
        table: "bank_statements",
        key: "id",
        name: "bank statement",
        columns: &[
            Plain("account"),
            Plain("currency"),
            Plain("number"),
            Plain("from_on"),
            Plain("to_on"),
            Plain("opening"),
            Plain("closing"),
            Plain("left_out"),
            Bytes("digest"),
            Plain("imported_by"),
            Plain("imported_at"),
            // Whether a line is matched follows from its matches, with which `ledger verify` compares it.
            Made {
                name: "lines",
                sqlite: "(SELECT group_concat(x, ';') FROM (SELECT l.id || ',' || l.account || ',' || length(l.line_key) || ':' || l.line_key || ',' || l.booked_on || \
                         ',' || l.amount || ',' || length(l.reference_texts) || ':' || l.reference_texts || ',' || length(l.counterparty) || ':' || l.counterparty || \
                         ',' || length(l.description) || ':' || l.description || ',' || l.reversal AS x \
                         FROM bank_lines l WHERE l.statement_id = bank_statements.id ORDER BY l.id))",
                postgres: "(SELECT string_agg(l.id || ',' || l.account || ',' || length(l.line_key) || ':' || l.line_key || ',' || l.booked_on || \
                           ',' || l.amount || ',' || length(l.reference_texts) || ':' || l.reference_texts || ',' || length(l.counterparty) || ':' || l.counterparty || \
                           ',' || length(l.description) || ':' || l.description || ',' || CAST(l.reversal AS INTEGER), ';' ORDER BY l.id) \
                           FROM bank_lines l WHERE l.statement_id = bank_statements.id)",
            },
        ],
        undecided: &[],
        since: WITH_CODES,
    },
    ProtectedTable {
        table: "bank_matches",
        key: "id",
        name: "bank match",
        columns: &[
            Plain("line_id"),
            Plain("request_id"),
            Plain("withdrawal_id"),
            Plain("status"),
            Plain("reason"),
            Plain("proposed_by"),
            Plain("proposed_at"),
            Plain("confirmed_by"),
            Plain("confirmed_at"),
            Plain("doubted_by"),
            Plain("doubted_at"),
            Plain("undone_by"),
            Plain("undone_at"),
        ],
        undecided: &[],
        since: WITH_CODES,
    },
    ProtectedTable {
        table: "staff_notes",
        key: "id",
        name: "note",
        columns: &[
            Plain("user_id"),
            Plain("text"),
            Plain("written_by"),
            Plain("written_at"),
            Plain("withdrawn_by"),
            Plain("withdrawn_at"),
        ],
        undecided: &[],
        since: WITH_CODES,
    },
    ProtectedTable {
        table: "operated_accounts",
        key: "id",
        name: "operated id",
        columns: &[Plain("operated_id"), Plain("user_id"), Plain("name"), Plain("added_at"), Plain("removed_at")],
        undecided: &[],
        since: WITH_CODES,
    },
];

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
