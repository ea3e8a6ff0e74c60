//! The forms of an impression: where a creative fits, and how it is shown there.

use super::refuse_if;
use crate::candidate::{Creative, Sizes, VideoFile};
use crate::no_bid::NoBid;
use crate::read::Flag;
use crate::request::{Banner, Imp, Native, Video};
use crate::vast::VastVersion;

const NON_LINEAR: i32 = 2;
/// A file that plays while it is loaded.
const PROGRESSIVE: i32 = 2;
/// The attribute of videos that can be skipped.
pub const SKIPPABLE: i32 = 16;
/// The time after which a video can be skipped, if the request says only that it can.
const SKIP_AFTER_SECONDS: u32 = 5;
/// The sides of a banner, in pixels: what is smaller is not seen, and no screen is larger.
const SIDES: std::ops::RangeInclusive<u32> = 50..=4_096;

/// How a video is shown where it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playing {
    pub version: VastVersion,
    /// From which second on it can be skipped.
    pub skip_after: Option<u32>,
}

/// How a creative is shown: only a native ad has no size, and only a video is played.
pub struct Shown {
    pub size: Option<(u32, u32)>,
    pub playing: Option<Playing>,
}

/// The impression in the form of a creative.
pub enum Media<'a> {
    Banner(&'a Banner),
    Video(&'a Video),
    Native(&'a Native),
}

impl<'a> Media<'a> {
    pub fn of(imp: &'a Imp, creative: &Creative<'_>) -> Option<Self> {
        match creative {
            Creative::Banner { .. } => imp.banner.as_ref().map(Self::Banner),
            Creative::Video(_) => imp.video.as_ref().map(Self::Video),
            Creative::Native(_) => imp.native.as_ref().map(Self::Native),
        }
    }

    pub fn blocked_attributes(&self) -> &'a [i32] {
        match self {
            Self::Banner(banner) => &banner.battr,
            Self::Video(video) => &video.battr,
            Self::Native(native) => &native.battr,
        }
    }

    /// How the creative is shown there.
    pub fn shown(&self, creative: &Creative<'_>, screen: Option<(u32, u32)>) -> Result<Shown, NoBid> {
        match (self, creative) {
            (Self::Banner(banner), Creative::Banner { sizes, btype }) => {
                let size = banner_size(banner, *sizes, screen).ok_or(NoBid::Size)?;
                refuse_if(banner.btype.contains(btype), NoBid::BannerType)?;
                Ok(Shown { size: Some(size), playing: None })
            }
            (Self::Video(video), Creative::Video(file)) => {
                Ok(Shown { size: Some((file.w, file.h)), playing: Some(plays(video, file)?) })
            }
            (Self::Native(native), Creative::Native(parts)) => {
                let assets = parts.assets(&native.markup).map_err(|_| NoBid::NativeAsset)?;
                // An ad of nothing is not seen.
                refuse_if(assets.is_empty(), NoBid::NativeAsset)?;
                Ok(Shown { size: None, playing: None })
            }
            _ => Err(NoBid::Media),
        }
    }
}

/// The size that is worth most: the largest one that the screen has, in whatever way it is held. A place of
/// 1 x 1 says that nobody knows its size.
fn banner_size(banner: &Banner, sizes: Sizes<'_>, screen: Option<(u32, u32)>) -> Option<(u32, u32)> {
    let is_ours = |size: &(u32, u32)| match sizes {
        Sizes::Any => true,
        Sizes::These(sizes) => sizes.contains(size),
    };
    let on = |(w, h): (u32, u32), (wide, high): (u32, u32)| (w <= wide && h <= high) || (w <= high && h <= wide);
    let is_seen = |size: &(u32, u32)| {
        SIDES.contains(&size.0) && SIDES.contains(&size.1) && screen.is_none_or(|screen| on(*size, screen))
    };
    let fitting = banner.sizes().filter(|size| is_ours(size) && is_seen(size));
    // The first of several with the largest area.
    fitting.reduce(|best, size| if area(size) > area(best) { size } else { best })
}

fn area((w, h): (u32, u32)) -> u64 {
    u64::from(w) * u64::from(h)
}

fn plays(video: &Video, file: &VideoFile<'_>) -> Result<Playing, NoBid> {
    let mime = video.mimes.iter().any(|mime| mime.eq_ignore_ascii_case(file.mime));
    refuse_if(!mime, NoBid::Mime)?;
    let within = video.minduration.is_none_or(|least| file.seconds >= least)
        && video.maxduration.is_none_or(|most| file.seconds <= most);
    let lasts = if video.rqddurs.is_empty() { within } else { video.rqddurs.contains(&file.seconds) };
    let is_in_pod = video.poddur.is_none_or(|most| file.seconds <= most);
    refuse_if(!lasts || !is_in_pod, NoBid::Duration)?;
    refuse_if(!is_within_bitrates(video, file), NoBid::Bitrate)?;
    let is_loaded = video.delivery.is_empty() || video.delivery.contains(&PROGRESSIVE);
    refuse_if(!is_loaded || video.linearity == Some(NON_LINEAR), NoBid::Protocol)?;
    let version = VastVersion::newest_of(video).ok_or(NoBid::Protocol)?;
    Ok(Playing { version, skip_after: skip_after(video, file, version) })
}

/// An unknown bitrate could be too high.
fn is_within_bitrates(video: &Video, file: &VideoFile<'_>) -> bool {
    let (least, most) = (video.minbitrate.filter(|least| *least > 0), video.maxbitrate);
    let fits = |bitrate| least.is_none_or(|least| bitrate >= least) && most.is_none_or(|most| bitrate <= most);
    (least.is_none() && most.is_none()) || file.bitrate.is_some_and(fits)
}

fn skip_after(video: &Video, file: &VideoFile<'_>, version: VastVersion) -> Option<u32> {
    let may = video.skip == Some(Flag(true)) && version.can_skip() && !video.battr.contains(&SKIPPABLE);
    let is_long = file.seconds > video.skipmin.unwrap_or(0);
    let after = video.skipafter.unwrap_or(SKIP_AFTER_SECONDS);
    (may && is_long && after < file.seconds).then_some(after)
}
