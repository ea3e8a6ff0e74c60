//! Multisets of lines of one day.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::day::Day;
use crate::reference::compared;
use crate::statement::Line;

/// The key by which lines are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    AmountAndReference,
    Amount,
}

/// Numbers for what lines are compared by, and the amount of each.
pub struct Keys {
    by: By,
    numbers: HashMap<(i64, String), usize>,
    amounts: Vec<i128>,
}

/// The purpose of a line: its references, or its description if it has none. Names are left out, because banks add them
/// later.
pub fn purpose(line: &Line) -> String {
    if line.references.is_empty() {
        return compared(&line.description);
    }
    let mut all: Vec<String> = line.references.iter().map(|reference| compared(reference)).collect();
    all.sort();
    all.join("\n")
}

impl Keys {
    pub fn new(by: By) -> Self {
        Self { by, numbers: HashMap::new(), amounts: Vec::new() }
    }

    pub fn of(&mut self, line: &Line) -> usize {
        let next = self.amounts.len();
        let number = *self.numbers.entry(self.compared(line)).or_insert(next);
        if number == next {
            self.amounts.push(i128::from(line.amount.minor()));
        }
        number
    }

    /// The number of a line that was counted before.
    pub fn find(&self, line: &Line) -> usize {
        self.numbers.get(&self.compared(line)).copied().unwrap_or(usize::MAX)
    }

    fn compared(&self, line: &Line) -> (i64, String) {
        (line.amount.minor(), if self.by == By::Amount { String::new() } else { purpose(line) })
    }

    pub fn amount(&self, key: usize) -> i128 {
        self.amounts.get(key).copied().unwrap_or_default()
    }

    pub fn sum(&self, bag: &Bag) -> i128 {
        bag.counts.iter().map(|(key, count)| self.amount(*key) * i128::try_from(*count).unwrap_or(0)).sum()
    }

    /// The lines of each day.
    pub fn days<'a>(&mut self, lines: impl Iterator<Item = &'a Line>) -> BTreeMap<Day, Bag> {
        let mut days: BTreeMap<Day, Bag> = BTreeMap::new();
        for line in lines {
            let key = self.of(line);
            days.entry(line.booked_on).or_default().add(key, 1);
        }
        days
    }
}

/// How many lines there are of each key.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bag {
    counts: BTreeMap<usize, usize>,
}

impl Bag {
    pub fn add(&mut self, key: usize, count: usize) {
        if count > 0 {
            *self.counts.entry(key).or_default() += count;
        }
    }

    pub fn add_all(&mut self, other: &Self) {
        other.counts.iter().for_each(|(key, count)| self.add(*key, *count));
    }

    pub fn count(&self, key: usize) -> usize {
        self.counts.get(&key).copied().unwrap_or(0)
    }

    pub fn len(&self) -> usize {
        self.counts.values().sum()
    }

    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    pub fn keys(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.counts.iter().map(|(key, count)| (*key, *count))
    }

    /// This bag without the lines of another; `None` if it does not contain all of them.
    pub fn without(&self, other: &Self) -> Option<Self> {
        let mut left = self.clone();
        for (key, count) in other.keys() {
            match self.count(key).checked_sub(count)? {
                0 => left.counts.remove(&key),
                rest => left.counts.insert(key, rest),
            };
        }
        Some(left)
    }

    pub fn common(&self, other: &Self) -> Self {
        let mut common = Self::default();
        self.keys().for_each(|(key, count)| common.add(key, count.min(other.count(key))));
        common
    }

    /// The parts of it with this sum, except the empty one. In a large bag, only those parts are tried that are at the
    /// beginning or the end of `order`, and the whole bag: among very many parts, some would have the sum by chance.
    pub fn parts(&self, sum: i128, keys: &Keys, order: &[usize]) -> Vec<Self> {
        let ways = self.keys().try_fold(1usize, |ways, (_, count)| ways.checked_mul(count + 1));
        let mut found = BTreeSet::new();
        if ways.is_some_and(|ways| ways <= MOST_WAYS) {
            let all: Vec<(usize, usize)> = self.keys().collect();
            pick(&all, &mut Self::default(), sum, keys, &mut found);
        } else {
            if keys.sum(self) == sum {
                found.insert(self.clone());
            }
            self.runs(order.iter().copied(), sum, keys, &mut found);
            self.runs(order.iter().rev().copied(), sum, keys, &mut found);
        }
        found.into_iter().filter(|part| !part.is_empty()).collect()
    }

    fn runs(&self, order: impl Iterator<Item = usize>, sum: i128, keys: &Keys, found: &mut BTreeSet<Self>) {
        let (mut run, mut moved) = (Self::default(), 0);
        for key in order {
            run.add(key, 1);
            moved += keys.amount(key);
            if run.count(key) > self.count(key) {
                return;
            }
            if moved == sum {
                found.insert(run.clone());
            }
        }
    }
}

