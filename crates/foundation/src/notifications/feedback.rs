//! Feedback from users, and staff's answers.

use auth::Permission;
use base::typed::broken_plainly;
use base::{FeedbackId, Field, Timestamp, UserId};
use base::{invisible::shows_something, refuse_if};
use serde::Serialize;
use serde_json::json;
use store::notifications::feedback::{self as rows, Feedback, NewFeedback};
use store::people::users;
use store::{Page, PageRequest, Tx};
use utoipa::ToSchema;

pub use store::notifications::feedback::{FeedbackFilter, Status};

use crate::notices::written::leads_nowhere;
use crate::notices::{NoticeKind, notify};
use crate::people::files::{self, Visibility};
use crate::staff::{Changes, Staff};
use crate::{App, Error, Fields, Refusal};

const LONGEST_TOPIC: usize = 100;
const LONGEST_CONTENT: usize = 2_000;
const LONGEST_REPLY: usize = 2_000;
const IMAGES_AT_MOST: usize = 6;
/// The most feedback a user may send in an hour.
const PER_HOUR: i64 = 10;
const HOUR: i64 = 3_600;

/// As sent by the client.
#[derive(Clone, Debug)]
pub struct Send {
    pub topic: String,
    pub content: String,
    /// Ids of files that the user uploaded.
    pub images: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Feedback)]
pub struct FeedbackReceipt {
    pub id: FeedbackId,
}

/// Feedback as staff see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FeedbackView {
    pub id: FeedbackId,
    pub username: String,
    pub topic: String,
    pub content: String,
    /// The pictures' paths on the server.
    pub images: Vec<String>,
    /// `open` or `closed`.
    pub status: Status,
    pub reply: String,
    pub created_at: Timestamp,
    pub closed_at: Option<Timestamp>,
}

impl FeedbackView {
    pub fn of(row: Feedback, username: String) -> Self {
        let ids: Vec<String> = serde_json::from_str(&row.images).unwrap_or_default();
        Self {
            id: row.id,
            username,
            topic: row.topic,
            content: row.content,
            images: ids.iter().map(|id| files::url(id)).collect(),
            status: row.status,
            reply: row.reply,
            created_at: row.created_at,
            closed_at: row.closed_at,
        }
    }
}

/// # Errors
/// The fields `topic`, `content` and `images`; `TooManyRequests` if the user sent too
/// much.
pub async fn send(app: &App, user: UserId, command: Send) -> Result<FeedbackReceipt, Error> {
    let [topic, content] = [&command.topic, &command.content].map(|typed| broken_plainly(typed).trim().to_owned());
    let mut wrong = Fields::new();
    for (name, text, longest) in [(Field::Topic, &topic, LONGEST_TOPIC), (Field::Content, &content, LONGEST_CONTENT)] {
        if let Some(problem) = problem(text, longest) {
            wrong.insert(name, problem);
        }
    }
    let mut images: Vec<String> = Vec::new();
    for id in command.images {
        if !images.contains(&id) {
            images.push(id);
        }
    }
    if images.len() > IMAGES_AT_MOST {
        wrong.insert(Field::Images, "too_many");
    } else if !files::are_of(app, user, &images, Visibility::Public).await? {
        wrong.insert(Field::Images, "invalid");
    }
    refuse_if(!wrong.is_empty(), Error::Fields(wrong))?;
    let new = NewFeedback { user, topic, content, images: json!(images).to_string() };
    app.db.write(move |tx| write(tx, &new)).await
}

fn problem(text: &str, longest: usize) -> Option<&'static str> {
    let odd = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    match text.chars().count() {
        _ if !shows_something(text) => Some("required"),
        n if n > longest => Some("too_long"),
        _ if text.chars().any(odd) => Some("invalid"),
        _ => None,
    }
}

fn write(tx: &mut Tx<'_>, new: &NewFeedback) -> Result<FeedbackReceipt, Error> {
    // The lock makes simultaneous calls see each other, and the closing of the account.
    users::lock_status(tx, new.user)?.ok_or(Refusal::NotFound)?.may_act()?;
    let now = tx.now();
    let recent = rows::find_times_since(tx, new.user, now.plus_seconds(-HOUR), PER_HOUR)?;
    if let (Some(first), true) = (recent.first(), recent.len().try_into() == Ok(PER_HOUR)) {
        let retry_after = HOUR.saturating_sub(now.seconds().saturating_sub(first.seconds())).max(1);
        return Err(Error::TooManyRequests { retry_after });
    }
    Ok(FeedbackReceipt { id: rows::insert(tx, new)? })
}

/// All feedback, newest first.
pub async fn list(app: &App, wanted: FeedbackFilter, page: PageRequest) -> Result<Page<FeedbackView>, Error> {
    let found = app.db.read(move |conn| rows::page(conn, wanted, page)).await?;
    Ok(found.map(|(row, username)| FeedbackView::of(row, username)))
}

/// # Errors
/// `not_found`.
pub async fn show(app: &App, id: FeedbackId) -> Result<FeedbackView, Error> {
    let (row, username) = app.db.read(move |conn| rows::find(conn, id)).await?.ok_or(Refusal::NotFound)?;
    Ok(FeedbackView::of(row, username))
}

/// Closes feedback that staff have dealt with; the user is told the reply.
///
/// # Errors
/// The field `reply`, with `link` for a web or e-mail address; `not_permitted`, `not_found`, `already_decided`.
pub async fn close(app: &App, by: Staff, id: FeedbackId, reply: Option<String>) -> Result<FeedbackView, Error> {
    by.may(Permission::Accounts)?;
    let reply = reply.map(|text| broken_plainly(&text).trim().to_owned()).unwrap_or_default();
    if let Some(problem) = problem(&reply, LONGEST_REPLY).filter(|_| !reply.is_empty()) {
        return Err(Error::field(Field::Reply, problem));
    }
    leads_nowhere(Field::Reply, &reply)?;
    app.db
        .write(move |tx| {
            let (found, _) = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
            refuse_if(!rows::close(tx, id, by.id(), &reply)?, Refusal::AlreadyDecided)?;
            if !reply.is_empty() {
                let (topic, reply) = (found.topic.clone(), reply.clone());
                notify(tx, found.user, &NoticeKind::FeedbackAnswered { topic, reply })?;
            }
            let changes = Changes::default().and("status", "open", "closed").and("reply", "", reply.as_str());
            by.record(tx, "feedback.close", format!("feedback:{id}"), &changes.about("user", found.user.0).details())?;
            let (after, username) = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
            Ok(FeedbackView::of(after, username))
        })
        .await
}
