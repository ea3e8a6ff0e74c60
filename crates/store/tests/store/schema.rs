//! Both databases have the same tables and columns, which match what the queries are
//! compiled against. On SQLite, the index of the bank's accounts costs other entries nothing.

use std::collections::BTreeMap;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use store::Error;
use store::testing::{TestDb, postgres, sqlite};

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    column_name: String,
    #[diesel(sql_type = Text)]
    data_type: String,
    #[diesel(sql_type = Bool)]
    required: bool,
}

#[derive(QueryableByName)]
struct Default {
    #[diesel(sql_type = Text)]
    agreed: String,
}

type Schema = BTreeMap<String, BTreeMap<String, String>>;

const SQLITE: &str = "SELECT m.name AS table_name, c.name AS column_name, c.type AS data_type, \
     (c.\"notnull\" = 1) AS required FROM sqlite_master m JOIN pragma_table_info(m.name) c \
     WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND m.name NOT LIKE '\\_\\_%' ESCAPE '\\'";
const POSTGRES: &str = "SELECT table_name::text AS table_name, column_name::text AS column_name, \
     data_type::text AS data_type, (is_nullable = 'NO') AS required FROM information_schema.columns \
     WHERE table_schema = 'public' AND table_name NOT LIKE '\\_\\_%' \
     AND NOT (SELECT relispartition FROM pg_class WHERE oid = table_name::regclass)";

async fn read(test: &TestDb, sql: &'static str) -> Schema {
    let columns: Vec<Column> =
        test.db.read(move |conn| diesel::sql_query(sql).load(conn).map_err(Error::from)).await.expect("columns");
    let mut schema = Schema::new();
    for column in columns {
        let kind = kind(&column.data_type);
        let shown = if column.required { kind.to_owned() } else { format!("Nullable<{kind}>") };
        schema.entry(column.table_name).or_default().insert(column.column_name, shown);
    }
    schema
}

fn kind(data_type: &str) -> &'static str {
    match data_type.to_ascii_lowercase().as_str() {
        "bigint" => "BigInt",
        "smallint" => "SmallInt",
        "integer" => "Integer",
        "text" => "Text",
        "boolean" => "Bool",
        "blob" | "bytea" => "Binary",
        other => panic!("an unexpected type: {other}"),
    }
}

/// The content of `schema.rs`, parsed from its text. Several of its tables may be one in the database.
fn compiled() -> Schema {
    let mut schema = Schema::new();
    let (mut table, mut sql_name) = (String::new(), None);
    for line in include_str!("../../src/schema.rs").lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("#[sql_name = \"").and_then(|rest| rest.strip_suffix("\"]")) {
            sql_name = Some(name);
        } else if let Some((name, rest)) = line.split_once(" (")
            && rest.ends_with(") {")
        {
            table = sql_name.take().unwrap_or(name).to_owned();
        } else if let Some((column, kind)) = line.split_once(" -> ")
            && kind.ends_with(',')
        {
            schema.entry(table.clone()).or_default().insert(column.to_owned(), kind.trim_end_matches(',').to_owned());
        }
    }
    schema
}

#[tokio::test]
async fn both_databases_and_the_queries_agree() {
    let postgres = read(&postgres(), POSTGRES).await;
    let mut sqlite = read(&sqlite(), SQLITE).await;
    // SQLite numbers its rows by a column that must be declared INTEGER.
    for columns in sqlite.values_mut() {
        if let Some(id) = columns.get_mut("id")
            && id == "Integer"
        {
            *id = "BigInt".to_owned();
        }
    }
    assert_eq!(sqlite, postgres);
    assert_eq!(compiled(), postgres);
}

