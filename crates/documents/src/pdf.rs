//! The statement on A4 pages: a heading, the period, the figures of the month, and a
//! table that continues from page to page.
#![allow(clippy::float_arithmetic, reason = "lengths on a page are no money")]

use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{PathBuilder, Rect};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;

use crate::fonts::Weight;
use crate::text::{ShapedText, Style, fitted, shape, wrapped};
use crate::{DocumentError, Line, Statement};

/// A4, in points.
const WIDTH: f32 = 595.0;
const HEIGHT: f32 = 842.0;
const MARGIN: f32 = 48.0;
const INNER: f32 = WIDTH - 2.0 * MARGIN;
/// The end of the table, above the page number.
const BOTTOM: f32 = HEIGHT - 64.0;

/// The table's columns: where texts begin, and where numbers end.
const WHAT: f32 = MARGIN + 124.0;
const AMOUNT_END: f32 = WIDTH - MARGIN - 118.0;
const BALANCE_END: f32 = WIDTH - MARGIN - 6.0;
const NUMBER_WIDTH: f32 = 100.0;
const TIME_WIDTH: f32 = WHAT - MARGIN - 14.0;
const WHAT_WIDTH: f32 = AMOUNT_END - NUMBER_WIDTH - WHAT - 8.0;
const ROW: f32 = 20.0;
const REMARK_LINE: f32 = 11.0;
const HEADING_ROW: f32 = 24.0;

const INK: [u8; 3] = [26, 29, 38];
const MUTED: [u8; 3] = [92, 98, 112];
const LINE: [u8; 3] = [222, 225, 232];
const SHADE: [u8; 3] = [244, 245, 248];
const WARNING: [u8; 3] = [122, 76, 0];
const WARNING_SHADE: [u8; 3] = [255, 244, 222];

const TITLE: Style = Style { weight: Weight::Bold, size: 20.0 };
const SUBTITLE: Style = Style { weight: Weight::Regular, size: 12.0 };
const LABEL: Style = Style { weight: Weight::Regular, size: 8.0 };
const FIGURE: Style = Style { weight: Weight::Bold, size: 12.0 };
const BODY: Style = Style { weight: Weight::Regular, size: 9.0 };
const HEADING: Style = Style { weight: Weight::Bold, size: 8.5 };
const SMALL: Style = Style { weight: Weight::Regular, size: 7.5 };

/// The complete document.
///
/// # Errors
/// None that a statement can cause.
pub fn pdf(statement: &Statement) -> Result<Vec<u8>, DocumentError> {
    let mut document = Document::new();
    let title = format!("{} {}", statement.title, statement.subtitle);
    document.set_metadata(Metadata::new().title(title).language(statement.lang.clone()));
    let pages = paginate(statement);
    for (n, lines) in pages.iter().enumerate() {
        let settings = PageSettings::from_wh(WIDTH, HEIGHT).ok_or_else(|| DocumentError("no page".into()))?;
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        let mut sheet = Sheet { surface: &mut surface, y: MARGIN };
        if n == 0 {
            sheet.head(statement);
        }
        sheet.table(statement, lines);
        let told = statement.page.replace("{{page}}", &(n + 1).to_string());
        sheet.foot(&title_line(statement), &told.replace("{{pages}}", &pages.len().to_string()));
        surface.finish();
        page.finish();
    }
    document.finish().map_err(|e| DocumentError(format!("{e:?}")))
}

fn title_line(statement: &Statement) -> String {
    format!("{} · {}", statement.title, statement.subtitle)
}

/// The lines of each page; there is at least one page.
fn paginate(statement: &Statement) -> Vec<&[Line]> {
    let mut pages = Vec::new();
    let mut rest = statement.lines.as_slice();
    let mut room = BOTTOM - MARGIN - head_height(statement) - HEADING_ROW;
    loop {
        let mut used = 0.0;
        let fitting = rest.iter().take_while(|line| {
            used += row_height(line);
            used <= room
        });
        // A page takes at least one line, so that the loop ends.
        let count = fitting.count().max(1).min(rest.len());
        let (page, later) = rest.split_at(count);
        pages.push(page);
        if later.is_empty() {
            return pages;
        }
        rest = later;
        room = BOTTOM - MARGIN - HEADING_ROW;
    }
}

/// A remark explains its line, so all of it is shown.
fn remark(line: &Line) -> Vec<ShapedText> {
    if line.remark.is_empty() { Vec::new() } else { wrapped(&line.remark, SMALL, WHAT_WIDTH) }
}

fn row_height(line: &Line) -> f32 {
    ROW + count(remark(line).len()) * REMARK_LINE
}

