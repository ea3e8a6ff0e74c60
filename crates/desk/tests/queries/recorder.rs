//! Records every statement sent by any connection of this process.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use diesel::connection::{InstrumentationEvent, set_default_instrumentation};

/// The statements' texts, and the values of one execution of each.
static HEARD: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
/// Every text in the order it was sent.
static SENT: Mutex<Vec<String>> = Mutex::new(Vec::new());
static LISTENING: AtomicBool = AtomicBool::new(false);
static ONCE: Once = Once::new();

/// It records all connections of the process, so only one test records at a time.
pub static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

pub fn start() {
    ONCE.call_once(|| {
        set_default_instrumentation(|| Some(Box::new(hear))).expect("instrumented");
    });
    HEARD.lock().unwrap_or_else(PoisonError::into_inner).clear();
    SENT.lock().unwrap_or_else(PoisonError::into_inner).clear();
    LISTENING.store(true, Ordering::SeqCst);
}

/// What was sent, each text once.
pub fn stop() -> BTreeMap<String, String> {
    LISTENING.store(false, Ordering::SeqCst);
    std::mem::take(&mut *HEARD.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Everything sent since the start.
pub fn sent() -> Vec<String> {
    std::mem::take(&mut *SENT.lock().unwrap_or_else(PoisonError::into_inner))
}

fn hear(event: InstrumentationEvent<'_>) {
    let InstrumentationEvent::StartQuery { query, .. } = event else { return };
    if !LISTENING.load(Ordering::SeqCst) {
        return;
    }
    let shown = query.to_string();
    let (sql, values) = shown.split_once(" -- binds:").unwrap_or((&shown, ""));
    let sql = sql.trim();
    SENT.lock().unwrap_or_else(PoisonError::into_inner).push(sql.to_owned());
    let first = sql.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
    // What a connection is set up with is several statements in one.
    let inserts = first != "SET" && sql.contains("SELECT") && !sql.contains("SELECT * FROM unnest");
    let reads = ["SELECT", "UPDATE", "DELETE", "WITH"].contains(&first.as_str()) || inserts;
    if reads && !sql.contains("create_partitions") {
        let mut heard = HEARD.lock().unwrap_or_else(PoisonError::into_inner);
        // The type of a list without values cannot be told.
        let empty = |values: &str| values.matches("[]").count() + values.matches("[None").count();
        if heard.get(sql).is_none_or(|before| empty(values) <= empty(before)) {
            heard.insert(sql.to_owned(), values.trim().to_owned());
        }
    }
}
