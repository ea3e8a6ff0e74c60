//! The frontend's types are generated from the API's description, so its copy in the
//! frontend must be current.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod contract;

use std::collections::BTreeSet;
use std::path::Path;

const COPY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../frontend/openapi.json");

#[test]
fn the_frontends_copy_is_current() {
    let document = http_api::openapi::text() + "\n";
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        std::fs::write(COPY, &document).expect("written");
    }
    let copy = std::fs::read_to_string(COPY).unwrap_or_default();
    assert!(copy == document, "frontend/openapi.json is out of date: run `npx -y rust-just api`");
}

#[test]
fn every_call_names_its_envelope_and_its_refusals() {
    let document: serde_json::Value = serde_json::from_str(&http_api::openapi::text()).expect("JSON");
    assert_eq!(document["openapi"], "3.1.0");
    let mut ids = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            assert!(
                ids.insert(operation["operationId"].as_str().expect("an id")),
                "{method} {path}: its id is another's"
            );
            for status in ["404", "405", "408", "413", "415", "429", "503"] {
                assert!(operation["responses"][status].is_object(), "{method} {path}: {status}");
            }
            let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
            let forms = schema["anyOf"].as_array().cloned().unwrap_or_else(|| vec![schema.clone()]);
            let refused = forms.last().expect("a form");
            assert_eq!(refused["$ref"], "#/components/schemas/Refusal", "{method} {path}: {schema}");
            let granted = forms.first().filter(|_| forms.len() > 1 && path.starts_with("/api"));
            let file = ["/api/user/export", "/api/openapi.json"].contains(&path.as_str());
            if let Some(granted) = granted.filter(|_| !file) {
                let required = granted["required"].as_array().expect("required");
                assert_eq!(required.len(), 3, "{method} {path}: {schema}");
            }
        }
    }
}

/// The fields that schemas have and do not require.
fn optional(schema: &serde_json::Value, found: &mut BTreeSet<String>) {
    if let Some(properties) = schema["properties"].as_object() {
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        found.extend(properties.keys().filter(|name| !required.contains(&name.as_str().into())).cloned());
    }
    match schema {
        serde_json::Value::Object(parts) => parts.values().for_each(|part| optional(part, found)),
        serde_json::Value::Array(parts) => parts.iter().for_each(|part| optional(part, found)),
        _ => {}
    }
}

/// The fields of described types that serde leaves out.
fn left_out(dir: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(dir).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            left_out(&path, found);
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("a source");
        let mut described = false;
        let mut skipped = false;
        for line in source.lines().map(str::trim) {
            if line.starts_with("#[derive(") {
                described = line.contains("ToSchema");
            } else if line.contains("skip_serializing_if") {
                skipped = described;
            } else if let Some((name, _)) = line.strip_prefix("pub ").and_then(|rest| rest.split_once(':')) {
                found.extend(std::mem::take(&mut skipped).then(|| name.to_owned()));
            }
        }
    }
}

#[test]
fn an_answer_has_every_field_that_serde_writes() {
    let document: serde_json::Value = serde_json::from_str(&http_api::openapi::text()).expect("JSON");
    let mut described = BTreeSet::new();
    let mut lacking = BTreeSet::new();
    for (name, schema) in document["components"]["schemas"].as_object().expect("schemas") {
        let taken = name.ends_with("Request") || ["Postback", "UploadForm"].contains(&name.as_str());
        match name.as_str() {
            // Some refusals name fields.
            "Refusal" => {}
            _ if taken => optional(schema, &mut lacking),
            _ => optional(schema, &mut described),
        }
    }
    let mut written = BTreeSet::new();
    for of in ["../foundation/src", "../money/src", "../campaigns/src", "../desk/src", "src"] {
        left_out(&Path::new(env!("CARGO_MANIFEST_DIR")).join(of), &mut written);
    }
    assert_eq!(described, written);
    assert!(lacking.contains("coupon_id"), "a request may lack what has a default: {lacking:?}");
}
