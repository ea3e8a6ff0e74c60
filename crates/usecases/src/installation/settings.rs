//! The configuration of an installation, for the server and the staff's command
//! line.
//!
//! A value comes from the environment, or from the TOML file that
//! `PLACARD_CONFIG` names, whose keys are the variables' names in lower case
//! without the prefix: `database_url = "sqlite://data/placard.db"`.

mod opening;
pub(crate) mod private;
mod secret_file;
mod shown;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use base::Money;
use content::ContactsFile;
use i18n::Lang;
use objects::ObjectLocation;
use store::Realm;
use supply::{Domain, PayoutRules};

use crate::installation::shell_origins::ShellOrigins;
use crate::{App, Currency, ProviderKey, Settings};
pub use opening::SkippedChecks;
pub use shown::Setting;

/// An invalid value; one line that names the variable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{variable}: {problem}")]
pub struct InvalidSetting {
    pub variable: &'static str,
    pub problem: String,
    /// The value is valid, but what it names is not what was used before.
    pub refused: bool,
}

impl InvalidSetting {
    pub fn new(variable: &'static str, problem: impl ToString) -> Self {
        // Libraries report over several lines, but this must be one.
        let text = problem.to_string();
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        Self { variable, problem: lines.join(" "), refused: false }
    }

    /// What the variable names has changed since this program used it.
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
const REALM: &str = "simulated";
const PREFIX: &str = "PLACARD_";
/// The usual prefix of S3 credentials.
const S3_PREFIX: &str = "AWS_";
/// The allowed names in the file, so that misspelt ones are noticed.
const KNOWN: [&str; 26] = [
    "BIND",
    "CONTACTS",
    "COPY_URL",
    "CURRENCY",
    "DATABASE_URL",
    "DATA_DIR",
    "DOMAIN",
    "FILES_URL",
    "LOG",
    "METRICS_BIND",
    "OPERATOR",
    "OPERATOR_KEY",
    "PAYOUT_DELAY_DAYS",
    "PAYOUT_MINIMUM",
    "PROVIDER_KEY",
    "REALM",
    "REPLICA_URL",
    "SECRET_FILE",
    "SERVER",
    "SERVER_CA",
    "SHELL_ORIGINS",
    "STAFF_BIND",
    "STAFF_TLS_CERT",
    "STAFF_TLS_KEY",
    "TRACES_URL",
    "TRUSTED_PROXIES",
];

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

    /// The same from an environment's pairs.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Result<Self, InvalidSetting> {
        let environment: BTreeMap<_, _> = pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect();
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

    /// Where a value comes from.
    fn origin(&self, variable: &str) -> &'static str {
        if self.from_environment.contains(variable) { "environment" } else { "file" }
    }

    pub fn or<'a>(&'a self, variable: &str, default: &'a str) -> &'a str {
        self.get(variable).unwrap_or(default)
    }
}

fn read_file(path: &Path) -> Result<BTreeMap<String, String>, String> {
    let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
    let table: toml::Table = toml::from_str(&text).map_err(|e| one_line(&e))?;
    let values: BTreeMap<String, String> = table
        .into_iter()
        .map(|(key, value)| match value {
            _ if !KNOWN.contains(&key.to_uppercase().as_str()) => Err(format!("{key} is no setting")),
            toml::Value::String(text) => Ok((variable(&key), text)),
            toml::Value::Integer(_) | toml::Value::Boolean(_) => Ok((variable(&key), value.to_string())),
            _ => Err(format!("{key} is neither text nor a number")),
        })
        .collect::<Result<_, _>>()?;
    let secret = values.iter().find(|(name, value)| shown::is_secret(name, value));
    match secret.filter(|_| private::is_open(path)) {
        Some((name, _)) => Err(format!("it has a secret, {name}, and {}", private::OPEN)),
        None => Ok(values),
    }
}

fn variable(key: &str) -> String {
    format!("{PREFIX}{}", key.to_uppercase())
}

fn one_line(error: &toml::de::Error) -> String {
    error.message().replace('\n', " ")
}

/// What both programs need to know about their installation.
#[derive(Clone, Debug)]
pub struct Installation {
    pub database_url: String,
    /// A streaming replica of the database, to read reports from.
    pub replica_url: Option<String>,
    pub realm: Realm,
    pub data_dir: PathBuf,
    pub secret_file: PathBuf,
    pub files: ObjectLocation,
    /// Where a SQLite database is copied all the time.
    pub copies: Option<ObjectLocation>,
    pub settings: Settings,
}

