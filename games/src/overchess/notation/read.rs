//! Reads positions from text.

use super::{arrangement, form, name, position::expected, roster, square_named};
use crate::{
    chess::{Chess, laws as regular},
    fen::{Fen, clip, fault, items, six},
    overchess::{
        Army, ContestSetup, Individual, Name, Open, Options, Over, OverSetup, PhaseSetup, Places,
        Reserves, Roster, SparesSetup, Standing, Step, SubSetPlace,
    },
};
use overboard_referee::game::position::{FenError, PositionError, ReadPosition};
use overboard_rules::{
    by_side::BySide,
    path::squares,
    refusal::list,
    setup::Setup,
    square::{Piece, Role, Side, Square},
};
use std::ops::Range;

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
    setup(
        text,
        depth,
        Options {
            reserves: Reserves::None,
            ..options
        },
        Some(owners),
    )
}

/// Games inside games are parsed one after the other, the outermost first.
fn setup(
    text: &str,
    depth: u8,
    options: Options,
    mut owners: Option<BySide<Name>>,
) -> Result<OverSetup, PositionError> {
    let mut levels: Vec<OverSetup> = Vec::new();
    let mut rest = 0..text.len();
    let mut depth = depth.max(1);
    loop {
        let (fields, open) = split(text, rest, depth)?;
        let mut level = level(text, &fields, depth, options, owners.as_ref())?;
        let inside = match &open {
            Some(open) if depth > 1 => inside(text, open.clone(), &level),
            _ => None,
        };
        if let (Some(open), None) = (open, &inside) {
            read_open(text, open, depth, &mut level)?;
        }
        let Some(inside) = inside else {
            levels.push(level);
            break;
        };
        if text[inside.clone()].trim_start().starts_with("setup ") {
            level.open = Open::Placing(placed(text, inside)?);
            levels.push(level);
            break;
        }
        owners = parties(&level);
        levels.push(level);
        rest = inside;
        depth -= 1;
    }
    let inmost = levels.pop().map_or_else(
        || Ok(fault(0..text.len(), form(depth).into())?),
        Ok::<_, PositionError>,
    )?;
    Ok(levels
        .into_iter()
        .rev()
        .fold(inmost, |inner, outer| OverSetup {
            open: Open::Nested(Box::new(inner)),
            ..outer
        }))
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
    let open = match rest
        .strip_prefix('{')
        .map(|inside| inside.strip_suffix('}'))
    {
        None => None,
        Some(Some(inside)) => Some(at + 1..at + 1 + inside.len()),
        // Checked before fields are counted: an unmatched brace is the reason why there are too few.
        Some(None) => {
            return fault(
                at..within.end,
                "`}` was expected at the end of the position".into(),
            );
        }
    };
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
    (level.contested.first()?.to == on).then_some(open.start + colon + 1..open.end)
}

/// The names of the pieces that fight for the first contested square.
fn parties(level: &OverSetup) -> Option<BySide<Name>> {
    let on = level.contested.first()?.to;
    let find = |wanted: Standing| {
        let found = level
            .individuals
            .iter()
            .find(|(standing, _)| *standing == wanted);
        found.map(|(_, one)| one.name.clone())
    };
    Some(BySide::new(
        find(Standing::On(on))?,
        find(Standing::Attacked(on))?,
    ))
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
    let mut setup = OverSetup {
        pieces: board,
        turn,
        castling,
        en_passant,
        halfmove,
        fullmove,
        sets: if named {
            Vec::new()
        } else {
            sub_sets(text, sets)?
        },
        individuals: Vec::new(),
        contested: items(text, contested)?
            .into_iter()
            .map(|item| contest(text, item))
            .collect::<Result<_, _>>()?,
        spares: SparesSetup::None,
        phase: PhaseSetup::Over,
        open: Open::Nothing,
    };
    let options = if owners.is_some() {
        Options {
            reserves: Reserves::None,
            ..options
        }
    } else {
        options
    };
    read_spares(text, spares, options, &mut setup)?;
    if named {
        setup.individuals = individuals(text, sets, depth, &setup, owners)?;
    }
    Ok(setup)
}

