//! The ledger's behaviour implemented a second time, in plain numbers and without
//! postings: if the two disagree, one of them is wrong.

use proptest::prelude::*;

pub const USERS: usize = 2;
pub const PLANS: usize = 3;
pub const ADVERTISERS: usize = 2;

/// A command on small numbers, so that sequences meet limits often.
#[derive(Clone, Copy, Debug)]
pub enum Command {
    Recharge(usize, i64),
    Fund(usize, i64),
    Put { plan: usize, available: i64, promotional: i64, coupon: i64 },
    Add(usize, i64),
    Bill(usize, i64),
    Release(usize),
    Accept { user: usize, advertiser: usize, payout: i64 },
    Reverse { user: usize, advertiser: usize, payout: i64 },
    Settle { user: usize, gross: i64, fee_percent: i64 },
    Withdraw { user: usize, amount: i64, card_bound: bool },
    RejectWithdrawal(usize, i64),
    PayWithdrawal(usize, i64),
    Advance(usize, i64),
    Return(usize, i64),
    ChargeBack(usize, i64),
    CollectChargeback(usize, i64),
    Grant(usize, i64),
    Revoke(usize, i64),
    Vip(usize, i64),
    PutExchange(usize, i64),
    CompleteExchange(usize, i64),
    CancelExchange(usize, i64),
    PayDeposit(usize, i64),
    ReturnDeposit(usize, i64),
}

