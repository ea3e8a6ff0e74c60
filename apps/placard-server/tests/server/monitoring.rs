//! What Prometheus reads: the names and labels that dashboards and alerts rely on, and a
//! real Prometheus that reads them and raises an alarm.

use std::collections::BTreeSet;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::thread::sleep;
use std::time::{Duration, Instant};

use money::wallet::verify::verify;
use serde_json::{Value, json};
use staff::remote::PATH;
use tokio::runtime::Runtime;

use crate::client::Client;
use crate::installation::{Installation, end, free_address};
use crate::market::{USER, open_market};
use crate::readers::Trail;

const TRIES: u32 = 150;
const BETWEEN: Duration = Duration::from_millis(200);
/// Dashboards ask for these under exactly these names.
const PROMISED: [&str; 22] = [
    r#"placard_http_requests_total{method="GET",route="/ads/slot/{key}",code="200"} "#,
    r#"placard_http_request_duration_seconds_bucket{le="0.1",method="GET",route="/t/c/{token}",code="302"} "#,
    r#"placard_http_requests_total{method="GET",route="unknown",code="404"} 1"#,
    r#"placard_events_total{kind="impression",outcome="counted"} 3"#,
    r#"placard_events_total{kind="click",outcome="counted"} 3"#,
    r#"placard_events_total{kind="impression",outcome="failed"} 0"#,
    r#"placard_postbacks_total{outcome="accepted"} 3"#,
    r#"placard_postbacks_total{outcome="bad_signature"} 0"#,
    r#"placard_slot_requests_total{outcome="filled"} 3"#,
    r#"placard_lease_requests_total{outcome="granted"} "#,
    r#"placard_sign_ins_total{outcome="wrong"} 1"#,
    r#"placard_failed_attempts_total{what="sign-in"} 1"#,
    "placard_commit_duration_seconds_count ",
    r#"placard_commit_commands_bucket{le="256.0"} "#,
    r#"placard_queue_depth{queue="writes"} 0"#,
    r#"placard_queue_wait_seconds_count{queue="reads"} "#,
    "placard_passwords_hashed_total ",
    r#"placard_staff_waiting{what="withdrawals"} 0"#,
    r#"placard_overdue{what="billing"} 0"#,
    "placard_backup_timestamp_seconds 0",
    r#"placard_build_info{version="0.2.0"} 1"#,
    "process_resident_memory_bytes ",
];

#[test]
fn prometheus_reads_what_happens_on_sqlite() {
    reads_what_happens(&Installation::sqlite());
}

#[test]
fn prometheus_reads_what_happens_on_postgres() {
    reads_what_happens(&Installation::postgres());
}

fn reads_what_happens(installation: &Installation) {
    let runtime = Runtime::new().expect("a runtime");
    let market = runtime.block_on(async { open_market(&installation.app()).await });
    let metrics = free_address();
    let server = installation.start_with(&[("PLACARD_METRICS_BIND", metrics.to_string())]);
    let (client, dead, answers) = (server.client(), AtomicBool::new(false), AtomicU32::new(0));
    let visited = Trail::new(client.clone(), &market.advertiser, &dead, &answers).visits("anna", 1);
    assert_eq!(visited.len(), 9, "three views, clicks and conversions");
    assert_eq!(client.get("/made/up").expect("an answer").status, 404);
    let wrong = json!({ "username": USER, "password": "a guess" });
    client.post_as("", "/api/auth/v2/login", None, &wrong).expect("an answer");

    let text = Client::new(metrics).get("/metrics").expect("figures").body;
    for promised in PROMISED {
        assert!(text.lines().any(|line| line.starts_with(promised)), "{promised} is not in\n{text}");
    }
    assert!(text.ends_with("# EOF\n"), "the whole text");
    let verified = "placard_ledger_verified_timestamp_seconds ";
    let app = installation.app();
    let before = app.now().seconds();
    assert!(runtime.block_on(verify(&app)).expect("verified").ok);
    // The server asks its database once in ten seconds.
    let told = (0..TRIES).find_map(|_| {
        let text = Client::new(metrics).get("/metrics").expect("figures").body;
        let at = text.lines().find_map(|line| line.strip_prefix(verified)).expect("a figure").parse::<i64>();
        let at = at.expect("seconds");
        sleep(BETWEEN);
        (at >= before).then_some(at)
    });
    assert!(told.is_some(), "the ledger is told to be verified");
}

