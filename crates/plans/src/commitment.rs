//! The committed part of a plan's budget: delivered, or reserved for outstanding
//! creatives. Only this module decides whether a budget has room.

use base::Money;

use crate::model::Status;

/// The budget of a plan, and what of it is committed. Fields named milli are thousandths of a minor unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment {
    pub budget: Money,
    /// The price of one event.
    pub unit_milli: i64,
    /// The price of what was delivered, billed or not.
    pub booked_milli: i64,
    /// The price reserved for outstanding creatives.
    pub reserved_milli: i64,
}

impl Commitment {
    /// The budget; saturates at the largest number.
    pub const fn budget_milli(&self) -> i64 {
        self.budget.minor().saturating_mul(1_000)
    }

    /// Booked and reserved together; saturates at the largest number.
    pub const fn committed_milli(&self) -> i64 {
        self.booked_milli.saturating_add(self.reserved_milli)
    }

    /// The part that is neither booked nor reserved.
    pub fn free_milli(&self) -> i64 {
        let budget = i128::from(self.budget.minor()) * 1000;
        let free = budget - i128::from(self.booked_milli) - i128::from(self.reserved_milli);
        i64::try_from(free.max(0)).unwrap_or(i64::MAX)
    }

    /// Whether the budget pays for one more event.
    pub fn has_room(&self) -> bool {
        self.free_milli() >= self.unit_milli
    }

    /// Whether there is no room for another event and nothing is reserved.
    pub fn is_used(&self) -> bool {
        self.reserved_milli == 0 && !self.has_room()
    }

    /// Whether a plan with this status ends because its budget is used.
    pub fn ends(&self, status: Status) -> bool {
        status == Status::Putting && self.is_used()
    }

    /// Releases a reservation.
    #[must_use]
    pub const fn released(self, milli: i64) -> Self {
        Self { reserved_milli: self.reserved_milli.saturating_sub(milli), ..self }
    }

    /// Books one event, whose price was reserved or was still free.
    #[must_use]
    pub const fn booked(self, was_promised: bool) -> Self {
        let kept = if was_promised { self.released(self.unit_milli) } else { self };
        Self { booked_milli: self.booked_milli.saturating_add(self.unit_milli), ..kept }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREE: Commitment =
        Commitment { budget: Money::from_minor(90), unit_milli: 30_000, booked_milli: 0, reserved_milli: 0 };

    #[test]
    fn a_budget_has_room_for_as_many_events_as_it_pays() {
        for (booked, reserved, free, used) in [
            (0, 0, 90_000, false),
            (60_000, 0, 30_000, false),
            (60_000, 30_000, 0, false),
            (60_001, 0, 29_999, true),
            (90_000, 0, 0, true),
            (120_000, 0, 0, true),
        ] {
            let one = Commitment { booked_milli: booked, reserved_milli: reserved, ..THREE };
            assert_eq!((one.free_milli(), one.has_room(), one.is_used()), (free, free >= 30_000, used), "{one:?}");
            assert_eq!(one.committed_milli(), booked + reserved);
            assert_eq!(one.ends(Status::Putting), used);
            assert!(!one.ends(Status::Matching));
        }
    }

    #[test]
    fn an_event_is_booked_out_of_its_promise_or_out_of_what_is_free() {
        let promised = Commitment { reserved_milli: 40_000, ..THREE };
        assert_eq!(promised.booked(true), Commitment { booked_milli: 30_000, reserved_milli: 10_000, ..THREE });
        assert_eq!(promised.booked(false), Commitment { booked_milli: 30_000, ..promised });
        assert_eq!(promised.released(40_000), THREE);
    }

    #[test]
    fn the_largest_numbers_neither_overflow_nor_find_room() {
        let most = Commitment { booked_milli: i64::MAX, reserved_milli: i64::MAX, ..THREE };
        assert_eq!((most.committed_milli(), most.free_milli(), most.has_room()), (i64::MAX, 0, false));
        let rich = Commitment { budget: Money::from_minor(i64::MAX), ..THREE };
        assert_eq!((rich.free_milli(), rich.budget_milli()), (i64::MAX, i64::MAX));
        assert_eq!(THREE.budget_milli(), 90_000);
    }
}
