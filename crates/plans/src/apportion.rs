//! Dividing an amount in proportion, so that the parts add up to it.

/// Divides `amount`, which may be negative, in proportion to the weights. Each part is rounded towards zero. The
/// remainder goes, unit by unit, to the parts that lost most by rounding, and to the first of equals (the
/// largest-remainder method). A negative weight counts as zero. If all weights are zero, the last part gets everything.
pub fn apportion(amount: i64, weights: &[i64]) -> Vec<i64> {
    let all: i128 = weights.iter().map(|weight| i128::from(*weight).max(0)).sum();
    if all == 0 {
        let mut parts = vec![0; weights.len()];
        if let Some(last) = parts.last_mut() {
            *last = amount;
        }
        return parts;
    }
    let (size, sign) = (i128::from(amount).abs(), i128::from(amount.signum()));
    let share = |weight: &i64| {
        let product = size * i128::from(*weight).max(0);
        (product / all, product % all)
    };
    let mut shares: Vec<(i128, i128)> = weights.iter().map(share).collect();
    let left = size - shares.iter().map(|(whole, _)| whole).sum::<i128>();
    let mut by_loss: Vec<usize> = (0..shares.len()).collect();
    by_loss.sort_by_key(|place| std::cmp::Reverse(shares.get(*place).map(|(_, lost)| *lost)));
    for place in by_loss.into_iter().take(usize::try_from(left).unwrap_or(0)) {
        if let Some((whole, _)) = shares.get_mut(place) {
            *whole += 1;
        }
    }
    // No part is larger than the amount.
    shares.into_iter().map(|(whole, _)| i64::try_from(whole * sign).unwrap_or(amount)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rounding_leaves_goes_to_those_that_lost_most() {
        assert_eq!(apportion(100, &[1, 1, 1]), [34, 33, 33]);
        assert_eq!(apportion(5, &[10, 29, 61]), [1, 1, 3]);
        assert_eq!(apportion(-5, &[10, 29, 61]), [-1, -1, -3]);
        assert_eq!(apportion(7, &[0, 3, -4]), [0, 7, 0]);
    }

    #[test]
    fn what_nothing_weighs_is_the_last_ones() {
        assert_eq!(apportion(3, &[0, 0]), [0, 3]);
        assert_eq!(apportion(3, &[]), [0; 0]);
    }
}
