//! The user's own account: profile, transaction password, sessions.

pub mod files;
pub mod leaving;
pub mod sign_in;

use actix_web::{HttpRequest, get, post, web};
use auth::PayPassword;
use base::Field;
use foundation::people::sessions::{self, SessionSelection, SessionView};
use foundation::people::set_pay_password::{SetPayPassword, set_pay_password as set_password};
use foundation::people::user_info::{EditUser, Editor, UserView, check_edit, save_edit, user_info};
use foundation::people::{opening_store, pay_password, staff_access};
use foundation::{Refusal, fields};
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

use crate::Shell;
use crate::envelope::{Handled, Nothing, Reply};
use crate::extract::{Body, FreshSession, Session, given, required};
use crate::failure::Failure;
use crate::routes::wallet::verify_password;
use crate::rules;

#[utoipa::path(tag = "account", responses((status = 200, body = UserView)))]
#[get("/user/info")]
pub async fn show(shell: web::Data<Shell>, session: Session) -> Handled<UserView> {
    let mut user = user_info(&shell.app, session.user, Some(session.entry)).await?;
    user.session = staff_access::read_only(&shell.app, &session).await?;
    Ok(Reply(user.told_in(&shell.app, session.answer_lang())))
}

/// Missing fields stay as they are.
#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct EditRequest {
    pub nickname: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    /// The id of a file that the user uploaded; an empty one removes the picture.
    pub avatar: Option<String>,
    pub lang: Option<String>,
    /// The transaction password's MD5, in lower-case hex; needed for another `email` or `phone` once one is set.
    pub password: Option<String>,
}

/// In a live installation, withdrawals and exchanges are refused for a day after `email` or `phone` changed.
#[utoipa::path(tag = "account", request_body = EditRequest, responses((status = 200, body = UserView)))]
#[post("/user/info/edit")]
pub async fn edit(shell: web::Data<Shell>, session: FreshSession, body: Body<EditRequest>) -> Handled<UserView> {
    let EditRequest { nickname, email, phone, avatar, lang, password } = body.read()?;
    // An invalid edit is refused before the password is checked, so that it uses no attempt.
    let edit = check_edit(&shell.app, session.user, EditUser { nickname, email, phone, avatar, lang }).await?;
    let editor = if edit.needs_password(&shell.app, session.user).await? {
        let password = required(password, Field::Password)?;
        Editor::Proven(verify_password(&shell, &session, &password).await?)
    } else {
        Editor::Unproven(session.user)
    };
    let user = save_edit(&shell.app, editor, session.entry, edit).await?;
    Ok(Reply(user.told_in(&shell.app, session.answer_lang())))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct OpeningRequest {
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub authorization_code: String,
}

#[utoipa::path(tag = "account", request_body = OpeningRequest, responses((status = 200, body = UserView)))]
#[post("/opening_store")]
pub async fn open_store(
    shell: web::Data<Shell>,
    session: FreshSession,
    request: HttpRequest,
    body: Body<OpeningRequest>,
) -> Handled<UserView> {
    let code = body.read()?.authorization_code;
    let address = shell.client(&request);
    let user = opening_store::open_store(&shell.app, (session.user, session.entry), &code, address).await?;
    Ok(Reply(user.told_in(&shell.app, session.answer_lang())))
}

/// Six digits as the lower-case hex of their MD5, twice.
#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct PasswordRequest {
    #[validate(custom(function = "rules::pay_password"))]
    #[schema(required = true)]
    pub password: String,
    #[validate(length(min = 1, code = "required"), must_match(other = "password", code = "mismatch"))]
    #[schema(required = true)]
    pub confirm_password: String,
    /// Required once one is set.
    #[validate(custom(function = "rules::old_pay_password"))]
    pub old_password: Option<String>,
}

fn digest(name: Field, text: &str) -> Result<PayPassword, Failure> {
    fields::pay_password(text).map_err(|problem| Failure::field(name, problem))
}

#[utoipa::path(tag = "account", request_body = PasswordRequest, responses((status = 200, body = Nothing)))]
#[post("/set/password")]
pub async fn set_pay_password(
    shell: web::Data<Shell>,
    session: FreshSession,
    body: Body<PasswordRequest>,
) -> Handled<Nothing> {
    let typed = body.read()?;
    let old = given(typed.old_password.as_deref());
    let command = SetPayPassword {
        password: digest(Field::Password, &typed.password)?,
        old_password: old.map(|text| digest(Field::OldPassword, text)).transpose()?,
    };
    set_password(&shell.app, session.user, command).await?;
    Ok(Reply(Nothing {}))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct CheckRequest {
    #[validate(custom(function = "rules::pay_password"))]
    #[schema(required = true)]
    pub password: String,
}

#[utoipa::path(tag = "account", request_body = CheckRequest, responses((status = 200, body = Nothing)))]
#[post("/check/password")]
pub async fn check_pay_password(
    shell: web::Data<Shell>,
    session: FreshSession,
    body: Body<CheckRequest>,
) -> Handled<Nothing> {
    let password = digest(Field::Password, &body.read()?.password)?;
    pay_password::check_in_session(&shell.app, &session, &password).await?;
    Ok(Reply(Nothing {}))
}

#[utoipa::path(tag = "account", responses((status = 200, body = Vec<SessionView>)))]
#[get("/user/sessions")]
pub async fn list_sessions(shell: web::Data<Shell>, session: Session) -> Handled<Vec<SessionView>> {
    Ok(Reply(sessions::list_sessions(&shell.app, session.user, Some(session.session)).await?))
}

/// Either `id`, or `all` true.
#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct EndRequest {
    pub id: Option<String>,
    pub all: Option<bool>,
}

#[utoipa::path(tag = "account", request_body = EndRequest, responses((status = 200, body = Nothing)))]
#[post("/user/sessions/end")]
pub async fn end_sessions(shell: web::Data<Shell>, session: FreshSession, body: Body<EndRequest>) -> Handled<Nothing> {
    let which = match body.read()? {
        EndRequest { all: Some(true), .. } => SessionSelection::All,
        EndRequest { id, .. } => {
            SessionSelection::One(required(id, Field::Id)?.parse().map_err(|_| Failure::from(Refusal::NotFound))?)
        }
    };
    sessions::end_sessions(&shell.app, session.user, which).await?;
    Ok(Reply(Nothing {}))
}
