//! The bodies of bid requests and of advertisers' lists. Anybody may send one, so the memory that they take is limited
//! while they arrive, while they are unpacked and parsed, and while they are answered.

use std::io::Read;
use std::sync::Arc;

use base::refuse_if;
use flate2::read::MultiGzDecoder;
use openrtb::{BidRequest, Malformed};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::AdServer;

/// The longest compressed body.
pub const MOST_COMPRESSED: usize = 64 * 1024;
/// The longest body, once it is unpacked.
pub const MOST_UNPACKED: usize = 256 * 1024;
/// How much is unpacked at a time. The decoder allocates no more than it is asked for.
const PIECE: usize = 8 * 1024;
/// What each body that is compressed with gzip begins with (RFC 1952, section 2.3.1), and no JSON.
const PACKED: &[u8] = b"\x1f\x8b";
/// The most bodies that are unpacked or parsed at the same time. This is quick, so few ever wait; and a parsed body may
/// take some megabytes.
const AT_ONCE: usize = 8;
/// The most memory for the bodies of all exchanges, and as much for those of all pages.
const MOST_HELD: usize = 2 * 1024 * 1024;
/// The longest list of an advertiser: a thousand postbacks with the longest ids.
const MOST_LISTED: usize = 512 * 1024;
/// The most memory for all lists. Lists wait for their turn, which a bid request cannot.
const MOST_LISTS_HELD: usize = 16 * 1024 * 1024;

/// Where a request comes from. Pages of strangers cannot use up the memory of exchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodySender {
    /// An exchange with a known key.
    Exchange,
    Page,
    /// An advertiser's list of postbacks. It is never compressed, because the signature covers the body as it was sent.
    Advertiser,
}

impl BodySender {
    const fn most(self, compressed: bool) -> usize {
        match (self, compressed) {
            (Self::Advertiser, _) => MOST_LISTED,
            (_, true) => MOST_COMPRESSED,
            (_, false) => MOST_UNPACKED,
        }
    }
}

/// Why a body was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    TooLarge,
    /// Too many other bodies are being read.
    Busy,
    Malformed(Malformed),
}

/// The memory for bodies in one server.
pub struct BodyRoom {
    at_once: Arc<Semaphore>,
    exchanges: Arc<Semaphore>,
    pages: Arc<Semaphore>,
    advertisers: Arc<Semaphore>,
}

impl Default for BodyRoom {
    fn default() -> Self {
        let [exchanges, pages, advertisers] =
            [MOST_HELD, MOST_HELD, MOST_LISTS_HELD].map(|most| Arc::new(Semaphore::new(most)));
        Self { at_once: Arc::new(Semaphore::new(AT_ONCE)), exchanges, pages, advertisers }
    }
}

impl BodyRoom {
    fn of(&self, sender: BodySender) -> &Arc<Semaphore> {
        match sender {
            BodySender::Exchange => &self.exchanges,
            BodySender::Page => &self.pages,
            BodySender::Advertiser => &self.advertisers,
        }
    }

    /// Takes one of the few places for work on bodies.
    fn place(&self) -> Result<OwnedSemaphorePermit, Unread> {
        self.at_once.clone().try_acquire_owned().map_err(|_| Unread::Busy)
    }

    /// Parses a body, unless too many are being read.
    pub(crate) fn parse(&self, body: &[u8]) -> Result<BidRequest, Unread> {
        let _place = self.place()?;
        openrtb::read(body).map_err(Unread::Malformed)
    }
}

/// A body while it arrives. It holds its memory until it is dropped.
pub struct ArrivingBody {
    room: Arc<Semaphore>,
    held: Vec<OwnedSemaphorePermit>,
    bytes: Vec<u8>,
    sender: BodySender,
    most: usize,
}

