//! Dividing a plan's bill among the slots that delivered it.
//!
//! A plan's bill is in whole minor units, but its events cost thousandths of one, in
//! several slots. So each slot has, per plan, a [`Carry`]: what its events cost beyond
//! what was billed for them, and what it has earned beyond what was booked. Nothing is
//! lost by rounding, however small the bills are.

use std::collections::BTreeMap;

use base::{Money, PublisherId, SlotId, refuse_if};

use crate::refused::Refused;
use crate::share::{Share, WHOLE};

/// Thousandths in a minor unit, as in prices of events.
const MILLI: i128 = 1_000;

/// How a slot's part of a bill becomes earnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// A part of what its events cost.
    Share(Share),
    /// An exchange's: the sum of the prices at which its auctions were won, in
    /// thousandths of a minor unit. The platform keeps what the events cost beyond it.
    Cleared { milli: i64 },
}

impl Terms {
    /// `None` for an exchange.
    pub const fn share(self) -> Option<Share> {
        match self {
            Self::Share(share) => Some(share),
            Self::Cleared { .. } => None,
        }
    }
}

/// The remainder below a minor unit, which is carried over to the next bill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Carry {
    /// What events cost beyond what was billed for them, in thousandths of a minor unit. Negative if a minor unit was
    /// billed before its events had cost all of it.
    pub cost_milli: i64,
    /// What was earned and not booked yet, in ten-thousandths of a minor unit. An exchange may have earned prices
    /// before the plan was billed for them.
    pub earned: i64,
}

/// What a slot has delivered for a plan since its last bill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivered {
    pub slot: SlotId,
    /// The owner of the slot, and the agreed terms.
    pub publisher: PublisherId,
    pub terms: Terms,
    /// The price of its new events for the plan, in thousandths of a minor unit.
    pub fresh_milli: i64,
    pub carry: Carry,
    /// For an exchange: the part of its earlier bills that it has not earned. Its notice may name the price of a view
    /// after the view was billed.
    pub kept: Money,
}

/// A slot's part of a bill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub slot: SlotId,
    pub publisher: PublisherId,
    /// The share at this bill; `None` for an exchange.
    pub share: Option<Share>,
    pub cost: Money,
    /// The publisher's money. The rest of the cost is the platform's.
    pub earns: Money,
    /// The part of it that earlier bills gave the platform, because no price was named yet.
    pub late: Money,
    /// To be saved for the next bill.
    pub carry: Carry,
}

/// The amount that each publisher gets of a bill; those that get nothing are left out.
pub fn by_publisher(parts: &[Part]) -> Result<BTreeMap<PublisherId, Money>, Refused> {
    let mut sums = BTreeMap::new();
    parts.iter().try_for_each(|part| add(&mut sums, part.publisher, part.earns.minus(part.late)?))?;
    Ok(sums)
}

/// The amount that each exchange gets of earlier bills.
pub fn late_by_publisher(parts: &[Part]) -> Result<BTreeMap<PublisherId, Money>, Refused> {
    let mut sums = BTreeMap::new();
    parts.iter().try_for_each(|part| add(&mut sums, part.publisher, part.late))?;
    Ok(sums)
}

fn add(sums: &mut BTreeMap<PublisherId, Money>, publisher: PublisherId, more: Money) -> Result<(), Refused> {
    if more.is_positive() {
        let sum = sums.entry(publisher).or_default();
        *sum = sum.plus(more)?;
    }
    Ok(())
}

/// Divides what is billed. `delivered` has every slot with new events or a carry on the
/// plan; together, their events cost what is billed, and less than a minor unit more.
///
/// Each gets the whole minor units that its events cost. What is left of the bill goes,
/// one minor unit each, to those that are furthest from the next one.
///
/// # Errors
/// [`Refused::BillMismatch`], [`Refused::SlotTwice`] and [`Refused::NotPossible`] if the
/// caller's figures contradict each other.
pub fn divide(billed: Money, delivered: &[Delivered]) -> Result<Vec<Part>, Refused> {
    let mut claims = claims(delivered)?;
    let cost_milli: i128 = claims.iter().map(|claim| claim.owed).sum();
    let whole = i128::from(billed.minor()) * MILLI;
    if billed.is_negative() || !(whole..whole + MILLI).contains(&cost_milli) {
        return Err(Refused::BillMismatch { billed, cost_milli: narrow(cost_milli)? });
    }
    level(&mut claims, billed.minor().into());
    claims.iter().map(|claim| claim.part()).collect()
}

