//! Reads positions from text.

use super::{arrangement, form, name, roster, square_named};
use crate::{
    chess::{Chess, laws as regular},
    fen::{Fen, clip, fault, items, six},
    overchess::{
        ContestSetup, Individual, Name, Open, Options, Over, OverSetup, PhaseSetup, Reserves,
        Roster, SparesSetup, Standing,
    },
};
use overboard_referee::game::position::{FenError, PositionError, ReadPosition};
use overboard_rules::{
    by_side::BySide,
    refusal::list,
    setup::Setup,
    square::{Piece, Role, Square},
};
use std::ops::Range;

mod individuals;

use individuals::{individuals, places};

/// Reads a position of this depth under these options; also returns whether its form was lenient.
///
/// # Errors
/// What is wrong with the text, or why it is not a position.
pub fn read(text: &str, depth: u8, options: Options) -> Result<ReadPosition<Over>, PositionError> {
    let setup = setup(text, depth, options, None)?;
    let over = Over::from_setup(depth, options, &setup)
        .map_err(|unfit| PositionError::Nested(unfit.words, unfit.rule))?;
    let lenient = super::position(&over) != text;
    Ok(over.into_read(lenient))
}

/// Reads the initial position of a sub-game that is an over-game of this depth; its sides are the sub-sets of the
/// pieces with these names.
///
/// # Errors
/// What is wrong with the text.
pub fn block(
    text: &str,
    depth: u8,
    options: Options,
    owners: BySide<Name>,
) -> Result<OverSetup, PositionError> {
    setup(text, depth, options.inside(), Some(owners))
}

/// Games inside games are parsed one after the other, the outermost first.
fn setup(
    text: &str,
    depth: u8,
    options: Options,
    mut owners: Option<BySide<Name>>,
) -> Result<OverSetup, PositionError> {
    let mut outer = Vec::new();
    let mut rest = 0..text.len();
    let mut depth = depth.max(1);
    let mut inner = loop {
        let (fields, open) = split(text, rest, depth)?;
        let mut level = level(text, &fields, depth, options, owners.as_ref())?;
        let Some(open) = open else { break level };
        let inside = if depth > 1 {
            inside(text, open.clone(), &level)
        } else {
            None
        };
        let Some(inside) = inside else {
            read_open(text, open, depth, &mut level)?;
            break level;
        };
        if text[inside.clone()].trim_start().starts_with("setup ") {
            level.open = Open::Placing(placed(text, inside)?);
            level.phase = PhaseSetup::Nested;
            break level;
        }
        owners = parties(&level);
        outer.push(level);
        rest = inside;
        depth -= 1;
    };
    for mut level in outer.into_iter().rev() {
        level.open = Open::Nested(Box::new(inner));
        level.phase = PhaseSetup::Nested;
        inner = level;
    }
    Ok(inner)
}

/// The ranges of the fields, and of the braces after them.
type Parts = (Vec<Range<usize>>, Option<Range<usize>>);

/// The nine fields, and the braces after them. Sub-sets of individuals contain braces too.
fn split(text: &str, within: Range<usize>, depth: u8) -> Result<Parts, FenError> {
    let mut fields = Vec::new();
    let mut at = within.start;
    loop {
        let rest = &text[at..within.end];
        at += rest.len() - rest.trim_start_matches(' ').len();
        let rest = &text[at..within.end];
        let ends =
            |letter: char| letter == ' ' || (letter == '{' && (depth == 1 || fields.len() >= 8));
        let length = rest.find(ends).unwrap_or(rest.len());
        // Stops counting when there are too many.
        if length == 0 || fields.len() > 11 {
            break;
        }
        fields.push(at..at + length);
        at += length;
    }
    let rest = text[at..within.end].trim_end();
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
    if found != 9 {
        return fault(within, format!("{}; this has {found} fields", form(depth)));
    }
    Ok((fields, open))
}

/// The text after the contested square, if a game inside, or its set-up, is open.
fn inside(text: &str, open: Range<usize>, level: &OverSetup) -> Option<Range<usize>> {
    let reported = &text[open.clone()];
    let colon = reported.find(':')?;
    let on = square_named(reported[..colon].trim())?;
    if level.contested.first()?.to != on {
        return None;
    }
    Some(open.start + colon + 1..open.end)
}

