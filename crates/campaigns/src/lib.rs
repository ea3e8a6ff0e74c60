//! The third floor of the use cases: plans on products, and their delivery: which creative a slot shows, which events
//! count, and billing.

mod ad_server;
pub mod catalogue;
pub mod delivery;
pub mod plans;
pub mod rules;
pub mod work;

pub use ad_server::AdServer;
