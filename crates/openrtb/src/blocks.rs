//! What lists of blocked advertisers mean. Exchanges write domains as URLs, with ports and with `www.`; and blocking
//! one of an advertiser's names means blocking the advertiser.

use std::borrow::Cow;

use crate::request::BidRequest;

/// What a request blocks, read once for all candidates.
#[derive(Clone, Debug, Default)]
pub struct Blocks<'a> {
    hosts: Vec<Cow<'a, str>>,
    /// A domain is listed that cannot be read: it could be any.
    every_domain: bool,
    apps: Vec<&'a str>,
    every_app: bool,
}

impl<'a> Blocks<'a> {
    pub fn of(request: &'a BidRequest) -> Self {
        let mut blocks = Self::default();
        for listed in request.badv.iter().filter(|listed| !listed.is_empty()) {
            match host(listed) {
                Some(host) => blocks.hosts.push(host),
                None => blocks.every_domain = true,
            }
        }
        for listed in request.bapp.iter().filter(|listed| !listed.is_empty()) {
            match listed_app(listed) {
                Some(app) => blocks.apps.push(app),
                None => blocks.every_app = true,
            }
        }
        blocks
    }

    /// Whether one of an advertiser's domains is blocked. Without one, it could be any.
    pub fn blocks_domains(&self, domains: &[String]) -> bool {
        if self.hosts.is_empty() && !self.every_domain {
            return false;
        }
        self.every_domain || domains.is_empty() || domains.iter().any(|domain| self.blocks_domain(domain))
    }

    /// A name of an advertiser stands for its registrable domain: `shop.tea.example` blocks all of
    /// `tea.example`, and so does `example`.
    fn blocks_domain(&self, domain: &str) -> bool {
        let domain = domain.trim_matches('.').to_ascii_lowercase();
        let own = psl::domain_str(&domain).unwrap_or(&domain);
        self.hosts.iter().any(|host| is_within(host, own) || is_within(own, host))
    }

    pub fn blocks_app(&self, app: Option<&str>) -> bool {
        app.is_some_and(|app| self.every_app || self.apps.iter().any(|one| one.eq_ignore_ascii_case(app)))
    }
}

/// The host that a text names, whatever is around it, without `www.`; `None` if it names none.
pub fn host(text: &str) -> Option<Cow<'_, str>> {
    let text = text.trim();
    let rest = text.split_once("://").map_or_else(|| text.strip_prefix("//").unwrap_or(text), |(_, rest)| rest);
    let authority = rest.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default().trim_start_matches("*.").trim_matches('.');
    let plain = without_www(host);
    let ascii = if plain.is_ascii() { Cow::Borrowed(plain) } else { Cow::Owned(idna::domain_to_ascii(plain).ok()?) };
    let is_name =
        |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    ascii.split('.').all(is_name).then_some(ascii)
}

/// The name of a site, which is the same with `www.` before it.
pub fn without_www(host: &str) -> &str {
    let head = host.get(..4).filter(|head| head.eq_ignore_ascii_case("www."));
    head.and_then(|_| host.get(4..)).filter(|plain| plain.contains('.')).unwrap_or(host)
}

/// The number of an app in Apple's store, before which its address has `id`.
pub fn without_id(app: &str) -> &str {
    app.strip_prefix("id").filter(|id| is_number(id)).unwrap_or(app)
}

/// Whether a host is a domain or lies within it. Compares in place, since lists of blocked domains
/// are long.
pub fn is_within(host: &str, domain: &str) -> bool {
    let Some(at) = host.len().checked_sub(domain.len()) else { return false };
    let same = host.get(at..).is_some_and(|tail| tail.eq_ignore_ascii_case(domain));
    let head = host.get(..at).unwrap_or_default();
    same && !domain.is_empty() && (head.is_empty() || head.ends_with('.'))
}

/// The id of an app by its page in a store: `id=com.example.game`, or `/id123456789`.
pub fn app_in_store(address: &str) -> Option<&str> {
    let rest = address.split_once("://")?.1;
    let (store, page) = rest.split_once('/')?;
    if store.eq_ignore_ascii_case("play.google.com") {
        let query = page.split_once('?')?.1.split('#').next()?;
        return query.split('&').find_map(|part| part.strip_prefix("id=")).filter(|id| !id.is_empty());
    }
    let is_apple = ["apps.apple.com", "itunes.apple.com"].iter().any(|one| store.eq_ignore_ascii_case(one));
    let path = page.split(['?', '#']).next()?;
    path.split('/').filter(|_| is_apple).find_map(|part| part.strip_prefix("id").filter(|id| is_number(id)))
}

