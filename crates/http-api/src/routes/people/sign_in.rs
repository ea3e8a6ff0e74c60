//! Registering, signing in and out, and the list of languages.

use actix_web::{HttpMessage, HttpRequest, get, post, web};
use desk::installation::basic_config::{LanguageList, languages};
use foundation::Error;
use foundation::people::entry::{self, ProviderCall};
use foundation::people::login::{self, Login, ResetPassword, log_in};
use foundation::people::register::{self, Register};
use foundation::people::sessions::{SignedIn, log_out};
use foundation::people::update_password::UpdatePassword;
use i18n::Lang;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;

use crate::Shell;
use crate::edge::{UserLang, language};
use crate::envelope::{Handled, Nothing, Reply};
use crate::extract::{Body, FreshSession, token, user_agent};
use crate::rules;

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct RegisterRequest {
    #[validate(custom(function = "rules::new_username"))]
    #[schema(required = true)]
    pub username: String,
    #[validate(custom(function = "rules::new_password"))]
    #[schema(required = true)]
    pub password: String,
    #[validate(length(min = 1, code = "required"), must_match(other = "password", code = "mismatch"))]
    #[schema(required = true)]
    pub confirm_password: String,
    #[validate(custom(function = "rules::email"))]
    #[schema(required = true)]
    pub email: String,
    #[validate(custom(function = "rules::phone"))]
    #[schema(required = true)]
    pub phone: String,
    /// The authorization code.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub license_key: String,
    /// One of the app's languages; that of the request by default.
    #[validate(custom(function = "rules::lang"))]
    pub lang: Option<String>,
}

/// The language named by a client, if any.
fn named(lang: Option<&str>) -> Option<Lang> {
    lang.and_then(i18n::from_client_code)
}

async fn register_user(shell: &Shell, request: &HttpRequest, body: Body<RegisterRequest>) -> Handled<SignedIn> {
    let typed = body.read()?;
    let lang = named(typed.lang.as_deref()).unwrap_or_else(|| language(request));
    let command = Register {
        username: typed.username,
        password: typed.password,
        email: typed.email,
        phone: typed.phone,
        license_key: typed.license_key,
        lang,
        device: user_agent(request),
        address: shell.client(request),
    };
    let signed = register::register(&shell.app, command).await?;
    Ok(Reply(told(shell, request, signed)))
}

#[utoipa::path(tag = "account", request_body = RegisterRequest, responses((status = 200, body = SignedIn)))]
#[post("/auth/v2/register")]
pub async fn register_v2(
    shell: web::Data<Shell>,
    request: HttpRequest,
    body: Body<RegisterRequest>,
) -> Handled<SignedIn> {
    register_user(&shell, &request, body).await
}

#[utoipa::path(tag = "account", request_body = RegisterRequest, responses((status = 200, body = SignedIn)))]
#[post("/auth/register")]
pub async fn register_v1(
    shell: web::Data<Shell>,
    request: HttpRequest,
    body: Body<RegisterRequest>,
) -> Handled<SignedIn> {
    register_user(&shell, &request, body).await
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct LoginRequest {
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub username: String,
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub password: String,
    /// Becomes the user's language, if given.
    #[validate(custom(function = "rules::lang"))]
    pub lang: Option<String>,
}

async fn log_in_user(shell: &Shell, request: &HttpRequest, body: Body<LoginRequest>) -> Handled<SignedIn> {
    let typed = body.read()?;
    let command = Login {
        lang: named(typed.lang.as_deref()),
        username: typed.username,
        password: typed.password,
        device: user_agent(request),
        address: shell.client(request),
    };
    let name = command.username.clone();
    match log_in(&shell.app, command).await {
        Ok(signed) => Ok(Reply(told(shell, request, signed))),
        Err(error) => {
            if matches!(error, Error::Barred(_)) {
                remember(request, login::language_of(&shell.app, &name).await);
            }
            Err(error.into())
        }
    }
}

/// A refusal of an account is in its language.
fn remember(request: &HttpRequest, lang: Option<Lang>) {
    if let Some(lang) = lang {
        request.extensions_mut().insert(UserLang(lang));
    }
}

/// In the language of the request.
fn told(shell: &Shell, request: &HttpRequest, signed: SignedIn) -> SignedIn {
    SignedIn { user: signed.user.told_in(&shell.app, language(request)), ..signed }
}

#[utoipa::path(tag = "account", request_body = LoginRequest, responses((status = 200, body = SignedIn)))]
#[post("/auth/v2/login")]
pub async fn login_v2(shell: web::Data<Shell>, request: HttpRequest, body: Body<LoginRequest>) -> Handled<SignedIn> {
    log_in_user(&shell, &request, body).await
}

#[utoipa::path(tag = "account", request_body = LoginRequest, responses((status = 200, body = SignedIn)))]
#[post("/auth/login")]
pub async fn login_v1(shell: web::Data<Shell>, request: HttpRequest, body: Body<LoginRequest>) -> Handled<SignedIn> {
    log_in_user(&shell, &request, body).await
}

/// Ends the session of the token in `X-CT`; without a token it does nothing.
#[utoipa::path(tag = "account", responses((status = 200, body = Nothing)))]
#[post("/auth/logout")]
pub async fn logout(shell: web::Data<Shell>, request: HttpRequest) -> Handled<Nothing> {
    if let Some(token) = token(&request) {
        log_out(&shell.app, &token).await?;
    }
    Ok(Reply(Nothing {}))
}

#[utoipa::path(tag = "account", responses((status = 200, body = LanguageList)))]
#[get("/auth/v2/lang")]
pub async fn list_languages() -> Handled<LanguageList> {
    Ok(Reply(languages()))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct EntryRequest {
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub ticket: String,
}

/// Exchanges a one-time ticket of the native shell for a session.
#[utoipa::path(tag = "account", request_body = EntryRequest, responses((status = 200, body = SignedIn)))]
#[post("/auth/entry")]
pub async fn enter(shell: web::Data<Shell>, request: HttpRequest, body: Body<EntryRequest>) -> Handled<SignedIn> {
    let ticket = body.read()?.ticket;
    match entry::enter(&shell.app, &ticket, &user_agent(&request)).await {
        Ok(signed) => Ok(Reply(told(&shell, &request, signed))),
        Err(error) => {
            if matches!(error, Error::Barred(_)) {
                remember(&request, entry::language_of(&shell.app, &ticket).await);
            }
            Err(error.into())
        }
    }
}

/// Whom a ticket lets in.
#[derive(Debug, Serialize, ToSchema)]
pub struct TicketAccount {
    pub username: String,
}

/// The account that a ticket lets in. The ticket is not used up, so the app can ask before it replaces the present
/// session with somebody else's.
#[utoipa::path(tag = "account", request_body = EntryRequest, responses((status = 200, body = TicketAccount)))]
#[post("/auth/entry/account")]
pub async fn show_ticket_account(shell: web::Data<Shell>, body: Body<EntryRequest>) -> Handled<TicketAccount> {
    Ok(Reply(TicketAccount { username: entry::username_of(&shell.app, &body.read()?.ticket).await? }))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct TicketRequest {
    /// The user whom the provider has signed in; an unknown name gets an account.
    #[validate(custom(function = "rules::username"))]
    #[schema(required = true)]
    pub username: String,
    /// The language that the provider shows this user; it becomes the account's.
    #[validate(custom(function = "rules::lang"))]
    pub lang: Option<String>,
}

/// A one-time ticket for the entry route, valid for a minute.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ticket {
    pub ticket: String,
    /// The address that uses it.
    pub url: String,
}

/// For the provider's own server. `X-Provider-Signature` is the lower-case hex HMAC-SHA256 over
/// `X-Provider-Timestamp`, method, path and raw body, each but the last followed by a line feed.
#[utoipa::path(tag = "account", request_body = TicketRequest,
    params(("X-Provider-Timestamp" = String, Header, description = "Unix seconds"),
        ("X-Provider-Signature" = String, Header, description = "Lower-case hex HMAC-SHA256")),
    responses((status = 200, body = Ticket)))]
