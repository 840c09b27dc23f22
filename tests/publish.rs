//! An event published as pages: complete, linked, and rewritten only where something has changed.

use crate::event_folder::EventFolder;
use std::{collections::BTreeSet, fs, path::Path};

/// A Swiss of five teams after one round; the second round is paired.
fn league() -> EventFolder {
    let event = EventFolder::with(&["--system", "swiss-team", "--rounds", "3", "--boards", "2"]);
    for team in ["Ayr", "Bath", "Cork", "Deal", "<b>Ely"] {
        event.done(&[
            "event",
            "enter",
            "@",
            team,
            "--players",
            &format!("Ann of {team};Bob of {team}"),
        ]);
    }
    event.done(&["pair", "next", "@"]);
    event.done(&["result", "@", "1", "1: 1-0 =; 2: 0-1 1-0f"]);
    event.done(&["pair", "next", "@"]);
    event
}

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn pages_are_whole_and_only_what_changed_is_written() {
    let event = league();
    let site = event.beside("site");
    assert!(
        event
            .done(&["event", "publish", "@", &site, "--dry-run"])
            .contains("would be written")
    );
    assert!(!Path::new(&site).exists());
    event.done(&["event", "publish", "@", &site]);
    let folder = Path::new(&site);
    let all = names(folder);
    for name in [
        "index.html",
        "start.csv",
        "round-01.html",
        "round-02.json",
        "standings.csv",
        "boards.html",
        "team-5.html",
        "player-1.json",
    ] {
        assert!(all.contains(name), "{name}: {all:?}");
    }
    // Every link leads to an existing page, and nothing is loaded from elsewhere.
    for name in all.iter().filter(|name| name.ends_with(".html")) {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        for link in text
            .split("href=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
        {
            assert!(all.contains(link), "{name}: {link}");
        }
        assert!(
            !text.contains("http://") && !text.contains("https://") && !text.contains("<b>Ely"),
            "{name}"
        );
    }
    let json = fs::read_to_string(folder.join("standings.json")).unwrap();
    assert_eq!(
        json.trim(),
        event.done(&["standings", "@", "--json"]).trim()
    );
    let written = |event: &EventFolder| -> Vec<String> {
        let done = event.json(&["event", "publish", "@", &site, "--json"]);
        done["written"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(written(&event), [""; 0]);
    // A result of the second round leaves the pages of the first round, and of teams not involved, unchanged.
    let two = event.event().rounds[1].matches[0].clone();
    event.done(&["result", "@", "2", "1: 1-0 ="]);
    let changed = written(&event);
    assert!(
        changed.contains(&"round-02.html".to_owned())
            && changed.contains(&"standings.html".to_owned())
    );
    assert!(
        !changed
            .iter()
            .any(|name| name.starts_with("round-01") || name.starts_with("start")),
        "{changed:?}"
    );
    let teams: Vec<_> = changed
        .iter()
        .filter(|name| name.starts_with("team-") && name.ends_with(".html"))
        .collect();
    let mut own = [two.white, two.black].map(|team| format!("team-{team}.html"));
    own.sort();
    assert_eq!(teams, own.iter().collect::<Vec<_>>());
    // A cancelled match no longer has a page; pages of others are left alone.
    event.done(&["event", "cancel", "@", "2", "--discard-results"]);
    event.done(&["event", "publish", "@", &site]);
    assert!(!names(folder).contains("round-02.html"));
}

/// Files of others in the folder are neither replaced nor deleted, whatever their names.
#[test]
fn files_of_others_stay_as_they_are() {
    let event = league();
    let site = event.beside("site");
    let folder = Path::new(&site);
    fs::create_dir(folder).unwrap();
    let publish = || event.done(&["event", "publish", "@", &site]);
    let refused = || event.refused(&["event", "publish", "@", &site], 2);
    for name in ["index.html", "style.css", "round-02.csv", "pages.txt"] {
        fs::write(folder.join(name), "mine").unwrap();
        let why = refused();
        assert!(
            why.contains(name) && why.contains("give another folder"),
            "{name}: {why}"
        );
        assert_eq!(
            names(folder),
            [name.to_owned()].into(),
            "nothing is written before the refusal"
        );
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), "mine");
        fs::remove_file(folder.join(name)).unwrap();
    }
    // Files with other names are left alone.
    fs::write(folder.join("photo.html"), "mine").unwrap();
    publish();
    // A page of ours that a person has changed belongs to them, even if it would otherwise be deleted.
    let page = folder.join("round-02.html");
    let ours = fs::read_to_string(&page).unwrap();
    fs::write(&page, ours.replace("<h1>", "<h1>Draft: ")).unwrap();
    let why = refused();
    assert!(
        why.contains("round-02.html was not written by `overboard event publish`"),
        "{why}"
    );
    event.done(&["event", "cancel", "@", "2"]);
    assert!(refused().contains("round-02.html"));
    fs::write(&page, &ours).unwrap();
    publish();
    assert!(!page.exists() && folder.join("photo.html").exists());
    // A page that is a link leads into a foreign folder.
    #[cfg(unix)]
    {
        let elsewhere = event.beside("elsewhere.html");
        fs::rename(folder.join("start.html"), &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, folder.join("start.html")).unwrap();
        event.done(&["event", "amend", "@", "Ayr", "--captain", "Zoe"]);
        assert!(refused().contains("start.html"));
        fs::rename(&elsewhere, folder.join("start.html")).unwrap();
        publish();
    }
    // A list written by an earlier version names files without checksums.
    let list = fs::read_to_string(folder.join("pages.txt")).unwrap();
    let names = list
        .lines()
        .skip(1)
        .filter_map(|line| line.split(' ').next());
    let bare: String = names.map(|name| format!("{name}\n")).collect();
    fs::write(folder.join("pages.txt"), bare).unwrap();
    event.done(&["event", "amend", "@", "Ayr", "--captain", "Yan"]);
    publish();
    let old = fs::read_to_string(folder.join("pages.txt")).unwrap();
    assert_eq!(old.lines().count(), list.lines().count());
    // A run that was interrupted after its first page has listed both contents of each.
    event.done(&["event", "amend", "@", "Ayr", "--captain", "Xia"]);
    let twin = event.beside("twin");
    event.done(&["event", "publish", "@", &twin]);
    let new = fs::read_to_string(Path::new(&twin).join("pages.txt")).unwrap();
    fs::copy(
        Path::new(&twin).join("start.html"),
        folder.join("start.html"),
    )
    .unwrap();
    fs::write(
        folder.join("pages.txt"),
        old + new.split_once('\n').unwrap().1,
    )
    .unwrap();
    publish();
    assert_eq!(fs::read_to_string(folder.join("pages.txt")).unwrap(), new);
}

/// Every kind of event can be published.
#[test]
fn every_event_has_pages() {
    for (index, options) in [
        &["--of", "players"][..],
        &["--of", "players", "--system", "knockout"],
        &["--game", "strategichess", "--boards", "2"],
        &["--game", "overchess", "--lieutenants", "solo"],
        &["--system", "molter", "--rounds", "1", "--boards", "2"],
    ]
    .iter()
    .enumerate()
    {
        let event = EventFolder::new();
        event.done(&[&["event", "new", "@"], *options].concat());
        for name in ["Ayr", "Bath", "Cork", "Deal"] {
            let players = if index == 3 {
                "commander=Ann"
            } else {
                "Ann;Bob"
            };
            let words = ["event", "enter", "@", name, "--players", players];
            event.done(&words[..if index < 2 { 4 } else { 6 }]);
        }
        let site = event.beside("site");
        event.done(&["event", "publish", "@", &site]);
        event.done(&["pair", "next", "@"]);
        event.done(&["event", "publish", "@", &site]);
        assert!(
            names(Path::new(&site)).contains("round-01.html"),
            "{options:?}"
        );
        let sheets = event.done(&["event", "cards", "@", "--sheets"]);
        let form = [
            "<th>Time</th>",
            "<th>Time</th>",
            "” send ____",
            "<th>Set-up</th>",
            "<th>Time</th>",
        ][index];
        assert!(
            sheets.contains(form) && sheets.contains("Round 1, table 1"),
            "{options:?}"
        );
    }
}

/// The cell of a participant's last round in a cross table, before the two sums.
fn last_round(table: &str, who: u32) -> &str {
    let number = who.to_string();
    let mut rows = table.lines().map(|line| line.split(','));
    let mut row = rows
        .find(|row| row.clone().nth(1) == Some(&number))
        .unwrap();
    row.nth_back(2).unwrap()
}

/// A round links to everyone in it; where colours alternate between boards, each player is shown with their
/// team.
#[test]
fn rounds_lead_to_teams_and_players() {
    let page = |event: &EventFolder, name: &str| {
        let site = event.beside("site");
        event.done(&["event", "publish", "@", &site]);
        fs::read_to_string(Path::new(&site).join(name)).unwrap()
    };
    let text = page(&league(), "round-01.html");
    let board = "<td class=\"number\">2</td><td><a href=\"player-";
    let second = text
        .split(board)
        .nth(1)
        .unwrap()
        .split("</tr>")
        .next()
        .unwrap();
    assert!(
        second.contains("href=\"team-") && second.contains("<span class=\"small\">"),
        "{text}"
    );
    // An open match is in the cross table without points.
    let event = league();
    let this = event.event().rounds[1].matches[0].clone();
    let text = page(&event, "crosstable.csv");
    assert_eq!(
        last_round(&text, this.white.get()),
        format!("{}w", this.black)
    );
    assert_eq!(
        last_round(&text, this.black.get()),
        format!("{}b", this.white)
    );
    // Linked boards have letters, and a team has the same colour on all of them.
    let event = EventFolder::with(&["--game", "strategichess", "--boards", "2"]);
    for (team, players) in [("Ayr", "Ann;Bob"), ("Bath", "Cy;Di")] {
        event.done(&["event", "enter", "@", team, "--players", players]);
    }
    event.done(&["pair", "next", "@"]);
    event.done(&["result", "@", "1", "1: 1-0 2-1"]);
    let text = page(&event, "round-01.html");
    assert!(
        text.contains("<td class=\"number\">B</td><td><a href=\"player-2.html\">Bob</a></td>"),
        "{text}"
    );
    assert!(
        text.contains("White <span class=\"small\"><a href=\"team-1.html\">Ayr</a></span>"),
        "{text}"
    );
    assert!(page(&event, "player-2.csv").contains("1,B,White,Di,"));
    // Single players are in the row itself, and a round without a game is on their page.
    let event = EventFolder::with(&["--of", "players"]);
    for name in ["Ann", "Bob", "Cy"] {
        event.done(&["event", "enter", "@", name]);
    }
    event.done(&["pair", "next", "@", "--all"]);
    event.done(&["result", "@", "1", "1: 1-0f"]);
    // The first page leads to the rounds, and to every other page that the head of all pages has.
    let index = page(&event, "index.html");
    for target in ["round-03", "standings", "crosstable", "start"] {
        assert!(
            index.contains(&format!("<li><a href=\"{target}.html\">")),
            "{index}"
        );
    }
    let free = event.event().rounds[0].byes[0].who;
    let this = event.event().rounds[0].matches[0].clone();
    let text = page(&event, "round-01.html");
    assert!(
        text.contains(&format!("<a href=\"player-{}.html\">", this.white)),
        "{text}"
    );
    let text = page(&event, &format!("player-{free}.html"));
    assert!(
        text.contains("<td class=\"name\">bye</td><td class=\"number\"></td>"),
        "{text}"
    );
    let text = page(&event, &format!("player-{}.html", this.white));
    assert!(text.contains("<td class=\"number\">1f</td>"), "{text}");
}

/// A record gets a page beside the others, whatever its verdict; rounds and players link to it, and it links back.
#[test]
fn games_have_pages_that_rounds_and_players_lead_to() {
    let event = league();
    let (site, file) = (event.beside("site"), event.beside("round1.pgn"));
    let own = event.event();
    let this = own.rounds[0].matches[0].clone();
    let name = |id: Option<u32>| {
        own.player(id.unwrap())
            .unwrap()
            .name
            .as_it_came()
            .to_owned()
    };
    let record = |board: usize, moves: &str| {
        let seat = &this.boards[board];
        format!(
            "[Event \"League\"]\n[Round \"1.{}.{}\"]\n[White \"{}\"]\n[Black \"{}\"]\n\n{moves}\n\n",
            this.table,
            seat.board,
            name(seat.white),
            name(seat.black)
        )
    };
    fs::write(
        &file,
        record(0, "1. e4 e5 2. Ke3 1-0") + &record(1, "1. d4 (1. c4) d5 *"),
    )
    .unwrap();
    let publish = ["event", "publish", "@", &site, "--games", &file];
    event.done(&publish);
    let folder = Path::new(&site);
    let pages = [1, 2].map(|board| format!("game-01-{}-{board}.html", this.table));
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    for (page, board) in pages.iter().zip(&this.boards) {
        let game = text(page);
        assert!(
            game.contains("href=\"round-01.html\"") && game.contains("default-src 'none'"),
            "{page}"
        );
        assert!(
            text("round-01.html").contains(&format!("href=\"{page}\"")),
            "{page}"
        );
        for player in [board.white, board.black] {
            let own = text(&format!("player-{}.html", player.unwrap()));
            assert!(
                own.contains(&format!("<a href=\"{page}\">Step through</a>")),
                "{page}: {own}"
            );
        }
    }
    assert!(
        text(&pages[0]).contains("illegal-move"),
        "a page has what is found"
    );
    let again = event.done(&publish);
    assert!(
        again.starts_with("0 of ") && again.contains(" files written, 0 removed"),
        "{again}"
    );
    // A record that belongs to no game of the event is named, and the rest is published.
    fs::write(
        &file,
        record(0, "1. e4 *")
            + "[White \"Zoe\"]\n[Black \"Yan\"]\n\n1. e4 *\n\n"
            + &record(0, "1. d4 *"),
    )
    .unwrap();
    let said = event.refused(&publish, 1);
    assert!(
        said.contains("game 2: not used: no round has a table with these names"),
        "{said}"
    );
    assert!(
        said.contains("game 3: not used: there is another record of this game"),
        "{said}"
    );
    assert!(folder.join(&pages[0]).exists() && !folder.join(&pages[1]).exists());
    event.done(&["event", "publish", "@", &site]);
    assert!(!folder.join(&pages[0]).exists() && !text("round-01.html").contains("game-01"));
}
