//! HTTP to this machine only: of the addresses in answers, only the paths are used.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client as Http, RequestBuilder};

use super::people::Visitor;

#[derive(Clone)]
pub struct Client {
    http: Http,
    base: String,
}

/// The parts of an answer that are used here.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub status: u16,
    pub location: String,
    pub body: String,
}

impl Client {
    /// # Errors
    /// What is wrong with an address that is not on this machine.
    pub fn new(base: &str) -> Result<Self, String> {
        let base = base.trim_end_matches('/');
        let host =
            base.strip_prefix("http://").ok_or_else(|| format!("{base}: the address must begin with http://"))?;
        let at = loopback(host).ok_or_else(|| format!("{base}: only an address of this machine is visited"))?;
        // If it fails, the same provider was installed before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = Http::builder()
            .redirect(Policy::none())
            .timeout(Duration::from_secs(10))
            .no_proxy()
            // Nothing is encrypted, so no authorities are looked for.
            .tls_certs_only([])
            .build()
            .map_err(|error| format!("{base}: {error}"))?;
        Ok(Self { http, base: format!("http://{at}") })
    }

    pub async fn get(&self, path: &str, visitor: &Visitor) -> Result<Answer, ()> {
        let request = self.http.get(format!("{}{path}", self.base));
        answer(request.header("User-Agent", visitor.agent).header("X-Forwarded-For", &visitor.address)).await
    }

    pub async fn post(&self, path: &str, headers: Vec<(&'static str, String)>, body: Vec<u8>) -> Result<Answer, ()> {
        let request = self.http.post(format!("{}{path}", self.base)).header("Content-Type", "application/json");
        let request = headers.into_iter().fold(request, |request, (name, value)| request.header(name, value));
        answer(request.body(body)).await
    }
}

/// The address of `host:port`, if all addresses of that name are local.
fn loopback(host: &str) -> Option<SocketAddr> {
    let host = if host.contains("]:") || (!host.contains('[') && host.contains(':')) {
        host.to_owned()
    } else {
        format!("{host}:80")
    };
    let found: Vec<SocketAddr> = host.to_socket_addrs().ok()?.collect();
    let here = found.iter().all(|at| IpAddr::to_canonical(&at.ip()).is_loopback());
    found.first().copied().filter(|_| here)
}

async fn answer(request: RequestBuilder) -> Result<Answer, ()> {
    let response = request.send().await.map_err(|_| ())?;
    let location = response.headers().get("Location").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (status, location) = (response.status().as_u16(), location.to_owned());
    // Read to its end, so that the connection can be reused.
    let body = response.bytes().await.map_err(|_| ())?;
    Ok(Answer { status, location, body: String::from_utf8_lossy(&body).into_owned() })
}

/// The path of a URL, whatever its host.
pub fn path_of(url: &str) -> Option<&str> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').and_then(|at| rest.get(at..))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_visited() {
        for here in [
            "http://127.0.0.1:8080",
            "http://127.0.0.1:8080/",
            "http://[::1]:8080",
            "http://127.1.2.3",
            "http://localhost:80",
        ] {
            assert!(Client::new(here).is_ok(), "{here}");
        }
        for elsewhere in [
            "http://198.51.100.7:80",
            "https://127.0.0.1",
            "127.0.0.1:80",
            "http://0.0.0.0:80",
            "http://127.0.0.1@198.51.100.7/",
            "",
        ] {
            assert!(Client::new(elsewhere).is_err(), "{elsewhere}");
        }
    }

    #[test]
    fn paths_alone_are_followed() {
        assert_eq!(path_of("https://ads.example/t/i/abc.gif"), Some("/t/i/abc.gif"));
        assert_eq!(path_of("/t/c/abc"), Some("/t/c/abc"));
        assert_eq!(path_of("https://ads.example"), None);
    }
}
