//! Quotes in CSV. A reader takes what follows an unclosed quote for its text, whole rows at that; a statement with
//! one is refused.

use crate::mistakes::Problem;

/// The first fault and its line.
pub fn fault(bytes: &[u8], separator: u8) -> Option<(u64, Problem)> {
    let mut line = 1;
    let mut rest = bytes;
    loop {
        // At the beginning of a value.
        let quoted = rest.first() == Some(&b'"');
        if quoted {
            let value = rest.get(1..).unwrap_or_default();
            let Some(end) = closing(value) else { return Some((line, Problem::Unclosed)) };
            let (inside, after) = value.split_at_checked(end)?;
            if looks_like_rows(inside, separator) {
                return Some((line, Problem::LineInQuotes));
            }
            line += breaks(inside);
            rest = after.get(1..).unwrap_or_default();
            if !matches!(rest.first(), None | Some(b'\r' | b'\n')) && rest.first() != Some(&separator) {
                return Some((line, Problem::AfterQuote));
            }
        }
        // Old programs end rows with a carriage return alone.
        let end = rest.iter().position(|byte| *byte == separator || matches!(*byte, b'\r' | b'\n'))?;
        line += u64::from(rest.get(end) == Some(&b'\n'));
        rest = rest.get(end + 1..)?;
    }
}

/// The position where a quoted value ends: at a quote that is not followed by another.
fn closing(value: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + memchr::memchr(b'"', value.get(from..)?)?;
        if value.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        from = at + 2;
    }
}

fn breaks(text: &[u8]) -> u64 {
    u64::try_from(memchr::memchr_iter(b'\n', text).count()).unwrap_or(0)
}

/// Whether a line within a value has as many separators as the shortest row.
fn looks_like_rows(inside: &[u8], separator: u8) -> bool {
    let separators = |line: &[u8]| line.iter().filter(|byte| **byte == separator).count();
    inside.split(|byte| matches!(*byte, b'\r' | b'\n')).skip(1).any(|line| separators(line) >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_closed_where_they_were_opened() {
        for sound in
            ["a,\"b\"\n\"c\n d, e\",f\n", "\"a \"\"b\"\" c\",\"\"\r\nd,\"e\"", "5\" pipe,a\"b\"\n", "", "\n\n", "\"a\""]
        {
            assert_eq!(fault(sound.as_bytes(), b','), None, "{sound}");
        }
        for (text, line, problem) in [
            ("a,b\n\"oops\nc,d\n", 2, Problem::Unclosed),
            ("a,b\nc,\"say \\\"hi\\\" now\"\n", 2, Problem::AfterQuote),
            ("\"a\nb\",c\nd,\"\"e\"\n", 3, Problem::AfterQuote),
            ("a,b,c\nd,e,\"oops\nf,g,h\"\n", 2, Problem::LineInQuotes),
            ("a,b\r\"oops\rc,d\r", 1, Problem::Unclosed),
            ("a,b,c\rd,e,\"oops\rf,g,h\"\r", 1, Problem::LineInQuotes),
            ("a,\"", 1, Problem::Unclosed),
            ("a,\"\"\"", 1, Problem::Unclosed),
        ] {
            assert_eq!(fault(text.as_bytes(), b','), Some((line, problem)), "{text}");
        }
    }
}
