//! CSV as in RFC 4180, for spreadsheets.

use crate::DocumentError;

/// The byte order mark, by which programs recognise UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";
/// Characters that spreadsheets take for the beginning of a formula, or skip before one. Those of full width are the same
/// to spreadsheets in Chinese, Japanese and Korean.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// One cell of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A number from us, which may begin with a minus.
    Number(String),
    /// Anything else; it is never calculated.
    Text(String),
}

impl Cell {
    fn shown(&self) -> String {
        match self {
            Self::Number(number) => number.clone(),
            Self::Text(text) if text.starts_with(FORMULA) => format!("'{text}"),
            Self::Text(text) => text.clone(),
        }
    }
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
}
