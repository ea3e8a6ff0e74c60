//! Advertisers, products, plans, delivery, and simulated traffic.

mod evidence;
mod market;
mod ssps;
mod traffic;