impl ArrivingBody {
    /// # Errors
    /// `TooLarge` if the announced length is too large.
    pub fn begin(app: &AdServer, sender: BodySender, compressed: bool, told: Option<usize>) -> Result<Self, Unread> {
        let most = sender.most(compressed);
        refuse_if(told.is_some_and(|length| length > most), Unread::TooLarge)?;
        // Reserving the whole length avoids growing, which would leave fragments behind; the system provides pages only
        // as they are filled.
        let bytes = Vec::with_capacity(told.unwrap_or(0));
        Ok(Self { room: app.auction_bodies.of(sender).clone(), held: Vec::new(), bytes, sender, most })
    }

    /// # Errors
    /// `TooLarge` at the first byte beyond the limit; `Busy` if there is no room for it.
    pub fn add(&mut self, piece: &[u8]) -> Result<(), Unread> {
        refuse_if(self.bytes.len() + piece.len() > self.most, Unread::TooLarge)?;
        self.hold(piece.len())?;
        self.bytes.extend_from_slice(piece);
        Ok(())
    }

    fn hold(&mut self, more: usize) -> Result<(), Unread> {
        let more = u32::try_from(more).map_err(|_| Unread::TooLarge)?;
        let permit = self.room.clone().try_acquire_many_owned(more).map_err(|_| Unread::Busy)?;
        match self.held.first_mut() {
            Some(held) => held.merge(permit),
            None => self.held.push(permit),
        }
        Ok(())
    }

    /// Whether it is compressed. Some senders compress a body and do not say so, and some proxies unpack one and still
    /// say that it is compressed, so its beginning tells.
    fn is_packed(&self) -> bool {
        self.sender != BodySender::Advertiser && self.bytes.starts_with(PACKED)
    }

    /// The body, unpacked if it is compressed.
    ///
    /// # Errors
    /// `TooLarge` at the first byte beyond the limit, without looking further.
    pub fn unpack(mut self, app: &AdServer) -> Result<UnpackedBody, Unread> {
        if !self.is_packed() {
            return Ok(UnpackedBody { bytes: std::mem::take(&mut self.bytes), _held: self.held });
        }
        let _place = app.auction_bodies.place()?;
        let packed = std::mem::take(&mut self.bytes);
        let mut decoder = MultiGzDecoder::new(packed.as_slice());
        let (mut bytes, mut piece) = (Vec::with_capacity(MOST_UNPACKED), [0; PIECE]);
        loop {
            let read = decoder.read(&mut piece).map_err(|error| Unread::Malformed(Malformed::whole(error)))?;
            let Some(read @ [_, ..]) = piece.get(..read) else { break };
            refuse_if(bytes.len() + read.len() > MOST_UNPACKED, Unread::TooLarge)?;
            self.hold(read.len())?;
            bytes.extend_from_slice(read);
        }
        Ok(UnpackedBody { bytes, _held: self.held })
    }
}

/// A body that is ready to be parsed. It holds its memory until it is dropped, after its request was answered.
pub struct UnpackedBody {
    bytes: Vec<u8>,
    _held: Vec<OwnedSemaphorePermit>,
}

impl UnpackedBody {
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use auth::Secrets;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use foundation::{App, Settings};

    fn app() -> AdServer {
        let database = store::testing::sqlite();
        AdServer::new(App::new(database.db, Secrets::new([1; 32], [2; 32], [3; 32]), Settings::default()))
    }