/// Prometheus as `prometheus.yml` starts it, but for addresses and intervals.
struct Prometheus {
    child: Child,
    client: Client,
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

impl Prometheus {
    fn watch(server: SocketAddr, folder: &Path) -> Self {
        let example = fs::read_to_string(deploy("prometheus/prometheus.yml")).expect("the example");
        let config = example
            .replace("15s", "1s")
            .replace("alerts.yml", &deploy("prometheus/alerts.yml").display().to_string())
            .replace(r#""10.0.0.11:9464", "10.0.0.12:9464""#, &format!(r#""{server}""#));
        assert!(config.contains(&server.to_string()), "{config}");
        let (file, address) = (folder.join("prometheus.yml"), free_address());
        fs::write(&file, config).expect("written");
        let child = Command::new("prometheus")
            .arg(format!("--config.file={}", file.display()))
            .arg(format!("--storage.tsdb.path={}", folder.join("series").display()))
            .arg(format!("--web.listen-address={address}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Prometheus is installed: `just setup`");
        Self { child, client: Client::new(address) }
    }

    /// The values of a query; empty until it has an answer.
    fn values(&self, query: &str) -> Vec<f64> {
        let Ok(answer) = self.client.get(&format!("/api/v1/query?query={query}")) else { return Vec::new() };
        let Ok(answer) = serde_json::from_str::<Value>(&answer.body) else { return Vec::new() };
        let found = answer["data"]["result"].as_array().cloned().unwrap_or_default();
        found.iter().filter_map(|of| of["value"][1].as_str()?.parse().ok()).collect()
    }

    fn alerts(&self) -> Vec<Value> {
        let answer = self.client.get("/api/v1/alerts").expect("an answer").json();
        answer["data"]["alerts"].as_array().cloned().unwrap_or_default()
    }

    fn until<T>(&self, what: &str, mut look: impl FnMut(&Self) -> Option<T>) -> T {
        let found = (0..TRIES).find_map(|_| {
            sleep(BETWEEN);
            look(self)
        });
        found.unwrap_or_else(|| panic!("{what}: never"))
    }
}

fn deploy(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy").join(file)
}

#[test]
fn a_real_prometheus_reads_the_figures_and_raises_an_alarm() {
    let installation = Installation::sqlite();
    let (metrics, staff) = (free_address(), free_address());
    let places = [("PLACARD_METRICS_BIND", metrics.to_string()), ("PLACARD_STAFF_BIND", staff.to_string())];
    let _server = installation.start_with(&places);
    let folder = installation.path("prometheus");
    fs::create_dir(&folder).expect("a folder");
    let prometheus = Prometheus::watch(metrics, &folder);
    // Two readings at least, so that growth is seen.
    prometheus.until("readings", |p| {
        let readings = p.values("count_over_time(placard_staff_refused_total[1m])");
        readings.first().filter(|number| **number >= 2.0).copied()
    });
    assert_eq!(prometheus.values("up"), [1.0]);
    assert_eq!(prometheus.values("count(placard_http_request_duration_seconds_bucket)").len(), 1);
    let firing = |p: &Prometheus| {
        let named = |alert: &&Value| alert["labels"]["alertname"] == "PlacardStaffKeysGuessed";
        p.alerts().iter().find(named).filter(|alert| alert["state"] == "firing").cloned()
    };
    assert!(firing(&prometheus).is_none(), "nothing was tried yet");
    // A call of staff without any key.
    assert_eq!(Client::new(staff).post_as("", PATH, None, &Value::Null).expect("an answer").status, 401);
    let alert = prometheus.until("an alarm", firing);
    assert_eq!(alert["labels"]["severity"], "page");
    assert_eq!(alert["annotations"]["runbook"], "docs/OPERATIONS.md#somebody-tries-things-out");
}

#[test]
fn the_rules_are_valid_and_each_fires_as_its_test_says() {
    let promtool = |arguments: &[&str]| {
        let ran = Command::new("promtool").args(arguments).current_dir(deploy("prometheus")).output();
        let ran = ran.expect("Prometheus is installed: `just setup`");
        let said = [ran.stdout, ran.stderr].concat();
        assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&said));
    };
    promtool(&["check", "config", "prometheus.yml"]);
    promtool(&["check", "rules", "--lint-fatal", "alerts.yml"]);
    promtool(&["test", "rules", "alerts.test.yml"]);
    let (rules, tests) = (text("prometheus/alerts.yml"), text("prometheus/alerts.test.yml"));
    let named = |text: &str, key: &str| -> BTreeSet<String> {
        text.lines().filter_map(|line| line.trim().strip_prefix(key)).map(|name| name.trim().to_owned()).collect()
    };
    let alerts = named(&rules, "- alert:");
    assert!(alerts.len() > 10);
    assert_eq!(alerts, named(&tests, "- alertname:"), "each alert has a test in which it fires");
}

/// Figures that only some installations have.
const OF_SOME: [&str; 3] =
    ["placard_replica_lag_seconds", "placard_copied_timestamp_seconds", "placard_log_cosigned_timestamp_seconds"];

/// A figure that the server no longer has would leave a panel empty and an alert silent.
#[test]
fn rules_and_dashboard_ask_for_figures_that_there_are_and_runbooks_that_are_written() {
    let installation = Installation::postgres();
    let metrics = free_address();
    // A replica that cannot be reached has the same figures but its lag.
    let replica = ("PLACARD_REPLICA_URL", "postgres://127.0.0.1:1/none".to_owned());
    let domain = ("PLACARD_DOMAIN", "ads.example.com".to_owned());
    let server = installation.start_with(&[("PLACARD_METRICS_BIND", metrics.to_string()), replica, domain]);
    // The figures of the public log are there as soon as it is.
    let begun = Instant::now();
    while server.client().get("/log/key").expect("an answer").status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(30), "no log has begun");
        sleep(Duration::from_millis(50));
    }
    let text_of_server = Client::new(metrics).get("/metrics").expect("figures").body;
    let dashboard = text("grafana/placard.json");
    serde_json::from_str::<Value>(&dashboard).expect("JSON");
    let rules = text("prometheus/alerts.yml");
    let asked = [&dashboard, &rules].map(|text| figures_in(text)).concat();
    assert!(asked.len() > 40, "{asked:?}");
    for figure in asked {
        let family =
            ["_total", "_bucket", "_count", "_sum"].iter().fold(figure, |name, end| name.trim_end_matches(end));
        let there = text_of_server.contains(&format!("# TYPE {family} "));
        assert!(there || OF_SOME.contains(&family), "{figure}: the server has none");
    }
    let operations = fs::read_to_string(deploy("../docs/OPERATIONS.md")).expect("a page");
    let titles: BTreeSet<String> = operations.lines().filter_map(anchor).collect();
    for rule in rules.lines().filter_map(|line| line.split_once("docs/OPERATIONS.md#")) {
        assert!(titles.contains(rule.1), "{}: no such section in {titles:?}", rule.1);
    }
}

fn text(file: &str) -> String {
    fs::read_to_string(deploy(file)).expect("a file")
}

fn figures_in(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("placard_") || word.starts_with("process_")).collect()
}

/// The link to a section, as pages on the web make it.
fn anchor(line: &str) -> Option<String> {
    let title = line.strip_prefix('#')?.trim_start_matches('#').trim().to_lowercase();
    let kept = title.chars().filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-');
    Some(kept.map(|c| if c == ' ' { '-' } else { c }).collect())
}
