//! Documents on A4 pages: a heading, facts, figures, and a table that continues from page to page.
#![allow(clippy::float_arithmetic, reason = "lengths on a page are no money")]

mod statement;
mod table;

use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{PathBuilder, Rect};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;

use crate::fonts::Weight;
use crate::text::{Style, fitted, shape, wrapped};
use crate::{DocumentError, Head};

pub use statement::pdf;
pub use table::table_pdf;

/// How a page lies, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Paper {
    width: f32,
    height: f32,
}

const UPRIGHT: Paper = Paper { width: 595.0, height: 842.0 };
const ACROSS: Paper = Paper { width: 842.0, height: 595.0 };
const MARGIN: f32 = 48.0;
const HEADING_ROW: f32 = 24.0;

impl Paper {
    const fn inner(self) -> f32 {
        self.width - 2.0 * MARGIN
    }

    /// The end of the table, above the page number.
    const fn bottom(self) -> f32 {
        self.height - 64.0
    }
}

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

/// The table of a document.
trait Body {
    type Row;

    const PAPER: Paper;

    fn head(&self) -> &Head;
    fn rows(&self) -> &[Self::Row];
    fn height(row: &Self::Row) -> f32;
    fn draw_headings(&self, sheet: &mut Sheet<'_, '_>, y: f32);
    fn draw(&self, sheet: &mut Sheet<'_, '_>, row: &Self::Row);
}

/// The complete document.
fn print<B: Body>(body: &B) -> Result<Vec<u8>, DocumentError> {
    let (mut document, head) = (Document::new(), body.head());
    let title = format!("{} {}", head.title, head.subtitle);
    document.set_metadata(Metadata::new().title(title).language(head.lang.clone()));
    let pages = paginate(body);
    for (n, rows) in pages.iter().enumerate() {
        let settings = PageSettings::from_wh(B::PAPER.width, B::PAPER.height);
        let mut page = document.start_page_with(settings.ok_or_else(|| DocumentError("no page".into()))?);
        let mut surface = page.surface();
        let mut sheet = Sheet { surface: &mut surface, paper: B::PAPER, y: MARGIN };
        if n == 0 {
            sheet.head(head);
        }
        sheet.table(body, rows);
        let told = head.page.replace("{{page}}", &(n + 1).to_string());
        let title = format!("{} · {}", head.title, head.subtitle);
        sheet.foot(&title, &told.replace("{{pages}}", &pages.len().to_string()));
        surface.finish();
        page.finish();
    }
    document.finish().map_err(|e| DocumentError(format!("{e:?}")))
}

/// The rows of each page; there is at least one page.
fn paginate<B: Body>(body: &B) -> Vec<&[B::Row]> {
    let mut pages = Vec::new();
    let mut rest = body.rows();
    let whole = B::PAPER.bottom() - MARGIN - HEADING_ROW;
    let mut room = whole - head_height(body.head(), B::PAPER);
    loop {
        let mut used = 0.0;
        let fitting = rest.iter().take_while(|row| {
            used += B::height(row);
            used <= room
        });
        // A page takes at least one row, so that the loop ends.
        let count = fitting.count().max(1).min(rest.len());
        let (page, later) = rest.split_at(count);
        pages.push(page);
        if later.is_empty() {
            return pages;
        }
        rest = later;
        room = whole;
    }
}

const TITLE_HEIGHT: f32 = 56.0;
const FACT_HEIGHT: f32 = 15.0;
/// The height if the names have one line.
const FIGURES_HEIGHT: f32 = 62.0;
const LABEL_LINE: f32 = 10.0;
const WARNING_LINE: f32 = 13.0;

fn warning_lines(head: &Head, paper: Paper) -> usize {
    head.warning.as_ref().map_or(0, |text| wrapped(text, BODY, paper.inner() - 20.0).len())
}

fn head_height(head: &Head, paper: Paper) -> f32 {
    let warning = match warning_lines(head, paper) {
        0 => 0.0,
        lines => count(lines) * WARNING_LINE + 24.0,
    };
    let labels = count(label_lines(&head.figures, paper).saturating_sub(1)) * LABEL_LINE;
    TITLE_HEIGHT + warning + count(head.facts.len()) * FACT_HEIGHT + 8.0 + FIGURES_HEIGHT + labels
}

