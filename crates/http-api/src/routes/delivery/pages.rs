//! Pages that are not part of the app: a creative in its frame, and hosted landing pages.
//! Everything in them is escaped.

use i18n::Lang;
use usecases::Realm;
use usecases::delivery::serve::SlotAnswer;
use usecases::delivery::track::LandingPage;

/// Escapes text for HTML content and quoted attributes.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

const STYLE: &str = "<style>:root{color-scheme:light dark}body{margin:0;font:16px/1.5 system-ui,sans-serif;\
background:Canvas;color:CanvasText}main{max-width:600px;margin:0 auto;padding:24px;box-sizing:border-box}\
img{display:block;width:100%;border-radius:20px}a{color:inherit;text-decoration:none}\
h1{font-size:1.5rem;line-height:1.25;margin:20px 0 8px}p{margin:0 0 12px}small{opacity:.7}</style>";

fn document(title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\"><title>{}</title>{STYLE}</head><body><main>{body}</main></body></html>",
        escape(title)
    )
}

/// In the visitor's language; the advertiser's texts are in the advertiser's.
fn simulated(is: bool, lang: Lang) -> String {
    let text = i18n::text(lang, "server.pages.simulated", &[]);
    if is { format!("<p><small lang=\"{}\">{}</small></p>", lang.bcp47(), escape(&text)) } else { String::new() }
}

/// A creative for an iframe, with the pixel that reports a view.
pub fn creative(answer: &SlotAnswer, lang: Lang) -> String {
    let creative = &answer.creative;
    let body = format!(
        "<a href=\"{}\" target=\"_blank\" rel=\"noopener\"><img src=\"{}\" alt=\"\"><h1>{}</h1><p>{}</p></a>\
         <p><small>{}</small></p>{}<img src=\"{}\" alt=\"\" style=\"width:1px;height:1px\">",
        escape(&answer.click_url),
        escape(&creative.image),
        escape(&creative.title),
        escape(&creative.text),
        escape(&answer.label),
        simulated(answer.data_source == Realm::Simulated, lang),
        escape(&answer.impression_url),
    );
    document(&creative.title, &body)
}

pub fn landing(page: &LandingPage, is_simulated: bool, lang: Lang) -> String {
    let body = format!(
        "<img src=\"{}\" alt=\"\"><h1>{}</h1><p>{}</p><p>{}</p><p><small>{}</small></p>{}",
        escape(&page.creative.image),
        escape(&page.creative.title),
        escape(&page.creative.text),
        escape(&page.summary),
        escape(&page.product),
        simulated(is_simulated, lang),
    );
    document(&page.product, &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_its_place() {
        assert_eq!(escape("<a href=\"x\" title='y'>&"), "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;");
    }
}
