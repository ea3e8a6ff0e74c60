//! The demonstration's content for all users besides its market: contacts, and accounts to pay in to.

use std::collections::BTreeMap;

use ::content::{Kind, Source};
use desk::installation::content;
use foundation::staff::requests::RequestKind;
use foundation::{App, Error};

use super::people::{Pair, approve_named};
use crate::Failure;

/// Entries of one kind, each with an `id`.
struct Published {
    kind: Kind,
    request: RequestKind,
    file: &'static str,
    text: &'static str,
}

const CONTACTS: Published = Published {
    kind: Kind::Contact,
    request: RequestKind::Contact,
    file: "contacts.toml",
    text: include_str!("../../content/contacts.toml"),
};
const PAY_IN: Published = Published {
    kind: Kind::PayIn,
    request: RequestKind::PayIn,
    file: "pay-in.toml",
    text: include_str!("../../content/pay-in.toml"),
};

pub async fn plant(app: &App, staff: &Pair) -> Result<(), Failure> {
    CONTACTS.plant(app, staff).await?;
    PAY_IN.plant(app, staff).await
}

impl Published {
    /// Adds missing entries, unless staff have entries of their own: those are left alone.
    async fn plant(&self, app: &App, staff: &Pair) -> Result<(), Failure> {
        let mut missing = self.entries()?;
        for known in content::export(app, &[self.kind]).await?.into_values().flatten() {
            let id = known.get("id").and_then(serde_json::Value::as_str).unwrap_or_default();
            if missing.remove(id).is_none() {
                return Ok(());
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        let tables = BTreeMap::from([(self.kind.name(), missing.values().collect::<Vec<_>>())]);
        let text = toml::to_string(&tables).map_err(|e| Error::Internal(e.to_string()))?;
        content::apply(app, &staff.first, &[Source { name: self.file.to_owned(), text, json: false }]).await?;
        for id in missing.keys() {
            approve_named(app, staff, self.request, id).await?;
        }
        Ok(())
    }

    fn entries(&self) -> Result<BTreeMap<String, toml::Table>, Error> {
        let wrong = |problem: String| Error::Internal(format!("{}: {problem}", self.file));
        let mut all: BTreeMap<String, Vec<toml::Table>> =
            toml::from_str(self.text).map_err(|e| wrong(e.to_string()))?;
        let entries = all.remove(self.kind.name()).unwrap_or_default().into_iter().map(|entry| {
            let id = entry.get("id").and_then(toml::Value::as_str).map(str::to_owned);
            Ok((id.ok_or_else(|| wrong("an entry without an id".to_owned()))?, entry))
        });
        entries.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_has_its_entries_and_the_contacts_are_of_both_types() {
        let entries = CONTACTS.entries().expect("contacts");
        let of = |kind: i64| entries.values().filter(|one| one["type"].as_integer() == Some(kind)).count();
        assert_eq!((of(1), of(2), entries.len()), (3, 2, 5));
        assert_eq!(PAY_IN.entries().expect("an account").len(), 1);
    }
}
