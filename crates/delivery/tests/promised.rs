//! What servers promise of one budget, whatever they are told and whenever they are killed:
//! never more than the budget; each price until the moment that was named; and then no
//! longer.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::{BTreeMap, HashMap};

use base::{Money, PlanId, SlotId, Timestamp};
use delivery::{
    BidTerms, Event, EventKind, Evidence, Grant, Judge, LEASE_SECONDS, Lease, LeaseConditions, LeasesHeld, Nonce,
    Origin, PROMISE_SECONDS, Promise, Promises, Target, Token, grant,
};
use plans::{Commitment, Pricing, Status};
use proptest::prelude::*;

const T: Timestamp = Timestamp::from_seconds(1_000_000);
const PLAN: PlanId = PlanId(1);
const UNIT: i64 = 10_000;
/// A lease is current for ten seconds at least, and lasts for 110.
const MOST_LEASES: usize = 12;

/// What the database knows.
struct Books {
    now: Timestamp,
    commitment: Commitment,
    leases: BTreeMap<i64, Lease>,
    begun: i64,
}

impl Books {
    fn new(prices: i64) -> Self {
        let budget = Money::from_minor(prices * UNIT / 1_000);
        let commitment = Commitment { budget, unit_milli: UNIT, booked_milli: 0, reserved_milli: 0 };
        Self { now: T, commitment, leases: BTreeMap::new(), begun: 0 }
    }

    fn conditions(&self) -> LeaseConditions {
        let due_at = Some(self.now.plus_days(1));
        LeaseConditions {
            plan: PLAN,
            status: Status::Putting,
            paused: false,
            due_at,
            commitment: self.commitment,
            pace: None,
        }
    }

    fn answer(&mut self, asked: &LeasesHeld) -> Option<Lease> {
        let given = |(id, kept): &(i64, i64)| Some((*id, self.leases.get(id)?.spare(*kept)));
        let given: Vec<_> = asked.older.iter().filter_map(given).collect();
        let back = given.iter().map(|(_, milli)| milli).sum();
        let held = asked.current.and_then(|id| self.leases.get(&id)).copied();
        let conditions = self.conditions().released(back);
        let Grant { lease, add_milli, ends_at } =
            grant(&conditions, held.as_ref(), asked.spare_milli, self.now).ok()?;
        for (id, milli) in given {
            self.leases.get_mut(&id)?.left_milli -= milli;
        }
        self.commitment.reserved_milli += add_milli - back;
        let id = lease.unwrap_or_else(|| {
            self.begun += 1;
            self.begun
        });
        let lease = self.leases.entry(id).or_insert(Lease { id, plan: PLAN, left_milli: 0, ends_at });
        assert_eq!(lease.ends_at, ends_at, "an end never moves");
        lease.left_milli += add_milli;
        Some(*lease)
    }

    fn end(&mut self, id: i64) {
        if let Some(ended) = self.leases.remove(&id) {
            self.commitment.reserved_milli -= ended.left_milli;
        }
    }

    fn end_lapsed(&mut self) {
        let ended: Vec<i64> = self.leases.values().filter(|l| l.ends_at <= self.now).map(|l| l.id).collect();
        ended.into_iter().for_each(|id| self.end(id));
    }

    /// Whether it counts, what became of its promise, and whether the lease has paid.
    fn judge(&mut self, event: &Event) -> (bool, Promise, bool) {
        let target = Target { status: Status::Putting, pricing: Pricing::Cpm, commitment: self.commitment };
        let leases = self.leases.iter().map(|(id, lease)| (*id, *lease)).collect();
        let plans = HashMap::from([(PLAN, target)]);
        let mut judge = Judge::new(Evidence { plans, leases, ..Evidence::default() });
        let judged = judge.judge(event, self.now).expect("a plan");
        let from_lease = judge.used().values().sum::<i64>() > 0;
        for (id, milli) in judge.used() {
            self.leases.get_mut(id).expect("a lease").left_milli -= milli;
        }
        if judged.verdict.is_ok() {
            self.commitment = self.commitment.booked(from_lease);
        }
        (judged.verdict.is_ok(), judged.promise, from_lease)
    }
}

