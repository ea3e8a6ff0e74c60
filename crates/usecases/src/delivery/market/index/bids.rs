//! Picking what is offered in an exchange's auction. Plans take turns as in slots; only
//! those that are paid by views are offered, since a click has no price per view.

use base::{PlanId, Timestamp};
use delivery::{Audience, bid_until};
use openrtb::request::Imp;
use openrtb::{Auction, NoBid};
use plans::{ContentType, Pricing};
use store::delivery::ssp::ServedSsp;

use super::{Index, LOOK_AT, NOBODY, Place, ServedOffer, Turned};
use crate::delivery::market::offer::{AdForm, ExchangeAd, Offer};

/// An impression in an auction, and who holds it.
pub struct AskedImp<'a, 'b> {
    pub auction: &'b Auction<'a>,
    pub imp: &'a Imp,
    pub ssp: &'b ServedSsp,
    pub currency: &'b str,
    /// Everything here comes over HTTPS.
    pub secure: bool,
}

/// What is offered for an impression.
#[derive(Clone, Debug)]
pub struct BidOffer<'a> {
    pub served: ServedOffer,
    pub form: AdForm,
    pub price_milli: i64,
    pub offer: openrtb::Offer<'a>,
}

/// The outcome of one attempt.
#[derive(Debug)]
pub enum BidOutcome<'a> {
    /// With a plan whose lease should be renewed meanwhile.
    Offers(Box<BidOffer<'a>>, Option<PlanId>),
    /// Its lease must be requested first.
    Ask(PlanId),
    /// The leases of all fitting plans are being requested.
    Wait,
    Nothing(NoBid),
}

/// A content type that fits, in its form and on these terms.
type Fitting<'a> = (ContentType, AdForm, openrtb::Offer<'a>);

impl<'a> AskedImp<'a, '_> {
    /// The content types of a product that fit, at a price.
    fn fitting(&self, offer: &Offer, contents: &[ContentType], price_milli: i64) -> Result<Vec<Fitting<'a>>, NoBid> {
        let (mut found, mut nearest) = (Vec::new(), NoBid::NoPlan);
        for content in contents {
            for form in AdForm::of(*content) {
                let ad = ExchangeAd { offer, content: *content, form: *form, price_milli };
                let Some(candidate) = ad.candidate(self.ssp, self.currency, self.secure) else {
                    nearest = nearest.max(NoBid::Media);
                    continue;
                };
                match self.auction.consider_imp(self.imp, &candidate) {
                    Ok(terms) => {
                        found.push((*content, *form, terms));
                        break;
                    }
                    Err(why) => nearest = nearest.max(why),
                }
            }
        }
        if found.is_empty() { Err(nearest) } else { Ok(found) }
    }

    /// Whom AI delivery chooses for: of a reader, only the kind of device is known.
    fn audience(&self) -> Audience {
        let devices = self.auction.devices().iter().map(|device| (*device).to_owned()).collect();
        Audience { devices, ..Audience::default() }
    }
}

impl Index {
    pub fn pick_bid<'a>(&mut self, asked: &AskedImp<'a, '_>, now: Timestamp) -> BidOutcome<'a> {
        if self.stopped {
            return BidOutcome::Nothing(NoBid::NoPlan);
        }
        let fronts = self.fronts.iter().enumerate().filter(|(_, front)| **front != NOBODY);
        let mut order: Vec<(u64, usize)> = fronts.map(|(place, front)| (*front, place)).collect();
        order.sort_unstable();
        let audience = asked.audience();
        let (mut nearest, mut waits) = (NoBid::NoPlan, false);
        for (_, place) in order {
            match self.bid_from(place, asked, &audience, now) {
                Ok(Some(outcome)) => return outcome,
                Ok(None) => nearest = NoBid::NoBudget,
                Err(why) => nearest = nearest.max(why),
            }
        }
        for queue in self.queues.iter().filter(|queue| queue.asked > 0) {
            let Some(offer) = self.offers.get(&queue.product) else { continue };
            waits |= asked.fitting(offer, &contents(offer, queue.content), i64::MAX).is_ok();
        }
        if waits { BidOutcome::Wait } else { BidOutcome::Nothing(nearest) }
    }

