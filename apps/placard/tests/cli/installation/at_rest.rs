//! The files on the disk reveal neither payout accounts nor valid codes, and only their
//! owner can read them.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use base::Clock;
use desk::installation::settings::{Installation, Values};
use foundation::people::pay_password::Proof;
use money::wallet::bank_card::CardView;
use money::wallet::withdraw::{Withdraw, withdraw};

use crate::support::{Placard, Ran, text};

const ACCOUNT: &str = "DE89 3704 0044 0532 0130 00";
const ADDRESS: &str = "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE";

/// An installation with its database in its data folder, as by default.
struct OwnInstallation(Placard);

impl OwnInstallation {
    fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = self.0.command(arguments);
        command.arg("--json").env("PLACARD_DATABASE_URL", "sqlite://data/placard.db").output().expect("runs").into()
    }

    fn app(&self) -> campaigns::AdServer {
        let data = self.data().display().to_string();
        let url = format!("sqlite://{data}/placard.db");
        let pairs = [("PLACARD_DATABASE_URL", url), ("PLACARD_DATA_DIR", data)];
        let values = Values::from_pairs(pairs.map(|(name, value)| (name.to_owned(), value))).expect("values");
        Installation::read(&values).and_then(|read| read.open(Clock::system())).expect("opens")
    }

    fn data(&self) -> PathBuf {
        self.0.path("data")
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.data()).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_file()).collect()
    }

    /// Files that contain a text.
    fn holding(&self, text: &str) -> Vec<PathBuf> {
        let holds = |path: &PathBuf| {
            let bytes = fs::read(path).expect("read");
            bytes.windows(text.len()).any(|window| window == text.as_bytes())
        };
        self.files().into_iter().filter(holds).collect()
    }
}

fn card() -> CardView {
    CardView::BankCard {
        card_name: "Main".into(),
        user_name: "Ann Lee".into(),
        mobile: "+49 170 1234567".into(),
        bank_name: "Bank".into(),
        bank_account: ACCOUNT.into(),
        branch_name: "Mitte".into(),
        beneficiary_name: None,
        bank_address: None,
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("there").permissions().mode() & 0o777
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_file_holds_an_account_or_a_code_that_is_good() {
    let place = OwnInstallation(Placard::on_sqlite());
    let planted = place.run(&["demo", "seed"]).done();
    let app = place.app();
    let user = foundation::people::staff_accounts::find_account(&app, "demo").await.expect("demo");
    let wallet = CardView::WalletAddress { network: "TRC20".into(), address: ADDRESS.into() };
    for bound in [card(), wallet, card()] {
        crate::support::bound(&app, user, bound).await;
        withdraw(&app, Proof::assumed(user), Withdraw { amount: "10.00".parse().expect("an amount"), key: None })
            .await
            .expect("asked");
    }
    assert!(!place.holding("demo-anna").is_empty(), "what is not secret is found where it is");
    let codes = planted["codes"].as_array().expect("codes");
    let secret = [ACCOUNT.to_owned(), ADDRESS.to_owned(), "+49 170 1234567".to_owned(), "Ann Lee".to_owned()];
    for secret in secret.into_iter().chain(codes.iter().map(text)) {
        assert_eq!(place.holding(&secret), Vec::<PathBuf>::new(), "{secret}");
    }
    let shown = place.run(&["demo", "seed"]).done();
    assert_eq!(shown["codes"], planted["codes"], "who may see them is shown them again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_data_is_for_its_owner_alone_from_the_first_moment_and_tightened_later() {
    let place = OwnInstallation(Placard::on_sqlite());
    place.run(&["demo", "seed"]).done();
    // While it is open and was read, so that its log exists.
    let app = place.app();
    foundation::people::staff_accounts::find_account(&app, "demo").await.expect("demo");
    let all = |place: &OwnInstallation| {
        let files: Vec<(PathBuf, u32)> = place.files().into_iter().map(|path| (path.clone(), mode(&path))).collect();
        assert!(files.iter().any(|(path, _)| path.ends_with("placard.db-wal")), "{files:?}");
        assert_eq!(files.iter().filter(|(_, mode)| *mode != 0o600).collect::<Vec<_>>(), Vec::<&(PathBuf, u32)>::new());
        assert_eq!((mode(&place.data()), mode(&place.data().join("files"))), (0o700, 0o700));
    };
    all(&place);
    fs::write(place.data().join("demo.txt"), "keys").expect("written");
    for path in place.files() {
        fs::set_permissions(path, Permissions::from_mode(0o644)).expect("opened");
    }
    for folder in [place.data(), place.data().join("files")] {
        fs::set_permissions(folder, Permissions::from_mode(0o755)).expect("opened");
    }
    place.run(&["demo", "seed"]).done();
    all(&place);
    drop(app);
}
