//! The laws of the ledger, over random sequences of commands.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod model;

use std::collections::BTreeMap;

use base::{AdvertiserId, Money, PlanId, PublisherId, Rate, UserId};
use model::{ADVERTISERS, Command, Model, PLANS, Plan, USERS, User, command};
use proptest::prelude::*;
use rust_decimal::Decimal;
use wallet::{
    Account, Advertiser, Balances, Entry, Hold, PlatformAccount, Postings, PutOnPlan, Refused, Settle, UserAccount,
    Wallet, Withdraw, to_be_consumed, total_assets,
};

fn money(minor: i64) -> Money {
    Money::from_minor(minor)
}

fn user_id(user: usize) -> UserId {
    UserId(1 + user as i64)
}

fn plan_id(plan: usize) -> PlanId {
    PlanId(1 + plan as i64)
}

fn advertiser_id(advertiser: usize) -> AdvertiserId {
    AdvertiserId(1 + advertiser as i64)
}

fn start() -> Balances {
    let mut balances = Balances::default();
    (0..USERS).for_each(|user| balances.insert_wallet(Wallet::empty(user_id(user))));
    (0..PLANS).for_each(|plan| balances.insert_hold(Hold::empty(user_id(Model::owner(plan)), plan_id(plan))));
    (0..ADVERTISERS).for_each(|a| balances.insert_advertiser(Advertiser { id: advertiser_id(a), claims: Money::ZERO }));
    balances
}

/// What is due of chargebacks, by user: what was written off less what was collected.
type Due = [Money; USERS];

fn decide(balances: &Balances, due: &Due, command: Command) -> Result<Postings, Refused> {
    use Command::*;
    let wallet = |user| balances.wallet(user_id(user)).expect("loaded");
    let hold = |plan| balances.hold(plan_id(plan)).expect("loaded");
    let advertiser = |a| balances.advertiser(advertiser_id(a)).expect("loaded");
    match command {
        Recharge(u, n) => wallet::recharge(wallet(u), money(n)),
        Fund(a, n) => wallet::fund_advertiser(advertiser(a), money(n)),
        Put { plan, available, promotional, coupon } => {
            let put = PutOnPlan {
                plan: plan_id(plan),
                available: money(available),
                promotional: money(promotional),
                coupon: money(coupon),
            };
            wallet::put_on_plan(wallet(Model::owner(plan)), &put)
        }
        Add(plan, n) => wallet::add_to_plan(wallet(Model::owner(plan)), hold(plan), money(n)),
        // Two publishers get a half and a fifth of it.
        Bill(plan, n) => {
            let earned = [(PublisherId(1), money(n / 2)), (PublisherId(2), money(n / 5))];
            wallet::bill(hold(plan), money(n), earned)
        }
        Release(plan) => wallet::release(hold(plan)),
        Accept { user, advertiser: a, payout } => wallet::accept_conversion(wallet(user), advertiser(a), money(payout)),
        Reverse { user, advertiser: a, payout } => {
            wallet::reverse_conversion(wallet(user), advertiser(a), money(payout))
        }
        Settle { user, gross, fee_percent } => {
            let fee_rate = Rate::new(Decimal::new(fee_percent, 2)).expect("a rate");
            wallet::settle(wallet(user), &self::Settle { gross: money(gross), fee_rate })
        }
        Withdraw { user, amount, card_bound } => {
            wallet::withdraw(wallet(user), &self::Withdraw { amount: money(amount), card_bound, due: due[user] })
        }
        RejectWithdrawal(u, n) => wallet::reject_withdrawal(wallet(u), money(n)),
        PayWithdrawal(u, n) => wallet::pay_withdrawal(wallet(u), money(n)),
        Advance(u, n) => wallet::advance_startup_loan(wallet(u), money(n)),
        Return(u, n) => wallet::repay_startup_loan(wallet(u), money(n)),
        ChargeBack(u, n) => wallet::charge_back(wallet(u), money(n)),
        CollectChargeback(u, n) => wallet::collect_chargeback(wallet(u), due[u], money(n)),
        Grant(u, n) => wallet::grant_promotion(wallet(u), money(n)),
        Revoke(u, n) => wallet::revoke_promotion(wallet(u), money(n)),
        Vip(u, n) => wallet::subscribe_vip(wallet(u), money(n)),
        PutExchange(u, n) => wallet::put_exchange(wallet(u), money(n), due[u]),
        CompleteExchange(u, n) => wallet::complete_exchange(wallet(u), money(n)),
        CancelExchange(u, n) => wallet::cancel_exchange(wallet(u), money(n)),
        PayDeposit(u, n) => wallet::pay_deposit(wallet(u), money(n)),
        ReturnDeposit(u, n) => {
            let command = wallet::ReturnDeposit { amount: money(n), plans_under_way: false, due: due[u] };
            wallet::return_deposit(wallet(u), &command)
        }
    }
}

/// The state in the model's form; assets as computed by the ledger.
fn as_model(balances: &Balances, due: &Due) -> Model {
    let user = |user: usize| {
        let wallet = *balances.wallet(user_id(user)).expect("loaded");
        let held = to_be_consumed(balances.holds().filter(|hold| hold.user == wallet.user)).expect("a sum");
        User {
            available: wallet.available.minor(),
            pending: wallet.pending.minor(),
            withdrawing: wallet.withdrawing.minor(),
            exchanging: wallet.exchanging.minor(),
            deposit: wallet.deposit.minor(),
            promotional: wallet.promotional.minor(),
            due: due[user].minor(),
            owed: wallet.startup_loan_outstanding().expect("a debt").minor(),
            assets: total_assets(&wallet, held).expect("a sum").minor(),
        }
    };
    let plan = |plan| {
        let Hold { available, promotional, coupon, .. } = *balances.hold(plan_id(plan)).expect("loaded");
        Plan { available: available.minor(), promotional: promotional.minor(), coupon: coupon.minor() }
    };
    Model {
        users: std::array::from_fn(user),
        plans: std::array::from_fn(plan),
        claims: std::array::from_fn(|a| balances.advertiser(advertiser_id(a)).expect("loaded").claims.minor()),
    }
}

