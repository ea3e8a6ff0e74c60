//! The ids of accounts that others can follow.

/// An operated id as stored, in capitals; `None` if it cannot be one.
pub fn normalise(text: &str) -> Option<String> {
    let id = text.trim().to_ascii_uppercase();
    let shaped = id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    (shaped && (3..=32).contains(&id.len())).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_told_apart_however_they_are_typed() {
        assert_eq!(normalise(" op-1001 ").as_deref(), Some("OP-1001"));
        for bad in ["", "ab", "OP 1001", "OP_1001", "ОР-1001", &"x".repeat(33)] {
            assert_eq!(normalise(bad), None, "{bad}");
        }
    }
}
