//! Reading an XML file within limits: no document type, no entities, limited depth, and
//! at most one value in memory.

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::mistakes::{Mistakes, Problem};

const DEEPEST: usize = 32;
const LONGEST_NAME: usize = 64;
/// Longer values are cut here and refused when they are used.
const LONGEST_TEXT: usize = 20_000;
/// The path of statements; everything else is ignored.
const STATEMENT: &str = "/Document/BkToCstmrStmt/Stmt";

/// Receives the elements within each `Stmt`. Paths are relative to it: the statement's
/// own path is empty, an entry's is `/Ntry`.
pub trait Visitor {
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

pub fn walk(bytes: &[u8], visitor: &mut impl Visitor) {
    let mut walk = Walk { bytes, counted: 0, line: 1, path: String::new(), depth: 0, value: Value::default() };
    if let Err((field, problem)) = walk.run(visitor) {
        let at = walk.line;
        visitor.mistakes().add(at, field, problem);
    }
}

struct Walk<'a> {
    bytes: &'a [u8],
    /// The position up to which lines were counted.
    counted: usize,
    line: u64,
    path: String,
    depth: usize,
    value: Value,
}

type Stopped = (&'static str, Problem);

impl Walk<'_> {
    fn run(&mut self, visitor: &mut impl Visitor) -> Result<(), Stopped> {
        let bytes = self.bytes;
        let text = std::str::from_utf8(bytes).map_err(|_| ("the file", Problem::NotUtf8))?;
        let mut reader = Reader::from_str(text);
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
        let position = usize::try_from(position).unwrap_or(usize::MAX).min(self.bytes.len());
        let passed = self.bytes.get(self.counted..position).unwrap_or_default();
        self.line += u64::try_from(memchr::memchr_iter(b'\n', passed).count()).unwrap_or(0);
        self.counted = position.max(self.counted);
    }

    fn enter(&mut self, start: &BytesStart<'_>, visitor: &mut impl Visitor) -> Result<(), Stopped> {
        let name = start.local_name().into_inner();
        if self.depth >= DEEPEST || name.len() > LONGEST_NAME {
            return Err(("the file", Problem::TooDeep));
        }
        self.depth += 1;
        self.path.push('/');
        self.path.push_str(&String::from_utf8_lossy(name));
        let currency = match start.try_get_attribute("Ccy") {
            Ok(attribute) => attribute.map(|a| String::from_utf8_lossy(&a.value).into_owned()).unwrap_or_default(),
            Err(error) => return Err(("the file", Problem::Malformed(error.to_string()))),
        };
        self.value = Value { text: String::new(), currency, line: self.line };
        if let Some(path) = self.path.strip_prefix(STATEMENT).filter(|path| path.is_empty() || path.starts_with('/')) {
            visitor.enter(path, self.line);
        }
        Ok(())
    }

    fn leave(&mut self, visitor: &mut impl Visitor) {
        if let Some(path) = self.path.strip_prefix(STATEMENT).filter(|path| path.is_empty() || path.starts_with('/')) {
            visitor.leave(path, &self.value);
        }
        self.value = Value { line: self.line, ..Value::default() };
        self.path.truncate(self.path.rfind('/').unwrap_or(0));
        self.depth = self.depth.saturating_sub(1);
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
