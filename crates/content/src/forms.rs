//! The fields of each kind of content.

use base::named;

use crate::schema::{Field, Form, may, must};

named!(
    /// In the order in which they are applied: each after those it refers to.
    Kind {
        Advertiser "advertiser",
        Product "product",
        Publisher "publisher",
        Slot "slot",
        Coupon "coupon",
        Activity "activity",
        Acceptor "acceptor",
        Contact "contact",
        PayIn "pay_in",
        Faq "faq",
        Notification "notification",
    }
);

impl Kind {
    /// The field that identifies an entry of this kind.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Advertiser | Self::Product | Self::Publisher | Self::Coupon | Self::Acceptor => "name",
            Self::Slot | Self::Activity | Self::Notification => "key",
            Self::Contact | Self::PayIn | Self::Faq => "id",
        }
    }

    pub const fn fields(self) -> &'static [Field] {
        match self {
            Self::Advertiser => ADVERTISER,
            Self::Product => PRODUCT,
            Self::Publisher => PUBLISHER,
            Self::Slot => SLOT,
            Self::Coupon => COUPON,
            Self::Activity => ACTIVITY,
            Self::Acceptor => ACCEPTOR,
            Self::Contact => CONTACT,
            Self::PayIn => PAY_IN,
            Self::Faq => FAQ,
            Self::Notification => NOTIFICATION,
        }
    }
}

const ADVERTISER: &[Field] = &[must("name", Form::Text)];

const PRODUCT: &[Field] = &[
    must("advertiser", Form::NameOrId),
    must("name", Form::Text),
    must("summary", Form::Text),
    must("image", Form::Text),
    must("min_put", Form::Text),
    must("max_put", Form::Text),
    must("put_rule", Form::Table(PUT_RULE)),
    must("payout", Form::Text),
    must("attribution_days", Form::Whole),
    must("fee_rate", Form::Text),
    must("content", Form::Table(CONTENT)),
    may("targeting", Form::Table(TARGETING)),
    may("landing_url", Form::Text),
    may("conversions_per_click", Form::Whole),
    may("openrtb", Form::Table(OPENRTB)),
    may("active", Form::Flag),
];

const OPENRTB: &[Field] = &[
    may("domain", Form::Text),
    may("categories", Form::Texts),
    may("language", Form::Text),
    may("deals", Form::Texts),
    may("picture", Form::Table(PICTURE)),
    may("video", Form::Table(VIDEO)),
];

const PICTURE: &[Field] = &[must("type", Form::Text), must("width", Form::Whole), must("height", Form::Whole)];

const VIDEO: &[Field] =
    &[must("type", Form::Text), must("seconds", Form::Whole), must("width", Form::Whole), must("height", Form::Whole)];

const PUT_RULE: &[Field] = &[must("pricing", Form::Text), must("price", Form::Text), must("days", Form::Whole)];

const CONTENT: &[Field] = &[
    may("video", Form::Table(CREATIVE)),
    may("landing_page", Form::Table(CREATIVE)),
    may("game_description", Form::Table(CREATIVE)),
    may("translations", Form::EachLanguage(TRANSLATION)),
];

/// Of what is shown in English; a title without its text would be half a translation.
const TRANSLATION: &[Field] = &[
    may("summary", Form::Text),
    may("video", Form::Table(WORDS)),
    may("landing_page", Form::Table(WORDS)),
    may("game_description", Form::Table(WORDS)),
];

const WORDS: &[Field] = &[must("title", Form::Text), must("text", Form::Text)];

const CREATIVE: &[Field] =
    &[must("title", Form::Text), must("text", Form::Text), must("image", Form::Text), may("video", Form::Text)];

const TARGETING: &[Field] = &[
    may("regions", Form::Texts),
    may("languages", Form::Texts),
    may("devices", Form::Texts),
    may("interests", Form::Texts),
];

const PUBLISHER: &[Field] =
    &[must("name", Form::Text), must("domain", Form::Text), must("contact", Form::Text), may("active", Form::Flag)];

const SLOT: &[Field] = &[
    must("key", Form::Text),
    must("publisher", Form::NameOrId),
    must("content_types", Form::Texts),
    may("audience", Form::Table(TARGETING)),
    may("active", Form::Flag),
];

const COUPON: &[Field] = &[
    must("name", Form::Text),
    must("kind", Form::Text),
    may("effect", Form::Text),
    must("value", Form::Text),
    may("max_value", Form::Text),
    may("min_amount", Form::Text),
    may("days", Form::Whole),
    may("ends", Form::Text),
    may("operated_id", Form::Text),
    may("activity", Form::Text),
    must("quantity", Form::Whole),
];

const ACTIVITY: &[Field] = &[
    must("key", Form::Text),
    must("coupon", Form::Text),
    must("title", Form::Languages),
    may("rules", Form::Languages),
    may("starts", Form::Text),
    may("ends", Form::Text),
    may("active", Form::Flag),
];

const ACCEPTOR: &[Field] = &[
    must("name", Form::Text),
    must("type", Form::Text),
    must("limit", Form::Text),
    may("daily_limit", Form::Text),
    must("quote_seconds", Form::Whole),
    may("code", Form::Text),
    must("rates", Form::Named),
    may("active", Form::Flag),
];

const CONTACT: &[Field] = &[
    must("id", Form::Text),
    must("list", Form::Text),
    must("type", Form::Whole),
    must("url", Form::Text),
    must("label", Form::Languages),
    may("order", Form::Whole),
    may("active", Form::Flag),
];

const PAY_IN: &[Field] = &[
    must("id", Form::Text),
    must("label", Form::Languages),
    must("beneficiary", Form::Text),
    must("account", Form::Text),
    may("network", Form::Text),
    may("bank", Form::Text),
    may("bic", Form::Text),
    may("note", Form::Languages),
    may("order", Form::Whole),
    may("active", Form::Flag),
];

const FAQ: &[Field] = &[
    must("id", Form::Text),
    may("order", Form::Whole),
    may("question", Form::Languages),
    may("answer", Form::Languages),
    may("active", Form::Flag),
];

const NOTIFICATION: &[Field] = &[
    must("key", Form::Text),
    must("category", Form::Text),
    must("title", Form::Languages),
    must("body", Form::Languages),
    may("user", Form::Text),
    may("lang", Form::Text),
    may("starts", Form::Text),
];
