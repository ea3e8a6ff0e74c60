//! Why a command failed, and what its caller is told.

use std::process::ExitCode;

use campaigns::delivery::archive::ArchiveError;
use content::{Mistake, Unfit};
use desk::installation::accept;
use desk::installation::backup::BackupError;
use desk::installation::content::ImportError;
use desk::installation::settings::InvalidSetting;
use foundation::people::codes::AT_ONCE as CODES_AT_ONCE;
use foundation::{Error, Fields, Refusal};
use i18n::Lang;
use money::wallet::ledger_export::ExportError;
use supply::Share;

use crate::commands::installation::file::lines;
use crate::terminal;

#[derive(Debug)]
pub enum Failure {
    /// Valid but refused.
    Refused(Error),
    /// The arguments, a file or the environment are invalid.
    Usage(String),
    /// The installation has changed since the programs used it.
    Closed(String),
    /// This is for simulated installations, and this one is live.
    Live,
    /// The ad exchange that asks is not answered.
    Unanswered(String),
    /// No backup was made, or nothing was restored or archived; the key and the reason.
    Unsaved(&'static str, String),
    /// Mistakes in a file; nothing was changed.
    Mistakes(Vec<Mistake>),
    /// The same, but the mistakes were printed already.
    Mistaken(usize),
    /// The server refused the command, or its outcome is unknown.
    Server(String),
    /// The output could not be written, and is lost or cut off.
    Unwritten(String),
    /// Something is wrong, and the output, printed already, says what.
    Found,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

impl From<Unfit> for Failure {
    fn from(unfit: Unfit) -> Self {
        Self::Refused(unfit.into())
    }
}

impl From<ExportError> for Failure {
    fn from(trouble: ExportError) -> Self {
        match trouble {
            ExportError::Failed(error) => Self::Refused(error),
            ExportError::Unwritten(error) => Self::Unwritten(error.to_string()),
        }
    }
}

impl From<demo::Failure> for Failure {
    fn from(trouble: demo::Failure) -> Self {
        match trouble {
            demo::Failure::Refused(error) => Self::Refused(error),
            demo::Failure::Usage(problem) => Self::Usage(problem),
            demo::Failure::Live => Self::Live,
            demo::Failure::Unanswered(why) => Self::Unanswered(why),
            demo::Failure::Mistakes(mistakes) => Self::Mistakes(mistakes),
        }
    }
}

impl From<ImportError> for Failure {
    fn from(halt: ImportError) -> Self {
        match halt {
            ImportError::Wrong(mistakes) => Self::Mistakes(mistakes),
            ImportError::Failed(error) => Self::Refused(error),
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<InvalidSetting> for Failure {
    fn from(wrong: InvalidSetting) -> Self {
        if wrong.refused { Self::Closed(wrong.to_string()) } else { Self::Usage(wrong.to_string()) }
    }
}

impl From<accept::AcceptError> for Failure {
    fn from(trouble: accept::AcceptError) -> Self {
        match trouble {
            accept::AcceptError::Wrong(wrong) => wrong.into(),
            accept::AcceptError::App(error) => Self::Refused(error),
        }
    }
}

impl From<BackupError> for Failure {
    fn from(trouble: BackupError) -> Self {
        match (trouble.key(), trouble) {
            (Some(key), trouble) => Self::Unsaved(key, trouble.to_string()),
            (None, BackupError::App(error)) => Self::Refused(error),
            (None, unusable) => Self::Usage(unusable.to_string()),
        }
    }
}

impl From<ArchiveError> for Failure {
    fn from(trouble: ArchiveError) -> Self {
        match (trouble.key(), trouble) {
            (Some(key), trouble) => Self::Unsaved(key, trouble.to_string()),
            (None, ArchiveError::App(error)) => Self::Refused(error),
            (None, unusable) => Self::Usage(unusable.to_string()),
        }
    }
}

const LIVE: &str = "not_permitted: this installation is live, and nothing in it is made up";
const SIGN_IN: &str = "sign in by PLACARD_OPERATOR and PLACARD_OPERATOR_KEY";
const WRONG_KEY: &str = "no such operator, or another key than PLACARD_OPERATOR_KEY";

const NOTHING_THERE: &str = "nothing has that name or number; the `list` of its kind shows what there is";
/// A customer may pay with the same reference every month.
const PAID_AGAIN: &str = "if this is another payment, credit its own line of the bank: `bank request LINE USERNAME`; \
                          for anything but a user's payment, ask with another reference, then `bank match LINE DOCUMENT`";

const UNWRITTEN: &str = "what the command changed is changed: `audit list` shows it";

const REFUSED: u8 = 1;
const USAGE: u8 = 2;

impl Failure {
    /// Prints the reason on standard error, and returns the exit code of its kind.
    pub fn report(&self) -> ExitCode {
        ExitCode::from(self.tell())
    }

    /// Prints the reason on standard error, and returns the exit code as a number.
    pub fn tell(&self) -> u8 {
        let (code, line) = match self {
            Self::Refused(error) => (REFUSED, describe(error)),
            Self::Usage(problem) => (USAGE, problem.clone()),
            Self::Closed(problem) => (REFUSED, problem.clone()),
            Self::Unsaved(key, reason) => (REFUSED, format!("{key}: {reason}")),
            Self::Server(problem) => (REFUSED, format!("server_error: {problem}")),
            Self::Unanswered(why) => (REFUSED, format!("not_permitted: {why}, and none of its requests is answered")),
            Self::Live => (REFUSED, LIVE.to_owned()),
            Self::Mistakes(mistakes) => (REFUSED, format!("params: {}", lines(mistakes))),
            Self::Mistaken(count) => (
                REFUSED,
                format!(
                    "params: {count} {}, and nothing was changed",
                    if *count == 1 { "mistake" } else { "mistakes" }
                ),
            ),
            Self::Unwritten(why) => (USAGE, format!("the output is not complete: {why}; {UNWRITTEN}")),
            Self::Found => return REFUSED,
        };
        terminal::complain(&format!("placard: {line}"));
        code
    }
}

/// The stable key, then the text.
fn describe(error: &Error) -> String {
    let key = error.key();
    let detail = match error {
        Error::Fields(fields) => fields_text(fields),
        Error::NotSignedIn => SIGN_IN.to_owned(),
        // Only operators sign in here.
        Error::Refused(Refusal::WrongCredentials) => WRONG_KEY.to_owned(),
        Error::Refused(refusal) => refusal_text(refusal),
        // Whoever runs this program locally is the one to repair it.
        Error::Store(error) if !terminal::is_distant() => store_text(error),
        Error::Internal(_) if !terminal::is_distant() => error.to_string(),
        Error::Store(_) | Error::Internal(_) => {
            tracing::error!(%error, "a command of staff failed");
            text(key, &[])
        }
        _ => text(key, &[]),
    };
    format!("{key}: {detail}")
}

/// One line with the database's own words, and what to do. Of a command with several steps, earlier ones may be done.
fn store_text(error: &store::Error) -> String {
    let remedy = match error {
        store::Error::InDoubt(_) => "; before you repeat it, look with `audit list` whether it was done",
        _ if error.is_full() => "; make room on the database's disk, then repeat it",
        _ if error.is_away() => "; repeat it once the database answers",
        _ if error.is_busy() => "; repeat it",
        _ => "",
    };
    let words: Vec<String> = error.to_string().split_whitespace().map(str::to_owned).collect();
    words.join(" ") + remedy
}

fn fields_text(fields: &Fields) -> String {
    let described = fields.iter().map(|(field, problem)| match (field.name(), *problem) {
        (name @ "month", "invalid") => format!("{name} is no month, such as 2026-11"),
        (name @ "count", "invalid") => format!("{name} is not from 1 to {CODES_AT_ONCE}"),
        (name @ "expires", "invalid") => format!("{name} is over already"),
        (name @ "share", "invalid") => format!("{name} is not from {} to {}", Share::LEAST, Share::MOST),
        (name @ "rate", "invalid") => format!("{name} is no rate above 0, such as 0.92"),
        (name @ "daily", "invalid") => format!("{name} must be at least each, and neither below 0"),
        (name, problem) => format!("{name} {}", said(problem)),
    });
    described.collect::<Vec<_>>().join(", ")
}

/// A problem that programs match on, in words for the person who typed it.
fn said(problem: &str) -> String {
    let known = match problem {
        "required" => "is missing",
        "invalid" => "is not valid",
        "invalid_account" => "is not the number of an account",
        "invalid_address" => "is not an address of this network",
        "invalid_amount" => "is not an amount of money, such as 250.00",
        "invalid_email" => "is not an e-mail address",
        "invalid_phone" => "is not a telephone number",
        "invalid_type" => "is not the right kind of value",
        "link" => "has a web or e-mail address in it",
        "not_found" => "is not there",
        "unchanged" => "is so already",
        "changed" => "has changed",
        "ambiguous" => "fits several",
        "not_exported" => "is in no payment file",
        "nothing_found" => "finds nothing",
        "too_many" => "has too many",
        "too_many_events" => "covers too many events",
        "too_many_plans" => "covers too many plans",
        "unknown_language" => "is no language of ours",
        "not_with_publisher" => "cannot be given with publisher",
        "looks_like_another" => "looks like another's",
        // Such as what is too long, on hold or more than payable.
        other => return format!("is {}", other.replace('_', " ")),
    };
    known.to_owned()
}

fn refusal_text(refusal: &Refusal) -> String {
    let data = refusal.data();
    let shown: Vec<(&str, String)> = data
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
        .collect();
    let params: Vec<(&str, &str)> = shown.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let said = text(refusal.text(), &params);
    match refusal {
        Refusal::Ambiguous { candidates } => format!("{said}: {}", candidates.join(", ")),
        Refusal::Unknown { suggestions } if !suggestions.is_empty() => {
            format!("{said}; did you mean: {}?", suggestions.join(", "))
        }
        Refusal::NotFound | Refusal::Unknown { .. } => format!("{said}; {NOTHING_THERE}"),
        Refusal::ReferenceUsed => format!("{said}; {PAID_AGAIN}"),
        _ => said,
    }
}

fn text(key: &str, params: &[(&str, &str)]) -> String {
    i18n::text(Lang::En, &format!("errors.{key}"), params)
}

#[cfg(test)]
mod tests {
    use base::Field;

    use super::*;

    #[test]
    fn what_was_refused_says_what_to_type_instead() {
        let told = |error: Error| describe(&error);
        assert!(told(Refusal::NotFound.into()).ends_with("the `list` of its kind shows what there is"));
        assert_eq!(told(Refusal::AlreadySo.into()), "cannot_change: This is already so");
        assert!(told(Refusal::ReferenceUsed.into()).contains("`bank request LINE USERNAME`"));
        assert_eq!(told(Error::field(Field::Share, "invalid")), "params: share is not from 0.1 to 0.95");
        assert_eq!(told(Error::field(Field::Rate, "invalid")), "params: rate is no rate above 0, such as 0.92");
    }

    #[test]
    fn what_to_do_is_told_in_one_line() {
        let told = |error: store::Error| describe(&error.into());
        let full = told(store::Error::NotCommitted("database or disk is full".into()));
        assert!(full.starts_with("overloaded: ") && full.ends_with("make room on the database's disk, then repeat it"));
        let away = told(store::Error::Away("the server closed the connection\n\tThis probably means".into()));
        assert!(away.contains("connection This probably means; repeat it once"), "{away}");
        let unknown = told(store::Error::InDoubt("lost".into()));
        assert!(unknown.starts_with("outcome_unknown: ") && unknown.contains("`audit list`"), "{unknown}");
        assert_eq!(told(store::Error::Corrupt("odd".into())), "server_error: inconsistent data: odd");
    }
}
