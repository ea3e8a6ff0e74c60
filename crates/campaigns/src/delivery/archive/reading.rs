//! Reads archived events of a plan, with the same queries as for events in the database.

use std::collections::{BTreeMap, BTreeSet};

use base::{PlanId, Timestamp};
use delivery::{EventKind, Nonce};
use event_files::Wanted;
use foundation::Error;

use super::files::{Shelf, aside};
use super::{ArchivedPart, Event};
use crate::AdServer;

/// Selects events of a plan.
#[derive(Clone, Copy, Debug)]
pub struct ArchivedEvents {
    pub kind: Option<EventKind>,
    pub counted: Option<bool>,
    /// Only ids between these two.
    pub above: i64,
    pub below: i64,
}

impl Default for ArchivedEvents {
    fn default() -> Self {
        Self { kind: None, counted: None, above: 0, below: i64::MAX }
    }
}

impl ArchivedEvents {
    fn can_be_in(&self, part: &ArchivedPart) -> bool {
        part.first_id < self.below && part.last_id > self.above
    }

    pub fn has(&self, event: &Event) -> bool {
        self.kind.is_none_or(|kind| event.kind == kind)
            && self.counted.is_none_or(|counted| event.counted == counted)
            && event.id > self.above
            && event.id < self.below
    }

