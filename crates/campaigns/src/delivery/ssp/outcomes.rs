//! How the requests of exchanges ended. The counts are kept in memory and added to the database every second: a server
//! that is killed loses only its last second of these counts.

use std::collections::BTreeMap;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use base::{PlanId, PublisherId, SlotId};
use delivery::Outcome;
use foundation::Error;
use openrtb::{NoBid, Unread};
use store::delivery::ssp::{self, Outcomes};

use crate::AdServer;

/// The name of an outcome: a bid's, the reason for no bid, or what could not be read.
pub fn name(code: i16) -> Option<&'static str> {
    let outcome = Outcome::try_from(code).ok().map(Outcome::name);
    let unread = || Unread::try_from(code).ok().map(Unread::name);
    outcome.or_else(|| NoBid::try_from(code).ok().map(NoBid::name)).or_else(unread)
}

#[derive(Debug, Default)]
pub struct OutcomeCounts(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    /// The counts since the start, by exchange and code.
    totals: BTreeMap<(i64, i16), u64>,
    fresh: BTreeMap<(i64, i16), i64>,
    /// The bids by plan and slot.
    bids: BTreeMap<(i64, i64), i64>,
}

impl OutcomeCounts {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn add(&self, ssp: PublisherId, code: i16) {
        let mut counts = self.counts();
        *counts.totals.entry((ssp.0, code)).or_default() += 1;
        *counts.fresh.entry((ssp.0, code)).or_default() += 1;
    }

    pub fn add_bid(&self, ssp: PublisherId, plan: PlanId, slot: SlotId) {
        self.add(ssp, Outcome::Bid.code());
        *self.counts().bids.entry((plan.0, slot.0)).or_default() += 1;
    }

    fn take(&self) -> (Vec<Outcomes>, ssp::Bids) {
        let mut counts = self.counts();
        let fresh = mem::take(&mut counts.fresh).into_iter();
        let outcomes = fresh.map(|((id, outcome), number)| Outcomes { publisher: PublisherId(id), outcome, number });
        let outcomes = outcomes.collect();
        (outcomes, mem::take(&mut counts.bids).into_iter().collect())
    }

    fn give_back(&self, outcomes: Vec<Outcomes>, bids: ssp::Bids) {
        let mut counts = self.counts();
        for of in outcomes {
            *counts.fresh.entry((of.publisher.0, of.outcome)).or_default() += of.number;
        }
        for (key, number) in bids {
            *counts.bids.entry(key).or_default() += number;
        }
    }
}

/// An exchange's count since this server's start, for `/metrics`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutcomeTotal {
    pub ssp: PublisherId,
    pub outcome: &'static str,
    pub number: u64,
}

impl AdServer {
    /// Counts since this server's start.
    pub fn ssp_outcomes(&self) -> Vec<OutcomeTotal> {
        let counts = self.ssp_outcomes.counts();
        let total = |((id, code), number): (&(i64, i16), &u64)| {
            Some(OutcomeTotal { ssp: PublisherId(*id), outcome: name(*code)?, number: *number })
        };
        counts.totals.iter().filter_map(total).collect()
    }
}

/// Adds the counts since the last call to the database.
pub(crate) async fn save(app: &AdServer) -> Result<(), Error> {
    let (outcomes, bids) = app.ssp_outcomes.take();
    if outcomes.is_empty() && bids.is_empty() {
        return Ok(());
    }
    let (kept_outcomes, kept_bids) = (outcomes.clone(), bids.clone());
    let saved = app.db.write(move |tx| ssp::count(tx, &outcomes, &bids)).await;
    if let Err(error) = saved {
        app.ssp_outcomes.give_back(kept_outcomes, kept_bids);
        return Err(error.into());
    }
    Ok(())
}
