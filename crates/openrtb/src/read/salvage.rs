//! Reads the rest of a request in which something cannot be read. Only such requests are read in this slower way.

use std::{fmt, mem};

use serde::de::{DeserializeOwned, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use serde_path_to_error::Segment;

use super::fields::{UNKNOWN_NUMBER, UNKNOWN_TEXT};
use super::sent::Sent;
use super::{MOST_IMPS, Malformed, repair};
use crate::request::{BidRequest, Imp};
use crate::unread::{Unread, UnreadPart};

/// The most objects and lists of a request that is taken apart: each takes some hundred bytes then. Requests
/// of thirty impressions have some six hundred.
const MOST_PARTS: usize = 2_048;

/// The request without what cannot be read of it.
///
/// # Errors
/// Not an object of JSON, or one without a list of impressions.
pub fn request(body: &[u8]) -> Result<BidRequest, Malformed> {
    if memchr::memchr2_iter(b'{', b'[', body).count() > MOST_PARTS {
        return Err(Malformed::whole(format_args!("has more than {MOST_PARTS} parts, not all of which can be read")));
    }
    let repaired = repair::repaired(body);
    let tree = parse(repaired.as_deref().unwrap_or(body))?;
    let Value::Object(mut fields) = tree else { return Err(Malformed::whole("is not an object")) };
    let mut lost = Vec::new();
    if repaired.is_some() {
        lose_no_text(&mut fields, &REFUSES, |field, problem| lost.push((field, problem)));
    }
    let imps = match fields.insert("imp".to_owned(), Value::Array(Vec::new())) {
        None => return Err(Malformed::new("imp", "is missing")),
        Some(Value::Array(imps)) if imps.len() > MOST_IMPS => {
            return Err(Malformed::new("imp", format_args!("has more than {MOST_IMPS}")));
        }
        Some(Value::Array(imps)) => imps,
        Some(Value::Object(imp)) if !imp.is_empty() => vec![Value::Object(imp)],
        Some(_) => return Err(Malformed::new("imp", "is not a list")),
    };
    keep_readable(&mut fields);
    let mut request: BidRequest =
        without_unread(fields, |field, problem| lost.push((field, problem))).map_err(Malformed::whole)?;
    for (field, problem) in lost {
        if field.starts_with("id") {
            return Err(Malformed::new(field, problem));
        }
        request.unread.push(UnreadPart::new(Unread::of_request(&field), field, problem));
    }
    let imp = |(number, imp)| imp_of(imp, number, repaired.is_some());
    request.imp = imps.into_iter().enumerate().map(imp).collect();
    Ok(request)
}

/// Fields that must come back as they were sent, and lists of what must not be shown: a text with a part missing is
/// another text. In every other field, such a text matches nothing or does no harm.
const REFUSES: [&str; 5] = ["id", "badv", "bapp", "bcat", "bseat"];

fn lose_no_text(fields: &mut Map<String, Value>, of: &[&str], mut lose: impl FnMut(String, String)) {
    for field in of.iter().filter(|field| fields.get(**field).is_some_and(has_no_text)).collect::<Vec<_>>() {
        fields.remove(*field);
        lose((*field).to_owned(), "is not a text".to_owned());
    }
}

/// Lists of what is allowed: without one of its entries, such a list allows less. A list of what is blocked would block
/// less, so none is among these.
const ALLOW: [&str; 5] = ["acat", "cur", "wlang", "wlangb", "wseat"];

/// Leaves out what cannot be read of such a list, if something is left: one with nothing in it would allow everything.
fn keep_readable(fields: &mut Map<String, Value>) {
    let read = |value: &Value| Sent::deserialize(value).ok()?.listed_text().ok();
    for name in ALLOW {
        let Some(Value::Array(listed)) = fields.get_mut(name) else { continue };
        if listed.iter().any(|value| matches!(read(value), Some(Some(_)))) {
            listed.retain(|value| read(value).is_some());
        }
    }
}

fn has_no_text(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(repair::NO_TEXT),
        Value::Array(all) => all.iter().any(has_no_text),
        _ => false,
    }
}

