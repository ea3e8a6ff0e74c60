//! Whether an ad is offered for an impression, and on which terms.

use crate::blocks::{Blocks, host, is_within};
use crate::candidate::{Candidate, Creative};
use crate::countries;
use crate::no_bid::NoBid;
use crate::price::Cpm;
use crate::privacy::{self, Limit};
use crate::read::Flag;
use crate::request::{BidRequest, Deal, DurationFloor, Geo, Imp, Regs};
use crate::response::Bid;
use crate::unread::Unread;

mod forms;

pub use forms::Playing;
use forms::{Media, SKIPPABLE, Shown};

/// The currency of bids where a request names none.
const CURRENCY: &str = "USD";
/// IAB's Content Taxonomy 1.0.
const TAXONOMY: i32 = 1;
/// The kind of device of a screen in a public place (AdCOM 1.0, List: Device Types).
const OUT_OF_HOME: i32 = 8;
/// The deal's floor is its price.
const AGREED_PRICE: i32 = 3;

/// The facts besides the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Circumstances<'a> {
    /// How long ago the request arrived.
    pub waited_millis: i64,
    /// How much of `tmax` the network takes, and what is left to do here.
    pub reserve_millis: i64,
    /// The platform's number in IAB Europe's Global Vendor List.
    pub vendor: Option<u16>,
    /// The kind of device by its user agent, used if the request does not say.
    pub device: Option<&'a str>,
}

/// A request that may be bid on: what all candidates have in common is decided once.
#[derive(Clone, Debug)]
pub struct Auction<'a> {
    request: &'a BidRequest,
    limits: Vec<Limit>,
    country: Option<&'static str>,
    devices: Vec<&'a str>,
    blocks: Blocks<'a>,
    screen: Option<(u32, u32)>,
}

/// A candidate that fits. The caller promises its price, and then makes the bid of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfferedAd<'a> {
    pub imp: &'a Imp,
    pub deal: Option<&'a Deal>,
    pub price: Cpm,
    /// The creative's size, if it has one.
    pub size: Option<(u32, u32)>,
    /// How a video is shown.
    pub playing: Option<Playing>,
    /// For how many seconds the bid is valid.
    pub expires: u32,
}

/// Considers one candidate.
///
/// # Errors
/// Why there is no bid.
pub fn consider<'a>(
    request: &'a BidRequest,
    candidate: &Candidate<'_>,
    circumstances: &Circumstances<'a>,
) -> Result<OfferedAd<'a>, NoBid> {
    Auction::open(request, circumstances)?.consider(candidate)
}

impl<'a> Auction<'a> {
    /// # Errors
    /// Why nobody bids.
    pub fn open(request: &'a BidRequest, circumstances: &Circumstances<'a>) -> Result<Self, NoBid> {
        refuse_if(request.test == Some(Flag(true)), NoBid::Test)?;
        if let Some(part) = request.unread.iter().find(|part| part.what != Unread::Consent) {
            return Err(part.what.no_bid());
        }
        refuse_if(is_out_of_home(request), NoBid::OutOfHome)?;
        let spent = circumstances.waited_millis.saturating_add(circumstances.reserve_millis);
        refuse_if(request.regs.as_ref().is_some_and(Regs::requires_transparency), NoBid::Transparency)?;
        refuse_if(request.tmax.is_some_and(|tmax| spent >= tmax.into()), NoBid::InsufficientTime)?;
        Ok(Self {
            request,
            limits: privacy::limits(request, circumstances.vendor),
            country: privacy::country(request),
            devices: devices(request, circumstances),
            blocks: Blocks::of(request),
            screen: request.device.as_ref().and_then(|device| device.w.zip(device.h)).filter(|(w, h)| *w > 1 && *h > 1),
        })
    }

    /// Why the reader may not be recognized; empty if they may be.
    pub fn limits(&self) -> &[Limit] {
        &self.limits
    }

