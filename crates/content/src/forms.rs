//! The fields of each kind of content.

use base::named;

use crate::schema::{Field, Form, may, must};

named!(
    /// The kinds in the order in which they are applied: each after those that it refers to.
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

/// The fields of a table: each `must` or `may` be there.
macro_rules! form {
    ($($how:ident $name:ident: $form:ident $(($of:ident))?),+ $(,)?) => {
        &[$($how(stringify!($name), Form::$form $(($of))?)),+]
    };
}

const ADVERTISER: &[Field] = form! { must name: Text };

const PRODUCT: &[Field] = form! {
    must advertiser: NameOrId, must name: Text, must summary: Text, must image: Text, must min_put: Text,
    must max_put: Text, must put_rule: Table(PUT_RULE), must payout: Text, must attribution_days: Whole,
    must fee_rate: Text, must content: Table(CONTENT), may targeting: Table(TARGETING), may landing_url: Text,
    may conversions_per_click: Whole, may openrtb: Table(OPENRTB), may active: Flag,
};

const OPENRTB: &[Field] = form! {
    may domain: Text, may categories: Texts, may language: Text, may deals: Texts, may picture: Table(PICTURE),
    may video: Table(VIDEO),
};

const PICTURE: &[Field] = form! { must type: Text, must width: Whole, must height: Whole };

const VIDEO: &[Field] = form! { must type: Text, must seconds: Whole, must width: Whole, must height: Whole };

const PUT_RULE: &[Field] = form! { must pricing: Text, must price: Text, must days: Whole };

const CONTENT: &[Field] = form! {
    may video: Table(CREATIVE), may landing_page: Table(CREATIVE), may game_description: Table(CREATIVE),
    may translations: EachLanguage(TRANSLATION),
};

/// The translation of texts that are shown in English otherwise. A title without its text would be half a translation.
const TRANSLATION: &[Field] = form! {
    may summary: Text, may video: Table(WORDS), may landing_page: Table(WORDS),
    may game_description: Table(WORDS),
};

const WORDS: &[Field] = form! { must title: Text, must text: Text };

const CREATIVE: &[Field] = form! { must title: Text, must text: Text, must image: Text, may video: Text };

const TARGETING: &[Field] = form! {
    may regions: Texts, may languages: Texts, may devices: Texts, may interests: Texts,
};

const PUBLISHER: &[Field] = form! { must name: Text, must domain: Text, must contact: Text, may active: Flag };

const SLOT: &[Field] = form! {
    must key: Text, must publisher: NameOrId, must content_types: Texts, may audience: Table(TARGETING),
    may active: Flag,
};

const COUPON: &[Field] = form! {
    must name: Text, must kind: Text, may effect: Text, must value: Text, may max_value: Text,
    may min_amount: Text, may days: Whole, may ends: Text, may operated_id: Text, may activity: Text,
    must quantity: Whole,
};

const ACTIVITY: &[Field] = form! {
    must key: Text, must coupon: Text, must title: Languages, may rules: Languages, may starts: Text,
    may ends: Text, may active: Flag,
};

const ACCEPTOR: &[Field] = form! {
    must name: Text, must type: Text, must limit: Text, may daily_limit: Text, must quote_seconds: Whole,
    may code: Text, must rates: Named, may active: Flag,
};

const CONTACT: &[Field] = form! {
    must id: Text, must list: Text, must type: Whole, must url: Text, must label: Languages, may order: Whole,
    may active: Flag,
};

const PAY_IN: &[Field] = form! {
    must id: Text, must label: Languages, must beneficiary: Text, must account: Text, may network: Text,
    may bank: Text, may bic: Text, may note: Languages, may order: Whole, may active: Flag,
};

const FAQ: &[Field] = form! {
    must id: Text, may order: Whole, may question: Languages, may answer: Languages, may active: Flag,
};

const NOTIFICATION: &[Field] = form! {
    must key: Text, must category: Text, must title: Languages, must body: Languages, may user: Text,
    may lang: Text, may starts: Text,
};
