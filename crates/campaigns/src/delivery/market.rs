//! The data that slots are answered from: an index of running plans in memory, and leases of their budgets. The crate
//! `market` decides which plan is shown.
//!
//! The index is loaded from the database and follows it: at once after a change in this
//! process, within a second after one elsewhere. A creative is sent only if its price
//! fits a lease that this server holds, so that all servers together never promise more
//! than a budget has.

mod lease_request;
mod rows;
mod upkeep;

use std::hash::RandomState;
use std::net::IpAddr;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use base::{PlanId, ProductId, PublisherId, SlotId, Timestamp};
use delivery::{Audience, EventKind, NoLease, PassingNetwork, Promised, Purpose, Servers, Token};
pub use market::{
    AdForm, AskedImp, AskedSlot, BidOffer, CountedEvent, ExchangeAd, Identity, KeptOffer, Seller, ServedOffer,
    ServedProduct, SlotMedia, SlotTerms, Ssp,
};
use market::{BidOutcome, Index, PassingNetworks, PickOutcome, UnknownSlot};
use openrtb::NoBid;
use store::MarketVersion;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use foundation::{Error, Refusal, random};
use lease_request::LeaseRequest;
use rows::ReadRows;

use crate::AdServer;

pub use upkeep::close;
pub(crate) use upkeep::{count_servers, give_back, store_requests};

/// How far back a refresh looks, because transactions may take long to commit.
const OVERLAP_SECONDS: i64 = 60;
/// The longest time that a slot waits for a requested lease.
const WAIT: Duration = Duration::from_secs(2);
const CLOSE_EVERY: Duration = Duration::from_millis(50);

/// The number of bytes of a file, by its address; `None` for one that is not known.
pub type FileSize = fn(&str) -> Option<u64>;

pub struct Market {
    index: Mutex<Index>,
    /// The sizes of the files that come with the app.
    file_size: OnceLock<FileSize>,
    /// The store's version in the index; `None` before the first load.
    loaded: Mutex<Option<MarketVersion>>,
    /// Held while loading.
    rows: tokio::sync::Mutex<ReadRows>,
    /// Changes with every answered lease request.
    answered: watch::Sender<u64>,
    asking: AtomicUsize,
    passers: Mutex<PassingNetworks>,
    /// Identifies this process among the holders of leases.
    holder: String,
    /// The number of servers at work at the last count, and the time of that count.
    servers: AtomicU32,
    counted_at: AtomicI64,
    /// Since when this process has been at work with a database that answers, in milliseconds; 0 while it is not.
    at_work_since: AtomicI64,
}

impl Default for Market {
    fn default() -> Self {
        let name: [u8; 8] = random().unwrap_or_default();
        Self {
            index: Mutex::new(Index::new(|| random().ok())),
            file_size: OnceLock::new(),
            loaded: Mutex::default(),
            rows: tokio::sync::Mutex::default(),
            answered: watch::Sender::new(0),
            asking: AtomicUsize::new(0),
            // The hash has random keys from the operating system.
            passers: Mutex::new(PassingNetworks::new(RandomState::new)),
            holder: auth::hex::encode(&name),
            servers: AtomicU32::new(1),
            counted_at: AtomicI64::new(0),
            at_work_since: AtomicI64::new(0),
        }
    }
}

impl Market {
    /// Notes that this process is at work; returns for how many milliseconds it has been.
    pub(crate) fn at_work_for(&self, now: Timestamp) -> i64 {
        let (now, since) = (now.millis(), self.at_work_since.load(Ordering::Relaxed));
        // If the clock was set back, the time is counted anew.
        if since == 0 || since > now {
            self.at_work_since.store(now, Ordering::Relaxed);
            return 0;
        }
        now.saturating_sub(since)
    }

    /// Notes that the database does not answer, so that nothing is shown.
    pub(crate) fn stop_work(&self) {
        self.at_work_since.store(0, Ordering::Relaxed);
    }

