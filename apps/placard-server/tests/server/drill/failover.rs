//! The primary of three nodes dies under load, again and again: the servers find the new one by
//! themselves, nothing that was answered is missing, and nothing is counted twice.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use base::UserId;
use serde_json::{Value, json};
use store::testing::execute;
use tokio::runtime::Runtime;

use super::cluster::Cluster;
use crate::away::prepare_wallet;
use crate::client::{Answer, Client, NoAnswer, path_of};
use crate::installation::{Installation, Server};
use crate::market::{Market, SLOT, TRANSACTION_PASSWORD, open_market};
use crate::readers::{Call, Sent, count, plan_of, send_again};

/// How many primaries die.
const ROUNDS: &str = "PLACARD_DRILL_ROUNDS";
const FEW: usize = 2;
const READERS: usize = 3;
/// Readers click no sooner than a tenth of a second after the view.
const BEFORE_CLICKING: Duration = Duration::from_millis(130);
/// Work before the death, and after the return.
const BEFORE_AND_AFTER: Duration = Duration::from_secs(3);
const BETWEEN_WITHDRAWALS: Duration = Duration::from_millis(30);
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
const UNTIL_NEXT_TRY: Duration = Duration::from_millis(100);
/// The marks: how long nothing is stored, in the median, and how long reads take meanwhile.
const BACK: Duration = Duration::from_secs(15);
const READS_P99: Duration = Duration::from_secs(1);
/// Until there must be another primary.
const WITHIN: Duration = Duration::from_secs(60);

/// A user of a round, who can withdraw.
struct User {
    token: String,
}

/// Readers and a user at work on two servers.
struct Work<'a> {
    servers: &'a [Server; 2],
    market: &'a Market,
    user: &'a User,
    /// Different in each round.
    turns: &'a AtomicUsize,
    stop: AtomicBool,
    /// When something was last stored.
    stored: Mutex<Instant>,
    later: AtomicUsize,
    unanswered: AtomicUsize,
    /// How long reads took.
    reads: Mutex<Vec<Duration>>,
}

