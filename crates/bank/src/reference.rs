//! The form in which references of payments are compared, so that one payment counts once
//! however its reference is typed.

use base::invisible::is_default_ignorable;
use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The form in which a reference is compared: without case and compatibility forms (NFKC),
/// blanks, and what is not shown. Signs between letters are left out as well, since people
/// write `BANK 1`, `bank-1` and `Bank1` for one payment; between two digits they stay, since
/// `1-12` and `11-2` are two.
pub fn compared(reference: &str) -> String {
    let shown: String = folded(reference).chars().filter(|c| !c.is_whitespace() && !is_hidden(*c)).collect();
    // Leaving characters out may bring together what is composed.
    let shown = folded(&shown);
    let mut kept = String::with_capacity(shown.len());
    let mut sign = false;
    for c in shown.chars() {
        if !c.is_alphanumeric() {
            sign = true;
            continue;
        }
        if sign && c.is_numeric() && kept.chars().next_back().is_some_and(char::is_numeric) {
            kept.push('-');
        }
        sign = false;
        kept.push(c);
    }
    // For the same reason as above.
    if kept.is_empty() { shown } else { folded(&kept) }
}

/// Unicode's compatibility caseless form.
pub(crate) fn folded(text: &str) -> String {
    text.chars().nfd().default_case_fold().nfkd().default_case_fold().nfkd().collect()
}

/// Whether a character takes no room: Unicode's Default_Ignorable_Code_Point, and marks on letters.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control() || (is_combining_mark(c) && !c.is_alphanumeric()) || is_default_ignorable(c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_payment_is_one_however_it_is_typed() {
        let all = [
            "BANK-1",
            "bank-1",
            "BANK 1",
            "BANK-1\u{200b}",
            "BA\u{ad}NK-1",
            "ＢＡＮＫ－１",
            "Bank\u{a0}1",
            "bank1",
            " b a n k 1 ",
            "BANK\u{2011}1",
            "BANK_1",
            "BANK–1.",
            "BANK\u{3164}1",
            "\u{feff}BANK/1",
        ];
        for typed in all {
            assert_eq!(compared(typed), "bank1", "{typed:?}");
        }
        assert_eq!(compared("STRASSE 7"), compared("straße-7"));
        assert_eq!(compared("É1"), compared("E\u{301}1"));
        // Two marks that are letters, in the order that they have without the sign between them.
        assert_eq!(compared("\u{10d69}\u{a836}\u{16ff0}"), compared("\u{10d69}\u{16ff0}"));
    }

    #[test]
    fn numbers_stay_apart() {
        let all = ["1-12", "11-2", "112", "BANK-2", "BANK-12", "BANK-1-2", "BANK-21", "---", "--"];
        let mut compared: Vec<_> = all.iter().map(|text| super::compared(text)).collect();
        assert_eq!(compared.first().map(String::as_str), Some("1-12"));
        compared.sort();
        compared.dedup();
        assert_eq!(compared.len(), all.len());
    }

    proptest! {
        #[test]
        fn comparing_again_changes_nothing(text in any::<String>()) {
            let once = compared(&text);
            prop_assert_eq!(&compared(&once), &once);
        }

        #[test]
        fn case_blanks_and_what_is_hidden_do_not_matter(
            text in "[a-zA-Z0-9äßéЯж-]{1,20}",
            put_in in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(vec![
                ' ', '\t', '\u{a0}', '\u{2003}', '\u{200b}', '\u{2060}', '\u{feff}', '\u{ad}', '\u{3164}', '\u{e0041}',
            ])), 0..6),
            upper in any::<bool>(),
        ) {
            let mut other: Vec<char> = text.chars().collect();
            for (at, c) in put_in {
                other.insert(at.index(other.len() + 1), c);
            }
            let other: String = other.into_iter().collect();
            let other = if upper { other.to_uppercase() } else { other.to_lowercase() };
            prop_assert_eq!(compared(&other), compared(&text));
            prop_assert_eq!(compared(&other.nfkd().collect::<String>()), compared(&text));
        }

        #[test]
        fn letters_and_digits_matter(one in "[a-z0-9]{1,12}", other in "[a-z0-9]{1,12}") {
            prop_assert_eq!(compared(&one) == compared(&other), one == other);
        }

        #[test]
        fn no_text_is_too_strange_and_none_compares_as_nothing(text in "\\PC{1,64}") {
            let visible = text.chars().any(char::is_alphanumeric) && !text.chars().all(is_hidden);
            if visible && text.chars().any(|c| c.is_ascii_alphanumeric()) {
                prop_assert!(!compared(&text).is_empty());
            }
        }
    }
}