    /// The reader's identity, if they may be recognized. Otherwise no identity leaves this crate.
    pub fn visitor(&self) -> Option<&'a str> {
        let request = self.request;
        let device = request.device.as_ref().and_then(|device| device.ifa.as_deref());
        let user = request.user.as_ref();
        let known = [device, user.and_then(|user| user.buyeruid.as_deref()), user.and_then(|user| user.id.as_deref())];
        let said = known.into_iter().flatten().find(|id| id.bytes().any(|b| b != b'0' && b != b'-'));
        said.filter(|_| self.limits.is_empty())
    }

    /// All names of the site or app: [`BidRequest::sources`].
    pub fn sources(&self) -> impl Iterator<Item = &'a str> {
        self.request.sources()
    }

    /// The kinds of device that the reader's may be; empty if nothing is known.
    pub fn devices(&self) -> &[&'a str] {
        &self.devices
    }

    /// Considers one of the request's impressions.
    ///
    /// # Errors
    /// Why the candidate does not fit.
    pub fn consider_imp(&self, imp: &'a Imp, candidate: &Candidate<'_>) -> Result<OfferedAd<'a>, NoBid> {
        self.fits_everywhere(candidate)?;
        offer(imp, candidate, self.screen)
    }

    /// The first impression that the candidate fits.
    ///
    /// # Errors
    /// Why it fits none; of several impressions, the reason that came closest.
    pub fn consider(&self, candidate: &Candidate<'_>) -> Result<OfferedAd<'a>, NoBid> {
        self.fits_everywhere(candidate)?;
        let mut nearest = NoBid::InvalidRequest;
        for imp in &self.request.imp {
            match offer(imp, candidate, self.screen) {
                Ok(offer) => return Ok(offer),
                Err(why) => nearest = nearest.max(why),
            }
        }
        Err(nearest)
    }

    fn fits_everywhere(&self, candidate: &Candidate<'_>) -> Result<(), NoBid> {
        let request = self.request;
        let seat = |seats: &[String]| candidate.seat.is_some_and(|seat| seats.iter().any(|one| one == seat));
        let shut_out = !request.wseat.is_empty() && !seat(&request.wseat);
        refuse_if(shut_out || seat(&request.bseat), NoBid::Seat)?;
        refuse_if(!takes(request, candidate.currency), NoBid::Currency)?;
        refuse_if(!category_is_allowed(request, candidate.categories), NoBid::BlockedCategory)?;
        refuse_if(self.blocks.blocks_domains(candidate.domains), NoBid::BlockedDomain)?;
        refuse_if(self.blocks.blocks_app(candidate.app), NoBid::BlockedApp)?;
        refuse_if(!language_is_allowed(request, candidate.language), NoBid::CreativeLanguage)?;
        refuse_if(!self.is_in(candidate.wants.regions), NoBid::Country)?;
        refuse_if(!speaks(request, candidate.wants.languages), NoBid::Language)?;
        refuse_if(!self.has_device(candidate.wants.devices), NoBid::UnsupportedDevice)?;
        refuse_if(candidate.counts_visitors && self.visitor().is_none(), NoBid::UnmatchedUser)
    }

    fn is_in(&self, regions: &[String]) -> bool {
        if regions.is_empty() {
            return true;
        }
        let Some(country) = self.country else { return false };
        let within = |wanted: &str| match wanted.split_once('-') {
            None => wanted.eq_ignore_ascii_case(country),
            Some((of, part)) => of.eq_ignore_ascii_case(country) && self.region_is(part),
        };
        regions.iter().any(|wanted| within(wanted))
    }

    /// The part of a country; some exchanges repeat the country in it.
    fn region_is(&self, part: &str) -> bool {
        let there = |geo: &&Geo| geo.country.as_deref().is_none_or(|said| countries::alpha_2(said) == self.country);
        let said = self.request.places().filter(there).find_map(|geo| geo.region.as_deref());
        said.is_some_and(|said| said.rsplit('-').next().unwrap_or(said).eq_ignore_ascii_case(part))
    }

    fn has_device(&self, wanted: &[String]) -> bool {
        wanted.is_empty() || wanted.iter().any(|wanted| self.devices.iter().any(|d| d.eq_ignore_ascii_case(wanted)))
    }
}

impl OfferedAd<'_> {
    fn attributes(&self, candidate: &Candidate<'_>) -> Vec<i32> {
        let skippable = self.playing.and_then(|playing| playing.skip_after).map(|_| SKIPPABLE);
        candidate.attributes.iter().copied().filter(|one| *one != SKIPPABLE).chain(skippable).collect()
    }

    /// The bid, without notices, markup and picture: the first two carry a token, which is made when the
    /// price was promised.
    pub fn bid(&self, id: String, candidate: &Candidate<'_>) -> Bid {
        let video = match candidate.creative {
            Creative::Video(video) => Some(video),
            Creative::Banner { .. } | Creative::Native(_) => None,
        };
        Bid {
            id,
            impid: self.imp.id.clone(),
            price: self.price,
            nurl: None,
            burl: None,
            lurl: None,
            adm: None,
            adomain: candidate.domains.to_vec(),
            bundle: candidate.app.map(str::to_owned),
            iurl: None,
            cid: Some(candidate.campaign.to_owned()),
            // Exchanges review creatives by it, whatever the campaign: of two, it is never the same.
            crid: Some(format!("{}-{}", candidate.campaign, candidate.creative_id)),
            cat: candidate.categories.to_vec(),
            cattax: (!candidate.categories.is_empty()).then_some(TAXONOMY),
            attr: self.attributes(candidate),
            protocol: self.playing.map(|playing| playing.version.protocol()),
            language: candidate.language.map(|language| primary(language).to_owned()),
            dealid: self.deal.map(|deal| deal.id.clone()),
            w: self.size.map(|(w, _)| w),
            h: self.size.map(|(_, h)| h),
            exp: Some(self.expires),
            dur: video.map(|video| video.seconds),
            mtype: Some(candidate.creative.mtype()),
            ext: None,
        }
    }
}