struct Claim<'a> {
    of: &'a Delivered,
    /// In thousandths.
    owed: i128,
    /// In minor units.
    gets: i128,
}

fn claims(delivered: &[Delivered]) -> Result<Vec<Claim<'_>>, Refused> {
    let mut claims = Vec::with_capacity(delivered.len());
    for of in delivered {
        // No slot is ever billed ahead by a whole minor unit.
        let behind = i128::from(of.carry.cost_milli) <= -MILLI;
        let earns = match of.terms {
            Terms::Share(_) => (0..WHOLE).contains(&of.carry.earned),
            Terms::Cleared { milli } => milli >= 0 && of.carry.earned >= 0,
        };
        refuse_if(of.fresh_milli < 0 || behind || !earns, Refused::NotPossible(of.slot))?;
        let owed = i128::from(of.carry.cost_milli) + i128::from(of.fresh_milli);
        claims.push(Claim { of, owed, gets: owed.div_euclid(MILLI).max(0) });
    }
    claims.sort_by_key(|claim| claim.of.slot);
    let twice = claims.windows(2).find_map(|pair| match pair {
        [one, other] if one.of.slot == other.of.slot => Some(one.of.slot),
        _ => None,
    });
    twice.map_or(Ok(claims), |slot| Err(Refused::SlotTwice(slot)))
}

/// Makes the parts add up to the bill.
///
/// Less is missing than there are slots, since each lacks less than a minor unit. Too
/// much is given if somebody was billed ahead and has not caught up: the others wait.
fn level(claims: &mut [Claim<'_>], billed: i128) {
    let mut missing = billed - claims.iter().map(|claim| claim.gets).sum::<i128>();
    // A stable order: where two are equally far, the lower number is first.
    claims.sort_by_key(|claim| std::cmp::Reverse(claim.ahead()));
    for claim in claims.iter_mut() {
        if missing > 0 {
            claim.gets += 1;
            missing -= 1;
        }
    }
    while missing < 0 {
        for claim in claims.iter_mut().rev().filter(|claim| claim.gets > 0) {
            if missing < 0 {
                claim.gets -= 1;
                missing += 1;
            }
        }
    }
    claims.sort_by_key(|claim| claim.of.slot);
}

impl Claim<'_> {
    /// By how much its events cost more than its part, in thousandths.
    const fn ahead(&self) -> i128 {
        self.owed - self.gets * MILLI
    }

    fn part(&self) -> Result<Part, Refused> {
        let Delivered { slot, publisher, terms, carry, kept, .. } = *self.of;
        let (more, kept) = match terms {
            Terms::Share(share) => (self.gets * i128::from(share.parts()), 0),
            Terms::Cleared { milli } => (i128::from(milli) * (i128::from(WHOLE) / MILLI), kept.minor().max(0)),
        };
        let earned = i128::from(carry.earned) + more;
        // A publisher never earns more of a bill than its part of it, nor more of all bills than its parts of all.
        let whole = earned / i128::from(WHOLE);
        let late = (whole - self.gets).clamp(0, i128::from(kept));
        let earns = whole.min(self.gets) + late;
        let money = |minor| narrow(minor).map(Money::from_minor);
        Ok(Part {
            slot,
            publisher,
            share: terms.share(),
            cost: money(self.gets)?,
            earns: money(earns)?,
            late: money(late)?,
            carry: Carry { cost_milli: narrow(self.ahead())?, earned: narrow(earned - earns * i128::from(WHOLE))? },
        })
    }
}

