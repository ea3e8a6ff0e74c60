//! Using coupons on plans, and which were used when.

use base::{CouponDefinitionId, CouponId, Period, PlanId, Timestamp, UserId};
use db::bulk::Statement;
use db::{row, statement};
use diesel::prelude::*;

use crate::schema::coupons as table;
use crate::{Conn, Error, Tx};

statement!(
    USES,
    postgres: "SELECT c.user_id, c.definition_id, c.used_at FROM unnest(?, ?, ?) AS n(id, since, until) \
         JOIN coupons c ON c.user_id = n.id AND c.used_at >= n.since AND c.used_at < n.until",
    sqlite: "SELECT user_id, definition_id, used_at FROM coupons WHERE user_id = ? AND used_at >= ? AND used_at < ?",
);

row! {
    struct UseRow {
        user_id: UserId,
        definition_id: CouponDefinitionId,
        used_at: Timestamp,
    }
}

/// The definition of a used coupon, and when it was used.
pub type CouponUse = (CouponDefinitionId, Timestamp);

/// Which coupons users used, each within their own period.
pub fn find_uses(conn: &mut Conn, within: &[(UserId, Period)]) -> Result<Vec<(UserId, CouponUse)>, Error> {
    let column = |f: fn(&(UserId, Period)) -> i64| within.iter().map(f).collect::<Vec<_>>();
    let columns = [
        column(|(user, _)| user.0).into(),
        column(|(_, period)| period.from.millis()).into(),
        column(|(_, period)| period.until.millis()).into(),
    ];
    let rows: Vec<UseRow> = USES.load(conn, &columns)?;
    let used = |row: UseRow| (row.user_id, (row.definition_id, row.used_at));
    Ok(rows.into_iter().map(used).collect())
}

statement!(
    REDEEM,
    postgres: "UPDATE coupons SET used_at = n.at, plan_id = n.plan FROM unnest(?, ?, ?) AS n(at, plan, id) \
         WHERE coupons.id = n.id AND coupons.used_at IS NULL",
    sqlite: "UPDATE coupons SET used_at = ?, plan_id = ? WHERE id = ? AND used_at IS NULL",
);

/// Uses coupons, each on a plan. The statement itself checks that they are unused; false
/// if one of them was not.
pub fn redeem_all(tx: &mut Tx<'_>, coupons: &[(CouponId, PlanId)]) -> Result<bool, Error> {
    let now = tx.now().millis();
    let columns = [
        vec![now; coupons.len()].into(),
        coupons.iter().map(|(_, plan)| plan.0).collect::<Vec<_>>().into(),
        coupons.iter().map(|(id, _)| id.0).collect::<Vec<_>>().into(),
    ];
    Ok(REDEEM.execute(tx, &columns)? == coupons.len())
}

/// Makes it usable again after its plan failed.
pub fn give_back(tx: &mut Tx<'_>, id: CouponId, plan: PlanId) -> Result<(), Error> {
    let used = table::table.filter(table::id.eq(id).and(table::plan_id.eq(plan)));
    diesel::update(used).set((table::used_at.eq(None::<i64>), table::plan_id.eq(None::<i64>))).execute(tx.conn())?;
    Ok(())
}
