//! However a history is cut into files: what is stored is the history, or something says what is missing.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use bank::{Day, Extent, Gap, Line, Misplaced, Span, Statement, Stored, gaps, place};
use base::{Money, Timestamp};
use proptest::prelude::*;

fn day(n: usize) -> Day {
    Day::of(Timestamp::from_seconds(i64::try_from(20_000 + n).expect("small") * 86_400))
}

fn line(on: usize, minor: i64, reference: &str) -> Line {
    Line {
        id: String::new(),
        booked_on: day(on),
        amount: Money::from_minor(minor),
        references: vec![reference.into()],
        counterparty: String::new(),
        description: String::new(),
        reversal: false,
    }
}

fn file(opening: i64, lines: &[Line]) -> Statement {
    let days = || lines.iter().map(|line| line.booked_on);
    let closing = opening + lines.iter().map(|line| line.amount.minor()).sum::<i64>();
    Statement {
        account: "A".into(),
        currency: "USD".into(),
        number: String::new(),
        from: days().min().unwrap_or_default(),
        to: days().max().unwrap_or_default(),
        opening: Some(Money::from_minor(opening)),
        closing: Some(Money::from_minor(closing)),
        lines: lines.to_vec(),
        left_out: 0,
    }
}

/// An account as a database keeps it.
#[derive(Clone, Default)]
struct Account {
    spans: BTreeMap<i64, Extent>,
    parts: Vec<(i64, Extent)>,
    lines: Vec<(i64, Stored)>,
    next: i64,
}

impl Account {
    fn import(&mut self, file: &Statement, told: Option<usize>) -> Result<(usize, usize), Misplaced> {
        let meets = |extent: &Extent| extent.from <= file.to && extent.to >= file.from;
        let span = |(id, extent): (&i64, &Extent)| {
            let own: Vec<&Stored> = self.lines.iter().filter(|(span, _)| span == id).map(|(_, kept)| kept).collect();
            let before = own.iter().filter(|kept| kept.line.booked_on < file.from).map(|kept| kept.line.amount);
            let on_its_days = |kept: &&&Stored| kept.line.booked_on >= file.from && kept.line.booked_on <= file.to;
            Span {
                id: *id,
                extent: *extent,
                parts: self.parts.iter().filter(|(span, _)| span == id).map(|(_, part)| *part).collect(),
                before: Money::sum(before).expect("a sum"),
                lines: own.iter().filter(on_its_days).map(|kept| (*kept).clone()).collect(),
            }
        };
        let spans: Vec<Span> = self.spans.iter().filter(|(_, extent)| meets(extent)).map(span).collect();
        let found = place(file, &spans, told)?;
        self.next += 1;
        let id = self.next;
        self.lines.iter_mut().filter(|(span, _)| found.joined.contains(span)).for_each(|(span, _)| *span = id);
        self.parts.iter_mut().filter(|(span, _)| found.joined.contains(span)).for_each(|(span, _)| *span = id);
        let joined = self.spans.iter().filter(|(span, _)| found.joined.contains(span));
        self.parts.extend(joined.map(|(_, extent)| (id, *extent)));
        self.lines.iter_mut().filter(|(_, kept)| found.proven.contains(&kept.id)).for_each(|(span, _)| *span = id);
        self.spans.retain(|span, _| !found.joined.contains(span));
        for (span, extent) in &found.left {
            self.spans.remove(span);
            self.spans.extend(extent.map(|extent| (*span, extent)));
        }
        self.spans.insert(id, found.extent);
        for at in &found.new {
            self.next += 1;
            self.lines.push((id, Stored { id: self.next, line: file.lines[*at].clone() }));
        }
        Ok((found.new.len(), found.known))
    }

    fn gaps(&self) -> Vec<Gap> {
        gaps(&self.spans.values().copied().collect::<Vec<_>>())
    }

    fn stored(&self) -> Vec<(Day, i64, String)> {
        essence(self.lines.iter().map(|(_, kept)| &kept.line))
    }
}

fn essence<'a>(lines: impl Iterator<Item = &'a Line>) -> Vec<(Day, i64, String)> {
    let mut all: Vec<_> = lines.map(|line| (line.booked_on, line.amount.minor(), line.references.concat())).collect();
    all.sort();
    all
}

