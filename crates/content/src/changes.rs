//! Comparing what a file says with what there is.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value as Json};

/// A field's value before and after; null if there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldChange {
    pub from: Json,
    pub to: Json,
}

pub type FieldChanges = BTreeMap<String, FieldChange>;

/// The fields that differ between two values, such as `put_rule.price`.
pub fn field_changes(before: &Json, after: &Json) -> FieldChanges {
    let (mut from, mut to) = (BTreeMap::new(), BTreeMap::new());
    leaves("", before, &mut from);
    leaves("", after, &mut to);
    let mut differing = FieldChanges::new();
    for name in from.keys().chain(to.keys()) {
        let (before, after) = (from.get(name), to.get(name));
        if before != after {
            let value = |leaf: Option<&&Json>| leaf.map_or(Json::Null, |leaf| (*leaf).clone());
            differing.insert(name.clone(), FieldChange { from: value(before), to: value(after) });
        }
    }
    differing
}

fn leaves<'a>(path: &str, value: &'a Json, found: &mut BTreeMap<String, &'a Json>) {
    match value {
        Json::Object(fields) => {
            for (name, below) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                leaves(&path, below, found);
            }
        }
        Json::Null => {}
        leaf => {
            found.insert(path.to_owned(), leaf);
        }
    }
}

/// A value without what is empty in it: nulls, lists and tables.
pub fn tidy(value: Json) -> Json {
    match value {
        Json::Object(fields) => {
            let kept = fields.into_iter().map(|(name, value)| (name, tidy(value)));
            Json::Object(kept.filter(|(_, value)| !says_nothing(value)).collect::<Map<_, _>>())
        }
        other => other,
    }
}

fn says_nothing(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::Array(items) => items.is_empty(),
        Json::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn forms_differ_where_their_leaves_do() {
        let before = json!({ "name": "A", "rule": { "price": "1.00", "days": 7 }, "langs": ["de"], "url": "x" });
        let after =
            json!({ "name": "A", "rule": { "price": "2.00", "days": 7 }, "langs": ["de", "en"], "cap": "5.00" });
        let told = |changes: FieldChanges| {
            changes
                .into_iter()
                .map(|(name, change)| format!("{name} {} {}", change.from, change.to))
                .collect::<Vec<_>>()
        };
        let expected =
            [r#"cap null "5.00""#, r#"langs ["de"] ["de","en"]"#, r#"rule.price "1.00" "2.00""#, r#"url "x" null"#];
        assert_eq!(told(field_changes(&before, &after)), expected);
        assert!(field_changes(&after, &after).is_empty());
        assert_eq!(field_changes(&Json::Null, &after).len(), 5);
    }

    #[test]
    fn what_says_nothing_is_left_out() {
        let value = json!({ "a": null, "b": [], "c": { "d": [], "e": null }, "f": { "g": "" }, "h": false });
        assert_eq!(tidy(value), json!({ "f": { "g": "" }, "h": false }));
    }
}
