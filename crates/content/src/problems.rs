//! Messages about wrong fields, for the author of the file.

use crate::forms::Kind;

/// A field's problem in a sentence; `problem` is the key that clients match on.
pub fn explained(kind: Kind, field: &str, problem: &str) -> String {
    let said = match (kind, field, problem) {
        (_, _, "required") => "is missing",
        (_, "code", "taken") => "is another acceptor's",
        (_, _, "taken") => "is taken",
        (_, _, "not_found") => "is nobody's",
        (_, _, "too_long") => "is too long",
        (_, _, "not_ours") => {
            "must be a file of this server, such as \"/products/tea.svg\" or \"/files/…\": browsers block all others"
        }
        (_, _, "not_added") => {
            "is no picture that staff have added: `placard product picture FILE` adds one and prints its address"
        }
        (_, _, "link") => "holds a web or e-mail address, which one person may not send: without user, two approve it",
        (_, _, "unknown_language") => "is no language of ours",
        (Kind::Coupon, "min_amount", "invalid_amount") => "must be an amount of money, 0.00 or more",
        (_, _, "invalid_amount") => "must be an amount of money above 0, such as \"10.00\"",
        (_, "fee_rate", _) => "must be a share from 0 to 1, such as \"0.05\"",
        (_, "max_put", _) => "must not be less than min_put",
        (_, "put_rule.days", _) => "must be 1 to 365",
        (_, "put_rule.pricing", _) => "must be cpm or cpc",
        (_, "attribution_days", _) => "must be 0 to 90",
        (_, "conversions_per_click", _) => "must be 1 to 1000000",
        (_, "landing_url", _) => {
            "must begin with https:// or http://, and have no blanks, no characters that are not shown, and no name or \
             password before the host"
        }
        (_, "openrtb.categories", _) => "must be at most 20 of IAB's Content Taxonomy 1.0, such as IAB8-5",
        (_, "openrtb.language", _) => "must be a language tag, such as en or zh-Hant",
        (_, "openrtb.deals", _) => "must be at most 20 of at most 64 characters without blanks",
        (_, "openrtb.picture", _) => "must have a type such as image/jpeg, and a width and height of 1 to 10000",
        (_, "openrtb.video", _) => "must have a type such as video/mp4, 1 to 600 seconds, a width and a height",
        (_, "targeting.regions" | "audience.regions", _) => {
            "must be countries by ISO 3166, such as GB, or parts of them, such as US-CA"
        }
        (_, "targeting.languages" | "audience.languages", _) => "must be language tags, such as en or zh-Hant",
        (_, "targeting.devices" | "audience.devices", _) => "must be some of mobile, desktop, tablet and tv",
        (_, "targeting.interests" | "audience.interests", _) => "must be words",
        (_, "openrtb.domain", _) | (Kind::Publisher, "domain", _) => {
            "must be the name of a host, such as garden.example"
        }
        (_, "contact", _) => "must be an e-mail address",
        (_, "name", _) | (Kind::Slot, "publisher", _) => "must be 1 to 80 characters",
        (Kind::Slot, "key", _) => "must be letters, digits and dashes, at most 64",
        (_, "content_types", _) => "must be one or more of video, landing_page, game_description",
        (Kind::Coupon, "kind", _) => "must be fixed_amount, value_add, deduction, team or custom",
        (_, "effect", _) => "must be discount, deduction or addition, as far as the kind allows it",
        (_, "value", _) => "must be a share in hundredths, such as \"0.10\", for a discount, and otherwise money",
        (_, "max_value", _) => "must be an amount of money above 0, and for a discount only",
        (Kind::Coupon, "days", _) => "must be 1 to 3650",
        (Kind::Coupon, "ends", _) => "must be a moment that lies ahead, such as 2027-01-01T00:00:00Z, without days",
        (_, "operated_id", _) => "must be an operated id, such as OP-1001, and for a team coupon only",
        (_, "activity", _) => "must be the key of an activity: letters, digits, dashes and underscores, at most 64",
        (_, "quantity", _) => "must be 0 to 1000000: how many users may be given one at most",
        (Kind::Acceptor, "type", _) => "must be personal or enterprise",
        (_, "quote_seconds", _) => "must be 30 to 86400",
        (_, "code", _) => "must be 8 to 32 letters, digits and dashes",
        (_, "rates", _) => "must be 1 to 50 currencies of ISO 4217 but the platform's, each with a rate above 0",
        _ => "cannot be used",
    };
    said.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_a_page_is_told_for_all_that_it_may_not_have() {
        let told = explained(Kind::Product, "landing_url", "invalid");
        for wrong in ["https:// or http://", "blanks", "not shown", "name or password"] {
            assert!(told.contains(wrong), "{told}");
        }
    }
}
