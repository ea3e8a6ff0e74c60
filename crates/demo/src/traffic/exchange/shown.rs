//! What an ad calls, found in its markup: HTML, JSON of a native ad, or VAST.

/// Paths on the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownAd {
    pub impression: String,
    pub viewable: Option<String>,
    pub click: Option<String>,
}

impl ShownAd {
    /// `None` for a markup that counts no view. Macros must have been replaced.
    pub fn read(markup: &str) -> Option<Self> {
        let path = |start| path(markup, start).map(str::to_owned);
        Some(Self { impression: path("/t/i/")?, viewable: path("/t/v/"), click: path("/t/c/") })
    }
}

/// The rest of the first address with this path: until what ends one in HTML, JSON or XML.
fn path<'a>(markup: &'a str, start: &str) -> Option<&'a str> {
    let found = markup.get(markup.find(start)?..)?;
    found.split(|end: char| matches!(end, '"' | '\'' | '<' | '>' | ']' | '&') || end.is_whitespace()).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_in_every_form() {
        let expected = Some(ShownAd {
            impression: "/t/i/x_-1.gif?price=1.5".into(),
            viewable: Some("/t/v/x_-1.gif".into()),
            click: Some("/t/c/x_-1".into()),
        });
        for markup in [
            r#"<main data-viewable="http://a/t/v/x_-1.gif"><a href="http://a/t/c/x_-1" target="_blank"></a></main><img data-view src="http://a/t/i/x_-1.gif?price=1.5">"#,
            r#"{"link":{"url":"http://a/t/c/x_-1"},"eventtrackers":[{"event":1,"url":"http://a/t/i/x_-1.gif?price=1.5"},{"event":2,"url":"http://a/t/v/x_-1.gif"}]}"#,
            "<Impression><![CDATA[http://a/t/i/x_-1.gif?price=1.5]]></Impression><Viewable>\nhttp://a/t/v/x_-1.gif\n</Viewable><ClickThrough>http://a/t/c/x_-1</ClickThrough>",
        ] {
            assert_eq!(ShownAd::read(markup), expected, "{markup}");
        }
        assert_eq!(ShownAd::read("<b>nothing</b>"), None);
    }
}
