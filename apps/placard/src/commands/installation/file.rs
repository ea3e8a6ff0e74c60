//! Reading staff's files.

use std::path::{Path, PathBuf};

use campaigns::AdServer;
use clap::Args;
use content::{Content, Item, Kind, Mistake, Source, check_syntax, toml_problem};
use foundation::Error;
use foundation::staff::Staff;
use serde::de::DeserializeOwned;

use crate::cli::{ReasonArg, Rehearsal};
use crate::context::Context;
use crate::failure::Failure;

/// More than anybody writes by hand.
const LARGEST: usize = 4 * 1024 * 1024;

/// A file's text: TOML, or JSON if the name ends in `.json`.
pub fn source(context: &Context, path: &Path) -> Result<Source, Failure> {
    let wrong = |problem: String| Failure::Usage(format!("{}: {problem}", path.display()));
    let text = context.files.read_text(path, LARGEST).map_err(wrong)?;
    let json = path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("json"));
    Ok(Source { name: path.display().to_string(), text, json })
}

pub fn sources(context: &Context, paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    paths.iter().map(|path| source(context, path)).collect()
}

/// A file with one entry of content.
#[derive(Debug, Args)]
pub struct EntryArgs {
    /// TOML, or JSON if the name ends in .json
    file: PathBuf,
    #[command(flatten)]
    pub rehearsal: Rehearsal,
    #[command(flatten)]
    because: ReasonArg,
}

/// The entry, with the installation to add it to and who adds it.
pub async fn entry(context: &Context, kind: Kind, args: &EntryArgs) -> Result<(AdServer, Staff, Item), Failure> {
    let by = context.staff(&args.because).await?;
    let content = Content::read_one(kind, &source(context, &args.file)?);
    match content.items.into_iter().next() {
        Some(item) if content.mistakes.is_empty() => Ok((context.stage(args.rehearsal), by, added_active(item)?)),
        _ => Err(Failure::Usage(lines(&content.mistakes))),
    }
}

/// A file of content may say whether its entry is active. What is added by itself is.
fn added_active(mut item: Item) -> Result<Item, Failure> {
    if item.active() == Some(false) {
        let mistake = item.mistake("active", "what is added here is active; `content apply` adds what is not");
        return Err(Failure::Usage(lines(&[mistake])));
    }
    item.fields.remove("active");
    Ok(item)
}

/// Adds the file's lines to what a use case found wrong.
pub fn named<T>(item: &Item, result: Result<T, Error>) -> Result<T, Failure> {
    result.map_err(|error| match error {
        Error::Fields(fields) if !fields.contains_key("reason") => Failure::Mistakes(item.mistakes(&fields)),
        other => Failure::Refused(other),
    })
}

/// Parses TOML, or JSON if the name ends in `.json`.
pub fn read<T: DeserializeOwned>(context: &Context, path: &Path) -> Result<T, Failure> {
    let Source { name, text, json } = source(context, path)?;
    let wrong = |problem: String| Failure::Usage(format!("{name}: {problem}"));
    if json {
        let read = serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?;
        // Parsing a map keeps only the last value of a name that a table has twice, so the syntax is checked
        // separately.
        check_syntax(&text, true).map(|()| read).map_err(|errors| {
            let said = errors.iter().map(|error| format!("line {}: {}", error.line, error.problem));
            wrong(said.collect::<Vec<_>>().join("; "))
        })
    } else {
        toml::from_str(&text).map_err(|e| wrong(toml_problem(&text, &e)))
    }
}

pub fn lines(mistakes: &[Mistake]) -> String {
    mistakes.iter().map(Mistake::to_string).collect::<Vec<_>>().join("; ")
}