impl Work<'_> {
    fn goes_on(&self) -> Option<usize> {
        (!self.stop.load(Ordering::SeqCst)).then(|| self.turns.fetch_add(1, Ordering::SeqCst))
    }

    fn client(&self, turn: usize) -> Client {
        self.servers[turn % 2].client().from(format!("10.{}.{}.7", turn / 250 % 250, turn % 250))
    }

    /// An answer that is not for later.
    fn taken(&self, answer: Result<Answer, NoAnswer>) -> Option<Answer> {
        match answer {
            Ok(answer) if answer.status == 503 => {
                assert!(answer.retry_after, "503 says when to come again: {}", answer.body);
                self.later.fetch_add(1, Ordering::SeqCst);
                None
            }
            Ok(answer) => Some(answer),
            Err(NoAnswer) => {
                self.unanswered.fetch_add(1, Ordering::SeqCst);
                None
            }
        }
    }

    fn has_stored(&self) {
        *self.stored.lock().expect("a lock") = Instant::now();
    }

    /// Sends a call once. Whether it was done if there is no answer shows later.
    fn send(&self, turn: usize, plan: usize, call: Call, sent: &mut Vec<Sent>) -> Option<Answer> {
        let client = self.client(turn);
        let answer = self.taken(match &call {
            Call::Impression(path) | Call::Click(path) => client.get(path),
            Call::Conversion { event, click } => client.report(&self.market.advertiser, event, click),
        });
        if let Some(answer) = &answer {
            assert!([200, 302].contains(&answer.status), "{}: {}", answer.status, answer.body);
            self.has_stored();
        }
        sent.push(Sent { call, plan, answered: answer.is_some() });
        answer
    }

    fn read(&self) -> Vec<Sent> {
        let mut sent = Vec::new();
        while let Some(turn) = self.goes_on() {
            if self.visit(turn, &mut sent).is_none() {
                sleep(UNTIL_NEXT_TRY);
            }
        }
        sent
    }

    fn visit(&self, turn: usize, sent: &mut Vec<Sent>) -> Option<()> {
        let slot = self.timed(|| self.client(turn).get(SLOT))?;
        // Without its share of a budget, a server shows nothing.
        let served = Some(slot).filter(|slot| slot.status == 200)?.json();
        let plan = plan_of(&served);
        self.send(turn, plan, Call::Impression(path_of(&served["impression_url"])), sent)?;
        sleep(BEFORE_CLICKING);
        let clicked = self.send(turn + 1, plan, Call::Click(path_of(&served["click_url"])), sent)?;
        let conversion = Call::Conversion { event: format!("order-{turn}"), click: clicked.click_id().to_owned() };
        self.send(turn, plan, conversion, sent).map(|_| ())
    }

    fn withdraw(&self, turn: usize, key: &str) -> Option<Value> {
        let body = json!({ "amount": "1.00", "password": TRANSACTION_PASSWORD });
        let answer = self.client(turn).post_as(&self.user.token, "/api/user/withdraw", Some(key), &body);
        let answer = self.taken(answer)?.json();
        assert_eq!(answer["code"], 200, "{answer}");
        Some(answer["data"].clone())
    }

    /// The answers to withdrawals of 1.00, each of which is sent until it is answered.
    fn withdraw_all(&self) -> Vec<(String, Value)> {
        let mut answers = Vec::new();
        while let Some(turn) = self.goes_on() {
            let key = format!("withdrawal-{turn}");
            let tries = (0..).map(|n| {
                self.withdraw(turn + n, &key).or_else(|| {
                    sleep(UNTIL_NEXT_TRY);
                    None
                })
            });
            let begun = Instant::now();
            let answer = tries.take_while(|_| begun.elapsed() < WITHIN).flatten().next();
            answers.push((key, answer.expect("an answer in the end")));
            self.has_stored();
            sleep(BETWEEN_WITHDRAWALS);
        }
        answers
    }

    /// How long an answer takes, whatever it is.
    fn timed(&self, read: impl FnOnce() -> Result<Answer, NoAnswer>) -> Option<Answer> {
        let begun = Instant::now();
        let answer = read();
        self.reads.lock().expect("a lock").push(begun.elapsed());
        self.taken(answer)
    }

    /// Reads the wallet.
    fn look(&self) {
        while let Some(turn) = self.goes_on() {
            let client = self.client(turn);
            let _ = self.timed(|| client.get_as(&self.user.token, "/api/user/property"));
            sleep(BETWEEN_LOOKS);
        }
    }
}

/// What a round has shown.
struct Round {
    killed: &'static str,
    away: Duration,
    events: usize,
    movements: usize,
    later: usize,
    unanswered: usize,
    reads_p99: Duration,
}

struct Site {
    cluster: Cluster,
    installation: Installation,
    servers: [Server; 2],
    runtime: Runtime,
    market: Market,
    turns: AtomicUsize,
    /// Everything sent in all rounds.
    sent: Vec<Sent>,
}

fn site() -> Site {
    let cluster = Cluster::start();
    execute(&cluster.url("postgres"), "CREATE DATABASE placard").expect("created");
    let installation = Installation::at(&cluster.url("placard"));
    let runtime = Runtime::new().expect("a runtime");
    let market = runtime.block_on(async { open_market(&installation.app()).await });
    let servers = [installation.start(), installation.start()];
    Site { cluster, installation, servers, runtime, market, turns: AtomicUsize::new(0), sent: Vec::new() }
}

impl Site {
    fn user(&self, round: usize) -> User {
        let app = self.installation.app();
        let code = self.runtime.block_on(self.market.code(&app));
        let client = self.servers[0].client();
        let answer = client.register(&format!("user{round}"), &code);
        let token = answer["data"]["token"].as_str().unwrap_or_else(|| panic!("no token: {answer}")).to_owned();
        let id: UserId = answer["data"]["user"]["id"].as_str().expect("an id").parse().expect("an id");
        prepare_wallet(&client, &token);
        self.runtime.block_on(self.market.recharge(&app, id, "1000.00"));
        User { token }
    }

