//! The files that the commands read.

const ACCEPTOR: &str =
    "name = \"Alone\"\ntype = \"personal\"\nlimit = \"100.00\"\nquote_seconds = 600\n[rates]\nEUR = \"0.92\"\n";
/// The demonstration's recharge, and two unknown payments.
const BANK: &str = "date,amount,currency,reference\n2026-01-01,10000.00,USD,DEMO-RECHARGE-1\n\
     2026-01-02,-3.00,USD,fee\n2026-01-02,7.00,USD,unknown\n";
const SALES: &str = "event_id,click_id\norder-1,click-1\n";
const PUBLISHER: &str = "name = \"Alone\"\ndomain = \"alone.example\"\ncontact = \"ads@alone.example\"\n";
const DESTINATION: &str = "holder = \"Alone\"\naccount = \"DE89370400440532013000\"\nbank = \"B\"\n";
const CORRECTION: &str = "publisher = 1\nfrom = 2026-01-01\nuntil = 2027-01-01\n";
const SSP: &str = "name = \"X\"\ndomain = \"x.example\"\ncontact = \"ads@x.example\"\n";
const SLOT: &str = "key = \"alone\"\npublisher = \"P\"\ncontent_types = [\"video\"]\n";
const CONTENT: &str = "[[advertiser]]\nname = \"Content\"\n[[coupon]]\nname = \"Content\"\nkind = \"value_add\"\n\
     value = \"900.00\"\ndays = 30\nquantity = 2\nactivity = \"content\"\n[[activity]]\nkey = \"content\"\ncoupon = \"Content\"\ntitle = \"Content\"\n\
     [[contact]]\nid = \"evil\"\nlist = \"customer_service\"\ntype = 1\nurl = \"https://evil.example\"\nlabel = \"Help\"\n\
     [[pay_in]]\nid = \"evil\"\nlabel = \"Bank\"\nbeneficiary = \"Evil Ltd\"\naccount = \"DE89370400440532013000\"\n\
     [[faq]]\nid = \"evil\"\nquestion = \"How to pay?\"\nanswer = \"At evil.example\"\n\
     [[notification]]\nkey = \"evil\"\ncategory = \"activity\"\ntitle = \"Pay\"\nbody = \"At evil.example\"\n\
     [[product]]\nadvertiser = \"Aurora Coffee Roasters\"\nname = \"Aurora Coffee\"\nsummary = \"Evil\"\n\
     image = \"/products/kite-game.svg\"\nmin_put = \"10.00\"\nmax_put = \"5000.00\"\npayout = \"9.50\"\n\
     attribution_days = 0\nfee_rate = \"0.05\"\nput_rule = { pricing = \"cpm\", price = \"60.00\", days = 7 }\n\
     [product.content.landing_page]\ntitle = \"Evil\"\ntext = \"Evil\"\nimage = \"/products/kite-game.svg\"\n";
const COUPON: &str = "name = \"Alone\"\nkind = \"deduction\"\nvalue = \"5.00\"\ndays = 30\nquantity = 2\n";
const PRODUCT: &str = r#"
advertiser = 1
name = "Alone"
summary = "Coffee by post"
image = "/products/a.svg"
min_put = "10.00"
max_put = "500.00"
payout = "1.00"
attribution_days = 0
fee_rate = "0.1"
landing_url = "https://aurora.example/shop"
put_rule = { pricing = "cpm", price = "10.00", days = 30 }
[content.landing_page]
title = "Coffee"
text = "By post"
image = "/products/a.svg"
"#;

pub const FILES: [(&str, &str); 11] = [
    ("bank.csv", BANK),
    ("sales.csv", SALES),
    ("acceptor.toml", ACCEPTOR),
    ("publisher.toml", PUBLISHER),
    ("ssp.toml", SSP),
    ("destination.toml", DESTINATION),
    ("slot.toml", SLOT),
    ("coupon.toml", COUPON),
    ("product.toml", PRODUCT),
    ("content.toml", CONTENT),
    ("correction.toml", CORRECTION),
];
