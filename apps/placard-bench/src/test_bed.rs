//! One installation with its data and its server, ready to be measured.

use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use base::Clock;
use store::testing::event_counts::{EventCounts, event_counts};
use store::testing::history::{self, History};

use crate::installation::{Installation, Kind};
use crate::load::{Load, Requests, drive};
use crate::market::{Market, Plan, User, user};
use crate::scale::Scale;
use crate::server::Server;
use crate::wire::get;

/// Preparation ends when it is done, not after a time.
const PREPARING: Duration = Duration::from_secs(600);

pub struct TestBed {
    pub scale: Scale,
    pub installation: Installation,
    pub market: Market,
    /// Users with few and with many rows of each kind: a thousand and a million.
    pub few: User,
    pub many: User,
    pub server: Server,
    /// Clicks on the plans.
    pub clicked: Vec<Clicked>,
    /// Clicks on the plans for the hot advertiser's product.
    pub clicked_hot: Vec<Clicked>,
    used: Cell<usize>,
    /// The effects according to the answers.
    pub answered: RefCell<EventCounts>,
}

/// A click that conversions can name, and the index of its advertiser.
pub struct Clicked {
    pub advertiser: usize,
    pub id: String,
}

impl TestBed {
    pub async fn prepare(kind: Kind, scale: Scale) -> Self {
        let began = Instant::now();
        let installation = Installation::new(kind);
        let (market, few, many) = {
            let app = installation.app();
            let market = Market::open(&app, scale).await;
            (market, user(&app, "few").await, user(&app, "many").await)
        };
        write_history(&installation, &market, [&few, &many], scale.history);
        let server = Server::start(&installation).await;
        let clicked = click(server.address, &market.plans, scale.clicks).await;
        let clicked_hot = click(server.address, &market.hot, scale.clicks).await;
        eprintln!("{} prepared in {:.0} s", kind.name(), began.elapsed().as_secs_f64());
        Self {
            scale,
            installation,
            market,
            few,
            many,
            server,
            clicked,
            clicked_hot,
            used: Cell::new(0),
            answered: RefCell::default(),
        }
    }

    /// Kills the server, and checks that everything it answered is stored and valid.
    pub fn check(&mut self) {
        self.server.end();
        let (answered, kept) = (*self.answered.borrow(), event_counts(self.installation.url()).expect("counted"));
        assert!(kept.covers(answered), "answered {answered:?}, kept {kept:?}");
        eprintln!("{}: answered {answered:?}, and kept it", self.installation.kind.name());
    }

    /// A number that was not used before.
    pub fn fresh(&self) -> usize {
        self.used.replace(self.used.get() + 1)
    }

    /// `name_c64`, or `name_pg_c64` on PostgreSQL.
    pub fn plain(&self, name: &str, connections: usize) -> String {
        match self.installation.kind {
            Kind::Sqlite => format!("{name}_c{connections}"),
            Kind::Postgres => format!("{name}_pg_c{connections}"),
        }
    }
}

fn write_history(installation: &Installation, market: &Market, users: [&User; 2], rows: [i64; 2]) {
    let (product, until) = (market.advertisers[0].product, Clock::system().now());
    let histories = [0, 1].map(|n| History { user: users[n].id, product, rows: rows[n], until });
    history::write(installation.url(), &histories).expect("written");
}

/// Visitors follow the links of plans, `wanted` in all. People buy once, so few
/// conversions may be of the same click.
async fn click(server: SocketAddr, plans: &[Plan], wanted: usize) -> Vec<Clicked> {
    let visits = || plans.iter().cycle().take(wanted);
    let ask = |(n, plan): (usize, &Plan)| get(&plan.click, &[("X-Forwarded-For", &visitor(n))]);
    let requests: Requests = visits().enumerate().map(ask).collect();
    let load = Load::once(64, &requests, PREPARING);
    let ids = RefCell::new(vec![None; wanted]);
    drive(server, &load, |n, answer| {
        ids.borrow_mut()[n] = answer.between("click_id=", "\r\n");
        ids.borrow()[n].is_some()
    })
    .await;
    let ids = ids.into_inner().into_iter();
    visits().zip(ids).map(|(plan, id)| Clicked { advertiser: plan.advertiser, id: id.expect("clicked") }).collect()
}

/// The address of one of many visitors, each in a separate network.
pub fn visitor(n: usize) -> String {
    format!("{}.{}.{}.7", 11 + n / 65_536 % 80, n / 256 % 256, n % 256)
}
