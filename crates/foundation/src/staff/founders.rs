//! The first two people of an installation, declared on its own machine. Until both have
//! rotated their keys, nothing that needs two people is approved.

use auth::{Founders, Founding, Look, People, Permission, Role, StoredOperatorKey, Token};
use base::{Field, OperatorId, Timestamp, refuse_if};
use serde::Serialize;
use serde_json::json;
use store::Tx;
use store::staff::audit::{self, Action, Actor};
use store::staff::founding;
use store::staff::operators::{self as rows, OperatorWithKey};

use crate::staff::Staff;
use crate::staff::operator_keys::people;
use crate::staff::operators::{checked_name, is_unlike_others, new_key};
use crate::{App, Error, Refusal};

const DECLARE: &str = "operator.founders";

/// A founder, as declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FounderView {
    pub operator: String,
    pub id: OperatorId,
    pub role: Role,
    /// The key of an operator who was added; shown once. Its holder must rotate it first of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// Declares two operators the first two people. A name without an operator is added as an admin. Both count once they
/// have rotated their keys; earlier founders are replaced. This is possible only on the installation's machine, because
/// whoever has access to that can do anything.
///
/// # Errors
/// The field `name`, like that of [`add_operator`](super::operators::add_operator), also for
/// one name twice; `not_permitted` for an operator whose role approves nothing;
/// `cannot_change` for a revoked one; `last_admin` if neither would be an admin and there is
/// none.
pub async fn declare_founders(app: &App, by: Option<Staff>, names: [&str; 2]) -> Result<Vec<FounderView>, Error> {
    let [first, second] = [checked_name(names[0])?, checked_name(names[1])?];
    Error::field_if(Look::of(&first).is_like(&Look::of(&second)), Field::Name, "looks_like_another")?;
    let keys = [new_key()?, new_key()?];
    let both: Vec<(String, Token, StoredOperatorKey)> =
        [first, second].into_iter().zip(keys).map(|(name, (key, kept))| (name, key, kept)).collect();
    app.db.write(move |tx| declare(tx, by.as_ref(), &both)).await
}

fn declare(
    tx: &mut Tx<'_>,
    by: Option<&Staff>,
    both: &[(String, Token, StoredOperatorKey)],
) -> Result<Vec<FounderView>, Error> {
    rows::lock_all(tx)?;
    if let Some(by) = by {
        by.still_may(tx, Permission::Operators)?;
    }
    let before = rows::with_keys(tx)?;
    let all = people(&before);
    for one in before.iter().filter(|one| one.founder_since.is_some()) {
        rows::withdraw_founder(tx, one.operator.id)?;
    }
    let mut declared = Vec::with_capacity(both.len());
    for (name, key, kept) in both {
        let found = before.iter().find(|one| one.operator.name == *name);
        let (id, role, key) = match found {
            Some(one) => (may_found(one)?, one.operator.role, None),
            None => {
                is_unlike_others(&before, name)?;
                (rows::insert(tx, name, Role::Admin, kept, (None, None))?, Role::Admin, Some(key.text().to_owned()))
            }
        };
        rows::declare_founder(tx, id, found.is_none() || is_own_person(&all, id))?;
        declared.push(FounderView { operator: name.clone(), id, role, key });
    }
    let is_admin = |one: &OperatorWithKey| one.operator.role == Role::Admin && !one.operator.revoked;
    refuse_if(!declared.iter().any(|one| one.role == Role::Admin) && !before.iter().any(is_admin), Refusal::LastAdmin)?;
    record(tx, by, &before, &declared)?;
    Ok(declared)
}

fn may_found(one: &OperatorWithKey) -> Result<OperatorId, Error> {
    refuse_if(one.operator.revoked, Refusal::CannotChange)?;
    refuse_if(!one.operator.role.may(Permission::Money), Refusal::NotPermitted)?;
    Ok(one.operator.id)
}

fn is_own_person(all: &People, id: OperatorId) -> bool {
    all.person(id) == id
}

fn record(
    tx: &mut Tx<'_>,
    by: Option<&Staff>,
    before: &[OperatorWithKey],
    declared: &[FounderView],
) -> Result<(), Error> {
    let were = before.iter().filter(|one| one.founder_since.is_some());
    let from: Vec<&str> = were.map(|one| one.operator.name.as_str()).collect();
    let to: Vec<&str> = declared.iter().map(|one| one.operator.as_str()).collect();
    let ids: Vec<OperatorId> = declared.iter().map(|one| one.id).collect();
    let details = json!({ "founders": { "from": from, "to": to }, "operators": ids });
    match by {
        Some(by) => by.record(tx, DECLARE, "installation".to_owned(), &details),
        None => append(tx, DECLARE, details.to_string(), "declared on the installation's machine"),
    }
}

fn append(tx: &mut Tx<'_>, action: &'static str, details: String, reason: &str) -> Result<(), Error> {
    let nobody = Actor { id: None, name: "installation".to_owned() };
    let deed = Action { action, subject: "installation".to_owned(), details, reason: reason.to_owned() };
    Ok(audit::append(tx, &nobody, &deed)?)
}

/// The gate of everything that needs two people; returns which person each operator is.
///
/// # Errors
/// `founders_missing`.
pub(crate) fn may_approve(tx: &mut Tx<'_>) -> Result<People, Error> {
    let now = tx.now();
    let (people, founding) = founding::people(tx, now)?;
    if founding.may_approve() { Ok(people) } else { Err(Refusal::FoundersMissing.into()) }
}

/// Until when approvals go on although founders are not declared, or have not both rotated their keys; `None` if there
/// is no such time limit.
pub async fn approvals_until(app: &App) -> Result<Option<Timestamp>, Error> {
    let now = app.now();
    let (_, founding) = app.db.read(move |conn| founding::people(conn, now)).await?;
    Ok(founding.until())
}

/// Records the first time that a version that requires founders opened an installation in which two people approve
/// already: it may go on for thirty days. Nothing is recorded if the operators differ from the audit log. Later calls
/// do nothing.
pub async fn note_upgrade(app: &App) -> Result<(), Error> {
    let now = app.now();
    let sealer = app.secrets.sealer();
    let due = app.db.snapshot(move |conn| {
        let (people, founding) = founding::people(conn, now)?;
        let founded = founding != Founding::Missing || founding::read_upgraded_at(conn)?.is_some();
        if founded || deciding(&people, &rows::all(conn)?) < 2 {
            return Ok::<_, Error>(false);
        }
        Ok(audit::verify(conn, Some(&sealer), None)?.faults.is_empty())
    });
    if !due.await? {
        return Ok(());
    }
    app.db
        .write(move |tx| {
            rows::lock_all(tx)?;
            if founding::read_upgraded_at(tx)?.is_some() {
                return Ok(());
            }
            let until = tx.now().plus_days(Founders::DAYS_TO_DECLARE).to_string();
            let reason = "two people approved before founders were asked for";
            append(tx, founding::UPGRADED, json!({ "until": until }).to_string(), reason)
        })
        .await
}

/// How many people can approve.
fn deciding(people: &People, all: &[rows::Operator]) -> usize {
    let approve = all.iter().filter(|one| !one.revoked && one.role.may(Permission::Money));
    approve.map(|one| people.person(one.id)).collect::<std::collections::BTreeSet<_>>().len()
}
