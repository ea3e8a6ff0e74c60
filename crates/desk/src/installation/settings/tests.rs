use std::os::unix::fs::PermissionsExt;

use base::Clock;

use super::*;

fn values(pairs: &[(&str, &str)]) -> Values {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Values::from_pairs(pairs).expect("values")
}

fn wrong(pairs: &[(&str, &str)]) -> &'static str {
    Installation::read(&values(pairs)).expect_err("wrong").variable
}

#[test]
fn nothing_said_is_a_simulated_installation_under_data() {
    let read = Installation::read(&values(&[("PLACARD_REALM", "")])).expect("defaults");
    assert_eq!((read.realm, read.database_url.as_str()), (Realm::Simulated, "sqlite://data/placard.db"));
    assert_eq!(read.secret_file, Path::new("data/secrets.toml"));
    assert_eq!(read.settings.currency.code, "USD");
    assert_eq!(format!("{:?}", read.files), "file://data/files");
}

#[test]
fn a_wrong_value_names_its_variable() {
    assert_eq!(wrong(&[("PLACARD_REALM", "test")]), "PLACARD_REALM");
    assert_eq!(wrong(&[("PLACARD_CURRENCY", "dollars")]), "PLACARD_CURRENCY");
    assert_eq!(wrong(&[("PLACARD_DOMAIN", "https://ads.example.com")]), "PLACARD_DOMAIN");
    assert_eq!(wrong(&[("PLACARD_REPLICA_URL", "sqlite://a.db")]), "PLACARD_REPLICA_URL");
    assert_eq!(wrong(&[("PLACARD_CONTACTS", "/nowhere.toml")]), "PLACARD_CONTACTS");
    assert_eq!(wrong(&[("PLACARD_FILES_URL", "ftp://host/files")]), "PLACARD_FILES_URL");
    let missing = Values::from_pairs([("PLACARD_CONFIG".to_owned(), "/nowhere.toml".to_owned())]);
    assert_eq!(missing.expect_err("missing").variable, "PLACARD_CONFIG");
    let opened = |pairs: &[(&str, &str)]| {
        let read = Installation::read(&values(pairs)).expect("read");
        read.open(Clock::system()).map(|_| ()).expect_err("not opened").variable
    };
    assert_eq!(opened(&[("PLACARD_DATABASE_URL", "mysql://x")]), "PLACARD_DATABASE_URL");
    let nowhere = [("PLACARD_DATABASE_URL", "sqlite:///proc/x/y.db"), ("PLACARD_SECRET_FILE", "/proc/x/y")];
    assert_eq!(opened(&nowhere), "PLACARD_SECRET_FILE");
}

#[test]
fn publishers_are_paid_by_the_rules_that_are_set() {
    let rules = |pairs: &[(&str, &str)]| Installation::read(&values(pairs)).expect("read").settings.payouts;
    assert_eq!(rules(&[]), PayoutRules::default());
    let set = rules(&[("PLACARD_PAYOUT_MINIMUM", "0.01"), ("PLACARD_PAYOUT_DELAY_DAYS", "365")]);
    assert_eq!(set, PayoutRules { minimum: Money::from_minor(1), delay_days: 365, ..PayoutRules::default() });
    for minimum in ["0", "0.00", "-1", "1.001", "a lot"] {
        assert_eq!(wrong(&[("PLACARD_PAYOUT_MINIMUM", minimum)]), "PLACARD_PAYOUT_MINIMUM");
    }
    for days in ["0", "-1", "366", "1.5", "a month"] {
        assert_eq!(wrong(&[("PLACARD_PAYOUT_DELAY_DAYS", days)]), "PLACARD_PAYOUT_DELAY_DAYS");
    }
}

#[test]
fn addresses_are_of_the_networks_that_are_set() {
    let networks = |pairs: &[(&str, &str)]| Installation::read(&values(pairs)).expect("read").settings.networks;
    assert_eq!(networks(&[]).to_string(), "TRC20, ERC20, BEP20");
    assert_eq!(networks(&[("PLACARD_PAYOUT_NETWORKS", "polygon,TRC20")]).to_string(), "POLYGON, TRC20");
    assert_eq!(networks(&[("PLACARD_PAYOUT_NETWORKS", "none")]).to_string(), "none");
    for unknown in ["BTC", "TRC20,", "TRC20 ERC20"] {
        assert_eq!(wrong(&[("PLACARD_PAYOUT_NETWORKS", unknown)]), "PLACARD_PAYOUT_NETWORKS");
    }
}

