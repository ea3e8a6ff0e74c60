//! Writes many rows for a user at once, bypassing the ledger, to measure how long reading
//! a few of them takes. Their transactions have no hashes.

use base::{ProductId, Timestamp, UserId};
use diesel::connection::SimpleConnection;
use plans::{ContentType, Dimension, Status};
use wallet::{Account, FlowKind, TransactionKind, UserAccount};

use crate::delivery::rollup::QUARTER_MILLIS;
use crate::wallet::books::ENTRIES_EACH;
use crate::{Conn, Error};
use db::Target;

const DAY_MILLIS: i64 = 86_400_000;
/// The rows are spread evenly over this long, up to now.
const SPAN_MILLIS: i64 = 365 * DAY_MILLIS;
/// Each transaction has as many lines as there are entry ids reserved for it.
const LINES: i64 = ENTRIES_EACH as i64;

/// The user, the product, and the number of rows of each kind to write.
#[derive(Clone, Copy, Debug)]
pub struct History {
    pub user: UserId,
    pub product: ProductId,
    pub rows: i64,
    pub until: Timestamp,
}

/// Writes this many statement lines, settled plans and quarter hours of these plans for
/// each user.
///
/// # Errors
/// Those of the database.
pub fn write(url: &str, histories: &[History]) -> Result<(), Error> {
    let mut conn = Target::parse(url)?.open()?;
    let postgres = matches!(conn, Conn::Postgres(_));
    conn.batch_execute(if postgres { FAST_POSTGRES } else { FAST_SQLITE })?;
    for history in histories {
        history.write(&mut conn, postgres)?;
    }
    for statement in
        if postgres { ["VACUUM ANALYZE", "CHECKPOINT"] } else { ["ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)"] }
    {
        conn.batch_execute(statement)?;
    }
    Ok(())
}

/// Speeds up writing. Durability is not needed, because the rows can be written again.
const FAST_POSTGRES: &str =
    "SET synchronous_commit = off; SET session_replication_role = replica; SET statement_timeout = 0";
const FAST_SQLITE: &str = "PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -262144";

impl History {
    fn write(&self, conn: &mut Conn, postgres: bool) -> Result<(), Error> {
        if postgres {
            // Creates every month but the present one, whose partition the program has created.
            let first = self.until.millis() - SPAN_MILLIS;
            conn.batch_execute(&format!("SELECT create_partitions({first}, 11)"))?;
        }
        for statement in [self.transactions(postgres), self.entries(postgres), self.wallet()] {
            conn.batch_execute(&statement)?;
        }
        for statement in
            [self.plans(postgres), self.plan_results(), self.plan_stats(), self.user_stats(), self.user_parts()]
        {
            conn.batch_execute(&statement)?;
        }
        Ok(())
    }

    /// `s(n)`: the integers from 1 to `last`.
    fn numbers(last: i64, postgres: bool) -> String {
        if postgres {
            format!("WITH s(n) AS (SELECT generate_series(1, {last}::bigint))")
        } else {
            format!("WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < {last})")
        }
    }

    /// The time of the `n`-th row.
    fn at(&self) -> String {
        format!("({} - ({} - n) * {})", self.until.millis(), self.rows, SPAN_MILLIS / self.rows)
    }

    fn transactions(&self, postgres: bool) -> String {
        let (user, kind, at) = (self.user, TransactionKind::Recharge.code(), self.until.millis());
        let hash = if postgres { "'\\x00'::bytea" } else { "x'00'" };
        format!(
            "INSERT INTO transactions (book, book_seq, kind, ref_type, ref_id, event_time, recorded_at, actor, reason, prev_hash, hash) \
             {} SELECT {user}, n, {kind}, 'recharge', n, {at}, {at}, 'bulk', '', {hash}, {hash} FROM s",
            Self::numbers((self.rows + LINES - 1) / LINES, postgres)
        )
    }

