//! How people come in: authorization codes and tickets.

pub mod code;
pub mod ticket;
