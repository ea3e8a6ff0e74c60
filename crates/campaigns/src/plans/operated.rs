//! Operated accounts, which users can follow. One operator requests one or its end, and
//! another approves it.

use auth::Permission;
use base::{Field, Money, Timestamp, UserId};
use foundation::accounts::finding;
use foundation::staff::Staff;
use foundation::staff::requests::{CheckedRequest, Proposal, RequestView, file, waiting};
use foundation::{App, Error, Fields, Refusal};
use plans::operated::normalise;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::plans::follows::{self, OperatedAccount};
use store::staff::requests::Subject;
use store::{Page, PageRequest, Tx};
use wallet::RequestKind;

const LONGEST_NAME: usize = 60;

/// A current or former operated account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OperatedView {
    pub operated_id: String,
    pub username: String,
    pub name: String,
    pub added_at: Timestamp,
    pub removed_at: Option<Timestamp>,
}

impl OperatedView {
    fn of(account: OperatedAccount, username: String) -> Self {
        let OperatedAccount { operated_id, name, added_at, removed_at, .. } = account;
        Self { operated_id, username, name, added_at, removed_at }
    }
}

/// As requested, approved and recorded; null if the user has no operated account.
#[derive(Debug, Serialize, Deserialize)]
struct OperatedState {
    operated_id: Option<String>,
    name: Option<String>,
}

impl OperatedState {
    fn of(account: Option<&OperatedAccount>) -> Self {
        let operated_id = account.map(|account| account.operated_id.clone());
        Self { operated_id, name: account.map(|account| account.name.clone()) }
    }
}

/// Requests that users can follow an account by this id.
///
/// # Errors
/// The fields `id` and `name`; `not_permitted`; `not_found` for an unknown user;
/// `name_taken` if the id was ever given, or the user has one.
pub async fn add(app: &App, by: Staff, username: &str, operated_id: &str, name: &str) -> Result<RequestView, Error> {
    by.may(Permission::Catalogue)?;
    let (username, name) = (username.to_owned(), name.trim().to_owned());
    let operated_id = check(operated_id, &name)?;
    app.db
        .write(move |tx| {
            let user = finding::read_named(tx, &username)?.user;
            if follows::was_given(tx, &operated_id)? || follows::of_user(tx, user)?.is_some() {
                return Err(Refusal::NameTaken.into());
            }
            let wanted = OperatedState { operated_id: Some(operated_id.clone()), name: Some(name.clone()) };
            ask(tx, &by, user, &OperatedState::of(None), &wanted)
        })
        .await
}

fn ask(
    tx: &mut Tx<'_>,
    by: &Staff,
    user: UserId,
    before: &OperatedState,
    after: &OperatedState,
) -> Result<RequestView, Error> {
    let proposal = Proposal::whole(&json!(before), &json!(after));
    let (kind, subject) = (RequestKind::OperatedAccount, Subject::User(user));
    if let Some(waiting) = waiting(tx, (kind, subject), &proposal)? {
        return Ok(waiting);
    }
    let proposal = Some(proposal);
    file(tx, by, CheckedRequest { kind, subject, amount: Money::ZERO, reference: None, proposal })
}

/// Lets users follow the account from now on, or ends all following of it.
///
/// # Errors
/// `proposal_stale` if the user's operated account has changed since the request;
/// `name_taken` if the id was given meanwhile.
pub fn agree(tx: &mut Tx<'_>, user: UserId, proposal: &Proposal) -> Result<(), Error> {
    let present = follows::of_user(tx, user)?;
    let wanted: OperatedState = proposal.apply(&OperatedState::of(present.as_ref()))?;
    if let (Some(operated_id), Some(name)) = (&wanted.operated_id, &wanted.name) {
        follows::add(tx, operated_id, user, name).map_err(|error| {
            if error.is_unique_violation() { Refusal::NameTaken.into() } else { Error::Store(error) }
        })?;
    } else if let Some(present) = present {
        follows::lock(tx, &present.operated_id)?;
        follows::remove(tx, present.id)?;
    }
    Ok(())
}

fn check(operated_id: &str, name: &str) -> Result<String, Error> {
    let mut wrong = Fields::new();
    let id = normalise(operated_id);
    if id.is_none() {
        wrong.insert(Field::Id, "invalid");
    }
    match name.chars().count() {
        0 => wrong.insert(Field::Name, "required"),
        n if n > LONGEST_NAME => wrong.insert(Field::Name, "too_long"),
        _ => None,
    };
    id.filter(|_| wrong.is_empty()).ok_or(Error::Fields(wrong))
}

/// Requests the removal of an operated id, which ends all following of it. The id is not
/// given again.
///
/// # Errors
/// `not_permitted`; `not_found` for an id that is not operated.
pub async fn remove(app: &App, by: Staff, operated_id: &str) -> Result<RequestView, Error> {
    by.may(Permission::Catalogue)?;
    let operated_id = normalise(operated_id).ok_or(Refusal::NotFound)?;
    app.db
        .write(move |tx| {
            let account = follows::lock(tx, &operated_id)?.ok_or(Refusal::NotFound)?;
            ask(tx, &by, account.user, &OperatedState::of(Some(&account)), &OperatedState::of(None))
        })
        .await
}

/// All operated accounts, including removed ones, newest first.
pub async fn list(app: &App, page: PageRequest) -> Result<Page<OperatedView>, Error> {
    let found = app.db.read(move |conn| follows::page(conn, page)).await?;
    Ok(found.map(|(account, username)| OperatedView::of(account, username)))
}
