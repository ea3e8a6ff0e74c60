//! Verifies what users have spent in settled plans, and the resulting level, which lowers
//! their fees.

use base::Money;
use diesel::prelude::*;

use super::faults::{Faults, Law};
use crate::{Conn, Error};
use db::row;

/// Users read at a time.
const CHUNK: i64 = 2_000;

row! {
    struct Spender {
        id: i64,
        level: i32,
        kept: Money,
        spent: Money,
    }
}

pub(super) fn check(conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
    let mut above = 0;
    loop {
        let part: Vec<Spender> = diesel::sql_query(part(above)).load(conn)?;
        let Some(last) = part.last() else { return Ok(()) };
        above = last.id;
        for Spender { id, level, kept, spent } in part {
            let reached = standing::level_of(spent).number;
            if (kept, level) != (spent, reached) {
                faults.add(Law::Rows, || {
                    format!("user {id} has level {level} for {kept} spent, and the plans come to {spent}, which is level {reached}")
                });
            }
        }
    }
}

/// The query does what `standing::own_spend` does: coupons and credit are used first.
fn part(above: i64) -> String {
    format!(
        "SELECT u.id AS id, u.level AS level, u.settled_spend AS kept, CAST(COALESCE((SELECT SUM(CASE \
         WHEN p.billed - p.refunded > p.put_amount - p.paid_amount - p.refunded_given \
         THEN p.billed - p.refunded - (p.put_amount - p.paid_amount - p.refunded_given) ELSE 0 END) \
         FROM plans p WHERE p.user_id = u.id AND p.settled_at IS NOT NULL), 0) AS BIGINT) AS spent \
         FROM users u WHERE u.id > {above} ORDER BY u.id LIMIT {CHUNK}"
    )
}
