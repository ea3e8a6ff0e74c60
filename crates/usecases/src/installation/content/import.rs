//! The state of applying content: what was found, done and refused.

use std::collections::BTreeMap;
use std::sync::Arc;

use auth::Secrets;
use base::ProductId;
use coupons::Definition;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use store::Tx;
use store::offers::coupons::StoredDefinition;
use store::plans::product::NewProduct;
use store::wallet::acceptors::{Acceptor, NewAcceptor};

use super::forms::Kind;
use super::item::Item;
use super::schema::Mistake;
use crate::Error;
use crate::offers::coupon_terms;
use crate::plans::product_terms;
use crate::staff::Staff;
use crate::staff::requests::RequestView;
use crate::wallet::acceptor_terms;

/// What became of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemOutcome {
    Added,
    Changed,
    Unchanged,
    /// All differences wait for a second person.
    Requested,
}

/// A field's value before and after; null if there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldChange {
    pub from: Json,
    pub to: Json,
}

pub type FieldChanges = BTreeMap<String, FieldChange>;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ItemChange {
    pub kind: Kind,
    /// Its name, key or id in the file.
    pub key: String,
    pub change: ItemOutcome,
    pub fields: FieldChanges,
    /// Changes that wait for a second person, and their request.
    #[serde(skip_serializing_if = "FieldChanges::is_empty")]
    pub requested: FieldChanges,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// A secret that is shown only once: a generated acceptance code, or an advertiser's
    /// signing key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    /// Nothing was changed; these are the changes that would be made.
    pub dry_run: bool,
    pub added: usize,
    pub changed: usize,
    pub unchanged: usize,
    /// The number of requests that another operator must approve.
    pub requested: usize,
    pub changes: Vec<ItemChange>,
    /// Not mistakes, but perhaps not intended.
    pub warnings: Vec<Mistake>,
}

pub struct ContentImport<'a, 'tx> {
    pub tx: &'a mut Tx<'tx>,
    pub secrets: &'a Arc<Secrets>,
    pub by: Option<&'a Staff>,
    pub report: ImportReport,
    pub mistakes: Vec<Mistake>,
    /// The activity in which each coupon of the files is claimed.
    pub claimed: BTreeMap<String, Option<String>>,
    deeds: Vec<(&'static str, String, Json)>,
    /// What is requested at the end, with the index of its change in the report.
    asks: Vec<(usize, PendingTerms)>,
}

/// Terms that wait for a second person: the current and the requested ones.
pub enum PendingTerms {
    Product(ProductId, Box<(NewProduct, NewProduct)>),
    Coupon(Box<(StoredDefinition, Definition)>),
    Acceptor(Box<(Acceptor, NewAcceptor)>),
}

impl PendingTerms {
    fn ask(&self, tx: &mut Tx<'_>, by: &Staff) -> Result<Option<RequestView>, Error> {
        match self {
            Self::Product(id, terms) => product_terms::ask(tx, by, *id, &terms.0, &terms.1),
            Self::Coupon(terms) => coupon_terms::ask(tx, by, &terms.0, &terms.1),
            Self::Acceptor(terms) => acceptor_terms::ask(tx, by, &terms.0, &terms.1),
        }
    }
}

/// The differences of an entry: what is changed now, and what waits.
pub struct ItemDifference {
    pub now: FieldChanges,
    pub later: FieldChanges,
    /// None of its terms have been approved yet.
    pub draft: bool,
}

impl<'a, 'tx> ContentImport<'a, 'tx> {
    pub fn new(tx: &'a mut Tx<'tx>, secrets: &'a Arc<Secrets>, by: Option<&'a Staff>) -> Self {
        Self {
            tx,
            secrets,
            by,
            report: ImportReport::default(),
            mistakes: Vec::new(),
            claimed: BTreeMap::new(),
            deeds: Vec::new(),
            asks: Vec::new(),
        }
    }

    pub fn wrong(&mut self, item: &Item, field: &str, problem: impl Into<String>) {
        self.mistakes.push(item.mistake(field, problem));
    }

