//! Nicknames and other names: whatever can be seen, and nothing that changes how the rest is seen.

use auth::username::marks_are_on_letters;
use base::invisible::{is_default_ignorable, shows_something};
use base::refuse_if;

use crate::fields::Problem;

const LONGEST: usize = 32;
/// A flag that is spelled with tags: those of England, Scotland and Wales.
const FLAG: char = '\u{1F3F4}';

/// The nickname without blanks around it, and without the marks that messengers and keyboards put around names. Between
/// two cells of a sheet is a blank.
pub fn nickname(text: &str) -> Result<String, Problem> {
    let around = |c: char| c.is_whitespace() || is_default_ignorable(c) && !joins(c) && !is_tag(c);
    let text = text.replace('\t', " ");
    let text = text.trim_matches(around);
    match text.chars().count() {
        0 => return Err("required"),
        n if n > LONGEST => return Err("too_long"),
        _ => {}
    }
    let hides = |c: char| is_default_ignorable(c) && !joins(c) && !(is_tag(c) && text.contains(FLAG));
    let odd = text.chars().any(|c| c.is_control() || breaks(c) || hides(c));
    refuse_if(odd || !shows_something(text) || !marks_are_on_letters(text), "invalid")?;
    Ok(text.to_owned())
}

/// A text, trimmed and without the invisible characters that come with pasted text. Joiners stay.
pub fn shown(text: &str) -> String {
    let plain = |c: char| if breaks(c) || c == '\t' { ' ' } else { c };
    let shown: String = text.chars().filter(|c| !is_default_ignorable(*c) || joins(*c)).map(plain).collect();
    if shows_something(&shown) { shown.trim().to_owned() } else { String::new() }
}

/// Joiners and variation selectors, which join letters and emoji or choose among their forms. Emoji of families,
/// Persian words and variants of Japanese names need them.
const fn joins(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// Characters that begin a new line or paragraph, or mark an annotation or an object in a text.
const fn breaks(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffc}')
}

const fn is_tag(c: char) -> bool {
    matches!(c, '\u{E0020}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_seen_is_taken() {
        let england = "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}";
        for good in [
            "Ada L.",
            "👩\u{200d}👩\u{200d}👧\u{200d}👦 family",
            "می\u{200c}خواهم",
            "❤\u{fe0f}",
            england,
            "น้ำฝน",
            "လွှော့်",
            "1\u{fe0f}\u{20e3}",
        ] {
            assert_eq!(nickname(good).as_deref(), Ok(good));
        }
        for pasted in
            ["\u{a0}Ada ", "\u{202a}Ada\u{202c}", "\u{feff}Ada\u{200b}", "Ada\u{200f}", "\u{2068} Ada\u{2069} "]
        {
            assert_eq!(nickname(pasted).as_deref(), Ok("Ada"), "{pasted:?}");
        }
        assert_eq!(nickname("Ada\tL.\t").as_deref(), Ok("Ada L."));
    }

    #[test]
    fn what_is_not_shown_is_left_off() {
        for (pasted, kept) in [
            ("\u{202a}Ann Lee\u{202c}", "Ann Lee"),
            (" \u{feff}An\u{200b}n\u{a0}Lee \u{200e} ", "Ann\u{a0}Lee"),
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("葛\u{E0100}城", "葛\u{E0100}城"),
            (" \u{200b}\u{200d} ", ""),
            ("", ""),
            ("a\u{0}b", "a\u{0}b"),
            ("Ann\u{2028}Lee\u{fffc}", "Ann Lee"),
            ("Ann\tLee\t", "Ann Lee"),
        ] {
            assert_eq!(shown(pasted), kept, "{pasted:?}");
        }
    }

    #[test]
    fn what_hides_or_turns_is_not() {
        for nothing in ["  ", "\u{200b}", "\u{3164}", " \u{202a}\u{202c}"] {
            assert_eq!(nickname(nothing), Err("required"), "{nothing:?}");
        }
        let towering = format!("a{}", "\u{301}".repeat(9));
        for bad in ["\u{301}", "\u{20dd}Ada", &towering] {
            assert_eq!(nickname(bad), Err("invalid"), "{bad:?}");
        }
        assert_eq!(nickname(&"x".repeat(33)), Err("too_long"));
        for bad in [
            "a\u{7}b",
            "a\nb",
            "a\u{200b}b",
            "a\u{3164}b",
            "\u{200d}",
            "\u{2800}",
            "a\u{202e}evil",
            "a\u{2066}b",
            "a\u{E0041}",
            "a\u{2028}b",
            "a\u{2029}b",
            "\u{fffc}",
        ] {
            assert_eq!(nickname(bad), Err("invalid"), "{bad:?}");
        }
    }
}
