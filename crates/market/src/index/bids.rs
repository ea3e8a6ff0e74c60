//! Picking what is offered in the auction of an exchange or a page. Plans take turns as in
//! slots; only those that are paid by views are offered, since a click has no price per view.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::iter;

use base::{PlanId, SlotId, Timestamp, refuse_if};
use delivery::{Audience, PROMISE_SECONDS, PassingNetwork, Purpose, Taker};
use openrtb::request::Imp;
use openrtb::{Auction, NoBid};
use plans::{ContentType, Pricing};
use supply::Share;

use super::plan::{Hold, Place, Plan, Turn, Turned};
use super::slots::SlotTerms;
use super::ssps::Ssp;
use super::{Index, LOOK_AT, NOBODY, ServedOffer};
use crate::product::{AdForm, ExchangeAd, ServedProduct};

/// The party that holds the auction.
#[derive(Clone, Copy, Debug)]
pub enum Seller<'b> {
    Ssp(&'b Ssp),
    /// A page, for one of its publisher's slots, and the network of its reader.
    Page(&'b SlotTerms, Option<PassingNetwork>),
}

impl<'b> Seller<'b> {
    pub const fn slot(self) -> SlotId {
        match self {
            Self::Ssp(ssp) => ssp.slot,
            Self::Page(slot, _) => slot.id,
        }
    }

    const fn taker(self) -> Taker {
        match self {
            Self::Ssp(ssp) => Taker::Exchange(ssp.slot),
            Self::Page(slot, _) => Taker::Page(slot.id),
        }
    }

    /// Its share of what a view costs.
    const fn share(self) -> Share {
        match self {
            Self::Ssp(ssp) => ssp.share,
            Self::Page(slot, _) => slot.share,
        }
    }

    /// The seat on whose behalf the platform bids.
    pub fn seat(self) -> Option<&'b str> {
        match self {
            Self::Ssp(ssp) => ssp.seat.as_deref(),
            Self::Page(..) => None,
        }
    }

    /// Exchanges say in each request whom they reach; a slot has said it for all of them.
    pub fn has_audience(self) -> bool {
        matches!(self, Self::Page(..))
    }

    fn takes(self, product: &ServedProduct) -> bool {
        match self {
            Self::Ssp(_) => true,
            Self::Page(slot, _) => slot.fits(product),
        }
    }

    fn shows(self, content: ContentType) -> bool {
        match self {
            Self::Ssp(_) => true,
            Self::Page(slot, _) => slot.content.contains(&content),
        }
    }

    /// For how many seconds the price of a bid is promised unless a notice says that it has won. It depends on the
    /// request: on `tmax`, and on how long the page waits for all bids, both in milliseconds. `None` for an exchange
    /// that never sends win notices.
    pub fn offered_seconds(self, tmax: Option<u32>, timeout: Option<u32>) -> Option<u8> {
        let seconds = match self {
            Self::Ssp(ssp) if !ssp.notifies => return None,
            Self::Ssp(_) => NOTICE_SECONDS + tmax.unwrap_or(u32::MAX).min(LONGEST_AUCTION_MILLIS).div_ceil(1000),
            Self::Page(..) => match (tmax, timeout) {
                (Some(tmax), Some(timeout)) => tmax.saturating_add(timeout).div_ceil(1000).clamp(1, PAGE_SECONDS),
                _ => PAGE_SECONDS,
            },
        };
        u8::try_from(seconds).ok()
    }
}

/// The longest time that an exchange's auction can take, whatever it says.
const LONGEST_AUCTION_MILLIS: u32 = 2_000;
/// How long it may take until an exchange has said what has won.
const NOTICE_SECONDS: u32 = 2;
/// The longest time until a page shows a bid, whatever it says.
const PAGE_SECONDS: u32 = 10;

/// An impression in an auction.
pub struct AskedImp<'a, 'b> {
    pub auction: &'b Auction<'a>,
    pub imp: &'a Imp,
    pub seller: Seller<'b>,
    /// See [`Seller::offered_seconds`].
    pub offered_seconds: Option<u8>,
    pub currency: &'b str,
    /// Whether everything that this server serves comes over HTTPS.
    pub secure: bool,
}

/// A bid for an impression.
#[derive(Clone, Debug)]
pub struct BidOffer<'a> {
    pub served: ServedOffer,
    pub form: AdForm,
    pub price_milli: i64,
    pub offer: openrtb::OfferedAd<'a>,
}

