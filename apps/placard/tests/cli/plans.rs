//! Advertisers, products, plans, what was delivered, and traffic made up.

mod evidence;
mod market;
mod traffic;
