//! Staff at work: who the operator is, what they may do, and the reason that every
//! change requires and the audit records.

pub mod audit_log;
pub mod decisions;
pub mod founders;
pub mod limits;
pub mod notes;
pub mod operator_keys;
pub mod operators;
pub mod publisher_contacts;
pub mod references;
pub mod requests;
pub mod staff_calls;

use std::net::IpAddr;

use auth::{AccountStatus, Permission, Role};
use base::invisible::shows_something;
use base::{Field, OperatorId, UserId};
use serde::Serialize;
use serde_json::{Map, Value, json};
use store::Tx;
use store::staff::audit::{self, Action, Actor};
use store::staff::operators::{self as rows, Operator};

use crate::accounts::restrictions;
use crate::notices::written::leads_nowhere;
use crate::{Error, Refusal};

const LONGEST_REASON: usize = 500;

/// The key in a record's details that says where an action was made.
const MADE_AT: &str = "made_at";

/// The placeholder in the audit for a value that must not be shown.
pub const BEFORE: &str = "the one before";
pub const ANOTHER: &str = "another";

#[derive(Clone, Debug)]
pub struct Staff {
    operator: Operator,
    reason: String,
    place: Option<ActionOrigin>,
}

/// The place from which an action was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ActionOrigin {
    /// The machine that did it.
    pub host: String,
    /// The caller's address; `None` if the command was typed on that machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<IpAddr>,
}

impl ActionOrigin {
    /// This machine, with the caller's address.
    pub fn here(address: Option<IpAddr>) -> Self {
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        Self { host, address }
    }
}

impl Staff {
    /// # Errors
    /// The field `reason`, with `required` or `too_long`.
    pub fn new(operator: Operator, reason: &str) -> Result<Self, Error> {
        let reason = reason.trim().to_owned();
        Error::field_if(!shows_something(&reason), Field::Reason, "required")?;
        Error::field_if(reason.chars().count() > LONGEST_REASON, Field::Reason, "too_long")?;
        Ok(Self { operator, reason, place: None })
    }

    /// Adds the place, which the audit log records with every action.
    #[must_use]
    pub fn at(self, place: ActionOrigin) -> Self {
        Self { place: Some(place), ..self }
    }

    pub const fn id(&self) -> OperatorId {
        self.operator.id
    }

    pub fn name(&self) -> &str {
        &self.operator.name
    }

    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The reason where the user is told it: it leads nowhere.
    ///
    /// # Errors
    /// The field `reason` with `link`.
    pub fn told_reason(&self) -> Result<&str, Error> {
        leads_nowhere(Field::Reason, &self.reason)?;
        Ok(&self.reason)
    }

    /// The actor's name in the ledger: `operator:3`.
    pub fn actor(&self) -> String {
        format!("operator:{}", self.operator.id)
    }

    pub fn is(&self, role: Role) -> bool {
        self.operator.role == role
    }

    /// # Errors
    /// `not_permitted` if the role does not allow it.
    pub fn may(&self, permission: Permission) -> Result<(), Error> {
        if self.operator.role.may(permission) { Ok(()) } else { Err(Refusal::NotPermitted.into()) }
    }

    /// Checks the permission again within the transaction, because the operator may have been revoked
    /// or given another role since the sign-in.
    ///
    /// # Errors
    /// `not_permitted`.
    pub fn still_may(&self, tx: &mut Tx<'_>, permission: Permission) -> Result<(), Error> {
        let now = rows::lock(tx, self.operator.id)?.filter(|operator| !operator.revoked);
        let may = now.is_some_and(|operator| operator.role.may(permission));
        if may { Ok(()) } else { Err(Refusal::NotPermitted.into()) }
    }

    /// Whether the operator, who approves, or the one who asked is an admin.
    ///
    /// # Errors
    /// `admin_needed`.
    pub fn admin_with(&self, tx: &mut Tx<'_>, asked: OperatorId) -> Result<(), Error> {
        let is_admin =
            |found: Option<Operator>| found.is_some_and(|operator| operator.role == Role::Admin && !operator.revoked);
        if self.is(Role::Admin) || is_admin(rows::lock(tx, asked)?) { Ok(()) } else { Err(Refusal::AdminNeeded.into()) }
    }

    /// Writes an audit record in the action's own transaction, which is undone if the operator was revoked since the
    /// sign-in: nothing of staff's is written without a record. Call it last: all audited work waits for the end of the
    /// chain.
    ///
    /// # Errors
    /// `not_permitted`.
    pub fn record(&self, tx: &mut Tx<'_>, action: &'static str, subject: String, details: &Value) -> Result<(), Error> {
        match rows::lock(tx, self.operator.id)?.filter(|operator| !operator.revoked) {
            Some(_) => self.record_done(tx, action, subject, details),
            None => Err(Refusal::NotPermitted.into()),
        }
    }

    /// Records what has happened already, even if the operator was revoked meanwhile: a file that was written, or the
    /// operator's own revocation.
    pub fn record_done(
        &self,
        tx: &mut Tx<'_>,
        action: &'static str,
        subject: String,
        details: &Value,
    ) -> Result<(), Error> {
        let actor = Actor { id: Some(self.operator.id), name: self.operator.name.clone() };
        let details = self.placed(details).to_string();
        let deed = Action { action, subject, details, reason: self.reason.clone() };
        Ok(audit::append(tx, &actor, &deed)?)
    }

