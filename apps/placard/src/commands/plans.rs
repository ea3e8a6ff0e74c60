//! Advertisers, products, plans, and operated ids.

pub mod advertiser;
pub mod operated;
pub mod plan;
pub mod product;
pub mod report;