// The request ----------------------------------------------------------------

/// Whether it is about a screen in a public place. Requests before 2.6, which have no `dooh`, say so by the device.
fn is_out_of_home(request: &BidRequest) -> bool {
    let kind = request.device.as_ref().and_then(|device| device.devicetype);
    request.dooh.is_some() || kind == Some(OUT_OF_HOME)
}

fn takes(request: &BidRequest, currency: &str) -> bool {
    let same = |one: &str| one.eq_ignore_ascii_case(currency);
    if request.cur.is_empty() { same(CURRENCY) } else { request.cur.iter().any(|one| same(one)) }
}

/// A category holds those below it: `IAB7` those from `IAB7-1` on. Where something is
/// blocked, an advertiser of unknown category may be just that.
fn category_is_allowed(request: &BidRequest, categories: &[String]) -> bool {
    let (blocked, only) = (&request.bcat, &request.acat);
    if blocked.is_empty() && only.is_empty() {
        return true;
    }
    let readable = || blocked.iter().all(|one| one.is_empty() || is_category(one));
    // Zero is what many programs write for a number that nobody set.
    let taxonomy = request.cattax.filter(|said| *said > 0).unwrap_or(TAXONOMY);
    let known = !categories.is_empty() && taxonomy == TAXONOMY && readable();
    let listed = |category: &str, list: &[String]| list.iter().any(|one| is_below(category, one));
    let fits = |category: &String| !listed(category, blocked) && (only.is_empty() || listed(category, only));
    known && categories.iter().all(fits)
}

/// `IAB7` or `IAB7-39`. What is not one could mean any.
fn is_category(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let iab = text.get(..3).is_some_and(|head| head.eq_ignore_ascii_case("IAB"));
    let rest = text.get(3..).filter(|_| iab).unwrap_or_default();
    rest.split_once('-').map_or_else(|| is_number(rest), |(tier, below)| is_number(tier) && is_number(below))
}

fn is_below(category: &str, listed: &str) -> bool {
    let head = category.get(..listed.len()).is_some_and(|head| head.eq_ignore_ascii_case(listed));
    let rest = category.get(listed.len()..).unwrap_or_default();
    head && !listed.is_empty() && (rest.is_empty() || rest.starts_with('-'))
}

/// An unknown language is never allowed by a list. `wlang` has only languages, so anything after one, as in `en-US`, is
/// ignored.
fn language_is_allowed(request: &BidRequest, language: Option<&str>) -> bool {
    let is = |wanted: &str| language.is_some_and(|language| is_language(language, wanted));
    let (plain, tagged) = (&request.wlang, &request.wlangb);
    (plain.is_empty() || plain.iter().any(|one| is(primary(one))))
        && (tagged.is_empty() || tagged.iter().any(|one| is(one)))
}

fn speaks(request: &BidRequest, wanted: &[String]) -> bool {
    let device = request.device.as_ref();
    let said = device.and_then(|device| device.langb.as_deref().or(device.language.as_deref()));
    wanted.is_empty() || said.is_some_and(|said| wanted.iter().any(|wanted| is_language(said, wanted)))
}

/// Whether a language is another or, such as `de-AT`, a kind of it (RFC 4647, section
/// 3.3.1).
fn is_language(said: &str, wanted: &str) -> bool {
    let head = said.get(..wanted.len()).is_some_and(|head| head.eq_ignore_ascii_case(wanted));
    let rest = said.get(wanted.len()..).unwrap_or_default();
    head && !wanted.is_empty() && (rest.is_empty() || rest.starts_with(['-', '_']))
}

fn primary(language: &str) -> &str {
    language.split(['-', '_']).next().unwrap_or(language)
}

/// The names of the device's kind; a phone or tablet may be either. A number that is none of the list, such as 0, says
/// that nobody knows it.
fn devices<'a>(request: &'a BidRequest, circumstances: &Circumstances<'a>) -> Vec<&'a str> {
    let device = request.device.as_ref();
    let is_phone = device.and_then(|device| device.sua?.mobile) == Some(1);
    match device.and_then(|device| device.devicetype) {
        Some(1) => circumstances.device.map_or_else(|| vec!["mobile", "tablet"], |device| vec![device]),
        Some(2) => vec!["desktop"],
        Some(3 | 6 | 7) => vec!["tv"],
        Some(4) => vec!["mobile"],
        Some(5) => vec!["tablet"],
        _ => circumstances.device.or(is_phone.then_some("mobile")).into_iter().collect(),
    }
}