/// The id that a text in a list names: itself, or that of an address.
fn listed_app(text: &str) -> Option<&str> {
    let text = text.trim();
    if text.contains('/') {
        return app_in_store(text);
    }
    Some(without_id(text)).filter(|id| !id.is_empty())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::request_with;

    fn is_blocked(listed: &str, domain: &str) -> bool {
        let request = request_with(json!({ "badv": [listed] }));
        Blocks::of(&request).blocks_domains(&[domain.to_owned()])
    }

    #[test]
    fn a_domain_is_blocked_however_it_is_written() {
        for listed in [
            "shoes.example",
            "SHOES.example.",
            ".shoes.example",
            "*.shoes.example",
            "www.shoes.example",
            "WWW.shoes.example",
            "https://shoes.example/",
            "http://www.shoes.example/sale?x=1#top",
            "//shoes.example",
            "shoes.example/path",
            "shoes.example:443",
            "https://user@shoes.example:8443",
            " shoes.example ",
            "m.shoes.example",
            "example",
        ] {
            assert!(is_blocked(listed, "shoes.example"), "{listed}");
            assert!(is_blocked(listed, "shop.shoes.example"), "{listed}");
            assert!(!is_blocked(listed, "shoes.test"), "{listed}");
        }
        for other in ["badshoes.example", "shoes.example.net", "hoes.example", "www.example"] {
            assert!(!is_blocked(other, "shoes.example"), "{other}");
        }
    }

    #[test]
    fn what_everybody_may_register_below_is_no_advertiser() {
        assert!(is_blocked("other.shoes.co.uk", "tea.shoes.co.uk") && !is_blocked("shoes.co.uk", "tea.co.uk"));
        assert!(!is_blocked("shoes.github.io", "tea.github.io") && is_blocked("github.io", "tea.github.io"));
        assert!(is_blocked("uk", "tea.co.uk") && is_blocked("co.uk", "tea.co.uk"));
    }

    #[test]
    fn other_scripts_are_compared_in_ascii() {
        assert!(is_blocked("bücher.example", "xn--bcher-kva.example"));
        assert!(is_blocked("https://www.BÜCHER.example/", "xn--bcher-kva.example"));
        assert!(!is_blocked("bücher.example", "bucher.example"));
    }

    #[test]
    fn what_cannot_be_read_could_be_any() {
        for unread in ["https://", "a b", ".", "a.example,b.example", "ex..ample", "192.0.2.1 ", "[::1]", "é\u{0}"] {
            let readable = unread == "192.0.2.1 ";
            assert_eq!(is_blocked(unread, "shoes.example"), !readable, "{unread}");
        }
        assert!(!is_blocked("", "shoes.example"), "it says nothing");
        let none = request_with(json!({ "badv": ["rival.example"] }));
        assert!(Blocks::of(&none).blocks_domains(&[]), "an advertiser whose domain nobody knows");
        assert!(!Blocks::of(&request_with(json!({}))).blocks_domains(&[]));
    }

    #[test]
    fn an_app_is_blocked_by_its_id_in_a_store() {
        let is_blocked = |listed: serde_json::Value, app: Option<&str>| {
            let request = request_with(json!({ "bapp": listed }));
            Blocks::of(&request).blocks_app(app)
        };
        let (google, apple) = (Some("com.example.game"), Some("123456789"));
        for listed in [
            json!(["com.example.game"]),
            json!("COM.example.game"),
            json!(["https://play.google.com/store/apps/details?hl=en&id=com.example.game#x"]),
        ] {
            assert!(is_blocked(listed.clone(), google) && !is_blocked(listed, apple));
        }
        for listed in
            [json!([123_456_789]), json!(["id123456789"]), json!(["https://apps.apple.com/us/app/x/id123456789?mt=8"])]
        {
            assert!(is_blocked(listed.clone(), apple) && !is_blocked(listed, google));
        }
        let unread = json!(["https://apps.example/x"]);
        assert!(is_blocked(unread.clone(), google) && !is_blocked(unread, None), "no app could be it");
        assert_eq!(app_in_store("https://play.google.com/store/apps/details?id="), None);
        assert_eq!(app_in_store("https://tea.example/id5"), None);
    }
}
