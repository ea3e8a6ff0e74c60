//! One call: its caller, its body, and the output as it is printed.

use std::net::IpAddr;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::RETRY_AFTER;
use actix_web::{HttpRequest, HttpResponse, rt, web};
use auth::hex;
use auth::operator_key::Call;
use base::{Clock, refuse_if};
use foundation::staff::ActionOrigin;
use foundation::staff::staff_calls::{SignedStaffCall, admit};
use foundation::{Error, Refusal};
use futures_util::{Stream, StreamExt, stream};
use sha2::{Digest, Sha256};
use staff::remote::{BEAT, Caller, HEADERS, MOST_ASKED, RemoteCommand, frame, run};
use staff::terminal::OutputItem;
use tokio::sync::mpsc::{self, Receiver};
use tokio::time::timeout;

use super::Door;

/// How long a call waits for its turn.
const TURN: Duration = Duration::from_secs(30);
/// The longest time for its body.
const BODY: Duration = Duration::from_secs(120);
const BEAT_EVERY: Duration = Duration::from_secs(10);
/// Output that was not sent yet; a command that prints more waits.
const PRINTED_AHEAD: usize = 4;
/// In bytes; an operator's name has at most 64 characters.
const LONGEST_NAME: usize = 256;

pub async fn answer(request: HttpRequest, body: web::Payload, door: web::Data<Door>) -> HttpResponse {
    match take_call(&request, body, &door).await {
        Ok(answer) => answer,
        Err(refused) => {
            door.figures.refuse();
            refused
        }
    }
}

async fn take_call(request: &HttpRequest, body: web::Payload, door: &Door) -> Result<HttpResponse, HttpResponse> {
    let peer = request.peer_addr().map(|peer| peer.ip().to_canonical());
    if door.plain && !peer.is_some_and(|peer| peer.is_loopback() || door.shell.proxies.trusts(peer)) {
        return Err(HttpResponse::new(StatusCode::FORBIDDEN));
    }
    let address = door.shell.client(request);
    let headers = Headers::of(request);
    let signed = headers.signed(request);
    let operator = admit(&door.app, signed, address).await.map_err(|error| refused(&error))?;
    let turn = timeout(TURN, door.turns.clone().acquire_owned()).await;
    let Ok(Ok(turn)) = turn else { return Err(HttpResponse::new(StatusCode::SERVICE_UNAVAILABLE)) };
    let bytes = timeout(BODY, whole(body)).await.unwrap_or(Err(StatusCode::REQUEST_TIMEOUT));
    let bytes = bytes.map_err(HttpResponse::new)?;
    if hex::encode(&Sha256::digest(&bytes)) != headers.digest {
        return Err(refused(&Refusal::WrongCredentials.into()));
    }
    let asked = RemoteCommand::parse(&bytes).ok_or_else(|| HttpResponse::new(StatusCode::BAD_REQUEST))?;
    drop(bytes);
    tracing::info!(operator = operator.name, address = shown(address), "a command of staff");
    let caller = Caller { app: door.app.clone(), operator, place: ActionOrigin::here(address) };
    let (wire, printed) = mpsc::channel(PRINTED_AHEAD);
    let under_way = door.figures.begin();
    // The command runs to its end, as on the caller's machine, even if the caller disconnects.
    rt::spawn(async move {
        run(caller, asked, wire).await;
        drop((turn, under_way));
    });
    Ok(HttpResponse::Ok().content_type("application/octet-stream").streaming(frames(printed)))
}

fn shown(address: Option<IpAddr>) -> String {
    address.map_or_else(|| "unknown".to_owned(), |address| address.to_string())
}

/// The caller's headers; missing or invalid ones are empty and match nothing.
struct Headers {
    operator: String,
    timestamp: String,
    nonce: String,
    digest: String,
    signature: String,
}

impl Headers {
    fn of(request: &HttpRequest) -> Self {
        let text = |name| {
            let value = request.headers().get(name).and_then(|value| value.to_str().ok());
            value.unwrap_or_default().to_owned()
        };
        let name = hex::decode_all(&text(HEADERS.operator)).filter(|name| name.len() <= LONGEST_NAME);
        Self {
            operator: name.and_then(|name| String::from_utf8(name).ok()).unwrap_or_default(),
            timestamp: text(HEADERS.timestamp),
            nonce: text(HEADERS.nonce),
            digest: text(HEADERS.digest),
            signature: text(HEADERS.signature),
        }
    }

    fn signed<'a>(&'a self, request: &'a HttpRequest) -> SignedStaffCall<'a> {
        let call = Call {
            method: request.method().as_str(),
            path: request.path(),
            operator: &self.operator,
            timestamp: &self.timestamp,
            nonce: &self.nonce,
            digest: &self.digest,
        };
        SignedStaffCall { call, signature: &self.signature }
    }
}

fn refused(error: &Error) -> HttpResponse {
    let clock = (HEADERS.clock, Clock::system().now().seconds().to_string());
    match error {
        Error::Refused(Refusal::WrongCredentials) => HttpResponse::Unauthorized().insert_header(clock).finish(),
        Error::TooManyRequests { retry_after } => {
            HttpResponse::TooManyRequests().insert_header((RETRY_AFTER, retry_after.to_string())).finish()
        }
        // No part of the command has run yet.
        Error::Store(error) if error.is_busy() || error.is_away() => HttpResponse::new(StatusCode::SERVICE_UNAVAILABLE),
        Error::Store(store::Error::InDoubt(_)) => HttpResponse::new(StatusCode::SERVICE_UNAVAILABLE),
        other => {
            tracing::error!(error = %other, "a call of staff failed before its command began");
            HttpResponse::new(StatusCode::INTERNAL_SERVER_ERROR)
        }
    }
}

/// The complete body, up to the maximum size.
async fn whole(mut body: web::Payload) -> Result<Vec<u8>, StatusCode> {
    let mut bytes = Vec::new();
    while let Some(part) = body.next().await {
        let part = part.map_err(|_| StatusCode::BAD_REQUEST)?;
        refuse_if(bytes.len().saturating_add(part.len()) > MOST_ASKED, StatusCode::PAYLOAD_TOO_LARGE)?;
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

/// The output as it is printed, and a sign of life in between.
fn frames(printed: Receiver<OutputItem>) -> impl Stream<Item = Result<web::Bytes, std::io::Error>> {
    stream::unfold(printed, |mut printed| async move {
        match timeout(BEAT_EVERY, printed.recv()).await {
            Ok(Some(one)) => Some((Ok(web::Bytes::from(frame(&one))), printed)),
            Ok(None) => None,
            Err(_) => Some((Ok(web::Bytes::from_static(&BEAT)), printed)),
        }
    })
}