/// Servers of an older version that are still running leave a new publisher's share to the column.
#[tokio::test]
async fn a_new_publisher_s_share_is_the_same_in_the_rule_and_in_the_column() {
    let of_sqlite = "SELECT dflt_value AS agreed FROM pragma_table_info('publishers') WHERE name = 'share_parts'";
    let of_postgres = "SELECT column_default::text AS agreed FROM information_schema.columns \
         WHERE table_schema = 'public' AND table_name = 'publishers' AND column_name = 'share_parts'";
    for (test, sql) in [(sqlite(), of_sqlite), (postgres(), of_postgres)] {
        let found: Default = test
            .db
            .read(move |conn| diesel::sql_query(sql).get_result(conn).map_err(Error::from))
            .await
            .expect("found");
        let parts: i64 = found.agreed.trim_matches(|c: char| !c.is_ascii_digit()).parse().expect("a number");
        assert_eq!(parts, supply::Share::DEFAULT.parts(), "{sql}");
    }
}

#[tokio::test]
async fn an_installation_keeps_its_realm() {
    for test in [sqlite(), postgres()] {
        let options = store::Options { url: test.url.clone(), realm: store::Realm::Live, clock: test.clock.clone() };
        let refused = store::Db::open(&options).err().expect("refused").to_string();
        assert!(refused.contains("PLACARD_REALM"), "{refused}");
    }
}

#[derive(QueryableByName)]
struct PlanLine {
    #[diesel(sql_type = Text)]
    detail: String,
}

/// With statistics of two owners who have all lines between them, one owner's page would
/// be searched for among everyone's newest lines.
#[tokio::test]
async fn statistics_that_somebody_gathered_change_no_plan() {
    let test = sqlite();
    let gathered = "ANALYZE; INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES \
         ('entries', 'entries_flow', '9000000 4500000 1'), ('entries', 'entries_flow_by_kind', '9000000 4500000 900000 1')";
    test.db.write(move |tx| tx.batch_execute(gathered).map_err(Error::from)).await.expect("gathered");
    let options = store::Options { url: test.url.clone(), realm: store::Realm::Simulated, clock: test.clock.clone() };
    let again = store::Db::open(&options).expect("opened");
    let explain = "EXPLAIN QUERY PLAN SELECT id, amount FROM entries \
         WHERE owner_id = 7 AND flow IS NOT NULL AND id < 9000000 ORDER BY id DESC LIMIT 21";
    // Each reader in turn, including the one that migrated.
    for _ in 0..32 {
        let lines: Vec<PlanLine> = again
            .read(move |conn| diesel::sql_query(explain).load(conn).map_err(Error::from))
            .await
            .expect("explained");
        assert!(lines[0].detail.contains("USING INDEX entries_flow "), "{}", lines[0].detail);
    }
}

#[derive(QueryableByName)]
struct Detail {
    #[diesel(sql_type = Text)]
    detail: String,
}

#[derive(QueryableByName)]
struct Opcode {
    #[diesel(sql_type = Text)]
    opcode: String,
}

#[tokio::test]
async fn sqlite_reads_the_bank_s_accounts_from_their_index() {
    let t = sqlite();
    let mut conn = t.db.target().open().expect("opens");
    for account in [401, 402, 409] {
        let plan = format!("EXPLAIN QUERY PLAN SELECT SUM(amount) FROM entries WHERE account_kind = {account}");
        let lines: Vec<Detail> = diesel::sql_query(plan).load(&mut conn).expect("explained");
        assert!(lines.iter().any(|line| line.detail.contains("COVERING INDEX entries_of_the_bank")), "{account}");
    }
}

#[tokio::test]
async fn sqlite_adds_an_entry_without_a_table_in_memory() {
    let t = sqlite();
    let mut conn = t.db.target().open().expect("opens");
    let plan = "EXPLAIN INSERT INTO entries (transaction_id, position, account_kind, owner_id, amount, ref_type, \
                ref_id, remark, recorded_at) VALUES (1, 0, 102, 1, 5, 'conversion', 1, '', 1)";
    let steps: Vec<Opcode> = diesel::sql_query(plan).load(&mut conn).expect("explained");
    assert!(steps.iter().any(|step| step.opcode == "IdxInsert"));
    assert!(steps.iter().all(|step| step.opcode != "OpenEphemeral"));
}
