//! Readable names for browsers, from their User-Agent. The app's
//! `features/people/sessions/device-name.ts` uses the same lists.

use i18n::Lang;

type Names = [(&'static str, &'static [&'static str])];

/// The first match names the browser, because each browser also lists the names of the
/// ones after it.
const BROWSERS: &Names = &[
    ("Edge", &["Edg/", "EdgA/", "EdgiOS/"]),
    ("Opera", &["OPR/", "Opera"]),
    ("Samsung Internet", &["SamsungBrowser/"]),
    ("Firefox", &["Firefox/", "FxiOS/"]),
    ("Chrome", &["Chrome/", "CriOS/"]),
    ("Safari", &["Safari/"]),
];

const SYSTEMS: &Names = &[
    ("iPhone", &["iPhone"]),
    ("iPad", &["iPad"]),
    ("Android", &["Android"]),
    ("Windows", &["Windows"]),
    ("macOS", &["Macintosh", "Mac OS X"]),
    ("Linux", &["Linux", "X11"]),
];

/// `Chrome on Android`, or an unknown device.
pub(crate) fn shown(lang: Lang, agent: &str) -> String {
    let first = |names: &Names| {
        let known = names.iter().find(|(_, signs)| signs.iter().any(|sign| agent.contains(sign)));
        known.map(|(name, _)| *name)
    };
    match (first(BROWSERS), first(SYSTEMS)) {
        (Some(browser), Some(system)) => {
            i18n::text(lang, "me.sessions.deviceOn", &[("browser", browser), ("system", system)])
        }
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => i18n::text(lang, "me.sessions.unknown", &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_and_its_system_are_named() {
        let chrome = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) \
                      Chrome/139.0.0.0 Mobile Safari/537.36";
        let safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                      Version/18.5 Mobile/15E148 Safari/604.1";
        let edge = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                    Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0";
        assert_eq!(shown(Lang::En, chrome), "Chrome on Android");
        assert_eq!(shown(Lang::En, safari), "Safari on iPhone");
        assert_eq!(shown(Lang::En, edge), "Edge on Windows");
    }

    #[test]
    fn what_says_nothing_known_is_unknown() {
        assert_eq!(shown(Lang::En, "curl/8.5.0"), "Unknown device");
        assert_eq!(shown(Lang::De, ""), "Unbekanntes Gerät");
        assert_eq!(shown(Lang::En, "Dalvik/2.1.0 (Linux; U; Android 15)"), "Android");
    }
}
