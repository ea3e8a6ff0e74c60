//! Extractors: what handlers read from requests.

mod body;
mod headers;
mod paging;
mod publisher;
mod read_only;
mod session;
mod texts;

pub use body::{Body, Object, fields_of, unmarked};
pub use headers::{Idempotency, InZone, TakesKey, Visitor, user_agent};
pub use paging::Paging;
pub use publisher::PublisherReader;
pub use session::{Changes, FreshSession, ServiceSession, Session, token};
pub use texts::{choice, given, required, required_choice};
