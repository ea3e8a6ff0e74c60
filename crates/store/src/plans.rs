//! Advertisers, their products, plans, and followers.

pub mod advertiser;
pub mod exclusions;
pub mod follows;
pub mod plan;
pub mod product;
pub mod rules;
