//! Numbers that follow from a seed.

use proof::hash;

pub struct Random {
    seed: u64,
    drawn: u64,
}

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self { seed, drawn: 0 }
    }

    pub fn hash(&mut self) -> [u8; 32] {
        self.drawn += 1;
        hash::leaf(format!("{} {}", self.seed, self.drawn).as_bytes())
    }

    pub fn number(&mut self) -> u64 {
        u64::from_be_bytes(*self.hash().first_chunk().expect("eight bytes"))
    }

    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.number() % u64::try_from(end.max(1)).expect("small")).expect("small")
    }

    pub fn between(&mut self, from: i64, to: i64) -> i64 {
        let width = u64::try_from(i128::from(to) - i128::from(from) + 1).unwrap_or(u64::MAX);
        from + i64::try_from(self.number() % width).expect("within")
    }

    /// One time out of so many.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}
