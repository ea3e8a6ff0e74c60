//! The second floor of the use cases: the wallet, and what the platform gives (coupons, credit, level, VIP). It knows
//! nothing of what is bought.

mod flow_ref;
pub mod offers;
pub mod wallet;

pub use flow_ref::FlowRef;
