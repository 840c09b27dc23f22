//! Positions of depth 2 and more out of text.

use super::{
    super::{
        castling, clip, contest, counter, crossed, fault, items, phase, placement, read_spares, square,
        squares, turn,
    },
    FORM, name,
    position::{expected, position},
};
use crate::{fen::FenFault, notation::Unusable, overchess::roster};
use overboard_rules::{
    overchess::{
        Options, OverSetup, PhaseSetup, Reserves, Roster, SparesSetup,
        deep::{Army, Deep, DeepSetup, Individual, Name, Open, Place, Places, Standing, Step},
    },
    square::{Role, Side, Square},
};
use std::ops::Range;

/// Reads a position of this depth under these options; answers also whether its form had to be forgiven.
///
/// # Errors
/// What is wrong with the text, or why it is no position.
pub fn read(text: &str, depth: u8, options: Options) -> Result<(Deep, bool), Unusable> {
    let setup = setup(text, depth, options, None)?;
    let deep =
        Deep::from_setup(depth, options, &setup).map_err(|unfit| Unusable::Mega(unfit.words, unfit.rule))?;
    let lenient = position(&deep) != text;
    Ok((deep, lenient))
}

/// Reads the first position of a sub-game that is an over-game of this depth; the pieces of these names
/// stand for its sides.
///
/// # Errors
/// What is wrong with the text.
pub fn block(text: &str, depth: u8, options: Options, owners: [Name; 2]) -> Result<DeepSetup, Unusable> {
    setup(text, depth, Options { reserves: Reserves::None, ..options }, Some(owners))
}

