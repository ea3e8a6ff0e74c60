//! The platform's fee as SQL reckons it, in integers of both databases: as `plans::Agreed::earned` does.

/// The rate in hundred-millionths; a double is precise enough to be rounded to them.
macro_rules! fee_rate {
    ($rate:literal) => {
        concat!("CAST(ROUND(CAST(", $rate, " AS DOUBLE PRECISION) * 100000000) AS BIGINT)")
    };
}

/// The fee on an amount, rounded down. The product of both would not fit.
macro_rules! fee_on {
    ($amount:literal, $rate:literal) => {
        concat!($amount, " / 100000000 * ", $rate, " + ", $amount, " % 100000000 * ", $rate, " / 100000000")
    };
}

pub(crate) use {fee_on, fee_rate};
