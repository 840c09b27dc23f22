//! Built-in players, by names such as `random`, `greedy`, `search:depth=4` or `mcts:sims=400`.

use crate::{
    chance::Chance,
    ending::{End, half_points, worth},
    external::pace::Clock,
    live_game::LiveGame,
    move_limits::MoveLimits,
    search::Search,
    tree::Tree,
};
use overboard_formats::foreign::Foreign;
use overboard_games::{
    bughouse::Bughouse,
    one_board::{OneBoard, play::BoardValues},
    strategichess::linked::Linked,
};
use overboard_referee::game::play::Play;
use overboard_rules::{by_side::BySide, outcome::Outcome, square::Side};
use std::{fmt, str::FromStr, sync::Arc, time::Duration};

/// Plays one side of one game.
///
/// A batch calls `choose` (through `act`) on the player's turn and `see` for every ply of either side. All random
/// numbers come from the stream passed in, so that the same seed gives the same game.
///
/// ```
/// use overboard_engines::{chance::{Chance, Purpose}, live_game::LiveGame, players::Player};
/// use overboard_games::{chess::Chess, one_board::OneBoard};
/// use overboard_referee::game::{notation::Notation, play::Play};
///
/// /// Plays the first ply of the list, in any game.
/// struct First;
///
/// impl<G: Play> Player<G> for First {
///     fn choose(&mut self, table: &LiveGame<G>, _: &mut Chance) -> Option<G::Ply> {
///         let mut plies = Vec::new();
///         table.game().list(None, &mut plies);
///         plies.first().copied()
///     }
/// }
///
/// let table = LiveGame::from(OneBoard(Chess::default()));
/// let mut chance = Chance::of(1, Purpose::Player { game: 0, seat: 0 });
/// let ply = First.choose(&table, &mut chance).unwrap();
/// assert!(table.game().by_coordinates(&table.game().coordinates(ply)).is_some());
/// ```
pub trait Player<G: Play>: Send {
    /// Chooses a legal ply in a game that is not over; `None` if there is none.
    fn choose(&mut self, table: &LiveGame<G>, chance: &mut Chance) -> Option<G::Ply>;
    /// The player's evaluation of the last ply that it chose.
    fn thought(&self) -> Thought {
        Thought::default()
    }
    /// Limits the next choice: when they end, the best ply known by then is chosen. Instant players may ignore
    /// it.
    fn bind(&mut self, _limits: &Arc<MoveLimits>) {}
    /// Called instead of `choose`: for players that can do something other than play a ply, such as resign. `clocks`
    /// are those of the players that have one.
    fn act(
        &mut self,
        table: &LiveGame<G>,
        chance: &mut Chance,
        _clocks: BySide<Option<Clock>>,
    ) -> Act<G::Ply> {
        self.choose(table, chance).map_or(Act::Nothing, Act::Play)
    }
    /// Called for every ply of either side, with the game before it and the ply in coordinates.
    #[inline]
    fn see(&mut self, _before: &LiveGame<G>, _ply: G::Ply, _coordinates: &str) {}
    /// The player's clock, if it has one.
    fn clock(&self) -> Option<Clock> {
        None
    }
    /// Called with the end of the game.
    fn over(&mut self, _end: End) {}
}

/// What a player does on its turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act<P> {
    /// It plays a legal ply.
    Play(P),
    /// There is no legal ply.
    Nothing,
    /// It ends the game.
    End {
        /// How the game ended.
        end: End,
        /// The player's fault, for people, if that is the reason.
        fault: Option<Foreign>,
    },
    /// The game was given up.
    GivenUp,
}

/// A player's evaluation of a ply; fields that it does not compute are `None`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Thought {
    /// The score of the position, in centipawns from its own side.
    pub score: Option<i32>,
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
    /// The number of nodes.
    pub nodes: Option<u64>,
    /// The time taken, in seconds.
    pub time: Option<f64>,
}

