//! Notices to devices on which the app is not open, against a push service of the test's own: nothing is lost when the
//! server is killed, what is sent twice is shown once, and no service leads the server elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::thread::sleep;
use std::time::{Duration, Instant};

use base::UserId;
use campaigns::AdServer;
use foundation::notices::{NoticeKind, notify};
use foundation::people::entry::{enter, issue_ticket};
use push::testing::Browser;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::service::{Answer, PushService, Sent};
use crate::client::Client;
use crate::installation::{Installation, Server};

/// How long the server lives in each round.
const LIVES: [u64; 20] =
    [60, 900, 150, 400, 1_100, 90, 700, 250, 1_300, 500, 30, 1_000, 350, 200, 800, 120, 600, 450, 70, 300];
/// How many notices of each round are written while the server lives.
const EACH: usize = 5;
/// A message that was under way when the server died is due again after its lease.
const IN_THE_END: Duration = Duration::from_secs(60);
const PROMPT: usize = 40;

struct World {
    installation: Installation,
    service: PushService,
    runtime: Runtime,
    app: AdServer,
    user: UserId,
    token: String,
}

fn browser() -> Browser {
    Browser::numbered(5).expect("keys")
}

impl World {
    /// A user whose device is registered, with a path of the service.
    fn with_device(installation: Installation, path: &str) -> (Self, Server) {
        let (service, runtime) = (PushService::start(), Runtime::new().expect("a runtime"));
        let app = installation.app();
        let (user, token) = runtime.block_on(async {
            let ticket = issue_ticket(&app, None, "demo").await.expect("a ticket");
            let entered = enter(&app, ticket.text(), "a phone").await.expect("signed in");
            (entered.user.id, entered.token)
        });
        let world = Self { installation, service, runtime, app, user, token };
        let server = world.start();
        world.register(&server.client(), path);
        (world, server)
    }

    fn start(&self) -> Server {
        self.installation.start_with(&[
            ("PLACARD_PUSH_SUBJECT", "mailto:ops@example.com".to_owned()),
            ("PLACARD_PUSH_TEST_SERVICE", self.service.origin()),
        ])
    }

    fn register(&self, client: &Client, path: &str) {
        let body = json!({
            "endpoint": format!("{}{path}", self.service.origin()),
            "p256dh": browser().p256dh(), "auth": browser().auth(),
            "money": true, "sign_in": true, "service": true,
        });
        let answer = client.post_as(&self.token, "/api/user/push", None, &body).expect("an answer").json();
        assert_eq!(answer["code"], 200, "{answer}");
    }

    fn devices(&self, client: &Client) -> usize {
        let listed = client.get_as(&self.token, "/api/user/push").expect("an answer").json();
        listed["data"].as_array().expect("a list").len()
    }

    /// Commits a notice that says this.
    fn tell(&self, words: &str) {
        let kind = NoticeKind::FeedbackAnswered { topic: words.to_owned(), reply: "Thank you".to_owned() };
        let user = self.user;
        self.runtime.block_on(self.app.db.write(move |tx| notify(tx, user, &kind))).expect("told");
    }

    /// What came with each of these words, once each has come.
    fn arrived(&self, words: &BTreeSet<String>) -> BTreeMap<String, Vec<Sent>> {
        let begun = Instant::now();
        loop {
            let mut found = BTreeMap::<String, Vec<Sent>>::new();
            for sent in self.service.got() {
                let body = shown(&sent)["body"].as_str().expect("a body").to_owned();
                found.entry(body.trim_end_matches(": Thank you").to_owned()).or_default().push(sent);
            }
            let missing: Vec<_> = words.iter().filter(|words| !found.contains_key(*words)).collect();
            if missing.is_empty() {
                return found;
            }
            assert!(begun.elapsed() < IN_THE_END, "lost: {missing:?}");
            sleep(Duration::from_millis(50));
        }
    }
}

fn shown(sent: &Sent) -> Value {
    browser().open(&sent.body).expect("only for this browser")["notification"].clone()
}

#[test]
fn nothing_is_lost_and_nothing_shown_twice_in_twenty_deaths_on_sqlite() {
    survives(Installation::sqlite());
}

#[test]
fn nothing_is_lost_and_nothing_shown_twice_in_twenty_deaths_on_postgres() {
    survives(Installation::postgres());
}

