//! The figures, all measured over HTTP except what staff read with their own program.

pub mod answers;
pub mod balance;
pub mod bids;
pub mod empty;
pub mod events;
pub mod logins;
pub mod movements;
pub mod payments;
pub mod reads;
pub mod slots;

/// The numbers of simultaneous connections.
pub const CONNECTIONS: [usize; 3] = [1, 8, 64];
