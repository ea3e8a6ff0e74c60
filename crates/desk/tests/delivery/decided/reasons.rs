//! Which columns and tables nothing vouches for, and why; and what follows from others.

use super::By;

/// Columns that do not decide who may do what or what is paid, or that are compared with
/// something else; each with the reason. A new column of these tables fails the test
/// until it is here or in `store::installation::protected`.
pub const ELSEWHERE: &[(&str, &[&str], &str)] = &[
    ("bank_lines", &["span_id"], "which lines other files may repeat, as bank_spans"),
    ("operators", &["last_used_at"], "when a key was used, to the hour; it lets nobody in"),
    ("money_requests", &["shown_at"], "that a key was shown to who asked for it"),
    ("advertisers", &["claims", "book_seq", "book_head"], "held against the entries"),
    ("publishers", &["name_key"], "the name, as it is compared"),
    ("publishers", &["book_seq", "book_head"], "held against the entries"),
    ("slots", &["content_types", "audience", "created_at"], "what is shown there"),
    ("products", &["created_at"], "when its row was written"),
    ("contacts", &["created_at"], "when its row was written"),
    ("pay_in_accounts", &["created_at"], "when its row was written"),
    ("questions", &["created_at"], "when its row was written"),
    ("activities", &["created_at"], "when its row was written"),
    ("coupon_definitions", &["name", "created_at"], "what people see"),
    ("users", &["nickname", "avatar", "lang"], "what its user writes of themselves"),
    ("authorization_codes", &["ending"], "its last letters, for people to identify it"),
    ("authorization_codes", &["sealed"], "the code itself in a simulated installation, sealed for its own row"),
    ("users", &["status_reason", "operated_id", "created_at"], "what people see"),
    ("users", &["credit_score"], "the sum of its changes, and worth no money"),
    (
        "users",
        &["pay_streak", "pay_locked_until", "pay_disabled"],
        "holds guessing up at each wrong password; it lets nobody in, and the hash that does is vouched for",
    ),
    ("coupon_definitions", &["given"], "held against the coupons that users were given"),
    ("acceptors", &["name", "created_at"], "what people see"),
    ("acceptor_rates", &["changed_at"], "when, not what"),
    ("exchange_orders", &["status"], "held against the entries"),
    ("exchange_orders", &["decided_at", "reason"], "when and why it was given back, not what"),
    ("plans", &["paused", "ai_delivery", "followed_id"], "how it is delivered, not what is paid"),
    ("plans", &["billed", "returned", "revenue", "fee"], "held against the entries"),
    ("plans", &["refunded", "refunded_given"], "held against the refunds by `delivery recompute`"),
    (
        "plans",
        &["reserved_milli", "booked_milli", "rolled_milli", "rolled_event_id", "rolled_conversion_id", "rolled_at"],
        "held against the events by `delivery recompute`",
    ),
    (
        "plans",
        &["impressions", "clicks", "viewable", "filtered", "conversions"],
        "held against the events by `delivery recompute`",
    ),
    (
        "plans",
        &["reckoned_milli", "reckoned_revenue", "reckoned_settled"],
        "an edit has the plan's fee and use reckoned again from what is held against the events",
    ),
    ("coupons", &["used_day_ends_at"], "when its user may use the next one of its name, not what it is worth"),
    (
        "plans",
        &["daily_cap", "zone", "day_begins_at", "day_ends_at", "day_used_milli", "lowered"],
        "how fast its user lets it spend a budget that is held against the ledger",
    ),
    (
        "plans",
        &["begins_at", "ends_at", "hours", "hours_zone"],
        "when its user lets it be shown; its end and its matching are held against them, and its user can stop it",
    ),
    ("plans", &["due_at", "next_at"], "within an hour; `a_plan_that_never_ends_is_found` shows more than that"),
    ("plans", &["created_at", "changed_at"], "when its row was written"),
];

/// What follows from the ledger, besides what its transactions protect.
pub const FOLLOWS: &[(&str, &[&str])] = &[
    ("users", &["level", "settled_spend", "vip_until"]),
    ("coupons", &["used_at", "plan_id"]),
    ("advertisers", &["claimed_day", "claimed_that_day"]),
    ("plans", &["added_amount", "status", "reason", "started_at", "finished_at", "settles_at", "settled_at"]),
    ("money_requests", &["cleared_at"]),
    ("withdrawals", &["cleared_at"]),
    ("bank_lines", &["status"]),
];

