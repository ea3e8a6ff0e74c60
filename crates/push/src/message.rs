//! What a browser shows: the declarative form, which shows a notice even where no service worker runs.
//! <https://w3c.github.io/push-api/#declarative-push-message>

use serde_json::json;

use crate::LONGEST;

/// Marks the declarative form.
const DECLARATIVE: u32 = 8_030;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Message<'a> {
    pub title: &'a str,
    pub body: &'a str,
    pub lang: &'a str,
    /// The page that a press opens.
    pub navigate: &'a str,
    /// A new notice with the same tag replaces the shown one.
    pub tag: &'a str,
    /// The number on the app's icon.
    pub unread: i64,
}

impl Message<'_> {
    /// Its JSON, which can be sealed: a body that is too long is cut.
    pub fn text(&self) -> String {
        let mut body = self.body.to_owned();
        loop {
            let text = self.with_body(&body);
            if text.len() <= LONGEST || body.is_empty() {
                return text;
            }
            // A cut letter counts for its three dots.
            let keep = body.chars().count() / 2;
            body = if keep < 2 { String::new() } else { body.chars().take(keep).chain(['…']).collect() };
        }
    }

    fn with_body(&self, body: &str) -> String {
        json!({
            "web_push": DECLARATIVE,
            "notification": {
                "title": self.title,
                "body": body,
                "lang": self.lang,
                "dir": "auto",
                "navigate": self.navigate,
                "tag": self.tag,
                "silent": false,
            },
            "app_badge": self.unread.max(0),
        })
        .to_string()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[test]
    fn it_is_declarative() {
        let message =
            Message { title: "Paid", body: "$1.00", lang: "en", navigate: "https://a.example/", tag: "7", unread: 3 };
        let read: Value = serde_json::from_str(&message.text()).expect("JSON");
        assert_eq!((&read["web_push"], &read["app_badge"]), (&json!(8_030), &json!(3)));
        let shown = &read["notification"];
        assert_eq!([&shown["title"], &shown["body"], &shown["tag"]], [&json!("Paid"), &json!("$1.00"), &json!("7")]);
        assert_eq!(shown["navigate"], "https://a.example/");
    }

    proptest! {
        #[test]
        fn however_long_the_body_is_it_fits(body in "\\PC{0,6000}|\\x00{0,6000}|[界]{0,6000}") {
            let text = Message { title: "Answered", body: &body, ..Message::default() }.text();
            prop_assert!(text.len() <= LONGEST);
            let read: Value = serde_json::from_str(&text).expect("JSON");
            let shown = read["notification"]["body"].as_str().expect("a text");
            prop_assert!(body.starts_with(shown.trim_end_matches('…')));
        }
    }
}
