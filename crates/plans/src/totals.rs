//! Comparing a plan's stored totals with its events.

use base::Money;

use crate::model::Status;
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
    /// Compares stored figures with counted ones. A running plan may have a part that is not billed yet; what was
    /// billed must have been delivered.
    pub fn check(&self, status: Status, counted: &Self) -> Result<(), Mismatch> {
        let delivered = whole_minor(counted.booked_milli);
        let billable = if status.is_running() { delivered.min(self.billed) } else { delivered };
        let figures = [
            ("impressions", self.impressions, counted.impressions),
            ("clicks", self.clicks, counted.clicks),
            ("viewable", self.viewable, counted.viewable),
            ("filtered", self.filtered, counted.filtered),
            ("conversions", self.conversions, counted.conversions),
            ("booked", self.booked_milli, counted.booked_milli),
            ("billed", self.billed.minor(), counted.billed.minor()),
            ("billed of booked", self.billed.minor(), billable.minor()),
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
        assert_eq!(kept.check(Status::Settled, &kept), Ok(()));
        let counted = Totals { clicks: 1, ..kept };
        let mismatch = Mismatch { figure: "clicks", kept: 0, counted: 1 };
        assert_eq!(kept.check(Status::Settled, &counted), Err(mismatch));
    }

    #[test]
    fn only_of_a_plan_that_runs_a_part_is_not_billed_yet() {
        for (billed, running, ended) in [(0, true, false), (1, true, false), (2, true, true), (3, false, false)] {
            let of = Totals { booked_milli: 2_500, billed: Money::from_minor(billed), ..Totals::default() };
            for status in Status::ALL {
                let fits = if status.is_running() { running } else { ended };
                let mismatch = Mismatch { figure: "billed of booked", kept: billed, counted: 2 };
                assert_eq!(of.check(*status, &of), if fits { Ok(()) } else { Err(mismatch) }, "{status:?} {billed}");
            }
        }
    }
}
