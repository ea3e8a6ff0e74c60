//! Clients rely on docs/API.md: every call, field and key in it must be in the server's
//! own description.

use std::collections::BTreeMap;

use serde_json::Value;

const PAGE: &str = include_str!("../../../../docs/API.md");

#[derive(Clone, Debug)]
enum Shape {
    /// Any value: the page does not say more.
    Any,
    Named(String),
    List(Box<Shape>),
    Fields(Vec<(String, Shape)>),
}

/// Reads `a, b?, c:[{d, e}], f:Name`.
struct Reader<'a>(&'a str);

impl Reader<'_> {
    fn skip(&mut self, c: char) -> bool {
        let rest = self.0.trim_start();
        let found = rest.strip_prefix(c);
        self.0 = found.unwrap_or(rest);
        found.is_some()
    }

    fn word(&mut self) -> String {
        let rest = self.0.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.0 = &rest[end..];
        rest[..end].to_owned()
    }

    fn shape(&mut self) -> Shape {
        if self.skip('{') {
            let fields = self.fields();
            assert!(self.skip('}'), "a brace is open before {:?}", self.0);
            Shape::Fields(fields)
        } else if self.skip('[') {
            let of = self.shape();
            assert!(self.skip(']'), "a bracket is open before {:?}", self.0);
            Shape::List(Box::new(of))
        } else {
            Shape::Named(self.word())
        }
    }

    fn fields(&mut self) -> Vec<(String, Shape)> {
        let mut fields = Vec::new();
        loop {
            let name = self.word();
            if name.is_empty() {
                return fields;
            }
            self.skip('?');
            let shape = if self.skip(':') { self.shape() } else { Shape::Any };
            fields.push((name, shape));
            self.skip(',');
        }
    }
}

fn rows(of: &'static str, columns: usize) -> impl Iterator<Item = Vec<&'static str>> {
    let part = PAGE.split("\n## ").find(|part| part.starts_with(of)).unwrap_or_else(|| panic!("no part {of}"));
    part.lines().filter(|line| line.starts_with("| ")).skip(1).map(move |line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        assert_eq!(cells.len(), columns, "{line}");
        cells
    })
}

struct Document {
    root: Value,
    shapes: BTreeMap<String, Vec<(String, Shape)>>,
}

impl Document {
    fn read() -> Self {
        let root = serde_json::from_str(&http_api::openapi::text()).expect("JSON");
        let shapes = rows("Shapes", 2).map(|row| (row[0].to_owned(), Reader(row[1]).fields()));
        Self { root, shapes: shapes.collect() }
    }

    /// Every object schema that a schema can be.
    fn objects<'a>(&'a self, schema: &'a Value) -> Vec<&'a Value> {
        if let Some(reference) = schema["$ref"].as_str() {
            return self.objects(self.root.pointer(&reference[1..]).expect("a schema"));
        }
        let parts = ["oneOf", "anyOf", "allOf"].iter().filter_map(|key| schema[key].as_array()).flatten();
        let mut found: Vec<&Value> = parts.flat_map(|part| self.objects(part)).collect();
        if schema["properties"].is_object() {
            found.push(schema);
        }
        found
    }

    fn items<'a>(&'a self, schema: &'a Value) -> Option<&'a Value> {
        if let Some(reference) = schema["$ref"].as_str() {
            return self.items(self.root.pointer(&reference[1..])?);
        }
        let parts = ["oneOf", "anyOf", "allOf"].iter().filter_map(|key| schema[key].as_array()).flatten();
        schema.get("items").or_else(|| parts.filter_map(|part| self.items(part)).next())
    }

    fn missing(&self, schema: &Value, shape: &Shape, at: &str, wrong: &mut Vec<String>) {
        match shape {
            Shape::Any => {}
            Shape::Named(name) => {
                let fields = self.shapes.get(name).unwrap_or_else(|| panic!("{at}: no shape {name}"));
                self.missing(schema, &Shape::Fields(fields.clone()), at, wrong);
            }
            Shape::List(of) => match self.items(schema) {
                Some(items) => self.missing(items, of, &format!("{at}[]"), wrong),
                None => wrong.push(format!("{at} is no list")),
            },
            Shape::Fields(fields) => {
                let objects = self.objects(schema);
                for (name, shape) in fields {
                    match objects.iter().find_map(|object| object["properties"].get(name)) {
                        Some(field) => self.missing(field, shape, &format!("{at}.{name}"), wrong),
                        None => wrong.push(format!("{at}.{name}")),
                    }
                }
            }
        }
    }

