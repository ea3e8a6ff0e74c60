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

/// How the text of a cell gives way where it does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text that may be shortened, because `show` prints all of it.
    Prose,
    /// The time stands below its day.
    Moment,
    /// Numbers and names that people compare are broken, and nothing of them is left out.
    Whole,
}

/// The width that a column needs.
#[derive(Clone, Copy, Debug)]
pub struct Need {
    pub width: usize,
    /// The longest part of a name that is not broken unless it has to be.
    pub part: usize,
    pub kind: Kind,
}

/// The width that prose keeps in lines with times or whole names, and its minimum.
const PHRASE: usize = 12;
const WORD: usize = 10;
const LETTERS: usize = 4;
const DAY: usize = "2026-01-31".len();

/// The width of each column. First prose gives way, then times go below their days and names are broken where they
/// have a joint, and at last anywhere.
pub fn fitted(needs: &[Need]) -> Vec<usize> {
    let room = room().saturating_sub(GAP * needs.len().saturating_sub(1));
    let mut widths: Vec<usize> = needs.iter().map(|need| need.width).collect();
    for (at, need) in needs.iter().enumerate().rev() {
        let in_one_line = in_one_line(needs, &widths);
        if let Some(width) = widths.get_mut(at).filter(|_| need.kind == Kind::Moment && in_one_line > room) {
            *width = DAY.min(*width);
        }
    }
    let is = |at: usize, kind| needs.get(at).is_some_and(|need| need.kind == kind);
    let part = |at: usize| needs.get(at).map_or(0, |need| need.part);
    shrink(&mut widths, room, |at, width| is(at, Kind::Prose) && width > part(at).max(WORD));
    shrink(&mut widths, room, |at, width| !is(at, Kind::Moment) && width > part(at).max(LETTERS));
    shrink(&mut widths, room, |at, width| !is(at, Kind::Moment) && width > 1);
    widths
}

/// The width of all, with no more prose than has to be.
fn in_one_line(needs: &[Need], widths: &[usize]) -> usize {
    let each = needs.iter().zip(widths);
    each.map(|(need, width)| if need.kind == Kind::Prose { PHRASE.min(*width) } else { *width }).sum()
}

/// The widest of those that may shrink until all fit.
fn shrink(widths: &mut [usize], room: usize, may: impl Fn(usize, usize) -> bool) {
    while widths.iter().sum::<usize>() > room {
        let those = widths.iter_mut().enumerate().filter(|(at, width)| may(*at, **width));
        match those.max_by_key(|(_, width)| **width) {
            Some((_, widest)) => *widest -= 1,
            None => break,
        }
    }
}

/// The lines of a text that is not shortened, broken between words or, if one is longer than a line, within it.
pub fn broken(text: &str, to: usize) -> Vec<String> {
    wrapped(text, to).iter().flat_map(|line| pieces(line, to)).collect()
}

/// The characters at which a name is preferably broken.
const JOINTS: [char; 6] = ['_', '.', '/', ':', '-', '@'];

/// The longest part of a text that has neither a blank nor a joint within; amounts and days have none.
pub fn longest_part(text: &str) -> usize {
    let part = |word: &str| match word.contains(char::is_alphabetic) {
        true => word.split_inclusive(JOINTS).map(width).max().unwrap_or(0),
        false => width(word),
    };
    text.split_whitespace().map(part).max().unwrap_or(0)
}

fn pieces(line: &str, to: usize) -> Vec<String> {
    let (mut lines, mut piece, mut used) = (Vec::new(), String::new(), 0);
    for c in line.chars() {
        let cells = c.width().unwrap_or(0);
        while used + cells > to && !piece.is_empty() {
            let rest = piece.rfind(JOINTS).map_or_else(String::new, |at| piece.split_off(at + 1));
            used = width(&rest);
            lines.push(std::mem::replace(&mut piece, rest));
        }
        piece.push(c);
        used += cells;
    }
    lines.push(piece);
    lines
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
    fn prose_gives_way_before_times_and_times_before_names() {
        let need = |width, kind| Need { width, part: if kind == Kind::Whole { width } else { 0 }, kind };
        let table = |prose, whole| {
            fitted(&[
                need(whole, Kind::Whole),
                need(20, Kind::Moment),
                need(20, Kind::Moment),
                need(prose, Kind::Prose),
            ])
        };
        assert_eq!(table(12, 8), [8, 20, 20, 12]);
        assert_eq!(table(60, 8), [8, 20, 20, 26]);
        assert_eq!(table(60, 24), [24, 20, 10, 20]);
        assert_eq!(table(60, 34), [34, 10, 10, 20]);
        assert_eq!(table(60, 44), [44, 10, 10, 10]);
        assert_eq!(table(60, 70), [50, 10, 10, 4]);
        let code = Need { width: 60, part: 8, kind: Kind::Whole };
        assert_eq!(fitted(&[need(34, Kind::Whole), code]), [34, 44], "it is broken at its joints");
        for (text, part) in [("waiting_to_put", 8), ("recharge:5, 12345678901", 11), ("1000.00", 7), ("2026-01-31", 10)]
        {
            assert_eq!(longest_part(text), part, "{text}");
        }
    }

    #[test]
    fn nothing_of_what_is_broken_is_left_out() {
        assert_eq!(broken("2026-01-05 12:00:00Z", 10), ["2026-01-05", "12:00:00Z"]);
        assert_eq!(broken("abcdefg", 3), ["abc", "def", "g"]);
        assert_eq!(broken("广告投放", 5), ["广告", "投放"]);
        assert_eq!(broken("coupon_grant.approve", 16), ["coupon_grant.", "approve"]);
        assert_eq!(broken("/////", 2), ["//", "//", "/"]);
        assert_eq!(broken("", 5), [""]);
    }

    #[test]
    fn words_longer_than_a_line_stay_whole() {
        assert_eq!(wrapped("aa bb ccccccc d", 5), ["aa bb", "ccccccc", "d"]);
        assert_eq!(wrapped("a\n\nb", 5), ["a", "", "b"]);
    }
}
