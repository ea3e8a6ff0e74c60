//! The frontend's types are generated from the API's description, so its copy in the
//! frontend must be current.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

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
    let mut ids = std::collections::BTreeSet::new();
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
