//! Operators: who they are and how they sign in.

use auth::username::marks_are_on_letters;
use auth::{Look, Permission, Role, SigningKey, StoredOperatorKey, Token, look, session};
use base::{Field, OperatorId, Timestamp};
use base::{invisible::is_default_ignorable, refuse_if};
use serde::Serialize;
use serde_json::json;
use store::Tx;
use store::staff::audit::{self, Action, Actor};
use store::staff::operators::{self as rows, OperatorWithKey};

use crate::staff::Staff;
use crate::staff::operator_keys::people;
use crate::{App, Error, Refusal, random};

pub(crate) const ADD: &str = "operator.add";
const LONGEST_NAME: usize = 64;
/// How often the use of a key is stored.
const USED_EVERY_SECONDS: i64 = 3_600;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OperatorView {
    pub id: OperatorId,
    pub name: String,
    pub role: Role,
    pub created_at: Timestamp,
    /// Accurate to the hour.
    pub last_used_at: Option<Timestamp>,
    pub revoked: bool,
    /// Who issued the key, and has therefore seen it.
    pub key_from: Option<String>,
    /// The person the operator counts as. Approving a request of the same person is
    /// refused.
    pub person: String,
    /// Who confirmed that the operator is a person of their own.
    pub confirmed_by: Option<String>,
    pub confirmed_at: Option<Timestamp>,
    /// When the key with which they were confirmed was taken from its operator, who was revoked or got another from
    /// somebody else: it may have been in other hands before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub confirming_key_taken_at: Option<Timestamp>,
    /// The operators whom this one has confirmed as persons of their own.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub has_confirmed: Vec<String>,
    /// When the operator rotated the key themselves; nobody else has seen it since.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rotated_at: Option<Timestamp>,
    /// When the operator was declared one of the first two people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub founder_since: Option<Timestamp>,
}

pub(crate) fn view(all: &[OperatorWithKey], id: OperatorId) -> Result<OperatorView, Error> {
    let found = all.iter().find(|one| one.operator.id == id);
    let one = found.ok_or_else(|| Error::Internal(format!("operator {id} is not there")))?;
    let name = |id: OperatorId| all.iter().find(|one| one.operator.id == id).map(|one| one.operator.name.clone());
    let confirmed = all.iter().filter(|other| other.confirmed_by == Some(id) && !other.operator.revoked);
    Ok(OperatorView {
        id,
        name: one.operator.name.clone(),
        role: one.operator.role,
        created_at: one.operator.created_at,
        last_used_at: one.last_used_at,
        revoked: one.operator.revoked,
        key_from: one.key_from.and_then(name),
        person: one.person.and_then(name).unwrap_or_else(|| one.operator.name.clone()),
        confirmed_by: one.confirmed_by.and_then(name),
        confirmed_at: one.confirmed_at,
        confirming_key_taken_at: confirming_key_taken_at(all, one),
        has_confirmed: confirmed.map(|other| other.operator.name.clone()).collect(),
        rotated_at: one.rotated_at,
        founder_since: one.founder_since,
    })
}

fn confirming_key_taken_at(all: &[OperatorWithKey], one: &OperatorWithKey) -> Option<Timestamp> {
    let (by, at) = (one.confirmed_by?, one.confirmed_at?);
    let confirmer = all.iter().find(|other| other.operator.id == by)?;
    confirmer.key_taken_at.filter(|taken| *taken >= at && !one.operator.revoked)
}

/// # Errors
/// `wrong_credentials` for a wrong name or key.
pub async fn sign_in(app: &App, name: &str, key: &str) -> Result<rows::Operator, Error> {
    let key = key.trim();
    let digest = session::digest_shown(key).ok_or(Refusal::WrongCredentials)?;
    let public = SigningKey::from_shown(key).and_then(|key| key.public()).ok_or(Refusal::WrongCredentials)?;
    let name = name.to_owned();
    let now = app.now();
    let found = app.db.read(move |conn| {
        let found = rows::find_by_key(conn, &name, &digest)?;
        let signer = rows::signer(conn, &name)?;
        Ok::<_, Error>(found.and(signer))
    });
    let signer = found.await?.ok_or(Refusal::WrongCredentials)?;
    let id = signer.operator.id;
    if signer.public_key.is_none() {
        let actor = Actor { id: Some(id), name: signer.operator.name.clone() };
        app.db
            .write(move |tx| {
                rows::set_public_key(tx, id, &public)?;
                let action = Action {
                    action: "operator.public_key",
                    subject: format!("operator:{id}"),
                    details: json!({ "has_public_key": { "from": false, "to": true } }).to_string(),
                    reason: "signed in with a key from before it had a public one".to_owned(),
                };
                audit::append(tx, &actor, &action)
            })
            .await?;
    }
    if is_used_anew(&signer, now) {
        app.db.write(move |tx| rows::note_used(tx, id)).await?;
    }
    Ok(signer.operator)
}