impl Installation {
    /// # Errors
    /// The first variable with an invalid value.
    pub fn read(values: &Values) -> Result<Self, InvalidSetting> {
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
                payouts: payouts(values)?,
                provider_key: provider_key(values)?,
                shell_origins: shell_origins(values)?,
            },
        })
    }

    /// Reads reports from the replica, if the installation has one.
    ///
    /// # Errors
    /// `PLACARD_REPLICA_URL` if the database cannot have replicas.
    pub fn with_replica(&self, mut app: App) -> Result<App, InvalidSetting> {
        if let Some(url) = &self.replica_url {
            app.db = app
                .db
                .with_replica(&self.database_url, url)
                .map_err(|e| InvalidSetting::new("PLACARD_REPLICA_URL", e))?;
        }
        Ok(app)
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
    Realm::from_name(text)
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
    let contacts: ContactsFile = toml::from_str(&text).map_err(|e| wrong(one_line(&e)))?;
    match contacts.in_language(Lang::default()).first_unsafe() {
        Some(contact) => Err(wrong(format!("contact {}: {} may not be opened by a client", contact.id, contact.url))),
        None => Ok(contacts),
    }
}

fn currency(values: &Values) -> Result<Currency, InvalidSetting> {
    let Some(code) = values.get("PLACARD_CURRENCY") else { return Ok(Currency::default()) };
    Currency::parse(code)
        .ok_or_else(|| InvalidSetting::new("PLACARD_CURRENCY", format!("{code} is no currency, such as USD")))
}

