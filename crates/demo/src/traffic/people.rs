//! The visitors: their addresses, browsers and behaviour. The addresses are from a range
//! reserved for benchmarks.

use foundation::random;
use serde_json::Value;

/// Per thousand, on average over creatives and slots.
const CLICKS: u64 = 55;
pub const CONVERSIONS: u64 = 120;
/// Views that stay in view for a second.
pub const VIEWABLE: u64 = 640;
/// Pages that report the same view twice.
pub const DUPLICATES: u64 = 15;

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
    pub fn any() -> Self {
        Self::drawn(below)
    }

    /// One in forty is a program. `below` draws a number from zero up to its argument,
    /// excluded.
    pub fn drawn(mut below: impl FnMut(u64) -> u64) -> Self {
        let agents = if below(1_000) < 25 { BOTS } else { BROWSERS };
        let agent = usize::try_from(below(count(agents))).ok().and_then(|index| agents.get(index));
        Self { address: address(below(131_072)), agent: agent.copied().unwrap_or("Mozilla/5.0") }
    }
}

/// How many per thousand click on a creative in a slot. The tastes of readers are
/// invented but constant: from a third to five thirds of the usual rate.
pub fn clicks_on(slot: &str, shown: &Value) -> u64 {
    let creative = shown.get("creative").map(Value::to_string).unwrap_or_default();
    // FNV-1a, whose lower bits depend on every byte.
    let mix = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let taste = slot.bytes().chain(creative.bytes()).fold(0xcbf2_9ce4_8422_2325, mix) % 5;
    CLICKS * (1 + taste) / 3
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
    usize::try_from(below(count(from))).ok().and_then(|index| from.get(index))
}

fn count<T>(of: &[T]) -> u64 {
    u64::try_from(of.len()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tastes_differ_and_stay_the_same() {
        let shown = |title: &str| json!({ "creative": { "title": title } });
        let all: std::collections::BTreeSet<u64> =
            (0..50).map(|n| clicks_on("news-top", &shown(&n.to_string()))).collect();
        assert_eq!(all.into_iter().collect::<Vec<_>>(), [18, 36, 55, 73, 91]);
        assert_eq!(clicks_on("a", &shown("b")), clicks_on("a", &shown("b")));
    }

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