impl BidOffer<'_> {
    pub fn ad(&self) -> ExchangeAd<'_> {
        let ServedOffer { product, content, .. } = &self.served;
        ExchangeAd { product, content: *content, form: self.form, price_milli: self.price_milli }
    }
}

/// The outcome of one attempt.
#[derive(Debug)]
pub enum BidOutcome<'a> {
    /// The bid, and a plan whose lease should be renewed in the background, if there is one.
    Offers(Box<BidOffer<'a>>, Option<PlanId>),
    /// Its lease must be requested first.
    Ask(PlanId),
    /// The leases of all fitting plans are being requested.
    Wait,
    Nothing(NoBid),
}

/// A content type that fits, in its form and on these terms.
type Fitting<'a> = (ContentType, AdForm, openrtb::OfferedAd<'a>);

impl<'a> AskedImp<'a, '_> {
    /// The content types of a product that fit, at a price.
    fn fitting(
        &self,
        product: &ServedProduct,
        contents: &[ContentType],
        price_milli: i64,
    ) -> Result<Vec<Fitting<'a>>, NoBid> {
        refuse_if(!self.seller.takes(product), NoBid::NoPlan)?;
        refuse_if(!product.has_domain(), NoBid::NoDomain)?;
        let (mut found, mut nearest) = (Vec::new(), NoBid::NoPlan);
        for content in contents.iter().filter(|content| self.seller.shows(**content)) {
            for form in AdForm::of(*content) {
                let ad = ExchangeAd { product, content: *content, form: *form, price_milli };
                let Some(candidate) = ad.candidate(self.seller, self.lasts(), self.currency, self.secure) else {
                    nearest = nearest.max(NoBid::Media);
                    continue;
                };
                match self.auction.consider_imp(self.imp, &candidate) {
                    Ok(terms) => {
                        found.push((*content, *form, terms));
                        break;
                    }
                    Err(why) => nearest = nearest.max(why),
                }
            }
        }
        if found.is_empty() { Err(nearest) } else { Ok(found) }
    }

    fn is_excluded_by(&self, plan: &Plan) -> bool {
        match self.seller {
            Seller::Ssp(ssp) => plan.excludes_slot(ssp.slot) || plan.excludes_one_of(self.auction.sources()),
            Seller::Page(slot, _) => plan.excludes_slot(slot.id),
        }
    }

    /// How many seconds later the impression may come, at least. Exchanges extend that with a win notice.
    fn lasts(&self) -> u32 {
        match (self.seller, self.offered_seconds) {
            (Seller::Page(..), Some(seconds)) => seconds.into(),
            _ => u32::try_from(PROMISE_SECONDS).unwrap_or(0),
        }
    }

    /// How long a price is set aside.
    fn hold(&self, now: Timestamp) -> Hold {
        let offered = self.offered_seconds.map(|seconds| now.plus_seconds(seconds.into()));
        match (self.seller, offered) {
            (_, None) => Hold::Longest,
            (Seller::Ssp(_), Some(until)) => Hold::Offered(until),
            (Seller::Page(..), Some(until)) => Hold::Until(until),
        }
    }

    /// The audience that AI delivery chooses for. Only the kind of device is known about an exchange's reader.
    fn audience(&self) -> Audience {
        if let Seller::Page(slot, _) = self.seller {
            return slot.audience.clone();
        }
        let devices = self.auction.devices().iter().map(|device| (*device).to_owned()).collect();
        Audience { devices, ..Audience::default() }
    }
}

impl Index {
    /// Picks a bid for an impression. A network's readers are limited to a number of unseen creatives.
    pub fn pick_bid<'a>(&mut self, asked: &AskedImp<'a, '_>, now: Timestamp) -> BidOutcome<'a> {
        let Seller::Page(slot, Some(from)) = asked.seller else { return self.pick_fitting_bid(asked, now) };
        if !self.unseen.has_room(from, slot.id, Purpose::Offer, now) {
            return BidOutcome::Nothing(NoBid::TooManyUnseen);
        }
        let outcome = self.pick_fitting_bid(asked, now);
        if let BidOutcome::Offers(offer, _) = &outcome {
            self.unseen.note_offered(from, slot.id, offer.served.until, now);
        }
        outcome
    }

