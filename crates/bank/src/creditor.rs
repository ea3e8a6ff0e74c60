//! The reference by which a user's payment is known: a creditor reference (ISO 11649), `RF`, two check digits and the
//! account's number. It follows from the number alone, so nothing has to be stored or given out.

/// ISO 7064, MOD 97-10.
const MODULUS: u32 = 97;
/// The most digits that a reference of ours has: more are no number of an account.
const MOST_DIGITS: usize = 21;

/// The reference of an account, without blanks.
///
/// ```
/// use bank::creditor::{accounts_in, reference};
///
/// assert_eq!(reference(539_007), "RF16539007");
/// assert_eq!(accounts_in("Invoice rf16 5390 07, thanks"), [539_007]);
/// assert!(accounts_in("RF17539007").is_empty());
/// ```
pub fn reference(account: i64) -> String {
    let digits = account.to_string();
    let check = 98 - remainder(&format!("{digits}RF00"));
    format!("RF{check:02}{digits}")
}

/// The accounts whose references stand in a text, each once, however they are grouped: in several groups of digits,
/// more than one beginning may be a reference.
pub fn accounts_in(text: &str) -> Vec<i64> {
    let text = text.to_ascii_uppercase();
    let mut found = Vec::new();
    for (at, _) in text.match_indices("RF") {
        let inside_a_word =
            text.get(..at).and_then(|before| before.chars().next_back()).is_some_and(char::is_alphanumeric);
        let Some(rest) = text.get(at.saturating_add(2)..).filter(|_| !inside_a_word) else { continue };
        for account in beginnings(rest) {
            if !found.contains(&account) {
                found.push(account);
            }
        }
    }
    found
}

/// The accounts that the check digits and as many groups as fit name.
fn beginnings(rest: &str) -> Vec<i64> {
    let mut digits = String::new();
    let mut found = Vec::new();
    let mut left = rest.chars().peekable();
    while let Some(c) = left.next() {
        match c {
            '0'..='9' if digits.len() < MOST_DIGITS + 2 => digits.push(c),
            // Separators that people and banks write between groups.
            ' ' | '-' | '.' | '\u{a0}' => continue,
            _ => break,
        }
        let ends = left.peek().is_none_or(|next| !next.is_alphanumeric());
        found.extend(Some(&digits).filter(|_| ends).and_then(|digits| account(digits)));
    }
    found
}

/// The account of two check digits and its number.
fn account(digits: &str) -> Option<i64> {
    let (check, number) = digits.split_at_checked(2)?;
    let account: i64 = number.parse().ok().filter(|account| *account > 0)?;
    (remainder(&format!("{number}RF{check}")) == 1).then_some(account)
}

/// Letters count as 10 to 35.
fn remainder(text: &str) -> u32 {
    text.chars().filter_map(|c| c.to_digit(36)).fold(0, |rest, value| {
        let shift = if value < 10 { 10 } else { 100 };
        (rest * shift + value) % MODULUS
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn it_is_that_of_the_standard() {
        // The example of ISO 11649's own guide.
        assert_eq!(reference(539_007_547_034), "RF18539007547034");
        assert_eq!(accounts_in("RF18 5390 0754 7034"), [539_007_547_034]);
        assert_eq!(accounts_in("RF18000000000539007547034"), [539_007_547_034]);
    }

    #[test]
    fn it_is_found_as_banks_and_people_write_it() {
        let one = reference(7);
        assert_eq!(one, "RF097");
        let written =
            ["RF097", "rf09 7", "Recharge RF09-7.", "/RFB/RF097/EREF/1", "RF09\u{a0}7, thanks", "RF097 RF09 7"];
        for text in written {
            assert_eq!(accounts_in(text), [7], "{text}");
        }
        assert_eq!(accounts_in(&format!("{one} {}", reference(12))), [7, 12]);
    }

    #[test]
    fn what_is_none_is_not_taken_for_one() {
        let others = ["", "RF", "RF09", "RF107", "RF0970a", "SURF097", "RF097x", "RFRF", "RF09 A7", "RF980", "7"];
        for text in others {
            assert!(accounts_in(text).is_empty(), "{text}");
        }
        assert!(accounts_in(&format!("RF09{}", "0".repeat(400))).is_empty());
    }

    #[test]
    fn a_number_behind_it_leaves_both_readings() {
        // 1 is an account, and with the group behind it so is another number.
        let (one, longer) =
            (reference(1), (10_000..20_000).find(|n| reference(*n).get(2..4) == reference(1).get(2..4)));
        let longer = longer.expect("one of ninety-seven");
        let behind = longer.to_string().split_off(1);
        assert_eq!(accounts_in(&format!("{one} {behind}")), [1, longer]);
    }

    proptest! {
        #[test]
        fn every_account_is_found_again(account in 1..=i64::MAX, before in "[ a-eg-z]{0,8} ", blanks in any::<u32>()) {
            let reference = reference(account);
            prop_assert!(reference.len() <= 25 && reference.is_ascii());
            let mut written = before;
            for (at, c) in reference.chars().enumerate() {
                if at > 2 && (blanks >> (at % 32)) & 1 == 1 {
                    written.push(' ');
                }
                written.push(c);
            }
            prop_assert!(accounts_in(&written).contains(&account), "{}", written);
        }

        #[test]
        fn one_wrong_digit_is_noticed(account in 1..1_000_000_000_i64, at in 2..5_usize, by in 1..10_u32) {
            let right = reference(account);
            let wrong: String = right
                .chars()
                .enumerate()
                .map(|(place, c)| match c.to_digit(10) {
                    Some(digit) if place == at => char::from_digit((digit + by) % 10, 10).unwrap_or(c),
                    _ => c,
                })
                .collect();
            prop_assert!(!accounts_in(&wrong).contains(&account));
            prop_assert!(accounts_in(&wrong).is_empty(), "{} for {}", wrong, right);
        }

        #[test]
        fn two_swapped_digits_are_noticed(account in 10..1_000_000_000_i64, at in any::<prop::sample::Index>()) {
            let right: Vec<char> = reference(account).chars().collect();
            let at = 4 + at.index(right.len() - 5);
            let mut wrong = right.clone();
            wrong.swap(at, at + 1);
            prop_assume!(wrong != right);
            prop_assert!(accounts_in(&wrong.iter().collect::<String>()).is_empty());
        }

        #[test]
        fn no_text_is_too_strange(text in "\\PC{0,200}") {
            accounts_in(&text);
        }
    }
}