    /// A new entry, with the audit log's action and subject.
    pub fn added(&mut self, item: &Item, deed: (&'static str, String), form: &Json, secret: Option<String>) {
        let fields = field_changes(&Json::Null, form);
        self.report.added += 1;
        self.note(item, ItemOutcome::Added, fields, secret, deed);
    }

    /// Something that came with an entry and is no entry itself.
    pub fn record_also(&mut self, action: &'static str, subject: String, made: &Json) {
        self.deeds.push((action, subject, json!(field_changes(&Json::Null, made))));
    }

    pub fn changed(&mut self, item: &Item, deed: (&'static str, String), fields: FieldChanges, secret: Option<String>) {
        self.report.changed += 1;
        self.note(item, ItemOutcome::Changed, fields, secret, deed);
    }

    pub fn unchanged(&mut self, item: &Item) {
        self.report.unchanged += 1;
        let change = ItemOutcome::Unchanged;
        self.report.changes.push(ItemChange {
            kind: item.kind,
            key: item.key.clone(),
            change,
            fields: FieldChanges::new(),
            requested: FieldChanges::new(),
            request: None,
            secret: None,
        });
    }

    /// A known entry with terms that wait for a second person. The caller writes what is
    /// changed now.
    pub fn differs(&mut self, item: &Item, deed: (&'static str, String), differs: ItemDifference, terms: PendingTerms) {
        let ItemDifference { now, later, draft } = differs;
        // The terms of a draft may have been rejected or have expired.
        let asks = draft || !later.is_empty();
        match (now.is_empty(), later.is_empty()) {
            (true, true) => self.unchanged(item),
            (true, false) => self.requested(item, later),
            (false, _) => {
                self.changed(item, deed, now, None);
                self.awaiting(later);
            }
        }
        if asks {
            self.ask(terms);
        }
    }

    /// Nothing of it is changed yet.
    fn requested(&mut self, item: &Item, requested: FieldChanges) {
        let (kind, key, change) = (item.kind, item.key.clone(), ItemOutcome::Requested);
        let fields = FieldChanges::new();
        self.report.changes.push(ItemChange { kind, key, change, fields, requested, request: None, secret: None });
    }

    /// The part of the last change that waits for a second person.
    fn awaiting(&mut self, requested: FieldChanges) {
        if let Some(last) = self.report.changes.last_mut() {
            last.requested = requested;
        }
    }

    /// Requests the terms of the last change.
    pub fn ask(&mut self, terms: PendingTerms) {
        self.asks.push((self.report.changes.len().saturating_sub(1), terms));
    }

    fn note(
        &mut self,
        item: &Item,
        change: ItemOutcome,
        fields: FieldChanges,
        secret: Option<String>,
        (action, subject): (&'static str, String),
    ) {
        self.deeds.push((action, subject, json!(fields)));
        let (kind, key, requested) = (item.kind, item.key.clone(), FieldChanges::new());
        self.report.changes.push(ItemChange { kind, key, change, fields, requested, request: None, secret });
    }

    /// Makes the requests and writes the audit records at the end of the transaction,
    /// because all audited work waits for the end of the chain.
    pub fn record(&mut self) -> Result<(), Error> {
        let Some(by) = self.by else { return Ok(()) };
        for (place, terms) in self.asks.drain(..) {
            let Some(request) = terms.ask(self.tx, by)? else { continue };
            self.report.requested += 1;
            if let Some(change) = self.report.changes.get_mut(place) {
                change.request = Some(request.id);
            }
        }
        for (action, subject, details) in self.deeds.drain(..) {
            by.record(self.tx, action, subject, &details)?;
        }
        Ok(())
    }
}

/// The fields that differ between two values, such as `put_rule.price`.
pub fn field_changes(before: &Json, after: &Json) -> FieldChanges {
    let (mut from, mut to) = (BTreeMap::new(), BTreeMap::new());
    leaves("", before, &mut from);
    leaves("", after, &mut to);
    let mut differing = FieldChanges::new();
    for name in from.keys().chain(to.keys()) {
        let (before, after) = (from.get(name), to.get(name));
        if before != after {
            let value = |leaf: Option<&&Json>| leaf.map_or(Json::Null, |leaf| (*leaf).clone());
            differing.insert(name.clone(), FieldChange { from: value(before), to: value(after) });
        }
    }
    differing
}

fn leaves<'a>(path: &str, value: &'a Json, found: &mut BTreeMap<String, &'a Json>) {
    match value {
        Json::Object(fields) => {
            for (name, below) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                leaves(&path, below, found);
            }
        }
        Json::Null => {}
        leaf => {
            found.insert(path.to_owned(), leaf);
        }
    }
}

/// The same without empty values: nulls, empty lists and tables.
pub fn tidy(value: Json) -> Json {
    match value {
        Json::Object(fields) => {
            let kept = fields.into_iter().map(|(name, value)| (name, tidy(value)));
            Json::Object(kept.filter(|(_, value)| !says_nothing(value)).collect::<Map<_, _>>())
        }
        other => other,
    }
}

fn says_nothing(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::Array(items) => items.is_empty(),
        Json::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_differ_where_their_leaves_do() {
        let before = json!({ "name": "A", "rule": { "price": "1.00", "days": 7 }, "langs": ["de"], "url": "x" });
        let after =
            json!({ "name": "A", "rule": { "price": "2.00", "days": 7 }, "langs": ["de", "en"], "cap": "5.00" });
        let told = |changes: FieldChanges| {
            changes
                .into_iter()
                .map(|(name, change)| format!("{name} {} {}", change.from, change.to))
                .collect::<Vec<_>>()
        };
        let expected =
            [r#"cap null "5.00""#, r#"langs ["de"] ["de","en"]"#, r#"rule.price "1.00" "2.00""#, r#"url "x" null"#];
        assert_eq!(told(field_changes(&before, &after)), expected);
        assert!(field_changes(&after, &after).is_empty());
        assert_eq!(field_changes(&Json::Null, &after).len(), 5);
    }

    #[test]
    fn what_says_nothing_is_left_out() {
        let value = json!({ "a": null, "b": [], "c": { "d": [], "e": null }, "f": { "g": "" }, "h": false });
        assert_eq!(tidy(value), json!({ "f": { "g": "" }, "h": false }));
    }
}
