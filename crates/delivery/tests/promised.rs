//! What servers promise of one budget, whatever they are told and whenever they are killed: never more than the budget;
//! each price until the moment that was named; and then no longer.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::{BTreeMap, HashMap};

use base::{Money, Period, PlanId, SlotId, Timestamp};
use delivery::{
    BidTerms, DayRoom, Event, EventKind, Evidence, Grant, Judge, LEASE_SECONDS, Lease, LeaseConditions, LeasesHeld,
    Nonce, Origin, PROMISE_SECONDS, Promise, Promised, Promises, Target, Token, WonOffer, grant,
};
use plans::{Commitment, DayBudget, Pricing, Schedule, Status};
use proptest::prelude::*;

const T: Timestamp = Timestamp::from_seconds(1_000_000);
const PLAN: PlanId = PlanId(1);
const UNIT: i64 = 10_000;
const SLOT: SlotId = SlotId(1);
const EXCHANGE: SlotId = SlotId(2);
/// What is offered lapses after so long, unless it has won.
const OFFERED_SECONDS: u8 = 4;
/// A lease is current for ten seconds at least, and lasts for 110.
const MOST_LEASES: usize = 12;

/// What the database knows.
struct Books {
    now: Timestamp,
    commitment: Commitment,
    leases: BTreeMap<i64, Lease>,
    begun: i64,
    won: HashMap<Nonce, WonOffer>,
    day: DayBudget,
}

/// A day, shorter than others: events often come on another one than that on which they were promised.
const DAY_SECONDS: i64 = 150;

impl Books {
    fn new(prices: i64, of_day: Option<i64>) -> Self {
        let budget = Money::from_minor(prices * UNIT / 1_000);
        let commitment = Commitment { budget, unit_milli: UNIT, booked_milli: 0, reserved_milli: 0 };
        let cap = of_day.map(|prices| Money::from_minor(prices * UNIT / 1_000));
        let day = DayBudget { cap, period: Period { from: T, until: T }, used_milli: 0 };
        Self { now: T, commitment, leases: BTreeMap::new(), begun: 0, won: HashMap::new(), day }
    }

    fn today(&self) -> DayBudget {
        let days = self.now.since(T).div_euclid(DAY_SECONDS * 1_000);
        let midnight = |n: i64| T.plus_seconds(n * DAY_SECONDS);
        self.day.at(self.now, || Period { from: midnight(days), until: midnight(days + 1) })
    }

