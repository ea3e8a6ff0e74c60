//! However a history is cut into files: what is stored is the history, or something says what is missing.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

mod account;
mod history;
mod unproven;

use bank::{Gap, Line, Misplaced, Statement, last};
use base::Money;

use account::{Account, day, file, line};
use unproven::{refer, without};

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

/// A statement of its days alone, whatever was booked back into earlier ones.
fn on(from: usize, to: usize, of: Statement) -> Statement {
    Statement { from: day(from), to: day(to), ..of }
}

#[test]
fn what_is_booked_back_belongs_to_the_statement_that_has_it() {
    let mut account = Account::default();
    let (second, fee) = (line(2, 5_000, "a"), line(0, -300, "fee"));
    account.import(&file(10_000, std::slice::from_ref(&second)), None).expect("new");
    let fourth = on(4, 4, file(15_000, &[fee.clone(), line(4, 700, "b")]));
    assert_eq!(account.import(&fourth, None), Ok((2, 0)));
    assert_eq!(account.gaps(), []);
    assert_eq!(account.stored()[0], (day(0), -300, "fee".into()), "it has its own day");
    assert!(matches!(account.import(&fourth, None), Err(Misplaced::Known { .. })));
    let longer = on(4, 5, file(15_000, &[fee.clone(), line(4, 700, "b"), line(5, 1, "c")]));
    assert_eq!(account.import(&longer, None), Ok((1, 2)));
    // The days before it may come later, and have it not.
    assert_eq!(account.import(&file(9_000, &[line(0, 1_000, "before")]), None), Ok((1, 0)));
    assert_eq!((account.gaps(), account.lines.len()), (Vec::new(), 5));
    // A file of all these days has it on its own day.
    let all = [line(0, 1_000, "before"), fee, second, line(4, 700, "b"), line(5, 1, "c"), line(6, 2, "d")];
    let all = account.import(&file(9_000, &all), None);
    assert!(all == Ok((1, 5)) || matches!(all, Err(Misplaced::OtherBalance { .. })), "never twice: {all:?}");
}

#[test]
fn what_is_booked_back_into_unproven_days_is_not_stored_twice() {
    let mut account = Account::default();
    account.import(&without(&[line(0, -300, "fee"), line(1, 20, "x")]), None).expect("new");
    let fourth = on(4, 4, file(15_000, &[refer(line(0, -300, ""), &["fee", "T-1"]), line(4, 700, "b")]));
    assert_eq!(account.import(&fourth, None), Ok((1, 1)));
    assert_eq!(account.lines.len(), 3);
}

#[test]
fn the_last_balance_is_that_of_the_last_stretch_whatever_came_last() {
    let mut account = Account::default();
    account.import(&file(15_000, &[line(2, 2_000, "evening")]), None).expect("new");
    account.import(&file(10_000, &[line(2, 5_000, "morning")]), None).expect("new");
    account.import(&file(9_000, &[line(1, 1_000, "before")]), None).expect("new");
    let ends = |account: &Account| last(&account.spans.values().copied().collect::<Vec<_>>());
    assert_eq!(ends(&account), Some((day(2), Money::from_minor(17_000))));
    assert_eq!(ends(&Account::default()), None);
    // Without balances it says nothing.
    account.import(&without(&[line(3, 1, "typed")]), None).expect("new");
    assert_eq!(ends(&account), Some((day(2), Money::from_minor(17_000))));
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
