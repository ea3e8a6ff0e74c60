//! The page of the public log, for people: without a script, in the reader's language.

use base::{Money, Timestamp};
use foundation::Currency;
use i18n::Lang;
use money::wallet::public_log::balances::DayTotals;
use money::wallet::public_log::{ListedKey, PublicLogView};
use proof::Checkpoint;

use crate::html::escape;

const STYLE: &str = "<style>:root{color-scheme:light dark;--line:color-mix(in srgb,CanvasText 14%,transparent);\
--soft:color-mix(in srgb,CanvasText 5%,Canvas)}*{box-sizing:border-box}\
body{margin:0;font:16px/1.5 system-ui,sans-serif;background:var(--soft);color:CanvasText;overflow-wrap:anywhere}\
main{max-width:640px;margin:0 auto;padding:24px 16px 48px}\
h1{font-size:1.75rem;line-height:1.2;margin:0 0 12px}h2{font-size:1.0625rem;line-height:1.3;margin:0 0 8px}p{margin:0 0 12px}\
section{background:Canvas;border:1px solid var(--line);border-radius:20px;padding:16px;margin:16px 0}\
section>:last-child{margin-bottom:0}.sum{font-size:1.25rem;line-height:1.35;font-weight:600}\
dl{margin:0 0 12px}dl div{padding:8px 0;border-top:1px solid var(--line)}dl div:first-child{border-top:0}\
dt{opacity:.7;font-size:.875rem}dd{margin:0;font-variant-numeric:tabular-nums}\
code{font:.875rem/1.4 ui-monospace,monospace}small{opacity:.7}a{color:LinkText}\
.simulated{border-color:currentColor}</style>";

/// The content of the page.
pub struct LogPage<'a> {
    /// The newest first.
    pub keys: &'a [ListedKey],
    pub checkpoint: &'a Checkpoint,
    /// The state of the log, which has more about its last checkpoint.
    pub state: Option<&'a PublicLogView>,
    pub is_simulated: bool,
    pub totals: Totals,
    pub currency: &'a Currency,
}

/// The page's section about the sum of all money.
pub enum Totals {
    Hidden,
    /// No day is in the log so far.
    NoneYet,
    Of(DayTotals),
}

/// Texts and figures in one language.
struct Writer<'a> {
    lang: Lang,
    currency: &'a Currency,
}

impl Writer<'_> {
    fn text(&self, key: &str, values: &[(&str, &str)]) -> String {
        escape(&i18n::text(self.lang, key, values))
    }

    fn money(&self, amount: Money) -> String {
        self.currency.shown(self.lang, &amount.to_string())
    }

    fn date(&self, day: &str) -> String {
        i18n::date(self.lang, day)
    }

    fn moment(&self, at: Timestamp) -> String {
        i18n::moment(self.lang, &at.to_string())
    }
}

fn list(lines: &[(String, String)]) -> String {
    let lines = lines.iter().map(|(name, value)| format!("<div><dt>{name}</dt><dd>{value}</dd></div>"));
    format!("<dl>{}</dl>", lines.collect::<String>())
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escape(text))
}

pub fn page(lang: Lang, said: &LogPage<'_>) -> String {
    let write = Writer { lang, currency: said.currency };
    let title = write.text("server.publicLog.title", &[]);
    let simulated = match said.is_simulated {
        true => format!("<section class=\"simulated\"><p>{}</p></section>", write.text("server.pages.simulated", &[])),
        false => String::new(),
    };
    format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\"><title>{title} · {}</title>{STYLE}</head><body><main>\
         <h1>{title}</h1><p>{}</p>{simulated}{}{}{}<p>{}</p><p><a href=\"/log/PROOF.md\">{}</a></p></main></body></html>",
        lang.bcp47(),
        escape(&said.checkpoint.origin),
        write.text("server.publicLog.intro", &[]),
        totals(&write, &said.totals),
        log(&write, said),
        witnesses(&write, said.state),
        write.text("server.publicLog.limits", &[]),
        write.text("server.publicLog.how", &[]),
    )
}

