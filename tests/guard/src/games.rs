//! Recipes for games: every game, level, number of boards and option, each with a seed of its own.
//!
//! The old program plays them. Its ledgers and the records made from them are inputs; whether the new program plays the
//! same games is a case of its own.

/// A batch of games for `selfplay` to play.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The name of its files, without the ending.
    pub name: String,
    /// The options that choose the game, for `selfplay`, `moves`, `perft` and `show`.
    pub game: Vec<String>,
    pub players: &'static [&'static str],
    pub games: u32,
    pub max_plies: u32,
    /// The name of the list of initial positions; `None` for random plies.
    pub openings: Option<String>,
}

const RANDOM: &[&str] = &["random"];
const MIXED: &[&str] = &["greedy", "search:depth=1", "mcts:sims=6", "random"];
/// Games on linked boards have no alpha-beta search.
const MIXED_LINKED: &[&str] = &["greedy", "mcts:sims=3", "random"];

impl Recipe {
    fn new(name: &str, game: &[&str], games: u32, max_plies: u32) -> Self {
        Self {
            name: name.into(),
            game: game.iter().map(ToString::to_string).collect(),
            players: RANDOM,
            games,
            max_plies,
            openings: None,
        }
    }

    /// The same game between players of several kinds.
    fn mixed(&self, games: u32, max_plies: u32) -> Self {
        let players = if self.is_linked() {
            MIXED_LINKED
        } else {
            MIXED
        };
        Self {
            name: format!("{}-mixed", self.name),
            players,
            games,
            max_plies,
            ..self.clone()
        }
    }

    /// A batch that starts from the positions in a list.
    pub fn from_list(list: &str, game: &[String], games: u32) -> Self {
        let game: Vec<&str> = game.iter().map(String::as_str).collect();
        Self {
            openings: Some(list.into()),
            ..Self::new(&format!("from-{list}"), &game, games, 160)
        }
    }

    /// The value of one of the game's options.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.game
            .iter()
            .skip_while(|word| *word != name)
            .nth(1)
            .map(String::as_str)
    }

    /// Whether the game is played on linked boards.
    pub fn is_linked(&self) -> bool {
        self.game.iter().any(|word| word == "--boards")
    }

    /// The command that plays it, without the ledger. The seed is a hash of the name, so that adding or removing a
    /// recipe does not change the others.
    pub fn command(&self) -> Vec<String> {
        let hash = blake3::hash(self.name.as_bytes());
        let seed = u32::from_le_bytes([0, 1, 2, 3].map(|index| hash.as_bytes()[index]));
        let mut line: Vec<String> = vec!["selfplay".into(), "-j".into(), "1".into()];
        line.extend(self.game.iter().cloned());
        let mut option = |name: &str, value: String| line.extend([name.to_owned(), value]);
        option("--seed", seed.to_string());
        option("--games", self.games.to_string());
        option("--max-plies", self.max_plies.to_string());
        for player in self.players {
            option("--player", (*player).to_owned());
        }
        line
    }
}

/// Options of Overchess that can be combined freely.
const REWARDS: [&[&str]; 4] = [
    &[],
    &["prisoners"],
    &["consolidation"],
    &["prisoners", "consolidation"],
];
const DRAWS: [&str; 4] = ["", "subdraw=attacker", "subdraw=defender", "subdraw=both"];
const RESERVES: [&str; 3] = ["", "reserves=team/2P1N/3P", "reserves=set/1P/1N"];
const DEPTHS: [&str; 3] = ["", "depth=2", "depth=3"];

