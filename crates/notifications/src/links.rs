//! Addresses in texts that staff write to users. The app shows them as plain text, but whoever
//! reads one may type it, copy it or write to it.

use linkify::LinkFinder;

/// The web and e-mail addresses in a text, also those without a scheme, in their order. Two
/// words with a full stop and no blank between them look like one.
///
/// ```
/// let found = notifications::links("Pay at pay.example/now, or write to desk@evil.example.");
/// assert_eq!(found, ["pay.example/now", "desk@evil.example"]);
/// assert!(notifications::links("Open Wallet, then /wallet/withdraw. Version 1.2 of 3.45 is there.").is_empty());
/// ```
pub fn links(text: &str) -> Vec<String> {
    let mut finder = LinkFinder::new();
    finder.url_must_have_scheme(false);
    finder.links(text).map(|link| link.as_str().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_however_they_are_written() {
        for text in [
            "https://evil.example/login",
            "See HTTP://EVIL.EXAMPLE.",
            "(www.evil.example)",
            "evil.example/a?b=c",
            "mailto:help@evil.example",
            "write to help@evil.example",
            "访问 evil.example 领取",
            "hxxps://evil.example",
        ] {
            assert!(!links(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn sentences_hold_none() {
        for text in [
            "Your question is answered.",
            "Nothing can be put from 02:00 to 02:15 UTC.",
            "Open Me > Security, e.g. to set a password.",
            "1,250.00 were credited; 3.5 % fee",
            "Guten Tag. Ihre Frage ist beantwortet",
            "已到账。请查看钱包。",
        ] {
            assert_eq!(links(text), Vec::<String>::new(), "{text}");
        }
    }
}
