//! Telling what kind of file the bank has handed out, and reading it.

use base::Money;
use encoding_rs::Encoding;

use crate::MOST_BYTES;
use crate::account::plain_account;
use crate::amount::DecimalMark;
use crate::camt::camt_as;
use crate::day::Day;
use crate::encoding::decoded;
use crate::mistakes::{Mistakes, Problem};
use crate::statement::Statement;
use crate::table::{DayOrder, Form, Said, same_currency, table_as};

/// What the person who imports a file says about it.
#[derive(Clone, Debug)]
pub struct Told {
    /// Needed for CSV, and for CAMT files with several accounts.
    pub account: Option<String>,
    /// The only currency that is read.
    pub currency: String,
    /// The currency of a CSV that does not say it.
    pub currency_of_file: Option<String>,
    pub decimal: DecimalMark,
    /// Which number is the day in a CSV where no line tells it.
    pub order: Option<DayOrder>,
    pub opening: Option<Money>,
    pub closing: Option<Money>,
    pub encoding: Option<&'static Encoding>,
    /// The last day that a booking may have, if the reader knows what day it is.
    pub latest: Option<Day>,
}

/// Reads a file: the statements of one account, in the order of the file.
///
/// # Errors
/// All mistakes in it, or what it is instead of a statement.
pub fn read(bytes: &[u8], told: &Told) -> Result<Vec<Statement>, Mistakes> {
    let refused = |problem| Mistakes::one(1, "the file", problem);
    if bytes.len() > MOST_BYTES {
        return Err(refused(Problem::TooManyBytes { most: MOST_BYTES }));
    }
    if bytes.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0) {
        return Err(refused(Problem::Nothing));
    }
    if let Some(problem) = in_another_form(bytes) {
        return Err(refused(problem));
    }
    let is_said = told.currency_of_file.as_deref().map(|said| same_currency(said.trim(), &told.currency)).transpose();
    let is_said = is_said.map_err(|problem| Mistakes::one(1, "--currency", problem))?.is_some();
    let account = told.account.as_deref().map(plain_account).filter(|account| !account.is_empty());
    if is_xml(bytes, told.encoding) {
        let text = decoded(bytes, told.encoding).map_err(refused)?;
        let statements = camt_as(&text, &told.currency, account.as_deref(), told.latest)?;
        return agreed(statements, told);
    }
    if let Some(what) = swift(bytes) {
        return Err(refused(Problem::OtherForm { what }));
    }
    let account = account.ok_or_else(|| refused(Problem::WithoutAccount))?;
    let Told { currency, decimal, opening, closing, encoding, .. } = told.clone();
    let form = Form { account, currency, decimal, opening, closing };
    let said = Said { currency: is_said, order: told.order, latest: told.latest };
    match decoded(bytes, encoding) {
        Ok(text) => Ok(vec![table_as(text.as_bytes(), &form, said)?]),
        // Told with line and column.
        Err(Problem::NotUtf8) => Ok(vec![table_as(bytes, &form, said)?]),
        Err(problem) => Err(refused(problem)),
    }
}

/// Balances that were named are those of the file, or it is another file than the one that was meant.
fn agreed(statements: Vec<Statement>, told: &Told) -> Result<Vec<Statement>, Mistakes> {
    let mut mistakes = Mistakes::default();
    let mut compare = |field: &str, named: Option<Money>, balance: fn(&Statement) -> Option<Money>| {
        if let Some(named) = named.filter(|named| statements.iter().all(|each| balance(each) != Some(*named))) {
            mistakes.add(1, field, Problem::OtherBalance { named });
        }
    };
    compare("--opening", told.opening, |statement| statement.opening);
    compare("--closing", told.closing, |statement| statement.closing);
    mistakes.none_or(statements)
}

