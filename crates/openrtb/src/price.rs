//! Prices. The standard writes units of a currency for a thousand impressions, as a JSON
//! number (a CPM); the house counts thousandths of a minor unit for one impression. With
//! two decimals, a CPM of 9.43 is 943 of them, so both are exact.

use std::fmt;
use std::str::FromStr;

use base::{Money, refuse_if};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A price for a thousand impressions. It is compared and converted as a decimal, never
/// as a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Cpm(Decimal);

/// The text is no price: negative, too large, or no number at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a price")]
pub struct NotAPrice;

impl Cpm {
    pub const ZERO: Self = Self(Decimal::ZERO);

    /// The CPM of a price in thousandths of a minor unit for one impression; a negative price counts as zero.
    pub fn from_milli(milli: i64) -> Self {
        Self(Decimal::new(milli.max(0), Money::DECIMALS))
    }

    /// The price in thousandths of a minor unit for one impression, rounded up, so that nobody is paid less than was
    /// said. `None` if it is too large.
    pub fn milli(self) -> Option<i64> {
        let scale = Decimal::from(10_i64.checked_pow(Money::DECIMALS)?);
        self.0.checked_mul(scale)?.ceil().to_i64()
    }

    /// # Errors
    /// Below zero.
    pub fn of_whole(price: i64) -> Result<Self, NotAPrice> {
        Self::new(price.into())
    }

    /// The shortest text that names the float is the one that was sent, for all prices of
    /// up to fifteen digits.
    ///
    /// # Errors
    /// Below zero, or larger than a decimal.
    pub fn of_float(price: f64) -> Result<Self, NotAPrice> {
        // A tiny negative price would be rounded to zero, so the sign is checked first.
        refuse_if(price < 0.0, NotAPrice)?;
        Self::new(Decimal::from_str(&price.to_string()).map_err(|_| NotAPrice)?)
    }

    /// Parses a JSON number, also with an exponent, as Java writes `9.5E-4`.
    ///
    /// # Errors
    /// Below zero, larger than a decimal, or no number.
    pub(crate) fn of_number(text: &str) -> Result<Self, NotAPrice> {
        Self::from_str(text).or_else(|_| Self::of_float(text.parse::<f64>().map_err(|_| NotAPrice)?))
    }

    /// The price multiplied by a count. A price that is too large becomes the largest one.
    pub(crate) fn times(self, count: u32) -> Self {
        Self(self.0.checked_mul(count.into()).unwrap_or(Decimal::MAX))
    }

    fn new(price: Decimal) -> Result<Self, NotAPrice> {
        if price.is_sign_negative() && !price.is_zero() { Err(NotAPrice) } else { Ok(Self(price.abs())) }
    }
}

/// `9.43`, as macros and notices write it.
impl fmt::Display for Cpm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.normalize().fmt(f)
    }
}

/// Reads what an exchange puts in place of `${AUCTION_PRICE}`.
impl FromStr for Cpm {
    type Err = NotAPrice;

    fn from_str(text: &str) -> Result<Self, NotAPrice> {
        let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.') && text.bytes().any(|b| b.is_ascii_digit());
        refuse_if(!plain, NotAPrice)?;
        Self::new(Decimal::from_str(text).map_err(|_| NotAPrice)?)
    }
}

impl<'de> Deserialize<'de> for Cpm {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(PriceVisitor)
    }
}

struct PriceVisitor;

impl Visitor<'_> for PriceVisitor {
    type Value = Cpm;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a price, zero or more")
    }

    fn visit_u64<E: Error>(self, price: u64) -> Result<Cpm, E> {
        Ok(Cpm(price.into()))
    }

    fn visit_i64<E: Error>(self, price: i64) -> Result<Cpm, E> {
        Cpm::of_whole(price).map_err(E::custom)
    }

    fn visit_f64<E: Error>(self, price: f64) -> Result<Cpm, E> {
        Cpm::of_float(price).map_err(E::custom)
    }
}

impl Serialize for Cpm {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let number: f64 = self.to_string().parse().map_err(serde::ser::Error::custom)?;
        to.serialize_f64(number)
    }
}

/// What a price macro was replaced with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleared {
    At(Cpm),
    /// The ad was rendered to be checked, and not sold.
    Audit,
    /// The exchange does not say.
    Unsaid,
}

