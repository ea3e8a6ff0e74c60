//! Texts to look for: patterns of LIKE, whose wildcards are escaped with an exclamation mark, and names in small letters.

/// The pattern for texts that contain this one.
pub fn containing(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 2);
    pattern.push('%');
    for c in text.chars() {
        if matches!(c, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

/// What SQL's `lower` may return for a name. SQLite's lowers only ASCII letters and leaves others as they were stored.
/// So these are the likely forms: as typed, all small, all capital, or with a capital at the beginning of each word.
pub fn lowered(name: &str) -> Vec<String> {
    let small = name.to_lowercase();
    let capitals: String = small.chars().map(capital).collect();
    let mut begins = true;
    let words = small.chars().map(|c| {
        let first = std::mem::replace(&mut begins, !c.is_alphanumeric());
        if first { capital(c) } else { c }
    });
    let words: String = words.collect();
    [name, &small, &capitals, &words].map(str::to_ascii_lowercase).into()
}

/// Like [`lowered`], of a site with and without `www.`: both are stored.
pub fn lowered_site(name: &str) -> Vec<String> {
    let bare =
        name.get(..4).filter(|head| head.eq_ignore_ascii_case("www.")).and_then(|_| name.get(4..)).unwrap_or(name);
    [lowered(bare), lowered(&format!("www.{bare}"))].concat()
}

/// The capital of a letter. If that is several letters, the letter itself, because they may be those of another name.
fn capital(c: char) -> char {
    let mut capitals = c.to_uppercase();
    match (capitals.next(), capitals.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}
