//! The overview is read from a replica if there is one.

use campaigns::AdServer;
use std::net::SocketAddr;
use std::thread::sleep;
use std::time::Duration;

use base::{Money, Timestamp};
use campaigns::plans::put::{Put, PutTarget, put};
use foundation::people::pay_password::Proof;
use plans::ContentType;
use serde_json::Value;
use store::testing::follower;
use tokio::runtime::Runtime;

use crate::client::Client;
use crate::installation::{Installation, free_address};
use crate::market::{Market, PASSWORD, USER, open_market};
use crate::relay::Relay;

// On a busy machine the replica may be a minute behind.
const TRIES: u32 = 2_400;
const BETWEEN: Duration = Duration::from_millis(50);
const OVERVIEW: &str = "/api/ad/order/data_statistics/list?type=4";

/// How many reports came from where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reports {
    replica: u64,
    primary: u64,
}

struct Reader {
    client: Client,
    metrics: Client,
    token: String,
}

impl Reader {
    fn overview(&self) -> Value {
        let answer = self.client.get_as(&self.token, OVERVIEW).expect("an answer").json();
        assert_eq!(answer["code"], 200, "{answer}");
        answer["data"].clone()
    }

    fn reports(&self) -> Reports {
        let text = self.metrics.get("/metrics").expect("an answer").body;
        let count = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)).expect("a figure");
            line.trim().parse().expect("a number")
        };
        Reports {
            replica: count("placard_reports_from_replica_total "),
            primary: count("placard_reports_from_primary_total "),
        }
    }

    /// Repeats until the overview comes from the replica, or does not.
    fn until_from_replica(&self, wanted: bool) -> Value {
        for _ in 0..TRIES {
            let before = self.reports();
            let shown = self.overview();
            let after = self.reports();
            assert_eq!(after.replica + after.primary, before.replica + before.primary + 1);
            if (after.replica > before.replica) == wanted {
                return shown;
            }
            sleep(BETWEEN);
        }
        panic!("the overview never came from there: {:?}", self.reports());
    }
}

#[test]
fn the_overview_comes_from_the_replica_while_there_is_one() {
    let mut replica = follower();
    let installation = Installation::replicated(&replica);
    let runtime = Runtime::new().expect("a runtime");
    let app = installation.app();
    let market = runtime.block_on(open_market(&app));
    let (server, name) = address_of(&replica.url(installation.database()));
    let relay = Relay::to(server);
    let metrics = free_address();
    let server = installation.start_with(&[
        ("PLACARD_REPLICA_URL", format!("postgres://postgres@{}/{name}", relay.address)),
        ("PLACARD_METRICS_BIND", metrics.to_string()),
    ]);
    let token = server.client().sign_in(USER, PASSWORD);
    let reader = Reader { client: server.client(), metrics: Client::new(metrics), token };
    // The time after which it is visible.
    let put_more = || {
        runtime.block_on(put_more(&app, &market));
        app.now()
    };
    assert_eq!(reader.until_from_replica(true)["invested"], "920.00");

    replica.pause();
    let at = put_more();
    let shown = reader.until_from_replica(true);
    assert_eq!(shown["invested"], "920.00", "what is not replayed is not seen");
    assert!(updated_at(&shown) <= at, "and it is said from when this is: {shown}");
    replica.resume();
    wait_for(&reader, "930.00");

    relay.cut();
    let at = put_more();
    let shown = reader.until_from_replica(false);
    assert_eq!(shown["invested"], "940.00", "the primary goes on answering");
    assert!(updated_at(&shown) >= at, "{shown}");

    relay.mend();
    let shown = reader.until_from_replica(true);
    assert_eq!(shown["invested"], "940.00");

    relay.stand_still();
    assert_eq!(reader.until_from_replica(false)["invested"], "940.00", "nobody waits for it for long");
    relay.mend();
    reader.until_from_replica(true);
}

#[test]
fn of_several_hosts_the_one_that_takes_writes_is_used() {
    let mut replica = follower();
    let installation = Installation::replicated(&replica);
    let app = installation.app();
    let (follows, _) = address_of(&replica.url(installation.database()));
    let (writes, name) = address_of(&installation.database().url);
    let nobody = free_address();
    let url = format!("postgres://postgres@{nobody},{follows},{writes}/{name}");
    let both = installation.with_url(&format!("{url}?target_session_attrs=read-write"));
    let server = both.start();
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(open_market(&app));
    server.client().sign_in(USER, PASSWORD);
}

/// Waits until the amount is visible on the replica.
fn wait_for(reader: &Reader, sum: &str) {
    let seen = (0..TRIES).any(|_| {
        sleep(BETWEEN);
        reader.until_from_replica(true)["invested"] == sum
    });
    assert!(seen, "the replica never saw it: {}", reader.overview());
}

async fn put_more(app: &AdServer, market: &Market) {
    let command = Put::new(PutTarget::Product(market.products[0]), Money::from_minor(1_000), ContentType::LandingPage);
    put(app, Proof::assumed(market.user), command).await.expect("put");
}

fn updated_at(shown: &Value) -> Timestamp {
    Timestamp::parse(shown["updated_at"].as_str().expect("a text")).expect("a moment")
}

/// The server and the database of an address such as
/// `postgres://someone@server/database`.
pub fn address_of(url: &str) -> (SocketAddr, String) {
    let (rest, name) = url.rsplit_once('/').expect("a database");
    let (_, server) = rest.rsplit_once('@').expect("a server");
    (server.parse().expect("an address"), name.to_owned())
}
