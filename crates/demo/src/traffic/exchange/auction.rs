//! The decisions of the simulated exchange: what competitors bid, who wins, and what happens after a win. They depend
//! only on the dice and on prices, which are thousandths of a minor unit for one impression.

use crate::dice::Dice;

const COMPETITORS: u64 = 6;
/// In how many of a thousand auctions each competitor bids.
const BIDS: u64 = 500;
/// Per thousand of the usual price: the least that is bid, and how much two draws add.
const LEAST: u64 = 300;
const ADDED: u64 = 701;

/// Per thousand of their bids: for a reader whom they know, at twice the price.
const KNOWN: u64 = 80;

/// Per thousand of our bids: they come too late, or win and are not shown because the
/// reader has left.
const TOO_LATE: u64 = 20;
const LEFT: u64 = 60;
/// Per thousand of those that are shown: the reader's browser blocks the picture that
/// counts the view.
const BLOCKED: u64 = 30;

/// Loss reason codes of OpenRTB.
pub const BELOW_FLOOR: u16 = 100;
pub const OUTBID: u16 = 102;

/// The bids of competitors, most often about the usual price.
pub fn competitors(dice: &mut Dice, usual: i64) -> Vec<i64> {
    let bidders = (0..COMPETITORS).filter(|_| dice.chance(BIDS)).count();
    let bid = |_| {
        let part = LEAST + dice.below(ADDED) + dice.below(ADDED);
        share_of(usual, if dice.chance(KNOWN) { 2 * part } else { part })
    };
    (0..bidders).map(bid).collect()
}

/// `per_mille` thousandths of a price.
pub fn share_of(price: i64, per_mille: u64) -> i64 {
    let share = i128::from(price) * i128::from(per_mille) / 1_000;
    i64::try_from(share).unwrap_or(i64::MAX)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The highest bid pays what it says.
    Won,
    /// With the code of the reason.
    Lost(u16),
}

/// A first-price auction. Of equal bids the earlier one wins, and ours is the last.
pub fn decide(ours: i64, floor: i64, competitors: &[i64]) -> Decision {
    if ours < floor {
        return Decision::Lost(BELOW_FLOOR);
    }
    let outbid = competitors.iter().any(|theirs| *theirs >= ours && *theirs >= floor);
    if outbid { Decision::Lost(OUTBID) } else { Decision::Won }
}

/// What happens to our bid, whether it wins or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It came too late for the auction, and no notice says so.
    TooLate,
    /// If it wins, nobody sees it and it is not billed.
    Left,
    /// If it wins, it is shown and billed. The picture may be blocked.
    Shown { blocked: bool },
}

pub fn fate(dice: &mut Dice) -> Fate {
    match dice.below(1_000) {
        drawn if drawn < TOO_LATE => Fate::TooLate,
        drawn if drawn < TOO_LATE + LEFT => Fate::Left,
        _ => Fate::Shown { blocked: dice.chance(BLOCKED) },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const USUAL: i64 = 3_000;

    #[test]
    fn the_highest_bid_wins() {
        assert_eq!(decide(50, 0, &[]), Decision::Won);
        assert_eq!(decide(50, 50, &[49, 10]), Decision::Won);
        assert_eq!(decide(50, 0, &[10, 51]), Decision::Lost(OUTBID));
        assert_eq!(decide(50, 0, &[50]), Decision::Lost(OUTBID), "the earlier of two equal ones");
        assert_eq!(decide(49, 50, &[]), Decision::Lost(BELOW_FLOOR));
    }

    #[test]
    fn competitors_bid_about_the_usual_price() {
        let mut dice = Dice::new(1);
        let auctions: Vec<Vec<i64>> = (0..10_000).map(|_| competitors(&mut dice, USUAL)).collect();
        let all: Vec<i64> = auctions.iter().flatten().copied().collect();
        let mean = all.iter().sum::<i64>() / all.len() as i64;
        assert!((3_140..=3_340).contains(&mean), "{mean}");
        assert!((29_000..=31_000).contains(&all.len()), "three of six: {}", all.len());
        assert!(auctions.iter().any(Vec::is_empty) && auctions.iter().any(|bids| bids.len() == 6));
        let near = all.iter().filter(|bid| (2_000..4_000).contains(*bid)).count();
        assert!(near * 2 > all.len(), "most are near it: {near} of {}", all.len());
    }

    #[test]
    fn most_bids_are_shown_and_some_lapse() {
        let mut dice = Dice::new(1);
        let fates: Vec<Fate> = (0..10_000).map(|_| fate(&mut dice)).collect();
        let of = |fate: Fate| fates.iter().filter(|one| **one == fate).count();
        assert!((150..250).contains(&of(Fate::TooLate)), "{}", of(Fate::TooLate));
        assert!((500..700).contains(&of(Fate::Left)), "{}", of(Fate::Left));
        assert!((200..350).contains(&of(Fate::Shown { blocked: true })));
        assert!(of(Fate::Shown { blocked: false }) > 8_700);
    }

    proptest! {
        #[test]
        fn whoever_wins_has_bid_most_and_the_floor(
            ours in 0_i64..10_000, floor in 0_i64..10_000, others in prop::collection::vec(0_i64..10_000, 0..8),
        ) {
            let most = others.iter().copied().filter(|bid| *bid >= floor).max();
            let expected = match most {
                _ if ours < floor => Decision::Lost(BELOW_FLOOR),
                Some(most) if most >= ours => Decision::Lost(OUTBID),
                _ => Decision::Won,
            };
            prop_assert_eq!(decide(ours, floor, &others), expected);
        }

        #[test]
        fn more_never_loses_what_less_has_won(
            ours in 0_i64..10_000, more in 0_i64..10_000, floor in 0_i64..10_000,
            others in prop::collection::vec(0_i64..10_000, 0..8),
        ) {
            if decide(ours, floor, &others) == Decision::Won {
                prop_assert_eq!(decide(ours + more, floor, &others), Decision::Won);
            }
        }

        #[test]
        fn the_same_seed_bids_the_same_and_within_bounds(seed: u64, usual in 0_i64..1_000_000_000) {
            let bids = competitors(&mut Dice::new(seed), usual);
            prop_assert_eq!(&bids, &competitors(&mut Dice::new(seed), usual));
            prop_assert_eq!(fate(&mut Dice::new(seed)), fate(&mut Dice::new(seed)));
            prop_assert!(bids.len() <= 6);
            prop_assert!(bids.iter().all(|bid| (share_of(usual, 300)..=share_of(usual, 3_400)).contains(bid)));
        }

        #[test]
        fn a_share_never_overflows(price in 0_i64.., per_mille in 0_u64..3_400) {
            let exact = i128::from(price) * i128::from(per_mille) / 1_000;
            prop_assert_eq!(i128::from(share_of(price, per_mille)), exact.min(i64::MAX.into()));
        }
    }
}