    fn pick_fitting_bid<'a>(&mut self, asked: &AskedImp<'a, '_>, now: Timestamp) -> BidOutcome<'a> {
        if self.stopped {
            return BidOutcome::Nothing(NoBid::NoPlan);
        }
        self.unpark_opened(now);
        // Usually the first queue serves, and if not, one of the next: the others are never brought into order.
        let audience = asked.audience();
        let first = self.fronts_in_use().min();
        let why = match self.bid_from_any(first, (asked, &audience), NoBid::NoPlan, now) {
            Ok(outcome) => return outcome,
            Err(why) => why,
        };
        let is_first = |place: usize| first.is_some_and(|(_, first)| first == place);
        let others = self.fronts_in_use().filter(|(_, place)| !is_first(*place));
        let mut others: BinaryHeap<_> = others.map(Reverse).collect();
        let others = iter::from_fn(|| others.pop().map(|Reverse(front)| front));
        let nearest = match self.bid_from_any(others, (asked, &audience), why, now) {
            Ok(outcome) => return outcome,
            Err(why) => why,
        };
        let mut waits = false;
        for queue in self.queues.iter().filter(|queue| queue.asked > 0) {
            let Some(product) = self.products.get(&queue.product) else { continue };
            waits |= asked.fitting(product, &contents(product, queue.content), i64::MAX).is_ok();
        }
        if waits { BidOutcome::Wait } else { BidOutcome::Nothing(nearest) }
    }

    /// The queues that are not empty, with the time their front was served.
    fn fronts_in_use(&self) -> impl Iterator<Item = (u64, usize)> {
        self.fronts.iter().enumerate().filter(|(_, front)| **front != NOBODY).map(|(place, front)| (*front, place))
    }

    /// The bid from the first of these queues that has one. The error is the reason for no bid; `nearest` is the reason
    /// of the queues before these.
    fn bid_from_any<'a>(
        &mut self,
        order: impl IntoIterator<Item = (u64, usize)>,
        (asked, audience): (&AskedImp<'a, '_>, &Audience),
        mut nearest: NoBid,
        now: Timestamp,
    ) -> Result<BidOutcome<'a>, NoBid> {
        for (_, place) in order {
            match self.bid_from(place, asked, audience, now) {
                Ok(Some(outcome)) => return Ok(outcome),
                Ok(None) => nearest = NoBid::NoBudget,
                Err(why) => nearest = nearest.max(why),
            }
        }
        Err(nearest)
    }

    /// The first plan of a queue that can promise its price. `None` if plans fit, but none
    /// can now; the error says why none fits. Plans that do not fit keep their places.
    fn bid_from<'a>(
        &mut self,
        place: usize,
        asked: &AskedImp<'a, '_>,
        audience: &Audience,
        now: Timestamp,
    ) -> Result<Option<BidOutcome<'a>>, NoBid> {
        let queue = self.queues.get(place).ok_or(NoBid::NoPlan)?;
        let product = self.products.get(&queue.product).ok_or(NoBid::NoPlan)?.clone();
        let content = queue.content;
        let first: Vec<i64> = queue.waiting.iter().copied().take(LOOK_AT).collect();
        let mut prices =
            ConsideredPrices { asked, product: &product, contents: contents(&product, content), last: None };
        let (mut nearest, mut in_vain, mut excluded) = (NoBid::NoPlan, Vec::new(), 0);
        for id in first {
            if self.park_closed(place, id, now) {
                continue;
            }
            let Some(plan) = self.plans.get_mut(&id).filter(|plan| plan.is_paid_by_views(now)) else { continue };
            if asked.is_excluded_by(plan) {
                excluded += 1;
                in_vain.push(id);
                continue;
            }
            let price_milli = asked.seller.share().of_milli(plan.unit);
            let fitting = match prices.at(price_milli) {
                Ok(fitting) => fitting,
                Err(why) => {
                    nearest = nearest.max(why);
                    continue;
                }
            };
            let taker = asked.seller.taker();
            if matches!(taker, Taker::Exchange(_)) && plan.lacks_room_for_exchanges(taker, now) {
                if plan.may_ask_for_exchanges(now) {
                    plan.asked = Some(true);
                    self.go_to_the_end(place, &in_vain);
                    return Ok(Some(self.waits_for_a_lease(place, id)));
                }
                in_vain.push(id);
                continue;
            }
            let shows = |code: i16| fitting.iter().any(|(content, ..)| content.code() == code);
            match plan.serve(&Place { audience, shows: &shows }, content, (asked.hold(now), taker), now) {
                Turned::Serves(Turn { lease, until, content, choice }) => {
                    self.go_to_the_end(place, &in_vain);
                    let renew = self.takes_its_turn(place, id, now);
                    let chosen = fitting.iter().find(|(fits, ..)| *fits == content).cloned();
                    let (_, form, terms) = chosen.ok_or(NoBid::Media)?;
                    let (plan, slot, at) = (PlanId(id), asked.seller.slot(), now);
                    let offered_seconds = asked.offered_seconds;
                    let product = product.clone();
                    let served =
                        ServedOffer { plan, lease, slot, at, until, offered_seconds, product, content, choice };
                    let expires = u32::try_from(served.holds_seconds()).unwrap_or(0);
                    let bid = BidOffer { served, form, price_milli, offer: openrtb::OfferedAd { expires, ..terms } };
                    return Ok(Some(BidOutcome::Offers(Box::new(bid), renew)));
                }
                Turned::Short if plan.may_ask(now) => {
                    plan.asked = Some(true);
                    self.go_to_the_end(place, &in_vain);
                    return Ok(Some(self.waits_for_a_lease(place, id)));
                }
                Turned::Short | Turned::Passes => in_vain.push(id),
            }
        }
        self.go_to_the_end(place, &in_vain);
        if in_vain.len() == excluded { Err(nearest) } else { Ok(None) }
    }

    /// A plan outside its hours leaves its queue; whether it does.
    fn park_closed(&mut self, place: usize, id: i64, now: Timestamp) -> bool {
        let Some(plan) = self.plans.get_mut(&id).filter(|plan| !plan.schedule.is_open(now)) else { return false };
        self.parked.park(id, plan, now);
        if let Some(queue) = self.queues.get_mut(place) {
            leave(&mut queue.waiting, id);
        }
        true
    }

    /// Plans that were tried in vain make room for those behind them.
    fn go_to_the_end(&mut self, place: usize, plans: &[i64]) {
        let Some(queue) = self.queues.get_mut(place) else { return };
        for id in plans {
            leave(&mut queue.waiting, *id);
            queue.waiting.push_back(*id);
            // Used up or waiting for a better place, it has its turn together with the plan
            // that is served.
            if let Some(plan) = self.plans.get_mut(id) {
                plan.turn = self.turn + 1;
            }
        }
        self.mark_front(place);
    }

    /// A plan that was served is the last one from now on; returns it if its lease should be
    /// renewed.
    fn takes_its_turn(&mut self, place: usize, id: i64, now: Timestamp) -> Option<PlanId> {
        let (queue, plan) = (self.queues.get_mut(place)?, self.plans.get_mut(&id)?);
        self.turn += 1;
        plan.turn = self.turn;
        leave(&mut queue.waiting, id);
        queue.waiting.push_back(id);
        let renew = plan.may_ask(now) && plan.runs_out(now);
        if renew {
            plan.asked = Some(false);
            queue.asked += 1;
        }
        self.mark_front(place);
        renew.then_some(PlanId(id))
    }

    /// Takes the plan out of its queue until its lease request is answered.
    fn waits_for_a_lease<'a>(&mut self, place: usize, id: i64) -> BidOutcome<'a> {
        if let Some(queue) = self.queues.get_mut(place) {
            leave(&mut queue.waiting, id);
            queue.asked += 1;
        }
        self.mark_front(place);
        BidOutcome::Ask(PlanId(id))
    }
}

