//! Notices to users, conversations with them, and their feedback.

pub mod conversation;
pub mod feedback;
pub mod notify;
