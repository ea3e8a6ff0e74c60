//! User agents of programs that identify themselves.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

/// The patterns of the crawler-user-agents list, one per line.
const CRAWLERS: &str = include_str!("../data/crawlers.txt");
/// Programs that the list of crawlers leaves out although their requests look like views: empty user agents, HTTP
/// libraries, load tools and shells. Each pattern matches a whole name, so it never matches a part of another one.
const PROGRAMS: &[&str] = &[
    // Placeholders of programs that were told to send something.
    r"^(-|null|undefined|none|\(null\)|unknown|test)$",
    // The beginning of every browser's user agent, with nothing after it but a name.
    r"^mozilla(/\d+\.\d+)?( ?\((compatible;?[a-z0-9 ._/-]*)?\))?$",
    // A name behind the engine of a browser, where browsers have none.
    r"like gecko\)?; compatible;",
    // A header that was copied with its name.
    r"^user-agent:",
    // Libraries, by language: Java, JavaScript, PHP, Python, Ruby, Perl, Go, Rust, .NET, Dart, Erlang.
    r"^(java|java-http-client|jakarta commons-httpclient|apache-httpasyncclient|asynchttpclient|ktor-client|ktor client|reactornetty|netty|vert\.x-webclient)\b",
    r"^(node|nodejs|node\.js|undici|got|superagent|needle|deno|bun)(/|$| )",
    r"^(guzzlehttp|symfony httpclient|symfony browserkit|php|http_request2?|zend_http_client|unirest)\b",
    r"^(python|python-urllib3|urllib3|requests|httplib2|pycurl|urlgrabber)\b",
    r"^(ruby|faraday|rest-client|http\.rb|typhoeus|eventmachine httpclient|httparty)\b",
    r"^(perl|lwp|mojolicious|lua-resty-http|hackney|mint|tesla|elixir)\b",
    r"^go [0-9.]+ package http$",
    r"^(fasthttp|resty|go-resty|req|gorequest|grpc|grpc-go)(/|$| )",
    r"^(reqwest|hyper|ureq|isahc|surf)(/|$| )",
    r"^(\.net|restsharp|httpclient|winhttp|microsoft url control|microsoft-cryptoapi|powershell)\b",
    r"^(dart)\b",
    r"\b(windowspowershell|powershell|jsdom|pycurl)/",
    // Games name it behind a comma, after the engine that people play them with.
    r"(^|[a-z0-9.)] )libcurl/",
    // Load tools and clients for trying an API.
    r"^(wrk2?|rewrk|hey|oha|k6|grafana k6|vegeta|bombardier|autocannon|h2load|nghttp2|httperf|drill|goose)(/|$| )",
    r"^(ab|apachebench|siege|joedog|tsung|gatling|apache jmeter|jmeter|artillery|locust|webload)(/|$| )",
    r"^(postmanruntime|insomnia|soapui|paw|xh|aria2|bruno|thunder client)(/|$| )",
    // Who asks whether a server is there.
    r"^(kube-probe|elb-healthchecker|amazon-route53-health-check-service|newrelicpinger|googlehc|prometheus|envoy/hc)(/|$| )",
    // What calls itself a robot, or says where to read about it, as the newest crawlers do before any list has them.
    r"\b[a-z-]*(bot|crawler|spider)/v?[0-9]",
    // The same without a version, in places where browsers do not name the phone.
    r"(^[a-z0-9._ -]*|(\(compatible; ?|safari/[0-9.]+ )[a-z0-9._-]*)(bot|crawler|spider)($|;|\))",
    // The same beside another name, as those do that check the pages on which ads are shown.
    r"[(;] ?[a-z0-9.-]+_(bot|crawler|spider)\b",
    // Browsers that tests and services drive.
    r"\bcypress/|\bwkhtmltoimage\b|^datadog\b|^lightpanda/",
    // What names an address to write to, as crawlers do.
    r"[(;, ]\+ ?(https?://|mailto:|[a-z0-9._-]+@[a-z0-9-]+\.)",
];
/// Apps in which people read pages, and which are named like a program that fetches pages. They count as readers if
/// their name follows a browser's user agent. If a crawler's name is there as well, they do not count.
const READERS: &[&str] = &[
    r"(?:Sonic )?Slack_SSB/[0-9][0-9A-Za-z._]*",
    r"(?:SogouMSE,)?SogouMobileBrowser/[0-9][0-9A-Za-z._]*",
    r"SogouSearch (?:Android|iOS)[0-9][0-9A-Za-z._]*",
    r"(?:Viber/|Daum/|WhatsApp/|Instagram |Feedly/|Notion/|Tumblr/|Tumblr/iPhone/|Tumblr/iPad/)[0-9][0-9A-Za-z._]*",
    // Its version is followed by the phone's number, of which any part may look like a name.
    r"baiduboxapp/[^ ]*",
    // The browser in Facebook's app.
    r"MetaIAB Facebook\b",
];
/// How a browser's user agent continues after "Mozilla/5.0 (".
const ENGINES: [&str; 2] = [") AppleWebKit/", ") Gecko/"];
/// The user agent of Android itself, with which apps load pictures.
const DALVIK: &str = "Dalvik/";
/// User agents are short; longer ones are truncated before matching.
const LONGEST: usize = 512;