    fn placed(&self, details: &Value) -> Value {
        let mut details = details.clone();
        if let (Some(fields), Some(place)) = (details.as_object_mut(), &self.place) {
            fields.insert(MADE_AT.to_owned(), json!(place));
        }
        details
    }
}

/// What an action changed, as stored in the audit log: `"field": {"from": …, "to": …}`,
/// besides facts about its subject.
#[derive(Clone, Debug, Default)]
pub struct Changes(Map<String, Value>);

impl Changes {
    /// A new thing: every field changes from null.
    pub fn made(new: &impl Serialize) -> Self {
        Self::between(&Value::Null, new)
    }

    /// The fields that differ between two states of one thing.
    pub fn between(before: &impl Serialize, after: &impl Serialize) -> Self {
        let (before, after) = (fields(before), fields(after));
        let field = |of: &Map<String, Value>, name: &str| of.get(name).cloned().unwrap_or_default();
        let names = before.keys().chain(after.keys().filter(|name| !before.contains_key(*name)));
        // The id is the action's subject.
        names
            .filter(|name| *name != "id")
            .fold(Self::default(), |all, name| all.and(name, field(&before, name), field(&after, name)))
    }

    /// Adds a field, unless it did not change.
    #[must_use]
    pub fn and(mut self, field: &str, from: impl Into<Value>, to: impl Into<Value>) -> Self {
        let (from, to) = (from.into(), to.into());
        if from != to {
            self.0.insert(field.to_owned(), json!({ "from": from, "to": to }));
        }
        self
    }

    /// A fact about the action that did not change.
    #[must_use]
    pub fn about(mut self, fact: &str, value: impl Into<Value>) -> Self {
        self.0.insert(fact.to_owned(), value.into());
        self
    }

    /// Adds all fields of another set of changes.
    #[must_use]
    pub fn also(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    pub fn details(self) -> Value {
        Value::Object(self.0)
    }
}

fn fields(thing: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(thing) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// Whether staff may let money out of an account: anybody if it is active, otherwise only
/// an admin. Its wallet is locked.
///
/// # Errors
/// `account_not_active`.
pub fn may_be_paid(tx: &mut Tx<'_>, by: &Staff, user: UserId) -> Result<(), Error> {
    let status = restrictions::of(tx, user)?.status;
    tx.notes().relies("users", user.0);
    let answered_for = status == AccountStatus::Active || by.may(Permission::PayBarred).is_ok();
    if answered_for { Ok(()) } else { Err(Refusal::AccountNotActive { status }.into()) }
}

#[cfg(test)]
mod tests {
    use base::Timestamp;

    use super::*;

    fn staff(reason: &str) -> Result<Staff, Error> {
        let created_at = Timestamp::from_seconds(0);
        Staff::new(
            Operator { id: OperatorId(3), name: "ann".into(), role: Role::Support, created_at, revoked: false },
            reason,
        )
    }

    #[test]
    fn a_reason_is_needed() {
        for (reason, problem) in
            [("", "required"), ("  ", "required"), ("\u{200b}", "required"), (&"x".repeat(501), "too_long")]
        {
            let error = staff(reason).expect_err("refused");
            assert!(matches!(&error, Error::Fields(fields) if fields.get("reason") == Some(&problem)), "{error}");
        }
        assert_eq!(staff(" why ").expect("staff").reason(), "why");
    }

    #[test]
    fn a_reason_that_users_are_told_leads_nowhere() {
        assert_eq!(
            staff("Documents are missing").expect("staff").told_reason().expect("plain"),
            "Documents are missing"
        );
        let linking = staff("verify at pay.example").expect("staff");
        let refused = linking.told_reason();
        assert!(matches!(&refused, Err(Error::Fields(fields)) if fields.get("reason") == Some(&"link")), "{refused:?}");
    }

    #[test]
    fn a_role_limits_what_may_be_done() {
        let staff = staff("why").expect("staff");
        assert!(staff.may(Permission::Accounts).is_ok());
        assert!(matches!(staff.may(Permission::Money), Err(Error::Refused(Refusal::NotPermitted))));
        assert_eq!(staff.actor(), "operator:3");
    }

    #[test]
    fn a_deed_tells_where_it_was_made() {
        let details = json!({ "name": "a" });
        assert_eq!(staff("why").expect("staff").placed(&details), details);
        let place = ActionOrigin { host: "desk".into(), address: None };
        let there = staff("why").expect("staff").at(place.clone());
        assert_eq!(there.placed(&details), json!({ "name": "a", "made_at": { "host": "desk" } }));
        let place = ActionOrigin { address: Some("192.0.2.7".parse().expect("an address")), ..place };
        let afar = staff("why").expect("staff").at(place);
        assert_eq!(afar.placed(&json!({})), json!({ "made_at": { "host": "desk", "address": "192.0.2.7" } }));
        assert!(!ActionOrigin::here(None).host.is_empty());
    }

    #[test]
    fn only_what_changed_is_told_with_what_it_was() {
        let before = json!({ "name": "a", "active": true, "limit": null });
        let after = json!({ "name": "a", "active": false, "limit": "5.00" });
        let details = Changes::between(&before, &after).about("user", 7).details();
        let expected = json!({
            "active": { "from": true, "to": false },
            "limit": { "from": null, "to": "5.00" },
            "user": 7,
        });
        assert_eq!(details, expected);
        assert_eq!(
            Changes::made(&json!({ "key": "k", "note": null })).details(),
            json!({ "key": { "from": null, "to": "k" } })
        );
    }
}
