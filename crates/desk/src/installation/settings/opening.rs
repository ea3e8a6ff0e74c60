//! Opens an installation, but only if secrets and database belong together and nothing
//! that was answered is missing.

use std::path::{Path, PathBuf};

use auth::Secrets;
use base::Clock;
use campaigns::AdServer;
use foundation::{App, random};
use objects::Objects;
use store::installation::Unopened;
use store::installation::at_rest::{self, Sealing, SealingOutcome};
use store::installation::high_water::{self, MarkComparison};
use store::installation::identity::{self, DatabaseHistory, NotBound};
use store::{Db, Options, Realm};

use super::{Installation, InvalidSetting, private, secret_file};

const DATABASE: &str = "PLACARD_DATABASE_URL";
const SECRETS: &str = "PLACARD_SECRET_FILE";

/// Checks that are skipped when somebody accepts their findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkippedChecks {
    /// Whether the database contains everything in its mark.
    Mark,
    /// That, and whether it was used with these secrets.
    Secrets,
}

impl Installation {
    /// Opens and migrates the database, and opens the secrets and the file storage.
    ///
    /// # Errors
    /// The variable whose value is invalid, or names something that has changed since
    /// this program used it.
    pub fn open(&self, clock: Clock) -> Result<AdServer, InvalidSetting> {
        let app = self.open_restored(clock)?;
        let unsound = app.db.here(identity::unsound).map_err(|e| InvalidSetting::new(DATABASE, e))?;
        match unsound {
            Some(what) => Err(InvalidSetting::refused(DATABASE, self.unsound(&what))),
            None => Ok(AdServer::new(app)),
        }
    }

    /// Opens the installation even if it was restored and did not match its backup.
    ///
    /// # Errors
    /// Those of [`Installation::open`].
    pub fn open_restored(&self, clock: Clock) -> Result<App, InvalidSetting> {
        let mut before = self.unopened()?;
        let secrets = self.secrets_of(&history(&mut before)?)?;
        if let Some(lost) = self.hold_against(&mut before, &secrets)?.lost {
            return Err(InvalidSetting::refused(DATABASE, self.told(&lost)));
        }
        drop(before);
        let app = self.open_with(secrets, clock)?;
        self.bind(&app)?;
        self.keep_mark(&app)?;
        // A refusal must be a single line, so permissions are corrected and logged only
        // afterwards.
        private::tighten(&self.data_dir, &self.database_url);
        if self.secret_file.starts_with(&self.data_dir) {
            private::close(&self.secret_file);
        }
        Ok(app)
    }

    /// Whether there is an installation to open: opening would begin one, also in a database that is only mistyped.
    ///
    /// # Errors
    /// `PLACARD_DATABASE_URL` if none is there, or it cannot be seen.
    pub fn must_have_begun(&self) -> Result<(), InvalidSetting> {
        let path = self.database_url.strip_prefix("sqlite://");
        if let Some(path) = path {
            let seen = Path::new(path).try_exists();
            seen.map_err(|error| InvalidSetting::new(DATABASE, format!("{path}: {error}")))?;
        }
        let new = self.unopened()?.is_new().map_err(|error| InvalidSetting::new(DATABASE, error))?;
        // If the database is lost but has a mark, the mark's check reports the loss.
        if !new || self.mark()?.exists() {
            return Ok(());
        }
        let name = path.unwrap_or("the database");
        let begin = "the server, `placard migrate` and the first `placard operator add` begin one";
        Err(InvalidSetting::new(DATABASE, format!("{name}: no installation is there; {begin}")))
    }

    /// Opens it although something may be lost, and returns the comparison for whoever
    /// accepts that. No mark is written until [`Installation::keep_mark`].
    ///
    /// # Errors
    /// Those of [`Installation::open`], except for the skipped checks.
    pub fn open_unheld(&self, clock: Clock, unheld: SkippedChecks) -> Result<(App, MarkComparison), InvalidSetting> {
        let mut before = self.unopened()?;
        let past = history(&mut before)?;
        let secrets = match unheld {
            SkippedChecks::Mark => self.secrets_of(&past)?,
            SkippedChecks::Secrets => {
                self.read_secrets()?.ok_or_else(|| self.secrets_missing("it is missing: put one there first"))?
            }
        };
        let held = self.hold_against(&mut before, &secrets)?;
        drop(before);
        let app = self.open_with(secrets, clock)?;
        if unheld == SkippedChecks::Mark {
            self.bind(&app)?;
        }
        Ok((app, held))
    }