#[test]
fn a_live_installation_takes_no_clock_that_can_be_moved() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = format!("sqlite://{}", folder.path().join("placard.db").display());
    let data = folder.path().display().to_string();
    let read = |realm: &str| {
        let pairs = [("PLACARD_REALM", realm), ("PLACARD_DATABASE_URL", &database), ("PLACARD_DATA_DIR", &data)];
        Installation::read(&values(&pairs)).expect("read")
    };
    for clock in [Clock::movable(), Clock::manual(base::Timestamp::from_seconds(0))] {
        let refused = read("live").open(clock).map(|_| ()).expect_err("not opened");
        assert_eq!((refused.variable, refused.refused), ("PLACARD_REALM", true));
    }
    assert!(read("simulated").open(Clock::movable()).is_ok());
}

#[test]
fn only_a_currency_with_two_decimals_is_counted_in() {
    let read = |code| {
        let read = Installation::read(&values(&[("PLACARD_CURRENCY", code)]));
        read.map(|read| read.settings.currency.code).map_err(|error| error.to_string())
    };
    for code in ["USD", "EUR", "CNY", "THB", "USDT", "USDC"] {
        assert_eq!(read(code), Ok(code.to_owned()));
    }
    for (code, why) in [
        ("JPY", "JPY is counted with 0 decimals, and amounts here have two"),
        ("KRW", "KRW is counted with 0 decimals, and amounts here have two"),
        ("KWD", "KWD is counted with 3 decimals, and amounts here have two"),
        ("BTC", "BTC is no currency, such as USD, EUR or USDT"),
        ("XAU", "XAU is no currency, such as USD, EUR or USDT"),
        ("ABC", "ABC is no currency, such as USD, EUR or USDT"),
    ] {
        assert_eq!(read(code), Err(format!("PLACARD_CURRENCY: {why}")));
    }
}

/// Such as `docker run --env-file` and a file with the ends of lines of Windows.
#[test]
fn blanks_and_capitals_around_a_word_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("placard.toml");
    fs::write(&path, "currency = \" eur \"\nlog_totals = \"Hidden\"\n").expect("written");
    let config = format!(" {} ", path.display());
    let pairs = [
        ("PLACARD_CONFIG", config.as_str()),
        ("PLACARD_REALM", "Live\r"),
        ("PLACARD_DOMAIN", " ads.example.com "),
        ("PLACARD_PAYOUT_DELAY_DAYS", "14\t"),
        ("PLACARD_LOG_TOTALS", " "),
        ("PLACARD_OPERATOR", " anna\n"),
    ];
    let values = values(&pairs);
    assert_eq!(values.get("PLACARD_OPERATOR"), Some("anna"));
    let Installation { realm, settings, .. } = Installation::read(&values).expect("read");
    assert_eq!((realm, settings.currency.code.as_str()), (Realm::Live, "EUR"));
    assert_eq!(settings.domain.map(|name| name.to_string()).as_deref(), Some("ads.example.com"));
    assert_eq!((settings.payouts.delay_days, settings.log_totals_hidden), (14, true));
}

#[test]
fn the_environment_goes_before_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("placard.toml");
    fs::write(&path, "realm = \"live\"\ncurrency = \"EUR\"\n").expect("written");
    let path = path.display().to_string();
    let read = Installation::read(&values(&[("PLACARD_CONFIG", &path), ("PLACARD_CURRENCY", "GBP")])).expect("read");
    assert_eq!((read.realm, read.settings.currency.code.as_str()), (Realm::Live, "GBP"));
}

#[test]
fn what_is_wrong_in_a_file_is_found_by_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.toml").display().to_string();
    let contact = "[[customer_service_url]]\nid = \"a\"\ntype = \"mail\"\nurl = \"mailto:a@b.c\"\nlabel = \"A\"\n";
    for (variable, text, line) in [
        ("PLACARD_CONFIG", "realm = \"live\"\ncurrency = EUR\n", 2),
        ("PLACARD_CONFIG", "realm = \"live\"\n\nrealm = \"live\"\n", 3),
        ("PLACARD_CONTACTS", contact, 3),
    ] {
        fs::write(&path, text).expect("written");
        let read = Values::from_pairs([(variable.to_owned(), path.clone())]).and_then(|read| Installation::read(&read));
        let wrong = read.expect_err(text);
        assert!(wrong.variable == variable && wrong.problem.starts_with(&format!("{path}: line {line}: ")), "{wrong}");
    }
}

#[test]
fn a_file_is_read_as_toml_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("placard.toml");
    let read = |text: &str| {
        fs::write(&path, text).expect("written");
        Values::from_pairs([("PLACARD_CONFIG".to_owned(), path.display().to_string())])
    };
    let text = "payout_minimum = 50.50\npayout_delay_days = 30.0\nPLACARD_CURRENCY = \"EUR\"\n\
                payout_networks = [\"TRC20\", \"erc20\"]\ntrusted_proxies = [\"10.0.0.0/8\", \"192.0.2.1\"]\n";
    let values = read(text).expect("read");
    assert_eq!(values.get("PLACARD_TRUSTED_PROXIES"), Some("10.0.0.0/8,192.0.2.1"));
    let settings = Installation::read(&values).expect("right").settings;
    assert_eq!((settings.payouts.minimum, settings.payouts.delay_days), (Money::from_minor(50_50), 30));
    assert_eq!((settings.currency.code.as_str(), settings.networks.to_string().as_str()), ("EUR", "TRC20, ERC20"));
    for wrong in
        ["data_dir = [\"a\", \"b\"]", "payout_networks = [20]", "realm = 1979-05-27", "config = \"a\"", "[log]"]
    {
        assert_eq!(read(wrong).map(|_| ()).expect_err(wrong).variable, "PLACARD_CONFIG");
    }
}

