//! Whether an ad is offered for an impression, and on which terms.

use crate::candidate::{Candidate, Creative, Sizes, VAST_4_2, VideoFile};
use crate::no_bid::NoBid;
use crate::price::Cpm;
use crate::privacy::{self, Limit};
use crate::read::Flag;
use crate::request::{Banner, BidRequest, Deal, Imp, Video};
use crate::response::Bid;

/// The currency of bids where a request names none.
const CURRENCY: &str = "USD";
/// IAB's Content Taxonomy 1.0.
const TAXONOMY: i32 = 1;
/// The deal's floor is its price.
const AGREED_PRICE: i32 = 3;
const NON_LINEAR: i32 = 2;

/// What is known besides the request.
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
}

/// A candidate that fits. The caller promises its price, and then makes the bid of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfferedAd<'a> {
    pub imp: &'a Imp,
    pub deal: Option<&'a Deal>,
    pub price: Cpm,
    /// Of the creative, where it has one.
    pub size: Option<(u32, u32)>,
    /// For how many seconds it holds.
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
        let spent = circumstances.waited_millis.saturating_add(circumstances.reserve_millis);
        refuse_if(request.tmax.is_some_and(|tmax| spent >= tmax.into()), NoBid::InsufficientTime)?;
        Ok(Self {
            request,
            limits: privacy::limits(request, circumstances.vendor),
            country: privacy::country(request),
            devices: devices(request, circumstances),
        })
    }

    /// Why the reader may not be recognized; empty if they may be.
    pub fn limits(&self) -> &[Limit] {
        &self.limits
    }

    /// Who the reader is, if they may be recognized. No identity leaves this crate
    /// otherwise.
    pub fn visitor(&self) -> Option<&'a str> {
        let request = self.request;
        let device = request.device.as_ref().and_then(|device| device.ifa.as_deref());
        let user = request.user.as_ref();
        let known = [device, user.and_then(|user| user.buyeruid.as_deref()), user.and_then(|user| user.id.as_deref())];
        let said = known.into_iter().flatten().find(|id| id.bytes().any(|b| b != b'0' && b != b'-'));
        said.filter(|_| self.limits.is_empty())
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
        offer(imp, candidate)
    }

    /// The first impression that the candidate fits.
    ///
    /// # Errors
    /// Why it fits none; of several impressions, the reason that came closest.
    pub fn consider(&self, candidate: &Candidate<'_>) -> Result<OfferedAd<'a>, NoBid> {
        self.fits_everywhere(candidate)?;
        let mut nearest = NoBid::Media;
        for imp in &self.request.imp {
            match offer(imp, candidate) {
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
        refuse_if(!request.badv.is_empty() && any_within(candidate.domains, &request.badv), NoBid::BlockedDomain)?;
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
        let of_device = self.request.device.as_ref().and_then(|device| device.geo.as_ref());
        let geo = of_device.or_else(|| self.request.user.as_ref()?.geo.as_ref());
        let said = geo.and_then(|geo| geo.region.as_deref());
        said.is_some_and(|said| said.rsplit('-').next().unwrap_or(said).eq_ignore_ascii_case(part))
    }

    fn has_device(&self, wanted: &[String]) -> bool {
        wanted.is_empty() || wanted.iter().any(|wanted| self.devices.iter().any(|d| d.eq_ignore_ascii_case(wanted)))
    }
}

impl OfferedAd<'_> {
    /// The bid, without notices and markup: they carry a token, which is made when the
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
            cid: Some(candidate.campaign.to_owned()),
            crid: Some(candidate.creative_id.to_owned()),
            cat: candidate.categories.to_vec(),
            cattax: (!candidate.categories.is_empty()).then_some(TAXONOMY),
            attr: candidate.attributes.to_vec(),
            protocol: video.map(|_| VAST_4_2),
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
    let known = !categories.is_empty() && request.cattax.unwrap_or(TAXONOMY) == TAXONOMY;
    let listed = |category: &str, list: &[String]| list.iter().any(|one| is_below(category, one));
    let fits = |category: &String| !listed(category, blocked) && (only.is_empty() || listed(category, only));
    known && categories.iter().all(fits)
}

fn is_below(category: &str, listed: &str) -> bool {
    let head = category.get(..listed.len()).is_some_and(|head| head.eq_ignore_ascii_case(listed));
    let rest = category.get(listed.len()..).unwrap_or_default();
    head && !listed.is_empty() && (rest.is_empty() || rest.starts_with('-'))
}

/// Whether one of the domains is listed or lies within a listed one. No domain could be
/// any.
fn any_within(domains: &[String], listed: &[String]) -> bool {
    domains.is_empty() || domains.iter().any(|domain| listed.iter().any(|one| is_within(domain, one)))
}

/// Compares in place, since lists of blocked domains are long.
fn is_within(host: &str, domain: &str) -> bool {
    let (host, domain) = (host.trim_matches('.'), domain.trim_matches('.'));
    let Some(at) = host.len().checked_sub(domain.len()) else { return false };
    let same = host.get(at..).is_some_and(|tail| tail.eq_ignore_ascii_case(domain));
    let head = host.get(..at).unwrap_or_default();
    same && !domain.is_empty() && (head.is_empty() || head.ends_with('.'))
}

/// A language that is not known is none of those that are allowed.
fn language_is_allowed(request: &BidRequest, language: Option<&str>) -> bool {
    let lists = [&request.wlang, &request.wlangb];
    let allowed = |list: &Vec<String>| {
        list.is_empty() || language.is_some_and(|language| list.iter().any(|one| is_language(language, one)))
    };
    lists.into_iter().all(allowed)
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

/// The names of the device's kind; a phone or tablet may be either.
fn devices<'a>(request: &'a BidRequest, circumstances: &Circumstances<'a>) -> Vec<&'a str> {
    let kind = request.device.as_ref().and_then(|device| device.devicetype);
    match kind {
        Some(1) => circumstances.device.map_or_else(|| vec!["mobile", "tablet"], |device| vec![device]),
        Some(2) => vec!["desktop"],
        Some(3 | 6 | 7) => vec!["tv"],
        Some(4) => vec!["mobile"],
        Some(5) => vec!["tablet"],
        Some(_) => Vec::new(),
        None => circumstances.device.into_iter().collect(),
    }
}

// The impression -------------------------------------------------------------

fn offer<'a>(imp: &'a Imp, candidate: &Candidate<'_>) -> Result<OfferedAd<'a>, NoBid> {
    let media = Media::of(imp, &candidate.creative).ok_or(NoBid::Media)?;
    refuse_if(imp.exp.is_some_and(|exp| exp > candidate.lasts), NoBid::Expiry)?;
    refuse_if(imp.secure == Some(Flag(true)) && !candidate.secure, NoBid::NotSecure)?;
    let size = media.size(&candidate.creative)?;
    let blocked = media.blocked_attributes();
    refuse_if(candidate.attributes.iter().any(|attribute| blocked.contains(attribute)), NoBid::BlockedAttribute)?;
    let (deal, price) = terms(imp, candidate)?;
    Ok(OfferedAd { imp, deal, price, size, expires: candidate.lasts })
}

/// The impression in the form of a creative.
enum Media<'a> {
    Banner(&'a Banner),
    Video(&'a Video),
    Native(&'a crate::request::Native),
}

impl<'a> Media<'a> {
    fn of(imp: &'a Imp, creative: &Creative<'_>) -> Option<Self> {
        match creative {
            Creative::Banner { .. } => imp.banner.as_ref().map(Self::Banner),
            Creative::Video(_) => imp.video.as_ref().map(Self::Video),
            Creative::Native(_) => imp.native.as_ref().map(Self::Native),
        }
    }

    fn blocked_attributes(&self) -> &'a [i32] {
        match self {
            Self::Banner(banner) => &banner.battr,
            Self::Video(video) => &video.battr,
            Self::Native(native) => &native.battr,
        }
    }

    /// The size in which the creative is shown; a native ad has none.
    fn size(&self, creative: &Creative<'_>) -> Result<Option<(u32, u32)>, NoBid> {
        match (self, creative) {
            (Self::Banner(banner), Creative::Banner { sizes, btype }) => {
                let size = banner_size(banner, *sizes).ok_or(NoBid::Size)?;
                refuse_if(banner.btype.contains(btype), NoBid::BannerType)?;
                Ok(Some(size))
            }
            (Self::Video(video), Creative::Video(file)) => {
                plays(video, file)?;
                Ok(Some((file.w, file.h)))
            }
            (Self::Native(native), Creative::Native(parts)) => {
                parts.assets(&native.markup).map_err(|_| NoBid::NativeAsset)?;
                Ok(None)
            }
            _ => Err(NoBid::Media),
        }
    }
}

fn banner_size(banner: &Banner, sizes: Sizes<'_>) -> Option<(u32, u32)> {
    match sizes {
        Sizes::Any => banner.sizes().next(),
        Sizes::These(sizes) => banner.sizes().find(|size| sizes.contains(size)),
    }
}

fn plays(video: &Video, file: &VideoFile<'_>) -> Result<(), NoBid> {
    let mime = video.mimes.iter().any(|mime| mime.eq_ignore_ascii_case(file.mime));
    refuse_if(!mime, NoBid::Mime)?;
    let within = video.minduration.is_none_or(|least| file.seconds >= least)
        && video.maxduration.is_none_or(|most| file.seconds <= most);
    let lasts = if video.rqddurs.is_empty() { within } else { video.rqddurs.contains(&file.seconds) };
    refuse_if(!lasts, NoBid::Duration)?;
    let known = video.protocols.is_empty() || video.protocols.contains(&VAST_4_2);
    refuse_if(!known || video.linearity == Some(NON_LINEAR), NoBid::Protocol)
}

/// The deal, if there is one of ours whose floor the price reaches, and what is bid. A
/// deal's floor replaces that of the impression.
fn terms<'a>(imp: &'a Imp, candidate: &Candidate<'_>) -> Result<(Option<&'a Deal>, Cpm), NoBid> {
    let price = Cpm::from_milli(candidate.price_milli);
    let reaches = |floor: Cpm, currency: &str| {
        refuse_if(floor > Cpm::ZERO && !currency.eq_ignore_ascii_case(candidate.currency), NoBid::FloorCurrency)?;
        refuse_if(price == Cpm::ZERO || price < floor, NoBid::BelowFloor)
    };
    let mut refused = NoBid::Deal;
    for deal in imp.deals().iter().filter(|deal| is_for(deal, candidate)) {
        match reaches(deal.bidfloor, deal.floor_currency()) {
            Ok(()) if deal.at == Some(AGREED_PRICE) && deal.bidfloor > Cpm::ZERO => {
                return Ok((Some(deal), deal.bidfloor));
            }
            Ok(()) => return Ok((Some(deal), price)),
            Err(why) => refused = refused.max(why),
        }
    }
    refuse_if(imp.is_private(), refused)?;
    reaches(open_floor(imp, &candidate.creative), imp.floor_currency())?;
    Ok((None, price))
}

fn is_for(deal: &Deal, candidate: &Candidate<'_>) -> bool {
    let seat = |seat: &str| deal.wseat.iter().any(|one| one == seat);
    let agreed = candidate.deals.contains(&deal.id);
    let invited = deal.wseat.is_empty() || candidate.seat.is_some_and(seat);
    let within = |domain: &String| deal.wadomain.iter().any(|one| is_within(domain, one));
    let advertiser =
        deal.wadomain.is_empty() || (!candidate.domains.is_empty() && candidate.domains.iter().all(within));
    agreed && invited && advertiser
}

/// Of several floors for a video's duration, the highest.
fn open_floor(imp: &Imp, creative: &Creative<'_>) -> Cpm {
    let floors = match (creative, &imp.video) {
        (Creative::Video(file), Some(video)) => {
            video.durfloors.iter().filter(|floor| floor.is_for(file.seconds)).map(|floor| floor.bidfloor).max()
        }
        _ => None,
    };
    floors.unwrap_or(imp.bidfloor)
}

const fn refuse_if(wrong: bool, why: NoBid) -> Result<(), NoBid> {
    if wrong { Err(why) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
