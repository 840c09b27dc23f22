//! Events: scripts of commands that an organiser gives, for every system and scoring, and folders that were damaged.
//!
//! Results are random and do not depend on the pairings, so that a script is the same for both programs whatever they
//! pair. A result that is impossible at its table is refused by both.

use crate::{
    case::{Case, Edit, Step},
    chance::Chance,
    inputs::Inputs,
};
use std::io;

/// All calls about events.
pub fn cases(inputs: &Inputs) -> io::Result<Vec<Case>> {
    let mut list = Vec::new();
    for event in EVENTS {
        for seed in 0..event.times {
            list.push(event.script(seed));
        }
    }
    list.push(the_cup(inputs)?);
    for number in 0..90 {
        list.push(damaged_cup(inputs, number)?);
    }
    for number in 0..60 {
        list.push(damaged_report(number));
    }
    for number in 0..24 {
        list.push(generated(number));
    }
    list.push(tables_of_their_own());
    trials(&mut list);
    Ok(list)
}

/// A kind of event.
struct Event {
    name: &'static str,
    options: &'static [&'static str],
    /// The smallest number of participants; the seed adds up to two.
    entries: u32,
    /// The boards of a match; 0 if single players take part.
    boards: u32,
    rounds: u32,
    scoring: Scoring,
    /// Lines added to the settings.
    settings: &'static str,
    /// The number of scripts, each with a seed of its own.
    times: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scoring {
    /// A result for each board.
    Boards,
    /// A result for the match, with kings or sub-games.
    Score,
    /// A result for the game.
    Game,
}

const EVENTS: &[Event] = &[
    Event {
        name: "round-robin of players",
        options: &["--of", "players", "--tie-breaks", "DE,SB,KS,WIN"],
        entries: 5,
        boards: 0,
        rounds: 6,
        scoring: Scoring::Game,
        settings: "",
        times: 4,
    },
    Event {
        name: "round-robin of teams",
        options: &["--boards", "3", "--cycles", "2", "--pattern", "WBWB"],
        entries: 4,
        boards: 3,
        rounds: 7,
        scoring: Scoring::Boards,
        settings: "",
        times: 3,
    },
    Event {
        name: "round-robin of kings",
        options: &[
            "--game",
            "strategichess",
            "--boards",
            "3",
            "--tie-breaks",
            "OTHER_KINGS,OTHER_KINGDIFF,OTHER_KINGSCUT1",
        ],
        entries: 5,
        boards: 3,
        rounds: 6,
        scoring: Scoring::Score,
        settings: "",
        times: 3,
    },
    Event {
        name: "round-robin, missed rounds unplayed",
        options: &["--of", "players"],
        entries: 5,
        boards: 0,
        rounds: 5,
        scoring: Scoring::Game,
        settings: "missed = \"unplayed\"\n",
        times: 2,
    },
    Event {
        name: "scheveningen of players",
        options: &["--of", "players", "--system", "scheveningen"],
        entries: 6,
        boards: 0,
        rounds: 4,
        scoring: Scoring::Game,
        settings: "",
        times: 3,
    },
    Event {
        name: "knockout of players",
        options: &["--of", "players", "--system", "knockout"],
        entries: 6,
        boards: 0,
        rounds: 4,
        scoring: Scoring::Game,
        settings: "",
        times: 3,
    },
    Event {
        name: "knockout of teams",
        options: &["--system", "knockout", "--boards", "2"],
        entries: 5,
        boards: 2,
        rounds: 3,
        scoring: Scoring::Boards,
        settings: "",
        times: 2,
    },
    Event {
        name: "molter",
        options: &["--system", "molter", "--rounds", "3", "--boards", "2"],
        entries: 4,
        boards: 2,
        rounds: 3,
        scoring: Scoring::Game,
        settings: "",
        times: 2,
    },
    Event {
        name: "hutton",
        options: &["--system", "hutton", "--boards", "3"],
        entries: 4,
        boards: 3,
        rounds: 1,
        scoring: Scoring::Game,
        settings: "",
        times: 2,
    },
    Event {
        name: "swiss of boards",
        options: &["--system", "swiss-team", "--rounds", "5", "--boards", "4"],
        entries: 9,
        boards: 4,
        rounds: 5,
        scoring: Scoring::Boards,
        settings: "",
        times: 3,
    },
    Event {
        name: "swiss of kings",
        options: &[
            "--system",
            "swiss-team",
            "--rounds",
            "5",
            "--boards",
            "2",
            "--game",
            "strategichess",
        ],
        entries: 11,
        boards: 2,
        rounds: 5,
        scoring: Scoring::Score,
        settings: "\n[swiss]\npreference = \"b\"\ninitial = \"black\"\nsecondary = false\n",
        times: 3,
    },
    Event {
        name: "swiss with acceleration",
        options: &["--system", "swiss-team", "--rounds", "6", "--boards", "1"],
        entries: 13,
        boards: 1,
        rounds: 6,
        scoring: Scoring::Boards,
        settings: "\n[swiss]\npreference = \"none\"\nacceleration = [{ points = 1, rounds = [1, 2], teams = [1, 6] }]\n",
        times: 2,
    },
    Event {
        name: "overchess by type",
        options: &[
            "--game",
            "overchess",
            "--lieutenants",
            "by-type",
            "--scoring",
            "subgames",
            "--tie-breaks",
            "OTHER_SUBWINS",
        ],
        entries: 3,
        boards: 5,
        rounds: 3,
        scoring: Scoring::Score,
        settings: "",
        times: 1,
    },
    Event {
        name: "overchess in rotation",
        options: &[
            "--game",
            "overchess",
            "--lieutenants",
            "rotation",
            "--system",
            "knockout",
        ],
        entries: 4,
        boards: 4,
        rounds: 2,
        scoring: Scoring::Game,
        settings: "",
        times: 1,
    },
    Event {
        name: "by hand",
        options: &["--system", "by-hand", "--rounds", "3", "--of", "players"],
        entries: 4,
        boards: 0,
        rounds: 2,
        scoring: Scoring::Game,
        settings: "",
        times: 1,
    },
    Event {
        name: "olympic",
        options: &["--game", "olympic", "--of", "players", "--cycles", "2"],
        entries: 3,
        boards: 0,
        rounds: 6,
        scoring: Scoring::Game,
        settings: "edition = \"2024-08\"\n",
        times: 1,
    },
];

