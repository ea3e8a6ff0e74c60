//! The state available to every handler.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use actix_web::HttpRequest;
use actix_web::http::header;
use usecases::App;

use crate::Figures;
use crate::policy::Policies;
use crate::request_id::RequestIds;

#[derive(Clone)]
pub struct Shell {
    pub app: App,
    pub proxies: Arc<TrustedProxies>,
    pub figures: Figures,
    policies: Arc<RwLock<Arc<Policies>>>,
    pub(crate) request_ids: Arc<RequestIds>,
    draining: Arc<AtomicBool>,
}

impl Shell {
    pub fn new(app: App, proxies: TrustedProxies) -> Self {
        let policies = Arc::new(RwLock::new(Arc::new(Policies::new(&app))));
        Self {
            app,
            proxies: Arc::new(proxies),
            figures: Figures::default(),
            policies,
            request_ids: Arc::default(),
            draining: Arc::default(),
        }
    }

    /// The security policies for the current contacts.
    pub(crate) async fn policies(&self) -> Arc<Policies> {
        self.app.follow_content().await;
        let known = self.policies.read().unwrap_or_else(PoisonError::into_inner).clone();
        if known.version == self.app.content_version() {
            return known;
        }
        let new = Arc::new(Policies::new(&self.app));
        *self.policies.write().unwrap_or_else(PoisonError::into_inner) = new.clone();
        new
    }

    /// From now on the server is not ready, and accepts no new requests.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::SeqCst);
    }

    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::SeqCst)
    }

    /// The client's address, as reported by trusted proxies.
    pub fn client(&self, request: &HttpRequest) -> Option<IpAddr> {
        let peer = request.peer_addr()?.ip().to_canonical();
        let told: Vec<Option<&str>> =
            request.headers().get_all("X-Forwarded-For").map(|value| value.to_str().ok()).collect();
        Some(self.proxies.client(peer, &told))
    }

    /// The address by which the client reached this server, such as `https://host`.
    pub fn base_url(&self, request: &HttpRequest) -> String {
        let scheme = if self.is_https(request) { "https" } else { "http" };
        let host = self.told_by_proxy(request, "X-Forwarded-Host");
        let host = host.or_else(|| text(request, header::HOST.as_str())).unwrap_or("localhost");
        format!("{scheme}://{host}")
    }

    /// Whether the client's connection was encrypted, as reported by a trusted proxy.
    pub fn is_https(&self, request: &HttpRequest) -> bool {
        self.told_by_proxy(request, "X-Forwarded-Proto") == Some("https")
    }

    fn told_by_proxy<'a>(&self, request: &'a HttpRequest, name: &str) -> Option<&'a str> {
        let trusted = request.peer_addr().is_some_and(|peer| self.proxies.trusts(peer.ip().to_canonical()));
        if trusted { text(request, name) } else { None }
    }
}

fn text<'a>(request: &'a HttpRequest, name: &str) -> Option<&'a str> {
    request.headers().get(name).and_then(|value| value.to_str().ok())
}

/// Proxies that are trusted to report the client's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpAddr>);

impl TrustedProxies {
    pub fn trusts(&self, address: IpAddr) -> bool {
        self.0.contains(&address)
    }

    /// The last address in the chain that is not a trusted proxy. Anybody may have written what is
    /// to the left of it, and whoever wrote a hop that cannot be parsed. So nothing beyond such a
    /// hop is believed, and the client is the proxy that forwarded it.
    fn client(&self, peer: IpAddr, told: &[Option<&str>]) -> IpAddr {
        let mut client = peer;
        let hops = told.iter().rev().flat_map(|value| value.unwrap_or("unreadable").rsplit(','));
        for hop in hops.map(str::trim).filter(|hop| !hop.is_empty()) {
            if !self.trusts(client) {
                break;
            }
            let Some(address) = address_of(hop) else { break };
            client = address.to_canonical();
        }
        client
    }
}

/// An address as proxies write it: plain, in brackets, or with its port, `192.0.2.1:4711` or
/// `[2001:db8::1]:4711`.
fn address_of(hop: &str) -> Option<IpAddr> {
    let bare = || hop.parse().ok();
    let with_port = || hop.parse::<SocketAddr>().ok().map(|socket| socket.ip());
    let in_brackets = || hop.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok().map(IpAddr::V6);
    bare().or_else(with_port).or_else(in_brackets)
}

/// This machine: a proxy usually runs beside the server.
impl Default for TrustedProxies {
    fn default() -> Self {
        Self(vec![IpAddr::from([127, 0, 0, 1]), IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1])])
    }
}

/// Addresses separated by commas.
impl FromStr for TrustedProxies {
    type Err = std::net::AddrParseError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        Ok(Self(parts.map(str::parse).collect::<Result<_, _>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(told: &[&str]) -> String {
        let proxies: TrustedProxies = "127.0.0.1,10.0.0.7".parse().expect("addresses");
        let told: Vec<Option<&str>> = told.iter().map(|value| value.is_ascii().then_some(*value)).collect();
        proxies.client([127, 0, 0, 1].into(), &told).to_string()
    }

    #[test]
    fn the_client_is_the_last_one_told_that_is_no_proxy() {
        for (told, is) in [
            (vec![], "127.0.0.1"),
            (vec!["203.0.113.7"], "203.0.113.7"),
            (vec!["1.2.3.4, 203.0.113.7, 10.0.0.7"], "203.0.113.7"),
            (vec!["1.2.3.4", "203.0.113.7", "10.0.0.7"], "203.0.113.7"),
            (vec!["10.0.0.7, 127.0.0.1"], "10.0.0.7"),
            (vec!["203.0.113.7,,"], "203.0.113.7"),
            (vec!["::ffff:203.0.113.7"], "203.0.113.7"),
        ] {
            assert_eq!(client(&told), is, "{told:?}");
        }
    }

    #[test]
    fn an_address_may_have_its_port() {
        for (told, is) in [
            ("203.0.113.7:4711", "203.0.113.7"),
            ("[2001:db8::1]:4711", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("9.9.9.9, 203.0.113.7:1, 10.0.0.7:2", "203.0.113.7"),
        ] {
            assert_eq!(client(&[told]), is, "{told}");
        }
    }

    #[test]
    fn nothing_is_believed_beyond_what_cannot_be_read() {
        for odd in ["1.3.i.4", "unknown", "_hidden", "203.0.113.7:99999", "203.0.113", "[203.0.113.7]", "ünreadable"] {
            assert_eq!(client(&[odd]), "127.0.0.1", "{odd}");
            assert_eq!(client(&[&format!("9.9.9.9, {odd}")]), "127.0.0.1", "{odd}");
            assert_eq!(client(&["9.9.9.9", odd, "10.0.0.7"]), "10.0.0.7", "{odd}");
            assert_eq!(client(&[odd, "203.0.113.7"]), "203.0.113.7", "{odd}");
        }
    }
}
