//! The proof file: what holds is believed, and nothing else.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

mod damage;
mod example;
mod history;
mod random;

use std::collections::BTreeMap;
use std::io::Cursor;

use proof::file::{BadFile, KeyFile, Proved, verify};

use damage::{KINDS, damaged};
use history::{FLAWS, history};
use random::Random;

fn verified(text: &[u8], keys: &str) -> Result<Proved, BadFile> {
    verify(Cursor::new(text), &keys.parse().expect("keys"))
}

#[test]
fn a_history_is_proved() {
    let mut random = Random::new(1);
    let (mut empty, mut with_balances, mut cosigned) = (0, 0, 0);
    for number in 0..300 {
        let history = history(&mut random);
        let proved = verified(history.text.as_bytes(), &history.keys);
        let proved = proved.unwrap_or_else(|error| panic!("{number}: {error}\n{}", history.text));
        assert_eq!(proved.book, history.head);
        assert_eq!(proved.last, history.head.previous.0 + history.head.transactions);
        assert_eq!(proved.cosigned.len(), history.witnesses.len());
        assert_eq!(proved.head.size, u64::try_from(history.leaves.len()).expect("small"));
        empty += usize::from(history.head.transactions == 0);
        with_balances += usize::from(proved.balances.is_some());
        cosigned += usize::from(!proved.cosigned.is_empty());
    }
    assert!(empty > 5 && with_balances > 50 && cosigned > 50, "{empty} {with_balances} {cosigned}");
}

#[test]
fn nothing_damaged_is_proved() {
    let mut random = Random::new(2);
    let mut kinds = BTreeMap::new();
    let all = KINDS.len() + FLAWS.len();
    for number in 0..all * 30 {
        let (history, kind, bytes) = damaged(&mut random, number);
        let found = verified(&bytes, &history.keys);
        let shown = String::from_utf8_lossy(&bytes);
        let refused = found.err().unwrap_or_else(|| panic!("{kind} is not found:\n{}\n->\n{shown}", history.text));
        assert!(!refused.to_string().contains('\n'), "{refused}");
        *kinds.entry(kind).or_insert(0) += 1;
    }
    assert_eq!(kinds.len(), all);
}

#[test]
fn keys_are_those_that_were_kept() {
    let mut random = Random::new(3);
    let (own, other) = (history(&mut random), history(&mut random));
    let refused = verified(own.text.as_bytes(), &other.keys).expect_err("another log's key");
    assert!(refused.why.contains("none of the given keys"), "{refused}");
    for (keys, told) in [
        ("", "line 0: there is no key of a log"),
        ("# nothing\n\n", "line 2: there is no key of a log"),
        ("ads.example.com/placard\n", "line 1: it is no key of a log or of a witness"),
        (
            "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW\n",
            "line 1: it is no key of a log or of a witness",
        ),
    ] {
        assert_eq!(keys.parse::<KeyFile>().expect_err("no keys").to_string(), told);
    }
}