/// The names of the pieces that fight for the first contested square.
fn parties(level: &OverSetup) -> Option<BySide<Name>> {
    let on = level.contested.first()?.to;
    let [attacker, attacked] = [Standing::On(on), Standing::Attacked(on)];
    Some(BySide::new(
        standing(level, attacker)?.name.clone(),
        standing(level, attacked)?.name.clone(),
    ))
}

/// The individual that stands there, of those listed or expected.
fn standing(level: &OverSetup, wanted: Standing) -> Option<&Individual> {
    let mut all = level.individuals.iter();
    let (_, one) = all.find(|(standing, _)| *standing == wanted)?;
    Some(one)
}

fn level(
    text: &str,
    fields: &[Range<usize>],
    depth: u8,
    options: Options,
    owners: Option<&BySide<Name>>,
) -> Result<OverSetup, PositionError> {
    let [chess @ .., sets, contested, spares] = fields else {
        return Ok(fault(0..text.len(), form(depth).into())?);
    };
    let counters = [
        "over-moves since a capture or pawn move",
        "the number of the over-move",
    ];
    let Setup {
        board,
        turn,
        castling,
        en_passant,
        halfmove,
        fullmove,
        ..
    } = six(text, chess, square_named, counters)?;
    // The pieces of a game of depth 1 have no names, unless it is played inside another one.
    let named = depth > 1 || owners.is_some() || text[sets.clone()].contains(':');
    let incomplete = if named {
        Vec::new()
    } else {
        all_of(text, sets, sub_set, SUB_SET)?
    };
    let mut setup = OverSetup {
        pieces: board,
        turn,
        castling,
        en_passant,
        halfmove,
        fullmove,
        sets: incomplete,
        individuals: Vec::new(),
        contested: all_of(text, contested, contest, CONTEST)?,
        spares: SparesSetup::None,
        phase: PhaseSetup::Over,
        open: Open::Nothing,
    };
    let is_inside = owners.is_some();
    let options = if is_inside { options.inside() } else { options };
    read_spares(text, spares, options, &mut setup)?;
    if named {
        setup.individuals = individuals(text, sets, depth, &setup, owners)?;
    }
    for (standing, one) in &setup.individuals {
        let pieces = one.army.roster();
        match standing {
            Standing::On(on) => setup.sets.push((*on, pieces)),
            Standing::Attacked(on) => {
                let mut contested = setup.contested.iter_mut();
                if let Some(contest) = contested.find(|contest| contest.to == *on) {
                    contest.pieces = pieces;
                }
            }
        }
    }
    Ok(setup)
}

/// Parses `setup w a2:e2/b2 -`: the individuals that have been set up.
fn placed(text: &str, inside: Range<usize>) -> Result<[Vec<(Square, Name)>; 2], FenError> {
    let words: Vec<_> = text[inside.clone()].split_whitespace().collect();
    match both_placed(&words) {
        Some(placed) => Ok(placed),
        None => fault(
            inside,
            "a set-up is written like `setup w a2:e2/b2 -`: who stands where of White and of Black"
                .into(),
        ),
    }
}

fn both_placed(words: &[&str]) -> Option<[Vec<(Square, Name)>; 2]> {
    match words {
        ["setup", "w" | "b"] => Some(Default::default()),
        ["setup", "w" | "b", white, black] => Some([placed_of(white)?, placed_of(black)?]),
        _ => None,
    }
}

fn placed_of(list: &str) -> Option<Vec<(Square, Name)>> {
    let mut placed = Vec::new();
    if list == "-" {
        return Some(placed);
    }
    for item in list.split(',') {
        let (on, reported) = item.split_once(':')?;
        placed.push((square_named(on)?, name(reported)?));
    }
    Some(placed)
}

/// Parses what else is open on a board: `settle e4:{…}`, `consolidate {…}`, or something without names.
fn read_open(
    text: &str,
    open: Range<usize>,
    depth: u8,
    level: &mut OverSetup,
) -> Result<(), PositionError> {
    let words: Vec<_> = text[open.clone()].split_whitespace().take(4).collect();
    let read = match words[..] {
        ["settle", parts] if depth > 1 && parts.contains('{') => settled(parts, depth, level),
        ["consolidate", hand] if depth > 1 => given(hand, depth),
        _ => {
            level.phase = phase(text, open, level)?;
            return Ok(());
        }
    };
    match read {
        Some(read) => {
            (level.phase, level.open) = read;
            Ok(())
        }
        None => cannot_be_open(text, open),
    }
}

fn cannot_be_open<T>(text: &str, open: Range<usize>) -> Result<T, PositionError> {
    let clipped = clip(&text[open.clone()]);
    let what = format!("`{clipped}` is nothing that can be open");
    Ok(fault(open, what)?)
}