static CRAWLER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let all: Vec<String> = CRAWLERS.lines().filter(|line| !line.is_empty()).map(|line| format!("(?:{line})")).collect();
    RegexBuilder::new(&all.join("|")).unicode(true).size_limit(64 << 20).build().ok()
});

static PROGRAM: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!("(?i-u:{})", PROGRAMS.join("|"))).ok());

/// A phone's model with its build, which may be called like a program: what stands third in "(Linux; Android 13;
/// MODEL Build/…)". Browsers of phones' makers name the reader's language before it, others the processor or the
/// system.
static MODEL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    const SYSTEM: &str = r"Linux; (?:U; )?(?:arm(?:_64)?; )?Android [0-9.]+; ?(?:HarmonyOS; )?";
    const LANGUAGE: &str = r"(?:[a-z]{2}(?:[-_][0-9A-Za-z]{2,4}){0,2}; ?)?";
    Regex::new(&format!(r"^((?:Mozilla/|{DALVIK})[0-9.]+ \({SYSTEM}{LANGUAGE})[^;()]*(?:\([^()]*\)[^;()]*)?")).ok()
});

/// A reader's app.
static READER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!(" (?:{})", READERS.join("|"))).ok());

/// True for the `User-Agent` of a crawler, library, load tool or monitor, and if there is none:
/// browsers always send one.
pub fn is_automatic(user_agent: &str) -> bool {
    let agent: String = user_agent.trim().chars().take(LONGEST).collect();
    let agent = besides_names(&agent);
    // If the patterns do not build, count nothing rather than everything.
    let is = |pattern: &Option<Regex>| pattern.as_ref().is_none_or(|pattern| pattern.is_match(&agent));
    agent.is_empty() || is(&PROGRAM) || is(&CRAWLER)
}

/// The user agent without the names of phones and apps, which programs may contain as well.
fn besides_names(agent: &str) -> Cow<'_, str> {
    let is_browser = agent.starts_with("Mozilla/5.0 (") && ENGINES.iter().any(|engine| agent.contains(engine));
    let (Some(model), Some(reader)) = (MODEL.as_ref(), READER.as_ref()) else { return agent.into() };
    if !is_browser && !agent.starts_with(DALVIK) {
        return agent.into();
    }
    match model.replace(agent, "$1") {
        Cow::Borrowed(_) => reader.replace_all(agent, ""),
        Cow::Owned(bare) => reader.replace_all(&bare, "").into_owned().into(),
    }
}

/// The headers in which a client says why it asks, all with values of the same kind.
pub const PURPOSE_HEADERS: [&str; 4] = ["Purpose", "X-Purpose", "Sec-Purpose", "X-Moz"];

