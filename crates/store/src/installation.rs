//! The database as a whole: which one it is, copies, health, what is vouched for.

pub mod at_rest;
pub mod content;
pub mod copy;
pub mod health;
pub mod high_water;
pub mod identity;
pub mod protected;
pub mod soundness;
