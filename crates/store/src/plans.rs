//! Advertisers, their products, plans, and who follows whose.

pub mod advertiser;
pub mod follows;
pub mod plan;
pub mod product;