/// All individuals on the board or attacked: those listed, and the expected ones elsewhere.
fn individuals(
    text: &str,
    field: &Range<usize>,
    depth: u8,
    over: &OverSetup,
    owners: Option<&BySide<Name>>,
) -> Result<Vec<(Standing, Individual)>, FenError> {
    let pieces = squares()
        .zip(over.pieces)
        .filter_map(|(on, piece)| Some((Standing::On(on), on, piece?)));
    let attacked = over.contested.iter().map(|contest| {
        let on = contest.victim.unwrap_or(contest.to);
        (Standing::Attacked(contest.to), on, contest.defender)
    });
    let all = pieces
        .chain(attacked)
        .filter(|(.., piece)| piece.role != Role::King);
    let standing: Vec<(Standing, Square, Side)> =
        all.map(|(at, on, piece)| (at, on, piece.side)).collect();
    let mut reported = Vec::new();
    for item in braced_items(text, field) {
        let read = individual(&text[item.clone()], depth, &standing, owners);
        let Some((at, one)) = read.filter(|(at, _)| reported.iter().all(|(other, _)| other != at))
        else {
            let clipped = clip(&text[item.clone()]);
            return fault(
                item,
                format!(
                    "individuals are written once each like `e4:e2={{a2:e7/c2,b2}}` or `e4=5P2R`, not `{clipped}`"
                ),
            );
        };
        reported.push((at, one));
    }
    for (at, on, side) in standing {
        if reported.iter().any(|(other, _)| *other == at) {
            continue;
        }
        let Some(name) = expected(&owners.cloned(), side, on) else {
            return fault(
                field.clone(),
                format!("it does not say which individual stands on {on}"),
            );
        };
        reported.push((
            at,
            Individual {
                name,
                army: Army::Untouched,
            },
        ));
    }
    Ok(reported)
}

/// The items of a list separated by commas outside of braces; none for `-`.
fn braced_items(text: &str, field: &Range<usize>) -> Vec<Range<usize>> {
    let list = &text[field.clone()];
    let (mut items, mut from, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, letter) in list.bytes().enumerate() {
        match letter {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                items.push(field.start + from..field.start + at);
                from = at + 1;
            }
            _ => {}
        }
    }
    items.push(field.start + from..field.end);
    if list == "-" { Vec::new() } else { items }
}

/// Parses an item: `e4:e2={…}`, `xe4:e7=5P`.
fn individual(
    item: &str,
    depth: u8,
    standing: &[(Standing, Square, Side)],
    owners: Option<&BySide<Name>>,
) -> Option<(Standing, Individual)> {
    let (head, pieces) = item
        .split_once('=')
        .map_or((item, None), |(head, pieces)| (head, Some(pieces)));
    let (seat, reported) = head
        .split_once(':')
        .map_or((head, None), |(seat, reported)| (seat, Some(reported)));
    let at = match seat.strip_prefix('x') {
        Some(on) => Standing::Attacked(square_named(on)?),
        None => Standing::On(square_named(seat)?),
    };
    let (_, on, side) = standing.iter().find(|(other, ..)| *other == at)?;
    let name = match reported {
        Some(reported) => name(reported)?,
        None => expected(&owners.cloned(), *side, *on)?,
    };
    let army = pieces.map_or(Some(Army::Untouched), |pieces| {
        whole_army(pieces, depth, &name)
    })?;
    Some((at, Individual { name, army }))
}

fn whole_army(text: &str, depth: u8, owner: &Name) -> Option<Army> {
    let mut rest = text;
    let army = army(&mut rest, depth, owner)?;
    rest.is_empty().then_some(army)
}

/// Parses the sub-set of a piece of a game of this depth; never deeper than games go.
fn army(rest: &mut &str, depth: u8, owner: &Name) -> Option<Army> {
    if depth <= 1 {
        return roster(word(rest))
            .filter(|pieces| pieces.fits_in(Roster::FULL))
            .map(Army::of_pieces);
    }
    Some(Army::of_places(places(rest, depth, Some(owner))?, owner))
}

/// Parses individuals in braces; without an owner, all have full names.
fn places(rest: &mut &str, depth: u8, owner: Option<&Name>) -> Option<Places> {
    let mut places = Places::default();
    *rest = rest.strip_prefix('{')?;
    if let Some(behind) = rest.strip_prefix('}') {
        *rest = behind;
        return Some(places);
    }
    loop {
        let head = word(rest);
        let (on, reported) = head
            .split_once(':')
            .map_or((head, None), |(on, reported)| (on, Some(reported)));
        let place = SubSetPlace::of(square_named(on)?)?;
        let name = match (reported, owner) {
            (Some(reported), _) => name(reported)?,
            (None, Some(owner)) => owner.inner(Step::Square(place.square())),
            (None, None) => return None,
        };
        let army = match rest.strip_prefix('=') {
            Some(behind) => {
                *rest = behind;
                army(rest, depth - 1, &name)?
            }
            None => Army::Untouched,
        };
        let kind = name.steps().last().and_then(|step| step.role());
        if places.at(place).is_some() || places.find(&name).is_some() || kind != Some(place.role())
        {
            return None;
        }
        places.put(place, Individual { name, army });
        let (ends, behind) = (rest.strip_prefix('}'), rest.strip_prefix(','));
        *rest = ends.or(behind)?;
        if ends.is_some() {
            return Some(places);
        }
    }
}

