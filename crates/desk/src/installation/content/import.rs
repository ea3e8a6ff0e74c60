//! The state of applying content: what was found, done and refused.

use std::collections::BTreeMap;
use std::sync::Arc;

use auth::Secrets;
use base::{AcceptorId, ProductId};
use campaigns::catalogue::product_terms;
use content::{FieldChanges, ImportReport, Item, ItemDifference, Mistake, field_changes};
use coupons::Definition;
use foundation::Error;
use foundation::staff::Staff;
use foundation::staff::requests::{Proposal, RequestView, file_once};
use money::offers::coupon_terms;
use money::wallet::{acceptor_changes, acceptor_terms};
use serde_json::{Value as Json, json};
use store::Tx;
use store::offers::coupons::StoredDefinition;
use store::plans::product::NewProduct;
use store::wallet::acceptors::{Acceptor, NewAcceptor};
use wallet::RequestKind;

use super::published;

pub struct ContentImport<'a, 'tx> {
    pub tx: &'a mut Tx<'tx>,
    pub secrets: &'a Arc<Secrets>,
    pub by: Option<&'a Staff>,
    pub report: ImportReport,
    pub mistakes: Vec<Mistake>,
    /// The activity in which each coupon of the files is claimed.
    pub claimed: BTreeMap<String, Option<String>>,
    deeds: Vec<(&'static str, String, Json)>,
    /// The terms to request at the end, with the index of each change in the report.
    asks: Vec<(usize, PendingTerms)>,
}

/// Terms that wait for a second person: the current and the requested ones.
pub enum PendingTerms {
    Product(ProductId, Box<(NewProduct, NewProduct)>),
    Coupon(Box<(StoredDefinition, Definition)>),
    Acceptor(Box<(Acceptor, NewAcceptor)>),
    AcceptorChange(AcceptorId, Proposal),
    /// Content that all users see.
    Published(RequestKind, Proposal),
}

impl PendingTerms {
    fn ask(&self, tx: &mut Tx<'_>, by: &Staff) -> Result<Option<RequestView>, Error> {
        match self {
            Self::Product(id, terms) => product_terms::ask(tx, by, *id, &terms.0, &terms.1),
            Self::Coupon(terms) => coupon_terms::ask(tx, by, &terms.0, &terms.1),
            Self::Acceptor(terms) => acceptor_terms::ask(tx, by, &terms.0, &terms.1),
            Self::AcceptorChange(id, proposal) => acceptor_changes::ask(tx, by, *id, proposal).map(Some),
            Self::Published(kind, proposal) => file_once(tx, by, *kind, proposal).map(Some),
        }
    }
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

    pub fn note_mistake(&mut self, item: &Item, field: &str, problem: impl Into<String>) {
        self.mistakes.push(item.mistake(field, problem));
    }

    /// A new entry, with the audit log's action and subject.
    pub fn note_added(&mut self, item: &Item, deed: (&'static str, String), form: &Json, secret: Option<String>) {
        let fields = field_changes(&Json::Null, form);
        self.deed(deed, &fields);
        self.report.note_added(item, fields, secret);
    }

    /// Something that came with an entry and is no entry itself.
    pub fn record_also(&mut self, action: &'static str, subject: String, made: &Json) {
        self.deeds.push((action, subject, json!(field_changes(&Json::Null, made))));
    }

    pub fn note_changed(
        &mut self,
        item: &Item,
        deed: (&'static str, String),
        fields: FieldChanges,
        secret: Option<String>,
    ) {
        self.deed(deed, &fields);
        self.report.note_changed(item, fields, secret);
    }

    pub fn note_unchanged(&mut self, item: &Item) {
        self.report.note_unchanged(item);
    }

    /// A known entry with terms that wait for a second person. The caller writes what is
    /// changed now.
    pub fn differs(&mut self, item: &Item, deed: (&'static str, String), differs: ItemDifference, terms: PendingTerms) {
        let asks = differs.asks();
        if !differs.now.is_empty() {
            self.deed(deed, &differs.now);
        }
        self.report.differs(item, differs);
        if asks {
            self.ask(terms);
        }
    }

    /// An entry that all users see: `now` is it without what waits for a second person, which
    /// the caller writes. The forms are null for a new one.
    pub fn note_published(
        &mut self,
        item: &Item,
        deed: (&'static str, String),
        kind: RequestKind,
        [before, now, after]: [Json; 3],
    ) {
        let later = field_changes(&now, &after);
        if before.is_null() && later.is_empty() {
            return self.note_added(item, deed, &after, None);
        }
        let differs = ItemDifference { now: field_changes(&before, &now), later, draft: false };
        self.differs(item, deed, differs, PendingTerms::Published(kind, published::proposal(now, after)));
    }

    /// Requests the terms of the last change.
    pub fn ask(&mut self, terms: PendingTerms) {
        self.asks.push((self.report.last(), terms));
    }

    fn deed(&mut self, (action, subject): (&'static str, String), fields: &FieldChanges) {
        self.deeds.push((action, subject, json!(fields)));
    }

    /// Makes the requests and writes the audit records at the end of the transaction,
    /// because all audited work waits for the end of the chain.
    pub fn record(&mut self) -> Result<(), Error> {
        let Some(by) = self.by else { return Ok(()) };
        for (place, terms) in self.asks.drain(..) {
            let Some(request) = terms.ask(self.tx, by)? else { continue };
            self.report.note_request(place, request.id.to_string());
        }
        for (action, subject, details) in self.deeds.drain(..) {
            by.record(self.tx, action, subject, &details)?;
        }
        Ok(())
    }
}
