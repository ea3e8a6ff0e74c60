//! Access for users: authorization codes and tickets.

pub mod code;
pub mod ticket;
