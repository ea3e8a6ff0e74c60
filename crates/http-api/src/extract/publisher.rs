//! The publisher that reads, by its key or its link in `Authorization: Bearer`.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{FromRequest, HttpRequest, web};
use campaigns::delivery::publisher_keys::{Reader, admit};
use derive_more::Deref;
use foundation::Error;

use crate::Shell;
use crate::failure::Failure;

#[derive(Deref)]
pub struct PublisherReader(Reader);

/// The scheme's name may be written in any case (RFC 9110, section 11.1).
fn bearer(request: &HttpRequest) -> Option<&str> {
    let said = request.headers().get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, shown) = said.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then(|| shown.trim()).filter(|shown| !shown.is_empty())
}

impl FromRequest for PublisherReader {
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Failure>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let shell = request.app_data::<web::Data<Shell>>().cloned();
            let shell = shell.ok_or_else(|| Error::Internal("the shell is not configured".into()))?;
            let shown = bearer(&request).ok_or(Error::NotSignedIn)?;
            Ok(Self(admit(&shell.app, shown, shell.client(&request)).await?))
        })
    }
}
