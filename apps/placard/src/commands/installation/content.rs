//! Content from files: checking, applying and exporting.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use ::content::{ImportReport, ItemChange, ItemOutcome, Kind, Mistake, to_toml};
use clap::Subcommand;
use desk::installation::content::{self, ImportError};
use serde_json::{Value, json};

use crate::cli::{ReasonArg, Rehearsal, name_of};
use crate::commands::installation::file::sources;
use crate::context::Context;
use crate::failure::Failure;
use crate::files::OutputFiles;

const EXAMPLE: &str = "\
A file is TOML, or JSON where its name ends in .json, and holds any of
[[advertiser]] [[product]] [[publisher]] [[slot]] [[coupon]] [[activity]]
[[acceptor]] [[contact]] [[pay_in]] [[faq]] [[notification]]. All files are
applied as one, or not at all. What no file mentions is left alone;
`active = false` retires a thing.

Examples:
  placard content check spring.toml
  placard content apply spring.toml --dry-run --reason \"spring sale\"
  placard content apply spring.toml faq.toml --reason \"spring sale\"
  placard content export --kind faq > faq.toml
  placard content export content/";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLE)]
pub enum Command {
    /// Report every mistake in files, and what applying them would change; exits with 1
    /// if there is a mistake. Needs no sign-in
    #[command(after_help = EXAMPLE)]
    Check {
        /// TOML, or JSON if the name ends in .json
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Add what is new in files and change what differs: everything or nothing
    #[command(after_help = EXAMPLE)]
    Apply {
        /// TOML, or JSON if the name ends in .json
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        rehearsal: Rehearsal,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Export the current content in the same format; applying it changes nothing
    #[command(after_help = EXAMPLE)]
    Export {
        /// Only this kind, such as product; can be repeated
        #[arg(long = "kind", value_parser = name_of!(Kind))]
        kinds: Vec<Kind>,
        /// Write a file for each kind into this folder instead of printing
        folder: Option<PathBuf>,
        /// Replace existing files
        #[arg(long, requires = "folder")]
        overwrite: bool,
    },
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Check { files } => {
            let checked = content::check(&context.app, &sources(context, &files)?).await;
            answer(context, checked, |_| Failure::Found)
        }
        Command::Apply { files, rehearsal, because } => {
            let by = context.staff(&because).await?;
            let applied = content::apply(&context.stage(rehearsal), &by, &sources(context, &files)?).await;
            answer(context, applied, Failure::Mistaken)
        }
        Command::Export { kinds, folder, overwrite } => {
            context.sign_in().await?;
            let kinds = if kinds.is_empty() { Kind::ALL.to_vec() } else { kinds };
            let tables = content::export(&context.app, &kinds).await?;
            match folder {
                Some(folder) => context.out.list(&write_files(context, &folder, overwrite, &tables)?, "file, items"),
                None => {
                    let toml = to_toml(&tables)?;
                    let named: BTreeMap<&str, &Vec<Value>> =
                        tables.iter().map(|(kind, all)| (kind.name(), all)).collect();
                    context.out.show(&named, |_| toml)
                }
            }
        }
    }
}

/// Prints what was done, or all mistakes.
fn answer(
    context: &Context,
    result: Result<ImportReport, ImportError>,
    failure: impl FnOnce(usize) -> Failure,
) -> Result<(), Failure> {
    match result {
        Ok(report) => context.out.show(&report, |_| text(&report)),
        Err(ImportError::Wrong(mistakes)) => {
            context.out.show(&json!({ "mistakes": mistakes }), |_| listed(&mistakes))?;
            Err(failure(mistakes.len()))
        }
        Err(ImportError::Failed(error)) => Err(error.into()),
    }
}

fn listed(mistakes: &[Mistake]) -> String {
    mistakes.iter().map(|mistake| format!("{mistake}\n")).collect()
}

fn text(report: &ImportReport) -> String {
    let mut text = String::new();
    let differs = |change: &&ItemChange| !change.fields.is_empty() || !change.requested.is_empty();
    for change in report.changes.iter().filter(differs) {
        let became = match change.change {
            ItemOutcome::Added => "added",
            ItemOutcome::Requested => "requested",
            _ => "changed",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{became:8} {} {}", change.kind.name(), change.key);
        if became == "changed" {
            for (field, turn) in &change.fields {
                let _ = writeln!(text, "           {field}: {} -> {}", shown(&turn.from), shown(&turn.to));
            }
        }
        for (field, turn) in &change.requested {
            let (from, to) = (shown(&turn.from), shown(&turn.to));
            let _ = writeln!(text, "           {field}: {from} -> {to}, once it is approved");
        }
        for request in change.request.iter().chain(&change.other_request) {
            let _ = writeln!(text, "           another operator approves request {request}");
        }
        if let Some(secret) = &change.secret {
            let _ = writeln!(text, "           shown this once: {secret}");
        }
    }
    for warning in &report.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    let ImportReport { added, changed, unchanged, requested, dry_run, .. } = report;
    let ending = if *dry_run { "; nothing was changed yet" } else { "" };
    let waiting = if *requested == 0 { String::new() } else { format!(", {requested} requested") };
    let _ = write!(text, "{added} added, {changed} changed, {unchanged} unchanged{waiting}{ending}");
    text
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A file for each kind that exists.
fn write_files(
    context: &Context,
    folder: &Path,
    overwrite: bool,
    tables: &BTreeMap<Kind, Vec<Value>>,
) -> Result<Vec<Value>, Failure> {
    let path = |kind: &Kind| folder.join(format!("{}.toml", kind.name()));
    let absent = if overwrite { Vec::new() } else { tables.keys().map(path).collect() };
    let (mut files, mut written) = (Vec::new(), Vec::new());
    for (kind, forms) in tables.iter().filter(|(_, forms)| !forms.is_empty()) {
        let toml = to_toml(&BTreeMap::from([(*kind, forms.clone())]))?;
        files.push((path(kind), toml.into_bytes()));
        written.push(json!({ "file": path(kind).display().to_string(), "items": forms.len() }));
    }
    context.files.write(&OutputFiles { folder: Some(folder.to_owned()), absent, new: false, private: false, files })?;
    Ok(written)
}
