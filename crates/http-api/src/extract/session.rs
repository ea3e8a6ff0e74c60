//! The caller, by the token in `X-CT`.

use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use base::{UserId, refuse_if};
use derive_more::Deref;
use foundation::people::sessions::{self, Caller};
use foundation::{Error, Refusal};
use futures_util::future::Either;
use futures_util::{Stream, TryStreamExt};
use i18n::Lang;

use super::read_only;
use crate::Shell;
use crate::edge::{UserLang, language};
use crate::failure::Failure;

/// A valid session of an active account. One that another process ended may still be accepted for
/// three seconds, so use this only for calls that read.
#[derive(Deref)]
pub struct Session {
    #[deref(forward)]
    caller: Arc<Caller>,
    lang: Lang,
}

/// A valid session of an active account, checked in the database: for every call that changes something.
#[derive(Deref)]
pub struct FreshSession(Session);

/// Names, in the extensions of a request with a [`FreshSession`], the user whose account it changes.
#[derive(Clone, Copy)]
pub struct Changes(pub UserId);

/// A valid session of an account that may at least write to customer service: an active one, or one
/// that waits for activation or is disabled.
#[derive(Deref)]
pub struct ServiceSession(Session);

impl Session {
    /// # Errors
    /// `store_not_opened` until an authorization code was used.
    pub fn with_store(&self) -> Result<(), Failure> {
        Ok(self.caller.with_store()?)
    }

    /// The language to answer in; [`Caller::lang`] is the account's.
    pub const fn answer_lang(&self) -> Lang {
        self.lang
    }

    /// Pieces that are sent one by one, until the session ends: whoever reads slowly would read on for hours.
    pub fn while_it_lasts<T, S>(&self, shell: &Shell, pieces: S) -> impl Stream<Item = Result<T, Error>> + use<T, S>
    where
        S: Stream<Item = Result<T, Error>>,
    {
        let (app, session) = (shell.app.clone(), self.caller.session);
        pieces.and_then(move |piece| {
            let app = app.clone();
            async move { sessions::goes_on(&app, session).await.map(|()| piece) }
        })
    }

    /// Every session passes here, so a session of staff gets no further than what it may read.
    fn begin(request: &HttpRequest, caller: Arc<Caller>) -> Result<Self, Failure> {
        request.extensions_mut().insert(UserLang(caller.lang));
        refuse_if(caller.staff.is_some() && !read_only::may_call(request), Refusal::ReadOnlySession)?;
        Ok(Self { caller, lang: language(request) })
    }
}

fn shown(request: &HttpRequest) -> Option<&str> {
    let shown = request.headers().get("X-CT").and_then(|value| value.to_str().ok());
    shown.map(str::trim).filter(|token| !token.is_empty())
}

/// The request's session token, if any.
pub fn token(request: &HttpRequest) -> Option<String> {
    shown(request).map(str::to_owned)
}

type SessionFuture<T> = Pin<Box<dyn Future<Output = Result<T, Failure>>>>;

impl FromRequest for Session {
    type Error = Failure;
    type Future = Either<Ready<Result<Self, Failure>>, SessionFuture<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let shell = request.app_data::<web::Data<Shell>>();
        let known = shell.zip(shown(request)).and_then(|(shell, token)| sessions::find_known(&shell.app, token));
        match known {
            Some(caller) => Either::Left(ready(Self::begin(request, caller))),
            None => Either::Right(Box::pin(ask(request.clone()))),
        }
    }
}

impl FromRequest for FreshSession {
    type Error = Failure;
    type Future = SessionFuture<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let session = ask(request.clone()).await?;
            request.extensions_mut().insert(Changes(session.user));
            Ok(Self(session))
        })
    }
}

impl FromRequest for ServiceSession {
    type Error = Failure;
    type Future = SessionFuture<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let (shell, token) = given(&request)?;
            let found = sessions::authenticate_for_service(&shell.app, &token).await;
            admit(&request, &shell, &token, found.map(Arc::new)).await.map(Self)
        })
    }
}

/// Checks the session in the database.
async fn ask(request: HttpRequest) -> Result<Session, Failure> {
    let (shell, token) = given(&request)?;
    let found = sessions::authenticate_afresh(&shell.app, &token).await;
    admit(&request, &shell, &token, found).await
}

fn given(request: &HttpRequest) -> Result<(web::Data<Shell>, String), Error> {
    let shell = request.app_data::<web::Data<Shell>>().cloned();
    let shell = shell.ok_or_else(|| Error::Internal("the shell is not configured".into()))?;
    Ok((shell, token(request).ok_or(Error::NotSignedIn)?))
}

async fn admit(
    request: &HttpRequest,
    shell: &Shell,
    token: &str,
    found: Result<Arc<Caller>, Error>,
) -> Result<Session, Failure> {
    match found {
        Ok(caller) => Session::begin(request, caller),
        Err(error) => {
            // A refusal of the account is in its own language.
            if let Some(lang) = sessions::language_of(&shell.app, token).await {
                request.extensions_mut().insert(UserLang(lang));
            }
            Err(error.into())
        }
    }
}
