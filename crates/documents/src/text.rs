//! A line of text: its fonts, its width, and shortening it if it is too long.
#![allow(clippy::float_arithmetic, reason = "lengths on a page are no money")]

use std::ops::Range;

use krilla::geom::Point;
use krilla::surface::Surface;
use krilla::text::{GlyphId, KrillaGlyph};
use rustybuzz::UnicodeBuffer;

use crate::breaks::{letters, parts};
use crate::fonts::{Typeface, Weight};

#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub weight: Weight,
    pub size: f32,
}

/// Replaces a character that none of our fonts has.
const UNKNOWN: char = '\u{FFFD}';

/// A shaped piece in one font.
struct Run {
    typeface: &'static Typeface,
    text: String,
    glyphs: Vec<KrillaGlyph>,
    /// In units of the font size.
    width: f32,
}

/// A text in the fonts that have its characters.
pub struct ShapedText {
    runs: Vec<Run>,
    style: Style,
}

pub fn shape(text: &str, style: Style) -> ShapedText {
    ShapedText { runs: split(text, style.weight).into_iter().map(|(face, text)| shaped(face, text)).collect(), style }
}

impl ShapedText {
    pub fn width(&self) -> f32 {
        self.runs.iter().map(|run| run.width).sum::<f32>() * self.style.size
    }

    /// Draws it with its baseline starting at `x`, `y`.
    pub fn draw(&self, surface: &mut Surface<'_>, x: f32, y: f32) {
        let mut at = x;
        for run in &self.runs {
            let font = run.typeface.font.clone();
            surface.draw_glyphs(Point::from_xy(at, y), &run.glyphs, font, &run.text, self.style.size, false);
            at += run.width * self.style.size;
        }
    }
}

/// Shapes a text, shortened with an ellipsis if it is wider than `width`.
pub fn fitted(text: &str, style: Style, width: f32) -> ShapedText {
    let whole = shape(text, style);
    if whole.width() <= width {
        return whole;
    }
    let begins = |next: &mut usize, letter: &str| {
        let begin = *next;
        *next += letter.len();
        Some(begin)
    };
    let ends: Vec<usize> = letters(text).into_iter().scan(0, begins).collect();
    // The longest prefix that fits: widths only grow.
    let fits = ends.partition_point(|end| {
        let start = text.get(..*end).unwrap_or_default();
        shape(&format!("{start}…"), style).width() <= width
    });
    let end = ends.get(fits.saturating_sub(1)).copied().unwrap_or(0);
    shape(&format!("{}…", text.get(..end).unwrap_or_default().trim_end()), style)
}

