//! Compares used coupons with plans: the hash of the transaction of a put covers its
//! coupon.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable};
use plans::Status;

use super::faults::{Faults, Law};
use crate::{Conn, Error};

#[derive(QueryableByName)]
struct CouponMismatch {
    #[diesel(sql_type = BigInt)]
    coupon: i64,
    /// The plan that was put with it and did not fail.
    #[diesel(sql_type = Nullable<BigInt>)]
    plan: Option<i64>,
}

pub(super) fn check(conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
    for CouponMismatch { coupon, plan } in diesel::sql_query(sql()).load(conn)? {
        faults.add(Law::Rows, || match plan {
            Some(plan) => format!("coupon {coupon} was used for plan {plan}, and says otherwise"),
            None => format!("coupon {coupon} says that it was used, and no plan was put with it"),
        });
    }
    Ok(())
}

/// A failed plan returned everything, including its coupon.
fn sql() -> String {
    let failed = Status::PutFailed.code();
    format!(
        "SELECT COALESCE(c.id, p.coupon_id) AS coupon, p.id AS plan FROM coupons c FULL JOIN \
         (SELECT id, coupon_id, put_at FROM plans WHERE coupon_id IS NOT NULL AND put_at IS NOT NULL \
         AND NOT (status = {failed} AND returned = put_amount)) p ON p.coupon_id = c.id \
         WHERE c.id IS NULL OR (p.id IS NULL AND (c.used_at IS NOT NULL OR c.plan_id IS NOT NULL)) \
         OR (p.id IS NOT NULL AND (c.used_at IS NULL OR c.used_at <> p.put_at OR c.plan_id IS NULL OR c.plan_id <> p.id)) \
         ORDER BY 1, 2 LIMIT 20"
    )
}
