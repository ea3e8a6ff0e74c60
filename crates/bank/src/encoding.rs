//! Decodes a file's bytes to text. Anything uncertain is refused: no character is ever replaced.

use std::borrow::Cow;

use encoding_rs::{DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::mistakes::Problem;

/// Looks up the name of an encoding, such as `windows-1252`. Java writes `ISO8859_1`.
pub fn encoding_named(name: &str) -> Option<&'static Encoding> {
    Encoding::for_label(name.trim().as_bytes())
        .or_else(|| Encoding::for_label(name.trim().replace('_', "-").as_bytes()))
}

/// The text of a file: in the encoding named, or else as its mark or its XML declaration says, or UTF-8.
///
/// # Errors
/// `UnknownEncoding`, `NotInEncoding`.
pub fn decoded<'a>(bytes: &'a [u8], named: Option<&'static Encoding>) -> Result<Cow<'a, str>, Problem> {
    let (encoding, bytes) = match Encoding::for_bom(bytes) {
        Some((found, length)) => (found, bytes.get(length..).unwrap_or_default()),
        None => (named.map_or_else(|| found_in(bytes), Ok)?, bytes),
    };
    if encoding == UTF_8 {
        return std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| Problem::NotUtf8);
    }
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let most = decoder.max_utf8_buffer_length_without_replacement(bytes.len()).unwrap_or(0);
    let mut text = String::with_capacity(most);
    match decoder.decode_to_string_without_replacement(bytes, &mut text, true) {
        (DecoderResult::InputEmpty, _) => Ok(Cow::Owned(text)),
        _ => Err(Problem::NotInEncoding { name: encoding.name() }),
    }
}

fn found_in(bytes: &[u8]) -> Result<&'static Encoding, Problem> {
    match bytes {
        [0, first, ..] if *first != 0 => return Ok(UTF_16BE),
        [first, 0, ..] if *first != 0 => return Ok(UTF_16LE),
        _ => {}
    }
    if let Some(found) = of_nulls(bytes) {
        return Ok(found);
    }
    let Some(name) = declared(bytes) else { return Ok(UTF_8) };
    let found = encoding_named(&name).ok_or(Problem::UnknownEncoding { name })?;
    // A text that could be read byte by byte is not UTF-16, even if it declares that: programs keep an old declaration
    // when they save a text in another encoding.
    let outdated = [UTF_16LE, UTF_16BE].contains(&found) || is_utf_8_all_the_same(found, bytes);
    Ok(if outdated { UTF_8 } else { found })
}

/// UTF-16 that begins with a letter of another script: signs and digits have an empty byte each, nearly always in the
/// same place of two. A file that is filled up with them has as many in both.
fn of_nulls(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..500).unwrap_or(bytes);
    let count = |place| head.iter().skip(place).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (count(0), count(1));
    let many = (even + odd) * 8 > head.len() && even.max(odd) > 4 * even.min(odd);
    many.then_some(if odd > even { UTF_16LE } else { UTF_16BE })
}

/// Whether a text is in UTF-8 although its declaration says otherwise. In these encodings, letters form valid UTF-8 only if
/// the text was garbled before: each letter would have a sign behind it.
fn is_utf_8_all_the_same(declared: &'static Encoding, bytes: &[u8]) -> bool {
    let is_of_letters = declared.name().starts_with("windows-125") || declared.name().starts_with("ISO-8859-");
    is_of_letters && std::str::from_utf8(bytes).is_ok()
}

