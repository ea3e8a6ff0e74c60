//! Which slots delivered a plan's new events, who owns them, and what each gets of the bill.

use std::collections::{BTreeMap, BTreeSet};

use base::{Money, PlanId, SlotId};
use foundation::Error;
use store::Tx;
use store::delivery::rollup::UnrolledFigures;
use store::delivery::slot_figures::{self, Carried, Carries, Owner, Owners, SlotChange};
use store::plans::plan::PlanRow;
use supply::{Delivered, Part, PublisherKind, Terms, divide};

/// The slots of the plans that are rolled up together.
pub(crate) struct SlotsOfPlans {
    carries: Carries,
    owners: Owners,
}

impl SlotsOfPlans {
    /// Loads all of them at once.
    pub fn load(tx: &mut Tx<'_>, plans: &[PlanRow], fresh: &BTreeMap<PlanId, UnrolledFigures>) -> Result<Self, Error> {
        let carries = slot_figures::carries(tx, plans.iter().map(|plan| plan.id))?;
        let carrying = carries.values().flat_map(BTreeMap::keys).copied();
        let showing = fresh.values().flat_map(|fresh| fresh.slots.keys()).map(|id| SlotId(*id));
        let slots: BTreeSet<SlotId> = carrying.chain(showing).collect();
        let owners = slot_figures::owners(tx, slots)?;
        Ok(Self { carries, owners })
    }

    fn carried(&self, plan: &PlanRow, slot: SlotId) -> Carried {
        self.carries.get(&plan.id).and_then(|carries| carries.get(&slot)).copied().unwrap_or_default()
    }

    fn owner(&self, slot: SlotId) -> Result<Owner, Error> {
        self.owners.get(&slot).copied().ok_or_else(|| Error::Internal(format!("slot {slot} is nobody's")))
    }

    /// Each slot's part of a plan's bill.
    pub fn divide(&self, plan: &PlanRow, fresh: &UnrolledFigures, billed: Money) -> Result<Vec<Part>, Error> {
        let carrying = self.carries.get(&plan.id).into_iter().flat_map(BTreeMap::keys).copied();
        let slots: BTreeSet<SlotId> = carrying.chain(fresh.slots.keys().map(|id| SlotId(*id))).collect();
        let delivered = slots.into_iter().map(|slot| {
            let owner = self.owner(slot)?;
            let (fresh_milli, owed) = fresh.slots.get(&slot.0).map_or((0, 0), |of| (of.milli, of.owed_milli));
            let terms = match owner.kind {
                PublisherKind::Direct => Terms::Share(owner.share),
                PublisherKind::Ssp => Terms::Cleared { milli: owed },
            };
            let Carried { carry, kept } = self.carried(plan, slot);
            Ok(Delivered { slot, publisher: owner.publisher, terms, fresh_milli, carry, kept })
        });
        Ok(divide(billed, &delivered.collect::<Result<Vec<_>, Error>>()?)?)
    }

    /// Whether an exchange may have named prices of what the plan was billed before.
    pub fn may_have_late_prices(&self, plan: &PlanRow, fresh: &UnrolledFigures) -> bool {
        let kept = self.carries.get(&plan.id).into_iter().flatten().filter(|(_, carried)| carried.kept.is_positive());
        let of_exchange = |slot: SlotId| self.owners.get(&slot).is_some_and(|owner| owner.kind == PublisherKind::Ssp);
        let is_named = |slot: SlotId, carried: &Carried| {
            carried.carry.earned > 0 || fresh.slots.get(&slot.0).is_some_and(|of| of.owed_milli > 0)
        };
        kept.into_iter().any(|(slot, carried)| of_exchange(*slot) && is_named(*slot, carried))
    }

    /// The changes of a plan's slots: those with new events, and those with a part of the bill.
    pub fn changes<'a>(
        &self,
        plan: &PlanRow,
        fresh: &'a UnrolledFigures,
        parts: &[Part],
    ) -> Result<Vec<SlotChange<'a>>, Error> {
        let parts: BTreeMap<SlotId, Part> = parts.iter().map(|part| (part.slot, *part)).collect();
        let fresh_slots = fresh.slots.keys().map(|id| SlotId(*id));
        let changed: BTreeSet<SlotId> = parts.keys().copied().chain(fresh_slots).collect();
        let change = |slot: SlotId| {
            let owner = self.owner(slot)?;
            let part = parts.get(&slot).copied();
            let earned_carry = match owner.kind {
                PublisherKind::Direct => part.map_or_else(|| self.carried(plan, slot).carry, |part| part.carry).earned,
                // An exchange carries over the rest of what it is owed, which is not stored.
                PublisherKind::Ssp => 0,
            };
            let (plan, fresh) = (plan.id, fresh.slots.get(&slot.0));
            Ok(SlotChange { plan, slot, publisher: owner.publisher, fresh, part, earned_carry })
        };
        changed.into_iter().map(change).collect()
    }
}