const NAMES: [&str; 16] = [
    "Leeds", "York", "Hull", "Ripon", "Selby", "Whitby", "Filey", "Thirsk", "Alne", "Bedale",
    "Cawood", "Dent", "Easby", "Ilkley", "Kirkby", "Malton",
];

/// The codes of all tie-breaks, and some modifiers.
const TIE_BREAKS: [&str; 10] = [
    "MPTS,GPTS,DE,WIN,WON",
    "BPG,BWG,PS,REP,STD,TPN",
    "BH,AOB,FB,SB,KS",
    "ARO,TPR,PTP,APRO,APPO,RTNG",
    "BC,TBR,BBE",
    "MPvGP,EMMSB,EMGSB,EGMSB,EGGSB",
    "EDE,EDEBT,EDEBB,EDET,EDEB,SSSC",
    "BH/C1,BH/M1,BH:GP/C2,SB:GP/M2,PS/C1,SSSC/K3",
    "KS/L-1,KS/L+1,EDEBT/P,TPN/R,AOB/F,OTHER_KINGS",
    "nonsense,BH",
];

/// Moves and results that complete records which consist of tags alone.
const PLAYED: &[(&str, &str)] = &[
    ("1. f3 e5 2. g4 Qh4#", "0-1"),
    ("1. e4 {[%resign B]}", "1-0"),
    ("1. e4 e5 {[%draw agreed]}", "1/2-1/2"),
    ("1. e5", "*"),
    ("1A. e7 1B. e7 1a. e8 {[%resign B]}", "1-0"),
    (
        "1. e4 d5 2. exd5 <d5: 1-0> Qxd5 <d5: 1-0> 3. a3 {[%resign W]}",
        "0-1",
    ),
];

/// A script in the making.
struct Script {
    steps: Vec<Step>,
}

impl Script {
    fn call(&mut self, args: &[&str]) {
        self.steps.push(Step::Call {
            args: args.iter().map(ToString::to_string).collect(),
            stdin: None,
            save: None,
        });
    }

