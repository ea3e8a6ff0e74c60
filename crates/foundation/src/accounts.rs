//! Facts about an account that both staff and users need: whose it is, whether it may act, how its user is reached, and
//! how often somebody guessed.

pub mod attempts;
pub mod contacts;
pub mod failures;
pub mod finding;
pub mod restrictions;