/// Whether the use of the key should be stored.
pub(crate) fn is_used_anew(signer: &rows::Signer, now: Timestamp) -> bool {
    signer.last_used_at.is_none_or(|used| used.plus_seconds(USED_EVERY_SECONDS) <= now)
}

/// A new key, and its stored form.
pub(crate) fn new_key() -> Result<(Token, StoredOperatorKey), Error> {
    let key = Token::new(&random()?);
    let kept = StoredOperatorKey::of(&key).ok_or_else(|| Error::Internal("no key could be derived".into()))?;
    Ok((key, kept))
}

/// Adds an operator and returns the key, which is shown only once. The first operator can
/// be added by anybody; after that an admin must do it, or anybody if there is no admin.
///
/// # Errors
/// The field `name`, also for one that looks like another's; `not_permitted`; `name_taken`;
/// `NotSignedIn` if an operator is needed and there is none.
pub async fn add_operator(
    app: &App,
    by: Option<Staff>,
    name: &str,
    role: Role,
) -> Result<(OperatorView, Token), Error> {
    let name = checked_name(name)?;
    let (key, kept) = new_key()?;
    let added = app.db.write(move |tx| add(tx, by.as_ref(), &name, role, &kept)).await?;
    Ok((added, key))
}

/// # Errors
/// The field `name`: `invalid`, or `reserved` for one that only looks like a word of the
/// installation's.
pub(crate) fn checked_name(name: &str) -> Result<String, Error> {
    let name = name.trim();
    if !name.chars().any(char::is_alphanumeric) || name.chars().count() > LONGEST_NAME || !is_shown(name) {
        return Err(Error::field(Field::Name, "invalid"));
    }
    Error::field_if(look::imitates_reserved(name), Field::Name, "reserved")?;
    Ok(name.to_owned())
}

/// Whether a name hides nothing and turns nothing round. Joiners shape the letters of Persian and Indian names.
fn is_shown(name: &str) -> bool {
    let joins = |c: char| matches!(c, '\u{200c}' | '\u{200d}');
    let hides = |c: char| is_default_ignorable(c) && !joins(c) || matches!(c, '\u{2028}' | '\u{2029}');
    marks_are_on_letters(name) && !name.chars().any(|c| c.is_control() || hides(c))
}

/// # Errors
/// `name_taken`; the field `name` with `looks_like_another`.
pub(crate) fn is_unlike_others(before: &[OperatorWithKey], name: &str) -> Result<(), Error> {
    refuse_if(before.iter().any(|one| one.operator.name == name), Refusal::NameTaken)?;
    let look = Look::of(name);
    match before.iter().any(|one| Look::of(&one.operator.name).is_like(&look)) {
        true => Err(Error::field(Field::Name, "looks_like_another")),
        false => Ok(()),
    }
}

fn add(
    tx: &mut Tx<'_>,
    by: Option<&Staff>,
    name: &str,
    role: Role,
    key: &StoredOperatorKey,
) -> Result<OperatorView, Error> {
    rows::lock_all(tx)?;
    let before = rows::with_keys(tx)?;
    may_add(tx, &before, by)?;
    is_unlike_others(&before, name)?;
    let from = by.map(Staff::id);
    let id = rows::insert(tx, name, role, key, (from, people(&before).of_added(from)))?;
    let added = view(&rows::with_keys(tx)?, id)?;
    record(tx, by, &added, role)?;
    Ok(added)
}

fn may_add(tx: &mut Tx<'_>, before: &[OperatorWithKey], by: Option<&Staff>) -> Result<(), Error> {
    if before.is_empty() {
        return Ok(());
    }
    let by = by.ok_or(Error::NotSignedIn)?;
    let is_admin = |one: &OperatorWithKey| one.operator.role == Role::Admin && !one.operator.revoked;
    let needed = if before.iter().any(is_admin) { Permission::Operators } else { Permission::Accounts };
    by.still_may(tx, needed)
}

/// Records the role that was asked for, so that `audit verify` notices if the database holds another one.
fn record(tx: &mut Tx<'_>, by: Option<&Staff>, added: &OperatorView, role: Role) -> Result<(), Error> {
    let subject = format!("operator:{}", added.id);
    let details = json!({ "name": added.name, "role": role, "person": added.person });
    match by {
        Some(by) => by.record(tx, ADD, subject, &details),
        None => {
            let nobody = Actor { id: None, name: "installation".to_owned() };
            let action =
                Action { action: ADD, subject, details: details.to_string(), reason: "the first operator".to_owned() };
            Ok(audit::append(tx, &nobody, &action)?)
        }
    }
}

pub async fn list_operators(app: &App) -> Result<Vec<OperatorView>, Error> {
    let rows = app.db.read(rows::with_keys).await?;
    rows.iter().map(|one| view(&rows, one.operator.id)).collect()
}
