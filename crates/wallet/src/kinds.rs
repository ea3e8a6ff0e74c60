//! The kinds of transactions in the books (`TransactionKind`) and of lines on the
//! user's statement (`FlowKind`).

use base::coded;

coded!(
    /// The event a transaction records.
    TransactionKind {
        Recharge = 1 "recharge",
        AdvertiserFunding = 2 "advertiser_funding",
        PlanPut = 3 "plan_put",
        DeliveryBilled = 4 "delivery_billed",
        HoldReleased = 5 "hold_released",
        ConversionAccepted = 6 "conversion_accepted",
        ConversionReversed = 7 "conversion_reversed",
        Settlement = 8 "settlement",
        WithdrawalAsked = 9 "withdrawal_asked",
        WithdrawalRejected = 10 "withdrawal_rejected",
        WithdrawalPaid = 11 "withdrawal_paid",
        StartupLoanAdvanced = 12 "startup_advanced",
        StartupLoanRepaid = 13 "startup_returned",
        Chargeback = 14 "chargeback",
        PromotionGranted = 15 "promotion_granted",
        PromotionRevoked = 16 "promotion_revoked",
        VipSubscribed = 17 "vip_subscribed",
        ExchangePut = 18 "exchange_put",
        ExchangeCompleted = 19 "exchange_completed",
        ExchangeCancelled = 20 "exchange_cancelled",
        DepositPaid = 21 "deposit_paid",
        DepositReturned = 22 "deposit_returned",
        BankCleared = 23 "bank_cleared",
        BankReopened = 24 "bank_reopened",
        PlanAdded = 25 "plan_added",
        PublisherPaid = 26 "publisher_paid",
        PublisherCorrected = 27 "publisher_corrected",
        DeliveryRefunded = 28 "delivery_refunded",
        ChargebackCollected = 29 "chargeback_collected",
    }
);

coded!(
    /// The heading of a line on the user's statement. Entries without one are not
    /// shown to the user.
    FlowKind {
        SystemTopUp = 1 "system_top_up",
        ManualWithdrawal = 2 "manual_withdrawal",
        AdBilling = 3 "ad_billing",
        AdServing = 4 "ad_serving",
        SystemChargeback = 5 "system_chargeback",
        VirtualRechargeDeduction = 6 "virtual_recharge_deduction",
        VipSubscription = 7 "vip_subscription",
        ProfitSharing = 8 "profit_sharing",
        Settlement = 9 "settlement",
        Exchange = 10 "exchange",
        Refund = 11 "refund",
        Coupon = 12 "coupon",
        Deposit = 13 "deposit",
        StartupFunds = 14 "startup_funds",
    }
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_lead_back() {
        for kind in TransactionKind::ALL {
            assert_eq!(TransactionKind::try_from(kind.code()), Ok(*kind));
        }
        for kind in FlowKind::ALL {
            assert_eq!(FlowKind::try_from(kind.code()), Ok(*kind));
            assert_eq!(FlowKind::from_name(kind.name()), Some(*kind));
        }
        assert!(FlowKind::try_from(0).is_err());
        assert_eq!(FlowKind::from_name("gift"), None);
    }
}
