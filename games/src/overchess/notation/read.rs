//! Reads positions from text.

use super::{arrangement, form, name, position::with_squares, roster, square_named};
use crate::{
    chess::{Chess, laws as regular},
    fen::{Fen, clip, fault, items, six},
    overchess::{
        Contested, Name, Options, Over, OverPiece, Places, Reserves, Roster,
        individuals::Seat,
        setup::{Draft, Spares},
        state::{Part, Phase},
        sub::{SubGame, rosters_of},
    },
};
use overboard_referee::game::{
    notation::Notation as _,
    position::{Doubt, FenError, PositionError, ReadPosition},
};
use overboard_rules::{
    by_side::BySide,
    path::index,
    refusal::list,
    square::{Piece, Role, Square},
};
use std::ops::Range;

mod individuals;

use individuals::places;

/// Reads a position of this depth under these options; also returns whether its form was lenient.
///
/// # Errors
/// What is wrong with the text, or why it is not a position.
pub fn read(text: &str, depth: u8, options: Options) -> Result<ReadPosition<Over>, PositionError> {
    let (outer, inner) = games(text, depth, options, None)?;
    let over = Over::from_drafts(depth, options, outer, inner)
        .map_err(|unfit| PositionError::Nested(unfit.words, unfit.rule))?;
    let sub_game = over.current().sub_game();
    let read = sub_game.map(|chess| Chess::as_set_up(&chess.to_setup()));
    let doubts = match read {
        Some(Ok((_, doubts))) => Doubt::on("the sub-game", doubts),
        _ => Vec::new(),
    };
    Ok(ReadPosition {
        lenient: over.fen() != text,
        position: over,
        doubts,
    })
}

/// Reads the initial position of a sub-game that is an over-game of this depth; its sides are the sub-sets of the
/// pieces with these names.
///
/// # Errors
/// What is wrong with the text.
pub(in crate::overchess) fn block(
    text: &str,
    depth: u8,
    options: Options,
    owners: BySide<Name>,
) -> Result<Draft, PositionError> {
    let (outermost, _) = games(text, depth, options, Some(owners))?;
    Ok(outermost)
}

/// The outermost game in a text, and those inside it.
fn games(
    text: &str,
    depth: u8,
    options: Options,
    owners: Option<BySide<Name>>,
) -> Result<(Draft, Vec<Draft>), PositionError> {
    let mut reader = Reader {
        text,
        depth: depth.max(1),
        options,
        owners,
    };
    let (outermost, mut rest) = reader.game(0..text.len())?;
    let mut inner = Vec::new();
    while let Some(inside) = rest {
        reader.owners = parties(inner.last().unwrap_or(&outermost));
        reader.depth -= 1;
        let (game, deeper) = reader.game(inside)?;
        inner.push(game);
        rest = deeper;
    }
    Ok((outermost, inner))
}

/// Reads an open over-game of a position.
struct Reader<'a> {
    text: &'a str,
    /// The depth of the game that is read.
    depth: u8,
    options: Options,
    /// The names of the pieces whose sub-sets play in it; the outermost has none.
    owners: Option<BySide<Name>>,
}

/// The ranges of the fields, and of the braces after them.
type Fields = ([Range<usize>; 9], Option<Range<usize>>);

