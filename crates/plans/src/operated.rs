//! The ids of accounts that others can follow.

use base::invisible::is_default_ignorable;
use base::typed::{hyphen_in_number, narrow};

/// An operated id as it is stored: in capitals, without the invisible characters that messengers add; `None` if the
/// text cannot be one.
pub fn normalise(text: &str) -> Option<String> {
    let plain: String = text.chars().filter(|c| !is_default_ignorable(*c)).map(narrow).map(hyphen_in_number).collect();
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
            [" op-1001 ", "ＯＰ－１００１", "ＯＰー１００１", "op–1001", "OP\u{2011}1001", "\u{202a}OP-1001\u{202c}\n"]
        {
            assert_eq!(normalise(typed).as_deref(), Some("OP-1001"), "{typed:?}");
        }
        for bad in ["", "ab", "OP 1001", "OP_1001", "ОР-1001", &"x".repeat(33)] {
            assert_eq!(normalise(bad), None, "{bad}");
        }
    }
}
