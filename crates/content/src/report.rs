//! The report on applying files, or on what that would change.

use serde::Serialize;

use crate::changes::FieldChanges;
use crate::forms::Kind;
use crate::item::Item;
use crate::schema::Mistake;

/// The outcome of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemOutcome {
    Added,
    Changed,
    Unchanged,
    /// All of its differences wait for a second person.
    Requested,
}

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
    /// Another request, if two kinds of changes wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_request: Option<String>,
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

/// The differences of an entry: what is changed now, and what waits.
pub struct ItemDifference {
    pub now: FieldChanges,
    pub later: FieldChanges,
    /// None of its terms have been approved yet.
    pub draft: bool,
}

impl ItemDifference {
    /// Whether a second person is asked. The terms of a draft may have been rejected or
    /// have expired.
    pub fn asks(&self) -> bool {
        self.draft || !self.later.is_empty()
    }
}

impl ImportReport {
    pub fn note_added(&mut self, item: &Item, fields: FieldChanges, secret: Option<String>) {
        self.added += 1;
        self.note(item, ItemOutcome::Added, fields, secret);
    }

    pub fn note_changed(&mut self, item: &Item, fields: FieldChanges, secret: Option<String>) {
        self.changed += 1;
        self.note(item, ItemOutcome::Changed, fields, secret);
    }

    pub fn note_unchanged(&mut self, item: &Item) {
        self.unchanged += 1;
        self.note(item, ItemOutcome::Unchanged, FieldChanges::new(), None);
    }

    /// A known entry with terms that wait for a second person.
    pub fn differs(&mut self, item: &Item, difference: ItemDifference) {
        let ItemDifference { now, later, .. } = difference;
        match (now.is_empty(), later.is_empty()) {
            (true, true) => return self.note_unchanged(item),
            // None of it is changed yet.
            (true, false) => self.note(item, ItemOutcome::Requested, now, None),
            (false, _) => self.note_changed(item, now, None),
        }
        if let Some(last) = self.changes.last_mut() {
            last.requested = later;
        }
    }

    /// The place of the last change.
    pub fn last(&self) -> usize {
        self.changes.len().saturating_sub(1)
    }

    /// A second person was asked for what waits of this change.
    pub fn note_request(&mut self, place: usize, request: String) {
        self.requested += 1;
        if let Some(change) = self.changes.get_mut(place) {
            let free = if change.request.is_none() { &mut change.request } else { &mut change.other_request };
            *free = Some(request);
        }
    }

    /// If nothing was changed, without keys, codes and request numbers, which will not be
    /// the real ones.
    #[must_use]
    pub fn told(mut self) -> Self {
        if self.dry_run {
            for change in &mut self.changes {
                (change.secret, change.request, change.other_request) = (None, None, None);
            }
        }
        self
    }

    fn note(&mut self, item: &Item, change: ItemOutcome, fields: FieldChanges, secret: Option<String>) {
        let (kind, key, requested) = (item.kind, item.key.clone(), FieldChanges::new());
        self.changes.push(ItemChange {
            kind,
            key,
            change,
            fields,
            requested,
            request: None,
            other_request: None,
            secret,
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::changes::field_changes;
    use crate::item::{Content, Source};

    fn item() -> Item {
        let source = Source { name: "a.toml".into(), text: "name = \"A\"\n".into(), json: false };
        Content::read_one(Kind::Advertiser, &source).items.pop().expect("an item")
    }

    fn difference(now: bool, later: bool, draft: bool) -> ItemDifference {
        let changes = |differs| field_changes(&json!({}), &if differs { json!({ "a": 1 }) } else { json!({}) });
        ItemDifference { now: changes(now), later: changes(later), draft }
    }

    #[test]
    fn what_is_changed_now_and_what_waits() {
        use ItemOutcome::{Changed, Requested, Unchanged};
        for (now, later, outcome, changed, unchanged) in [
            (false, false, Unchanged, 0, 1),
            (false, true, Requested, 0, 0),
            (true, false, Changed, 1, 0),
            (true, true, Changed, 1, 0),
        ] {
            let mut report = ImportReport::default();
            report.differs(&item(), difference(now, later, false));
            assert_eq!((report.changed, report.unchanged, report.requested), (changed, unchanged, 0));
            let [change] = report.changes.as_slice() else { panic!("{report:?}") };
            let fields = (change.change, change.fields.len(), change.requested.len());
            assert_eq!(fields, (outcome, usize::from(now), usize::from(later)));
        }
    }

    #[test]
    fn a_draft_is_asked_about_again() {
        assert!(!difference(true, false, false).asks());
        assert!(difference(false, false, true).asks());
        assert!(difference(false, true, false).asks());
    }

    #[test]
    fn a_rehearsal_tells_no_secret_and_no_number() {
        let mut report = ImportReport::default();
        report.note_unchanged(&item());
        report.note_added(&item(), FieldChanges::new(), Some("secret".into()));
        assert_eq!((report.added, report.last()), (1, 1));
        report.note_request(1, "7".into());
        assert_eq!(report.requested, 1);
        assert_eq!(report.clone().told(), report);
        report.dry_run = true;
        let told = report.told();
        assert!(told.changes.iter().all(|change| change.secret.is_none() && change.request.is_none()));
    }
}