/// A game whose built-in players are created by name.
///
/// ```
/// use overboard_engines::{chance::{Chance, Purpose}, live_game::LiveGame, players::{Player, Seats, Spec}};
/// use overboard_games::{olympic::Olympic, one_board::OneBoard};
///
/// let spec: Spec = "greedy".parse().unwrap();
/// let mut greedy = OneBoard::<Olympic>::seat(spec).unwrap();
/// let mut chance = Chance::of(1, Purpose::Player { game: 0, seat: 0 });
/// let mut table = LiveGame::from(OneBoard(Olympic::default()));
/// // It plays both sides.
/// while table.end().is_none() {
///     let ply = greedy.choose(&table, &mut chance).unwrap();
///     table.play(ply);
/// }
/// ```
pub trait Seats: Play {
    /// A player for one side of one game.
    ///
    /// # Errors
    /// Why such a player does not play this game.
    fn seat(spec: Spec) -> Result<Box<dyn Player<Self>>, &'static str>;
}

/// An evaluation function, as a search uses it. By default it is that of the game.
///
/// ```
/// use overboard_engines::players::Evaluator;
/// use overboard_games::{chess::Chess, one_board::{OneBoard, notation::BoardNotation}};
/// use overboard_referee::game::play::Play;
/// use overboard_rules::square::Side;
///
/// /// Counts material, and ignores where the pieces are.
/// #[derive(Clone)]
/// struct Material;
///
/// impl<G: Play> Evaluator<G> for Material {
///     fn look(&self, game: &G, side: Side) -> i32 {
///         game.material(side)
///     }
/// }
///
/// let ahead = Chess::read("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1").unwrap().position;
/// let score = Material.look(&OneBoard(ahead.clone()), Side::White);
/// assert!(score > 0);
/// assert_eq!(Material.look(&OneBoard(ahead), Side::Black), -score);
/// ```
pub trait Evaluator<G: Play>: Clone + Send {
    /// The score of a position for a side, in centipawns.
    #[inline]
    fn look(&self, game: &G, side: Side) -> i32 {
        game.evaluate(side)
    }
    /// The material balance for a side, in centipawns.
    #[inline]
    fn material(&self, game: &G, side: Side) -> i32 {
        game.material(side)
    }
    /// The value of an end for White in addition to its result, in centipawns.
    #[inline]
    fn prize(&self, _last: &G, _outcome: Outcome) -> i32 {
        0
    }
    /// The value of an end for a side, from 0, a defeat, to 1, a win.
    fn share(&self, _last: &G, outcome: Outcome, side: Side) -> f64 {
        half_points(outcome, side) as f64 / 2.0
    }
}

/// The evaluation of a game in which only the result counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl<G: Play> Evaluator<G> for Plain {}

/// How far a search goes for each move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Limit {
    /// A depth, in plies.
    Depth(u32),
    /// A number of nodes.
    Nodes(u64),
    /// A time.
    Time(Duration),
}

/// A player by name.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Spec {
    /// A random legal ply, all equally likely.
    Random,
    /// A mate if there is one, else the ply that leaves the most material.
    Greedy,
    /// Alpha-beta.
    Search(Limit),
    /// Monte Carlo tree search.
    Tree {
        /// The number of simulations for each move.
        simulations: u32,
        /// The number of random plies in a simulation after leaving the tree, before the position is evaluated.
        plies: u32,
        /// Whether the tree covers the whole game; otherwise, in nested games, a policy picks the board.
        whole: bool,
    },
}

/// The default number of random plies of a simulation.
const PLIES: u32 = 12;
/// The greatest depth of a search, in plies.
pub const DEEPEST: u32 = 64;

/// Why a text does not name a player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("player `{}`: {}", .text.shown(), .why.shown())]
pub struct PlayerError {
    /// The text.
    pub text: Foreign,
    /// The reason.
    pub why: Foreign,
}

const KINDS: &str = "unknown; expected random, greedy, search:depth=N, search:nodes=N, search:time=SECONDS or \
                     mcts:sims=N, also mcts:sims=N,plies=N or mcts:sims=N,whole";

impl FromStr for Spec {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Self, PlayerError> {
        let (kind, options) = text.split_once(':').unwrap_or((text, ""));
        let options: Vec<_> = options
            .split(',')
            .filter(|option| !option.is_empty())
            .collect();
        let spec = match kind {
            "random" => none(&options, Self::Random),
            "greedy" => none(&options, Self::Greedy),
            "search" => search(&options),
            "mcts" => tree(&options),
            _ => Err(KINDS.into()),
        };
        spec.map_err(|why| PlayerError {
            text: text.into(),
            why: why.into(),
        })
    }
}

