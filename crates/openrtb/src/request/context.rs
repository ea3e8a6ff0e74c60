//! Where an impression is, who will see it, and which laws apply.

use serde::Deserialize;
use serde_json::Value;

use crate::read::{Flag, read_or_default};

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Site {
    pub id: Option<String>,
    pub name: Option<String>,
    pub domain: Option<String>,
    pub page: Option<String>,
    pub publisher: Option<Publisher>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct App {
    pub id: Option<String>,
    pub name: Option<String>,
    /// The number or name of the app in its store.
    pub bundle: Option<String>,
    pub domain: Option<String>,
    pub storeurl: Option<String>,
    pub publisher: Option<Publisher>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Publisher {
    pub id: Option<String>,
    pub name: Option<String>,
    pub domain: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Device {
    pub ua: Option<String>,
    pub ip: Option<String>,
    pub ipv6: Option<String>,
    pub geo: Option<Geo>,
    /// The browser asks not to be tracked.
    pub dnt: Option<Flag>,
    /// The device limits tracking by ads.
    pub lmt: Option<Flag>,
    /// 1 phone or tablet, 2 computer, 3 television, 4 phone, 5 tablet, 6 connected device,
    /// 7 set-top box (AdCOM 1.0, List: Device Types).
    pub devicetype: Option<i32>,
    /// By ISO 639-1.
    pub language: Option<String>,
    /// By BCP 47.
    pub langb: Option<String>,
    /// The device's number for advertisers.
    pub ifa: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Geo {
    /// Three letters, by ISO 3166-1.
    pub country: Option<String>,
    /// By ISO 3166-2.
    pub region: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct User {
    pub id: Option<String>,
    pub buyeruid: Option<String>,
    /// The TC string of the Transparency and Consent Framework.
    pub consent: Option<String>,
    pub geo: Option<Geo>,
    pub ext: Option<UserExt>,
}

/// Where the consent was before 2.6.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct UserExt {
    pub consent: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Regs {
    /// Directed at children (COPPA).
    pub coppa: Option<Flag>,
    pub gdpr: Option<Flag>,
    pub us_privacy: Option<String>,
    pub gpp: Option<String>,
    /// The sections of it that apply.
    #[serde(default, deserialize_with = "read_or_default")]
    pub gpp_sid: Vec<i32>,
    pub ext: Option<RegsExt>,
}

/// Where some of them were before 2.6, and the Global Privacy Control.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct RegsExt {
    pub gdpr: Option<Flag>,
    pub us_privacy: Option<String>,
    pub gpp: Option<String>,
    #[serde(default, deserialize_with = "read_or_default")]
    pub gpp_sid: Vec<i32>,
    /// "1", also sent as a number.
    pub gpc: Option<Value>,
}
