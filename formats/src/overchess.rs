//! How positions and plies of Overchess are written.

use crate::{
    fen::{self, AsFen, Fen, FenFault, castling, clip, counter, fault, placement, turn, write_rank},
    notation::{Notation, Unusable},
    san::{CHESS, PlyText, Spelt, Suffix},
};
use overboard_pictures::diagram::{Cell, Diagram, Man, Mark, Panel};
use overboard_rules::{
    chess::Chess,
    laws::chess as regular,
    outcome::Cause,
    overchess::{
        Arrangement, ContestSetup, Contested, Drawn, Due, KINDS, Options, Over, OverPiece, OverSetup,
        PhaseSetup, Ply, Reserves, Roster, SparesSetup,
    },
    refusal::list,
    square::{Piece, Role, Side, Square},
    variant::{OptionValue, RuleOption, Sample, Spelling, VariantInfo},
};
use std::{
    fmt::{self, Write},
    ops::Range,
};

pub mod deep;
mod rosters;
#[cfg(test)]
mod tests;

/// Overchess in words.
pub static INFO: VariantInfo = VariantInfo {
    name: "Overchess",
    in_words: "Overchess",
    spellings: &[Spelling::new("overchess")],
    arguments: &["overchess"],
    options: &[
        RuleOption { name: "fog", value: OptionValue::Switch },
        RuleOption { name: "prisoners", value: OptionValue::Switch },
        RuleOption { name: "consolidation", value: OptionValue::Switch },
        RuleOption { name: "subdraw", value: OptionValue::OneOf(&["attacker", "defender", "both"]) },
        RuleOption { name: "reserves", value: OptionValue::Text(is_reserve_list) },
        RuleOption { name: "depth", value: OptionValue::Text(|depth| depth.parse::<u32>().is_ok()) },
    ],
    has_levels: false,
    has_boards: false,
    has_roles: true,
    counts_kings: false,
    samples: &[
        Sample::PLAIN,
        Sample::under("prisoners:consolidation:reserves=team/2P1N/3P"),
        Sample::under("fog:consolidation:subdraw=both:reserves=set/1P/1N"),
        Sample::under("depth=2"),
        Sample::under("depth=2:fog:prisoners:consolidation:subdraw=defender:reserves=team/2P1N/3P"),
        Sample::under("depth=3:prisoners"),
    ],
};

/// `team/2P1N/3P` or `set/1P`: whose the spares are, then one list for both sides or one for each.
fn is_reserve_list(text: &str) -> bool {
    let mut parts = text.split('/');
    let owner = matches!(parts.next(), Some("team" | "set"));
    let lists: Vec<_> = parts.collect();
    let is_list = |list: &&str| {
        let mut digits = 0;
        !list.is_empty()
            && list.ends_with(|c: char| "PNBRQ".contains(c))
            && list.chars().all(|c| {
                digits = if c.is_ascii_digit() { digits + 1 } else { 0 };
                digits <= 2 && (c.is_ascii_digit() || "PNBRQ".contains(c))
            })
    };
    owner && matches!(lists.len(), 1 | 2) && lists.iter().all(is_list)
}

/// How the text of a position is made.
pub const FORM: &str = "an over-position has nine fields, `placement side castling en-passant half full sub-sets contested spares`, then in braces what is open, such as `{e4: <FEN>}`";

/// The order in which rosters are written.
pub(crate) const ORDER: [Role; 5] = [Role::Pawn, Role::Rook, Role::Knight, Role::Bishop, Role::Queen];

// Options.

/// The depth that rules such as the tag Rules holds ask for; 1 where they say nothing.
#[must_use]
pub fn depth(rules: &str) -> u32 {
    let told = rules.split(':').find_map(|item| item.strip_prefix("depth="));
    told.and_then(|depth| depth.parse().ok()).unwrap_or(1)
}