/// Tables whose rows are covered by those of another.
pub const PARTS: &[(&str, &str, &str, &[&str], By)] = &[
    ("acceptor_rates", "acceptor_id", "acceptor", &["acceptor_id", "currency", "rate", "rate_before"], By::Audit),
    (
        "bank_lines",
        "statement_id",
        "bank statement",
        &[
            "id",
            "statement_id",
            "account",
            "line_key",
            "booked_on",
            "amount",
            "reference_texts",
            "counterparty",
            "description",
            "reversal",
        ],
        By::Audit,
    ),
];

/// All other tables, each with what finds an edit, or what somebody could gain by one.
pub const NOT_VOUCHED_FOR: &[(&[&str], &str)] = &[
    (
        &["audit", "audit_head", "transactions", "entries", "wallets", "holds"],
        "the audit log and the ledger themselves: `proof.rs` and `trail.rs` edit every column",
    ),
    (&["sessions", "tickets"], "sealed: what this installation did not write lets nobody in (people/seals.rs)"),
    (
        &[
            "events",
            "conversions",
            "bills",
            "bill_parts",
            "plan_stats",
            "user_stats",
            "user_profits",
            "plan_arms",
            "plan_slots",
            "plan_sources",
            "slot_days",
            "slot_day_filtered",
            "undivided_plans",
            "unrolled_plans",
            "unbilled_plans",
            "archived_plans",
            "plan_figures",
        ],
        "recounted by `delivery recompute`, which compares them with the ledger",
    ),
    (
        &["corrected_events"],
        "a part of what the refunds' transactions cover, and before that of the request: `refunds.rs` edits every column",
    ),
    (&["plan_transitions"], "compared with the plans"),
    (&["plan_exclusions"], "where their user does not want plans to be shown; nobody is paid by it"),
    (
        &["plan_rules"],
        "what their user wants to be told of running plans; at most a plan is paused, and nobody is paid",
    ),
    (&["user_parts"], "how reports divide what the totals say; what it leaves over is shown as unknown"),
    (&["plan_results"], "the order of a list; each of its plans shows its own figures"),
    (
        &["leases", "won_offers", "server_processes"],
        "how much a server may promise; what is billed stays within the budget that the ledger has",
    ),
    (&["slot_requests", "ssp_days", "plan_bids"], "how often was asked; nobody is paid by it"),
    (&["played_views", "plan_videos"], "how far videos were played; nobody is paid by it"),
    (
        &["attempts", "pay_password_failures", "acceptance_tries"],
        "who deletes failures can guess on, at the pace of the hashers; every wrong attempt stays in the server's log",
    ),
    (
        &["staff_nonces"],
        "a command that was overheard could be repeated within its five minutes; it is in the audit twice then",
    ),
    (
        &["idempotency_keys"],
        "another answer is shown to its user, or the command is carried out again with its user's password and money",
    ),
    (&["credit_events"], "compared with the scores; worth no money"),
    (
        &["notifications", "announcement_reads", "announcement_marks", "sent_notices"],
        "what a user was told or has read; it asks for nothing and moves nothing",
    ),
    (
        &["bank_spans"],
        "which lines other files may repeat; a line that is stored twice or not at all is one that two people match",
    ),
    (&["feedback", "conversations", "messages"], "what users and staff wrote; it moves nothing"),
    (
        &["push_subscriptions", "push_outbox"],
        "where a user is told again what they can read in the app; whoever can write there can read the notices themselves",
    ),
    (&["refused_movements"], "what users were told when nothing moved; nothing is decided on it"),
    (&["recharge_announcements"], "what users say they paid; staff credit what the bank reports"),
    (&["files"], "whose picture it is; its address is its key"),
    (&["follows", "followed_puts"], "whom a user follows; offers of plans follow from it, which cost nothing"),
    (&["user_looks"], "which names look alike; a name that is removed from it can be imitated, and nothing else"),
    (
        &["exchange_quotes"],
        "an order's rate is compared with its acceptor's terms of that time, when it is put and by `ledger verify`",
    ),
    (&["operator_days"], "from before a day was counted from the audit; nothing reads it"),
    (&["payment_references"], "compared with requests and withdrawals by `ledger verify`"),
    (&["ssp_views"], "recounted by `delivery recompute`"),
    (&["content_version"], "that content is to be read anew"),
    (&["installation"], "compared with the secret file and the realm in every token"),
    (
        &["log_head", "log_books", "log_months", "log_tiles", "log_keys"],
        "whoever has a checkpoint finds out what is not as it was; held against the signature, the books and the requests by `ledger verify`",
    ),
    (
        &["balance_days"],
        "a record in the log is held against its leaf by `ledger verify`; the rest are figures of the log's page, and a secret that tells the order of a day",
    ),
    (&["balance_tiles"], "a user's place that does not come to the day's record is given to nobody"),
    (&["high_water"], "compared with the mark beside the database"),
];
