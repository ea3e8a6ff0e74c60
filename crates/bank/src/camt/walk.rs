//! Reading an XML file within limits: no document type, no entities, limited depth, and
//! at most one value in memory.

use base::refuse_if;
use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::mistakes::{Mistakes, Problem};

const DEEPEST: usize = 32;
const LONGEST_NAME: usize = 64;
/// Longer values are cut here and refused when they are used.
const LONGEST_TEXT: usize = 20_000;
/// The path of statements; what is around them is ignored, and some programs leave the document itself away.
const STATEMENT: &str = "/BkToCstmrStmt/Stmt";
/// The path of the message with the statements. Older versions say there which of several pages it is.
const MESSAGE: &str = "/BkToCstmrStmt";
const PAGE: &str = "/BkToCstmrStmt/GrpHdr/MsgPgntn/PgNb";
const LAST_PAGE: &str = "/BkToCstmrStmt/GrpHdr/MsgPgntn/LastPgInd";
/// Other messages of banks, which are not statements.
const OTHERS: [(&str, &str); 4] = [
    ("/Document/BkToCstmrAcctRpt", "camt.052, a report within the day"),
    ("/Document/BkToCstmrDbtCdtNtfctn", "camt.054, a notification of single payments"),
    ("/Document/CstmrCdtTrfInitn", "pain.001, an order to pay"),
    ("/Document/CstmrPmtStsRpt", "pain.002, the bank's answer to an order to pay"),
];

/// Receives the elements within each `Stmt`. Paths are relative to it: the statement's
/// own path is empty, an entry's is `/Ntry`.
pub trait Visitor {
    /// A message begins, or says that it is one of several pages.
    fn message(&mut self, paged: bool);
    fn enter(&mut self, path: &str, at: u64);
    fn leave(&mut self, path: &str, value: &Value);
    fn mistakes(&mut self) -> &mut Mistakes;
}

/// The content of an element besides child elements.
#[derive(Default)]
pub struct Value {
    pub text: String,
    /// The attribute `Ccy`; empty without one.
    pub currency: String,
    /// The line where the element begins.
    pub line: u64,
}

impl Value {
    /// Whether the element says nothing itself.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// Tells all of a file to the visitor, and returns the names of its outermost elements.
pub fn walk(text: &str, visitor: &mut impl Visitor) -> String {
    let mut walk = Walk { text, line: 1, ..Walk::default() };
    if let Err((field, problem)) = walk.run(visitor) {
        let at = walk.line;
        visitor.mistakes().add(at, field, problem);
    }
    walk.outermost.trim_start_matches('/').to_owned()
}

#[derive(Default)]
struct Walk<'a> {
    text: &'a str,
    /// The position up to which lines were counted.
    counted: usize,
    line: u64,
    path: String,
    depth: usize,
    value: Value,
    /// The length of the path of the statement that is being read.
    statement: Option<usize>,
    outermost: String,
}