/// The options that rules such as the tag Rules holds declare; what is unknown is passed over.
#[must_use]
pub fn options(rules: &str) -> Options {
    let mut options = Options::default();
    for item in rules.split(':') {
        match item.split_once('=').unwrap_or((item, "")) {
            ("fog", "") => options.fog = true,
            ("prisoners", "") => options.prisoners = true,
            ("consolidation", "") => options.consolidation = true,
            ("subdraw", "defender") => options.drawn = Drawn::AttackerLeaves,
            ("subdraw", "both") => options.drawn = Drawn::BothLeave,
            ("reserves", agreed) => options.reserves = reserves(agreed),
            _ => {}
        }
    }
    options
}

/// `team/2P1N/3P`, `set/1P`.
fn reserves(agreed: &str) -> Reserves {
    let mut parts = agreed.split('/');
    let owner = parts.next();
    let white = parts.next().and_then(roster).unwrap_or_default();
    let black = parts.next().map_or(Some(white), roster).unwrap_or_default();
    match owner {
        Some("team") => Reserves::Team([white, black]),
        Some("set") => Reserves::Set([white, black]),
        _ => Reserves::None,
    }
}

// Rosters and set-ups.

/// The roster of a text such as `5P2R1N2B1Q`, kinds in any order and each once; `0` is nobody.
#[must_use]
pub fn roster(text: &str) -> Option<Roster> {
    if text == "0" {
        return Some(Roster::NONE);
    }
    let mut men = Roster::NONE;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let role = Role::from_letter(*rest.as_bytes().get(digits)?).filter(|role| KINDS.contains(role))?;
        let count = if digits == 0 { 1 } else { rest[..digits].parse().ok().filter(|count| *count > 0)? };
        if men.count(role) > 0 {
            return None;
        }
        men = men.with(role, count);
        rest = &rest[digits + 1..];
    }
    (!men.is_none()).then_some(men)
}

/// A roster as it is written.
#[derive(Clone, Copy, Debug)]
pub struct AsRoster(pub Roster);

impl fmt::Display for AsRoster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for role in ORDER {
            match self.0.count(role) {
                0 => {}
                count => write!(f, "{count}{}", role.letter())?,
            }
        }
        if self.0.is_none() { f.write_char('0') } else { Ok(()) }
    }
}

/// The set-up of a text such as `PPP2PPP/RNBQKBNR`: the second rank, then the first, files a to h.
#[must_use]
pub fn arrangement(text: &str) -> Option<Arrangement> {
    let (pawns, officers) = text.split_once('/')?;
    let pawns = files(pawns, |_, letter| letter == b'P')?;
    let officers = files(officers, |file, letter| letter == b"RNBQKBNR"[file])?;
    Some(Arrangement { pawns, officers })
}

/// The files of a rank on which a man stands who is regular there.
fn files(rank: &str, regular: impl Fn(usize, u8) -> bool) -> Option<u8> {
    let mut set = 0;
    let mut file = 0;
    for letter in rank.bytes() {
        match letter {
            b'1'..=b'8' => file += usize::from(letter - b'0'),
            _ if file < 8 && regular(file, letter) => {
                set |= 1 << file;
                file += 1;
            }
            _ => return None,
        }
    }
    (file == 8).then_some(set)
}

/// A set-up as it is written.
#[derive(Clone, Copy, Debug)]
pub struct AsArrangement(pub Arrangement);

impl fmt::Display for AsArrangement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = |set: u8, men: [char; 8]| {
            (0..8).zip(men).map(move |(file, man)| (set >> file & 1 == 1).then_some(man))
        };
        write_rank(f, rank(self.0.pawns, ['P'; 8]), |f, man| f.write_char(man))?;
        f.write_char('/')?;
        write_rank(f, rank(self.0.officers, ['R', 'N', 'B', 'Q', 'K', 'B', 'N', 'R']), |f, man| {
            f.write_char(man)
        })
    }
}

/// The square that a text names.
#[must_use]
pub fn square(text: &str) -> Option<Square> {
    match text.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Square::new(file - b'a', rank - b'1')),
        _ => None,
    }
}

// Positions as text.