fn none(options: &[&str], spec: Spec) -> Result<Spec, String> {
    if options.is_empty() {
        Ok(spec)
    } else {
        Err("it takes no options".into())
    }
}

fn search(options: &[&str]) -> Result<Spec, String> {
    let &[option] = options else {
        return Err(
            "a search needs one limit, such as search:depth=3, search:nodes=10000 or search:time=0.5".into(),
        );
    };
    let limit = match option.split_once('=').unwrap_or((option, "")) {
        ("depth", value) => Limit::Depth(number("depth", value, u64::from(DEEPEST))? as u32),
        ("nodes", value) => Limit::Nodes(number("nodes", value, u64::MAX)?),
        ("time", value) => Limit::Time(seconds(value)?),
        (name, _) => {
            return Err(format!(
                "unknown limit `{name}` of a search; expected depth, nodes or time"
            ));
        }
    };
    Ok(Spec::Search(limit))
}

fn tree(options: &[&str]) -> Result<Spec, String> {
    let (mut simulations, mut plies, mut whole) = (None, PLIES, false);
    for option in options {
        match option.split_once('=').unwrap_or((option, "")) {
            ("sims", value) => simulations = Some(number("sims", value, 10_000_000)? as u32),
            ("plies", value) => plies = number("plies", value, 10_000)? as u32,
            ("whole", "") => whole = true,
            (name, _) => {
                return Err(format!(
                    "unknown option `{name}` of a tree search; expected sims, plies or whole"
                ));
            }
        }
    }
    let simulations =
        simulations.ok_or("a tree search needs a number of simulations, such as mcts:sims=400")?;
    Ok(Spec::Tree {
        simulations,
        plies,
        whole,
    })
}

fn number(name: &str, value: &str, most: u64) -> Result<u64, String> {
    value
        .parse()
        .ok()
        .filter(|number| (1..=most).contains(number))
        .ok_or_else(|| format!("{name} must be a whole number from 1 to {most}, found `{value}`"))
}

fn seconds(value: &str) -> Result<Duration, String> {
    value
        .parse()
        .ok()
        .filter(|seconds| *seconds > 0.0 && *seconds <= 86_400.0)
        .map(Duration::from_secs_f64)
        .ok_or_else(|| {
            format!("time must be a number of seconds above 0 and up to 86400, found `{value}`")
        })
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Greedy => f.write_str("greedy"),
            Self::Search(Limit::Depth(depth)) => write!(f, "search:depth={depth}"),
            Self::Search(Limit::Nodes(nodes)) => write!(f, "search:nodes={nodes}"),
            Self::Search(Limit::Time(time)) => write!(f, "search:time={}", time.as_secs_f64()),
            Self::Tree {
                simulations,
                plies,
                whole,
            } => {
                write!(f, "mcts:sims={simulations}")?;
                if *plies != PLIES {
                    write!(f, ",plies={plies}")?;
                }
                f.write_str(if *whole { ",whole" } else { "" })
            }
        }
    }
}

impl Spec {
    /// Whether the player depends on a clock, so that its games cannot be reproduced.
    #[must_use]
    pub const fn is_timed(self) -> bool {
        matches!(self, Self::Search(Limit::Time(_)))
    }
}

impl<P: BoardValues> Seats for OneBoard<P> {
    fn seat(spec: Spec) -> Result<Box<dyn Player<Self>>, &'static str> {
        Ok(sit_down(spec, Plain))
    }
}

/// A player of a game on one board with this evaluator.
#[must_use]
pub fn sit_down<P: BoardValues>(
    spec: Spec,
    evaluator: impl Evaluator<OneBoard<P>> + 'static,
) -> Box<dyn Player<OneBoard<P>>> {
    match spec {
        Spec::Random => Box::new(Random),
        Spec::Greedy => Box::new(Greedy(evaluator)),
        Spec::Search(limit) => Box::new(Search::with(evaluator, limit)),
        Spec::Tree {
            simulations, plies, ..
        } => Box::new(Tree::with(evaluator, simulations, plies)),
    }
}

impl Seats for Linked {
    fn seat(spec: Spec) -> Result<Box<dyn Player<Self>>, &'static str> {
        on_several_boards(spec)
    }
}

impl Seats for Bughouse {
    fn seat(spec: Spec) -> Result<Box<dyn Player<Self>>, &'static str> {
        on_several_boards(spec)
    }
}

