//! Marks the fields that an answer always has as required. serde writes a `None` field too, as null, but the schemas
//! derived from the types leave open that it may be missing.

use std::collections::BTreeSet;

use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Content, OpenApi, Ref, RefOr};

use super::texts::children;

/// The only fields of answers that are left out if there is nothing to say.
const LEFT_OUT: [&str; 1] = ["payouts_held_until"];

/// Marks every other field of answers as required; in a request it may well be missing.
pub fn require(document: &mut OpenApi) {
    let taken = taken(document);
    let Some(components) = &mut document.components else { return };
    let answers = components.schemas.iter_mut().filter(|(name, _)| !taken.contains(name.as_str()));
    answers.for_each(|(_, schema)| require_all(schema));
}

/// The names of what requests carry.
fn taken(document: &OpenApi) -> BTreeSet<String> {
    let calls = document.paths.paths.values().flat_map(|item| [&item.get, &item.post]).flatten();
    let bodies = calls.filter_map(|call| inline(call.request_body.as_ref()?));
    bodies.flat_map(|body| body.content.values()).filter_map(|content| name_of(inline(content)?)).collect()
}

fn inline<T>(value: &RefOr<T>) -> Option<&T> {
    match value {
        RefOr::T(value) => Some(value),
        RefOr::Ref(_) => None,
    }
}

fn name_of(content: &Content) -> Option<String> {
    match content.schema.as_ref()? {
        RefOr::Ref(Ref { ref_location, .. }) => ref_location.rsplit('/').next().map(str::to_owned),
        RefOr::T(_) => None,
    }
}

fn require_all(schema: &mut RefOr<Schema>) {
    let RefOr::T(schema) = schema else { return };
    if let Schema::Object(object) = schema {
        let missing = |name: &&String| !object.required.contains(name) && !LEFT_OUT.contains(&name.as_str());
        let missing: Vec<String> = object.properties.keys().filter(missing).cloned().collect();
        object.required.extend(missing);
    }
    children(schema).into_iter().for_each(require_all);
}
