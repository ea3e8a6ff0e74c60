//! Names of hosts that only lead to public addresses, for what others say may be connected to.

use std::error::Error;
use std::net::SocketAddr;

use ::push::is_public;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Looks up names, and tells of public addresses only: what is connected to is what was checked.
pub struct PublicNames;

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
