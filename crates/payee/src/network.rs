//! The networks of wallet addresses: which there are, and which an installation pays on.

use std::fmt;
use std::str::FromStr;

use crate::PayeeProblem;
use crate::address::{Family, read};

/// A network, by the name of its tokens' standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Network {
    Trc20,
    Erc20,
    Bep20,
    Polygon,
    Arbitrum,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no network whose addresses can be checked")]
pub struct UnknownNetwork;

impl Network {
    pub const ALL: [Self; 5] = [Self::Trc20, Self::Erc20, Self::Bep20, Self::Polygon, Self::Arbitrum];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Trc20 => "TRC20",
            Self::Erc20 => "ERC20",
            Self::Bep20 => "BEP20",
            Self::Polygon => "POLYGON",
            Self::Arbitrum => "ARBITRUM",
        }
    }

    const fn family(self) -> Family {
        match self {
            Self::Trc20 => Family::Tron,
            Self::Erc20 | Self::Bep20 | Self::Polygon | Self::Arbitrum => Family::Ethereum,
        }
    }

    /// An address on this network as pasted, without blanks.
    ///
    /// # Errors
    /// `NoAddress`, `OtherNetwork`, `AddressCheck`.
    pub fn address(self, typed: &str) -> Result<String, PayeeProblem> {
        read(self.family(), typed)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Network {
    type Err = UnknownNetwork;

    fn from_str(name: &str) -> Result<Self, UnknownNetwork> {
        // The standards are written TRC-20 and ERC-20 as well.
        let name = name.trim().replace(['-', ' '], "");
        Self::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(&name)).ok_or(UnknownNetwork)
    }
}

/// The networks on which an installation pays, in the order in which they are offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Networks(Vec<Network>);

/// The setting for paying only to bank accounts.
const NONE: &str = "none";

impl Networks {
    pub fn offered(&self) -> &[Network] {
        &self.0
    }

    /// A list with commas, or `none`.
    ///
    /// # Errors
    /// The part that is no network.
    pub fn parse(text: &str) -> Result<Self, &str> {
        if text.trim().eq_ignore_ascii_case(NONE) {
            return Ok(Self(Vec::new()));
        }
        let mut all = Vec::new();
        for part in text.split(',').map(str::trim) {
            let network: Network = part.parse().map_err(|UnknownNetwork| part)?;
            if !all.contains(&network) {
                all.push(network);
            }
        }
        Ok(Self(all))
    }

    /// A network by its name, if the installation pays on it.
    pub fn find(&self, name: &str) -> Option<Network> {
        name.parse().ok().filter(|network| self.0.contains(network))
    }
}

impl Default for Networks {
    fn default() -> Self {
        Self(vec![Network::Trc20, Network::Erc20, Network::Bep20])
    }
}

impl fmt::Display for Networks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str(NONE);
        }
        let names: Vec<&str> = self.0.iter().map(|network| network.name()).collect();
        f.write_str(&names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_networks_once_in_its_order() {
        let all = Networks::parse(" polygon,TRC20, Polygon").expect("networks");
        assert_eq!(all.to_string(), "POLYGON, TRC20");
        assert_eq!((all.find("trc20 "), all.find("ERC20")), (Some(Network::Trc20), None));
        assert_eq!(Networks::parse("TRC-20, erc 20, BEP‑20"), Err("BEP‑20"));
        assert_eq!(Networks::parse("TRC-20, erc 20").map(|all| all.to_string()).as_deref(), Ok("TRC20, ERC20"));
        assert_eq!(Networks::parse("TRC20,BTC"), Err("BTC"));
        assert_eq!(Networks::parse("TRC20,"), Err(""));
        let none = Networks::parse("None").expect("none");
        assert_eq!((none.offered(), none.to_string().as_str()), (&[][..], "none"));
    }
}