type Stopped = (&'static str, Problem);

/// The first versions of banks' messages had the version in their names: `BkToCstmrStmtV01`.
fn unversioned(name: &[u8]) -> &[u8] {
    name.strip_suffix(b"V01").filter(|name| name.starts_with(b"BkToCstmr")).unwrap_or(name)
}

impl Walk<'_> {
    fn run(&mut self, visitor: &mut impl Visitor) -> Result<(), Stopped> {
        let mut reader = Reader::from_str(self.text);
        loop {
            let event = reader.read_event();
            self.count(reader.buffer_position());
            match event.map_err(|error| ("the file", Problem::Malformed(error.to_string())))? {
                Event::Start(start) => self.enter(&start, visitor)?,
                Event::Empty(start) => {
                    self.enter(&start, visitor)?;
                    self.leave(visitor);
                }
                Event::End(_) => self.leave(visitor),
                Event::Text(text) => self.push(&text.decode().map_err(|_| ("the file", Problem::NotUtf8))?),
                Event::CData(text) => self.push(&text.decode().map_err(|_| ("the file", Problem::NotUtf8))?),
                Event::GeneralRef(reference) => self.resolve(&reference)?,
                Event::DocType(_) => return Err(("the document type", Problem::Entities)),
                Event::Comment(_) | Event::PI(_) | Event::Decl(_) => {}
                Event::Eof if self.depth > 0 => {
                    return Err(("the file", Problem::Malformed("it ends within an element".into())));
                }
                Event::Eof => return Ok(()),
            }
        }
    }

    /// Counts the lines up to a position; each byte is looked at once.
    fn count(&mut self, position: u64) {
        let position = usize::try_from(position).unwrap_or(usize::MAX).min(self.text.len());
        let passed = self.text.as_bytes().get(self.counted..position).unwrap_or_default();
        self.line += u64::try_from(memchr::memchr_iter(b'\n', passed).count()).unwrap_or(0);
        self.counted = position.max(self.counted);
    }

    fn enter(&mut self, start: &BytesStart<'_>, visitor: &mut impl Visitor) -> Result<(), Stopped> {
        let name = unversioned(start.local_name().into_inner());
        refuse_if(self.depth >= DEEPEST || name.len() > LONGEST_NAME, ("the file", Problem::TooDeep))?;
        self.depth += 1;
        self.path.push('/');
        self.path.push_str(&String::from_utf8_lossy(name));
        let currency = match start.try_get_attribute("Ccy") {
            Ok(attribute) => attribute.map(|a| String::from_utf8_lossy(&a.value).trim().to_owned()).unwrap_or_default(),
            Err(error) => return Err(("the file", Problem::Malformed(error.to_string()))),
        };
        self.value = Value { text: String::new(), currency, line: self.line };
        if self.depth <= 2 && self.outermost.matches('/').count() < 2 {
            self.outermost.clone_from(&self.path);
        }
        if let Some((_, what)) = OTHERS.iter().find(|(path, _)| self.path.ends_with(path)) {
            return Err(("the file", Problem::OtherForm { what }));
        }
        if self.statement.is_none() && self.path.ends_with(MESSAGE) {
            visitor.message(false);
        }
        if self.statement.is_none() && self.path.ends_with(STATEMENT) {
            self.statement = Some(self.path.len());
        }
        if let Some(path) = self.statement.and_then(|length| self.path.get(length..)) {
            visitor.enter(path, self.line);
        }
        Ok(())
    }

    fn leave(&mut self, visitor: &mut impl Visitor) {
        if let Some(path) = self.statement.and_then(|length| self.path.get(length..)) {
            visitor.leave(path, &self.value);
            self.statement = self.statement.filter(|_| !path.is_empty());
        } else if self.is_page_of_several() {
            visitor.message(true);
        }
        self.value = Value { line: self.line, ..Value::default() };
        self.path.truncate(self.path.rfind('/').unwrap_or(0));
        self.depth = self.depth.saturating_sub(1);
    }

    fn is_page_of_several(&self) -> bool {
        let text = self.value.text.trim();
        (self.path.ends_with(PAGE) && text.parse::<u32>() != Ok(1))
            || (self.path.ends_with(LAST_PAGE) && matches!(text, "false" | "0"))
    }

    fn push(&mut self, text: &str) {
        if self.value.text.len() <= LONGEST_TEXT {
            self.value.text.extend(text.chars().take(LONGEST_TEXT));
        }
    }

    /// The five predefined entities and numeric character references.
    fn resolve(&mut self, reference: &BytesRef<'_>) -> Result<(), Stopped> {
        let refused = || ("an entity", Problem::Entities);
        if reference.is_char_ref() {
            let found = reference.resolve_char_ref().ok().flatten().ok_or_else(refused)?;
            self.push(found.encode_utf8(&mut [0; 4]));
            return Ok(());
        }
        let name = reference.decode().map_err(|_| refused())?;
        self.push(quick_xml::escape::resolve_xml_entity(&name).ok_or_else(refused)?);
        Ok(())
    }
}
