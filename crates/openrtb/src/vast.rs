//! A VAST document (IAB Tech Lab, Video Ad Serving Template) with one linear video, in each of the
//! versions that players ask for. Elements are in the order of its schema.

use std::fmt::{self, Write};

use base::{coded, named};

use crate::request::Video;

coded!(
    /// A version, with its number in `protocols` (AdCOM 1.0, List: Creative Subtypes - Audio/Video).
    VastVersion {
        V2 = 2 "2.0",
        V3 = 3 "3.0",
        V4 = 7 "4.0",
        V41 = 11 "4.1",
        V42 = 13 "4.2",
    }
);

impl VastVersion {
    pub fn protocol(self) -> i32 {
        self.code().into()
    }

    /// The newest one that a player takes; one that says nothing takes all of them. Wrappers, which lead
    /// to another document, have numbers of their own.
    pub(crate) fn newest_of(video: &Video) -> Option<Self> {
        let mut newest_first = Self::ALL.iter().copied().rev();
        // Zero is what many programs write for a number that nobody set.
        let of_old = video.protocol.filter(|only| *only > 0 && video.protocols.is_empty());
        let takes = |version: &Self| {
            of_old.map_or_else(
                || video.protocols.is_empty() || video.protocols.contains(&version.protocol()),
                |only| only == version.protocol(),
            )
        };
        newest_first.find(takes)
    }

    /// Whether a document has the elements of 4.0, in their order and with their namespace.
    fn is_new(self) -> bool {
        self >= Self::V4
    }

    /// Whether a document can say that the video may be skipped, and from when on.
    pub(crate) fn can_skip(self) -> bool {
        self >= Self::V3
    }
}

named!(
    /// An event that a player reports while the video plays.
    PlayEvent {
        Start "start",
        FirstQuartile "firstQuartile",
        Midpoint "midpoint",
        ThirdQuartile "thirdQuartile",
        Complete "complete",
        Mute "mute",
        Unmute "unmute",
        Pause "pause",
        Resume "resume",
        Skip "skip",
    }
);

/// The video's file, which is downloaded as it plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MediaFile<'a> {
    pub url: &'a str,
    pub mime: &'a str,
    pub w: u32,
    pub h: u32,
    /// In kilobits per second.
    pub bitrate: Option<u32>,
}

/// One ad. Its `Display` is the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vast<'a> {
    pub version: VastVersion,
    pub id: &'a str,
    /// Follows the ad through everything it calls.
    pub serving_id: &'a str,
    /// The creative, in the platform's own register.
    pub creative: &'a str,
    /// The platform's domain, where that register is.
    pub registry: &'a str,
    /// The program that serves it.
    pub system: &'a str,
    pub title: &'a str,
    pub advertiser: Option<&'a str>,
    pub seconds: u32,
    /// From which second on it can be skipped.
    pub skip_after: Option<u32>,
    pub media: MediaFile<'a>,
    /// Called when it begins.
    pub impression: &'a str,
    /// Called when half of it was seen for two seconds.
    pub viewable: Option<&'a str>,
    /// Called with `[ERRORCODE]` replaced when it cannot be played.
    pub error: Option<&'a str>,
    pub events: &'a [(PlayEvent, &'a str)],
    pub click: &'a str,
    /// Called besides, at a click.
    pub click_tracker: Option<&'a str>,
    /// For how many seconds the answer may be kept.
    pub expires: Option<u32>,
}

impl fmt::Display for Vast<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        begin(f, self.version)?;
        write!(f, "><Ad id=\"{}\"><InLine>", Text(self.id))?;
        write!(f, "<AdSystem>{}</AdSystem>", Text(self.system))?;
        if self.version.is_new() {
            self.inline(f)?
        } else {
            self.old_inline(f)?
        }
        f.write_str("</InLine></Ad></VAST>")
    }
}

/// The answer to a player for which there is no ad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoAd(pub VastVersion);

impl fmt::Display for NoAd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        begin(f, self.0)?;
        f.write_str("/>")
    }
}

