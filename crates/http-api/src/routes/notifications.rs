//! The user's notifications.

pub mod conversation;
pub mod feedback;
pub mod push;

use actix_web::{post, web};
use base::Field;
use foundation::Refusal;
use foundation::notifications::{
    self, Category, CategoryFilter, Filter, NotificationQuery, NotificationView, ReadFilter, ReadSelection,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;

use crate::Shell;
use crate::envelope::{Handled, List, Reply};
use crate::extract::{Body, FreshSession, Session, choice, required};
use crate::failure::Failure;

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct NotificationsRequest {
    /// all (default), system_announcement, system_maintenance or activity.
    #[schema(value_type = Option<CategoryFilter>)]
    pub category: Option<String>,
    /// all (default), unread or read.
    #[schema(value_type = Option<ReadFilter>)]
    pub state: Option<String>,
    /// `next_cursor` of the previous page.
    pub cursor: Option<String>,
    /// 1 to 100; 20 by default.
    pub limit: Option<i64>,
}

/// The category with this name; `None` for all.
fn category(name: Option<&str>) -> Result<Option<Category>, Failure> {
    Ok(choice(name, Field::Category, CategoryFilter::from_name)?.and_then(CategoryFilter::only))
}

#[utoipa::path(tag = "notifications", request_body = NotificationsRequest,
    responses((status = 200, body = List<NotificationView>)))]
#[post("/user/notifications")]
pub async fn list(
    shell: web::Data<Shell>,
    session: Session,
    body: Body<NotificationsRequest>,
) -> Handled<List<NotificationView>> {
    let typed = body.read()?;
    let read = choice(typed.state, Field::State, ReadFilter::from_name)?.and_then(ReadFilter::only);
    let filter = Filter { category: category(typed.category.as_deref())?, read };
    let wanted = NotificationQuery { filter, cursor: typed.cursor, limit: typed.limit };
    let found = notifications::list_notifications(&shell.app, session.user, session.answer_lang(), wanted).await?;
    Ok(Reply(List { items: found.items, next_cursor: found.next_cursor }))
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Unread {
    pub unread_total: i64,
}

/// Either `id`, or `all` true, limited to a category if given.
#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct ReadRequest {
    pub id: Option<String>,
    pub all: Option<bool>,
    #[schema(value_type = Option<CategoryFilter>)]
    pub category: Option<String>,
}

#[utoipa::path(tag = "notifications", request_body = ReadRequest, responses((status = 200, body = Unread)))]
#[post("/user/notifications/read")]
pub async fn mark_read(shell: web::Data<Shell>, session: FreshSession, body: Body<ReadRequest>) -> Handled<Unread> {
    let which = match body.read()? {
        ReadRequest { all: Some(true), category: name, .. } => ReadSelection::All(category(name.as_deref())?),
        ReadRequest { id, .. } => {
            ReadSelection::One(required(id, Field::Id)?.parse().map_err(|_| Failure::from(Refusal::NotFound))?)
        }
    };
    Ok(Reply(Unread { unread_total: notifications::read(&shell.app, session.user, which).await? }))
}

#[utoipa::path(tag = "notifications", responses((status = 200, body = Unread)))]
#[post("/user/notifications/unread_count")]
pub async fn count_unread(shell: web::Data<Shell>, session: Session) -> Handled<Unread> {
    Ok(Reply(Unread { unread_total: notifications::unread(&shell.app, session.user).await? }))
}