    fn conditions(&self) -> LeaseConditions {
        let due_at = Some(self.now.plus_days(1));
        LeaseConditions {
            plan: PLAN,
            status: Status::Putting,
            paused: false,
            is_payable: true,
            due_at,
            schedule: Schedule::default(),
            commitment: self.commitment,
            pace: None,
            day: Some(self.today())
                .filter(|day| day.cap.is_some())
                .map(|day| DayRoom { left_milli: day.left_milli(), ends_at: day.period.until }),
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

    /// An exchange says that an offer has won, and a server keeps its price: whether it need to.
    fn win(&mut self, nonce: Nonce, kept: WonOffer) -> bool {
        let is_needed = self.leases.contains_key(&kept.lease) && !self.won.contains_key(&nonce);
        if is_needed {
            self.won.insert(nonce, kept);
        }
        is_needed
    }

    /// Whether it counts, what became of its promise, and whether a lease has paid.
    fn judge(&mut self, event: &Event) -> (bool, Promise, bool) {
        let target = Target {
            status: Status::Putting,
            pricing: Pricing::Cpm,
            commitment: self.commitment,
            line_milli: i64::MAX,
            day_milli: self.today().left_milli(),
            schedule: Schedule::default(),
        };
        let leases = self.leases.iter().map(|(id, lease)| (*id, *lease)).collect();
        let plans = HashMap::from([(PLAN, target)]);
        let won = self.won.clone();
        let mut judge = Judge::new(Evidence { plans, leases, won, ..Evidence::default() });
        let judged = judge.judge(event, self.now).expect("a plan");
        let from_lease = judge.used().values().sum::<i64>() > 0;
        for (id, milli) in judge.used() {
            self.leases.get_mut(id).expect("a lease").left_milli -= milli;
        }
        if judged.verdict.is_ok() {
            self.commitment = self.commitment.booked(from_lease);
            self.day = self.today().with(UNIT);
            assert!(self.day.left_milli() >= 0, "a day costs no more than its limit: {:?}", self.day);
        }
        (judged.verdict.is_ok(), judged.promise, from_lease)
    }
}

/// Something that was promised.
struct Out {
    token: Token,
    /// The process that has promised it, or keeps it since it has won.
    process: usize,
    /// The same for what has won, as the database knows it.
    won: Option<WonOffer>,
}

impl Out {
    fn until(&self) -> Timestamp {
        self.won.map_or_else(|| self.token.promised_until(Pricing::Cpm), |won| won.until)
    }

    fn lease(&self) -> i64 {
        self.won.map_or(self.token.lease, |won| won.lease)
    }

    fn promised(&self) -> Promised {
        Promised { until: self.until(), to: self.token.taker() }
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
    /// Of an exchange that says what has won, or of one that does not.
    Bid(usize, bool),
    Show(usize),
    Ask(usize),
    Answer(usize),
    Report(usize, usize),
    Win(usize, usize),
    Lose(usize),
    GiveBack(usize),
    Kill(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let server = 0..2_usize;
    prop_oneof![
        4 => (0_i64..8_000).prop_map(Step::Wait),
        1 => (0_i64..120_000).prop_map(Step::Wait),
        8 => (server.clone(), any::<bool>()).prop_map(|(server, says)| Step::Bid(server, says)),
        4 => server.clone().prop_map(Step::Show),
        3 => server.clone().prop_map(Step::Ask),
        5 => server.clone().prop_map(Step::Answer),
        4 => (server.clone(), any::<usize>()).prop_map(|(server, which)| Step::Report(server, which)),
        4 => (server.clone(), any::<usize>()).prop_map(|(server, which)| Step::Win(server, which)),
        2 => any::<usize>().prop_map(Step::Lose),
        3 => server.clone().prop_map(Step::GiveBack),
        1 => server.prop_map(Step::Kill),
    ]
}

struct World {
    books: Books,
    servers: [Server; 2],
    processes: usize,
    out: Vec<Out>,
    promised: u64,
    /// Who began each lease.
    holders: HashMap<i64, usize>,
}

impl World {
    fn new(prices: i64, of_day: Option<i64>) -> Self {
        let servers = [Server::default(), Server { process: 1, ..Server::default() }];
        Self {
            books: Books::new(prices, of_day),
            servers,
            processes: 2,
            out: Vec::new(),
            promised: 0,
            holders: HashMap::new(),
        }
    }

    fn take(&mut self, step: Step) {
        let now = self.books.now;
        match step {
            Step::Wait(millis) => self.books.now = now.plus_millis(millis),
            Step::Bid(server, says) => self.promise(server, Some(says)),
            Step::Show(server) => self.promise(server, None),
            Step::Ask(server) => self.ask(server),
            Step::Answer(server) => self.answer(server),
            Step::Report(server, which) if !self.out.is_empty() => self.report(server, which % self.out.len()),
            Step::Win(server, which) if !self.out.is_empty() => self.win(server, which % self.out.len()),
            Step::Lose(which) if !self.out.is_empty() => self.lose(which % self.out.len()),
            Step::Report(..) | Step::Win(..) | Step::Lose(_) => {}
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
            *asked = Some(held.note_asked(now));
        }
    }

    fn answer(&mut self, server: usize) {
        let Server { held, asked, process } = &mut self.servers[server];
        let Some(asked) = asked.take() else { return };
        match self.books.answer(&asked) {
            Some(lease) => {
                self.holders.insert(lease.id, *process);
                held.take_answer(&lease, None);
            }
            None => held.note_refusal(),
        }
    }

    /// To a slot, or to an exchange that says what has won or does not.
    fn promise(&mut self, server: usize, bid: Option<bool>) {
        let now = self.books.now;
        if !self.servers[server].held.is_ready(UNIT, now) {
            self.ask(server);
            self.answer(server);
        }
        let Server { held, process, .. } = &mut self.servers[server];
        let (exp, offered_seconds) = (held.latest(now), bid.filter(|says| *says).map(|_| OFFERED_SECONDS));
        let holds_seconds = exp.since(now) / 1000;
        self.promised += 1;
        let mut token = Token {
            plan: PLAN,
            origin: Origin::Slot(if bid.is_some() { EXCHANGE } else { SLOT }),
            lease: 0,
            realm: 1,
            issued_at: now,
            nonce: Nonce(u128::from(self.promised).to_be_bytes()),
            choice: None,
            limited: false,
            bid: bid.map(|_| BidTerms { milli: UNIT, source: String::new(), holds_seconds }),
            offered_seconds,
        };
        if !held.leaves_others_theirs(UNIT, token.taker()) {
            return;
        }
        let promised = Promised { until: token.promised_until(Pricing::Cpm), to: token.taker() };
        let Some(lease) = held.promise(UNIT, promised, now) else { return };
        token.lease = lease;
        if bid.is_some() {
            let ends_after = self.books.leases[&lease].ends_at.since(exp);
            assert!((PROMISE_SECONDS..=LEASE_SECONDS).contains(&holds_seconds), "{holds_seconds}");
            assert!((0..1_000).contains(&ends_after), "the lease ends {ends_after} ms later");
        }
        self.out.push(Out { process: *process, token, won: None });
    }

    /// An exchange tells a server, which need not be the one that has made the offer, that it has
    /// won.
    fn win(&mut self, server: usize, which: usize) {
        let now = self.books.now;
        let out = &mut self.out[which];
        let (offered, until) = (out.promised(), out.token.won_until());
        if out.token.offered_seconds.is_none() || out.won.is_some() || now > until {
            return;
        }
        let Server { held, process, .. } = &mut self.servers[server];
        let own = held.of(out.token.lease).filter(|_| now <= offered.until);
        let is_kept = own.is_some_and(|own| own.keep(UNIT, offered, until));
        let won = Promised { until, ..offered };
        let lease = if is_kept { Some(out.token.lease) } else { held.promise_anew(UNIT, won, now) };
        let Some(lease) = lease else { return };
        let kept = WonOffer { lease, until };
        if self.books.win(out.token.nonce, kept) {
            (out.won, out.process) = (Some(kept), *process);
        } else if let Some(held) = held.of(lease) {
            held.forgo(UNIT, won);
        }
    }

    /// A view is reported to a server, which need not be the one that has promised its price.
    fn report(&mut self, server: usize, which: usize) {
        let now = self.books.now;
        let out = self.out.swap_remove(which);
        let (token, in_time) = (&out.token, now <= out.until());
        let Server { held, process, .. } = &mut self.servers[server];
        let keeps = out.won.is_some() && *process == out.process && in_time;
        let late = token.promise_lapsed(EventKind::Impression, now).filter(|_| !keeps);
        let again = late.and_then(|until| {
            let promised = Promised { until, to: token.taker() };
            held.of(token.lease)?.promise_again(UNIT, promised, now)
        });
        let event = Event {
            kind: EventKind::Impression,
            nonce: token.nonce,
            token: token.clone(),
            promised: again,
            is_lost: false,
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
        let to = token.taker();
        let mut booked = |lease, until| {
            if let Some(held) = held.of(lease) {
                held.book(UNIT, Promised { until, to });
            }
        };
        match promise {
            Promise::Booked(until) => booked(token.lease, until),
            Promise::Won(lease, until) => booked(lease, until),
            Promise::Kept(..) | Promise::Untouched => {}
        }
        if let Some(until) = again.filter(|until| promise != Promise::Booked(*until))
            && let Some(held) = held.of(token.lease)
        {
            held.forgo(UNIT, Promised { until, to });
        }
    }

    fn lose(&mut self, which: usize) {
        let now = self.books.now;
        let out = &self.out[which];
        // The first word on an offer counts.
        if out.token.bid.is_none() || now > out.until() || out.won.is_some() {
            return;
        }
        // Another server than that which has made the offer does not know of it.
        let maker = self.servers.iter_mut().find(|server| server.process == out.process);
        if let Some(held) = maker.and_then(|server| server.held.of(out.token.lease)) {
            held.release(UNIT, out.promised());
            self.out.swap_remove(which);
        }
    }

    fn check(&self) {
        let Books { commitment, leases, now, .. } = &self.books;
        let left: i64 = leases.values().map(|lease| lease.left_milli).sum();
        assert_eq!(commitment.reserved_milli, left);
        assert!(commitment.committed_milli() <= commitment.budget_milli(), "{commitment:?}");
        for lease in leases.values() {
            let out = self.out.iter().filter(|out| out.lease() == lease.id && *now <= out.until());
            let out = i64::try_from(out.count()).unwrap() * UNIT;
            assert!(out <= lease.left_milli, "{out} is promised of {lease:?}");
        }
        for server in &self.servers {
            let of = leases.values().filter(|l| l.ends_at > *now && self.holders[&l.id] == server.process);
            assert!(of.count() <= MOST_LEASES);
        }
    }

    /// All are killed. What has won is promised until the second that its bid has named, as is what
    /// was offered to who says nothing, and then free.
    fn end(&mut self) {
        let killed = self.books.now;
        let mut bids: Vec<Out> = std::mem::take(&mut self.out);
        bids.retain(|out| out.token.bid.is_some() && out.until() == out.token.won_until() && killed <= out.until());
        for bid in &bids {
            self.books.now = bid.until();
            assert!(self.books.leases.contains_key(&bid.lease()));
        }
        bids.sort_by_key(Out::until);
        for bid in bids.iter().filter(|bid| bid.lease() == bid.token.lease) {
            self.books.now = self.books.now.max(bid.until().plus_seconds(1));
            self.books.end_lapsed();
            assert!(!self.books.leases.contains_key(&bid.lease()));
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
        of_day in prop_oneof![Just(None), (1_i64..20).prop_map(Some), (1_i64..200).prop_map(Some)],
        steps in prop::collection::vec(step(), 1..200),
    ) {
        let mut world = World::new(prices, of_day);
        for step in steps {
            world.take(step);
            world.check();
        }
        world.end();
    }
}
