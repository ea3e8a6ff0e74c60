//! The state that every use case uses.

use std::sync::Arc;

use auth::Secrets;
use bank::payments::Party;
use base::{Clock, Timestamp};
use content::ContactsFile;
use objects::Objects;
use payee::Networks;
use push::{Subject, TestService};
use serde::Serialize;
use store::{Db, Realm};
use supply::{Domain, PayoutRules};

use crate::Error;
use crate::content_cache::ContentCache;
use crate::figures::Figures;
use crate::memory::Memory;
use crate::people::hashers::{Hashers, HashingLoad};
use crate::people::refused_movements::RefusedMovements;
use crate::people::uploads::Uploads;
use crate::people::user_locks::UserLocks;
use crate::ready::Readiness;
use crate::shell_origins::ShellOrigins;
use crate::witnesses::Witnesses;

/// One installation: database, file storage, clock, secrets and configuration. Clones
/// share them.
#[derive(Clone)]
pub struct App {
    pub db: Db,
    pub secrets: Arc<Secrets>,
    pub settings: Arc<Settings>,
    pub(crate) hashers: Arc<Hashers>,
    pub memory: Arc<Memory>,
    pub(crate) user_locks: Arc<UserLocks>,
    pub figures: Figures,
    pub uploads: Arc<Uploads>,
    pub(crate) refused_movements: Arc<RefusedMovements>,
    pub content_cache: Arc<ContentCache>,
    pub readiness: Arc<Readiness>,
    pub(crate) objects: Option<Objects>,
}

/// The configuration of an installation.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub contacts: ContactsFile,
    pub currency: Currency,
    /// The domain that serves its sellers.json, for publishers' ads.txt.
    pub domain: Option<Domain>,
    /// Whether the page of the public log leaves out the totals of the day.
    pub log_totals_hidden: bool,
    /// The networks to whose addresses users may be paid.
    pub networks: Networks,
    /// The account that payment files pay from; without one, no files are made.
    pub payer: Option<Party>,
    /// The smallest payout to publishers, and when plans' money may be paid out.
    pub payouts: PayoutRules,
    /// The key that signs calls of the provider's server; without it, none are accepted.
    pub provider_key: Option<ProviderKey>,
    /// Without this, devices cannot be registered for push notices.
    pub push: Option<PushSettings>,
    /// The web pages that may frame this installation.
    pub shell_origins: ShellOrigins,
    /// The witnesses that cosign the public log.
    pub witnesses: Witnesses,
}

/// How push services are sent to.
#[derive(Clone, Debug)]
pub struct PushSettings {
    /// How operators of push services can reach the installation.
    pub subject: Subject,
    /// A service on this machine that is sent to as well.
    pub test_service: Option<TestService>,
}

/// A secret shared with the provider's server. It is never printed.
#[derive(Clone)]
pub struct ProviderKey(String);

impl ProviderKey {
    const SHORTEST: usize = 32;

    /// Requires at least 32 characters, so that it cannot be guessed.
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() >= Self::SHORTEST).then(|| Self(text.to_owned()))
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for ProviderKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ProviderKey")
    }
}

/// How amounts are shown. The number of decimals is the ledger's, not a setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Currency {
    pub code: String,
    pub decimals: u32,
    pub symbol: String,
}

impl App {
    pub fn new(db: Db, secrets: Secrets, settings: Settings) -> Self {
        db.seal_with(secrets.sealer());
        Self {
            db,
            secrets: Arc::new(secrets),
            settings: Arc::new(settings),
            hashers: Arc::default(),
            memory: Arc::default(),
            user_locks: Arc::default(),
            figures: Figures::default(),
            uploads: Arc::default(),
            refused_movements: Arc::default(),
            content_cache: Arc::default(),
            readiness: Arc::default(),
            objects: None,
        }
    }

    /// Adds a file storage; without one, no files are accepted.
    pub fn with_objects(self, objects: Objects) -> Self {
        Self { objects: Some(objects), ..self }
    }

    /// The same installation, with every write undone: use cases return what they would do.
    /// Caches in memory are not affected.
    #[must_use]
    pub fn rehearsing(&self) -> Self {
        Self { db: self.db.rehearsing(), ..self.clone() }
    }

    pub fn clock(&self) -> &Clock {
        self.db.clock()
    }

    pub fn now(&self) -> Timestamp {
        self.db.clock().now()
    }

    /// Whether events and money here are real.
    pub fn realm(&self) -> Realm {
        self.db.realm()
    }

    /// Counts of password hashing.
    pub fn hashing(&self) -> HashingLoad {
        self.hashers.seen()
    }
}

/// Random bytes from the operating system.
pub fn random<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|e| Error::Internal(format!("no randomness: {e}")))?;
    Ok(bytes)
}

/// Tokens that stand for a dollar and are counted like one.
const TOKENS: [&str; 2] = ["USDT", "USDC"];

/// Why amounts cannot be counted in something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotACurrency {
    #[error("is no currency, such as USD, EUR or USDT")]
    Unknown,
    #[error("is counted with {decimals} decimals, and amounts here have two")]
    Decimals { decimals: u16 },
}

impl Currency {
    /// A currency of ISO 4217 with two decimals, or USDT or USDC.
    pub fn parse(code: &str) -> Result<Self, NotACurrency> {
        if TOKENS.contains(&code) {
            return Ok(Self::named(code));
        }
        let decimals = iso_currency::Currency::from_code(code).and_then(|known| known.exponent());
        match decimals.ok_or(NotACurrency::Unknown)? {
            decimals if u32::from(decimals) == base::Money::DECIMALS => Ok(Self::named(code)),
            decimals => Err(NotACurrency::Decimals { decimals }),
        }
    }

    /// A decimal amount as a language writes it: `1.234,50 €`.
    pub fn shown(&self, lang: i18n::Lang, amount: &str) -> String {
        i18n::money(lang, amount, &self.code, &self.symbol)
    }

    fn named(code: &str) -> Self {
        Self { code: code.to_owned(), decimals: base::Money::DECIMALS, symbol: symbol(code).to_owned() }
    }
}

impl Default for Currency {
    fn default() -> Self {
        Self::named("USD")
    }
}

fn symbol(code: &str) -> &str {
    match code {
        "USD" => "$",
        "EUR" => "€",
        "GBP" => "£",
        "CNY" => "¥",
        "THB" => "฿",
        "VND" => "₫",
        "KRW" => "₩",
        "RUB" => "₽",
        "BRL" => "R$",
        other => other,
    }
}
