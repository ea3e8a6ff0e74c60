//! Figures that show whether an installation is healthy. They are read through a separate
//! connection that neither migrates nor writes, and each through an index, however much
//! data there is.

use std::collections::{BTreeMap, BTreeSet};

use ::bank::Extent;
use auth::{Founding, KeyOrigin, Sealer};
use base::Timestamp;
use diesel::prelude::*;
use supply::PublisherStatus;
use wallet::{ExchangeStatus, RequestStatus, WithdrawalStatus};

use crate::delivery::archive::{self, EventArchive};
use crate::installation::MIGRATIONS;
use crate::installation::copy;
use crate::installation::guards::{self, History};
use crate::staff::operators::{self, Operator};
use crate::staff::{audit, founding};
use crate::wallet::bank::spans;
use crate::wallet::verify::{LedgerFindings, laws};
use crate::{Conn, Error, Fault, Realm};
use db::{One, Target, codes, row};

/// Work that waits for longer than this is late.
const LATE_SECONDS: i64 = 300;
/// The number of transactions in a quick check of the ledger.
const LOOKED_AT: i64 = 1_000;

/// How many items wait, and since when the oldest one has waited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    pub count: i64,
    pub since: Option<Timestamp>,
}

/// What is late, what waits for people, and when something was last done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlogs {
    /// Plans with unbilled events, due steps and expired leases, which a server handles
    /// within seconds.
    pub unbilled: Backlog,
    pub unmoved: Backlog,
    pub lapsed_leases: Backlog,
    /// What waits for staff.
    pub requests: Backlog,
    pub withdrawals: Backlog,
    pub exchanges: Backlog,
    pub last_backup: Option<Timestamp>,
    /// When the whole ledger was last verified without a fault.
    pub ledger_verified: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    pub realm: Option<Realm>,
    /// The database's clock minus ours; `None` if they are the same clock.
    pub clock_ahead_millis: Option<i64>,
    pub newest_row: Option<Timestamp>,
    /// Among the newest transactions: those that do not sum to zero, and books that do
    /// not match the end of their chain.
    pub ledger_faults: i64,
    pub backlogs: Backlogs,
    pub operators: Vec<Operator>,
    /// The number of different people who can sign in as operators.
    pub people: usize,
    /// Whether anything that needs two people may be approved.
    pub founding: Founding,
    /// Rows in the default partitions.
    pub without_month: i64,
    /// The approximate number of transactions, never too low.
    pub transactions: i64,
    /// Other versions of the program that are connected.
    pub others: Vec<String>,
    /// The months whose events are in files.
    pub archives: Vec<EventArchive>,
    /// Counterparties with a key that was printed to somebody on the staff.
    pub printed_keys: Vec<String>,
    /// What is shown of the newest products on offer.
    pub products: Vec<ShownProduct>,
    /// Which days the bank's statements cover, by account.
    pub bank: BTreeMap<String, Vec<Extent>>,
}

/// A product's name, picture, and content in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct ShownProduct {
    pub name: String,
    pub image: String,
    pub content: String,
}

/// The result of inspecting a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inspection {
    /// There is no such file.
    Nothing,
    OtherSchema(OtherSchema),
    All(Box<Figures>),
}

/// A schema that is not this program's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherSchema {
    /// The migrations that it lacks, and those of them that remove something that the previous version uses.
    pub pending: Vec<String>,
    pub contracting: Vec<String>,
    /// Migrations that it has but this program does not know.
    pub unknown: Vec<String>,
    /// Other versions of the program that are connected.
    pub others: Vec<String>,
}

