//! Compares the rate of each exchange order with the terms that two people agreed on.

use base::{AcceptorId, RequestId, Timestamp};
use diesel::prelude::*;

use super::faults::{Faults, Law};
use crate::schema::exchange_orders as orders;
use crate::wallet::acceptor_history::of_requests;
use crate::wallet::acceptors::decimal;
use crate::{Conn, Error};

/// Orders read at a time.
const CHUNK: i64 = 2_000;

/// Number, acceptor, currency, rate, time and the request that agreed on the rate.
type Row = (i64, AcceptorId, String, String, Timestamp, Option<RequestId>);

pub(super) fn check(conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
    let mut above = 0;
    loop {
        let part: Vec<Row> = orders::table
            .filter(orders::id.gt(above).and(orders::terms_id.is_not_null()))
            .select((
                orders::id,
                orders::acceptor_id,
                orders::currency,
                orders::rate,
                orders::created_at,
                orders::terms_id,
            ))
            .order(orders::id)
            .limit(CHUNK)
            .load(conn)?;
        let Some((last, ..)) = part.last() else { return Ok(()) };
        above = *last;
        let terms: Vec<RequestId> = part.iter().filter_map(|(.., terms)| *terms).collect();
        let agreed = of_requests(conn, &terms)?;
        for (id, acceptor, currency, rate, at, terms) in part {
            let change = terms.and_then(|id| agreed.get(&id));
            let brought = |rate| change.is_some_and(|change| change.brought(acceptor, (&currency, rate), at));
            if !decimal(&rate).is_ok_and(brought) {
                faults.add(Law::Rows, || format!("exchange {id} has a rate that its acceptor had not agreed to then"));
            }
        }
    }
}