/// Whether such a header says that the page is loaded ahead, or for a preview: nobody sees it yet.
pub fn is_ahead(purpose: &str) -> bool {
    const AHEAD: [&str; 3] = ["prefetch", "prerender", "preview"];
    purpose.split([';', ',']).any(|word| AHEAD.iter().any(|ahead| word.trim().eq_ignore_ascii_case(ahead)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANDROID: &str = "AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.0.0 Mobile Safari/537.36";
    const IPHONE: &str =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";

    /// A view in an app on a phone of this model.
    fn android(model: &str, app: &str) -> String {
        format!("Mozilla/5.0 (Linux; Android 13; {model}) {ANDROID}{app}")
    }

    #[test]
    fn programs_are_told_from_browsers() {
        for program in [
            "",
            "  ",
            "-",
            "null",
            "(null)",
            "undefined",
            "Mozilla/5.0",
            "Mozilla/5.0 ",
            "Mozilla/4.0 (compatible)",
            "curl/8.5.0",
            "python-requests/2.31",
            "Go-http-client/1.1",
            "okhttp/4.12.0",
            "HeadlessChrome/124",
            "GPTBot/1.2",
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "Java/17.0.1",
            "Java-http-client/17.0.2",
            "Jakarta Commons-HttpClient/3.1",
            "ReactorNetty/1.0.24",
            "node",
            "undici",
            "got/11.8.5",
            "Deno/1.36",
            "GuzzleHttp/7",
            "Symfony HttpClient/Curl",
            "PHP/8.1",
            "python-urllib3/2.0",
            "pycurl/7.45 libcurl/7.88",
            "Ruby",
            "Faraday v2.7.4",
            "rest-client/2.1.0 (linux x86_64) ruby/3.0",
            "LWP::Simple/6.00",
            "fasthttp",
            "reqwest/0.11",
            "hyper/0.14",
            "ureq/2.9.1",
            "RestSharp/106.11.4.0",
            ".NET/6",
            "Dart/3.1 (dart:io)",
            "Mozilla/5.0 (Windows NT; Windows NT 10.0; de-DE) WindowsPowerShell/5.1.19041.1",
            "Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/22.1.0",
            "wrk/4.1.0",
            "hey/0.0.1",
            "k6/0.47.0 (https://k6.io/)",
            "ApacheBench/2.3",
            "JoeDog/1.00 [en] (X11; I; Siege 4.0.4)",
            "Apache JMeter/5.5",
            "Artillery (https://artillery.io)",
            "PostmanRuntime/7.32.3",
            "kube-probe/1.26",
            "Amazon-Route53-Health-Check-Service (ref 1a2b; report http://amzn.example/1vsZADi)",
            "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0",
            "Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0.19045; en-US) PowerShell/7.4.0",
            "Apache-HttpAsyncClient/5.2.1 (Java/17.0.9)",
            "ktor-client",
            "Symfony BrowserKit",
            "Mozilla/5.0 (compatible; NewThing/0.3; +https://newthing.example/about)",
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Fetcher/1.0; +http://fetcher.example) Chrome/140.0 Safari/537.36",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0 Safari/537.36 NewThing-Bot/2",
            "our-spider/v1",
            "Pinterestbot",
            "ISSCyberRiskCrawler",
            "IAS Crawler (ias_crawler; http://integralads.com/site-indexing-policy/)",
            "Mozilla/5.0 (compatible; bedrockbot)",
            "Mozilla/5.0 (compatible; Some_spider; feedback@spider.example)",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124 Safari/537.36 adidxbot",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Cypress/13.7.3 Chrome/118.0.5993.159 Electron/27.3.10 Safari/537.36",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/534.34 (KHTML, like Gecko) Qt/4.8.1 wkhtmltoimage Safari/534.34",
            "Datadog/Synthetics",
            // The fetchers behind previews of links, whose apps have readers as well.
            "WhatsApp/2.19.258 A",
            "Viber/21.1.0",
            "Mozilla/5.0 (compatible; Daum/4.1; +http://cs.daum.net/faq/15/4118.html?faqId=28966)",
            "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
            "TelegramBot (like TwitterBot)",
            "Feedly/1.0 (+http://www.feedly.com/fetcher.html; like FeedFetcher-Google)",
            "Mozilla/5.0 (compatible; Link Cards/1.1; +mailto:cards@fetcher.example)",
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Answers/1.0; +answers@fetcher.example)",
            "Go 1.1 package http",
            "Bruno/1.34",
            "Thunder Client (https://www.thunderclient.com)",
            "NewRelicPinger/1.0 (27)",
            "Mozilla/5.0 (compatible; Crawl4AI/0.5)",
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; amzn-user/1.0) Chrome/119.0.6045.214 Safari/537.36",
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; Some-User/1.0",
            "Poseidon Research Crawler",
            "Lightpanda/1.0",
        ] {
            assert!(is_automatic(program), "{program}");
        }
        for browser in [
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
            "Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0",
            "Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko",
            "Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)",
            "Mozilla/5.0 (Windows; U; MSIE 9.0; Windows NT 9.0; en-US)",
            "Opera/9.80 (Android; Opera Mini/36.2/191; U; en) Presto/2.12.423 Version/12.16",
            // Games load their pictures so.
            "UnityPlayer/2022.3.10f1 (UnityWebRequest/1.0, libcurl/8.1.1-DEV)",
            // Some apps name the device alone.
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)",
        ] {
            assert!(!is_automatic(browser), "{browser}");
        }
    }

    #[test]
    fn people_read_in_apps() {
        for app in [
            " Viber/21.1.0",
            " WhatsApp/2.24.1",
            " Line/13.0.0/IAB",
            " KAKAOTALK 10.3.0",
            " Telegram-Android/10.1 (Samsung SM-A125F; Android 13; SDK 33; AVERAGE)",
            " Instagram 340.0.0.1 Android (33/13; 320dpi; cloud; en_IN)",
            " musical_ly_2023 BytedanceWebview/d8a21c6 NetType/WIFI AppName/musical_ly app_version/31.5.3",
            " [FB_IAB/FB4A;FBAV/440.0.0.0;]",
            " IABMV/1 MetaIAB Facebook",
            " SogouSearch Android1.0 version3.0 AppVersion/7902",
            " SogouMobileBrowser/5.28.12",
            " baiduboxapp/0_0.4_diordna_0_0/7300001a/EEB27C92%7CA95B2008/1",
            " 小米浏览器/1.0",
        ] {
            let agent = android("Phone X Build/A1; wv", app);
            assert!(!is_automatic(&agent), "{agent}");
        }
        for app in [
            " Daum/7.9.0",
            " GSA/300.0 Safari/604.1",
            " Safari Line/13.0.0",
            " KAKAOTALK 10.3.0",
            " Viber/21.1",
            " Safari/604.1 MetaIAB Facebook",
            " Feedly/93.0.1",
            " Tumblr/23.9.1.100",
            " Tumblr/iPhone/26.3",
            " Safari/604.1 SogouMSE,SogouMobileBrowser/5.21",
        ] {
            assert!(!is_automatic(&format!("{IPHONE}{app}")), "{app}");
        }
        for desktop in [
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Electron/30.0.0 Safari/537.36 Sonic Slack_SSB/4.38",
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) WhatsApp/2.24 Chrome/120.0.0.0 Electron/28.0 Safari/537.36",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Notion/4.0.0 Chrome/128.0.6613.186 Electron/32.2.2 Safari/537.36",
        ] {
            assert!(!is_automatic(desktop), "{desktop}");
        }
    }

    #[test]
    fn a_phone_may_be_called_like_a_program() {
        for model in ["Fever 2 Build/A1; wv", "CUBOT Y1 Build/A1; wv", "Jetty X1", "moto g(7) Fever", "Fever (4)"] {
            assert!(!is_automatic(&android(model, "")), "{model}");
        }
    }

    #[test]
    fn a_phones_model_stands_behind_what_its_browser_says_first() {
        // A build of Android 15 that many phones have and one crawler pretends to.
        for system in [
            "Linux; U; Android 15; zh-cn; PJD110 Build/AP3A.240617.008",
            "Linux; U; Android 15; zh-CN; PJH110 Build/AP3A.240617.008",
            "Linux; U; Android 15; zh-Hans-CN; PJH110 Build/AP3A.240617.008",
            "Linux; U; Android 9; en-US; Fever_2 Build/PPR1",
            "Linux; U; Android 4.4.2; ru; Jetty X1 Build/KOT49H",
            "Linux; U; Android 2.3;en-us; ViewSonic-ViewPad7e build/ERE27",
            "Linux; U; Android 11; es-419; Fever 2 Build/A1; wv",
            "Linux; arm_64; Android 13; Fever 2",
            "Linux; arm; Android 9; Jetty",
            "Linux; Android 12; HarmonyOS; Fever-AL00; HMSCore 6.13.0.321",
            "Linux; Android 15; CPH2609 Build/AP3A.240617.008; wv",
        ] {
            let agent = format!("Mozilla/5.0 ({system}) {ANDROID} HeyTapBrowser/40.9.8.1");
            assert!(!is_automatic(&agent), "{agent}");
        }
        for system in
            ["CPH2609 Build/AP3A.240617.008", "Fever_2 Build/PPR1", "CUBOT NOTE 20 Build/TP1A.220624.014", "CUBOT"]
        {
            let agent = format!("Dalvik/2.1.0 (Linux; U; Android 15; {system})");
            assert!(!is_automatic(&agent), "{agent}");
        }
        assert!(is_automatic("Dalvik/2.1.0 (Linux; U; Android 9; Phone X Build/PPR1) Googlebot/2.1"));
    }

    #[test]
    fn a_program_cannot_hide_behind_an_app_or_a_phone() {
        for (model, app) in [
            ("Phone X Build/A1", " Viber/21.1.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"),
            ("Nexus 5X Build/MMB29P; compatible; bingbot/2.0", ""),
            ("Pixel 2 Build/OPD3.170816.012; Storebot-Google/1.0", ""),
            ("Phone X", " HeadlessChrome/124.0 WhatsApp/2.24"),
            ("Phone X", " WhatsAppBot/1.0"),
            ("en-us; Phone X Build/A1; compatible; bingbot/2.0", ""),
            ("Phone X", " MetaIAB Facebook facebookexternalhit/1.1"),
            ("Phone X", " SogouMobileBrowser/5.1 Sogou web spider/4.0"),
        ] {
            let agent = android(model, app);
            assert!(is_automatic(&agent), "{agent}");
        }
        // It names an app but is not a browser.
        assert!(is_automatic("Mozilla/5.0 (compatible) Viber/21.1.0"));
    }

    #[test]
    fn what_is_loaded_ahead_says_so() {
        for purpose in
            ["prefetch", "Prefetch", "preview", "prerender", "prefetch;prerender", "prefetch; anonymous-client-ip"]
        {
            assert!(is_ahead(purpose), "{purpose}");
        }
        for purpose in ["", "navigate", "prefetched", "no-preview"] {
            assert!(!is_ahead(purpose), "{purpose}");
        }
    }
}