    fn save(&mut self, args: &[&str], file: &str) {
        let args = args.iter().map(ToString::to_string).collect();
        self.steps.push(Step::Call {
            args,
            stdin: None,
            save: Some(file.into()),
        });
    }

    /// Prints everything about the final state of an event.
    fn print(&mut self, event: &str) {
        for form in ["text", "csv", "markdown", "html"] {
            self.call(&["standings", event, "--to", form, "--crosstable"]);
            self.call(&["pair", "show", event, "--to", form]);
        }
        self.call(&["standings", event, "--json"]);
        self.call(&["standings", event, "--json", "--after", "2"]);
        self.call(&["standings", event, "--json", "--players"]);
        self.call(&["standings", event, "--json", "--why", "1", "2"]);
        self.call(&["standings", event, "--to", "csv", "--safe"]);
        for list in TIE_BREAKS {
            self.call(&["standings", event, "--json", "--tie-breaks", list]);
        }
        self.call(&["event", "check", event, "--json"]);
        self.call(&["pair", "check", event, "--json"]);
        self.call(&["event", "log", event, "--json"]);
        self.call(&["event", "log", event]);
    }

    /// Exports the event as reports, and reads these into new events.
    fn report(&mut self, event: &str) {
        for edition in ["16", "26"] {
            let (file, again) = (
                format!("{event}-{edition}.trf"),
                format!("{event}-{edition}"),
            );
            self.call(&["event", "export", event, "--trf", edition, "--out", &file]);
            self.steps.push(Step::Edit {
                from: file.clone(),
                to: file.clone(),
                edit: Edit::Plain,
            });
            self.call(&["event", "export", event, "--trf", edition]);
            self.call(&["event", "import", &again, "--trf", &file, "--json"]);
            self.call(&["event", "check", &again, "--json"]);
            self.call(&["standings", &again, "--json"]);
            self.call(&["event", "export", &again]);
        }
    }
}

impl Event {
    fn script(&self, seed: u32) -> Case {
        let name = format!("event: {}, {seed}", self.name);
        let mut chance = Chance::named(&name);
        let mut script = Script { steps: Vec::new() };
        script.call(&[&["event", "new", "cup", "--json"], self.options].concat());
        script.call(&["event", "new", "cup"]);
        if !self.settings.is_empty() {
            script.steps.push(Step::Append {
                file: "cup/event.toml".into(),
                text: self.settings.into(),
            });
        }
        let count = self.entries + seed % 3;
        self.enter_all(&mut script, count, &mut chance);
        script.call(&["event", "check", "cup", "--json"]);
        if seed.is_multiple_of(2) {
            let lots = ["--seed", "7", "--early"];
            script.call(
                &[
                    &["event", "lots", "cup"],
                    &lots[..if seed == 0 { 2 } else { 3 }],
                ]
                .concat(),
            );
        }
        script.call(&["event", "request", "cup", "forbid", "1", "--other", "2"]);
        script.call(&[
            "event", "request", "cup", "half-bye", "3", "--round", "2", "--json",
        ]);
        for round in 1..=self.rounds {
            self.round(&mut script, round, count, seed, &mut chance);
        }
        script.call(&["pair", "next", "cup"]);
        script.print("cup");
        script.report("cup");
        Case {
            name,
            in_folder: true,
            steps: script.steps,
        }
    }

    fn enter_all(&self, script: &mut Script, count: u32, chance: &mut Chance) {
        if self.boards == 0 {
            for (index, name) in NAMES.iter().enumerate().take(count as usize) {
                let rating = (1500 + chance.below(900)).to_string();
                let group = if self.name.starts_with("scheveningen") {
                    ["A", "B"][index % 2]
                } else {
                    "1"
                };
                let mut words = vec!["event", "enter", "cup", name, "--rating", &rating];
                if self.name.starts_with("scheveningen") {
                    words.extend(["--group", group]);
                }
                script.call(&words);
            }
            return;
        }
        for (index, name) in NAMES.iter().enumerate().take(count as usize) {
            let role = |board: u32| match (self.name.starts_with("overchess"), board) {
                (true, 0) => "commander=",
                (true, _) => "lieutenant=",
                (false, board) if board >= self.boards => "reserve=",
                _ => "",
            };
            let players: Vec<String> = (0..self.boards + (index as u32 % 2))
                .map(|board| format!("{}{name} {board}", role(board)))
                .collect();
            let (players, captain) = (players.join(";"), format!("Captain of {name}"));
            let rating = (1500 + chance.below(900)).to_string();
            let group = ["Ridings", "Dales", "Coast"][chance.below(3)];
            script.call(&[
                "event",
                "enter",
                "cup",
                name,
                "--players",
                &players,
                "--captain",
                &captain,
                "--group",
                group,
                "--rating",
                &rating,
            ]);
        }
    }