/// # Errors
/// `Connect`, or the database's error.
pub fn look(url: &str, now: Timestamp) -> Result<Inspection, Error> {
    let target = Target::parse(url)?;
    if let Target::Sqlite(path) = &target
        && !path.exists()
    {
        return Ok(Inspection::Nothing);
    }
    let mut conn = target.open()?;
    let (known, had) = (MIGRATIONS.known()?, had(&mut conn)?);
    let missing = |of: &[String], from: &[String]| -> Vec<String> {
        of.iter().filter(|version| !from.contains(version)).cloned().collect()
    };
    let (pending, unknown) = (missing(&known, &had), missing(&had, &known));
    if !pending.is_empty() || !unknown.is_empty() {
        let contracting = missing(&MIGRATIONS.contracting()?, &had);
        let others = db::versions::others(&mut conn)?;
        return Ok(Inspection::OtherSchema(OtherSchema { pending, contracting, unknown, others }));
    }
    db::in_snapshot(&mut conn, |conn| figures(conn, now)).map(|figures| Inspection::All(Box::new(figures)))
}

/// Verifies the laws of the ledger and the audit log, in one snapshot.
///
/// # Errors
/// `Connect`, or the database's error.
pub fn look_at_books(url: &str, sealer: Option<&Sealer>) -> Result<(LedgerFindings, Vec<String>), Error> {
    let mut conn = Target::parse(url)?.open()?;
    db::in_snapshot(&mut conn, |conn| {
        copy::take_time(conn)?;
        let (mut ledger, mut audit) = (laws(conn)?, audit::verify(conn, sealer, None)?.faults);
        ledger.faults.extend(guards::faults(conn, History::Ledger)?);
        audit.extend(guards::faults(conn, History::Audit)?);
        Ok((ledger, audit))
    })
}

/// Calls `read` in one snapshot.
///
/// # Errors
/// `Connect`, or those of what reads.
pub fn look_for<T, E: Fault>(url: &str, read: impl FnOnce(&mut Conn) -> Result<T, E>) -> Result<T, E> {
    let mut conn = Target::parse(url)?.open()?;
    db::in_snapshot(&mut conn, read)
}

/// The approximate number of transactions, never too low: ids have gaps.
pub fn transactions(conn: &mut Conn) -> Result<i64, Error> {
    number(conn, "SELECT COALESCE(MAX(id), 0) AS n FROM transactions")
}

/// The number of entries in the ledger, counted up to `most`.
pub fn entries_up_to(conn: &mut Conn, most: i64) -> Result<i64, Error> {
    number(conn, &format!("SELECT COUNT(*) AS n FROM (SELECT 1 FROM entries LIMIT {most}) counted"))
}

/// How many milliseconds a replica is behind; `None` if it is not a replica.
///
/// # Errors
/// `Connect`, or the database's error.
pub fn replica_lag(url: &str) -> Result<Option<i64>, Error> {
    let mut conn = Target::parse_replica(url)?.open()?;
    let lag = "SELECT CASE WHEN NOT pg_is_in_recovery() THEN -1 WHEN pg_last_wal_receive_lsn() = \
               pg_last_wal_replay_lsn() THEN 0 ELSE COALESCE((extract(epoch FROM clock_timestamp() - \
               pg_last_xact_replay_timestamp()) * 1000)::bigint, 0) END AS n";
    Ok(Some(number(&mut conn, lag)?).filter(|lag| *lag >= 0))
}

/// The applied migrations; empty if there is no table of migrations yet.
fn had(conn: &mut Conn) -> Result<Vec<String>, Error> {
    let there = match conn {
        Conn::Sqlite(_) => "SELECT COUNT(*) AS n FROM sqlite_master WHERE name = '__diesel_schema_migrations'",
        Conn::Postgres(_) => "SELECT COUNT(to_regclass('__diesel_schema_migrations')) AS n",
    };
    if number(conn, there)? == 0 { Ok(Vec::new()) } else { copy::migrations(conn) }
}

