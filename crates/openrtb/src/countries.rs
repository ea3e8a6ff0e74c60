//! Countries (ISO 3166-1): the standard of auctions names them by three letters, products
//! and slots by two.

/// All of them, by three letters and by two, in the order of the former.
#[rustfmt::skip]
const COUNTRIES: [(&str, &str); 249] = [
    ("ABW", "AW"), ("AFG", "AF"), ("AGO", "AO"), ("AIA", "AI"), ("ALA", "AX"), ("ALB", "AL"), ("AND", "AD"),
    ("ARE", "AE"), ("ARG", "AR"), ("ARM", "AM"), ("ASM", "AS"), ("ATA", "AQ"), ("ATF", "TF"), ("ATG", "AG"),
    ("AUS", "AU"), ("AUT", "AT"), ("AZE", "AZ"), ("BDI", "BI"), ("BEL", "BE"), ("BEN", "BJ"), ("BES", "BQ"),
    ("BFA", "BF"), ("BGD", "BD"), ("BGR", "BG"), ("BHR", "BH"), ("BHS", "BS"), ("BIH", "BA"), ("BLM", "BL"),
    ("BLR", "BY"), ("BLZ", "BZ"), ("BMU", "BM"), ("BOL", "BO"), ("BRA", "BR"), ("BRB", "BB"), ("BRN", "BN"),
    ("BTN", "BT"), ("BVT", "BV"), ("BWA", "BW"), ("CAF", "CF"), ("CAN", "CA"), ("CCK", "CC"), ("CHE", "CH"),
    ("CHL", "CL"), ("CHN", "CN"), ("CIV", "CI"), ("CMR", "CM"), ("COD", "CD"), ("COG", "CG"), ("COK", "CK"),
    ("COL", "CO"), ("COM", "KM"), ("CPV", "CV"), ("CRI", "CR"), ("CUB", "CU"), ("CUW", "CW"), ("CXR", "CX"),
    ("CYM", "KY"), ("CYP", "CY"), ("CZE", "CZ"), ("DEU", "DE"), ("DJI", "DJ"), ("DMA", "DM"), ("DNK", "DK"),
    ("DOM", "DO"), ("DZA", "DZ"), ("ECU", "EC"), ("EGY", "EG"), ("ERI", "ER"), ("ESH", "EH"), ("ESP", "ES"),
    ("EST", "EE"), ("ETH", "ET"), ("FIN", "FI"), ("FJI", "FJ"), ("FLK", "FK"), ("FRA", "FR"), ("FRO", "FO"),
    ("FSM", "FM"), ("GAB", "GA"), ("GBR", "GB"), ("GEO", "GE"), ("GGY", "GG"), ("GHA", "GH"), ("GIB", "GI"),
    ("GIN", "GN"), ("GLP", "GP"), ("GMB", "GM"), ("GNB", "GW"), ("GNQ", "GQ"), ("GRC", "GR"), ("GRD", "GD"),
    ("GRL", "GL"), ("GTM", "GT"), ("GUF", "GF"), ("GUM", "GU"), ("GUY", "GY"), ("HKG", "HK"), ("HMD", "HM"),
    ("HND", "HN"), ("HRV", "HR"), ("HTI", "HT"), ("HUN", "HU"), ("IDN", "ID"), ("IMN", "IM"), ("IND", "IN"),
    ("IOT", "IO"), ("IRL", "IE"), ("IRN", "IR"), ("IRQ", "IQ"), ("ISL", "IS"), ("ISR", "IL"), ("ITA", "IT"),
    ("JAM", "JM"), ("JEY", "JE"), ("JOR", "JO"), ("JPN", "JP"), ("KAZ", "KZ"), ("KEN", "KE"), ("KGZ", "KG"),
    ("KHM", "KH"), ("KIR", "KI"), ("KNA", "KN"), ("KOR", "KR"), ("KWT", "KW"), ("LAO", "LA"), ("LBN", "LB"),
    ("LBR", "LR"), ("LBY", "LY"), ("LCA", "LC"), ("LIE", "LI"), ("LKA", "LK"), ("LSO", "LS"), ("LTU", "LT"),
    ("LUX", "LU"), ("LVA", "LV"), ("MAC", "MO"), ("MAF", "MF"), ("MAR", "MA"), ("MCO", "MC"), ("MDA", "MD"),
    ("MDG", "MG"), ("MDV", "MV"), ("MEX", "MX"), ("MHL", "MH"), ("MKD", "MK"), ("MLI", "ML"), ("MLT", "MT"),
    ("MMR", "MM"), ("MNE", "ME"), ("MNG", "MN"), ("MNP", "MP"), ("MOZ", "MZ"), ("MRT", "MR"), ("MSR", "MS"),
    ("MTQ", "MQ"), ("MUS", "MU"), ("MWI", "MW"), ("MYS", "MY"), ("MYT", "YT"), ("NAM", "NA"), ("NCL", "NC"),
    ("NER", "NE"), ("NFK", "NF"), ("NGA", "NG"), ("NIC", "NI"), ("NIU", "NU"), ("NLD", "NL"), ("NOR", "NO"),
    ("NPL", "NP"), ("NRU", "NR"), ("NZL", "NZ"), ("OMN", "OM"), ("PAK", "PK"), ("PAN", "PA"), ("PCN", "PN"),
    ("PER", "PE"), ("PHL", "PH"), ("PLW", "PW"), ("PNG", "PG"), ("POL", "PL"), ("PRI", "PR"), ("PRK", "KP"),
    ("PRT", "PT"), ("PRY", "PY"), ("PSE", "PS"), ("PYF", "PF"), ("QAT", "QA"), ("REU", "RE"), ("ROU", "RO"),
    ("RUS", "RU"), ("RWA", "RW"), ("SAU", "SA"), ("SDN", "SD"), ("SEN", "SN"), ("SGP", "SG"), ("SGS", "GS"),
    ("SHN", "SH"), ("SJM", "SJ"), ("SLB", "SB"), ("SLE", "SL"), ("SLV", "SV"), ("SMR", "SM"), ("SOM", "SO"),
    ("SPM", "PM"), ("SRB", "RS"), ("SSD", "SS"), ("STP", "ST"), ("SUR", "SR"), ("SVK", "SK"), ("SVN", "SI"),
    ("SWE", "SE"), ("SWZ", "SZ"), ("SXM", "SX"), ("SYC", "SC"), ("SYR", "SY"), ("TCA", "TC"), ("TCD", "TD"),
    ("TGO", "TG"), ("THA", "TH"), ("TJK", "TJ"), ("TKL", "TK"), ("TKM", "TM"), ("TLS", "TL"), ("TON", "TO"),
    ("TTO", "TT"), ("TUN", "TN"), ("TUR", "TR"), ("TUV", "TV"), ("TWN", "TW"), ("TZA", "TZ"), ("UGA", "UG"),
    ("UKR", "UA"), ("UMI", "UM"), ("URY", "UY"), ("USA", "US"), ("UZB", "UZ"), ("VAT", "VA"), ("VCT", "VC"),
    ("VEN", "VE"), ("VGB", "VG"), ("VIR", "VI"), ("VNM", "VN"), ("VUT", "VU"), ("WLF", "WF"), ("WSM", "WS"),
    ("YEM", "YE"), ("ZAF", "ZA"), ("ZMB", "ZM"), ("ZWE", "ZW"),
];

