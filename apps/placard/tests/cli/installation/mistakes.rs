//! Mistakes in content files are reported line by line.

use super::content::{example, wrong};
use crate::support::Placard;

/// A file, and its mistakes.
const WRONG: &[(&str, &str, &[&str])] = &[
    ("a.toml", "[[product]]\nname = \n", &["2: : "]),
    ("b.json", "{\"faq\": [\n{\"id\": \"x\",}]}", &["2: : "]),
    ("c.toml", "[[slots]]\nkey = \"a\"\n", &["1: slots: is not known; did you mean slot?"]),
    ("d.toml", "slot = 3\n", &["1: slot: must be a list of tables: [[slot]]"]),
    (
        "e.toml",
        "[[slot]]\nkey = 5\npublishr = \"P\"\n",
        &[
            "1: slot.content_types: is missing",
            "1: slot.publisher: is missing",
            "2: slot.key: must be text in quotes, not a whole number",
            "3: slot.publishr: is not known; did you mean publisher?",
        ],
    ),
    (
        "f.json",
        "{\"contact\": [\n{\"id\": \"a\", \"list\": \"vip\",\n\"type\": 1, \"url\": \"mailto:a@b.c\", \"label\": {\"xx\": \"A\",\n\"en\": \"\"}}]}",
        &["3: contact.label.xx: is not known", "4: contact.label.en: is empty"],
    ),
    (
        "g.toml",
        "[[contact]]\nid = \"a b\"\nlist = \"vip\"\ntype = 1\nurl = \"mailto:a@b.c\"\nlabel = \"A\"\n",
        &["2: contact.id: must be letters", "3: contact.list: must be customer_service", "5: contact.url: must begin"],
    ),
    (
        "h.toml",
        "[[coupon]]\nname = \"C\"\nkind = \"custom\"\neffect = \"discount\"\nvalue = \"10\"\ndays = 0\nends = 2020-01-01T00:00:00Z\nquantity = 1\n",
        &["5: coupon.value: must be a share", "7: coupon.ends: must be a moment"],
    ),
    (
        "i.toml",
        "[[coupon]]\nname = \"C\"\nkind = \"value_add\"\nvalue = \"5.00\"\nends = 2020-01-01T00:00:00Z\nquantity = 1\n",
        &["5: coupon.ends: "],
    ),
    (
        "i2.toml",
        "[[coupon]]\nname = \"C\"\nkind = \"custom\"\neffect = \"discount\"\nvalue = \"0.10\"\ndays = 3\nquantity = 1\n\
         [[activity]]\nkey = \"c\"\ncoupon = \"C\"\ntitle = \"C\"\n",
        &["1: coupon.max_value: is missing", "10: activity.coupon: is not claimed in this activity"],
    ),
    (
        "i3.toml",
        "[[coupon]]\nname = \"C\"\nkind = \"value_add\"\nvalue = \"5.00\"\ndays = 3\nquantity = 1000001\nactivity = \"c d\"\n",
        &["6: coupon.quantity: must be 0 to 1000000", "7: coupon.activity: must be the key of an activity"],
    ),
    (
        "i4.toml",
        "[[coupon]]\nname = \"C\"\nkind = \"value_add\"\nvalue = \"5.00\"\ndays = 3\n",
        &["1: coupon.quantity: is missing"],
    ),
    (
        "j.toml",
        "[[acceptor]]\nname = \"A\"\ntype = \"bank\"\nlimit = \"0\"\nquote_seconds = 1\ncode = \"abc\"\n[acceptor.rates]\nUSD = \"1\"\n",
        &[
            "3: acceptor.type: must be personal",
            "4: acceptor.limit: must be an amount",
            "5: acceptor.quote_seconds: must be 30",
            "6: acceptor.code: must be 8 to 32",
            "7: acceptor.rates: must be 1 to 50",
        ],
    ),
    ("k.toml", "[[faq]]\nid = \"new\"\nquestion = { de = \"Wer?\" }\n", &["3: faq.question.en: is missing"]),
    ("l.toml", "[[faq]]\nid = \"new\"\nquestion = \"Who?\"\n", &["1: faq.answer: is missing"]),
    (
        "m.toml",
        "[[notification]]\nkey = \"n\"\ncategory = \"news\"\ntitle = { en = \"A\", de = \"B\" }\nbody = \"C\"\nuser = \"mia\"\nlang = \"ger\"\n",
        &[
            "3: notification.category: must be system_announcement",
            "5: notification.body: has no text in de",
            "7: notification.lang: is not known",
            "7: notification.lang: is for what everybody",
        ],
    ),
    (
        "n.toml",
        "[[notification]]\nkey = \"n\"\ncategory = \"activity\"\ntitle = \"A\"\nbody = \"C\"\nuser = \"nobody\"\n\n\
         [[notification]]\nkey = \"o\"\ncategory = \"activity\"\ntitle = \"A\"\nbody = \"C\"\nstarts = 2020-01-01T00:00:00Z\n",
        &["6: notification.user: there is no such user", "13: notification.starts: must not lie in the past"],
    ),
    (
        "o.toml",
        "[[activity]]\nkey = \"a\"\ncoupon = \"C\"\ntitle = \"A\"\nstarts = \"soon\"\nends = \"later\"\n",
        &["5: activity.starts: must be a moment", "6: activity.ends: must be a moment"],
    ),
    (
        "p.toml",
        "[[advertiser]]\nname = \"A\"\n[[advertiser]]\nname = \"A\"\n",
        &["4: advertiser.name: is the same as at "],
    ),
    ("q.toml", "[[advertiser]]\nname = \" \"\nfunds = \"5.00\"\n", &["3: advertiser.funds: is not known"]),
    ("r.toml", "[[advertiser]]\nname = \" \"\n", &["2: advertiser.name: must be 1 to 100"]),
];

const PRODUCT: &str = "[[product]]\nadvertiser = 99\nname = \"P\"\nsummary = \"S\"\nimage = \"/products/i.svg\"\nmin_put = \"10.00\"\n\
     max_put = \"5.00\"\npayout = \"-1\"\nattribution_days = 91\nfee_rate = \"2\"\nlanding_url = \"ftp://x\"\n\
     content = {}\n[product.put_rule]\npricing = \"cpx\"\nprice = \"free\"\ndays = 0\n";

#[test]
fn every_mistake_is_named_with_its_line() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.staff();
    for (name, content, expected) in WRONG {
        let told = wrong(&placard, &ann, name, content);
        assert_eq!(told.len(), expected.len(), "{name}: {told:#?}");
        for (told, expected) in told.iter().zip(*expected) {
            assert!(told.starts_with(expected), "{name}: {told} instead of {expected}");
        }
    }
    let told = wrong(&placard, &ann, "product.toml", PRODUCT);
    let places: Vec<&str> = told.iter().map(|line| line.rsplit_once(": ").expect("a problem").0).collect();
    let expected = [
        "7: product.max_put",
        "8: product.payout",
        "9: product.attribution_days",
        "10: product.fee_rate",
        "11: product.landing_url",
        "12: product.content",
        "14: product.put_rule.pricing",
        "15: product.put_rule.price",
        "16: product.put_rule.days",
    ];
    assert_eq!(places, expected, "{told:#?}");
    let sound = example().replace("advertiser = \"Meadow Tea House\"", "advertiser = 99");
    let told = wrong(&placard, &ann, "owner.toml", &sound);
    assert_eq!(told, ["5: product.advertiser: there is no such advertiser"]);
}
