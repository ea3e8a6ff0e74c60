//! Coupons and the activities that give them, VIP, level and credit score.

pub mod activities;
pub mod coupon_grants;
pub mod coupon_staff;
pub(crate) mod coupon_terms;
pub mod coupon_views;
pub mod levels;
pub(crate) mod standings;
pub mod vip;