    fn round(&self, script: &mut Script, round: u32, count: u32, seed: u32, chance: &mut Chance) {
        let number = round.to_string();
        if round == 1 && chance.once_in(2) {
            script.call(&["pair", "next", "cup", "--dry-run", "--json"]);
        }
        if self.name == "by hand" {
            let text = "table,board,white,black,result,white_score,black_score,source\n1,,1,2,,,,\n2,,3,4,,,,\n";
            script.steps.push(Step::Write {
                file: format!("cup/rounds/{round:02}.csv"),
                text: text.into(),
            });
        }
        let all = ["pair", "next", "cup", "--all"];
        script.call(&all[..if round == 1 && seed == 1 { 4 } else { 3 }]);
        script.call(&["pair", "show", "cup", "--json", "--round", &number]);
        script.call(&["pair", "explain", "cup", "--json", "--round", &number]);
        script.call(&["pair", "check", "cup", "--json"]);
        script.call(&["event", "cards", "cup", "--round", &number]);
        script.save(
            &["event", "cards", "cup", "--npgn", "--round", &number],
            "heads.npgn",
        );
        // Some of the results come from records, most are entered by hand.
        script.steps.push(Step::Edit {
            from: "heads.npgn".into(),
            to: "played.npgn".into(),
            edit: Edit::Play(PLAYED),
        });
        script.call(&["check", "--json", "played.npgn"]);
        script.call(&["result", "cup", &number, "--from", "played.npgn"]);
        for table in 1..=count / 2 + 1 {
            self.result(script, &number, table, chance);
        }
        if round == 2 {
            script.call(&["result", "cup", "1", "1", "1/2-1/2", "--correct", "--json"]);
            script.call(&["event", "undo", "cup", "--dry-run"]);
            script.call(&["event", "undo", "cup", "--json"]);
            script.call(&["event", "enter", "cup", "Goole", "--round", "3"]);
            script.call(&[
                "event",
                "request",
                "cup",
                "penalty",
                "1",
                "--round",
                "2",
                "--match-points=-1",
            ]);
        }
        if round == 3 {
            script.call(&["event", "request", "cup", "withdraw", "4", "--json"]);
            script.call(&["event", "request", "cup", "withdraw", "2", "--round", "4"]);
            script.call(&["event", "request", "cup", "zero-bye", "1", "--round", "4"]);
        }
        script.call(&["standings", "cup", "--json"]);
    }

    fn result(&self, script: &mut Script, round: &str, table: u32, chance: &mut Chance) {
        let table = table.to_string();
        const RESULTS: [(&str, &str); 7] = [
            ("1-0", "2-0"),
            ("1-0", "2-1"),
            ("0-1", "0-1"),
            ("0-1", "1-2"),
            ("1/2-1/2", "1-1"),
            ("1/2-1/2", "0-0"),
            ("1-0f", ""),
        ];
        let draw = |chance: &mut Chance| {
            let most = if chance.once_in(9) { 7 } else { 6 };
            RESULTS[chance.below(most)]
        };
        let (result, score) = draw(chance);
        let mut words = vec!["result", "cup", round, &table];
        match self.scoring {
            Scoring::Boards if chance.once_in(3) => {
                let rows: String = (1..=self.boards)
                    .map(|board| format!("{table},{board},{}\n", draw(chance).0))
                    .collect();
                script.steps.push(Step::Write {
                    file: "results.csv".into(),
                    text: format!("table,board,result\n{rows}"),
                });
                script.call(&["result", "cup", round, "--csv", "results.csv"]);
            }
            Scoring::Boards => {
                for board in 1..=self.boards {
                    script.call(&[
                        "result",
                        "cup",
                        round,
                        &table,
                        draw(chance).0,
                        "--board",
                        &board.to_string(),
                    ]);
                }
            }
            Scoring::Score if !score.is_empty() => {
                words.extend([result, "--score", score]);
                script.call(&words);
            }
            _ => {
                words.push(result);
                script.call(&words);
            }
        }
        if self.name.starts_with("knockout") {
            script.call(&["result", "cup", round, &table, "0-1", "--play-off"]);
        }
    }
}