fn figures(conn: &mut Conn, now: Timestamp) -> Result<Figures, Error> {
    let operators = operators::all(conn)?;
    let (people, founding) = founding::people(conn, now)?;
    let active = operators.iter().filter(|operator| !operator.revoked);
    let people = active.map(|operator| people.person(operator.id)).collect::<BTreeSet<_>>().len();
    let realm = number(conn, "SELECT CAST(COALESCE(MAX(realm), 0) AS BIGINT) AS n FROM installation")?;
    Ok(Figures {
        realm: i16::try_from(realm).ok().and_then(|code| Realm::try_from(code).ok()),
        clock_ahead_millis: clock_ahead(conn, now)?,
        newest_row: newest(conn)?,
        ledger_faults: ledger_faults(conn)?,
        backlogs: backlogs(conn, now)?,
        operators,
        people,
        founding,
        without_month: without_month(conn)?,
        transactions: transactions(conn)?,
        others: db::versions::others(conn)?,
        archives: archive::all(conn)?,
        printed_keys: find_printed_keys(conn)?,
        products: find_shown_products(conn)?,
        bank: spans::find_covered(conn)?,
    })
}

/// # Errors
/// The database's error.
pub fn backlogs(conn: &mut Conn, now: Timestamp) -> Result<Backlogs, Error> {
    let late = now.plus_seconds(-LATE_SECONDS).millis();
    let undecided = |table: &str, statuses: &[i16], at: &str| {
        let statuses = codes(statuses.iter().copied());
        format!("SELECT COUNT(*) AS n, MIN({at}) AS since FROM {table} WHERE status IN ({statuses})")
    };
    let withdrawals = [WithdrawalStatus::Pending, WithdrawalStatus::Approved].map(WithdrawalStatus::code);
    let exchanges = [ExchangeStatus::Pending.code()];
    Ok(Backlogs {
        unbilled: waiting(
            conn,
            &format!(
                "SELECT COUNT(*) AS n, MIN(at) AS since FROM (SELECT (SELECT MIN(e.filed_at) FROM events e \
             WHERE e.plan_id = u.plan_id AND e.id > p.rolled_event_id) AS at FROM unrolled_plans u \
             JOIN plans p ON p.id = u.plan_id UNION ALL SELECT bill_at FROM unbilled_plans \
             WHERE bill_at < {late}) waiting WHERE at < {late}"
            ),
        )?,
        unmoved: waiting(
            conn,
            &format!("SELECT COUNT(*) AS n, MIN(next_at) AS since FROM plans WHERE next_at < {late}"),
        )?,
        lapsed_leases: waiting(
            conn,
            &format!("SELECT COUNT(*) AS n, MIN(ends_at) AS since FROM leases WHERE ends_at < {late}"),
        )?,
        requests: waiting(
            conn,
            &format!(
                "SELECT COUNT(*) AS n, MIN(requested_at) AS since FROM money_requests WHERE status = {} \
                 AND expires_at > {}",
                RequestStatus::Requested.code(),
                now.millis()
            ),
        )?,
        withdrawals: waiting(conn, &undecided("withdrawals", &withdrawals, "requested_at"))?,
        exchanges: waiting(conn, &undecided("exchange_orders", &exchanges, "created_at"))?,
        last_backup: last_backup(conn)?,
        ledger_verified: read_ledger_verified_at(conn)?,
    })
}

row! {
    struct WaitingRow {
        n: i64,
        since: Option<Timestamp>,
    }
}

fn number(conn: &mut Conn, sql: &str) -> Result<i64, Error> {
    Ok(diesel::sql_query(sql).get_result::<One<i64>>(conn)?.0)
}

fn waiting(conn: &mut Conn, sql: &str) -> Result<Backlog, Error> {
    let row: WaitingRow = diesel::sql_query(sql).get_result(conn)?;
    Ok(Backlog { count: row.n, since: row.since })
}

fn clock_ahead(conn: &mut Conn, now: Timestamp) -> Result<Option<i64>, Error> {
    match conn {
        Conn::Sqlite(_) => Ok(None),
        Conn::Postgres(_) => {
            let there = number(conn, "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS n")?;
            Ok(Some(there.saturating_sub(now.millis())))
        }
    }
}

