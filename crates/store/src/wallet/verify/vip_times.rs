//! Verifies until when each user has VIP, which lowers the fee rate of plans, against what they bought.

use std::collections::HashMap;

use base::Timestamp;
use diesel::prelude::*;
use standing::vip;
use wallet::TransactionKind;

use super::faults::{Faults, Law};
use super::walk::TransactionRow;
use crate::schema::users;
use crate::{Conn, Error};

/// Users read at a time.
const CHUNK: i64 = 2_000;

/// The end of each user's subscription, by what was bought so far.
#[derive(Default)]
pub(super) struct VipTimes(HashMap<i64, Timestamp>);

impl VipTimes {
    /// Computes the end like `money::offers::vip`.
    pub fn take(&mut self, kind: TransactionKind, row: &TransactionRow) {
        if kind == TransactionKind::VipSubscribed {
            let until = vip::extended(self.0.get(&row.book).copied(), row.event_time);
            self.0.insert(row.book, until);
        }
    }

    pub fn check(mut self, conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
        let mut above = 0;
        loop {
            let part: Vec<(i64, Option<Timestamp>)> = users::table
                .filter(users::id.gt(above))
                .order(users::id)
                .limit(CHUNK)
                .select((users::id, users::vip_until))
                .load(conn)?;
            let Some((last, _)) = part.last() else { return Ok(()) };
            above = *last;
            for (user, kept) in part {
                let bought = self.0.remove(&user);
                if kept != bought {
                    let (kept, bought) = (shown(kept), shown(bought));
                    faults.add(Law::Rows, || format!("user {user} has VIP {kept}, and what was bought is {bought}"));
                }
            }
        }
    }
}

fn shown(until: Option<Timestamp>) -> String {
    until.map_or_else(|| "at no time".to_owned(), |until| format!("until {until}"))
}