impl Reader<'_> {
    /// A game, and the text of the one inside it.
    fn game(&self, within: Range<usize>) -> Result<(Draft, Option<Range<usize>>), PositionError> {
        let (fields, open) = self.split(within)?;
        let mut draft = self.draft(&fields)?;
        let inside = match open {
            Some(open) => self.open(open, &mut draft)?,
            None => None,
        };
        Ok((draft, inside))
    }

    /// The nine fields, and the braces after them. Sub-sets of individuals contain braces too.
    fn split(&self, within: Range<usize>) -> Result<Fields, FenError> {
        let mut fields = Vec::new();
        let mut at = within.start;
        let rest = loop {
            let rest = self.text[at..within.end].trim_start_matches(' ');
            at = within.end - rest.len();
            let opens = self.depth == 1 || fields.len() >= 8;
            let ends = |letter: char| letter == ' ' || (letter == '{' && opens);
            let length = rest.find(ends).unwrap_or(rest.len());
            // Stops counting when there are too many.
            if length == 0 || fields.len() > 11 {
                break rest.trim_end();
            }
            fields.push(at..at + length);
            at += length;
        };
        let mut open = None;
        if let Some(inside) = rest.strip_prefix('{') {
            // Checked before fields are counted: an unmatched brace is the reason why there are too few.
            let Some(inside) = inside.strip_suffix('}') else {
                let what = "`}` was expected at the end of the position";
                return fault(at..within.end, what.into());
            };
            open = Some(at + 1..at + 1 + inside.len());
        }
        let found = fields.len();
        match fields.try_into() {
            Ok(fields) => Ok((fields, open)),
            Err(_) => {
                let form = form(self.depth);
                fault(within, format!("{form}; this has {found} fields"))
            }
        }
    }

    fn draft(&self, fields: &[Range<usize>; 9]) -> Result<Draft, PositionError> {
        let [chess @ .., sets, contested, spares] = fields;
        let counters = [
            "over-moves since a capture or pawn move",
            "the number of the over-move",
        ];
        let board = six(self.text, chess, square_named, counters)?;
        // The pieces of a game of depth 1 have no names, unless it is played inside another one.
        let named =
            self.depth > 1 || self.owners.is_some() || self.text[sets.clone()].contains(':');
        let mut draft = Draft {
            fields: board,
            sets: Vec::new(),
            individuals: Vec::new(),
            contested: Vec::new(),
            spares: Spares::None,
            phase: Phase::Over,
            parts: Vec::new(),
            placed: None,
            captives: Places::default(),
            hand: Places::default(),
        };
        if !named {
            draft.sets = self.all_of(sets, sub_set, SUB_SET)?;
        }
        draft.contested = self.all_of(contested, contest, CONTEST)?;
        draft.spares = self.spares(spares, &mut draft.contested)?;
        if named {
            self.read_individuals(sets, &mut draft)?;
        }
        Ok(draft)
    }

    /// Parses `2P1N/3P`, or `a2:1P,b7:2P`, with `xe4:1P` for the attacked over-piece of a contested square.
    fn spares(
        &self,
        field: &Range<usize>,
        contested: &mut [Contested],
    ) -> Result<Spares, FenError> {
        let text = &self.text[field.clone()];
        if text == "-" {
            return Ok(Spares::None);
        }
        // Spares belong to the outermost game.
        let are_own = matches!(self.options.reserves, Reserves::Set(_));
        if self.owners.is_some() || !are_own {
            let teams = self.or_fault(team_spares(text), field.clone(), TEAM_SPARES)?;
            return Ok(Spares::Team(teams));
        }
        let mut each = Vec::new();
        for item in items(self.text, field)? {
            let read = own_spares(&self.text[item.clone()], contested, &mut each);
            self.or_fault(read, item, OWN_SPARES)?;
        }
        Ok(Spares::Set(each))
    }

    /// The items of a list separated by commas, which are written in this form.
    fn all_of<T>(
        &self,
        field: &Range<usize>,
        read: fn(&str) -> Option<T>,
        form: &str,
    ) -> Result<Vec<T>, FenError> {
        let mut all = Vec::new();
        for item in items(self.text, field)? {
            let one = read(&self.text[item.clone()]);
            all.push(self.or_fault(one, item, form)?);
        }
        Ok(all)
    }

    /// What was read of a part of the text, or the fault that it is not written in this form.
    fn or_fault<T>(&self, read: Option<T>, part: Range<usize>, form: &str) -> Result<T, FenError> {
        match read {
            Some(read) => Ok(read),
            None => {
                let clipped = clip(&self.text[part.clone()]);
                fault(part, format!("{form}, not `{clipped}`"))
            }
        }
    }

    /// Reads the contents of the braces: `e4: setup w`, `e4: <FEN>`, or an act. Returns the text of an over-game inside.
    fn open(
        &self,
        open: Range<usize>,
        draft: &mut Draft,
    ) -> Result<Option<Range<usize>>, PositionError> {
        let text = &self.text[open.clone()];
        let inside = self.inside(open.clone(), draft);
        if self.depth > 1
            && let Some(inside) = inside
        {
            draft.phase = Phase::Nested;
            if !self.text[inside.clone()].trim_start().starts_with("setup ") {
                return Ok(Some(inside));
            }
            draft.placed = Some(self.placed(inside)?);
            return Ok(None);
        }
        let words = text.split(' ').filter(|word| !word.is_empty());
        let words: Vec<_> = words.take(8).collect();
        if let Some(inside) = inside
            && let [on, words @ ..] = &words[..]
            && on.strip_suffix(':').and_then(square_named).is_some()
        {
            draft.phase = self.sub_game(inside, words)?;
            return Ok(None);
        }
        let read = match text.split_whitespace().take(3).collect::<Vec<_>>()[..] {
            ["settle", parts] if self.depth > 1 && parts.contains('{') => {
                self.settled(parts, draft)
            }
            ["consolidate", hand] if self.depth > 1 => self.given(hand, draft),
            _ => act(&words, draft),
        };
        if read.is_none() {
            let what = format!("`{}` is nothing that can be open", clip(text));
            fault(open, what)?;
        }
        Ok(None)
    }

    /// The text after the contested square, if a sub-game, or its set-up, is open.
    fn inside(&self, open: Range<usize>, draft: &Draft) -> Option<Range<usize>> {
        let (on, inside) = self.text[open.clone()].split_once(':')?;
        let is_open = draft.contested.first()?.to == square_named(on.trim())?;
        is_open.then_some(open.end - inside.len()..open.end)
    }

    /// Parses `setup w a2:e2/b2 -`: the individuals that have been set up.
    fn placed(&self, inside: Range<usize>) -> Result<BySide<Vec<(Square, Name)>>, FenError> {
        let words: Vec<_> = self.text[inside.clone()].split_whitespace().collect();
        let read = match words[..] {
            ["setup", "w" | "b"] => Some(BySide::default()),
            ["setup", "w" | "b", white, black] => of_both(placed_of, white, black),
            _ => None,
        };
        match read {
            Some(placed) => Ok(placed),
            None => fault(
                inside,
                "a set-up is written like `setup w a2:e2/b2 -`: who stands where of White and of Black"
                    .into(),
            ),
        }
    }

    /// Parses `setup w`, `setup b PPPPPPPP/RNBQKBNR`, or the FEN of a sub-game of chess.
    fn sub_game(&self, inside: Range<usize>, words: &[&str]) -> Result<Phase, PositionError> {
        match words {
            ["setup", "w"] => return Ok(Phase::Setup(None)),
            ["setup", "b", pieces] => {
                let read = arrangement(pieces);
                if read.is_none() {
                    let clipped = clip(pieces);
                    let what =
                        format!("a set-up is written like `PPP2PPP/RNBQKBNR`, not `{clipped}`");
                    fault(inside, what)?;
                }
                return Ok(Phase::Setup(read));
            }
            _ => {}
        }
        let text = self.text[inside.clone()].trim();
        let before = self.text[inside.clone()].find(text).unwrap_or(0);
        let start = inside.start + before;
        let (plain, promoted) = without_marks(text);
        let setup = match Fen::parse(&plain) {
            Ok(fen) => fen.setup,
            Err(FenError { what, .. }) => fault(start..start + text.len(), what)?,
        };
        let (chess, _) = Chess::as_set_up(&setup).map_err(|why| {
            let words = format!("the sub-game: {}", list(why, "and"));
            PositionError::Nested(words, &regular::SET_UP)
        })?;
        let left = rosters_of(&chess, promoted);
        Ok(Phase::Sub(Box::new(SubGame::of(chess, left, promoted))))
    }
}

