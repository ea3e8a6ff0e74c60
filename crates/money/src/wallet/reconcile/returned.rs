//! Payouts that the bank returned: incoming money whose text has the reference of a payment of ours.

use auth::Vault;
use bank::reference::compared;
use foundation::Error;
use store::Conn;
use store::wallet::bank::documents;

use super::view::Leftover;
use crate::wallet::payment_files::PayoutView;

/// A shorter reference may occur in a text by chance. Those in payment files have at least this many letters and
/// digits.
const SHORTEST: usize = 7;

/// Marks returned payouts: lines that have the reference of a payout and are no larger than what was paid.
pub(super) fn name(conn: &mut Conn, vault: &Vault, left: &mut [Leftover]) -> Result<(), Error> {
    let said: Vec<Vec<String>> = left.iter().map(references).collect();
    let mut asked: Vec<String> = said.iter().flatten().cloned().collect();
    asked.sort_unstable();
    asked.dedup();
    let paid = documents::paid_under(conn, &asked)?;
    for (one, said) in left.iter_mut().zip(&said) {
        let payout = said.iter().find_map(|reference| paid.get(reference));
        let Some(payout) = payout.filter(|payout| one.amount <= payout.amount) else { continue };
        // An equal amount alone may have suggested another document.
        if one.finding == "unknown" {
            one.finding = "returned".to_owned();
        }
        one.documents.push(payout.key.to_string());
        one.returned = Some(PayoutView::of(conn, vault, payout)?);
    }
    Ok(())
}

/// The parts of an unmatched incoming line's text that may be the reference of a payment.
fn references(left: &Leftover) -> Vec<String> {
    if !left.amount.is_positive() || !matches!(left.finding.as_str(), "unknown" | "suggestion") {
        return Vec::new();
    }
    let (parts, words) = (left.text.split(", "), left.text.split_whitespace());
    parts.chain(words).map(compared).filter(|reference| reference.chars().count() >= SHORTEST).collect()
}
