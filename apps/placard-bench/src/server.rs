//! The release build of the server, as a child process.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::time::sleep;

use crate::installation::Installation;
use crate::wire::{Connection, get};

/// Five minutes: before it answers, the first start reckons a million plans, as after a version that did not.
const READY_TRIES: u32 = 6_000;
const BETWEEN: Duration = Duration::from_millis(50);

/// A running server; it ends when dropped.
pub struct Server {
    child: Child,
    log: PathBuf,
    pub address: SocketAddr,
}

impl Server {
    pub async fn start(installation: &Installation) -> Self {
        Self::start_with(installation, &[]).await
    }

    /// Starts it with additional environment variables, and waits until it is ready.
    pub async fn start_with(installation: &Installation, environment: &[(&str, &Path)]) -> Self {
        let address = free_address();
        let log = installation.path(&format!("server-{}.log", address.port()));
        let child = Command::new(program())
            .env_clear()
            .envs(installation.environment())
            .envs(environment.iter().copied())
            .env("PLACARD_BIND", address.to_string())
            .env("RUST_LOG", "warn")
            .stdin(Stdio::null())
            .stdout(File::create(&log).expect("a log"))
            .stderr(File::options().append(true).open(&log).expect("a log"))
            .spawn()
            .expect("placard-server is built beside this program");
        let mut server = Self { child, log, address };
        server.wait_until_ready().await;
        server
    }

    async fn wait_until_ready(&mut self) {
        let probe = get("/readyz", &[]);
        for _ in 0..READY_TRIES {
            if let Ok(mut connection) = Connection::open(self.address).await
                && connection.ask(&probe).await.is_ok_and(|answer| answer.status == 200)
            {
                return;
            }
            if let Some(status) = self.child.try_wait().expect("a child") {
                panic!("the server ended with {status}: {}", self.said());
            }
            sleep(BETWEEN).await;
        }
        panic!("the server is not ready: {}", self.said());
    }

    /// The most memory it has used so far, in mebibytes.
    pub fn most_memory(&self) -> f64 {
        self.mebibytes("VmHWM:")
    }

    /// The memory it has now, in mebibytes.
    pub fn memory(&self) -> f64 {
        self.mebibytes("VmRSS:")
    }

    fn mebibytes(&self, figure: &str) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix(figure)).expect("its memory");
        line.trim_end_matches("kB").trim().parse::<f64>().expect("a number") / 1024.0
    }

    /// Kills it, as a power cut would.
    pub fn end(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn said(&self) -> String {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().take(5).collect();
        lines.join("\n")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
        let said = self.said();
        if !said.is_empty() {
            eprintln!("the server's first warnings:\n{said}");
        }
    }
}

fn program() -> PathBuf {
    std::env::current_exe().expect("this program").with_file_name("placard-server")
}

fn free_address() -> SocketAddr {
    let probe = TcpListener::bind("127.0.0.1:0").expect("a port");
    probe.local_addr().expect("an address")
}
