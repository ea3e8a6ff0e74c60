//! The configuration of an installation, for the server and the staff's command
//! line.
//!
//! A value comes from the environment, or from the TOML file that
//! `PLACARD_CONFIG` names, whose keys are the variables' names in lower case
//! without the prefix: `database_url = "sqlite://data/placard.db"`.

mod bare;
mod opening;
pub(crate) mod private;
mod push;
mod secret_file;
mod shown;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use bank::payments::{Party, PartyAccount, UnwritableOrder};
use base::Money;
use base::typed::folded;
use content::{ContactsFile, toml_problem};
use i18n::Lang;
use objects::ObjectLocation;
use payee::{BankAccount, Network, Networks};
use store::Realm;
use supply::{Domain, NotADomain, PayoutRules};

use campaigns::AdServer;
use foundation::shell_origins::ShellOrigins;
use foundation::{Currency, ProviderKey, Settings, Witnesses};
pub use opening::SkippedChecks;
pub use private::{OPEN, is_open};
pub(crate) use secret_file::put_new as put_new_secrets;
pub use secret_file::replace as replace_secrets;
pub use shown::Setting;

/// An invalid value; one line that names the variable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{variable}: {problem}")]
pub struct InvalidSetting {
    pub variable: &'static str,
    pub problem: String,
    /// The value is valid, but names something else than what was used before.
    pub refused: bool,
}

impl InvalidSetting {
    pub fn new(variable: &'static str, problem: impl ToString) -> Self {
        // Libraries report over several lines, but this must be one.
        let text = problem.to_string();
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        Self { variable, problem: lines.join(" "), refused: false }
    }

    /// The variable names something that has changed since this program used it.
    pub fn refused(variable: &'static str, problem: impl ToString) -> Self {
        Self { refused: true, ..Self::new(variable, problem) }
    }
}

/// The environment and, for missing values, the file that `PLACARD_CONFIG` names.
#[derive(Clone, Debug, Default)]
pub struct Values {
    all: BTreeMap<String, String>,
    from_environment: BTreeSet<String>,
}

const DATA_DIR: &str = "data";
const DATABASE_URL: &str = "sqlite://data/placard.db";
const LOG_TOTALS: &str = "shown";
const REALM: &str = "simulated";
const PREFIX: &str = "PLACARD_";
/// The usual prefix of S3 credentials.
const S3_PREFIX: &str = "AWS_";
/// The allowed names in the file, so that misspelt ones are noticed.
const KNOWN: &str = "BIND CONTACTS COPY_URL CURRENCY DATABASE_URL DATA_DIR DOMAIN FILES_URL LOG LOG_TOTALS \
    METRICS_BIND OPERATOR OPERATOR_KEY PAYER_ACCOUNT PAYER_BIC PAYER_NAME PAYOUT_DELAY_DAYS PAYOUT_MINIMUM \
    PAYOUT_NETWORKS PROVIDER_KEY PUSH_SUBJECT PUSH_TEST_SERVICE REALM REPLICA_URL SECRET_FILE SERVER SERVER_CA \
    SHELL_ORIGINS STAFF_BIND STAFF_TLS_CERT STAFF_TLS_KEY TRACES_URL TRUSTED_PROXIES WITNESSES";

/// Those of them that are lists.
const LISTS: [&str; 3] = ["PAYOUT_NETWORKS", "SHELL_ORIGINS", "TRUSTED_PROXIES"];

impl Values {
    /// # Errors
    /// `PLACARD_CONFIG` if the file cannot be read or parsed.
    pub fn load() -> Result<Self, InvalidSetting> {
        Self::from_pairs(std::env::vars_os().filter_map(|(name, value)| {
            let name = name.into_string().ok()?;
            let ours = name.starts_with(PREFIX) || name.starts_with(S3_PREFIX);
            // A value that is not UTF-8 is replaced by one that every parser refuses.
            ours.then(|| (name, value.to_string_lossy().into_owned()))
        }))
    }

