//! Requests that mean ill: nothing is done without a right, and nothing stops the desk.

use super::{Desk, OVER, Watch, text, written};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use serde_json::json;
use std::{
    io::{Read as _, Write as _},
    time::{Duration, Instant},
};

const E4: &str = "{\"type\":\"play\",\"plies\":[\"e4\"]}";

/// A request for an act with these lines in the place of those of a browser.
fn act(host: &str, lines: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST /acts HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {length}\r\noverboard-act: strangepage 1\r\n{lines}\r\n{body}"
    )
    .into_bytes()
}

#[test]
fn nobody_acts_without_a_right() {
    let desk = Desk::begin(&OVER);
    let here = desk.address.to_string();
    let token = format!("authorization: Bearer {}\r\n", desk.token("Arbiter"));
    let wrong = format!("authorization: Bearer {}\r\n", "0".repeat(32));
    let json = "content-type: application/json\r\n";
    let evil = "origin: http://evil.example\r\n";
    let port = desk.address.port();
    let tries = [
        (here.clone(), String::from(json), 401),
        (here.clone(), format!("{wrong}{json}"), 401),
        (
            here.clone(),
            format!("authorization: {}\r\n{json}", desk.token("Arbiter")),
            401,
        ),
        (here.clone(), token.clone(), 415),
        (
            here.clone(),
            format!("{token}content-type: text/plain\r\n"),
            415,
        ),
        (here.clone(), format!("{token}{json}{evil}"), 403),
        (here.clone(), format!("{token}{json}origin: null\r\n"), 403),
        (
            format!("evil.example:{port}"),
            format!("{token}{json}"),
            421,
        ),
        ("127.0.0.1".into(), format!("{token}{json}"), 421),
        (String::new(), format!("{token}{json}"), 421),
    ];
    for (host, lines, status) in tries {
        let (got, answer) = desk.raw(&act(&host, &lines, E4));
        assert_eq!(got, status, "{host} {lines} {answer}");
    }
    assert!(!text(&desk.record()).contains("e4"));
    // The same with everything that belongs to it.
    let own = format!("{token}{json}origin: http://{here}\r\n");
    let (status, answer) = desk.raw(&act(&here, &own, E4));
    assert_eq!(status, 200, "{answer}");
    // The page itself has nothing of the game, and no token is in what is served or logged.
    let (status, page) =
        desk.raw(format!("GET / HTTP/1.1\r\nhost: {here}\r\nconnection: close\r\n\r\n").as_bytes());
    assert_eq!(status, 200);
    assert!(!page.contains("Bob") && !page.contains(desk.token("Arbiter")));
    for path in [
        "/game.npgn",
        "/../game.npgn",
        "//etc/passwd",
        "/acts",
        "/watch?token=1",
    ] {
        let request = desk.head("DELETE", path, "Arbiter") + "\r\n";
        assert_eq!(desk.raw(request.as_bytes()).0, 404, "{path}");
    }
    let journal = text(&desk.record().with_extension("npgn.desk"));
    assert!(!journal.contains(desk.token("Arbiter")));
}

#[test]
fn an_act_that_comes_twice_is_done_once() {
    let desk = Desk::begin(&OVER);
    let (_, first) = desk.play("Arbiter", "firstpage 1", "e4");
    let (status, again) = desk.play("Arbiter", "firstpage 1", "e4");
    assert_eq!((status, &again), (200, &first));
    let (_, second) = desk.play("Arbiter", "firstpage 2", "d5");
    assert_eq!(second["san"], json!(["d5"]));
    let (status, late) = desk.play("Arbiter", "firstpage 1", "e4");
    assert_eq!((status, &late["type"]), (409, &json!("error")));
    for act in [
        "short 1",
        "firstpage",
        "firstpage -1",
        "first/page 1",
        "firstpage 99999999999999999999",
    ] {
        assert_eq!(desk.play("Arbiter", act, "Nf3").0, 400, "{act}");
    }
    written(&desk, "1. e4 d5 *");
}

#[test]
fn what_is_no_request_is_refused() {
    let desk = Desk::begin(&OVER);
    let head = desk.head("POST", "/acts", "Arbiter") + "overboard-act: firstpage 1\r\n";
    let with = |body: &[u8]| {
        let mut request = format!("{head}content-length: {}\r\n\r\n", body.len()).into_bytes();
        request.extend_from_slice(body);
        request
    };
    let bodies: [(Vec<u8>, u16); 6] = [
        (with(b""), 400),
        (with(b"{\"type\":\"play\"}"), 400),
        (with(b"\xff\xfe\x00"), 400),
        (with(&[b'['; 60_000]), 400),
        (with(&vec![b' '; 10 << 20]), 413),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc".to_vec(), 400),
    ];
    for (request, status) in bodies {
        let (got, _) = desk.raw(&request);
        // A connection may be ended before so much has been heard that there is an answer.
        assert!(
            got == status || (got == 0 && request.len() > 1 << 20),
            "{got} {status}"
        );
    }
    let endless = format!("{head}x: {}", "a".repeat(1 << 20));
    assert!([0, 400, 431].contains(&desk.raw(endless.as_bytes()).0));
    assert_eq!(desk.play("Arbiter", "firstpage 2", "e4").0, 200);
}

/// Lets this program have as many files open as the system admits: each end of a connection is one.
fn open_many() {
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    setrlimit(Resource::RLIMIT_NOFILE, most.min(4096), most).unwrap();
}

/// A thousand connections, twice as many as there may be, which say nothing or something slowly, and screens that never read.
#[test]
fn the_desk_goes_on_whoever_holds_it_up() {
    let desk = Desk::begin(&OVER);
    open_many();
    let mut screen = Watch::of(&desk, "Arbiter");
    screen.next();
    screen.next();
    let deaf: Vec<_> = (0..60)
        .map(|_| {
            let mut stream = desk.connect();
            let head = desk.head("GET", "/watch", "Spectators");
            stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
            stream
        })
        .collect();
    let slow: Vec<_> = (0..250)
        .map(|at| {
            let mut stream = desk.connect();
            let part = ["", "GET / HT", "POST /acts HTTP/1.1\r\nho"][at % 3];
            stream.write_all(part.as_bytes()).unwrap();
            stream
        })
        .collect();
    let begun = Instant::now();
    for (at, ply) in ["e4", "e5", "Nf3", "Nc6"].iter().enumerate() {
        let (status, _) = desk.play("Arbiter", &format!("firstpage {}", at + 1), ply);
        assert_eq!(status, 200);
        screen.next();
    }
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
    // More than there may be wait, until those before them are given up.
    let more: Vec<_> = (0..690).map(|_| desk.connect()).collect();
    let (status, _) = desk.play("Arbiter", "firstpage 9", "Bb5");
    assert_eq!(status, 200);
    drop((deaf, slow, more));
}

#[test]
fn there_are_so_many_screens_and_no_more() {
    let desk = Desk::begin(&OVER);
    let screens: Vec<_> = (0..256).map(|_| Watch::of(&desk, "Spectators")).collect();
    let (status, _) = desk.raw((desk.head("GET", "/watch", "Arbiter") + "\r\n").as_bytes());
    assert_eq!(status, 503);
    drop(screens);
    let begun = Instant::now();
    loop {
        let mut stream = desk.connect();
        let head = desk.head("GET", "/watch", "Arbiter");
        stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        if &first == b"HTTP/1.1 200" {
            return;
        }
        // Screens that have gone are missed with the next word to them.
        desk.play("Arbiter", "firstpage 1", "e4");
        assert!(begun.elapsed() < Duration::from_secs(40));
    }
}