fn narrow(number: i128) -> Result<i64, Refused> {
    i64::try_from(number).map_err(|_| Refused::Overflow)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: Carry = Carry { cost_milli: 500, earned: 0 };

    /// Two slots a publisher.
    fn of(id: i64, fresh_milli: i64, carry: Carry) -> Delivered {
        let (slot, publisher) = (SlotId(id), PublisherId((id + 1) / 2));
        Delivered { slot, publisher, terms: Terms::Share(Share::default()), fresh_milli, carry, kept: Money::ZERO }
    }

    /// Cost, earned, and what is carried.
    fn divided(billed: i64, delivered: &[Delivered]) -> Vec<(i64, i64, Carry)> {
        let parts = divide(Money::from_minor(billed), delivered).expect("divided");
        parts.iter().map(|p| (p.cost.minor(), p.earns.minor(), p.carry)).collect()
    }

    fn carry(cost_milli: i64, earned: i64) -> Carry {
        Carry { cost_milli, earned }
    }

    #[test]
    fn a_price_named_late_is_paid_from_what_was_billed_before() {
        let of_exchange = |fresh, milli, kept| Delivered {
            terms: Terms::Cleared { milli },
            kept: Money::from_minor(kept),
            ..of(1, fresh, Carry::default())
        };
        for (billed, fresh, milli, kept, earns, late, left) in [
            // Its view was billed before, and nothing is now.
            (0, 0, 3_500, 5, 3, 3, 5_000),
            (0, 0, 3_500, 2, 2, 2, 15_000),
            (0, 0, 3_500, 0, 0, 0, 35_000),
            // Beside a bill of its own.
            (5, 5_000, 7_000, 5, 7, 2, 0),
            (5, 5_000, 3_000, 5, 3, 0, 0),
        ] {
            let parts = divide(Money::from_minor(billed), &[of_exchange(fresh, milli, kept)]).expect("divided");
            let [part] = parts.as_slice() else { panic!("one part") };
            assert_eq!(
                (part.earns.minor(), part.late.minor(), part.carry.earned),
                (earns, late, left),
                "{billed} {milli}"
            );
            let [now, before] = [by_publisher(&parts), late_by_publisher(&parts)]
                .map(|sums| sums.expect("sums").into_values().map(Money::minor).sum::<i64>());
            assert_eq!((now, before), (earns - late, late));
        }
    }

    #[test]
    fn one_slot_gets_its_share_of_all_of_it_rounded_down() {
        let none = Carry::default();
        assert_eq!(divided(10, &[of(1, 10_000, none)]), [(10, 7, none)]);
        assert_eq!(divided(1, &[of(1, 1_400, none)]), [(1, 0, carry(400, 7_000))]);
    }

    #[test]
    fn what_was_rounded_off_comes_with_the_next_bill() {
        // Ten bills of one minor unit are seven earned, like one of ten.
        let mut kept = Carry::default();
        let mut earned = Vec::new();
        for _ in 0..10 {
            let parts = divide(Money::from_minor(1), &[of(1, 1_000, kept)]).expect("divided");
            let [part] = parts.as_slice() else { panic!("one part") };
            kept = part.carry;
            earned.push(part.earns.minor());
        }
        assert_eq!((earned.iter().sum::<i64>(), kept), (7, Carry::default()));
        assert_eq!(earned, [0, 1, 1, 0, 1, 1, 0, 1, 1, 1]);
    }

    #[test]
    fn the_last_minor_unit_goes_to_whoever_is_furthest() {
        let none = Carry::default();
        let parts = divided(1, &[of(1, 400, none), of(2, 601, none)]);
        assert_eq!(parts, [(0, 0, carry(400, 0)), (1, 0, carry(-399, 7_000))]);
        // If both are equally far from the next minor unit, the lower number comes first.
        let parts = divided(1, &[of(2, 0, HALF), of(1, 500, none)]);
        assert_eq!(parts, [(1, 0, carry(-500, 7_000)), (0, 0, HALF)]);
    }

    #[test]
    fn who_was_billed_ahead_catches_up_first() {
        let ahead = carry(-399, 0);
        assert_eq!(divided(1, &[of(1, 601, carry(400, 0)), of(2, 398, ahead)])[1], (0, 0, carry(-1, 0)));
        // Three were billed ahead; the fourth waits for what they have not delivered.
        let ahead = carry(-999, 0);
        let all = [of(1, 0, ahead), of(2, 0, ahead), of(3, 0, ahead), of(4, 0, carry(4_997, 0))];
        assert_eq!(divided(2, &all)[3], (2, 1, carry(2_997, 4_000)));
    }

    #[test]
    fn an_exchange_earns_the_prices_that_it_cleared_at() {
        let cleared = |milli, carry| Delivered { terms: Terms::Cleared { milli }, ..of(1, 10_000, carry) };
        assert_eq!(divided(10, &[cleared(6_543, Carry::default())]), [(10, 6, carry(0, 5_430))]);
        assert_eq!(divided(10, &[cleared(6_543, carry(0, 5_430))]), [(10, 7, carry(0, 860))]);
        // It never gets more than its part of the bill: the rest follows with the next one.
        let all = [cleared(10_000, carry(-999, 0)), of(7, 999, Carry::default())];
        assert_eq!(divided(10, &all), [(9, 9, carry(1, 10_000)), (1, 0, carry(-1, 7_000))]);
        let wrong = Delivered { terms: Terms::Cleared { milli: -1 }, ..of(1, 0, Carry::default()) };
        assert_eq!(divide(Money::ZERO, &[wrong]), Err(Refused::NotPossible(SlotId(1))));
    }

    #[test]
    fn a_publisher_gets_what_its_slots_earn() {
        let none = Carry::default();
        let parts = divide(
            Money::from_minor(35),
            &[of(1, 10_000, none), of(2, 20_000, none), of(3, 4_000, none), of(6, 1_000, none)],
        );
        let parts = parts.expect("divided");
        let sums = by_publisher(&parts).expect("sums");
        let sums: Vec<_> = sums.into_iter().map(|(publisher, sum)| (publisher.0, sum.minor())).collect();
        assert_eq!(sums, [(1, 21), (2, 2)], "the third one earns less than a minor unit so far");
        assert_eq!(by_publisher(&[]), Ok(BTreeMap::new()));
    }

    #[test]
    fn a_bill_that_is_not_what_was_delivered_is_refused() {
        let of_one = |milli| [of(1, milli, Carry::default())];
        for (billed, milli) in [(1, 999), (1, 2_000), (-1, 0), (0, 1_000)] {
            let billed = Money::from_minor(billed);
            let refused = Err(Refused::BillMismatch { billed, cost_milli: milli });
            assert_eq!(divide(billed, &of_one(milli)), refused);
        }
        assert_eq!(divide(Money::ZERO, &[]), Ok(Vec::new()));
        let none = Carry::default();
        for wrong in
            [of(1, -1, none), of(1, 0, carry(0, -1)), of(1, 0, carry(0, 10_000)), of(1, 1_000, carry(-1_000, 0))]
        {
            assert_eq!(divide(Money::ZERO, &[wrong]), Err(Refused::NotPossible(SlotId(1))));
        }
        let twice = [of(3, 500, Carry::default()), of(3, 500, Carry::default())];
        assert_eq!(divide(Money::from_minor(1), &twice), Err(Refused::SlotTwice(SlotId(3))));
    }

    #[test]
    fn the_largest_amounts_are_divided_or_refused() {
        let most = [of(1, i64::MAX, Carry::default()), of(2, i64::MAX, Carry::default())];
        let billed = Money::from_minor(i64::MAX / 500);
        let parts = divide(billed, &most).expect("divided");
        assert_eq!(Money::sum(parts.iter().map(|part| part.cost)), Ok(billed));
        let wrong = divide(Money::from_minor(i64::MAX), &most);
        assert_eq!(wrong, Err(Refused::Overflow), "the cost is larger than can be shown");
    }
}
