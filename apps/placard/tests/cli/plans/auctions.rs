//! A made-up ad exchange, against the server itself.

use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use actix_web::dev::ServerHandle;
use actix_web::middleware::from_fn;
use actix_web::rt::{self, System};
use actix_web::web::Data;
use actix_web::{App, HttpServer};
use base::{Money, PlanId, ProductId, UserId};
use campaigns::catalogue::products::products;
use campaigns::plans::plan_control::{PlanCommand, control};
use campaigns::plans::plan_views::{detail, list};
use campaigns::plans::put::{Put, PutTarget, put};
use campaigns::work;
use foundation::people::pay_password::Proof;
use foundation::people::staff_accounts::find_account;
use http_api::{Shell, TrustedProxies, configure};
use plans::ContentType;
use serde_json::Value;
use store::PageRequest;
use tokio::sync::watch;

use crate::plans::judged::{Calls, overhear};
use crate::support::{Key, Placard, open_link, take_key, text};

const NORTH: &str = "name = \"North\"\ndomain = \"north.example\"\ncontact = \"ads@north.example\"\n";

/// The server for everybody, in this process. It stops when dropped.
pub struct Server {
    pub base: String,
    handle: ServerHandle,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub fn start(app: campaigns::AdServer) -> Self {
        Self::overheard(app, Calls::default())
    }

