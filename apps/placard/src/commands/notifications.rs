//! Notices to users, and feedback from them.

pub mod feedback;
pub mod notify;
