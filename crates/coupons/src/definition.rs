//! Coupon definitions: staff define a coupon once and give it to many users.

use base::{Field, Money, MoneyError, Timestamp};

use crate::model::{Benefit, Effect, Kind};

/// How long a coupon can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validity {
    /// This many days after it is received.
    Days(i64),
    Until(Timestamp),
}

/// The longest time a coupon may be valid.
const LONGEST_DAYS: i64 = 3_650;
const LONGEST_NAME: usize = 80;
/// The largest quantity of one coupon.
const MOST_GIVEN: i64 = 1_000_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    pub kind: Kind,
    pub benefit: Benefit,
    pub min_amount: Money,
    pub validity: Validity,
    /// For a team coupon, the operated id that its users must follow.
    pub operated_id: Option<String>,
    /// The activity in which users claim it themselves.
    pub activity: Option<String>,
    /// The most that may be given out, claims included; 0 stops giving it.
    pub quantity: i64,
}

/// The wrong field, and what is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    pub field: Field,
    pub problem: &'static str,
}

impl Definition {
    /// Everything that is wrong with the definition at `now`.
    pub fn problems(&self, now: Timestamp) -> Vec<Problem> {
        let team = self.kind == Kind::Team;
        let wrong = [
            (Field::Name, "required", self.name.trim().is_empty()),
            (Field::Name, "too_long", self.name.chars().count() > LONGEST_NAME),
            (Field::Effect, "invalid", !self.kind.allows(self.benefit.effect())),
            (Field::Value, "invalid_amount", !self.is_worth_something()),
            (Field::MaxValue, "invalid_amount", self.has_empty_cap()),
            (Field::MinAmount, "invalid_amount", self.min_amount.is_negative()),
            (Field::OperatedId, "required", team && self.operated_id.as_deref().unwrap_or_default().is_empty()),
            (Field::OperatedId, "invalid", !team && self.operated_id.is_some()),
            (
                Field::Days,
                "invalid",
                matches!(self.validity, Validity::Days(days) if !(1..=LONGEST_DAYS).contains(&days)),
            ),
            (Field::Ends, "invalid", matches!(self.validity, Validity::Until(end) if end <= now)),
            (Field::Quantity, "invalid", !(0..=MOST_GIVEN).contains(&self.quantity)),
        ];
        wrong
            .into_iter()
            .filter(|(_, _, is_wrong)| *is_wrong)
            .map(|(field, problem, _)| Problem { field, problem })
            .collect()
    }

    /// When a coupon received at `at` expires.
    pub const fn expires_at(&self, at: Timestamp) -> Timestamp {
        match self.validity {
            Validity::Days(days) => at.plus_days(days),
            Validity::Until(end) => end,
        }
    }

    pub const fn effect(&self) -> Effect {
        self.benefit.effect()
    }

    /// Whether its cost has no limit: a discount without a cap.
    pub const fn is_unbounded(&self) -> bool {
        matches!(self.benefit, Benefit::Discount { cap: None, .. })
    }

    /// Whether a discount lacks a required cap. A discount that was agreed on before caps were required may continue
    /// without one.
    pub fn lacks_cap(&self, agreed: Option<&Self>) -> bool {
        self.is_unbounded() && agreed.is_none_or(|agreed| agreed.benefit != self.benefit)
    }

    /// The definition with only the changes that one person may make: reducing the quantity. All else waits for another
    /// person, and so does a draft as a whole.
    #[must_use]
    pub fn changed_by_one_person(&self, wanted: &Self, is_draft: bool) -> Self {
        let quantity = if is_draft { self.quantity } else { self.quantity.min(wanted.quantity) };
        Self { quantity, ..self.clone() }
    }

    /// The most that one coupon costs the platform if nobody can put more than
    /// `largest_put`.
    pub fn most(&self, largest_put: Money) -> Result<Money, MoneyError> {
        match self.benefit {
            Benefit::Discount { cap: Some(cap), .. } => Ok(cap),
            Benefit::Discount { rate, cap: None } => largest_put.share(rate),
            Benefit::Deduction(value) | Benefit::Addition(value) => Ok(value),
        }
    }

