//! Who may do what, from here and from elsewhere.

mod accounts;
mod afar;
pub mod door;
mod finding;
mod one_alone;
mod operators;
mod requests;
mod roles;
