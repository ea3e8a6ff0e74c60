//! The meaning of a table's columns: ours, and those of banks, in several languages.

use base::invisible::is_default_ignorable;
use unicode_normalization::UnicodeNormalization;

use super::currency::writes_dollars;

/// The meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Date,
    /// A day that counts if there is no other.
    OtherDate,
    Amount,
    /// An outgoing amount, and an incoming one.
    Debit,
    Credit,
    /// Which of both an amount is.
    Side,
    /// The kind of payment, which may be its side.
    Kind,
    Currency,
    /// A currency in some languages, and the day of value in others.
    Valuta,
    Reference,
    Counterparty,
    Description,
    Id,
    /// The account's balance after the line.
    Balance,
    /// Whether the line is booked.
    Status,
    /// The account itself.
    Account,
    /// A fee that was taken in addition to the amount.
    Fee,
    /// The amount less its fee.
    Net,
    /// A column that no line needs.
    Beside,
}

impl Role {
    /// Whether there can be one of it.
    pub fn is_alone(self) -> bool {
        use Role::{Account, Amount, Balance, Credit, Date, Debit, Id, Net, Side, Status};
        [Date, Amount, Net, Debit, Credit, Side, Id, Balance, Status, Account].contains(&self)
    }

    pub fn is_money(self) -> bool {
        [Self::Amount, Self::Net, Self::Debit, Self::Credit, Self::Balance].contains(&self)
    }
}