/// The format of a file by its first bytes. A workbook is also a zip archive; suggesting to unpack it would not help.
fn in_another_form(bytes: &[u8]) -> Option<Problem> {
    let packed = |what| Problem::Packed { what };
    let other = |what| Problem::OtherForm { what };
    if let Some(what) = in_words(bytes) {
        return Some(other(what));
    }
    let has = |name: &[u8]| bytes.starts_with(b"PK") && memchr::memmem::find(bytes, name).is_some();
    if has(b"xl/workbook") {
        return Some(other("a workbook of Excel"));
    }
    if has(b"opendocument.spreadsheet") {
        return Some(other("a workbook of OpenDocument"));
    }
    if has(b"Index/Document.iwa") {
        return Some(other("a workbook of Numbers"));
    }
    if has(b"word/document") {
        return Some(other("a text of Word"));
    }
    let unknown = |name: &str| Problem::UnknownEncoding { name: name.to_owned() };
    let known: [(&[u8], Problem); 13] = [
        (b"PK\x03\x04", packed("a ZIP archive")),
        (b"PK\x05\x06", packed("an empty ZIP archive")),
        (b"\x1f\x8b", packed("packed with gzip")),
        (b"7z\xbc\xaf\x27\x1c", packed("a 7z archive")),
        (b"Rar!\x1a\x07", packed("a RAR archive")),
        (b"-----BEGIN PGP MESSAGE-----", packed("encrypted with PGP")),
        (b"%PDF", other("a PDF")),
        (b"\x89PNG", other("a picture")),
        (b"\xff\xd8\xff", other("a picture")),
        (b"\xd0\xcf\x11\xe0", other("a workbook of old Excel")),
        (b"\xff\xfe\0\0", unknown("UTF-32")),
        (b"\0\0\xfe\xff", unknown("UTF-32")),
        (b"\x4c\x6f\xa7\x94\x93", unknown("EBCDIC")),
    ];
    known.into_iter().find(|(beginning, _)| bytes.starts_with(beginning)).map(|(_, problem)| problem)
}

/// What a text is if it is neither a bank's XML nor a table: a sign-in page, or another format of banks.
fn in_words(bytes: &[u8]) -> Option<&'static str> {
    let head = String::from_utf8_lossy(bytes.get(..1_000).unwrap_or(bytes)).to_ascii_lowercase();
    let head = head.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let begins = |with: &[&str]| with.iter().any(|with| head.starts_with(with));
    // Some banks call a table of a web page a workbook.
    if begins(&["<!doctype html", "<html", "<head", "<meta", "<body", "<style", "<table"]) {
        return Some("a web page");
    }
    if head.contains("<?mso-application") || head.contains("urn:schemas-microsoft-com:office:spreadsheet") {
        return Some("a workbook of Excel");
    }
    if begins(&["1cclientbankexchange"]) {
        return Some("an exchange file of 1C");
    }
    if begins(&["01,"]) && head.lines().any(|line| line.starts_with("02,")) {
        return Some("BAI2");
    }
    if begins(&["ofxheader:", "<ofx>"]) || head.contains("<?ofx") {
        return Some("OFX");
    }
    if begins(&["!type:", "!account", "!option:"]) {
        return Some("QIF");
    }
    let first = head.lines().next().unwrap_or_default();
    let is_one = !first.contains([',', ';', '\t', '|']) && first.starts_with(|c: char| c.is_ascii_digit());
    if is_one && matches!(first.len(), 80 | 128 | 240 | 400) {
        return Some("a file of lines of one length, such as CODA, Norma 43 and CNAB");
    }
    let inside = |c: char| head.strip_prefix(c).map(str::trim_start);
    let is_json =
        inside('{').is_some_and(|rest| rest.starts_with('"')) || inside('[').is_some_and(|rest| rest.starts_with('{'));
    is_json.then_some("JSON")
}

/// XML begins with an angle bracket, and our header rows do not.
fn is_xml(bytes: &[u8], encoding: Option<&'static Encoding>) -> bool {
    let head = bytes.get(..64).unwrap_or(bytes);
    let text = decoded(head, encoding).unwrap_or_else(|_| String::from_utf8_lossy(head)).into_owned();
    text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with('<')
}