    fn index(&self) -> MutexGuard<'_, Index> {
        // After a panic elsewhere, the next answer about a lease corrects the figures.
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn passers(&self) -> MutexGuard<'_, PassingNetworks> {
        self.passers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn loaded(&self) -> Option<MarketVersion> {
        *self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets how to find the sizes of files, so that exchanges are told their bitrates.
    pub fn know_files(&self, size: FileSize) {
        // The server that serves the files sets this once, before anything is loaded.
        let _ = self.file_size.set(size);
    }

    /// The identity of a network for today, for those who request or see creatives.
    pub fn passing(&self, address: IpAddr, now: Timestamp) -> PassingNetwork {
        self.passers().of(address, now)
    }

    /// The number of servers, among which limits that each counts in memory are divided.
    pub fn servers(&self) -> Servers {
        Servers::new(self.servers.load(Ordering::Relaxed))
    }

    /// Counts an event of a network. The returned number of earlier events is extrapolated to all servers.
    pub fn count_passing(
        &self,
        event: (PlanId, EventKind),
        address: IpAddr,
        identity: Identity,
        now: Timestamp,
    ) -> CountedEvent {
        let mut counted = self.passers().count(event, address, identity, now);
        counted.before = self.servers().total(counted.before);
        counted
    }

    pub fn take_back(&self, counted: &CountedEvent, now: Timestamp) {
        self.passers().take_back(counted, now);
    }

    /// Notes that a creative was seen and counted.
    pub fn note_look(&self, by: PassingNetwork, slot: SlotId, purpose: Purpose, now: Timestamp) {
        self.index().note_look(by, slot, purpose, now);
    }

    /// Notes that the price of a delivery was booked, which was promised before: see [`delivery::Promises`].
    pub fn book(&self, token: &Token, promise: KeptOffer, now: Timestamp) {
        self.index().book(token, promise, now);
    }

    /// Notes that a creative was seen, and keeps its price for a click.
    pub fn keep(&self, token: &Token, until: Timestamp, kept_until: Timestamp) {
        self.index().keep(token.plan, token.lease, Promised { until, to: token.taker() }, kept_until);
    }

    /// Gives up a renewed promise that is not needed.
    pub fn forgo(&self, token: &Token, until: Timestamp) {
        self.index().forgo(token.plan, token.lease, Promised { until, to: token.taker() });
    }

    /// Renews a promise that held until `promised` at least; returns until when it holds now. `None` if this server
    /// does not hold its lease, or nothing of the lease is free.
    pub fn promise_again(&self, token: &Token, promised: Timestamp, now: Timestamp) -> Option<Timestamp> {
        self.index().promise_again(token, promised, now)
    }

    /// The exchange with this key.
    pub fn ssp(&self, key: &[u8; 32]) -> Option<Arc<Ssp>> {
        self.index().ssp(key)
    }

    /// The terms of the slot with this key.
    pub fn slot(&self, key: &str) -> Option<Arc<SlotTerms>> {
        self.index().slot(key)
    }

    /// The exchange whose views this slot counts.
    pub fn seller(&self, slot: SlotId) -> Option<PublisherId> {
        self.index().seller(slot)
    }

    /// Notes that an exchange's bid lost, which frees its promise. Returns whether this is new.
    pub fn note_loss(&self, token: &Token, now: Timestamp) -> bool {
        self.index().note_loss(token, now)
    }

    /// Whether this server was told that a bid has lost.
    pub fn is_lost(&self, token: &Token) -> bool {
        self.index().is_lost(token)
    }

    /// Notes that an exchange's bid won. Returns whether this is new, and the promise to store, if there is one.
    pub fn note_won(&self, token: &Token, now: Timestamp) -> (bool, Option<KeptOffer>) {
        let mut index = self.index();
        (index.is_first_win(token, now), index.note_won(token, now))
    }

    /// Forgets the promise for a bid that won, because it could not be stored or need not be.
    pub fn forget_won(&self, token: &Token, now: Timestamp) {
        self.index().forget_won(token, now);
    }

    /// The audiences of the loaded slots that fit a product.
    pub fn audiences(&self, product: ProductId) -> Vec<Audience> {
        self.index().audiences(product)
    }
}

/// Picks the fitting plan that was served longest ago, and reserves its price. `None` if
/// nothing fits, or if too many creatives of this network or slot are still unseen.
///
/// # Errors
/// `not_found` for a key that belongs to no active slot.
pub(crate) async fn pick(
    app: &AdServer,
    asked: AskedSlot<'_>,
    from: Option<IpAddr>,
) -> Result<Option<ServedOffer>, Error> {
    let market = &app.market;
    let mut answered = market.answered.subscribe();
    let begun = std::time::Instant::now();
    loop {
        follow(app).await?;
        answered.mark_unchanged();
        let now = app.now();
        let from = from.map(|address| market.passing(address, now));
        let picked = market.index().pick(asked, from, now).map_err(|UnknownSlot| Refusal::NotFound)?;
        match picked {
            PickOutcome::Served(served, None) => return Ok(Some(served)),
            PickOutcome::Served(served, Some(plan)) => {
                // The lease is requested in the background, so that the next caller finds it renewed.
                drop(spawn_lease_request(app, plan));
                return Ok(Some(served));
            }
            PickOutcome::Ask(plan) => {
                spawn_lease_request(app, plan).await.map_err(|e| Error::Internal(e.to_string()))??;
            }
            PickOutcome::Wait if begun.elapsed() < WAIT => {
                let _ = tokio::time::timeout(WAIT, answered.changed()).await;
            }
            PickOutcome::Wait => {
                market.index().count_request(asked.key, false);
                return Ok(None);
            }
            PickOutcome::Nothing => return Ok(None),
        }
    }
}

/// Picks a plan for an impression in an auction, within the time that is left, and reserves its price.
pub(crate) async fn pick_bid<'a>(
    app: &AdServer,
    asked_for: &AskedImp<'a, '_>,
    left_millis: i64,
) -> Result<Result<BidOffer<'a>, NoBid>, Error> {
    let picked = wait_for_bid(app, asked_for, left_millis).await?;
    if let Seller::Page(slot, _) = asked_for.seller {
        app.market.index().count_request(&slot.key, picked.is_ok());
    }
    Ok(picked)
}

