//! Rows that the audit log protects: those of staff, and those that users change in their own accounts.

use super::{ProtectedTable, decided};
use crate::staff::audit::{WITH_ACCOUNTS, WITH_CODES, WITH_PUBLISHERS, WITH_ROWS};

/// Compared with the audit log.
pub const BY_AUDIT: &[ProtectedTable] = &[
    decided(
        ("operators", "id", "operator"),
        WITH_ROWS,
        columns! {
            name, role, key_hash: Bytes, public_key: Bytes, created_at, revoked_at, key_from, person, confirmed_by,
            confirmed_at, rotated_at: Later, founder_since: Later, founder_rotated_at: Later,
        },
    ),
    ProtectedTable {
        table: "role_limits",
        key: "role",
        name: "the limits of role",
        columns: columns! { at_once, daily },
        // The values that the migration inserted.
        undecided: &[
            (Some(1), "7:1000000,7:5000000,"),
            (Some(2), "7:5000000,8:20000000,"),
            (Some(3), "9:100000000,9:500000000,"),
        ],
        since: WITH_ROWS,
    },
    decided(
        ("money_requests", "id", "request"),
        WITH_ROWS,
        columns! {
            kind, old_number, user_id, advertiser_id, amount, reference, status, reason, requested_by, requested_at,
            expires_at, decided_by, decided_at, written_off, product_id, coupon_definition_id, acceptor_id, proposal,
            requested_person, decided_person, publisher_id: Later, paid_by: Later, paid_person: Later, paid_at: Later,
        },
    ),
    decided(
        ("advertisers", "id", "advertiser"),
        WITH_ROWS,
        columns! { name, key_version, created_at, postback_key, daily_cap, key_origin: Later },
    ),
    decided(
        ("offered_keys", "id", "offered key"),
        WITH_PUBLISHERS,
        columns! {
            request_id, advertiser_id, publisher_id, origin, link_digest: Bytes, material, fingerprint, offered_at,
            claimed_at,
        },
    ),
    decided(
        ("products", "id", "product"),
        WITH_ROWS,
        columns! {
            advertiser_id, min_put, max_put, pricing, price, days, payout, attribution_days, fee_rate, landing_url,
            active: Bool, draft: Bool, conversions_per_click,
            // What users and readers are shown.
            name: Added, summary: Added, image: Added, content: Added, targeting: Added, openrtb: Added,
        },
    ),
    decided(
        ("coupon_definitions", "id", "coupon definition"),
        WITH_ROWS,
        columns! {
            kind, effect, rate, amount, max_value, min_amount, days, ends_at, operated_id, activity, draft: Later,
            quantity: Later,
        },
    ),
    decided(
        ("acceptors", "id", "acceptor"),
        WITH_ROWS,
        columns! {
            kind, code_hash: Bytes, order_limit, daily_limit, quote_seconds, active: Bool, draft: Bool,
            rates: Made {
                sqlite: "(SELECT group_concat(x, ';') FROM (SELECT r.currency || '=' || r.rate || '<' || COALESCE(r.rate_before, '') AS x \
                         FROM acceptor_rates r WHERE r.acceptor_id = acceptors.id ORDER BY r.currency))",
                postgres: "(SELECT string_agg(r.currency || '=' || r.rate || '<' || COALESCE(r.rate_before, ''), ';' ORDER BY r.currency COLLATE \"C\") \
                           FROM acceptor_rates r WHERE r.acceptor_id = acceptors.id)",
            },
        },
    ),
    ProtectedTable {
        table: "withdrawals",
        key: "id",
        name: "withdrawal",
        columns: columns! { status, approved_by, approved_person, approved_at, paid_by, decided_at, reference, reason },
        undecided: &[(None, "1:0,-,-,-,-,-,-,0:,")],
        since: WITH_ROWS,
    },
    ProtectedTable {
        table: "exchange_orders",
        key: "id",
        name: "exchange",
        // The user may cancel an order, which the ledger shows, so the status is not listed.
        columns: columns! { approved_by, approved_person, approved_at, completed_by },
        undecided: &[(None, "-,-,-,-,")],
        since: WITH_ROWS,
    },
    decided(
        ("users", "id", "user"),
        WITH_ACCOUNTS,
        columns! {
            username, username_key, password_hash, entry, status, store_opened: Bool, pay_password_hash,
            payouts_held_until, pay_setup_held_until: Later, email: Added, phone: Added,
        },
    ),
    decided(
        ("bank_cards", "user_id", "the payout account of user"),
        WITH_ACCOUNTS,
        columns! { destination, updated_at },
    ),
    decided(
        ("coupons", "id", "coupon"),
        WITH_ACCOUNTS,
        // `ledger verify` compares with the plans whether a coupon was used.
        columns! { user_id, definition_id, activity, received_at, expires_at },
    ),
    decided(
        ("publishers", "id", "publisher"),
        WITH_PUBLISHERS,
        columns! {
            name, domain, contact, status, share_parts, destination, destination_since, created_at, key_digest: Later,
            key_since: Later, kind: Later, key_origin: Later,
        },
    ),
    decided(
        ("slots", "id", "slot"),
        WITH_PUBLISHERS,
        // They decide who is paid for views in the slot.
        columns! { key, publisher_id, active: Bool },
    ),
    decided(
        ("ssps", "publisher_id", "SSP"),
        WITH_PUBLISHERS,
        columns! { slot_id, key_hash: Bytes, seat, silent: Later, unconfirmed: Later, key_origin: Later },
    ),
    decided(
        ("contact_changes", "id", "change of a contact"),
        WITH_PUBLISHERS,
        columns! { user_id, kind, before, after, changed_at },
    ),
    decided(
        ("login_resets", "id", "code for a login password"),
        WITH_CODES,
        columns! { user_id, request_id, asker_half: Bytes, approver_half: Bytes, good_until, wrong_tries, status },
    ),
    decided(
        ("event_archives", "month", "the archive of events of"),
        WITH_PUBLISHERS,
        columns! {
            begins_at, ends_at, events, first_id, last_id, file, bytes, sha256, footer_at, footer_sha256, rows_sha256,
            archived_at, archived_by,
        },
    ),
    decided(
        ("authorization_codes", "id", "authorization code"),
        WITH_CODES,
        columns! { code_hash, issued_by, issued_at, expires_at, used_by, used_at, activation },
    ),
    decided(("contacts", "id", "contact"), WITH_CODES, columns! { name, list, kind, url, label, place, active: Bool }),
    decided(
        ("pay_in_accounts", "id", "account to pay in to"),
        WITH_CODES,
        columns! { name, label, beneficiary, account, network, bank, bic, note, place, active: Bool },
    ),
    decided(("questions", "id", "question"), WITH_CODES, columns! { name, question, answer, place, active: Bool }),
    decided(
        ("activities", "id", "activity"),
        WITH_CODES,
        columns! { name, definition_id, title, rules, starts_at, ends_at, active: Bool },
    ),
    decided(("announcements", "id", "notice"), WITH_CODES, columns! { category, texts, lang, starts_at, created_at }),
    decided(
        ("bank_statements", "id", "bank statement"),
        WITH_CODES,
        columns! {
            account, currency, number, from_on, to_on, opening, closing, left_out, digest: Bytes, imported_by,
            imported_at,
            // Whether a line is matched follows from its matches; `ledger verify` compares the two.
            lines: Made {
                sqlite: "(SELECT group_concat(x, ';') FROM (SELECT l.id || ',' || l.account || ',' || length(l.line_key) || ':' || l.line_key || ',' || l.booked_on || \
                         ',' || l.amount || ',' || length(l.reference_texts) || ':' || l.reference_texts || ',' || length(l.counterparty) || ':' || l.counterparty || \
                         ',' || length(l.description) || ':' || l.description || ',' || l.reversal AS x \
                         FROM bank_lines l WHERE l.statement_id = bank_statements.id ORDER BY l.id))",
                postgres: "(SELECT string_agg(l.id || ',' || l.account || ',' || length(l.line_key) || ':' || l.line_key || ',' || l.booked_on || \
                           ',' || l.amount || ',' || length(l.reference_texts) || ':' || l.reference_texts || ',' || length(l.counterparty) || ':' || l.counterparty || \
                           ',' || length(l.description) || ':' || l.description || ',' || CAST(l.reversal AS INTEGER), ';' ORDER BY l.id) \
                           FROM bank_lines l WHERE l.statement_id = bank_statements.id)",
            },
        },
    ),
    decided(
        ("bank_matches", "id", "bank match"),
        WITH_CODES,
        columns! {
            line_id, request_id, withdrawal_id, status, reason, proposed_by, proposed_at, confirmed_by, confirmed_at,
            doubted_by, doubted_at, undone_by, undone_at,
        },
    ),
    decided(
        ("payment_files", "id", "payment file"),
        WITH_CODES,
        columns! { kind, message, made_by, made_person, made_at, execute_on, payments, total, sha256: Bytes },
    ),
    decided(
        ("exported_payments", "id", "exported payment"),
        WITH_CODES,
        columns! {
            file_id, withdrawal_id, request_id, amount, end_to_end, doubted_by, doubted_person, doubted_at, freed_by,
            freed_at,
        },
    ),
    decided(
        ("staff_notes", "id", "note"),
        WITH_CODES,
        columns! { user_id, text, written_by, written_at, withdrawn_by, withdrawn_at },
    ),
    decided(
        ("operated_accounts", "id", "operated id"),
        WITH_CODES,
        columns! { operated_id, user_id, name, added_at, removed_at },
    ),
];
