//! Repairs JSON whose texts contain what is not text: bytes that are not UTF-8, halves of characters, such as of an
//! emoji that was cut off, and control characters as they are, such as a tab, which JSON has only as escapes. So is what
//! some languages write where a number is none, which JSON does not have.

use std::borrow::Cow;

/// The replacement for what is not text.
pub const NO_TEXT: char = '\u{fffd}';

/// What is no number, as Python writes it, and what takes its place: neither a number nor a text that means something.
const NO_NUMBERS: [&[u8]; 2] = [b"NaN", b"Infinity"];
const NO_NUMBER: &[u8] = "\"\u{fffd}\"".as_bytes();

/// The body with [`NO_TEXT`] in place of what is not text in its values, and [`NO_NUMBER`] in place of what is no
/// number. `None` if there is nothing to replace, or if it is in the name of a field, which could then be any name.
pub fn repaired(body: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::with_capacity(body.len());
    let (mut rest, mut changed) = (body, false);
    while let Some(quote) = memchr::memchr(b'"', rest) {
        let (before, text) = rest.split_at_checked(quote + 1)?;
        let (text, after) = text.split_at_checked(end(text)?)?;
        changed |= copy_numbers(before, &mut whole);
        match mended(text) {
            None => whole.extend_from_slice(text),
            Some(_) if names_a_field(after) => return None,
            Some(mended) => {
                whole.extend_from_slice(mended.as_bytes());
                changed = true;
            }
        }
        whole.push(b'"');
        rest = after.get(1..)?;
    }
    changed |= copy_numbers(rest, &mut whole);
    changed.then_some(whole)
}

/// Copies what is between two texts, and replaces what is no number. Returns whether there was any.
fn copy_numbers(between: &[u8], whole: &mut Vec<u8>) -> bool {
    let (mut rest, mut changed) = (between, false);
    while let Some((before, from)) = memchr::memchr2(b'N', b'I', rest).and_then(|at| rest.split_at_checked(at)) {
        let Some(after) = NO_NUMBERS.iter().find_map(|word| from.strip_prefix(*word)) else { break };
        whole.extend_from_slice(before.strip_suffix(b"-").unwrap_or(before));
        whole.extend_from_slice(NO_NUMBER);
        (rest, changed) = (after, true);
    }
    whole.extend_from_slice(rest);
    changed
}

/// The position of the quote that ends a text.
fn end(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text.get(at) == Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

/// Whether a colon follows the quote.
fn names_a_field(after: &[u8]) -> bool {
    after.iter().skip(1).find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

fn mended(text: &[u8]) -> Option<String> {
    let read = without_controls(String::from_utf8_lossy(text));
    let halves = without_halves(&read);
    if matches!(read, Cow::Borrowed(_)) && halves.is_none() {
        return None;
    }
    Some(halves.unwrap_or_else(|| read.into_owned()))
}

/// The text without control characters (RFC 8259, section 7); as it is if it has none.
fn without_controls(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_control = |letter: char| letter < ' ';
    if text.contains(is_control) { Cow::Owned(text.replace(is_control, "\u{fffd}")) } else { text }
}

/// The text without halves of characters; `None` if there are none.
fn without_halves(text: &str) -> Option<String> {
    let mut whole = String::with_capacity(text.len());
    let (mut rest, mut changed) = (text, false);
    while let Some((before, escape)) = rest.split_once('\\') {
        whole.push_str(before);
        let length = match (unit(escape), escape.get(5..).and_then(|next| unit(next.strip_prefix('\\')?))) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 11,
            (Some(0xd800..=0xdfff), _) => {
                whole.push(NO_TEXT);
                changed = true;
                rest = escape.get(5..).unwrap_or_default();
                continue;
            }
            _ => escape.chars().next().map_or(0, char::len_utf8),
        };
        let (escape, after) = escape.split_at_checked(length)?;
        whole.push('\\');
        whole.push_str(escape);
        rest = after;
    }
    whole.push_str(rest);
    changed.then_some(whole)
}

/// The unit of UTF-16 that `u` and four digits stand for.
fn unit(escape: &str) -> Option<u16> {
    let digits = escape.strip_prefix('u')?.get(..4)?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(body: &[u8]) -> Option<String> {
        repaired(body).map(|body| String::from_utf8(body).expect("a text"))
    }

    #[test]
    fn what_is_a_text_stays_as_it_is() {
        for whole in [
            r#"{"a":"Größe","b":["\ud83d\ude00","\\ud83d","\"\u00e9\\"],"c":"\ufffd"}"#,
            r#"{"a":1}"#,
            "",
            // This is not JSON, and cannot be repaired.
            r#"{"a":"\ud83"#,
            r#"{"a":"\ud83"}"#,
            r#"{"a":"\"#,
        ] {
            assert_eq!(told(whole.as_bytes()), None, "{whole}");
        }
        assert_eq!(told(b"{\xff}"), None, "not within a text");
    }

    #[test]
    fn halves_of_characters_and_bytes_that_are_no_text_are_marked() {
        for (cut, whole) in [
            (&br#"{"a":"Game \ud83d","b":1}"#[..], "{\"a\":\"Game \u{fffd}\",\"b\":1}"),
            (br#"{"a":"\uDE00 x"}"#, "{\"a\":\"\u{fffd} x\"}"),
            (br#"["\ud83d\ud83d\ude00\n"]"#, "[\"\u{fffd}\\ud83d\\ude00\\n\"]"),
            (br#"["\ud83d\u0041","\\\ud83d"]"#, "[\"\u{fffd}\\u0041\",\"\\\\\u{fffd}\"]"),
            (b"[\"a\xf0\x9f\x98\",\"\xff\"]", "[\"a\u{fffd}\",\"\u{fffd}\"]"),
            (b"[\"\xff\\ud83d\"]", "[\"\u{fffd}\u{fffd}\"]"),
            (b"{\"a\":\"x\ty\",\n\t\"b\":\"\x00\\n\"}", "{\"a\":\"x\u{fffd}y\",\n\t\"b\":\"\u{fffd}\\n\"}"),
        ] {
            assert_eq!(told(cut).as_deref(), Some(whole), "{whole}");
        }
    }

    #[test]
    fn what_is_no_number_is_marked() {
        for (sent, whole) in [
            (r#"{"a":NaN,"b":[1,-Infinity,Infinity]}"#, r#"{"a":"?","b":[1,"?","?"]}"#),
            (r#"{"NaN":NaN,"Infinity":"-Infinity"}"#, r#"{"NaN":"?","Infinity":"-Infinity"}"#),
            ("[NaN]", r#"["?"]"#),
            ("NaN", r#""?""#),
        ] {
            assert_eq!(told(sent.as_bytes()), Some(whole.replace('?', "\u{fffd}")), "{sent}");
        }
        for whole in [r#"{"NaN":"-Infinity"}"#, "[None]", "[Inf]", "[Na]"] {
            assert_eq!(told(whole.as_bytes()), None, "{whole}");
        }
    }

    #[test]
    fn the_name_of_a_field_could_be_any() {
        for body in [&b"{\"a\":\"\xff\",\"\xff\":1}"[..], b"{\"\\ud83d\" \n: 1}"] {
            assert_eq!(told(body), None);
        }
    }
}
