//! Handles bids that have won, many at once. Their promises are stored, so that they hold on whichever server a view is
//! reported, and whatever happens to the server that made the bid.

use std::collections::HashSet;

use base::PlanId;
use delivery::{EventKind, Nonce, WonOffer};
use foundation::Error;
use store::delivery::event::{lock_plans, seen};
use store::delivery::{lease, won_offer};
use store::{Batch, Context, Tx};

/// A bid that has won, and the promise that this server keeps for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeepWon {
    pub plan: PlanId,
    pub nonce: Nonce,
    pub won: WonOffer,
}

pub(super) struct State {
    leases: HashSet<i64>,
    /// Bids that were seen, or have won before.
    known: HashSet<Nonce>,
    new: Vec<(Nonce, WonOffer)>,
}

impl Batch<Context> for KeepWon {
    /// Whether the promise was new and is needed.
    type Answer = bool;
    type Error = Error;
    type State = State;
    type Decision = bool;
    type Saved = ();

    fn load(tx: &mut Tx<'_>, commands: &[Self]) -> Result<State, Error> {
        // A plan's lock covers its leases.
        lock_plans(tx, commands.iter().map(|command| command.plan))?;
        let leases = lease::load(tx, commands.iter().map(|command| command.won.lease))?;
        let nonces: Vec<Nonce> = commands.iter().map(|command| command.nonce).collect();
        let seen = seen(tx, &nonces)?.into_iter().filter(|seen| seen.kind == EventKind::Impression);
        let seen: Vec<Nonce> = seen.map(|seen| seen.nonce).collect();
        let won = won_offer::load(tx, &nonces)?.into_iter().map(|(nonce, _)| nonce);
        let leases = leases.into_iter().map(|lease| lease.id).collect();
        Ok(State { leases, known: won.chain(seen).collect(), new: Vec::with_capacity(commands.len()) })
    }

    fn decide(&self, state: &mut State) -> Result<bool, Error> {
        let is_needed = state.leases.contains(&self.won.lease) && state.known.insert(self.nonce);
        if is_needed {
            state.new.push((self.nonce, self.won));
        }
        Ok(is_needed)
    }

    fn save(state: State, tx: &mut Tx<'_>) -> Result<(), Error> {
        Ok(won_offer::keep(tx, &state.new)?)
    }

    fn answer(is_needed: bool, (): &()) -> bool {
        is_needed
    }
}
