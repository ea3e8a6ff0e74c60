//! The index itself: which plans fit a slot, their order, and what of their budgets may
//! be promised. Nothing here blocks.

pub mod bids;
mod clock;
pub mod decisions;
mod exchanges;
pub mod leases;
mod parked;
mod plan;
pub mod requests;
pub mod slots;
pub mod ssps;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use base::{PlanId, ProductId, SlotId, Timestamp};
use delivery::{
    Audience, Choice, PassingNetwork, Promises, Purpose, Seed, Servers, Taker, UnseenCreatives, promised_until,
};
use plans::ContentType;

use self::exchanges::ExchangeDemand;
use self::parked::Parked;
use self::plan::{Hold, Place, Plan, Turn, Turned};
use self::requests::SlotRequests;
use self::slots::{AskedSlot, Slot, SlotMedia, SlotTerms};
use self::ssps::{Ssp, Ssps};
use crate::ai::{Ai, Seeds};
use crate::plan_terms::PlanChange;
use crate::product::ServedProduct;

/// The most plans of one queue checked for one answer.
const LOOK_AT: usize = 16;
/// How long until the lease of a plan with nothing to promise is requested again.
const AGAIN_SECONDS: i64 = 2;

/// The content of an answer to a slot.
#[derive(Clone, Debug)]
pub struct ServedOffer {
    pub plan: PlanId,
    pub lease: i64,
    pub slot: SlotId,
    /// When its price was promised.
    pub at: Timestamp,
    /// Until when its price is promised. If an exchange says which bids have won: until when it is promised once this
    /// one has won.
    pub until: Timestamp,
    /// For how many seconds the price of a bid is promised if it has not won.
    pub offered_seconds: Option<u8>,
    pub product: Arc<ServedProduct>,
    pub content: ContentType,
    /// With AI delivery, how the content was chosen.
    pub choice: Option<(Choice, Seed)>,
}

impl ServedOffer {
    /// For how many seconds its price is promised.
    pub const fn holds_seconds(&self) -> i64 {
        self.until.since(self.at) / 1000
    }
}

#[derive(Clone, Debug)]
pub enum PickOutcome {
    /// The creative, and a plan whose lease should be renewed in the background, if there is one.
    Served(ServedOffer, Option<PlanId>),
    /// Its lease must be requested first.
    Ask(PlanId),
    /// The leases of all fitting plans are being requested.
    Wait,
    Nothing,
}

/// Nobody has a slot with this key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no slot has this key")]
pub struct UnknownSlot;

pub struct Index {
    /// For plans that learn.
    seeds: Seeds,
    slots: HashMap<String, Slot>,
    products: HashMap<i64, Arc<ServedProduct>>,
    /// The queues: one for each product and content type, and one for each product's plans that show any content type;
    /// `places` finds them.
    queues: Vec<Queue>,
    /// When the plan at the front of each queue was served; [`NOBODY`] if the queue is
    /// empty. Every answer reads all of them, so they are stored side by side.
    fronts: Vec<u64>,
    places: HashMap<(i64, i16), usize>,
    plans: HashMap<i64, Plan>,
    parked: Parked,
    /// Leases of plans that are no longer running.
    ending: HashMap<i64, (i64, Promises)>,
    turn: u64,
    /// Increases when other queues may fit a slot.
    generation: u64,
    unseen: UnseenCreatives,
    ssps: Ssps,
    /// Requests in slots that no longer exist, or that could not be stored yet.
    gone: Vec<(SlotId, SlotRequests)>,
    newest: i64,
    /// The time of the latest request.
    now: Timestamp,
    stopped: bool,
}

/// Plans of one product and content type; the one at the front was served longest ago.
struct Queue {
    product: i64,
    /// `None` for plans that choose among all of the product's content types.
    content: Option<ContentType>,
    waiting: VecDeque<i64>,
    /// The number of its plans whose leases are being requested.
    asked: usize,
}

