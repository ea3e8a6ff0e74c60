//! Coupons and promotional credit.

pub mod coupon;
pub mod promotion;