/// Writes the beginning, except the end of the first tag.
fn begin(f: &mut fmt::Formatter<'_>, version: VastVersion) -> fmt::Result {
    write!(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?><VAST version=\"{version}\"")?;
    f.write_str(if version.is_new() { " xmlns=\"http://www.iab.com/VAST\"" } else { "" })
}

impl Vast<'_> {
    /// The form of version 4.0 and later.
    fn inline(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_identified = self.version >= VastVersion::V41;
        url(f, "Error", "", self.error)?;
        url(f, "Impression", "", Some(self.impression))?;
        if let Some(viewable) = self.viewable {
            f.write_str("<ViewableImpression>")?;
            url(f, "Viewable", "", Some(viewable))?;
            f.write_str("</ViewableImpression>")?;
        }
        if is_identified {
            write!(f, "<AdServingId>{}</AdServingId>", Text(self.serving_id))?;
        }
        self.title(f)?;
        write!(f, "<Creatives><Creative id=\"{}\">", Text(self.creative))?;
        self.linear(f)?;
        write!(f, "<UniversalAdId idRegistry=\"{}\"", Text(self.registry))?;
        if !is_identified {
            write!(f, " idValue=\"{}\"", Text(self.creative))?;
        }
        write!(f, ">{}</UniversalAdId></Creative></Creatives>", Text(self.creative))?;
        match self.expires.filter(|_| is_identified) {
            Some(seconds) => write!(f, "<Expires>{seconds}</Expires>"),
            None => Ok(()),
        }
    }

    /// The form of versions 2.0 and 3.0, which cannot report that half of it was seen.
    fn old_inline(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.title(f)?;
        url(f, "Error", "", self.error)?;
        url(f, "Impression", "", Some(self.impression))?;
        write!(f, "<Creatives><Creative id=\"{}\">", Text(self.creative))?;
        self.linear(f)?;
        f.write_str("</Creative></Creatives>")
    }

    fn title(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<AdTitle>{}</AdTitle>", Text(self.title))?;
        match self.advertiser.filter(|_| self.version >= VastVersion::V3) {
            Some(advertiser) => write!(f, "<Advertiser>{}</Advertiser>", Text(advertiser)),
            None => Ok(()),
        }
    }

    fn linear(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.skip_after.filter(|_| self.version.can_skip()) {
            Some(seconds) => write!(f, "<Linear skipoffset=\"{}\">", Clock(seconds))?,
            None => f.write_str("<Linear>")?,
        }
        if self.version.is_new() {
            self.tracking(f)?;
            self.duration(f)?;
            self.media(f)?;
            self.clicks(f, [("ClickTracking", self.click_tracker), ("ClickThrough", Some(self.click))])?;
        } else {
            self.duration(f)?;
            self.tracking(f)?;
            self.clicks(f, [("ClickThrough", Some(self.click)), ("ClickTracking", self.click_tracker)])?;
            self.media(f)?;
        }
        f.write_str("</Linear>")
    }

    fn tracking(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A video of 2.0 cannot be skipped.
        let known = |event: PlayEvent| event != PlayEvent::Skip || self.version.can_skip();
        let mut events = self.events.iter().filter(|(event, _)| known(*event)).peekable();
        if events.peek().is_none() {
            return Ok(());
        }
        f.write_str("<TrackingEvents>")?;
        for (event, address) in events {
            url(f, "Tracking", &format!(" event=\"{event}\""), Some(address))?;
        }
        f.write_str("</TrackingEvents>")
    }

    fn duration(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<Duration>{}</Duration>", Clock(self.seconds))
    }

    fn media(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MediaFile { url: file, mime, w, h, bitrate } = self.media;
        let bitrate = bitrate.map(|bitrate| format!(" bitrate=\"{bitrate}\"")).unwrap_or_default();
        let kind = Text(mime);
        let attributes = format!(" delivery=\"progressive\" type=\"{kind}\" width=\"{w}\" height=\"{h}\"{bitrate}");
        f.write_str("<MediaFiles>")?;
        url(f, "MediaFile", &attributes, Some(file))?;
        f.write_str("</MediaFiles>")
    }

    fn clicks(&self, f: &mut fmt::Formatter<'_>, all: [(&str, Option<&str>); 2]) -> fmt::Result {
        f.write_str("<VideoClicks>")?;
        all.into_iter().try_for_each(|(name, address)| url(f, name, "", address))?;
        f.write_str("</VideoClicks>")
    }
}

