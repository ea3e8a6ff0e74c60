//! A cache of the contacts, accounts to pay in to and questions that staff maintain. Every page needs them,
//! and they change about once a week.
//!
//! A server checks the database's count of changes at most every two seconds, so
//! a change is visible on every server within seconds.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use content::PayInAccount;
use content::contacts::{self, Contacts, List};
use i18n::Lang;
use store::installation::content::{self as rows, Contact, PayIn, Question};
use tokio::time::timeout;

use crate::{App, Error};

/// How long a change by another process may go unnoticed.
const BELIEVED: Duration = Duration::from_secs(2);
/// How long a request waits to know of one. The next one knows what was read meanwhile.
const WAITED: Duration = Duration::from_millis(250);
/// The same for a server that has read nothing yet, or has just changed the content itself.
const WAITED_FIRST: Duration = Duration::from_secs(4);

/// The content read last, and when it was last known to be current.
#[derive(Default)]
pub struct ContentCache {
    state: RwLock<CacheState>,
    /// Somebody is reading; everybody else uses the old content meanwhile.
    reading: AtomicBool,
}

#[derive(Clone, Default)]
struct CacheState {
    held: Arc<CachedContent>,
    seen: Option<Instant>,
}

/// The content at one version.
#[derive(Debug, Default)]
pub struct CachedContent {
    version: i64,
    contacts: Vec<Contact>,
    pay_ins: Vec<PayIn>,
    pub questions: Vec<Question>,
}

impl ContentCache {
    pub fn held(&self) -> Arc<CachedContent> {
        self.state().held
    }

    /// Called after changes by this process.
    pub fn forget(&self) {
        self.state.write().unwrap_or_else(PoisonError::into_inner).seen = None;
    }

    fn state(&self) -> CacheState {
        self.state.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn keep(&self, held: Arc<CachedContent>) {
        let state = CacheState { held, seen: Some(Instant::now()) };
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = state;
    }
}

impl App {
    /// Checks whether content has changed, unless that was done within two seconds. If
    /// the database does not answer in time, the old content is used: every answer passes here.
    pub async fn follow_content(&self) {
        let fresh = |seen: Instant| seen.elapsed() < BELIEVED;
        let state = self.content_cache.state();
        if state.seen.is_some_and(fresh) || self.content_cache.reading.swap(true, Ordering::AcqRel) {
            return;
        }
        // The caller may go away; the next one must be able to read all the same.
        let app = self.clone();
        let read = tokio::spawn(async move {
            let read = read(&app, state.held).await;
            if let Ok(held) = &read {
                app.content_cache.keep(held.clone());
            }
            app.content_cache.reading.store(false, Ordering::Release);
            read
        });
        let waited = if state.seen.is_some() { WAITED } else { WAITED_FIRST };
        match timeout(waited, read).await {
            Ok(Ok(Ok(_))) => {}
            Ok(Ok(Err(error))) => tracing::warn!(%error, "content was not read; the previous content stays in use"),
            Ok(Err(error)) => {
                self.content_cache.reading.store(false, Ordering::Release);
                tracing::error!(%error, "content was not read");
            }
            Err(_) => tracing::warn!("content was not read in time; the previous content stays in use"),
        }
    }

    /// The version of the content in these answers; it changes with every change of
    /// content.
    pub fn content_version(&self) -> i64 {
        self.content_cache.held().version
    }

    /// The contacts in a language: those that staff maintain, or else those from the
    /// environment.
    pub fn contacts(&self, lang: Lang) -> Contacts {
        self.content_cache.held().contacts(lang).unwrap_or_else(|| self.settings.contacts.in_language(lang))
    }

    /// The accounts that users pay in to, in a language.
    pub fn pay_in_accounts(&self, lang: Lang) -> Vec<PayInAccount> {
        let held = self.content_cache.held();
        held.pay_ins.iter().filter(|pay_in| pay_in.active).map(|pay_in| shown(pay_in, lang)).collect()
    }

    /// The source of the contacts, as `contact list` shows it.
    pub fn contacts_from(&self) -> &'static str {
        if self.content_cache.held().contacts.iter().any(|contact| contact.active) {
            "content"
        } else {
            "PLACARD_CONTACTS"
        }
    }
}

async fn read(app: &App, before: Arc<CachedContent>) -> Result<Arc<CachedContent>, Error> {
    app.db
        .snapshot(move |conn| {
            let version = rows::version(conn)?;
            if version == before.version {
                return Ok(before);
            }
            let (contacts, questions) = (rows::contacts(conn)?, rows::questions(conn)?);
            let pay_ins = rows::pay_ins(conn)?;
            Ok(Arc::new(CachedContent { version, contacts, pay_ins, questions }))
        })
        .await
}

impl CachedContent {
    fn contacts(&self, lang: Lang) -> Option<Contacts> {
        let mut lists = Contacts::default();
        let mut any = false;
        for contact in self.contacts.iter().filter(|contact| contact.active) {
            let Ok(list) = List::try_from(contact.list) else { continue };
            any = true;
            lists.list_mut(list).push(contacts::Contact {
                id: contact.name.clone(),
                kind: contact.kind,
                url: contact.url.clone(),
                label: in_language(&contact.label, lang).unwrap_or_default(),
            });
        }
        any.then_some(lists)
    }
}

fn shown(pay_in: &PayIn, lang: Lang) -> PayInAccount {
    PayInAccount {
        id: pay_in.name.clone(),
        label: in_language(&pay_in.label, lang).unwrap_or_default(),
        beneficiary: pay_in.beneficiary.clone(),
        account: pay_in.account.clone(),
        network: pay_in.network.clone(),
        bank: pay_in.bank.clone(),
        bic: pay_in.bic.clone(),
        note: in_language(&pay_in.note, lang),
    }
}

/// The text in a language, or in English, from stored JSON.
pub fn in_language(texts: &str, lang: Lang) -> Option<String> {
    let mut texts: BTreeMap<String, String> = serde_json::from_str(texts).unwrap_or_default();
    texts.remove(lang.code()).or_else(|| texts.remove(Lang::En.code()))
}