    /// The path of the mark.
    ///
    /// # Errors
    /// `PLACARD_DATABASE_URL` if it is invalid.
    pub fn mark(&self) -> Result<PathBuf, InvalidSetting> {
        high_water::place(&self.database_url, &self.data_dir).map_err(|e| InvalidSetting::new(DATABASE, e))
    }

    /// Marks the current state of the database, and maintains the mark from then on.
    ///
    /// # Errors
    /// The variable that determines the mark's path.
    pub fn keep_mark(&self, app: &App) -> Result<(), InvalidSetting> {
        let variable = if app.db.sqlite_path().is_some() { DATABASE } else { "PLACARD_DATA_DIR" };
        app.db.keep_mark(&self.mark()?, app.secrets.sealer()).map_err(|e| InvalidSetting::new(variable, e))
    }

    /// Compares the database with its mark, and changes nothing.
    ///
    /// # Errors
    /// `PLACARD_DATABASE_URL`.
    pub fn hold_against(&self, database: &mut Unopened, secrets: &Secrets) -> Result<MarkComparison, InvalidSetting> {
        let held = database.compare(&self.mark()?, &secrets.sealer());
        held.map_err(|e| InvalidSetting::new(DATABASE, e))
    }

    fn told(&self, lost: &str) -> String {
        // The address of a PostgreSQL server may contain a password.
        let name = self.database_url.strip_prefix("sqlite://").unwrap_or("the database");
        let log = if self.database_url.starts_with("sqlite://") { "put its log (-wal) back, or " } else { "" };
        format!("{name}: {lost}; {log}restore what is missing; `placard accept loss` goes on without it")
    }

    fn unsound(&self, what: &str) -> String {
        let name = self.database_url.strip_prefix("sqlite://").unwrap_or("the database");
        format!(
            "{name}: it was restored from a backup that does not match itself: {what}; restore another one; \
             `placard accept edits` goes on with it"
        )
    }

    fn unopened(&self) -> Result<Unopened, InvalidSetting> {
        Unopened::connect(&self.database_url).map_err(|e| InvalidSetting::new(DATABASE, e))
    }

    /// Whether the secret file can be read and used, if there is one.
    ///
    /// # Errors
    /// `PLACARD_SECRET_FILE`, or `PLACARD_DATA_DIR` if its folder is none.
    pub fn check_secrets(&self) -> Result<(), InvalidSetting> {
        self.read_secrets().map(drop)
    }

    fn read_secrets(&self) -> Result<Option<Secrets>, InvalidSetting> {
        // Files in the data folder are protected together with it.
        if !self.secret_file.starts_with(&self.data_dir) && private::is_open(&self.secret_file) {
            return Err(self.secrets_missing(private::OPEN));
        }
        secret_file::read(&self.secret_file).map_err(|problem| self.secrets_unusable(&problem))
    }

    /// Whoever has only said where the data folder is has not named the file.
    fn secrets_unusable(&self, problem: &str) -> InvalidSetting {
        let misplaced = self.secret_file.starts_with(&self.data_dir) && !self.data_dir.is_dir();
        let (variable, path) =
            if misplaced { ("PLACARD_DATA_DIR", &self.data_dir) } else { (SECRETS, &self.secret_file) };
        InvalidSetting::new(variable, format!("{}: {problem}", path.display()))
    }

    /// New secrets would not fit a database that was used with others.
    fn secrets_of(&self, past: &DatabaseHistory) -> Result<Secrets, InvalidSetting> {
        let secrets = match self.read_secrets()? {
            None if past.used => {
                return Err(self.secrets_missing(
                    "it is missing, and the database has been used: restore the installation's own file",
                ));
            }
            None => {
                secret_file::read_or_create(&self.secret_file).map_err(|problem| self.secrets_unusable(&problem))?
            }
            Some(secrets) => secrets,
        };
        match &past.secrets {
            Some(kept) if *kept != secrets.fingerprint() => Err(self.other_secrets()),
            _ => Ok(secrets),
        }
    }

