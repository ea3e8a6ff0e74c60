//! What the public log adds to the database.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use foundation::App;
use money::wallet::public_log::Sealer;
use store::on_both;
use store::schema::{log_books, log_months};
use store::testing::{TestDb, execute};

use super::public_log::{change, server};
use crate::support::funded;

const BOOKS: i64 = 32;
/// 150 full tiles.
const TRANSACTIONS: i64 = 150 * 256;
const YEAR_MILLIS: i64 = 365 * 86_400_000;

/// Transactions of a year, in books of nobody: their hashes are all that the log reads.
async fn write_transactions(app: &App, is_sqlite: bool) {
    let hash = if is_sqlite { "randomblob(32)" } else { "sha256(CAST(CAST(i AS TEXT) AS BYTEA))" };
    let begun = app.now().millis();
    let sql = format!(
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {TRANSACTIONS}) \
         INSERT INTO transactions (book, book_seq, kind, ref_type, ref_id, event_time, recorded_at, actor, reason, prev_hash, \
             hash) \
         SELECT 1000000 + i % {BOOKS}, i / {BOOKS} + 1, 1, 'recharge', i, {begun}, \
             {begun} + CAST(i AS BIGINT) * {YEAR_MILLIS} / {TRANSACTIONS}, 'system', '', {hash}, {hash} FROM n"
    );
    change(app, sql).await;
}

#[derive(QueryableByName)]
struct Size {
    #[diesel(sql_type = BigInt)]
    bytes: i64,
}

/// The pages of a table and its indexes.
async fn size(app: &App, test: &TestDb, table: &str) -> i64 {
    let is_sqlite = test.url.starts_with("sqlite");
    let sql = if is_sqlite {
        format!("SELECT SUM(pgsize) AS bytes FROM dbstat WHERE name IN ('{table}', 'sqlite_autoindex_{table}_1')")
    } else {
        // What autovacuum does by and by.
        execute(&test.url, &format!("VACUUM FULL {table}")).expect("vacuumed");
        format!("SELECT pg_total_relation_size('{table}') AS bytes")
    };
    let found = app.db.read(move |conn| Ok::<Size, store::Error>(diesel::sql_query(sql).get_result(conn)?));
    found.await.expect("read").bytes
}

on_both!(the_log_takes_35_bytes_a_transaction_and_42_on_postgresql, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let app = server(&w.test, &folder);
    write_transactions(&app, w.test.url.starts_with("sqlite")).await;
    Sealer::default().round(&app).await.expect("sealed");
    let counted = app.db.read(|conn| {
        let sealed: Vec<i64> = log_books::table.select(log_books::sealed).load(conn)?;
        let ends: i64 = log_months::table.count().get_result(conn)?;
        Ok::<_, store::Error>((sealed.iter().sum::<i64>(), ends))
    });
    let (sealed, ends) = counted.await.expect("read");
    assert_eq!(sealed, TRANSACTIONS + 1);
    // Of each book, every month but the last.
    assert!((BOOKS * 11..=BOOKS * 12).contains(&ends), "{ends}");
    let tenths = size(&app, &w.test, "log_tiles").await * 10 / sealed;
    let month = size(&app, &w.test, "log_months").await / ends;
    println!(
        "log_tiles: {}.{} bytes a transaction; log_months: {month} bytes a month of a book",
        tenths / 10,
        tenths % 10
    );
    let most = if w.test.url.starts_with("sqlite") { 355 } else { 430 };
    assert!((320..most).contains(&tenths), "{tenths} tenths of a byte a transaction");
    assert!(month < 160, "{month} bytes a month of a book");
});
