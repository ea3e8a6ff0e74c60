//! A TOML or JSON file as a tree with line numbers.

use std::collections::BTreeSet;

use jsonc_parser::ast;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and its line: that of its key, if it has one.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub line: usize,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    Whole(i64),
    Flag(bool),
    List(Vec<Node>),
    Table(Vec<(String, Node)>),
    /// Values that no field accepts: decimals, and numbers out of range.
    Other,
}

/// A syntax error in a file, and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub line: usize,
    pub problem: String,
}

impl Node {
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Value::Table(fields) = &self.value else { return None };
        fields.iter().find_map(|(key, node)| (key == name).then_some(node))
    }

    /// The line of a field such as `put_rule.price`; if it is missing, that of the table
    /// it belongs to.
    pub fn line_of(&self, path: &str) -> usize {
        let mut at = self;
        for name in path.split('.') {
            match at.get(name) {
                Some(below) => at = below,
                None => break,
            }
        }
        at.line
    }

    pub const fn kind(&self) -> &'static str {
        match self.value {
            Value::Text(_) => "text",
            Value::Whole(_) => "a whole number",
            Value::Flag(_) => "true or false",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Other => "a number of another kind",
        }
    }
}

/// # Errors
/// All syntax errors, as far as the parser recovers.
pub fn parse(text: &str, json: bool) -> Result<Node, Vec<SyntaxError>> {
    let lines = Lines::of(text);
    if json { parse_json(text, &lines) } else { parse_toml(text, &lines) }
}

/// Whether a file can be read at all, and no table in it has a name twice.
///
/// # Errors
/// As for a file of content.
pub fn check_syntax(text: &str, json: bool) -> Result<(), Vec<SyntaxError>> {
    parse(text, json).map(drop)
}

/// The problem of a TOML file in one line. The library itself shows the position over several lines.
pub fn toml_problem(text: &str, error: &toml::de::Error) -> String {
    let problem = error.message().replace('\n', " ");
    match error.span() {
        Some(span) => {
            let line = Lines::of(text).at(span.start);
            format!("line {line}: {}", told(text, line, problem))
        }
        None => problem,
    }
}

/// A problem of a line, with the first character in it that only looks like a plain one: word processors and web pages
/// write other quotation marks and blanks, which nobody sees to be the mistake.
fn told(text: &str, line: usize, problem: String) -> String {
    let written = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    match written.chars().find(|c| is_lookalike(*c)) {
        Some(odd) => format!("{problem}; U+{:04X} in the line only looks like a plain character", u32::from(odd)),
        None => problem,
    }
}

const fn is_lookalike(c: char) -> bool {
    let is_quote = matches!(c, '“' | '”' | '„' | '‟' | '＂' | '＝');
    is_quote || matches!(c, '\u{a0}' | '\u{200b}' | '\u{200e}' | '\u{202a}' | '\u{202f}' | '\u{3000}' | '\u{feff}')
}

/// The start of each line.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// The line number, from 1, of an offset in the text.
    fn at(&self, offset: usize) -> usize {
        self.0.partition_point(|start| *start <= offset).max(1)
    }
}

fn parse_toml(text: &str, lines: &Lines) -> Result<Node, Vec<SyntaxError>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return Ok(Node { line: 1, value: toml_table(table.get_ref(), lines) });
    }
    let unreadable = |error: toml::de::Error| {
        let line = lines.at(error.span().map_or(0, |span| span.start));
        SyntaxError { line, problem: told(text, line, error.message().replace('\n', " ")) }
    };
    let mut all: Vec<SyntaxError> = errors.into_iter().map(unreadable).collect();
    // The parser reports unterminated values before missing ones.
    all.sort_by_key(|one| one.line);
    Err(all)
}

fn toml_table(table: &DeTable<'_>, lines: &Lines) -> Value {
    let field = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
        let key: &Spanned<std::borrow::Cow<'_, str>> = key;
        let node = Node { line: lines.at(key.span().start), value: toml_value(value.get_ref(), lines) };
        (key.get_ref().clone().into_owned(), node)
    };
    Value::Table(table.iter().map(field).collect())
}

fn toml_value(value: &DeValue<'_>, lines: &Lines) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.clone().into_owned()),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).map_or(Value::Other, Value::Whole)
        }
        DeValue::Boolean(flag) => Value::Flag(*flag),
        // Times are used as text.
        DeValue::Datetime(moment) => Value::Text(moment.to_string()),
        DeValue::Array(items) => Value::List(
            items
                .iter()
                .map(|item| Node { line: lines.at(item.span().start), value: toml_value(item.get_ref(), lines) })
                .collect(),
        ),
        DeValue::Table(table) => toml_table(table, lines),
        DeValue::Float(_) => Value::Other,
    }
}

/// Standard JSON, without the extensions of editors.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

fn parse_json(text: &str, lines: &Lines) -> Result<Node, Vec<SyntaxError>> {
    let wrong = |line, problem: String| vec![SyntaxError { line, problem: told(text, line, problem) }];
    let read = parse_to_ast(text, &CollectOptions::default(), &STRICT)
        .map_err(|e| wrong(lines.at(e.range().start), e.kind().to_string()))?;
    let Some(value) = read.value else { return Err(wrong(1, "the file is empty".to_owned())) };
    match repeated(&value) {
        Some(field) => Err(wrong(lines.at(field.range.start), format!("{} is there twice", field.name.as_str()))),
        None => Ok(json_node(&value, None, lines)),
    }
}

