//! The fee rate agreed when a plan is put.

use base::Rate;

/// The reduction of the fee rate for VIPs, in per cent.
pub const VIP_PERCENT_OFF: u32 = 20;

/// The rate of the product's terms, less the reductions for VIP and for the shop's
/// level. The plan keeps it.
pub fn agreed_fee_rate(rate: Rate, vip: bool, level_off: Rate) -> Rate {
    let vip_off = if vip { Rate::percent(VIP_PERCENT_OFF) } else { Rate::ZERO };
    rate.less(vip_off.and(level_off))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standing_lowers_the_fee_and_never_raises_it() {
        let rate: Rate = "0.1".parse().expect("a rate");
        let shown = |vip, level| agreed_fee_rate(rate, vip, Rate::percent(level)).to_string();
        // What each level takes off, without and with the time of a VIP.
        for (level, plain, vip) in
            [(0, "0.1", "0.08"), (2, "0.098", "0.078"), (5, "0.095", "0.075"), (10, "0.09", "0.07")]
        {
            assert_eq!((shown(false, level).as_str(), shown(true, level).as_str()), (plain, vip), "{level}");
        }
        assert_eq!(agreed_fee_rate(Rate::ZERO, true, Rate::percent(10)), Rate::ZERO);
        assert_eq!(agreed_fee_rate(rate, true, Rate::percent(100)), Rate::ZERO);
    }
}
