//! Statements about events that PostgreSQL plans while its statistics say that there are
//! none, as after a VACUUM of a new installation. A connection keeps such a plan until the
//! table is analysed again.

use std::collections::BTreeMap;

use base::{PlanId, Timestamp};
use delivery::{EventKind, Nonce, Visitor};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
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
        let (bookings, views) = (BTreeMap::new(), BTreeMap::new());
        let of = Judged {
            realm: Realm::Simulated,
            events: &new,
            bookings: &bookings,
            used: &none,
            used_in_exchanges: &none,
            views: &views,
            days: &BTreeMap::new(),
            plans: &BTreeMap::new(),
        };
        judged::save(tx, &of)
    });
    write.await.expect("written");
    // Twice in all: by its nonce, and by its visitor.
    assert_eq!(ask(&t, &first).await, (2, 2));
}

#[derive(QueryableByName)]
struct Kept {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = BigInt)]
    parameters: i64,
}

#[derive(QueryableByName)]
struct PlanLine {
    #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
    line: String,
}

/// The plans of what judging asks.
struct Explained(Asked);

impl Lookup for Explained {
    type Answer = Vec<String>;
    type Error = Error;
    type Found = Vec<String>;

    fn find(conn: &mut Conn, asked: &[Self]) -> Result<Vec<String>, Error> {
        let asked = asked.iter().map(|of| Asked { nonce: of.0.nonce, visitor: of.0.visitor, now: of.0.now });
        Asked::find(conn, &asked.collect::<Vec<_>>())?;
        let kept = "SELECT name, CAST(cardinality(parameter_types) AS BIGINT) AS parameters \
                    FROM pg_prepared_statements WHERE statement LIKE '% FROM events %'";
        let kept: Vec<Kept> = diesel::sql_query(kept).load(conn)?;
        kept.iter()
            .map(|of| {
                let nothing = vec!["NULL"; usize::try_from(of.parameters).unwrap_or_default()].join(", ");
                let plan = format!("EXPLAIN EXECUTE {}({nothing})", of.name);
                let lines: Vec<PlanLine> = diesel::sql_query(plan).load(conn)?;
                Ok(lines.into_iter().map(|of| of.line).collect::<Vec<_>>().join("\n"))
            })
            .collect()
    }

    fn answer(&self, found: &Vec<String>) -> Result<Vec<String>, Error> {
        Ok(found.clone())
    }
}

#[tokio::test]
async fn other_months_are_left_out_before_a_statement_begins() {
    let t = postgres();
    let of = impression(0, t.clock.now());
    let visitor = of.visitor.expect("a visitor");
    let plans =
        t.db.lookup(Explained(Asked { nonce: of.nonce, visitor, now: t.clock.now() })).await.expect("explained");
    assert_eq!(plans.len(), 3, "{plans:?}");
    for plan in plans {
        assert!(plan.contains("Subplans Removed: "), "{plan}");
    }
}
