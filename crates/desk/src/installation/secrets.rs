//! Changing the secret file, on the installation's own machine.

use std::path::Path;

use foundation::{Error, random};

use crate::installation::settings::replace_secrets;

/// Adds a key of the public log. It signs once two people have agreed on it, and every server needs the file before that.
///
/// # Errors
/// If the file is none of secrets, or cannot be written.
pub fn add_log_key(file: &Path) -> Result<(), Error> {
    let key: [u8; 32] = random()?;
    let change = |text: &str| auth::Secrets::text_with_log_key(text, &key).map_err(|bad| bad.to_string());
    replace_secrets(file, change).map_err(|problem| Error::Internal(format!("{}: {problem}", file.display())))
}
