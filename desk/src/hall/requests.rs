//! The requests that are answered: for the page, for what happens, for an act.

use super::{
    Guest, PATIENCE, Shared,
    asking::{Numbered, Outcome, json},
    guests::is_question,
    watching::Life,
};
use crate::lines::{self, FromDesk, LONGEST, Sent};
use http_body_util::{BodyExt as _, Either, Full, Limited, channel::Channel};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header::{self, HeaderMap, HeaderName, HeaderValue},
};
use overboard_engines::external::lines::{FaultCode, FaultReport, fault};
use std::{convert::Infallible, net::SocketAddr, str, sync::Arc};
use tokio::time::timeout;

/// The page that everybody gets, without anything of the game.
pub struct Page {
    /// Its HTML.
    pub html: String,
    /// Its content security policy.
    pub policy: String,
}

/// The names by which a hall may be called. A foreign page can let its own name lead to this computer, but not a number.
pub(super) struct Host {
    address: SocketAddr,
}

impl Host {
    pub(super) const fn of(address: SocketAddr) -> Self {
        Self { address }
    }

    /// Whether a request is for this hall.
    fn is(&self, host: &str) -> bool {
        let port = self.address.port();
        let by_name = format!("localhost:{port}");
        let is_named = self.address.ip().is_loopback() && host == by_name;
        is_named || host == self.address.to_string()
    }

    /// Whether it comes from a page of this hall, or from no page.
    fn is_origin(&self, origin: &str) -> bool {
        origin
            .strip_prefix("http://")
            .is_some_and(|host| self.is(host))
    }
}

/// A request that is not answered as it was meant.
struct Rejected(StatusCode, FaultReport);

impl Rejected {
    fn of(status: StatusCode, code: FaultCode, words: impl Into<String>) -> Self {
        Self(status, fault(code, words))
    }
}

type Body = Either<Full<Bytes>, Channel<Bytes>>;

/// The header that says which act of which page a request is.
static ACT: HeaderName = HeaderName::from_static("overboard-act");