    /// The most that the new terms cost beyond the agreed ones. If only the quantity rises, that is the cost of the
    /// additional coupons; otherwise, of all coupons that are not given out yet.
    pub fn cost(&self, agreed: Option<&Self>, given: i64, largest_put: Money) -> Result<Money, MoneyError> {
        let before = agreed.filter(|agreed| self.differs_in_number_alone(agreed)).map_or(0, |agreed| agreed.quantity);
        let more = self.quantity.saturating_sub(before.max(given)).max(0);
        self.most(largest_put)?.times(more)
    }

    /// Whether both definitions promise the same to a holder. Coupons that users hold
    /// never change.
    pub fn promises_the_same(&self, other: &Self) -> bool {
        let promise = |of: &Self| (of.kind, of.benefit, of.min_amount, of.operated_id.clone());
        promise(self) == promise(other)
    }

    fn differs_in_number_alone(&self, other: &Self) -> bool {
        *self == Self { quantity: self.quantity, ..other.clone() }
    }

    fn is_worth_something(&self) -> bool {
        match self.benefit {
            Benefit::Discount { rate, .. } => rate > base::Rate::ZERO,
            Benefit::Deduction(value) | Benefit::Addition(value) => value.is_positive(),
        }
    }

    fn has_empty_cap(&self) -> bool {
        matches!(self.benefit, Benefit::Discount { cap: Some(cap), .. } if !cap.is_positive())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_000);

    fn definition() -> Definition {
        Definition {
            name: "Spring".into(),
            kind: Kind::Custom,
            benefit: Benefit::Deduction(Money::from_minor(500)),
            min_amount: Money::ZERO,
            validity: Validity::Days(30),
            operated_id: None,
            activity: None,
            quantity: 100,
        }
    }

    fn wrong(definition: &Definition) -> Vec<String> {
        definition.problems(NOW).iter().map(|p| format!("{}={}", p.field, p.problem)).collect()
    }

    #[test]
    fn a_sound_one_has_no_problems() {
        assert!(definition().problems(NOW).is_empty());
        let until = Definition { validity: Validity::Until(NOW.plus_millis(1)), ..definition() };
        assert!(until.problems(NOW).is_empty());
        let longest = Definition { name: "x".repeat(80), ..definition() };
        let share =
            Definition { benefit: Benefit::Discount { rate: base::Rate::percent(1), cap: None }, ..definition() };
        assert!(longest.problems(NOW).is_empty() && share.problems(NOW).is_empty());
        assert_eq!((definition().expires_at(NOW), until.expires_at(NOW)), (NOW.plus_days(30), NOW.plus_millis(1)));
    }

    #[test]
    fn every_problem_is_named() {
        let nothing = Benefit::Discount { rate: base::Rate::ZERO, cap: Some(Money::ZERO) };
        let all = Definition {
            name: " ".into(),
            kind: Kind::Team,
            benefit: nothing,
            min_amount: Money::from_minor(-1),
            validity: Validity::Days(0),
            operated_id: None,
            activity: None,
            quantity: -1,
        };
        let expected = [
            "name=required",
            "value=invalid_amount",
            "max_value=invalid_amount",
            "min_amount=invalid_amount",
            "operated_id=required",
            "days=invalid",
            "quantity=invalid",
        ];
        assert_eq!(wrong(&all), expected);
        let odd = Definition {
            name: "x".repeat(81),
            kind: Kind::ValueAdd,
            validity: Validity::Until(NOW),
            operated_id: Some("OP-1".into()),
            quantity: 1_000_001,
            ..definition()
        };
        let expected = ["name=too_long", "effect=invalid", "operated_id=invalid", "ends=invalid", "quantity=invalid"];
        assert_eq!(wrong(&odd), expected);
        let none = Definition { quantity: 0, ..definition() };
        assert!(none.problems(NOW).is_empty(), "of which no more are given");
    }

