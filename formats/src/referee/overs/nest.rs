//! What the table asks of a position, whether its sub-games are chess or go deeper.

use super::action::Act;
use crate::referee::acting::Acting;
use crate::{
    any::AnyPosition,
    coordinates::overs::Deed,
    notation::Unusable,
    overchess,
    parse::Verb,
    san::{PlyText, Suffix},
};
use overboard_rules::{
    laws::overchess as law,
    outcome::Outcome,
    overchess::{Asked, Due, Options, Over, Ply},
    rule::Rule,
    square::{Side, Square},
};

/// Words and the rule behind them.
pub type Reason = (String, &'static Rule);

/// A refused act.
pub struct Refused {
    pub words: String,
    pub rule: &'static Rule,
    /// What was possible, as it is written.
    pub possible: Vec<String>,
}

impl Refused {
    pub fn of((words, rule): Reason) -> Self {
        Self { words, rule, possible: Vec::new() }
    }
}

/// Why a set-up is not made.
pub enum SetUpFault {
    /// It cannot be read.
    Unread(String),
    /// It is not legal.
    Refused(Reason),
}

/// A position with sub-games, and how it is written.
pub trait Nest: Clone + Into<AnyPosition> {
    /// Its plies: [`Ply`], or more.
    type Own: Copy + From<Ply>;
    /// The first position of this depth.
    fn start(depth: u8, options: Options) -> Self;
    /// A position of this depth out of its text.
    fn read(text: &str, depth: u8, options: Options) -> Result<(Self, bool), Unusable>;
    /// An open over-game, 0 the outermost.
    fn over(&self, level: usize) -> Option<&Over>;
    /// How many over-games are open in each other.
    fn open(&self) -> usize;
    /// What is due in the innermost.
    fn due(&self) -> Due;
    /// The side of the outermost game that makes the next ply.
    fn actor(&self) -> Side;
    /// The over-games that ended with the last act: how many are around each, and how it ended.
    fn ended(&self) -> &[(usize, Outcome)];
    /// Judges an act of the innermost game.
    fn judge(&self, asked: Asked) -> Result<Ply, Refused>;
    /// Plays a legal one.
    fn play(&mut self, ply: &Ply);
    /// The position after a move of the innermost game that was made against the rules and stands (GEN-9).
    fn displaced(&self, from: Square, to: Square) -> Option<Self>;
    /// A deed as lines of coordinates tell it.
    fn told(&self, deed: &Deed<Self::Own>) -> String;
    /// Does it.
    fn make(&mut self, deed: &Deed<Self::Own>);
    /// Takes the prisoners that have names, all that fit; answers whether there are any.
    fn take_named(acting: &mut Acting<'_, Self>) -> Result<bool, Refused>;
    /// The gift, or the end of handing over, that is the only way.
    fn only_way(&self) -> Option<Ply>;
    /// Hands over who has a name and one way to go; answers whether there is one.
    fn hand_over_named(acting: &mut Acting<'_, Self>) -> bool;
    /// Acts on individuals, where the innermost game has some.
    fn act(acting: &mut Acting<'_, Self>, verb: Verb, said: &str) -> Option<Result<(), Act>>;
    /// Makes the set-up that a record leaves out.
    fn set_up_untold(acting: &mut Acting<'_, Self>) -> Result<(), Reason>;
    /// Makes the set-up of an over-game's sub-game that is one itself.
    fn set_up_as(acting: &mut Acting<'_, Self>, level: usize, fen: &str) -> Result<(), SetUpFault>;
    /// The sign of an over-move.
    fn suffix(&self, ply: &Ply, after: &Self) -> Suffix;
    /// An act in coordinates, from the innermost over-game on.
    fn coordinates(&self, ply: &Ply) -> PlyText;

    /// The outermost over-game.
    fn outermost(&self) -> &Over;

    /// The innermost over-game.
    fn current(&self) -> &Over {
        self.over(self.open() - 1).unwrap_or_else(|| self.outermost())
    }

    /// The square of the sub-game that is due or being played in an over-game.
    fn contested(&self, level: usize) -> Option<Square> {
        if self.open() > level + 1 {
            return self.over(level)?.contested().next().map(|contest| contest.to);
        }
        match self.due() {
            Due::Sub(on) | Due::Setup(on, _) if self.open() == level + 1 => Some(on),
            _ => None,
        }
    }
}

impl Nest for Over {
    type Own = Ply;

    fn start(_: u8, options: Options) -> Self {
        Self::start(options)
    }

    fn read(text: &str, _: u8, options: Options) -> Result<(Self, bool), Unusable> {
        overchess::read(text, options)
    }

    fn over(&self, level: usize) -> Option<&Over> {
        (level == 0).then_some(self)
    }

    fn open(&self) -> usize {
        1
    }

    fn due(&self) -> Due {
        self.due()
    }

    fn actor(&self) -> Side {
        self.actor()
    }

    fn ended(&self) -> &[(usize, Outcome)] {
        &[]
    }

    fn judge(&self, asked: Asked) -> Result<Ply, Refused> {
        self.judge(asked).map_err(|breach| {
            let possible = names(&breach.possible, |ply| overchess::san(self, ply));
            Refused { words: breach.words, rule: breach.rule, possible }
        })
    }

    fn play(&mut self, ply: &Ply) {
        self.play(ply);
    }

    fn displaced(&self, from: Square, to: Square) -> Option<Self> {
        self.displaced(from, to)
    }

    fn told(&self, deed: &Deed) -> String {
        deed.text(self)
    }

    fn make(&mut self, deed: &Deed) {
        deed.make(self);
    }

    fn take_named(_: &mut Acting<'_, Self>) -> Result<bool, Refused> {
        Ok(false)
    }

    fn only_way(&self) -> Option<Ply> {
        let mut ways = Vec::new();
        self.for_each_legal(|ply| ways.push(ply));
        match ways[..] {
            [only @ (Ply::Give(..) | Ply::Done)] => Some(only),
            _ => None,
        }
    }

    fn hand_over_named(_: &mut Acting<'_, Self>) -> bool {
        false
    }

    fn act(_: &mut Acting<'_, Self>, _: Verb, _: &str) -> Option<Result<(), Act>> {
        None
    }

    fn set_up_untold(acting: &mut Acting<'_, Self>) -> Result<(), Reason> {
        match acting.due() {
            Due::Setup(on, _) => {
                let words = format!("a sub-set on {on} is not complete, and no FEN tells the set-up");
                Err((words, &law::SET_UP))
            }
            _ => Ok(()),
        }
    }

    fn set_up_as(_: &mut Acting<'_, Self>, _: usize, _: &str) -> Result<(), SetUpFault> {
        Ok(())
    }

    fn suffix(&self, ply: &Ply, after: &Self) -> Suffix {
        overchess::suffix(self, ply, after)
    }

    fn coordinates(&self, ply: &Ply) -> PlyText {
        overchess::coordinates(self, ply)
    }

    fn outermost(&self) -> &Over {
        self
    }
}

/// What was possible, without the way to its game, in order.
pub(super) fn names<P>(possible: &[P], name: impl Fn(&P) -> PlyText) -> Vec<String> {
    let own = |ply: &P| {
        let san = name(ply);
        san.rsplit_once('.').map_or(san.to_string(), |(_, own)| own.to_string())
    };
    let mut names: Vec<_> = possible.iter().take(64).map(own).collect();
    names.sort_unstable();
    names
}
