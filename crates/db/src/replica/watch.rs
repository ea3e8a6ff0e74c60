//! Watches a replica: marks the primary's progress, and checks whether the replica keeps
//! up.

use std::sync::Weak;
use std::thread;
use std::time::{Duration, Instant};

use diesel::prelude::*;

use crate::connection::Target;
use crate::replica::Replica;
use crate::row::One;
use crate::{Conn, Error};

const EVERY: Duration = Duration::from_secs(1);
/// How long a failed replica is left alone.
const RETRY: Duration = Duration::from_secs(2);
/// How often a replica that is behind is checked before it counts as failed.
const LOOKS: u32 = 10;
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);
/// Problems are logged at most this often.
const SAID_EVERY: Duration = Duration::from_secs(30);

/// How far the primary's log is durable. Everything acknowledged is below.
const WRITTEN: &str = "SELECT CAST(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') AS BIGINT) AS bytes";
/// Null on a server that is no longer a replica: its log is then its own.
const REPLAYED: &str = "SELECT CASE WHEN pg_is_in_recovery() THEN \
     CAST(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') AS BIGINT) END AS bytes";
/// An identity that is the same on a primary and its replicas, and nowhere else.
const IDENTITY: &str = "SELECT CAST(system_identifier AS TEXT) || '/' || current_database() AS name \
     FROM pg_control_system()";

/// How much of the primary's log a replica has replayed, in bytes.
///
/// # Errors
/// `Connect` if the server is not a replica.
pub(crate) fn read_replayed(conn: &mut Conn) -> Result<i64, Error> {
    position(conn, REPLAYED)?.ok_or_else(|| Error::Connect("it is no replica".into()))
}

fn position(conn: &mut Conn, sql: &str) -> Result<Option<i64>, Error> {
    let found: One<Option<i64>> = diesel::sql_query(sql).get_result(conn)?;
    Ok(found.0)
}

/// Watches until the last handle on the replica is gone.
pub(crate) fn watch(primary: Target, replica: Target, watched: &Weak<Replica>) {
    let mut watch = Watch { primary, replica, conns: None, complained: None };
    while let Some(replica) = watched.upgrade() {
        let well = watch.look(&replica);
        if well.is_err() {
            replica.set_aside();
            watch.conns = None;
        }
        drop(replica);
        let pause = if well.is_ok() { EVERY } else { RETRY };
        watch.say(well);
        thread::sleep(pause);
    }
}

struct Watch {
    primary: Target,
    replica: Target,
    /// To the primary and to the replica.
    conns: Option<(Conn, Conn)>,
    /// When a problem was last logged; `None` once it is healthy again.
    complained: Option<Instant>,
}

impl Watch {
    fn look(&mut self, replica: &Replica) -> Result<(), Error> {
        let (primary, follower) = match &mut self.conns {
            Some((primary, follower)) => (primary, follower),
            none => {
                let (primary, follower) = none.insert(connect(&self.primary, &self.replica)?);
                (primary, follower)
            }
        };
        let at = replica.now();
        let written = position(primary, WRITTEN)?.unwrap_or_default();
        replica.mark(at, written);
        for _ in 0..LOOKS {
            if replica.rely_on(read_replayed(follower)?) {
                return Ok(());
            }
            thread::sleep(BETWEEN_LOOKS);
        }
        Err(Error::Connect("it is too far behind the primary".into()))
    }

    fn say(&mut self, well: Result<(), Error>) {
        match (well, self.complained) {
            (Ok(()), Some(_)) => {
                self.complained = None;
                tracing::info!("reports are read from the replica again");
            }
            (Err(error), said) if said.is_none_or(|at| at.elapsed() >= SAID_EVERY) => {
                self.complained = Some(Instant::now());
                tracing::warn!(%error, "reports are read from the primary: the replica cannot be used now");
            }
            _ => {}
        }
    }
}

fn connect(primary: &Target, replica: &Target) -> Result<(Conn, Conn), Error> {
    let (mut primary, mut follower) = (primary.open()?, replica.open()?);
    if identity(&mut primary)? != identity(&mut follower)? {
        return Err(Error::Connect("it follows another database".into()));
    }
    Ok((primary, follower))
}

fn identity(conn: &mut Conn) -> Result<String, Error> {
    let found: One<String> = diesel::sql_query(IDENTITY).get_result(conn)?;
    Ok(found.0)
}