/// SWIFT's forms have their fields between colons: the reference first, and the account. A report within the day has the
/// moment when it was made besides.
fn swift(bytes: &[u8]) -> Option<&'static str> {
    let head = String::from_utf8_lossy(bytes.get(..2_000).unwrap_or(bytes)).into_owned();
    let begins = |tag: &str| head.lines().any(|line| line.trim_start().starts_with(tag));
    let is_swift = begins(":20:") && (begins(":60F:") || begins(":60M:") || begins(":25:"));
    match head.starts_with("{1:") || is_swift {
        true if begins(":13:") || begins(":13D:") || begins(":34F:") => Some("MT942, a report within the day"),
        true => Some("MT940"),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told() -> Told {
        Told {
            account: Some("A-1".into()),
            currency: "USD".into(),
            currency_of_file: None,
            decimal: DecimalMark::Point,
            order: None,
            opening: None,
            closing: None,
            encoding: None,
            latest: None,
        }
    }

    fn refused(bytes: &[u8]) -> String {
        read(bytes, &told()).expect_err("refused").to_string()
    }

    #[test]
    fn what_is_no_statement_is_named_for_what_it_is() {
        assert_eq!(refused(b"PK\x03\x04rest"), "line 1: the file is a ZIP archive; unpack it");
        assert_eq!(refused(b"\x1f\x8b\x08"), "line 1: the file is packed with gzip; unpack it");
        assert_eq!(refused(b"7z\xbc\xaf\x27\x1c\0"), "line 1: the file is a 7z archive; unpack it");
        let encrypted = b"-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n";
        assert_eq!(refused(encrypted), "line 1: the file is encrypted with PGP; unpack it");
        let swift = ":20:STARTUMS\r\n:25:12030000/0000202051\r\n:28C:1/1\r\n:60F:C260302EUR100,00\r\n";
        for text in [swift.to_owned(), format!("{{1:F01BANKDEFFXXXX}}{{2:}}{{4:\r\n{swift}")] {
            assert_eq!(refused(text.as_bytes()), "line 1: the file is MT940; ask the bank for camt.053");
        }
        let within_the_day = swift.replace(":60F:C260302EUR100,00", ":34F:EURD0,\r\n:13D:2603021200+0100");
        let told_of_it = "line 1: the file is MT942, a report within the day; ask the bank for camt.053";
        assert_eq!(refused(within_the_day.as_bytes()), told_of_it);
        let workbook = b"PK\x03\x04....[Content_Types].xml....xl/workbook.xml";
        assert_eq!(refused(workbook), "line 1: the file is a workbook of Excel; ask the bank for camt.053");
        assert_eq!(refused(b"%PDF-1.7"), "line 1: the file is a PDF; ask the bank for camt.053");
        let text = b"PK\x03\x04....[Content_Types].xml....word/document.xml";
        assert_eq!(refused(text), "line 1: the file is a text of Word; ask the bank for camt.053");
        assert_eq!(refused(b"\xff\xfe\0\0<\0\0\0"), "line 1: the file is in an encoding that is not known: UTF-32");
        assert!(refused(b"\x4c\x6f\xa7\x94\x93\x40").ends_with("not known: EBCDIC"));
        assert_eq!(refused(b"\xff\xd8\xff\xe0\0\x10JFIF"), "line 1: the file is a picture; ask the bank for camt.053");
        let nobodys = |bytes: &[u8]| read(bytes, &Told { account: None, ..told() }).expect_err("refused").to_string();
        assert_eq!(nobodys(b"date,amount,currency\n"), "line 1: the file does not say whose it is; --account does");
        // The format is checked first: no account could make the file readable.
        assert_eq!(nobodys(b"PK\x03\x04rest"), refused(b"PK\x03\x04rest"));
        assert_eq!(nobodys(swift.as_bytes()), refused(swift.as_bytes()));
    }

    #[test]
    fn forms_that_are_texts_are_named_as_well() {
        let coda = format!("{:<128}\r\n{:<128}\r\n", "0000003111772505        00417742  Company", "10001");
        for (text, what) in [
            (coda.as_str(), "a file of lines of one length, such as CODA, Norma 43 and CNAB"),
            ("<!DOCTYPE html>\n<html><body>Your session has expired</body></html>", "a web page"),
            ("\u{feff}\r\n<HTML><table><tr><td>date</td></tr></table></HTML>", "a web page"),
            ("OFXHEADER:100\nDATA:OFXSGML\n\n<OFX></OFX>", "OFX"),
            ("<?xml version=\"1.0\"?>\n<?OFX OFXHEADER=\"200\"?><OFX></OFX>", "OFX"),
            ("!Type:Bank\nD3/2'26\nT50.00\n^\n", "QIF"),
            ("<meta charset=\"utf-8\">\n<table><tr><td>Date</td></tr></table>", "a web page"),
            ("<?xml version=\"1.0\"?>\n<?mso-application progid=\"Excel.Sheet\"?>\n<Workbook/>", "a workbook of Excel"),
            ("1CClientBankExchange\r\nВерсияФормата=1.03\r\n", "an exchange file of 1C"),
            ("01,122099999,123456789,260302,0200,1,80,,2/\n02,031001234,122099999,1,260302,0200,USD,2/\n", "BAI2"),
            ("{\n \"transactions\": []}", "JSON"),
            ("[ {\"amount\": 1}]", "JSON"),
            ("PK\x03\x04....mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "a workbook of OpenDocument"),
        ] {
            let problem = format!("line 1: the file is {what}; ask the bank for camt.053");
            assert_eq!(refused(text.as_bytes()), problem);
            assert_eq!(
                read(text.as_bytes(), &Told { account: None, ..told() }).expect_err("refused").to_string(),
                problem
            );
        }
        assert!(refused(b"[date],amount\n").contains("no column of ours"));
    }

    #[test]
    fn balances_that_are_named_are_those_of_the_file() {
        let balance = |code: &str, amount: &str, day: &str| {
            format!(
                "<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy=\"USD\">{amount}</Amt>\
                 <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>"
            )
        };
        let of_day = |day: &str, amount: &str| {
            let (opening, closing) = (balance("OPBD", amount, day), balance("CLBD", amount, day));
            format!("<Stmt><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></Acct>{opening}{closing}</Stmt>")
        };
        // Some banks write the newest day first.
        let days = of_day("2026-03-03", "2.00") + &of_day("2026-03-02", "1.00");
        let file = format!("<Document><BkToCstmrStmt>{days}</BkToCstmrStmt></Document>");
        let with = |opening: Option<i64>, closing: Option<i64>| {
            let [opening, closing] = [opening, closing].map(|minor| minor.map(Money::from_minor));
            read(file.as_bytes(), &Told { account: None, opening, closing, ..told() })
                .map_err(|mistakes| mistakes.to_string())
        };
        for named in [(None, Some(200)), (Some(100), Some(200)), (Some(200), Some(100)), (None, None)] {
            assert_eq!(with(named.0, named.1).map(|found| found.len()), Ok(2), "{named:?}");
        }
        let other = |field: &str| format!("line 1: {field} is 3.00, which is the balance of no statement in the file");
        assert_eq!(with(None, Some(300)), Err(other("--closing")));
        assert_eq!(with(Some(300), Some(200)), Err(other("--opening")));
    }

    #[test]
    fn the_currency_of_a_table_that_does_not_say_it_is_said() {
        let file = b"Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #\n\
            CREDIT,11/16/2026,BANK-4711,50.00,ACH_CREDIT,150.00,,\n";
        let in_currency = |said: Option<&str>| {
            let told = Told { currency_of_file: said.map(str::to_owned), ..told() };
            read(file, &told).map(|found| found.len()).map_err(|mistakes| mistakes.to_string())
        };
        assert_eq!(in_currency(Some("usd")), Ok(1));
        let none = "line 1: currency is in no column; add one that says it on each line, or say it by --currency";
        assert_eq!(in_currency(None), Err(none.into()));
        let other = "line 1: --currency is EUR, and this installation keeps USD";
        assert_eq!(in_currency(Some("EUR")), Err(other.into()));
    }

    #[test]
    fn a_file_with_nothing_in_it_is_told_for_that() {
        for bytes in [&b""[..], b" \n\t", b"\0\0", b"<?xml version=\"1.0\"?>\n"] {
            assert_eq!(refused(bytes), "line 1: the file has nothing in it");
        }
    }

    #[test]
    fn an_account_is_the_same_in_both_forms_however_it_is_spelled() {
        let table = b"date,amount,currency\n2026-03-02,50.00,USD\n";
        let camt = |iban: &str| {
            let balance = |code: &str, amount: &str| {
                format!(
                    "<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy=\"USD\">{amount}</Amt>\
                     <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-02</Dt></Dt></Bal>"
                )
            };
            format!(
                "<?xml version=\"1.0\" encoding=\"utf-16\"?><Document><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><IBAN>{iban}\
                 </IBAN></Id></Acct>{}{}</Stmt></BkToCstmrStmt></Document>",
                balance("OPBD", "1.00"),
                balance("CLBD", "1.00")
            )
        };
        let of = |bytes: &[u8], account: Option<&str>| {
            let told = Told { account: account.map(str::to_owned), ..told() };
            read(bytes, &told).unwrap_or_else(|mistakes| panic!("{mistakes}")).remove(0).account
        };
        for spelled in ["DE02120300000000202051", "DE02 1203 0000 0000 2020 51", "de02-1203-0000-0000-2020-51"] {
            let plain = "DE02120300000000202051";
            assert_eq!(of(table, Some(spelled)), plain);
            assert_eq!(of(camt(spelled).as_bytes(), None), plain);
            assert_eq!(of(camt(plain).as_bytes(), Some(spelled)), plain);
        }
        let nobodys = read(table, &Told { account: Some(" \u{200b}".into()), ..told() }).expect_err("refused");
        assert_eq!(nobodys.listed()[0].problem, Problem::WithoutAccount);
    }

    #[test]
    fn a_table_is_read_in_the_encoding_of_its_mark_or_its_name() {
        let text = "date,amount,currency,counterparty\n2026-03-02,50.00,USD,Jürgen Größe\n";
        let name = |bytes: &[u8], told: &Told| read(bytes, told).expect("read")[0].lines[0].counterparty.clone();
        let marked: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(name(&marked, &told()), "Jürgen Größe");
        let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin")).collect();
        let named = Told { encoding: crate::encoding_named("windows-1252"), ..told() };
        assert_eq!(name(&latin, &named), "Jürgen Größe");
        assert!(refused(&latin).starts_with("line 2: counterparty is not UTF-8; --encoding"), "{}", refused(&latin));
    }
}
