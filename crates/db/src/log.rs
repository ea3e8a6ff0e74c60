//! SQLite's log: keeping it short, and copying elsewhere what is written into it.

pub(crate) mod checkpoint;
mod follower;
mod frames;

pub use follower::{FollowError, Follower};
pub use frames::PageChanges;
