//! What conversions claim from the locked advertisers in a day.

use base::{AdvertiserId, Money, Timestamp};
use wallet::ClaimedDay;

use super::Books;
use crate::Error;

/// An advertiser's last day with claims, and the most that may be claimed in a day.
#[derive(Clone, Copy)]
pub(super) struct Day {
    pub last: ClaimedDay,
    pub cap: Option<Money>,
}

impl Books {
    /// What conversions have claimed from a locked advertiser today, and the most allowed if
    /// there is a limit.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if the advertiser is not locked.
    pub fn claimed_today(&self, id: AdvertiserId, now: Timestamp) -> Result<(Money, Option<Money>), Error> {
        let day = self.days.get(&id).ok_or_else(|| Error::Corrupt("the advertiser is not locked".into()))?;
        Ok((day.last.on_day_of(now), day.cap))
    }

    /// The last day of claims from a locked advertiser. It is written with the postings.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if the advertiser is not locked.
    pub fn claimed_day(&mut self, id: AdvertiserId) -> Result<&mut ClaimedDay, Error> {
        let day = self.days.get_mut(&id).ok_or_else(|| Error::Corrupt("the advertiser is not locked".into()))?;
        Ok(&mut day.last)
    }
}
