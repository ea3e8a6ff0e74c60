//! What each role may request and approve, and what each person has used of it over time.

use auth::{Limits, Role};
use base::{Money, OperatorId, Period, Timestamp};
use diesel::prelude::*;
use diesel::sql_types::BigInt;

use super::audit::Record;
use crate::schema::{audit, role_limits as limits};
use crate::{Conn, Error, Tx, will_change};
use db::One;

/// The action of changing a role's limits, in the audit log.
pub const CHANGED: &str = "operator.limit";

/// The limits of a role; `None` for a role without limits.
pub fn of(conn: &mut Conn, role: Role) -> Result<Option<Limits>, Error> {
    let row: Option<(Money, Money)> =
        limits::table.find(role).select((limits::at_once, limits::daily)).first(conn).optional()?;
    Ok(row.map(|(each, daily)| Limits { each, daily }))
}

/// A role's limits, to check an action against them. The audit record will contain them.
pub fn binding(tx: &mut Tx<'_>, role: Role) -> Result<Option<Limits>, Error> {
    tx.notes().relies("role_limits", role.code().into());
    of(tx, role)
}

/// Sets the limits of a role that has limits.
pub fn set(tx: &mut Tx<'_>, role: Role, to: Limits) -> Result<(), Error> {
    will_change(tx, "role_limits", [role.code().into()])?;
    tx.run(diesel::update(limits::table.find(role)).set((limits::at_once.eq(to.each), limits::daily.eq(to.daily))))
}

/// Records are numbered in the order of writing, and if a clock was set back, later ones have earlier times. So the
/// search begins this long before the period.
const CLOCK_SET_BACK_MILLIS: i64 = 86_400_000;

/// The last record that the sealed end of the audit covers.
const END: &str = "(SELECT last_id FROM audit_head WHERE audit_head.id = 1)";

/// The sum of what all operators of a person, including revoked ones, requested and approved in a period, according to
/// the audit records. The person is locked. No other count is stored, because somebody could edit or delete it.
pub fn sum_moved(tx: &mut Tx<'_>, person: OperatorId, period: Period) -> Result<Money, Error> {
    let mut field = |name: &str| match tx.conn() {
        Conn::Sqlite(_) => format!("json_extract(details, '$.{name}')"),
        Conn::Postgres(_) => format!("CAST(details AS JSON) ->> '{name}'"),
    };
    // Records of the previous version contain only the amount. What stands behind the sealed end of the audit, or
    // before its first record, was put in: it could count less than nothing. The operators are few and come first:
    // SQLite keeps the order of a cross join.
    let (counted, amount) = (field(super::audit::COUNTED), field("amount"));
    let counts =
        "action LIKE '%.request' OR action LIKE '%.approve' OR action LIKE '%.pay' OR action LIKE '%.complete'";
    let sql = format!(
        "SELECT CAST(COALESCE(SUM(CAST(REPLACE(CASE WHEN {counted} IS NOT NULL THEN {counted} WHEN {counts} THEN {amount} END, \
         '.', '') AS BIGINT)), 0) AS BIGINT) AS moved FROM operators CROSS JOIN audit \
         WHERE COALESCE(operators.person, operators.id) = $1 AND operator_name = name AND operator_id = operators.id \
         AND audit.id >= (SELECT id FROM audit WHERE at >= $2 AND id BETWEEN 1 AND {END} ORDER BY at, id LIMIT 1) \
         AND audit.id BETWEEN 1 AND {END} AND at >= $3 AND at < $4"
    );
    let found: One<Money> = diesel::sql_query(sql)
        .bind::<BigInt, _>(person.0)
        .bind::<BigInt, _>(period.from.millis().saturating_sub(CLOCK_SET_BACK_MILLIS))
        .bind::<BigInt, _>(period.from.millis())
        .bind::<BigInt, _>(period.until.millis())
        .get_result(tx.conn())?;
    let pending = tx.notes().counted().unwrap_or(Money::ZERO);
    pending.plus(found.0).map_err(|e| Error::Corrupt(format!("the sum of what was moved: {e}")))
}

/// The oldest record since a time that changed a role's limits, of those that the sealed end of the audit covers.
pub fn first_change(conn: &mut Conn, role: Role, since: Timestamp) -> Result<Option<Record>, Error> {
    let covered = super::audit::covered(conn)?;
    let of_role = audit::subject.eq(format!("role:{}", role.name())).and(audit::action.eq(CHANGED));
    let found = audit::table.filter(of_role.and(audit::at.ge(since)));
    let in_chain = found.filter(audit::id.between(*covered.start(), *covered.end()));
    Ok(in_chain.order(audit::id).first(conn).optional()?)
}

/// Counts this amount towards the operator's limits; the audit record will contain it.
pub fn count(tx: &mut Tx<'_>, amount: Money) -> Result<(), Error> {
    tx.notes().counts(amount)
}
