use super::*;

fn day(n: i64) -> Day {
    Day::of(base::Timestamp::from_seconds(n * 86_400))
}

fn document(key: u8, minor: i64, reference: &str) -> Document<u8> {
    let reference = reference.to_owned();
    Document { key, amount: Money::from_minor(minor), reference, counterparty: "Mia Chen".into(), day: day(10) }
}

/// What is found for lines of an amount and one text, booked on day 12.
fn found(lines: &[(i64, &str)], documents: &[Document<u8>]) -> Findings<u8> {
    let texts: Vec<[String; 1]> = lines.iter().map(|(_, text)| [(*text).to_owned()]).collect();
    let seen: Vec<LineFacts<'_>> = lines
        .iter()
        .zip(&texts)
        .map(|((minor, _), texts)| LineFacts {
            id: "",
            booked_on: day(12),
            amount: Money::from_minor(*minor),
            texts,
            counterparty: "",
        })
        .collect();
    match_up(&seen, documents, day(12))
}

#[test]
fn reference_and_amount_are_a_match() {
    let documents = [document(1, 500, "BANK-1"), document(2, -300, "out 9")];
    let found = found(&[(500, "payment /bank-1/ thanks"), (-300, "OUT  9")], &documents);
    assert_eq!(found.lines, [Finding::Match(1), Finding::Match(2)]);
    assert!(found.missing.is_empty());
}

#[test]
fn a_reference_is_a_whole_word() {
    for (text, fits) in [
        ("AB-1", true),
        ("ref:ab-1.", true),
        ("(AB-1)", true),
        ("AB-1 - 2", true),
        ("AB-12", false),
        ("AB-1-2", false),
        ("XAB-1", false),
        ("X-AB-1", false),
        ("AB-1é", false),
        ("İAB-1", false),
        ("İ AB-1", true),
        ("AB\u{200b}-1\u{feff}", true),
        ("\u{ff21}\u{ff22}\u{ff0d}\u{ff11}", true),
        ("AB\u{2011}1", true),
        ("AB\u{2010}1", true),
        ("AB-1\u{2011}2", false),
        ("order\u{2013}AB-1", true),
    ] {
        let found = found(&[(500, text)], &[document(1, 500, "ab-1")]);
        assert_eq!(found.lines == [Finding::Match(1)], fits, "{text}");
    }
}

#[test]
fn another_amount_is_a_difference_and_not_missing() {
    let found = found(&[(499, "BANK-1")], &[document(1, 500, "BANK-1")]);
    assert_eq!((found.lines, found.missing), (vec![Finding::Difference(vec![1])], vec![]));
    // Two orders paid together, less a fee.
    let both = [document(1, 5_000, "BANK-1"), document(2, 7_000, "PAY/2026/77")];
    let found = self::found(&[(11_700, "BANK-1 PAY/2026/77")], &both);
    assert_eq!((found.lines, found.missing), (vec![Finding::Difference(vec![1, 2])], vec![]));
}

#[test]
fn what_came_back_is_no_match() {
    let found = found(&[(300, "OUT-9")], &[document(2, -300, "OUT-9")]);
    assert_eq!(found.lines, [Finding::Difference(vec![2])]);
}

#[test]
fn an_amount_alone_is_a_suggestion_where_the_day_is_near() {
    let near = document(1, 500, "");
    let far = Document { day: day(1), ..near.clone() };
    assert_eq!(found(&[(500, "x")], std::slice::from_ref(&near)).lines, [Finding::Suggestion(vec![1])]);
    let findings = found(&[(500, "x")], std::slice::from_ref(&far));
    assert_eq!((findings.lines, findings.missing), (vec![Finding::Unknown], vec![1]));
    let seen =
        LineFacts { id: "", booked_on: day(12), amount: Money::from_minor(500), texts: &[], counterparty: "CHEN, MIA" };
    assert_eq!(match_up(&[seen], &[far], day(12)).lines, [Finding::Suggestion(vec![1])]);
}

#[test]
fn a_name_comes_before_a_nearer_day() {
    let named = Document { day: day(1), ..document(1, 500, "") };
    let nearer = Document { counterparty: "Somebody".into(), day: day(12), ..document(2, 500, "") };
    let seen =
        LineFacts { id: "", booked_on: day(12), amount: Money::from_minor(500), texts: &[], counterparty: "Mia Chen" };
    assert_eq!(match_up(&[seen], &[nearer, named], day(12)).lines, [Finding::Suggestion(vec![1, 2])]);
}

#[test]
fn what_fits_twice_is_for_a_person() {
    let twice = [document(1, 500, "BANK-1"), document(2, 500, "BANK-1")];
    assert_eq!(found(&[(500, "BANK-1")], &twice).lines, [Finding::Suggestion(vec![1, 2])]);
    let one = [document(1, 500, "BANK-1")];
    let suggested = Finding::Suggestion(vec![1]);
    assert_eq!(found(&[(500, "BANK-1"), (500, "BANK-1")], &one).lines, [suggested.clone(), suggested]);
    let both = [document(1, 500, "BANK-1"), document(2, 500, "7")];
    assert_eq!(found(&[(500, "BANK-1 row 7")], &both).lines, [Finding::Suggestion(vec![1, 2])]);
}

