//! The second floor of the use cases: the wallet, and what the platform gives (coupons, credit, level, VIP). It does
//! not know what users buy: plans, products and delivery are on the floor above.

mod flow_ref;
pub mod offers;
pub mod wallet;

pub use flow_ref::FlowRef;
