//! Clients that accept no form of an answer.

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{ACCEPT_ENCODING, AcceptEncoding, Encoding, Header};
use actix_web::middleware::Next;

/// Runs outside the compression, which turns away whoever accepts neither its encodings nor the plain answer, without
/// an envelope. Such a client gets the plain one, as RFC 9110, section 12.5.3, allows.
pub async fn in_some_form<B: MessageBody>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    if accepts_nothing(&request) {
        request.headers_mut().remove(ACCEPT_ENCODING);
    }
    next.call(request).await
}

fn accepts_nothing(request: &ServiceRequest) -> bool {
    let made = [Encoding::identity(), Encoding::gzip(), Encoding::deflate()];
    AcceptEncoding::parse(request).is_ok_and(|accepted| accepted.negotiate(made.iter()).is_none())
}