/// Which log it is, and where it has come to.
fn log(write: &Writer<'_>, said: &LogPage<'_>) -> String {
    let keys: Vec<String> = said.keys.iter().map(|listed| code(&listed.key)).collect();
    let size = i18n::decimal(write.lang, &said.checkpoint.head.size.to_string());
    let mut lines = vec![
        (write.text("server.publicLog.name", &[]), code(&said.checkpoint.origin)),
        (write.text("server.publicLog.key", &[]), keys.join("<br>")),
        (write.text("server.publicLog.entries", &[]), format!("<a href=\"/log/checkpoint\">{}</a>", escape(&size))),
        (write.text("server.publicLog.root", &[]), code(&said.checkpoint.root())),
    ];
    // The state is stored after the checkpoint, so it may still belong to the previous one.
    let state = said.state.filter(|state| state.size == said.checkpoint.head.size);
    lines.extend(
        state.map(|state| {
            (write.text("server.publicLog.checkpointAt", &[]), escape(&write.moment(state.checkpoint_at)))
        }),
    );
    format!("<section>{}</section>", list(&lines))
}

/// Who cosigns the log, and whether enough do.
fn witnesses(write: &Writer<'_>, state: Option<&PublicLogView>) -> String {
    let Some(state) = state.filter(|state| !state.witnesses.is_empty()) else {
        return format!("<section><p>{}</p></section>", write.text("wallet.check.unwitnessed", &[]));
    };
    let late = match state.missing_since {
        Some(since) => {
            let told = write.text("wallet.check.notCosigned", &[("date", &write.moment(since))]);
            format!("<p><strong>{told}</strong></p>")
        }
        None => String::new(),
    };
    let last = |at: Option<Timestamp>| match at {
        Some(at) => escape(&write.moment(at)),
        None => write.text("wallet.check.neverCosigned", &[]),
    };
    let named = state.witnesses.iter().map(|one| (code(&one.name), last(one.cosigned_at)));
    let needed = i18n::decimal(write.lang, &state.needed.to_string());
    let needed = (write.text("server.publicLog.needed", &[]), escape(&needed));
    let lines: Vec<(String, String)> = named.chain([needed]).collect();
    format!("<section><h2>{}</h2>{late}{}</section>", write.text("server.publicLog.witnesses", &[]), list(&lines))
}

fn totals(write: &Writer<'_>, said: &Totals) -> String {
    let day = match said {
        Totals::Hidden => return format!("<section><p>{}</p></section>", write.text("server.publicLog.hidden", &[])),
        Totals::NoneYet => return format!("<section><p>{}</p></section>", write.text("server.publicLog.none", &[])),
        Totals::Of(day) => day,
    };
    let users = write.money(day.users);
    let sum = match &day.bank {
        Some(bank) => write.text("server.publicLog.sum", &[("users", &users), ("bank", &write.money(bank.amount))]),
        None => write.text("server.publicLog.sumNoBank", &[("users", &users)]),
    };
    let mut lines = vec![
        (write.text("server.publicLog.users", &[]), escape(&users)),
        (write.text("server.publicLog.claims", &[]), escape(&write.money(day.claims))),
        (write.text("server.publicLog.owed", &[]), escape(&write.money(day.owed))),
    ];
    if let Some(bank) = &day.bank {
        let on = write.date(&bank.on.to_string());
        lines.push((write.text("server.publicLog.bank", &[("date", &on)]), escape(&write.money(bank.amount))));
    }
    let moment = write.moment(day.read_at);
    format!(
        "<section><h2>{}</h2><p class=\"sum\">{sum}</p>{}<p><small>{}</small></p></section>",
        write.text("server.publicLog.day", &[("date", &write.date(&day.day))]),
        list(&lines),
        write.text("server.publicLog.readAt", &[("moment", &moment)]),
    )
}