const NOBODY: u64 = u64::MAX;
/// Stands for any content type in place of a code.
const ANY: i16 = 0;

impl Index {
    /// An empty index.
    pub fn new(seeds: Seeds) -> Self {
        Self {
            seeds,
            slots: HashMap::new(),
            products: HashMap::new(),
            queues: Vec::new(),
            fronts: Vec::new(),
            places: HashMap::new(),
            plans: HashMap::new(),
            parked: Parked::default(),
            ending: HashMap::new(),
            turn: 0,
            generation: 0,
            unseen: UnseenCreatives::default(),
            ssps: Ssps::default(),
            gone: Vec::new(),
            newest: 0,
            now: Timestamp::EPOCH,
            stopped: false,
        }
    }

    /// The time of the latest change that was loaded.
    pub fn newest(&self) -> Timestamp {
        Timestamp::from_millis(self.newest)
    }

    /// Limits are divided among so many servers.
    pub const fn divide(&mut self, servers: Servers) {
        self.unseen.divide(servers);
    }

    // Loading ----------------------------------------------------------------

    /// Loads all slots, products and exchanges. Unchanged ones keep their state.
    pub fn load_catalogue(&mut self, slots: Vec<Arc<SlotTerms>>, products: Vec<Arc<ServedProduct>>, ssps: Vec<Ssp>) {
        self.load_products(products);
        self.load_slots(slots);
        self.load_ssps(ssps);
    }

    pub fn load_plans(&mut self, plans: &[PlanChange]) {
        for plan in plans {
            self.newest = self.newest.max(plan.changed_at.millis());
            self.load_plan(plan);
        }
    }

    fn load_products(&mut self, loaded: Vec<Arc<ServedProduct>>) {
        let mut products = HashMap::with_capacity(loaded.len());
        let mut changed = loaded.len() != self.products.len();
        for product in loaded {
            changed |= self.products.get(&product.id.0) != Some(&product);
            products.insert(product.id.0, product);
        }
        self.products = products;
        self.generation += u64::from(changed);
    }

    fn load_plan(&mut self, change: &PlanChange) {
        let (id, changed_at) = (change.id.0, change.changed_at.millis());
        let Some(terms) = change.terms.as_ref().filter(|terms| terms.is_shown()) else { return self.remove(id) };
        if let Some(known) = self.plans.get_mut(&id) {
            let is_rescheduled = known.schedule != terms.schedule;
            known.note_change(changed_at, terms);
            if is_rescheduled {
                self.unpark(id);
            }
            return;
        }
        let ai = terms.ai_delivery.then(|| Ai::new(self.seeds));
        let queue = self.place(terms.product.0, if ai.is_some() { None } else { Some(terms.content) });
        let held = self.ending.remove(&id).map(|(_, held)| held);
        let new = Plan {
            unit: terms.unit_milli,
            pricing: terms.pricing,
            queue,
            due_at: terms.due_at.map_or(i64::MAX, Timestamp::millis),
            changed_at,
            daily_cap: terms.daily_cap,
            schedule: terms.schedule,
            parked: false,
            held,
            turn: 0,
            again_at: 0,
            asked: None,
            ai,
            demand: ExchangeDemand::default(),
            excluded: terms.excluded.clone(),
        };
        self.plans.insert(id, new);
        self.put_in_front(id);
    }

    fn place(&mut self, product: i64, content: Option<ContentType>) -> usize {
        let next = self.queues.len();
        let place = *self.places.entry((product, content.map_or(ANY, ContentType::code))).or_insert(next);
        if place == next {
            self.queues.push(Queue { product, content, waiting: VecDeque::new(), asked: 0 });
            self.fronts.push(NOBODY);
            self.generation += 1;
        }
        place
    }

    fn remove(&mut self, id: i64) {
        let Some(plan) = self.plans.remove(&id) else { return };
        if let Some(queue) = self.queues.get_mut(plan.queue) {
            queue.waiting.retain(|waiting| *waiting != id);
            queue.asked = queue.asked.saturating_sub(usize::from(plan.asked.is_some()));
        }
        self.mark_front(plan.queue);
        if let Some(mut held) = plan.held {
            held.stop();
            self.ending.insert(id, (plan.unit, held));
        }
    }

