//! Addresses in texts that staff write to users. The app shows them as plain text, but a reader may type, copy or write
//! to one.

use base::invisible::is_default_ignorable;
use linkify::LinkFinder;
use unicode_normalization::UnicodeNormalization;

/// The web and e-mail addresses in a text, in order, as a browser would read them; also those without a scheme. Two
/// words with a full stop but no blank between them look like an address.
///
/// ```
/// let found = notifications::links("Pay at pay.example/now, or write to desk@evil.example.");
/// assert_eq!(found, ["pay.example/now", "desk@evil.example"]);
/// assert!(notifications::links("Open Wallet, then /wallet/withdraw. Version 1.2 of 3.45 is there.").is_empty());
/// ```
pub fn links(text: &str) -> Vec<String> {
    let mut found = find(&as_browsers_read(text));
    if text.contains(OVERRIDES) {
        let turned: String = text.chars().rev().collect();
        found.extend(find(&as_browsers_read(&turned)));
    }
    found
}

/// What follows one of these is shown letter by letter in one direction: `ed.4live` may be shown as `evil4.de`.
const OVERRIDES: [char; 2] = ['\u{202d}', '\u{202e}'];

fn find(text: &str) -> Vec<String> {
    let mut finder = LinkFinder::new();
    finder.url_must_have_scheme(false);
    let mut found: Vec<(usize, &str)> = finder.links(text).map(|link| (link.start(), link.as_str())).collect();
    let is_part = |at: usize| found.iter().any(|(start, link)| (*start..*start + link.len()).contains(&at));
    let others = hosts(text).chain(with_a_scheme(text));
    let others: Vec<(usize, &str)> = others.filter(|(at, _)| !is_part(*at)).collect();
    found.extend(others);
    found.sort_unstable();
    found.into_iter().map(|(_, link)| link.to_owned()).collect()
}

/// The text as a browser's address bar reads it: without invisible characters, with plain letters in place of wide ones
/// and of signs such as № or ㏄, and with a dot in place of the full stops of Chinese and Japanese (UTS #46). Those full
/// stops also end sentences, so they count as dots only between letters or digits of other scripts.
fn as_browsers_read(text: &str) -> String {
    let seen: Vec<char> = text.chars().filter(|c| !is_default_ignorable(*c)).collect();
    // Before a number, № says that one follows: "по сч.№ 5".
    let numbers =
        |at: usize| seen.iter().skip(at).skip(1).find(|c| !c.is_whitespace()).is_some_and(char::is_ascii_digit);
    let plain = |(at, c): (usize, &char)| if *c == '№' && numbers(at) { vec![*c] } else { in_ascii(*c) };
    let shown: Vec<char> = seen.iter().enumerate().flat_map(plain).collect();
    let has_other_stops =
        |at: Option<usize>| at.and_then(|at| shown.get(at)).is_some_and(|c| c.is_alphanumeric() && !is_east_asian(*c));
    let read = |(at, c): (usize, &char)| match c {
        '\u{3002}' | '\u{ff0e}' | '\u{ff61}'
            if has_other_stops(at.checked_sub(1)) && has_other_stops(at.checked_add(1)) =>
        {
            '.'
        }
        '\u{2024}' | '\u{fe52}' => '.',
        c => *c,
    };
    shown.iter().enumerate().map(read).collect()
}

/// The letters, digits and signs of addresses that a compatibility character stands for, or the character itself.
fn in_ascii(c: char) -> Vec<char> {
    let plain: Vec<char> = std::iter::once(c).nfkc().collect();
    let is_of_address = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '@' | '-');
    if plain.iter().all(is_of_address) { plain } else { vec![c] }
}

/// Han, kana, Hangul and what is written with them.
const fn is_east_asian(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{a4cf}' | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ffdc}' | '\u{1aff0}'..='\u{1b16f}' | '\u{20000}'..='\u{3ffff}')
}

/// Host names such as `evil.example` or `кошелёк.рф`, and where they begin, whatever is before and after them. The
/// library does not find a name after a slash, an `@` or a full stop, or before an underscore.
fn hosts(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split(|c| !is_of_host(c)).map(|word| word.trim_matches(['.', '-', '_']));
    let is_host = |word: &&str| {
        word.rsplit_once('.')
            .is_some_and(|(before, last)| is_top_level(last) && !before.is_empty() && !before.ends_with(['.', '-']))
    };
    // The word is a slice of the text, so its position is the distance between the two pointers.
    words.filter(is_host).map(|word| (word.as_ptr().addr() - text.as_ptr().addr(), word))
}