#[test]
fn two_equal_payments_of_one_day_are_two() {
    let mut account = Account::default();
    let paid = [line(1, 2_000, "plan")];
    assert_eq!(account.import(&file(10_000, &paid), None), Ok((1, 0)));
    assert_eq!(account.import(&file(12_000, &paid), None), Ok((1, 0)));
    assert_eq!((account.lines.len(), account.gaps()), (2, Vec::new()));
}

#[test]
fn a_day_exported_again_is_known_whatever_was_added() {
    let mut account = Account::default();
    let mut paid = [line(1, 5_000, "rent")];
    account.import(&file(10_000, &paid), None).expect("new");
    paid[0].counterparty = "Mia Chen".into();
    paid[0].id = "another".into();
    assert!(matches!(account.import(&file(10_000, &paid), None), Err(Misplaced::Known { .. })));
    // With the rest of the day, or with the next one, it is known as well.
    let more = [paid[0].clone(), line(1, 700, "late")];
    assert_eq!(account.import(&file(10_000, &more), None), Ok((1, 1)));
    let next = [paid[0].clone(), more[1].clone(), line(2, -200, "fee")];
    assert_eq!(account.import(&file(10_000, &next), None), Ok((1, 2)));
}

#[test]
fn a_gap_is_told_and_filled_later() {
    let mut account = Account::default();
    account.import(&file(10_000, &[line(2, 5_000, "a")]), None).expect("new");
    account.import(&file(19_000, &[line(4, 1_000, "b")]), None).expect("new");
    let missing = Gap { after: day(2), before: day(4), from: Money::from_minor(15_000), to: Money::from_minor(19_000) };
    assert_eq!(account.gaps(), [missing]);
    account.import(&file(15_000, &[line(3, 4_000, "c")]), None).expect("fills it");
    assert_eq!((account.gaps(), account.lines.len()), (Vec::new(), 3));
}

/// The line that is known may be the file's first or its last: another statement would be placed by that.
#[test]
fn a_part_of_a_day_that_fits_at_both_ends_of_another_is_refused() {
    let mut account = Account::default();
    account.import(&file(13_000, &[line(3, 500, ""), line(3, 500, "plan")]), None).expect("new");
    let part = file(13_500, &[line(3, 500, "plan"), line(3, -500, "")]);
    let open = Misplaced::Unclear { known: Vec::new() };
    assert_eq!(account.import(&part, None), Err(open.clone()));
    assert_eq!(account.import(&part, Some(1)), Err(open.clone()));
    let whole = file(13_000, &[line(3, 500, ""), line(3, 500, "plan"), line(3, -500, "")]);
    assert_eq!(account.import(&whole, Some(2)), Ok((1, 2)));
    let before = file(12_000, &[line(2, 1_000, "x"), line(3, 500, "")]);
    assert_eq!(account.import(&before, Some(1)), Err(open));
    let days = file(12_000, &[&[line(2, 1_000, "x")], &whole.lines[..], &[line(4, 1, "y")]].concat());
    assert_eq!(account.import(&days, None), Ok((2, 3)));
    assert_eq!((account.gaps(), account.lines.len()), (Vec::new(), 5));
}

/// A day comes to 50.00 twice: what was taken for a longer export of the same hours was a later one.
#[test]
fn what_may_close_a_circle_on_a_day_put_together_from_parts_is_refused() {
    let mut account = Account::default();
    let noon = [line(1, 500, "a"), line(1, 7, "b")];
    account.import(&file(5_000, &noon), None).expect("new");
    let evening = [line(1, 500, "a"), line(1, 7, "b"), line(1, 3, "c")];
    assert_eq!(account.import(&file(5_000, &evening), None), Ok((1, 2)));
    let open = Err(Misplaced::Unclear { known: Vec::new() });
    let between = [line(1, -507, "d")];
    assert_eq!(account.import(&file(5_507, &between), None), open);
    assert_eq!(account.import(&file(5_507, &between), Some(0)), open);
    assert_eq!(account.lines.len(), 3);
    // What closes none is taken, and so is a statement that has the whole day within it.
    assert_eq!(account.import(&file(5_510, &[line(1, 40, "e")]), None), Ok((1, 0)));
    let days = [&[line(0, 1, "")], &noon[..], &between, &evening, &[line(1, 40, "e"), line(2, 1, "")]].concat();
    assert_eq!(account.import(&file(4_999, &days), None), Ok((5, 4)));
    assert_eq!((account.lines.len(), account.gaps()), (9, Vec::new()));
}

