//! Staff's notes about users. No call of a user returns them; docs/CALLERS.md explains
//! why, and what a user may request.

use auth::Permission;
use base::{Field, NoteId, Timestamp};
use base::{invisible::shows_something, refuse_if};
use serde::Serialize;
use serde_json::json;
use store::staff::notes::{self as rows, Note};
use store::staff::operators::Operator;
use store::{Page, PageRequest};

use crate::accounts::finding;
use crate::staff::Staff;
use crate::{App, Error, Refusal};

/// The longest note, like the longest reason: a note serves as its own reason.
const LONGEST: usize = 500;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoteView {
    pub id: NoteId,
    pub text: String,
    pub written_by: String,
    pub written_at: Timestamp,
    pub withdrawn_at: Option<Timestamp>,
}

impl From<Note> for NoteView {
    fn from(note: Note) -> Self {
        let Note { id, text, written_by, written_at, withdrawn_at, .. } = note;
        Self { id, text, written_by, written_at, withdrawn_at }
    }
}

/// Stores a note about a user, for this reason; without one, the note is its own.
///
/// # Errors
/// The field `text`; `not_permitted`; those of [`crate::people::staff_accounts::find_account`].
pub async fn add_note(
    app: &App,
    by: Operator,
    name: &str,
    text: &str,
    reason: Option<&str>,
) -> Result<NoteView, Error> {
    let text = text.trim().to_owned();
    match text.chars().count() {
        _ if !shows_something(&text) => return Err(Error::field(Field::Text, "required")),
        n if n > LONGEST => return Err(Error::field(Field::Text, "too_long")),
        _ => {}
    }
    let by = Staff::new(by, reason.unwrap_or(&text))?;
    by.may(Permission::Accounts)?;
    let name = name.to_owned();
    app.db
        .write(move |tx| {
            let user = finding::read_named(tx, &name)?.user;
            let id = rows::insert(tx, user, &text, by.id())?;
            let note = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
            // It is not recorded under the user's own subject, because the user may read the reasons there.
            let details = json!({ "user": user.to_string(), "text": { "from": null, "to": text } });
            by.record(tx, "note.add", format!("note:{id}"), &details)?;
            Ok(note.into())
        })
        .await
}

/// The notes about a user, newest first; with `all`, withdrawn ones too.
pub async fn notes(app: &App, name: &str, all: bool, page: PageRequest) -> Result<Page<NoteView>, Error> {
    let name = name.to_owned();
    let read = app.db.read(move |conn| {
        let user = finding::read_named(conn, &name)?.user;
        Ok::<_, Error>(rows::page(conn, user, all, page)?)
    });
    Ok(read.await?.map(NoteView::from))
}

/// Withdraws a note. It stays stored, and is shown with `all`.
///
/// # Errors
/// `not_permitted`, `not_found`; `already_decided` if it was withdrawn before.
pub async fn withdraw_note(app: &App, by: Staff, id: NoteId) -> Result<NoteView, Error> {
    by.may(Permission::Accounts)?;
    app.db
        .write(move |tx| {
            let found = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
            refuse_if(!rows::withdraw(tx, id, by.id())?, Refusal::AlreadyDecided)?;
            let details = json!({ "user": found.user.to_string(), "withdrawn": { "from": false, "to": true } });
            by.record(tx, "note.withdraw", format!("note:{id}"), &details)?;
            Ok(rows::find(tx, id)?.ok_or(Refusal::NotFound)?.into())
        })
        .await
}
