//! The number of an account, however it is spelled.

use base::invisible::is_default_ignorable;
use unicode_normalization::UnicodeNormalization;

/// ISO 13616 has no shorter IBANs and no longer ones.
const IBAN_LENGTHS: std::ops::RangeInclusive<usize> = 15..=34;

/// The form in which one account's number is always the same: in capitals, without blanks and what is not shown, and an
/// IBAN without signs. Signs in other numbers stay, since they may part the number from the branch.
pub fn plain_account(written: &str) -> String {
    let is_shown = |c: &char| !c.is_whitespace() && !c.is_control() && !is_default_ignorable(*c);
    let shown: String = written.nfkc().filter(is_shown).collect::<String>().to_uppercase();
    let letters: String = shown.chars().filter(|c| c.is_alphanumeric()).collect();
    let number = letters.strip_prefix("IBAN").unwrap_or(&letters);
    if is_iban(number) { number.to_owned() } else { shown }
}

/// Whether it has the form of an IBAN; the bank knows its own account's check digits.
pub fn is_iban(number: &str) -> bool {
    let letters_then_digits = |head: &[u8]| {
        let (country, check) = head.split_at_checked(2).unwrap_or_default();
        country.iter().all(u8::is_ascii_uppercase) && check.iter().all(u8::is_ascii_digit)
    };
    let formed = number.as_bytes().get(..4).is_some_and(letters_then_digits);
    formed && IBAN_LENGTHS.contains(&number.len()) && number.bytes().all(|b| b.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_account_is_one_however_it_is_spelled() {
        for spelled in [
            "DE02120300000000202051",
            "DE02 1203 0000 0000 2020 51",
            " de02 1203 0000 0000 2020 51\n",
            "IBAN: DE02-1203-0000-0000-2020-51",
            "\u{202a}DE02\u{a0}1203\u{a0}0000\u{a0}0000\u{a0}2020\u{a0}51\u{202c}",
            "ＤＥ０２１２０３００００００００２０２０５１",
        ] {
            assert_eq!(plain_account(spelled), "DE02120300000000202051", "{spelled}");
        }
        assert_eq!(plain_account("other 7"), "OTHER7");
    }

    #[test]
    fn signs_part_numbers_that_are_no_ibans() {
        assert_ne!(plain_account("12030000/0000202051"), plain_account("1203000/00000202051"));
        assert_eq!(plain_account("12030000 / 0000202051"), "12030000/0000202051");
        assert_eq!((plain_account("IBAN-7"), plain_account(" \u{200b}")), ("IBAN-7".into(), String::new()));
    }
}