    /// The first plan of a queue that can promise its price. `None` if plans fit, but none
    /// can now; the error says why none fits.
    fn bid_from<'a>(
        &mut self,
        place: usize,
        asked: &AskedImp<'a, '_>,
        audience: &Audience,
        now: Timestamp,
    ) -> Result<Option<BidOutcome<'a>>, NoBid> {
        let queue = self.queues.get_mut(place).ok_or(NoBid::NoPlan)?;
        let offer = self.offers.get(&queue.product).ok_or(NoBid::NoPlan)?.clone();
        let contents = contents(&offer, queue.content);
        let mut considered: Option<(i64, Result<Vec<Fitting<'a>>, NoBid>)> = None;
        let (mut nearest, mut fits_some) = (NoBid::NoPlan, false);
        for _ in 0..queue.waiting.len().min(LOOK_AT) {
            let Some(id) = queue.waiting.pop_front() else { break };
            let Some(plan) = self.plans.get_mut(&id) else { continue };
            if plan.pricing != Pricing::Cpm || plan.due_at <= now.millis() {
                queue.waiting.push_back(id);
                continue;
            }
            let price_milli = asked.ssp.share.of_milli(plan.unit);
            // Plans of one product mostly have one price.
            let fitting = match considered.take() {
                Some((price, fitting)) if price == price_milli => fitting,
                _ => asked.fitting(&offer, &contents, price_milli),
            };
            let (_, fitting) = considered.insert((price_milli, fitting));
            let fitting = match fitting {
                Ok(fitting) => fitting,
                Err(why) => {
                    nearest = nearest.max(*why);
                    queue.waiting.push_back(id);
                    continue;
                }
            };
            fits_some = true;
            let shows = |code: i16| fitting.iter().any(|(content, ..)| content.code() == code);
            match plan.serve(&Place { audience, shows: &shows }, queue.content, bid_until(now), now) {
                Turned::Serves(lease, content, choice) => {
                    let chosen = fitting.iter().find(|(fits, ..)| *fits == content).cloned();
                    self.turn += 1;
                    plan.turn = self.turn;
                    queue.waiting.push_back(id);
                    let renew = plan.may_ask(now) && plan.runs_out(now);
                    if renew {
                        plan.asked = Some(false);
                        queue.asked += 1;
                    }
                    self.mark_front(place);
                    let Some((_, form, terms)) = chosen else { return Err(NoBid::Media) };
                    let served =
                        ServedOffer { plan: PlanId(id), lease, slot: asked.ssp.slot, at: now, offer, content, choice };
                    let bid = Box::new(BidOffer { served, form, price_milli, offer: terms });
                    return Ok(Some(BidOutcome::Offers(bid, renew.then_some(PlanId(id)))));
                }
                Turned::Short if plan.may_ask(now) => {
                    plan.asked = Some(true);
                    queue.asked += 1;
                    self.mark_front(place);
                    return Ok(Some(BidOutcome::Ask(PlanId(id))));
                }
                Turned::Short | Turned::Passes => {
                    if plan.ai.is_some() {
                        plan.turn = self.turn;
                    }
                    queue.waiting.push_back(id);
                }
            }
        }
        self.mark_front(place);
        if fits_some { Ok(None) } else { Err(nearest) }
    }
}

/// The content types that a queue's plans show.
fn contents(offer: &Offer, content: Option<ContentType>) -> Vec<ContentType> {
    let all = ContentType::ALL.iter().copied().filter(|kind| offer.has(*kind));
    content.map_or_else(|| all.collect(), |content| vec![content])
}