/// Something that was promised, and by which process.
struct Promised {
    process: usize,
    token: Token,
}

impl Promised {
    fn until(&self) -> Timestamp {
        self.token.promised_until(Pricing::Cpm)
    }
}

#[derive(Default)]
struct Server {
    process: usize,
    held: Promises,
    asked: Option<LeasesHeld>,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Wait(i64),
    Bid(usize),
    Show(usize),
    Ask(usize),
    Answer(usize),
    Report(usize, usize),
    Lose(usize),
    GiveBack(usize),
    Kill(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let server = 0..2_usize;
    prop_oneof![
        4 => (0_i64..8_000).prop_map(Step::Wait),
        1 => (0_i64..120_000).prop_map(Step::Wait),
        8 => server.clone().prop_map(Step::Bid),
        4 => server.clone().prop_map(Step::Show),
        3 => server.clone().prop_map(Step::Ask),
        5 => server.clone().prop_map(Step::Answer),
        4 => (server.clone(), any::<usize>()).prop_map(|(server, which)| Step::Report(server, which)),
        2 => any::<usize>().prop_map(Step::Lose),
        3 => server.clone().prop_map(Step::GiveBack),
        1 => server.prop_map(Step::Kill),
    ]
}

struct World {
    books: Books,
    servers: [Server; 2],
    processes: usize,
    out: Vec<Promised>,
    /// Who began each lease.
    holders: HashMap<i64, usize>,
}

impl World {
    fn new(prices: i64) -> Self {
        let servers = [Server::default(), Server { process: 1, ..Server::default() }];
        Self { books: Books::new(prices), servers, processes: 2, out: Vec::new(), holders: HashMap::new() }
    }

    fn take(&mut self, step: Step) {
        let now = self.books.now;
        match step {
            Step::Wait(millis) => self.books.now = now.plus_millis(millis),
            Step::Bid(server) => self.promise(server, true),
            Step::Show(server) => self.promise(server, false),
            Step::Ask(server) => self.ask(server),
            Step::Answer(server) => self.answer(server),
            Step::Report(server, which) if !self.out.is_empty() => self.report(server, which % self.out.len()),
            Step::Lose(which) if !self.out.is_empty() => self.lose(which % self.out.len()),
            Step::Report(..) | Step::Lose(_) => {}
            Step::GiveBack(server) => {
                self.books.end_lapsed();
                let Server { held, .. } = &mut self.servers[server];
                held.take_spare(UNIT, now).into_iter().for_each(|id| self.books.end(id));
            }
            Step::Kill(server) => {
                self.servers[server] = Server { process: self.processes, ..Server::default() };
                self.processes += 1;
            }
        }
    }

    fn ask(&mut self, server: usize) {
        let now = self.books.now;
        let Server { held, asked, .. } = &mut self.servers[server];
        if asked.is_none() {
            *asked = Some(held.asked(now));
        }
    }

    fn answer(&mut self, server: usize) {
        let Server { held, asked, process } = &mut self.servers[server];
        let Some(asked) = asked.take() else { return };
        match self.books.answer(&asked) {
            Some(lease) => {
                self.holders.insert(lease.id, *process);
                held.answered(&lease);
            }
            None => held.refused(),
        }
    }

    fn promise(&mut self, server: usize, bid: bool) {
        let now = self.books.now;
        if !self.servers[server].held.is_ready(UNIT, now) {
            self.ask(server);
            self.answer(server);
        }
        let Server { held, process, .. } = &mut self.servers[server];
        let until = if bid { held.latest(now) } else { delivery::promised_until(Pricing::Cpm, now) };
        let Some(lease) = held.promise(UNIT, until, now) else { return };
        let holds_seconds = until.since(now) / 1000;
        let terms = BidTerms { milli: UNIT, source: String::new(), holds_seconds };
        if bid {
            let ends_after = self.books.leases[&lease].ends_at.since(until);
            assert!((PROMISE_SECONDS..=LEASE_SECONDS).contains(&holds_seconds), "{holds_seconds}");
            assert!((0..1_000).contains(&ends_after), "the lease ends {ends_after} ms later");
        }
        let mut nonce = [0; 16];
        nonce[..8].copy_from_slice(&u64::try_from(self.out.len()).unwrap().to_be_bytes());
        let token = Token {
            plan: PLAN,
            origin: Origin::Slot(SlotId(1)),
            lease,
            realm: 1,
            issued_at: now,
            nonce: Nonce(nonce),
            choice: None,
            limited: false,
            bid: bid.then_some(terms),
        };
        self.out.push(Promised { process: *process, token });
    }

