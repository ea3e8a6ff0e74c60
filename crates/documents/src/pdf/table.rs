//! A table of figures, each with another one to compare it with.

use super::{ACROSS, BODY, Body, HEADING, INK, LABEL, MARGIN, MUTED, Paper, SMALL, Sheet, count, print};
use crate::text::Style;
use crate::{DocumentError, Head, Row, Table};

const NAME_WIDTH: f32 = 204.0;
const GAP: f32 = 6.0;
const ROW: f32 = 20.0;
const LINE_BELOW: f32 = 11.0;

/// The complete document.
///
/// # Errors
/// None that a table can cause.
pub fn table_pdf(table: &Table) -> Result<Vec<u8>, DocumentError> {
    print(table)
}

impl Table {
    /// Writes the first cell at its beginning, and the others at the ends of their columns.
    fn draw_cells(&self, sheet: &mut Sheet<'_, '_>, cells: &[String], style: Style, colour: [u8; 3], y: f32) {
        let numbers = count(self.headings.len().saturating_sub(1).max(1));
        let width = (ACROSS.inner() - NAME_WIDTH - GAP) / numbers;
        let Some((name, numbers)) = cells.split_first() else { return };
        sheet.write(name, style, colour, MARGIN + GAP, y, NAME_WIDTH - 2.0 * GAP);
        for (n, number) in numbers.iter().enumerate() {
            let end = MARGIN + NAME_WIDTH + (count(n) + 1.0) * width;
            sheet.write_ending(number, style, colour, end, y, width - GAP);
        }
    }
}

impl Body for Table {
    type Row = Row;

    const PAPER: Paper = ACROSS;

    fn head(&self) -> &Head {
        &self.head
    }

    fn rows(&self) -> &[Row] {
        &self.rows
    }

    fn height(row: &Row) -> f32 {
        if row.below.is_empty() { ROW } else { ROW + LINE_BELOW }
    }

    fn draw_headings(&self, sheet: &mut Sheet<'_, '_>, y: f32) {
        self.draw_cells(sheet, &self.headings, Style { size: LABEL.size, ..HEADING }, MUTED, y);
    }

    fn draw(&self, sheet: &mut Sheet<'_, '_>, row: &Row) {
        let y = sheet.y + 11.0;
        let style = if row.is_total { Style { size: BODY.size, ..HEADING } } else { BODY };
        self.draw_cells(sheet, &row.cells, style, INK, y);
        self.draw_cells(sheet, &row.below, SMALL, MUTED, y + LINE_BELOW);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HEADING_ROW, paginate};
    use super::*;

    fn table(rows: usize) -> Table {
        let cells = |of: &[&str]| of.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let row = |n: usize| Row {
            cells: cells(&["example.com รายงาน 報告", "1,234,567", "12,345.67", "-8.9%"]),
            below: if n.is_multiple_of(3) { Vec::new() } else { cells(&["Before", "1", "0.00", "–"]) },
            is_total: n == 0,
        };
        Table {
            head: Head {
                lang: "en".into(),
                title: "Report".into(),
                page: "Page {{page}} of {{pages}}".into(),
                ..Head::default()
            },
            headings: cells(&["Site or app", "Impressions", "Consumed", "ROI"]),
            rows: (0..rows).map(row).collect(),
        }
    }

    #[test]
    fn every_row_is_on_one_page() {
        for rows in [0, 1, 10, 11, 12, 13, 14, 15, 16, 400] {
            let table = table(rows);
            let pages = paginate(&table);
            assert_eq!(pages.iter().map(|page| page.len()).sum::<usize>(), rows);
            let tallest = pages.iter().map(|page| page.iter().map(Table::height).sum::<f32>()).fold(0.0, f32::max);
            assert!(tallest <= ACROSS.bottom() - MARGIN - HEADING_ROW, "{rows}");
        }
    }

    #[test]
    fn it_is_written_across_the_page() {
        let document = table_pdf(&table(40)).expect("written");
        assert!(document.starts_with(b"%PDF-1."));
        let box_across = b"[0 0 842 595]";
        assert!(document.windows(box_across.len()).any(|part| part == box_across));
    }
}
