//! Signing in from the provider's native shell: a ticket, issued for a name, is
//! exchanged once for a session.

use auth::signature::{SignedRequest, verify};
use auth::{AccountStatus, Entry, Token, session};
use base::Field;
use i18n::Lang;
use sha2::{Digest, Sha256};
use store::Tx;
use store::people::tickets::{self, TicketIssuer};
use store::people::users::{self, Edit, NewUser};
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
pub async fn issue_for_provider(
    app: &App,
    call: SignedCall,
    username: &str,
    lang: Option<Lang>,
) -> Result<Token, Error> {
    issue(app, call, username, lang).await
}

/// Issues a ticket to staff, for a session that only reads. Without staff it is one as the provider's server gets it.
///
/// # Errors
/// For staff the field `reason` with `link`, since the user is told it, `not_found`, `ambiguous`, and
/// `sessions_ended_by_user` for a day after the user has ended all sessions; otherwise the field `username`.
pub async fn issue_ticket(app: &App, by: Option<Staff>, username: &str) -> Result<Token, Error> {
    let Some(by) = by else { return issue(app, SignedCall(random()?), username, None).await };
    let (ticket, named) = (Token::new(&random()?), username.to_owned());
    let digest = ticket.digest();
    app.db.write(move |tx| staff_access::issue(tx, &by, &named, &digest)).await?;
    Ok(ticket)
}

/// Issues a ticket that opens a session of the user's own. For a new name it creates the account, whose ad account must
/// still be opened. The language that the provider names becomes the account's.
async fn issue(app: &App, call: SignedCall, username: &str, lang: Option<Lang>) -> Result<Token, Error> {
    let username = fields::username(username).map_err(|problem| Error::field(Field::Username, problem))?;
    let new = NewUser {
        username: username.shown().to_owned(),
        username_key: username.key().to_owned(),
        password_hash: None,
        email: String::new(),
        phone: String::new(),
        lang: lang.unwrap_or_default().code().to_owned(),
        entry: Entry::App,
        store_opened: false,
    };
    let ticket = Token::new(&random()?);
    let digest = ticket.digest();
    let user = app
        .db
        .write(move |tx| {
            let (user, made) = find_or_make(tx, &new)?;
            if let Some(lang) = lang.filter(|_| !made) {
                users::edit(tx, user, &Edit { lang: Some(lang.code().to_owned()), ..Edit::default() })?;
            }
            let expires_at = tx.now().plus_seconds(session::TICKET_SECONDS);
            tickets::insert(tx, &digest, user, expires_at, &TicketIssuer::Provider(call.0)).map_err(answered)?;
            if made {
                account_audit::record_opening(tx, user, AccountStatus::Active)?;
            }
            Ok::<_, Error>(user)
        })
        .await?;
    if lang.is_some() {
        // Sessions know the account's language.
        app.memory.forget(user);
    }
    Ok(ticket)
}

fn answered(error: store::Error) -> Error {
    if error.is_unique_violation() { Refusal::TicketInvalid.into() } else { error.into() }
}

/// The URL for a ticket, for the app at `base`. The ticket is in the fragment, so it
/// reaches no server's log. With a language the app begins in it.
pub fn entry_url(base: &str, ticket: &Token, lang: Option<Lang>) -> String {
    let lang = lang.map(|lang| format!("&lang={}", lang.code())).unwrap_or_default();
    format!("{}/#/entry?ticket={}{lang}", base.trim_end_matches('/'), ticket.text())
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

/// The user whom a ticket lets in. Asking does not use the ticket: whoever has it can enter anyway, and learns here
/// whether entering would replace somebody else's session.
///
/// # Errors
/// `TicketInvalid` for one that is unknown, used or older than a minute.
pub async fn username_of(app: &App, ticket: &str) -> Result<String, Error> {
    let digest = session::digest_shown(ticket.trim()).ok_or(Error::TicketInvalid)?;
    let now = app.now();
    let found = app.db.read(move |conn| match tickets::holder(conn, &digest, now)? {
        Some(user) => users::find(conn, user),
        None => Ok(None),
    });
    Ok(found.await?.ok_or(Error::TicketInvalid)?.username)
}

/// The language of the account that a ticket would let in, for telling its user why it may not act.
/// `None` also if it cannot be found out now.
pub async fn language_of(app: &App, ticket: &str) -> Option<Lang> {
    let (digest, now) = (session::digest_shown(ticket.trim())?, app.now());
    let found = app.db.read(move |conn| match tickets::holder(conn, &digest, now)? {
        Some(user) => users::find(conn, user),
        None => Ok(None),
    });
    found.await.ok()?.and_then(|user| Lang::parse(&user.lang))
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
