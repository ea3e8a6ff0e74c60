//! What is promised of a lease, whatever is told of offers, how often, and in whatever order: never more than was
//! leased, and to exchanges never more than is for them.

use base::{PlanId, Timestamp};
use delivery::{LEASE_SECONDS, NoLease, Token};
use market::{AskedSlot, BidOutcome, Index, KeptOffer, PickOutcome, Seller, SlotMedia};
use openrtb::BidRequest;
use openrtb::testing::request_with;
use plans::Pricing;
use proptest::prelude::*;
use proptest::sample::Index as Place;
use serde_json::json;

use super::tokens::token;
use super::{T, TEA, ask, grant, index_of, plan, share, slot, ssp};

const UNIT: i64 = 100;
/// The exchanges, by their slots.
const EXCHANGES: [i64; 2] = [2, 3];

#[derive(Clone, Debug)]
enum Step {
    /// An exchange asks.
    Bid(usize),
    /// A page asks for an offer.
    Offer,
    /// A slot asks for a creative.
    Show,
    /// An exchange tells of an offer that it has lost, won, or is to be billed; maybe not for the first time.
    Lose(Place),
    Win(Place),
    Bill(Place),
    /// So many milliseconds pass.
    Wait(i64),
    /// More of the budget is granted, of which so many per cent are for exchanges.
    Grant(i64, i64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0_usize..2).prop_map(Step::Bid),
        1 => Just(Step::Offer),
        1 => Just(Step::Show),
        2 => any::<Place>().prop_map(Step::Lose),
        3 => any::<Place>().prop_map(Step::Win),
        3 => any::<Place>().prop_map(Step::Bill),
        2 => prop_oneof![4 => 0_i64..1_500, 1 => 1_500_i64..30_000].prop_map(Step::Wait),
        1 => (0_i64..6, 0_i64..=100).prop_map(|(prices, part)| Step::Grant(prices, part)),
    ]
}

/// What is known of an offer outside of the market.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// Promised until then, unless something is told of it.
    Open(Timestamp),
    Won(KeptOffer),
    Lost,
    Billed,
}

struct Offer {
    token: Token,
    fate: Fate,
}

/// The books of one budget, kept beside the market.
struct Books {
    index: Index,
    now: Timestamp,
    leased: i64,
    for_exchanges: i64,
    booked: i64,
    booked_in_exchanges: i64,
    bids: Vec<Offer>,
    /// Until when what pages and slots were sent is promised.
    others: Vec<Timestamp>,
}

impl Books {
    fn new(prices: i64) -> Self {
        let index = index_of(&slot(share(7_000)), [plan(TEA, UNIT)]);
        let leased = prices * UNIT;
        let mut books = Self {
            index,
            now: T,
            leased,
            for_exchanges: leased,
            booked: 0,
            booked_in_exchanges: 0,
            bids: Vec::new(),
            others: Vec::new(),
        };
        books.answer();
        books
    }

    /// The lease as it is in the database.
    fn answer(&mut self) {
        if self.has_ended() {
            self.index.leases_of(PlanId(1), self.now);
            return self.index.take_answer(PlanId(1), Err(NoLease::Nothing), self.now);
        }
        let (left, of_exchanges) = (self.leased - self.booked, self.for_exchanges - self.booked_in_exchanges);
        grant(&mut self.index, 1, left, of_exchanges, self.now);
    }

    fn has_ended(&self) -> bool {
        self.now >= T.plus_seconds(LEASE_SECONDS)
    }

    fn outstanding(&self, of: impl Fn(&Offer) -> bool) -> i64 {
        let holds = |until: Timestamp| self.now <= until;
        let is_out = |offer: &&Offer| match offer.fate {
            Fate::Open(until) => holds(until),
            Fate::Won(kept) => holds(kept.until),
            Fate::Lost | Fate::Billed => false,
        };
        let bids = self.bids.iter().filter(is_out).filter(|offer| of(offer)).count();
        i64::try_from(bids).expect("few") * UNIT
    }

    fn assert_covered(&self) {
        let in_exchanges = self.outstanding(|_| true);
        let elsewhere = self.others.iter().filter(|until| self.now <= **until).count();
        let elsewhere = i64::try_from(elsewhere).expect("few") * UNIT;
        assert!(self.booked + in_exchanges + elsewhere <= self.leased, "more is promised than was leased");
        let used = self.booked_in_exchanges + in_exchanges;
        assert!(used <= self.for_exchanges, "exchanges are promised more than is for them");
    }

    /// A lease is requested before it runs out.
    fn renew(&mut self, asked: Option<PlanId>) {
        if asked.is_some() {
            self.answer();
        }
    }

    fn bid(&mut self, which: usize, request: &BidRequest) {
        let exchange = EXCHANGES[which];
        let ssp = ssp(exchange, share(5_000));
        let asked = (request, &request.imp[0]);
        match ask(&mut self.index, asked, Seller::Ssp(&ssp), self.now).expect("asked") {
            BidOutcome::Offers(offer, renew) => {
                let number = u8::try_from(self.bids.len()).expect("few");
                let token = token(&offer, number);
                let (until, taker) = (token.promised_until(Pricing::Cpm), token.taker());
                assert!(until > self.now && token.won_until() <= T.plus_seconds(LEASE_SECONDS));
                self.bids.push(Offer { token, fate: Fate::Open(until) });
                let of_it = self.outstanding(|offer| offer.token.taker() == taker);
                assert!(of_it <= UNIT.max((self.leased - self.booked) / 2), "others have their part");
                self.renew(renew);
            }
            BidOutcome::Ask(_) => self.answer(),
            BidOutcome::Wait | BidOutcome::Nothing(_) => {}
        }
    }

