//! Small books in both formats, as files that were read by eye, and as the programs read them that they are for.
//!
//! UPDATE_GOLDEN=1 writes the files anew.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use documents::{ClosingDay, Journal, JournalFormat, JournalPosting, JournalTransaction, component, testing};

const FORMATS: [(JournalFormat, &str); 2] =
    [(JournalFormat::Hledger, "journal"), (JournalFormat::Beancount, "beancount")];
/// What means something to either format, in a place where it must not.
const ODD: [&str; 6] = [
    "say \"so\"; \\to\\ | them, date:2026-99-99 [2026-99-99] [=2026-01-01]",
    "\"",
    "\\",
    "; * ! (7) 12.00 USD @ 3 EUR = 4",
    "two\r\nlines\n\n2026-01-01 close Assets:Bank\u{2028}\u{1b}[2J\0",
    "  中文 – „Größe“, 😀 e\u{301} \u{202e}abc  ",
];

fn journal(format: JournalFormat, currency: &str, decimals: u32) -> Journal {
    Journal { format, currency: currency.to_owned(), decimals }
}

fn users(name: &str) -> String {
    format!("Liabilities:Users:Available:{}", if name.is_empty() { "7".to_owned() } else { format!("7-{name}") })
}

/// A day with a recharge, a plan and its bill for each text, on two days.
fn books(journal: &Journal, texts: &[&str], account: &str, label: Option<&str>) -> String {
    let held = "Liabilities:Users:Held:Available:7";
    let mut text = journal.head("Ledger of \"Placard\"", &["Everything in it is simulated.".to_owned()]);
    for account in ["Assets:Clearing:Recharges", "Income:Delivery", held] {
        text.push_str(&journal.account(account, None));
    }
    text.push_str(&journal.account(account, label));
    let posting = |account: &str, amount| JournalPosting { account: account.to_owned(), amount, facts: Vec::new() };
    let mut sums = BTreeMap::from([(account.to_owned(), 0), (held.to_owned(), 0), ("Income:Delivery".to_owned(), 0)]);
    sums.insert("Assets:Clearing:Recharges".to_owned(), 0);
    for (n, said) in (1_i128..).zip(texts) {
        let of_plan = JournalPosting { facts: vec![("plan", "3".to_owned())], ..posting(held, -5 * n) };
        let steps = [
            (
                "2026-01-31",
                "recharge",
                vec![posting("Assets:Clearing:Recharges", 1234 * n), posting(account, -1234 * n)],
            ),
            ("2026-02-01", "plan_put", vec![posting(account, 5 * n), of_plan]),
            ("2026-02-01", "delivery_billed", vec![posting(held, 3 * n), posting("Income:Delivery", -3 * n)]),
        ];
        for (date, kind, postings) in steps {
            for posting in &postings {
                *sums.entry(posting.account.clone()).or_default() += posting.amount;
            }
            let facts =
                vec![("time", "23:59:59.999Z".to_owned()), ("book", "user 7".to_owned()), ("by", (*said).to_owned())];
            let number = i64::try_from(n).expect("few");
            text.push_str(&journal.transaction(&JournalTransaction {
                date,
                number,
                kind,
                text: said,
                facts,
                postings,
            }));
        }
    }
    let sums: Vec<(String, i128)> = sums.into_iter().collect();
    text + &journal.balances(ClosingDay { last: "2026-02-01", next: "2026-02-02" }, &sums)
}

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).expect("written");
    path
}

#[test]
fn small_books_are_as_they_were_read_by_eye() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journal");
    for (format, end) in FORMATS {
        let text = books(&journal(format, "USD", 2), &ODD[..1], &users("mia"), Some("Mia, \"so\""));
        let path = folder.join(format!("small.{end}"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&path, &text).expect("written");
        }
        assert_eq!(fs::read_to_string(&path).expect("a golden file"), text, "{end}");
        testing::check(format, &path).unwrap_or_else(|said| panic!("{end}: {said}"));
    }
}

#[test]
fn texts_and_names_do_no_harm_in_any_currency() {
    let folder = tempfile::tempdir().expect("a folder");
    for (format, end) in FORMATS {
        let names = ODD.into_iter().chain(["Ⅷ 한국어 ไทย ə ß ﬁ ª ʰ ا", "", "type:A"]);
        let currencies = [("USD", 2), ("JPY", 0), ("BHD", 3), ("USDT", 2)].into_iter().cycle();
        for (name, (currency, decimals)) in names.zip(currencies) {
            let account = users(&component(name));
            let text = books(&journal(format, currency, decimals), &ODD, &account, Some(name));
            let path = written(folder.path(), &format!("books.{end}"), &text);
            testing::check(format, &path).unwrap_or_else(|said| panic!("{end} {currency} {name}: {said}\n{text}"));
            let balances = testing::balances(format, &path);
            let all: i128 = (1..=6).sum();
            let in_minor = |account: &str| balances.get(account).copied().unwrap_or_default();
            let shown = [in_minor("Assets:Clearing:Recharges"), in_minor(&account), in_minor("Income:Delivery")];
            assert_eq!(shown, [1234 * all, (5 - 1234) * all, -3 * all], "{end} {currency}");
            assert_eq!(balances.values().filter(|balance| **balance != 0).count(), 4, "{balances:?}");
        }
    }
}

/// The smallest amount that is missing is seen: no tolerance hides it.
#[test]
fn a_balance_that_is_off_by_a_minor_unit_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    for (format, end) in FORMATS {
        for (currency, decimals) in [("USD", 2), ("JPY", 0), ("BHD", 3)] {
            let journal = journal(format, currency, decimals);
            let text = books(&journal, &ODD[..2], "Liabilities:Users:Available:7", None);
            let closing = ClosingDay { last: "2026-02-01", next: "2026-02-02" };
            let income = |amount| text.clone() + &journal.balances(closing, &[("Income:Delivery".to_owned(), amount)]);
            let path = written(folder.path(), &format!("right.{currency}.{end}"), &income(-9));
            testing::check(format, &path).unwrap_or_else(|said| panic!("{end}: {said}"));
            let path = written(folder.path(), &format!("wrong.{currency}.{end}"), &income(-8));
            assert!(testing::check(format, &path).is_err(), "{end} {currency}");
        }
    }
}

#[test]
fn what_was_not_declared_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    for (format, end) in FORMATS {
        let journal = journal(format, "USD", 2);
        let text = books(&journal, &ODD[..1], "Liabilities:Users:Available:7", None);
        let declared = journal.account("Liabilities:Users:Available:7", None);
        assert!(text.contains(&declared));
        let path = written(folder.path(), &format!("open.{end}"), &text.replace(&declared, ""));
        assert!(testing::check(format, &path).is_err(), "{end}");
    }
}
