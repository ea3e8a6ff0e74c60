//! Where a plan was delivered: in which slots, and on which sites and in which apps of
//! exchanges.

use base::PlanId;
use diesel::prelude::*;

use crate::schema::{plan_slots, plan_sources, publishers, slots};
use crate::{Conn, Error};
use db::bulk::Statement as _;
use db::{row, statement};

/// The most slots and places that are shown of a plan, those with the most views first.
const AT_MOST: i64 = 50;

/// A plan's figures in a slot.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct SlotSource {
    pub slot: i64,
    pub key: String,
    /// Its publisher's name and kind.
    pub publisher: String,
    pub kind: i16,
    pub impressions: i64,
    pub clicks: i64,
    pub viewable: i64,
}

/// A plan's figures on one site or in one app of an exchange.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct PlaceSource {
    pub slot: i64,
    pub name: String,
    pub impressions: i64,
    pub clicks: i64,
    pub viewable: i64,
}

pub fn slots(conn: &mut Conn, plan: PlanId) -> Result<Vec<SlotSource>, Error> {
    Ok(plan_slots::table
        .inner_join(slots::table.on(slots::id.eq(plan_slots::slot_id)))
        .inner_join(publishers::table.on(publishers::id.eq(slots::publisher_id)))
        .filter(plan_slots::plan_id.eq(plan))
        .order((plan_slots::impressions.desc(), plan_slots::slot_id))
        .limit(AT_MOST)
        .select((
            slots::id,
            slots::key,
            publishers::name,
            publishers::kind,
            plan_slots::impressions,
            plan_slots::clicks,
            plan_slots::viewable,
        ))
        .load(conn)?)
}

row! {
    /// A plan's figures in all slots together.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct InSlots {
        pub impressions: i64,
        pub clicks: i64,
        pub viewable: i64,
    }
}

statement!(
    IN_SLOTS,
    each: "SELECT CAST(COALESCE(SUM(impressions), 0) AS BIGINT) AS impressions, CAST(COALESCE(SUM(clicks), 0) AS BIGINT) AS clicks, \
     CAST(COALESCE(SUM(viewable), 0) AS BIGINT) AS viewable FROM plan_slots WHERE plan_id = ANY(?)",
);

/// The totals of all slots. `found` are the slots that [`slots()`] returned.
pub fn in_slots(conn: &mut Conn, plan: PlanId, found: &[SlotSource]) -> Result<InSlots, Error> {
    if i64::try_from(found.len()).is_ok_and(|found| found >= AT_MOST) {
        return Ok(IN_SLOTS.load(conn, &[vec![plan].into()])?.pop().unwrap_or_default());
    }
    let sum = |of: fn(&SlotSource) -> i64| found.iter().map(of).sum::<i64>();
    Ok(InSlots {
        impressions: sum(|slot| slot.impressions),
        clicks: sum(|slot| slot.clicks),
        viewable: sum(|slot| slot.viewable),
    })
}

pub fn places(conn: &mut Conn, plan: PlanId) -> Result<Vec<PlaceSource>, Error> {
    Ok(plan_sources::table
        .filter(plan_sources::plan_id.eq(plan))
        .order((plan_sources::impressions.desc(), plan_sources::source))
        .limit(AT_MOST)
        .select((
            plan_sources::slot_id,
            plan_sources::source,
            plan_sources::impressions,
            plan_sources::clicks,
            plan_sources::viewable,
        ))
        .load(conn)?)
}
