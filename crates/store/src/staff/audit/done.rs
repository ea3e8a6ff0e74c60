//! What records say was done, held against the rows that decide who may do what: which person an operator counts as and
//! which role they have, the limits of a role, and who approved a request.
//!
//! The digest of a row is taken from the database, after it was written. So whoever can change how the database writes
//! it, by a trigger or a default of a column, has the program record what they wanted. But the action, who did it, and
//! what is read here of the details come from the program.

use std::collections::{BTreeMap, HashMap};

use auth::{Limits, Role};
use base::OperatorId;
use diesel::prelude::*;
use serde_json::Value;
use wallet::{RequestKind, RequestStatus};

use super::Record;
use crate::schema::{money_requests as requests, operators};
use crate::staff::limits;
use crate::{Conn, Error};

const ADDED: &str = "operator.add";
const ROTATED: &str = "operator.rotate";
const CONFIRMED: &str = "operator.confirm";
const FOUNDED: &str = "operator.founders";
const ASKED: &str = ".request";
const APPROVED: &str = ".approve";

const READ_AT_ONCE: i64 = 2_000;

/// What was done, as far as records say all of it: older ones do not name persons, and say nothing here.
#[derive(Default)]
pub(super) struct Done {
    /// Which person each operator counts as.
    persons: BTreeMap<i64, i64>,
    roles: BTreeMap<i64, String>,
    /// By the role's name, with the record.
    limits: BTreeMap<String, (i64, Limits)>,
    /// Who approved each request that was made, by its name, such as `recharge:5`.
    approved: HashMap<String, Option<OperatorId>>,
}

impl Done {
    pub fn take(&mut self, record: &Record) {
        match record.action.as_str() {
            ADDED => self.add(record),
            ROTATED => self.rotate(record),
            CONFIRMED => self.is_own_person(number_of(&record.subject)),
            FOUNDED => {
                let details = details(record);
                let founders = details.get("operators").and_then(Value::as_array).into_iter().flatten();
                founders.for_each(|id| self.is_own_person(number(id)));
            }
            limits::CHANGED => self.limit(record),
            action if action.ends_with(ASKED) => {
                self.approved.entry(record.subject.clone()).or_default();
            }
            action if action.ends_with(APPROVED) => {
                if let Some(by) = self.approved.get_mut(&record.subject) {
                    *by = record.operator_id;
                }
            }
            _ => {}
        }
    }

    /// Whoever is added is the person of who added them.
    fn add(&mut self, record: &Record) {
        let (details, Some(id)) = (details(record), number_of(&record.subject)) else { return };
        if details.get("person").is_none() {
            return;
        }
        let person = record.operator_id.map_or(Some(id), |by| self.persons.get(&by.0).copied());
        self.persons.extend(person.map(|person| (id, person)));
        let role = details.get("role").and_then(Value::as_str);
        self.roles.extend(role.map(|role| (id, role.to_owned())));
    }

    /// Whoever gets a key from somebody else is their person.
    fn rotate(&mut self, record: &Record) {
        let Some(id) = number_of(&record.subject) else { return };
        match details(record).get("person").and_then(|person| person.get("to")).and_then(number) {
            Some(person) => self.persons.extend([(id, person)]),
            None if record.operator_id == Some(OperatorId(id)) => {}
            None => {
                self.persons.remove(&id);
            }
        }
    }

    fn is_own_person(&mut self, operator: Option<i64>) {
        self.persons.extend(operator.map(|id| (id, id)));
    }

    fn limit(&mut self, record: &Record) {
        let Some(role) = record.subject.strip_prefix("role:") else { return };
        let details = details(record);
        let to = |name: &str| details.get(name)?.get("to")?.as_str()?.parse().ok();
        match to("each").zip(to("daily")) {
            Some((each, daily)) => self.limits.extend([(role.to_owned(), (record.id, Limits { each, daily }))]),
            None => {
                self.limits.remove(role);
            }
        }
    }

    /// Compares the rows with it: the faults, each with the record it concerns, or with the last one.
    pub fn check(self, conn: &mut Conn, last: i64) -> Result<Vec<(i64, String)>, Error> {
        let mut faults = self.check_operators(conn, last)?;
        faults.extend(self.check_limits(conn)?);
        faults.extend(self.check_requests(conn, last)?);
        Ok(faults)
    }

    fn check_operators(&self, conn: &mut Conn, last: i64) -> Result<Vec<(i64, String)>, Error> {
        let rows: Vec<(OperatorId, Role, Option<OperatorId>)> = operators::table
            .select((operators::id, operators::role, operators::person))
            .order(operators::id)
            .load(conn)?;
        let mut faults = Vec::new();
        for (id, role, person) in rows {
            let person = person.unwrap_or(id);
            if let Some(said) = self.persons.get(&id.0).filter(|said| **said != person.0) {
                faults.push((
                    last,
                    format!("operator {id} counts as operator {person}: by the records, as operator {said}"),
                ));
            }
            if let Some(said) = self.roles.get(&id.0).filter(|said| *said != role.name()) {
                faults.push((last, format!("operator {id} has the role {}: by the records, {said}", role.name())));
            }
        }
        Ok(faults)
    }

    fn check_limits(&self, conn: &mut Conn) -> Result<Vec<(i64, String)>, Error> {
        let mut faults = Vec::new();
        for role in Role::ALL.iter().copied() {
            let Some((record, said)) = self.limits.get(role.name()) else { continue };
            if limits::of(conn, role)? != Some(*said) {
                faults.push((*record, format!("the limits of role {} are not what record {record} says", role.code())));
            }
        }
        Ok(faults)
    }

    /// A request that records name must have been approved by whoever its row says.
    fn check_requests(&self, conn: &mut Conn, last: i64) -> Result<Vec<(i64, String)>, Error> {
        let (mut faults, mut above) = (Vec::new(), 0);
        loop {
            let rows: Vec<(i64, RequestKind, Option<OperatorId>)> = requests::table
                .filter(requests::id.gt(above).and(requests::status.eq(RequestStatus::Approved)))
                .filter(requests::old_number.is_null())
                .select((requests::id, requests::kind, requests::decided_by))
                .order(requests::id)
                .limit(READ_AT_ONCE)
                .load(conn)?;
            let Some((end, ..)) = rows.last() else { return Ok(faults) };
            above = *end;
            for (id, kind, decided_by) in rows {
                let name = format!("{}:{id}", kind.document());
                if self.approved.get(&name).is_some_and(|by| *by != decided_by) {
                    faults.push((last, format!("request {id} is approved, and no record says by whom its row says")));
                }
            }
        }
    }
}

fn details(record: &Record) -> Value {
    serde_json::from_str(&record.details).unwrap_or_default()
}

/// Of `operator:3`.
fn number_of(subject: &str) -> Option<i64> {
    subject.strip_prefix("operator:")?.parse().ok()
}

/// An id, which is written as a number or as a text.
fn number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.parse().ok())
}
