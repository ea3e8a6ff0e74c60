//! Operators: who they are and how they sign in.

use auth::{Digest, Permission, Role, Token, session};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::Tx;
use store::audit::{self, Actor, Deed};
use store::operators as rows;

use crate::staff::Staff;
use crate::{App, Error, Refusal, random};

const ADD: &str = "operator.add";
const LONGEST_NAME: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperatorView {
    pub id: String,
    pub name: String,
    pub role: String,
    pub created_at: String,
    pub revoked: bool,
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
pub async fn sign_in(app: &App, name: &str, key: &str) -> Result<rows::Operator, Error> {
    let digest = session::digest_shown(key.trim()).ok_or(Refusal::WrongCredentials)?;
    let name = name.to_owned();
    let found = app.db.read(move |conn| rows::find_by_key(conn, &name, &digest)).await?;
    Ok(found.ok_or(Refusal::WrongCredentials)?)
}

/// Adds an operator and hands out the key, this once. The first of all needs
/// nobody; after that an admin does it, or anybody while there is no admin.
///
/// # Errors
/// The field `name`; `not_permitted`; `name_taken`; `NotSignedIn` where
/// somebody is needed and nobody asks.
pub async fn add_operator(
    app: &App,
    by: Option<Staff>,
    name: &str,
    role: Role,
) -> Result<(OperatorView, Token), Error> {
    let name = name.trim().to_owned();
    if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(Error::field("name", "invalid"));
    }
    let key = Token::new(&random()?);
    let digest = key.digest();
    let added = app.db.write(move |tx| add(tx, by.as_ref(), &name, role, &digest)).await?;
    Ok((added.into(), key))
}

fn add(tx: &mut Tx<'_>, by: Option<&Staff>, name: &str, role: Role, key: &Digest) -> Result<rows::Operator, Error> {
    let before = rows::all(tx)?;
    may_add(&before, by)?;
    if before.iter().any(|operator| operator.name == name) {
        return Err(Refusal::NameTaken.into());
    }
    let id = rows::insert(tx, name, role, key)?;
    let added = rows::all(tx)?.into_iter().find(|operator| operator.id == id);
    let added = added.ok_or_else(|| Error::Internal("the operator just added is not there".to_owned()))?;
    record(tx, by, &added)?;
    Ok(added)
}

fn may_add(before: &[rows::Operator], by: Option<&Staff>) -> Result<(), Error> {
    if before.is_empty() {
        return Ok(());
    }
    let by = by.ok_or(Error::NotSignedIn)?;
    if before.iter().any(|operator| operator.role == Role::Admin && !operator.revoked) {
        return by.may(Permission::Operators);
    }
    Ok(())
}

fn record(tx: &mut Tx<'_>, by: Option<&Staff>, added: &rows::Operator) -> Result<(), Error> {
    let subject = format!("operator:{}", added.id);
    let details = json!({ "name": added.name, "role": added.role.name() });
    match by {
        Some(by) => by.record(tx, ADD, subject, &details),
        None => {
            let nobody = Actor { id: None, name: "installation".to_owned() };
            let deed =
                Deed { action: ADD, subject, details: details.to_string(), reason: "the first operator".to_owned() };
            Ok(audit::append(tx, &nobody, &deed)?)
        }
    }
}

pub async fn list_operators(app: &App) -> Result<Vec<OperatorView>, Error> {
    let rows = app.db.read(rows::all).await?;
    Ok(rows.into_iter().map(OperatorView::from).collect())
}