/// The first file ends within a day, at a balance to which the day comes again in the second.
#[test]
fn a_part_of_a_day_is_not_taken_for_another_in_which_it_moves_the_same() {
    let mut account = Account::default();
    account.import(&file(0, &[line(2, -500, ""), line(2, 500, "sweep")]), None).expect("new");
    let first = file(0, &[line(1, 500, ""), line(1, -500, "sweep"), line(2, -500, "")]);
    assert_eq!(account.import(&first, None), Err(Misplaced::Unclear { known: vec![0, 1] }));
    assert_eq!(account.import(&first, Some(0)), Err(Misplaced::Unclear { known: vec![0, 1] }));
    assert_eq!(account.lines.len(), 2);
}

/// Nothing but what is missing between them tells a longer export from a later one.
#[test]
fn a_person_says_how_many_lines_of_a_day_that_may_repeat_are_known() {
    let mut account = Account::default();
    account.import(&file(5_000, &[line(1, 500, "a")]), None).expect("new");
    let evening = file(5_000, &[line(1, 500, "a"), line(1, -500, "b"), line(1, 3, "c")]);
    assert_eq!(account.import(&evening, None), Err(Misplaced::Unclear { known: vec![0, 1] }));
    assert_eq!(account.import(&evening, Some(0)), Err(Misplaced::Unclear { known: vec![0, 1] }));
    assert_eq!(account.import(&evening, Some(1)), Ok((2, 1)));
    let more = file(5_000, &[&evening.lines[..], &[line(2, 8, "d")]].concat());
    assert_eq!(account.import(&more, Some(3)), Ok((1, 3)));
}

#[test]
fn a_day_without_movements_is_taken_once_and_belongs_to_its_history() {
    let mut account = Account::default();
    let still = Statement { from: day(2), to: day(2), ..file(15_000, &[]) };
    assert_eq!(account.import(&still, None), Ok((0, 0)));
    assert!(matches!(account.import(&still, None), Err(Misplaced::Known { .. })));
    account.import(&file(10_000, &[line(1, 5_000, "a")]), None).expect("the day before");
    account.import(&file(15_000, &[line(3, 1_000, "b")]), None).expect("the day after");
    assert_eq!((account.gaps(), account.lines.len()), (Vec::new(), 2));
    let whole = [line(1, 5_000, "a"), line(3, 1_000, "b")];
    assert_eq!(account.import(&file(10_000, &whole), None), Ok((0, 2)));
    assert!(matches!(account.import(&still, None), Err(Misplaced::Known { .. })));
}

#[test]
fn where_balances_recur_and_lines_are_equal_a_person_says_which() {
    let mut account = Account::default();
    let swept = [line(1, 2_000, "plan"), line(1, -2_000, "sweep")];
    account.import(&file(0, &swept), None).expect("new");
    assert_eq!(account.import(&file(0, &swept), None), Err(Misplaced::Unclear { known: vec![0, 2] }));
    assert_eq!(account.import(&file(0, &swept), Some(1)), Err(Misplaced::Unclear { known: vec![0, 2] }));
    assert!(matches!(account.import(&file(0, &swept), Some(2)), Err(Misplaced::Known { .. })));
    assert_eq!(account.import(&file(0, &swept), Some(0)), Ok((2, 0)));
    // Other lines need nobody.
    assert_eq!(account.import(&file(0, &[line(1, 2_000, "b"), line(1, -2_000, "sweep")]), None), Ok((2, 0)));
}

