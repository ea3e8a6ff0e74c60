//! How many views an exchange may bill that no picture has confirmed. Its notice alone does not show that anybody
//! saw an ad, but some readers block pictures, so a share of the day's views is agreed.

/// Ten-thousandths of a whole.
const WHOLE: i64 = 10_000;

/// The agreed terms for an exchange's unconfirmed views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnconfirmedTerms {
    /// The share of the day's confirmed views, in ten-thousandths.
    pub share_parts: i64,
    /// A number of views in addition to the share.
    pub views: i64,
}

impl UnconfirmedTerms {
    /// A tenth, and a hundred views.
    pub const DEFAULT: Self = Self { share_parts: 1_000, views: 100 };
}

impl Default for UnconfirmedTerms {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// How the views of an exchange were first reported on one day, in UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ViewsOfDay {
    /// Views that the picture in the ad reported first.
    pub by_picture: i64,
    /// Views that the exchange's notice reported first.
    pub by_notice: i64,
    /// Pictures that came after the notice.
    pub confirmed: i64,
}

impl ViewsOfDay {
    /// Views whose picture came.
    pub const fn confirmed_views(&self) -> i64 {
        self.by_picture.saturating_add(self.confirmed)
    }

    /// Views that were billed without a picture. A picture may come after midnight.
    pub fn unconfirmed(&self) -> i64 {
        self.by_notice.saturating_sub(self.confirmed).max(0)
    }

    /// How many may be.
    pub fn allowed(&self, terms: UnconfirmedTerms) -> i64 {
        let share = i128::from(self.confirmed_views()) * i128::from(terms.share_parts) / i128::from(WHOLE);
        i64::try_from(share).unwrap_or(i64::MAX).saturating_add(terms.views)
    }

    pub fn has_room(&self, terms: UnconfirmedTerms) -> bool {
        self.unconfirmed() < self.allowed(terms)
    }

    #[must_use]
    pub const fn plus(self, more: Self) -> Self {
        Self {
            by_picture: self.by_picture + more.by_picture,
            by_notice: self.by_notice + more.by_notice,
            confirmed: self.confirmed + more.confirmed,
        }
    }
}

/// The terms and counts that an exchange's notices are judged by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExchangeDay {
    pub terms: UnconfirmedTerms,
    pub views: ViewsOfDay,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_confirmed_views_and_a_few_may_be_unconfirmed() {
        let terms = UnconfirmedTerms::DEFAULT;
        for (by_picture, by_notice, confirmed, allowed, room) in [
            (0, 99, 0, 100, true),
            (0, 100, 0, 100, false),
            (9, 100, 0, 100, false),
            (10, 100, 0, 101, true),
            (10, 101, 0, 101, false),
            // Each picture that comes later makes room, and adds to the share.
            (0, 200, 100, 110, true),
            (0, 210, 100, 110, false),
            // More pictures than notices: their notices came on the day before.
            (0, 0, 5, 100, true),
        ] {
            let views = ViewsOfDay { by_picture, by_notice, confirmed };
            assert_eq!((views.allowed(terms), views.has_room(terms)), (allowed, room), "{views:?}");
        }
        let nothing = UnconfirmedTerms { share_parts: 0, views: 0 };
        assert!(!ViewsOfDay { by_picture: 1_000, ..ViewsOfDay::default() }.has_room(nothing));
        let everything = UnconfirmedTerms { share_parts: WHOLE, views: 0 };
        assert!(ViewsOfDay { by_picture: i64::MAX, by_notice: 5, confirmed: 0 }.has_room(everything));
    }
}