    // Picking ----------------------------------------------------------------

    /// Picks the creative for a slot. Each network is limited to a number of unseen creatives.
    ///
    /// # Errors
    /// A key that no slot has.
    pub fn pick(
        &mut self,
        asked: AskedSlot<'_>,
        from: Option<PassingNetwork>,
        now: Timestamp,
    ) -> Result<PickOutcome, UnknownSlot> {
        let found = self.slots.get(asked.key).ok_or(UnknownSlot)?;
        let slot = found.terms.id;
        let Some(from) = from else { return self.pick_fitting(asked, now) };
        if !self.unseen.has_room(from, slot, Purpose::Show, now) {
            found.counts.count_request(false);
            return Ok(PickOutcome::Nothing);
        }
        let picked = self.pick_fitting(asked, now)?;
        if matches!(picked, PickOutcome::Served(..)) {
            self.unseen.note_sent(from, slot, now);
        }
        Ok(picked)
    }

    fn pick_fitting(&mut self, asked: AskedSlot<'_>, now: Timestamp) -> Result<PickOutcome, UnknownSlot> {
        let AskedSlot { key, media } = asked;
        self.find_fitting(key)?;
        self.unpark_opened(now);
        let slot = self.slots.get(key).ok_or(UnknownSlot)?;
        if self.stopped {
            return Ok(PickOutcome::Nothing);
        }
        // Usually the first queue serves, so the others are sorted only if it does not.
        let Some((_, first)) = self.fronts_of(slot, media).min() else { return Ok(self.nothing_from(asked)) };
        if let Some(picked) = self.pick_from(first, asked, now) {
            return Ok(picked);
        }
        let mut order: Vec<_> =
            self.slots.get(key).map(|slot| self.fronts_of(slot, media).collect()).unwrap_or_default();
        order.sort_unstable();
        for (_, place) in order {
            if let Some(picked) = self.pick_from(place, asked, now) {
                return Ok(picked);
            }
        }
        Ok(self.nothing_from(asked))
    }

    /// The queues that can answer a slot and are not empty, with the time their front was
    /// served.
    fn fronts_of<'a>(&'a self, slot: &'a Slot, media: SlotMedia) -> impl Iterator<Item = (u64, usize)> + 'a {
        let fronts = slot.queues(media).iter().filter_map(|place| Some((*self.fronts.get(*place)?, *place)));
        fronts.filter(|(front, _)| *front != NOBODY)
    }

    /// The answer if no plan can be served.
    fn nothing_from(&self, AskedSlot { key, media }: AskedSlot<'_>) -> PickOutcome {
        let Some(slot) = self.slots.get(key) else { return PickOutcome::Nothing };
        let waits = |place: &usize| self.queues.get(*place).is_some_and(|queue| queue.asked > 0);
        if slot.queues(media).iter().any(waits) {
            return PickOutcome::Wait;
        }
        slot.counts.count_request(false);
        PickOutcome::Nothing
    }

    /// Finds the queues that fit a slot, if they may have changed.
    fn find_fitting(&mut self, key: &str) -> Result<(), UnknownSlot> {
        let slot = self.slots.get_mut(key).ok_or(UnknownSlot)?;
        if slot.of == self.generation {
            return Ok(());
        }
        let fits = |queue: &Queue| {
            self.products.get(&queue.product).is_some_and(|product| {
                let terms = &slot.terms;
                let shows = match queue.content {
                    Some(content) => terms.content.contains(&content),
                    None => terms.content.iter().any(|content| product.has(*content)),
                };
                shows && product.fits(&terms.audience)
            })
        };
        let shows_films = slot.terms.content.contains(&ContentType::Video);
        let has_film = |queue: &Queue| {
            let shows = shows_films && queue.content.is_none_or(|content| content == ContentType::Video);
            shows && self.products.get(&queue.product).is_some_and(|product| product.has_film())
        };
        let (mut all, mut films) = (Vec::new(), Vec::new());
        for (place, queue) in self.queues.iter().enumerate().filter(|(_, queue)| fits(queue)) {
            all.push(place);
            if has_film(queue) {
                films.push(place);
            }
        }
        (slot.fits, slot.films, slot.of) = (all, films, self.generation);
        Ok(())
    }