/// The event in the corpus of the old version, after two rounds.
fn cup_files(inputs: &Inputs) -> io::Result<(Vec<String>, Vec<Step>)> {
    let files = inputs.files("corpus/events/cup", &[""])?;
    let short = |file: &str| file.trim_start_matches("corpus/events/").to_owned();
    let steps = files
        .iter()
        .map(|file| Step::Take {
            from: file.clone(),
            to: short(file),
        })
        .collect();
    Ok((files.iter().map(|file| short(file)).collect(), steps))
}

fn the_cup(inputs: &Inputs) -> io::Result<Case> {
    let mut script = Script {
        steps: cup_files(inputs)?.1,
    };
    script.print("cup");
    script.report("cup");
    script.call(&["pair", "next", "cup"]);
    Ok(Case {
        name: "event: the cup".into(),
        in_folder: true,
        steps: script.steps,
    })
}

/// That event, with some bytes of one file changed.
fn damaged_cup(inputs: &Inputs, number: u32) -> io::Result<Case> {
    let name = format!("event: damaged, {number}");
    let (files, steps) = cup_files(inputs)?;
    let mut script = Script { steps };
    if let Some(file) = Chance::named(&name).pick(&files) {
        let edit = Edit::Damage(name.clone());
        script.steps.push(Step::Edit {
            from: file.clone(),
            to: file.clone(),
            edit,
        });
    }
    script.call(&["event", "check", "cup", "--json"]);
    script.call(&["standings", "cup", "--json"]);
    script.call(&["pair", "next", "cup", "--json"]);
    Ok(Case {
        name,
        in_folder: true,
        steps: script.steps,
    })
}

/// A report with some of its bytes changed.
fn damaged_report(number: u32) -> Case {
    let name = format!("event: damaged report, {number}");
    let mut script = Script { steps: Vec::new() };
    let seed = (number % 4).to_string();
    script.call(&[
        "pair", "generate", "cup", "--teams", "6", "--rounds", "3", "--boards", "2", "--seed",
        &seed, "--byes", "90",
    ]);
    script.save(
        &[
            "event",
            "export",
            "cup",
            "--trf",
            if number.is_multiple_of(3) { "16" } else { "26" },
        ],
        "a.trf",
    );
    script.steps.push(Step::Edit {
        from: "a.trf".into(),
        to: "a.trf".into(),
        edit: Edit::Plain,
    });
    script.steps.push(Step::Edit {
        from: "a.trf".into(),
        to: "b.trf".into(),
        edit: Edit::Damage(name.clone()),
    });
    script.call(&["event", "import", "again", "--trf", "b.trf"]);
    script.call(&["event", "check", "again", "--json"]);
    script.call(&["standings", "again", "--json"]);
    Case {
        name,
        in_folder: true,
        steps: script.steps,
    }
}

/// A whole random event in the Swiss system.
fn generated(number: u32) -> Case {
    let name = format!("event: generated, {number}");
    let mut chance = Chance::named(&name);
    let mut script = Script { steps: Vec::new() };
    let teams = 6 + chance.below(40);
    let rounds = 3 + chance.below(6);
    let [teams, rounds, boards, seed] =
        [teams, rounds, 1 + chance.below(5), chance.below(1000)].map(|n| n.to_string());
    let rates = ["--forfeits", "30", "--byes", "40"];
    let size = [
        "pair", "generate", "cup", "--teams", &teams, "--rounds", &rounds, "--boards", &boards,
        "--seed", &seed,
    ];
    script.call(&[&size[..], &rates[..chance.below(3) * 2]].concat());
    script.call(&["pair", "check", "cup", "--json"]);
    for round in 1..=3 {
        let round = round.to_string();
        script.call(&["pair", "explain", "cup", "--json", "--round", &round]);
        script.call(&[
            "pair", "explain", "cup", "--json", "--round", &round, "1", "5",
        ]);
    }
    script.call(&[
        "standings",
        "cup",
        "--json",
        "--tie-breaks",
        TIE_BREAKS[chance.below(9)],
    ]);
    script.report("cup");
    Case {
        name,
        in_folder: true,
        steps: script.steps,
    }
}

