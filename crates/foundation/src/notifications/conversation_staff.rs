//! Conversations as staff serve them.

use ::notifications::conversation::{Author, Conversation, ConversationStatus, message_text};
use auth::{AccountStatus, Permission};
use base::{Field, MessageId, Timestamp, UserId, refuse_if};
use futures_util::TryStreamExt;
use images::MediaType;
use serde::Serialize;
use serde_json::json;
use store::notifications::conversation::{self as rows, ListedConversation, Message, NewMessage};
use store::people::users;
use store::{Conn, Page, PageRequest, Tx};

pub use ::notifications::conversation::ConversationStatus as Status;
pub use store::notifications::conversation::Filter;

use crate::accounts::finding;
use crate::notices::written::leads_nowhere;
use crate::notices::{NoticeKind, notify};
use crate::people::files;
use crate::staff::{Changes, Staff};
use crate::{App, Error, Refusal};

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConversationLine {
    /// That of the account, by which the other commands find it.
    pub id: UserId,
    pub username: String,
    pub status: ConversationStatus,
    /// Whether there is something to read or to answer.
    pub waiting: bool,
    pub last_at: Timestamp,
    /// `user` or `staff`.
    pub last_by: Author,
    pub text: String,
}

impl From<ListedConversation> for ConversationLine {
    fn from(listed: ListedConversation) -> Self {
        let ListedConversation { user, username, conversation, last } = listed;
        Self {
            id: user,
            username,
            status: conversation.status,
            waiting: conversation.waits_for_staff(),
            last_at: last.created_at,
            last_by: last.author,
            text: last.text,
        }
    }
}

/// A message as staff see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StaffMessage {
    pub id: MessageId,
    pub at: Timestamp,
    /// The username, or the operator's name.
    pub by: String,
    pub author: Author,
    pub text: String,
    /// Ids of pictures.
    pub pictures: Vec<String>,
    /// Whether the other side has read it.
    pub read: bool,
}

/// A conversation with its latest messages, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StaffConversation {
    pub username: String,
    pub status: ConversationStatus,
    pub waiting: bool,
    pub messages: Vec<StaffMessage>,
    /// Whether there are older ones.
    pub more: bool,
}

/// All conversations, the one with the newest message first.
pub async fn list(app: &App, filter: Filter, page: PageRequest) -> Result<Page<ConversationLine>, Error> {
    let found = app.db.read(move |conn| rows::page(conn, filter, page)).await?;
    Ok(found.map(ConversationLine::from))
}

/// Shows the latest messages, and notes that staff have read them.
///
/// # Errors
/// `not_permitted`, `not_found`, `ambiguous`.
pub async fn show(app: &App, by: Staff, name: &str, latest: i64) -> Result<StaffConversation, Error> {
    by.may(Permission::Accounts)?;
    let name = name.to_owned();
    let page = PageRequest { before: None, limit: latest.clamp(1, PageRequest::MAX_LIMIT) };
    app.db
        .write(move |tx| {
            let (user, username, before) = lock_conversation(tx, &name)?;
            let after = before.read(Author::Staff, before.last());
            if after != before {
                rows::save(tx, user, after)?;
                let changes = Changes::default().and("read_by_staff", before.read_by_staff, after.read_by_staff);
                by.record(tx, "conversation.read", subject(user), &changes.details())?;
            }
            view(tx, user, &username, after, page)
        })
        .await
}