    /// The first plan of a queue that can promise a price; those tried in vain go to its
    /// end.
    fn pick_from(&mut self, place: usize, asked: AskedSlot<'_>, now: Timestamp) -> Option<PickOutcome> {
        let slot = self.slots.get(asked.key)?;
        let queue = self.queues.get_mut(place)?;
        let product = self.products.get(&queue.product)?;
        for _ in 0..queue.waiting.len().min(LOOK_AT) {
            let id = queue.waiting.pop_front()?;
            let Some(plan) = self.plans.get_mut(&id) else { continue };
            if !plan.schedule.is_open(now) {
                self.parked.park(id, plan, now);
                continue;
            }
            if plan.due_at <= now.millis() || plan.excludes_slot(slot.terms.id) {
                plan.turn = self.turn + 1;
                queue.waiting.push_back(id);
                continue;
            }
            let hold = Hold::Until(promised_until(plan.pricing, now));
            let shows = |code| slot.shows(code, product, asked.media);
            let place_of = Place { audience: &slot.terms.audience, shows: &shows };
            match plan.serve(&place_of, queue.content, (hold, Taker::Slot), now) {
                Turned::Serves(Turn { lease, until, content, choice }) => {
                    self.turn += 1;
                    plan.turn = self.turn;
                    slot.counts.count_request(true);
                    queue.waiting.push_back(id);
                    let renew = plan.may_ask(now) && plan.runs_out(now);
                    if renew {
                        plan.asked = Some(false);
                        queue.asked += 1;
                    }
                    let (plan, slot, at, product) = (PlanId(id), slot.terms.id, now, product.clone());
                    let served =
                        ServedOffer { plan, lease, slot, at, until, offered_seconds: None, product, content, choice };
                    self.mark_front(place);
                    return Some(PickOutcome::Served(served, renew.then_some(PlanId(id))));
                }
                Turned::Short if plan.may_ask(now) => {
                    plan.asked = Some(true);
                    queue.asked += 1;
                    self.mark_front(place);
                    return Some(PickOutcome::Ask(PlanId(id)));
                }
                Turned::Short | Turned::Passes => {
                    // Whether it waits for a better slot or is used up, it has its turn together with
                    // the plan that is served: its product would otherwise be the first one for ever.
                    plan.turn = self.turn + 1;
                    queue.waiting.push_back(id);
                }
            }
        }
        self.mark_front(place);
        None
    }

    fn mark_front(&mut self, place: usize) {
        let waiting = self.queues.get(place).and_then(|queue| queue.waiting.front());
        let plan = waiting.and_then(|id| self.plans.get(id));
        if let Some(front) = self.fronts.get_mut(place) {
            *front = plan.map_or(NOBODY, |plan| plan.turn);
        }
    }

    fn put_in_front(&mut self, id: i64) {
        let Some(plan) = self.plans.get(&id) else { return };
        let place = plan.queue;
        if let Some(queue) = self.queues.get_mut(place) {
            queue.waiting.push_front(id);
        }
        self.mark_front(place);
    }

    /// The audiences of the slots that fit a product.
    pub fn audiences(&self, product: ProductId) -> Vec<Audience> {
        let Some(product) = self.products.get(&product.0) else { return Vec::new() };
        let fits = |slot: &&Slot| slot.terms.fits(product);
        self.slots.values().filter(fits).map(|slot| slot.terms.audience.clone()).collect()
    }
}

#[cfg(test)]
mod tests;
