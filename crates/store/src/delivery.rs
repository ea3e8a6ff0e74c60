//! What is shown, counted and billed: slots, leases, events, conversions, totals.

pub mod archive;
pub mod arm;
pub mod conversion;
pub mod event;
pub mod evidence;
pub mod judged;
pub mod lease;
pub mod market;
pub mod plan_events;
pub mod plan_sources;
pub mod plan_steps;
pub mod profits;
pub mod publisher;
pub mod recount;
pub mod rollup;
pub mod servers;
pub mod slot;
pub mod slot_figures;
pub mod slot_recount;
pub mod slot_requests;
pub mod ssp;
pub mod stats;
pub mod unbilled;
pub mod unrolled;
pub mod won_offer;
