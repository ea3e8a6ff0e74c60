//! SQL that computes the platform's fee like `plans::Agreed::earned`, in integers on both databases.

/// The rate in hundred-millionths. A double is precise enough to be rounded to these.
macro_rules! fee_rate {
    ($rate:literal) => {
        concat!("CAST(ROUND(CAST(", $rate, " AS DOUBLE PRECISION) * 100000000) AS BIGINT)")
    };
}

/// The fee on an amount, rounded down. It is computed in two parts, because the product of amount and rate could
/// overflow.
macro_rules! fee_on {
    ($amount:literal, $rate:literal) => {
        concat!($amount, " / 100000000 * ", $rate, " + ", $amount, " % 100000000 * ", $rate, " / 100000000")
    };
}

pub(crate) use {fee_on, fee_rate};
