//! Coupons and the activities that give them, VIP, level and credit score.

pub mod activities;
pub mod coupon_grants;
pub mod coupon_staff;
pub mod coupon_terms;
pub mod coupon_views;
pub mod level_and_credit;
pub mod levels;
pub mod vip;
