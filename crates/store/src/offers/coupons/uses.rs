//! Using coupons on plans, and when coupons were used.

use base::{CouponDefinitionId, CouponId, Period, PlanId, Timestamp, UserId};
use db::bulk::Statement;
use db::{row, statement};
use diesel::prelude::*;

use crate::schema::coupons as table;
use crate::{Conn, Error, Tx};

statement!(
    USES,
    each: "SELECT c.user_id, c.definition_id, c.used_at, c.used_day_ends_at FROM unnest(?, ?) AS n(id, since) \
         JOIN coupons c ON c.user_id = n.id AND c.used_at >= n.since",
);

row! {
    struct UseRow {
        user_id: UserId,
        definition_id: CouponDefinitionId,
        used_at: Timestamp,
        used_day_ends_at: Option<Timestamp>,
    }
}

/// A use of a coupon of this definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CouponUse {
    pub definition: CouponDefinitionId,
    pub used_at: Timestamp,
    /// When the user's day ended, in the zone that the user had then; `None` for uses from before this was stored.
    pub day_ends_at: Option<Timestamp>,
}

impl CouponUse {
    /// Whether this use is the one that is allowed on that day. The caller chooses the time zone, and could thereby
    /// begin another day at any minute. So days must not overlap: a use counts until its own day has ended, and on
    /// every day that begins before that.
    pub fn counts_on(&self, day: Period) -> bool {
        self.day_ends_at.map_or(day.from <= self.used_at, |ends_at| day.from < ends_at)
    }
}

/// No day is longer than this, even if clocks change.
const LONGEST_DAYS: i64 = 3;

/// The uses of these users that may count on a day that begins at the given time.
pub fn find_uses(conn: &mut Conn, days: &[(UserId, Timestamp)]) -> Result<Vec<(UserId, CouponUse)>, Error> {
    let users = days.iter().map(|(user, _)| user.0).collect::<Vec<_>>();
    let since = days.iter().map(|(_, begin)| begin.plus_days(-LONGEST_DAYS).millis()).collect::<Vec<_>>();
    let rows: Vec<UseRow> = USES.load(conn, &[users.into(), since.into()])?;
    let used = |UseRow { user_id, definition_id: definition, used_at, used_day_ends_at: day_ends_at }| {
        (user_id, CouponUse { definition, used_at, day_ends_at })
    };
    Ok(rows.into_iter().map(used).collect())
}

statement!(
    REDEEM,
    each: "UPDATE coupons SET used_at = n.at, used_day_ends_at = n.ends, plan_id = n.plan \
         FROM unnest(?, ?, ?, ?) AS n(at, ends, plan, id) WHERE coupons.id = n.id AND coupons.used_at IS NULL",
);

/// A coupon, the plan on which it is used, and when its user's day ends.
pub type Redemption = (CouponId, PlanId, Timestamp);

/// Uses coupons, each on a plan. The statement itself checks that they are unused; false
/// if one of them was not.
pub fn redeem_all(tx: &mut Tx<'_>, coupons: &[Redemption]) -> Result<bool, Error> {
    let columns = [
        vec![tx.now().millis(); coupons.len()].into(),
        coupons.iter().map(|(_, _, day_ends_at)| day_ends_at.millis()).collect::<Vec<_>>().into(),
        coupons.iter().map(|(_, plan, _)| plan.0).collect::<Vec<_>>().into(),
        coupons.iter().map(|(id, ..)| id.0).collect::<Vec<_>>().into(),
    ];
    Ok(REDEEM.execute(tx, &columns)? == coupons.len())
}

/// Makes it usable again after its plan failed.
pub fn give_back(tx: &mut Tx<'_>, id: CouponId, plan: PlanId) -> Result<(), Error> {
    let used = table::table.filter(table::id.eq(id).and(table::plan_id.eq(plan)));
    let unused = (
        table::used_at.eq(None::<Timestamp>),
        table::used_day_ends_at.eq(None::<Timestamp>),
        table::plan_id.eq(None::<PlanId>),
    );
    tx.run(diesel::update(used).set(unused))
}