/// Parses prisoners for the first of the squares, as far as there is room.
fn settled(parts: &str, depth: u8, level: &OverSetup) -> Option<(PhaseSetup, Open)> {
    let (on, mut rest) = parts.split_once(':')?;
    let on = square_named(on)?;
    let captives = places(&mut rest, depth, None)?;
    if !rest.is_empty() && !rest.starts_with(',') {
        return None;
    }
    let room = standing(level, Standing::On(on))?.army.roster().room();
    let mut parts = vec![(on, captives.roster().common(room))];
    for other in rest.split(',').skip(1) {
        parts.push((square_named(other)?, Roster::NONE));
    }
    Some((PhaseSetup::Settling(parts), Open::Captives(captives)))
}

/// Parses the individuals that are to be handed over.
fn given(text: &str, depth: u8) -> Option<(PhaseSetup, Open)> {
    let mut rest = text;
    let hand = places(&mut rest, depth, None)?;
    if !rest.is_empty() {
        return None;
    }
    Some((PhaseSetup::Giving(hand.roster(), None), Open::Hand(hand)))
}

/// The text before a sign, and what is behind it, if the sign is there.
fn in_two(text: &str, sign: char) -> (&str, Option<&str>) {
    match text.split_once(sign) {
        Some((before, behind)) => (before, Some(behind)),
        None => (text, None),
    }
}

/// The items of a list separated by commas, which are written in this form.
fn all_of<T>(
    text: &str,
    field: &Range<usize>,
    read: fn(&str) -> Option<T>,
    form: &str,
) -> Result<Vec<T>, FenError> {
    let mut all = Vec::new();
    for item in items(text, field)? {
        let one = read(&text[item.clone()]);
        all.push(or_fault(one, text, item, form)?);
    }
    Ok(all)
}