// The impression -------------------------------------------------------------

fn offer<'a>(imp: &'a Imp, candidate: &Candidate<'_>, screen: Option<(u32, u32)>) -> Result<OfferedAd<'a>, NoBid> {
    refuse_if(imp.is_refused(), NoBid::InvalidRequest)?;
    refuse_if(imp.qty.is_some_and(|quantity| quantity.is_not_one), NoBid::Multiplier)?;
    let media = Media::of(imp, &candidate.creative).ok_or(NoBid::Media)?;
    refuse_if(imp.secure == Some(Flag(true)) && !candidate.secure, NoBid::NotSecure)?;
    let Shown { size, playing } = media.shown(&candidate.creative, screen)?;
    let blocked = media.blocked_attributes();
    refuse_if(candidate.attributes.iter().any(|attribute| blocked.contains(attribute)), NoBid::BlockedAttribute)?;
    let (deal, price) = terms(imp, candidate)?;
    Ok(OfferedAd { imp, deal, price, size, playing, expires: candidate.lasts })
}

/// The deal of ours whose floor the price reaches, if there is one, and the bid. A deal's floor replaces that of the
/// impression.
fn terms<'a>(imp: &'a Imp, candidate: &Candidate<'_>) -> Result<(Option<&'a Deal>, Cpm), NoBid> {
    let price = Cpm::from_milli(candidate.price_milli);
    let reaches = |floor: Cpm, currency: &str| {
        refuse_if(floor > Cpm::ZERO && !currency.eq_ignore_ascii_case(candidate.currency), NoBid::FloorCurrency)?;
        refuse_if(price == Cpm::ZERO || price < floor, NoBid::BelowFloor)
    };
    let mut refused = NoBid::Deal;
    for deal in imp.deals().iter().filter(|deal| is_for(deal, candidate)) {
        let floor = Floors::of_deal(deal).of(&candidate.creative);
        match reaches(floor, deal.floor_currency()) {
            Ok(()) if deal.at == Some(AGREED_PRICE) && floor > Cpm::ZERO => return Ok((Some(deal), floor)),
            Ok(()) => return Ok((Some(deal), price)),
            Err(why) => refused = refused.max(why),
        }
    }
    refuse_if(imp.is_private(), refused)?;
    reaches(Floors::of_imp(imp).of(&candidate.creative), imp.floor_currency())?;
    Ok((None, price))
}

fn is_for(deal: &Deal, candidate: &Candidate<'_>) -> bool {
    let seat = |seat: &str| deal.wseat.iter().any(|one| one == seat);
    let agreed = candidate.deals.contains(&deal.id);
    let invited = deal.wseat.is_empty() || candidate.seat.is_some_and(seat);
    let listed = |domain: &str, one: &str| host(one).is_some_and(|one| is_within(domain, &one));
    let within = |domain: &String| deal.wadomain.iter().any(|one| listed(domain.trim_matches('.'), one));
    let advertiser =
        deal.wadomain.is_empty() || (!candidate.domains.is_empty() && candidate.domains.iter().all(within));
    agreed && invited && advertiser
}

/// The floors of an impression or a deal.
struct Floors<'a> {
    plain: Cpm,
    by_duration: &'a [DurationFloor],
    per_second: Cpm,
}

impl<'a> Floors<'a> {
    fn of_imp(imp: &'a Imp) -> Self {
        let video = imp.video.as_ref();
        Self {
            plain: imp.bidfloor,
            by_duration: video.map_or(&[], |video| video.durfloors.as_slice()),
            per_second: video.map_or(Cpm::ZERO, |video| video.mincpmpersec),
        }
    }

    fn of_deal(deal: &'a Deal) -> Self {
        Self { plain: deal.bidfloor, by_duration: &deal.durfloors, per_second: deal.mincpmpersec }
    }

    /// If several floors for a video's duration apply, the highest replaces the plain one. The price per second must be
    /// reached as well.
    fn of(&self, creative: &Creative<'_>) -> Cpm {
        let Creative::Video(file) = creative else { return self.plain };
        let fitting = self.by_duration.iter().filter(|floor| floor.is_for(file.seconds));
        let of_duration = fitting.map(|floor| floor.bidfloor).max().unwrap_or(self.plain);
        of_duration.max(self.per_second.times(file.seconds))
    }
}

const fn refuse_if(wrong: bool, why: NoBid) -> Result<(), NoBid> {
    if wrong { Err(why) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
