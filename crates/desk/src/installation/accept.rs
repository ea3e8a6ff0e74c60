//! Accepting a loss or changed secrets. If the database does not fit the secrets or
//! the mark beside it, no program opens it any more. An admin may accept that; the
//! audit records it.

use auth::Permission;
use base::{Clock, refuse_if};
use foundation::staff::Staff;
use foundation::staff::audit_log::{seal_what_was_there, verify_audit};
use foundation::staff::operators::sign_in;
use foundation::{App, Error, Refusal};
use money::wallet::verify::verify;
use serde::Serialize;
use serde_json::{Value, json};
use store::Tx;
use store::installation::high_water::Mark;
use store::installation::{Unopened, identity};
use store::staff::audit::{self, Action, Actor};
use store::staff::operators::{self, Operator};

use crate::installation::settings::{Installation, SkippedChecks};

const SUBJECT: &str = "installation";

/// The operator who accepts, from the environment, and the reason.
#[derive(Clone, Debug)]
pub struct AcceptRequest {
    /// The operator's name and key; not needed while there are no operators.
    pub credentials: Option<(String, String)>,
    pub reason: String,
}

/// The loss that was found and accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AcceptedLoss {
    /// What was lost or changed, in words; `None` if nothing was.
    pub lost: Option<String>,
}

/// Accepts the database as it is, whatever its mark says, and starts a new mark.
///
/// # Errors
/// Whatever else prevents the installation from being opened; `NotSignedIn`;
/// `not_permitted` for anybody but an admin.
pub async fn accept_loss(installation: &Installation, by: AcceptRequest) -> Result<AcceptedLoss, AcceptError> {
    let (app, held) = installation.open_unheld(Clock::system(), SkippedChecks::Mark)?;
    let by = staff(&app, by).await?;
    seal_what_was_there(&app).await?;
    if let Some(lost) = &held.lost {
        let details = json!({ "lost": lost, "marked": told(held.mark.as_ref()), "found": told(Some(&held.found)) });
        app.db.write(move |tx| record(tx, &by, "installation.accept_loss", &details)).await?;
    }
    installation.keep_mark(&app)?;
    Ok(AcceptedLoss { lost: held.lost })
}

/// Accepts the present secret file for the installation, and seals the end of the audit
/// log with it.
///
/// # Errors
/// Those of [`accept_loss`].
pub async fn accept_secrets(installation: &Installation, by: AcceptRequest) -> Result<AcceptedLoss, AcceptError> {
    let before = Unopened::connect(&installation.database_url)
        .and_then(|mut database| database.history())
        .map_err(Error::from)?
        .secrets;
    let (app, _) = installation.open_unheld(Clock::system(), SkippedChecks::Secrets)?;
    let by = staff(&app, by).await?;
    let now = app.secrets.fingerprint();
    if before.as_ref() == Some(&now) {
        return Ok(AcceptedLoss { lost: None });
    }
    seal_what_was_there(&app).await?;
    let lost = format!("the secrets were {}", before.as_deref().unwrap_or("not known"));
    let details = json!({ "secrets": { "from": before, "to": now } });
    app.db
        .write(move |tx| {
            audit::seal_anew(tx)?;
            identity::rebind(tx, &now)?;
            record(tx, &by, "installation.accept_secrets", &details)
        })
        .await?;
    Ok(AcceptedLoss { lost: Some(lost) })
}

/// Accepts a restored database that does not match its ledger or its audit log. No row is changed, so verification
/// still lists the faults.
///
/// # Errors
/// Those of [`accept_loss`]; `not_permitted` also for an admin whose own row was edited.
pub async fn accept_edits(installation: &Installation, by: AcceptRequest) -> Result<AcceptedLoss, AcceptError> {
    let app = installation.open_restored(Clock::system())?;
    let by = staff(&app, by).await?;
    let Some(unsound) = app.db.read(identity::unsound).await.map_err(Error::from)? else {
        return Ok(AcceptedLoss { lost: None });
    };
    let (ledger, audit) = (verify(&app).await?, verify_audit(&app, None).await?);
    if let AcceptedBy::Staff(staff) = &by {
        let own = format!("operator {} ", staff.id());
        refuse_if(audit.faults.iter().any(|fault| fault.starts_with(&own)), Error::from(Refusal::NotPermitted))?;
    }
    let found: Vec<String> = ledger.faults.into_iter().chain(audit.faults).collect();
    let details = json!({ "unsound": unsound, "found": found });
    app.db
        .write(move |tx| {
            identity::set_unsound(tx, None)?;
            record(tx, &by, "installation.accept_edits", &details)
        })
        .await?;
    Ok(AcceptedLoss { lost: Some(unsound) })
}

/// The errors of accepting.
#[derive(Debug, thiserror::Error)]
pub enum AcceptError {
    #[error(transparent)]
    Wrong(#[from] crate::installation::settings::InvalidSetting),
    #[error(transparent)]
    App(#[from] Error),
}

enum AcceptedBy {
    Staff(Staff),
    /// Before there are operators: whoever runs the program on the machine.
    Nobody(String),
}

async fn staff(app: &App, by: AcceptRequest) -> Result<AcceptedBy, Error> {
    if let Some((name, key)) = &by.credentials {
        let operator: Operator = sign_in(app, name, key).await?;
        let staff = Staff::new(operator, &by.reason)?;
        staff.may(Permission::Operators)?;
        return Ok(AcceptedBy::Staff(staff));
    }
    let known = app.db.read(operators::all).await?;
    if known.is_empty() { Ok(AcceptedBy::Nobody(by.reason)) } else { Err(Error::NotSignedIn) }
}

fn record(tx: &mut Tx<'_>, by: &AcceptedBy, action: &'static str, details: &Value) -> Result<(), Error> {
    match by {
        AcceptedBy::Staff(staff) => staff.record(tx, action, SUBJECT.to_owned(), details),
        AcceptedBy::Nobody(reason) => {
            let nobody = Actor { id: None, name: SUBJECT.to_owned() };
            let details = details.to_string();
            let deed = Action { action, subject: SUBJECT.to_owned(), details, reason: reason.clone() };
            Ok(audit::append(tx, &nobody, &deed)?)
        }
    }
}

fn told(mark: Option<&Mark>) -> Value {
    let Some(mark) = mark else { return Value::Null };
    json!({
        "commits": mark.commits,
        "transaction": mark.transaction.map(|link| link.id),
        "record": mark.record.map(|link| link.id),
    })
}
