//! Characters that are not visible in a text.

/// Unicode's `Default_Ignorable_Code_Point`, which never changes for characters that are
/// assigned.
pub const fn is_default_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character shows anything. A blank in Braille has no dots.
pub fn is_seen(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !is_default_ignorable(c) && c != '\u{2800}'
}

/// Whether a text shows its reader anything.
pub fn shows_something(text: &str) -> bool {
    text.chars().any(is_seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_and_what_takes_no_room_show_nothing() {
        for nothing in ["", " \n", "\u{200b}", "\u{2800}", "\u{3164}", "\u{202e}\u{200d}", "\u{3000}\u{ad}", "\u{7}"] {
            assert!(!shows_something(nothing), "{nothing:?}");
        }
        for something in [".", " a ", "\u{200b}น้ำ", "❤\u{fe0f}"] {
            assert!(shows_something(something), "{something:?}");
        }
    }
}