/// The text in lines of at most `width`, broken between words if possible, or between letters if a single word is too
/// wide.
pub fn wrapped(text: &str, style: Style, width: f32) -> Vec<ShapedText> {
    let whole = shape(text.trim_end(), style);
    if whole.width() <= width {
        return vec![whole];
    }
    let fits = |text: &str| shape(text.trim_end(), style).width() <= width;
    let mut lines = Vec::new();
    let mut line = String::new();
    for part in parts(text) {
        if fits(&format!("{line}{part}")) {
            line.push_str(part);
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        let pieces = if fits(part) { vec![part] } else { letters(part) };
        for letter in pieces {
            if !line.is_empty() && !fits(&format!("{line}{letter}")) {
                lines.push(std::mem::take(&mut line));
            }
            line.push_str(letter);
        }
    }
    lines.push(line);
    lines.iter().map(|line| shape(line.trim_end(), style)).collect()
}

/// A text in pieces, each with the first font that has all its characters. A combining
/// mark stays with the letter before it if that font has it.
fn split(text: &str, weight: Weight) -> Vec<(&'static Typeface, String)> {
    let mut pieces: Vec<(&'static Typeface, String)> = Vec::new();
    let faces = weight.faces();
    for c in text.chars().map(|c| if c.is_control() { ' ' } else { c }) {
        let (c, found) = match faces.iter().find(|face| face.has(c)) {
            Some(found) => (c, Some(found)),
            None => (UNKNOWN, faces.iter().find(|face| face.has(UNKNOWN))),
        };
        match (pieces.last_mut(), found) {
            (Some((face, piece)), _) if goes_on(face, c, found) => piece.push(c),
            (_, Some(found)) => pieces.push((found, c.to_string())),
            (_, None) => {}
        }
    }
    pieces
}

/// Whether a character continues in the font of the previous one.
fn goes_on(face: &'static Typeface, c: char, found: Option<&'static Typeface>) -> bool {
    let same = found.is_some_and(|found| std::ptr::eq(found, face));
    same || (!c.is_alphanumeric() && face.has(c))
}

fn shaped(typeface: &'static Typeface, text: String) -> Run {
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(&text);
    buffer.guess_segment_properties();
    let output = rustybuzz::shape(&typeface.face, &[], buffer);
    let unit = f32::from(i16::try_from(typeface.face.units_per_em()).unwrap_or(1_000));
    let scaled = |n: i32| f32::from(i16::try_from(n).unwrap_or(i16::MAX)) / unit;
    let starts: Vec<usize> = output.glyph_infos().iter().map(|info| info.cluster as usize).collect();
    let mut glyphs = Vec::with_capacity(starts.len());
    for (n, (info, position)) in output.glyph_infos().iter().zip(output.glyph_positions()).enumerate() {
        glyphs.push(KrillaGlyph::new(
            GlyphId::new(info.glyph_id),
            scaled(position.x_advance),
            scaled(position.x_offset),
            scaled(position.y_offset),
            scaled(position.y_advance),
            cluster(&starts, n, text.len()),
            None,
        ));
    }
    let width = output.glyph_positions().iter().map(|position| scaled(position.x_advance)).sum();
    Run { typeface, text, glyphs, width }
}

/// The part of the text that a glyph represents, up to the beginning of the next.
fn cluster(starts: &[usize], n: usize, end: usize) -> Range<usize> {
    let start = starts.get(n).copied().unwrap_or(0);
    let next = starts.iter().skip(n).find(|next| **next > start).copied();
    start..next.unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style = Style { weight: Weight::Regular, size: 10.0 };

    fn pieces(text: &str) -> Vec<String> {
        split(text, Weight::Regular).into_iter().map(|(_, piece)| piece).collect()
    }

    #[test]
    fn each_script_is_in_its_own_font() {
        assert_eq!(pieces("Plan ก่อน 計畫 P1"), ["Plan ", "ก่อน ", "計畫 ", "P1"]);
        assert_eq!(pieces("a\u{1F600}b\nc"), ["a\u{FFFD}b c"]);
    }

    #[test]
    fn what_is_too_long_ends_in_an_ellipsis_within_its_width() {
        let text = "A remark that goes on and on, longer than anybody wants to read it";
        let cut = fitted(text, STYLE, 100.0);
        assert!(cut.width() <= 100.0 && cut.width() > 80.0, "{}", cut.width());
        assert!(cut.runs.last().is_some_and(|run| run.text.ends_with('…')));
        assert!((fitted("short", STYLE, 100.0).width() - shape("short", STYLE).width()).abs() < 0.01);
    }

    #[test]
    fn lines_of_scripts_without_blanks_end_where_they_may() {
        let text = "點擊由腳本產生，（玫瑰頁面）「共 1,234.50 元」。已與 Roses-Accounting 商定！";
        for width in [55.0, 62.0, 70.0, 85.0, 100.0] {
            for line in wrapped(text, STYLE, width) {
                let line: String = line.runs.iter().map(|run| run.text.as_str()).collect();
                assert!(!line.starts_with(['，', '。', '）', '」', '！']), "{line}");
                assert!(!line.ends_with(['（', '「']), "{line}");
                assert!(!line.contains("1,2") || line.contains("1,234.50"), "{line}");
            }
        }
        let thai = "น้ำเต้าที่ขายได้ก่อนเก้าโมง".repeat(4);
        for line in wrapped(&thai, STYLE, 50.0) {
            let line: String = line.runs.iter().map(|run| run.text.as_str()).collect();
            let is_mark = |c: char| matches!(c, '\u{e30}'..='\u{e3a}' | '\u{e45}'..='\u{e4e}');
            assert!(!line.starts_with(is_mark) && !line.ends_with(['เ', 'แ', 'โ', 'ใ', 'ไ']), "{line}");
        }
    }

    #[test]
    fn lines_break_between_words_and_long_words_anywhere() {
        for text in ["several words that do not fit on one line", "沒有空格的中文也必須能夠換行才可以讀", "x"]
        {
            let lines = wrapped(text, STYLE, 80.0);
            assert!(lines.iter().all(|line| line.width() <= 80.0), "{text}");
            let whole: String = lines.iter().flat_map(|line| line.runs.iter().map(|run| run.text.clone())).collect();
            assert_eq!(whole.replace(' ', ""), text.replace(' ', ""));
        }
    }
}
