//! Reads the sizes of PostgreSQL's tables.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use store::{Db, Error};

#[derive(QueryableByName)]
pub struct Table {
    #[diesel(sql_type = Text)]
    pub name: String,
    #[diesel(sql_type = BigInt)]
    pub bytes: i64,
    #[diesel(sql_type = BigInt)]
    pub rows: i64,
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// Every table with its partitions, indexes and oversized values.
const TABLES: &str = "SELECT CAST(c.relname AS TEXT) AS name, CAST(0 AS BIGINT) AS rows, \
     CAST(COALESCE((SELECT SUM(pg_total_relation_size(t.relid)) FROM pg_partition_tree(c.oid) t), \
     pg_total_relation_size(c.oid)) AS BIGINT) AS bytes \
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') \
     AND NOT c.relispartition ORDER BY 1";
/// With fewer rows, the table's first page would be most of a row's size.
const FEWEST_ROWS: i64 = 400;

/// The tables with enough rows for a meaningful size.
pub async fn tables(db: &Db) -> Vec<Table> {
    let found = db.read(|conn| {
        let mut tables: Vec<Table> = diesel::sql_query(TABLES).load(conn)?;
        for table in &mut tables {
            let count = format!("SELECT COUNT(*) AS number FROM {}", table.name);
            table.rows = diesel::sql_query(count).get_result::<Number>(conn)?.number;
        }
        tables.retain(|table| table.rows >= FEWEST_ROWS);
        Ok::<_, Error>(tables)
    });
    found.await.expect("sizes")
}

/// Bytes of log written so far.
pub async fn written(db: &Db) -> i64 {
    let sql = "SELECT CAST(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS BIGINT) AS number";
    let found = db.read(move |conn| Ok::<_, Error>(diesel::sql_query(sql).get_result::<Number>(conn)?.number));
    found.await.expect("a position")
}