/// Games inside games are read one after the other, the outermost first.
fn setup(
    text: &str,
    depth: u8,
    options: Options,
    mut owners: Option<[Name; 2]>,
) -> Result<DeepSetup, Unusable> {
    let mut levels: Vec<DeepSetup> = Vec::new();
    let mut rest = 0..text.len();
    let mut depth = depth.max(1);
    loop {
        let (fields, open) = split(text, rest)?;
        let mut level = level(text, &fields, depth, options, owners.as_ref())?;
        let inside = open.clone().filter(|_| depth > 1).and_then(|open| inside(text, open, &level));
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
    let inmost = levels.pop().map_or_else(|| Ok(fault(0..text.len(), FORM.into())?), Ok::<_, Unusable>)?;
    Ok(levels
        .into_iter()
        .rev()
        .fold(inmost, |inner, outer| DeepSetup { open: Open::Nested(Box::new(inner)), ..outer }))
}

/// Where the fields stand, and what is in braces behind them.
type Parts = (Vec<Range<usize>>, Option<Range<usize>>);

/// The nine fields, and what stands in braces behind them.
fn split(text: &str, within: Range<usize>) -> Result<Parts, FenFault> {
    let mut fields = Vec::new();
    let mut at = within.start;
    while fields.len() < 9 {
        let rest = &text[at..within.end];
        at += rest.len() - rest.trim_start_matches(' ').len();
        let length = text[at..within.end].find(' ').unwrap_or(within.end - at);
        if length == 0 {
            let found = fields.len();
            return fault(within, format!("{FORM}; this has {found} fields"));
        }
        fields.push(at..at + length);
        at += length;
    }
    let rest = text[at..within.end].trim();
    if rest.is_empty() {
        return Ok((fields, None));
    }
    let from = at + text[at..within.end].find(rest).unwrap_or(0);
    if rest.len() < 2 || !rest.starts_with('{') || !rest.ends_with('}') {
        return fault(from..from + rest.len(), "what is open stands in braces".into());
    }
    Ok((fields, Some(from + 1..from + rest.len() - 1)))
}

/// What stands behind the contested square where a game inside, or its set-up, is open.
fn inside(text: &str, open: Range<usize>, level: &DeepSetup) -> Option<Range<usize>> {
    let told = &text[open.clone()];
    let colon = told.find(':')?;
    let on = square(told[..colon].trim())?;
    (level.over.contested.first()?.to == on).then_some(open.start + colon + 1..open.end)
}

/// The names of the pieces that fight for the first contested square.
fn parties(level: &DeepSetup) -> Option<[Name; 2]> {
    let on = level.over.contested.first()?.to;
    let find = |wanted: Standing| {
        let found = level.individuals.iter().find(|(standing, _)| *standing == wanted);
        found.map(|(_, one)| one.name.clone())
    };
    Some([find(Standing::On(on))?, find(Standing::Attacked(on))?])
}

fn level(
    text: &str,
    fields: &[Range<usize>],
    depth: u8,
    options: Options,
    owners: Option<&[Name; 2]>,
) -> Result<DeepSetup, Unusable> {
    let [men, side, rights, passing, half, full, sets, contested, spares] = fields else {
        return Ok(fault(0..text.len(), FORM.into())?);
    };
    let mut over = OverSetup {
        pieces: placement(text, men)?,
        turn: turn(text, side)?,
        castling: castling(text, rights)?,
        en_passant: crossed(text, passing)?,
        halfmove: counter(text, half, "over-moves since a capture or pawn move")?,
        fullmove: counter(text, full, "the number of the over-move")?,
        sets: Vec::new(),
        contested: items(text, contested)?
            .into_iter()
            .map(|item| contest(text, item))
            .collect::<Result<_, _>>()?,
        spares: SparesSetup::None,
        phase: PhaseSetup::Over,
    };
    let options = if owners.is_some() { Options { reserves: Reserves::None, ..options } } else { options };
    read_spares(text, spares, options, &mut over)?;
    let individuals = individuals(text, sets, depth, &over, owners)?;
    Ok(DeepSetup { over, individuals, open: Open::Nothing })
}

/// All who stand on the board or are attacked: those of the list, and who is expected elsewhere.
fn individuals(
    text: &str,
    field: &Range<usize>,
    depth: u8,
    over: &OverSetup,
    owners: Option<&[Name; 2]>,
) -> Result<Vec<(Standing, Individual)>, FenFault> {
    let pieces = squares().zip(over.pieces).filter_map(|(on, piece)| Some((Standing::On(on), on, piece?)));
    let attacked = over.contested.iter().map(|contest| {
        let on = contest.victim.unwrap_or(contest.to);
        (Standing::Attacked(contest.to), on, contest.defender)
    });
    let all = pieces.chain(attacked).filter(|(.., piece)| piece.role != Role::King);
    let standing: Vec<(Standing, Square, Side)> = all.map(|(at, on, piece)| (at, on, piece.side)).collect();
    let mut told = Vec::new();
    for item in braced_items(text, field) {
        let read = individual(&text[item.clone()], depth, &standing, owners);
        let Some((at, one)) = read.filter(|(at, _)| told.iter().all(|(other, _)| other != at)) else {
            let clipped = clip(&text[item.clone()]);
            return fault(
                item,
                format!(
                    "individuals are written once each like `e4:e2={{a2:e7/c2,b2}}` or `e4=5P2R`, not `{clipped}`"
                ),
            );
        };
        told.push((at, one));
    }
    for (at, on, side) in standing {
        if told.iter().any(|(other, _)| *other == at) {
            continue;
        }
        let Some(name) = expected(&owners.cloned(), side, on) else {
            return fault(field.clone(), format!("it is not told who stands on {on}"));
        };
        told.push((at, Individual { name, army: Army::Untouched }));
    }
    Ok(told)
}

/// The items of a list with commas, outside of braces; none for `-`.
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

/// `e4:e2={…}`, `xe4:e7=5P`.
fn individual(
    item: &str,
    depth: u8,
    standing: &[(Standing, Square, Side)],
    owners: Option<&[Name; 2]>,
) -> Option<(Standing, Individual)> {
    let (head, men) = item.split_once('=').map_or((item, None), |(head, men)| (head, Some(men)));
    let (seat, told) = head.split_once(':').map_or((head, None), |(seat, told)| (seat, Some(told)));
    let at = match seat.strip_prefix('x') {
        Some(on) => Standing::Attacked(square(on)?),
        None => Standing::On(square(seat)?),
    };
    let (_, on, side) = standing.iter().find(|(other, ..)| *other == at)?;
    let name = match told {
        Some(told) => name(told)?,
        None => expected(&owners.cloned(), *side, *on)?,
    };
    let army = men.map_or(Some(Army::Untouched), |men| whole_army(men, depth, &name))?;
    Some((at, Individual { name, army }))
}

fn whole_army(text: &str, depth: u8, owner: &Name) -> Option<Army> {
    let mut rest = text;
    army(&mut rest, depth, owner).filter(|_| rest.is_empty())
}

/// The sub-set of a piece of a game of this depth; never deeper than games go.
fn army(rest: &mut &str, depth: u8, owner: &Name) -> Option<Army> {
    if depth <= 1 {
        return roster(word(rest)).filter(|men| men.fits_in(Roster::FULL)).map(Army::of_men);
    }
    Some(Army::of_places(places(rest, depth, Some(owner))?, owner))
}

/// Individuals in braces; those of nobody are all named.
fn places(rest: &mut &str, depth: u8, owner: Option<&Name>) -> Option<Places> {
    let mut places = Places::default();
    *rest = rest.strip_prefix('{')?;
    if let Some(behind) = rest.strip_prefix('}') {
        *rest = behind;
        return Some(places);
    }
    loop {
        let head = word(rest);
        let (on, told) = head.split_once(':').map_or((head, None), |(on, told)| (on, Some(told)));
        let place = Place::of(square(on)?)?;
        let name = match (told, owner) {
            (Some(told), _) => name(told)?,
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
        if places.at(place).is_some() || places.find(&name).is_some() || kind != Some(place.role()) {
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

/// What stands before the next comma, brace or `=`.
fn word<'a>(rest: &mut &'a str) -> &'a str {
    let end = rest.find([',', '}', '=', '{']).unwrap_or(rest.len());
    let (word, behind) = rest.split_at(end);
    *rest = behind;
    word
}

/// `setup w a2:e2/b2 -`: who is set up already.
fn placed(text: &str, inside: Range<usize>) -> Result<[Vec<(Square, Name)>; 2], FenFault> {
    let words: Vec<_> = text[inside.clone()].split_whitespace().collect();
    let list = |list: &str| -> Option<Vec<(Square, Name)>> {
        if list == "-" {
            return Some(Vec::new());
        }
        let pair = |item: &str| {
            let (on, told) = item.split_once(':')?;
            Some((square(on)?, name(told)?))
        };
        list.split(',').map(pair).collect()
    };
    let read = match words[..] {
        ["setup", "w" | "b"] => Some([Vec::new(), Vec::new()]),
        ["setup", "w" | "b", white, black] => list(white).zip(list(black)).map(|(w, b)| [w, b]),
        _ => None,
    };
    let what = "a set-up is written like `setup w a2:e2/b2 -`: who stands where of White and of Black";
    read.map_or_else(|| fault(inside, what.into()), Ok)
}

/// What else is open on a board: `settle e4:{…}`, `consolidate {…}`, or as at depth 1.
fn read_open(text: &str, open: Range<usize>, depth: u8, level: &mut DeepSetup) -> Result<(), Unusable> {
    let words: Vec<_> = text[open.clone()].split_whitespace().take(4).collect();
    let read = match words[..] {
        ["settle", parts] if depth > 1 && parts.contains('{') => {
            parts.split_once(':').and_then(|(on, told)| settled(on, men(told, depth)?, level))
        }
        ["consolidate", told] if depth > 1 => men(told, depth)
            .filter(|(_, rest)| rest.is_empty())
            .map(|(men, _)| (PhaseSetup::Giving(men.roster(), None), Open::Hand(of_all(&men)))),
        _ => Some((phase(text, open.clone(), &level.over)?, Open::Nothing)),
    };
    let Some((phase, also)) = read else {
        let clipped = clip(&text[open.clone()]);
        return Ok(fault(open, format!("`{clipped}` is nothing that can be open"))?);
    };
    level.over.phase = phase;
    level.open = also;
    Ok(())
}

/// Individuals of nobody, and what stands behind them.
fn men(text: &str, depth: u8) -> Option<(Places, &str)> {
    let mut rest = text;
    let men = places(&mut rest, depth, None)?;
    Some((men, rest))
}

fn of_all(places: &Places) -> Vec<(Place, Individual)> {
    places.held().filter_map(|place| Some((place, places.at(place)?.clone()))).collect()
}

/// Prisoners for the first of the squares, as far as there is room.
fn settled(on: &str, (men, rest): (Places, &str), level: &DeepSetup) -> Option<(PhaseSetup, Open)> {
    let on = square(on)?;
    let holder = level.individuals.iter().find(|(at, _)| *at == Standing::On(on))?;
    let fits = men.roster().common(holder.1.army.roster().room());
    let mut parts = vec![(on, fits)];
    for other in rest.split(',').skip(1) {
        parts.push((square(other)?, Roster::NONE));
    }
    let shaped = rest.is_empty() || rest.starts_with(',');
    shaped.then(|| (PhaseSetup::Settling(parts), Open::Captives(of_all(&men))))
}
