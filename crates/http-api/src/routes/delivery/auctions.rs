//! Receiving the bodies of auctions, and of other lists that programs send: within limits of their own, which are asked before each
//! piece is kept or unpacked.

use std::time::{Duration, Instant};

use actix_web::http::StatusCode;
use actix_web::http::header::CONTENT_LENGTH;
use actix_web::{HttpRequest, HttpResponse, web};
use campaigns::delivery::auction::AuctionCall;
use campaigns::delivery::auction::bodies::{ArrivingBody, BodySender, UnpackedBody, Unread};
use campaigns::delivery::serve::SlotAnswer;
use futures_util::StreamExt;
use i18n::Lang;
use serde_json::json;
use tokio::time::timeout;

use crate::Shell;
use crate::failure::Failure;

/// How long a body may take to arrive. An auction is over by then, and what has arrived takes room.
const ARRIVES_WITHIN: Duration = Duration::from_secs(5);

/// Whether the path is one to which compressed bodies are sent.
pub fn takes_gzip(path: &str) -> bool {
    path.starts_with("/openrtb2/bid/") || path == "/openrtb2/auction"
}

/// A body that is about to arrive.
pub struct Receiving {
    /// Taken before the body is read, since `tmax` counts from then.
    arrived_at: Instant,
    base: String,
    sender: BodySender,
    compressed: bool,
    /// Its length, if that is told.
    told: Option<usize>,
}

impl Receiving {
    pub fn begin(shell: &Shell, request: &HttpRequest, sender: BodySender, compressed: bool) -> Self {
        let told = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        Self { arrived_at: Instant::now(), base: shell.base_url(request), sender, compressed, told }
    }

    pub async fn receive(self, shell: &Shell, body: web::Payload) -> Result<ReceivedBid, NotReceived> {
        let arrived = timeout(ARRIVES_WITHIN, self.all_of(shell, body)).await.map_err(|_| NotReceived::TimedOut)??;
        let body = arrived.unpack(&shell.app)?;
        Ok(ReceivedBid { arrived_at: self.arrived_at, base: self.base, body })
    }

    async fn all_of(&self, shell: &Shell, mut body: web::Payload) -> Result<ArrivingBody, NotReceived> {
        let mut arriving = ArrivingBody::begin(&shell.app, self.sender, self.compressed, self.told)?;
        while let Some(piece) = body.next().await {
            arriving.add(&piece.map_err(|error| NotReceived::Broken(error.to_string()))?)?;
        }
        Ok(arriving)
    }
}

/// A body as it came, unpacked.
pub struct ReceivedBid {
    arrived_at: Instant,
    base: String,
    body: UnpackedBody,
}

impl ReceivedBid {
    pub fn bytes(&self) -> &[u8] {
        self.body.bytes()
    }

    pub fn call(&self, banner: fn(&SlotAnswer, Lang, &str) -> String) -> AuctionCall<'_> {
        AuctionCall { body: self.body.bytes(), arrived_at: self.arrived_at, base: &self.base, banner }
    }
}

/// Why there is no request.
pub enum NotReceived {
    Unread(Unread),
    TimedOut,
    /// The client ended it.
    Broken(String),
}

impl From<Unread> for NotReceived {
    fn from(why: Unread) -> Self {
        Self::Unread(why)
    }
}

impl NotReceived {
    /// Programs read the status alone.
    pub fn response(self) -> HttpResponse {
        match self {
            Self::Unread(Unread::TooLarge) => Failure::body_too_large().render_as(StatusCode::PAYLOAD_TOO_LARGE),
            Self::Unread(Unread::Busy) => Failure::busy().render_as(StatusCode::SERVICE_UNAVAILABLE),
            Self::Unread(Unread::Malformed(wrong)) => malformed(&wrong.path, &wrong.problem),
            Self::TimedOut => Failure::timed_out().render_as(StatusCode::REQUEST_TIMEOUT),
            Self::Broken(problem) => malformed(".", &problem),
        }
    }
}

/// The refusal of a request that cannot be read. `problem` has the same text as `error`, for older callers.
pub fn malformed(path: &str, error: &str) -> HttpResponse {
    HttpResponse::BadRequest().json(json!({ "error": error, "path": path, "problem": error }))
}
