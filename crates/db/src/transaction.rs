//! An open transaction, and what waits for its commit.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

use base::Timestamp;
use diesel::prelude::*;
use diesel::query_dsl::methods::ExecuteDsl;

use crate::{Conn, Error};

/// What a program keeps with its database. A handle and its clones share one value.
pub trait Context: Sized + Send + Sync + 'static {
    /// The notes that work takes for the end of its transaction. If the work is rolled back, they are discarded.
    type Notes: Clone + Default;

    /// A piece of work begins; others in the same transaction may have noted something
    /// before.
    fn begin(&self, _notes: &Self::Notes) {}

    /// Runs last in a transaction, before the commit.
    ///
    /// # Errors
    /// Those of the database: the transaction is then rolled back.
    fn before_commit(_tx: &mut Tx<'_, Self>) -> Result<(), Error> {
        Ok(())
    }
}

impl Context for () {
    type Notes = ();
}

/// An open transaction. Only a writer creates one.
pub struct Tx<'a, C: Context> {
    conn: &'a mut Conn,
    now: Timestamp,
    context: &'a C,
    pending: &'a Pending<C>,
}

impl<'a, C: Context> Tx<'a, C> {
    pub(crate) fn new(conn: &'a mut Conn, now: Timestamp, context: &'a C, pending: &'a Pending<C>) -> Self {
        Self { conn, now, context, pending }
    }

    /// The connection, for APIs such as Diesel's that accept any kind of connection.
    pub fn conn(&mut self) -> &mut Conn {
        self.conn
    }

    /// Runs a statement, however many rows it changes.
    ///
    /// # Errors
    /// Those of the database.
    pub fn run<S: ExecuteDsl<Conn>>(&mut self, statement: S) -> Result<(), Error> {
        S::execute(statement, self.conn)?;
        Ok(())
    }

    /// The time of this work; everything it records has this time.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Moves the time of this work on, if it follows something of a later time. Call it where that is locked, before
    /// anything is recorded.
    pub fn not_before(&mut self, moment: Timestamp) {
        self.now = self.now.max(moment);
    }

    pub fn context(&self) -> &'a C {
        self.context
    }

    pub fn notes(&self) -> &'a C::Notes {
        &self.pending.notes
    }

    /// Runs after the commit, before anybody is answered. Discarded if this work is
    /// rolled back.
    pub fn on_commit(&self, then: impl FnOnce() + 'static) {
        self.pending.then.borrow_mut().push(Box::new(then));
    }

    /// Whether the transaction has changed a row. PostgreSQL is not asked: the answer is
    /// yes.
    ///
    /// # Errors
    /// Those of the database.
    pub fn has_changed(&mut self) -> Result<bool, Error> {
        let now = row_changes(self.conn)?;
        Ok(now.is_none() || now != self.pending.changes)
    }
}

impl<C: Context> Deref for Tx<'_, C> {
    type Target = Conn;
    fn deref(&self) -> &Conn {
        self.conn
    }
}

impl<C: Context> DerefMut for Tx<'_, C> {
    fn deref_mut(&mut self) -> &mut Conn {
        self.conn
    }
}

/// What a transaction does when it commits.
pub(crate) struct Pending<C: Context> {
    notes: C::Notes,
    then: RefCell<Vec<Box<dyn FnOnce()>>>,
    /// How many rows the connection had changed before.
    changes: Option<i64>,
}

impl<C: Context> Pending<C> {
    pub(crate) fn begin(conn: &mut Conn) -> Result<Self, Error> {
        Ok(Self { notes: C::Notes::default(), then: RefCell::default(), changes: row_changes(conn)? })
    }

    pub(crate) const fn notes(&self) -> &C::Notes {
        &self.notes
    }

    /// The point to return to if the next work is rolled back.
    pub(crate) fn savepoint(&self) -> (C::Notes, usize) {
        (self.notes.clone(), self.then.borrow().len())
    }

    pub(crate) fn go_back_to(&mut self, (notes, then): (C::Notes, usize)) {
        self.notes = notes;
        self.then.get_mut().truncate(then);
    }

    pub(crate) fn run_on_commit(self) {
        self.then.into_inner().into_iter().for_each(|then| then());
    }
}

diesel::define_sql_function! {
    /// How many rows this connection has changed since it was opened.
    fn total_changes() -> diesel::sql_types::BigInt;
}

fn row_changes(conn: &mut Conn) -> Result<Option<i64>, Error> {
    match conn {
        Conn::Postgres(_) => Ok(None),
        Conn::Sqlite(conn) => Ok(Some(diesel::select(total_changes()).get_result(conn)?)),
    }
}
