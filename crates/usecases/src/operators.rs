//! Staff: who they are, how they sign in, and the record of what they did.

use auth::{Permission, Role, Token, session};
use base::OperatorId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::audit::{self, Actor, Deed};
use store::operators as rows;
use store::{Tx, audit::Verdict};

use crate::{App, Error, Refusal, random};

/// An operator who has signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    pub id: OperatorId,
    pub name: String,
    pub role: Role,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperatorView {
    pub id: String,
    pub name: String,
    pub role: String,
    pub created_at: String,
    pub revoked: bool,
}

impl Operator {
    /// # Errors
    /// `not_permitted` where the role does not allow it.
    pub fn require(&self, permission: Permission) -> Result<(), Error> {
        if self.role.may(permission) { Ok(()) } else { Err(Refusal::NotPermitted.into()) }
    }

    fn actor(&self) -> Actor {
        Actor { id: Some(self.id), name: self.name.clone() }
    }
}

impl From<rows::Operator> for OperatorView {
    fn from(row: rows::Operator) -> Self {
        Self {
            id: row.id.to_string(),
            name: row.name,
            role: row.role.name().to_owned(),
            created_at: row.created_at.to_string(),
            revoked: row.revoked,
        }
    }
}

/// # Errors
/// `wrong_credentials` for a name or a key that is not right.
pub async fn sign_in(app: &App, name: &str, key: &str) -> Result<Operator, Error> {
    let digest = session::digest_shown(key.trim()).ok_or(Refusal::WrongCredentials)?;
    let name = name.to_owned();
    let found = app.db.read(move |conn| rows::find_by_key(conn, &name, &digest)).await?;
    let row = found.ok_or(Refusal::WrongCredentials)?;
    Ok(Operator { id: row.id, name: row.name, role: row.role })
}

/// Adds an operator and hands out the key, this once. The first of all needs
/// nobody; after that an admin does it, or anybody while there is no admin.
pub async fn add_operator(app: &App, by: Option<Operator>, name: &str, role: Role, reason: &str) -> Result<(OperatorView, Token), Error> {
    let name = name.trim().to_owned();
    if name.is_empty() || name.chars().count() > 64 || name.chars().any(char::is_control) {
        return Err(Error::field("name", "invalid"));
    }
    let key = Token::new(&random()?);
    let (digest, reason) = (key.digest(), reason.to_owned());
    let added = app
        .db
        .write(move |tx| {
            let before = rows::all(tx)?;
            may_add(&before, by.as_ref())?;
            if before.iter().any(|operator| operator.name == name) {
                return Err(Refusal::NameTaken.into());
            }
            let id = rows::insert(tx, &name, role, &digest)?;
            let details = json!({ "name": name, "role": role.name() });
            let actor = by.as_ref().map_or(Actor { id: None, name: "installation".to_owned() }, Operator::actor);
            write_down(tx, &actor, "operator.add", format!("operator:{id}"), &details, &reason)?;
            let added = rows::all(tx)?.into_iter().find(|operator| operator.id == id);
            added.ok_or_else(|| Error::Internal("the operator just added is not there".to_owned()))
        })
        .await?;
    Ok((added.into(), key))
}

fn may_add(before: &[rows::Operator], by: Option<&Operator>) -> Result<(), Error> {
    if before.is_empty() {
        return Ok(());
    }
    let by = by.ok_or(Error::NotSignedIn)?;
    if before.iter().any(|operator| operator.role == Role::Admin && !operator.revoked) {
        return by.require(Permission::Operators);
    }
    Ok(())
}

pub async fn list_operators(app: &App) -> Result<Vec<OperatorView>, Error> {
    let rows = app.db.read(rows::all).await?;
    Ok(rows.into_iter().map(OperatorView::from).collect())
}

/// Writes a deed into the audit log, in the transaction of the deed itself.
/// `details` must hold no secret.
pub fn record(
    tx: &mut Tx<'_>,
    by: &Operator,
    action: &'static str,
    subject: String,
    details: &Value,
    reason: &str,
) -> Result<(), Error> {
    write_down(tx, &by.actor(), action, subject, details, reason)
}

fn write_down(
    tx: &mut Tx<'_>,
    actor: &Actor,
    action: &'static str,
    subject: String,
    details: &Value,
    reason: &str,
) -> Result<(), Error> {
    let deed = Deed { action, subject, details: details.to_string(), reason: reason.to_owned() };
    Ok(audit::append(tx, actor, &deed)?)
}

/// # Errors
/// The field `reason` where none is given: a change without one is not made.
pub fn required_reason(reason: &str) -> Result<String, Error> {
    let reason = reason.trim();
    if reason.is_empty() { Err(Error::field("reason", "required")) } else { Ok(reason.to_owned()) }
}

/// Follows the audit log's chain from its beginning.
pub async fn verify_audit(app: &App) -> Result<Verdict, Error> {
    Ok(app.db.snapshot(audit::verify).await?)
}
