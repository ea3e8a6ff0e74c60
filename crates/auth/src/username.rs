//! Usernames: shown as typed, unique regardless of case and of how accents are composed.

use base::typed::narrow;
use base::{invisible::is_default_ignorable, refuse_if};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

/// Limits for one letter: the marks around it, and all its signs. No script needs more: Burmese has six signs in
/// `လွှော့်`, of which two are around the letter.
const MARKS: usize = 4;
const SIGNS: usize = 8;
const SHORTEST: usize = 3;
const LONGEST: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Username {
    shown: String,
    key: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadUsername {
    #[error("shorter than {SHORTEST} characters")]
    TooShort,
    #[error("longer than {LONGEST} characters")]
    TooLong,
    #[error("a name has only letters, digits and . _ - @ +")]
    Invalid,
}

impl Username {
    pub fn parse(text: &str) -> Result<Self, BadUsername> {
        let shown: String = text.trim().nfc().collect();
        refuse_if(shown.chars().count() > LONGEST, BadUsername::TooLong)?;
        // A mark counts as a character, whether it was typed by itself or not.
        refuse_if(shown.nfd().count() < SHORTEST, BadUsername::TooShort)?;
        refuse_if(!is_written(&shown), BadUsername::Invalid)?;
        Ok(Self { key: key_of(&shown), shown })
    }

    /// Whether it has a letter or a digit: `...` and `_._` are hardly told apart.
    pub fn is_spelled(&self) -> bool {
        self.shown.chars().any(char::is_alphanumeric)
    }

    pub fn shown(&self) -> &str {
        &self.shown
    }

    pub fn key(&self) -> &str {
        &self.key
    }
}

/// Whether a name consists of digits and of letters with their marks, with which Thai and Hindi write vowels and tones,
/// and none of its letters is invisible.
fn is_written(name: &str) -> bool {
    let allowed = |c: char| {
        let is_known = is_combining_mark(c) || c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '@' | '+');
        is_known && !is_default_ignorable(c)
    };
    name.chars().all(allowed) && marks_are_on_letters(name)
}

/// Whether no mark comes first, and no letter has so many marks that they reach into other lines.
pub fn marks_are_on_letters(text: &str) -> bool {
    let (mut signs, mut marks) = (SIGNS, 0);
    text.nfc().all(|c| {
        if !is_combining_mark(c) {
            (signs, marks) = (0, 0);
            return true;
        }
        signs += 1;
        marks += usize::from(canonical_combining_class(c) != 0);
        signs <= SIGNS && marks <= MARKS
    })
}

/// A name as people register it: in plain letters and digits where a keyboard has written wide ones, or ones in another
/// style, and in plain kana where it has written narrow ones. `ｍｉａ` and `𝓶𝓲𝓪` are `mia`, and `mia²` is `mia2`: nobody
/// could tell somebody else how to type these.
pub fn in_plain_letters(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars().map(narrow) {
        let letters = || std::iter::once(c).nfkc();
        let is_narrow = matches!(c, '\u{ff66}'..='\u{ffdc}');
        match is_narrow || (c.is_alphanumeric() && letters().all(|letter| letter.is_ascii_alphanumeric())) {
            true => plain.extend(letters()),
            false => plain.push(c),
        }
    }
    plain
}

/// The form in which names are compared that may be typed in another style.
pub fn plain_key_of(text: &str) -> String {
    key_of(&in_plain_letters(text))
}

/// Whether the name is too long for any account.
pub fn is_too_long(text: &str) -> bool {
    seen(text).chars().count() > LONGEST
}

/// The form in which names are compared. Any text has one, so that a sign-in with an impossible name takes the same
/// path as one with an unknown name.
pub fn key_of(text: &str) -> String {
    seen(text).to_lowercase().nfc().collect()
}

