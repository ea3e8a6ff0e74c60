//! The columns of banks' exports, one by one, as far as they are read in a way of their own.

use super::*;

const BOTH: [(&str, i64); 2] = [("2026-03-02", 5_000), ("2026-03-03", -320)];

fn found(text: &str, decimal: DecimalMark) -> Result<Statement, String> {
    let form = Form { account: "A-1".into(), currency: "USD".into(), decimal, opening: None, closing: None };
    let said = Said { currency: true, order: Some(DayOrder::DayFirst), latest: None };
    table_as(text.as_bytes(), &form, said).map_err(|mistakes| mistakes.to_string())
}

fn read(text: &str, decimal: DecimalMark) -> Statement {
    found(text, decimal).unwrap_or_else(|mistakes| panic!("{mistakes}\n{text}"))
}

fn moved(of: &Statement) -> Vec<(String, i64)> {
    of.lines.iter().map(|line| (line.booked_on.to_string(), line.amount.minor())).collect()
}

#[test]
fn an_amount_may_be_written_again_on_its_side() {
    let text = "Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN / Kontonummer;BIC;Betrag;Soll;Haben;Währung\n\
        02.03.2026;02.03.2026;SEPA Überweisung;Mia Chen;BANK-4711;DE02;BYLADEM1001;50,00;;50,00;USD\n\
        03.03.2026;03.03.2026;Entgelt;Bank;Entgelt;;;-3,20;-3,20;;USD\n";
    let wanted = BOTH.map(|(day, minor)| (day.to_owned(), minor));
    assert_eq!(moved(&read(text, DecimalMark::Comma)), wanted);
    for same in [text.replace("-3,20;-3,20", "-3,20;3,20"), text.replace(";;50,00;USD", ";;;USD")] {
        assert_eq!(moved(&read(&same, DecimalMark::Comma)), wanted);
    }
    for (other, told) in [
        (text.replace(";;50,00;USD", ";;50,01;USD"), "line 2: Betrag is 50.00, and the columns of what"),
        (text.replace(";;50,00;USD", ";50,00;;USD"), "line 2: Betrag is 50.00, and the columns of what"),
        (text.replace("-3,20;-3,20;", "-3,20;;3,20"), "line 3: Betrag is -3.20, and the columns of what"),
    ] {
        let refused = found(&other, DecimalMark::Comma).expect_err("refused");
        assert!(refused.starts_with(told), "{refused}");
    }
}

#[test]
fn what_is_left_of_a_fee_is_what_moves() {
    let text = "Date,Time,TimeZone,Name,Type,Status,Currency,Gross,Fee,Net,Transaction ID,Invoice Number,Balance\n\
        02/03/2026,10:11:12,PST,Mia Chen,General Payment,Completed,USD,51.75,-1.75,50.00,1AB,BANK-4711,150.00\n\
        03/03/2026,10:11:12,PST,Shop,General Payment,Completed,USD,-3.20,0.00,-3.20,2AB,,146.80\n\
        04/03/2026,10:11:12,PST,Shop,General Payment,Denied,USD,-1.00,0.00,-1.00,3AB,,\n";
    let read_one = read(text, DecimalMark::Point);
    assert_eq!(moved(&read_one), BOTH.map(|(day, minor)| (day.to_owned(), minor)));
    assert_eq!((read_one.left_out, read_one.lines[0].references.as_slice()), (1, &["BANK-4711".to_owned()][..]));
    assert!(["Gross", "Fee"].iter().all(|name| read_one.passed_over.contains(&(*name).to_owned())));
    let both = "Date,Amount,Fee,Net\n02/03/2026,51.75,1.75,50.00\n";
    assert_eq!(moved(&read(both, DecimalMark::Point)), [("2026-03-02".to_owned(), 5_000)]);
    let without = both.replace(",Net", "").replace(",50.00\n", "\n");
    assert!(found(&without, DecimalMark::Point).is_err_and(|told| told.starts_with("line 2: Fee is not zero")));
}

