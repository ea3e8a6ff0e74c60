//! Coupons and their enumerations.

use base::{Money, Rate, Timestamp, coded};

coded!(
    /// The kind of a coupon; users see its name.
    Kind as "CouponKind" {
        FixedAmount = 1 "fixed_amount",
        ValueAdd = 2 "value_add",
        Deduction = 3 "deduction",
        /// For followers of a certain operated id.
        Team = 4 "team",
        Custom = 5 "custom",
    }
);

coded!(
    /// What a coupon does to the amounts.
    Effect as "CouponEffect" {
        Discount = 1 "discount",
        Deduction = 2 "deduction",
        Addition = 3 "addition",
    }
);

coded!(
    State as "CouponStatus" {
        Unused = 1 "unused",
        Used = 2 "used",
        Expired = 3 "expired",
    }
);

impl Kind {
    /// Whether a coupon of this kind may have this effect.
    pub const fn allows(self, effect: Effect) -> bool {
        match self {
            Self::FixedAmount | Self::Deduction => matches!(effect, Effect::Deduction),
            Self::ValueAdd => matches!(effect, Effect::Addition),
            Self::Team | Self::Custom => true,
        }
    }

    /// The effect that a kind implies, if there is only one.
    pub fn only_effect(self) -> Option<Effect> {
        let mut allowed = Effect::ALL.iter().copied().filter(|effect| self.allows(*effect));
        allowed.next().filter(|_| allowed.next().is_none())
    }
}

/// What a coupon gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Benefit {
    /// The platform pays this share of the amount, up to a cap.
    Discount { rate: Rate, cap: Option<Money> },
    /// Money off what the user pays.
    Deduction(Money),
    /// Money on top of what the user pays.
    Addition(Money),
}

impl Benefit {
    pub const fn effect(&self) -> Effect {
        match self {
            Self::Discount { .. } => Effect::Discount,
            Self::Deduction(_) => Effect::Deduction,
            Self::Addition(_) => Effect::Addition,
        }
    }
}

/// The parts of a user's coupon that decide on its use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coupon<'a> {
    pub benefit: Benefit,
    /// The minimum amount.
    pub min_amount: Money,
    /// If set, only followers of this operated id may use it.
    pub team: Option<&'a str>,
    pub expires_at: Timestamp,
    pub used: bool,
}

impl Coupon<'_> {
    /// A used coupon stays used; only unused ones expire.
    pub fn state(&self, now: Timestamp) -> State {
        match (self.used, self.expires_at <= now) {
            (true, _) => State::Used,
            (false, true) => State::Expired,
            (false, false) => State::Unused,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_000);

    #[test]
    fn some_kinds_do_only_one_thing() {
        assert_eq!(Kind::FixedAmount.only_effect(), Some(Effect::Deduction));
        assert_eq!(Kind::ValueAdd.only_effect(), Some(Effect::Addition));
        assert_eq!(Kind::Deduction.only_effect(), Some(Effect::Deduction));
        assert_eq!((Kind::Team.only_effect(), Kind::Custom.only_effect()), (None, None));
    }

    #[test]
    fn a_coupon_expires_by_itself_and_never_once_used() {
        let coupon = Coupon {
            benefit: Benefit::Addition(Money::from_minor(1)),
            min_amount: Money::ZERO,
            team: None,
            expires_at: NOW,
            used: false,
        };
        assert_eq!(coupon.state(NOW.plus_millis(-1)), State::Unused);
        assert_eq!(coupon.state(NOW), State::Expired);
        assert_eq!(Coupon { used: true, ..coupon }.state(NOW), State::Used);
    }

    #[test]
    fn each_kind_allows_its_effects_alone() {
        for kind in Kind::ALL {
            let allowed: Vec<_> = Effect::ALL.iter().copied().filter(|effect| kind.allows(*effect)).collect();
            let expected = match kind.name() {
                "fixed_amount" | "deduction" => vec![Effect::Deduction],
                "value_add" => vec![Effect::Addition],
                _ => Effect::ALL.to_vec(),
            };
            assert_eq!(allowed, expected, "{}", kind.name());
        }
    }
}
