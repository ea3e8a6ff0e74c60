//! Signing in from the provider's native shell: a ticket, issued for a name, is
//! exchanged once for a session.

use auth::signature::{SignedRequest, verify};
use auth::{AccountStatus, Entry, Token, session};
use sha2::{Digest, Sha256};
use store::Tx;
use store::people::tickets::{self, TicketIssuer};
use store::people::users::{self, NewUser};
use store::wallet::books;

use crate::people::sessions::{NewSession, SignedIn};
use crate::people::{account_audit, staff_access};
use crate::staff::Staff;
use crate::{App, Error, Refusal, fields, random};

/// A call of the provider's own server, as it came in.
#[derive(Clone, Copy, Debug)]
pub struct ProviderCall<'a> {
    pub timestamp: &'a str,
    pub signature: &'a str,
    pub path: &'a str,
    pub body: &'a [u8],
}

/// A call with a valid signature, identified by its digest.
#[derive(Clone, Copy, Debug)]
pub struct SignedCall([u8; 32]);

/// # Errors
/// `NotSignedIn` if the signature is wrong or too old, or the installation has no
/// provider key.
pub fn authenticate_provider(app: &App, call: &ProviderCall<'_>) -> Result<SignedCall, Error> {
    let key = app.settings.provider_key.as_ref().ok_or(Error::NotSignedIn)?;
    let signed = SignedRequest { timestamp: call.timestamp, method: "POST", path: call.path, body: call.body };
    verify(key.text(), &signed, call.signature, app.now()).map_err(|_| Error::NotSignedIn)?;
    Ok(SignedCall(Sha256::digest(call.signature).into()))
}

/// Issues a ticket to the provider's server: one per call, so that an intercepted call
/// cannot be repeated.
///
/// # Errors
/// Those of [`issue_ticket`]; `ticket_invalid` for a repeated call.
pub async fn issue_for_provider(app: &App, call: SignedCall, username: &str) -> Result<Token, Error> {
    issue(app, call, username).await
}

/// Issues a ticket to staff, for a session that only reads. Without staff it is one as the provider's server gets it.
///
/// # Errors
/// For staff `not_found`, `ambiguous`, and `sessions_ended_by_user` for a day after the user has ended all sessions;
/// otherwise the field `username`.
pub async fn issue_ticket(app: &App, by: Option<Staff>, username: &str) -> Result<Token, Error> {
    let Some(by) = by else { return issue(app, SignedCall(random()?), username).await };
    let (ticket, named) = (Token::new(&random()?), username.to_owned());
    let digest = ticket.digest();
    app.db.write(move |tx| staff_access::issue(tx, &by, &named, &digest)).await?;
    Ok(ticket)
}

/// Issues a ticket that opens a session of the user's own. For a new name it creates the account, whose ad account must
/// still be opened.
async fn issue(app: &App, call: SignedCall, username: &str) -> Result<Token, Error> {
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
            let (user, made) = find_or_make(tx, &new)?;
            let expires_at = tx.now().plus_seconds(session::TICKET_SECONDS);
            tickets::insert(tx, &digest, user, expires_at, &TicketIssuer::Provider(call.0)).map_err(answered)?;
            if made { account_audit::opened(tx, user, AccountStatus::Active) } else { Ok(()) }
        })
        .await?;
    Ok(ticket)
}

fn answered(error: store::Error) -> Error {
    if error.is_unique_violation() { Refusal::TicketInvalid.into() } else { error.into() }
}

/// The URL for a ticket, for the app at `base`. The ticket is in the fragment, so it
/// reaches no server's log.
pub fn entry_url(base: &str, ticket: &Token) -> String {
    format!("{}/#/entry?ticket={}", base.trim_end_matches('/'), ticket.text())
}

/// The user with this name, and whether it was created now.
fn find_or_make(tx: &mut Tx<'_>, new: &NewUser) -> Result<(base::UserId, bool), Error> {
    if let Some(user) = users::find_by_key(tx, &new.username_key)? {
        return Ok((user.id, false));
    }
    let user = users::insert(tx, new).map_err(crate::people::register::taken)?;
    books::create_wallet(tx, user)?;
    Ok((user, true))
}

/// # Errors
/// `TicketInvalid` for one that is unknown, used or older than a minute; `Barred` if the
/// account may not act; `sessions_ended_by_user` for staff.
pub async fn enter(app: &App, ticket: &str, device: &str) -> Result<SignedIn, Error> {
    let digest = session::digest_shown(ticket.trim()).ok_or(Error::TicketInvalid)?;
    let begin = NewSession::new(Entry::App, device)?;
    let session = begin.clone();
    let written = app
        .db
        .write(move |tx| {
            let used = tickets::redeem(tx, &digest)?.ok_or(Error::TicketInvalid)?;
            match &used.staff {
                None => Ok((session.write(tx, used.user)?, None)),
                Some(entry) => {
                    let (user, told) = staff_access::enter(tx, &session, &used, entry)?;
                    Ok::<_, Error>((user, Some(told)))
                }
            }
        })
        .await?;
    let (user, told) = written;
    let mut answer = begin.answer(app, user);
    answer.user.session = told;
    Ok(answer)
}
