//! Whether a reader may be recognized. Where a law or the reader's own wish forbids it,
//! or the consent that it asks for is missing, the ad is chosen without knowing who it is
//! for, and is not counted by visitor.

use base::named;

use crate::consent;
use crate::countries;
use crate::read::Flag;
use crate::request::{BidRequest, Regs};

named!(
    /// Why a reader may not be recognized.
    Limit {
        /// The GDPR applies, and the reader has not agreed.
        Gdpr "gdpr",
        /// The reader has opted out of the sale of their data (US Privacy String).
        UsPrivacy "us_privacy",
        /// A section of the Global Privacy Platform applies that does not say otherwise.
        Gpp "gpp",
        /// The browser says so to every page (Global Privacy Control).
        Gpc "gpc",
        /// Directed at children.
        Coppa "coppa",
        /// The device limits tracking by ads, the browser asks for it, or the reader has not allowed the app to.
        Lmt "lmt",
    }
);

/// Sections of the Global Privacy Platform.
const NONE_APPLIES: i32 = -1;
const TCF_EU: i32 = 2;
const US_PRIVACY: i32 = 6;

/// Everything that forbids recognizing the reader. `vendor` is the platform's number in IAB Europe's Global Vendor
/// List; without one, no reader to whom the GDPR applies can have consented.
pub fn limits(request: &BidRequest, vendor: Option<u16>) -> Vec<Limit> {
    let nothing = Regs::default();
    let regs = request.regs.as_ref().unwrap_or(&nothing);
    let device = request.device.as_ref();
    let set = |flag: Option<Flag>| flag == Some(Flag(true));
    let agreed = || consented(request, vendor);
    let untracked = device.is_some_and(|device| set(device.lmt) || set(device.dnt) || device.forbids_tracking());
    let found = [
        (Limit::Gdpr, gdpr_applies(request, regs) && !agreed()),
        (Limit::UsPrivacy, us_privacy(regs).is_some_and(|text| !us_privacy_allows(text))),
        (Limit::Gpp, !gpp_allows(regs, agreed)),
        (Limit::Gpc, set(regs.ext.as_ref().and_then(|ext| ext.gpc))),
        (Limit::Coppa, set(regs.coppa)),
        (Limit::Lmt, untracked),
    ];
    found.into_iter().filter(|(_, limits)| *limits).map(|(limit, _)| limit).collect()
}

/// If the exchange does not say, the GDPR applies where its reader is in the European
/// Economic Area or the United Kingdom, and where it sends a consent.
fn gdpr_applies(request: &BidRequest, regs: &Regs) -> bool {
    let said = regs.gdpr.or_else(|| regs.ext.as_ref()?.gdpr);
    said.map_or_else(|| consent_of(request).is_some() || may_be_european(request), |flag| flag.0)
}

/// A country that nobody knows may be one.
fn may_be_european(request: &BidRequest) -> bool {
    said_country(request).is_some_and(|said| countries::alpha_2(said).is_none_or(countries::has_gdpr))
}

fn consented(request: &BidRequest, vendor: Option<u16>) -> bool {
    consent_of(request).zip(vendor).is_some_and(|(text, vendor)| consent::allows(text, vendor))
}

fn consent_of(request: &BidRequest) -> Option<&str> {
    let user = request.user.as_ref()?;
    user.consent.as_deref().or_else(|| user.ext.as_ref()?.consent.as_deref())
}

fn us_privacy(regs: &Regs) -> Option<&str> {
    regs.us_privacy.as_deref().or_else(|| regs.ext.as_ref()?.us_privacy.as_deref())
}

/// `1YNN`: version, notice given, opted out, covered by an agreement. With `-` the law does
/// not apply. Anything else may be an opt-out.
fn us_privacy_allows(text: &str) -> bool {
    matches!(text.as_bytes(), [b'1', _, b'N' | b'n' | b'-', _])
}

/// A GPP section that repeats one of the older texts counts like that text. The other sections are not decoded here, so
/// they count as an opt-out.
fn gpp_allows(regs: &Regs, agreed: impl Fn() -> bool) -> bool {
    let older = regs.ext.as_ref();
    let text = regs.gpp.as_deref().or_else(|| older?.gpp.as_deref()).unwrap_or_default();
    let sections = if regs.gpp_sid.is_empty() { older.map_or(&[][..], |ext| &ext.gpp_sid) } else { &regs.gpp_sid };
    if sections.is_empty() {
        return text.is_empty();
    }
    sections.iter().all(|section| match *section {
        NONE_APPLIES => true,
        TCF_EU => agreed(),
        US_PRIVACY => us_privacy(regs).is_some_and(us_privacy_allows),
        _ => false,
    })
}