    /// What exchanges and it say to each other is kept.
    pub fn overheard(app: campaigns::AdServer, calls: Calls) -> Self {
        let (sender, receiver) = mpsc::channel();
        let thread = thread::spawn(move || {
            System::new().block_on(async {
                let shell = Shell::new(app.clone(), TrustedProxies::default());
                let calls = Data::new(calls);
                let server = HttpServer::new(move || {
                    App::new().app_data(calls.clone()).wrap(from_fn(overhear)).configure(configure(shell.clone()))
                });
                let server = server.workers(2).disable_signals().bind("127.0.0.1:0").expect("a port");
                let address = server.addrs()[0];
                let server = server.run();
                let (stop, stopped) = watch::channel(false);
                let works = rt::spawn(work::run(app, stopped));
                sender.send((format!("http://{address}"), server.handle())).expect("somebody waits");
                server.await.expect("it answers");
                stop.send(true).expect("it works");
                works.await.expect("its work ends");
            });
        });
        let (base, handle) = receiver.recv().expect("a server");
        Self { base, handle, thread: Some(thread) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The stop is requested at once; the future only tells when it is done.
        drop(self.handle.stop(true));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// An SSP whose key two people have agreed on: its number and its key.
pub async fn ssp(placard: &Placard, [first, second]: [&Key; 2]) -> (String, String) {
    let added = placard.change(first, &["ssp", "add", &placard.file("north.toml", NORTH)]).done();
    (text(&added["ssp"]["id"]), take_key(placard, second, &added["id"], &added).await)
}

/// Plans of the demonstration's user on products that pay by views, each at another price.
pub async fn plans(app: &campaigns::AdServer) -> (UserId, Vec<PlanId>) {
    let user = find_account(app, "demo").await.expect("demo");
    let offered = products(app, PageRequest::default()).await.expect("products").items;
    for product in offered.iter().filter(|product| product.put_rule.pricing.name() == "cpm") {
        let id: ProductId = product.id;
        let command = Put::new(PutTarget::Product(id), Money::from_minor(50_000), ContentType::LandingPage);
        put(app, Proof::assumed(user), command).await.expect("put");
    }
    let all = list(app, user, None, PageRequest::default()).await.expect("plans").items;
    (user, all.iter().map(|plan| plan.id).collect())
}

pub fn run(placard: &Placard, server: &Server, key: &str, seed: &str) -> Value {
    let run =
        ["traffic", "run", "--rate", "50", "--seconds", "4", "--base", &server.base, "--ssp", key, "--seed", seed];
    placard.run(&run).done()
}

/// What comes at least once.
const OUTCOMES: [&str; 6] = ["won", "lost", "unseen", "billed", "shown", "no_bid"];
/// Requests at least, and runs in which they must have come.
const LEAST: i64 = 100;
const MOST_RUNS: u32 = 12;

/// What runs said, one after the other.
#[derive(Debug)]
struct Runs(Vec<Value>);

impl Runs {
    /// On a busy machine, one run asks for little.
    fn until_each_came(placard: &Placard, server: &Server, key: &str) -> Self {
        let mut runs = Self(Vec::new());
        for seed in 3..3 + MOST_RUNS {
            runs.0.push(run(placard, server, key, &seed.to_string()));
            if runs.sum("requests") >= LEAST && OUTCOMES.iter().all(|name| runs.sum(name) > 0) {
                return runs;
            }
        }
        panic!("something did not come: {runs:?}");
    }

    fn sum(&self, name: &str) -> i64 {
        self.0.iter().map(|summary| summary[name].as_i64().unwrap_or_else(|| panic!("{name} in {summary}"))).sum()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_exchange_of_its_own_buys_and_its_figures_are_the_servers() {
    let placard = Placard::on_sqlite();
    let (anna, ben) = placard.demonstration();
    let (ssp, key) = ssp(&placard, [&anna, &ben]).await;
    let (user, plans) = plans(&placard.app()).await;
    let server = Server::start(placard.app());
    let runs = Runs::until_each_came(&placard, &server, &key);
    drop(server);

    let said = |name: &str| runs.sum(name);
    assert_eq!(said("errors"), 0, "{runs:?}");
    assert_eq!(said("requests"), said("bids") + said("no_bid"), "{runs:?}");
    assert_eq!(said("bids"), said("won") + said("lost") + said("too_late"), "{runs:?}");
    assert_eq!(said("won"), said("billed") + said("unseen"), "{runs:?}");
    assert!(said("shown") <= said("billed") && said("shown") * 10 > said("billed") * 8, "{runs:?}");
    let reasons = |summary: &Value| summary["reasons"].as_object().expect("reasons").clone();
    let reasons: Vec<(String, Value)> = runs.0.iter().flat_map(reasons).collect();
    assert_eq!(reasons.iter().filter_map(|(_, count)| count.as_i64()).sum::<i64>(), said("no_bid"), "{runs:?}");
    assert!(reasons.iter().any(|(reason, _)| reason == "media"), "no product has a video: {runs:?}");

    let shown = placard.run_as(&anna, &["ssp", "show", &ssp]).done();
    let counted = |name: &str| -> i64 {
        let days = shown["days"].as_array().expect("days").iter();
        days.filter_map(|day| day["outcomes"][name].as_i64()).sum()
    };
    for (name, outcome) in [("requests", "requests"), ("bids", "bids"), ("won", "wins"), ("lost", "losses")] {
        assert_eq!(said(name), counted(outcome), "{name}: {runs:?} {shown}");
    }

    let app = placard.app();
    let (mut views, mut bids) = (0, 0);
    for plan in plans {
        // A plan that has ended is billed in full.
        if detail(&app, user, plan, "").await.expect("a plan").plan.status.is_running() {
            control(&app, user, plan, PlanCommand::Stop).await.expect("stopped");
        }
        work::roll_up(&app, plan).await.expect("counted");
        let shown = detail(&app, user, plan, "").await.expect("a plan");
        for source in shown.sources {
            assert_eq!(source.name, "North");
            views += source.impressions;
            bids += source.bids.unwrap_or_default();
        }
    }
    assert_eq!((views, bids), (said("billed"), said("bids")), "what is billed is what counts");
    let spent = runs.0.iter().map(|summary| text(&summary["spent"]).parse::<Money>().expect("an amount").minor());
    let spent: i64 = spent.sum();
    let unpaid = text(&placard.run_as(&anna, &["ssp", "show", &ssp]).done()["unpaid"]);
    let unpaid: Money = unpaid.parse().expect("an amount");
    // Each run says whole cents.
    let more = spent - unpaid.minor() + i64::try_from(runs.0.len()).expect("few") - 1;
    assert!((0..=8).contains(&more), "parts below a cent are carried: {spent} {unpaid}");
    for check in [&["ledger", "verify"][..], &["delivery", "recompute"]] {
        assert_eq!(placard.run(check).done()["ok"], true, "{check:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_an_exchange_that_is_answered_can_be_played() {
    let placard = Placard::on_sqlite();
    let (anna, ben) = placard.demonstration();
    let with = |key: &str| placard.run(&["traffic", "run", "--rate", "1", "--seconds", "1", "--ssp", key]);
    with("mine").misused("--ssp: no SSP has this key");
    with(&"ab".repeat(32)).misused("--ssp: no SSP has this key");
    let added = placard.change(&anna, &["ssp", "add", &placard.file("north.toml", NORTH)]).done();
    let (ssp, claimed) = (text(&added["ssp"]["id"]), open_link(&placard, &added).await);
    let key = claimed.key;
    with(&key).misused("--ssp: no SSP has this key");
    let approve = ["request", "approve", &text(&added["id"]), "--fingerprint", &claimed.fingerprint];
    placard.change(&ben, &approve).done();
    placard.change(&anna, &["ssp", "pause", &ssp]).done();
    let ran = with(&key);
    assert!(ran.err.contains("North is paused"), "{ran:?}");
    ran.refused("not_permitted");
    let closing = text(&placard.change(&anna, &["ssp", "close", &ssp]).done()["id"]);
    placard.change(&ben, &["request", "approve", &closing]).done();
    let ran = with(&key);
    assert!(ran.err.contains("North is closed"), "{ran:?}");
    ran.refused("not_permitted");
    for odd in ["--cpm=cheap", "--cpm=-1", "--seed=x"] {
        let run = ["traffic", "run", "--rate", "1", "--seconds", "1", "--ssp", &key, odd];
        placard.run(&run).misused(&odd[..5]);
    }
    placard.run(&["traffic", "run", "--rate", "1", "--seconds", "1", "--seed", "7"]).misused("--ssp");
}

#[test]
fn no_exchange_is_made_up_in_a_live_installation() {
    let placard = Placard::on_sqlite();
    let key = "ab".repeat(32);
    let live = |arguments: &[&str]| -> crate::support::Ran {
        let mut command = placard.command(arguments);
        let live = command.env("PLACARD_REALM", "live").env("PLACARD_DATABASE_URL", "sqlite://live.db");
        live.output().expect("runs").into()
    };
    assert_eq!(live(&["migrate"]).code, Some(0));
    live(&["traffic", "run", "--rate", "1", "--seconds", "1", "--ssp", &key]).refused("not_permitted");
}
