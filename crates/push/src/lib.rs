//! Web Push: what is sent to a browser's push service, and to which services.
//!
//! This crate decides:
//! - which addresses may be sent to: [`Endpoint`], [`is_public`];
//! - how a message is encrypted so that only the browser reads it (RFC 8291): [`seal`];
//! - how the push service knows who sends (RFC 8292): [`ServerKey`], [`Subject`];
//! - what the browser shows, in the declarative form: [`Message`];
//! - what follows from an answer, and when a message is tried again: [`judge`].
//!
//! Each decision is a pure function. This crate knows no database, clock, network or random source.
//!
//! ```
//! use push::{DeviceKeys, Endpoint, Entropy, Message, seal};
//!
//! let endpoint = Endpoint::parse("https://push.example.net/send/abc", None).expect("a public service");
//! assert_eq!(endpoint.origin(), "https://push.example.net");
//! assert!(Endpoint::parse("http://push.example.net/send/abc", None).is_none());
//!
//! let message = Message { title: "Paid out", body: "$12.00 is on its way.", navigate: "/notification", ..Message::default() };
//! let keys = DeviceKeys::parse(
//!     "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
//!     "BTBZMqHH6r4Tts7J_aSIgg",
//! )
//! .expect("a browser's keys");
//! let sealed = seal(message.text().as_bytes(), &keys, &Entropy { ephemeral: [1; 32], salt: [2; 16] });
//! assert_eq!(sealed.map(|body| body.len()), Some(1_127));
//! ```

mod answer;
mod endpoint;
mod keys;
mod message;
mod seal;
#[cfg(feature = "testing")]
pub mod testing;

pub use answer::{Outcome, judge};
pub use endpoint::{Endpoint, TestService, is_public};
pub use keys::{NotASubject, ServerKey, Subject};
pub use message::Message;
pub use seal::{DeviceKeys, Entropy, LONGEST, seal};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

fn encoded(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Browsers write it without padding; some libraries add it.
fn decoded(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok()
}