    /// Reads the values from the names and values of an environment, and from the file that `PLACARD_CONFIG` names.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Result<Self, InvalidSetting> {
        let bare = pairs.into_iter().map(|(name, value)| bare::of(name, &value));
        let environment: BTreeMap<_, _> = bare.filter(|(_, value)| !value.is_empty()).collect();
        let mut values = match environment.get("PLACARD_CONFIG") {
            Some(path) => read_file(Path::new(path))
                .map_err(|problem| InvalidSetting::new("PLACARD_CONFIG", format!("{path}: {problem}")))?,
            None => BTreeMap::new(),
        };
        let from_environment = environment.keys().cloned().collect();
        values.extend(environment);
        Ok(Self { all: values, from_environment })
    }

    pub fn get(&self, variable: &str) -> Option<&str> {
        self.all.get(variable).map(String::as_str)
    }

    /// Every variable, with its value.
    fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether a value comes from the environment or the file.
    fn origin(&self, variable: &str) -> &'static str {
        if self.from_environment.contains(variable) { "environment" } else { "file" }
    }

    pub fn or<'a>(&'a self, variable: &str, default: &'a str) -> &'a str {
        self.get(variable).unwrap_or(default)
    }
}

fn read_file(path: &Path) -> Result<BTreeMap<String, String>, String> {
    let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
    let table: toml::Table = toml::from_str(&text).map_err(|e| toml_problem(&text, &e))?;
    let mut values = BTreeMap::new();
    for (key, value) in table {
        let name = key.to_uppercase();
        let name = name.strip_prefix(PREFIX).unwrap_or(&name);
        let is_known = KNOWN.split(' ').any(|known| known == name);
        let text = match value {
            _ if !is_known => return Err(format!("{key} is no setting")),
            toml::Value::String(text) => text,
            toml::Value::Integer(_) | toml::Value::Boolean(_) => value.to_string(),
            // Such as `payout_minimum = 50.00`.
            toml::Value::Float(number) => number.to_string(),
            toml::Value::Array(parts) if LISTS.contains(&name) => {
                list(&parts).ok_or(format!("{key} is no list of texts"))?
            }
            _ => return Err(format!("{key} is neither text nor a number")),
        };
        let (name, text) = bare::of(variable(name), &text);
        // TOML itself tells `realm` from `REALM`.
        if values.insert(name, text).is_some() {
            return Err(format!("{key} is there twice"));
        }
    }
    let secret = values.iter().find(|(name, value)| shown::is_secret(name, value));
    match secret.filter(|_| private::is_open(path)) {
        Some((name, _)) => Err(format!("it has a secret, {name}, and {}", private::OPEN)),
        None => Ok(values),
    }
}

/// The list as a variable has it, with commas; `None` if a part is not a text.
fn list(parts: &[toml::Value]) -> Option<String> {
    let texts = parts.iter().map(toml::Value::as_str).collect::<Option<Vec<_>>>()?;
    Some(texts.join(","))
}

fn variable(key: &str) -> String {
    format!("{PREFIX}{}", key.to_uppercase())
}

/// The facts about an installation that both programs need.
#[derive(Clone, Debug)]
pub struct Installation {
    pub database_url: String,
    /// A streaming replica of the database, to read reports from.
    pub replica_url: Option<String>,
    pub realm: Realm,
    pub data_dir: PathBuf,
    pub secret_file: PathBuf,
    pub files: ObjectLocation,
    /// The place to which a SQLite database is copied continuously.
    pub copies: Option<ObjectLocation>,
    pub settings: Settings,
}

impl Installation {
    /// # Errors
    /// The first variable with an invalid value.
    pub fn read(values: &Values) -> Result<Self, InvalidSetting> {
        bare::check(values)?;
        let data_dir = PathBuf::from(values.or("PLACARD_DATA_DIR", DATA_DIR));
        let secret_file =
            values.get("PLACARD_SECRET_FILE").map_or_else(|| data_dir.join("secrets.toml"), PathBuf::from);
        Ok(Self {
            database_url: values.or("PLACARD_DATABASE_URL", DATABASE_URL).to_owned(),
            replica_url: replica(values)?,
            realm: realm(values.or("PLACARD_REALM", REALM))?,
            files: files(values, &data_dir)?,
            copies: copies(values)?,
            data_dir,
            secret_file,
            settings: Settings {
                contacts: contacts(values)?,
                currency: currency(values)?,
                domain: domain(values)?,
                log_totals_hidden: log_totals_hidden(values)?,
                networks: networks(values)?,
                payer: payer(values)?,
                payouts: payouts(values)?,
                provider_key: provider_key(values)?,
                push: push::settings(values)?,
                shell_origins: shell_origins(values)?,
                witnesses: witnesses(values)?,
            },
        })
    }