/// Whether it could be the last part of a name: two letters at the least. An amount or a day ends in digits.
fn is_top_level(last: &str) -> bool {
    if last.is_ascii() {
        return last.chars().take_while(char::is_ascii_alphabetic).count() > 1;
    }
    let is_name = last.chars().all(|c| c.is_alphabetic() || !c.is_ascii());
    is_name && last.chars().filter(|c| c.is_alphabetic()).count() > 1
}

/// Whatever follows a scheme, with where it begins: a browser also takes a number for a host.
fn with_a_scheme(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices("://").filter_map(move |(at, colon)| {
        let begins = text.get(..at)?.trim_end_matches(|c: char| c.is_ascii_alphanumeric()).len();
        let word = text.get(begins..)?.split(char::is_whitespace).next()?;
        (begins < at && word.len() > at - begins + colon.len()).then_some((begins, word))
    })
}

/// Whether a character can be in a host name. Outside ASCII, all but blanks and common signs can, since marks above and
/// below letters are parts of them.
fn is_of_host(c: char) -> bool {
    let is_sign =
        matches!(c, '\u{80}'..='\u{bf}' | '\u{2000}'..='\u{206f}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff65}');
    if c.is_ascii() {
        c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_')
    } else {
        !is_sign && !c.is_whitespace()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_however_they_are_written() {
        for text in [
            "https://evil.example/login",
            "See HTTP://EVIL.EXAMPLE.",
            "(www.evil.example)",
            "evil.example/a?b=c",
            "mailto:help@evil.example",
            "write to help@evil.example",
            "访问 evil.example 领取",
            "hxxps://evil.example",
            "203.0.113.7/login",
            "see http://3405803783/login",
            "https://[2001:db8::7]/login",
            "http://0xcb.0x71.0x7.0x7",
        ] {
            assert!(!links(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn addresses_are_found_as_browsers_read_them() {
        for (text, found) in [
            ("go to evil\u{200b}.\u{200b}example now", "evil.example"),
            ("ev\u{ad}il.exam\u{2060}ple", "evil.example"),
            ("ｅｖｉｌ．ｅｘａｍｐｌｅ", "evil.example"),
            ("访问evil。example", "访问evil.example"),
            ("help＠evil｡example", "help@evil.example"),
            ("evil\u{2024}example", "evil.example"),
            ("Зайдите на кошелёк.рф/вход.", "кошелёк.рф"),
            ("访问 登录.中国 领取", "登录.中国"),
            ("desk@เว็บ.ไทย", "เว็บ.ไทย"),
            ("зайдите на кошелёк．рф", "кошелёк.рф"),
            ("pay at evil.№", "evil.No"),
            ("evil.℡/login", "evil.TEL/login"),
            ("evil.㏄", "evil.cc"),
            ("evil.ﬁ", "evil.fi"),
            ("ⓔⓥⓘⓛ.𝐞𝐱𝐚𝐦𝐩𝐥𝐞", "evil.example"),
            ("look at \u{202e}ed.4live\u{202c}", "evil4.de"),
        ] {
            assert!(links(text).iter().any(|link| link.ends_with(found)), "{text}: {:?}", links(text));
        }
        assert_eq!(links("кошелёк.рф, then evil.example"), ["кошелёк.рф", "evil.example"]);
    }

    #[test]
    fn what_stands_beside_an_address_hides_none() {
        for text in [
            "open /evil.example",
            "//evil.example/login",
            "\\\\evil.example\\login",
            "at .evil.example",
            "at: ..evil.example",
            "as @evil.example",
            "a..evil.example",
            "evil.example_",
            "~evil.example~",
            "login.my_bank.evil.example",
        ] {
            let found = links(text);
            assert!(found.iter().any(|link| link.contains("evil.example")), "{text}: {found:?}");
        }
    }

    #[test]
    fn sentences_hold_none() {
        for text in [
            "Your question is answered.",
            "Nothing can be put from 02:00 to 02:15 UTC.",
            "Open Me > Security, e.g. to set a password.",
            "1,250.00 were credited; 3.5 % fee",
            "Begin with https:// and the name.",
            "The limit is 10.00EUR, at 1.5MB; see /wallet/withdraw... or ask.",
            "Оплатите по сч.№ 40702810, дог.№5",
            "Pay by No. 5, or №5. Then 50 m². It is for Marca®, the 1.º time.",
            "Guten Tag. Ihre Frage ist beantwortet",
            "已到账。请查看钱包。",
            "入金されました．ご確認ください．",
            "Ответ готов. Сумма: 1 250,00, т.е. больше, и т.д.",
            "Gửi lúc 12.03.2026. Cảm ơn",
            "วันที่ 5 ม.ค. 2569",
        ] {
            assert_eq!(links(text), Vec::<String>::new(), "{text}");
        }
    }
}