/// The encoding in an XML declaration.
fn declared(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(bytes.get(..200).unwrap_or(bytes));
    let declaration = head.trim_start().strip_prefix("<?xml")?.split("?>").next()?;
    let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value.get(1..)?.split(quote).next().map(|name| name.chars().take(40).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf_16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(unit).collect()
    }

    #[test]
    fn a_mark_comes_first_then_a_name_then_the_declaration() {
        let text = "<?xml version=\"1.0\" encoding='ISO-8859-1'?><a>Größe</a>";
        let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin")).collect();
        assert_eq!(decoded(&latin, None).expect("decoded"), text);
        let both = [utf_16(text, u16::to_le_bytes), utf_16(text, u16::to_be_bytes)];
        for bytes in &both {
            assert_eq!(decoded(bytes, None).expect("decoded"), text, "without a mark");
        }
        let table = "日付,金額,通貨,摘要\n2026/11/02,5.00,USD,一\n";
        for bytes in [utf_16(table, u16::to_le_bytes), utf_16(table, u16::to_be_bytes)] {
            assert_eq!(decoded(&bytes, None).expect("decoded"), table, "without a mark");
        }
        for fill in [2, 3, 468, 469] {
            let filled = format!("date,amount,currency\n2026-11-02,5.00,USD\n{}", "\0".repeat(fill));
            assert_eq!(decoded(filled.as_bytes(), None).expect("decoded"), filled);
        }
        let marked = utf_16(&format!("\u{feff}{text}"), u16::to_be_bytes);
        assert_eq!(decoded(&marked, encoding_named("windows-1252")).expect("decoded"), text);
        assert_eq!(decoded(format!("\u{feff}{text}").as_bytes(), None).expect("decoded"), text);
        assert_eq!(decoded(b"Gr\xf6\xdfe", encoding_named(" latin1 ")).expect("decoded"), "Größe");
    }

    #[test]
    fn a_declaration_of_utf_16_that_is_readable_byte_by_byte_is_not_true() {
        for name in ["utf-16", "UTF-16LE", "utf-16be", "ucs-2"] {
            let text = format!("<?xml version=\"1.0\" encoding=\"{name}\"?><a>Größe</a>");
            assert_eq!(decoded(text.as_bytes(), None).expect("decoded"), text);
            // Where the declaration is true, nothing changes.
            assert_eq!(decoded(&utf_16(&text, u16::to_le_bytes), None).expect("decoded"), text);
        }
        let latin = b"<?xml version=\"1.0\" encoding=\"utf-16\"?><a>Gr\xf6\xdfe</a>";
        assert_eq!(decoded(latin, None), Err(Problem::NotUtf8));
    }

    #[test]
    fn a_declaration_that_nobody_changed_when_the_text_became_utf_8_is_not_true() {
        for (name, letters, last) in [
            ("ISO-8859-1", "Größe, S\u{c3}O PAULO", 'ü'),
            ("windows-1252", "Größe", 'ü'),
            ("iso-8859-15", "Größe", 'ü'),
            ("us-ascii", "Größe", 'ü'),
            ("windows-1250", "Małgorzata Łęcka", 'ü'),
            ("iso-8859-2", "Małgorzata Łęcka", 'ü'),
            ("windows-1251", "Иванов", 'ь'),
            ("windows-1253", "Αθήνα", 'ό'),
        ] {
            let text = format!("<?xml version=\"1.0\" encoding=\"{name}\"?><a>{letters}</a>");
            assert_eq!(decoded(text.as_bytes(), None).expect("decoded"), text);
            // One letter that is not valid UTF-8 shows that the declaration is true.
            let mixed = [text.as_bytes(), b"\xfc"].concat();
            assert_eq!(decoded(&mixed, None).expect("decoded").chars().last(), Some(last));
            // An encoding that the caller names takes precedence.
            assert_ne!(decoded(text.as_bytes(), encoding_named(name)).expect("decoded"), text);
        }
        // Elsewhere two letters may well be UTF-8 by chance, as these of GBK.
        let chinese = [&b"<?xml version=\"1.0\" encoding=\"gbk\"?>"[..], b"\xc1\xaa\xcd\xa8"].concat();
        assert!(decoded(&chinese, None).expect("decoded").ends_with("联通"));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(decoded(b"Gr\xf6\xdfe", None), Err(Problem::NotUtf8));
        assert_eq!(decoded(b"\xff\xfe\x00\xd8", None), Err(Problem::NotInEncoding { name: "UTF-16LE" }));
        let unknown = Problem::UnknownEncoding { name: "EBCDIC-7".into() };
        assert_eq!(decoded(b"<?xml version=\"1.0\" encoding=\"EBCDIC-7\"?>", None), Err(unknown));
        assert!(encoding_named("nonsense").is_none() && encoding_named("_").is_none());
        assert_eq!((encoding_named("ISO8859_1"), encoding_named("UTF_8")), (encoding_named("latin1"), Some(UTF_8)));
    }
}
