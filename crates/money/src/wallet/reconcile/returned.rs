//! Payouts that the bank returned: money that comes in and names a payment of ours.

use auth::Vault;
use bank::reference::compared;
use foundation::Error;
use store::Conn;
use store::wallet::bank::documents;

use super::view::Leftover;
use crate::wallet::payment_files::PayoutView;

/// Shorter references may stand in a text for anything else. Those that payment files give have at least so many letters
/// and digits.
const SHORTEST: usize = 7;

/// Names the payouts that came back: what has the reference of one, and is no more than was paid.
pub(super) fn name(conn: &mut Conn, vault: &Vault, left: &mut [Leftover]) -> Result<(), Error> {
    let said: Vec<Vec<String>> = left.iter().map(references).collect();
    let mut asked: Vec<String> = said.iter().flatten().cloned().collect();
    asked.sort_unstable();
    asked.dedup();
    let paid = documents::paid_under(conn, &asked)?;
    for (one, said) in left.iter_mut().zip(&said) {
        let payout = said.iter().find_map(|reference| paid.get(reference));
        let Some(payout) = payout.filter(|payout| one.amount <= payout.amount) else { continue };
        // The amount alone may suggest another document.
        if one.finding == "unknown" {
            one.finding = "returned".to_owned();
        }
        one.documents.push(payout.key.to_string());
        one.returned = Some(PayoutView::of(conn, vault, payout)?);
    }
    Ok(())
}

/// What may be a payment's reference in the text of money that came in and that nobody has matched.
fn references(left: &Leftover) -> Vec<String> {
    if !left.amount.is_positive() || !matches!(left.finding.as_str(), "unknown" | "suggestion") {
        return Vec::new();
    }
    let (parts, words) = (left.text.split(", "), left.text.split_whitespace());
    parts.chain(words).map(compared).filter(|reference| reference.chars().count() >= SHORTEST).collect()
}