#[test]
fn a_swept_account_says_which_days_no_statement_has() {
    let mut account = Account::default();
    let swept = |on| [line(on, 2_000, "plan"), line(on, -2_000, "sweep")];
    account.import(&file(0, &swept(1)), None).expect("new");
    account.import(&file(0, &swept(3)), None).expect("new");
    assert_eq!(account.gaps().iter().map(|gap| (gap.after, gap.before)).collect::<Vec<_>>(), [(day(1), day(3))]);
    assert_eq!(account.import(&file(0, &swept(2)), None), Ok((2, 0)));
    assert_eq!(account.gaps(), []);
}

#[test]
fn a_whole_day_that_says_something_else_is_refused_with_both_sums() {
    let mut account = Account::default();
    let three = [line(1, 100, "a"), line(2, 200, "b"), line(3, 300, "c")];
    account.import(&file(0, &three), None).expect("new");
    let other = [line(1, 100, "a"), line(2, 250, "b"), line(3, 300, "c")];
    let refused = account.import(&file(0, &other), None);
    let (stored, told) = (Money::from_minor(200), Money::from_minor(250));
    assert_eq!(refused, Err(Misplaced::OtherLines { day: day(2), stored, file: told }));
    assert_eq!(account.lines.len(), 3);
    // A reference that the bank has changed is the same payment.
    let mut changed = three.clone();
    changed[1].references = vec!["b/1".into()];
    let longer = [changed.to_vec(), vec![line(4, 400, "d")]].concat();
    assert_eq!(account.import(&file(0, &longer), None), Ok((1, 3)));
    // The same lines from another balance on are not the same.
    let refused = account.import(&file(50, &three), None);
    assert!(matches!(refused, Err(Misplaced::OtherBalance { .. })), "{refused:?}");
}

#[test]
fn without_balances_it_is_unproven_until_a_file_has_its_lines() {
    let mut account = Account::default();
    let lines = [line(1, 100, "a"), line(2, 200, "b")];
    let without = |lines: &[Line]| Statement { opening: None, closing: None, ..file(0, lines) };
    let unproven = |account: &Account| account.spans.values().filter(|extent| extent.balances.is_none()).count();
    assert_eq!(account.import(&without(&lines), None), Ok((2, 0)));
    let more = [lines[1].clone(), line(3, 300, "c")];
    assert_eq!(account.import(&without(&more), None), Err(Misplaced::Unclear { known: vec![0, 1] }));
    assert_eq!(account.import(&without(&more), Some(1)), Ok((1, 1)));
    assert_eq!(unproven(&account), 2);
    assert_eq!(account.import(&file(1_000, &lines), None), Ok((0, 2)));
    assert_eq!(unproven(&account), 1);
    assert_eq!(account.import(&file(1_300, &[line(3, 300, "c"), line(4, 7, "d")]), None), Ok((1, 1)));
    assert_eq!((unproven(&account), account.gaps(), account.lines.len()), (0, Vec::new(), 4));
    // Days that are proven take nothing that they do not have.
    let whole = [line(3, 300, "c"), line(4, 7, "d"), line(5, 1, "e")];
    account.import(&file(1_300, &whole), None).expect("longer");
    assert!(matches!(account.import(&without(&[line(4, 8, "x")]), None), Err(Misplaced::OtherLines { .. })));
    assert!(matches!(account.import(&without(&[line(4, 7, "d")]), None), Err(Misplaced::Known { .. })));
}

#[test]
fn a_day_may_have_a_statement_for_every_hour() {
    let mut account = Account::default();
    for hour in [5usize, 3, 20, 0, 11, 9, 1, 2, 4, 6, 7, 8, 10, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 23] {
        let opening = 100 * i64::try_from(hour).expect("small");
        let paid = [line(1, 100, &format!("R-{hour}"))];
        assert_eq!(account.import(&file(opening, &paid), None), Ok((1, 0)), "{hour}");
    }
    let whole: Vec<Line> = (0..24).map(|hour| line(1, 100, &format!("R-{hour}"))).collect();
    assert_eq!(account.lines.len(), whole.len());
    assert!(account.gaps().is_empty());
    assert_eq!(account.import(&file(0, &[whole, vec![line(1, 7, "late")]].concat()), None), Ok((1, 24)));
}

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
