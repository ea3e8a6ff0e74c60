//! Entries as a file that can be applied again.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use crate::forms::Kind;
use crate::item::Unfit;

/// An entry without default values.
pub fn without_usual(form: Json) -> Json {
    match form {
        Json::Object(fields) => {
            let unusual = fields.into_iter().filter(|(name, value)| name != "active" || *value == Json::Bool(false));
            Json::Object(unusual.collect::<Map<_, _>>())
        }
        other => other,
    }
}

/// The tables as a file.
///
/// # Errors
/// A value that TOML cannot represent.
pub fn to_toml(tables: &BTreeMap<Kind, Vec<Json>>) -> Result<String, Unfit> {
    let mut text = String::new();
    for (kind, forms) in tables {
        for form in forms {
            let one = BTreeMap::from([(kind.name(), vec![form])]);
            let table = toml::to_string(&one).map_err(|e| Unfit(e.to_string()))?;
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&table);
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_usual_is_left_out_and_the_rest_is_toml() {
        let form = |active| without_usual(json!({ "id": "a", "active": active }));
        assert_eq!(form(true), json!({ "id": "a" }));
        assert_eq!(form(false), json!({ "id": "a", "active": false }));
        let tables = BTreeMap::from([(Kind::Faq, vec![form(true), form(false)])]);
        let text = to_toml(&tables).expect("TOML");
        assert_eq!(text, "[[faq]]\nid = \"a\"\n\n[[faq]]\nactive = false\nid = \"a\"\n");
        assert!(to_toml(&BTreeMap::from([(Kind::Faq, vec![json!({ "id": null })])])).is_err());
    }
}