/// The most ways of choosing lines that are all looked at.
const MOST_WAYS: usize = 1_024;

fn pick(rest: &[(usize, usize)], chosen: &mut Bag, sum: i128, keys: &Keys, found: &mut BTreeSet<Bag>) {
    let Some(((key, count), rest)) = rest.split_first() else {
        if sum == 0 {
            found.insert(chosen.clone());
        }
        return;
    };
    for times in 0..=*count {
        let mut chosen = chosen.clone();
        chosen.add(*key, times);
        let moved = keys.amount(*key) * i128::try_from(times).unwrap_or(0);
        pick(rest, &mut chosen, sum - moved, keys, found);
    }
}

/// The most sums that are remembered; with more, any sum is taken to be possible.
const MOST_SUMS: usize = 1 << 14;

/// Whether some of these amounts may have this sum.
pub fn may_make(sum: i128, amounts: impl Iterator<Item = i128>) -> bool {
    let mut sums = vec![0];
    for amount in amounts {
        sums = with(&sums, amount);
        if sums.len() > MOST_SUMS {
            return true;
        }
    }
    sums.binary_search(&sum).is_ok()
}

/// Whether some of these amounts, with one of the file's among them, may add up to zero: whether lines in some order
/// lead to a balance again.
pub fn comes_again(stored: Vec<i128>, file: Vec<i128>) -> bool {
    let is_one_way = |sign: i128| stored.iter().chain(&file).all(|amount| amount.signum() == sign);
    // If money only comes in, or only goes out, no balance can occur twice, however many lines there are.
    if is_one_way(1) || is_one_way(-1) {
        return false;
    }
    let mut sums = vec![0];
    let first = stored.len();
    for (at, amount) in stored.into_iter().chain(file).enumerate() {
        if at >= first && (sums.binary_search(&-amount).is_ok() || sums.len() > MOST_SUMS) {
            return true;
        }
        if sums.len() <= MOST_SUMS {
            sums = with(&sums, amount);
        }
    }
    false
}

/// The sums in their order, each without the amount and with it. In order they are merged at once: a day may have
/// thousands of lines.
fn with(sums: &[i128], amount: i128) -> Vec<i128> {
    let mut all = Vec::with_capacity(sums.len().saturating_mul(2));
    let (mut without, mut more) = (sums.iter().copied().peekable(), sums.iter().map(|sum| sum + amount).peekable());
    loop {
        let is_less = match (without.peek(), more.peek()) {
            (Some(one), Some(other)) => one <= other,
            (one, _) => one.is_some(),
        };
        let Some(next) = (if is_less { without.next() } else { more.next() }) else { return all };
        if all.last() != Some(&next) {
            all.push(next);
        }
    }
}

impl Keys {
    /// Every amount in a bag.
    pub fn amounts(&self, bag: &Bag) -> Vec<i128> {
        bag.keys().flat_map(|(key, count)| std::iter::repeat_n(self.amount(key), count)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_sum_is_possible_where_some_of_the_amounts_make_it(
            amounts in prop::collection::vec(-9i128..9, 0..9), sum in -20i128..20,
        ) {
            let amount = |at: usize| amounts.get(at).copied().unwrap_or_default();
            let made = |chosen: u32| (0..amounts.len()).filter(|at| (chosen >> at) & 1 == 1).map(amount).sum::<i128>();
            let all = || 0u32..(1 << amounts.len());
            prop_assert_eq!(may_make(sum, amounts.iter().copied()), all().any(|chosen| made(chosen) == sum));
            // With one of the last amounts, which are the file's.
            for stored in 0..=amounts.len() {
                let has_one = |chosen: u32| (chosen >> stored) > 0;
                let expected = all().any(|chosen| has_one(chosen) && made(chosen) == 0);
                let (stored, file) = amounts.split_at(stored);
                prop_assert_eq!(comes_again(stored.to_vec(), file.to_vec()), expected);
            }
        }
    }

    #[test]
    fn a_day_on_which_money_only_comes_in_comes_to_no_balance_again() {
        // However many sums there are.
        let many: Vec<i128> = (0..=20).map(|power| 1 << power).collect();
        let least = |all: &[i128]| all.iter().map(|amount| -amount).collect::<Vec<_>>();
        assert!(!comes_again(Vec::new(), many.clone()) && !comes_again(least(&many), least(&many)));
        // If there are more sums than are remembered, any sum counts as possible.
        assert!(comes_again(many.clone(), vec![-(1 << 40)]));
        let equal = vec![100; 2_000];
        assert!(!comes_again(equal.clone(), vec![-1]) && comes_again(equal, vec![-100]));
    }
}