    #[test]
    fn who_holds_one_is_promised_what_it_gives_and_when() {
        let one = definition();
        for same in [
            Definition { name: "Summer".into(), ..definition() },
            Definition { validity: Validity::Days(1), ..definition() },
            Definition { activity: Some("spring".into()), ..definition() },
            Definition { quantity: 0, ..definition() },
        ] {
            assert!(same.promises_the_same(&one), "{same:?}");
        }
        for other in [
            Definition { kind: Kind::FixedAmount, ..definition() },
            Definition { benefit: Benefit::Deduction(Money::from_minor(499)), ..definition() },
            Definition { min_amount: Money::from_minor(1), ..definition() },
            Definition { operated_id: Some("OP-1".into()), ..definition() },
        ] {
            assert!(!other.promises_the_same(&one), "{other:?}");
        }
    }

    #[test]
    fn only_a_discount_that_was_agreed_on_may_lack_a_cap() {
        let discount = |percent, cap| Definition {
            benefit: Benefit::Discount { rate: base::Rate::percent(percent), cap },
            ..definition()
        };
        let open = discount(10, None);
        assert!(open.lacks_cap(None) && open.lacks_cap(Some(&discount(9, None))));
        assert!(!open.lacks_cap(Some(&open)) && !discount(10, Some(Money::from_minor(1))).lacks_cap(None));
        assert!(!definition().lacks_cap(None));
    }

    #[test]
    fn one_person_may_only_give_fewer() {
        let wanted = |quantity| Definition { name: "Summer".into(), quantity, ..definition() };
        let fewer = Definition { quantity: 40, ..definition() };
        assert_eq!(definition().changed_by_one_person(&wanted(40), false), fewer);
        assert_eq!(definition().changed_by_one_person(&wanted(130), false), definition());
        assert_eq!(definition().changed_by_one_person(&wanted(40), true), definition());
    }

    #[test]
    fn it_costs_at_most_what_is_given_times_what_one_can_add() {
        let put = Money::from_minor(20_000);
        let tenth = "0.10".parse().expect("a rate");
        for (benefit, most) in [
            (Benefit::Deduction(Money::from_minor(500)), 500),
            (Benefit::Addition(Money::from_minor(700)), 700),
            (Benefit::Discount { rate: tenth, cap: Some(Money::from_minor(90)) }, 90),
            (Benefit::Discount { rate: tenth, cap: None }, 2_000),
        ] {
            let one = Definition { benefit, ..definition() };
            assert_eq!(one.most(put), Ok(Money::from_minor(most)));
            assert_eq!(one.cost(None, 0, put), Ok(Money::from_minor(most * 100)));
            assert_eq!(one.is_unbounded(), benefit == Benefit::Discount { rate: tenth, cap: None });
        }
        let huge = Definition { benefit: Benefit::Addition(Money::from_minor(i64::MAX)), ..definition() };
        assert_eq!(huge.cost(None, 0, put), Err(MoneyError::Overflow));
    }

    #[test]
    fn many_small_steps_cost_as_much_as_one() {
        let put = Money::from_minor(20_000);
        let of = |quantity| Definition { quantity, ..definition() };
        let step = |from: i64| of(from + 1).cost(Some(&of(from)), 0, put).expect("bounded").minor();
        // Lowering the quantity, which one person may do, must not make a later raise cheaper.
        let once = of(195).cost(Some(&of(100)), 0, put).expect("bounded").minor();
        assert_eq!((100..195).map(step).sum::<i64>(), once);
        assert_eq!(of(100).cost(Some(&of(5)), 0, put), of(95).cost(None, 0, put));
    }

    #[test]
    fn what_was_agreed_on_costs_nothing_again() {
        let (put, agreed) = (Money::ZERO, definition());
        let cost = |wanted: &Definition, given| wanted.cost(Some(&agreed), given, put).expect("bounded").minor();
        let more = Definition { quantity: 130, ..definition() };
        assert_eq!((cost(&more, 0), cost(&more, 100), cost(&more, 120), cost(&more, 131)), (15_000, 15_000, 5_000, 0));
        let fewer = Definition { quantity: 40, ..definition() };
        assert_eq!(cost(&fewer, 0), 0);
        // With other terms, every coupon that is not given out yet counts.
        let longer = Definition { validity: Validity::Days(31), ..definition() };
        assert_eq!((cost(&longer, 0), cost(&longer, 30)), (50_000, 35_000));
        let open = Definition { activity: Some("spring".into()), ..more };
        assert_eq!((cost(&open, 0), cost(&open, 30)), (65_000, 50_000));
    }
}