/// Reads a position under these options; answers also whether its form had to be forgiven.
///
/// # Errors
/// What is wrong with the text, or why it is no position.
pub fn read(text: &str, options: Options) -> Result<(Over, bool), Unusable> {
    let (head, open) = braces(text)?;
    let fields = fields(&text[head]);
    let [men, side, rights, passing, half, full, sets, contested, spares] = &fields[..] else {
        let found = fields.len();
        return Ok(fault(0..text.len(), format!("{FORM}; this has {found} fields"))?);
    };
    let mut setup = OverSetup {
        pieces: placement(text, men)?,
        turn: turn(text, side)?,
        castling: castling(text, rights)?,
        en_passant: crossed(text, passing)?,
        halfmove: counter(text, half, "over-moves since a capture or pawn move")?,
        fullmove: counter(text, full, "the number of the over-move")?,
        sets: items(text, sets)?.into_iter().map(|item| sub_set(text, item)).collect::<Result<_, _>>()?,
        contested: items(text, contested)?
            .into_iter()
            .map(|item| contest(text, item))
            .collect::<Result<_, _>>()?,
        spares: SparesSetup::None,
        phase: PhaseSetup::Over,
    };
    read_spares(text, spares, options, &mut setup)?;
    if let Some(open) = open {
        setup.phase = phase(text, open, &setup)?;
    }
    let position =
        Over::from_setup(options, &setup).map_err(|unfit| Unusable::Mega(unfit.words, unfit.rule))?;
    let lenient = self::position(&position) != text;
    Ok((position, lenient))
}

/// The nine fields, and what stands in braces behind them.
fn braces(text: &str) -> Result<(Range<usize>, Option<Range<usize>>), FenFault> {
    let Some(from) = text.find('{') else { return Ok((0..text.len(), None)) };
    let Some(inside) = text[from + 1..].trim_end().strip_suffix('}') else {
        return fault(from..text.len(), "`}` was expected at the end of the position".into());
    };
    Ok((0..from, Some(from + 1..from + 1 + inside.len())))
}

fn fields(text: &str) -> Vec<Range<usize>> {
    let mut fields = Vec::new();
    let mut at = 0;
    for word in text.split(' ') {
        if !word.is_empty() && fields.len() < 12 {
            fields.push(at..at + word.len());
        }
        at += word.len() + 1;
    }
    fields
}

/// The items of a list with commas; none for `-`.
fn items(text: &str, field: &Range<usize>) -> Result<Vec<Range<usize>>, FenFault> {
    let list = &text[field.clone()];
    if list == "-" {
        return Ok(Vec::new());
    }
    let mut at = field.start;
    let mut items = Vec::new();
    for item in list.split(',') {
        if items.len() >= 64 {
            return fault(at..field.end, "there are no more than 64 squares".into());
        }
        items.push(at..at + item.len());
        at += item.len() + 1;
    }
    Ok(items)
}

fn crossed(text: &str, field: &Range<usize>) -> Result<Option<Square>, FenFault> {
    match (&text[field.clone()], square(&text[field.clone()])) {
        ("-", _) => Ok(None),
        (_, Some(on)) if matches!(on.rank, 2 | 5) => Ok(Some(on)),
        (other, _) => {
            let what =
                format!("the en passant square is `-` or on the third or sixth rank, not `{}`", clip(other));
            fault(field.clone(), what)
        }
    }
}

/// `d4=5P2R1N2B1Q`.
fn sub_set(text: &str, item: Range<usize>) -> Result<(Square, Roster), FenFault> {
    let told = &text[item.clone()];
    let read = told.split_once('=').and_then(|(on, men)| Some((square(on)?, roster(men)?)));
    read.map_or_else(
        || fault(item, format!("a sub-set is written like `d4=5P2R1N2B1Q`, not `{}`", clip(told))),
        Ok,
    )
}

/// `e2xe4:n5P2R`, `e5xd6:p@d5`, `b7xa8:r=Q`.
fn contest(text: &str, item: Range<usize>) -> Result<ContestSetup, FenFault> {
    let told = &text[item.clone()];
    read_contest(told).map_or_else(
        || fault(item, format!("a contested square is written like `e2xe4:n5P2R`, not `{}`", clip(told))),
        Ok,
    )
}