/// An element with an address, if there is one.
fn url(f: &mut fmt::Formatter<'_>, name: &str, attributes: &str, address: Option<&str>) -> fmt::Result {
    address.map_or(Ok(()), |address| write!(f, "<{name}{attributes}>{}</{name}>", CdataAddress(address)))
}

/// XML 1.0 has no other control characters, not even escaped.
const fn is_allowed(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// Text between tags or in an attribute.
struct Text<'a>(&'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().filter(|letter| is_allowed(*letter)).try_for_each(|letter| match letter {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&apos;"),
            // In attributes, a parser would turn these characters into blanks.
            '\t' | '\n' | '\r' => write!(f, "&#{};", u32::from(letter)),
            letter => f.write_char(letter),
        })
    }
}

/// An address in a CDATA section, where nothing is escaped, as players expect it. The end
/// of the section within it is divided between two.
struct CdataAddress<'a>(&'a str);

impl fmt::Display for CdataAddress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain: String = self.0.chars().filter(|letter| is_allowed(*letter)).collect();
        write!(f, "<![CDATA[{}]]>", plain.replace("]]>", "]]]]><![CDATA[>"))
    }
}

/// `00:00:30`.
struct Clock(u32);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The largest duration that the format has.
        let seconds = self.0.min(86_399);
        write!(f, "{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::VAST;

    #[test]
    fn a_document_has_all_of_it_in_the_order_of_the_schema() {
        let expected = concat!(
            r#"<?xml version="1.0" encoding="UTF-8"?><VAST version="4.2" xmlns="http://www.iab.com/VAST">"#,
            r#"<Ad id="plan-7"><InLine><AdSystem>Placard</AdSystem>"#,
            "<Error><![CDATA[https://ads.example/t/e?c=[ERRORCODE]]]></Error>",
            "<Impression><![CDATA[https://ads.example/t/i?a=1&p=${AUCTION_PRICE}]]></Impression>",
            "<ViewableImpression><Viewable><![CDATA[https://ads.example/t/v]]></Viewable></ViewableImpression>",
            "<AdServingId>n-1</AdServingId><AdTitle>Shoes &amp; &quot;more&quot;</AdTitle>",
            "<Advertiser>Shoes &lt;Ltd&gt;</Advertiser>",
            r#"<Creatives><Creative id="c-9"><Linear skipoffset="00:00:05"><TrackingEvents>"#,
            r#"<Tracking event="start"><![CDATA[https://ads.example/t/s]]></Tracking>"#,
            r#"<Tracking event="thirdQuartile"><![CDATA[https://ads.example/t/q]]></Tracking>"#,
            "</TrackingEvents><Duration>00:01:05</Duration><MediaFiles>",
            r#"<MediaFile delivery="progressive" type="video/mp4" width="640" height="360" bitrate="800">"#,
            "<![CDATA[https://ads.example/v.mp4]]></MediaFile></MediaFiles><VideoClicks>",
            "<ClickTracking><![CDATA[https://ads.example/t/k]]></ClickTracking>",
            "<ClickThrough><![CDATA[https://ads.example/t/c]]></ClickThrough></VideoClicks></Linear>",
            r#"<UniversalAdId idRegistry="ads.example">c-9</UniversalAdId></Creative></Creatives>"#,
            "<Expires>300</Expires></InLine></Ad></VAST>",
        );
        assert_eq!(VAST.to_string(), expected);
    }

    #[test]
    fn older_versions_have_what_they_know() {
        let document = |version| Vast { version, ..VAST }.to_string();
        let (two, three) = (document(VastVersion::V2), document(VastVersion::V3));
        let expected = concat!(
            r#"<?xml version="1.0" encoding="UTF-8"?><VAST version="2.0"><Ad id="plan-7"><InLine>"#,
            "<AdSystem>Placard</AdSystem><AdTitle>Shoes &amp; &quot;more&quot;</AdTitle>",
            "<Error><![CDATA[https://ads.example/t/e?c=[ERRORCODE]]]></Error>",
            "<Impression><![CDATA[https://ads.example/t/i?a=1&p=${AUCTION_PRICE}]]></Impression>",
            r#"<Creatives><Creative id="c-9"><Linear><Duration>00:01:05</Duration><TrackingEvents>"#,
            r#"<Tracking event="start"><![CDATA[https://ads.example/t/s]]></Tracking>"#,
            r#"<Tracking event="thirdQuartile"><![CDATA[https://ads.example/t/q]]></Tracking>"#,
            "</TrackingEvents><VideoClicks><ClickThrough><![CDATA[https://ads.example/t/c]]></ClickThrough>",
            "<ClickTracking><![CDATA[https://ads.example/t/k]]></ClickTracking></VideoClicks><MediaFiles>",
            r#"<MediaFile delivery="progressive" type="video/mp4" width="640" height="360" bitrate="800">"#,
            "<![CDATA[https://ads.example/v.mp4]]></MediaFile></MediaFiles></Linear></Creative></Creatives>",
            "</InLine></Ad></VAST>",
        );
        assert_eq!(two, expected);
        let newer = expected
            .replace("\"2.0\"", "\"3.0\"")
            .replace("<Error>", "<Advertiser>Shoes &lt;Ltd&gt;</Advertiser><Error>")
            .replace("<Linear>", r#"<Linear skipoffset="00:00:05">"#);
        assert_eq!(three, newer);
        let (four, newest) = (document(VastVersion::V4), document(VastVersion::V42));
        assert_eq!(document(VastVersion::V41), newest.replace("\"4.2\"", "\"4.1\""));
        let older = newest
            .replace("\"4.2\"", "\"4.0\"")
            .replace("<AdServingId>n-1</AdServingId>", "")
            .replace("<Expires>300</Expires>", "")
            .replace("\">c-9</Univ", "\" idValue=\"c-9\">c-9</Univ");
        assert_eq!(four, older);
    }

    #[test]
    fn where_there_is_no_ad_the_document_is_empty() {
        let none = [VastVersion::V3, VastVersion::V42].map(|version| NoAd(version).to_string());
        let head = r#"<?xml version="1.0" encoding="UTF-8"?>"#;
        assert_eq!(none[0], format!(r#"{head}<VAST version="3.0"/>"#));
        assert_eq!(none[1], format!(r#"{head}<VAST version="4.2" xmlns="http://www.iab.com/VAST"/>"#));
    }

    #[test]
    fn what_is_not_there_leaves_no_trace() {
        let bare = Vast {
            advertiser: None,
            skip_after: None,
            viewable: None,
            error: None,
            events: &[],
            click_tracker: None,
            expires: None,
            media: MediaFile { bitrate: None, ..VAST.media },
            ..VAST
        };
        let document = bare.to_string();
        for left in ["Advertiser", "skipoffset", "Viewable", "Error", "Tracking", "Expires", "bitrate"] {
            assert!(!document.contains(left), "{left}");
        }
        assert!(document.contains("<Linear><Duration>"));
    }

    #[test]
    fn nothing_that_is_put_in_breaks_out() {
        assert_eq!(Text("<a b='c'>&\u{0}\u{8}é\n\"").to_string(), "&lt;a b=&apos;c&apos;&gt;&amp;é&#10;&quot;");
        assert_eq!(CdataAddress("a]]>b\u{1}&<").to_string(), "<![CDATA[a]]]]><![CDATA[>b&<]]>");
        assert_eq!(CdataAddress("]]]]>>]]>").to_string(), "<![CDATA[]]]]]]><![CDATA[>>]]]]><![CDATA[>]]>");
    }

    #[test]
    fn durations_have_hours() {
        let shown = [0, 59, 61, 3_661, 86_399, u32::MAX].map(|seconds| Clock(seconds).to_string());
        assert_eq!(shown, ["00:00:00", "00:00:59", "00:01:01", "01:01:01", "23:59:59", "23:59:59"]);
    }
}