    fn round(&mut self, n: usize) -> Round {
        let user = self.user(n);
        let Self { cluster, servers, market, turns, .. } = self;
        let work = Work {
            servers,
            market,
            user: &user,
            turns,
            stop: AtomicBool::new(false),
            stored: Mutex::new(Instant::now()),
            later: AtomicUsize::new(0),
            unanswered: AtomicUsize::new(0),
            reads: Mutex::default(),
        };
        let whole_node = n.is_multiple_of(2);
        let (away, sent, withdrawn) = thread::scope(|scope| {
            let readers: Vec<_> = (0..READERS).map(|_| scope.spawn(|| work.read())).collect();
            let (user, looks) = (scope.spawn(|| work.withdraw_all()), scope.spawn(|| work.look()));
            let stop = StopAtEnd(&work.stop);
            sleep(BEFORE_AND_AFTER);
            let (begun, place) = (Instant::now(), cluster.kill_primary(whole_node));
            sleep(UNTIL_NEXT_TRY);
            let back = || work.stored.lock().expect("a lock").checked_duration_since(begun + UNTIL_NEXT_TRY);
            while back().is_none() {
                assert!(begun.elapsed() < WITHIN, "nothing is stored any more");
                sleep(Duration::from_millis(5));
            }
            let away = begun.elapsed();
            sleep(BEFORE_AND_AFTER);
            cluster.bring_back(place);
            sleep(BEFORE_AND_AFTER);
            drop(stop);
            let sent: Vec<Sent> = readers.into_iter().flat_map(|reader| reader.join().expect("a reader")).collect();
            looks.join().expect("looks");
            (away, sent, user.join().expect("a user"))
        });
        for (key, answer) in &withdrawn {
            assert_eq!(work.withdraw(0, key).as_ref(), Some(answer), "what was answered is there");
        }
        let property = servers[1].client().get_as(&user.token, "/api/user/property").expect("an answer").json();
        assert_eq!(property["data"]["withdrawing"], format!("{}.00", withdrawn.len()), "and there once");
        let round = Round {
            killed: if whole_node { "the node" } else { "PostgreSQL" },
            away,
            events: sent.iter().filter(|sent| sent.answered).count(),
            movements: withdrawn.len(),
            later: work.later.load(Ordering::SeqCst),
            unanswered: work.unanswered.load(Ordering::SeqCst),
            reads_p99: p99(work.reads.lock().expect("a lock").clone()),
        };
        self.sent.extend(sent);
        self.check();
        round
    }

    /// Every event that was answered is there once, and so are the others once they are sent again.
    fn check(&mut self) {
        let client = self.servers[0].client();
        send_again(&client, &self.market.advertiser, self.sent.iter().filter(|sent| !sent.answered));
        self.sent.iter_mut().for_each(|sent| sent.answered = true);
        let app = self.installation.app();
        let found: Vec<_> = self.runtime.block_on(self.market.figures(&app)).iter().map(|found| found.valid).collect();
        assert_eq!(found, count(&self.sent, |_| true), "nothing is missing, and nothing is there twice");
    }
}

fn p99(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() * 99 / 100]
}

/// Tells the others to stop, also if this thread panics.
struct StopAtEnd<'a>(&'a AtomicBool);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
#[ignore = "needs Patroni, etcd and HAProxy: just drill"]
fn primaries_die_and_nothing_answered_is_lost() {
    let rounds = std::env::var(ROUNDS).ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(FEW);
    let mut site = site();
    println!("| killed | away, s | events | movements | 503 | no answer | reads p99, ms |");
    println!("|---|---|---|---|---|---|---|");
    let (mut of_all, mut of_kinds) = (Vec::new(), BTreeMap::<_, Vec<_>>::new());
    for n in 0..rounds {
        let Round { killed, events, movements, later, unanswered, reads_p99, away: time } = site.round(n);
        let (seconds, p99) = (time.as_secs_f64(), reads_p99.as_millis());
        println!("| {killed} | {seconds:.1} | {events} | {movements} | {later} | {unanswered} | {p99} |");
        assert!(events > 30 && movements > 30, "there was load");
        assert!(reads_p99 < READS_P99, "reads took {reads_p99:?}");
        of_all.push(time);
        of_kinds.entry(killed).or_default().push(time);
    }
    for (killed, times) in of_kinds {
        println!("median of {killed}: {:.1} s", median(times).as_secs_f64());
    }
    let median = median(of_all);
    println!("median of all {rounds}: {:.1} s", median.as_secs_f64());
    assert!(median < BACK, "it took too long");
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    let middle = times.len() / 2;
    if times.len().is_multiple_of(2) { (times[middle - 1] + times[middle]) / 2 } else { times[middle] }
}
