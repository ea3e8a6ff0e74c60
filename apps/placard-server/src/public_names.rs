//! Connections to what others say may be connected to: only to public addresses.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use ::push::is_public;
use reqwest::Client;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;

/// A client that connects by name to public addresses only, and follows nothing. `within` is for the whole of an answer.
pub fn client(within: Duration) -> reqwest::Result<Client> {
    // If it fails, the same provider was installed before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .redirect(Policy::none())
        // Through a proxy, nobody here would see what is connected to.
        .no_proxy()
        .http1_only()
        .dns_resolver(Arc::new(PublicNames))
        .timeout(within)
        .build()
}

/// Resolves names to public addresses only. The client connects to exactly the addresses that were checked, so a second
/// lookup cannot return another one.
struct PublicNames;

impl Resolve for PublicNames {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found.filter(|address| is_public(address.ip())).collect();
            if public.is_empty() {
                return Err(Box::<dyn Error + Send + Sync>::from("the host has no public address"));
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn names_of_this_machine_are_not_connected_to() {
        let asked = PublicNames.resolve("localhost".parse().expect("a name")).await;
        assert_eq!(asked.map(|_| ()).expect_err("refused").to_string(), "the host has no public address");
    }
}