pub fn command() -> impl Strategy<Value = Command> {
    use Command::*;
    let amount = || prop_oneof![8 => 1_i64..80, 1 => -3_i64..=0];
    let part = || prop_oneof![3 => Just(0_i64), 3 => 1_i64..50, 1 => -2_i64..0];
    let simple: [fn(usize, i64) -> Command; 15] = [
        Recharge,
        Advance,
        Return,
        ChargeBack,
        CollectChargeback,
        Grant,
        Revoke,
        Vip,
        PutExchange,
        CompleteExchange,
        CancelExchange,
        PayDeposit,
        ReturnDeposit,
        RejectWithdrawal,
        PayWithdrawal,
    ];
    prop_oneof![
        12 => (prop::sample::select(simple.to_vec()), 0..USERS, amount()).prop_map(|(make, user, n)| make(user, n)),
        2 => (0..USERS, amount()).prop_map(|(user, n)| Recharge(user, n)),
        2 => (0..ADVERTISERS, amount()).prop_map(|(advertiser, n)| Fund(advertiser, n)),
        2 => (0..PLANS, amount()).prop_map(|(plan, n)| Bill(plan, n)),
        1 => (0..PLANS, amount()).prop_map(|(plan, n)| Add(plan, n)),
        1 => (0..PLANS).prop_map(Release),
        3 => (0..PLANS, part(), part(), part()).prop_map(|(plan, available, promotional, coupon)| Put { plan, available, promotional, coupon }),
        2 => (0..USERS, 0..ADVERTISERS, amount()).prop_map(|(user, advertiser, payout)| Accept { user, advertiser, payout }),
        1 => (0..USERS, 0..ADVERTISERS, amount()).prop_map(|(user, advertiser, payout)| Reverse { user, advertiser, payout }),
        2 => (0..USERS, amount(), 0..=100_i64).prop_map(|(user, gross, fee_percent)| Settle { user, gross, fee_percent }),
        3 => (0..USERS, amount(), prop::bool::weighted(0.9)).prop_map(|(user, amount, card_bound)| Withdraw { user, amount, card_bound }),
    ]
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct User {
    pub available: i64,
    pub pending: i64,
    pub withdrawing: i64,
    pub exchanging: i64,
    pub deposit: i64,
    pub promotional: i64,
    pub owed: i64,
    /// What chargebacks did not find.
    pub due: i64,
    /// What total assets should be, computed from what came in and went out rather than
    /// by adding the balances up.
    pub assets: i64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    pub available: i64,
    pub promotional: i64,
    pub coupon: i64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    pub users: [User; USERS],
    pub plans: [Plan; PLANS],
    pub claims: [i64; ADVERTISERS],
}

impl Model {
    /// The owner of a plan.
    pub fn owner(plan: usize) -> usize {
        plan % USERS
    }

    /// Executes the command, or returns `false` and does nothing.
    pub fn step(&mut self, command: Command) -> bool {
        let before = self.clone();
        let done = self.attempt(command);
        if !done {
            *self = before;
        }
        done
    }

    fn attempt(&mut self, command: Command) -> bool {
        use Command::*;
        match command {
            Recharge(u, n) => n > 0 && self.income(u, n),
            Fund(a, n) => n > 0 && add(&mut self.claims[a], n),
            Put { plan, available, promotional, coupon } => self.put(plan, [available, promotional, coupon]),
            Add(plan, n) => n > 0 && self.put(plan, [n, 0, 0]),
            Bill(plan, n) => n > 0 && self.bill(plan, n),
            Release(plan) => self.release(plan),
            Accept { user, advertiser, payout } => payout > 0 && self.accept(user, advertiser, payout),
            Reverse { user, advertiser, payout } => payout > 0 && self.accept(user, advertiser, -payout),
            Settle { user, gross, fee_percent } => gross > 0 && self.settle(user, gross, gross * fee_percent / 100),
            Withdraw { user, amount, card_bound } => {
                let u = &mut self.users[user];
                amount > 0
                    && card_bound
                    && u.owed == 0
                    && u.due == 0
                    && add(&mut u.available, -amount)
                    && add(&mut u.withdrawing, amount)
            }
            RejectWithdrawal(u, n) => n > 0 && self.moved(u, |u| (&mut u.withdrawing, &mut u.available), n),
            PayWithdrawal(u, n) => n > 0 && add(&mut self.users[u].withdrawing, -n) && self.lost(u, n),
            Advance(u, n) => n > 0 && self.income(u, n) && add(&mut self.users[u].owed, n),
            Return(u, n) => n > 0 && self.income(u, -n) && add(&mut self.users[u].owed, -n),
            ChargeBack(u, n) => n > 0 && self.charge_back(u, n),
            CollectChargeback(u, n) => n > 0 && add(&mut self.users[u].due, -n) && self.take(u, n),
            Grant(u, n) => n > 0 && add(&mut self.users[u].promotional, n),
            Revoke(u, n) => n > 0 && add(&mut self.users[u].promotional, -n),
            Vip(u, n) => n > 0 && self.income(u, -n),
            PutExchange(u, n) => {
                n > 0
                    && self.users[u].owed == 0
                    && self.users[u].due == 0
                    && self.moved(u, |u| (&mut u.available, &mut u.exchanging), n)
            }
            CompleteExchange(u, n) => n > 0 && add(&mut self.users[u].exchanging, -n) && self.lost(u, n),
            CancelExchange(u, n) => n > 0 && self.moved(u, |u| (&mut u.exchanging, &mut u.available), n),
            PayDeposit(u, n) => n > 0 && self.moved(u, |u| (&mut u.available, &mut u.deposit), n),
            ReturnDeposit(u, n) => {
                n > 0 && self.users[u].due == 0 && self.moved(u, |u| (&mut u.deposit, &mut u.available), n)
            }
        }
    }

    fn income(&mut self, user: usize, n: i64) -> bool {
        add(&mut self.users[user].available, n) && self.lost(user, -n)
    }

    fn charge_back(&mut self, user: usize, n: i64) -> bool {
        let u = &mut self.users[user];
        let taken = n.min(u.available + u.deposit);
        u.due += n - taken;
        (taken == n || u.withdrawing + u.exchanging == 0) && self.take(user, taken)
    }

    /// One minor unit at a time, from the deposit once nothing is available.
    fn take(&mut self, user: usize, n: i64) -> bool {
        let u = &mut self.users[user];
        (0..n).all(|_| add(&mut u.available, -1) || add(&mut u.deposit, -1)) && self.lost(user, n)
    }

    fn lost(&mut self, user: usize, n: i64) -> bool {
        self.users[user].assets -= n;
        true
    }

    fn moved(&mut self, user: usize, ends: fn(&mut User) -> (&mut i64, &mut i64), n: i64) -> bool {
        let (from, to) = ends(&mut self.users[user]);
        add(from, -n) && add(to, n)
    }

    fn put(&mut self, plan: usize, parts: [i64; 3]) -> bool {
        let [available, promotional, coupon] = parts;
        let (user, plan) = (&mut self.users[Self::owner(plan)], &mut self.plans[plan]);
        plan.available += available;
        plan.promotional += promotional;
        plan.coupon += coupon;
        parts.iter().all(|part| *part >= 0)
            && parts.iter().sum::<i64>() > 0
            && add(&mut user.available, -available)
            && add(&mut user.promotional, -promotional)
    }

    fn bill(&mut self, plan: usize, n: i64) -> bool {
        let owner = Self::owner(plan);
        let plan = &mut self.plans[plan];
        // One minor unit at a time, from the first source that has any.
        for _ in 0..n {
            if !(add(&mut plan.coupon, -1) || add(&mut plan.promotional, -1)) {
                if !add(&mut plan.available, -1) {
                    return false;
                }
                self.users[owner].assets -= 1;
            }
        }
        true
    }

    fn release(&mut self, plan: usize) -> bool {
        let user = &mut self.users[Self::owner(plan)];
        let Plan { available, promotional, coupon } = std::mem::take(&mut self.plans[plan]);
        user.available += available;
        user.promotional += promotional;
        available + promotional + coupon > 0
    }

    fn accept(&mut self, user: usize, advertiser: usize, payout: i64) -> bool {
        add(&mut self.claims[advertiser], -payout)
            && add(&mut self.users[user].pending, payout)
            && self.lost(user, -payout)
    }

    fn settle(&mut self, user: usize, gross: i64, fee: i64) -> bool {
        self.moved(user, |u| (&mut u.pending, &mut u.available), gross) && self.income(user, -fee)
    }
}

/// Adds unless the balance would go below zero.
fn add(balance: &mut i64, n: i64) -> bool {
    if *balance + n < 0 {
        return false;
    }
    *balance += n;
    true
}
