//! Whether the public log goes on.

use auth::Secrets;
use base::Timestamp;
use foundation::Error;
use money::wallet::public_log::{LogCondition, LogError, Published, condition, present};
use objects::Objects;
use store::installation::health::look_for;
use tokio::runtime::Handle;

use super::Finding;
use crate::installation::settings::Installation;

const CHECK: &str = "public log";
/// A server adds a transaction within seconds.
const LATE_SECONDS: i64 = 300;

/// `None` if there is no log.
pub(super) fn finding(installation: &Installation, now: Timestamp) -> Option<Finding> {
    // Problems with the secrets have a finding of their own.
    let secrets = Secrets::parse(&std::fs::read_to_string(&installation.secret_file).ok()?).ok()?;
    match look(installation, &secrets) {
        Ok(found) => found.map(|found| told(&found, now)),
        Err(error) => Some(Finding::problem(CHECK, &error, error.advice())),
    }
}

fn look(installation: &Installation, secrets: &Secrets) -> Result<Option<LogCondition>, LogError> {
    let url = &installation.database_url;
    let Some(log) = look_for(url, present)? else { return Ok(None) };
    let objects = Objects::open(&installation.files).map_err(Error::Internal)?;
    let there = Handle::current().block_on(Published::read(&objects, log))?;
    Ok(look_for(url, |conn| condition(conn, secrets, &there))?)
}

fn told(found: &LogCondition, now: Timestamp) -> Finding {
    let ago = |at: Timestamp| now.since(at).max(0) / 1_000;
    let size = format!("{} transactions, signed {} s ago", found.size, ago(found.signed_at));
    let late = found.unsealed_since.map(ago).filter(|seconds| *seconds > LATE_SECONDS);
    let waiting = match late {
        Some(seconds) => format!("; {} are not in it, the oldest for {seconds} s", found.unsealed),
        None => String::new(),
    };
    match &found.problem {
        Some(problem) => Finding::problem(CHECK, format!("it stopped: {problem}; {size}{waiting}"), problem.advice()),
        None if late.is_some() => Finding::problem(CHECK, size + &waiting, "see that a server runs, and its log"),
        None => Finding::ok(CHECK, size),
    }
}