    /// Two entries are incoming, then one is outgoing, and so on.
    fn entries(&self, postgres: bool) -> String {
        let (user, at) = (self.user, self.at());
        let available = Account::User(user, UserAccount::Available).key().code;
        let (top_up, serving) = (FlowKind::SystemTopUp.code(), FlowKind::AdServing.code());
        let balance = "n / 2 * 100 + n % 2 * 200";
        format!(
            "INSERT INTO entries (id, transaction_id, position, account_kind, owner_id, amount, balance_after, flow, \
             available_after, income_after, ref_type, ref_id, remark, recorded_at) {} \
             SELECT t.id * {LINES} + (n - 1) % {LINES}, t.id, (n - 1) % {LINES}, {available}, {user}, CASE n % 2 WHEN 1 THEN 200 ELSE -100 END, {balance}, \
             CASE n % 2 WHEN 1 THEN {top_up} ELSE {serving} END, {balance}, (n + 1) / 2 * 200, 'recharge', n, '', {at} \
             FROM s JOIN transactions t ON t.book = {user} AND t.book_seq = (n - 1) / {LINES} + 1 ORDER BY n",
            Self::numbers(self.rows, postgres)
        )
    }

    fn wallet(&self) -> String {
        let (user, n) = (self.user, self.rows);
        let (available, income) = (n / 2 * 100 + n % 2 * 200, (n + 1) / 2 * 200);
        let booked = (n + LINES - 1) / LINES;
        format!(
            "UPDATE wallets SET available = {available}, income = {income}, book_seq = {booked} WHERE user_id = {user}"
        )
    }

    fn plans(&self, postgres: bool) -> String {
        let (user, product, at) = (self.user, self.product, self.at());
        let (settled, content) = (Status::Settled.code(), ContentType::LandingPage.code());
        format!(
            "INSERT INTO plans (plan_no, user_id, product_id, advertiser_id, status, reason, official, content_type, \
             put_amount, paid_amount, unit_milli, pricing, price, days, payout, attribution_days, fee_rate, \
             booked_milli, rolled_milli, impressions, clicks, billed, conversions, revenue, \
             created_at, put_at, started_at, finished_at, settled_at, changed_at) {} \
             SELECT 'B{user}-' || n, {user}, p.id, p.advertiser_id, {settled}, 'window_closed', FALSE, {content}, \
             1000, 1000, 100, p.pricing, p.price, p.days, p.payout, p.attribution_days, p.fee_rate, \
             1000000, 1000000, 10000, 100, 1000, 10, 500, {at}, {at}, {at}, {at}, {at}, {at} \
             FROM s JOIN products p ON p.id = {product} ORDER BY n",
            Self::numbers(self.rows, postgres)
        )
    }

    fn plan_results(&self) -> String {
        let user = self.user;
        format!(
            "INSERT INTO plan_results (plan_id, user_id, profit, return_millionths, consumed, conversions) \
             SELECT id, user_id, revenue - fee - billed, (revenue - fee - billed) * 1000000 / billed, billed, conversions \
             FROM plans WHERE user_id = {user} ORDER BY id"
        )
    }

    fn plan_stats(&self) -> String {
        let user = self.user;
        format!(
            "INSERT INTO plan_stats (plan_id, quarter, user_id, impressions, clicks, conversions, consumed, revenue) \
             SELECT id, created_at / {QUARTER_MILLIS}, user_id, impressions, clicks, conversions, billed, revenue \
             FROM plans WHERE user_id = {user} ORDER BY id"
        )
    }

    /// The running totals over those quarter hours.
    fn user_stats(&self) -> String {
        let user = self.user;
        let total = |column: &str| format!("SUM(SUM({column})) OVER (ORDER BY created_at / {QUARTER_MILLIS})");
        format!(
            "INSERT INTO user_stats (user_id, quarter, impressions, clicks, consumed, revenue, orders, invested, settled) \
             SELECT {user}, created_at / {QUARTER_MILLIS}, {}, {}, {}, {}, {}, {}, 0 \
             FROM plans WHERE user_id = {user} GROUP BY created_at / {QUARTER_MILLIS}",
            total("impressions"),
            total("clicks"),
            total("billed"),
            total("revenue"),
            total("1"),
            total("put_amount"),
        )
    }

    /// The part with all conversions, as running totals.
    fn user_parts(&self) -> String {
        let (user, whole) = (self.user, Dimension::Whole.code());
        let total = |column: &str| format!("SUM(SUM({column})) OVER (ORDER BY created_at / {QUARTER_MILLIS})");
        format!(
            "INSERT INTO user_parts (user_id, dimension, part, quarter, impressions, clicks, conversions, revenue, used_milli) \
             SELECT {user}, {whole}, '', created_at / {QUARTER_MILLIS}, {}, {}, {}, {}, {} \
             FROM plans WHERE user_id = {user} GROUP BY created_at / {QUARTER_MILLIS}",
            total("impressions"),
            total("clicks"),
            total("conversions"),
            total("revenue"),
            total("rolled_milli"),
        )
    }
}