/// What was read of a part of the text, or the fault that it is not written in this form.
fn or_fault<T>(read: Option<T>, text: &str, part: Range<usize>, form: &str) -> Result<T, FenError> {
    match read {
        Some(read) => Ok(read),
        None => {
            let clipped = clip(&text[part.clone()]);
            fault(part, format!("{form}, not `{clipped}`"))
        }
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
fn contest(item: &str) -> Option<ContestSetup> {
    let (squares, rest) = item.split_once(':')?;
    let (from, to) = squares.split_once('x')?;
    let (rest, promotion) = in_two(rest, '=');
    let promotion = match promotion {
        Some("Q") => Some(Role::Queen),
        Some("R") => Some(Role::Rook),
        Some("B") => Some(Role::Bishop),
        Some("N") => Some(Role::Knight),
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
    Some(ContestSetup {
        from: square_named(from)?,
        to: square_named(to)?,
        defender: Piece::from_letter(*rest.as_bytes().first()?)?,
        pieces,
        spares: Roster::NONE,
        victim,
        promotion,
    })
}

/// Parses `2P1N/3P`, or `a2:1P,b7:2P`, with `xe4:1P` for the attacked over-piece of a contested square.
fn read_spares(
    text: &str,
    field: &Range<usize>,
    options: Options,
    setup: &mut OverSetup,
) -> Result<(), FenError> {
    let reported = &text[field.clone()];
    if reported == "-" {
        return Ok(());
    }
    if !matches!(options.reserves, Reserves::Set(_)) {
        let teams = or_fault(team_spares(reported), text, field.clone(), TEAM_SPARES)?;
        setup.spares = SparesSetup::Team(teams);
        return Ok(());
    }
    let mut each = Vec::new();
    for item in items(text, field)? {
        let read = own_spares(&text[item.clone()], &mut setup.contested, &mut each);
        or_fault(read, text, item, OWN_SPARES)?;
    }
    setup.spares = SparesSetup::Set(each);
    Ok(())
}

fn team_spares(text: &str) -> Option<BySide<Roster>> {
    let (white, black) = text.split_once('/')?;
    Some(BySide::new(roster(white)?, roster(black)?))
}

/// Parses the spares of one over-piece, and keeps them with it.
fn own_spares(
    item: &str,
    contested: &mut [ContestSetup],
    each: &mut Vec<(Square, Roster)>,
) -> Option<()> {
    let (on, pieces) = item.split_once(':')?;
    let pieces = roster(pieces)?;
    match on.strip_prefix('x') {
        Some(on) => {
            let on = square_named(on)?;
            let contest = contested.iter_mut().find(|contest| contest.to == on)?;
            contest.spares = pieces;
        }
        None => each.push((square_named(on)?, pieces)),
    }
    Some(())
}

/// Parses the contents of the braces: `e4: setup w`, `e4: setup b PPPPPPPP/RNBQKBNR`, `e4: <FEN>`, `settle e4:2P,e2`,
/// `reserve d4`, `consolidate 5P2R`, `consolidate 5P2R P:d2`.
fn phase(text: &str, open: Range<usize>, setup: &OverSetup) -> Result<PhaseSetup, PositionError> {
    let words = text[open.clone()]
        .split(' ')
        .filter(|word| !word.is_empty());
    let words: Vec<_> = words.take(8).collect();
    if let [on, words @ ..] = &words[..]
        && let Some(on) = on.strip_suffix(':')
        && square_named(on).is_some()
        && let Some(inside) = inside(text, open.clone(), setup)
    {
        return sub_phase(text, inside, words);
    }
    match phase_of(&words) {
        Some(phase) => Ok(phase),
        None => cannot_be_open(text, open),
    }
}

fn phase_of(words: &[&str]) -> Option<PhaseSetup> {
    match words {
        ["reserve", on] => Some(PhaseSetup::OverFrom(square_named(on)?)),
        ["settle", list] => {
            let mut parts = Vec::new();
            for part in list.split(',').take(3) {
                parts.push(settled_part(part)?);
            }
            Some(PhaseSetup::Settling(parts))
        }
        ["consolidate", pieces] => Some(PhaseSetup::Giving(roster(pieces)?, None)),
        ["consolidate", pieces, last] => {
            Some(PhaseSetup::Giving(roster(pieces)?, Some(last_given(last)?)))
        }
        _ => None,
    }
}

fn settled_part(part: &str) -> Option<(Square, Roster)> {
    let (on, pieces) = in_two(part, ':');
    let pieces = match pieces {
        Some(pieces) => roster(pieces)?,
        None => Roster::NONE,
    };
    Some((square_named(on)?, pieces))
}

fn last_given(text: &str) -> Option<(Role, Square)> {
    let (role, on) = text.split_once(':')?;
    let [letter] = role.as_bytes() else {
        return None;
    };
    Some((Role::from_letter(*letter)?, square_named(on)?))
}

fn sub_phase(
    text: &str,
    inside: Range<usize>,
    words: &[&str],
) -> Result<PhaseSetup, PositionError> {
    if let ["setup", "w"] = words {
        return Ok(PhaseSetup::Setup(None));
    }
    if let ["setup", "b", pieces] = words {
        if let Some(pieces) = arrangement(pieces) {
            return Ok(PhaseSetup::Setup(Some(pieces)));
        }
        let clipped = clip(pieces);
        let what = format!("a set-up is written like `PPP2PPP/RNBQKBNR`, not `{clipped}`");
        return Ok(fault(inside, what)?);
    }
    let reported = text[inside.clone()].trim();
    let start = inside.start + text[inside.clone()].find(reported).unwrap_or(0);
    let (plain, promoted) = without_marks(reported);
    let shift = |FenError { what, .. }: FenError| FenError {
        what,
        bytes: start..start + reported.len(),
    };
    let setup = Fen::parse(&plain).map_err(shift)?.setup;
    let chess = Chess::as_set_up(&setup).map_err(|why| {
        PositionError::Nested(
            format!("the sub-game: {}", list(why, "and")),
            &regular::SET_UP,
        )
    })?;
    Ok(PhaseSetup::Sub(Box::new(chess.0), promoted))
}

/// A FEN without the marks `~` of promoted pieces, and the squares that had one.
fn without_marks(text: &str) -> (String, Vec<Square>) {
    let (pieces, rest) = text.split_at(text.find(' ').unwrap_or(text.len()));
    let mut promoted = Vec::new();
    let mut plain = String::with_capacity(text.len());
    let (mut rank, mut file) = (7_u8, 0_u8);
    for letter in pieces.chars() {
        match letter {
            '~' => promoted.push(Square::new(file.saturating_sub(1).min(7), rank)),
            '/' => (rank, file) = (rank.saturating_sub(1), 0),
            '1'..='8' => file = file.saturating_add(letter as u8 - b'0'),
            _ => file = file.saturating_add(1),
        }
        if letter != '~' {
            plain.push(letter);
        }
    }
    plain.push_str(rest);
    (plain, promoted)
}
