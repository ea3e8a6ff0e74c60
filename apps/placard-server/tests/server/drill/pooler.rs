//! PgBouncer between the server and PostgreSQL: it works if it pools sessions, and is refused if
//! it pools transactions.

use std::fs;
use std::net::SocketAddr;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

use super::cluster::{as_postgres, give_to_postgres};
use crate::client::path_of;
use crate::installation::{Installation, end, free_address};
use crate::market::{SLOT, open_market};
use crate::replica::address_of;

struct PgBouncer {
    child: Child,
    address: SocketAddr,
    _folder: TempDir,
}

impl PgBouncer {
    fn before(database: SocketAddr, mode: &str, more: &str) -> Self {
        let (folder, address) = (TempDir::new().expect("a folder"), free_address());
        give_to_postgres(folder.path());
        let (host, port) = (database.ip(), database.port());
        let settings = format!(
            "[databases]\n* = host={host} port={port} user=postgres\n[pgbouncer]\nlisten_addr = {}\n\
             listen_port = {}\nunix_socket_dir =\nauth_type = any\npool_mode = {mode}\n{more}\n",
            address.ip(),
            address.port()
        );
        let path = folder.path().join("pgbouncer.ini");
        fs::write(&path, settings).expect("its settings");
        let mut command = as_postgres("pgbouncer");
        let child = command.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = child.spawn().expect("it is installed");
        for _ in (0..50).take_while(|_| std::net::TcpStream::connect(address).is_err()) {
            sleep(Duration::from_millis(100));
        }
        Self { child, address, _folder: folder }
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

#[test]
#[ignore = "needs PgBouncer: just drill"]
fn a_pooler_of_sessions_is_taken_and_one_of_transactions_refused() {
    let direct = Installation::postgres();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let market = runtime.block_on(async { open_market(&direct.app()).await });
    let url = &direct.database().url;
    let (database, _) = address_of(url);
    let through =
        |pooler: &PgBouncer| direct.with_url(&url.replace(&database.to_string(), &pooler.address.to_string()));

    let sessions = PgBouncer::before(database, "session", "");
    let server = through(&sessions).start();
    let served = server.client().get(SLOT).expect("an answer").json();
    assert_eq!(server.client().get(&path_of(&served["impression_url"])).expect("an answer").status, 200);
    drop(server);

    for (mode, more) in [("transaction", ""), ("transaction", "server_round_robin = 1"), ("statement", "")] {
        let said = through(&PgBouncer::before(database, mode, more)).refuses();
        assert!(said.contains("pool_mode=session"), "{said}");
    }
    let seen = runtime.block_on(market.figures(&direct.app()));
    assert_eq!(seen.iter().map(|found| found.valid.impressions).sum::<i64>(), 1);
}
