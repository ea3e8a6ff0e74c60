//! Compares each advertiser's claims of a day, which may be limited, with the transactions
//! that booked them.

use std::collections::{BTreeMap, HashMap};

use base::{AdvertiserId, Money, Timestamp};
use diesel::prelude::*;
use wallet::{Account, ClaimedDay, TransactionKind, day};

use super::faults::{Faults, Law};
use super::lines::EntryRow;
use super::walk::TransactionRow;
use crate::schema::advertisers;
use crate::{Conn, Error};

const DAY_SECONDS: i64 = 86_400;

#[derive(Default)]
pub(super) struct ClaimedDays {
    /// By advertiser and day.
    booked: BTreeMap<(i64, i64), i64>,
    /// The day of each conversion, to which a reversal returns its amount.
    accepted: HashMap<i64, i64>,
}

impl ClaimedDays {
    pub fn take(&mut self, kind: TransactionKind, row: &TransactionRow, entries: &[EntryRow]) {
        let on = match kind {
            TransactionKind::ConversionAccepted => {
                let on = day(row.recorded_at);
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

    /// Compares the last day of each advertiser with what was booked on it.
    pub fn check(self, conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
        let mut booked: HashMap<i64, ClaimedDay> = HashMap::new();
        // In the order of days, so that the last one stays.
        for ((advertiser, day), claimed) in self.booked {
            booked.insert(advertiser, ClaimedDay { day, claimed: Money::from_minor(claimed) });
        }
        let rows: Vec<(i64, i64, Money)> = advertisers::table
            .select((advertisers::id, advertisers::claimed_day, advertisers::claimed_that_day))
            .order(advertisers::id)
            .load(conn)?;
        for (advertiser, day, claimed) in rows {
            let kept = ClaimedDay { day, claimed };
            let booked = booked.get(&advertiser).copied().unwrap_or_default();
            if kept != booked {
                faults.add(Law::Rows, || differ(advertiser, kept, booked));
            }
        }
        Ok(())
    }
}

fn differ(advertiser: i64, kept: ClaimedDay, booked: ClaimedDay) -> String {
    let date = |day: i64| {
        let midnight = Timestamp::from_seconds(day.saturating_mul(DAY_SECONDS)).to_string();
        midnight.get(..10).unwrap_or_default().to_owned()
    };
    format!(
        "what was last claimed of advertiser {advertiser} is {} on {}, and {} was booked on {}",
        kept.claimed,
        date(kept.day),
        booked.claimed,
        date(booked.day)
    )
}
