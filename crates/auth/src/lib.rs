//! Who somebody is, and what they must prove before they may act.
//!
//! Everything here is a decision: bytes of randomness and the moment are
//! passed in, and what was decided is handed back for the shell to keep. The
//! two slow functions, [`hashing::hash`] and [`hashing::verify`], must be
//! called off the threads that answer requests.

pub mod account;
pub mod account_password;
pub mod code;
pub mod guard;
pub mod hashing;
pub mod hex;
pub mod limits;
pub mod mark;
pub mod operator_key;
pub mod pay_password;
pub mod payout_hold;
pub mod people;
pub mod role;
pub mod seal;
pub mod secrets;
pub mod session;
pub mod signature;
mod tries;
pub mod username;
pub mod vault;

pub use account::{AccountStatus, Barred, Entry};
pub use guard::{Guard, Locked};
pub use limits::{Exceeded, Limits};
pub use operator_key::{KeptKey, PublicKey, SigningKey};
pub use pay_password::{NotMd5, PayPassword};
pub use people::People;
pub use role::{Permission, Role};
pub use seal::Sealer;
pub use secrets::Secrets;
pub use session::{Digest, Token};
pub use tries::Tries;
pub use username::Username;
pub use vault::Vault;
