//! Compares each advertiser's daily claims, which are limited, with the transactions that
//! booked them.

use std::collections::{BTreeMap, HashMap};

use base::{AdvertiserId, Money, Timestamp};
use diesel::prelude::*;
use wallet::{Account, TransactionKind};

use super::faults::{Faults, Law};
use super::lines::EntryRow;
use super::walk::TransactionRow;
use crate::delivery::claims::{DAY_SECONDS, day};
use crate::schema::advertiser_days as days;
use crate::{Conn, Error};

/// Days read at a time.
const CHUNK: i64 = 2_000;

#[derive(Default)]
pub(super) struct Claims {
    /// By advertiser and day.
    booked: BTreeMap<(i64, i64), i64>,
    /// The day of each conversion, to which a reversal returns its amount.
    accepted: HashMap<i64, i64>,
}

impl Claims {
    pub fn take(&mut self, kind: TransactionKind, row: &TransactionRow, entries: &[EntryRow]) {
        let on = match kind {
            TransactionKind::ConversionAccepted => {
                let on = day(Timestamp::from_millis(row.recorded_at));
                self.accepted.insert(row.ref_id, on);
                Some(on)
            }
            TransactionKind::ConversionReversed => self.accepted.get(&row.ref_id).copied(),
            _ => None,
        };
        let Some(on) = on else { return };
        let claims = Account::Advertiser(AdvertiserId(0)).key().code;
        for entry in entries.iter().filter(|entry| entry.account_kind == claims) {
            let claimed = self.booked.entry((entry.owner_id, on)).or_default();
            *claimed = claimed.saturating_sub(entry.amount);
        }
    }

    /// Compares every day with what was booked on it.
    pub fn check(mut self, conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
        let mut above = (i64::MIN, i64::MIN);
        loop {
            let next = days::advertiser_id.gt(above.0).or(days::advertiser_id.eq(above.0).and(days::day.gt(above.1)));
            let part: Vec<(i64, i64, i64)> =
                days::table.filter(next).order((days::advertiser_id, days::day)).limit(CHUNK).load(conn)?;
            let Some((of, on, _)) = part.last() else { break };
            above = (*of, *on);
            for (of, on, claimed) in part {
                let booked = self.booked.remove(&(of, on)).unwrap_or(0);
                differ(of, on, (claimed, booked), faults);
            }
        }
        for ((of, on), booked) in self.booked {
            differ(of, on, (0, booked), faults);
        }
        Ok(())
    }
}

fn differ(advertiser: i64, on: i64, (kept, booked): (i64, i64), faults: &mut Faults) {
    if kept == booked {
        return;
    }
    let (kept, booked) = (Money::from_minor(kept), Money::from_minor(booked));
    let told = || {
        let date = Timestamp::from_seconds(on.saturating_mul(DAY_SECONDS)).to_string();
        let date = date.get(..10).unwrap_or_default();
        format!("what was claimed of advertiser {advertiser} on {date} is {kept}, and {booked} was booked")
    };
    faults.add(Law::Rows, told);
}
