//! The conversation with customer service, as its user sees it. Messages have no effect besides being read.

use ::notifications::conversation::{
    Author, Conversation, ConversationStatus, MESSAGES_PER_HOUR, PICTURES_AT_MOST, message_text, seconds_to_wait,
};
use base::{Field, MessageId, Timestamp, UserId, refuse_if};
use serde::Serialize;
use serde_json::json;
use store::notifications as notices;
use store::notifications::conversation::{self as rows, Message, NewMessage};
use store::people::users;
use store::{Conn, Page, PageRequest, Tx};
use utoipa::ToSchema;

use crate::idempotent::Key;
use crate::notices::NoticeKind;
use crate::people::files::{self, Visibility};
use crate::{App, Error, Fields, Refusal};

const HOUR: i64 = 3_600;
/// Beyond this, unread answers are not counted.
const COUNTED: i64 = 100;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Message)]
pub struct MessageView {
    pub id: MessageId,
    /// `user` or `staff`.
    pub author: Author,
    /// Plain text, possibly of several lines; empty if there are only pictures.
    pub text: String,
    /// Ids of pictures, for `GET /customer/pictures/{id}`.
    pub pictures: Vec<String>,
    pub created_at: Timestamp,
    /// Whether the other side has read it.
    pub read: bool,
}

impl MessageView {
    pub(crate) fn of(message: Message, conversation: Conversation) -> Self {
        Self {
            read: conversation.is_read(message.author, message.id.0),
            id: message.id,
            author: message.author,
            text: message.text,
            pictures: serde_json::from_str(&message.pictures).unwrap_or_default(),
            created_at: message.created_at,
        }
    }
}

/// A page of the conversation, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Conversation)]
pub struct ConversationView {
    pub items: Vec<MessageView>,
    /// Requests the page of older messages; null on the last.
    pub next_cursor: Option<String>,
    /// Null until somebody has written.
    pub status: Option<ConversationStatus>,
    /// Answers that the user has not read; at most 100 are counted.
    pub unread: i64,
}

pub async fn conversation(app: &App, user: UserId, page: PageRequest) -> Result<ConversationView, Error> {
    let read = move |conn: &mut Conn| {
        let found = rows::find(conn, user)?;
        let now = found.unwrap_or(Conversation::NEW);
        let unread = rows::answers_after(conn, user, now.read_by_user, COUNTED)?;
        let page = rows::page_of_user(conn, user, page)?.map(|message| MessageView::of(message, now));
        let next_cursor = page.next.map(|id| id.to_string());
        Ok::<_, Error>(ConversationView { items: page.items, next_cursor, status: found.map(|c| c.status), unread })
    };
    app.db.snapshot(read).await
}

/// The messages for an export, newest first.
pub async fn messages(app: &App, user: UserId, page: PageRequest) -> Result<Page<MessageView>, Error> {
    let read = move |conn: &mut Conn| {
        let now = rows::find(conn, user)?.unwrap_or(Conversation::NEW);
        Ok::<_, Error>(rows::page_of_user(conn, user, page)?.map(|message| MessageView::of(message, now)))
    };
    app.db.snapshot(read).await
}

/// As sent by the client.
#[derive(Clone, Debug)]
pub struct Write {
    pub text: String,
    /// Ids of private files that the user uploaded.
    pub pictures: Vec<String>,
    /// A message that is sent again under its key is not kept again.
    pub key: Option<Key>,
}

/// # Errors
/// The fields `text` and `pictures`; `idempotency_key_reused` for another message under
/// the same key; `TooManyRequests` if the user wrote too much.
pub async fn write(app: &App, user: UserId, command: Write) -> Result<MessageView, Error> {
    let mut wrong = Fields::new();
    let text = message_text(&command.text, command.pictures.len()).unwrap_or_else(|problem| {
        wrong.insert(Field::Text, problem);
        String::new()
    });
    let mut pictures: Vec<String> = Vec::new();
    for id in command.pictures {
        if !pictures.contains(&id) {
            pictures.push(id);
        }
    }
    if pictures.len() > PICTURES_AT_MOST {
        wrong.insert(Field::Pictures, "too_many");
    } else if !files::are_of(app, user, &pictures, Visibility::Private).await? {
        wrong.insert(Field::Pictures, "invalid");
    }
    refuse_if(!wrong.is_empty(), Error::Fields(wrong))?;
    let key = command.key.map(|key| key.as_str().to_owned());
    let new = NewMessage { user, operator: None, text, pictures: json!(pictures).to_string(), key };
    app.db.write(move |tx| keep(tx, &new)).await
}

fn keep(tx: &mut Tx<'_>, new: &NewMessage) -> Result<MessageView, Error> {
    let user = new.user;
    // The lock makes simultaneous calls see each other, and the closing of the account.
    users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?.may_ask()?;
    let before = rows::find(tx, user)?.unwrap_or(Conversation::NEW);
    let sent = new.key.as_deref().map(|key| rows::find_by_key(tx, user, key)).transpose()?.flatten();
    if let Some(sent) = sent {
        let same = (&sent.text, &sent.pictures) == (&new.text, &new.pictures);
        return if same { Ok(MessageView::of(sent, before)) } else { Err(Refusal::IdempotencyKeyReused.into()) };
    }
    let now = tx.now();
    let most = i64::try_from(MESSAGES_PER_HOUR).unwrap_or(i64::MAX);
    let recent = rows::find_times_since(tx, user, now.plus_seconds(-HOUR), most)?;
    if let Some(retry_after) = seconds_to_wait(&recent, now) {
        return Err(Error::TooManyRequests { retry_after });
    }
    let message = rows::insert(tx, new)?;
    let after = before.with_message(Author::User, message.id.0);
    rows::save(tx, user, after)?;
    Ok(MessageView::of(message, after))
}

/// What is left to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ConversationRead)]
pub struct UnreadMessages {
    pub unread: i64,
}

/// Notes that the user has read up to and including this message. The notice of an answer
/// counts as read with it.
pub async fn mark_read(app: &App, user: UserId, until: MessageId) -> Result<UnreadMessages, Error> {
    app.db
        .write(move |tx| {
            users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?;
            let Some(before) = rows::find(tx, user)? else { return Ok(UnreadMessages { unread: 0 }) };
            let after = before.read(Author::User, until.0);
            if after != before {
                rows::save(tx, user, after)?;
            }
            let unread = rows::answers_after(tx, user, after.read_by_user, COUNTED)?;
            if unread == 0 {
                notices::mark_kind_read(tx, user, NoticeKind::ServiceAnswered {}.key())?;
            }
            Ok(UnreadMessages { unread })
        })
        .await
}
