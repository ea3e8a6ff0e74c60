//! Adding a key of the public log to this machine's secret file. No server runs it.

use desk::installation::secrets::add_log_key;
use desk::installation::settings::{Installation, Values};
use serde_json::json;

use crate::context::Context;
use crate::failure::Failure;

pub fn add(context: &Context) -> Result<(), Failure> {
    let file = Installation::read(&Values::load()?)?.secret_file;
    add_log_key(&file)?;
    context.out.record(&json!({ "file": file.display().to_string() }))
}