fn overchess() -> Vec<Recipe> {
    let mut list = Vec::new();
    for depth in DEPTHS {
        for reserves in RESERVES {
            for draw in DRAWS {
                for rewards in REWARDS {
                    for fog in ["", "fog"] {
                        let rules: Vec<&str> = [fog, draw, reserves, depth]
                            .into_iter()
                            .chain(rewards.iter().copied())
                            .collect();
                        let rules: Vec<&str> =
                            rules.into_iter().filter(|rule| !rule.is_empty()).collect();
                        let name = format!("over-{}", rules.join("-").replace(['/', '='], ""));
                        let rules = rules.join(":");
                        let game: &[&str] = if rules.is_empty() {
                            &["--variant", "overchess"]
                        } else {
                            &["--variant", "overchess", "--rules", &rules]
                        };
                        list.push(Recipe::new(name.trim_end_matches('-'), game, 2, 700));
                    }
                }
            }
        }
    }
    for (name, rules) in [
        ("long", "fog:prisoners"),
        ("long-set", "consolidation:reserves=set/1P"),
        ("long-draw", "subdraw=both"),
    ] {
        list.push(Recipe::new(
            &format!("over-{name}"),
            &["--variant", "overchess", "--rules", rules],
            2,
            12_000,
        ));
    }
    for depth in ["5", "9", "64"] {
        let rules = format!("depth={depth}:prisoners:consolidation");
        list.push(Recipe::new(
            &format!("over-deep-{depth}"),
            &["--variant", "overchess", "--rules", &rules],
            1,
            250,
        ));
    }
    let plain = Recipe::new(
        "over-players",
        &["--variant", "overchess", "--rules", "prisoners"],
        1,
        300,
    );
    let deep = Recipe::new(
        "over-players-deep",
        &["--variant", "overchess", "--rules", "depth=2:consolidation"],
        1,
        300,
    );
    list.extend([plain.mixed(1, 300), deep.mixed(1, 300)]);
    list
}

/// All recipes except those that start from lists.
pub fn recipes() -> Vec<Recipe> {
    let mut list = Vec::new();
    for (name, games) in [
        ("chess", 80),
        ("olympic", 120),
        ("metachess", 40),
        ("strategichess", 16),
    ] {
        let recipe = Recipe::new(name, &["--variant", name], games, 2000);
        list.extend([recipe.mixed(2, 120), recipe]);
    }
    list.push(Recipe::new("chess-short", &["--variant", "chess"], 40, 40));
    for boards in ["2", "3", "4", "7"] {
        for edition in ["", "edition=2003", "edition=2025"] {
            let mut game = vec!["--variant", "strategichess", "--boards", boards];
            if !edition.is_empty() {
                game.extend(["--rules", edition]);
            }
            let name = format!("linked-{boards}-{}", edition.trim_start_matches("edition="));
            let recipe = Recipe::new(name.trim_end_matches('-'), &game, 3, 260);
            list.extend([recipe.mixed(1, 120), recipe]);
        }
    }
    list.push(Recipe::new(
        "linked-long",
        &["--variant", "strategichess", "--boards", "2"],
        2,
        3000,
    ));
    list.push(Recipe::new("mega", &["--variant", "mega-chess"], 3, 700));
    list.push(Recipe::new(
        "mega-long",
        &["--variant", "mega-chess"],
        1,
        6000,
    ));
    for (level, games, plies) in [
        ("1", 2, 300),
        ("2", 3, 500),
        ("3", 2, 200),
        ("8", 2, 80),
        ("64", 2, 30),
    ] {
        let recipe = Recipe::new(
            &format!("recursive-{level}"),
            &["--variant", "recursive", "--level", level],
            games,
            plies,
        );
        list.extend([recipe.mixed(1, 60), recipe]);
    }
    list.extend(overchess());
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn recipes_have_distinct_names() {
        let recipes = recipes();
        let names: BTreeSet<&str> = recipes.iter().map(|recipe| &recipe.name[..]).collect();
        assert_eq!(names.len(), recipes.len());
        assert!(
            names.contains("over")
                && names.contains(
                    "over-fog-subdrawboth-reservesset1P1N-depth3-prisoners-consolidation"
                )
        );
    }
}