/// Parted by bars, in small letters, with single blanks for blanks and underscores, and vowels written out: `ä` is `ae`,
/// `é` is `e`.
const NAMES: [(Role, &str); 19] = [
    (
        Role::Date,
        "date|booking date|posting date|post date|posted date|completed date|date (utc)|buchungstag|\
         buchungsdatum|buchung|datum|date comptable|fecha|\
         fecha contable|data|data contabile|data lancamento|data do lancamento|bokfoeringsdag|\
         bokfoeringsdatum|bogfoert|dato|data ksiegowania|koenyveles datuma|дата|дата проводки|日付|取引日|\
         お取引日|交易日期|交易日|日期|记账日期|일자|거래일|거래일자|거래일시|วันที่|ngay|ngay giao dich|\
         ngay hach toan|tanggal|tarih|posted transactions date|data registrazione|年月日|\
         booked at|date posted|date completed (utc)|date de comptabilisation|記帳日|記帳日期|帳務日期|\
         記賬日期|お取り引き日|data mov.|วันที่ทํารายการ|\
         settlement date (utc)|kirjauspaeivae|记账日|reskontradatum|bogfoeringsdato|fecha de finalizacion|\
         datum des abschlusses|date de fin|data zakonczenia|transaction date (utc)|date posted (utc)|\
         boekdatum|bokfoeringsdato|data mov|data rozliczenia",
    ),
    (
        Role::OtherDate,
        "transaction date|started date|abschlussdatum|fecha operacion|fecha de operacion|data operazione|\
         data movimento|data operacji|transaktionsdag|дата операции|дата транзакции|\
         date operation|date de l'operation|txn date|tran date|date started (utc)|islem tarihi|дата документа|\
         execution date|dateop|transaktionsdatum|transactiondate|operation date (utc)|created (utc)|дата платежа|\
         fecha de inicio|datum des beginns|date de debut|data rozpoczecia|\
         transactiedatum|uitvoeringsdatum|verrichtingsdatum|date d'execution|data operacao|data transakcji|\
         data lanc.|data contabil",
    ),
    (
        Role::Amount,
        "amount|betrag|umsatz|montant|importe|monto|importo|valor|bedrag|belopp|beloeb|kwota|oesszeg|сумма|\
         сумма операции|金額|取引金額|金额|交易金额|发生额|금액|거래금액|จํานวนเงิน|so tien|jumlah|tutar|\
         transaction amount|montant de l'operation|入出金|montant operation en euro|\
         value|montante|credit/debit amount|islem tutari|交易金額|\
         maeaerae|\
         transactiebedrag|beloep|kwota operacji|objem",
    ),
    (
        Role::Debit,
        "debit|debits|debit amount|withdrawal|withdrawals|withdrawal amount|withdrawal amt.|paid out|\
         money out|soll|lastschrift|belastung|debito|debitos|addebiti|dare|uscite|cargo|cargos|saida|\
         saidas|terheles|borc|дебет|расход|списание|出金|出金金額|お支払金額|支払金額|お引出し|支出|支出金额|借方|\
         借方金额|借方发生额|출금|출금액|출금금액|찾으신금액|ถอน|ถอนเงิน|ghi no|phat sinh no|支払い金額|\
         debit euros|so tien ghi no|\
         dr|ut fra konto|ut av konto|支出金額|提出|提出金額|提款|提款金額|お引き出し額|сумма по дебету|เดบิต|\
         no tktt|debet|お引出金額|引出金額|お引き出し金額|记账金额(支出)|\
         debe|obciazenia|addebito|ut|지급",
    ),
    (
        Role::Credit,
        "credit|credits|credit amount|deposit|deposits|deposit amount|deposit amt.|paid in|money in|haben|\
         gutschrift|credito|creditos|accrediti|avere|entrate|abono|abonos|entrada|entradas|jovairas|alacak|\
         кредит|приход|зачисление|поступление|入金|入金金額|お預り金額|預り金額|お預入れ|收入|收入金额|贷方|\
         贷方金额|贷方发生额|입금|입금액|입금금액|맡기신금액|ฝาก|ฝากเงิน|ghi co|phat sinh co|預かり金額|\
         credit euros|so tien ghi co|\
         cr|inn pa konto|存入|存入金額|存款|存款金額|お預け入れ額|сумма по кредиту|เครดิต|\
         co tktt|お預入金額|預入金額|お預け入れ金額|记账金额(收入)|\
         haber|uznania|accredito|inn",
    ),
    (
        Role::Side,
        "debit/credit|credit/debit|d/c|c/d|dr/cr|cr/dr|dr / cr|cr / dr|s/h|soll/haben|af bij|af/bij|\
         debit or credit|debit credit indicator|credit debit indicator|debit/credit indicator|\
         soll/haben-kennzeichen|借贷标志|借贷方向|收/支|direction|richtung|\
         creditdebet|deb cred|debit/credit (d/c)",
    ),
    (
        Role::Kind,
        "type|transaction type|details|umsatztyp|transaction|\
         transaktionstyp|typ transakcji|tipo|tran type|交易类型|交易類型|구분|거래구분|\
         financial transaction type|trn type|payment method|rodzaj|art|\
         type of transaction|type de transaction|type de mouvement|tipo di movimento|type verrichting|type betaling|\
         betaalwijze|typ operacji|rodzaj transakcji|betalingstype|typ",
    ),
    (
        Role::Currency,
        "currency|currency code|waehrung|devise|divisa|moneda|moeda|munt|mutation currency|waluta|валюта|\
         通貨|币种|货币|통화|สกุลเงิน|loai tien|mata uang|doeviz|posted currency|\
         payment currency|幣別|幣種|貨幣|\
         whg|wallet currency|account currency|记账币种|mutationcode|валюта операции|\
         muntsoort|valutacode|valuta rekening|devise du compte|valuutta|mena",
    ),
    (Role::Valuta, "valuta"),
    (
        Role::Reference,
        "reference|payment reference|customer reference|bank reference|end to end id|end-to-end-id|\
         end-to-end id|endtoendid|end to end reference|kundenreferenz|kundenreferenz (end-to-end)|\
         sammlerreferenz|transactiereferentie|betalingskenmerk|referenz|referencia|riferimento|\
         check number|check or slip #|cheque number|chq./ref.no.|ref no./cheque no.|so tham chieu|\
         so but toan|transaction ref1|transaction ref2|transaction ref3|serial|referens|\
         chq/ref number|chq / ref number|chqno|docto.|documento|nr. doc.|номер документа|verifikationsnummer|\
         业务参考号|dekont no|\
         zkb-referenz|referenznummer|zahlungsreferenz|viite|arkistointitunnus|gestructureerde mededeling|\
         invoice number|reference txn id|receipt id|\
         referentie|numer referencyjny|viitenumero|nr doc|numero do documento|checknumber|check serial number|\
         reference number|belegnummer|vs",
    ),
    (
        Role::Counterparty,
        "counterparty|counterparty name|payee|payer|payer name|payee name|partner name|beneficiary|\
         beneficiary name|name|merchant|beguenstigter/zahlungspflichtiger|auftraggeber/beguenstigter|\
         auftraggeber / beguenstigter|auftraggeber/empfaenger|name zahlungsbeteiligter|\
         zahlungspflichtige*r|zahlungsempfaenger*in|beguenstigter / auftraggeber|\
         beguenstigter/auftraggeber|naam tegenpartij|naam / omschrijving|partner neve|контрагент|\
         получатель|плательщик|对方户名|对方名称|상대방|보낸분/받는분|abweichender empfaenger|\
         naam uiteindelijke partij|naam initierende partij|\
         counter party|empfaenger|empfaenger 1|empfaenger 2|merchant name|namn|nadawca/odbiorca|kontrahent|\
         收(付)方名称|對方戶名|對方名稱|\
         name / description|partnername|saaja/maksaja|name of the counterparty|对方账户名称|đoi tac|\
         tegenpartij|naam van de tegenpartij|tegenrekeninghouder|contrepartie|nom de la contrepartie|\
         nom contrepartie contient|navn|nimi|nadawca / odbiorca|odbiorca/zleceniodawca|auftraggebername|\
         empfaengername|sender/receiver name|nazev protiuctu",
    ),
    (
        Role::Description,
        "description|transaction description|bank description|memo|note|notes|narrative|narration|\
         particulars|remarks|payment details|buchungstext|verwendungszweck|buchungsdetails|avisierungstext|\
         bewegungstyp|bemerkung|umsatzart|beschreibung|beschreibung1|beschreibung2|beschreibung3|fussnoten|\
         reden retour|channel|libelle|concepto|movimiento|observaciones|descripcion|detalle|descricao|\
         historico|descrizione|descrizione operazione|causale|omschrijving|omschrijving-1|omschrijving-2|\
         omschrijving-3|mededelingen|mutatiesoort|text|tekst|beskrivelse|koezlemeny|aciklama|описание|\
         описание операции|назначение платежа|摘要|内容|取引内容|お取引内容|交易摘要|附言|用途|备注|적요|\
         내용|거래내용|รายการ|รายละเอียด|dien giai|noi dung|mo ta|keterangan|transaction details type|\
         transaction remarks|description1|description2|description3|subcategory|vorgang|code|mas datos|\
         operazione|dettagli|detail de l'ecriture|入出金内容|摘要内容|お取り扱い内容|メモ|beskrivning|\
         lancamento|libelle court|libelle operation|type operation|ช่องทาง|\
         descrizione completa|rubrik|forklaring|opis operacji|opis transakcji|tytuł|transaction details|\
         송금메모|参考情報|備註|說明|交易說明|附註|informations complementaires|libelle simplifie|\
         notifications|buchungs-info|buchungs-details|selitys|viesti|laji|descriptions|交易详情|交易备注|业务摘要|message|\
         vrije mededeling|description 1|description 2|notes and #tags|transaction code|opis|note to self|subject|\
         comment|\
         mededeling|beschrijving|communication|communications|notification text|texte de notification|\
         testo di notifica|descrizione operazioni|titulo|tytułem|tittel|otsikko|text/mottagare|sub-description|\
         zahlungsgrund|interne notiz|belegdaten|기재내용|메모|original description|poznamka|zprava pro prijemce|upresneni",
    ),
    (
        Role::Id,
        "id|transaction id|transferwise id|tracking id|transaktions-nr.|流水号|交易流水号|identificador|\
         id operace|archiving code",
    ),
    (
        Role::Balance,
        "balance|running balance|closing balance|account balance|current balance|saldo|saldos|\
         saldo na mutatie|saldo nach buchung|saldo na trn|saldo contabile|solde|egyenleg|bakiye|баланс|\
         остаток|残高|差引残高|余额|账户余额|잔액|거래후잔액|거래 후 잔액|คงเหลือ|ยอดคงเหลือ|so du|\
         running bal.|取引後残高|bokfoert saldo|\
         account running balance|bal|saldo po operacji|saldo po transakcji|餘額|結餘|帳戶餘額|差し引き残高|\
         saldo contabilistico|\
         resulting balance|outstanding balance|balance amount|accountbalance|endsaldo|kontostand|\
         eindsaldo|runningbalance|ledger balance|거래후 잔액",
    ),
    (
        Role::Status,
        "status|state|info|buchungsstatus|estado|statut|stato|статус|状态|contabilizzazione|\
         etat",
    ),
    (
        Role::Account,
        "account|source account|auftragskonto|iban auftragskonto|iban/bban|rekening|product|account number|\
         posted account|bank account|iban auftraggeberkonto|conto o carta|\
         iban kontoinhaber|帳號|账号|\
         rekeningnummer|account #|accountnumber|accountnum|produkt|produit|producto|\
         compte|conta|numero de compte|numer rachunku/karty|customer account no",
    ),
    (Role::Net, "net|net amount|total amount"),
    (
        Role::Fee,
        "fee|fees|fremde gebuehren|\
         gebuehr|frais|comision|opłata",
    ),
    (
        Role::Beside,
        "value date|valuedate|wert|valutadatum|valuta datum|wertstellung|date valeur|date de valeur|\
         fecha valor|f.valor|f. valor|data valuta|data valor|rentedatum|erteknap|дата валютирования|\
         date time|time|timestamp|category|mercury category|gl code|tags|label|kategorie|bic|\
         bic (swift-code)|bic auftragskonto|bankname auftragskonto|bezeichnung auftragskonto|\
         bic (swift-code) zahlungsbeteiligter|iban|kontonummer/iban|iban zahlungsbeteiligter|partner iban|\
         account name|payee account number|counterparty iban|tegenrekening|tegenrekening iban/bban|\
         bic tegenpartij|glaeubiger id|glaeubiger-id|mandatsreferenz|lastschrift ursprungsbetrag|\
         auslagenersatz ruecklastschrift|card last four digits|last four digits|card holder full name|\
         cardholder email|name on card|attachment|abschlusszeit|volgnr|tag|exchange from|exchange to|\
         exchange rate|exchange to amount|original amount|original currency|total fees|value dt|\
         wertstellung (valuta)|wertstellungsdatum|interest date|gekennzeichneter umsatz|steuerrelevant|\
         sort code|categories|categoria|member name|disponible|local currency amount|local currency|\
         foreigncurrencyamount|conversioncharge|s no.|未資金化区分|入払区分|ラベル|valutadag|ag./origem|\
         категория|거래점|anzahl der auftraege|anzahl der schecks|batch id|machtigingskenmerk|incassant id|\
         oorspr bedrag|oorspr munt|koers|\
         number|bank rtn|spending category|value dat|sol|moneymap|afstemt|rentedato|data waluty|kontonummer|\
         betrag (fremdwaehrung)|fremdwaehrung|wechselkurs|auftraggeberkonto|bankleitzahl auftraggeberkonto|\
         valuta date|first bank card|card number|orig currency|orig amount|beneficiary account number|\
         beneficiary sort code or routing number|beneficiary iban|beneficiary bic|对方账号|對方帳號|\
         收(付)方帐号|交易时间|交易時間|起息日|เวลา|categorie|sous categorie|pointage operation|numer konta|\
         avsaendare|mottagare|etiket|инн|кпп|бик|инн контрагента|счет контрагента|saldo disponivel|\
         iban / kontonummer|card label|card state|fee currency|mcc|related transaction id|spend program|nh đoi tac|\
         time/eff.date|balance sign|交易场所|交易国家或地区简称|钞/汇|交易金额(收入)|交易金额(支出)|交易币种|对方账户|对方账户账号|交易地点|交易渠道/场所|timezone|\
         time zone|gross|from email address|to email address|emoji|local amount|address|receipt|category split|\
         account type|processed on|source|available on (utc)|total amount (incl. vat)|initiator|team|startsaldo|\
         rubrieknaam|naam|afschriftnummer|rekeningnummer tegenpartij|bic code tegenpartij|adres tegenpartij|nr|\
         rejection reason|dateval|categoryparent|supplierfound|accountlabel|radnummer|clearingnummer|arvopaeivae|\
         saajan tilinumero|saajan pankin bic|номер карты|сумма платежа|валюта платежа|кэшбэк|бонусы (включая кэшбэк)|\
         округление на инвесткопилку|сумма операции с округлением|einzelbetrag|betrag detail|bic/swift|\
         partner kontonummer|bankleitzahl|거래시간|bank name|location|account status|closing ledger balance|\
         closing ledger brought forward from|closing available balance|closing available brought forward from|\
         current ledger balance|current ledger as at|current available balance|current available as at|\
         target currency|target amount|conversion rate|mature date|available balance|created at|request id|rachunek|\
         cabang|balance impact|country|country code|contact phone number|shipping address|address status|item title|\
         item id|quantity|custom number|sales tax|insurance amount|shipping and handling amount|\
         beginsaldo|volgnummer|no de sequence|n° de sequence|tegenrekeningnummer|rekening tegenpartij|\
         machtigingsnummer|adres|reden van weigering|motif du refus|auftraggeber blz|empfaengerkonto|empfaenger blz|\
         etichetta|data do balancete|dependencia origem|saldo do dia|na konto/z konta|adres nadawcy / odbiorcy|\
         rachunek zrodłowy|rachunek docelowy|afsender|modtager|avsender|mottaker|maksaja|maksunsaaja|til konto|\
         fra konto|filter|type group|instructed currency|currency exchange rate|instructed amount|card ending|취급점|\
         stt|numero d'extrait|numero de transaction|compte contrepartie|rue et numero|code postal et localite|\
         code pays|sender/receiver account|sender bank code|document no|personal code or register code|protiucet|\
         kod banky|nazev banky|ks|ss|provedl|id pokynu",
    ),
];

