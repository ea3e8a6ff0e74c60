//! Coupons and the credit score.

pub mod coupons;
pub mod credit;