    /// Reads reports from the replica, if the installation has one.
    ///
    /// # Errors
    /// `PLACARD_REPLICA_URL` if the database cannot have replicas.
    pub fn with_replica(&self, mut server: AdServer) -> Result<AdServer, InvalidSetting> {
        if let Some(url) = &self.replica_url {
            server.app.db = server
                .app
                .db
                .with_replica(&self.database_url, url)
                .map_err(|e| InvalidSetting::new("PLACARD_REPLICA_URL", e))?;
        }
        Ok(server)
    }
}

fn replica(values: &Values) -> Result<Option<String>, InvalidSetting> {
    let Some(url) = values.get("PLACARD_REPLICA_URL") else { return Ok(None) };
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return Ok(Some(url.to_owned()));
    }
    // It may contain a password, so it is not repeated.
    Err(InvalidSetting::new("PLACARD_REPLICA_URL", "the address must begin with postgres://"))
}

fn realm(text: &str) -> Result<Realm, InvalidSetting> {
    Realm::from_name(&folded(text))
        .ok_or_else(|| InvalidSetting::new("PLACARD_REALM", format!("{text} is neither live nor simulated")))
}

fn files(values: &Values, data_dir: &Path) -> Result<ObjectLocation, InvalidSetting> {
    let Some(url) = values.get("PLACARD_FILES_URL") else { return Ok(ObjectLocation::Folder(data_dir.join("files"))) };
    ObjectLocation::parse(url, values.all()).map_err(|problem| InvalidSetting::new("PLACARD_FILES_URL", problem))
}

fn copies(values: &Values) -> Result<Option<ObjectLocation>, InvalidSetting> {
    let Some(url) = values.get("PLACARD_COPY_URL") else { return Ok(None) };
    copies_at(values, url).map(Some)
}

/// The place of copies at an address.
///
/// # Errors
/// `PLACARD_COPY_URL`.
pub fn copies_at(values: &Values, url: &str) -> Result<ObjectLocation, InvalidSetting> {
    ObjectLocation::parse(url, values.all()).map_err(|problem| InvalidSetting::new("PLACARD_COPY_URL", problem))
}

fn contacts(values: &Values) -> Result<ContactsFile, InvalidSetting> {
    let Some(path) = values.get("PLACARD_CONTACTS") else { return Ok(ContactsFile::default()) };
    let wrong = |problem: String| InvalidSetting::new("PLACARD_CONTACTS", format!("{path}: {problem}"));
    let text = fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
    let contacts: ContactsFile = toml::from_str(&text).map_err(|e| wrong(toml_problem(&text, &e)))?;
    match contacts.in_language(Lang::default()).first_unsafe() {
        Some(contact) => Err(wrong(format!("contact {}: {} may not be opened by a client", contact.id, contact.url))),
        None => Ok(contacts),
    }
}

fn currency(values: &Values) -> Result<Currency, InvalidSetting> {
    let Some(code) = values.get("PLACARD_CURRENCY") else { return Ok(Currency::default()) };
    Currency::parse(&folded(code).to_uppercase())
        .map_err(|error| InvalidSetting::new("PLACARD_CURRENCY", format!("{code} {error}")))
}

fn domain(values: &Values) -> Result<Option<Domain>, InvalidSetting> {
    let Some(text) = values.get("PLACARD_DOMAIN") else { return Ok(None) };
    text.parse().map(Some).map_err(|problem: NotADomain| {
        let wanted = "is no name of a host, such as ads.example.com or xn--bcher-kva.example";
        InvalidSetting::new("PLACARD_DOMAIN", format!("{text} {wanted}: {problem}"))
    })
}

fn log_totals_hidden(values: &Values) -> Result<bool, InvalidSetting> {
    let text = values.or("PLACARD_LOG_TOTALS", LOG_TOTALS);
    match folded(text).as_str() {
        "shown" => Ok(false),
        "hidden" => Ok(true),
        _ => Err(InvalidSetting::new("PLACARD_LOG_TOTALS", format!("{text} is neither shown nor hidden"))),
    }
}

