//! Where a line of text may end: behind a blank, and between the characters of scripts that are written without blanks.
//!
//! Chinese and Japanese punctuation stays with what it closes or opens, and words in Latin letters, amounts and dates
//! stay whole among their characters. Korean has blanks. Thai and Lao have none between words, so their lines end
//! before a vowel that begins a syllable.

use unicode_segmentation::UnicodeSegmentation;

/// What no line begins with.
const ENDINGS: &str = "!),.:;?]}¢°·'\"’”»›…‥—–‐‧†‡‰℃%、。，．：；？！）］｝〉》」』】〕〗〙〛〞〟｠｣｡､･・～〜゠％￠′″\
    々〻ー–ヽヾゝゞぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿｰｧｨｩｪｫｬｭｮｯ";
/// What no line ends with.
const BEGINNINGS: &str = "([{'\"‘“«‹（［｛〈《「『【〔〖〘〚〝｟｢#＃@＠$＄€£￡¥￥₩№§";
/// What is written behind an amount.
const CURRENCIES: &str = "元円圆圓원";

/// The parts of a text that stay on one line if it has room for them.
pub fn parts(text: &str) -> Vec<&str> {
    cut(text, |before, after| {
        let (ending, beginning) = (before.chars().next_back(), after.chars().next());
        ending.zip(beginning).is_some_and(|(ending, beginning)| may_part(ending, beginning))
    })
}

/// The smallest parts: a letter with its marks, and with the vowels before and behind it that are never alone.
pub fn letters(text: &str) -> Vec<&str> {
    cut(text, |before, after| {
        let leads = before.chars().next().is_some_and(leads);
        !leads && !after.chars().next().is_some_and(follows)
    })
}

/// The text in parts that end wherever `may_part` allows it between two letters.
fn cut(text: &str, may_part: impl Fn(&str, &str) -> bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut begin = 0;
    let mut last: Option<&str> = None;
    for (at, letter) in text.grapheme_indices(true) {
        if last.is_some_and(|last| may_part(last, letter)) {
            parts.extend(text.get(begin..at));
            begin = at;
        }
        last = Some(letter);
    }
    parts.extend(text.get(begin..).filter(|rest| !rest.is_empty()));
    parts
}

fn may_part(ending: char, beginning: char) -> bool {
    if ending == ' ' || beginning == ' ' {
        // Straight quotes behind a blank open something.
        return beginning != ' ' && (!ENDINGS.contains(beginning) || matches!(beginning, '"' | '\''));
    }
    if ENDINGS.contains(beginning) || BEGINNINGS.contains(ending) {
        return false;
    }
    if CURRENCIES.contains(beginning) && (ending.is_numeric() || ending == '万' || ending == '萬') {
        return false;
    }
    if is_without_blanks(ending) || is_without_blanks(beginning) {
        return ending != '\u{a0}' && beginning != '\u{a0}';
    }
    leads(beginning) && is_southern(ending)
}

/// Whether a character is one of Chinese or Japanese texts, in whose lines only punctuation keeps others beside it.
const fn is_without_blanks(c: char) -> bool {
    matches!(c,
        '\u{2e80}'..='\u{312f}' | '\u{3190}'..='\u{9fff}' | '\u{a000}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}' | '\u{ffe0}'..='\u{ffe6}' | '\u{20000}'..='\u{3ffff}'
        // Without the letters and digits of full width.
        | '\u{ff00}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff9f}')
}

/// Thai and Lao.
const fn is_southern(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}')
}

/// Their vowels that are written before the consonant.
const fn leads(c: char) -> bool {
    matches!(c, '\u{e40}'..='\u{e44}' | '\u{ec0}'..='\u{ec4}')
}

/// Their vowels and signs that are written behind it.
const fn follows(c: char) -> bool {
    matches!(c, '\u{e2f}'..='\u{e30}' | '\u{e32}'..='\u{e33}' | '\u{e45}'..='\u{e46}'
        | '\u{eaf}'..='\u{eb0}' | '\u{eb2}'..='\u{eb3}' | '\u{ec6}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        parts(text).join("|")
    }

    #[test]
    fn punctuation_stays_with_what_it_closes_or_opens() {
        for parted in [
            "你|好，|世|界。",
            "他|說|「好！」|後|走|了",
            "廣|告|（第|一|期）|結|算",
            "等|等……|再|見",
            "きょ|う|は|「カー|ド」|で|す。",
            "東|京・|大|阪",
        ] {
            assert_eq!(shown(&parted.replace('|', "")), parted);
        }
    }

    #[test]
    fn words_and_amounts_are_whole() {
        for parted in [
            "從|Placard|收|到|USD |1,234.50|的|款|項",
            "收|入|-1,234.50元，|手|續|費|3.20%|起",
            "several |words |that |do |not |fit",
            "첫 |번째 |문장",
            "日|期|2026-11-05|（UTC）",
            "付|款|￥１００|給|@mia",
            "Held · |P1 – |\"one\"",
        ] {
            assert_eq!(shown(&parted.replace('|', "")), parted);
        }
    }

    #[test]
    fn thai_ends_between_syllables_and_never_before_a_mark() {
        assert_eq!(shown("การแสดงโฆษณา เต็มเวลา"), "การ|แสดง|โฆษณา |เต็ม|เวลา");
        assert_eq!(letters("น้ำเต้า"), ["น้ำ", "เต้า"]);
        assert_eq!(letters("กี่แก้"), ["กี่", "แก้"]);
        assert_eq!(letters("e\u{301}a👩\u{200d}👧!"), ["e\u{301}", "a", "👩\u{200d}👧", "!"]);
    }

    #[test]
    fn nothing_is_lost() {
        for text in ["", " ", "a  b ", "「", "」」」", "แ", "中 文", "\u{301}a"] {
            assert_eq!((parts(text).concat(), letters(text).concat()), (text.to_owned(), text.to_owned()));
        }
    }
}