/// A sequence of accepted commands, with the balance after each entry.
struct Run {
    balances: Balances,
    written: Vec<(Entry, Option<Money>)>,
}

/// Runs ledger and model side by side and compares them after every command.
fn run(commands: &[Command]) -> Result<Run, TestCaseError> {
    let (mut balances, mut model, mut written) = (start(), Model::default(), Vec::new());
    let mut due = Due::default();
    for command in commands {
        let before = balances.clone();
        let decided = decide(&balances, &due, *command);
        prop_assert_eq!(decided.is_ok(), model.step(*command), "{:?} was decided {:?}", command, decided);
        match decided {
            Ok(postings) => {
                // An accepted decision can always be applied.
                let running = balances.apply(&postings).expect("applies");
                prop_assert!(!postings.entries().is_empty());
                prop_assert_eq!(postings.entries().len(), running.len());
                prop_assert_eq!(postings.entries().iter().map(|e| e.amount.minor()).sum::<i64>(), 0);
                if let Command::ChargeBack(user, _) | Command::CollectChargeback(user, _) = *command {
                    due[user] = due[user].minus(written_off(&postings)).expect("a sum");
                }
                written.extend(postings.entries().iter().copied().zip(running));
            }
            Err(_) => prop_assert_eq!(&balances, &before),
        }
        prop_assert_eq!(&as_model(&balances, &due), &model, "after {:?}", command);
    }
    Ok(Run { balances, written })
}

fn written_off(postings: &Postings) -> Money {
    let write_offs = Account::Platform(PlatformAccount::WriteOffs);
    let entries = postings.entries().iter().filter(|entry| entry.account == write_offs);
    Money::sum(entries.map(|entry| entry.amount)).expect("a sum")
}

/// A balance in the state; `None` for accounts that have none.
fn balance(balances: &Balances, account: Account) -> Option<Money> {
    match account {
        Account::User(user, account) => balances.wallet(user).map(|w| w.balance(account)),
        Account::Hold { plan, source, .. } => balances.hold(plan).map(|h| h.remaining(source)),
        Account::Advertiser(id) => balances.advertiser(id).map(|a| a.claims),
        Account::Platform(_) | Account::Publisher(_) => None,
    }
}

fn commands() -> impl Strategy<Value = Vec<Command>> {
    prop::collection::vec(command(), 1..120)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Covers: entries sum to zero, a refusal changes nothing, total assets are what came
    /// in less what went out, sources of a hold are separate.
    #[test]
    fn the_ledger_does_what_the_model_does(commands in commands()) {
        run(&commands)?;
    }

    #[test]
    fn every_balance_is_the_sum_of_its_entries(commands in commands()) {
        let Run { balances, written } = run(&commands)?;
        let mut sums: BTreeMap<Account, i64> = BTreeMap::new();
        for (entry, _) in &written {
            *sums.entry(entry.account).or_default() += entry.amount.minor();
        }
        prop_assert_eq!(sums.values().sum::<i64>(), 0);
        for (account, sum) in sums {
            if let Some(balance) = balance(&balances, account) {
                prop_assert_eq!(balance.minor(), sum, "{:?}", account);
            }
        }
    }

    #[test]
    fn running_balances_chain_and_keep_their_sign(commands in commands()) {
        let mut last: BTreeMap<Account, i64> = BTreeMap::new();
        for (entry, running) in run(&commands)?.written {
            let Some(running) = running else { continue };
            let before = last.insert(entry.account, running.minor()).unwrap_or(0);
            prop_assert_eq!(before + entry.amount.minor(), running.minor(), "{:?}", entry.account);
            let owed = matches!(entry.account, Account::User(_, UserAccount::Advance));
            let wrong = if owed { running.is_positive() } else { running.is_negative() };
            prop_assert!(!wrong, "{:?} at {}", entry.account, running);
        }
    }

    /// Lines on `available` account for every change of `available`.
    #[test]
    fn the_statement_explains_available(commands in commands()) {
        let Run { balances, written } = run(&commands)?;
        for user in (0..USERS).map(user_id) {
            let available = Account::User(user, UserAccount::Available);
            let shown = written.iter().filter(|(entry, _)| entry.account == available && entry.flow.is_some());
            let sum: i64 = shown.map(|(entry, _)| entry.amount.minor()).sum();
            prop_assert_eq!(balance(&balances, available).map(Money::minor), Some(sum));
        }
    }
}

proptest! {
    /// What prevents every withdrawal is what refuses the smallest one.
    #[test]
    fn the_barriers_of_a_withdrawal_are_its_refusals(
        available in 0..500_i64, advance in -50..=0_i64, card_bound: bool, due in prop_oneof![Just(0_i64), 1..100_i64],
        amount in 1..600_i64
    ) {
        let wallet = Wallet { available: money(available), advance: money(advance), ..Wallet::empty(user_id(0)) };
        let barriers = wallet::withdrawal_barriers(&wallet, card_bound, money(due)).expect("decided");
        let ask = |amount| wallet::withdraw(&wallet, &Withdraw { amount: money(amount), card_bound, due: money(due) });
        prop_assert_eq!(ask(1).err(), barriers.first().copied());
        if !barriers.is_empty() {
            prop_assert!(ask(amount).is_err());
        } else {
            prop_assert_eq!(ask(amount).is_ok(), amount <= available);
        }
    }
}
