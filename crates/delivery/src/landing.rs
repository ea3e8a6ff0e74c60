//! The advertiser's own page, to which a click leads.

use std::borrow::Cow;
use std::sync::LazyLock;

use base::invisible::is_default_ignorable;
use regex::{NoExpand, Regex};
use url::Url;

/// Whether this is the address of a page, as an advertiser writes it: with `https://` or `http://` in whatever case,
/// in whatever script, without blanks, and without a name or a password before the host, which every visitor would
/// be told, and behind which another host can be meant. What is not shown was pasted along, and no server has a page
/// of that name; what joins letters is part of words.
pub fn is_landing_page(address: &str) -> bool {
    let hides = |c: char| is_default_ignorable(c) && !matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}');
    let authority = address.split(['/', '\\', '?', '#']).nth(2).unwrap_or_default();
    page(address).is_some() && !authority.contains('@') && !address.contains(hides)
}

/// The address to which a browser is sent: in ASCII, with the host in Punycode (RFC 3492), and with the click's id
/// appended to its query, before the fragment. The id also replaces `{click_id}` anywhere in the address, for
/// advertisers whose servers use another name. A `click_id` that the address already has is removed, because servers
/// would read the first of two. `None` if the address is not a web page's.
pub fn with_click_id(address: &str, click_id: &str) -> Option<String> {
    let filled = GAP.as_ref().map_or(Cow::Borrowed(address), |gap| gap.replace_all(address, NoExpand(click_id)));
    let mut page = page(&filled)?;
    let of_others = |part: &&str| part.split('=').next() != Some(CLICK_ID);
    let own = page.query().unwrap_or_default().split('&').filter(of_others).collect::<Vec<_>>().join("&");
    let link = if own.is_empty() { "" } else { "&" };
    page.set_query(Some(&format!("{own}{link}{CLICK_ID}={click_id}")));
    Some(page.into())
}

/// The host of a page in ASCII, as names of hosts are compared.
pub fn landing_host(address: &str) -> Option<String> {
    page(address)?.host_str().map(str::to_owned)
}

const CLICK_ID: &str = "click_id";

/// The place for the id: in any case, and in one or two braces, which a browser percent-encodes when it copies a path. Other
/// markets write `${click_id}` and `%%click_id%%`.
static GAP: LazyLock<Option<Regex>> = LazyLock::new(|| {
    const OPEN: &str = r"(?:\{|%7b)";
    const CLOSE: &str = r"(?:\}|%7d)";
    Regex::new(&format!(r"(?i-u:\$?{OPEN}{OPEN}click_id{CLOSE}{CLOSE}|\$?{OPEN}click_id{CLOSE}|%%click_id%%)")).ok()
});

fn page(address: &str) -> Option<Url> {
    // The standard's parser removes blanks and adds slashes, so that what was meant can only be guessed.
    let (scheme, rest) = address.split_once("://")?;
    let is_web = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    let plain = !rest.starts_with(['/', '\\']) && !rest.contains(|c: char| c.is_whitespace() || c.is_control());
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
            ("https://a.example/?click_id=", "https://a.example/?click_id=x"),
            ("https://a.example/?a=1&click_id={click_id}&b=2#c", "https://a.example/?a=1&b=2&click_id=x#c"),
            (
                "https://a.example/?my_click_id=7&sub=click_id",
                "https://a.example/?my_click_id=7&sub=click_id&click_id=x",
            ),
            ("https://a.example/?a=1&&b", "https://a.example/?a=1&&b&click_id=x"),
            ("https://[2001:db8::1]:8443/p", "https://[2001:db8::1]:8443/p?click_id=x"),
            (
                "https://a.example/کتاب\u{200c}ها",
                "https://a.example/%DA%A9%D8%AA%D8%A7%D8%A8%E2%80%8C%D9%87%D8%A7?click_id=x",
            ),
        ] {
            assert!(is_landing_page(address), "{address}");
            assert_eq!(with_click_id(address, "x").as_deref(), Some(leads_to), "{address}");
        }
    }

    #[test]
    fn the_click_id_stands_where_the_advertiser_wants_it() {
        for (address, leads_to) in [
            ("https://a.example/?af_sub={click_id}&c=1", "https://a.example/?af_sub=x&c=1&click_id=x"),
            ("https://a.example/?s=%7Bclick_id%7D-{click_id}", "https://a.example/?s=x-x&click_id=x"),
            ("https://a.example/?s=%7bclick_id%7d", "https://a.example/?s=x&click_id=x"),
            ("https://a.example/?s={{click_id}}&t={CLICK_ID}", "https://a.example/?s=x&t=x&click_id=x"),
            ("https://a.example/?s=%7B%7Bclick_id%7D%7D", "https://a.example/?s=x&click_id=x"),
            ("https://a.example/?s={{click_id}", "https://a.example/?s={x&click_id=x"),
            ("https://a.example/?s=${CLICK_ID}&t=%%CLICK_ID%%", "https://a.example/?s=x&t=x&click_id=x"),
            ("https://a.example/?s=$%7Bclick_id%7D&f[click_id]=1", "https://a.example/?s=x&f[click_id]=1&click_id=x"),
            (r#"https://a.example/#{"a":{click_id}}"#, r#"https://a.example/?click_id=x#{%22a%22:x}"#),
            ("https://a.example/r/{click_id}/p#{click_id}", "https://a.example/r/x/p?click_id=x#x"),
            ("https://a.example/?s={CLICK}&t={click}", "https://a.example/?s={CLICK}&t={click}&click_id=x"),
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
            "https://\\a.example",
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

    #[test]
    fn what_visitors_should_not_be_told_is_not_taken() {
        for address in [
            "https://user:word@a.example/",
            "https://user@a.example/",
            "https://@a.example/",
            "https://shop.example.com@a.example/",
            "https://a.example/p\u{200b}",
            "https://a.example/\u{feff}",
            "https://a.exa\u{ad}mple/",
            "https://a.example/\u{202e}p",
        ] {
            assert!(!is_landing_page(address), "{address:?}");
            // Addresses that were accepted once must still lead to the same page.
            assert!(with_click_id(address, "x").is_some(), "{address:?}");
        }
    }

    #[test]
    fn a_host_is_named_in_ascii() {
        for (address, host) in [
            ("HTTPS://Shop.Example.com:8443/A", Some("shop.example.com")),
            ("https://例え.jp/", Some("xn--r8jz45g.jp")),
            ("https://user:word@a.example/", Some("a.example")),
            ("a.example", None),
        ] {
            assert_eq!(landing_host(address).as_deref(), host, "{address}");
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
