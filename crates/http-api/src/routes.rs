//! The handlers, one file per area; longer areas have a folder as well.

pub mod delivery;
pub mod installation;
pub mod notifications;
pub mod offers;
pub mod people;
pub mod plans;
pub mod wallet;