    /// A view is reported to a server, which need not be the one that has promised its price.
    fn report(&mut self, server: usize, which: usize) {
        let now = self.books.now;
        let promised = self.out.swap_remove(which);
        let (lease, in_time) = (promised.token.lease, now <= promised.until());
        let held = &mut self.servers[server].held;
        let late = promised.token.promise_lapsed(EventKind::Impression, now);
        let again = late.and_then(|promised| held.of(lease)?.promise_again(UNIT, promised, now));
        let event = Event {
            kind: EventKind::Impression,
            nonce: promised.token.nonce,
            token: promised.token,
            promised: again,
            by_notice: false,
            cleared_milli: None,
            automatic: false,
            prefetched: false,
            visitor: None,
            device: None,
            of_passing: 0,
        };
        let (counts, promise, from_lease) = self.books.judge(&event);
        assert!(!in_time || (counts && from_lease), "promised until then: {event:?}");
        let Some(held) = held.of(lease) else { return };
        match (promise, again) {
            (Promise::Booked(until), _) => held.booked(UNIT, until),
            (_, Some(until)) => held.not_needed(UNIT, until),
            _ => {}
        }
    }

    fn lose(&mut self, which: usize) {
        let now = self.books.now;
        let Promised { process, token } = &self.out[which];
        if token.bid.is_none() || now > self.out[which].until() {
            return;
        }
        // Another server than that which has made the offer does not know of it.
        let maker = self.servers.iter_mut().find(|server| server.process == *process);
        if let Some(held) = maker.and_then(|server| server.held.of(token.lease)) {
            held.released(UNIT, self.out[which].until());
            self.out.swap_remove(which);
        }
    }

    fn check(&self) {
        let Books { commitment, leases, now, .. } = &self.books;
        let left: i64 = leases.values().map(|lease| lease.left_milli).sum();
        assert_eq!(commitment.reserved_milli, left);
        assert!(commitment.committed_milli() <= commitment.budget_milli(), "{commitment:?}");
        for lease in leases.values() {
            let out = self.out.iter().filter(|out| out.token.lease == lease.id && *now <= out.until());
            let out = i64::try_from(out.count()).unwrap() * UNIT;
            assert!(out <= lease.left_milli, "{out} is promised of {lease:?}");
        }
        for server in &self.servers {
            let of = leases.values().filter(|l| l.ends_at > *now && self.holders[&l.id] == server.process);
            assert!(of.count() <= MOST_LEASES);
        }
    }

    /// All are killed. What a bid has promised is promised until the second that it has named,
    /// and then free.
    fn end(&mut self) {
        let killed = self.books.now;
        let mut bids: Vec<Promised> = std::mem::take(&mut self.out);
        bids.retain(|out| out.token.bid.is_some() && killed <= out.until());
        for bid in &bids {
            self.books.now = bid.until();
            assert!(self.books.leases.contains_key(&bid.token.lease));
        }
        bids.sort_by_key(Promised::until);
        for bid in &bids {
            self.books.now = self.books.now.max(bid.until().plus_seconds(1));
            self.books.end_lapsed();
            assert!(!self.books.leases.contains_key(&bid.token.lease));
        }
        self.books.now = killed.plus_seconds(LEASE_SECONDS);
        self.books.end_lapsed();
        assert_eq!(self.books.commitment.reserved_milli, 0, "nothing is lost for longer than the longest promise");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn each_promise_is_kept_until_its_moment_and_none_is_kept_longer(
        prices in prop_oneof![1_i64..30, 1_i64..2_000],
        steps in prop::collection::vec(step(), 1..200),
    ) {
        let mut world = World::new(prices);
        for step in steps {
            world.take(step);
            world.check();
        }
        world.end();
    }
}
