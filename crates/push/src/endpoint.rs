//! Which addresses may be sent to. A browser says where its push service is, so anybody can name any address:
//! only names of hosts at the usual port of https are taken, and only public addresses are connected to.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

/// The longest address that is taken. Those of the large services have about 200 characters.
const LONGEST: usize = 1_000;

/// The address for messages to one browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint(Url);

/// A push service on this machine, for tests: the one address that need not be public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestService(String);

impl TestService {
    /// An origin on loopback, such as `http://127.0.0.1:8090`.
    pub fn parse(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && is_bare(url))?;
        let here = match url.host()? {
            Host::Ipv4(address) => address.is_loopback(),
            Host::Ipv6(address) => address.is_loopback(),
            Host::Domain(_) => false,
        };
        let only_origin = url.path() == "/" && url.query().is_none();
        (here && only_origin).then(|| Self(url.origin().ascii_serialization()))
    }

    fn has(&self, url: &Url) -> bool {
        url.origin().ascii_serialization() == self.0
    }
}

impl Endpoint {
    /// `None` for what may not be sent to.
    pub fn parse(text: &str, test: Option<&TestService>) -> Option<Self> {
        let url = Url::parse(text).ok().filter(|url| text.len() <= LONGEST && is_bare(url))?;
        let of_test = test.is_some_and(|test| test.has(&url));
        // An address in numbers would be connected to without asking for it. No service has one.
        let named = matches!(url.host(), Some(Host::Domain(name)) if name.contains('.'));
        let public = url.scheme() == "https" && url.port().is_none() && named;
        (of_test || public).then_some(Self(url))
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The audience of a token.
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }
}

/// Whether the address has no username, password or fragment.
fn is_bare(url: &Url) -> bool {
    url.username().is_empty() && url.password().is_none() && url.fragment().is_none()
}

/// Whether an address is one of the public internet: neither this machine nor its network, nor one with a special
/// meaning (the registries of RFC 6890).
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || matches!((a, b, c), (0, ..) | (100, 64..=127, _) | (192, 0, 0) | (192, 88, 99) | (198, 18..=19, _));
    // Multicast, what is reserved, and broadcast.
    !special && a < 224
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // Assignments of protocols, Teredo among them; documentation; and addresses that hold one of IPv4.
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..=0xfff, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_of_the_web_are_sent_to() {
        for text in [
            "https://fcm.googleapis.com/fcm/send/e1:APA91b",
            "https://updates.push.services.mozilla.com/wpush/v2/gAAAAA",
            "https://web.push.apple.com/QGu",
            "https://wns2-par02p.notify.windows.com/w/?token=BQYAAA%3d",
            "https://push.example.com:443/a",
        ] {
            assert!(Endpoint::parse(text, None).is_some(), "{text}");
        }
    }

    #[test]
    fn nothing_else_is() {
        let long = format!("https://push.example.com/{}", "a".repeat(LONGEST));
        for text in [
            "",
            "push.example.com",
            "http://push.example.com/a",
            "https://push.example.com:8443/a",
            "https://user@push.example.com/a",
            "https://push.example.com/a#b",
            "https://localhost/a",
            "https://127.0.0.1/a",
            "https://2130706433/a",
            "https://0x7f.1/a",
            "https://[::1]/a",
            "https://8.8.8.8/a",
            "ftp://push.example.com/a",
            "data:text/plain,hello",
            &long,
        ] {
            assert_eq!(Endpoint::parse(text, None), None, "{text}");
        }
    }

    #[test]
    fn a_service_for_tests_is_on_this_machine() {
        let test = TestService::parse("http://127.0.0.1:8090").expect("here");
        assert!(Endpoint::parse("http://127.0.0.1:8090/device/1", Some(&test)).is_some());
        for other in ["http://127.0.0.1:8091/device/1", "http://127.0.0.2:8090/a", "http://a@127.0.0.1:8090/a"] {
            assert_eq!(Endpoint::parse(other, Some(&test)), None, "{other}");
        }
        for text in [
            "http://10.0.0.1:80",
            "http://localhost:80",
            "http://127.0.0.1:80/path",
            "https://push.example.com",
            "127.0.0.1:80",
        ] {
            assert_eq!(TestService::parse(text), None, "{text}");
        }
    }

    #[test]
    fn addresses_with_a_special_meaning_are_not_public() {
        for text in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "192.0.0.1",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::7f00:1",
            "64:ff9b::7f00:1",
            "fc00::1",
            "fd00::1",
            "fe80::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "100::1",
        ] {
            assert!(!is_public(text.parse().expect("an address")), "{text}");
        }
        for text in ["8.8.8.8", "1.1.1.1", "142.250.1.95", "::ffff:8.8.8.8", "2001:4860:4860::8888", "2a00:1450::1"] {
            assert!(is_public(text.parse().expect("an address")), "{text}");
        }
    }
}
