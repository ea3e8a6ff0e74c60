//! Rows that decide who may do what and what is paid, and which of their
//! columns do. A new column of these tables is either here or, with a reason,
//! among those that decide nothing: a test asks the database for all of them.
//!
//! What staff decide is vouched for by the audit: each record says, for every
//! row that its deed wrote, the digest of what it left there. So is what users
//! decide of their own accounts, which is seldom: a record with the user as
//! actor. What users ask money for is vouched for by the ledger: the hash of
//! the transaction that moves it covers the digest of the document.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use sha2::{Digest, Sha256};

use crate::staff::audit::{WITH_ACCOUNTS, WITH_ROWS};
use crate::{Conn, Error};

/// A column, as far as its text has to be made of what either database keeps.
#[derive(Clone, Copy, Debug)]
pub enum Field {
    Plain(&'static str),
    Bool(&'static str),
    Bytes(&'static str),
    /// A number or a flag that came later, told with its name where it is not
    /// zero: a row from before is as its record left it.
    Later(&'static str),
    /// Made from other rows that belong to this one.
    Made {
        name: &'static str,
        sqlite: &'static str,
        postgres: &'static str,
    },
}

use Field::{Bool, Bytes, Later, Made, Plain};

/// A table whose rows are vouched for.
#[derive(Debug)]
pub struct Protected {
    pub table: &'static str,
    pub key: &'static str,
    /// What people call a row of it.
    pub name: &'static str,
    pub columns: &'static [Field],
    /// What stands in a row that nobody of staff has decided on yet: any row's,
    /// or that of one key.
    undecided: &'static [(Option<i64>, &'static str)],
    /// The first kind of record that names such rows.
    pub(crate) since: i16,
}

/// Held against the audit.
pub const BY_AUDIT: &[Protected] = &[
    Protected {
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
        ],
        undecided: &[],
        since: WITH_ROWS,
    },
    Protected {
        table: "role_limits",
        key: "role",
        name: "the limits of role",
        columns: &[Plain("at_once"), Plain("daily")],
        // As the migration made them.
        undecided: &[
            (Some(1), "7:1000000,7:5000000,"),
            (Some(2), "7:5000000,8:20000000,"),
            (Some(3), "9:100000000,9:500000000,"),
        ],
        since: WITH_ROWS,
    },
    Protected {
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
        ],
        undecided: &[],
        since: WITH_ROWS,
    },
    Protected {
        table: "advertisers",
        key: "id",
        name: "advertiser",
        columns: &[Plain("name"), Plain("key_version"), Plain("created_at"), Plain("postback_key"), Plain("daily_cap")],
        undecided: &[],
        since: WITH_ROWS,
    },
    Protected {
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
        ],
        undecided: &[],
        since: WITH_ROWS,
    },
    Protected {
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
    Protected {
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
    Protected {
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
    Protected {
        table: "exchange_orders",
        key: "id",
        name: "exchange",
        // Its user may cancel it, which the ledger shows.
        columns: &[Plain("approved_by"), Plain("approved_person"), Plain("approved_at"), Plain("completed_by")],
        undecided: &[(None, "-,-,-,-,")],
        since: WITH_ROWS,
    },
    Protected {
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
        ],
        undecided: &[],
        since: WITH_ACCOUNTS,
    },
    Protected {
        table: "bank_cards",
        key: "user_id",
        name: "the payout account of user",
        columns: &[Plain("destination"), Plain("updated_at")],
        undecided: &[],
        since: WITH_ACCOUNTS,
    },
    Protected {
        table: "coupons",
        key: "id",
        name: "coupon",
        // That it was used is held against the plans.
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
];

/// Held against the transaction that moved the money, of this kind.
pub const BY_USERS: &[(wallet::TransactionKind, Protected)] = &[
    (
        wallet::TransactionKind::PlanPut,
        Protected {
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
                Plain("put_amount"),
                Plain("paid_amount"),
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
        Protected {
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
        Protected {
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
            ],
            undecided: &[],
            since: WITH_ROWS,
        },
    ),
];

/// Rows read at a time.
const CHUNK: i64 = 2_000;

/// What of a row is vouched for, in one line that both databases write alike.
#[derive(Clone, Debug, QueryableByName)]
pub(crate) struct Line {
    #[diesel(sql_type = BigInt)]
    pub id: i64,
    #[diesel(sql_type = Text)]
    line: String,
}

impl Field {
    pub const fn name(&self) -> &'static str {
        match self {
            Plain(name) | Bool(name) | Bytes(name) | Later(name) | Made { name, .. } => name,
        }
    }

    /// Its text, with its length before it; a dash where there is none.
    fn written(&self, is_sqlite: bool) -> String {
        let text = match (self, is_sqlite) {
            (Plain(name), _) | (Bool(name), true) => format!("CAST({name} AS TEXT)"),
            (Bool(name), false) => format!("CAST(CAST({name} AS INTEGER) AS TEXT)"),
            (Bytes(name), true) => format!("CASE WHEN {name} IS NULL THEN NULL ELSE lower(hex({name})) END"),
            (Bytes(name), false) => format!("encode({name}, 'hex')"),
            (Later(name), _) => {
                // PostgreSQL writes a flag as a word.
                let text = format!("CAST({name} AS TEXT)");
                let number = format!("CASE {text} WHEN 'true' THEN '1' ELSE {text} END");
                return format!("CASE WHEN {text} IN ('0', 'false') THEN '' ELSE '{name}=' || {number} || ',' END");
            }
            (Made { sqlite, .. }, true) => (*sqlite).to_owned(),
            (Made { postgres, .. }, false) => (*postgres).to_owned(),
        };
        format!("COALESCE(CAST(length({text}) AS TEXT) || ':' || {text}, '-') || ','")
    }
}

impl Protected {
    fn select(&self, conn: &Conn) -> String {
        let is_sqlite = matches!(conn, Conn::Sqlite(_));
        let line: Vec<String> = self.columns.iter().map(|column| column.written(is_sqlite)).collect();
        let (key, table) = (self.key, self.table);
        format!("SELECT CAST({key} AS BIGINT) AS id, {} AS line FROM {table}", line.join(" || "))
    }

    /// The rows of these keys, those that are there.
    pub(crate) fn rows(&self, conn: &mut Conn, keys: &[i64]) -> Result<Vec<Line>, Error> {
        let listed: Vec<String> = keys.iter().map(ToString::to_string).collect();
        let sql = format!("{} WHERE {} IN ({})", self.select(conn), self.key, listed.join(", "));
        Ok(diesel::sql_query(sql).load(conn)?)
    }

    /// Every row, in the order of their keys; a part of them at a time.
    pub(crate) fn each(
        &self,
        conn: &mut Conn,
        mut look: impl FnMut(&mut Conn, &[Line]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (select, key, mut above) = (self.select(conn), self.key, i64::MIN + 1);
        loop {
            let sql = format!("{select} WHERE {key} > {above} ORDER BY {key} LIMIT {CHUNK}");
            let part: Vec<Line> = diesel::sql_query(sql).load(conn)?;
            let Some(last) = part.last() else { return Ok(()) };
            above = last.id;
            look(conn, &part)?;
        }
    }

    pub(crate) fn digest(&self, row: &Line) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(format!("placard row 1|{}|{}|{}", self.table, row.id, row.line).as_bytes());
        hasher.finalize().into()
    }

    pub(crate) fn is_undecided(&self, row: &Line) -> bool {
        self.undecided.iter().any(|(id, line)| id.is_none_or(|id| id == row.id) && *line == row.line)
    }
}