/// The meaning of a column with this name, and the currency in the name, as in `Betrag (EUR)` or `Gutschrift in CHF`.
/// The expected currency may also be the whole name.
pub fn role(name: &[u8], expected: &str) -> Option<(Role, Option<String>)> {
    let name = folded(std::str::from_utf8(name).ok()?);
    if let Some(role) = known(&name) {
        return Some((role, None));
    }
    let (rest, last) = name.trim_end_matches([' ', ')']).rsplit_once([' ', '(', ','])?;
    let code = match last {
        "€" | "euro" | "euros" | "euroa" => "EUR".to_owned(),
        "£" => "GBP".to_owned(),
        "r$" => "BRL".to_owned(),
        "円" => "JPY".to_owned(),
        "元" => "CNY".to_owned(),
        "원" => "KRW".to_owned(),
        "руб" | "руб." | "₽" => "RUB".to_owned(),
        "us$" => "USD".to_owned(),
        "₹" => "INR".to_owned(),
        "฿" => "THB".to_owned(),
        "₺" | "tl" => "TRY".to_owned(),
        "zł" => "PLN".to_owned(),
        letters => letters.to_uppercase(),
    };
    let rest = rest.trim_end();
    // It does not say which of the dollars these are.
    if last == "$" && writes_dollars(expected) {
        return Some((known(rest.trim_end_matches([' ', '(']))?, None));
    }
    let told = [" in", " en", ","].iter().find_map(|before| rest.strip_suffix(before));
    let is_told = told.is_some() || name.ends_with(')') || name.contains(',') || code == expected.to_uppercase();
    let is_code = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    let role = known(told.unwrap_or(rest).trim_end_matches([' ', '(']))?;
    (is_told && is_code).then_some((role, Some(code)))
}