/// The room of each of the figures, which stand beside each other.
fn figure_width(figures: &[(String, String)], paper: Paper) -> f32 {
    paper.inner() / count(figures.len().max(1))
}

/// The lines of the longest name. Names are not shortened, because they say as of when a balance is.
fn label_lines(figures: &[(String, String)], paper: Paper) -> usize {
    let width = figure_width(figures, paper) - 16.0;
    figures.iter().map(|(name, _)| wrapped(name, LABEL, width).len()).max().unwrap_or(1)
}

/// The numbers are small enough to be exact.
fn count(n: usize) -> f32 {
    f32::from(u16::try_from(n).unwrap_or(u16::MAX))
}

/// A page being written, and the current position.
struct Sheet<'a, 's> {
    surface: &'a mut Surface<'s>,
    paper: Paper,
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

    fn head(&mut self, head: &Head) {
        self.write(&head.title, TITLE, INK, MARGIN, self.y + 18.0, self.paper.inner());
        self.write(&head.subtitle, SUBTITLE, MUTED, MARGIN, self.y + 37.0, self.paper.inner());
        self.y += TITLE_HEIGHT;
        if let Some(warning) = &head.warning {
            self.warning(warning);
        }
        self.facts(&head.facts);
        self.figures(&head.figures);
    }

    fn warning(&mut self, text: &str) {
        let inner = self.paper.inner();
        let lines = wrapped(text, BODY, inner - 20.0);
        let height = count(lines.len()) * WARNING_LINE + 12.0;
        self.fill(WARNING_SHADE, MARGIN, self.y, inner, height);
        self.colour(WARNING);
        for (n, line) in lines.iter().enumerate() {
            line.draw(self.surface, MARGIN + 10.0, self.y + 15.0 + count(n) * WARNING_LINE);
        }
        self.y += height + 12.0;
    }

    fn facts(&mut self, facts: &[(String, String)]) {
        let inner = self.paper.inner();
        let widest = facts.iter().map(|(name, _)| shape(name, BODY).width()).fold(0.0, f32::max).min(inner / 2.0);
        for (name, value) in facts {
            self.write(name, BODY, MUTED, MARGIN, self.y + 10.0, inner / 2.0);
            self.write(value, BODY, INK, MARGIN + widest + 16.0, self.y + 10.0, inner - widest - 16.0);
            self.y += FACT_HEIGHT;
        }
        self.y += 8.0;
    }

    fn figures(&mut self, figures: &[(String, String)]) {
        let width = figure_width(figures, self.paper);
        let more = count(label_lines(figures, self.paper).saturating_sub(1)) * LABEL_LINE;
        self.fill(SHADE, MARGIN, self.y, self.paper.inner(), FIGURES_HEIGHT - 14.0 + more);
        for (n, (name, value)) in figures.iter().enumerate() {
            let x = MARGIN + count(n) * width + 10.0;
            self.colour(MUTED);
            for (below, line) in wrapped(name, LABEL, width - 16.0).iter().enumerate() {
                line.draw(self.surface, x, self.y + 18.0 + count(below) * LABEL_LINE);
            }
            self.write(value, FIGURE, INK, x, self.y + 36.0 + more, width - 16.0);
        }
        self.y += FIGURES_HEIGHT + more;
    }

    fn table<B: Body>(&mut self, body: &B, rows: &[B::Row]) {
        body.draw_headings(self, self.y + 14.0);
        self.y += HEADING_ROW;
        let inner = self.paper.inner();
        self.fill(LINE, MARGIN, self.y - 3.0, inner, 1.0);
        for row in rows {
            body.draw(self, row);
            self.y += B::height(row);
            self.fill(LINE, MARGIN, self.y - 3.0, inner, 0.5);
        }
        if body.rows().is_empty() {
            self.write(&body.head().empty, BODY, MUTED, MARGIN + 6.0, self.y + 14.0, inner - 12.0);
        }
    }

    fn foot(&mut self, title: &str, page: &str) {
        let (y, inner) = (self.paper.height - 36.0, self.paper.inner());
        self.write(title, SMALL, MUTED, MARGIN, y, inner * 0.7);
        self.write_ending(page, SMALL, MUTED, self.paper.width - MARGIN, y, inner * 0.3);
    }
}
