//! Counting archived events.

use base::PlanId;
use std::collections::BTreeMap;

use delivery::{Device, EventKind, Reason};
use event_files::Event;
use foundation::Error;
use store::delivery::evidence::EventSum;
use store::delivery::recount::{ArchivedCounts, PlanBounds};
use store::delivery::rollup::{EventGroup, FirstReport, QUARTER_MILLIS};

use super::ArchivedPart;
use super::files::aside;
use super::reading::every;
use crate::AdServer;

/// Events with equal keys are counted together.
type Key = (PlanId, i64, i16, bool, Option<i16>, Option<i64>, i16, Option<String>, Option<Device>, Option<FirstReport>);

#[derive(Default)]
struct Groups(BTreeMap<Key, EventGroup>);

impl Groups {
    fn take(&mut self, event: &Event) {
        let (plan_id, kind, valid) = (event.plan, event.kind, event.counted);
        let reason = event.reason.map_or(0, Reason::code);
        let quarter = event.at.millis().div_euclid(QUARTER_MILLIS);
        let (in_exchange, version) = (event.source.is_some(), event.filter_version);
        let first_report = FirstReport::of(event.kind, valid, in_exchange, version, event.cleared_milli);
        let source = event.source.clone();
        let key = (
            plan_id,
            quarter,
            kind.code(),
            valid,
            event.arm,
            event.slot.map(|slot| slot.0),
            reason,
            source,
            event.device,
            first_report,
        );
        let group = self.0.entry(key).or_insert_with(|| EventGroup {
            plan_id,
            quarter,
            kind,
            valid,
            arm: event.arm,
            slot_id: event.slot.map(|slot| slot.0),
            reason,
            source: event.source.clone(),
            device: event.device,
            first_report,
            owed: 0,
            number: 0,
            milli: 0,
            last: 0,
        });
        group.owed += event.cleared_milli.unwrap_or_default();
        group.number += 1;
        group.milli += event.price_milli;
        group.last = group.last.max(event.id);
    }

    fn all(self) -> Vec<EventGroup> {
        self.0.into_values().collect()
    }
}

/// Counts the archived events of plans, for recounting their figures.
pub(crate) async fn counts(
    app: &AdServer,
    parts: Vec<ArchivedPart>,
    bounds: BTreeMap<PlanId, PlanBounds>,
) -> Result<ArchivedCounts, Error> {
    if parts.is_empty() {
        return Ok(ArchivedCounts::default());
    }
    aside(app, move |shelf| {
        let (mut groups, mut divided, mut bills) = (Groups::default(), Groups::default(), BTreeMap::new());
        every(shelf, &parts, |event| {
            let Some(plan) = bounds.get(&event.plan) else { return Ok(()) };
            if event.price_milli != 0 {
                let next = plan.bills.partition_point(|last| *last < event.id);
                if let Some(bill) = plan.bills.get(next) {
                    *bills.entry((event.plan, *bill)).or_default() += event.price_milli;
                }
            }
            if event.id <= plan.rolled_event {
                groups.take(event);
                if plan.undivided_up_to.is_some_and(|up_to| event.id > up_to) {
                    divided.take(event);
                }
            }
            Ok(())
        })?;
        Ok(ArchivedCounts { groups: groups.all(), divided: divided.all(), bills })
    })
    .await
}

/// The archived events of a plan, by kind and reason.
pub(crate) async fn sums(app: &AdServer, parts: Vec<ArchivedPart>) -> Result<Vec<(EventKind, EventSum)>, Error> {
    if parts.is_empty() {
        return Ok(Vec::new());
    }
    aside(app, move |shelf| {
        let mut sums: BTreeMap<(i16, i16), (EventKind, EventSum)> = BTreeMap::new();
        every(shelf, &parts, |event| {
            let (kind, reason) = (event.kind, event.reason);
            let key = (kind.code(), reason.map_or(0, Reason::code));
            let (_, sum) = sums.entry(key).or_insert((kind, EventSum { reason, number: 0, price_milli: 0 }));
            sum.number += 1;
            sum.price_milli += event.price_milli;
            Ok(())
        })?;
        Ok(sums.into_values().collect())
    })
    .await
}
