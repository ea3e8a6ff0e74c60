//! Compares used coupons with plans: the hash of a put's transaction covers its coupon. A coupon must give no more than
//! its terms say, which cannot change once users hold it.

use std::collections::HashMap;

use base::Money;
use diesel::prelude::*;
use plans::Status;
use wallet::TransactionKind;

use super::faults::{Faults, Law};
use super::lines::EntryRow;
use super::walk::TransactionRow;
use crate::{Conn, Error};
use db::row;

/// Plans read at a time.
const CHUNK: i64 = 2_000;

/// What coupons added to plans at their puts.
#[derive(Default)]
pub(super) struct CouponParts(HashMap<i64, i64>);

impl CouponParts {
    pub fn take(&mut self, kind: TransactionKind, row: &TransactionRow, entries: &[EntryRow]) {
        if kind == TransactionKind::PlanPut {
            let parts = entries.iter().filter_map(EntryRow::of_coupon).map(|part| (row.ref_id, part));
            self.0.extend(parts);
        }
    }

    fn check(&self, conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
        let mut above = 0;
        loop {
            let part: Vec<MostGiven> = diesel::sql_query(most_given(above)).load(conn)?;
            let Some(last) = part.last() else { return Ok(()) };
            above = last.plan;
            for MostGiven { plan, coupon, most } in part {
                let (given, most) = (self.0.get(&plan).copied().unwrap_or(0), most.unwrap_or(i64::MAX));
                if given > most {
                    let (given, most) = (Money::from_minor(given), Money::from_minor(most));
                    faults.add(Law::Rows, || format!("coupon {coupon} gave {given} to plan {plan}, and gives {most}"));
                }
            }
        }
    }
}

row! {
    struct MostGiven {
        plan: i64,
        coupon: i64,
        /// `None` for a discount without a cap, from before caps were required.
        most: Option<i64>,
    }
}

fn most_given(above: i64) -> String {
    format!(
        "SELECT p.id AS plan, c.id AS coupon, COALESCE(d.amount, d.max_value) AS most FROM plans p \
         JOIN coupons c ON c.id = p.coupon_id JOIN coupon_definitions d ON d.id = c.definition_id \
         WHERE p.coupon_id IS NOT NULL AND p.put_at IS NOT NULL AND p.id > {above} ORDER BY p.id LIMIT {CHUNK}"
    )
}

row! {
    struct CouponMismatch {
        coupon: i64,
        /// The plan that was put with it and did not fail.
        plan: Option<i64>,
    }
}

pub(super) fn check(conn: &mut Conn, parts: &CouponParts, faults: &mut Faults) -> Result<(), Error> {
    parts.check(conn, faults)?;
    for CouponMismatch { coupon, plan } in diesel::sql_query(sql()).load(conn)? {
        faults.add(Law::Rows, || match plan {
            Some(plan) => format!("coupon {coupon} was used for plan {plan}, and says otherwise"),
            None => format!("coupon {coupon} says that it was used, and no plan was put with it"),
        });
    }
    Ok(())
}

/// The query. A failed plan has returned everything, including its coupon.
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
