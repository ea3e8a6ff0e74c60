//! Authentication and authorisation: who is calling, and what they may do.
//!
//! This crate decides:
//! - whether a username, password, code or session is acceptable;
//! - how often the transaction password may be tried: [`Guard`];
//! - what each staff role may do ([`Role::may`]), and up to which amount ([`Limits`]);
//! - whether two operators count as two people: [`People`], and whether anything may be
//!   approved yet: [`Founders`];
//! - whether names look alike: [`Look`];
//! - how secrets are kept: hashed, sealed or signed, each under its own key;
//! - which public keys of counterparties are taken, and what their fingerprints are.
//!
//! Random bytes and the current time are arguments, and results are returned for
//! the caller to keep. [`hashing::hash`] and [`hashing::verify`] are slow on
//! purpose: never call them on a thread that serves requests.
//!
//! Five wrong transaction passwords in a row lock it for an hour:
//!
//! ```
//! use auth::{Guard, Locked};
//! use base::Timestamp;
//!
//! let now = Timestamp::from_seconds(1_800_000_000);
//! let mut guard = Guard::default();
//! for _ in 0..5 {
//!     // Counted as wrong before the password is checked.
//!     guard = guard.reserve(now)?;
//! }
//! assert_eq!(guard.reserve(now), Err(Locked::For { seconds: 3600 }));
//!
//! // The sixth attempt, an hour later, is right.
//! let guard = guard.reserve(now.plus_seconds(3600))?.succeeded();
//! assert_eq!((guard.streak, guard.attempts_left()), (0, 5));
//! # Ok::<(), Locked>(())
//! ```

/// Implements `Debug` for a secret without its value, so that a type with a secret can be printed.
macro_rules! print_nothing_of {
    ($secret:ident) => {
        impl std::fmt::Debug for $secret {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(concat!(stringify!($secret), "(…)"))
            }
        }
    };
}

pub mod account;
pub mod account_password;
pub mod attempts;
pub mod code;
pub mod counterparty_key;
pub mod founders;
pub mod guard;
pub mod hashing;
pub mod limits;
pub mod look;
pub mod mark;
pub mod operator_key;
pub mod pay_password;
pub mod payout_hold;
pub mod people;
pub mod publisher_link;
pub mod role;
pub mod seal;
pub mod secrets;
pub mod session;
pub mod signature;
mod tries;
pub mod username;
pub mod vault;

pub use base::hex;

pub use account::{AccountStatus, Barred, Entry};
pub use counterparty_key::{BadPublicKey, Fingerprint, KeyOrigin, KeyPair};
pub use founders::{Founder, Founders, Founding};
pub use guard::{Guard, Locked};
pub use limits::{ExceededLimit, Limits, RAISE_DAYS};
pub use look::{Look, Looks};
pub use operator_key::{PublicKey, SigningKey, StoredOperatorKey};
pub use pay_password::{Comparison, NotMd5, PayPassword, PepperedPassword};
pub use people::People;
pub use publisher_link::PublisherLink;
pub use role::{Permission, Role};
pub use seal::Sealer;
pub use secrets::Secrets;
pub use session::{Digest, Token};
pub use tries::Tries;
pub use username::Username;
pub use vault::Vault;
