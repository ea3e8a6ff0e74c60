//! The visitors: their addresses, browsers and behaviour. The addresses are from a range
//! reserved for benchmarks.

use usecases::random;

const BROWSERS: &[&str] = &[
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Linux; Android 13; SM-A536B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
];
const BOTS: &[&str] = &[
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
];

#[derive(Clone, Debug)]
pub struct Visitor {
    pub address: String,
    pub agent: &'static str,
}

impl Visitor {
    /// One in forty is a program.
    pub fn any() -> Self {
        let agents = if chance(25) { BOTS } else { BROWSERS };
        Self { address: address(below(131_072)), agent: pick(agents).copied().unwrap_or("Mozilla/5.0") }
    }
}

/// An address in 198.18.0.0/15.
fn address(number: u64) -> String {
    format!("198.{}.{}.{}", 18 + (number >> 16 & 1), number >> 8 & 255, number & 255)
}

/// True this many times in a thousand.
pub fn chance(per_mille: u64) -> bool {
    below(1_000) < per_mille
}

/// From zero up to `end`, excluded.
pub fn below(end: u64) -> u64 {
    let drawn = random::<8>().map(u64::from_le_bytes).unwrap_or_default();
    drawn % end.max(1)
}

pub fn pick<T>(from: &[T]) -> Option<&T> {
    let count = u64::try_from(from.len()).unwrap_or(0);
    usize::try_from(below(count)).ok().and_then(|index| from.get(index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_of_the_range_for_benchmarks() {
        assert_eq!(address(0), "198.18.0.0");
        assert_eq!(address(131_071), "198.19.255.255");
    }

    #[test]
    fn never_and_always() {
        assert!((0..100).all(|_| !chance(0) && chance(1_000) && below(3) < 3));
        assert_eq!(pick::<u8>(&[]), None);
    }
}
