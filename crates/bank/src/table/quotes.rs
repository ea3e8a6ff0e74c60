//! Quotes in CSV. A reader takes what follows an unclosed quote for its text, whole rows at that; a statement with
//! one is refused. A quote behind blanks is a letter to it, and a separator between two of them would part the value.

use std::borrow::Cow;
use std::ops::Range;

use base::refuse_if;

use crate::mistakes::Problem;

/// The table with its quoted values where the reader expects them: without the blanks before.
///
/// # Errors
/// The first fault and its line.
pub fn at_once(bytes: &[u8], separator: u8) -> Result<Cow<'_, [u8]>, (u64, Problem)> {
    let (mut line, mut rest) = (1, bytes);
    // How many separators a row has, and how many came in this one.
    let (width, mut before) = (between_names(bytes, separator), 0);
    let mut blanks: Vec<Range<usize>> = Vec::new();
    loop {
        // At the beginning of a value.
        if let Some(value) = quoted(rest, separator, [before, width.saturating_sub(before)]) {
            let value = value.map_err(|problem| (line, problem))?;
            let at = bytes.len() - rest.len();
            blanks.push(at..at + value.blanks);
            line += breaks(value.inside);
            rest = value.rest;
        }
        // Old programs end rows with a carriage return alone.
        let Some(end) = rest.iter().position(|byte| *byte == separator || matches!(*byte, b'\r' | b'\n')) else {
            return Ok(without(bytes, &blanks));
        };
        line += u64::from(rest.get(end) == Some(&b'\n'));
        before = if rest.get(end) == Some(&separator) { before + 1 } else { 0 };
        rest = rest.get(end + 1..).unwrap_or_default();
    }
}

/// How many separators are between the names in the first row.
fn between_names(bytes: &[u8], separator: u8) -> usize {
    let end = memchr::memchr2(b'\r', b'\n', bytes).unwrap_or(bytes.len());
    let header = bytes.get(..end).unwrap_or_default();
    let last = header.iter().rposition(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    let mut is_quoted = false;
    let is_between = |byte: &&u8| {
        is_quoted ^= **byte == b'"';
        **byte == separator && !is_quoted
    };
    header.iter().take(last.unwrap_or(0)).filter(is_between).count()
}

fn without<'a>(bytes: &'a [u8], blanks: &[Range<usize>]) -> Cow<'a, [u8]> {
    if blanks.iter().all(Range::is_empty) {
        return Cow::Borrowed(bytes);
    }
    let mut kept = Vec::with_capacity(bytes.len());
    let mut from = 0;
    for blank in blanks {
        kept.extend_from_slice(bytes.get(from..blank.start).unwrap_or_default());
        from = blank.end;
    }
    kept.extend_from_slice(bytes.get(from..).unwrap_or_default());
    Cow::Owned(kept)
}

/// A value in quotes, and what follows it in the table.
struct Quoted<'a> {
    /// How many blanks are before it.
    blanks: usize,
    inside: &'a [u8],
    rest: &'a [u8],
}

/// The value at the beginning of a text, if it is in quotes. Its row has so many separators before and behind it.
fn quoted(text: &[u8], separator: u8, around: [usize; 2]) -> Option<Result<Quoted<'_>, Problem>> {
    let blanks = count_blanks(text, separator);
    let value = text.get(blanks..)?.strip_prefix(b"\"")?;
    match in_quotes(value, separator, around) {
        Ok((inside, rest)) => Some(Ok(Quoted { blanks, inside, rest })),
        Err(_) if blanks > 0 && is_literal(value, separator) => None,
        Err(problem) => Some(Err(problem)),
    }
}

/// What is up to the closing quote, and what is behind it and the blanks after it.
fn in_quotes(value: &[u8], separator: u8, around: [usize; 2]) -> Result<(&[u8], &[u8]), Problem> {
    let end = closing(value).ok_or(Problem::Unclosed)?;
    let (inside, after) = value.split_at_checked(end).ok_or(Problem::Unclosed)?;
    refuse_if(looks_like_rows(inside, separator, around), Problem::LineInQuotes)?;
    let after = after.get(1..).unwrap_or_default();
    let rest = after.get(count_blanks(after, separator)..).unwrap_or_default();
    let ends = rest.first().is_none_or(|byte| *byte == separator || matches!(*byte, b'\r' | b'\n'));
    if ends { Ok((inside, rest)) } else { Err(Problem::AfterQuote) }
}

