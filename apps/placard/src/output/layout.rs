//! Fitting text into a terminal, whose cells are not characters: a Chinese character
//! takes two, a combining accent none.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::terminal::room;

/// The space between two columns.
pub const GAP: usize = 2;
pub fn width(text: &str) -> usize {
    text.width()
}

pub fn padded(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

/// Shortened to this many cells, with a sign that something is missing.
pub fn shortened(text: &str, to: usize) -> String {
    if width(text) <= to {
        return text.to_owned();
    }
    let mut used = 1;
    let kept = text.chars().take_while(|c| {
        used += c.width().unwrap_or(0);
        used <= to
    });
    kept.chain(['…']).collect()
}

/// The width of each column; the widest shrink until all fit.
pub fn fitted<'a>(rows: impl Iterator<Item = &'a Vec<String>>, columns: usize) -> Vec<usize> {
    let mut widths = vec![0; columns];
    for row in rows {
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = width(cell).max(*widest);
        }
    }
    let gaps = GAP * columns.saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > room() {
        match widths.iter_mut().max() {
            Some(widest) if *widest > 1 => *widest -= 1,
            _ => break,
        }
    }
    widths
}

/// The lines of a text, broken between words; a word longer than a line stays whole.
pub fn wrapped(text: &str, to: usize) -> Vec<String> {
    text.split('\n').flat_map(|line| wrapped_line(line, to)).collect()
}

fn wrapped_line(text: &str, to: usize) -> Vec<String> {
    if width(text) <= to {
        return vec![text.to_owned()];
    }
    let (mut lines, mut current) = (Vec::new(), String::new());
    for word in text.split_whitespace() {
        if !current.is_empty() && width(&current) + 1 + width(word) > to {
            lines.push(std::mem::take(&mut current));
        }
        if !current.is_empty() {
            current.push(' ');
        }
        current.push_str(word);
    }
    lines.push(current);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_says_so_and_fits() {
        assert_eq!(shortened("abcdef", 6), "abcdef");
        assert_eq!(shortened("abcdefg", 6), "abcde…");
        assert_eq!(shortened("广告投放计划", 6), "广告…");
        assert!(width(&shortened("广告投放计划", 7)) <= 7);
        assert_eq!(padded("广", 4), "广  ");
    }

    #[test]
    fn words_longer_than_a_line_stay_whole() {
        assert_eq!(wrapped("aa bb ccccccc d", 5), ["aa bb", "ccccccc", "d"]);
        assert_eq!(wrapped("a\n\nb", 5), ["a", "", "b"]);
    }
}
