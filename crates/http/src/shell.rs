//! What every handler can reach.

use std::net::IpAddr;
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

    /// What browsers are told to allow, as contacts are now.
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

    /// From now on the server says that it is not ready, and takes nothing new.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::SeqCst);
    }

    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::SeqCst)
    }

    /// Who is at the other end, seen through proxies that are trusted: the
    /// last address they were told that is not one of them.
    pub fn client(&self, request: &HttpRequest) -> Option<IpAddr> {
        let peer = request.peer_addr()?.ip().to_canonical();
        if !self.proxies.trusts(peer) {
            return Some(peer);
        }
        let told = request.headers().get_all("X-Forwarded-For").filter_map(|value| value.to_str().ok());
        let chain: Vec<&str> = told.flat_map(|value| value.split(',')).map(str::trim).collect();
        let outside = chain.iter().rev().filter_map(|text| text.parse::<IpAddr>().ok()).map(|ip| ip.to_canonical());
        Some(outside.into_iter().find(|ip| !self.proxies.trusts(*ip)).unwrap_or(peer))
    }

    /// The address the caller reached this server at, such as `https://host`.
    pub fn base_url(&self, request: &HttpRequest) -> String {
        let scheme = if self.is_https(request) { "https" } else { "http" };
        let host = self.told_by_proxy(request, "X-Forwarded-Host");
        let host = host.or_else(|| text(request, header::HOST.as_str())).unwrap_or("localhost");
        format!("{scheme}://{host}")
    }

    /// Whether the caller's own connection was encrypted, to a proxy that says so.
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

/// Addresses whose word on the client's address is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpAddr>);

impl TrustedProxies {
    pub fn trusts(&self, address: IpAddr) -> bool {
        self.0.contains(&address)
    }
}

/// This machine: a proxy in front of the server usually runs beside it.
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