#[test]
fn a_line_with_a_balance_and_no_amount_moves_nothing() {
    let text = "Date,Description,Amount,Running Bal.\n01/03/2026,Beginning balance,,100.00\n\
        02/03/2026,BANK-4711,50.00,150.00\n03/03/2026,FEE,-3.20,146.80\n03/03/2026,Ending balance,,146.80\n";
    let read_one = read(text, DecimalMark::Point);
    assert_eq!(moved(&read_one), BOTH.map(|(day, minor)| (day.to_owned(), minor)));
    let ends = (read_one.opening.map(Money::minor), read_one.closing.map(Money::minor));
    assert_eq!((ends, read_one.left_out), ((Some(10_000), Some(14_680)), 2));
    let lost = found(&text.replace("FEE,-3.20", "FEE,"), DecimalMark::Point).expect_err("refused");
    assert!(lost.starts_with("line 4: Running Bal. is 146.80"), "{lost}");
    let without = found("Date,Amount\n01/03/2026,\n", DecimalMark::Point);
    assert_eq!(without.expect_err("refused"), "line 2: Amount is missing");
}

#[test]
fn a_text_goes_on_in_columns_without_names() {
    let text = "\"Data operacji\",\"Data waluty\",\"Kwota\",\"Waluta\",\"Opis transakcji\",\"\",\"\"\n\
        2026-03-02,2026-03-02,+50.00,USD,Rachunek: 11 1140,Nazwa: MIA CHEN,BANK-4711\n2026-03-03,2026-03-03,-3.20,USD,x\n";
    let read_one = read(text, DecimalMark::Point);
    assert_eq!(moved(&read_one), BOTH.map(|(day, minor)| (day.to_owned(), minor)));
    assert_eq!(read_one.lines[0].description, "Rachunek: 11 1140 Nazwa: MIA CHEN BANK-4711");
    let wider = found(&text.replace("BANK-4711", "BANK-4711,x"), DecimalMark::Point).expect_err("refused");
    assert!(wider.starts_with("line 2: the line has 8 values, the header has 5"), "{wider}");
}

#[test]
fn a_header_has_only_so_many_columns() {
    let named = |count| format!("date,amount{}\n2026-03-02,50.00{}\n", ",currency".repeat(count), ",USD".repeat(count));
    assert_eq!(read(&named(498), DecimalMark::Point).lines.len(), 1);
    let told = "line 1: the header has more than 500 columns; take away those that no line needs";
    for wide in [named(499), format!("date,amount{}\n", ",x".repeat(1_000_000))] {
        assert_eq!(found(&wide, DecimalMark::Point).expect_err("refused"), told);
    }
    // Columns without a name cost nothing on each line.
    let rows = "2026-03-02,50.00,x\n".repeat(10_000);
    let nameless = format!("date,amount,description{}\n{rows}", ",".repeat(1_000_000));
    assert_eq!(read(&nameless, DecimalMark::Point).lines.len(), 10_000);
    let beyond = format!("date,amount,description{}\n2026-03-02,50.00,x{}y\n", ",".repeat(60), ",".repeat(51));
    assert!(found(&beyond, DecimalMark::Point).expect_err("refused").starts_with("line 2: the line has 54 values"));
}

#[test]
fn a_word_in_place_of_a_day_says_that_nothing_is_booked() {
    let text = "Buchungstag;Wertstellung (Valuta);Vorgang;Buchungstext;Umsatz in USD;\n\
        offen;--;Visa;x;-1,00;\n02.03.2026;02.03.2026;Übertrag;BANK-4711;50,00;\n03.03.2026;03.03.2026;Entgelt;y;-3,20;\n";
    let read_one = read(text, DecimalMark::Comma);
    assert_eq!((moved(&read_one).len(), read_one.left_out), (2, 1));
    assert!(found(&text.replace("offen", "bald"), DecimalMark::Comma).is_err_and(|told| told.starts_with("line 2: ")));
}

#[test]
fn a_dash_is_no_amount_and_a_header_may_come_again() {
    let text = "Date,Debit,Credit\n02/03/2026,-,50.00\nDate,Debit,Credit\n03/03/2026,3.20,–\n";
    assert_eq!(moved(&read(text, DecimalMark::Point)), BOTH.map(|(day, minor)| (day.to_owned(), minor)));
    let put_together = text.replace("\nDate,", "\n\u{feff}Date,");
    assert_eq!(moved(&read(&put_together, DecimalMark::Point)), moved(&read(text, DecimalMark::Point)));
    let nothing = found(&text.replace("3.20,–", "-,–"), DecimalMark::Point).expect_err("refused");
    assert_eq!(nothing, "line 4: amount is missing");
    let signs = "Date,Amount\n02/03/2026,+ USD 50.00\n03/03/2026,(USD 3.20)\n";
    assert_eq!(moved(&read(signs, DecimalMark::Point)), BOTH.map(|(day, minor)| (day.to_owned(), minor)));
}

