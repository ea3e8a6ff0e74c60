//! What takes other programs or long: `just drill` runs these tests.

mod cluster;

mod failover;
mod pooler;
mod restore;
mod rolling;
