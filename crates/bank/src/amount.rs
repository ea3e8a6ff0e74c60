//! Amounts in bank files: plain decimals with the given decimal mark. Nothing is
//! guessed or rounded.

use base::{Money, ParseMoneyError};

use crate::mistakes::Problem;

/// The mark before the decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalMark {
    Point,
    Comma,
}

impl DecimalMark {
    /// Reads `-1234.50`. Thousands separators are refused, since `1,234` means different
    /// things to different banks.
    pub fn read(self, text: &str) -> Result<Money, Problem> {
        let plain = match self {
            Self::Point => text.to_owned(),
            Self::Comma if text.contains('.') => return Err(Problem::NotAnAmount),
            Self::Comma => text.replace(',', "."),
        };
        // Trailing zeros are allowed: ISO 20022 has up to five decimals.
        let shown = match plain.split_once('.') {
            Some((whole, decimals)) if !decimals.is_empty() => {
                let kept = decimals.trim_end_matches('0');
                format!("{whole}.{kept:0<2}")
            }
            _ => plain,
        };
        shown.parse().map_err(|problem| match problem {
            ParseMoneyError::Malformed => Problem::NotAnAmount,
            ParseMoneyError::TooPrecise => Problem::TooPrecise,
            ParseMoneyError::TooLarge => Problem::TooLarge,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DecimalMark::{Comma, Point};

    #[test]
    fn the_mark_is_the_one_that_was_named() {
        for (mark, text, minor) in [
            (Point, "1234.5", 123_450),
            (Point, "-0.01", -1),
            (Comma, "1234,50", 123_450),
            (Comma, "7", 700),
            (Point, "1.50000", 150),
            (Comma, "1,000", 100),
        ] {
            assert_eq!(mark.read(text).map(Money::minor), Ok(minor), "{text}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for (mark, text, problem) in [
            (Point, "1,234", Problem::NotAnAmount),
            (Point, "1,234.50", Problem::NotAnAmount),
            (Comma, "1.234,50", Problem::NotAnAmount),
            (Comma, "1.50", Problem::NotAnAmount),
            (Comma, "1,2,3", Problem::NotAnAmount),
            (Point, "1.", Problem::NotAnAmount),
            (Point, "NaN", Problem::NotAnAmount),
            (Point, "1e3", Problem::NotAnAmount),
            (Point, "", Problem::NotAnAmount),
            (Point, "1.000x", Problem::NotAnAmount),
            (Point, "1.005", Problem::TooPrecise),
            (Point, "1234567890123456789", Problem::TooLarge),
            (Point, "-9223372036854775808", Problem::TooLarge),
        ] {
            assert_eq!(mark.read(text), Err(problem), "{text}");
        }
    }
}
