//! The context of an impression: where it is, who will see it, and which laws apply.

use serde::Deserialize;

use crate::read::{Flag, fields, object};

object! {
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct Site {
        pub id: Option<String> = "fields::maybe_text",
        pub name: Option<String> = "fields::maybe_text",
        pub domain: Option<String> = "fields::maybe_text",
        pub page: Option<String> = "fields::maybe_text",
        pub publisher: Option<Publisher> = "fields::maybe_object",
    }

    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct App {
        pub id: Option<String> = "fields::maybe_text",
        pub name: Option<String> = "fields::maybe_text",
        /// The number or name of the app in its store.
        pub bundle: Option<String> = "fields::maybe_text",
        pub domain: Option<String> = "fields::maybe_text",
        pub storeurl: Option<String> = "fields::maybe_text",
        pub publisher: Option<Publisher> = "fields::maybe_object",
    }
}

/// A screen in a public place (OpenRTB 2.6, object DOOH). Only its presence matters; none of its fields is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Default)]
pub struct Dooh {}

object! {
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct Publisher {
        pub id: Option<String> = "fields::maybe_text",
        pub name: Option<String> = "fields::maybe_text",
        pub domain: Option<String> = "fields::maybe_text",
    }

    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct Device {
        pub ua: Option<String> = "fields::maybe_text",
        pub ip: Option<String> = "fields::maybe_text",
        pub ipv6: Option<String> = "fields::maybe_text",
        pub geo: Option<Geo> = "fields::object",
        /// The browser asks not to be tracked.
        pub dnt: Option<Flag> = "fields::law",
        /// The device limits tracking by ads.
        pub lmt: Option<Flag> = "fields::law",
        /// 1 phone or tablet, 2 computer, 3 television, 4 phone, 5 tablet, 6 connected device,
        /// 7 set-top box, 8 screen in a public place (AdCOM 1.0, List: Device Types).
        pub devicetype: Option<i32> = "fields::maybe_number",
        /// By ISO 639-1.
        pub language: Option<String> = "fields::maybe_text",
        /// By BCP 47.
        pub langb: Option<String> = "fields::maybe_text",
        /// The screen, in pixels.
        pub w: Option<u32> = "fields::maybe_count",
        pub h: Option<u32> = "fields::maybe_count",
        /// The browser's description of itself in parts (User-Agent Client Hints).
        pub sua: Option<StructuredAgent> = "fields::maybe_object",
        /// The device's number for advertisers.
        pub ifa: Option<String> = "fields::maybe_text",
        pub ext: Option<DeviceExt> = "fields::maybe_object",
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct DeviceExt {
        /// What the reader has answered an app that asked to track them (Apple's App Tracking Transparency): 0 nothing
        /// yet, 1 the app may not even ask, 2 no, 3 yes.
        pub atts: Option<i32> = "fields::number",
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct StructuredAgent {
        /// 1 if it is a phone's browser.
        pub mobile: Option<i32> = "fields::maybe_number",
    }

    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct Geo {
        /// Three letters, by ISO 3166-1.
        pub country: Option<String> = "fields::only_text",
        /// By ISO 3166-2.
        pub region: Option<String> = "fields::maybe_text",
    }

    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct User {
        pub id: Option<String> = "fields::maybe_text",
        pub buyeruid: Option<String> = "fields::maybe_text",
        /// The TC string of the Transparency and Consent Framework.
        pub consent: Option<String> = "fields::only_text",
        pub geo: Option<Geo> = "fields::object",
        pub ext: Option<UserExt> = "fields::object",
    }

    /// The place of the consent before 2.6.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct UserExt {
        pub consent: Option<String> = "fields::only_text",
    }

    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct Regs {
        /// Directed at children (COPPA).
        pub coppa: Option<Flag> = "fields::law",
        pub gdpr: Option<Flag> = "fields::law",
        pub us_privacy: Option<String> = "fields::only_text",
        pub gpp: Option<String> = "fields::only_text",
        /// The sections of it that apply.
        pub gpp_sid: Vec<i32> = "fields::numbers",
        pub dsa: Option<Dsa> = "fields::object",
        pub ext: Option<RegsExt> = "fields::object",
    }
}

impl Device {
    /// Whether an app on it has not been allowed to track the reader.
    pub(crate) fn forbids_tracking(&self) -> bool {
        const ALLOWED: i32 = 3;
        self.ext.and_then(|ext| ext.atts).is_some_and(|answer| answer >= 0 && answer != ALLOWED)
    }
}

impl Regs {
    /// Whether bids are refused that do not say what the Digital Services Act asks for.
    pub fn requires_transparency(&self) -> bool {
        let all = [self.dsa, self.ext.as_ref().and_then(|ext| ext.dsa)];
        let asked = all.into_iter().flatten().flat_map(|dsa| [dsa.dsarequired, dsa.required]);
        asked.flatten().any(|asked| asked >= Dsa::REQUIRED)
    }
}

object! {
    /// The requirements of the European Union's Digital Services Act.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct Dsa {
        /// 0 nothing, 1 bids may say it, 2 they must, 3 they must to an online platform.
        pub dsarequired: Option<i32> = "fields::number_or_unknown",
        /// The same, as drafts of the extension called it and some exchanges still do.
        pub required: Option<i32> = "fields::number_or_unknown",
    }
}

impl Dsa {
    const REQUIRED: i32 = 2;
}

object! {
    /// The place of some of them before 2.6, and of the Global Privacy Control.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Default)]
    pub struct RegsExt {
        pub gdpr: Option<Flag> = "fields::law",
        pub us_privacy: Option<String> = "fields::only_text",
        pub gpp: Option<String> = "fields::only_text",
        pub gpp_sid: Vec<i32> = "fields::numbers",
        pub gpc: Option<Flag> = "fields::law",
        pub dsa: Option<Dsa> = "fields::object",
    }
}
