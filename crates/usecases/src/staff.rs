//! A member of staff at work: who it is, what they may do, and the reason that
//! every change asks for and the audit keeps.

use auth::Permission;
use base::OperatorId;
use serde_json::Value;
use store::Tx;
use store::audit::{self, Actor, Deed};
use store::operators::{self, Operator};

use crate::{Error, Refusal};

const LONGEST_REASON: usize = 500;

#[derive(Clone, Debug)]
pub struct Staff {
    operator: Operator,
    reason: String,
}

impl Staff {
    /// # Errors
    /// The field `reason`, with `required` or `too_long`.
    pub fn new(operator: Operator, reason: &str) -> Result<Self, Error> {
        let reason = reason.trim().to_owned();
        if reason.is_empty() {
            return Err(Error::field("reason", "required"));
        }
        if reason.chars().count() > LONGEST_REASON {
            return Err(Error::field("reason", "too_long"));
        }
        Ok(Self { operator, reason })
    }

    pub const fn id(&self) -> OperatorId {
        self.operator.id
    }

    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// As the ledger names who acted: `operator:3`.
    pub fn actor(&self) -> String {
        format!("operator:{}", self.operator.id)
    }

    /// # Errors
    /// `not_permitted` where the role does not allow it.
    pub fn may(&self, permission: Permission) -> Result<(), Error> {
        if self.operator.role.may(permission) { Ok(()) } else { Err(Refusal::NotPermitted.into()) }
    }

    /// The same as of now, where others may have revoked the operator since the
    /// sign-in.
    ///
    /// # Errors
    /// `not_permitted`.
    pub(crate) fn still_may(&self, tx: &mut Tx<'_>, permission: Permission) -> Result<(), Error> {
        let now = operators::lock(tx, self.operator.id)?.filter(|operator| !operator.revoked);
        let may = now.is_some_and(|operator| operator.role.may(permission));
        if may { Ok(()) } else { Err(Refusal::NotPermitted.into()) }
    }

    /// Adds a deed to the audit, in the transaction that does it. Let it be the
    /// transaction's last statement: all audited work queues for the chain.
    pub fn record(&self, tx: &mut Tx<'_>, action: &'static str, subject: String, details: &Value) -> Result<(), Error> {
        let actor = Actor { id: Some(self.operator.id), name: self.operator.name.clone() };
        let deed = Deed { action, subject, details: details.to_string(), reason: self.reason.clone() };
        Ok(audit::append(tx, &actor, &deed)?)
    }
}

#[cfg(test)]
mod tests {
    use auth::Role;
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
        for (reason, problem) in [("", "required"), ("  ", "required"), (&"x".repeat(501), "too_long")] {
            let error = staff(reason).expect_err("refused");
            assert!(matches!(&error, Error::Fields(fields) if fields.get("reason") == Some(&problem)), "{error}");
        }
        assert_eq!(staff(" why ").expect("staff").reason(), "why");
    }

    #[test]
    fn a_role_limits_what_may_be_done() {
        let staff = staff("why").expect("staff");
        assert!(staff.may(Permission::Accounts).is_ok());
        assert!(matches!(staff.may(Permission::Money), Err(Error::Refused(Refusal::NotPermitted))));
        assert_eq!(staff.actor(), "operator:3");
    }
}
