//! The currency that banks write beside an amount, as in `$50.00`, `50,00 €` and `USD 50.00`.

use super::sides::side;

/// The signs of currencies; of two with the same beginning, the longer one comes first. Several countries write `$`:
/// the table, or the person who imports it, must say whose it is.
const SIGNS: [(&str, &[&str]); 27] = [
    ("USD", &["US$", "$"]),
    ("CAD", &["CA$", "C$", "$"]),
    ("AUD", &["AU$", "A$", "$"]),
    ("NZD", &["NZ$", "$"]),
    ("SGD", &["S$", "$"]),
    ("HKD", &["HK$", "$"]),
    ("MXN", &["MX$", "$"]),
    ("BRL", &["R$"]),
    ("EUR", &["€"]),
    ("GBP", &["£"]),
    ("CNY", &["¥", "￥"]),
    ("INR", &["₹"]),
    ("PHP", &["₱"]),
    ("THB", &["฿"]),
    ("TRY", &["₺", "TL"]),
    ("RUB", &["₽", "руб.", "руб"]),
    ("UAH", &["₴"]),
    ("PLN", &["zł"]),
    ("CHF", &["SFr.", "Fr."]),
    ("CZK", &["Kč"]),
    ("DKK", &["kr.", "kr"]),
    ("HUF", &["Ft"]),
    ("IDR", &["Rp.", "Rp"]),
    ("MYR", &["RM"]),
    ("NOK", &["kr.", "kr"]),
    ("SEK", &["kr.", "kr"]),
    ("TWD", &["NT$", "$"]),
];

/// Whether amounts in this currency are written with `$`.
pub fn writes_dollars(currency: &str) -> bool {
    SIGNS.iter().any(|(code, signs)| code.eq_ignore_ascii_case(currency) && signs.contains(&"$"))
}

/// An amount without its currency before or behind it.
pub fn without_currency(text: &str, currency: &str) -> String {
    let text = without(text, around_code(text, currency));
    let ours = SIGNS.iter().find(|(code, _)| code.eq_ignore_ascii_case(currency));
    let around_sign = ours.and_then(|(_, signs)| signs.iter().find_map(|sign| text.split_once(*sign)));
    without(&text, around_sign)
}

/// What is around the currency, if that is not between numbers.
fn without(text: &str, around: Option<(&str, &str)>) -> String {
    match around {
        Some((before, after)) if has_no_number(before) || has_no_number(after) => {
            format!("{}{}", before.trim(), after.trim())
        }
        _ => text.to_owned(),
    }
}

/// Whether there is nothing but what makes an amount negative, or not. A word for that is parted from the currency:
/// `USDC` is another one.
fn has_no_number(text: &str) -> bool {
    let is_word = text.starts_with(' ') && side(text.trim()).is_some();
    is_word || text.trim().chars().all(|c| matches!(c, '-' | '+' | '(' | ')' | '\u{2212}'))
}

/// What is before the code of the currency, and what is behind it.
fn around_code<'t>(text: &'t str, currency: &str) -> Option<(&'t str, &'t str)> {
    let at = text.to_ascii_uppercase().find(&currency.to_ascii_uppercase())?;
    Some((text.get(..at)?, text.get(at + currency.len()..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_currency_is_left_out_wherever_it_stands() {
        for (currency, text, left) in [
            ("USD", "$1,050.00", "1,050.00"),
            ("USD", "-$5.00", "-5.00"),
            ("USD", "$ -5.00", "-5.00"),
            ("USD", "($5.00)", "(5.00)"),
            ("USD", "US$5.00 CR", "5.00 CR"),
            ("usd", "usd 5.00", "5.00"),
            ("CAD", "CA$5.00", "5.00"),
            ("EUR", "1.190,00\u{a0}€", "1.190,00"),
            ("EUR", "\u{2212}5,00 €", "\u{2212}5,00"),
            ("EUR", "5,00 EUR", "5,00"),
            ("BRL", "-R$\u{a0}5,00", "-5,00"),
            ("PLN", "5,00 zł", "5,00"),
            ("USD", "5.00", "5.00"),
            ("USD", "-USD 5.00", "-5.00"),
            ("USD", "(usd 5.00)", "(5.00)"),
            ("USD", "USD $5.00", "5.00"),
            ("USD", "5.00 USD CR", "5.00CR"),
            ("SEK", "1 234,50 kr", "1 234,50"),
            ("DKK", "-5,00 kr.", "-5,00"),
            ("CHF", "Fr. 5.00", "5.00"),
            ("RUB", "5,00 руб.", "5,00"),
        ] {
            assert_eq!(without_currency(text, currency), left, "{text}");
        }
    }

    #[test]
    fn what_is_not_the_currency_of_the_table_stays() {
        for (currency, text) in [
            ("USD", "€5.00"),
            ("USD", "R$5.00"),
            ("USD", "CA$5.00"),
            ("EUR", "$5.00"),
            ("USD", "1$5"),
            ("JOD", "$5"),
            ("USD", "5 USDT"),
            ("USD", "5 USDC"),
        ] {
            assert_eq!(without_currency(text, currency), text);
        }
        assert_eq!(without_currency("$$5.00", "USD"), "$5.00", "one of two");
    }
}
