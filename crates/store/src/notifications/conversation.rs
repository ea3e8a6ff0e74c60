//! Conversations between users and customer service: the messages, and each side's mark.

use ::notifications::conversation::{Author, Conversation, ConversationStatus};
use base::{MessageId, OperatorId, Timestamp, UserId};
use diesel::prelude::*;

use crate::schema::{conversations, messages, operators, users};
use crate::{Conn, Error, Page, PageRequest, Tx};

#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Message {
    pub id: MessageId,
    pub author: Author,
    pub text: String,
    /// Ids of files, as a JSON array.
    pub pictures: String,
    pub created_at: Timestamp,
}

#[derive(Clone, Debug)]
pub struct NewMessage {
    pub user: UserId,
    /// `None` if the user wrote it.
    pub operator: Option<OperatorId>,
    pub text: String,
    pub pictures: String,
    /// Given by the user's client.
    pub key: Option<String>,
}

/// A conversation in staff's list, with its last message.
#[derive(Clone, Debug)]
pub struct ListedConversation {
    pub user: UserId,
    pub username: String,
    pub conversation: Conversation,
    pub last: Message,
}

/// Selects conversations; all if nothing is given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    pub status: Option<ConversationStatus>,
    /// Only those in which staff have something to read or to answer.
    pub waiting: bool,
    pub user: Option<UserId>,
}

type State = (ConversationStatus, i64, i64, i64, i64);

#[diesel::dsl::auto_type]
fn state() -> _ {
    (
        conversations::status,
        conversations::last_by_user,
        conversations::last_by_staff,
        conversations::read_by_user,
        conversations::read_by_staff,
    )
}

const MESSAGE: (messages::id, messages::author, messages::text, messages::pictures, messages::created_at) =
    (messages::id, messages::author, messages::text, messages::pictures, messages::created_at);

fn conversation((status, last_by_user, last_by_staff, read_by_user, read_by_staff): State) -> Conversation {
    Conversation { status, last_by_user, last_by_staff, read_by_user, read_by_staff }
}

/// The user's conversation; lock the user before changing it.
pub fn find(conn: &mut Conn, user: UserId) -> Result<Option<Conversation>, Error> {
    let row: Option<State> = conversations::table.find(user).select(state()).first(conn).optional()?;
    Ok(row.map(conversation))
}

pub fn save(tx: &mut Tx<'_>, user: UserId, now: Conversation) -> Result<(), Error> {
    let at = tx.now();
    let values = || {
        (
            conversations::status.eq(now.status),
            conversations::waits.eq(now.waits_for_staff()),
            conversations::last_message.eq(now.last()),
            conversations::last_by_user.eq(now.last_by_user),
            conversations::last_by_staff.eq(now.last_by_staff),
            conversations::read_by_user.eq(now.read_by_user),
            conversations::read_by_staff.eq(now.read_by_staff),
            conversations::changed_at.eq(at),
        )
    };
    if diesel::update(conversations::table.find(user)).set(values()).execute(tx.conn())? == 0 {
        tx.run(diesel::insert_into(conversations::table).values((conversations::user_id.eq(user), values())))?;
    }
    Ok(())
}

pub fn insert(tx: &mut Tx<'_>, new: &NewMessage) -> Result<Message, Error> {
    let author = if new.operator.is_some() { Author::Staff } else { Author::User };
    Ok(diesel::insert_into(messages::table)
        .values((
            messages::user_id.eq(new.user),
            messages::author.eq(author),
            messages::operator_id.eq(new.operator),
            messages::text.eq(&new.text),
            messages::pictures.eq(&new.pictures),
            messages::client_key.eq(&new.key),
            messages::created_at.eq(tx.now()),
        ))
        .returning(MESSAGE)
        .get_result(tx.conn())?)
}

/// The message that the user's client sent under this key.
pub fn find_by_key(conn: &mut Conn, user: UserId, key: &str) -> Result<Option<Message>, Error> {
    let sent = messages::table.filter(messages::user_id.eq(user).and(messages::client_key.eq(key)));
    Ok(sent.select(MESSAGE).first(conn).optional()?)
}

/// When the user wrote since `since`, oldest first: the latest `limit`.
pub fn find_times_since(conn: &mut Conn, user: UserId, since: Timestamp, limit: i64) -> Result<Vec<Timestamp>, Error> {
    let recent: Vec<Timestamp> = messages::table
        .filter(messages::user_id.eq(user).and(messages::author.eq(Author::User)))
        .filter(messages::created_at.gt(since))
        .order(messages::id.desc())
        .limit(limit)
        .select(messages::created_at)
        .load(conn)?;
    Ok(recent.into_iter().rev().collect())
}

/// Newest first.
pub fn page_of_user(conn: &mut Conn, user: UserId, request: PageRequest) -> Result<Page<Message>, Error> {
    let own = messages::table.filter(messages::user_id.eq(user).and(messages::id.lt(request.below())));
    let found = own.order(messages::id.desc()).limit(request.fetch()).select(MESSAGE).load(conn)?;
    Ok(Page::cut(found, request, |message: &Message| message.id.0))
}

/// A user's messages, newest first, each with the name of the operator who wrote it.
pub fn page_for_staff(
    conn: &mut Conn,
    user: UserId,
    request: PageRequest,
) -> Result<Page<(Message, Option<String>)>, Error> {
    let found = messages::table
        .left_join(operators::table)
        .filter(messages::user_id.eq(user).and(messages::id.lt(request.below())))
        .order(messages::id.desc())
        .limit(request.fetch())
        .select((MESSAGE, operators::name.nullable()))
        .load(conn)?;
    Ok(Page::cut(found, request, |(message, _): &(Message, Option<String>)| message.id.0))
}

/// The number of answers after a message, counted up to `most`.
pub fn answers_after(conn: &mut Conn, user: UserId, id: i64, most: i64) -> Result<i64, Error> {
    let after: Vec<i64> = messages::table
        .filter(messages::user_id.eq(user).and(messages::id.gt(id)))
        .filter(messages::author.eq(Author::Staff))
        .limit(most)
        .select(messages::id)
        .load(conn)?;
    Ok(i64::try_from(after.len()).unwrap_or(most))
}

/// Everybody's, the one with the newest message first.
pub fn page(conn: &mut Conn, filter: Filter, request: PageRequest) -> Result<Page<ListedConversation>, Error> {
    let mut query = conversations::table
        .inner_join(users::table)
        .inner_join(messages::table)
        .filter(conversations::last_message.lt(request.below()))
        .select((users::id, users::username, state(), MESSAGE))
        .into_boxed();
    if let Some(status) = filter.status {
        query = query.filter(conversations::status.eq(status));
    }
    if filter.waiting {
        query = query.filter(conversations::waits.eq(true));
    }
    if let Some(user) = filter.user {
        query = query.filter(conversations::user_id.eq(user));
    }
    let rows: Vec<(UserId, String, State, Message)> =
        query.order(conversations::last_message.desc()).limit(request.fetch()).load(conn)?;
    let listed =
        |(user, username, state, last)| ListedConversation { user, username, conversation: conversation(state), last };
    Ok(Page::cut(rows.into_iter().map(listed).collect(), request, |listed: &ListedConversation| listed.last.id.0))
}

/// Erases what both sides wrote. The rows stay, as the number of messages.
pub fn erase(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    tx.run(diesel::update(messages::table.filter(messages::user_id.eq(user))).set((
        messages::text.eq(""),
        messages::pictures.eq("[]"),
        messages::client_key.eq(None::<String>),
    )))
}