#[test]
fn what_a_spreadsheet_keeps_is_a_text_and_what_it_rounds_is_none() {
    let text = "Date,Amount,Reference,ID,Description,Status\n02/03/2026,=\"50.00\",=\"0004711\",=\"007\",\"=\"\"08\"\"\",=\"Booked\"\n";
    let line = read(text, DecimalMark::Point).lines.remove(0);
    assert_eq!((line.id.as_str(), line.references.as_slice()), ("007", &["0004711".to_owned()][..]));
    assert_eq!((line.amount.minor(), line.description.as_str()), (5_000, "08"));
    for (column, of) in [("Reference", "=\"0004711\""), ("ID", "=\"007\"")] {
        let told = found(&text.replace(of, "2.02611E+12"), DecimalMark::Point).expect_err("refused");
        assert!(told.starts_with(&format!("line 2: {column} is 2.02611E+12, a number that")), "{told}");
    }
    assert!(found(&text.replace("\"=\"\"08\"\"\"", "2.02611E+12"), DecimalMark::Point).is_ok());
}

#[test]
fn an_address_of_several_lines_is_one_text() {
    let text = "Date,Description,Amount,Name,Reference,Memo,Note\n02/03/2026,a,50.00,Mia,BANK-4711,\"Gartenweg 3\n\
        10115 Berlin, Mitte, Germany\",x\n03/03/2026,b,-3.20,,,,\n";
    let read_one = read(text, DecimalMark::Point);
    assert_eq!(moved(&read_one), BOTH.map(|(day, minor)| (day.to_owned(), minor)));
    assert_eq!(read_one.lines[0].description, "a Gartenweg 3 10115 Berlin, Mitte, Germany x");
}

#[test]
fn a_word_behind_an_amount_says_where_it_goes() {
    for [comes, goes] in [["50,00 C", "3,20 D"], ["50,00 H", "3,20 S"], ["50,00 Cr.", "3,20DR"], ["50,00", "3,20 -"]] {
        let text = format!("Data;Valor\n02/03/2026;{comes}\n03/03/2026;{goes}\n");
        let read_one = read(&text, DecimalMark::Comma);
        assert_eq!(moved(&read_one), BOTH.map(|(day, minor)| (day.to_owned(), minor)), "{text}");
    }
}