fn read_contest(told: &str) -> Option<ContestSetup> {
    let (squares, rest) = told.split_once(':')?;
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
        Some((rest, victim)) => (rest, Some(square(victim)?)),
        None => (rest, None),
    };
    let defender = Piece::from_letter(*rest.as_bytes().first()?)?;
    let men = if rest.len() == 1 { Roster::FULL } else { roster(rest.get(1..)?)? };
    let spares = Roster::NONE;
    Some(ContestSetup { from: square(from)?, to: square(to)?, defender, men, spares, victim, promotion })
}

/// `2P1N/3P`, or `a2:1P,b7:2P` with `xe4:1P` for the attacked over-piece of a contested square.
fn read_spares(
    text: &str,
    field: &Range<usize>,
    options: Options,
    setup: &mut OverSetup,
) -> Result<(), FenFault> {
    let told = &text[field.clone()];
    if told == "-" {
        return Ok(());
    }
    if !matches!(options.reserves, Reserves::Set(_)) {
        let lists = told.split_once('/').and_then(|(white, black)| Some([roster(white)?, roster(black)?]));
        let Some(lists) = lists else {
            let what = format!("the spares of the teams are written like `2P1N/3P`, not `{}`", clip(told));
            return fault(field.clone(), what);
        };
        setup.spares = SparesSetup::Team(lists);
        return Ok(());
    }
    let mut each = Vec::new();
    for item in items(text, field)? {
        let told = &text[item.clone()];
        let read = told.split_once(':').and_then(|(on, men)| Some((on, roster(men)?)));
        let attacked = read.and_then(|(on, men)| Some((square(on.strip_prefix('x')?)?, men)));
        if let Some((on, men)) = attacked
            && let Some(contest) = setup.contested.iter_mut().find(|contest| contest.to == on)
        {
            contest.spares = men;
        } else if let Some((on, men)) = read.and_then(|(on, men)| Some((square(on)?, men))) {
            each.push((on, men));
        } else {
            return fault(item, format!("spares are written like `a2:1P`, not `{}`", clip(told)));
        }
    }
    setup.spares = SparesSetup::Set(each);
    Ok(())
}

/// What stands in the braces: `e4: setup w`, `e4: setup b PPPPPPPP/RNBQKBNR`, `e4: <FEN>`, `settle e4:2P,e2`,
/// `reserve d4`, `consolidate 5P2R`, `consolidate 5P2R P:d2`.
fn phase(text: &str, open: Range<usize>, setup: &OverSetup) -> Result<PhaseSetup, Unusable> {
    let told = &text[open.clone()];
    let words: Vec<_> = told.split(' ').filter(|word| !word.is_empty()).take(8).collect();
    let wrong = || Ok(fault(open.clone(), format!("`{}` is nothing that can be open", clip(told)))?);
    match words[..] {
        ["reserve", on] => square(on).map_or_else(wrong, |on| Ok(PhaseSetup::OverFrom(on))),
        ["settle", parts] => {
            let parts: Option<Vec<_>> = parts.split(',').take(3).map(settled_part).collect();
            parts.map_or_else(wrong, |parts| Ok(PhaseSetup::Settling(parts)))
        }
        ["consolidate", men] => roster(men).map_or_else(wrong, |men| Ok(PhaseSetup::Giving(men, None))),
        ["consolidate", men, last] => match (roster(men), last_given(last)) {
            (Some(men), Some(last)) => Ok(PhaseSetup::Giving(men, Some(last))),
            _ => wrong(),
        },
        [on, ..] => {
            let first = setup.contested.first().map(|contest| contest.to);
            if on.strip_suffix(':').and_then(square) != first || first.is_none() {
                return wrong();
            }
            let from = open.start + told.find(':').map_or(0, |colon| colon + 1);
            sub_phase(text, from..open.end, &words[1..])
        }
        [] => wrong(),
    }
}

fn settled_part(part: &str) -> Option<(Square, Roster)> {
    match part.split_once(':') {
        Some((on, men)) => Some((square(on)?, roster(men)?)),
        None => Some((square(part)?, Roster::NONE)),
    }
}

fn last_given(text: &str) -> Option<(Role, Square)> {
    let (role, on) = text.split_once(':')?;
    let role = role.bytes().next().filter(|_| role.len() == 1).and_then(Role::from_letter)?;
    Some((role, square(on)?))
}

