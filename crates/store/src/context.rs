//! What the store keeps with the database: the seal of the audit log, the high-water
//! mark, and version numbers that show whether the answers of slots may have changed.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use auth::Sealer;
use base::Money;

use crate::Error;
use crate::installation::high_water::{self, Keeper, Link, Written};
use crate::installation::protected::BY_AUDIT;

/// The table and id of a row.
pub(crate) type Row = (&'static str, i64);
/// The digests of rows before they were written; `None` for a row that did not exist.
pub(crate) type RowsBefore = BTreeMap<Row, Option<[u8; 32]>>;

#[derive(Default)]
pub struct Context {
    pub(crate) sealer: OnceLock<Sealer>,
    pub(crate) market: Arc<Versions>,
    pub(crate) keeper: Arc<OnceLock<Keeper>>,
    /// Rows that a test created without an audit record.
    #[cfg(feature = "testing")]
    pub(crate) made_by_test: Arc<std::sync::Mutex<BTreeSet<Row>>>,
}

impl Context {
    pub(crate) fn sealer(&self) -> Result<Sealer, Error> {
        self.sealer.get().cloned().ok_or_else(|| Error::Corrupt("nobody told what the audit is sealed with".into()))
    }

    #[cfg(feature = "testing")]
    fn unvouched(&self) -> BTreeSet<Row> {
        self.made_by_test.lock().map(|rows| rows.clone()).unwrap_or_default()
    }

    #[cfg(not(feature = "testing"))]
    const fn unvouched(&self) -> BTreeSet<Row> {
        BTreeSet::new()
    }

    /// Forgets these rows, because a record protects them now.
    #[cfg(feature = "testing")]
    fn forget_made_by_test(&self, tx: &Tx<'_>) {
        let rows = self.made_by_test.clone();
        tx.on_commit(move || rows.lock().map(|mut rows| rows.clear()).unwrap_or_default());
    }
}

/// Increase with every commit in this process that may change the answers of slots.
#[derive(Default)]
pub(crate) struct Versions {
    pub catalogue: AtomicU64,
    pub plans: AtomicU64,
}

/// An open transaction.
pub type Tx<'a> = db::Tx<'a, Context>;

impl db::Context for Context {
    type Notes = Notes;

    /// Starts each piece of work with fresh notes, so that its audit record protects only the rows that it wrote
    /// itself.
    fn begin(&self, notes: &Notes) {
        notes.vouched.replace(self.unvouched());
        notes.were.take();
        notes.relied.take();
        notes.counted.set(None);
    }

    fn before_commit(tx: &mut Tx<'_>) -> Result<(), Error> {
        let (context, notes) = (tx.context(), tx.notes());
        let written = notes.written.get();
        let commits = if tx.has_changed()? { high_water::count(tx)? } else { None };
        if commits.is_some() || written.is_any() {
            let (keeper, now) = (context.keeper.clone(), tx.now());
            tx.on_commit(move || {
                keeper.get().into_iter().for_each(|keeper| keeper.note_reached(commits, written, now))
            });
        }
        let (catalogue, plans) = (u64::from(notes.catalogue.get()), u64::from(notes.plans.get()));
        if catalogue + plans > 0 {
            let versions = context.market.clone();
            tx.on_commit(move || {
                versions.catalogue.fetch_add(catalogue, Ordering::Release);
                versions.plans.fetch_add(plans, Ordering::Release);
            });
        }
        #[cfg(feature = "testing")]
        if written.record.is_some() {
            context.forget_made_by_test(tx);
        }
        Ok(())
    }
}

/// Announces that protected rows will be changed or removed. They stay locked, and the next audit record contains their
/// digests from before and after. So an edit made by hand is found even after the row is written again. All code that
/// changes such a row calls this first.
pub(crate) fn will_change(
    tx: &mut Tx<'_>,
    table: &'static str,
    keys: impl IntoIterator<Item = i64>,
) -> Result<(), Error> {
    let notes = tx.notes();
    let keys: Vec<i64> = keys.into_iter().filter(|key| notes.vouched.borrow_mut().insert((table, *key))).collect();
    let protected = BY_AUDIT.iter().find(|protected| protected.table == table);
    let Some(protected) = protected.filter(|_| !keys.is_empty()) else { return Ok(()) };
    protected.lock(tx, &keys)?;
    let found = protected.digests(tx, &keys)?;
    notes.were.borrow_mut().extend(keys.into_iter().map(|key| ((table, key), found.get(&key).copied())));
    Ok(())
}

/// What a transaction collects until it commits.
#[derive(Clone, Default)]
pub struct Notes {
    catalogue: Cell<bool>,
    plans: Cell<bool>,
    written: Cell<Written>,
    vouched: RefCell<BTreeSet<Row>>,
    were: RefCell<RowsBefore>,
    relied: RefCell<BTreeSet<Row>>,
    counted: Cell<Option<Money>>,
}

impl Notes {
    /// Notes that slots or products change, or what their advertisers can pay.
    pub fn changes_catalogue(&self) {
        self.catalogue.set(true);
    }

    /// Notes that plans start, stop, or run differently.
    pub(crate) fn changes_plans(&self) {
        self.plans.set(true);
    }

    /// Notes that a protected row was created, so that the next audit record contains its digest. All code that creates
    /// such a row calls this.
    pub(crate) fn vouches(&self, table: &'static str, id: i64) {
        self.vouched.borrow_mut().insert((table, id));
    }

    /// Notes that the decision depends on a protected row, so that the next audit record contains the row's digest.
    pub fn relies(&self, table: &'static str, id: i64) {
        self.relied.borrow_mut().insert((table, id));
    }

    /// Takes the digests of rows from before this work changed them, and the rows that it depends on but does not
    /// change.
    pub(crate) fn take_before(&self) -> (RowsBefore, BTreeSet<Row>) {
        let mut relied = self.relied.take();
        relied.retain(|row| !self.vouched.borrow().contains(row));
        (self.were.take(), relied)
    }

    /// Takes the rows that no record protects yet.
    pub(crate) fn take_vouched(&self) -> BTreeSet<Row> {
        self.vouched.take()
    }

    /// Adds an amount that counts towards the limits of the acting operator; the next audit record contains the sum.
    pub(crate) fn counts(&self, amount: Money) -> Result<(), Error> {
        let sum = self.counted().unwrap_or(Money::ZERO).plus(amount);
        self.counted.set(Some(sum.map_err(|e| Error::Corrupt(format!("what counts in limits: {e}")))?));
        Ok(())
    }

    /// The amount that no audit record contains yet; `None` if nothing counts towards limits.
    pub(crate) fn counted(&self) -> Option<Money> {
        self.counted.get()
    }

    /// Takes the amount for an audit record. Later records of the same work then contain zero.
    pub(crate) fn take_counted(&self) -> Option<Money> {
        let counted = self.counted();
        self.counted.set(counted.map(|_| Money::ZERO));
        counted
    }

    /// Notes the last ledger transaction that was written.
    pub(crate) fn wrote_transaction(&self, last: Link) {
        self.written.set(Written { transaction: Some(last), ..self.written.get() });
    }

    /// Notes the last audit record that was written.
    pub(crate) fn wrote_record(&self, last: Link) {
        self.written.set(Written { record: Some(last), ..self.written.get() });
    }
}
