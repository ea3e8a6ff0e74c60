//! Files without balances, and what proves them.

use bank::{Line, Misplaced, Statement};

use crate::account::{Account, file, line};

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

pub fn without(lines: &[Line]) -> Statement {
    Statement { opening: None, closing: None, ..file(0, lines) }
}

pub fn refer(line: Line, references: &[&str]) -> Line {
    Line { references: references.iter().map(|one| (*one).to_owned()).collect(), ..line }
}

#[test]
fn what_may_be_an_unproven_line_is_known_by_a_reference_or_asked_about() {
    let paid = |references: &[&str]| refer(line(1, 5_000, ""), references);
    let typed = || {
        let mut account = Account::default();
        account.import(&without(&[paid(&["BANK-4711"])]), None).expect("new");
        account
    };
    // The bank's own file has references of its own besides.
    for references in [&["BANK-4711", "TX-9"][..], &["M-1", "bank 4711", "U-1"]] {
        let mut account = typed();
        assert_eq!(account.import(&file(100, &[paid(references)]), None), Ok((0, 1)), "{references:?}");
        assert_eq!((account.lines.len(), account.gaps().len()), (1, 0));
        assert!(account.spans.values().all(|extent| extent.balances.is_some()), "{:?}", account.spans);
    }
    // Nothing but the day and the amount: a person knows.
    let other = Line { description: "recharge BANK-4711".into(), ..paid(&[]) };
    for (told, stored) in [(0, Ok((1, 0))), (1, Ok((0, 1)))] {
        let mut account = typed();
        let unclear = Err(Misplaced::Unclear { known: vec![0, 1] });
        assert_eq!(account.import(&file(100, std::slice::from_ref(&other)), None), unclear);
        assert_eq!(account.import(&file(100, std::slice::from_ref(&other)), Some(7)), unclear);
        assert_eq!(account.import(&file(100, std::slice::from_ref(&other)), Some(told)), stored);
    }
    // A whole day is clear, and another amount or day is another payment.
    let days = [line(0, 1, "x"), other.clone(), line(2, 1, "y")];
    assert_eq!(typed().import(&file(100, &days), None), Ok((2, 1)));
    assert_eq!(typed().import(&file(100, &[line(1, 5_001, "")]), None), Ok((1, 0)));
    assert_eq!(typed().import(&file(100, &[line(2, 5_000, "")]), None), Ok((1, 0)));
}

#[test]
fn a_reference_of_several_payments_tells_none_of_them() {
    let mut account = Account::default();
    let paid = |references: &[&str]| refer(line(1, 5_000, ""), references);
    account.import(&without(&[paid(&["BATCH"])]), None).expect("new");
    let both = [paid(&["BATCH", "T-1"]), paid(&["BATCH", "T-2"]), line(1, 7, "")];
    assert_eq!(account.import(&file(0, &both), None), Err(Misplaced::Unclear { known: vec![0, 1] }));
    assert_eq!(account.import(&file(0, &both), Some(1)), Ok((2, 1)));
    assert_eq!((account.lines.len(), account.gaps()), (3, Vec::new()));
}

#[test]
fn of_several_payments_the_one_of_the_same_name_is_known() {
    let mut account = Account::default();
    let paid = |name: &str, reference: &str| Line { counterparty: name.into(), ..line(1, 5_000, reference) };
    account.import(&without(&[paid("Mia Chen", "")]), None).expect("new");
    let both = [paid("Ben Ito", "T-1"), paid("MIA CHEN", "T-2")];
    assert_eq!(account.import(&file(0, &both), Some(1)), Ok((1, 1)));
    assert_eq!(account.lines[1].1.line.counterparty, "Ben Ito");
}

/// As the bank's own file has it.
fn numbered(of: Statement) -> Statement {
    Statement { number: "7".into(), ..of }
}

#[test]
fn what_was_typed_is_known_in_the_banks_words_where_balances_come_again() {
    let swept = |references: &[&str]| [refer(line(1, 5_000, ""), references), line(1, -5_000, "sweep")];
    let asked = |known: &[usize]| Err(Misplaced::Unclear { known: known.to_vec() });
    let banks = swept(&["M-1", "BANK-4711", "U-1"]);
    // Typed without balances and proven later, or typed with balances.
    let mut proven = Account::default();
    proven.import(&without(&swept(&["BANK-4711"])), None).expect("typed");
    assert_eq!(proven.import(&numbered(file(0, &banks)), None), Ok((0, 2)));
    let mut told = Account::default();
    told.import(&file(0, &swept(&["BANK-4711"])), None).expect("typed");
    for mut account in [proven, told] {
        assert_eq!(account.clone().import(&numbered(file(0, &banks)), None), asked(&[0, 2]));
        let longer = numbered(file(0, &[&banks[..], &[line(2, 7, "later")]].concat()));
        assert_eq!(account.clone().import(&longer, None), asked(&[0, 2]));
        assert_eq!(account.import(&longer, Some(2)), Ok((1, 2)));
        assert_eq!(account.lines.len(), 3);
    }
}

#[test]
fn what_shares_no_reference_with_what_was_typed_is_asked_about_where_balances_come_again() {
    let swept = |reference: &str| [line(1, 5_000, reference), line(1, -5_000, "sweep")];
    let mut account = Account::default();
    account.import(&without(&swept("rent of May")), None).expect("typed");
    assert_eq!(account.import(&numbered(file(0, &swept("T-9"))), Some(2)), Ok((0, 2)));
    let again = numbered(file(0, &swept("T-9")));
    assert_eq!(account.clone().import(&again, None), Err(Misplaced::Unclear { known: vec![0, 2] }));
    assert_eq!(account.clone().import(&again, Some(0)), Ok((2, 0)));
    assert!(matches!(account.import(&again, Some(2)), Err(Misplaced::Known { .. })));
    // Another amount is another payment, and needs nobody.
    let other = [line(1, 5_001, "T-10"), line(1, -5_001, "sweep")];
    assert_eq!(account.import(&numbered(file(0, &other)), None), Ok((2, 0)));
}

#[test]
fn a_table_with_balances_and_the_banks_file_of_its_day_are_one() {
    let paid = |references: &[&str]| refer(line(1, 5_000, ""), references);
    let banks = numbered(file(100, &[paid(&["M-1", "bank 4711"]), paid(&["M-1", "BANK-4712"])]));
    let table = file(100, &[paid(&["BANK-4711"]), paid(&["BANK-4712"])]);
    for (first, second) in [(&table, &banks), (&banks, &table)] {
        let mut account = Account::default();
        assert_eq!(account.import(first, None), Ok((2, 0)));
        assert!(matches!(account.import(second, None), Err(Misplaced::Known { .. })));
    }
}