#[test]
fn a_matched_document_is_suggested_to_no_other_line() {
    let found = found(&[(500, "BANK-1"), (500, "hello")], &[document(1, 500, "BANK-1")]);
    assert_eq!(found.lines, [Finding::Match(1), Finding::Unknown]);
}

#[test]
fn a_later_document_is_not_missing_yet() {
    let later = Document { day: day(13), ..document(2, 900, "LATER") };
    assert_eq!(found(&[], &[document(1, 500, "BANK-1"), later]).missing, [1]);
}

#[test]
fn many_of_one_amount_name_only_a_few() {
    let many: Vec<Document<u8>> = (0..100).map(|n| document(n, 500, "")).collect();
    let found = found(&[(500, "x")], &many);
    assert!(matches!(found.lines.as_slice(), [Finding::Suggestion(few)] if few.len() == NAMED), "{found:?}");
}

/// What is found for a line of 5.00 on day 50 that names its payer alone.
fn found_for(counterparty: &str, documents: &[Document<u8>]) -> Finding<u8> {
    let seen = LineFacts { id: "", booked_on: day(50), amount: Money::from_minor(500), texts: &[], counterparty };
    match_up(&[seen], documents, day(100)).lines.remove(0)
}

#[test]
fn five_days_are_near_and_thirty_where_the_name_agrees() {
    for (name, apart, near) in [("", 5, true), ("", 6, false), ("Mia", 30, true), ("Mia", 31, false), ("Ben", 6, false)]
    {
        for day in [day(50 - apart), day(50 + apart)] {
            let expected = if near { Finding::Suggestion(vec![1]) } else { Finding::Unknown };
            assert_eq!(found_for(name, &[Document { day, ..document(1, 500, "") }]), expected, "{name} {apart}");
        }
    }
}

#[test]
fn a_name_agrees_where_all_its_words_stand_in_the_other() {
    for (name, agrees) in [
        ("Mia", true),
        ("MIA-CHEN", true),
        ("Mia Li Chen", true),
        ("Mia Li", false),
        ("Miac", false),
        ("", false),
        ("-", false),
    ] {
        let far = Document { day: day(30), ..document(1, 500, "") };
        assert_eq!(found_for(name, &[far]) == Finding::Suggestion(vec![1]), agrees, "{name}");
    }
    let nameless = Document { day: day(30), counterparty: String::new(), ..document(1, 500, "") };
    assert_eq!(found_for("Mia", &[nameless]), Finding::Unknown);
}

#[test]
fn of_many_of_one_amount_the_nearest_are_named() {
    let all: Vec<Document<u8>> = (0..100).map(|n| Document { day: day(n.into()), ..document(n, 500, "") }).collect();
    assert_eq!(found_for("", &all), Finding::Suggestion(vec![50, 49, 51]));
    let earlier: Vec<Document<u8>> = all.iter().take(50).cloned().collect();
    assert_eq!(found_for("", &earlier), Finding::Suggestion(vec![49, 48, 47]));
    let later: Vec<Document<u8>> = all.iter().skip(51).cloned().collect();
    assert_eq!(found_for("", &later), Finding::Suggestion(vec![51, 52, 53]));
}

#[test]
fn the_banks_own_reference_names_a_document_too() {
    let seen =
        LineFacts { id: "OUT-9", booked_on: day(50), amount: Money::from_minor(500), texts: &[], counterparty: "" };
    assert_eq!(match_up(&[seen], &[document(1, 500, "out-9")], day(100)).lines, [Finding::Match(1)]);
}

#[test]
fn a_reference_with_blanks_in_it_is_found_where_nothing_else_is() {
    let iso = document(1, 500, "RF18539007547034");
    for (text, fits) in [
        ("RF18 5390 0754 7034", true),
        ("for rf18 5390 0754 7034, thanks", true),
        ("XRF18 5390 0754 7034", false),
        ("RF18 5390 0754 70345", false),
        ("RF18 5390-0754 7034", false),
    ] {
        let expected = if fits { Finding::Match(1) } else { Finding::Suggestion(vec![1]) };
        assert_eq!(found(&[(500, text)], std::slice::from_ref(&iso)).lines, [expected], "{text}");
    }
    // Cut at the end of the bank's line.
    let cut = [(500, "recharge for my account no BANK-47 11 thanks")];
    assert_eq!(found(&cut, &[document(1, 500, "BANK-4711")]).lines, [Finding::Match(1)]);
    // What stands there as it is comes first, and short ones must.
    let both = [document(1, 900, "BANK-47"), document(2, 500, "BANK-4711")];
    assert_eq!(found(&cut, &both).lines, [Finding::Difference(vec![1])]);
    assert_eq!(found(&[(500, "pay 47 11")], &[document(1, 500, "4711")]).lines, [Finding::Suggestion(vec![1])]);
}
