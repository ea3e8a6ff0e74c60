//! Limits that each server counts in memory, divided among the servers at work. Together they
//! allow what one would, if requests are spread evenly; whoever reaches one server only, gets
//! its share.

/// How many servers are at work: at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Servers(u32);

impl Servers {
    pub const ONE: Self = Self(1);

    pub const fn new(number: u32) -> Self {
        Self(if number == 0 { 1 } else { number })
    }

    pub const fn number(self) -> u32 {
        self.0
    }

    /// The part of a limit that is one server's: at least one.
    pub const fn share(self, limit: u32) -> u32 {
        let part = limit / self.0;
        if part == 0 { 1 } else { part }
    }

    /// The estimated count of all servers, if one has counted this much.
    pub fn total(self, counted: i64) -> i64 {
        counted.saturating_mul(self.0.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_divided_and_never_less_than_one() {
        let shares = [0, 1, 2, 4, 6, 7, 1_000].map(|number| Servers::new(number).share(6));
        assert_eq!(shares, [6, 6, 3, 1, 1, 1, 1]);
    }

    #[test]
    fn what_one_has_counted_stands_for_what_all_have() {
        let allowed = |number| (0..100).filter(|before| Servers::new(number).total(*before) < 50).count();
        assert_eq!([0, 1, 2, 3, 50, 1_000].map(allowed), [50, 50, 25, 17, 1, 1]);
        assert_eq!(Servers::new(u32::MAX).total(i64::MAX), i64::MAX);
    }
}
