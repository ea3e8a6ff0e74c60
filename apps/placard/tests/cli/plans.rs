//! Advertisers, products, plans, delivery, and simulated traffic.

mod auctions;
mod evidence;
mod judged;
mod market;
mod pictures;
mod sales;
mod ssps;
mod traffic;
