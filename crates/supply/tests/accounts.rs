//! Properties of every publisher's account, whatever is earned, asked for, paid and corrected.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use base::{Money, PublisherId, Timestamp};
use proptest::prelude::*;
use supply::{Account, PayoutRules, Publisher, PublisherKind, PublisherStatus, Refused, Share};

const AGREED: Timestamp = Timestamp::from_seconds(1_000_000);
const NOW: Timestamp = AGREED.plus_days(10);
const RULES: PayoutRules = PayoutRules { minimum: Money::from_minor(1), delay_days: 30, hold_days: 1 };

#[derive(Clone, Debug)]
enum Step {
    Earn(i64),
    /// A part of what was earned is settled.
    Settle(i64),
    Ask(i64),
    /// One of the payouts that were asked for is paid.
    Pay(usize),
    Reject(usize),
    Correct(i64),
    /// Buyers get money back, as far as it is still owed.
    GiveBack(i64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0_i64..1_000).prop_map(Step::Earn),
        2 => (0_i64..1_000).prop_map(Step::Settle),
        2 => (-10_i64..1_500).prop_map(Step::Ask),
        1 => (0_usize..4).prop_map(Step::Pay),
        1 => (0_usize..4).prop_map(Step::Reject),
        3 => (-1_500_i64..300).prop_map(Step::Correct),
        2 => (0_i64..1_500).prop_map(Step::GiveBack),
    ];
    proptest::collection::vec(step, 1..80)
}

fn publisher() -> Publisher {
    Publisher {
        id: PublisherId(1),
        kind: PublisherKind::Direct,
        name: "P".into(),
        domain: None,
        contact: None,
        status: PublisherStatus::Active,
        share: Share::default(),
        paid_to_since: Some(AGREED),
    }
}

/// An account with the payouts that were asked for and not paid yet.
#[derive(Default)]
struct Model {
    account: Account,
    open: Vec<Money>,
}

fn plus(to: &mut Money, amount: Money) {
    *to = to.plus(amount).expect("small");
}

impl Model {
    fn take(&mut self, step: &Step) {
        let money = Money::from_minor;
        match *step {
            Step::Earn(minor) => plus(&mut self.account.earned, money(minor)),
            Step::Settle(minor) => {
                let settled = self.account.settled.plus(money(minor)).expect("small");
                self.account.settled = settled.min(self.account.earned);
            }
            Step::Ask(minor) => {
                if self.account.ask(money(minor), &publisher(), &RULES, NOW).is_ok() {
                    plus(&mut self.account.asked, money(minor));
                    self.open.push(money(minor));
                }
            }
            Step::Pay(at) => {
                if let Some(amount) = self.close(at) {
                    plus(&mut self.account.paid, amount);
                }
            }
            Step::Reject(at) => drop(self.close(at)),
            Step::GiveBack(minor) => {
                let taken = money(minor).min(self.account.recoverable().expect("small"));
                plus(&mut self.account.given_back, taken);
            }
            Step::Correct(minor) => {
                if self.account.correct(money(minor)).is_ok() {
                    let sum = if minor < 0 { &mut self.account.taken_back } else { &mut self.account.added };
                    plus(sum, money(minor.abs()));
                }
            }
        }
    }

    fn close(&mut self, at: usize) -> Option<Money> {
        let amount = (at < self.open.len()).then(|| self.open.remove(at))?;
        plus(&mut self.account.asked, amount.negated().expect("small"));
        Some(amount)
    }
}

proptest! {
    #[test]
    fn a_correction_takes_back_no_more_than_is_owed_and_leaves_what_was_promised(steps in steps()) {
        let mut model = Model::default();
        for step in &steps {
            model.take(step);
            let account = model.account;
            let corrected = account.corrected().expect("small");
            let owed = account.earned.plus(corrected).and_then(|all| all.minus(account.paid)).expect("small");
            prop_assert!(owed >= account.asked, "{:?}", account);
            // Never more than was billed and settled, but for what the platform added itself.
            let settled = account.settled.plus(account.added).expect("small");
            prop_assert!(account.paid.plus(account.asked).expect("small") <= settled, "{:?}", account);
            for amount in &model.open {
                prop_assert_eq!(account.covers((*amount, NOW), &publisher(), &RULES, NOW), Ok(()));
            }
            let (payable, recoverable) = (account.payable().expect("small"), account.recoverable().expect("small"));
            prop_assert!(!payable.is_negative() && payable <= recoverable);
            // The platform takes back what it added, and no more.
            let undoable = account.undoable().expect("small");
            prop_assert!(account.taken_back <= account.added);
            let one_more = undoable.plus(Money::from_minor(1)).expect("small");
            let refused = Refused::MoreThanAdded { added: undoable, asked: one_more };
            prop_assert_eq!(account.correct(one_more.negated().expect("small")), Err(refused));
        }
    }

    #[test]
    fn any_figures_are_refused_or_answered(
        figures in proptest::array::uniform7(any::<i64>()),
        amount in any::<i64>(),
    ) {
        let [earned, settled, paid, asked, added, taken_back, given_back] = figures.map(Money::from_minor);
        let account = Account { earned, settled, paid, asked, added, taken_back, given_back };
        let amount = Money::from_minor(amount);
        if account.correct(amount).is_ok() {
            let taken = amount.negated().expect("possible");
            prop_assert!(amount.is_positive() || taken <= account.recoverable().expect("possible"));
        }
        if account.ask(amount, &publisher(), &RULES, NOW).is_ok() {
            prop_assert!(amount <= account.payable().expect("possible"));
        }
        let _ = account.covers((amount, NOW), &publisher(), &RULES, NOW);
    }
}
