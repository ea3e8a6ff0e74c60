//! Money as whole minor units of the one platform currency, and rates.

use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::stored::Stored;

/// Decimals of the platform currency: a unit is a hundred minor units.
const DECIMALS: usize = 2;
const UNIT: i64 = 100;
/// The largest amount a caller may name: 10^12 units.
const LARGEST_UNITS: i64 = 1_000_000_000_000;

/// An amount in minor units. Arithmetic is checked: it fails rather than wraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Money(i64);

crate::stored::stored_as_number!(Money: Money);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    #[error("the amount is larger than can be kept")]
    Overflow,
}

/// Why a text is not an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseMoneyError {
    #[error("not a plain decimal number")]
    Malformed,
    #[error("more decimals than the currency has")]
    TooPrecise,
    #[error("larger than any amount accepted")]
    TooLarge,
}

impl Money {
    pub const ZERO: Self = Self(0);
    pub const DECIMALS: u32 = DECIMALS as u32;

    pub const fn from_minor(minor: i64) -> Self {
        Self(minor)
    }

    pub const fn minor(self) -> i64 {
        self.0
    }

    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }

    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    pub fn plus(self, other: Self) -> Result<Self, MoneyError> {
        self.0.checked_add(other.0).map(Self).ok_or(MoneyError::Overflow)
    }

    pub fn minus(self, other: Self) -> Result<Self, MoneyError> {
        self.0.checked_sub(other.0).map(Self).ok_or(MoneyError::Overflow)
    }

    pub fn negated(self) -> Result<Self, MoneyError> {
        self.0.checked_neg().map(Self).ok_or(MoneyError::Overflow)
    }

    pub fn sum(amounts: impl IntoIterator<Item = Self>) -> Result<Self, MoneyError> {
        amounts.into_iter().try_fold(Self::ZERO, Self::plus)
    }

    /// `count` times this amount.
    pub fn times(self, count: i64) -> Result<Self, MoneyError> {
        self.0.checked_mul(count).map(Self).ok_or(MoneyError::Overflow)
    }

    /// The share `rate` of this amount, rounded down, so that rounding never
    /// takes more from the user than was agreed.
    pub fn share(self, rate: Rate) -> Result<Self, MoneyError> {
        let share = Decimal::from(self.0).checked_mul(rate.0).ok_or(MoneyError::Overflow)?;
        share.floor().to_i64().map(Self).ok_or(MoneyError::Overflow)
    }
}

/// `100.00`: always with the currency's decimals.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let minor = self.0.unsigned_abs();
        let unit = UNIT.unsigned_abs();
        write!(f, "{sign}{}.{:02}", minor / unit, minor % unit)
    }
}

/// Reads `-?digits[.digits]` and nothing else: no exponent, no blanks, no
/// plus, no thousands separators.
impl FromStr for Money {
    type Err = ParseMoneyError;

    fn from_str(text: &str) -> Result<Self, ParseMoneyError> {
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !plain(whole) || !plain(fraction) {
            return Err(ParseMoneyError::Malformed);
        }
        if fraction.len() > DECIMALS {
            return Err(ParseMoneyError::TooPrecise);
        }
        let units: i64 = whole.parse().map_err(|_| ParseMoneyError::TooLarge)?;
        let cents: i64 = format!("{fraction:0<DECIMALS$}").parse().map_err(|_| ParseMoneyError::Malformed)?;
        if units > LARGEST_UNITS || (units == LARGEST_UNITS && cents > 0) {
            return Err(ParseMoneyError::TooLarge);
        }
        let minor = units.checked_mul(UNIT).and_then(|m| m.checked_add(cents)).ok_or(ParseMoneyError::TooLarge)?;
        Ok(Self(if negative { -minor } else { minor }))
    }
}

/// A share between 0 and 1, such as a fee rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(Decimal);

crate::column_value!(Rate as Stored in Text from String, |text| Ok(text.parse()?));

impl Stored for Rate {
    type Raw = String;

    fn raw(&self) -> String {
        self.to_string()
    }
}

impl Rate {
    pub const ZERO: Self = Self(Decimal::ZERO);

    /// `None` outside 0..=1.
    pub fn new(rate: Decimal) -> Option<Self> {
        (rate >= Decimal::ZERO && rate <= Decimal::ONE).then_some(Self(rate))
    }

    pub const fn decimal(self) -> Decimal {
        self.0
    }

    /// This many per cent, at most 100.
    pub fn percent(hundredths: u32) -> Self {
        Self(Decimal::new(hundredths.min(100).into(), 2))
    }

