//! The plans, products and slots that are loaded into memory to answer slots.

use base::{Money, PlanId, ProductId, Timestamp, UserId};
use diesel::prelude::*;
use plans::Status;
use supply::{PublisherStatus, Share};

use crate::delivery::slot::SlotRow;
use crate::plans::plan::schedule::PlanSchedule;
use crate::plans::product::ProductRow;
use crate::schema::{advertisers, plans as table, products, publishers, slots};
use crate::{Conn, Error};

/// A running plan, or one that changed recently. Its codes are not parsed, because a code that a newer version wrote
/// must not keep the other plans from being shown.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = table)]
pub struct MarketPlan {
    pub id: PlanId,
    pub user_id: UserId,
    pub product_id: ProductId,
    pub status: i16,
    pub content_type: Option<i16>,
    pub paused: bool,
    pub due_at: Option<Timestamp>,
    pub unit_milli: i64,
    pub changed_at: Timestamp,
    pub ai_delivery: bool,
    pub pricing: i16,
    pub daily_cap: Option<Money>,
    #[diesel(embed)]
    pub schedule: PlanSchedule,
}

/// The largest number of plans, of products and of slots that is kept in memory.
pub const AT_MOST: i64 = 100_000;

/// All running plans. Every plan has a `next_at` until it is final.
pub fn running(conn: &mut Conn) -> Result<Vec<MarketPlan>, Error> {
    Ok(table::table
        .filter(table::next_at.is_not_null())
        .filter(table::status.eq_any([Status::Matching, Status::Putting]))
        .limit(AT_MOST)
        .select(MarketPlan::as_select())
        .load(conn)?)
}

/// All plans that changed since then in any way.
pub fn find_changed(conn: &mut Conn, since: Timestamp) -> Result<Vec<MarketPlan>, Error> {
    Ok(table::table
        .filter(table::changed_at.ge(since))
        .order(table::changed_at)
        .limit(AT_MOST)
        .select(MarketPlan::as_select())
        .load(conn)?)
}

/// Products whose advertiser can still pay a conversion, including those that take no new
/// plans, because running plans continue.
pub fn products(conn: &mut Conn) -> Result<Vec<ProductRow>, Error> {
    Ok(products::table
        .inner_join(advertisers::table)
        .filter(advertisers::claims.ge(products::payout))
        .limit(AT_MOST)
        .select(ProductRow::as_select())
        .load(conn)?)
}

/// A slot with its publisher's share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedSlot {
    pub row: SlotRow,
    /// The publisher's share of what a view costs.
    pub share: Share,
}

/// All slots. A slot is active only if its publisher is active as well.
pub fn slots(conn: &mut Conn) -> Result<Vec<ServedSlot>, Error> {
    let rows: Vec<(SlotRow, i16, i64)> = slots::table
        .inner_join(publishers::table.on(publishers::id.eq(slots::publisher_id)))
        .limit(AT_MOST)
        .select((SlotRow::as_select(), publishers::status, publishers::share_parts))
        .load(conn)?;
    let serves = |status| PublisherStatus::try_from(status).is_ok_and(PublisherStatus::serves);
    rows.into_iter()
        .map(|(row, status, share)| {
            let wrong = || Error::Corrupt(format!("the share of publisher {}", row.publisher_id));
            let share = Share::from_parts(share).ok_or_else(wrong)?;
            Ok(ServedSlot { row: SlotRow { active: row.active && serves(status), ..row }, share })
        })
        .collect()
}