/// The European Economic Area and the United Kingdom, with those parts of the European Union that have a code of their
/// own: Åland, French Guiana, Guadeloupe, Saint Martin, Martinique, Réunion and Mayotte (TFEU, articles 349 and 355).
const GDPR: [&str; 38] = [
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GB", "GR", "HR", "HU", "IE", "IS", "IT", "LI",
    "LT", "LU", "LV", "MT", "NL", "NO", "PL", "PT", "RO", "SE", "SI", "SK", "AX", "GF", "GP", "MF", "MQ", "RE", "YT",
];

/// A country as two letters. Some exchanges send these already.
pub fn alpha_2(country: &str) -> Option<&'static str> {
    let same = |code: &str| code.eq_ignore_ascii_case(country);
    match country.len() {
        3 => {
            let upper = country.to_ascii_uppercase();
            let place = COUNTRIES.binary_search_by(|(three, _)| (*three).cmp(upper.as_str())).ok()?;
            COUNTRIES.get(place).map(|(_, two)| *two)
        }
        2 => COUNTRIES.iter().map(|(_, two)| *two).find(|two| same(two)),
        _ => None,
    }
}

/// Whether the GDPR applies to people there.
pub fn has_gdpr(alpha_2: &str) -> bool {
    GDPR.contains(&alpha_2)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_country_is_found_by_both_of_its_codes() {
        for (three, two) in COUNTRIES {
            assert_eq!((alpha_2(three), alpha_2(two)), (Some(two), Some(two)));
        }
        assert!(COUNTRIES.is_sorted(), "it is searched by halves");
        assert_eq!(COUNTRIES.iter().map(|(_, two)| two).collect::<BTreeSet<_>>().len(), 249);
        assert!(GDPR.iter().all(|two| alpha_2(two).is_some()));
    }

    #[test]
    fn some_that_are_easily_confused() {
        for (three, two) in [("AUT", "AT"), ("AUS", "AU"), ("CHE", "CH"), ("CHN", "CN"), ("SVK", "SK"), ("SVN", "SI")] {
            assert_eq!(alpha_2(three), Some(two));
        }
        assert_eq!((alpha_2("deu"), alpha_2("de")), (Some("DE"), Some("DE")));
        for none in ["", "D", "DEUT", "XXX", "ZZ", "UK", "EU", "ÄÖ"] {
            assert_eq!(alpha_2(none), None, "{none}");
        }
        assert!(has_gdpr("IS") && !has_gdpr("CH"));
        let european = |three: &str| alpha_2(three).is_some_and(has_gdpr);
        assert!(["REU", "GLP", "MTQ", "GUF", "MYT", "MAF", "ALA"].into_iter().all(european));
        assert!(!["PYF", "NCL", "GRL", "FRO", "ABW", "CUW"].into_iter().any(european), "no part of the Union");
    }
}
