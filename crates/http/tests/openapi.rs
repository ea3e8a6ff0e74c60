//! The API's description is what the frontend's types are made from: the copy
//! beside the frontend must be the one the server gives.
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
fn every_answer_below_api_is_an_envelope() {
    let document: serde_json::Value = serde_json::from_str(&http_api::openapi::text()).expect("JSON");
    assert_eq!(document["openapi"], "3.1.0");
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
            if path.starts_with("/api") && !schema.is_null() {
                let required = schema["required"].as_array().expect("required");
                assert_eq!(required.len(), 3, "{method} {path}: {schema}");
            }
        }
    }
}