    fn offer(&mut self, request: &BidRequest) {
        let slot = slot(share(7_000));
        let asked = (request, &request.imp[0]);
        match ask(&mut self.index, asked, Seller::Page(&slot, None), self.now).expect("asked") {
            BidOutcome::Offers(offer, renew) => {
                self.others.push(offer.served.until);
                self.renew(renew);
            }
            BidOutcome::Ask(_) => self.answer(),
            BidOutcome::Wait | BidOutcome::Nothing(_) => {}
        }
    }

    fn show(&mut self) {
        match self.index.pick(AskedSlot { key: "k", media: SlotMedia::Any }, None, self.now).expect("a slot") {
            PickOutcome::Served(served, renew) => {
                self.others.push(served.until);
                self.renew(renew);
            }
            PickOutcome::Ask(_) => self.answer(),
            PickOutcome::Wait | PickOutcome::Nothing => {}
        }
    }

    fn lose(&mut self, number: usize) {
        let Some(offer) = self.bids.get_mut(number) else { return };
        let is_first = matches!(offer.fate, Fate::Open(_)) && self.now <= offer.token.won_until();
        assert_eq!(self.index.note_loss(&offer.token, self.now), is_first, "{:?}", offer.fate);
        if is_first {
            offer.fate = Fate::Lost;
        }
        assert!(!self.index.note_loss(&offer.token, self.now), "it is told twice");
    }

    fn win(&mut self, number: usize) {
        let Some(offer) = self.bids.get_mut(number) else { return };
        if let Some(kept) = self.index.note_won(&offer.token, self.now) {
            assert!(matches!(offer.fate, Fate::Open(_)), "{:?} was decided", offer.fate);
            assert_eq!(kept.until, offer.token.won_until());
            offer.fate = Fate::Won(kept);
            assert_eq!(self.index.note_won(&offer.token, self.now), None, "it is told twice");
        }
    }

    /// A view of an offer whose promise holds is booked, here as in the database.
    fn bill(&mut self, number: usize) {
        let Some(offer) = self.bids.get_mut(number) else { return };
        let promised = KeptOffer { lease: offer.token.lease, until: offer.token.promised_until(Pricing::Cpm) };
        let promise = match offer.fate {
            Fate::Open(until) if self.now <= until => promised,
            Fate::Won(kept) if self.now <= kept.until => kept,
            // The database knows the view, and what this server is told again changes nothing.
            Fate::Billed => return self.index.book(&offer.token, promised, self.now),
            _ => return,
        };
        offer.fate = Fate::Billed;
        self.index.book(&offer.token, promise, self.now);
        self.booked += UNIT;
        self.booked_in_exchanges += UNIT;
    }

    /// One of the offers, if there are any.
    fn number(&self, place: Place) -> usize {
        if self.bids.is_empty() { 0 } else { place.index(self.bids.len()) }
    }

    fn take(&mut self, step: &Step, request: &BidRequest) {
        match *step {
            Step::Bid(which) => self.bid(which, request),
            Step::Offer => self.offer(request),
            Step::Show => self.show(),
            Step::Lose(place) => self.lose(self.number(place)),
            Step::Win(place) => self.win(self.number(place)),
            Step::Bill(place) => self.bill(self.number(place)),
            Step::Wait(millis) => self.now = self.now.plus_millis(millis),
            Step::Grant(prices, part) if !self.has_ended() => {
                self.leased += prices * UNIT;
                self.for_exchanges += prices * UNIT * part / 100;
                self.answer();
            }
            Step::Grant(..) => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn no_more_is_promised_than_is_there(prices in 1_i64..30, steps in prop::collection::vec(step(), 1..80)) {
        let mut books = Books::new(prices);
        let request = request_with(json!({ "tmax": 300 }));
        for step in &steps {
            books.take(step, &request);
            books.assert_covered();
        }
    }

    /// What has lost is free at once, and once: as much is offered again as before, however often it was told.
    #[test]
    fn what_has_lost_is_offered_again_once(
        prices in 2_i64..12,
        told in prop::collection::vec(any::<Place>(), 0..20),
    ) {
        let (mut books, request) = (Books::new(prices), request_with(json!({ "tmax": 300 })));
        let offered = |books: &mut Books| {
            let before = books.bids.len();
            (0..40).for_each(|_| books.bid(0, &request));
            i64::try_from(books.bids.len() - before).expect("few")
        };
        prop_assert_eq!(offered(&mut books), prices / 2, "half of it is for one exchange");
        for place in told {
            books.lose(books.number(place));
        }
        (0..books.bids.len()).for_each(|number| books.lose(number));
        prop_assert_eq!(offered(&mut books), prices / 2);
        books.assert_covered();
    }
}