async fn wait_for_bid<'a>(
    app: &AdServer,
    asked_for: &AskedImp<'a, '_>,
    left_millis: i64,
) -> Result<Result<BidOffer<'a>, NoBid>, Error> {
    let market = &app.market;
    let mut answered = market.answered.subscribe();
    let begun = std::time::Instant::now();
    let wait = Duration::from_millis(u64::try_from(left_millis).unwrap_or(0)).min(WAIT);
    loop {
        answered.mark_unchanged();
        let now = app.now();
        let outcome = market.index().pick_bid(asked_for, now);
        match outcome {
            BidOutcome::Offers(offer, renew) => {
                renew.into_iter().for_each(|plan| drop(spawn_lease_request(app, plan)));
                return Ok(Ok(*offer));
            }
            BidOutcome::Nothing(why) => return Ok(Err(why)),
            BidOutcome::Ask(plan) => drop(spawn_lease_request(app, plan)),
            BidOutcome::Wait => {}
        }
        let Some(left) = wait.checked_sub(begun.elapsed()).filter(|left| !left.is_zero()) else {
            return Ok(Err(NoBid::InsufficientTime));
        };
        let _ = tokio::time::timeout(left, answered.changed()).await;
        follow(app).await?;
    }
}

/// Requests a lease in a separate task, because the caller may disconnect.
fn spawn_lease_request(app: &AdServer, plan: PlanId) -> JoinHandle<Result<(), Error>> {
    // It is counted before the task begins, so that nobody who waits for all requests misses it.
    app.market.asking.fetch_add(1, Ordering::AcqRel);
    let app = app.clone();
    tokio::spawn(async move { ask(&app, plan).await })
}