/// The reader's country, as two letters.
pub(crate) fn country(request: &BidRequest) -> Option<&'static str> {
    countries::alpha_2(said_country(request)?)
}

fn said_country(request: &BidRequest) -> Option<&str> {
    request.places().find_map(|geo| geo.country.as_deref())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::testing::{Vendors, consent, request_with};

    const VENDOR: Option<u16> = Some(1);

    fn limited(fields: Value) -> Vec<Limit> {
        limits(&request_with(fields), VENDOR)
    }

    fn agreed() -> String {
        consent(2, true, &Vendors::Bits(vec![true]))
    }

    #[test]
    fn nothing_said_is_nothing_forbidden() {
        for fields in [
            json!({}),
            json!({ "regs": {}, "user": {}, "device": {} }),
            json!({ "regs": { "gdpr": 0, "coppa": 0, "us_privacy": "1YNN", "gpp_sid": [-1], "ext": { "gpc": "0" } } }),
            json!({ "regs": { "us_privacy": "1---" }, "device": { "lmt": 0, "dnt": 0, "geo": { "country": "USA" } } }),
        ] {
            assert_eq!(limited(fields.clone()), [], "{fields}");
        }
    }

    #[test]
    fn the_gdpr_asks_for_consent_to_this_vendor() {
        let with = |gdpr: Value, text: &str| json!({ "regs": { "gdpr": gdpr }, "user": { "consent": text } });
        assert_eq!(limited(with(json!(1), &agreed())), []);
        let refused = consent(2, true, &Vendors::Bits(vec![false]));
        for text in ["", "nonsense", refused.as_str()] {
            assert_eq!(limited(with(json!(1), text)), [Limit::Gdpr], "{text}");
        }
        assert_eq!(limits(&request_with(with(json!(1), &agreed())), None), [Limit::Gdpr], "the platform has no number");
        assert_eq!(limited(with(json!(0), "nonsense")), [], "it does not apply");
        assert_eq!(limited(with(json!(2), "")), [Limit::Gdpr], "nobody knows");
        // Before 2.6, both were in `ext`.
        let older = |text: &str| json!({ "regs": { "ext": { "gdpr": 1 } }, "user": { "ext": { "consent": text } } });
        assert_eq!((limited(older(&agreed())), limited(older(""))), (vec![], vec![Limit::Gdpr]));
    }

    #[test]
    fn where_nobody_says_the_gdpr_applies_in_europe_and_with_a_consent() {
        let from = |country: &str| json!({ "device": { "geo": { "country": country } } });
        for (country, applies) in [
            ("DEU", true),
            ("GBR", true),
            ("NOR", true),
            ("USA", false),
            ("CHE", false),
            ("DE", true),
            ("UK", true),
            ("XXX", true),
            ("", false),
        ] {
            assert_eq!(limited(from(country)).contains(&Limit::Gdpr), applies, "{country}");
        }
        assert_eq!(limited(json!({ "user": { "geo": { "country": "FRA" } } })), [Limit::Gdpr]);
        // The device's place says nothing, or another country than the user's.
        for (device, user, applies) in [
            (json!({}), "FRA", true),
            (json!({ "country": "" }), "FRA", true),
            (json!({ "country": " " }), "FRA", true),
            (json!({ "country": null, "region": "x" }), "FRA", true),
            (json!({ "country": "USA" }), "FRA", false),
            (json!({}), "USA", false),
        ] {
            let both = json!({ "device": { "geo": device }, "user": { "geo": { "country": user } } });
            assert_eq!(limited(both.clone()).contains(&Limit::Gdpr), applies, "{both}");
        }
        assert_eq!(limited(json!({ "user": { "consent": "nonsense" } })), [Limit::Gdpr]);
    }

    #[test]
    fn what_is_empty_where_it_belongs_counts_where_it_was_before() {
        let consent = json!({ "regs": { "gdpr": 1 }, "user": { "consent": "", "ext": { "consent": agreed() } } });
        assert_eq!(limited(consent), []);
        let us = json!({ "regs": { "us_privacy": "", "ext": { "us_privacy": "1YYN" } } });
        assert_eq!(limited(us), [Limit::UsPrivacy]);
        let gpp = json!({ "regs": { "gpp": "", "ext": { "gpp": "DBABLA~BVQqAAAAAgA.QA" } } });
        assert_eq!(limited(gpp), [Limit::Gpp]);
    }

    #[test]
    fn who_opted_out_is_not_recognized() {
        for (text, allowed) in [
            ("1YNN", true),
            ("1NN-", true),
            ("1---", true),
            ("1YYN", false),
            ("1yyn", false),
            ("2YNN", false),
            ("1Y", false),
        ] {
            let expected = if allowed { vec![] } else { vec![Limit::UsPrivacy] };
            assert_eq!(limited(json!({ "regs": { "us_privacy": text } })), expected, "{text}");
            assert_eq!(limited(json!({ "regs": { "ext": { "us_privacy": text } } })), expected, "{text}");
        }
    }

    #[test]
    fn a_section_of_gpp_counts_as_an_opt_out_unless_it_repeats_a_known_one() {
        let regs = |fields: Value| json!({ "regs": fields, "user": { "consent": agreed() } });
        for (fields, allowed) in [
            (json!({ "gdpr": 0, "gpp": "DBABLA~BVQqAAAAAgA.QA", "gpp_sid": [7] }), false),
            (json!({ "gdpr": 0, "gpp": "DBABLA~BVQqAAAAAgA.QA" }), false),
            (json!({ "gdpr": 0, "gpp": "DBABLA~BVQqAAAAAgA.QA", "gpp_sid": [-1] }), true),
            (json!({ "gdpr": 0, "ext": { "gpp": "DBABLA~BVQqAAAAAgA.QA", "gpp_sid": [8] } }), false),
            (json!({ "gdpr": 1, "gpp": "DBABMA~CPXxRfAPXxRfA", "gpp_sid": [2] }), true),
            (json!({ "gdpr": 1, "gpp": "DBACNY~CPXxRfAPXxRfA~1YNN", "gpp_sid": [2, 6] }), false),
            (json!({ "gdpr": 1, "gpp": "DBACNY~CPXxRfAPXxRfA~1YNN", "gpp_sid": [2, 6], "us_privacy": "1YNN" }), true),
            (json!({ "gdpr": 0, "gpp": "", "gpp_sid": [] }), true),
        ] {
            let expected = if allowed { vec![] } else { vec![Limit::Gpp] };
            assert_eq!(limited(regs(fields.clone())), expected, "{fields}");
        }
        let without = json!({ "regs": { "gpp": "DBABMA~CPXxRfAPXxRfA", "gpp_sid": [2] } });
        assert_eq!(limited(without), [Limit::Gpp]);
    }

    #[test]
    fn every_other_wish_is_heard() {
        assert_eq!(limited(json!({ "regs": { "coppa": 1 } })), [Limit::Coppa]);
        for gpc in [json!("1"), json!(1), json!(true)] {
            assert_eq!(limited(json!({ "regs": { "ext": { "gpc": gpc } } })), [Limit::Gpc]);
        }
        assert_eq!(limited(json!({ "device": { "lmt": 1 } })), [Limit::Lmt]);
        assert_eq!(limited(json!({ "device": { "dnt": 1 } })), [Limit::Lmt]);
        // Exchanges pass on what the reader has answered the app, some without saying `lmt`.
        let allowed =
            [json!(3), json!("3"), json!(3.0), json!(-1), json!(null), json!("")].map(|answer| (answer, false));
        let others =
            [json!(0), json!(1), json!("2"), json!(3.5), json!(true), json!("authorized"), json!({}), json!([3])];
        for (answer, limits) in allowed.into_iter().chain(others.map(|answer| (answer, true))) {
            let expected = if limits { vec![Limit::Lmt] } else { vec![] };
            assert_eq!(limited(json!({ "device": { "lmt": 0, "ext": { "atts": answer } } })), expected, "{answer}");
        }
        assert_eq!(limited(json!({ "device": { "ext": { "ifa_type": "idfa" } } })), []);
        let all = json!({
            "regs": { "gdpr": 1, "coppa": 1, "us_privacy": "1YYN", "gpp_sid": [7], "ext": { "gpc": "1" } },
            "device": { "lmt": 1, "dnt": 1 },
        });
        assert_eq!(limited(all), Limit::ALL);
    }
}