#[test]
fn names_of_more_banks_are_known() {
    for (text, mark) in [
        (
            "Fecha contable;Fecha valor;Descripción;Debe;Haber;Saldo\n02/03/2026;02/03/2026;BANK-4711;;50,00;150,00\n\
             03/03/2026;03/03/2026;COMISIÓN;3,20;;146,80\n",
            DecimalMark::Comma,
        ),
        (
            "Rekeningnummer;Transactiedatum;Valutacode;CreditDebet;Bedrag;Tegenrekeninghouder;Omschrijving;Boekdatum\n\
             NL1;01-03-2026;USD;C;50,00;Mia;BANK-4711;02-03-2026\nNL1;03-03-2026;USD;D;3,20;Bank;x;03-03-2026\n",
            DecimalMark::Comma,
        ),
        (
            "Nº de séquence;Date d'exécution;Montant;Devise du compte;Numéro de compte;Type de transaction;Contrepartie;\
             Communication;Statut;Motif du refus\n1;02/03/2026;50,00;USD;BE1;Virement;BE2;BANK-4711;Accepté;\n\
             2;03/03/2026;-3,20;USD;BE1;Frais;;x;Accepté;\n3;04/03/2026;-9,00;USD;BE1;Virement;;z;Refusé;x\n",
            DecimalMark::Comma,
        ),
        (
            "Date;Type de mouvement;Texte de notification;Crédit en USD;Débit en USD\n\
             02.03.2026;Crédit;BANK-4711;50.00;\n03.03.2026;Débit;frais;;-3.20\n",
            DecimalMark::Point,
        ),
        (
            "Bokføringsdato;Beløp;Avsender;Mottaker;Navn;Tittel;Valuta\n2026/03/02;50,00;;;Mia;BANK-4711;USD\n\
             2026/03/03;-3,20;;;Bank;Gebyr;USD\n",
            DecimalMark::Comma,
        ),
        (
            "Conta;Data_Mov;Nr_Doc;Historico;Valor;Deb_Cred\n1;20260302;01;BANK-4711;50.00;C\n1;20260303;02;T;3.20;D\n",
            DecimalMark::Point,
        ),
        (
            "Numer rachunku/karty,Data transakcji,Data rozliczenia,Opis,Obciążenia,Uznania,Saldo,Waluta\n\
             PL1,2026-03-01,2026-03-02,BANK-4711,,50.00,150.00,USD\nPL1,2026-03-03,2026-03-03,x,-3.20,,146.80,USD\n",
            DecimalMark::Point,
        ),
        (
            "#Data księgowania;#Data operacji;#Opis operacji;#Tytuł;#Nadawca/Odbiorca;#Numer konta;#Kwota;#Saldo po operacji;\n\
             2026-03-02;2026-03-02;PRZELEW;\"BANK-4711\";\"MIA CHEN\";'11114020;50,00;150,00;\n2026-03-03;2026-03-03;OPŁATA;;;;-3,20;146,80;\n",
            DecimalMark::Comma,
        ),
        (
            "Date;Name / Description;Account;Counterparty;Code;Debit/credit;Amount (USD);Transaction type;Notifications;Resulting balance;Tag\n\
             20260302;Mia;NL1;NL2;OV;Credit;50,00;Transfer;BANK-4711;150,00;\n20260303;x;NL1;;GT;Debit;3,20;Online;y;146,80;\n",
            DecimalMark::Comma,
        ),
        (
            "Account Number,Date,Time,Transaction Code,Channel,Cheque Number,Debit Amount,Credit Amount,Balance Sign,Balance Amount,Description\n\
             1,02/03/2026,10:11,X1,ENET,,,50.00,+,150.00,BANK-4711\n1,03/03/2026,10:11,X2,ENET,,3.20,,+,146.80,FEE\n",
            DecimalMark::Point,
        ),
        (
            "交易日期,摘要,交易详情,钞/汇,交易金额(收入),交易金额(支出),交易币种,记账金额(收入),记账金额(支出),记账币种,余额,对方户名,对方账户\n\
             2026-03-02,汇款,BANK-4711,钞,46.10,,EUR,50.00,,USD,150.00,陈,6222\n2026-03-03,费,x,钞,,3.20,USD,,3.20,USD,146.80,,\n",
            DecimalMark::Point,
        ),
        (
            "取引日,お取引内容,お引出金額,お預入金額,残高\n2026.03.02,BANK-4711,,50,150\n2026.03.03,手数料,3.20,,146.80\n",
            DecimalMark::Point,
        ),
        (
            "Tipo,Producto,Fecha de inicio,Fecha de finalización,Descripción,Importe,Comisión,Divisa,State,Saldo\n\
             TOPUP,Actual,2026-03-01 1:00:00,2026-03-02 1:00:00,BANK-4711,50.00,0.00,USD,COMPLETED,150.00\n\
             FEE,Actual,2026-03-01 1:00:00,2026-03-03 1:00:00,x,-3.20,0.00,USD,COMPLETED,146.80\n",
            DecimalMark::Point,
        ),
        (
            "Kirjauspäivä;Arvopäivä;Määrä USD;Laji;Selitys;Saaja/Maksaja;Viite;Viesti\n\
             2026-03-02;2026-03-02;50,00;700;TILISIIRTO;Mia;BANK-4711;x\n2026-03-03;2026-03-03;-3,20;700;MAKSU;;;y\n",
            DecimalMark::Comma,
        ),
        (
            "Nr;Execution date;Value date;Amount;Account currency;Account number;Name of the counterparty;Message;Status;Rejection reason\n\
             1;02/03/2026;02/03/2026;50,00;USD;BE1;Mia;BANK-4711;Accepted;\n2;03/03/2026;03/03/2026;-3,20;USD;BE1;;x;Accepted;\n\
             3;04/03/2026;04/03/2026;-9,00;USD;BE1;;z;Refused;No money\n",
            DecimalMark::Comma,
        ),
    ] {
        let read_one = read(text, mark);
        assert_eq!(moved(&read_one), BOTH.map(|(day, minor)| (day.to_owned(), minor)), "{text}");
        let first = &read_one.lines[0];
        assert!(first.references.iter().chain([&first.description]).any(|told| told.contains("BANK-4711")), "{text}");
    }
}
