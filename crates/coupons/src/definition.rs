//! What staff define once and give to many.

use base::{Money, Timestamp};

use crate::model::{Effect, Gives, Kind};

/// How long a coupon can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validity {
    /// So many days from when it is received.
    Days(i64),
    Until(Timestamp),
}

/// The longest that a coupon may be good for.
const LONGEST_DAYS: i64 = 3_650;
const LONGEST_NAME: usize = 80;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    pub kind: Kind,
    pub gives: Gives,
    pub min_amount: Money,
    pub validity: Validity,
    /// For a team coupon, the operated id that its users follow.
    pub operated_id: Option<String>,
}

/// The field that is wrong, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    pub field: &'static str,
    pub problem: &'static str,
}

impl Definition {
    /// Everything that is wrong with it at `now`.
    pub fn problems(&self, now: Timestamp) -> Vec<Problem> {
        let team = self.kind == Kind::Team;
        let wrong = [
            ("name", "required", self.name.trim().is_empty()),
            ("name", "too_long", self.name.chars().count() > LONGEST_NAME),
            ("effect", "invalid", !self.kind.allows(self.gives.effect())),
            ("value", "invalid_amount", !self.is_worth_something()),
            ("max_value", "invalid_amount", self.has_empty_cap()),
            ("min_amount", "invalid_amount", self.min_amount.is_negative()),
            ("operated_id", "required", team && self.operated_id.as_deref().unwrap_or_default().is_empty()),
            ("operated_id", "invalid", !team && self.operated_id.is_some()),
            ("days", "invalid", matches!(self.validity, Validity::Days(days) if !(1..=LONGEST_DAYS).contains(&days))),
            ("ends", "invalid", matches!(self.validity, Validity::Until(end) if end <= now)),
        ];
        wrong
            .into_iter()
            .filter(|(_, _, is_wrong)| *is_wrong)
            .map(|(field, problem, _)| Problem { field, problem })
            .collect()
    }

    /// When one expires that is received at `at`.
    pub const fn expires_at(&self, at: Timestamp) -> Timestamp {
        match self.validity {
            Validity::Days(days) => at.plus_days(days),
            Validity::Until(end) => end,
        }
    }

    pub const fn effect(&self) -> Effect {
        self.gives.effect()
    }

    fn is_worth_something(&self) -> bool {
        match self.gives {
            Gives::Discount { rate, .. } => rate > base::Rate::ZERO,
            Gives::Deduction(value) | Gives::Addition(value) => value.is_positive(),
        }
    }

    fn has_empty_cap(&self) -> bool {
        matches!(self.gives, Gives::Discount { cap: Some(cap), .. } if !cap.is_positive())
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
            gives: Gives::Deduction(Money::from_minor(500)),
            min_amount: Money::ZERO,
            validity: Validity::Days(30),
            operated_id: None,
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
        assert_eq!((definition().expires_at(NOW), until.expires_at(NOW)), (NOW.plus_days(30), NOW.plus_millis(1)));
    }

    #[test]
    fn every_problem_is_named() {
        let nothing = Gives::Discount { rate: base::Rate::ZERO, cap: Some(Money::ZERO) };
        let all = Definition {
            name: " ".into(),
            kind: Kind::Team,
            gives: nothing,
            min_amount: Money::from_minor(-1),
            validity: Validity::Days(0),
            operated_id: None,
        };
        let expected = [
            "name=required",
            "value=invalid_amount",
            "max_value=invalid_amount",
            "min_amount=invalid_amount",
            "operated_id=required",
            "days=invalid",
        ];
        assert_eq!(wrong(&all), expected);
        let odd = Definition {
            name: "x".repeat(81),
            kind: Kind::ValueAdd,
            validity: Validity::Until(NOW),
            operated_id: Some("OP-1".into()),
            ..definition()
        };
        assert_eq!(wrong(&odd), ["name=too_long", "effect=invalid", "operated_id=invalid", "ends=invalid"]);
    }
}
