//! Reading what staff wrote down in a file.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// Reads TOML, or JSON where the name ends in `.json`.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let wrong = |problem: String| Failure::Usage(format!("{}: {problem}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
    if path.extension().is_some_and(|kind| kind == "json") {
        serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))
    } else {
        toml::from_str(&text).map_err(|e| wrong(e.to_string()))
    }
}
