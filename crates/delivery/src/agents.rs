//! User agents of programs that identify themselves.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

/// The patterns of the crawler-user-agents list, one per line.
const CRAWLERS: &str = include_str!("../data/crawlers.txt");
/// User agents are short; longer ones are truncated before matching.
const LONGEST: usize = 512;

static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let all: Vec<String> = CRAWLERS.lines().filter(|line| !line.is_empty()).map(|line| format!("(?:{line})")).collect();
    RegexBuilder::new(&all.join("|")).unicode(true).size_limit(64 << 20).build().ok()
});

/// True for the `User-Agent` of a crawler, library or monitor, and if there is none:
/// browsers always send one.
pub fn is_automatic(user_agent: &str) -> bool {
    let agent: String = user_agent.chars().take(LONGEST).collect();
    // If the patterns do not build, count nothing rather than everything.
    agent.trim().is_empty() || PATTERN.as_ref().is_none_or(|pattern| pattern.is_match(&agent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_told_from_browsers() {
        for program in [
            "",
            "  ",
            "curl/8.5.0",
            "python-requests/2.31",
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        ] {
            assert!(is_automatic(program), "{program}");
        }
        for browser in [
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
            "Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0",
        ] {
            assert!(!is_automatic(browser), "{browser}");
        }
    }
}