#[test]
fn a_setting_is_in_a_file_once_however_it_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("placard.toml");
    fs::write(&path, "realm = \"live\"\nREALM = \"simulated\"\n").expect("written");
    let read = Values::from_pairs([("PLACARD_CONFIG".to_owned(), path.display().to_string())]);
    assert!(read.expect_err("twice").problem.ends_with("is there twice"));
}

#[test]
fn a_file_with_a_secret_is_for_its_owner_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("placard.toml");
    let read = |text: &str, mode: u32| {
        fs::write(&path, text).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("set");
        Values::from_pairs([("PLACARD_CONFIG".to_owned(), path.display().to_string())]).map(|_| ())
    };
    let key = "0123456789abcdef0123456789abcdef";
    for (setting, name) in [
        (format!("provider_key = \"{key}\""), "PLACARD_PROVIDER_KEY"),
        (format!("operator_key = \"{key}\""), "PLACARD_OPERATOR_KEY"),
        ("database_url = \"postgres://me:hunter2@host/db?sslmode=disable\"".to_owned(), "PLACARD_DATABASE_URL"),
        ("replica_url = \"postgres://host/db?password=hunter2\"".to_owned(), "PLACARD_REPLICA_URL"),
    ] {
        for mode in [0o640, 0o604, 0o620, 0o644] {
            let refused = read(&setting, mode).expect_err("others may read it");
            assert_eq!(refused.variable, "PLACARD_CONFIG");
            assert!(refused.problem.contains(name) && refused.problem.contains("chmod 600"), "{}", refused.problem);
            assert!(!refused.problem.contains(key) && !refused.problem.contains("hunter2"), "{}", refused.problem);
        }
        for mode in [0o600, 0o400] {
            read(&setting, mode).expect("its owner's");
        }
    }
    read("currency = \"EUR\"\ndatabase_url = \"postgres://me@host/db?sslmode=disable\"", 0o644).expect("no secret");
}

#[test]
fn secrets_outside_the_data_folder_are_for_their_owner_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let database = format!("sqlite://{}", at("data/placard.db"));
    let open = |secrets: &str| {
        let secrets = at(secrets);
        let pairs = [
            ("PLACARD_DATABASE_URL", database.as_str()),
            ("PLACARD_DATA_DIR", &at("data")),
            ("PLACARD_SECRET_FILE", &secrets),
        ];
        let read = Installation::read(&values(&pairs)).expect("read");
        read.open(Clock::system()).map(|_| ())
    };
    let set = |name: &str, mode| fs::set_permissions(at(name), fs::Permissions::from_mode(mode)).expect("set");
    open("secrets.toml").expect("made for its owner alone");
    set("secrets.toml", 0o640);
    let refused = open("secrets.toml").expect_err("others may read it");
    assert!(refused.variable == "PLACARD_SECRET_FILE" && refused.problem.contains("chmod 600"), "{refused:?}");
    set("secrets.toml", 0o600);
    open("secrets.toml").expect("its owner's again");
    // Those in the folder are closed with it.
    fs::copy(at("secrets.toml"), at("data/secrets.toml")).expect("copied");
    set("data/secrets.toml", 0o644);
    open("data/secrets.toml").expect("closed");
    assert_eq!(fs::metadata(at("data/secrets.toml")).expect("there").permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_data_folder_that_cannot_be_one_is_named_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at("file"), "no folder").expect("written");
    let database = format!("sqlite://{}", at("placard.db"));
    for place in [at("file"), "/proc/nowhere".to_owned()] {
        let read = Installation::read(&values(&[
            ("PLACARD_DATABASE_URL", database.as_str()),
            ("PLACARD_DATA_DIR", place.as_str()),
        ]));
        let refused = read.expect("read").open(Clock::system()).map(|_| ()).expect_err("no place for secrets");
        assert!(refused.variable == "PLACARD_DATA_DIR" && refused.problem.starts_with(&place), "{refused:?}");
    }
}

#[test]
fn keys_to_a_bucket_are_not_shown() {
    let bucket = [("PLACARD_FILES_URL", "s3://placard/files"), ("AWS_SECRET_ACCESS_KEY", "not-for-eyes")];
    let read = format!("{:?}", Installation::read(&values(&bucket)).expect("read"));
    assert!(read.contains("s3://placard/files") && !read.contains("not-for-eyes"), "{read}");
}