/// The text before the next comma, brace or `=`.
fn word<'a>(rest: &mut &'a str) -> &'a str {
    let end = rest.find([',', '}', '=', '{']).unwrap_or(rest.len());
    let (word, behind) = rest.split_at(end);
    *rest = behind;
    word
}

/// Parses `setup w a2:e2/b2 -`: the individuals that have been set up.
fn placed(text: &str, inside: Range<usize>) -> Result<[Vec<(Square, Name)>; 2], FenError> {
    let words: Vec<_> = text[inside.clone()].split_whitespace().collect();
    let list = |list: &str| -> Option<Vec<(Square, Name)>> {
        if list == "-" {
            return Some(Vec::new());
        }
        let pair = |item: &str| {
            let (on, reported) = item.split_once(':')?;
            Some((square_named(on)?, name(reported)?))
        };
        list.split(',').map(pair).collect()
    };
    let read = match words[..] {
        ["setup", "w" | "b"] => Some([Vec::new(), Vec::new()]),
        ["setup", "w" | "b", white, black] => list(white).zip(list(black)).map(|(w, b)| [w, b]),
        _ => None,
    };
    let what =
        "a set-up is written like `setup w a2:e2/b2 -`: who stands where of White and of Black";
    read.map_or_else(|| fault(inside, what.into()), Ok)
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
        ["settle", parts] if depth > 1 && parts.contains('{') => parts
            .split_once(':')
            .and_then(|(on, reported)| settled(on, pieces(reported, depth)?, level)),
        ["consolidate", reported] if depth > 1 => pieces(reported, depth)
            .filter(|(_, rest)| rest.is_empty())
            .map(|(roster, _)| {
                (
                    PhaseSetup::Giving(roster.roster(), None),
                    Open::Hand(of_all(&roster)),
                )
            }),
        _ => Some((phase(text, open.clone(), level)?, Open::Nothing)),
    };
    let Some((phase, also)) = read else {
        let clipped = clip(&text[open.clone()]);
        return Ok(fault(
            open,
            format!("`{clipped}` is nothing that can be open"),
        )?);
    };
    level.phase = phase;
    level.open = also;
    Ok(())
}

/// Individuals without an owner, and the text after them.
fn pieces(text: &str, depth: u8) -> Option<(Places, &str)> {
    let mut rest = text;
    let roster = places(&mut rest, depth, None)?;
    Some((roster, rest))
}

fn of_all(places: &Places) -> Vec<(SubSetPlace, Individual)> {
    places
        .held()
        .filter_map(|place| Some((place, places.at(place)?.clone())))
        .collect()
}

/// Parses prisoners for the first of the squares, as far as there is room.
fn settled(
    on: &str,
    (pieces, rest): (Places, &str),
    level: &OverSetup,
) -> Option<(PhaseSetup, Open)> {
    let on = square_named(on)?;
    let holder = level
        .individuals
        .iter()
        .find(|(at, _)| *at == Standing::On(on))?;
    let fits = pieces.roster().common(holder.1.army.roster().room());
    let mut parts = vec![(on, fits)];
    for other in rest.split(',').skip(1) {
        parts.push((square_named(other)?, Roster::NONE));
    }
    let shaped = rest.is_empty() || rest.starts_with(',');
    shaped.then(|| (PhaseSetup::Settling(parts), Open::Captives(of_all(&pieces))))
}

fn sub_sets(text: &str, field: &Range<usize>) -> Result<Vec<(Square, Roster)>, FenError> {
    items(text, field)?
        .into_iter()
        .map(|item| sub_set(text, item))
        .collect()
}

/// Parses `d4=5P2R1N2B1Q`.
fn sub_set(text: &str, item: Range<usize>) -> Result<(Square, Roster), FenError> {
    let reported = &text[item.clone()];
    let read = reported
        .split_once('=')
        .and_then(|(on, pieces)| Some((square_named(on)?, roster(pieces)?)));
    read.map_or_else(
        || {
            fault(
                item,
                format!(
                    "a sub-set is written like `d4=5P2R1N2B1Q`, not `{}`",
                    clip(reported)
                ),
            )
        },
        Ok,
    )
}

/// Parses `e2xe4:n5P2R`, `e5xd6:p@d5`, `b7xa8:r=Q`.
fn contest(text: &str, item: Range<usize>) -> Result<ContestSetup, FenError> {
    let reported = &text[item.clone()];
    read_contest(reported).map_or_else(
        || {
            fault(
                item,
                format!(
                    "a contested square is written like `e2xe4:n5P2R`, not `{}`",
                    clip(reported)
                ),
            )
        },
        Ok,
    )
}

