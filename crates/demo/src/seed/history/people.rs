//! The people who act in the past, each through the same use cases as anybody else.

use std::collections::BTreeMap;

use auth::PayPassword;
use base::{ExchangeOrderId, Field, PlanId, ProductId, UserId, WithdrawalId};
use calendar::Zone;
use campaigns::plans::follow::follow;
use campaigns::plans::plan_control::{PlanCommand, control, offer, reject};
use campaigns::plans::plan_views::PlanView;
use campaigns::plans::put::{Put, PutTarget, put};
use desk::installation::simulated;
use desk::requests::MoneyRequestDraft;
use foundation::amount::{invested, positive};
use foundation::notifications::{ReadSelection, read};
use foundation::people::pay_password::{self, Proof};
use foundation::people::staff_accounts::find_account;
use foundation::staff::Staff;
use foundation::{App, Error, Refusal};
use money::wallet::acceptors::{acceptor_detail, acceptors};
use money::wallet::bank_card::{Binder, CardView, NewBankCard, bind_card};
use money::wallet::deposit::{MoveDeposit, pay_deposit};
use money::wallet::exchange::{PutExchange, cancel_exchange, put_exchange};
use money::wallet::exchange_review::{approve_exchange, complete_exchange};
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::{approve_withdrawal, pay_withdrawal, reject_withdrawal};
use plans::ContentType;

use super::publishers;
use super::script::Act;
use crate::Failure;
use crate::seed::acceptors::DemoAcceptor;
use crate::seed::people::{self, DEMO, Pair};
use crate::seed::{market, offers, reach};
use campaigns::AdServer;

/// Money of an operated account that others follow.
const LEADS_WITH: &str = "200.00";

pub struct People {
    pub staff: Pair,
    pub user: UserId,
    acceptors: Vec<DemoAcceptor>,
    products: BTreeMap<String, ProductId>,
    /// The last plan of the user on each product, with its number.
    plans: BTreeMap<&'static str, (PlanId, String)>,
    withdrawal: Option<WithdrawalId>,
    exchange: Option<ExchangeOrderId>,
}

impl People {
    pub async fn new(app: &App, staff: Pair, user: UserId, acceptors: Vec<DemoAcceptor>) -> Result<Self, Failure> {
        let known = market::every_product(app).await?;
        let products = known.into_iter().map(|(name, one)| (name, one.product.id));
        Ok(Self {
            staff,
            user,
            acceptors,
            products: products.collect(),
            plans: BTreeMap::new(),
            withdrawal: None,
            exchange: None,
        })
    }

    pub async fn act(&mut self, app: &AdServer, act: Act) -> Result<(), Failure> {
        match act {
            Act::Recharge(amount, reference) => self.recharge(app, self.user, amount, reference).await,
            Act::UseCoupon => offers::plant_first(app, &self.staff, self.user).await,
            Act::Offer(product) => {
                let offered = offer(app, &self.staff.first, self.user, self.product(product)?).await?;
                self.remember(product, &offered)
            }
            Act::Put(product, amount) => {
                let on = PutTarget::Product(self.product(product)?);
                self.put(app, product, on, amount).await
            }
            Act::PutOffered(product, amount) => {
                let on = PutTarget::Offered(self.plan(product)?.0);
                self.put(app, product, on, amount).await
            }
            Act::Pause(product) => self.control(app, product, PlanCommand::Pause).await,
            Act::Stop(product) => self.control(app, product, PlanCommand::Stop).await,
            Act::Reject(product) => {
                let (_, number) = self.plan(product)?;
                reject(app, &self.staff.second, &number).await?;
                Ok(())
            }
            Act::Follow(operated_id) => {
                follow(app, self.user, operated_id).await?;
                Ok(())
            }
            Act::Lead(operated_id, product, amount) => self.lead(app, operated_id, product, amount).await,
            Act::ReadNotices => {
                read(app, self.user, ReadSelection::All(None)).await?;
                Ok(())
            }
            act => self.move_money(app, act).await,
        }
    }

    async fn move_money(&mut self, app: &App, act: Act) -> Result<(), Failure> {
        match act {
            Act::BindPayoutAccount => {
                let typed = NewBankCard::read(app, payout_account())?;
                bind_card(app, Binder::Proven(proof(app, self.user).await?), typed).await?;
            }
            Act::PayDeposit(amount) => {
                pay_deposit(app, proof(app, self.user).await?, MoveDeposit::read(amount, None)?).await?;
            }
            Act::Withdraw(amount) => {
                let asked = withdraw(app, proof(app, self.user).await?, Withdraw::read(amount, None)?).await?;
                self.withdrawal = Some(asked.id);
            }
            Act::ApproveWithdrawal => drop(approve_withdrawal(app, &self.staff.first, self.withdrawal()?).await?),
            Act::PayWithdrawal(reference) => {
                pay_withdrawal(app, &self.staff.second, self.withdrawal()?, Some(reference.to_owned())).await?;
            }
            Act::RejectWithdrawal(reason) => {
                let operator = simulated::operator(app, people::FIRST).await?.ok_or(Refusal::NotFound)?;
                reject_withdrawal(app, &Staff::new(operator, reason)?, self.withdrawal()?).await?;
            }
            Act::Exchange(acceptor, amount, currency) => self.exchange(app, acceptor, amount, currency).await?,
            Act::HandOverExchange => drop(approve_exchange(app, &self.staff.first, self.order()?).await?),
            Act::CompleteExchange => drop(complete_exchange(app, &self.staff.second, self.order()?).await?),
            Act::CancelExchange => drop(cancel_exchange(app, self.user, self.order()?, None).await?),
            Act::AgreeOnPublisher => publishers::agree(app, &self.staff).await?,
            Act::PayPublisher(amount, reference) => publishers::pay(app, &self.staff, amount, reference).await?,
            other => return Err(Error::Internal(format!("not about money: {other:?}")).into()),
        }
        Ok(())
    }