fn payouts(values: &Values) -> Result<PayoutRules, InvalidSetting> {
    let mut rules = PayoutRules::default();
    if let Some(text) = values.get("PLACARD_PAYOUT_MINIMUM") {
        let minimum = text.parse().ok().filter(|amount: &Money| amount.is_positive());
        rules.minimum = minimum.ok_or_else(|| {
            InvalidSetting::new("PLACARD_PAYOUT_MINIMUM", format!("{text} is no amount above 0, such as 50.00"))
        })?;
    }
    if let Some(text) = values.get("PLACARD_PAYOUT_DELAY_DAYS") {
        let days = text.parse().ok().filter(|days| PayoutRules::DELAYS.contains(days));
        rules.delay_days = days.ok_or_else(|| {
            InvalidSetting::new("PLACARD_PAYOUT_DELAY_DAYS", format!("{text} is no number of days from 1 to 365"))
        })?;
    }
    Ok(rules)
}

/// The account that payment files name.
fn payer(values: &Values) -> Result<Option<Party>, InvalidSetting> {
    const ACCOUNT: &str = "PLACARD_PAYER_ACCOUNT";
    const NAME: &str = "PLACARD_PAYER_NAME";
    const BIC: &str = "PLACARD_PAYER_BIC";
    let (account, name, bic) = (values.get(ACCOUNT), values.get(NAME), values.get(BIC));
    let (account, name) = match (account, name) {
        (Some(account), Some(name)) => (account, name),
        (None, None) if bic.is_none() => return Ok(None),
        (Some(_), None) => return Err(InvalidSetting::new(ACCOUNT, format!("{NAME} is missing"))),
        (None, name) => {
            let given = if name.is_some() { NAME } else { BIC };
            return Err(InvalidSetting::new(given, format!("{ACCOUNT} is missing")));
        }
    };
    let account: BankAccount = account.parse().map_err(|problem| InvalidSetting::new(ACCOUNT, problem))?;
    let number = account.number().to_owned();
    let account = if account.is_iban() { PartyAccount::Iban(number) } else { PartyAccount::Other(number) };
    let payer = Party { name: name.to_owned(), account, bic: bic.map(str::to_owned), bank: None };
    payer.check().map(|()| Some(payer)).map_err(|problem| {
        let variable = match &problem {
            UnwritableOrder::Bic(_) => BIC,
            UnwritableOrder::Name(_) => NAME,
            _ => ACCOUNT,
        };
        InvalidSetting::new(variable, problem)
    })
}

fn networks(values: &Values) -> Result<Networks, InvalidSetting> {
    let Some(text) = values.get("PLACARD_PAYOUT_NETWORKS") else { return Ok(Networks::default()) };
    Networks::parse(text).map_err(|part| {
        let known = Network::ALL.map(Network::name).join(", ");
        InvalidSetting::new(
            "PLACARD_PAYOUT_NETWORKS",
            format!("{part:?} is no network whose addresses can be checked: {known}; or none"),
        )
    })
}

fn provider_key(values: &Values) -> Result<Option<ProviderKey>, InvalidSetting> {
    let Some(text) = values.get("PLACARD_PROVIDER_KEY") else { return Ok(None) };
    // It is a secret, so it is not repeated.
    let key = ProviderKey::parse(text);
    key.map(Some).ok_or_else(|| InvalidSetting::new("PLACARD_PROVIDER_KEY", "it must have at least 32 characters"))
}

fn shell_origins(values: &Values) -> Result<ShellOrigins, InvalidSetting> {
    let Some(text) = values.get("PLACARD_SHELL_ORIGINS") else { return Ok(ShellOrigins::default()) };
    ShellOrigins::parse(text).map_err(|part| {
        InvalidSetting::new(
            "PLACARD_SHELL_ORIGINS",
            format!("{part:?} is no origin, such as https://shell.example.com"),
        )
    })
}

fn witnesses(values: &Values) -> Result<Witnesses, InvalidSetting> {
    let Some(path) = values.get("PLACARD_WITNESSES") else { return Ok(Witnesses::default()) };
    let wrong = |problem: String| InvalidSetting::new("PLACARD_WITNESSES", format!("{path}: {problem}"));
    let text = fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
    Witnesses::parse(&text).map_err(wrong)
}

#[cfg(test)]
mod tests;