fn tables_of_their_own() -> Case {
    let mut script = Script { steps: Vec::new() };
    for (event, options, table) in [
        (
            "a",
            &["--of", "players", "--system", "scheveningen"][..],
            "round;games\n1;A1-B1 A2-B2\n2;B2-A1 B1-A2\n",
        ),
        (
            "b",
            &["--of", "players"],
            "round,games\n1,1-2  (3)\n2,3-1 (2)\n3,2-3\n3,(1)\n",
        ),
        (
            "c",
            &["--of", "players", "--system", "scheveningen"],
            "round,games\n1,A1:B1\n",
        ),
        (
            "d",
            &["--system", "molter", "--boards", "1", "--rounds", "2"],
            "round,games\n1,1.1-2.1  3.1-4.1\n2,1.1-3.1  2.1-4.1\n",
        ),
    ] {
        script.call(&[&["event", "new", event], options].concat());
        for (index, name) in NAMES
            .iter()
            .enumerate()
            .take(if event == "b" { 3 } else { 4 })
        {
            let player = format!("{name}'s player");
            let mut words = vec!["event", "enter", event, name];
            if event == "d" {
                words.extend(["--players", &player]);
            } else if event != "b" {
                words.extend(["--group", ["A", "B"][index % 2]]);
            }
            script.call(&words);
        }
        script.steps.push(Step::Write {
            file: "table.csv".into(),
            text: table.into(),
        });
        script.call(&["event", "import", event, "--table", "table.csv", "--json"]);
        script.call(&["pair", "next", event, "--all", "--json"]);
        script.call(&["event", "check", event, "--json"]);
        script.call(&["pair", "check", event, "--json"]);
        script.call(&["pair", "show", event, "--round", "2"]);
        script.call(&["event", "undo", event]);
    }
    let rows: String = (1..=12)
        .map(|id| format!("{id},Player {id},{}\n", ["ENG", "FRA", ""][id % 3]))
        .collect();
    script.steps.push(Step::Write {
        file: "players.csv".into(),
        text: format!("id,name,federation\n{rows}"),
    });
    script.call(&["event", "new", "e", "--of", "players"]);
    script.call(&["event", "import", "e", "--players", "players.csv"]);
    script.call(&["event", "lots", "e", "--seed", "3", "--varma", "--json"]);
    script.call(&["pair", "next", "e", "--all"]);
    script.call(&["pair", "show", "e", "--round", "11", "--json"]);
    Case {
        name: "event: tables of their own, lots by Varma".into(),
        in_folder: true,
        steps: script.steps,
    }
}

/// Many random events in the Swiss system, printed as one line of JSON each.
fn trials(list: &mut Vec<Case>) {
    let rates: [&[&str]; 4] = [
        &[],
        &[
            "--forfeits",
            "30",
            "--byes",
            "40",
            "--late",
            "50",
            "--withdrawals",
            "10",
            "--forbidden",
            "2",
        ],
        &["--game-points", "--draws", "600"],
        &["--accelerate", "--byes", "20"],
    ];
    for (index, rates) in rates.into_iter().enumerate() {
        for (teams, rounds, events) in [
            ("5", "3", "60"),
            ("12", "5", "60"),
            ("21", "7", "30"),
            ("60", "9", "8"),
        ] {
            for preference in ["a", "b", "none"] {
                let seed = (index * 7 + 1).to_string();
                let size = [
                    "pair",
                    "trials",
                    "-j",
                    "1",
                    "--seed",
                    &seed,
                    "--teams",
                    teams,
                    "--rounds",
                    rounds,
                    "--events",
                    events,
                    "--preference",
                    preference,
                ];
                list.push(Case::call([&size[..], rates].concat()));
            }
        }
    }
}