impl Cleared {
    /// Reads the parameter of a notice. Blanks around it mean nothing. One within it was a plus sign, which a query has
    /// only encoded: `3.85e+1`.
    pub fn read(text: &str) -> Result<Self, NotAPrice> {
        match text.trim() {
            "" => Ok(Self::Unsaid),
            "AUDIT" => Ok(Self::Audit),
            // The macro itself, in whatever encoding: nobody has replaced it.
            text if text.contains("AUCTION_PRICE") => Ok(Self::Unsaid),
            price => Cpm::of_number(&price.replace(' ', "+")).map(Self::At),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Option<String> {
        serde_json::from_str::<Cpm>(json).ok().map(|price| price.to_string())
    }

    #[test]
    fn numbers_are_read_as_they_were_written() {
        for (json, shown) in [
            ("0", "0"),
            ("-0.0", "0"),
            ("5", "5"),
            ("3.00", "3"),
            ("9.43", "9.43"),
            ("0.03", "0.03"),
            ("0.1", "0.1"),
            ("1e2", "100"),
            ("0.000001", "0.000001"),
            ("123456789.012345", "123456789.012345"),
        ] {
            assert_eq!(read(json).as_deref(), Some(shown), "{json}");
        }
        for json in ["-0.01", "-1", "-1e-300", "1e30", "1e400", "\"1\"", "null", "true", "[1]", "{}"] {
            assert_eq!(read(json), None, "{json}");
        }
    }

    #[test]
    fn two_decimals_are_whole_and_more_are_rounded_up() {
        for (text, milli) in [("9.43", 943), ("0.01", 1), ("0.001", 1), ("0.035", 4), ("0", 0), ("100", 10_000)] {
            assert_eq!(text.parse::<Cpm>().ok().and_then(Cpm::milli), Some(milli), "{text}");
        }
        assert_eq!("92233720368547758.08".parse::<Cpm>().ok().and_then(Cpm::milli), None);
        assert_eq!("92233720368547758.07".parse::<Cpm>().ok().and_then(Cpm::milli), Some(i64::MAX));
        for milli in [0, 1, 7, 99, 100, 943, 1_000_000] {
            assert_eq!(Cpm::from_milli(milli).milli(), Some(milli));
        }
        assert_eq!(Cpm::from_milli(-5), Cpm::ZERO);
    }

    #[test]
    fn a_price_is_written_as_a_number() {
        for (milli, json) in [(943, "9.43"), (300, "3.0"), (1, "0.01"), (0, "0.0"), (123_456_789, "1234567.89")] {
            assert_eq!(serde_json::to_string(&Cpm::from_milli(milli)).expect("JSON"), json);
        }
    }

    #[test]
    fn what_stands_for_a_price_is_told_apart() {
        assert_eq!(Cleared::read("0.91"), Ok(Cleared::At(Cpm::from_milli(91))));
        assert_eq!((Cleared::read("AUDIT"), Cleared::read("")), (Ok(Cleared::Audit), Ok(Cleared::Unsaid)));
        for unreplaced in ["${AUCTION_PRICE}", "%24%7BAUCTION_PRICE%7D", "${AUCTION_PRICE:B64}"] {
            assert_eq!(Cleared::read(unreplaced), Ok(Cleared::Unsaid), "{unreplaced}");
        }
        for (text, milli) in [
            ("1e-1", 10),
            ("9.5E-2", 10),
            ("1.0E7", 1_000_000_000),
            (" 0.91\n", 91),
            ("9.1e+1", 9_100),
            ("9.1E 01", 9_100),
        ] {
            let Ok(Cleared::At(price)) = Cleared::read(text) else { panic!("{text}") };
            assert_eq!(price.milli(), Some(milli), "{text}");
        }
        for wrong in
            ["${}", "-1", "-1e-3", "1,5", "1e", "1e ", ".", "1.2.3", "1 5", "1 USD", "NaN", "inf", "1e400", "audit"]
        {
            assert_eq!(Cleared::read(wrong), Err(NotAPrice), "{wrong}");
        }
        let long = "9".repeat(60);
        assert_eq!(Cleared::read(&long), Err(NotAPrice));
    }
}