/// Acts on individuals, which are written in braces.
impl Reader<'_> {
    /// Parses prisoners for the first of the squares, as far as there is room: `e4:{…},e2`.
    fn settled(&self, parts: &str, draft: &mut Draft) -> Option<()> {
        let (on, mut rest) = parts.split_once(':')?;
        let at = index(square_named(on)?);
        draft.captives = places(&mut rest, self.depth, None)?;
        let room = draft.at(Seat::On(at))?.army.roster().room();
        let prisoners = draft.captives.roster().common(room);
        draft.parts.push(Part { at, prisoners });
        let mut others = rest.split(',');
        if others.next() != Some("") {
            return None;
        }
        for other in others {
            draft.parts.push(Part {
                at: index(square_named(other)?),
                prisoners: Roster::NONE,
            });
        }
        draft.phase = Phase::Settling([None; 2]);
        Some(())
    }

    /// Parses the individuals that are to be handed over.
    fn given(&self, mut hand: &str, draft: &mut Draft) -> Option<()> {
        draft.hand = places(&mut hand, self.depth, None)?;
        draft.phase = Phase::Giving(draft.hand.roster(), None);
        hand.is_empty().then_some(())
    }
}

/// The names of the pieces that fight for the first contested square.
fn parties(draft: &Draft) -> Option<BySide<Name>> {
    let attacker = draft.at(Seat::On(index(draft.contested.first()?.to)))?;
    let attacked = draft.at(Seat::Attacked(0))?;
    Some(BySide::new(attacker.name.clone(), attacked.name.clone()))
}

fn placed_of(list: &str) -> Option<Vec<(Square, Name)>> {
    let mut placed = Vec::new();
    if list == "-" {
        return Some(placed);
    }
    for item in list.split(',') {
        let (on, who) = item.split_once(':')?;
        placed.push((square_named(on)?, name(who)?));
    }
    Some(placed)
}

