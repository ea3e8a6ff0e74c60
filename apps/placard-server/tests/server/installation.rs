//! A separate database and folder, and the server started on them.

use campaigns::AdServer;
use std::fs::{self, File, Permissions};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use base::{Clock, Timestamp};
use desk::installation::settings::{self, Values};
use store::testing::{self, Follower, TestDb};
use tempfile::TempDir;

use crate::client::Client;

/// The server program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_placard-server");
const READY_TRIES: u32 = 200;
const BETWEEN: Duration = Duration::from_millis(50);

pub struct Installation {
    folder: TempDir,
    pub url: String,
    /// Keeps the PostgreSQL database alive; SQLite's is in the folder.
    postgres: Option<TestDb>,
}

impl Installation {
    pub fn sqlite() -> Self {
        let folder = folder();
        let url = format!("sqlite://{}", folder.path().join("placard.db").display());
        Self { folder, url, postgres: None }
    }

    pub fn postgres() -> Self {
        Self::on(testing::postgres())
    }

    pub fn replicated(by: &Follower) -> Self {
        Self::on(by.database())
    }

    fn on(db: TestDb) -> Self {
        Self { folder: folder(), url: db.url.clone(), postgres: Some(db) }
    }

    /// On a database that somebody else keeps.
    pub fn at(url: &str) -> Self {
        Self { folder: TempDir::new().expect("a temporary folder"), url: url.to_owned(), postgres: None }
    }

    /// The same installation with another database address, in a separate folder.
    pub fn with_url(&self, url: &str) -> Self {
        let other = Self::at(url);
        fs::copy(self.path("secrets.toml"), other.path("secrets.toml")).expect("its secrets");
        other
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn environment(&self) -> Vec<(String, String)> {
        [
            ("PLACARD_DATA_DIR", self.folder.path().display().to_string()),
            ("PLACARD_DATABASE_URL", self.url.clone()),
            ("PLACARD_LOG", "text".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }

    pub fn values(&self) -> Values {
        Values::from_pairs(self.environment()).expect("values")
    }

    /// The same database and secrets in this process; closed when dropped.
    pub fn app(&self) -> AdServer {
        settings::Installation::read(&self.values()).expect("settings").open(Clock::system()).expect("opens")
    }

    /// The same at another time than now.
    pub fn app_at(&self, time: Timestamp) -> AdServer {
        settings::Installation::read(&self.values()).expect("settings").open(Clock::manual(time)).expect("opens")
    }

    /// The PostgreSQL database.
    pub fn database(&self) -> &TestDb {
        self.postgres.as_ref().expect("PostgreSQL")
    }

    /// Starts the server and waits until it is ready.
    pub fn start(&self) -> Server {
        self.start_with(&[])
    }

    /// The same with another build of the server.
    pub fn start_program(&self, program: &str) -> Server {
        let server = self.spawn(Command::new(program), &[]);
        self.ready(server)
    }

    /// The same with additional variables.
    pub fn start_with(&self, variables: &[(&str, String)]) -> Server {
        let server = self.spawn(Command::new(PROGRAM), variables);
        self.ready(server)
    }

    /// The same, where exceeding the file size limit is an error and does not end the
    /// process.
    pub fn start_on_a_small_disk(&self) -> Server {
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; exec \"$0\"", PROGRAM]);
        let server = self.spawn(shell, &[]);
        self.ready(server)
    }

    /// Starts the server, and waits for nothing.
    pub fn begin(&self) -> Server {
        self.spawn(Command::new(PROGRAM), &[])
    }

    /// Starts the server, and waits until it answers or ends; the output if it ended.
    pub fn try_start(&self) -> Result<Server, String> {
        let mut server = self.spawn(Command::new(PROGRAM), &[]);
        for _ in 0..READY_TRIES {
            if server.client().get("/healthz").is_ok() {
                return Ok(server);
            }
            if let Some(said) = self.ended(&mut server) {
                return Err(said);
            }
            sleep(BETWEEN);
        }
        panic!("the server neither answers nor ends: {}", self.said(&server));
    }

    /// Starts the server, which must end with one line, and returns that.
    pub fn refuses(&self) -> String {
        let Err(said) = self.try_start() else { panic!("the server answers") };
        assert_eq!(said.lines().count(), 1, "{said}");
        said
    }

    /// The server's output, if it has ended with 1, or with 78 because somebody has to mend the configuration.
    pub fn ended(&self, server: &mut Server) -> Option<String> {
        let status = server.child.try_wait().expect("a child")?;
        assert!(matches!(status.code(), Some(1 | 78)), "{status}: {}", self.said(server));
        Some(self.said(server))
    }

    pub fn said(&self, server: &Server) -> String {
        fs::read_to_string(self.log(server.address)).unwrap_or_default()
    }

    fn log(&self, address: SocketAddr) -> PathBuf {
        self.path(&format!("server-{}.log", address.port()))
    }

    fn spawn(&self, mut command: Command, variables: &[(&str, String)]) -> Server {
        let address = free_address();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let child = command
            .env_clear()
            .env("PATH", path)
            .envs(self.environment())
            .env("PLACARD_BIND", address.to_string())
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(self.log(address)).expect("a log"))
            .spawn()
            .expect("the server starts");
        Server { child, address }
    }

    fn ready(&self, mut server: Server) -> Server {
        for _ in 0..READY_TRIES {
            if server.client().get("/readyz").is_ok_and(|answer| answer.status == 200) {
                return server;
            }
            if let Some(status) = server.child.try_wait().expect("a child") {
                panic!("the server ended with {status}: {}", self.said(&server));
            }
            sleep(BETWEEN);
        }
        panic!("the server is not ready: {}", self.said(&server));
    }
}

/// Accessible only to its owner, like an installation's.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o700)).expect("closed");
    folder
}

/// A running server; it ends when dropped, however the test ends.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

impl Server {
    pub fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills it, as a power cut would.
    pub fn kill(mut self) {
        self.child.kill().expect("killed");
        let status = self.child.wait().expect("ended");
        assert_eq!(status.code(), None, "the server had ended by itself: {status}");
    }

    /// Asks it to stop.
    pub fn terminate(&self) {
        self.signal("-TERM");
    }

    /// Its terminal closes.
    pub fn hang_up(&self) {
        self.signal("-HUP");
    }

    fn signal(&self, which: &str) {
        let sent = Command::new("kill").args([which, &self.child.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// Waits for its end, at most `limit`.
    pub fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        wait(&mut self.child, limit)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

pub fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let begun = Instant::now();
    while begun.elapsed() < limit {
        if let Some(status) = child.try_wait().expect("a child") {
            return Some(status);
        }
        sleep(Duration::from_millis(20));
    }
    None
}

/// Ends a child process that may have ended already.
pub fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

pub fn free_address() -> SocketAddr {
    let probe = TcpListener::bind("127.0.0.1:0").expect("a port");
    probe.local_addr().expect("an address")
}
