//! Reading amounts from clients.

use base::{Field, Money};

use crate::{Error, Refusal};

/// Reads the field `name`: a plain decimal above zero.
///
/// # Errors
/// The field with `invalid_amount` if it is not an amount; `amount_out_of_range` if
/// it is zero or negative.
pub fn positive(name: Field, text: &str) -> Result<Money, Error> {
    let amount: Money = text.parse().map_err(|_| Error::field(name, "invalid_amount"))?;
    if amount.is_positive() { Ok(amount) } else { Err(Refusal::AmountOutOfRange.into()) }
}

/// An amount that may be negative, but not zero.
///
/// # Errors
/// Those of [`positive`]; only zero is out of range.
pub fn signed(name: Field, text: &str) -> Result<Money, Error> {
    let amount: Money = text.parse().map_err(|_| Error::field(name, "invalid_amount"))?;
    if amount.is_zero() { Err(Refusal::AmountOutOfRange.into()) } else { Ok(amount) }
}

/// An amount to put on a plan, with the refusals of a put.
pub fn invested(field: Field, text: &str) -> Result<Money, Error> {
    positive(field, text).map_err(|error| match error {
        Error::Refused(Refusal::AmountOutOfRange) => Refusal::InvestmentOutOfRange.into(),
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_amount_is_a_wrong_field() {
        for text in ["", "NaN", "1e9", "0.001", "1,5", "Infinity", "0x10", &"9".repeat(40), "1000000000000.01"] {
            let error = positive(Field::Amount, text).expect_err(text);
            assert!(
                matches!(&error, Error::Fields(fields) if fields.get("amount") == Some(&"invalid_amount")),
                "{text}: {error}"
            );
        }
    }

    #[test]
    fn nothing_and_less_are_out_of_range() {
        for text in ["0", "0.00", "-0", "-1", "-0.01"] {
            let error = positive(Field::Amount, text).expect_err(text);
            assert!(matches!(error, Error::Refused(Refusal::AmountOutOfRange)), "{text}");
        }
        assert_eq!(positive(Field::Amount, "1.5").expect("an amount"), Money::from_minor(150));
    }

    #[test]
    fn what_goes_either_way_is_something() {
        assert_eq!(signed(Field::Amount, "-1.5").expect("an amount"), Money::from_minor(-150));
        assert_eq!(signed(Field::Amount, "0.01").expect("an amount"), Money::from_minor(1));
        for text in ["0", "-0.00"] {
            assert!(matches!(signed(Field::Amount, text), Err(Error::Refused(Refusal::AmountOutOfRange))), "{text}");
        }
        assert!(matches!(signed(Field::Amount, "--1"), Err(Error::Fields(_))));
    }
}