fn sub_phase(text: &str, inside: Range<usize>, words: &[&str]) -> Result<PhaseSetup, Unusable> {
    match words {
        ["setup", "w"] => return Ok(PhaseSetup::Setup(None)),
        ["setup", "b", men] => match arrangement(men) {
            Some(men) => return Ok(PhaseSetup::Setup(Some(men))),
            None => {
                let what = format!("a set-up is written like `PPP2PPP/RNBQKBNR`, not `{}`", clip(men));
                return Ok(fault(inside, what)?);
            }
        },
        _ => {}
    }
    let told = text[inside.clone()].trim();
    let start = inside.start + text[inside.clone()].find(told).unwrap_or(0);
    let (plain, promoted) = without_marks(told);
    let shift = |FenFault { what, .. }: FenFault| FenFault { what, bytes: start..start + told.len() };
    let setup = Fen::parse(&plain).map_err(shift)?.setup;
    let chess = Chess::from_setup(&setup)
        .map_err(|why| Unusable::Mega(format!("the sub-game: {}", list(why, "and")), &regular::SET_UP))?;
    Ok(PhaseSetup::Sub(Box::new(chess), promoted))
}

/// A FEN without the marks `~` of promoted men, and the squares that had one.
fn without_marks(text: &str) -> (String, Vec<Square>) {
    let (men, rest) = text.split_at(text.find(' ').unwrap_or(text.len()));
    let mut promoted = Vec::new();
    let mut plain = String::with_capacity(text.len());
    let (mut rank, mut file) = (7_u8, 0_u8);
    for letter in men.chars() {
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

/// All squares in the order of positions: a1, b1, … h8.
fn squares() -> impl Iterator<Item = Square> {
    (0..8).flat_map(|rank| (0..8).map(move |file| Square::new(file, rank)))
}

/// The text of a position.
#[must_use]
pub fn position(over: &Over) -> String {
    let mut text = String::new();
    // Memory can be written.
    let _ = write_position(over, &mut text);
    text
}

fn write_position(over: &Over, out: &mut String) -> fmt::Result {
    write_board(over, out)?;
    write_list(out, squares().filter_map(|on| incomplete(over, on)))?;
    out.push(' ');
    write_list(out, over.contested().map(|contest| AsContest(contest).to_string()))?;
    out.push(' ');
    write_spares(over, out)?;
    write_open(over, out)
}

/// The six fields of FEN, and a space.
fn write_board(over: &Over, out: &mut String) -> fmt::Result {
    for rank in (0..8).rev() {
        let men = (0..8).map(|file| over.piece_at(Square::new(file, rank)));
        write_rank(out, men, |out, man| out.write_char(man.piece.letter()))?;
        out.push_str(if rank > 0 { "/" } else { "" });
    }
    out.push_str(if over.turn() == Side::White { " w " } else { " b " });
    let rights = ["K", "Q", "k", "q"].into_iter().zip(over.castling()).filter(|(_, right)| *right);
    let before = out.len();
    out.extend(rights.map(|(letter, _)| letter));
    out.push_str(if out.len() == before { "- " } else { " " });
    match over.en_passant() {
        Some(on) => write!(out, "{on}")?,
        None => out.push('-'),
    }
    write!(out, " {} {} ", over.halfmove(), over.fullmove())
}

fn incomplete(over: &Over, on: Square) -> Option<String> {
    let there =
        over.piece_at(on).filter(|there| there.piece.role != Role::King && there.men != Roster::FULL)?;
    Some(format!("{on}={}", AsRoster(there.men)))
}

fn write_list(out: &mut String, items: impl Iterator<Item = String>) -> fmt::Result {
    let start = out.len();
    for item in items {
        write!(out, "{}{item}", if out.len() == start { "" } else { "," })?;
    }
    if out.len() == start { out.write_char('-') } else { Ok(()) }
}

/// A contested square without the men of who is attacked.
fn contest_parts(contest: &Contested) -> String {
    let defender = OverPiece { men: Roster::FULL, ..contest.defender };
    AsContest(Contested { defender, ..*contest }).to_string()
}

struct AsContest(Contested);

impl fmt::Display for AsContest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contested { from, to, defender, victim, promotion } = self.0;
        write!(f, "{from}x{to}:{}", defender.piece.letter())?;
        if defender.men != Roster::FULL {
            write!(f, "{}", AsRoster(defender.men))?;
        }
        if let Some(victim) = victim {
            write!(f, "@{victim}")?;
        }
        promotion.map_or(Ok(()), |role| write!(f, "={}", role.letter()))
    }
}