/// Answers, and tells the user so, unless an earlier answer is still unread.
///
/// # Errors
/// The field `text`, with `link` for a web or e-mail address; `not_permitted`, `not_found`,
/// `ambiguous`; `account_not_active` for a cancelled account, where nobody reads any more.
pub async fn answer(app: &App, by: Staff, name: &str, text: &str) -> Result<StaffMessage, Error> {
    by.may(Permission::Accounts)?;
    let text = message_text(text, 0).map_err(|problem| Error::field(Field::Text, problem))?;
    leads_nowhere(Field::Text, &text)?;
    let name = name.to_owned();
    app.db
        .write(move |tx| {
            let found = finding::read_named(tx, &name)?;
            let user = found.user;
            let status = users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?;
            refuse_if(status == AccountStatus::Cancelled, Refusal::AccountNotActive { status })?;
            let before = rows::find(tx, user)?.unwrap_or(Conversation::NEW);
            let new = NewMessage {
                user,
                operator: Some(by.id()),
                text: text.clone(),
                pictures: json!([]).to_string(),
                key: None,
            };
            let message = rows::insert(tx, &new)?;
            let after = before.with_message(Author::Staff, message.id.0);
            rows::save(tx, user, after)?;
            if before.announces_answer() {
                notify(tx, user, &NoticeKind::ServiceAnswered {})?;
            }
            // The text is left out: the user may have the conversation erased, but nothing is erased from the audit
            // log.
            let details = Changes::default().about("message", message.id.0).details();
            by.record(tx, "conversation.answer", subject(user), &details)?;
            Ok(staff_message((message, Some(by.name().to_owned())), &found.username, after))
        })
        .await
}

/// Closes it. The next message opens it again.
///
/// # Errors
/// `not_permitted`, `not_found`, `ambiguous`; `already_decided` if it is closed.
pub async fn close(app: &App, by: Staff, name: &str) -> Result<StaffConversation, Error> {
    by.may(Permission::Accounts)?;
    let name = name.to_owned();
    app.db
        .write(move |tx| {
            let (user, username, before) = lock_conversation(tx, &name)?;
            let after = before.closed().ok_or(Refusal::AlreadyDecided)?;
            rows::save(tx, user, after)?;
            let changes = Changes::default().and("status", before.status.name(), after.status.name());
            by.record(tx, "conversation.close", subject(user), &changes.details())?;
            view(tx, user, &username, after, PageRequest { before: None, limit: 1 })
        })
        .await
}

/// A picture of a conversation: its type and its bytes.
///
/// # Errors
/// `not_found`.
pub async fn picture(app: &App, id: &str) -> Result<(MediaType, Vec<u8>), Error> {
    let file = files::find_private(app, None, id).await?.ok_or(Refusal::NotFound)?;
    let object = files::open_file(app, &file.id).await?;
    let bytes = object.bytes.try_fold(Vec::new(), |mut all, piece| {
        all.extend_from_slice(&piece);
        std::future::ready(Ok(all))
    });
    Ok((file.mime, bytes.await?))
}

fn lock_conversation(tx: &mut Tx<'_>, name: &str) -> Result<(UserId, String, Conversation), Error> {
    let found = finding::read_named(tx, name)?;
    users::lock_status(tx, found.user)?.ok_or(Refusal::NotFound)?;
    let conversation = rows::find(tx, found.user)?.ok_or(Refusal::NotFound)?;
    Ok((found.user, found.username, conversation))
}

fn view(
    conn: &mut Conn,
    user: UserId,
    username: &str,
    now: Conversation,
    page: PageRequest,
) -> Result<StaffConversation, Error> {
    let found = rows::page_for_staff(conn, user, page)?;
    let more = found.next.is_some();
    let messages = found.items.into_iter().rev().map(|found| staff_message(found, username, now)).collect();
    let (status, waiting) = (now.status, now.waits_for_staff());
    Ok(StaffConversation { username: username.to_owned(), status, waiting, messages, more })
}

fn staff_message((message, operator): (Message, Option<String>), username: &str, now: Conversation) -> StaffMessage {
    StaffMessage {
        read: now.is_read(message.author, message.id.0),
        id: message.id,
        at: message.created_at,
        by: operator.unwrap_or_else(|| username.to_owned()),
        author: message.author,
        text: message.text,
        pictures: serde_json::from_str(&message.pictures).unwrap_or_default(),
    }
}

fn subject(user: UserId) -> String {
    format!("conversation:{user}")
}
