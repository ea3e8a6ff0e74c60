//! Coming in through the provider's native shell: a ticket, issued for a name,
//! is exchanged once for a session.

use auth::{Entry, Token, session};
use serde_json::json;
use store::users::{self, NewUser};
use store::{Tx, books, tickets};

use crate::sessions::{Begin, SignedIn};
use crate::staff::Staff;
use crate::{App, Error, Refusal, fields, random};

/// Issues a ticket, and makes the account where the name is new; its ad
/// account is then still to be opened. `by` is `None` where nobody of the
/// staff asks.
pub async fn issue_ticket(app: &App, by: Option<Staff>, username: &str) -> Result<Token, Error> {
    let username = fields::username(username).map_err(|problem| Error::field("username", problem))?;
    let new = NewUser {
        username: username.shown().to_owned(),
        username_key: username.key().to_owned(),
        password_hash: None,
        email: String::new(),
        phone: String::new(),
        lang: i18n::Lang::default().code().to_owned(),
        entry: Entry::App,
        store_opened: false,
    };
    let ticket = Token::new(&random()?);
    let digest = ticket.digest();
    app.db
        .write(move |tx| {
            let user = find_or_make(tx, &new)?;
            tickets::insert(tx, &digest, user, tx.now().plus_seconds(session::TICKET_SECONDS))?;
            match &by {
                Some(by) => by.record(tx, "ticket.issue", format!("user:{user}"), &json!({})),
                None => Ok(()),
            }
        })
        .await?;
    Ok(ticket)
}

fn find_or_make(tx: &mut Tx<'_>, new: &NewUser) -> Result<base::UserId, Error> {
    if let Some(user) = users::find_by_key(tx, &new.username_key)? {
        return Ok(user.id);
    }
    let user = users::insert(tx, new).map_err(crate::register::taken)?;
    books::create_wallet(tx, user)?;
    Ok(user)
}

/// # Errors
/// `ticket_invalid` for one that is unknown, used or older than a minute;
/// `Barred` where the account may not act.
pub async fn enter(app: &App, ticket: &str, device: &str) -> Result<SignedIn, Error> {
    let digest = session::digest_shown(ticket.trim()).ok_or(Refusal::TicketInvalid)?;
    let begin = Begin::new(Entry::App, device)?;
    let session = begin.clone();
    let written = app
        .db
        .write(move |tx| {
            let user = tickets::redeem(tx, &digest)?.ok_or(Refusal::TicketInvalid)?;
            session.write(tx, user)
        })
        .await?;
    Ok(begin.answer(app, written))
}
