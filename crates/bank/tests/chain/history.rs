//! Histories at random.

use std::collections::BTreeMap;

use bank::{Day, Line, Misplaced, Statement};
use base::Money;
use proptest::prelude::*;

use crate::account::{Account, essence, file, line};

/// A line of a history: its day comes some days after the one before.
#[derive(Clone, Debug)]
struct Step {
    days: usize,
    minor: i64,
    reference: &'static str,
}

fn step() -> impl Strategy<Value = Step> {
    let minor = prop_oneof![Just(500i64), Just(-500), Just(2_000), -900i64..900].prop_filter("moves", |m| *m != 0);
    let days = prop_oneof![3 => Just(0usize), 3 => Just(1usize), 1 => Just(3usize)];
    (days, minor, prop::sample::select(vec!["", "plan", "R-1", "R-2", "R-3", "R-4"]))
        .prop_map(|(days, minor, reference)| Step { days, minor, reference })
}

/// In a swept account everything goes out again on the day on which it came in.
fn history(steps: &[Step], swept: bool) -> Vec<Line> {
    let (mut lines, mut on, mut held) = (Vec::new(), 1, 0);
    for step in steps {
        if step.days > 0 {
            if swept && held != 0 {
                lines.push(line(on, -held, "sweep"));
            }
            held = 0;
            on += step.days;
        }
        held += step.minor;
        lines.push(line(on, step.minor, step.reference));
    }
    if swept && held != 0 {
        lines.push(line(on, -held, "sweep"));
    }
    lines
}

/// A stretch of the history as a file: which lines, shuffled how, with a name or without.
#[derive(Clone, Debug)]
struct Cut {
    from: usize,
    until: usize,
    turned: bool,
    named: bool,
}

fn written(cut: &Cut, history: &[Line], opening: i64) -> Statement {
    let before: i64 = history[..cut.from].iter().map(|line| line.amount.minor()).sum();
    let mut file = file(opening + before, &history[cut.from..cut.until]);
    if cut.turned {
        file.lines.reverse();
    }
    if cut.named {
        file.lines.iter_mut().for_each(|line| line.counterparty = "Mia Chen".into());
    }
    file
}

#[derive(Clone, Debug)]
struct Case {
    steps: Vec<Step>,
    swept: bool,
    /// Where pieces that have everything between them are cut, and further files that overlap.
    pieces: Vec<prop::sample::Index>,
    more: Vec<(prop::sample::Index, prop::sample::Index)>,
    whole_days: bool,
    looks: Vec<(bool, bool)>,
    order: Vec<u16>,
}

fn case() -> impl Strategy<Value = Case> {
    (
        prop::collection::vec(step(), 1..14),
        any::<bool>(),
        prop::collection::vec(any::<prop::sample::Index>(), 0..5),
        prop::collection::vec(any::<(prop::sample::Index, prop::sample::Index)>(), 0..4),
        any::<bool>(),
        prop::collection::vec(any::<(bool, bool)>(), 16),
        prop::collection::vec(any::<u16>(), 16),
    )
        .prop_map(|(steps, swept, pieces, more, whole_days, looks, order)| Case {
            steps,
            swept,
            pieces,
            more,
            whole_days,
            looks,
            order,
        })
}

fn cuts(case: &Case, history: &[Line]) -> Vec<Cut> {
    // To the beginning of a day, or anywhere.
    let place = |at: usize| match case.whole_days {
        true => {
            history.iter().position(|line| line.booked_on == history[at.min(history.len() - 1)].booked_on).unwrap_or(0)
        }
        false => at,
    };
    let mut edges: Vec<usize> = case.pieces.iter().map(|at| place(at.index(history.len()))).collect();
    edges.extend([0, history.len()]);
    edges.sort_unstable();
    edges.dedup();
    let mut pairs: Vec<(usize, usize)> = edges.windows(2).map(|pair| (pair[0], pair[1])).collect();
    for (one, other) in &case.more {
        let (one, other) = (place(one.index(history.len())), place(other.index(history.len())));
        if one != other {
            pairs.push((one.min(other), one.max(other)));
        }
    }
    let looks = case.looks.iter().cycle();
    let mut cuts: Vec<(u16, Cut)> = pairs
        .into_iter()
        .zip(looks)
        .zip(case.order.iter().cycle())
        .map(|(((from, until), (turned, named)), order)| (*order, Cut { from, until, turned: *turned, named: *named }))
        .collect();
    cuts.sort_by_key(|(order, _)| *order);
    cuts.into_iter().map(|(_, cut)| cut).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn what_is_stored_is_the_history_or_something_says_what_is_missing(case in case()) {
        let history = history(&case.steps, case.swept);
        let (mut account, opening) = (Account::default(), 10_000);
        let mut stored = vec![false; history.len()];
        let mut refused = Vec::new();
        for cut in cuts(&case, &history) {
            let file = written(&cut, &history, opening);
            // Who is asked knows how many of its lines are there.
            let truly = stored[cut.from..cut.until].iter().filter(|known| **known).count();
            let taken = match account.import(&file, None) {
                Err(Misplaced::Unclear { known }) => {
                    let taken = account.import(&file, Some(truly));
                    prop_assert!(taken.is_err() || known.contains(&truly), "{known:?} {truly} {cut:?}");
                    taken
                }
                taken => taken,
            };
            match taken {
                Ok((new, known)) => {
                    prop_assert_eq!(new + known, file.lines.len());
                    stored[cut.from..cut.until].fill(true);
                }
                Err(Misplaced::Known { .. }) if truly == file.lines.len() => {}
                Err(why) => refused.push((cut, why)),
            }
        }
        let told = !account.gaps().is_empty() || !refused.is_empty();
        prop_assert!(told || account.stored() == essence(history.iter()), "{:?}", account.stored());
    }
}

