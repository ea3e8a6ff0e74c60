//! The actions of the demonstration's user and staff, each with its day and hour, counted from the beginning.

/// Something that somebody does once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// An amount from the bank, with its reference.
    Recharge(&'static str, &'static str),
    BindPayoutAccount,
    PayDeposit(&'static str),
    /// Coupons are agreed on, and the user's first plan uses one.
    UseCoupon,
    /// Staff offer a plan on this product.
    Offer(&'static str),
    /// The user puts an amount on this product.
    Put(&'static str, &'static str),
    /// The same on the plan that was offered.
    PutOffered(&'static str, &'static str),
    /// The user's last plan on this product.
    Pause(&'static str),
    Stop(&'static str),
    Reject(&'static str),
    Withdraw(&'static str),
    /// The user's last withdrawal.
    ApproveWithdrawal,
    /// Paid under the bank's reference.
    PayWithdrawal(&'static str),
    /// Rejected for this reason.
    RejectWithdrawal(&'static str),
    /// An amount exchanged with an acceptor into a currency.
    Exchange(&'static str, &'static str, &'static str),
    HandOverExchange,
    CompleteExchange,
    CancelExchange,
    /// The user follows an operated id.
    Follow(&'static str),
    /// The account with that id puts an amount on a product.
    Lead(&'static str, &'static str, &'static str),
    ReadNotices,
    /// Staff agree on the bank account of one publisher.
    AgreeOnPublisher,
    /// Staff pay the publisher an amount, under the bank's reference.
    PayPublisher(&'static str, &'static str),
}

const BOOTS: &str = "Trailhead Boots";
const COFFEE: &str = "Aurora Coffee";
const LAMP: &str = "Lumen Lamp";
const KITE: &str = "Kite Game";
const BANK: &str = "North Bank Account";
const GARDEN: &str = "Verde Garden";

use Act::{
    AgreeOnPublisher, ApproveWithdrawal, BindPayoutAccount, CancelExchange, CompleteExchange, Exchange, Follow,
    HandOverExchange, Lead, Offer, Pause, PayDeposit, PayPublisher, PayWithdrawal, Put, PutOffered, ReadNotices,
    Recharge, Reject, RejectWithdrawal, Stop, UseCoupon, Withdraw,
};

/// In order. The last day ends with the present.
pub const SCRIPT: &[(i64, i64, Act)] = &[
    (0, 4, Recharge("1500.00", "DEMO-RECHARGE-0")),
    (0, 6, BindPayoutAccount),
    (0, 8, Put(LAMP, "12.00")),
    (1, 9, AgreeOnPublisher),
    (2, 8, UseCoupon),
    (3, 7, Put(COFFEE, "30.00")),
    (5, 9, PayDeposit("100.00")),
    (6, 8, Put(BOOTS, "40.00")),
    (8, 12, Offer(GARDEN)),
    (9, 20, PutOffered(GARDEN, "60.00")),
    (12, 7, Put(KITE, "25.00")),
    (15, 9, Follow("OP-1001")),
    (17, 8, Put(COFFEE, "40.00")),
    // The sites that would show it are closed: see `open_slots`.
    (20, 6, Put(BANK, "80.00")),
    (21, 4, Recharge("500.00", "DEMO-RECHARGE-2")),
    (21, 8, Put(BOOTS, "45.00")),
    (24, 8, Put(BANK, "90.00")),
    (25, 9, Withdraw("250.00")),
    (26, 9, ApproveWithdrawal),
    (26, 14, PayWithdrawal("DEMO-PAYOUT-1")),
    (27, 8, Put(LAMP, "15.00")),
    (28, 8, Put(KITE, "30.00")),
    (31, 19, Stop(KITE)),
    (33, 7, Put(GARDEN, "80.00")),
    (36, 8, Put(COFFEE, "35.00")),
    (40, 9, Exchange("Harbour Exchange", "300.00", "EUR")),
    (40, 12, HandOverExchange),
    (41, 9, CompleteExchange),
    (41, 12, Put(BOOTS, "50.00")),
    (44, 8, Put(LAMP, "20.00")),
    (45, 9, Recharge("600.00", "DEMO-RECHARGE-3")),
    (47, 7, Put(KITE, "50.00")),
    (47, 9, Reject(KITE)),
    (48, 8, Put(KITE, "25.00")),
    (50, 8, Put(GARDEN, "90.00")),
    (50, 12, Withdraw("200.00")),
    (51, 9, RejectWithdrawal("The bank does not know the account holder. Please check the name.")),
    (53, 8, Put(COFFEE, "40.00")),
    (58, 8, Put(BANK, "120.00")),
    (60, 8, Put(BOOTS, "55.00")),
    (62, 9, Exchange("Mei Lin", "150.00", "JPY")),
    (62, 12, CancelExchange),
    (64, 8, Put(KITE, "30.00")),
    (66, 8, Put(GARDEN, "100.00")),
    (70, 8, Put(COFFEE, "45.00")),
    (70, 12, Withdraw("400.00")),
    (71, 9, ApproveWithdrawal),
    (71, 14, PayWithdrawal("DEMO-PAYOUT-2")),
    (73, 8, Put(LAMP, "18.00")),
    (74, 4, Recharge("700.00", "DEMO-RECHARGE-4")),
    (76, 8, Put(BOOTS, "35.00")),
    (79, 8, Put(KITE, "28.00")),
    (80, 9, Lead("OP-1001", BOOTS, "50.00")),
    (81, 8, Put(GARDEN, "110.00")),
    (82, 8, Put(LAMP, "20.00")),
    (84, 8, Put(COFFEE, "50.00")),
    (85, 8, Put(BANK, "150.00")),
    (86, 8, Put(BOOTS, "60.00")),
    (86, 9, ReadNotices),
    (86, 10, PayPublisher("60.00", "DEMO-PUBLISHER-1")),
    (87, 8, Put(KITE, "30.00")),
    (88, 6, Pause(BOOTS)),
    (88, 8, Withdraw("120.00")),
    (88, 19, ApproveWithdrawal),
    (89, 18, Withdraw("60.00")),
];

/// The plan that the user stops at the very end, so that it is still being closed.
pub const STOPPED_LAST: &str = COFFEE;

/// The last thing that the user does: nobody has seen this plan yet.
pub const PUT_LAST: Act = Put(LAMP, "15.00");

/// Days on which two of the sites were closed: some plans found no slot.
const CLOSED: std::ops::Range<i64> = 20 * 24 + 6..23 * 24 + 6;
const ALL: [&str; 4] = ["games-hall", "news-top", "sports-feed", "travel-side"];
const WITHOUT_NEWS: [&str; 2] = ["games-hall", "sports-feed"];

/// The slots that readers visit in this hour.
pub fn open_slots(hour: i64) -> &'static [&'static str] {
    if CLOSED.contains(&hour) { &WITHOUT_NEWS } else { &ALL }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_is_in_order_and_ends_before_the_present() {
        let hours: Vec<i64> = SCRIPT.iter().map(|(day, hour, _)| day * 24 + hour).collect();
        assert!(hours.is_sorted() && SCRIPT.iter().all(|(_, hour, _)| (0..24).contains(hour)));
        assert!(hours.last().is_some_and(|last| *last < super::super::DAYS * 24 - 1));
    }
}
