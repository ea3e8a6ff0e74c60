//! A PostgreSQL that ends connections: what surely was not done is done on another one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use store::testing::{TestDb, execute, postgres};
use store::{Conn, Error, Tx};

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

fn add(tx: &mut Tx<'_>) -> Result<(), Error> {
    static NAMES: AtomicU32 = AtomicU32::new(0);
    let name = format!("Aurora {}", NAMES.fetch_add(1, Ordering::SeqCst));
    store::plans::advertiser::insert(tx, &name, base::Money::ZERO).map(|_| ())
}

async fn count(test: &TestDb) -> i64 {
    let count = |conn: &mut Conn| {
        diesel::sql_query("SELECT COUNT(*) AS n FROM advertisers").get_result::<Count>(conn).map_err(Error::from)
    };
    test.db.read(count).await.expect("a count").n
}

const END_OTHERS: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                          WHERE datname = current_database() AND pid <> pg_backend_pid()";

#[tokio::test]
async fn a_connection_that_was_ended_meanwhile_is_replaced() {
    let test = postgres();
    for n in 1..4 {
        test.db.write(add).await.expect("written");
        execute(&test.url, END_OTHERS).expect("ended");
        test.db.write(add).await.expect("written on another connection");
        execute(&test.url, END_OTHERS).expect("ended");
        // A read is not repeated, but told for what it is.
        let read = test.db.read(|conn| conn.batch_execute("SELECT 1").map_err(Error::from)).await;
        assert!(read.is_ok() || read.is_err_and(|error| error.is_away()));
        assert_eq!(count(&test).await, 2 * n);
    }
}

#[tokio::test]
async fn once_a_read_finds_its_connection_ended_the_others_are_new() {
    let test = postgres();
    let slow = |conn: &mut Conn| conn.batch_execute("SELECT pg_sleep(0.2)").map_err(Error::from);
    let at_once = tokio::join!(test.db.read(slow), test.db.read(slow), test.db.read(slow), test.db.read(slow));
    assert!(matches!(at_once, (Ok(()), Ok(()), Ok(()), Ok(()))), "{at_once:?}");
    execute(&test.url, END_OTHERS).expect("ended");
    let read = test.db.read(|conn| conn.batch_execute("SELECT 1").map_err(Error::from)).await;
    assert!(read.as_ref().is_err_and(Error::is_away), "{read:?}");
    for _ in 0..4 {
        assert_eq!(count(&test).await, 0);
    }
}

#[tokio::test]
async fn a_connection_is_kept_while_there_can_be_no_other() {
    let test = postgres();
    test.db.write(add).await.expect("written");
    let (server, name) = test.url.rsplit_once('/').expect("an address");
    execute(&format!("{server}/postgres"), &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false")).expect("closed");
    // The first connection is replaced after a second.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    test.db.write(add).await.expect("written on the connection that there is");
}

#[tokio::test]
async fn what_was_begun_on_a_lost_connection_is_done_once() {
    let test = postgres();
    let runs = Arc::new(AtomicU32::new(0));
    let counted = runs.clone();
    let work = move |tx: &mut Tx<'_>| {
        add(tx)?;
        if counted.fetch_add(1, Ordering::SeqCst) == 0 {
            let conn: &mut Conn = tx;
            conn.batch_execute("SELECT pg_terminate_backend(pg_backend_pid())")?;
        }
        Ok::<_, Error>(())
    };
    test.db.write(work).await.expect("written the second time");
    assert_eq!((runs.load(Ordering::SeqCst), count(&test).await), (2, 1));
}

#[tokio::test]
async fn a_primary_that_has_become_a_standby_is_left() {
    let test = postgres();
    let demote = |tx: &mut Tx<'_>| {
        let conn: &mut Conn = tx;
        // What a session sees of a server that takes no writes any more.
        conn.batch_execute("SET SESSION default_transaction_read_only = on").map_err(Error::from)
    };
    test.db.write(demote).await.expect("set");
    test.db.write(add).await.expect("written on another connection");
    assert_eq!(count(&test).await, 1);
}

#[tokio::test]
async fn what_passed_over_a_failed_statement_is_not_committed() {
    let test = postgres();
    let careless = |tx: &mut Tx<'_>| {
        add(tx)?;
        let conn: &mut Conn = tx;
        let _ = conn.batch_execute("SELECT 1 / 0");
        Ok::<_, Error>(())
    };
    let failed = test.db.write(careless).await;
    assert!(matches!(failed, Err(Error::NotCommitted(_))), "{failed:?}");
    test.db.write(add).await.expect("the connection can be used");
    assert_eq!(count(&test).await, 1);
}