fn domain(values: &Values) -> Result<Option<Domain>, InvalidSetting> {
    let Some(text) = values.get("PLACARD_DOMAIN") else { return Ok(None) };
    let domain = text.parse().map(Some);
    domain.map_err(|_| {
        InvalidSetting::new("PLACARD_DOMAIN", format!("{text} is no name of a host, such as ads.example.com"))
    })
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use base::Clock;

    use super::*;

    fn values(pairs: &[(&str, &str)]) -> Values {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Values::from_pairs(pairs).expect("values")
    }

    fn wrong(pairs: &[(&str, &str)]) -> &'static str {
        Installation::read(&values(pairs)).expect_err("wrong").variable
    }

    #[test]
    fn nothing_said_is_a_simulated_installation_under_data() {
        let read = Installation::read(&values(&[("PLACARD_REALM", "")])).expect("defaults");
        assert_eq!((read.realm, read.database_url.as_str()), (Realm::Simulated, "sqlite://data/placard.db"));
        assert_eq!(read.secret_file, Path::new("data/secrets.toml"));
        assert_eq!(read.settings.currency.code, "USD");
        assert_eq!(format!("{:?}", read.files), "file://data/files");
    }

    #[test]
    fn a_wrong_value_names_its_variable() {
        assert_eq!(wrong(&[("PLACARD_REALM", "test")]), "PLACARD_REALM");
        assert_eq!(wrong(&[("PLACARD_CURRENCY", "dollars")]), "PLACARD_CURRENCY");
        assert_eq!(wrong(&[("PLACARD_DOMAIN", "https://ads.example.com")]), "PLACARD_DOMAIN");
        assert_eq!(wrong(&[("PLACARD_REPLICA_URL", "sqlite://a.db")]), "PLACARD_REPLICA_URL");
        assert_eq!(wrong(&[("PLACARD_CONTACTS", "/nowhere.toml")]), "PLACARD_CONTACTS");
        assert_eq!(wrong(&[("PLACARD_FILES_URL", "ftp://host/files")]), "PLACARD_FILES_URL");
        let missing = Values::from_pairs([("PLACARD_CONFIG".to_owned(), "/nowhere.toml".to_owned())]);
        assert_eq!(missing.expect_err("missing").variable, "PLACARD_CONFIG");
        let opened = |pairs: &[(&str, &str)]| {
            let read = Installation::read(&values(pairs)).expect("read");
            read.open(Clock::system()).map(|_| ()).expect_err("not opened").variable
        };
        assert_eq!(opened(&[("PLACARD_DATABASE_URL", "mysql://x")]), "PLACARD_DATABASE_URL");
        let nowhere = [("PLACARD_DATABASE_URL", "sqlite:///proc/x/y.db"), ("PLACARD_SECRET_FILE", "/proc/x/y")];
        assert_eq!(opened(&nowhere), "PLACARD_SECRET_FILE");
    }

    #[test]
    fn publishers_are_paid_by_the_rules_that_are_set() {
        let rules = |pairs: &[(&str, &str)]| Installation::read(&values(pairs)).expect("read").settings.payouts;
        assert_eq!(rules(&[]), PayoutRules::default());
        let set = rules(&[("PLACARD_PAYOUT_MINIMUM", "0.01"), ("PLACARD_PAYOUT_DELAY_DAYS", "365")]);
        assert_eq!(set, PayoutRules { minimum: Money::from_minor(1), delay_days: 365, ..PayoutRules::default() });
        for minimum in ["0", "0.00", "-1", "1.001", "a lot"] {
            assert_eq!(wrong(&[("PLACARD_PAYOUT_MINIMUM", minimum)]), "PLACARD_PAYOUT_MINIMUM");
        }
        for days in ["0", "-1", "366", "1.5", "a month"] {
            assert_eq!(wrong(&[("PLACARD_PAYOUT_DELAY_DAYS", days)]), "PLACARD_PAYOUT_DELAY_DAYS");
        }
    }

    #[test]
    fn a_live_installation_takes_no_clock_that_can_be_moved() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = format!("sqlite://{}", folder.path().join("placard.db").display());
        let data = folder.path().display().to_string();
        let read = |realm: &str| {
            let pairs = [("PLACARD_REALM", realm), ("PLACARD_DATABASE_URL", &database), ("PLACARD_DATA_DIR", &data)];
            Installation::read(&values(&pairs)).expect("read")
        };
        for clock in [Clock::movable(), Clock::manual(base::Timestamp::from_seconds(0))] {
            let refused = read("live").open(clock).map(|_| ()).expect_err("not opened");
            assert_eq!((refused.variable, refused.refused), ("PLACARD_REALM", true));
        }
        assert!(read("simulated").open(Clock::movable()).is_ok());
    }

    #[test]
    fn the_environment_goes_before_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("placard.toml");
        fs::write(&path, "realm = \"live\"\ncurrency = \"EUR\"\n").expect("written");
        let path = path.display().to_string();
        let read =
            Installation::read(&values(&[("PLACARD_CONFIG", &path), ("PLACARD_CURRENCY", "GBP")])).expect("read");
        assert_eq!((read.realm, read.settings.currency.code.as_str()), (Realm::Live, "GBP"));
    }

    #[test]
    fn a_file_with_a_secret_is_for_its_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("placard.toml");
        let read = |text: &str, mode: u32| {
            fs::write(&path, text).expect("written");
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("set");
            Values::from_pairs([("PLACARD_CONFIG".to_owned(), path.display().to_string())]).map(|_| ())
        };
        let key = "0123456789abcdef0123456789abcdef";
        for (setting, name) in [
            (format!("provider_key = \"{key}\""), "PLACARD_PROVIDER_KEY"),
            (format!("operator_key = \"{key}\""), "PLACARD_OPERATOR_KEY"),
            ("database_url = \"postgres://me:hunter2@host/db?sslmode=disable\"".to_owned(), "PLACARD_DATABASE_URL"),
            ("replica_url = \"postgres://host/db?password=hunter2\"".to_owned(), "PLACARD_REPLICA_URL"),
        ] {
            for mode in [0o640, 0o604, 0o620, 0o644] {
                let refused = read(&setting, mode).expect_err("others may read it");
                assert_eq!(refused.variable, "PLACARD_CONFIG");
                assert!(refused.problem.contains(name) && refused.problem.contains("chmod 600"), "{}", refused.problem);
                assert!(!refused.problem.contains(key) && !refused.problem.contains("hunter2"), "{}", refused.problem);
            }
            for mode in [0o600, 0o400] {
                read(&setting, mode).expect("its owner's");
            }
        }
        read("currency = \"EUR\"\ndatabase_url = \"postgres://me@host/db?sslmode=disable\"", 0o644).expect("no secret");
    }

    #[test]
    fn secrets_outside_the_data_folder_are_for_their_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name).display().to_string();
        let database = format!("sqlite://{}", at("data/placard.db"));
        let open = |secrets: &str| {
            let secrets = at(secrets);
            let pairs = [
                ("PLACARD_DATABASE_URL", database.as_str()),
                ("PLACARD_DATA_DIR", &at("data")),
                ("PLACARD_SECRET_FILE", &secrets),
            ];
            let read = Installation::read(&values(&pairs)).expect("read");
            read.open(Clock::system()).map(|_| ())
        };
        let set = |name: &str, mode| fs::set_permissions(at(name), fs::Permissions::from_mode(mode)).expect("set");
        open("secrets.toml").expect("made for its owner alone");
        set("secrets.toml", 0o640);
        let refused = open("secrets.toml").expect_err("others may read it");
        assert!(refused.variable == "PLACARD_SECRET_FILE" && refused.problem.contains("chmod 600"), "{refused:?}");
        set("secrets.toml", 0o600);
        open("secrets.toml").expect("its owner's again");
        // Those in the folder are closed with it.
        fs::copy(at("secrets.toml"), at("data/secrets.toml")).expect("copied");
        set("data/secrets.toml", 0o644);
        open("data/secrets.toml").expect("closed");
        assert_eq!(fs::metadata(at("data/secrets.toml")).expect("there").permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn keys_to_a_bucket_are_not_shown() {
        let bucket = [("PLACARD_FILES_URL", "s3://placard/files"), ("AWS_SECRET_ACCESS_KEY", "hidden")];
        let read = format!("{:?}", Installation::read(&values(&bucket)).expect("read"));
        assert!(read.contains("s3://placard/files") && !read.contains("hidden"), "{read}");
    }
}
