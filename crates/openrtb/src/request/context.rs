//! The context of an impression: where it is, who will see it, and which laws apply.

use serde::Deserialize;

use crate::read::{Flag, fields};

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Site {
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub id: Option<String>,
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub name: Option<String>,
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub domain: Option<String>,
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub page: Option<String>,
    #[serde(default, deserialize_with = "fields::maybe_object")]
    pub publisher: Option<Publisher>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct App {
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub id: Option<String>,
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub name: Option<String>,
    /// The number or name of the app in its store.
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub bundle: Option<String>,
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub domain: Option<String>,
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub storeurl: Option<String>,
    #[serde(default, deserialize_with = "fields::maybe_object")]
    pub publisher: Option<Publisher>,
}

/// A screen in a public place (OpenRTB 2.6, object DOOH). That it is one is all that is read of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Dooh {}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Publisher {
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub id: Option<String>,
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub name: Option<String>,
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub domain: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Device {
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub ua: Option<String>,
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub ip: Option<String>,
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub ipv6: Option<String>,
    #[serde(default, deserialize_with = "fields::object")]
    pub geo: Option<Geo>,
    /// The browser asks not to be tracked.
    #[serde(default, deserialize_with = "fields::flag")]
    pub dnt: Option<Flag>,
    /// The device limits tracking by ads.
    #[serde(default, deserialize_with = "fields::flag")]
    pub lmt: Option<Flag>,
    /// 1 phone or tablet, 2 computer, 3 television, 4 phone, 5 tablet, 6 connected device,
    /// 7 set-top box (AdCOM 1.0, List: Device Types).
    #[serde(default, deserialize_with = "fields::maybe_number")]
    pub devicetype: Option<i32>,
    /// By ISO 639-1.
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub language: Option<String>,
    /// By BCP 47.
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub langb: Option<String>,
    /// The screen, in pixels.
    #[serde(default, deserialize_with = "fields::maybe_count")]
    pub w: Option<u32>,
    #[serde(default, deserialize_with = "fields::maybe_count")]
    pub h: Option<u32>,
    /// The browser's description of itself in parts (User-Agent Client Hints).
    #[serde(default, deserialize_with = "fields::maybe_object")]
    pub sua: Option<StructuredAgent>,
    /// The device's number for advertisers.
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub ifa: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct StructuredAgent {
    /// 1 if it is that of a phone.
    #[serde(default, deserialize_with = "fields::maybe_number")]
    pub mobile: Option<i32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Geo {
    /// Three letters, by ISO 3166-1.
    #[serde(default, deserialize_with = "fields::only_text")]
    pub country: Option<String>,
    /// By ISO 3166-2.
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub region: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct User {
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub id: Option<String>,
    #[serde(default, deserialize_with = "fields::maybe_text")]
    pub buyeruid: Option<String>,
    /// The TC string of the Transparency and Consent Framework.
    #[serde(default, deserialize_with = "fields::only_text")]
    pub consent: Option<String>,
    #[serde(default, deserialize_with = "fields::object")]
    pub geo: Option<Geo>,
    #[serde(default, deserialize_with = "fields::object")]
    pub ext: Option<UserExt>,
}

/// The place of the consent before 2.6.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct UserExt {
    #[serde(default, deserialize_with = "fields::only_text")]
    pub consent: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Regs {
    /// Directed at children (COPPA).
    #[serde(default, deserialize_with = "fields::flag")]
    pub coppa: Option<Flag>,
    #[serde(default, deserialize_with = "fields::applies")]
    pub gdpr: Option<Flag>,
    #[serde(default, deserialize_with = "fields::only_text")]
    pub us_privacy: Option<String>,
    #[serde(default, deserialize_with = "fields::only_text")]
    pub gpp: Option<String>,
    /// The sections of it that apply.
    #[serde(default, deserialize_with = "fields::numbers")]
    pub gpp_sid: Vec<i32>,
    #[serde(default, deserialize_with = "fields::object")]
    pub dsa: Option<Dsa>,
    #[serde(default, deserialize_with = "fields::object")]
    pub ext: Option<RegsExt>,
}

impl Regs {
    /// Whether bids are refused that do not say what the Digital Services Act asks for.
    pub fn requires_transparency(&self) -> bool {
        let all = [self.dsa, self.ext.as_ref().and_then(|ext| ext.dsa)];
        all.into_iter().flatten().filter_map(|dsa| dsa.dsarequired).any(|asked| asked >= Dsa::REQUIRED)
    }
}

/// The requirements of the European Union's Digital Services Act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Dsa {
    /// 0 nothing, 1 bids may say it, 2 they must, 3 they must to an online platform.
    #[serde(default, deserialize_with = "fields::number")]
    pub dsarequired: Option<i32>,
}

impl Dsa {
    const REQUIRED: i32 = 2;
}

/// The place of some of them before 2.6, and of the Global Privacy Control.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct RegsExt {
    #[serde(default, deserialize_with = "fields::applies")]
    pub gdpr: Option<Flag>,
    #[serde(default, deserialize_with = "fields::only_text")]
    pub us_privacy: Option<String>,
    #[serde(default, deserialize_with = "fields::only_text")]
    pub gpp: Option<String>,
    #[serde(default, deserialize_with = "fields::numbers")]
    pub gpp_sid: Vec<i32>,
    #[serde(default, deserialize_with = "fields::flag")]
    pub gpc: Option<Flag>,
    #[serde(default, deserialize_with = "fields::object")]
    pub dsa: Option<Dsa>,
}
