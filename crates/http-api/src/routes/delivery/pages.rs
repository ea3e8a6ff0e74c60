//! Pages that are not part of the app: a creative in its frame, and hosted landing pages.
//! Everything in them is escaped.

use crate::html::escape;
use crate::policy::FRAME_RIGHTS;
use campaigns::delivery::serve::SlotAnswer;
use campaigns::delivery::track::LandingPage;
use foundation::Realm;
use i18n::Lang;

const STYLE: &str = "<style>:root{color-scheme:light dark}body{margin:0;font:16px/1.5 system-ui,sans-serif;\
background:Canvas;color:CanvasText}main{max-width:600px;margin:0 auto;padding:24px;box-sizing:border-box}\
img{display:block;width:100%;border-radius:20px}a{color:inherit;text-decoration:none}\
h1{font-size:1.5rem;line-height:1.25;margin:20px 0 8px}p{margin:0 0 12px}small{opacity:.7}</style>";

fn document(lang: Lang, title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\"><title>{}</title>{STYLE}</head><body><main>{body}</main></body></html>",
        lang.bcp47(),
        escape(title)
    )
}

/// A note that the installation is simulated, in the visitor's language. The creative's texts are in the advertiser's.
fn simulated(is: bool, lang: Lang) -> String {
    let text = i18n::text(lang, "server.pages.simulated", &[]);
    if is { format!("<p><small lang=\"{}\">{}</small></p>", lang.bcp47(), escape(&text)) } else { String::new() }
}

/// In a slot of a fixed size, the creative fills it. With `data-fit`, the surrounding page adopts the height that the
/// creative needs. If there is more width than height, the picture is beside the text.
const FRAME_STYLE: &str = "<style>:root{color-scheme:light dark}*{box-sizing:border-box}\
body{margin:0;font:14px/1.4 system-ui,sans-serif;background:Canvas;color:CanvasText;overflow:hidden}\
main{display:flex;flex-direction:column;height:100vh;border:1px solid color-mix(in srgb,CanvasText 14%,transparent);\
border-radius:12px;overflow:hidden}[data-fit] main{height:auto}\
a{display:flex;flex-direction:column;flex:1;min-height:0;color:inherit;text-decoration:none}\
a:focus-visible{outline:3px solid Highlight;outline-offset:-3px}\
.pic{display:block;width:100%;flex:1 1 40%;min-height:0;object-fit:cover}[data-fit] .pic{flex:none;aspect-ratio:16/9}\
.say{display:block;padding:10px 12px 4px}b,.text{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}\
b{font-size:1.125em;line-height:1.25}.text{margin-top:4px;opacity:.8}\
footer{padding:0 12px 8px;font-size:12px;opacity:.75;overflow-wrap:anywhere}footer p{margin:2px 0 0}\
@media (min-width:440px){[data-fit] a{flex-direction:row}[data-fit] .pic{width:42%;aspect-ratio:4/3}[data-fit] .say{align-self:center}}\
@media (max-height:200px){html:not([data-fit]) a{flex-direction:row}html:not([data-fit]) .pic{flex:none;width:auto;height:100%;aspect-ratio:1}\
html:not([data-fit]) .say{align-self:center;padding:4px 10px}html:not([data-fit]) footer p{display:none}\
html:not([data-fit]) footer{padding:0 10px 4px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}}\
@media (max-height:110px){html:not([data-fit]) .text{display:none}}\
@media (max-height:70px){html:not([data-fit]) b{-webkit-line-clamp:1;font-size:1em}html:not([data-fit]) footer{font-size:10px;line-height:12px}}\
</style>";

/// `base` is where the script is, for a page that is shown from elsewhere.
fn framed(title: &str, fits_content: bool, base: &str, body: &str) -> String {
    let fit = if fits_content { " data-fit=\"content\"" } else { "" };
    format!(
        "<!doctype html><html lang=\"en\"{fit}><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\"><title>{}</title>{FRAME_STYLE}</head><body>{body}\
         <script src=\"{}/frame.js\"></script></body></html>",
        escape(title),
        escape(base),
    )
}

/// A creative for an iframe, with the pixel that reports a view and the script that reports that it
/// was viewable.
pub fn creative(answer: &SlotAnswer, lang: Lang, fits_content: bool) -> String {
    creative_from(answer, lang, fits_content, "")
}

/// A creative for an exchange, which shows it in a frame of the size that was offered.
pub fn banner(answer: &SlotAnswer, lang: Lang, base: &str) -> String {
    creative_from(answer, lang, false, base)
}

/// A creative for a page with Prebid.js. That puts the markup into a frame that may do whatever the page may,
/// so the creative has a sandboxed frame of its own in it.
pub fn sandboxed_banner(answer: &SlotAnswer, lang: Lang, base: &str) -> String {
    format!(
        "<iframe sandbox=\"{FRAME_RIGHTS}\" title=\"{}\" srcdoc=\"{}\" \
         style=\"position:absolute;inset:0;width:100%;height:100%;border:0\"></iframe>",
        escape(&answer.label),
        escape(&banner(answer, lang, base)),
    )
}

fn creative_from(answer: &SlotAnswer, lang: Lang, fits_content: bool, base: &str) -> String {
    let creative = &answer.creative;
    let image = escape(&creative.image);
    let picture = match &creative.video {
        // Browsers start only muted videos by themselves.
        Some(video) => format!(
            "<video class=\"pic\" src=\"{}\" poster=\"{image}\" autoplay muted loop playsinline></video>",
            escape(video)
        ),
        None => format!("<img class=\"pic\" src=\"{image}\" alt=\"\">"),
    };
    let played = match &creative.video {
        Some(_) => format!(" data-played=\"{}\"", escape(&answer.played_url)),
        None => String::new(),
    };
    let body = format!(
        "<main data-viewable=\"{}\" data-label=\"{label}\"{played}><a href=\"{}\" target=\"_blank\" rel=\"noopener\">{picture}\
         <span class=\"say\"><b>{}</b><span class=\"text\">{}</span></span></a><footer>{label}{}</footer></main>\
         <img data-view src=\"{}\" alt=\"\" style=\"position:absolute;top:0;left:0;width:1px;height:1px;opacity:0\">",
        escape(&answer.viewable_url),
        escape(&answer.click_url),
        escape(&creative.title),
        escape(&creative.text),
        simulated(answer.data_source == Realm::Simulated, lang),
        escape(&answer.impression_url),
        label = escape(&answer.label),
    );
    framed(&creative.title, fits_content, base, &body)
}

/// The page in the frame if no ad fits. Its script tells the surrounding page.
pub fn nothing() -> String {
    framed("", false, "", "")
}

/// The page for a link that leads nowhere, such as one that was cut off, or nowhere at the moment. `why` is the key of
/// the text.
pub fn nowhere(lang: Lang, why: &str) -> String {
    let text = i18n::text(lang, why, &[]);
    document(lang, &text, &format!("<h1>{}</h1>", escape(&text)))
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
    document(page.lang, &page.product, &body)
}