/// Whether the quotes of a value such as ` "Rose" Ltd` are letters: it has them in pairs, so that no separator is
/// between two of them.
fn is_literal(value: &[u8], separator: u8) -> bool {
    let end = value.iter().position(|byte| *byte == separator || matches!(*byte, b'\r' | b'\n'));
    let value = end.and_then(|end| value.get(..end)).unwrap_or(value);
    let quotes = value.iter().filter(|byte| **byte == b'"').count();
    // One of them is before the value.
    value.first() != Some(&b'"') && quotes % 2 == 1
}

fn count_blanks(text: &[u8], separator: u8) -> usize {
    text.iter().take_while(|byte| matches!(**byte, b' ' | b'\t') && **byte != separator).count()
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

/// Whether a line within a value has as many separators as the shortest row, and either as many as are before a value of
/// its row, or the rest of the value's own row before it. Otherwise the value has several lines, such as an address.
fn looks_like_rows(inside: &[u8], separator: u8, [before, behind]: [usize; 2]) -> bool {
    let separators = |line: &[u8]| line.iter().filter(|byte| **byte == separator).count();
    let mut lines = inside.split(|byte| matches!(*byte, b'\r' | b'\n'));
    let has_rest = lines.next().is_some_and(|first| separators(first) >= behind);
    lines.map(separators).any(|found| found >= 2 && (has_rest || found >= before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_closed_where_they_were_opened() {
        for sound in [
            "a,\"b\"\n\"c\n d, e\",f\n",
            "a,b,c,d,e\n1,2,3,\"Ann\n1 Road, W, X\",4\n",
            "\"a \"\"b\"\" c\",\"\"\r\nd,\"e\"",
            "5\" pipe,a\"b\"\n",
            "",
            "\n\n",
            "\"a\"",
        ] {
            assert_eq!(at_once(sound.as_bytes(), b','), Ok(Cow::Borrowed(sound.as_bytes())), "{sound}");
        }
        for (text, line, problem) in [
            ("a,b\n\"oops\nc,d\n", 2, Problem::Unclosed),
            ("a,b\nc,\"say \\\"hi\\\" now\"\n", 2, Problem::AfterQuote),
            ("\"a\nb\",c\nd,\"\"e\"\n", 3, Problem::AfterQuote),
            ("a,b,c\nd,e,\"oops\nf,g,h\"\n", 2, Problem::LineInQuotes),
            ("a,b,c,d,e\n1,2,3,\"oops, 4\n5,6, 7\",8\n", 2, Problem::LineInQuotes),
            ("a,b,c,d,e\n1,2,3,\"oops\n5,6,7,8\",9\n", 2, Problem::LineInQuotes),
            ("a,b\r\"oops\rc,d\r", 1, Problem::Unclosed),
            ("a,b,c\rd,e,\"oops\rf,g,h\"\r", 1, Problem::LineInQuotes),
            ("a,\"", 1, Problem::Unclosed),
            ("a,\"\"\"", 1, Problem::Unclosed),
        ] {
            assert_eq!(at_once(text.as_bytes(), b','), Err((line, problem)), "{text}");
        }
    }

    #[test]
    fn blanks_around_quotes_part_no_value() {
        for (text, kept) in [
            ("a; \"b;c\" ;d\n", "a;\"b;c\" ;d\n"),
            ("a;\t \"b\n\"\t;d\r\n \"e\"\r\n", "a;\"b\n\"\t;d\r\n\"e\"\r\n"),
            ("a; \"b \"\"c;\"\" d\" ", "a;\"b \"\"c;\"\" d\" "),
            ("a; \"Rose\" Ltd;d\n", "a; \"Rose\" Ltd;d\n"),
            ("a; 5\" pipe;\"d\"  \n", "a; 5\" pipe;\"d\"  \n"),
        ] {
            assert_eq!(at_once(text.as_bytes(), b';').as_deref(), Ok(kept.as_bytes()), "{text}");
        }
        // A tab that parts values is no blank.
        assert_eq!(at_once(b"a\t\"b\"\t\t\"c\"", b'\t').as_deref(), Ok(b"a\t\"b\"\t\t\"c\"".as_slice()));
        for (text, line, problem) in [
            ("a\nb; \"c;d\n", 2, Problem::Unclosed),
            ("a; \"c;d\" e\n", 1, Problem::AfterQuote),
            ("a; \"Rose\" \"c;d\";e\n", 1, Problem::AfterQuote),
            ("a; \"\"c;d\"\";e\n", 1, Problem::AfterQuote),
            ("a;b;c\n \"d;e;f\ng;h;i\";\n", 2, Problem::LineInQuotes),
        ] {
            assert_eq!(at_once(text.as_bytes(), b';'), Err((line, problem)), "{text}");
        }
    }
}
