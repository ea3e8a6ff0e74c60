//! Beginning a new log, or replacing its key. Two people agree on either.

use auth::{Permission, Secrets};
use foundation::people::files::storage;
use foundation::staff::Staff;
use foundation::staff::requests::{Proposal, RequestKind, RequestView, file_once};
use foundation::{App, Error, Refusal};
use proof::{Checkpoint, Note, NoteKey, NoteSigner, Previous, TreeHead, hash};
use serde::{Deserialize, Serialize};
use store::Tx;
use store::wallet::public_log::{self as rows, FIRST, LogHead, NextLog};

use super::checkpoint_of;
use super::keys::{LogKeys, signers};
use super::publishing::read_published;
use super::sealing::load_signed_tree;
use super::trouble::LogError;

/// As requested, approved and recorded.
#[derive(Debug, Serialize, Deserialize)]
struct LogState {
    /// The log's name.
    log: String,
    /// The public key that signs the log.
    key: Option<String>,
    /// The line in its checkpoints that names the log that it follows, if any.
    previous: Option<String>,
}

impl LogState {
    fn of(head: &LogHead, keys: &LogKeys) -> Self {
        Self { log: head.origin.clone(), key: keys.newest().map(NoteKey::to_string), previous: None }
    }
}

/// Requests a new log, because the present one can never go on as it was published.
///
/// # Errors
/// `not_permitted`; `not_found` if there is no log; `log_goes_on` if it can.
pub async fn request_log(app: &App, by: &Staff) -> Result<RequestView, Error> {
    by.may(Permission::Operators)?;
    let head = app.db.read(rows::head).await?.ok_or(Refusal::NotFound)?;
    let (last, previous) = read_end(app, &head).await?;
    let number = last.checked_add(1).ok_or_else(|| Error::Internal("there were too many logs".into()))?;
    let log = name(&head, number);
    let key = signers(&app.secrets, &log)?.first().map(|signer| signer.public().to_string());
    ask(app, by, move |head, keys| {
        let wanted = LogState { log: log.clone(), key: key.clone(), previous: Some(previous.clone()) };
        Ok((LogState::of(head, keys), wanted))
    })
    .await
}

/// Requests that the newest key in the secret file signs the log from now on.
///
/// # Errors
/// `not_permitted`; `not_found` if there is no log; `log_key_missing` if that key signs already, or did before.
pub async fn request_key(app: &App, by: &Staff) -> Result<RequestView, Error> {
    by.may(Permission::Operators)?;
    let secrets = app.secrets.clone();
    ask(app, by, move |head, keys| {
        let newest = signers(&secrets, &head.origin)?.first().map(NoteSigner::public);
        let key = newest.filter(|key| !keys.listed().contains(key)).ok_or(Refusal::LogKeyMissing)?;
        let present = LogState::of(head, keys);
        let wanted = LogState { key: Some(key.to_string()), log: present.log.clone(), previous: None };
        Ok((present, wanted))
    })
    .await
}

async fn ask(
    app: &App,
    by: &Staff,
    change: impl Fn(&LogHead, &LogKeys) -> Result<(LogState, LogState), Error> + Send + 'static,
) -> Result<RequestView, Error> {
    let (by, secrets) = (by.clone(), app.secrets.clone());
    app.db
        .write(move |tx| {
            by.still_may(tx, Permission::Operators)?;
            let head = rows::lock(tx)?.ok_or(Refusal::NotFound)?;
            let (present, wanted) = change(&head, &LogKeys::read(tx, &secrets, &head)?)?;
            let proposal = Proposal::between(&present, &wanted).ok_or(Refusal::ProposalStale)?;
            file_once(tx, &by, RequestKind::PublicLog, &proposal)
        })
        .await
}

