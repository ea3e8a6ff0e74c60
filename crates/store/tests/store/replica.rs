//! Reports are read from a replica that keeps up, and say how old they are.

use std::time::Duration;

use base::Timestamp;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool};
use store::testing::{START, TestDb, follower, sqlite};
use store::{Db, Error};

// On a busy machine the replica may be a minute behind.
const TRIES: u32 = 2_400;
const BETWEEN: Duration = Duration::from_millis(50);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    users: i64,
    on_replica: bool,
    at: Timestamp,
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    users: i64,
    #[diesel(sql_type = Bool)]
    on_replica: bool,
}

const COUNT: &str = "SELECT COUNT(*) AS users, pg_is_in_recovery() AS on_replica FROM users";

async fn report(db: &Db) -> Seen {
    let counted = db.report(|conn, at| {
        let row: Row = diesel::sql_query(COUNT).get_result(conn)?;
        Ok::<_, Error>(Seen { users: row.users, on_replica: row.on_replica, at })
    });
    counted.await.expect("a report")
}

/// Repeats the report until it is as expected.
async fn until(db: &Db, what: impl Fn(&Seen) -> bool) -> Seen {
    for _ in 0..TRIES {
        let seen = report(db).await;
        if what(&seen) {
            return seen;
        }
        tokio::time::sleep(BETWEEN).await;
    }
    panic!("it never came: {:?}", report(db).await);
}

fn on_replica(test: &TestDb, url: &str) -> Db {
    test.db.clone().with_replica(&test.url, url).expect("followed")
}

#[tokio::test]
async fn figures_of_a_replica_say_from_when_they_are() {
    let mut replica = follower();
    let test = replica.database();
    let db = on_replica(&test, &replica.url(&test));
    test.user("ann").await;
    assert_eq!(
        until(&db, |seen| seen.on_replica && seen.users == 1).await,
        Seen { users: 1, on_replica: true, at: START }
    );

    replica.pause();
    test.user("bob").await;
    test.clock.advance_seconds(20);
    // Later marks have not been reached.
    assert_eq!(report(&db).await, Seen { users: 1, on_replica: true, at: START });

    test.clock.advance_seconds(11);
    let later = START.plus_seconds(31);
    assert_eq!(report(&db).await, Seen { users: 2, on_replica: false, at: later }, "the primary knows");

    replica.resume();
    let again = until(&db, |seen| seen.on_replica).await;
    assert_eq!(again, Seen { users: 2, on_replica: true, at: later });
    let reports = db.reports().expect("a replica");
    assert!(reports.from_replica >= 3 && reports.from_primary >= 1, "{reports:?}");
}

#[tokio::test]
async fn a_primary_at_rest_is_no_lag() {
    let mut replica = follower();
    let test = replica.database();
    let db = on_replica(&test, &replica.url(&test));
    until(&db, |seen| seen.on_replica).await;
    test.clock.advance_seconds(3600);
    let later = START.plus_seconds(3600);
    assert_eq!(until(&db, |seen| seen.on_replica).await.at, later, "nothing was written for an hour");
}

#[tokio::test]
async fn what_the_replica_refuses_is_asked_of_the_primary() {
    let mut replica = follower();
    let test = replica.database();
    let db = on_replica(&test, &replica.url(&test));
    until(&db, |seen| seen.on_replica).await;
    let refused = db.report(|conn, _| {
        let row: Row = diesel::sql_query(COUNT).get_result(conn)?;
        if row.on_replica { Err(Error::Corrupt("not here".into())) } else { Ok(row.users) }
    });
    assert_eq!(refused.await.expect("the primary's answer"), 0);
    assert!(report(&db).await.on_replica, "the replica is as well as before");
}

#[tokio::test]
async fn what_is_no_replica_is_never_asked() {
    let mut replica = follower();
    let (test, other) = (replica.database(), replica.database());
    let nobody = test.url.replace("127.0.0.1", "127.0.0.2");
    for url in [test.url.clone(), replica.url(&other), nobody] {
        let db = on_replica(&test, &url);
        for _ in 0..30 {
            assert!(!report(&db).await.on_replica, "{url}");
            tokio::time::sleep(BETWEEN).await;
        }
        let reports = db.reports().expect("a replica");
        assert_eq!((reports.from_replica, reports.from_primary, reports.lag_millis), (0, 30, None), "{url}");
    }
}

#[tokio::test]
async fn without_a_replica_the_database_itself_reports() {
    let test = sqlite();
    assert_eq!(test.db.report(|_, at| Ok::<_, Error>(at)).await.expect("a report"), START);
    assert_eq!(test.db.reports(), None);
    let refused = test.db.clone().with_replica(&test.url, "postgres://127.0.0.1/placard").err().expect("refused");
    assert!(refused.to_string().contains("PostgreSQL"), "{refused}");
}
