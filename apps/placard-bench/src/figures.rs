//! The figures, each measured over HTTP, but for what staff read by their own
//! program.

pub mod answers;
pub mod balance;
pub mod empty;
pub mod events;
pub mod logins;
pub mod movements;
pub mod payments;
pub mod reads;
pub mod slots;

/// How many connections ask at once.
pub const CONNECTIONS: [usize; 3] = [1, 8, 64];
