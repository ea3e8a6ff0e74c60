//! An account's statement: its lines with what was available after each.

use super::{BODY, Body, HEADING, INK, MARGIN, MUTED, Paper, SMALL, Sheet, UPRIGHT, count, print};
use crate::text::{ShapedText, wrapped};
use crate::{DocumentError, Head, Line, Statement};

/// The table's columns: where texts begin, and where numbers end.
const WHAT: f32 = MARGIN + 124.0;
const AMOUNT_END: f32 = UPRIGHT.width - MARGIN - 118.0;
const BALANCE_END: f32 = UPRIGHT.width - MARGIN - 6.0;
const NUMBER_WIDTH: f32 = 100.0;
const TIME_WIDTH: f32 = WHAT - MARGIN - 14.0;
const WHAT_WIDTH: f32 = AMOUNT_END - NUMBER_WIDTH - WHAT - 8.0;
const ROW: f32 = 20.0;
const REMARK_LINE: f32 = 11.0;

/// The complete document.
///
/// # Errors
/// None that a statement can cause.
pub fn pdf(statement: &Statement) -> Result<Vec<u8>, DocumentError> {
    print(statement)
}

/// A remark explains its line, so all of it is shown.
fn remark(line: &Line) -> Vec<ShapedText> {
    if line.remark.is_empty() { Vec::new() } else { wrapped(&line.remark, SMALL, WHAT_WIDTH) }
}

impl Body for Statement {
    type Row = Line;

    const PAPER: Paper = UPRIGHT;

    fn head(&self) -> &Head {
        &self.head
    }

    fn rows(&self) -> &[Line] {
        &self.lines
    }

    fn height(line: &Line) -> f32 {
        ROW + count(remark(line).len()) * REMARK_LINE
    }

    fn draw_headings(&self, sheet: &mut Sheet<'_, '_>, y: f32) {
        let [time, what, amount, balance] = &self.headings;
        sheet.write(time, HEADING, MUTED, MARGIN + 6.0, y, TIME_WIDTH);
        sheet.write(what, HEADING, MUTED, WHAT, y, WHAT_WIDTH);
        sheet.write_ending(amount, HEADING, MUTED, AMOUNT_END, y, NUMBER_WIDTH);
        sheet.write_ending(balance, HEADING, MUTED, BALANCE_END, y, NUMBER_WIDTH);
    }

    fn draw(&self, sheet: &mut Sheet<'_, '_>, line: &Line) {
        let y = sheet.y + 11.0;
        let ink = if line.beside { MUTED } else { INK };
        sheet.write(&line.time, BODY, MUTED, MARGIN + 6.0, y, TIME_WIDTH);
        sheet.write(&line.what, BODY, ink, WHAT, y, WHAT_WIDTH);
        sheet.write_ending(&line.amount, BODY, ink, AMOUNT_END, y, NUMBER_WIDTH);
        sheet.write_ending(&line.balance, BODY, ink, BALANCE_END, y, NUMBER_WIDTH);
        sheet.colour(MUTED);
        for (n, text) in remark(line).iter().enumerate() {
            text.draw(sheet.surface, WHAT, y + (count(n) + 1.0) * REMARK_LINE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HEADING_ROW, head_height, label_lines, paginate};
    use super::*;

    fn statement(lines: usize) -> Statement {
        let line = |n: usize| Line {
            time: "2026-01-05 13:00".into(),
            what: "廣告投放 Budget set aside การแสดงโฆษณา".into(),
            remark: if n.is_multiple_of(2) { format!("P{n}") } else { String::new() },
            amount: "-60.00".into(),
            beside: n.is_multiple_of(3),
            balance: "40.00".into(),
        };
        Statement {
            head: Head {
                lang: "en".into(),
                title: "Account statement".into(),
                subtitle: "2026-01".into(),
                warning: Some("Simulated data – no real money".into()),
                facts: vec![("Account".into(), "demo".into())],
                figures: vec![("Opening".into(), "0.00".into()), ("Closing".into(), "40.00".into())],
                empty: "No movements".into(),
                page: "Page {{page}} of {{pages}}".into(),
            },
            headings: ["Time", "Kind", "Amount", "Available"].map(Into::into),
            lines: (0..lines).map(line).collect(),
        }
    }

    #[test]
    fn every_line_is_on_one_page_and_none_is_lost() {
        for lines in [0, 1, 20, 21, 22, 23, 24, 25, 200, 2_000] {
            let statement = statement(lines);
            let pages = paginate(&statement);
            assert_eq!(pages.iter().map(|page| page.len()).sum::<usize>(), lines);
            assert!(pages.iter().skip(1).all(|page| !page.is_empty()), "{lines}");
            let tallest = pages.iter().map(|page| page.iter().map(Statement::height).sum::<f32>()).fold(0.0, f32::max);
            assert!(tallest <= UPRIGHT.bottom() - MARGIN - HEADING_ROW, "{lines}");
        }
    }

    #[test]
    fn a_long_name_of_a_figure_is_whole_and_has_its_room() {
        let mut head = statement(0).head;
        head.figures = vec![("Closing balance".to_owned(), "1.00 USD".to_owned()); 4];
        let one_line = head_height(&head, UPRIGHT);
        if let Some((name, _)) = head.figures.last_mut() {
            name.push_str(" (Nov 30, 2026 04:41)");
        }
        assert_eq!(label_lines(&head.figures, UPRIGHT), 2);
        assert!(head_height(&head, UPRIGHT) > one_line);
    }

    #[test]
    fn a_long_remark_takes_the_lines_it_needs() {
        let with = |remark: &str| Line { remark: remark.into(), ..statement(1).lines.remove(0) };
        assert_eq!([Statement::height(&with("")), Statement::height(&with("P1"))], [20.0, 31.0]);
        let long = "Clicks by a script on the page about roses, as agreed with their accounts department. ".repeat(6);
        let lines = remark(&with(&long));
        assert!(lines.len() > 10 && lines.iter().all(|line| line.width() <= WHAT_WIDTH), "{}", lines.len());
        let tall = Statement { lines: vec![with(&long); 12], ..statement(0) };
        let pages = paginate(&tall);
        assert_eq!(pages.iter().map(|page| page.len()).sum::<usize>(), 12);
        for page in pages {
            assert!(page.iter().map(Statement::height).sum::<f32>() <= UPRIGHT.bottom() - MARGIN - HEADING_ROW);
        }
    }

    #[test]
    fn a_document_is_written_and_only_its_glyphs_are_in_it() {
        let document = pdf(&statement(60)).expect("written");
        assert!(document.starts_with(b"%PDF-1.") && document.len() < 200_000, "{}", document.len());
    }
}