/// Removes a plan from a queue. The plan is among the first ones, so this is quick however long the queue is.
fn leave(waiting: &mut VecDeque<i64>, id: i64) {
    if let Some(at) = waiting.iter().position(|waiting| *waiting == id) {
        waiting.remove(at);
    }
}

impl Plan {
    fn is_paid_by_views(&self, now: Timestamp) -> bool {
        self.pricing == Pricing::Cpm && self.due_at > now.millis()
    }
}

/// The contents that fit at a price. Most plans of a product have the same price, so the last result is remembered.
struct ConsideredPrices<'a, 'b> {
    asked: &'b AskedImp<'a, 'b>,
    product: &'b ServedProduct,
    contents: Vec<ContentType>,
    last: Option<(i64, Result<Vec<Fitting<'a>>, NoBid>)>,
}

impl<'a> ConsideredPrices<'a, '_> {
    fn at(&mut self, price_milli: i64) -> Result<Vec<Fitting<'a>>, NoBid> {
        if let Some((price, fitting)) = &self.last
            && *price == price_milli
        {
            return fitting.clone();
        }
        let fitting = self.asked.fitting(self.product, &self.contents, price_milli);
        self.last = Some((price_milli, fitting.clone()));
        fitting
    }
}

/// The content types that a queue's plans show.
fn contents(product: &ServedProduct, content: Option<ContentType>) -> Vec<ContentType> {
    let all = ContentType::ALL.iter().copied().filter(|kind| product.has(*kind));
    content.map_or_else(|| all.collect(), |content| vec![content])
}
