//! Three nodes of PostgreSQL under Patroni with etcd, and HAProxy in front of them, run with
//! the files of `deploy`.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::client::Client;
use crate::installation::{end, free_address};

const PASSWORD: &str = "of-the-drill";
/// Until a node has copied the primary and follows it.
const WITHIN: Duration = Duration::from_secs(90);
const BETWEEN: Duration = Duration::from_millis(100);
/// The user that PostgreSQL runs as, if we are root.
const POSTGRES: &str = "postgres";

pub struct Cluster {
    folder: TempDir,
    etcd: Child,
    etcd_address: SocketAddr,
    nodes: Vec<Node>,
    proxy: Child,
    proxy_address: SocketAddr,
}

struct Node {
    name: String,
    data: PathBuf,
    patroni: Option<Child>,
    database: SocketAddr,
    rest: SocketAddr,
}

/// The file of `deploy` with this name, readable for everybody.
pub fn deployed(folder: &Path, name: &str) -> PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy").join(name);
    let to = folder.join(from.file_name().expect("a name"));
    fs::copy(&from, &to).expect("a file of deploy");
    to
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}

/// PostgreSQL does not run as root.
pub fn as_postgres(program: &str) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid", POSTGRES, "--regid", POSTGRES, "--clear-groups", program]);
    command
}

pub fn give_to_postgres(folder: &Path) {
    if is_root() {
        let id = |flag: &str| Command::new("id").args([flag, POSTGRES]).output().expect("the user").stdout;
        let number = |text: Vec<u8>| String::from_utf8_lossy(&text).trim().parse().ok();
        chown(folder, number(id("-u")), number(id("-g"))).expect("given to it");
    }
}

/// A program in the folder, with its output in a log.
fn start(folder: &Path, log: &str, command: &mut Command) -> Child {
    let log = File::create(folder.join(log)).expect("a log");
    let errors = log.try_clone().expect("a handle");
    command.stdin(Stdio::null()).stdout(log).stderr(errors).current_dir(folder).spawn().expect("it is installed")
}

fn start_etcd(folder: &Path, clients: SocketAddr) -> Child {
    let (clients, peers) = (format!("http://{clients}"), format!("http://{}", free_address()));
    let mut etcd = Command::new("etcd");
    etcd.args(["--data-dir", "etcd", "--listen-client-urls", &clients, "--advertise-client-urls", &clients]);
    etcd.args(["--listen-peer-urls", &peers, "--initial-advertise-peer-urls", &peers]);
    start(folder, "etcd.log", etcd.arg("--initial-cluster").arg(format!("default={peers}")))
}

impl Node {
    fn start(&mut self, folder: &Path, etcd: SocketAddr) {
        let mut patroni = as_postgres("patroni");
        let (database, rest) = (self.database.to_string(), self.rest.to_string());
        patroni.arg(folder.join("patroni.yml")).envs([
            ("PATRONI_NAME", self.name.as_str()),
            ("PATRONI_RESTAPI_LISTEN", &rest),
            ("PATRONI_RESTAPI_CONNECT_ADDRESS", &rest),
            ("PATRONI_ETCD3_HOSTS", &etcd.to_string()),
            ("PATRONI_POSTGRESQL_LISTEN", &database),
            ("PATRONI_POSTGRESQL_CONNECT_ADDRESS", &database),
            ("PATRONI_POSTGRESQL_DATA_DIR", &self.data.display().to_string()),
            ("PATRONI_POSTGRESQL_PGPASS", &folder.join(format!("{}.pgpass", self.name)).display().to_string()),
            ("PATRONI_SUPERUSER_PASSWORD", PASSWORD),
            ("PATRONI_REPLICATION_PASSWORD", PASSWORD),
            ("PATRONI_REWIND_PASSWORD", PASSWORD),
        ]);
        self.patroni = Some(start(folder, &format!("{}.log", self.name), &mut patroni));
    }

    /// Kills the whole node, as a power cut would: what supervises PostgreSQL, and PostgreSQL.
    fn kill(&mut self) {
        if let Some(mut patroni) = self.patroni.take() {
            end(&mut patroni);
        }
        self.kill_postgres();
    }

    fn kill_postgres(&self) {
        let Ok(text) = fs::read_to_string(self.data.join("postmaster.pid")) else { return };
        let id = text.lines().next().unwrap_or_default();
        let _ = Command::new("kill").args(["-KILL", id]).stderr(Stdio::null()).status();
    }
}