fn read_contest(reported: &str) -> Option<ContestSetup> {
    let (squares, rest) = reported.split_once(':')?;
    let (from, to) = squares.split_once('x')?;
    let (rest, promotion) = match rest.split_once('=') {
        Some((rest, role)) => (rest, Some(role)),
        None => (rest, None),
    };
    let promotion = match promotion {
        Some("Q") => Some(Role::Queen),
        Some("R") => Some(Role::Rook),
        Some("B") => Some(Role::Bishop),
        Some("N") => Some(Role::Knight),
        Some(_) => return None,
        None => None,
    };
    let (rest, victim) = match rest.split_once('@') {
        Some((rest, victim)) => (rest, Some(square_named(victim)?)),
        None => (rest, None),
    };
    let defender = Piece::from_letter(*rest.as_bytes().first()?)?;
    let pieces = if rest.len() == 1 {
        Roster::FULL
    } else {
        roster(rest.get(1..)?)?
    };
    let spares = Roster::NONE;
    Some(ContestSetup {
        from: square_named(from)?,
        to: square_named(to)?,
        defender,
        pieces,
        spares,
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
        let lists = reported
            .split_once('/')
            .and_then(|(white, black)| Some([roster(white)?, roster(black)?]));
        let Some(lists) = lists else {
            let what = format!(
                "the spares of the teams are written like `2P1N/3P`, not `{}`",
                clip(reported)
            );
            return fault(field.clone(), what);
        };
        setup.spares = SparesSetup::Team(lists.into());
        return Ok(());
    }
    let mut each = Vec::new();
    for item in items(text, field)? {
        let reported = &text[item.clone()];
        let read = reported
            .split_once(':')
            .and_then(|(on, pieces)| Some((on, roster(pieces)?)));
        let attacked =
            read.and_then(|(on, pieces)| Some((square_named(on.strip_prefix('x')?)?, pieces)));
        if let Some((on, pieces)) = attacked
            && let Some(contest) = setup.contested.iter_mut().find(|contest| contest.to == on)
        {
            contest.spares = pieces;
        } else if let Some((on, pieces)) =
            read.and_then(|(on, pieces)| Some((square_named(on)?, pieces)))
        {
            each.push((on, pieces));
        } else {
            return fault(
                item,
                format!("spares are written like `a2:1P`, not `{}`", clip(reported)),
            );
        }
    }
    setup.spares = SparesSetup::Set(each);
    Ok(())
}

/// Parses the contents of the braces: `e4: setup w`, `e4: setup b PPPPPPPP/RNBQKBNR`, `e4: <FEN>`, `settle e4:2P,e2`,
/// `reserve d4`, `consolidate 5P2R`, `consolidate 5P2R P:d2`.
fn phase(text: &str, open: Range<usize>, setup: &OverSetup) -> Result<PhaseSetup, PositionError> {
    let reported = &text[open.clone()];
    let words: Vec<_> = reported
        .split(' ')
        .filter(|word| !word.is_empty())
        .take(8)
        .collect();
    let wrong = || {
        Ok(fault(
            open.clone(),
            format!("`{}` is nothing that can be open", clip(reported)),
        )?)
    };
    match words[..] {
        ["reserve", on] => square_named(on).map_or_else(wrong, |on| Ok(PhaseSetup::OverFrom(on))),
        ["settle", parts] => {
            let parts: Option<Vec<_>> = parts.split(',').take(3).map(settled_part).collect();
            parts.map_or_else(wrong, |parts| Ok(PhaseSetup::Settling(parts)))
        }
        ["consolidate", pieces] => {
            roster(pieces).map_or_else(wrong, |pieces| Ok(PhaseSetup::Giving(pieces, None)))
        }
        ["consolidate", pieces, last] => match (roster(pieces), last_given(last)) {
            (Some(pieces), Some(last)) => Ok(PhaseSetup::Giving(pieces, Some(last))),
            _ => wrong(),
        },
        [on, ..] => {
            let first = setup.contested.first().map(|contest| contest.to);
            if on.strip_suffix(':').and_then(square_named) != first || first.is_none() {
                return wrong();
            }
            let from = open.start + reported.find(':').map_or(0, |colon| colon + 1);
            sub_phase(text, from..open.end, &words[1..])
        }
        [] => wrong(),
    }
}

fn settled_part(part: &str) -> Option<(Square, Roster)> {
    match part.split_once(':') {
        Some((on, pieces)) => Some((square_named(on)?, roster(pieces)?)),
        None => Some((square_named(part)?, Roster::NONE)),
    }
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
    match words {
        ["setup", "w"] => return Ok(PhaseSetup::Setup(None)),
        ["setup", "b", pieces] => match arrangement(pieces) {
            Some(pieces) => return Ok(PhaseSetup::Setup(Some(pieces))),
            None => {
                let what = format!(
                    "a set-up is written like `PPP2PPP/RNBQKBNR`, not `{}`",
                    clip(pieces)
                );
                return Ok(fault(inside, what)?);
            }
        },
        _ => {}
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
