//! Advertisers, products, plans, delivery, and simulated traffic.

mod auctions;
mod evidence;
mod market;
mod ssps;
mod traffic;
