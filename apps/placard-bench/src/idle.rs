//! The resources of a server that does nothing: the demonstration's, some time after it began.

use base::Clock;
use demo::Progress;
use demo::seed::plant;
use tokio::time::sleep;

use crate::installation::{Installation, Kind};
use crate::scale::Scale;
use crate::server::Server;
use crate::table::{Table, plain};

const MARK: f64 = 60.0;

/// Nobody watches.
struct Unseen;

impl Progress for Unseen {
    fn at(&self, _: u64) {}
}

pub async fn measure(table: &mut Table, scale: Scale) {
    let installation = Installation::new(Kind::Sqlite);
    let past: Option<&dyn Progress> = scale.past.then_some(&Unseen);
    plant(&installation.app_by(Clock::movable()), None, past).await.expect("a demonstration");
    let server = Server::start(&installation).await;
    sleep(scale.idle).await;
    table.add("idle_mb", plain(server.memory(), "MiB").against("60 MiB", Some(MARK)));
}