impl Cluster {
    pub fn start() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let path = folder.path().to_owned();
        give_to_postgres(&path);
        let etcd_address = free_address();
        let etcd = start_etcd(&path, etcd_address);
        deployed(&path, "patroni/patroni.yml");
        let node = |n: usize| {
            let name = format!("db{n}");
            Node { data: path.join(&name), name, patroni: None, database: free_address(), rest: free_address() }
        };
        let nodes: Vec<Node> = (1..=3).map(node).collect();
        let proxy_address = free_address();
        let mut haproxy = Command::new("haproxy");
        haproxy.arg("-f").arg(deployed(&path, "haproxy/haproxy.cfg"));
        haproxy.env("PLACARD_PROXY", proxy_address.to_string());
        for (n, node) in (1..).zip(&nodes) {
            haproxy.env(format!("PLACARD_DB{n}"), node.database.to_string());
            haproxy.env(format!("PLACARD_DB{n}_CHECK_HOST"), node.rest.ip().to_string());
            haproxy.env(format!("PLACARD_DB{n}_CHECK_PORT"), node.rest.port().to_string());
        }
        let proxy = start(&path, "haproxy.log", &mut haproxy);
        let mut cluster = Self { folder, etcd, etcd_address, nodes, proxy, proxy_address };
        for n in 0..3 {
            cluster.nodes[n].start(&path, etcd_address);
            // The first makes the cluster, and the others copy it.
            cluster.wait_until(&format!("{} nodes work", n + 1), |cluster| cluster.working() == n + 1);
        }
        cluster.wait_until_whole();
        cluster
    }

    /// The address of a database on the primary, through the proxy.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://postgres:{PASSWORD}@{}/{database}", self.proxy_address)
    }

    /// What Patroni says of its members: their names, roles and states.
    fn members(&self) -> Vec<(String, String, String)> {
        let asked = self.nodes.iter().filter(|node| node.patroni.is_some());
        let told = asked.filter_map(|node| Client::new(node.rest).get("/cluster").ok()).find(|told| told.status == 200);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let members = told.map(|told| told.json()["members"].as_array().cloned().unwrap_or_default());
        let of = |member: &Value| (text(&member["name"]), text(&member["role"]), text(&member["state"]));
        members.unwrap_or_default().iter().map(of).collect()
    }

    fn working(&self) -> usize {
        let states = self.members();
        states.iter().filter(|(_, _, state)| ["running", "streaming"].contains(&state.as_str())).count()
    }

    fn wait_until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            assert!(begun.elapsed() < WITHIN, "{what}: {:?}\n{}", self.members(), self.logs());
            sleep(BETWEEN);
        }
    }

    /// Waits until three nodes work, one of them the primary and one that has all it answers.
    pub fn wait_until_whole(&self) {
        self.wait_until("whole", |cluster| {
            let members = cluster.members();
            let has = |role: &str| members.iter().any(|(_, of, _)| of == role);
            cluster.working() == 3 && has("leader") && has("sync_standby")
        });
    }

    fn logs(&self) -> String {
        let last = |name: String| {
            let text = fs::read_to_string(self.folder.path().join(&name)).unwrap_or_default();
            let lines: Vec<_> = text.lines().collect();
            format!("{name}:\n{}", lines[lines.len().saturating_sub(15)..].join("\n"))
        };
        self.nodes.iter().map(|node| last(format!("{}.log", node.name))).collect::<Vec<_>>().join("\n")
    }

    /// Kills the primary's node, or only its PostgreSQL. Returns its place.
    pub fn kill_primary(&mut self, whole_node: bool) -> usize {
        let (name, ..) = self.members().into_iter().find(|(_, role, _)| role == "leader").expect("a primary");
        let place = self.nodes.iter().position(|node| node.name == name).expect("a node");
        if whole_node {
            self.nodes[place].kill();
        } else {
            self.nodes[place].kill_postgres();
        }
        place
    }

    /// Starts a node that was killed, which follows the new primary.
    pub fn bring_back(&mut self, place: usize) {
        let (folder, etcd) = (self.folder.path().to_owned(), self.etcd_address);
        if self.nodes[place].patroni.is_none() {
            self.nodes[place].start(&folder, etcd);
        }
        self.wait_until_whole();
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        end(&mut self.proxy);
        self.nodes.iter_mut().for_each(Node::kill);
        end(&mut self.etcd);
    }
}