fn imp_of(sent: Value, number: usize, repaired: bool) -> Imp {
    let mut lost = Vec::new();
    let path = format!("imp[{number}]");
    let mut lose = |field: String, problem: String| {
        lost.push(UnreadPart::new(Unread::of_imp(&field), format!("{path}.{field}"), problem));
    };
    let read = match sent {
        Value::Object(mut fields) => {
            if repaired {
                lose_no_text(&mut fields, &["id"], &mut lose);
            }
            without_unread(fields, lose)
        }
        _ => Err("is not an object".to_owned()),
    };
    let mut imp: Imp = read.unwrap_or_else(|problem| {
        lost.push(UnreadPart::new(Unread::Imp, path.clone(), problem));
        Imp::default()
    });
    lost.into_iter().for_each(|part| imp.lose(part));
    imp
}

/// The place of a value about the reader that cannot be read, as a JSON pointer, and a value that allows nothing.
fn strictest(path: &str) -> Option<(String, Value)> {
    // A list is replaced at once, however many of its entries cannot be read.
    let path = path.split('[').next()?;
    let (object, field) = path.rsplit_once('.').filter(|_| Unread::of_request(path) == Unread::Consent)?;
    let value = match field {
        "consent" | "country" | "gpp" | "us_privacy" => json!(UNKNOWN_TEXT),
        "geo" => json!({ "country": UNKNOWN_TEXT }),
        "dsa" => json!({ "dsarequired": UNKNOWN_NUMBER }),
        "ext" if object == "user" => json!({ "consent": UNKNOWN_TEXT }),
        // A reader who refuses something is never recognized, so one refusal stands for all.
        "ext" => json!({ "gpc": 1 }),
        _ => json!(UNKNOWN_NUMBER),
    };
    Some((format!("/{}", path.replace('.', "/")), value))
}

/// Reads an object, and leaves out one field after the other that cannot be read. What is about the reader counts as
/// the strictest instead.
///
/// # Errors
/// What is wrong with the object as a whole.
fn without_unread<T: DeserializeOwned>(
    fields: Map<String, Value>,
    mut lose: impl FnMut(String, String),
) -> Result<T, String> {
    let mut sent = Value::Object(fields);
    loop {
        let error = match serde_path_to_error::deserialize::<_, T>(&sent) {
            Ok(read) => return Ok(read),
            Err(error) => error,
        };
        let (path, problem) = (error.path().to_string(), error.inner().to_string());
        let is_another = match (strictest(&path), error.path().iter().next()) {
            (Some((place, value)), _) => {
                sent.pointer_mut(&place).is_some_and(|sent| mem::replace(sent, value.clone()) != value)
            }
            (None, Some(Segment::Map { key })) => {
                sent.as_object_mut().is_some_and(|fields| fields.remove(key).is_some())
            }
            _ => false,
        };
        if !is_another {
            return Err(problem);
        }
        lose(known(&path).to_owned(), problem);
    }
}

/// Parses JSON, and names the place where it is none.
fn parse(body: &[u8]) -> Result<Value, Malformed> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let Tree(tree) = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| Malformed::new(known(&error.path().to_string()), error.inner()))?;
    json.end().map_err(Malformed::whole)?;
    Ok(tree)
}

/// If the name of a field cannot be read, the path ends with a question mark: the object around it is wrong.
fn known(path: &str) -> &str {
    match path.strip_suffix('?').map(|known| known.trim_end_matches('.')) {
        Some("") => ".",
        Some(known) => known,
        None => path,
    }
}

/// JSON. Nobody knows which one counts of two values of a field, so in their place is one that cannot be read.
struct Tree(Value);

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Tree, E> {
        Ok(Tree(Value::Null))
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Tree, E> {
        Ok(Tree(flag.into()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Tree, E> {
        Ok(Tree(number.into()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Tree, E> {
        Ok(Tree(number.into()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Tree, E> {
        Ok(Tree(number.into()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Tree, E> {
        Ok(Tree(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Tree, A::Error> {
        let mut all = Vec::new();
        while let Some(Tree(value)) = list.next_element()? {
            all.push(value);
        }
        Ok(Tree(Value::Array(all)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Tree, A::Error> {
        let mut all = Map::new();
        while let Some(name) = object.next_key::<String>()? {
            let Tree(value) = object.next_value()?;
            let is_another = all.get(&name).is_some_and(|before| *before != value);
            all.insert(name, if is_another { json!([[null]]) } else { value });
        }
        Ok(Tree(Value::Object(all)))
    }
}
