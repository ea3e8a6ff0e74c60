//! The kind of device that a user agent names. Nothing else of the user agent is stored.

use base::coded;

coded!(
    /// A kind of device, as products and slots name it.
    Device {
        Mobile = 1 "mobile",
        Desktop = 2 "desktop",
        Tablet = 3 "tablet",
        Tv = 4 "tv",
    }
);

/// The first match decides. Televisions and tablets also name the system of phones and
/// desktops, and phones that of desktops.
const SIGNS: &[(Device, &[&str])] = &[
    (Device::Tv, &["SmartTV", "SMART-TV", "Smart TV", "GoogleTV", "Google TV", "Android TV", "AppleTV", "Apple TV"]),
    // The models of Fire TV all begin with "AFT".
    (Device::Tv, &["HbbTV", "NetCast", "Web0S", "BRAVIA", "Roku/", "CrKey", "; AFT"]),
    (Device::Tablet, &["iPad", "Tablet", "tablet", "Kindle", "Silk/", "PlayBook"]),
    (Device::Mobile, &["iPhone", "iPod", "Mobile", "Windows Phone", "Opera Mini"]),
    // Android without "Mobile".
    (Device::Tablet, ANDROID),
    (Device::Desktop, &["Windows NT", "Macintosh", "CrOS", "X11", "Linux x86_64"]),
];

/// Only browsers add "Mobile" on phones. Other programs that name Android, such as `Dalvik`, may run on either kind.
const ANDROID: &[&str] = &["Android"];

impl Device {
    /// `None` if the user agent names none of the known kinds.
    pub fn of(user_agent: &str) -> Option<Self> {
        let named = |signs: &[&str]| signs.iter().any(|sign| user_agent.contains(sign));
        let is_browser = user_agent.starts_with("Mozilla/");
        let found = SIGNS.iter().find(|(_, signs)| named(signs));
        found.filter(|(_, signs)| is_browser || *signs != ANDROID).map(|(device, _)| *device)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_told_from_the_others() {
        for (device, agent) in [
            (
                Device::Mobile,
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1",
            ),
            (
                Device::Mobile,
                "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/138.0.0.0 Mobile Safari/537.36",
            ),
            (Device::Mobile, "Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0"),
            (
                Device::Tablet,
                "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 Version/16.6 Mobile/15E148 Safari/604.1",
            ),
            (
                Device::Tablet,
                "Mozilla/5.0 (Linux; Android 13; SM-X200) AppleWebKit/537.36 Chrome/138.0.0.0 Safari/537.36",
            ),
            (Device::Tablet, "Mozilla/5.0 (Android 14; Tablet; rv:133.0) Gecko/133.0 Firefox/133.0"),
            (
                Device::Desktop,
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/138.0.0.0 Safari/537.36",
            ),
            (
                Device::Desktop,
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15",
            ),
            (Device::Desktop, "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
            (Device::Tv, "Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36 Version/6.0 TV Safari/537.36"),
            (Device::Tv, "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 Chrome/87.0.4280.88 Safari/537.36"),
            (Device::Tv, "Mozilla/5.0 (Linux; Android 9; BRAVIA 4K UR3) AppleWebKit/537.36 Chrome/92.0 Safari/537.36"),
            (
                Device::Tv,
                "Mozilla/5.0 (Linux; Android 9; AFTKA Build/PS7285; wv) AppleWebKit/537.36 Chrome/108.0 Mobile Safari/537.36",
            ),
            (Device::Tv, "Dalvik/2.1.0 (Linux; U; Android 7.1.2; AFTMM Build/NS6297)"),
        ] {
            assert_eq!(Device::of(agent), Some(device), "{agent}");
        }
    }

    #[test]
    fn what_names_no_device_is_unknown() {
        for agent in [
            "",
            "Mozilla/5.0",
            "\0",
            "📱",
            "Dalvik/2.1.0 (Linux; U; Android 13; SM-A536B Build/TP1A.220624.014)",
            "Films/5.1 (Linux;Android 11) ExoPlayerLib/2.18.1",
        ] {
            assert_eq!(Device::of(agent), None, "{agent}");
        }
    }
}