fn survives(installation: Installation) {
    let (world, server) = World::with_device(installation, "/slow");
    server.kill();
    let mut all = BTreeSet::new();
    for (round, life) in LIVES.into_iter().enumerate() {
        let server = world.start();
        for n in 0..EACH {
            let words = format!("notice {round}-{n}");
            world.tell(&words);
            all.insert(words);
            sleep(Duration::from_millis(life) / 5);
        }
        server.kill();
    }
    let server = world.start();
    let found = world.arrived(&all);
    assert_eq!(found.keys().cloned().collect::<BTreeSet<String>>(), all, "nothing else came");
    let mut topics = BTreeSet::new();
    for (words, times) in &found {
        let same: BTreeSet<(String, String)> =
            times.iter().map(|sent| (sent.header("topic"), shown(sent)["tag"].to_string())).collect();
        assert_eq!(same.len(), 1, "{words} is replaced wherever it is shown already");
        topics.extend(same);
    }
    assert_eq!(topics.len(), all.len(), "and replaces nothing else");

    prompt(&world);
    drop(server);
}

/// From the commit until the service has it.
fn prompt(world: &World) {
    let told: BTreeMap<String, Instant> = (0..PROMPT)
        .map(|n| {
            let words = format!("prompt {n}");
            world.tell(&words);
            let committed = Instant::now();
            sleep(Duration::from_millis(100));
            (words, committed)
        })
        .collect();
    let found = world.arrived(&told.keys().cloned().collect());
    let mut waits: Vec<Duration> =
        told.iter().map(|(words, committed)| found[words][0].at.saturating_duration_since(*committed)).collect();
    waits.sort_unstable();
    let p95 = waits[waits.len() * 95 / 100];
    assert!(p95 < Duration::from_secs(5), "{p95:?} of {waits:?}");
}

#[test]
fn a_subscription_that_is_gone_is_removed() {
    let (world, server) = World::with_device(Installation::sqlite(), "/gone");
    world.service.answer("/gone", Answer::Status("410 Gone"));
    let client = server.client();
    assert_eq!(world.devices(&client), 1);
    world.tell("for nobody");
    wait(|| world.devices(&client) == 0);
    world.tell("for nobody either");
    sleep(Duration::from_secs(2));
    assert_eq!(world.service.got().len(), 1);
}

#[test]
fn a_service_that_is_busy_is_tried_again_when_it_says() {
    let (world, _server) = World::with_device(Installation::sqlite(), "/busy");
    world.service.answer("/busy", Answer::Busy { seconds: 7 });
    world.tell("later");
    wait(|| !world.service.got().is_empty());
    world.service.answer("/busy", Answer::Taken);
    wait(|| world.service.got().len() == 2);
    let got = world.service.got();
    assert!(got[1].at - got[0].at >= Duration::from_secs(7), "{:?}", got[1].at - got[0].at);
    assert_eq!(got[0].header("topic"), got[1].header("topic"));
    // What is left of a day since the notice.
    let lives: i64 = got[0].header("ttl").parse().expect("seconds");
    assert!((86_400 - 600..=86_400).contains(&lives), "{lives}");
    assert_eq!(got[0].header("urgency"), "high");
}

#[test]
fn no_answer_leads_elsewhere_or_goes_on_for_ever() {
    let (world, _server) = World::with_device(Installation::sqlite(), "/moved");
    world.service.answer("/moved", Answer::Moved { to: format!("{}/elsewhere", world.service.origin()) });
    world.tell("not followed");
    wait(|| world.service.got().len() == 1);
    // It is given up: neither followed nor sent again.
    sleep(Duration::from_secs(3));
    world.service.answer("/moved", Answer::Endless);
    world.tell("endless");
    wait(|| world.service.got().len() == 2);
    world.service.answer("/moved", Answer::Taken);
    // Longer than a lease: the head of the answer was enough.
    sleep(Duration::from_secs(18));
    let paths: Vec<String> = world.service.got().into_iter().map(|sent| sent.path).collect();
    assert_eq!(paths, ["/moved", "/moved"]);
}

fn wait(until: impl Fn() -> bool) {
    let begun = Instant::now();
    while !until() {
        assert!(begun.elapsed() < IN_THE_END, "it does not come");
        sleep(Duration::from_millis(50));
    }
}