/// A name without the invisible characters that messengers put around names.
fn seen(text: &str) -> String {
    text.chars().filter(|c| !is_default_ignorable(*c)).collect::<String>().trim().nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_case_shown_and_compares_without() {
        let name = Username::parse(" Ada.Lovelace ").expect("a name");
        assert_eq!((name.shown(), name.key()), ("Ada.Lovelace", "ada.lovelace"));
        for pasted in
            ["ADA.lovelace", "\u{2068}Ada.Lovelace\u{2069}", "\u{200e} ada.lovelace\u{200b}", "ada.love\u{ad}lace"]
        {
            assert_eq!(key_of(pasted), name.key(), "{pasted:?}");
        }
        assert_eq!(Username::parse("李小龙").map(|n| n.key().to_owned()), Ok("李小龙".to_owned()));
    }

    #[test]
    fn signs_alone_spell_nothing() {
        let spelled = |name: &str| Username::parse(name).map(|name| name.is_spelled());
        for name in ["...", "_._", "---", "@@@", "+-+"] {
            assert_eq!(spelled(name), Ok(false), "{name}");
        }
        for name in ["a--", "..1", "น้ำ", "_李_"] {
            assert_eq!(spelled(name), Ok(true), "{name}");
        }
    }

    #[test]
    fn letters_may_have_marks() {
        for name in ["น้ำฝน", "प्रिया", "ณัฐพล", "Nguyễn", "שָׁלוֹם", "လွှော့်", "လျှော့"]
        {
            assert_eq!(Username::parse(name).map(|name| name.shown().to_owned()), Ok(name.nfc().collect()), "{name}");
        }
        for (typed, composed) in [("Jose\u{301}", "José"), ("か\u{3099}る", "がる")] {
            let name = Username::parse(typed).expect("a name");
            assert_eq!((name.shown(), name.key()), (composed, key_of(composed).as_str()));
            assert_eq!(key_of(typed), key_of(composed));
        }
    }

    #[test]
    fn styles_of_letters_are_plain_ones() {
        for (typed, plain) in [
            ("ｍｉａ＿７", "mia_7"),
            ("𝓶𝓲𝓪", "mia"),
            ("𝕄𝗂𝚊𝟟", "Mia7"),
            ("mia²", "mia2"),
            ("ⓜⓘⓐ①", "mia1"),
            ("ᵐⁱᵃ", "mia"),
            ("Ⅶ.mia", "VII.mia"),
            ("ﾐｱｰ", "ミアー"),
        ] {
            assert_eq!(in_plain_letters(typed), plain, "{typed}");
        }
        for own in ["น้ำฝน", "प्रिया", "José", "がる", "ㅋㅋㅋ", "և", "Jose\u{301}", "李小龙", "mia™", "ŉ½"]
        {
            assert_eq!(in_plain_letters(own), own, "{own}");
        }
        for typed in ["𝕄𝕀𝔸", "ＭＩＡ", "\u{2068}𝓜ia\u{200b} ", "Mia"] {
            assert_eq!(plain_key_of(typed), "mia", "{typed}");
        }
        assert_eq!(plain_key_of("ｶﾞﾙ"), key_of("ガル"));
    }

    #[test]
    fn refuses_the_rest() {
        assert_eq!(Username::parse("ab"), Err(BadUsername::TooShort));
        assert_eq!(Username::parse("   ab   "), Err(BadUsername::TooShort));
        assert!(Username::parse("abc").is_ok() && Username::parse(&"李".repeat(32)).is_ok());
        assert_eq!(Username::parse(&"a".repeat(33)), Err(BadUsername::TooLong));
        assert!(is_too_long(&"李".repeat(33)) && !is_too_long(&format!("\u{200e} {} ", "李".repeat(32))));
        let towering = format!("abc{}", "\u{301}\u{302}".repeat(4));
        for bad in ["mia\u{200b}", "mia\u{3164}", "a\u{34f}bc", "\u{301}abc", "a\u{fe0f}bc", "mia\u{ad}", &towering] {
            assert_eq!(Username::parse(bad), Err(BadUsername::Invalid), "{bad:?}");
        }
        for bad in ["a b c", "a\nbc", "<script>", "abc\u{202e}", "a/b/c", "a\0bc"] {
            assert_eq!(Username::parse(bad), Err(BadUsername::Invalid), "{bad:?}");
        }
    }
}