/// Answers a request.
pub(super) async fn answer(
    request: Request<Incoming>,
    shared: &Arc<Shared>,
    life: Arc<Life>,
) -> Result<Response<Body>, Infallible> {
    life.go_on();
    let answered = route(request, shared, life).await;
    let mut response = answered.unwrap_or_else(|Rejected(status, report)| {
        let answer = FromDesk::Error(report.into());
        let mut response = whole(json(&answer), "application/json");
        *response.status_mut() = status;
        response
    });
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(&shared.page.policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    Ok(response)
}

async fn route(
    request: Request<Incoming>,
    shared: &Arc<Shared>,
    life: Arc<Life>,
) -> Result<Response<Body>, Rejected> {
    check_source(request.headers(), &shared.host)?;
    match (request.method(), request.uri().path()) {
        (&Method::GET, "/") => Ok(whole(
            shared.page.html.clone().into(),
            "text/html; charset=utf-8",
        )),
        (&Method::GET, "/watch") => {
            let guest = whose(request.headers(), shared)?;
            watch(&guest, shared, life)
        }
        (&Method::POST, "/acts") => {
            let guest = whose(request.headers(), shared)?;
            act(request, guest, shared).await
        }
        _ => Err(Rejected::of(
            StatusCode::NOT_FOUND,
            FaultCode::UnknownType,
            "there is nothing here",
        )),
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// Whether a request is for this hall, and from a page of it or from a program.
fn check_source(headers: &HeaderMap, host: &Host) -> Result<(), Rejected> {
    let is_here = text(headers, &header::HOST).is_some_and(|named| host.is(named));
    if !is_here {
        let words = format!("this desk is at http://{}", host.address);
        return Err(Rejected::of(
            StatusCode::MISDIRECTED_REQUEST,
            FaultCode::NotAllowed,
            words,
        ));
    }
    let origin = headers.get(header::ORIGIN);
    let is_own = origin.is_none_or(|origin| {
        let origin = origin.to_str();
        origin.is_ok_and(|origin| host.is_origin(origin))
    });
    if !is_own {
        let words = "this request comes from a page of somebody else";
        return Err(Rejected::of(
            StatusCode::FORBIDDEN,
            FaultCode::NotAllowed,
            words,
        ));
    }
    Ok(())
}

/// Whose request it is.
fn whose(headers: &HeaderMap, shared: &Shared) -> Result<Guest, Rejected> {
    let token = text(headers, &header::AUTHORIZATION);
    let token = token.and_then(|token| token.strip_prefix("Bearer "));
    let guest = token.and_then(|token| shared.guests.find(token));
    guest.ok_or_else(|| {
        Rejected::of(
            StatusCode::UNAUTHORIZED,
            FaultCode::NotAllowed,
            "this link is not, or no longer, one of this desk",
        )
    })
}

/// Tells a screen what happens from now on.
fn watch(guest: &Guest, shared: &Arc<Shared>, life: Arc<Life>) -> Result<Response<Body>, Rejected> {
    let Some(listener) = shared.watching.enter() else {
        return Err(Rejected::of(
            StatusCode::SERVICE_UNAVAILABLE,
            FaultCode::NotDone,
            "as many screens as there may be follow this game already",
        ));
    };
    let (to, body) = Channel::new(1);
    tokio::spawn(listener.follow(guest.clone(), to, life));
    Ok(of_kind(Either::Right(body), "application/x-ndjson"))
}

/// Has an act done, or answers a question.
async fn act(
    request: Request<Incoming>,
    guest: Guest,
    shared: &Shared,
) -> Result<Response<Body>, Rejected> {
    let is_json = text(request.headers(), &header::CONTENT_TYPE) == Some("application/json");
    if !is_json {
        return Err(Rejected::of(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            FaultCode::Unreadable,
            "an act is sent as application/json",
        ));
    }
    let numbered = text(request.headers(), &ACT).and_then(numbered);
    let body = read(request).await?;
    let message = str::from_utf8(&body).map_err(|_| unreadable("an act is text in UTF-8"))?;
    let sent = lines::read(message).and_then(Sent::spelt_out);
    let sent = sent.map_err(|report| Rejected(StatusCode::BAD_REQUEST, report))?;
    let sent = guest
        .send(sent)
        .map_err(|words| Rejected::of(StatusCode::FORBIDDEN, FaultCode::NotAllowed, words))?;
    let outcome = match (is_question(&sent.message), numbered) {
        (true, _) => shared.asking.ask(guest, sent).await,
        (false, Some(numbered)) => shared.asking.act(guest, sent, numbered).await,
        (false, None) => {
            let words =
                "an act has the header `overboard-act` with a name of the page and a number";
            return Err(unreadable(words));
        }
    };
    match outcome {
        Outcome::Answered(answer) => Ok(whole(answer, "application/json")),
        Outcome::Late => Err(Rejected::of(
            StatusCode::CONFLICT,
            FaultCode::NotDone,
            "this act comes again, or after a later one; it was not done now",
        )),
        Outcome::Silent => Err(Rejected::of(
            StatusCode::SERVICE_UNAVAILABLE,
            FaultCode::NotDone,
            "the desk does not answer; look at the record before you do it again",
        )),
    }
}

/// The body of a request, if it is not too long and comes in time.
async fn read(request: Request<Incoming>) -> Result<Bytes, Rejected> {
    let body = Limited::new(request.into_body(), LONGEST);
    match timeout(PATIENCE, body.collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(_)) => {
            let report = lines::too_long(LONGEST);
            Err(Rejected(StatusCode::PAYLOAD_TOO_LARGE, report))
        }
        Err(_) => Err(Rejected::of(
            StatusCode::REQUEST_TIMEOUT,
            FaultCode::Unreadable,
            "the request did not come to its end",
        )),
    }
}

fn unreadable(words: &str) -> Rejected {
    Rejected::of(StatusCode::BAD_REQUEST, FaultCode::Unreadable, words)
}

/// The name of a page, and the number of its act.
fn numbered(text: &str) -> Option<Numbered> {
    let (page, act) = text.split_once(' ')?;
    let is_name = (8..=64).contains(&page.len()) && page.bytes().all(|b| b.is_ascii_alphanumeric());
    if !is_name {
        return None;
    }
    Some(Numbered {
        page: page.to_owned(),
        act: act.parse().ok()?,
    })
}

fn whole(bytes: Bytes, kind: &'static str) -> Response<Body> {
    of_kind(Either::Left(Full::new(bytes)), kind)
}

fn of_kind(body: Body, kind: &'static str) -> Response<Body> {
    let mut response = Response::new(body);
    let kind = HeaderValue::from_static(kind);
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
