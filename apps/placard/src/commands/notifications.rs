//! What users are told, and what they write.

pub mod feedback;
pub mod notify;
