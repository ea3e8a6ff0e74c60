//! Permissions, locally and over the network.

mod accomplice;
mod accounts;
mod afar;
pub mod door;
mod finding;
mod one_alone;
mod operators;
mod requests;
mod roles;