/// Begins the approved log, or adds the approved key.
///
/// # Errors
/// `proposal_stale` if the log or its key is another now; `log_goes_on` if it can meanwhile; `log_key_missing` if the key is
/// not in this server's secret file.
pub fn agree(tx: &mut Tx<'_>, secrets: &Secrets, proposal: &Proposal) -> Result<(), Error> {
    let head = rows::lock(tx)?.ok_or(Refusal::NotFound)?;
    let keys = LogKeys::read(tx, secrets, &head)?;
    let wanted: LogState = proposal.apply(&LogState::of(&head, &keys))?;
    let key = wanted.key.as_deref().ok_or(Refusal::LogKeyMissing)?;
    let known = signers(secrets, &wanted.log)?;
    let signer = known.iter().find(|signer| signer.public().to_string() == key).ok_or(Refusal::LogKeyMissing)?;
    let Some(previous) = wanted.previous else {
        let number = i16::try_from(keys.listed().len()).map_err(|_| Error::Internal("too many keys".into()))?;
        return Ok(rows::add_key(tx, (head.number, number + 1), key)?);
    };
    never_goes_on(tx, &head, &keys, &previous)?;
    let empty = TreeHead { size: 0, root: hash::empty() };
    let first = Checkpoint { origin: wanted.log.clone(), head: empty, extensions: vec![previous] };
    let number = number_of(&head, &wanted.log).ok_or_else(|| Error::Internal("a log has no number".into()))?;
    let checkpoint = first.sign(signer).to_string();
    Ok(rows::begin_anew(tx, NextLog { number, origin: &wanted.log, checkpoint: &checkpoint, key })?)
}

/// The number of the last log in the storage, and the line for the next log that says which one it follows and why.
async fn read_end(app: &App, head: &LogHead) -> Result<(i16, String), Error> {
    let objects = storage(app)?;
    let (mut last, mut found) = (head.number, None);
    // A restored database may be from before later logs began.
    while let Some(next) = last.checked_add(1)
        && let Some(bytes) = objects.whole(&checkpoint_of(next)).await?
    {
        (last, found) = (next, Some(bytes));
    }
    if let Some(bytes) = found {
        let note = std::str::from_utf8(&bytes).ok().and_then(|text| Note::parse(text).ok());
        let ours = signers(&app.secrets, &name(head, last))?;
        let opened = note.and_then(|note| ours.iter().find_map(|by| Checkpoint::open(&note, &by.public()).ok()));
        let opened =
            opened.ok_or_else(|| Error::Internal(format!("log {last} was not signed by this installation")))?;
        return Ok((last, Previous::of(&opened, "lost").to_string()));
    }
    let (head, secrets) = (head.clone(), app.secrets.clone());
    let keys = {
        let head = head.clone();
        app.db.read(move |conn| LogKeys::read(conn, &secrets, &head)).await?
    };
    let there = match read_published(app, &keys).await {
        Err(LogError::App(error)) => return Err(error),
        // A checkpoint that somebody else put there must be removed; it is no reason to begin a new log.
        there => there.map_err(|_| Refusal::LogGoesOn)?,
    };
    app.db
        .read(move |conn| {
            let why = end(load_signed_tree(conn, &head, &keys, there.as_ref()).map(drop))?;
            let stored = Note::parse(&head.checkpoint).ok().and_then(|note| Checkpoint::parse(&note.text));
            let last = there.or(stored).ok_or_else(|| Error::Internal("the log has no checkpoint".into()))?;
            Ok((head.number, Previous::of(&last, why).to_string()))
        })
        .await
}

/// Why the log never goes on, in one word; refused if it can go on.
fn end(found: Result<(), LogError>) -> Result<&'static str, Error> {
    match found {
        Ok(()) => Err(Refusal::LogGoesOn.into()),
        Err(error) => match error.end() {
            Some(why) => Ok(why),
            None => Err(error.into()),
        },
    }
}

/// Checks that what was found when the log was requested is still true.
fn never_goes_on(tx: &mut Tx<'_>, head: &LogHead, keys: &LogKeys, previous: &str) -> Result<(), Error> {
    let unreadable = |_| Error::Internal(format!("a log cannot follow {previous:?}"));
    let last: Previous = previous.parse().map_err(unreadable)?;
    // It follows a later log, which this database never had.
    if last.origin != head.origin {
        return Ok(());
    }
    let last = Checkpoint::new(&last.origin, last.head);
    end(load_signed_tree(tx, head, keys, Some(&last)).map(drop)).map(drop)
}

/// What the names of all these logs begin with.
fn stem(head: &LogHead) -> &str {
    let number = format!("-{}", head.number);
    if head.number == FIRST { &head.origin } else { head.origin.strip_suffix(&number).unwrap_or(&head.origin) }
}

/// The name of the log with this number. From the second log on, the name contains the number.
fn name(head: &LogHead, number: i16) -> String {
    format!("{}-{number}", stem(head))
}

fn number_of(head: &LogHead, log: &str) -> Option<i16> {
    log.strip_prefix(stem(head))?.strip_prefix('-')?.parse().ok().filter(|number| *number > head.number)
}
