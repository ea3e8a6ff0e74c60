//! Reads the language files, so that adding a language means adding a file, and lays their texts out as the
//! program keeps them: one text a language, in which numbers say where each key's part ends. So nothing is
//! parsed when the program runs, and only what is shown needs memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde_json::Value;

type Texts = BTreeMap<String, String>;

fn main() -> io::Result<()> {
    // Read at run time: this program may have been compiled in another folder.
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
    // An empty part stands for a key that a language lacks, such as a plural form of another.
    match texts.iter().find(|(_, text)| text.is_empty()) {
        Some((key, _)) => Err(wrong(format!("{key} is empty"))),
        None => Ok((file.file_stem().unwrap_or_default().to_string_lossy().into_owned(), texts)),
    }
}

/// Names texts `section.key`.
///
/// # Errors
/// The first key with anything else.
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

/// The keys of all languages in order, and each language's texts in the same order.
fn written(languages: &[(String, Texts)]) -> String {
    let keys: BTreeSet<&str> = languages.iter().flat_map(|(_, texts)| texts.keys().map(String::as_str)).collect();
    let mut source = format!("static KEYS: Parts = {};\n", parts(keys.iter().copied()));
    source.push_str("static FILES: &[(&str, Parts)] = &[\n");
    for (code, texts) in languages {
        let all = parts(keys.iter().map(|key| texts.get(*key).map_or("", String::as_str)));
        // Writing to a String cannot fail.
        let _ = writeln!(source, "    ({code:?}, {all}),");
    }
    source.push_str("];\n");
    source
}

fn parts<'a>(all: impl Iterator<Item = &'a str>) -> String {
    let (mut whole, mut ends) = (String::new(), Vec::new());
    for part in all {
        whole.push_str(part);
        ends.push(whole.len());
    }
    format!("Parts {{ whole: {whole:?}, ends: &{ends:?} }}")
}