const TITLE_HEIGHT: f32 = 56.0;
const FACT_HEIGHT: f32 = 15.0;
const FIGURES_HEIGHT: f32 = 62.0;
const WARNING_LINE: f32 = 13.0;

fn warning_lines(statement: &Statement) -> usize {
    statement.warning.as_ref().map_or(0, |text| wrapped(text, BODY, INNER - 20.0).len())
}

fn head_height(statement: &Statement) -> f32 {
    let warning = match warning_lines(statement) {
        0 => 0.0,
        lines => count(lines) * WARNING_LINE + 24.0,
    };
    TITLE_HEIGHT + warning + count(statement.facts.len()) * FACT_HEIGHT + 8.0 + FIGURES_HEIGHT
}

/// The numbers are small enough to be exact.
fn count(n: usize) -> f32 {
    f32::from(u16::try_from(n).unwrap_or(u16::MAX))
}

/// A page being written, and the current position.
struct Sheet<'a, 's> {
    surface: &'a mut Surface<'s>,
    y: f32,
}

impl Sheet<'_, '_> {
    fn colour(&mut self, [red, green, blue]: [u8; 3]) {
        let paint = rgb::Color::new(red, green, blue).into();
        self.surface.set_fill(Some(Fill {
            paint,
            opacity: NormalizedF32::ONE,
            rule: krilla::paint::FillRule::default(),
        }));
    }

    fn write(&mut self, text: &str, style: Style, colour: [u8; 3], x: f32, y: f32, width: f32) {
        self.colour(colour);
        fitted(text, style, width).draw(self.surface, x, y);
    }

    fn write_ending(&mut self, text: &str, style: Style, colour: [u8; 3], end: f32, y: f32, width: f32) {
        self.colour(colour);
        let shaped = fitted(text, style, width);
        shaped.draw(self.surface, end - shaped.width(), y);
    }

    fn fill(&mut self, colour: [u8; 3], x: f32, y: f32, width: f32, height: f32) {
        self.colour(colour);
        let Some(rect) = Rect::from_xywh(x, y, width, height) else { return };
        let mut path = PathBuilder::new();
        path.push_rect(rect);
        if let Some(path) = path.finish() {
            self.surface.draw_path(&path);
        }
    }

    fn head(&mut self, statement: &Statement) {
        self.write(&statement.title, TITLE, INK, MARGIN, self.y + 18.0, INNER);
        self.write(&statement.subtitle, SUBTITLE, MUTED, MARGIN, self.y + 37.0, INNER);
        self.y += TITLE_HEIGHT;
        if let Some(warning) = &statement.warning {
            self.warning(warning);
        }
        self.facts(&statement.facts);
        self.figures(&statement.figures);
    }

    fn warning(&mut self, text: &str) {
        let lines = wrapped(text, BODY, INNER - 20.0);
        let height = count(lines.len()) * WARNING_LINE + 12.0;
        self.fill(WARNING_SHADE, MARGIN, self.y, INNER, height);
        self.colour(WARNING);
        for (n, line) in lines.iter().enumerate() {
            line.draw(self.surface, MARGIN + 10.0, self.y + 15.0 + count(n) * WARNING_LINE);
        }
        self.y += height + 12.0;
    }

    fn facts(&mut self, facts: &[(String, String)]) {
        let widest = facts.iter().map(|(name, _)| shape(name, BODY).width()).fold(0.0, f32::max).min(INNER / 2.0);
        for (name, value) in facts {
            self.write(name, BODY, MUTED, MARGIN, self.y + 10.0, INNER / 2.0);
            self.write(value, BODY, INK, MARGIN + widest + 16.0, self.y + 10.0, INNER - widest - 16.0);
            self.y += FACT_HEIGHT;
        }
        self.y += 8.0;
    }

    fn figures(&mut self, figures: &[(String, String)]) {
        self.fill(SHADE, MARGIN, self.y, INNER, FIGURES_HEIGHT - 14.0);
        let width = INNER / count(figures.len().max(1));
        for (n, (name, value)) in figures.iter().enumerate() {
            let x = MARGIN + count(n) * width + 10.0;
            self.write(name, LABEL, MUTED, x, self.y + 18.0, width - 16.0);
            self.write(value, FIGURE, INK, x, self.y + 36.0, width - 16.0);
        }
        self.y += FIGURES_HEIGHT;
    }

