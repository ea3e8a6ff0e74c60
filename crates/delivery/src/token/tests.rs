use super::*;

const CONTENT: usize = 3 + 8 + 8 + 8 + 8 + NONCE;

fn token() -> Token {
    Token {
        plan: PlanId(7),
        origin: Origin::Slot(SlotId(3)),
        lease: 5,
        realm: 2,
        issued_at: Timestamp::from_seconds(1_700_000_000),
        nonce: Nonce([9; NONCE]),
        choice: None,
        limited: false,
        bid: None,
        offered_seconds: None,
    }
}

fn bid(choice: Option<Choice>, limited: bool) -> Token {
    bid_for(PROMISE_SECONDS, choice, limited)
}

fn bid_for(holds_seconds: i64, choice: Option<Choice>, limited: bool) -> Token {
    let bid = BidTerms { milli: 1_050, source: "news.example".into(), holds_seconds };
    Token { choice, limited, bid: Some(bid), ..token() }
}

fn limited(token: Token) -> Token {
    Token { limited: true, ..token }
}

fn chosen(holdout: bool) -> Token {
    let choice = Choice { arm: 5, holdout, among: ArmSet(0b11_0000), propensity: 834_765, learned: 9_007_199 };
    Token { choice: Some(choice), ..token() }
}

#[test]
fn what_was_signed_is_read_back() {
    let choice = chosen(true).choice;
    let bids = [bid(None, false), bid(None, true), bid(choice, false), bid(choice, true)];
    let others = [token(), Token { origin: Origin::Share, ..token() }, chosen(true), chosen(false)];
    let of_limited = [limited(token()), limited(chosen(true)), limited(chosen(false))];
    for token in others.into_iter().chain(bids).chain(of_limited) {
        for offered_seconds in [None, Some(0), Some(4), Some(u8::MAX)] {
            let token = Token { offered_seconds, ..token.clone() };
            assert_eq!(Token::verify(&token.sign(b"key"), b"key"), Ok(token));
        }
    }
}

#[test]
fn a_bid_says_how_long_its_price_is_promised() {
    let read = |token: &Token| Token::read(&token.content()).expect("a token").bid.map(|bid| bid.holds_seconds);
    for seconds in [90, 91, 110, BidTerms::LONGEST_HOLD] {
        let token = bid_for(seconds, chosen(true).choice, true);
        assert_eq!(Token::read(&token.content()), Ok(token));
    }
    assert_eq!(BidTerms::LONGEST_HOLD, 153);
    assert_eq!((read(&bid_for(154, None, false)), read(&bid_for(89, None, false))), (Some(153), Some(90)));
    // Bids were written like this when all prices were reserved for ninety seconds.
    let flags = |token: Token| token.content()[CONTENT];
    assert_eq!((flags(bid(None, true)), flags(bid(chosen(true).choice, false))), (LIMITED, WITH_CHOICE));
}

