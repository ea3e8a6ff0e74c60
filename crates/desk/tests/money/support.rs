//! A user with money, and the two operators that money needs.

use auth::{Role, Secrets};
use base::{Money, UserId};
use campaigns::AdServer;
use desk::requests::{MoneyRequestDraft, approve, request};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use foundation::people::pay_password::Proof;
use foundation::staff::Staff;
use foundation::staff::requests::RequestView;
use foundation::{App, Error, Settings};
use money::wallet::bank_card::{Binder, CardView, NewBankCard, bind_card};
use money::wallet::flow_list::{FlowQuery, Statement, flow_list};
use money::wallet::property::{Property, property};
use payee::testing::tron_address;
use store::PageRequest;
use store::schema::idempotency_keys as keys;
use store::testing::TestDb;

pub struct World {
    pub test: TestDb,
    pub app: AdServer,
    pub user: UserId,
    pub ann: Staff,
    pub bob: Staff,
    /// With a role that may not move money.
    pub carl: Staff,
}

/// A user without money.
pub async fn world(test: TestDb) -> World {
    let secrets = Secrets::new([1; 32], [2; 32], [3; 32]);
    let app = AdServer::new(App::new(test.db.clone(), secrets, Settings::default()));
    let user = test.user("demo").await;
    let ann = staff(&test, "ann", Role::Finance).await;
    let bob = staff(&test, "bob", Role::Admin).await;
    let carl = staff(&test, "carl", Role::Support).await;
    World { test, app, user, ann, bob, carl }
}

async fn staff(test: &TestDb, name: &'static str, role: Role) -> Staff {
    Staff::new(test.operator(name, role).await, "a test").expect("a reason")
}

/// A user with `amount` available and a wallet address bound.
pub async fn funded(test: TestDb, amount: &str) -> World {
    let world = world(test).await;
    world.recharge(amount, "first").await;
    bind(&world.app, world.user, address("first")).await.expect("bound");
    world
}

impl World {
    pub async fn recharge(&self, amount: &str, reference: &str) {
        self.book(MoneyRequestDraft::recharge(self.user, amount, reference)).await;
    }

    /// Ann requests it, Bob approves.
    pub async fn book(&self, ask: MoneyRequestDraft) -> RequestView {
        let asked = request(&self.app, &self.ann, ask).await.expect("requested");
        approve(&self.app, &self.bob, asked.id.into()).await.expect("approved")
    }

    /// Start-up funds for the user.
    pub async fn advance(&self, amount: &str) {
        self.book(MoneyRequestDraft::startup_loan(self.user, amount)).await;
    }

    pub async fn property(&self) -> Property {
        property(&self.app, self.user).await.expect("figures")
    }

    /// What is kept of the user's one keyed request.
    pub async fn kept(&self) -> String {
        let user = self.user;
        let of_user = keys::table.filter(keys::user_id.eq(user.0)).select(keys::answer);
        self.app.db.read(move |conn| Ok::<_, store::Error>(of_user.first(conn)?)).await.expect("one key")
    }

    /// Versions before kept whole answers.
    pub async fn keep(&self, whole_answer: &str) {
        let sql = format!("UPDATE idempotency_keys SET answer = '{whole_answer}'");
        let kept = self.app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?)).await;
        kept.expect("kept");
    }

    pub async fn statement(&self) -> Statement {
        let query = FlowQuery { page: PageRequest { before: None, limit: 100 }, ..FlowQuery::default() };
        flow_list(&self.app, self.user, query).await.expect("a statement")
    }

    /// The statement, newest first, as `kind amount balance`.
    pub async fn lines(&self) -> Vec<String> {
        let lines = self.statement().await.lines.items;
        lines.iter().map(|l| format!("{} {} {}", l.kind, l.amount, l.balance)).collect()
    }
}

/// As a user who has given the transaction password.
pub async fn bind(app: &AdServer, user: UserId, card: CardView) -> Result<CardView, Error> {
    bind_card(app, Binder::Proven(Proof::assumed(user)), NewBankCard::read(app, card)?).await
}

pub fn money(text: &str) -> Money {
    text.parse().expect("an amount")
}

/// A wallet address, another for each name.
pub fn address(name: &str) -> CardView {
    CardView::WalletAddress { network: "TRC20".into(), address: tron_address(name) }
}

/// The same as it is shown.
pub fn hidden(name: &str) -> CardView {
    masked(&payee::testing::masked(&tron_address(name)))
}

pub fn masked(number: &str) -> CardView {
    CardView::WalletAddress { network: "TRC20".into(), address: number.into() }
}

/// The key of a refusal, or the wrong fields as `name=problem`.
pub fn why<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    match result.expect_err("a refusal") {
        Error::Refused(refusal) => refusal.key().to_owned(),
        Error::Fields(fields) => {
            fields.iter().map(|(name, problem)| format!("{name}={problem}")).collect::<Vec<_>>().join(" ")
        }
        other => panic!("neither refused nor wrong: {other}"),
    }
}