/// A player of a game on boards side by side.
fn on_several_boards<G: Play>(spec: Spec) -> Result<Box<dyn Player<G>>, &'static str> {
    Ok(match spec {
        Spec::Random => Box::new(Random),
        Spec::Greedy => Box::new(Greedy(Plain)),
        Spec::Tree {
            simulations, plies, ..
        } => Box::new(Tree::with(Plain, simulations, plies)),
        Spec::Search(_) => {
            return Err(
                "a search plays on one board only; on linked boards use random, greedy or mcts",
            );
        }
    })
}

/// A random legal ply, all equally likely.
pub struct Random;

impl<G: Play> Player<G> for Random {
    #[inline]
    fn choose(&mut self, table: &LiveGame<G>, chance: &mut Chance) -> Option<G::Ply> {
        table.any(chance)
    }
}

/// A mate if there is one, else the ply that leaves the most material; of equal ones, a random one.
pub struct Greedy<E>(pub E);

impl<G: Play, E: Evaluator<G>> Player<G> for Greedy<E> {
    fn choose(&mut self, table: &LiveGame<G>, chance: &mut Chance) -> Option<G::Ply> {
        let mut best = i32::MIN;
        let mut list = Vec::new();
        for ply in table.plies() {
            let gain = self.gain(table, *ply);
            if gain > best {
                best = gain;
                list.clear();
            }
            if gain == best {
                list.push(*ply);
            }
        }
        chance.pick(&list)
    }
}

impl<E> Greedy<E> {
    /// The value of a ply for its player.
    fn gain<G: Play>(&self, table: &LiveGame<G>, ply: G::Ply) -> i32
    where
        E: Evaluator<G>,
    {
        let after = table.after(ply);
        match after.end() {
            Some(end) => 1_000_000 * worth(end.outcome, table.side()),
            None => self.0.material(after.game(), table.side()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Purpose;
    use overboard_games::chess::Chess;
    use overboard_referee::game::notation::Notation as _;

    #[test]
    fn names_are_read_as_they_are_written() {
        for name in [
            "random",
            "greedy",
            "search:depth=4",
            "search:nodes=20000",
            "search:time=0.1",
            "mcts:sims=400",
            "mcts:sims=400,plies=50",
            "mcts:sims=400,whole",
            "mcts:sims=400,plies=50,whole",
        ] {
            assert_eq!(name.parse::<Spec>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn other_names_are_refused_with_what_would_do() {
        for (name, why) in [
            ("best", "expected random"),
            ("random:1", "takes no options"),
            ("search", "needs one limit"),
            ("search:depth=0", "from 1 to 64"),
            ("search:depth=2,nodes=3", "needs one limit"),
            ("search:width=3", "unknown limit `width`"),
            ("search:time=-1", "above 0"),
            ("search:time=nan", "above 0"),
            ("mcts", "such as mcts:sims=400"),
            ("mcts:sims=many", "whole number"),
            ("mcts:sims=9,whole=1", "sims, plies or whole"),
        ] {
            let refused = name.parse::<Spec>().unwrap_err().to_string();
            assert!(refused.contains(why), "{refused}");
        }
    }

    fn choice(spec: &str, fen: &str) -> String {
        let table = LiveGame::from(OneBoard::<Chess>::read_fen(&(), fen).unwrap().position);
        let mut chance = Chance::of(1, Purpose::Player { game: 0, seat: 0 });
        let mut player = OneBoard::<Chess>::seat(spec.parse().unwrap()).unwrap();
        table
            .game()
            .coordinates(player.choose(&table, &mut chance).unwrap())
            .to_string()
    }

    #[test]
    fn the_greedy_mates_and_takes() {
        assert_eq!(
            choice("greedy", "6k1/5ppp/8/8/8/8/q4PPP/1R4K1 w - - 0 1"),
            "b1b8"
        );
        assert_eq!(
            choice("greedy", "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"),
            "e4d5"
        );
    }

    #[test]
    fn those_who_look_ahead_find_a_mate_in_two() {
        let fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
        assert_eq!(choice("search:depth=4", fen), "a1a6");
        assert_eq!(choice("search:nodes=5000", fen), "a1a6");
        assert_eq!(choice("mcts:sims=4000", fen), "a1a6");
    }
}
