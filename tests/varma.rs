//! Lots by Varma tables.

use crate::event_folder::EventFolder;
use std::fs;

/// Twelve players, four of them from one federation: by the table they do not meet in the last three rounds.
#[test]
fn numbers_are_drawn_by_the_varma_tables() {
    let drawn = |count: u32, seed: &str| {
        let event_folder = EventFolder::with(&["--of", "players"]);
        let mut text = String::from("id,name,federation\n");
        for id in 1..=count {
            let federation = ["ENG", "ENG", "FRA", "ENG", "FRA", "ENG"]
                .get(id as usize - 1)
                .copied()
                .unwrap_or("");
            text.push_str(&format!("{id},Player {id},{federation}\n"));
        }
        let file = event_folder.beside("players.csv");
        fs::write(&file, text).unwrap();
        event_folder.done(&["event", "import", "@", "--players", &file]);
        if count > 24 {
            let why = event_folder.refused(&["event", "lots", "@", "--seed", seed, "--varma"], 2);
            assert!(why.contains("9 to 24 participants, not for 25"), "{why}");
            return event_folder;
        }
        assert!(
            event_folder
                .done(&["event", "lots", "@", "--seed", seed, "--varma"])
                .contains("--varma")
        );
        event_folder.done(&["pair", "next", "@", "--all"]);
        event_folder
    };
    for seed in ["1", "2", "3"] {
        let event_folder = drawn(12, seed);
        let event = event_folder.event();
        let federation = |id: u32| event.player(id).unwrap().federation.clone();
        for round in &event.rounds[8..] {
            for this in &round.matches {
                let (white, black) = (federation(this.white.get()), federation(this.black.get()));
                assert!(
                    white.is_empty() || white != black,
                    "{white:?}: {} meets {}",
                    this.white,
                    this.black
                );
            }
        }
    }
    drawn(25, "1");
}
