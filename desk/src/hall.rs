//! The hall: everybody who follows a game on a screen of their own, and what they ask the one who keeps its record.
//!
//! A [`Hall`] answers over HTTP: with the page, with what is to be seen of the game, and with an answer to each act. It knows
//! no rule and does nothing by itself. Each act is passed on as [`Asked`] to whoever has the
//! [`Keeper`](crate::keeper::Keeper), who shows what has come of it ([`Hall::show`]).
//!
//! Whoever has a link may do what its owner may: it carries a token of 128 bits ([`Key`]), which a browser keeps to itself
//! and a page sends in a header. Nothing is encrypted, so a hall is opened for one computer unless another address is named.
//!
//! hyper on tokio rather than a framework: three routes need none, and it is what the frameworks stand on.

mod asking;
mod guests;
mod key;
mod now;
mod requests;
mod shown;
mod watching;

pub use asking::Asked;
pub use guests::{Eyes, Guest};
pub use key::{Key, KeyError};
pub use now::Now;
pub use requests::Page;
pub use shown::Shown;

use asking::Asking;
use guests::Guests;
use requests::Host;
use std::{
    io,
    net::{SocketAddr, TcpListener},
    pin::pin,
    sync::Arc,
    thread,
    time::Duration,
};
use tokio::{
    net::TcpStream,
    sync::Semaphore,
    time::{Instant, timeout_at},
};
use watching::{Life, Watching};

/// The most connections at a time; others wait until one of them ends.
pub const MOST_CONNECTIONS: usize = 512;
/// The most listeners at a time: screens that follow the game.
pub const MOST_LISTENERS: usize = 256;
/// How long the head or the body of a request may take, and an answer may be waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where people follow a game on screens of their own.
pub struct Hall {
    address: SocketAddr,
    shared: Arc<Shared>,
}

/// What the answers to all requests share.
struct Shared {
    page: Page,
    host: Host,
    guests: Guests,
    asking: Asking,
    watching: Arc<Watching>,
}

impl Hall {
    /// Opens a hall at an address; `hear` gets what is asked there, from another thread.
    ///
    /// # Errors
    /// That the system does not let this program listen there.
    pub fn open(
        address: SocketAddr,
        page: Page,
        key: Key,
        hear: impl Fn(Asked) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            page,
            host: Host::of(address),
            guests: Guests::of(key),
            asking: Asking::to(Box::new(hear)),
            watching: Arc::default(),
        });
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let all = Arc::clone(&shared);
        thread::Builder::new()
            .name("hall".into())
            .spawn(move || runtime.block_on(serve(listener, all)))?;
        Ok(Self { address, shared })
    }

    /// Where it is.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The link of somebody. Its token stands after the `#`, which browsers do not send.
    #[must_use]
    pub fn link(&self, guest: &Guest) -> String {
        let token = self.shared.guests.token(guest);
        format!("http://{}/#{token}", self.address)
    }

    /// Whom the record names, and nobody else, may come in beside the arbiter and spectators.
    pub fn admit(&self, players: Vec<Guest>) {
        self.shared.guests.admit(players);
    }

    /// What is to be seen of the game from now on by those with these eyes.
    pub fn show(&self, eyes: Eyes, shown: Shown) {
        self.shared.watching.show(eyes, shown);
    }
}

/// Accepts connections for ever.
async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        return;
    };
    let free = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok(permit) = Arc::clone(&free).acquire_owned().await else {
            return;
        };
        let Ok((stream, _)) = listener.accept().await else {
            // Such as too many open files: a moment later there may be fewer.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            attend(stream, shared).await;
            drop(permit);
        });
    }
}

/// Answers on one connection until it ends, or nothing has come of it for too long.
async fn attend(stream: TcpStream, shared: Arc<Shared>) {
    // A word to each screen is one packet, which is not to wait for the next.
    let _ = stream.set_nodelay(true);
    let life = Arc::new(Life::default());
    let own = Arc::clone(&life);
    let service = hyper::service::service_fn(move |request| {
        let (shared, life) = (Arc::clone(&shared), Arc::clone(&own));
        async move { requests::answer(request, &shared, life).await }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(hyper_util::rt::TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(16 << 10)
        .serve_connection(hyper_util::rt::TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    // What happens on it gives it more time.
    while life.end() > Instant::now() {
        let is_over = timeout_at(life.end(), &mut connection).await.is_ok();
        if is_over {
            return;
        }
    }
}
