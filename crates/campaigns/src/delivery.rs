//! Delivery: which creative a slot shows, which events count, and billing.

pub mod ai_delivery;
pub mod archive;
pub mod auction;
pub mod corrections;
pub(crate) mod day;
mod judge;
pub mod market;
pub mod plan_notices;
pub mod playback;
pub mod postback;
pub mod publisher_keys;
pub mod publisher_report;
pub mod publishers;
pub mod recompute;
pub(crate) mod refused_events;
pub mod replay;
mod report;
pub(crate) mod roll_up;
pub(crate) mod senders;
pub mod serve;
pub(crate) mod slot_parts;
pub mod slots;
pub mod ssp;
pub mod track;
