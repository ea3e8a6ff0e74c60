//! Every field that a refusal can name is one that clients know: of a request, of a file of staff, or of a command.

use std::collections::BTreeSet;

use base::Field;
use serde_json::Value;

/// Fields of files that are read by themselves, and what is wrong as a whole.
const OTHERS: [&str; 18] = [
    // The setting that a command lacks.
    "PLACARD_CURRENCY",
    "PLACARD_DOMAIN",
    "PLACARD_PAYER_ACCOUNT",
    // An exchange's file.
    "seat",
    "unconfirmed_share",
    "unconfirmed_views",
    // The header Idempotency-Key.
    "idempotency_key",
    // What could not be read at all.
    "query",
    "request",
    // The amount of a plan's rule, by the rule's kind.
    "conversion_cost",
    "loss",
    "no_conversion",
    // What is agreed with a publisher, and where it is paid.
    "terms",
    "destination",
    "holder",
    "public_key",
    "heads",
    "expires",
];

fn described(document: &Value, known: &mut BTreeSet<String>) {
    if let Some(fields) = document.get("properties").and_then(Value::as_object) {
        known.extend(fields.keys().cloned());
    }
    if let (Some(name), Some(_)) = (document.get("name").and_then(Value::as_str), document.get("in")) {
        known.insert(name.to_owned());
    }
    match document {
        Value::Object(all) => all.values().for_each(|each| described(each, known)),
        Value::Array(all) => all.iter().for_each(|each| described(each, known)),
        _ => {}
    }
}

fn typed(command: &clap::Command, known: &mut BTreeSet<String>) {
    known.extend(command.get_arguments().map(|argument| argument.get_id().to_string()));
    command.get_subcommands().for_each(|each| typed(each, known));
}

/// The names of a table's fields, and of the tables in it.
fn written(kind: content::Kind, known: &mut BTreeSet<String>) {
    let shown = format!("{:?}", kind.fields());
    known.extend(shown.split("name: \"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned));
}

#[test]
fn clients_know_every_field_that_is_refused() {
    let mut known: BTreeSet<String> = OTHERS.map(str::to_owned).into();
    described(&serde_json::from_str(&http_api::openapi::text()).expect("JSON"), &mut known);
    typed(&super::command(), &mut known);
    content::Kind::ALL.iter().for_each(|kind| written(*kind, &mut known));
    let parts = |field: &Field| field.name().split('.').map(str::to_owned).collect::<Vec<_>>();
    let unknown: Vec<&Field> =
        Field::ALL.iter().filter(|field| !parts(field).iter().all(|part| known.contains(part))).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn what_no_document_describes_is_named_here_only_if_it_is_refused() {
    let names: BTreeSet<&str> = Field::ALL.iter().map(|field| field.name()).collect();
    let gone: Vec<&str> = OTHERS.into_iter().filter(|name| !names.contains(name)).collect();
    assert!(gone.is_empty(), "{gone:?}");
}