fn find_shown_products(conn: &mut Conn) -> Result<Vec<ShownProduct>, Error> {
    use crate::schema::products;
    let offered = products::table.filter(products::active.and(products::draft.eq(false)));
    let newest = offered.order(products::id.desc()).limit(LOOKED_AT);
    Ok(newest.select((products::name, products::image, products::content)).load(conn)?)
}

/// There are few counterparties.
fn find_printed_keys(conn: &mut Conn) -> Result<Vec<String>, Error> {
    let rows: Vec<One<String>> = diesel::sql_query(format!(
        "SELECT 'advertiser ' || CAST(id AS TEXT) || ' (' || name || ')' AS name FROM advertisers WHERE key_origin = {printed} \
         UNION ALL SELECT 'publisher ' || CAST(id AS TEXT) || ' (' || name || ')' FROM publishers \
         WHERE key_origin = {printed} AND key_digest IS NOT NULL AND status <> {closed} \
         UNION ALL SELECT 'SSP ' || CAST(p.id AS TEXT) || ' (' || p.name || ')' FROM ssps s \
         JOIN publishers p ON p.id = s.publisher_id WHERE s.key_origin = {printed} AND s.key_hash IS NOT NULL AND p.status <> {closed} \
         ORDER BY name LIMIT 1000",
        printed = KeyOrigin::Staff.code(),
        closed = PublisherStatus::Closed.code()
    ))
    .load(conn)?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

fn newest(conn: &mut Conn) -> Result<Option<Timestamp>, Error> {
    let newest = number(
        conn,
        "SELECT COALESCE(MAX(at), 0) AS n FROM (SELECT (SELECT recorded_at FROM transactions ORDER BY id DESC LIMIT 1) \
         AS at UNION ALL SELECT (SELECT at FROM audit ORDER BY id DESC LIMIT 1) \
         UNION ALL SELECT (SELECT filed_at FROM events ORDER BY id DESC LIMIT 1)) newest",
    )?;
    Ok(Some(newest).filter(|at| *at > 0).map(Timestamp::from_millis))
}

fn ledger_faults(conn: &mut Conn) -> Result<i64, Error> {
    let sums = number(
        conn,
        &format!(
            "SELECT COUNT(*) AS n FROM (SELECT transaction_id FROM entries WHERE transaction_id > \
         (SELECT COALESCE(MAX(id), 0) - {LOOKED_AT} FROM transactions) GROUP BY transaction_id \
         HAVING SUM(amount) <> 0) unequal"
        ),
    )?;
    let heads = number(
        conn,
        &format!(
            "SELECT COUNT(*) AS n FROM (SELECT book, book_seq, hash FROM transactions ORDER BY id DESC LIMIT {LOOKED_AT}) t \
         JOIN wallets w ON w.user_id = t.book \
         WHERE t.book_seq > w.book_seq OR (t.book_seq = w.book_seq AND t.hash <> w.book_head)"
        ),
    )?;
    Ok(sums + heads)
}

fn last_backup(conn: &mut Conn) -> Result<Option<Timestamp>, Error> {
    let at = number(
        conn,
        "SELECT COALESCE(MAX(at), 0) AS n FROM audit WHERE subject = 'backup' AND action = 'backup.create'",
    )?;
    Ok(Some(at).filter(|at| *at > 0).map(Timestamp::from_millis))
}

fn read_ledger_verified_at(conn: &mut Conn) -> Result<Option<Timestamp>, Error> {
    let at = number(conn, "SELECT verified_at AS n FROM high_water WHERE id = 1")?;
    Ok(Some(at).filter(|at| *at > 0).map(Timestamp::from_millis))
}

fn without_month(conn: &mut Conn) -> Result<i64, Error> {
    match conn {
        Conn::Sqlite(_) => Ok(0),
        Conn::Postgres(_) => number(
            conn,
            "SELECT COUNT(*) AS n FROM (SELECT 1 FROM (SELECT id FROM entries_rest LIMIT 1) a \
             UNION ALL SELECT 1 FROM (SELECT id FROM events_rest LIMIT 1) b) found",
        ),
    }
}
