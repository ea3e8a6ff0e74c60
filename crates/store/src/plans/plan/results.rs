//! The final figures of settled plans, by which their user's list is sorted. Running plans are sorted by their present
//! figures.

use base::{Money, PlanId, Timestamp, UserId};
use diesel::prelude::*;
use plans::RankFigures;

use super::PlanRow;
use crate::schema::{plan_results, plans as table};
use crate::{Conn, Error, Tx};
use db::bulk::Statement as _;
use db::insert;

insert! {
    struct Kept, KEEP into "plan_results" {
        plan_id: PlanId,
        user_id: UserId,
        profit: Money,
        return_millionths: i64,
        consumed: Money,
        conversions: i64,
    } then "ON CONFLICT (plan_id) DO UPDATE SET profit = excluded.profit, \
            return_millionths = excluded.return_millionths, consumed = excluded.consumed, \
            conversions = excluded.conversions"
}

impl PlanRow {
    /// The figures by which the plan is sorted.
    pub fn rank_figures(&self) -> Result<RankFigures, Error> {
        RankFigures::of(&self.earned()?, self.figures.conversions).map_err(self.too_large())
    }
}

/// Stores the figures of settled plans, also if they have changed since. Each plan occurs once.
pub fn keep(tx: &mut Tx<'_>, plans: &[PlanRow]) -> Result<(), Error> {
    let kept = plans.iter().map(|plan| {
        let RankFigures { profit, return_millionths, consumed, conversions } = plan.rank_figures()?;
        Ok(Kept { plan_id: plan.id, user_id: plan.user_id, profit, return_millionths, consumed, conversions })
    });
    KEEP.execute(tx, &Kept::columns(&kept.collect::<Result<Vec<_>, Error>>()?))?;
    Ok(())
}

/// Settled plans without stored figures, in order of id, among those that changed since then.
pub fn missing(conn: &mut Conn, above: i64, changed_since: Timestamp, limit: i64) -> Result<Vec<PlanId>, Error> {
    let kept = plan_results::table.filter(plan_results::plan_id.eq(table::id));
    Ok(table::table
        .filter(table::id.gt(above).and(table::changed_at.ge(changed_since)))
        .filter(table::settled_at.is_not_null())
        .filter(diesel::dsl::not(diesel::dsl::exists(kept)))
        .order(table::id)
        .limit(limit)
        .select(table::id)
        .load(conn)?)
}