    fn secrets_missing(&self, problem: &str) -> InvalidSetting {
        InvalidSetting::refused(SECRETS, format!("{}: {problem}", self.secret_file.display()))
    }

    fn other_secrets(&self) -> InvalidSetting {
        self.secrets_missing(
            "the database was used with other secrets than these: restore the installation's own file; \
             `placard accept secrets` takes these from now on",
        )
    }

    fn bind(&self, app: &App) -> Result<(), InvalidSetting> {
        let secrets = &app.secrets;
        let bound = app.db.here(|conn| identity::bind(conn, &secrets.fingerprint(), &secrets.sealer()));
        bound.map_err(|error| match error {
            NotBound::Others => self.other_secrets(),
            NotBound::Store(error) => InvalidSetting::new(DATABASE, error),
        })
    }

    /// Only a simulated installation takes a clock that can be moved.
    fn open_with(&self, secrets: Secrets, clock: Clock) -> Result<App, InvalidSetting> {
        if self.realm == Realm::Live && clock.is_movable() {
            return Err(InvalidSetting::refused("PLACARD_REALM", "a live installation keeps the system's time"));
        }
        let options = Options { url: self.database_url.clone(), realm: self.realm, clock };
        let db = Db::open(&options).map_err(|error| match error {
            store::Error::Migrate(text) if text.starts_with("PLACARD_REALM: ") => {
                InvalidSetting::new("PLACARD_REALM", text.trim_start_matches("PLACARD_REALM: "))
            }
            other => InvalidSetting::new(DATABASE, other),
        })?;
        self.keep_currency(&db)?;
        self.seal(&db, &secrets).map_err(|error| InvalidSetting::new(DATABASE, error))?;
        let objects =
            Objects::open(&self.files).map_err(|problem| InvalidSetting::new("PLACARD_FILES_URL", problem))?;
        Ok(App::new(db, secrets, self.settings.clone()).with_objects(objects))
    }

    /// Amounts are stored without their currency: in another one, each would be another.
    fn keep_currency(&self, db: &Db) -> Result<(), InvalidSetting> {
        self.expect_currency(db.here(|conn| identity::keep_currency(conn, &self.settings.currency.code)))
    }

    /// Says for ever what amounts from before currencies were recorded are in.
    ///
    /// # Errors
    /// `PLACARD_CURRENCY` if another one is recorded; `PLACARD_DATABASE_URL`.
    pub fn record_currency(&self, db: &Db) -> Result<(), InvalidSetting> {
        self.expect_currency(db.here(|conn| identity::record_currency(conn, &self.settings.currency.code)))
    }

    fn expect_currency(&self, kept: Result<String, store::Error>) -> Result<(), InvalidSetting> {
        let (code, kept) = (&self.settings.currency.code, kept.map_err(|error| InvalidSetting::new(DATABASE, error))?);
        match kept == *code {
            true => Ok(()),
            false => {
                let problem = format!("this database counts in {kept} for ever, not in {code}");
                Err(InvalidSetting::new("PLACARD_CURRENCY", problem))
            }
        }
    }

    /// Seals rows from before sealing was introduced.
    fn seal(&self, db: &Db, secrets: &Secrets) -> Result<(), store::Error> {
        let nonce = || random().map_err(|error| store::Error::Corrupt(error.to_string()));
        let sealing = Sealing { vault: &secrets.vault(), nonce: &nonce, realm: self.realm };
        match at_rest::seal(db, &sealing)? {
            SealingOutcome::Before | SealingOutcome::Now(0) => {}
            SealingOutcome::Now(rows) => {
                tracing::info!(rows, "payout accounts and codes are sealed at rest from now on")
            }
            SealingOutcome::NotCleared(rows) => tracing::warn!(
                rows,
                "payout accounts and codes are sealed, but the database's files may still hold them in plain: \
                 rewriting the tables failed and is tried again at the next start"
            ),
        }
        Ok(())
    }
}

fn history(database: &mut Unopened) -> Result<DatabaseHistory, InvalidSetting> {
    database.history().map_err(|e| InvalidSetting::new(DATABASE, e))
}