/// Parses an act that is under way: `reserve d4`, `settle e4:2P,e2`, `consolidate 5P2R`, `consolidate 5P2R P:d2`.
fn act(words: &[&str], draft: &mut Draft) -> Option<()> {
    draft.phase = match words {
        ["reserve", on] => Phase::OverFrom(index(square_named(on)?)),
        ["settle", list] => {
            for part in list.split(',').take(3) {
                draft.parts.push(settled_part(part)?);
            }
            Phase::Settling([None; 2])
        }
        ["consolidate", pieces] => Phase::Giving(roster(pieces)?, None),
        ["consolidate", pieces, last] => Phase::Giving(roster(pieces)?, Some(last_given(last)?)),
        _ => return None,
    };
    Some(())
}

fn settled_part(part: &str) -> Option<Part> {
    let (on, pieces) = in_two(part, ':');
    let prisoners = match pieces {
        Some(pieces) => roster(pieces)?,
        None => Roster::NONE,
    };
    let at = index(square_named(on)?);
    Some(Part { at, prisoners })
}

fn last_given(text: &str) -> Option<(Role, u8)> {
    let (role, on) = text.split_once(':')?;
    let [letter] = role.as_bytes() else {
        return None;
    };
    Some((Role::from_letter(*letter)?, index(square_named(on)?)))
}

/// What is written in the same form for White and for Black.
fn of_both<T>(read: fn(&str) -> Option<T>, white: &str, black: &str) -> Option<BySide<T>> {
    Some(BySide::new(read(white)?, read(black)?))
}

/// The text before a sign, and what is behind it, if the sign is there.
fn in_two(text: &str, sign: char) -> (&str, Option<&str>) {
    match text.split_once(sign) {
        Some((before, behind)) => (before, Some(behind)),
        None => (text, None),
    }
}

const SUB_SET: &str = "a sub-set is written like `d4=5P2R1N2B1Q`";
const CONTEST: &str = "a contested square is written like `e2xe4:n5P2R`";
const TEAM_SPARES: &str = "the spares of the teams are written like `2P1N/3P`";
const OWN_SPARES: &str = "spares are written like `a2:1P`";

/// Parses `d4=5P2R1N2B1Q`.
fn sub_set(item: &str) -> Option<(Square, Roster)> {
    let (on, pieces) = item.split_once('=')?;
    Some((square_named(on)?, roster(pieces)?))
}

/// Parses `e2xe4:n5P2R`, `e5xd6:p@d5`, `b7xa8:r=Q`.
fn contest(item: &str) -> Option<Contested> {
    let (squares, rest) = item.split_once(':')?;
    let (from, to) = squares.split_once('x')?;
    let (rest, promotion) = in_two(rest, '=');
    let promotion = match promotion {
        Some(letter @ ("Q" | "R" | "B" | "N")) => Role::from_letter(letter.as_bytes()[0]),
        Some(_) => return None,
        None => None,
    };
    let (rest, victim) = in_two(rest, '@');
    let victim = match victim {
        Some(victim) => Some(square_named(victim)?),
        None => None,
    };
    let pieces = match rest.get(1..)? {
        "" => Roster::FULL,
        pieces => roster(pieces)?,
    };
    Some(Contested {
        from: square_named(from)?,
        to: square_named(to)?,
        defender: OverPiece {
            piece: Piece::from_letter(*rest.as_bytes().first()?)?,
            pieces,
            spares: Roster::NONE,
        },
        victim,
        promotion,
    })
}

fn team_spares(text: &str) -> Option<BySide<Roster>> {
    let (white, black) = text.split_once('/')?;
    of_both(roster, white, black)
}

/// Parses the spares of one over-piece, and keeps them with it.
fn own_spares(
    item: &str,
    contested: &mut [Contested],
    each: &mut Vec<(Square, Roster)>,
) -> Option<()> {
    let (on, pieces) = item.split_once(':')?;
    let pieces = roster(pieces)?;
    match on.strip_prefix('x') {
        Some(on) => {
            let on = square_named(on)?;
            let contest = contested.iter_mut().find(|contest| contest.to == on)?;
            contest.defender.spares = pieces;
        }
        None => each.push((square_named(on)?, pieces)),
    }
    Some(())
}

/// A FEN without the marks `~` of promoted pieces, and the squares that had one.
fn without_marks(text: &str) -> (String, u64) {
    let (pieces, rest) = text.split_at(text.find(' ').unwrap_or(text.len()));
    let mut promoted = 0;
    let mut plain = String::with_capacity(text.len());
    for (letter, on) in with_squares(pieces) {
        if letter == '~' {
            promoted |= 1 << index(on);
        } else {
            plain.push(letter);
        }
    }
    plain.push_str(rest);
    (plain, promoted)
}