fn write_spares(over: &Over, out: &mut String) -> fmt::Result {
    match over.options().reserves {
        Reserves::None => out.write_char('-'),
        Reserves::Team(_) => {
            let left = [Side::White, Side::Black].map(|side| over.team_spares(side));
            if left == [Roster::NONE; 2] {
                return out.write_char('-');
            }
            write!(out, "{}/{}", AsRoster(left[0]), AsRoster(left[1]))
        }
        Reserves::Set(_) => {
            let own = squares().map(|on| ("", on, over.own_spares(on)));
            let attacked =
                over.contested().map(|contest| ("x", contest.to, over.defenders_spares(contest.to)));
            let left = own.chain(attacked).filter(|(.., men)| !men.is_none());
            write_list(out, left.map(|(mark, on, men)| format!("{mark}{on}:{}", AsRoster(men))))
        }
    }
}

fn write_open(over: &Over, out: &mut String) -> fmt::Result {
    match over.due() {
        Due::Over => Ok(()),
        Due::OverFrom(on) => write!(out, " {{reserve {on}}}"),
        Due::Setup(on, _) => match over.attackers_setup() {
            None => write!(out, " {{{on}: setup w}}"),
            Some(men) => write!(out, " {{{on}: setup b {}}}", AsArrangement(men)),
        },
        Due::Sub(on) => {
            write!(out, " {{{on}: ")?;
            if let Some(chess) = over.sub_game() {
                out.push_str(&with_marks(over, &AsFen(&chess.to_setup()).to_string()));
            }
            out.write_char('}')
        }
        Due::Settling(_) => {
            out.push_str(" {settle ");
            let part = |(on, men): (Square, Roster)| {
                if men.is_none() { on.to_string() } else { format!("{on}:{}", AsRoster(men)) }
            };
            write_list(out, over.settling().map(part))?;
            out.write_char('}')
        }
        Due::Giving => {
            let Some((left, last)) = over.giving() else { return Ok(()) };
            write!(out, " {{consolidate {}", AsRoster(left))?;
            if let Some((role, on)) = last {
                write!(out, " {}:{on}", role.letter())?;
            }
            out.write_char('}')
        }
    }
}

/// A FEN of the sub-game with `~` behind promoted men.
fn with_marks(over: &Over, plain: &str) -> String {
    let (men, rest) = plain.split_at(plain.find(' ').unwrap_or(plain.len()));
    let mut marked = String::with_capacity(plain.len());
    let (mut rank, mut file) = (7_u8, 0_u8);
    for letter in men.chars() {
        marked.push(letter);
        match letter {
            '/' => (rank, file) = (rank.saturating_sub(1), 0),
            '1'..='8' => file += letter as u8 - b'0',
            _ => {
                if over.is_promoted(Square::new(file, rank)) {
                    marked.push('~');
                }
                file += 1;
            }
        }
    }
    marked.push_str(rest);
    marked
}

// Plies as text.

/// A ply in coordinates.
#[must_use]
pub fn coordinates(over: &Over, ply: &Ply) -> PlyText {
    let mut text = PlyText::default();
    // Memory can be written.
    let _ = match ply {
        Ply::Over(m) => {
            let promotion = m.promotion().map(|role| role.letter().to_ascii_lowercase());
            write!(text, "{}{}{}", m.from(), m.to(), promotion.map_or(String::new(), String::from))
        }
        Ply::Sub(m) => {
            address(over, &mut text);
            text.push_str(&fen::coordinates(*m));
            Ok(())
        }
        Ply::Setup(men) => {
            address(over, &mut text);
            write!(text, "setup {}", AsArrangement(*men))
        }
        Ply::Prisoners(men) => write!(text, "prisoners {}", AsRoster(*men)),
        Ply::Reserve(on, role) => write!(text, "reserve {on} {}", role.letter()),
        Ply::Consolidate(on) => write!(text, "consolidate {on}"),
        Ply::Give(on, role) => write!(text, "give {on} {}", role.letter()),
        Ply::Done => text.write_str("done"),
    };
    text
}