    fn request(&self, call: &Value, method: &str, fields: &[(String, Shape)], at: &str, wrong: &mut Vec<String>) {
        if method == "GET" {
            let known: Vec<&str> =
                call["parameters"].as_array().into_iter().flatten().filter_map(|p| p["name"].as_str()).collect();
            let missing = fields.iter().filter(|(name, _)| !known.contains(&name.as_str()));
            wrong.extend(missing.map(|(name, _)| format!("{at}?{name}")));
        } else if !fields.is_empty() {
            let content = call["requestBody"]["content"].as_object();
            let schema =
                content.and_then(|content| content.values().next()).map_or(&Value::Null, |body| &body["schema"]);
            self.missing(schema, &Shape::Fields(fields.to_vec()), &format!("{at} in"), wrong);
        }
    }
}

#[test]
fn every_call_and_field_that_clients_rely_on_is_there() {
    let document = Document::read();
    let (mut calls, mut wrong) = (0, Vec::new());
    for row in rows("Calls", 3) {
        calls += 1;
        let (method, path) = row[0].split_once(' ').expect("a method and a path");
        let call = &document.root["paths"][format!("/api{path}")][method.to_lowercase()];
        if call.is_null() {
            wrong.push(row[0].to_owned());
            continue;
        }
        let fields = if row[1] == "–" { Vec::new() } else { Reader(row[1]).fields() };
        document.request(call, method, &fields, row[0], &mut wrong);
        if row[2] != "file" {
            let answer =
                &call["responses"]["200"]["content"]["application/json"]["schema"]["anyOf"][0]["properties"]["data"];
            document.missing(answer, &Reader(row[2]).shape(), &format!("{} out", row[0]), &mut wrong);
        }
    }
    assert!(calls > 50, "only {calls} calls were read from the page");
    assert!(wrong.is_empty(), "missing:\n{}", wrong.join("\n"));
}

/// Calls of pages that are opened by a link of staff, and the description itself.
const UNLISTED: [&str; 3] = ["/claim/", "/publisher/", "/openapi.json"];

#[test]
fn no_call_is_left_out_of_the_page() {
    let document = Document::read();
    let told: Vec<&str> = rows("Calls", 3).map(|row| row[0]).collect();
    let mut missing = Vec::new();
    for (path, methods) in document.root["paths"].as_object().expect("paths") {
        let Some(path) = path.strip_prefix("/api").filter(|path| !UNLISTED.iter().any(|of| path.starts_with(of)))
        else {
            continue;
        };
        let calls =
            methods.as_object().expect("methods").keys().map(|method| format!("{} {path}", method.to_uppercase()));
        missing.extend(calls.filter(|call| !told.contains(&call.as_str())));
    }
    assert!(missing.is_empty(), "docs/API.md lists no {}", missing.join(", "));
}

/// What begins a list of the page, and the type of the document whose values it names, in its order.
const LISTS: [(&str, &str); 4] = [
    ("Plan status, in order:", "PlanStatus"),
    ("Coupon kind:", "CouponKind"),
    ("; effect:", "CouponEffect"),
    ("Flow kind:", "FlowKind"),
];

#[test]
fn the_lists_of_values_are_whole() {
    let document = Document::read();
    for (begins, of) in LISTS {
        let list = PAGE.split(begins).nth(1).and_then(|rest| rest.split(['.', ';']).next()).expect("a list");
        let told: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
        let values = document.root["components"]["schemas"][of]["enum"].as_array().expect("an enumeration");
        let values: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        assert_eq!(told, values, "docs/API.md, {begins}");
    }
}

#[test]
fn what_is_outside_the_api_is_described_as_well() {
    let document = Document::read();
    for row in rows("Outside", 2) {
        let (method, path) = row[0].split_once(' ').expect("a method and a path");
        assert!(document.root["paths"][path][method.to_lowercase()].is_object(), "{}", row[0]);
    }
}

#[test]
fn every_key_of_a_refusal_has_its_text() {
    let list = PAGE.split("Keys with code 405:").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("the list");
    let beside = ["attempts_left", "coding", "retry_after", "until", "outstanding", "limit", "kind", "most"];
    let keys: Vec<&str> = list.split('`').skip(1).step_by(2).filter(|key| !beside.contains(key)).collect();
    assert!(keys.len() > 25, "{keys:?}");
    let texts: Vec<&str> = i18n::keys(i18n::Lang::En).collect();
    for key in keys {
        assert!(texts.contains(&format!("errors.{key}").as_str()), "{key}");
    }
}
