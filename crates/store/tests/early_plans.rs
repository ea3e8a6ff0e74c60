//! Statements about events that PostgreSQL plans while its statistics say that there are
//! none, as after a VACUUM of a new installation. A connection keeps such a plan until the
//! table is analysed again.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use base::{PlanId, Timestamp};
use delivery::{EventKind, Nonce, Visitor};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use store::delivery::event;
use store::delivery::judged::{self, Judged, NewEvent};
use store::testing::{TestDb, postgres};
use store::{Conn, Error, Lookup, Realm};

const EVENTS: u8 = 200;

#[derive(QueryableByName)]
struct Rows {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

/// What judging an event and reading its click's conversions ask.
struct Asked {
    nonce: Nonce,
    visitor: Visitor,
    now: Timestamp,
}

impl Lookup for Asked {
    /// How many events were found, and how many were read for that.
    type Answer = (usize, i64);
    type Error = Error;
    type Found = (usize, i64);

    fn find(conn: &mut Conn, asked: &[Self]) -> Result<(usize, i64), Error> {
        conn.batch_execute("BEGIN")?;
        let mut found = 0;
        for of in asked {
            found += event::seen(conn, &[of.nonce])?.len();
            found += event::clicked(conn, &[of.nonce])?.len();
            let since = of.now.plus_seconds(-86_400);
            found += event::of_visitors(conn, &[(PlanId(1), of.visitor)], since, of.now)?.len();
        }
        let read = "SELECT CAST(COALESCE(SUM(COALESCE(idx_tup_fetch, 0) + COALESCE(seq_tup_read, 0)), 0) AS BIGINT) AS n \
                    FROM pg_stat_xact_user_tables WHERE relname LIKE 'events%'";
        let read = diesel::sql_query(read).get_result::<Rows>(conn)?.n;
        conn.batch_execute("COMMIT")?;
        Ok((found, read))
    }

    fn answer(&self, found: &(usize, i64)) -> Result<(usize, i64), Error> {
        Ok(*found)
    }
}

fn impression(n: u8, at: Timestamp) -> NewEvent {
    NewEvent {
        plan: PlanId(1),
        kind: EventKind::Impression,
        nonce: Nonce::mint(at, [n; 10]),
        slot: None,
        verdict: Ok(()),
        price_milli: 100,
        visitor: Some(Visitor([n; 16])),
        device: None,
        choice: None,
        cleared_milli: None,
        source: None,
    }
}

async fn ask(t: &TestDb, of: &NewEvent) -> (usize, i64) {
    let visitor = of.visitor.expect("a visitor");
    t.db.lookup(Asked { nonce: of.nonce, visitor, now: t.clock.now() }).await.expect("answered")
}

#[tokio::test]
async fn one_event_is_found_without_reading_the_others() {
    let t = postgres();
    let mut conn = t.db.target().open().expect("opens");
    conn.batch_execute("VACUUM ANALYZE events").expect("vacuumed");
    let new: Vec<NewEvent> = (0..EVENTS).map(|n| impression(n, t.clock.now())).collect();
    let first = new.first().expect("an event").clone();
    assert_eq!(ask(&t, &first).await, (0, 0));
    let write = t.db.write(move |tx| {
        let none = BTreeMap::new();
        let bookings = BTreeMap::new();
        let of = Judged { realm: Realm::Simulated, events: &new, bookings: &bookings, used: &none, plans: &none };
        judged::save(tx, &of)
    });
    write.await.expect("written");
    // Twice in all: by its nonce, and by its visitor.
    assert_eq!(ask(&t, &first).await, (2, 2));
}
