//! The state available to every handler.

use std::net::{AddrParseError, IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use actix_web::HttpRequest;
use actix_web::http::header;
use campaigns::AdServer;
use ipnet::IpNet;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::Figures;
use crate::assets;
use crate::policy::Policies;
use crate::request_id::RequestIds;

#[derive(Clone)]
pub struct Shell {
    pub app: AdServer,
    pub proxies: Arc<TrustedProxies>,
    pub figures: Figures,
    policies: Arc<RwLock<Arc<Policies>>>,
    pub(crate) request_ids: Arc<RequestIds>,
    draining: Arc<AtomicBool>,
    log_reads: Arc<Semaphore>,
}

/// Reads of the public log from the storage of files that a server does at once. Anybody may ask, and a bucket's answers cost.
const LOG_READS: usize = 32;

impl Shell {
    pub fn new(app: AdServer, proxies: TrustedProxies) -> Self {
        let policies = Arc::new(RwLock::new(Arc::new(Policies::new(&app))));
        app.market.know_files(assets::size);
        Self {
            app,
            proxies: Arc::new(proxies),
            figures: Figures::default(),
            policies,
            request_ids: Arc::default(),
            draining: Arc::default(),
            log_reads: Arc::new(Semaphore::new(LOG_READS)),
        }
    }

    /// A turn to read the public log; `None` if too many do.
    pub(crate) fn log_turn(&self) -> Option<SemaphorePermit<'_>> {
        self.log_reads.try_acquire().ok()
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

    /// Makes the server not ready, so that it accepts no new requests.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::SeqCst);
    }

    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::SeqCst)
    }

    /// The client's address, as reported by trusted proxies.
    pub fn client(&self, request: &HttpRequest) -> Option<IpAddr> {
        self.proxies.client(request)
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
        self.told_by_proxy(request, "X-Forwarded-Proto").is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"))
    }

    /// The value of a header that the trusted proxy nearest to the client wrote. Each proxy may append to the list or
    /// replace it, as with `X-Forwarded-For`, so anything left of the proxies' own entries may be forged.
    fn told_by_proxy<'a>(&self, request: &'a HttpRequest, name: &str) -> Option<&'a str> {
        let proxies = self.proxies.trace(peer(request)?, &forwarded_for(request)).proxies;
        let values = request.headers().get_all(name).map(|value| value.to_str().ok());
        let told: Vec<&str> = values.collect::<Option<Vec<&str>>>()?;
        let newest_first = told.iter().rev().flat_map(|value| value.rsplit(','));
        newest_first.map(str::trim).filter(|entry| !entry.is_empty()).take(proxies).last()
    }
}

fn peer(request: &HttpRequest) -> Option<IpAddr> {
    Some(request.peer_addr()?.ip().to_canonical())
}

fn forwarded_for(request: &HttpRequest) -> Vec<Option<&str>> {
    request.headers().get_all("X-Forwarded-For").map(|value| value.to_str().ok()).collect()
}

fn text<'a>(request: &'a HttpRequest, name: &str) -> Option<&'a str> {
    request.headers().get(name).and_then(|value| value.to_str().ok())
}

/// Proxies that are trusted to report the client's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpNet>);

/// A request's way: where it came from, and how many trusted proxies it passed.
struct Trace {
    client: IpAddr,
    proxies: usize,
}

impl TrustedProxies {
    pub fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The client's address, as these report it.
    pub fn client(&self, request: &HttpRequest) -> Option<IpAddr> {
        Some(self.trace(peer(request)?, &forwarded_for(request)).client)
    }

    /// The last address in the chain that is not a trusted proxy. Anything to its left may be forged, and so may an
    /// entry that cannot be parsed. So the chain ends at such an entry, and the client is the proxy that forwarded it.
    fn trace(&self, peer: IpAddr, told: &[Option<&str>]) -> Trace {
        let mut trace = Trace { client: peer, proxies: usize::from(self.trusts(peer)) };
        let hops = told.iter().rev().flat_map(|value| value.unwrap_or("unreadable").rsplit(','));
        for hop in hops.map(str::trim).filter(|hop| !hop.is_empty()) {
            if !self.trusts(trace.client) {
                break;
            }
            let Some(address) = address_of(hop) else { break };
            trace.client = address.to_canonical();
            trace.proxies += usize::from(self.trusts(trace.client));
        }
        trace
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

/// By default only this machine is trusted, because a proxy usually runs beside the server.
impl Default for TrustedProxies {
    fn default() -> Self {
        Self([IpAddr::from([127, 0, 0, 1]), IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1])].map(IpNet::from).to_vec())
    }
}

/// Why a text does not name proxies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotProxies {
    #[error("{part} is not an address: {error}")]
    Address { part: String, error: AddrParseError },
    #[error("{0} is not a network such as 10.0.0.0/8")]
    Network(String),
    #[error("{0} is every address: then anybody could claim any address as theirs")]
    Everybody(String),
}

/// Addresses and networks, such as `10.0.0.0/8`, separated by commas.
impl FromStr for TrustedProxies {
    type Err = NotProxies;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        Ok(Self(parts.map(network).collect::<Result<_, _>>()?))
    }
}

fn network(part: &str) -> Result<IpNet, NotProxies> {
    if !part.contains('/') {
        let address = part.parse::<IpAddr>().map_err(|error| NotProxies::Address { part: part.to_owned(), error })?;
        return Ok(address.to_canonical().into());
    }
    let network: IpNet = part.parse().map_err(|_| NotProxies::Network(part.to_owned()))?;
    if network.prefix_len() == 0 { Err(NotProxies::Everybody(part.to_owned())) } else { Ok(network) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(told: &[&str]) -> String {
        let proxies: TrustedProxies = "127.0.0.1,10.0.0.7".parse().expect("addresses");
        let told: Vec<Option<&str>> = told.iter().map(|value| value.is_ascii().then_some(*value)).collect();
        proxies.trace([127, 0, 0, 1].into(), &told).client.to_string()
    }

    #[test]
    fn a_network_is_trusted_as_a_whole() {
        let proxies: TrustedProxies = "10.0.0.0/8, 192.0.2.1, fd00::/8,::ffff:198.51.100.1".parse().expect("networks");
        for (address, trusted) in [
            ("10.0.0.0", true),
            ("10.255.3.9", true),
            ("11.0.0.1", false),
            ("192.0.2.1", true),
            ("192.0.2.2", false),
            ("fd12::1", true),
            ("fe80::1", false),
            ("198.51.100.1", true),
        ] {
            assert_eq!(proxies.trusts(address.parse().expect("an address")), trusted, "{address}");
        }
        for odd in ["10.0.0.0/33", "10.0.0/8", "here/8", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0", "0.0.0.0/0", "::/0"] {
            assert!(odd.parse::<TrustedProxies>().is_err(), "{odd}");
        }
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
