//! The fields that a refusal names.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// Declares the fields, each with the name that clients know.
macro_rules! fields {
    ($($variant:ident $text:literal),+ $(,)?) => {
        /// A field of a request, or of a file of staff, by the name that clients know.
        ///
        /// It is sorted and found by that name, so that a refusal lists its fields as clients read them.
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub enum Field { $($variant),+ }

        impl Field {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }
    };
}

fields! {
    CurrencySetting "PLACARD_CURRENCY",
    DomainSetting "PLACARD_DOMAIN",
    PayerAccountSetting "PLACARD_PAYER_ACCOUNT",
    Account "account",
    Action "action",
    Active "active",
    Activity "activity",
    Address "address",
    Advertiser "advertiser",
    Amount "amount",
    AttributionDays "attribution_days",
    AudienceDevices "audience.devices",
    AudienceInterests "audience.interests",
    AudienceLanguages "audience.languages",
    AudienceRegions "audience.regions",
    Avatar "avatar",
    Bank "bank",
    BankAccount "bank_account",
    BankAddress "bank_address",
    BankName "bank_name",
    BeginsAt "begins_at",
    BeneficiaryName "beneficiary_name",
    Body "body",
    BranchName "branch_name",
    By "by",
    CardName "card_name",
    Category "category",
    ClickId "click_id",
    Code "code",
    Contact "contact",
    Content "content",
    ContentGameDescriptionImage "content.game_description.image",
    ContentGameDescriptionVideo "content.game_description.video",
    ContentLandingPageImage "content.landing_page.image",
    ContentLandingPageVideo "content.landing_page.video",
    ContentVideoImage "content.video.image",
    ContentVideoVideo "content.video.video",
    ContentTypes "content_types",
    ConversionCost "conversion_cost",
    ConversionsPerClick "conversions_per_click",
    Count "count",
    Counted "counted",
    Currency "currency",
    Cursor "cursor",
    Daily "daily",
    DailyCap "daily_cap",
    DailyLimit "daily_limit",
    Days "days",
    Destination "destination",
    Device "device",
    Direction "direction",
    Domain "domain",
    Each "each",
    Effect "effect",
    Email "email",
    Endpoint "endpoint",
    Ends "ends",
    EndsAt "ends_at",
    EventId "event_id",
    Expires "expires",
    FeeRate "fee_rate",
    File "file",
    Fingerprint "fingerprint",
    Format "format",
    From "from",
    Head "head",
    Heads "heads",
    Holder "holder",
    Id "id",
    Hours "hours",
    HoursZone "hours_zone",
    IdempotencyKey "idempotency_key",
    Ids "ids",
    Image "image",
    Images "images",
    Key "key",
    Kind "kind",
    LandingUrl "landing_url",
    Lang "lang",
    Limit "limit",
    Loss "loss",
    MaxPut "max_put",
    MaxValue "max_value",
    Method "method",
    MinAmount "min_amount",
    MinPut "min_put",
    Mobile "mobile",
    Month "month",
    Name "name",
    Network "network",
    NewPassword "new_password",
    Nickname "nickname",
    NoConversion "no_conversion",
    OccurredAt "occurred_at",
    OldPassword "old_password",
    On "on",
    OpenrtbCategories "openrtb.categories",
    OpenrtbDeals "openrtb.deals",
    OpenrtbDomain "openrtb.domain",
    OpenrtbLanguage "openrtb.language",
    OpenrtbPicture "openrtb.picture",
    OpenrtbVideo "openrtb.video",
    OperatedId "operated_id",
    Order "order",
    Password "password",
    Payout "payout",
    Phone "phone",
    Pictures "pictures",
    Plan "plan",
    PlanId "plan_id",
    Price "price",
    ProductId "product_id",
    Products "products",
    PublicKey "public_key",
    Publisher "publisher",
    PutRuleDays "put_rule.days",
    PutRulePrice "put_rule.price",
    PutRulePricing "put_rule.pricing",
    Quantity "quantity",
    Query "query",
    QuoteSeconds "quote_seconds",
    Rate "rate",
    Rates "rates",
    Reason "reason",
    Reference "reference",
    Reply "reply",
    Request "request",
    Role "role",
    Search "search",
    Seat "seat",
    Share "share",
    Site "site",
    Slot "slot",
    Sort "sort",
    StartsAt "starts_at",
    State "state",
    Status "status",
    Step "step",
    Sum "sum",
    TargetingDevices "targeting.devices",
    TargetingInterests "targeting.interests",
    TargetingLanguages "targeting.languages",
    TargetingRegions "targeting.regions",
    Terms "terms",
    Text "text",
    Title "title",
    To "to",
    Topic "topic",
    Type "type",
    UnconfirmedShare "unconfirmed_share",
    UnconfirmedViews "unconfirmed_views",
    Until "until",
    UserName "user_name",
    Username "username",
    Value "value",
    Within "within",
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.name(), f)
    }
}

impl Ord for Field {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl PartialOrd for Field {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Field {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl Borrow<str> for Field {
    fn borrow(&self) -> &str {
        self.name()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn no_two_have_one_name() {
        let names: BTreeSet<&str> = Field::ALL.iter().map(|field| field.name()).collect();
        assert_eq!(names.len(), Field::ALL.len());
    }

    #[test]
    fn they_are_sorted_and_found_by_name() {
        let wrong: BTreeMap<Field, ()> = Field::ALL.iter().rev().map(|field| (*field, ())).collect();
        let listed: Vec<&str> = wrong.keys().map(|field| field.name()).collect();
        assert!(listed.is_sorted(), "{listed:?}");
        assert!(Field::ALL.iter().all(|field| wrong.contains_key(field.name())));
    }
}
