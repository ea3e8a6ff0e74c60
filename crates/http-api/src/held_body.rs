//! Keeps a request's body until its answer is sent.
//!
//! If a handler drops a chunked body early, the server reads it to the end to reuse the connection,
//! however slow the sender is. While the body is kept, the server closes the connection after the
//! answer instead, as it does with a body of known length.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::HttpMessage;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use futures_util::Stream;
use tokio::sync::Notify;

type SharedBody = Rc<RefCell<BodyRest>>;

/// The unread rest of a body.
struct BodyRest {
    payload: Payload,
    ended: bool,
    /// Told of the end.
    end: Rc<Notify>,
}

/// `None` if there is no body.
pub struct HeldBody(Option<SharedBody>);

impl HeldBody {
    /// Keeps the body; the handler reads it as usual.
    pub fn take(request: &mut ServiceRequest) -> Self {
        let payload = request.take_payload();
        if matches!(payload, Payload::None) {
            return Self(None);
        }
        let rest = Rc::new(RefCell::new(BodyRest { payload, ended: false, end: Rc::default() }));
        let stream: Pin<Box<dyn Stream<Item = Result<Bytes, PayloadError>>>> = Box::pin(Reader(rest.clone()));
        request.set_payload(Payload::from(stream));
        Self(Some(rest))
    }

    /// Waits until the handler has read it to its end.
    pub async fn was_read(&self) {
        let Some(rest) = &self.0 else { return };
        let end = rest.borrow().end.clone();
        end.notified().await;
    }

    /// The answer, which also keeps the body unless it was read to its end.
    pub fn until_sent(self, answer: BoxBody) -> BoxBody {
        match self.0 {
            Some(rest) if !rest.borrow().ended => BoxBody::new(AnswerWithBody { answer, _rest: rest }),
            _ => answer,
        }
    }
}

/// The part of the body that the handler reads.
struct Reader(SharedBody);

impl Stream for Reader {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut rest = self.0.borrow_mut();
        let read = Pin::new(&mut rest.payload).poll_next(context);
        if matches!(read, Poll::Ready(None | Some(Err(_)))) {
            rest.ended = true;
            rest.end.notify_one();
        }
        read
    }
}

struct AnswerWithBody {
    answer: BoxBody,
    _rest: SharedBody,
}

impl MessageBody for AnswerWithBody {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.answer.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.answer).poll_next(context)
    }
}