    async fn recharge(&self, app: &App, user: UserId, amount: &str, reference: &str) -> Result<(), Failure> {
        people::book(app, &self.staff, MoneyRequestDraft::recharge(user, amount, reference), reference).await
    }

    async fn put(&mut self, app: &AdServer, product: &'static str, on: PutTarget, amount: &str) -> Result<(), Failure> {
        let command = Put::new(on, invested(Field::Amount, amount)?, ContentType::LandingPage);
        let plan = put(app, proof(app, self.user).await?, command).await?;
        self.remember(product, &plan)
    }

    fn remember(&mut self, product: &'static str, plan: &PlanView) -> Result<(), Failure> {
        self.plans.insert(product, (plan.id, plan.plan_no.clone()));
        Ok(())
    }

    async fn control(&self, app: &App, product: &str, command: PlanCommand) -> Result<(), Failure> {
        control(app, self.user, self.plan(product)?.0, command).await?;
        Ok(())
    }

    /// An operated account gets money and puts it; its followers are offered the product.
    async fn lead(&self, app: &AdServer, operated_id: &str, product: &str, amount: &str) -> Result<(), Failure> {
        let username = reach::username(operated_id).ok_or(Refusal::NotFound)?;
        let leader = find_account(app, username).await?;
        simulated::pay_password(app, leader, PayPassword::from_digits(DEMO.pay_password)).await?;
        self.recharge(app, leader, LEADS_WITH, &format!("DEMO-{operated_id}")).await?;
        let on = PutTarget::Product(self.product(product)?);
        let command = Put::new(on, invested(Field::Amount, amount)?, ContentType::LandingPage);
        put(app, proof(app, leader).await?, command).await?;
        Ok(())
    }

    async fn exchange(&mut self, app: &App, name: &str, amount: &str, currency: &str) -> Result<(), Failure> {
        let demo = self.acceptors.iter().find(|one| one.name == name).ok_or(Refusal::NotFound)?;
        let shown = acceptors(app, Some(&demo.kind)).await?.into_iter().find(|one| one.name == name);
        let acceptor = shown.ok_or(Refusal::NotFound)?;
        let detail = acceptor_detail(app, self.user, &demo.kind, &demo.code, Zone::UTC).await?;
        let rate = detail.rates.into_iter().find(|rate| rate.currency == currency).ok_or(Refusal::NotFound)?;
        let command = PutExchange {
            acceptor: acceptor.id.to_string(),
            code: demo.code.clone(),
            amount: positive(Field::Amount, amount)?,
            currency: currency.to_owned(),
            quote: Some(rate.quote_id.to_string()),
            rate: Some(rate.rate),
            zone: Zone::UTC,
            key: None,
        };
        let order = put_exchange(app, proof(app, self.user).await?, command).await?;
        self.exchange = Some(order.id);
        Ok(())
    }

    fn product(&self, name: &str) -> Result<ProductId, Failure> {
        Ok(*self.products.get(name).ok_or(Refusal::NotFound)?)
    }

    fn plan(&self, product: &str) -> Result<(PlanId, String), Failure> {
        Ok(self.plans.get(product).cloned().ok_or(Refusal::NotFound)?)
    }

    fn withdrawal(&self) -> Result<WithdrawalId, Failure> {
        Ok(self.withdrawal.ok_or(Refusal::NotFound)?)
    }

    fn order(&self) -> Result<ExchangeOrderId, Failure> {
        Ok(self.exchange.ok_or(Refusal::NotFound)?)
    }
}

async fn proof(app: &App, user: UserId) -> Result<Proof, Error> {
    pay_password::verify(app, user, &PayPassword::from_digits(DEMO.pay_password)).await
}

fn payout_account() -> CardView {
    CardView::BankCard {
        card_name: "Giro".to_owned(),
        user_name: "Demo User".to_owned(),
        mobile: "+49 170 1234567".to_owned(),
        bank_name: "Aurora Bank".to_owned(),
        bank_account: "DE02 1203 0000 0000 2020 51".to_owned(),
        branch_name: String::new(),
        beneficiary_name: None,
        bank_address: None,
    }
}