    fn groups(&self, plan: PlanId) -> Wanted {
        Wanted {
            plans: Some((plan, plan)),
            ids: Some((self.above.saturating_add(1), self.below.saturating_sub(1))),
            filed: None,
            counted: self.counted,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Newest,
    Oldest,
}

/// The newest of a plan's archived events, newest first.
pub(crate) async fn newest(
    app: &AdServer,
    parts: Vec<ArchivedPart>,
    wanted: ArchivedEvents,
    limit: usize,
) -> Result<Vec<Event>, Error> {
    aside(app, move |shelf| first(shelf, parts, wanted, Order::Newest, limit)).await
}

/// The oldest of a plan's archived events, oldest first.
pub(crate) async fn oldest(
    app: &AdServer,
    parts: Vec<ArchivedPart>,
    wanted: ArchivedEvents,
    limit: usize,
) -> Result<Vec<Event>, Error> {
    aside(app, move |shelf| first(shelf, parts, wanted, Order::Oldest, limit)).await
}

/// The first events in either direction. The ids of two months can overlap around midnight, so a month is skipped only
/// if all of it comes after the events that were found.
fn first(
    shelf: &Shelf,
    mut parts: Vec<ArchivedPart>,
    wanted: ArchivedEvents,
    order: Order,
    limit: usize,
) -> Result<Vec<Event>, Error> {
    match order {
        Order::Newest => parts.sort_unstable_by_key(|part| std::cmp::Reverse(part.last_id)),
        Order::Oldest => parts.sort_unstable_by_key(|part| part.first_id),
    }
    let mut found: Vec<Event> = Vec::new();
    for part in parts.iter().filter(|part| wanted.can_be_in(part)) {
        let last = found.last().filter(|_| found.len() >= limit).map(|last| last.id);
        let is_later = |last| if order == Order::Newest { part.last_id < last } else { part.first_id > last };
        if last.is_some_and(is_later) {
            break;
        }
        found.extend(first_of(shelf, part, wanted, order, limit)?);
        match order {
            Order::Newest => found.sort_unstable_by_key(|event| std::cmp::Reverse(event.id)),
            Order::Oldest => found.sort_unstable_by_key(|event| event.id),
        }
        found.truncate(limit);
    }
    Ok(found)
}

fn first_of(
    shelf: &Shelf,
    part: &ArchivedPart,
    wanted: ArchivedEvents,
    order: Order,
    limit: usize,
) -> Result<Vec<Event>, Error> {
    let index = shelf.index(&part.archive)?;
    let mut groups = index.groups(&wanted.groups(part.plan));
    if order == Order::Newest {
        groups.reverse();
    }
    let mut found = Vec::new();
    for number in groups {
        let group = shelf.group(&part.archive, &index, number)?;
        let fits = |event: &&Event| event.plan == part.plan && wanted.has(event);
        let room = limit.saturating_sub(found.len());
        match order {
            Order::Newest => found.extend(group.iter().rev().filter(fits).take(room).cloned()),
            Order::Oldest => found.extend(group.iter().filter(fits).take(room).cloned()),
        }
        if found.len() >= limit {
            break;
        }
    }
    Ok(found)
}

/// One archived event of a plan.
pub(crate) async fn one(
    app: &AdServer,
    parts: Vec<ArchivedPart>,
    kind: EventKind,
    id: i64,
) -> Result<Option<Event>, Error> {
    let wanted = ArchivedEvents {
        kind: Some(kind),
        above: id.saturating_sub(1),
        below: id.saturating_add(1),
        ..ArchivedEvents::default()
    };
    Ok(newest(app, parts, wanted, 1).await?.pop())
}

/// The valid archived events of a plan with one of these nonces. They are filed under the time in their nonce.
pub(crate) async fn of_nonces(
    app: &AdServer,
    parts: Vec<ArchivedPart>,
    nonces: Vec<Nonce>,
) -> Result<Vec<Event>, Error> {
    aside(app, move |shelf| {
        let mut found = Vec::new();
        for part in &parts {
            let within = |at: Timestamp| at >= part.archive.begins_at && at < part.archive.ends_at;
            let of_month: BTreeSet<Nonce16> =
                nonces.iter().filter(|nonce| within(nonce.minted_at())).map(|nonce| nonce.0).collect();
            found.extend(of_part(shelf, part, &of_month)?);
        }
        Ok(found)
    })
    .await
}

type Nonce16 = [u8; 16];

fn of_part(shelf: &Shelf, part: &ArchivedPart, nonces: &BTreeSet<Nonce16>) -> Result<Vec<Event>, Error> {
    if nonces.is_empty() {
        return Ok(Vec::new());
    }
    let index = shelf.index(&part.archive)?;
    let groups: BTreeSet<usize> = nonces
        .iter()
        .flat_map(|nonce| {
            let at = Nonce(*nonce).minted_at();
            let plans = Some((part.plan, part.plan));
            index.groups(&Wanted { plans, filed: Some((at, at)), ids: None, counted: Some(true) })
        })
        .collect();
    let mut found = Vec::new();
    for number in groups {
        let group = shelf.group(&part.archive, &index, number)?;
        let fits = |event: &&Event| event.plan == part.plan && event.counted && nonces.contains(&event.nonce);
        found.extend(group.iter().filter(fits).cloned());
    }
    Ok(found)
}

/// Maps the archived events of these parts with `wanted`; returns at most one result more than `most`.
pub(crate) async fn matching<T: Send + 'static>(
    app: &AdServer,
    parts: Vec<ArchivedPart>,
    most: usize,
    wanted: impl Fn(&Event) -> Option<T> + Send + 'static,
) -> Result<Vec<T>, Error> {
    if parts.is_empty() {
        return Ok(Vec::new());
    }
    aside(app, move |shelf| {
        let mut found = Vec::new();
        every(shelf, &parts, |event| {
            if found.len() <= most {
                found.extend(wanted(event));
            }
            Ok(())
        })?;
        Ok(found)
    })
    .await
}

/// Passes every archived event of these parts to `each`, month by month, and within a month
/// by plan and id. Only one row group is in memory.
pub(super) fn every(
    shelf: &Shelf,
    parts: &[ArchivedPart],
    mut each: impl FnMut(&Event) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut months: BTreeMap<i64, (&ArchivedPart, BTreeSet<PlanId>)> = BTreeMap::new();
    for part in parts {
        months.entry(part.archive.month).or_insert_with(|| (part, BTreeSet::new())).1.insert(part.plan);
    }
    for (of, plans) in months.values() {
        let index = shelf.index(&of.archive)?;
        let range = plans.first().copied().zip(plans.last().copied());
        for number in index.groups(&Wanted { plans: range, ..Wanted::default() }) {
            let group = shelf.read(&of.archive, &index, number)?;
            group.iter().filter(|event| plans.contains(&event.plan)).try_for_each(&mut each)?;
        }
    }
    Ok(())
}
