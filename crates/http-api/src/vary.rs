//! Merging `Vary`: each header name appears once, whoever added it.

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderValue, VARY};
use actix_web::middleware::Next;

/// Runs outside the compression, which adds its own to what a handler has set.
pub async fn vary_once<B: MessageBody>(request: ServiceRequest, next: Next<B>) -> Result<ServiceResponse<B>, Error> {
    let mut response = next.call(request).await?;
    let headers = response.headers_mut();
    let mut said: Vec<HeaderValue> = Vec::new();
    for value in headers.remove(VARY) {
        if !said.contains(&value) {
            said.push(value);
        }
    }
    for value in said {
        headers.append(VARY, value);
    }
    Ok(response)
}
