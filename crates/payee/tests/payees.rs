//! Numbers and addresses as people paste them, and what each of them is. The app's form is
//! held to the same list.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use payee::testing::{ethereum_address, tron_address};
use payee::{BankAccount, Network, PayeeProblem};
use proptest::prelude::*;
use serde_json::{Value, json};

fn cases(kind: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("payees.json")).expect("JSON");
    let cases = all[kind].as_array().expect("a list").clone();
    assert!(cases.len() > 15, "{kind}");
    cases
}

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().expect("a text")
}

#[test]
fn accounts_are_read_as_they_are_pasted() {
    for case in cases("accounts") {
        let found = match text(&case, "typed").parse::<BankAccount>() {
            Ok(account) => json!({ "number": account.number(), "iban": account.is_iban() }),
            Err(problem) => json!({ "problem": problem.key() }),
        };
        for (key, right) in case
            .as_object()
            .expect("a case")
            .iter()
            .filter(|(key, _)| ["number", "iban", "problem"].contains(&key.as_str()))
        {
            assert_eq!(&found[key], right, "{case}: {found}");
        }
    }
}

#[test]
fn addresses_are_read_on_their_network() {
    for case in cases("addresses") {
        let network: Network = text(&case, "network").parse().expect("a network");
        let found = match network.address(text(&case, "typed")) {
            Ok(address) => json!({ "number": address }),
            Err(problem) => json!({ "problem": problem.key() }),
        };
        for (key, right) in
            case.as_object().expect("a case").iter().filter(|(key, _)| ["number", "problem"].contains(&key.as_str()))
        {
            assert_eq!(&found[key], right, "{case}: {found}");
        }
    }
}

/// Another character at one place.
fn mistyped(number: &str, at: usize, to: char) -> Option<String> {
    let at = at % number.len();
    let mut typed: Vec<char> = number.chars().collect();
    let before = std::mem::replace(&mut typed[at], to);
    (!before.eq_ignore_ascii_case(&to)).then(|| typed.into_iter().collect())
}

proptest! {
    #[test]
    fn one_wrong_character_is_found(seed in "[a-z]{8}", at in 0_usize..42, to in "[1-9a-f]") {
        let to = to.chars().next().expect("one");
        let address = tron_address(&seed);
        prop_assert_eq!(Network::Trc20.address(&address), Ok(address.clone()));
        if let Some(wrong) = mistyped(&address, at, to) {
            prop_assert!(Network::Trc20.address(&wrong).is_err(), "{}", wrong);
        }
        if let Some(wrong) = mistyped("DE02120300000000202051", at, to) {
            prop_assert_ne!(wrong.parse::<BankAccount>().ok().map(|account| account.is_iban()), Some(true));
        }
    }

    /// Letters of the wrong case are; where none is left that says anything, nothing can be.
    #[test]
    fn another_case_is_found(seed in "[a-z]{8}", at in 2_usize..42) {
        let address = ethereum_address(&seed);
        prop_assert_eq!(Network::Erc20.address(&address), Ok(address.clone()));
        let mut typed: Vec<char> = address.chars().collect();
        let before = typed[at];
        typed[at] = if before.is_ascii_uppercase() { before.to_ascii_lowercase() } else { before.to_ascii_uppercase() };
        let wrong: String = typed.into_iter().collect();
        let mixed = |text: &str| text[2..].bytes().any(|b| b.is_ascii_lowercase()) && text[2..].bytes().any(|b| b.is_ascii_uppercase());
        if wrong != address && mixed(&wrong) {
            prop_assert_eq!(Network::Erc20.address(&wrong), Err(PayeeProblem::AddressCheck));
        }
    }

    #[test]
    fn neighbours_that_were_exchanged_are_found(at in 4_usize..21) {
        let mut typed: Vec<char> = "DE02120300000000202051".chars().collect();
        typed.swap(at, at + 1);
        let wrong: String = typed.into_iter().collect();
        if wrong != "DE02120300000000202051" {
            prop_assert_eq!(wrong.parse::<BankAccount>(), Err(PayeeProblem::IbanCheck));
        }
    }

    #[test]
    fn nothing_that_is_typed_breaks_it(typed in ".{0,80}") {
        let read = typed.parse::<BankAccount>();
        if let Ok(account) = &read {
            prop_assert_eq!(account.number().parse::<BankAccount>(), read);
        }
        for network in Network::ALL {
            let _ = network.address(&typed);
        }
    }
}