/// The square of the sub-game, with its dot.
fn address(over: &Over, text: &mut PlyText) {
    if let Due::Sub(on) | Due::Setup(on, _) = over.due() {
        // Memory can be written.
        let _ = write!(text, "{on}.");
    }
}

/// The legal ply of these coordinates.
#[must_use]
pub fn at(over: &Over, text: &str) -> Option<Ply> {
    let mut found = None;
    over.for_each_legal(|ply| {
        if found.is_none() && coordinates(over, &ply) == text {
            found = Some(ply);
        }
    });
    found
}

/// The sign of an over-move, as if its attack succeeded; `after` is the position behind it.
#[must_use]
pub fn suffix(before: &Over, ply: &Ply, after: &Over) -> Suffix {
    let Ply::Over(m) = ply else { return Suffix::None };
    if after.ending().is_some_and(|ruling| ruling.cause == Cause::Checkmate) {
        return Suffix::Mate;
    }
    if before.gives_check(*m) { Suffix::Check } else { Suffix::None }
}

/// A legal ply as SAN with its sign, a move of the sub-game behind the square of it; other acts as in
/// coordinates.
#[must_use]
pub fn san(over: &Over, ply: &Ply) -> PlyText {
    match ply {
        Ply::Over(m) => {
            let mut text = PlyText::from(&*Spelt(over.written(*m)).text());
            text.push_str(suffix(over, ply, &over.after(ply)).as_str());
            text
        }
        Ply::Sub(m) => {
            let mut text = PlyText::default();
            address(over, &mut text);
            if let Some(chess) = over.sub_game() {
                text.push_str(&chess.san(*m));
            }
            text
        }
        _ => coordinates(over, ply),
    }
}

/// How many lines of so many plies there are (GEN-6).
#[must_use]
pub fn perft(over: &Over, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => over.count_legal(),
        _ => {
            let mut lines = 0_u64;
            over.for_each_legal(|ply| lines = lines.saturating_add(perft(&over.after(&ply), depth - 1)));
            lines
        }
    }
}

// Pictures.

/// The over-board with the strength of each over-piece, and the sub-game that is open.
#[must_use]
pub fn diagram(over: &Over, last: &[Square]) -> Diagram {
    let mut diagram = Diagram::of(Panel { last: last.to_vec(), ..panel(over) });
    diagram.tables = rosters::tables(over);
    if let (Some(chess), Due::Sub(on)) = (over.sub_game(), over.due()) {
        let title = Some(format!("Sub-game on {on}"));
        diagram.rows[0].panels.push(Panel { title, ..chess.panel() });
    }
    diagram
}

/// The over-board.
#[must_use]
pub fn panel(over: &Over) -> Panel {
    let mut panel = Panel::new(8, 8);
    let man = |piece: Piece, men: Roster| match piece.role {
        Role::King => Man::of(piece),
        _ => Man::marked(piece, Mark::Strength(men.points())),
    };
    for on in squares() {
        let Some(there) = over.piece_at(on) else { continue };
        let contest = over.contested().find(|contest| contest.to == on);
        let attacker = man(there.piece, there.men);
        panel.put(
            on,
            match contest {
                None => Cell::Man(attacker),
                Some(contest) => {
                    Cell::Contest { attacker, defender: man(contest.defender.piece, contest.defender.men) }
                }
            },
        );
    }
    panel.turn = Some(over.turn());
    panel.checked = over.king(over.turn()).filter(|_| over.in_check()).into_iter().collect();
    panel
}

/// The squares of an over-move in coordinates.
#[must_use]
pub fn squares_of(coordinates: &str) -> Vec<Square> {
    let squares = coordinates.get(..4).and_then(|squares| CHESS.two_squares(squares.as_bytes()));
    squares.map_or(Vec::new(), |(from, to)| vec![from, to])
}