fn known(name: &str) -> Option<Role> {
    NAMES.iter().find(|(_, names)| names.split('|').any(|known| known == name)).map(|(role, _)| *role)
}

/// A name in the letters of the names above.
fn folded(name: &str) -> String {
    let shown: String = name.chars().filter(|c| !is_default_ignorable(*c)).collect();
    // Some banks put a sign before each name.
    let small = shown.trim().trim_matches('"').trim_start_matches('#').nfkc().collect::<String>().to_lowercase();
    let mut spelled = String::with_capacity(small.len());
    for c in small.chars() {
        match c {
            'ä' | 'æ' => spelled.push_str("ae"),
            'ö' | 'ø' => spelled.push_str("oe"),
            'ü' => spelled.push_str("ue"),
            'ß' => spelled.push_str("ss"),
            'ı' => spelled.push('i'),
            // What is left of a Turkish capital.
            '\u{307}' => {}
            '_' => spelled.push(' '),
            // Latin letters without their marks: those of other scripts are letters themselves.
            '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => spelled.extend(std::iter::once(c).nfd().next()),
            _ => spelled.push(c),
        }
    }
    spelled.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether its days may have a year of two digits behind points: German banks write `31.01.26`.
pub fn has_short_years(name: &str) -> bool {
    name.trim().trim_matches('"').to_lowercase().starts_with("buchung")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Option<Role> {
        role(name.as_bytes(), "USD").map(|(role, _)| role)
    }

    #[test]
    fn the_names_of_banks_are_known_however_they_are_spelled() {
        for (name, expected) in [
            ("Date", Role::Date),
            (" \"Buchungstag\" ", Role::Date),
            ("Ngày giao dịch", Role::Date),
            ("Bokföringsdag", Role::Date),
            ("取引日", Role::Date),
            ("거래일시", Role::Date),
            ("วันที่", Role::Date),
            ("Started Date", Role::OtherDate),
            ("Сумма", Role::Amount),
            ("Débit", Role::Debit),
            ("De\u{301}bit", Role::Debit),
            ("Gutschrift", Role::Credit),
            ("CR/DR", Role::Side),
            ("Type", Role::Kind),
            ("Währung", Role::Currency),
            ("Waehrung", Role::Currency),
            ("Valuta", Role::Valuta),
            ("Kundenreferenz  (End-to-End)", Role::Reference),
            ("Begünstigter/Zahlungspflichtiger", Role::Counterparty),
            ("Libellé", Role::Description),
            ("Açıklama", Role::Description),
            ("İŞLEM TARİHİ", Role::OtherDate),
            ("counterparty_name", Role::Counterparty),
            ("Data_Operazione", Role::OtherDate),
            ("\u{200e}Date\u{200b}", Role::Date),
            ("餘額", Role::Balance),
            ("Số dư", Role::Balance),
            ("Info", Role::Status),
            ("Date (UTC)", Role::Date),
            ("Exchange Rate", Role::Beside),
        ] {
            assert_eq!(of(name), Some(expected), "{name}");
        }
        for name in ["", "ref", "datee", "amount out", "Saldo vorher", "balance (", "\u{301}"] {
            assert_eq!(of(name), None, "{name}");
        }
    }

    #[test]
    fn every_name_is_listed_once_as_it_is_compared() {
        let mut all: Vec<&str> = NAMES.iter().flat_map(|(_, names)| names.split('|')).collect();
        assert!(all.iter().all(|name| folded(name) == **name), "{:?}", all.iter().find(|name| folded(name) != ***name));
        let listed = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), listed);
    }

    #[test]
    fn a_name_may_have_the_currency() {
        for (name, code) in [
            ("Betrag (EUR)", "EUR"),
            ("Gutschrift in CHF", "CHF"),
            ("Betrag, EUR", "EUR"),
            ("Amount USD", "USD"),
            ("Withdrawal Amount (INR )", "INR"),
            ("Betrag (€)", "EUR"),
            ("Valor (R$)", "BRL"),
            ("Amount (US$)", "USD"),
            ("Tutar (TL)", "TRY"),
            ("入出金（円）", "JPY"),
            ("출금액(원)", "KRW"),
            ("Сумма, руб.", "RUB"),
            ("Saldo (USD)", "USD"),
        ] {
            assert_eq!(role(name.as_bytes(), "USD").and_then(|(_, code)| code).as_deref(), Some(code), "{name}");
        }
        assert_eq!(role(b"Amount EUR", "USD"), None, "it may be something else");
        for name in ["Debit ($)", "Debit($)", "Debit $"] {
            assert_eq!(role(name.as_bytes(), "CAD"), Some((Role::Debit, None)), "{name}");
            assert_eq!(role(name.as_bytes(), "EUR"), None, "{name}");
        }
    }
}
