//! Comparing a plan's stored totals with its events.

use base::Money;

use crate::terms::whole_minor;

/// A plan's figures, either as stored or as counted from its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Totals {
    pub impressions: i64,
    pub clicks: i64,
    /// Views that were in view for long enough.
    pub viewable: i64,
    pub filtered: i64,
    pub conversions: i64,
    /// What delivery cost, in thousandths of a minor unit.
    pub booked_milli: i64,
    /// What was billed for it.
    pub billed: Money,
    /// The part of the bill that coupons and promotional credit paid.
    pub platform_paid: Money,
    pub revenue: Money,
}

/// The first figure that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{figure}: kept {kept}, counted {counted}")]
pub struct Mismatch {
    pub figure: &'static str,
    pub kept: i64,
    pub counted: i64,
}

impl Totals {
    /// Compares stored figures with counted ones.
    pub fn check(&self, counted: &Self) -> Result<(), Mismatch> {
        let figures = [
            ("impressions", self.impressions, counted.impressions),
            ("clicks", self.clicks, counted.clicks),
            ("viewable", self.viewable, counted.viewable),
            ("filtered", self.filtered, counted.filtered),
            ("conversions", self.conversions, counted.conversions),
            ("booked", self.booked_milli, counted.booked_milli),
            ("billed", self.billed.minor(), counted.billed.minor()),
            ("billed of booked", self.billed.minor(), whole_minor(counted.booked_milli).minor()),
            ("paid by the platform", self.platform_paid.minor(), counted.platform_paid.minor()),
            ("revenue", self.revenue.minor(), counted.revenue.minor()),
        ];
        match figures.into_iter().find(|(_, kept, counted)| kept != counted) {
            None => Ok(()),
            Some((figure, kept, counted)) => Err(Mismatch { figure, kept, counted }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_totals_pass_and_each_difference_is_named() {
        let kept = Totals { booked_milli: 2_500, billed: Money::from_minor(2), ..Totals::default() };
        assert_eq!(kept.check(&kept), Ok(()));
        let counted = Totals { clicks: 1, ..kept };
        assert_eq!(kept.check(&counted), Err(Mismatch { figure: "clicks", kept: 0, counted: 1 }));
        let unbilled = Totals { billed: Money::ZERO, ..kept };
        assert_eq!(unbilled.check(&unbilled).map_err(|m| m.figure), Err("billed of booked"));
    }
}