    fn table(&mut self, statement: &Statement, lines: &[Line]) {
        let [time, what, amount, balance] = &statement.headings;
        let y = self.y + 14.0;
        self.write(time, HEADING, MUTED, MARGIN + 6.0, y, TIME_WIDTH);
        self.write(what, HEADING, MUTED, WHAT, y, WHAT_WIDTH);
        self.write_ending(amount, HEADING, MUTED, AMOUNT_END, y, NUMBER_WIDTH);
        self.write_ending(balance, HEADING, MUTED, BALANCE_END, y, NUMBER_WIDTH);
        self.y += HEADING_ROW;
        self.fill(LINE, MARGIN, self.y - 3.0, INNER, 1.0);
        for line in lines {
            self.row(line);
        }
        if statement.lines.is_empty() {
            self.write(&statement.empty, BODY, MUTED, MARGIN + 6.0, self.y + 14.0, INNER - 12.0);
        }
    }

    fn row(&mut self, line: &Line) {
        let y = self.y + 11.0;
        let ink = if line.beside { MUTED } else { INK };
        self.write(&line.time, BODY, MUTED, MARGIN + 6.0, y, TIME_WIDTH);
        self.write(&line.what, BODY, ink, WHAT, y, WHAT_WIDTH);
        self.write_ending(&line.amount, BODY, ink, AMOUNT_END, y, NUMBER_WIDTH);
        self.write_ending(&line.balance, BODY, ink, BALANCE_END, y, NUMBER_WIDTH);
        let remark = remark(line);
        self.colour(MUTED);
        for (n, text) in remark.iter().enumerate() {
            text.draw(self.surface, WHAT, y + (count(n) + 1.0) * REMARK_LINE);
        }
        self.y += ROW + count(remark.len()) * REMARK_LINE;
        self.fill(LINE, MARGIN, self.y - 3.0, INNER, 0.5);
    }

    fn foot(&mut self, title: &str, page: &str) {
        let y = HEIGHT - 36.0;
        self.write(title, SMALL, MUTED, MARGIN, y, INNER * 0.7);
        self.write_ending(page, SMALL, MUTED, WIDTH - MARGIN, y, INNER * 0.3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(lines: usize) -> Statement {
        let line = |n: usize| Line {
            time: "2026-01-05 13:00".into(),
            what: "廣告投放 Ad serving การแสดงโฆษณา".into(),
            remark: if n.is_multiple_of(2) { format!("P{n}") } else { String::new() },
            amount: "-60.00".into(),
            beside: n.is_multiple_of(3),
            balance: "40.00".into(),
        };
        Statement {
            lang: "en".into(),
            title: "Account statement".into(),
            subtitle: "2026-01".into(),
            warning: Some("Simulated data – no real money".into()),
            facts: vec![("Account".into(), "demo".into())],
            figures: vec![("Opening".into(), "0.00".into()), ("Closing".into(), "40.00".into())],
            headings: ["Time", "Kind", "Amount", "Available"].map(Into::into),
            lines: (0..lines).map(line).collect(),
            empty: "No movements".into(),
            page: "Page {{page}} of {{pages}}".into(),
        }
    }

    #[test]
    fn every_line_is_on_one_page_and_none_is_lost() {
        for lines in [0, 1, 20, 21, 22, 23, 24, 25, 200, 2_000] {
            let statement = statement(lines);
            let pages = paginate(&statement);
            assert_eq!(pages.iter().map(|page| page.len()).sum::<usize>(), lines);
            assert!(pages.iter().skip(1).all(|page| !page.is_empty()), "{lines}");
            let tallest = pages.iter().map(|page| page.iter().map(row_height).sum::<f32>()).fold(0.0, f32::max);
            assert!(tallest <= BOTTOM - MARGIN - HEADING_ROW, "{lines}");
        }
    }

    #[test]
    fn a_long_remark_takes_the_lines_it_needs() {
        let with = |remark: &str| Line { remark: remark.into(), ..statement(1).lines.remove(0) };
        assert_eq!([row_height(&with("")), row_height(&with("P1"))], [20.0, 31.0]);
        let long = "Clicks by a script on the page about roses, as agreed with their accounts department. ".repeat(6);
        let lines = remark(&with(&long));
        assert!(lines.len() > 10 && lines.iter().all(|line| line.width() <= WHAT_WIDTH), "{}", lines.len());
        let tall = Statement { lines: vec![with(&long); 12], ..statement(0) };
        let pages = paginate(&tall);
        assert_eq!(pages.iter().map(|page| page.len()).sum::<usize>(), 12);
        for page in pages {
            assert!(page.iter().map(row_height).sum::<f32>() <= BOTTOM - MARGIN - HEADING_ROW);
        }
    }

    #[test]
    fn a_document_is_written_and_only_its_glyphs_are_in_it() {
        let document = pdf(&statement(60)).expect("written");
        assert!(document.starts_with(b"%PDF-1.") && document.len() < 200_000, "{}", document.len());
    }
}