/// Requests a lease or more budget for one, and puts the answer into the index.
async fn ask(app: &AdServer, plan: PlanId) -> Result<(), Error> {
    let (held, for_exchanges) = {
        let mut index = app.market.index();
        (index.leases_of(plan, app.now()), index.wants_exchanges(plan))
    };
    let holder = app.market.holder.clone();
    let asked = app.db.batch(LeaseRequest { plan, held, for_exchanges, holder }).await;
    let now = app.now();
    let result = match asked {
        Ok(answer) => {
            app.figures.lease(Some(answer.is_ok()));
            app.market.index().take_answer(plan, answer, now);
            Ok(())
        }
        Err(error) => {
            app.figures.lease(None);
            app.market.index().take_answer(plan, Err(NoLease::Nothing), now);
            Err(error)
        }
    };
    app.market.asking.fetch_sub(1, Ordering::AcqRel);
    app.market.answered.send_modify(|count| *count = count.wrapping_add(1));
    result
}

/// Loads what has changed in this process since the last load.
pub(crate) async fn follow(app: &AdServer) -> Result<(), Error> {
    if app.market.loaded() == Some(app.db.market_version()) {
        return Ok(());
    }
    let mut rows = app.market.rows.lock().await;
    let (loaded, version) = (app.market.loaded(), app.db.market_version());
    if loaded == Some(version) {
        return Ok(());
    }
    let catalogue = loaded.map(|loaded| loaded.catalogue) != Some(version.catalogue);
    load(app, &mut rows, version, catalogue).await
}

/// Loads what has changed anywhere; called every second.
pub(crate) async fn refresh(app: &AdServer) -> Result<(), Error> {
    let mut rows = app.market.rows.lock().await;
    let version = app.db.market_version();
    load(app, &mut rows, version, true).await
}

async fn load(app: &AdServer, rows: &mut ReadRows, version: MarketVersion, catalogue: bool) -> Result<(), Error> {
    let first = app.market.loaded().is_none();
    // If the clock was set back, new changes are older than the newest known one.
    let since = app.market.index().newest().min(app.now()).plus_seconds(-OVERLAP_SECONDS);
    let (catalogue, plans, exclusions) = app
        .db
        .read(move |conn| {
            let (plans, since) = if first {
                (store::delivery::market::running(conn)?, Timestamp::from_millis(0))
            } else {
                (store::delivery::market::find_changed(conn, since)?, since)
            };
            let exclusions =
                if plans.is_empty() { Vec::new() } else { store::plans::exclusions::find_changed(conn, since)? };
            let catalogue = match catalogue {
                true => Some((
                    store::delivery::market::slots(conn)?,
                    store::delivery::market::products(conn)?,
                    store::delivery::ssp::find_served(conn)?,
                )),
                false => None,
            };
            Ok::<_, store::Error>((catalogue, plans, exclusions))
        })
        .await?;
    let catalogue = match catalogue {
        Some((slots, products, ssps)) => Some((
            rows.slots(slots)?,
            rows.products(products, app.market.file_size.get().copied().unwrap_or(|_| None))?,
            ssps.into_iter().filter_map(rows::ssp).collect::<Vec<_>>(),
        )),
        None => None,
    };
    let exclusions = rows::Exclusions::of(exclusions);
    let plans: Vec<_> = plans.iter().map(|row| rows::plan(row, &exclusions)).collect();
    let mut index = app.market.index();
    if let Some((slots, products, ssps)) = catalogue {
        index.load_catalogue(slots, products, ssps);
    }
    index.load_plans(&plans);
    *app.market.loaded.lock().unwrap_or_else(PoisonError::into_inner) = Some(version);
    Ok(())
}

/// Waits until no lease is being requested.
pub async fn wait_for_leases(app: &AdServer) {
    let mut answered = app.market.answered.subscribe();
    while app.market.asking.load(Ordering::Acquire) > 0 {
        let _ = tokio::time::timeout(CLOSE_EVERY, answered.changed()).await;
    }
}
