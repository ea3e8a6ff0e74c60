//! Writing to one user, or to everybody.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use foundation::notices::written::{Text, TextsByLanguage};
use foundation::notifications::{Announce, Audience, Category, announce};
use i18n::Lang;

use crate::cli::{ReasonArg, lang, name_of};
use crate::commands::installation::file;
use crate::context::Context;
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  placard notify --category system_maintenance --title \"Tonight\" \\
    --body \"Nothing can be put from 02:00 to 02:15 UTC.\" --reason \"upgrade\"
  placard notify --category activity --file spring.toml --reason \"campaign\"
  placard notify --category system_announcement --user mia --title \"Hello\" \\
    --body \"Your question is answered.\" --reason \"call of today\"";

/// Send a notice to one user, or request one to everybody, which another operator approves
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Notify {
    /// `system_announcement`, `system_maintenance` or activity
    #[arg(long, value_parser = name_of!(Category))]
    category: Category,
    /// One line, in English unless --lang says otherwise
    #[arg(long, requires = "body", required_unless_present = "file")]
    title: Option<String>,
    /// The text below the title
    #[arg(long, requires = "title")]
    body: Option<String>,
    /// The same in several languages: TOML or JSON with a table for each, such as [de],
    /// of title and body; readers of other languages see --title and --body, or English
    #[arg(long)]
    file: Option<PathBuf>,
    /// Only this user
    #[arg(long, conflicts_with = "lang")]
    user: Option<String>,
    /// Only readers of this language
    #[arg(long, value_parser = lang)]
    lang: Option<Lang>,
    #[command(flatten)]
    because: ReasonArg,
}

pub async fn run(context: &Context, command: Notify) -> Result<(), Failure> {
    let by = context.staff(&command.because).await?;
    let read = |path| file::read(context, path);
    let by_lang: BTreeMap<String, Text> = command.file.as_deref().map(read).transpose()?.unwrap_or_default();
    let given = command.title.zip(command.body).map(|(title, body)| Text { title, body });
    let to = command.user.map_or(Audience::Everybody(command.lang), Audience::User);
    let announcement = Announce { category: command.category, words: TextsByLanguage::new(given, by_lang), to };
    context.out.record(&announce(&context.app, by, announcement).await?)
}
