//! What each area answers: a file for each, and beside it what would make it long.

pub mod delivery;
pub mod installation;
pub mod notifications;
pub mod offers;
pub mod people;
pub mod plans;
pub mod wallet;
