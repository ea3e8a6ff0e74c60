//! Authorization codes: read out over the telephone, typed on a phone.

/// Without I, L, O and U, which are misread or spell things.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const GROUP: usize = 4;

/// Twelve characters in groups of four from as many random bytes: 60 bits.
pub fn from_random(random: &[u8; 12]) -> String {
    let mut code = String::with_capacity(14);
    for (place, byte) in random.iter().enumerate() {
        if place > 0 && place % GROUP == 0 {
            code.push('-');
        }
        let letter = ALPHABET.get(usize::from(byte % 32)).copied().unwrap_or(b'0');
        code.push(char::from(letter));
    }
    code
}

/// What was typed, as it would have been issued: without blanks, in capitals.
pub fn normalise(typed: &str) -> String {
    typed.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_as_three_groups() {
        let code = from_random(&[0, 1, 2, 3, 31, 32, 33, 255, 10, 18, 20, 27]);
        assert_eq!(code, "0123-Z01Z-AJMV");
        assert_eq!(normalise(" 0123-z01z-ajmv\n"), code);
    }
}
