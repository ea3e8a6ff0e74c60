//! CSV as in RFC 4180, for spreadsheets.

use crate::DocumentError;

/// The byte order mark, by which programs recognise UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";
/// Characters that spreadsheets take for the beginning of a formula, or skip before one. Those of full width are the same
/// to spreadsheets in Chinese, Japanese and Korean.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
/// Characters after which a cell begins for programs that do not separate at commas, such as spreadsheets where the
/// comma is the decimal mark. To them, a quote in the middle of a cell is a letter, so our quotes do not keep a cell
/// together.
const BEGINS: [char; 4] = [';', '\t', '\r', '\n'];

/// One cell of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A number from us, which may begin with a minus.
    Number(String),
    /// Any other text. Spreadsheets must never calculate it.
    Text(String),
}

impl Cell {
    fn shown(&self) -> String {
        match self {
            Self::Number(number) => number.clone(),
            Self::Text(text) => never_calculated(text),
        }
    }
}

/// Puts an apostrophe before whatever a spreadsheet would take for a formula, wherever a cell may begin for it.
fn never_calculated(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut begins = true;
    for c in text.chars() {
        let is_formula = FORMULA.contains(&c) && (shown.is_empty() || !BEGINS.contains(&c));
        if begins && is_formula {
            shown.push('\'');
        }
        begins = BEGINS.contains(&c) || begins && matches!(c, ' ' | '"');
        shown.push(c);
    }
    shown
}

/// The bytes of some rows, to follow those written before. `first` is set at the
/// beginning of the file.
///
/// # Errors
/// None if all rows have the same length.
pub fn encode_csv(first: bool, rows: &[Vec<Cell>]) -> Result<Vec<u8>, DocumentError> {
    let begun = if first { MARK.to_vec() } else { Vec::new() };
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(begun);
    for row in rows {
        writer.write_record(row.iter().map(Cell::shown)).map_err(|e| DocumentError(e.to_string()))?;
    }
    writer.into_inner().map_err(|e| DocumentError(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(first: bool, cells: &[Cell]) -> String {
        String::from_utf8(encode_csv(first, &[cells.to_vec()]).expect("written")).expect("UTF-8")
    }

    fn text(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }

    #[test]
    fn the_file_begins_with_its_mark_and_only_there() {
        assert_eq!(written(true, &[text("a"), text("b")]), "\u{feff}a,b\r\n");
        assert_eq!(written(false, &[text("a"), text("b")]), "a,b\r\n");
    }

    #[test]
    fn quotes_commas_and_lines_stay_what_they_are() {
        assert_eq!(
            written(false, &[text("a,b"), text("say \"hi\""), text("x\ny")]),
            "\"a,b\",\"say \"\"hi\"\"\",\"x\ny\"\r\n"
        );
    }

    #[test]
    fn nothing_that_was_typed_is_calculated() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", "＋1", "－1", "＠SUM(A1)"]
        {
            let shown = written(false, &[text(formula), text("x")]);
            assert!(shown.trim_start_matches('"').starts_with('\''), "{shown:?}");
        }
        assert_eq!(written(false, &[Cell::Number("-12.50".into()), text("x")]), "-12.50,x\r\n");
    }

    /// The cells of a file for a program that separates at semicolons.
    fn at_semicolons(file: &str) -> Vec<&str> {
        file.split([';', '\t', '\r', '\n']).map(|cell| cell.trim_start_matches([' ', '"'])).collect()
    }

    #[test]
    fn nor_is_it_where_cells_are_separated_by_semicolons() {
        for formula in
            ["x;=1+1", "x;\"=1+1\"", "x; +1", "x\t=1+1", "x\n=1+1", "x\r\n@SUM(A1)", ";-1", "x;;＝1", "\"=1+1\""]
        {
            let file = written(false, &[text("1"), text(formula)]);
            let cells = at_semicolons(&file);
            assert!(cells.iter().all(|cell| !cell.starts_with(FORMULA)), "{formula:?}: {cells:?}");
        }
        for plain in ["a; b", "1-2; 3=3", "a\r\nb", "say \"hi\"; 5 + 5"] {
            assert_eq!(Cell::Text(plain.into()).shown(), plain);
        }
    }
}
