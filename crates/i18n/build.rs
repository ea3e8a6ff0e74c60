//! Turns the language files into code, so that a new language needs only a new file. Nothing is parsed at run time, and
//! only texts that are shown need memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde_json::Value;

type Texts = BTreeMap<String, String>;

fn main() -> io::Result<()> {
    // This is read at run time, because the build program may have been compiled in another folder.
    let here = env::var_os("CARGO_MANIFEST_DIR").ok_or(io::Error::other("cargo sets CARGO_MANIFEST_DIR"))?;
    let folder = Path::new(&here).join("../../locales").canonicalize()?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> =
        fs::read_dir(&folder)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|e| e == "json"));
    files.sort();
    let languages = files.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>()?;
    let out = env::var_os("OUT_DIR").map(PathBuf::from).ok_or(io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(out.join("files.rs"), written(&languages))
}

/// A language's code and its texts by key.
fn read(file: &Path) -> io::Result<(String, Texts)> {
    println!("cargo::rerun-if-changed={}", file.display());
    let wrong = |problem: String| io::Error::other(format!("{}: {problem}", file.display()));
    let value = serde_json::from_slice(&fs::read(file)?).map_err(|e| wrong(e.to_string()))?;
    let mut texts = Texts::new();
    flatten("", value, &mut texts).map_err(|key| wrong(format!("{key} is neither a text nor a section")))?;
    // An empty text would mean that the language lacks the key, such as a plural form that only other languages have.
    match texts.iter().find(|(_, text)| text.is_empty()) {
        Some((key, _)) => Err(wrong(format!("{key} is empty"))),
        None => Ok((file.file_stem().unwrap_or_default().to_string_lossy().into_owned(), texts)),
    }
}

/// Flattens nested texts into keys such as `section.key`.
///
/// # Errors
/// The first key whose value is neither a text nor a section.
fn flatten(path: &str, value: Value, texts: &mut Texts) -> Result<(), String> {
    match value {
        Value::String(text) => {
            texts.insert(path.to_owned(), text);
            Ok(())
        }
        Value::Object(children) => children.into_iter().try_for_each(|(key, child)| {
            let below = if path.is_empty() { key } else { format!("{path}.{key}") };
            flatten(&below, child, texts)
        }),
        _ => Err(path.to_owned()),
    }
}

/// The generated code: the keys of all languages in order, and each language's texts in the same order.
fn written(languages: &[(String, Texts)]) -> String {
    let keys: BTreeSet<&str> = languages.iter().flat_map(|(_, texts)| texts.keys().map(String::as_str)).collect();
    let files: Vec<(&str, Vec<&str>)> = languages
        .iter()
        .map(|(code, texts)| {
            (code.as_str(), keys.iter().map(|key| texts.get(*key).map_or("", String::as_str)).collect())
        })
        .collect();
    let keys: Vec<&str> = keys.into_iter().collect();
    let mut source = format!("static KEYS: &[&str] = &{keys:?};\nstatic FILES: &[(&str, &[&str])] = &[\n");
    for (code, texts) in files {
        // Writing to a String cannot fail.
        let _ = writeln!(source, "    ({code:?}, &{texts:?}),");
    }
    source.push_str("];\n");
    source
}