#[post("/auth/ticket")]
pub async fn issue_ticket(shell: web::Data<Shell>, request: HttpRequest, body: Body<TicketRequest>) -> Handled<Ticket> {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let call = ProviderCall {
        timestamp: header("X-Provider-Timestamp"),
        signature: header("X-Provider-Signature"),
        path: request.path(),
        body: body.raw(),
    };
    let call = entry::authenticate_provider(&shell.app, &call)?;
    let typed = body.read()?;
    let lang = named(typed.lang.as_deref());
    let ticket = entry::issue_for_provider(&shell.app, call, &typed.username, lang).await?;
    let url = entry::entry_url(&shell.base_url(&request), &ticket, lang);
    Ok(Reply(Ticket { ticket: ticket.text().to_owned(), url }))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct UpdatePasswordRequest {
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub old_password: String,
    #[validate(custom(function = "rules::new_password"))]
    #[schema(required = true)]
    pub new_password: String,
    #[validate(length(min = 1, code = "required"), must_match(other = "new_password", code = "mismatch"))]
    #[schema(required = true)]
    pub confirm_password: String,
}

/// Ends every session of the user, this one included.
#[utoipa::path(tag = "account", request_body = UpdatePasswordRequest, responses((status = 200, body = Nothing)))]
#[post("/update/password")]
pub async fn change_password(
    shell: web::Data<Shell>,
    session: FreshSession,
    request: HttpRequest,
    body: Body<UpdatePasswordRequest>,
) -> Handled<Nothing> {
    let typed = body.read()?;
    let command = UpdatePassword {
        old_password: typed.old_password,
        new_password: typed.new_password,
        address: shell.client(&request),
    };
    foundation::people::update_password::update_password(&shell.app, session.user, &session.username, command).await?;
    Ok(Reply(Nothing {}))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct ResetPasswordRequest {
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub username: String,
    /// Both halves of the code that customer service read out, one after the other, in either order.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub code: String,
    #[validate(custom(function = "rules::new_password"))]
    #[schema(required = true)]
    pub password: String,
    #[validate(length(min = 1, code = "required"), must_match(other = "password", code = "mismatch"))]
    #[schema(required = true)]
    pub confirm_password: String,
}

/// Sets a new sign-in password for a user who forgot the old one. Ends every session of the user, and starts none.
///
/// `wrong_reset_code` does not tell whether the account exists or has a code. The fifth wrong code that has one right
/// half ends the user's code.
#[utoipa::path(tag = "account", request_body = ResetPasswordRequest, responses((status = 200, body = Nothing)))]
#[post("/auth/reset")]
pub async fn reset_password(
    shell: web::Data<Shell>,
    request: HttpRequest,
    body: Body<ResetPasswordRequest>,
) -> Handled<Nothing> {
    let typed = body.read()?;
    let command = ResetPassword {
        username: typed.username,
        code: typed.code,
        password: typed.password,
        address: shell.client(&request),
    };
    login::reset_password(&shell.app, command).await?;
    Ok(Reply(Nothing {}))
}
