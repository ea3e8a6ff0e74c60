//! The fields that each table may have, and the comparison of old and new values.

use i18n::Lang;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use crate::document::{Node, Value};

/// A mistake, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mistake {
    pub file: String,
    pub line: usize,
    /// Such as `product.put_rule.price`.
    pub field: String,
    pub problem: String,
}

impl std::fmt::Display for Mistake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { file, line, field, problem } = self;
        if field.is_empty() {
            write!(f, "{file}:{line}: {problem}")
        } else {
            write!(f, "{file}:{line}: {field}: {problem}")
        }
    }
}

/// The type of a field.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    Text,
    Whole,
    Flag,
    Texts,
    /// Texts under arbitrary names.
    Named,
    /// A text for everybody, or one for each language.
    Languages,
    /// A name, or an id.
    NameOrId,
    Table(&'static [Field]),
    /// A table for each language.
    EachLanguage(&'static [Field]),
}

#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub form: Form,
    pub required: bool,
}

pub const fn must(name: &'static str, form: Form) -> Field {
    Field { name, form, required: true }
}

pub const fn may(name: &'static str, form: Form) -> Field {
    Field { name, form, required: false }
}

/// Collects the mistakes in one file.
#[derive(Debug)]
pub struct Reader<'a> {
    pub file: &'a str,
    pub mistakes: Vec<Mistake>,
}

impl<'a> Reader<'a> {
    pub const fn new(file: &'a str) -> Self {
        Self { file, mistakes: Vec::new() }
    }

    pub fn note_mistake(&mut self, line: usize, field: &str, problem: impl Into<String>) {
        let (file, field, problem) = (self.file.to_owned(), field.to_owned(), problem.into());
        self.mistakes.push(Mistake { file, line, field, problem });
    }

    /// The table's fields as JSON, without invalid ones.
    pub fn table(&mut self, fields: &[Field], node: &Node, path: &str) -> Map<String, Json> {
        let mut read = Map::new();
        let Value::Table(given) = &node.value else {
            self.note_mistake(node.line, path, format!("must be a table, not {}", node.kind()));
            return read;
        };
        for (name, value) in given {
            let below = format!("{path}.{name}");
            match fields.iter().find(|field| field.name == name) {
                Some(field) => read.extend(self.value(field.form, value, &below).map(|json| (name.clone(), json))),
                None => self.note_mistake(value.line, &below, unknown(name, fields.iter().map(|field| field.name))),
            }
        }
        for field in fields.iter().filter(|field| field.required && node.get(field.name).is_none()) {
            self.note_mistake(node.line, &format!("{path}.{}", field.name), "is missing");
        }
        read
    }

    fn value(&mut self, form: Form, node: &Node, path: &str) -> Option<Json> {
        match (form, &node.value) {
            (Form::Text | Form::NameOrId, Value::Text(text)) => Some(json!(text)),
            (Form::Whole, Value::Whole(number)) if i32::try_from(*number).is_ok() => Some(json!(number)),
            (Form::NameOrId, Value::Whole(number)) => Some(json!(number)),
            (Form::Flag, Value::Flag(flag)) => Some(json!(flag)),
            (Form::Texts, Value::List(items)) => Some(self.texts(items, path)),
            (Form::Named, Value::Table(fields)) => Some(self.named(fields, path)),
            (Form::Languages, Value::Text(text)) => Some(json!({ Lang::En.code(): text.trim() })),
            (Form::Languages, Value::Table(fields)) => Some(self.languages(node.line, fields, path)),
            (Form::EachLanguage(of_each), Value::Table(given)) => Some(self.each_language(of_each, given, path)),
            (Form::Table(fields), Value::Table(_)) => Some(Json::Object(self.table(fields, node, path))),
            (Form::Whole, Value::Whole(_)) => {
                self.note_mistake(node.line, path, "is out of range");
                None
            }
            (form, _) => {
                self.note_mistake(node.line, path, format!("must be {}, not {}", wanted(form), node.kind()));
                None
            }
        }
    }

    fn texts(&mut self, items: &[Node], path: &str) -> Json {
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            match &item.value {
                Value::Text(text) => texts.push(json!(text)),
                _ => self.note_mistake(item.line, path, format!("must be a list of texts, not of {}", item.kind())),
            }
        }
        Json::Array(texts)
    }

    fn named(&mut self, fields: &[(String, Node)], path: &str) -> Json {
        let mut texts = Map::new();
        for (name, node) in fields {
            match &node.value {
                Value::Text(text) => {
                    texts.insert(name.clone(), json!(text));
                }
                _ => self.note_mistake(node.line, &format!("{path}.{name}"), in_quotes(node)),
            }
        }
        Json::Object(texts)
    }

    fn each_language(&mut self, fields: &[Field], given: &[(String, Node)], path: &str) -> Json {
        let mut tables = Map::new();
        for (code, node) in given {
            let below = format!("{path}.{code}");
            match Lang::parse(code) {
                None => self.note_mistake(node.line, &below, unknown(code, Lang::ALL.iter().map(|lang| lang.code()))),
                Some(Lang::En) => self.note_mistake(node.line, &below, "is what is written without a language"),
                Some(_) => {
                    tables.insert(code.clone(), Json::Object(self.table(fields, node, &below)));
                }
            }
        }
        Json::Object(tables)
    }

    fn languages(&mut self, line: usize, fields: &[(String, Node)], path: &str) -> Json {
        let mut texts = Map::new();
        for (name, node) in fields {
            let below = format!("{path}.{name}");
            match &node.value {
                _ if !Lang::ALL.iter().any(|lang| lang.code() == name) => {
                    self.note_mistake(node.line, &below, unknown(name, Lang::ALL.iter().map(|lang| lang.code())));
                }
                Value::Text(text) if text.trim().is_empty() => self.note_mistake(node.line, &below, "is empty"),
                Value::Text(text) => {
                    texts.insert(name.clone(), json!(text.trim()));
                }
                _ => self.note_mistake(node.line, &below, in_quotes(node)),
            }
        }
        if !fields.iter().any(|(name, _)| name == Lang::En.code()) {
            let problem = "is missing; who reads a language that is not given is shown it";
            self.note_mistake(line, &format!("{path}.{}", Lang::En.code()), problem);
        }
        Json::Object(texts)
    }
}

const fn wanted(form: Form) -> &'static str {
    match form {
        Form::Text => "text in quotes",
        Form::Whole => "a whole number",
        Form::Flag => "true or false",
        Form::Texts => "a list of texts",
        Form::Named | Form::Table(_) | Form::EachLanguage(_) => "a table",
        Form::Languages => "text in quotes, or a table with one for each language",
        Form::NameOrId => "a name in quotes, or an id",
    }
}

fn in_quotes(node: &Node) -> String {
    format!("must be text in quotes, not {}", node.kind())
}

/// Names at least this similar are taken for a typing error.
const ALIKE: f64 = 0.7;

/// Says that a name is unknown, and which one was probably meant.
pub fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let alike = known.clone().map(|other| (strsim::normalized_damerau_levenshtein(name, other), other));
    match alike.filter(|(alike, _)| *alike >= ALIKE).max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((_, meant)) => format!("is not known; did you mean {meant}?"),
        None => format!("is not known; known are {}", known.collect::<Vec<_>>().join(", ")),
    }
}
