//! What may be read as a whole.

/// Tables that stay small, each with the reason. All others grow with users, movements,
/// events or days, including tables of future migrations, until they are listed here.
pub const SMALL: [(&str, &str); 21] = [
    ("acceptor_rates", "made by staff, one by one"),
    ("acceptors", "made by staff, one by one"),
    ("activities", "made by staff, one by one"),
    ("advertisers", "made by staff, one by one"),
    ("audit_head", "one row"),
    ("balance_days", "one row a day"),
    ("bank_spans", "one row for each bank statement"),
    ("bank_statements", "imported by staff, one by one"),
    ("contacts", "made by staff, one by one"),
    ("content_version", "one row"),
    ("coupon_definitions", "made by staff, one by one"),
    ("followed_puts", "what waits for the next round of work"),
    ("installation", "one row"),
    ("log_keys", "made by staff, one by one"),
    ("operators", "made by staff, one by one"),
    ("pay_in_accounts", "made by staff, one by one"),
    ("products", "made by staff, one by one"),
    ("questions", "made by staff, one by one"),
    ("role_limits", "one row a role"),
    ("server_processes", "one row for each server at work"),
    ("slots", "made by staff, one by one"),
];

/// Statements that must read everything, by a part of each, and why.
pub const WHOLE: [(&str, &str); 4] = [
    ("WHERE account_kind = 404", "what publishers were owed before each had an account, once a day"),
    (" o LEFT JOIN log_books b ", "the ends of all books, once a day"),
    ("AS transit", "all that the bank ever said, held against the books: `bank open` alone asks for it"),
    ("\"sessions\".\"operator_id\" = ", "what an operator has open, which ends when the operator is revoked"),
];
