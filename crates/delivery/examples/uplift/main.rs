//! How much higher the click rate is than with uniform choices, on arms with known click
//! rates: `cargo run --release -p delivery --example uplift`.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "a simulation"
)]

#[allow(dead_code, reason = "shared with the tests, which use all of it")]
mod world;

use world::{RATES, even, learn};

const RUNS: u64 = 100;

fn main() {
    println!("{:>8} {:>6} {:>10} {:>10} {:>10}", "views", "arms", "mean", "worst run", "best run");
    for views in [1_000, 5_000, 20_000, 100_000] {
        for arms in [1, 2, 4, 8] {
            // From the middle outwards, so that few arms differ less than many.
            let rates = &RATES[(8 - arms) / 2..][..arms];
            let ratios: Vec<f64> = (0..RUNS).map(|seed| learn(rates, views, seed).rate / even(rates)).collect();
            let mean = ratios.iter().sum::<f64>() / RUNS as f64;
            let worst = ratios.iter().copied().fold(f64::INFINITY, f64::min);
            let best = ratios.iter().copied().fold(0.0, f64::max);
            println!("{views:>8} {arms:>6} {mean:>9.3}x {worst:>9.3}x {best:>9.3}x");
        }
    }
}