    fn zipped(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).expect("zipped");
        encoder.finish().expect("zipped")
    }

    fn read(app: &AdServer, compressed: bool, pieces: &[&[u8]]) -> Result<usize, Unread> {
        let mut body = ArrivingBody::begin(app, BodySender::Page, compressed, None)?;
        pieces.iter().try_for_each(|piece| body.add(piece))?;
        Ok(body.unpack(app)?.bytes().len())
    }

    #[test]
    fn bodies_end_at_the_first_byte_beyond_their_limit() {
        let app = app();
        let plain = vec![b' '; MOST_UNPACKED + 1];
        assert_eq!(read(&app, false, &[&plain[1..]]), Ok(MOST_UNPACKED));
        assert_eq!(read(&app, false, &[&plain[1..], b" "]), Err(Unread::TooLarge));
        assert_eq!(read(&app, true, &[&zipped(&plain[1..])]), Ok(MOST_UNPACKED));
        assert_eq!(read(&app, true, &[&zipped(&plain)]), Err(Unread::TooLarge));
        let members = [zipped(&plain[1..]), zipped(b" ")].concat();
        assert_eq!(read(&app, true, &[&members]), Err(Unread::TooLarge), "of all members together");
        assert_eq!(read(&app, true, &[&vec![0; MOST_COMPRESSED + 1]]), Err(Unread::TooLarge));
        assert!(matches!(read(&app, true, &[&[PACKED, &[0; 64]].concat()]), Err(Unread::Malformed(_))));
        let told = |compressed, length| ArrivingBody::begin(&app, BodySender::Page, compressed, Some(length)).err();
        assert_eq!((told(true, MOST_COMPRESSED), told(true, MOST_COMPRESSED + 1)), (None, Some(Unread::TooLarge)));
        assert_eq!((told(false, MOST_UNPACKED), told(false, MOST_UNPACKED + 1)), (None, Some(Unread::TooLarge)));
        let list = |length| ArrivingBody::begin(&app, BodySender::Advertiser, false, Some(length)).err();
        assert_eq!((list(MOST_LISTED), list(MOST_LISTED + 1)), (None, Some(Unread::TooLarge)));
        assert!(app.auction_bodies.pages.available_permits() == MOST_HELD, "all of it is free again");
    }

    #[test]
    fn whether_a_body_is_compressed_its_beginning_tells() {
        let app = app();
        let packed = zipped(&[b' '; 1_000]);
        for said in [true, false] {
            assert_eq!((read(&app, said, &[&packed]), read(&app, said, &[b"{}"])), (Ok(1_000), Ok(2)), "{said}");
            let [first, rest @ ..] = packed.as_slice() else { panic!("it is empty") };
            assert_eq!(read(&app, said, &[&[*first], rest]), Ok(1_000), "{said}");
            assert_eq!((read(&app, said, &[]), read(&app, said, &[&[*first]])), (Ok(0), Ok(1)), "{said}");
        }
        // The signature of a list is over what came.
        let mut list = ArrivingBody::begin(&app, BodySender::Advertiser, false, None).expect("begun");
        list.add(&packed).expect("room");
        assert_eq!(list.unpack(&app).expect("as it came").bytes(), packed);
    }

    #[test]
    fn eight_are_read_at_once_and_the_next_comes_again() {
        let app = app();
        let packed = zipped(b"{}");
        let places: Vec<_> = (0..AT_ONCE).map(|_| app.auction_bodies.place().expect("a place")).collect();
        assert_eq!(read(&app, true, &[&packed]), Err(Unread::Busy));
        assert_eq!(app.auction_bodies.parse(b"{}"), Err(Unread::Busy));
        drop(places);
        assert_eq!(read(&app, true, &[&packed]), Ok(2));
        assert!(matches!(app.auction_bodies.parse(b"{}"), Err(Unread::Malformed(_))));
    }

    #[test]
    fn pages_leave_exchanges_their_room() {
        let app = app();
        let piece = vec![b' '; MOST_UNPACKED];
        let held: Vec<_> = (0..MOST_HELD / MOST_UNPACKED)
            .map(|_| {
                let mut body = ArrivingBody::begin(&app, BodySender::Page, false, None).expect("begun");
                body.add(&piece).expect("room");
                body.unpack(&app).expect("unpacked")
            })
            .collect();
        assert_eq!(read(&app, false, &[b" "]), Err(Unread::Busy));
        let mut exchange = ArrivingBody::begin(&app, BodySender::Exchange, false, None).expect("begun");
        assert_eq!(exchange.add(&piece), Ok(()));
        drop(held);
        assert_eq!(read(&app, false, &[b" "]), Ok(1));
    }
}
