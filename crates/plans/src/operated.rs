//! The ids of accounts that others can follow.

use base::digits::plain_digit;
use base::invisible::is_default_ignorable;
use base::typed::{hyphen_in_number, narrow};

/// An operated id as it is stored: in capitals, without the invisible characters that messengers add; `None` if the
/// text cannot be one.
pub fn normalise(text: &str) -> Option<String> {
    let shown = text.chars().filter(|c| !is_default_ignorable(*c));
    let plain: String = shown.map(|c| plain_digit(hyphen_in_number(narrow(c)))).collect();
    let id = plain.trim().to_ascii_uppercase();
    let shaped = id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    (shaped && (3..=32).contains(&id.len())).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_told_apart_however_they_are_typed() {
        for typed in
            [" op-1001 ", "ＯＰー１００１", "op–1001", "OP\u{2011}1001", "\u{202a}OP-1001\u{202c}\n", "op-๑๐๐๑"]
        {
            assert_eq!(normalise(typed).as_deref(), Some("OP-1001"), "{typed:?}");
        }
        for bad in ["", "ab", "OP 1001", "OP_1001", "ОР-1001", &"x".repeat(33)] {
            assert_eq!(normalise(bad), None, "{bad}");
        }
    }
}
