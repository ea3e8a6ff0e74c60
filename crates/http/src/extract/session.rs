//! Who calls, by the token in `X-CT`.

use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use usecases::sessions::{self, Caller};
use usecases::{Error, Refusal};

use crate::Shell;
use crate::edge::UserLang;
use crate::failure::Failure;

/// A session that is good, of an account that may act.
pub struct Session(pub Caller);

impl Session {
    /// # Errors
    /// `store_not_opened` before an authorization code was given.
    pub fn with_store(&self) -> Result<(), Failure> {
        if self.0.store_opened { Ok(()) } else { Err(Refusal::StoreNotOpened.into()) }
    }
}

impl Deref for Session {
    type Target = Caller;
    fn deref(&self) -> &Caller {
        &self.0
    }
}

/// The token a request bears, if any.
pub fn token(request: &HttpRequest) -> Option<String> {
    let shown = request.headers().get("X-CT").and_then(|value| value.to_str().ok());
    shown.map(str::trim).filter(|token| !token.is_empty()).map(str::to_owned)
}

impl FromRequest for Session {
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Failure>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let shell = request.app_data::<web::Data<Shell>>().cloned();
        let (request, token) = (request.clone(), token(request));
        Box::pin(async move {
            let shell = shell.ok_or_else(|| Error::Internal("the shell is not configured".into()))?;
            let token = token.ok_or(Error::NotSignedIn)?;
            match sessions::authenticate(&shell.app, &token).await {
                Ok(caller) => {
                    request.extensions_mut().insert(UserLang(caller.lang));
                    Ok(Self(caller))
                }
                Err(error) => {
                    // Who is turned away is told so in their own language.
                    if let Some(lang) = sessions::language_of(&shell.app, &token).await {
                        request.extensions_mut().insert(UserLang(lang));
                    }
                    Err(error.into())
                }
            }
        })
    }
}
