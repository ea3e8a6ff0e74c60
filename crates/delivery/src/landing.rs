//! The advertiser's own page, to which a click leads.

use url::Url;

/// Whether this is the address of a page, as an advertiser writes it: with `https://` or `http://` in whatever case,
/// in whatever script, and without blanks.
pub fn is_landing_page(address: &str) -> bool {
    page(address).is_some()
}

/// The address with the click's id behind its own query, as it is sent to a browser: in ASCII, with the host in
/// Punycode (RFC 3492) and the fragment last. `None` if it is no page's.
pub fn with_click_id(address: &str, click_id: &str) -> Option<String> {
    let mut page = page(address)?;
    let own = page.query().filter(|query| !query.is_empty());
    let query = own.map_or_else(|| format!("click_id={click_id}"), |own| format!("{own}&click_id={click_id}"));
    page.set_query(Some(&query));
    Some(page.into())
}

fn page(address: &str) -> Option<Url> {
    // The standard's parser removes blanks and adds slashes, so that what was meant can only be guessed.
    let (scheme, rest) = address.split_once("://")?;
    let is_web = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    let plain = !rest.starts_with('/') && !rest.contains(|c: char| c.is_whitespace() || c.is_control());
    Url::parse(address).ok().filter(|page| is_web && plain && page.has_host())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_click_id_stands_behind_the_query_and_before_the_fragment() {
        for (address, leads_to) in [
            ("https://a.example/p", "https://a.example/p?click_id=x"),
            ("https://a.example", "https://a.example/?click_id=x"),
            ("https://a.example/p?", "https://a.example/p?click_id=x"),
            ("https://a.example/p?b=1#c", "https://a.example/p?b=1&click_id=x#c"),
            ("https://a.example/p?b=%20%C3%A4&c={d}|e", "https://a.example/p?b=%20%C3%A4&c={d}|e&click_id=x"),
            ("https://shop.example.com/#/sale", "https://shop.example.com/?click_id=x#/sale"),
            ("HTTPS://Shop.Example.com/A", "https://shop.example.com/A?click_id=x"),
            ("http://a.example:8080/p", "http://a.example:8080/p?click_id=x"),
            ("https://例え.jp/パス?q=茶", "https://xn--r8jz45g.jp/%E3%83%91%E3%82%B9?q=%E8%8C%B6&click_id=x"),
        ] {
            assert!(is_landing_page(address), "{address}");
            assert_eq!(with_click_id(address, "x").as_deref(), Some(leads_to), "{address}");
        }
    }

    #[test]
    fn what_is_no_page_leads_nowhere() {
        for address in [
            "",
            "a.example",
            "//a.example",
            "https://",
            "https:///a.example",
            "https://a.example/a b",
            " https://a.example",
            "https://a.example/\n",
            "https://a.example:99999/",
            "https://[a/",
            "javascript://a.example/%0aalert(1)",
            "ftp://a.example/",
            "mailto:a@b.example",
        ] {
            assert!(!is_landing_page(address), "{address}");
            assert_eq!(with_click_id(address, "x"), None, "{address}");
        }
    }

    proptest! {
        #[test]
        fn what_is_sent_is_ascii_and_has_the_advertisers_query(
            path in "[^\\s\\p{C}?#\\\\]{0,20}", query in "[^\\s\\p{C}#]{1,20}", fragment in "[^\\s\\p{C}]{0,10}",
        ) {
            let address = format!("https://a.example/{path}?{query}#{fragment}");
            let sent = with_click_id(&address, "x").expect("a page");
            prop_assert!(sent.is_ascii(), "{sent}");
            let (before, after) = sent.split_once('#').expect("the fragment is kept");
            prop_assert!(before.ends_with("&click_id=x"), "{sent}");
            let plain = Url::parse(&address).expect("a page");
            let kept = before.split_once('?').and_then(|(_, query)| query.strip_suffix("&click_id=x"));
            prop_assert_eq!(kept, plain.query());
            prop_assert_eq!(Some(after), plain.fragment());
        }
    }
}