/// A name that a table has twice, which TOML does not allow: one of the values would be lost.
fn repeated<'a>(value: &'a ast::Value<'a>) -> Option<&'a ast::ObjectProp<'a>> {
    match value {
        ast::Value::Array(items) => items.elements.iter().find_map(repeated),
        ast::Value::Object(table) => {
            let mut names = BTreeSet::new();
            let again = table.properties.iter().find(|field| !names.insert(field.name.as_str()));
            again.or_else(|| table.properties.iter().find_map(|field| repeated(&field.value)))
        }
        _ => None,
    }
}

fn json_node(value: &ast::Value<'_>, key: Option<usize>, lines: &Lines) -> Node {
    let (at, value) = match value {
        ast::Value::StringLit(text) => (text.range.start, Value::Text(text.value.clone().into_owned())),
        ast::Value::NumberLit(number) => (number.range.start, number.value.parse().map_or(Value::Other, Value::Whole)),
        ast::Value::BooleanLit(flag) => (flag.range.start, Value::Flag(flag.value)),
        ast::Value::Array(items) => {
            (items.range.start, Value::List(items.elements.iter().map(|item| json_node(item, None, lines)).collect()))
        }
        ast::Value::Object(object) => {
            // A null counts as missing.
            let there = object.properties.iter().filter(|p| !matches!(p.value, ast::Value::NullKeyword(_)));
            let field =
                |p: &ast::ObjectProp<'_>| (p.name.as_str().to_owned(), json_node(&p.value, Some(p.range.start), lines));
            (object.range.start, Value::Table(there.map(field).collect()))
        }
        ast::Value::NullKeyword(null) => (null.range.start, Value::Other),
    };
    Node { line: lines.at(key.unwrap_or(at)), value }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const TOML: &str = "# a comment\nname = \"A\"\n\n[rule]\nprice = \"1.00\"\nat = 2027-01-01T00:00:00Z\n\n[[item]]\nn = 1\n\n[[item]]\nn = 2\nflag = true\n";
    const JSON: &str = "{\n \"name\": \"A\",\n \"rule\": {\n  \"price\": \"1.00\", \"none\": null },\n \"item\": [\n  {\"n\": 1},\n  {\"n\":\n 2} ]\n}";

    fn items(node: &Node) -> Vec<usize> {
        let Some(Node { value: Value::List(items), .. }) = node.get("item") else { panic!("{node:?}") };
        items.iter().map(|item| item.line).collect()
    }

    #[test]
    fn everything_knows_its_line() {
        let toml = parse(TOML, false).expect("TOML");
        assert_eq!((toml.line_of("name"), toml.line_of("rule.price"), items(&toml)), (2, 5, vec![8, 11]));
        assert_eq!(toml.get("rule").and_then(|rule| rule.get("at")).map(Node::kind), Some("text"));
        let json = parse(JSON, true).expect("JSON");
        assert_eq!((json.line_of("name"), json.line_of("rule.price"), items(&json)), (2, 4, vec![6, 7]));
        assert_eq!(json.get("rule").and_then(|rule| rule.get("none")), None);
        // A missing field is reported at its table.
        assert_eq!((toml.line_of("rule.days"), json.line_of("rule.days")), (4, 3));
    }

    #[test]
    fn a_file_that_cannot_be_read_says_where() {
        let lines = |text: &str, json| parse(text, json).expect_err("wrong").iter().map(|e| e.line).collect::<Vec<_>>();
        assert_eq!(lines("a = 1\nb = \nc = 2\nd = [1\n", false).first(), Some(&2));
        assert_eq!(lines("{\n \"a\": 1,\n}", true).len(), 1);
        assert_eq!(lines("", true), [1]);
        assert_eq!(lines("{\"a\": 1} // why", true), [1]);
        let twice = "{\"a\": [{\n\"b\": 1,\n\"b\": 2}]}";
        assert_eq!(parse(twice, true).expect_err("wrong")[0].problem, "b is there twice");
        assert_eq!(lines(twice, true), [3]);
        assert_eq!(check_syntax(twice, true).expect_err("wrong")[0].line, 3);
        assert_eq!(check_syntax(JSON, true), Ok(()));
    }

    #[test]
    fn a_character_that_only_looks_plain_is_named() {
        for (text, json, named) in [
            ("a = 1\nname = “Tea”\n", false, Some("U+201C")),
            ("a = 1\nb\u{a0}= 2\n", false, Some("U+00A0")),
            ("{\n“a”: 1}", true, Some("U+201C")),
            ("a = \"“Tea”\"\nb = \n", false, None),
        ] {
            let errors = parse(text, json).expect_err(text);
            let first = errors.first().expect("an error");
            let found = first.problem.split_once("U+").map(|(_, rest)| format!("U+{}", rest.get(..4).unwrap_or("")));
            assert_eq!((first.line, found.as_deref()), (2, named), "{}", first.problem);
        }
    }

    #[test]
    fn what_a_library_says_of_a_file_is_one_line_that_names_its_own() {
        for (text, begins) in [
            ("a = 1\r\nb = \r\n", "line 2: "),
            ("a = 1\n\na = 2\n", "line 3: duplicate key"),
            ("# why\na = 1\nb = \"x\"\n", "line 3: invalid type: string"),
        ] {
            let error = toml::from_str::<BTreeMap<String, i64>>(text).expect_err(text);
            let told = toml_problem(text, &error);
            assert!(told.starts_with(begins) && !told.contains('\n'), "{told}");
        }
    }
}