    /// This rate, reduced by the share `off` of it.
    pub fn less(self, off: Self) -> Self {
        Self((self.0 * (Decimal::ONE - off.0)).clamp(Decimal::ZERO, self.0))
    }

    /// The sum of both, at most 1.
    pub fn and(self, other: Self) -> Self {
        Self((self.0 + other.0).min(Decimal::ONE))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.normalize().fmt(f)
    }
}

impl FromStr for Rate {
    type Err = ParseMoneyError;
    fn from_str(text: &str) -> Result<Self, ParseMoneyError> {
        let decimal = Decimal::from_str_exact(text).map_err(|_| ParseMoneyError::Malformed)?;
        Self::new(decimal).ok_or(ParseMoneyError::TooLarge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_plain_decimals() {
        for (text, minor) in [
            ("0", 0),
            ("100", 10_000),
            ("100.5", 10_050),
            ("0.01", 1),
            ("-1", -100),
            ("007", 700),
            ("1000000000000", 100_000_000_000_000),
        ] {
            assert_eq!(text.parse(), Ok(Money::from_minor(minor)), "{text}");
        }
    }

    #[test]
    fn refuses_everything_else() {
        use ParseMoneyError::*;
        let forty = "1".repeat(40);
        for (text, error) in [
            ("", Malformed),
            ("NaN", Malformed),
            ("1e9", Malformed),
            ("+1", Malformed),
            (" 1", Malformed),
            ("1,000", Malformed),
            (".5", Malformed),
            ("1.", Malformed),
            ("--1", Malformed),
            ("١", Malformed),
            ("0.001", TooPrecise),
            ("1000000000000.01", TooLarge),
            (forty.as_str(), TooLarge),
        ] {
            assert_eq!(text.parse::<Money>(), Err(error), "{text}");
        }
    }

    #[test]
    fn shows_two_decimals() {
        assert_eq!(Money::from_minor(-5).to_string(), "-0.05");
        assert_eq!(Money::from_minor(10_000).to_string(), "100.00");
        assert_eq!(Money::ZERO.to_string(), "0.00");
    }

    #[test]
    fn an_amount_is_below_above_or_zero() {
        let told = |minor| {
            let amount = Money::from_minor(minor);
            assert_eq!(amount.minor(), minor);
            (amount.is_negative(), amount.is_zero(), amount.is_positive())
        };
        assert_eq!([-1, 0, 1].map(told), [(true, false, false), (false, true, false), (false, false, true)]);
    }

    #[test]
    fn amounts_are_added_and_taken_away() {
        let [two, five] = [2, 5].map(Money::from_minor);
        assert_eq!((two.plus(five), two.minus(five)), (Ok(Money::from_minor(7)), Ok(Money::from_minor(-3))));
        assert_eq!(
            (two.negated(), Money::sum([two, five, five])),
            (Ok(Money::from_minor(-2)), Ok(Money::from_minor(12)))
        );
    }

    #[test]
    fn arithmetic_refuses_to_wrap() {
        assert_eq!(Money::from_minor(i64::MAX).plus(Money::from_minor(1)), Err(MoneyError::Overflow));
        assert_eq!(Money::from_minor(i64::MIN).minus(Money::from_minor(1)), Err(MoneyError::Overflow));
        assert_eq!(Money::sum([i64::MAX, 1].map(Money::from_minor)), Err(MoneyError::Overflow));
        assert_eq!(Money::from_minor(i64::MIN).negated(), Err(MoneyError::Overflow));
        assert_eq!(Money::from_minor(i64::MAX).times(2), Err(MoneyError::Overflow));
        assert_eq!(Money::from_minor(7).times(3), Ok(Money::from_minor(21)));
    }

    #[test]
    fn rates_are_lowered_by_shares_of_themselves() {
        let rate: Rate = "0.05".parse().expect("a rate");
        assert_eq!(rate.less(Rate::percent(20)).to_string(), "0.04");
        assert_eq!(rate.less(Rate::percent(20).and(Rate::percent(10))).to_string(), "0.035");
        assert_eq!((rate.less(Rate::ZERO), rate.less(Rate::percent(500))), (rate, Rate::ZERO));
        assert_eq!(Rate::percent(70).and(Rate::percent(70)), Rate::percent(100));
    }

    #[test]
    fn a_share_rounds_down() {
        let rate: Rate = "0.05".parse().expect("a rate");
        assert_eq!(Money::from_minor(199).share(rate), Ok(Money::from_minor(9)));
        assert_eq!(Money::from_minor(-199).share(rate), Ok(Money::from_minor(-10)));
        assert_eq!(rate.decimal(), Decimal::new(5, 2));
        assert!("1.5".parse::<Rate>().is_err());
    }
}
