//! Names in the characters that every bank takes.

use base::invisible::is_default_ignorable;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Letters that are more than a letter with a mark, and signs that SEPA has others for.
const OTHERS: [(char, &str); 34] = [
    ('ß', "ss"),
    ('ẞ', "SS"),
    ('æ', "ae"),
    ('Æ', "AE"),
    ('œ', "oe"),
    ('Œ', "OE"),
    ('ø', "o"),
    ('Ø', "O"),
    ('đ', "d"),
    ('Đ', "D"),
    ('ð', "d"),
    ('Ð', "D"),
    ('þ', "th"),
    ('Þ', "TH"),
    ('ł', "l"),
    ('Ł', "L"),
    ('ħ', "h"),
    ('Ħ', "H"),
    ('ŧ', "t"),
    ('Ŧ', "T"),
    ('ı', "i"),
    ('ŋ', "n"),
    ('Ŋ', "N"),
    ('ĸ', "k"),
    ('&', "+"),
    ('"', "'"),
    ('’', "'"),
    ('‘', "'"),
    ('“', "'"),
    ('”', "'"),
    ('–', "-"),
    ('—', "-"),
    ('‐', "-"),
    ('_', "-"),
];

/// Accents and letters that are typed for an apostrophe. Taken apart, an accent would be a blank with a mark, and part the
/// name.
const APOSTROPHES: [char; 4] = ['´', '`', 'ʼ', 'ʻ'];

/// A text in the Latin letters, digits and signs of SEPA: marks are left off letters, what is not shown is left out, and
/// blanks are single. `None` if
/// it has anything else, such as letters of another script: how those are written is for its owner to say.
pub fn spelled(text: &str) -> Option<String> {
    let mut written = String::with_capacity(text.len());
    let apostrophed = text.chars().map(|c| if APOSTROPHES.contains(&c) { '\'' } else { c });
    for c in apostrophed.nfkd().filter(|c| !is_combining_mark(*c) && !is_default_ignorable(*c)) {
        match c {
            _ if c.is_whitespace() => written.push(' '),
            _ if is_taken(c) => written.push(c),
            _ => written.push_str(OTHERS.iter().find(|(other, _)| *other == c)?.1),
        }
    }
    let single = written.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    (!single.is_empty()).then_some(single)
}

const fn is_taken(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '?' | ':' | '(' | ')' | '.' | ',' | '\'' | '+')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_become_what_banks_take() {
        for (name, written) in [
            ("Mia Chen", "Mia Chen"),
            ("Jürgen Groß", "Jurgen Gross"),
            ("  Zoë   Łukasiewicz ", "Zoe Lukasiewicz"),
            ("Søren Æble & Co_2", "Soren AEble + Co-2"),
            ("Nguyễn Thị Đào", "Nguyen Thi Dao"),
            ("O’Neill", "O'Neill"),
            ("O´Neill", "O'Neill"),
            ("D`Angelo Kaʻiulani", "D'Angelo Ka'iulani"),
            ("\u{202a}Mia\u{200b} Chen\u{202c}", "Mia Chen"),
        ] {
            assert_eq!(spelled(name).as_deref(), Some(written), "{name}");
        }
    }

    #[test]
    fn what_has_no_such_letters_is_not_guessed() {
        for name in ["", "  ", "陈美", "Иван", "Mia 陈", "a@b", "Mia\u{0}", "100%", "<b>", "\u{301}"] {
            assert_eq!(spelled(name), None, "{name}");
        }
    }

    proptest! {
        #[test]
        fn spelling_again_changes_nothing(text in any::<String>()) {
            if let Some(once) = spelled(&text) {
                prop_assert!(once.is_ascii() && !once.starts_with(' ') && !once.ends_with(' '));
                prop_assert_eq!(spelled(&once), Some(once));
            }
        }
    }
}
