//! How much data there is, and how long to measure.

use std::time::Duration;

use desk::installation::examine::LEDGER_BELOW;

#[derive(Clone, Copy, Debug)]
pub struct Scale {
    pub users: usize,
    pub advertisers: usize,
    pub plans: usize,
    /// On those plans, and as many on the hot advertiser's.
    pub clicks: usize,
    /// Lines, plans and quarter hours of the user who has few, and of the one who has
    /// many.
    pub history: [i64; 2],
    /// The duration of one run.
    pub run: Duration,
    pub runs: usize,
    /// The most requests prepared for one run.
    pub requests: usize,
    /// Whether to compare with other programs, which takes a minute.
    pub references: bool,
    /// Whether the demonstration has its ninety days.
    pub past: bool,
    /// How long its server does nothing before its memory is read.
    pub idle: Duration,
}

/// The scale of docs/BENCHMARKS.md.
pub const FULL: Scale = Scale {
    users: 1_000,
    advertisers: 1_000,
    plans: 10_000,
    clicks: 50_000,
    history: [1_000, 1_000_000],
    run: Duration::from_secs(2),
    runs: 3,
    requests: usize::MAX,
    references: true,
    past: true,
    idle: Duration::from_secs(60),
};

/// Some seconds with little data: it checks that every answer is right, and shows nothing
/// about speed.
pub const QUICK: Scale = Scale {
    users: 20,
    advertisers: 20,
    plans: 60,
    clicks: 120,
    // These lines are in nobody's books. With this many, a starting server leaves them to
    // `ledger verify`, as at full scale.
    history: [100, LEDGER_BELOW],
    run: Duration::from_millis(100),
    runs: 1,
    requests: 200,
    references: false,
    past: false,
    idle: Duration::from_millis(100),
};
