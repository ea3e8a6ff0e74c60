//! The server program, started as an operator starts it: what it refuses, what survives
//! its death, and how it stops.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod client;
mod installation;
mod market;
mod readers;
mod relay;

mod away;
mod bodies;
mod config;
mod container;
mod copying;
mod crash;
mod drill;
mod guard;
mod log {
    mod witness;
}
mod monitoring;
mod pair;
mod process {
    mod memory;
}
mod promises;
mod push {
    mod devices;
    pub mod service;
}
mod replica;
mod roles;
mod slow;
mod staff_door;
mod stop;
mod strangers;
mod tls;
mod traces;
