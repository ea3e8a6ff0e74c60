//! Content that staff maintain in files. Files are checked as a whole, and applied as a whole.
//!
//! A file is TOML or JSON and has tables such as `[[product]]`. New entries are added, and different ones changed.
//! Equal entries, and entries that no file mentions, stay as they are. All mistakes in all files are reported at once,
//! with their lines, and if there is one, nothing is changed. Changes that all users see, or that can cost money, are
//! only requested, and are made when another operator approves them.

mod catalogue;
mod export;
mod files;
mod import;
pub(crate) mod notices;
mod offers;
mod pay_in;
pub(crate) mod published;
mod publishers;
mod service;

use std::sync::Arc;

use auth::{Permission, Secrets};
use content::{Content, ImportReport, Item, Kind, Mistake, Source};
use store::Tx;

pub use export::export;

use foundation::staff::Staff;
use foundation::{App, Error};
use import::ContentImport;

/// Why files were not applied.
#[derive(Debug)]
pub enum ImportError {
    /// All mistakes.
    Wrong(Vec<Mistake>),
    Failed(Error),
}

impl From<Error> for ImportError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

foundation::holds_error!(ImportError::Failed);

/// Applies files in one transaction. With a rehearsing [`App`], the answer says what
/// would be changed.
///
/// # Errors
/// All mistakes; `not_permitted`.
pub async fn apply(app: &App, by: &Staff, sources: &[Source]) -> Result<ImportReport, ImportError> {
    by.may(Permission::Catalogue)?;
    run(app, Some(by.clone()), sources).await
}

/// Checks which changes applying the files would make, without an operator.
///
/// # Errors
/// All mistakes.
pub async fn check(app: &App, sources: &[Source]) -> Result<ImportReport, ImportError> {
    run(&app.rehearsing(), None, sources).await
}

async fn run(app: &App, by: Option<Staff>, sources: &[Source]) -> Result<ImportReport, ImportError> {
    let mut content = Content::read(sources, |item| files::checked(item, &app.settings.currency.code))?;
    let warnings = content.untranslated();
    let mistakes = std::mem::take(&mut content.mistakes);
    let (secrets, currency) = (app.secrets.clone(), app.settings.currency.code.clone());
    let content = Arc::new(content);
    let rehearsing = app.db.is_rehearsing();
    let applied = app
        .db
        .write(move |tx| {
            let how = ImportContext { secrets: &secrets, currency: &currency, by: by.as_ref() };
            let mut report = in_transaction(tx, &how, &content, mistakes.clone())?;
            report.dry_run = rehearsing;
            Ok::<_, ImportError>(report)
        })
        .await;
    app.content_cache.forget();
    applied.map(|report| ImportReport { warnings, ..report }.told())
}

struct ImportContext<'a> {
    secrets: &'a Arc<Secrets>,
    currency: &'a str,
    by: Option<&'a Staff>,
}

/// `mistakes` are those found in the files alone, so that one run reports all mistakes.
fn in_transaction(
    tx: &mut Tx<'_>,
    how: &ImportContext<'_>,
    content: &Content,
    mistakes: Vec<Mistake>,
) -> Result<ImportReport, ImportError> {
    store::installation::content::lock(tx)?;
    let mut work = ContentImport::new(tx, how.secrets, how.by);
    for kind in Kind::ALL.iter().copied() {
        let items: Vec<&Item> = content.items.iter().filter(|item| item.kind == kind).collect();
        if items.is_empty() {
            continue;
        }
        match kind {
            Kind::Advertiser => catalogue::apply_advertisers(&mut work, &items)?,
            Kind::Product => catalogue::apply_products(&mut work, &items)?,
            Kind::Publisher => publishers::apply(&mut work, &items)?,
            Kind::Slot => catalogue::apply_slots(&mut work, &items)?,
            Kind::Coupon => offers::apply_coupons(&mut work, &items)?,
            Kind::Activity => offers::apply_activities(&mut work, &items)?,
            Kind::Acceptor => service::apply_acceptors(&mut work, &items, how.currency)?,
            Kind::Contact => service::apply_contacts(&mut work, &items)?,
            Kind::PayIn => pay_in::apply(&mut work, &items)?,
            Kind::Faq => service::apply_questions(&mut work, &items)?,
            Kind::Notification => notices::apply(&mut work, &items)?,
        }
    }
    let mut all = mistakes;
    all.append(&mut work.mistakes);
    if all.is_empty() {
        work.record()?;
        return Ok(work.report);
    }
    all.sort_by(|a, b| (&a.file, a.line, &a.field).cmp(&(&b.file, b.line, &b.field)));
    Err(ImportError::Wrong(all))
}
