//! What plans are bought on: products with their terms and pictures, advertisers, and the keys of those whom the
//! platform deals with.

pub mod advertiser_keys;
pub mod advertisers;
pub mod counterparty_keys;
pub mod product_pictures;
pub mod product_terms;
pub mod products;
pub(crate) mod targeting;
