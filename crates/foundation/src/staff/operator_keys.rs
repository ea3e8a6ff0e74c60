//! Operators' keys after they were issued: rotating, revoking, and confirming that an
//! operator is a person of their own.

use auth::{People, Permission, Role, StoredOperatorKey, Token};
use base::refuse_if;
use serde_json::{Value, json};
use store::Tx;
use store::people::sessions;
use store::staff::audit;
use store::staff::operators::{self as rows, OperatorWithKey};

use crate::staff::operators::{ADD, OperatorView, new_key, view};
use crate::staff::{ANOTHER, BEFORE, Staff};
use crate::{App, Error, Refusal};

/// Issues a new key, shown only once; the old one is invalid at once. Everybody may
/// rotate their own. An admin who rotates somebody else's has seen it, so that operator
/// counts as the admin until somebody else confirms otherwise.
///
/// # Errors
/// `not_permitted`, `not_found`; `cannot_change` for a revoked operator.
pub async fn rotate_operator(app: &App, by: &Staff, name: &str) -> Result<(OperatorView, Token), Error> {
    let (key, kept) = new_key()?;
    let view = change(app, by, "operator.rotate", name, move |tx, by, all, of| rotate(tx, by, all, of, &kept)).await?;
    Ok((view, key))
}

fn rotate(
    tx: &mut Tx<'_>,
    by: &Staff,
    all: &[OperatorWithKey],
    of: &OperatorWithKey,
    key: &StoredOperatorKey,
) -> Result<Value, Error> {
    let id = of.operator.id;
    if id == by.id() {
        rows::set_key(tx, id, key, None)?;
        return Ok(json!({ "key": { "from": BEFORE, "to": ANOTHER } }));
    }
    by.still_may(tx, Permission::Operators)?;
    let (before, person) = (people(all).person(id), people(all).of_rotated(id, by.id()));
    rows::set_key(tx, id, key, Some((by.id(), person)))?;
    Ok(json!({
        "key_from": { "from": of.key_from.map(|id| id.0), "to": by.id().0 },
        "person": { "from": before.0, "to": person.0 },
    }))
}

/// Revokes an operator permanently. Everybody may revoke their own key.
///
/// # Errors
/// `not_permitted`, `not_found`, `cannot_change`; `last_admin` if nobody would be left to
/// add operators.
pub async fn revoke_operator(app: &App, by: &Staff, name: &str) -> Result<OperatorView, Error> {
    change(app, by, "operator.revoke", name, |tx, by, all, of| {
        if of.operator.id != by.id() {
            by.still_may(tx, Permission::Operators)?;
        }
        let admins = all.iter().filter(|one| one.operator.role == Role::Admin && !one.operator.revoked).count();
        refuse_if(of.operator.role == Role::Admin && admins == 1, Refusal::LastAdmin)?;
        rows::revoke(tx, of.operator.id)?;
        // Their sessions in users' accounts end with the key.
        sessions::end_all_of_operator(tx, of.operator.id)?;
        Ok(json!({ "revoked": { "from": false, "to": true } }))
    })
    .await
}

/// Declares an operator a person of their own: by finance or an admin, never by whoever
/// added the operator, and only once the operator has rotated the key, which nobody else
/// has seen then.
///
/// # Errors
/// `not_permitted`, `not_found`; `second_person_needed` if the same person says so, or who
/// added the operator; `cannot_change` if they are one already; `key_not_rotated`.
pub async fn confirm_operator(app: &App, by: &Staff, name: &str) -> Result<OperatorView, Error> {
    change(app, by, "operator.confirm", name, |tx, by, all, of| {
        by.still_may(tx, Permission::Money)?;
        let people = people(all);
        let id = of.operator.id;
        let added = audit::last_of(tx, &format!("operator:{id}"), ADD)?;
        let added_by = added.and_then(|record| record.operator_id);
        refuse_if(!people.may_confirm(id, by.id(), added_by), Refusal::SecondPersonNeeded)?;
        refuse_if(people.person(id) == id, Refusal::AlreadySo)?;
        refuse_if(of.rotated_at.is_none(), Refusal::KeyNotRotated)?;
        rows::confirm(tx, id, Some(by.id()))?;
        Ok(json!({ "person": { "from": people.person(id).0, "to": id.0 } }))
    })
    .await
}

pub(crate) fn people(all: &[OperatorWithKey]) -> People {
    People::of(all.iter().map(|one| (one.operator.id, one.person)))
}

/// The common part of all changes: it locks the operators, checks that the acting one is not revoked, and writes the
/// audit record.
async fn change(
    app: &App,
    by: &Staff,
    action: &'static str,
    name: &str,
    apply: impl Fn(&mut Tx<'_>, &Staff, &[OperatorWithKey], &OperatorWithKey) -> Result<Value, Error> + Send + 'static,
) -> Result<OperatorView, Error> {
    let (by, name) = (by.clone(), name.trim().to_owned());
    app.db
        .write(move |tx| {
            rows::lock_all(tx)?;
            by.still_may(tx, Permission::Accounts)?;
            let all = rows::with_keys(tx)?;
            let of = all.iter().find(|one| one.operator.name == name).ok_or(Refusal::NotFound)?;
            refuse_if(of.operator.revoked, Refusal::CannotChange)?;
            let mut details = apply(tx, &by, &all, of)?;
            if let Some(details) = details.as_object_mut() {
                details.insert("name".to_owned(), json!(name));
            }
            let after = rows::with_keys(tx)?;
            by.record_done(tx, action, format!("operator:{}", of.operator.id), &details)?;
            view(&after, of.operator.id)
        })
        .await
}