#[test]
fn a_site_in_another_script_is_kept_in_ascii_and_is_no_other_site() {
    for (name, kept) in [
        ("News.Example", "news.example"),
        ("news.exa~mple ", "news.example"),
        ("com.games_5.puzzle", "com.games_5.puzzle"),
        ("пример.рф", "xn--e1afmkfd.xn--p1ai"),
        ("BÜCHER.example", "xn--bcher-kva.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("例え。jp", "xn--r8jz45g.jp"),
        ("né ws", "nws"),
        ("", ""),
    ] {
        assert_eq!(BidTerms::source_named(name), kept, "{name}");
    }
    let long = format!("{}.example", "ж".repeat(80));
    assert!(BidTerms::source_named(&long).len() <= BidTerms::LONGEST_SOURCE);
    assert_eq!(BidTerms::source_once_named("bücher.example"), "bcher.example");
}

#[test]
fn a_nonce_tells_when_it_was_made_and_is_read_back() {
    let at = Timestamp::from_millis(1_767_614_400_123);
    let nonce = Nonce::mint(at, [0xa7; NONCE - TIME]);
    assert_eq!((nonce.minted_at(), nonce.seed()), (at, [0xa7; NONCE - TIME]));
    assert_eq!(Nonce::parse(&nonce.text()), Some(nonce));
    for bad in ["", "zz", &nonce.text().to_uppercase(), &format!("{}0", nonce.text()), &"é".repeat(16)] {
        assert_eq!(Nonce::parse(bad), None, "{bad}");
    }
}

#[test]
fn a_nonce_is_known_as_an_advertiser_sends_it_back() {
    let nonce = Nonce::parse("019b8e3cdc7ba7a7a7a7a7a7a7a7a7a7").expect("a nonce");
    for same in [
        "019b8e3cdc7ba7a7a7a7a7a7a7a7a7a7",
        "019B8E3CDC7BA7A7A7A7A7A7A7A7A7A7",
        "019b8e3c-dc7b-a7a7-a7a7-a7a7a7a7a7a7",
        "019B8E3C-DC7B-A7A7-A7A7-A7A7A7A7A7A7",
    ] {
        assert_eq!(Nonce::sent_back(same), Some(nonce), "{same}");
    }
    for other in [
        "",
        "019b8e3cdc7b-a7a7a7a7a7a7a7a7a7a7",
        "019b8e3c-dc7b-a7a7-a7a7-a7a7a7a7a7-7",
        "019b8e3c_dc7b_a7a7_a7a7_a7a7a7a7a7a7",
        "{019b8e3c-dc7b-a7a7-a7a7-a7a7a7a7a7a7}",
    ] {
        assert_eq!(Nonce::sent_back(other), None, "{other}");
    }
}

#[test]
fn nothing_may_stand_after_the_content() {
    for token in [token(), chosen(true), limited(token()), limited(chosen(false))] {
        let mut longer = token.content();
        assert_eq!(Token::read(&longer), Ok(token));
        longer.push(0);
        assert_eq!(Token::read(&longer), Err(BadToken));
    }
}

#[test]
fn every_altered_byte_is_noticed() {
    let of_bid = CONTENT + 9 + "news.example".len() + MAC;
    for (token, length) in
        [(token(), CONTENT + MAC), (chosen(true), CONTENT + CHOICE + MAC), (bid(None, false), of_bid)]
    {
        let signed = URL_SAFE_NO_PAD.decode(token.sign(b"key")).expect("base64");
        assert_eq!(signed.len(), length);
        alter(&signed);
    }
    assert_eq!(Token::verify(&token().sign(b"key"), b"other"), Err(BadToken));
    assert_eq!(Token::verify("", b"key"), Err(BadToken));
}

fn alter(signed: &[u8]) {
    for place in 0..signed.len() {
        let mut forged = signed.to_vec();
        forged[place] ^= 1;
        assert_eq!(Token::verify(&URL_SAFE_NO_PAD.encode(forged), b"key"), Err(BadToken), "byte {place}");
    }
    for length in 0..signed.len() {
        assert_eq!(Token::verify(&URL_SAFE_NO_PAD.encode(&signed[..length]), b"key"), Err(BadToken));
    }
}

#[test]
fn an_exchange_is_owed_what_it_says_and_no_more_than_was_offered() {
    let bid = bid(None, false).bid.expect("a bid");
    let owed = [None, Some(700), Some(1_050), Some(1_051), Some(-1)].map(|cleared| bid.owed(cleared));
    assert_eq!(owed, [1_050, 700, 1_050, 1_050, 0]);
}

#[test]
fn a_token_without_a_choice_is_written_as_it_was_before_there_were_any() {
    // Signed by version 2: links shared then remain valid.
    let before = "AgECAAAAAAAAAAcAAAAAAAAAAwAAAAAAAAAFAAABi8_laAAJCQkJCQkJCQkJCQkJCQkJ";
    let signed = token().sign(b"key");
    let (content, tag) = signed.split_at(before.len());
    assert_eq!((content, tag.len()), (before, 22));
}