/// How lines are written: by the bank, with its own references besides, or as somebody typed them, with the payer's or
/// without.
fn written_as(look: u8, opening: i64, lines: &[Line]) -> Statement {
    let mut lines = lines.to_vec();
    for line in &mut lines {
        match look {
            0 => line.references.push(format!("T-{}", line.references.concat())),
            1 => line.references.clear(),
            _ => {}
        }
    }
    let proven = file(opening, &lines);
    match look {
        0 => Statement { number: "1".into(), ..proven },
        _ => Statement { opening: None, closing: None, ..proven },
    }
}

fn counted(lines: impl Iterator<Item = (Day, i64)>) -> BTreeMap<(Day, i64), usize> {
    let mut counts = BTreeMap::new();
    lines.for_each(|kind| *counts.entry(kind).or_default() += 1);
    counts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn nothing_that_was_typed_is_stored_twice(
        steps in prop::collection::vec(step(), 1..10),
        pieces in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0u8..3), 2..7),
    ) {
        let mut history = history(&steps, false);
        for (n, line) in history.iter_mut().enumerate() {
            line.references = vec![format!("U-{n}")];
            // No balance comes again: what was typed without a reference is told from nothing else then.
            line.amount = Money::from_minor(line.amount.minor().abs());
        }
        let (mut account, mut stored, mut refused) = (Account::default(), vec![false; history.len()], false);
        for (one, other, look) in pieces {
            let (one, other) = (one.index(history.len()), other.index(history.len()));
            let (from, until) = (one.min(other), one.max(other) + 1);
            let before: i64 = history[..from].iter().map(|line| line.amount.minor()).sum();
            let file = written_as(look, 10_000 + before, &history[from..until]);
            let truly = stored[from..until].iter().filter(|known| **known).count();
            let taken = match account.import(&file, None) {
                Err(Misplaced::Unclear { .. }) => account.import(&file, Some(truly)),
                taken => taken,
            };
            match taken {
                Ok((_, known)) => {
                    prop_assert_eq!(known, truly, "{:?}", file);
                    stored[from..until].fill(true);
                }
                Err(_) => refused |= truly < file.lines.len(),
            }
        }
        let (kept, all) = (account.stored(), counted(history.iter().map(|line| (line.booked_on, line.amount.minor()))));
        let kept = counted(kept.into_iter().map(|(day, minor, _)| (day, minor)));
        let told = refused || !account.gaps().is_empty();
        prop_assert!(told || kept.iter().all(|(kind, count)| all.get(kind).is_some_and(|most| count <= most)), "{kept:?}");
    }

    /// Where balances come again, somebody may have to say it, but nothing is stored twice without a word.
    #[test]
    fn nothing_that_was_typed_is_stored_twice_where_balances_come_again(
        steps in prop::collection::vec(step(), 1..6),
        pieces in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0u8..3), 2..7),
    ) {
        let mut history = history(&steps, true);
        history.iter_mut().enumerate().for_each(|(n, line)| line.references = vec![format!("U-{n}")]);
        let (mut account, mut stored, mut refused) = (Account::default(), vec![false; history.len()], false);
        for (one, other, look) in pieces {
            let (one, other) = (one.index(history.len()), other.index(history.len()));
            let (from, until) = (one.min(other), one.max(other) + 1);
            let before: i64 = history[..from].iter().map(|line| line.amount.minor()).sum();
            let file = written_as(look, 10_000 + before, &history[from..until]);
            let truly = stored[from..until].iter().filter(|known| **known).count();
            let taken = match account.import(&file, None) {
                Err(Misplaced::Unclear { .. }) => account.import(&file, Some(truly)),
                taken => taken,
            };
            match taken {
                Ok(_) => stored[from..until].fill(true),
                Err(_) => refused |= truly < file.lines.len(),
            }
        }
        let (kept, all) = (account.stored(), counted(history.iter().map(|line| (line.booked_on, line.amount.minor()))));
        let kept = counted(kept.into_iter().map(|(day, minor, _)| (day, minor)));
        let told = refused || !account.gaps().is_empty();
        prop_assert!(told || kept.iter().all(|(kind, count)| all.get(kind).is_some_and(|most| count <= most)), "{kept:?}");
    }
}
