//! A server with a streaming replica, named by `PLACARD_TEST_POSTGRES_PRIMARY` and `PLACARD_TEST_POSTGRES_REPLICA` in
//! the same way. It is separate from the server of other tests, because replaying all their databases would take longer
//! than the tests themselves.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;

use super::{TestDb, connect, postgres_on};
use crate::Conn;
use db::One;

// On a busy machine the replica may be a minute behind.
const TRIES: u32 = 2_400;
const BETWEEN: Duration = Duration::from_millis(50);

/// The replica, for one test at a time, because pausing it would disturb others.
pub struct Follower {
    server: String,
    conn: Conn,
    _turn: MutexGuard<'static, ()>,
}

/// Waits until this test may use the replica.
pub fn follower() -> Follower {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let server = server("PLACARD_TEST_POSTGRES_REPLICA");
    let conn = connect(&server).expect("the replica answers");
    Follower { server, conn, _turn: turn }
}

fn server(variable: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| panic!("{variable} must name a server, as scripts/with-postgres does"))
}

impl Follower {
    /// A database that is replicated.
    pub fn database(&self) -> TestDb {
        postgres_on(&server("PLACARD_TEST_POSTGRES_PRIMARY"))
    }

    /// The address of the same database on the replica, once it is there.
    pub fn url(&mut self, test: &TestDb) -> String {
        let (_, name) = test.url.rsplit_once('/').expect("a database's name");
        self.wait(&format!("SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = '{name}') AS yes"));
        format!("{}/{name}", self.server)
    }

    /// From now on nothing is replicated.
    pub fn pause(&mut self) {
        self.conn.batch_execute("SELECT pg_wal_replay_pause()").expect("asked");
        self.wait("SELECT pg_get_wal_replay_pause_state() = 'paused' AS yes");
    }

    pub fn resume(&mut self) {
        self.conn.batch_execute("SELECT pg_wal_replay_resume()").expect("resumed");
    }

    fn wait(&mut self, question: &str) {
        for _ in 0..TRIES {
            let answer: One<bool> = diesel::sql_query(question).get_result(&mut self.conn).expect("an answer");
            if answer.0 {
                return;
            }
            sleep(BETWEEN);
        }
        panic!("the replica never came to it: {question}");
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.resume();
    }
}
