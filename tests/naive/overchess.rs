//! Overchess: a second implementation, as plain as possible, of depth 1; `matryoshka` plays every depth.
//!
//! Written from the rules page alone and sharing nothing with the library, so that each can check the other; only the
//! sub-games are shakmaty's. The over-board is a mailbox of 64 cells; a ply is played on a copy of everything. Nothing
//! here is fast.

use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, File, Move, Position, Rank, Role, Square,
    fen::{Epd, Fen},
};

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const LEAPS: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// The castling rights in the order of a FEN: the side, and the squares of King and Rook.
const CASTLINGS: [(Color, Square, Square, char); 4] = [
    (Color::White, Square::E1, Square::H1, 'K'),
    (Color::White, Square::E1, Square::A1, 'Q'),
    (Color::Black, Square::E8, Square::H8, 'k'),
    (Color::Black, Square::E8, Square::A8, 'q'),
];

/// The kinds of sub-pieces in the order of a roster.
const KINDS: [Role; 5] = [
    Role::Pawn,
    Role::Rook,
    Role::Knight,
    Role::Bishop,
    Role::Queen,
];
/// The kinds in the order in which a consolidation hands them over (GEN-8).
const GIVEN: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// The number of sub-pieces of each kind, in the order of [`KINDS`]; the King is always there.
type Roster = [u8; 5];
const FULL: Roster = [8, 2, 2, 2, 1];
const NONE: Roster = [0; 5];

fn slot(kind: Role) -> usize {
    KINDS
        .iter()
        .position(|&other| other == kind)
        .expect("a King is not in a roster")
}

fn roster_text(roster: Roster) -> String {
    let kinds = KINDS.into_iter().filter(|&kind| roster[slot(kind)] > 0);
    let text: String = kinds
        .map(|kind| format!("{}{}", roster[slot(kind)], kind.upper_char()))
        .collect();
    if text.is_empty() { "0".into() } else { text }
}

fn parse_roster(text: &str) -> Roster {
    let mut roster = NONE;
    let mut count = 0;
    for letter in text.chars() {
        match letter.to_digit(10) {
            Some(digit) => count = digit as u8,
            None => roster[slot(Role::from_char(letter).expect("a kind of sub-piece"))] = count,
        }
    }
    roster
}

/// The optional rules that apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The consequence of a drawn sub-game (OV-6).
    pub subdraw: Subdraw,
    /// The winner takes prisoners (OV-21).
    pub prisoners: bool,
    /// Over-pieces may be consolidated (OV-22).
    pub consolidation: bool,
    /// Sub-games are played a ply later (OV-30).
    pub fog: bool,
}

impl Options {
    /// Reads a list such as `fog,subdraw=both`; a dash means none.
    pub fn parse(text: &str) -> Options {
        let has = |option: &str| text.split(',').any(|given| given == option);
        let subdraw = match (has("subdraw=defender"), has("subdraw=both")) {
            (true, _) => Subdraw::Defender,
            (_, true) => Subdraw::Both,
            _ => Subdraw::Back,
        };
        let (prisoners, consolidation) = (has("prisoners"), has("consolidation"));
        Options {
            subdraw,
            prisoners,
            consolidation,
            fog: has("fog"),
        }
    }
}

/// The consequence of a drawn sub-game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Subdraw {
    /// The attacker goes back.
    #[default]
    Back,
    /// The attacker is removed.
    Defender,
    /// Both are removed.
    Both,
}

/// An over-piece and its sub-set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SubSetPiece {
    side: Color,
    role: Role,
    roster: Roster,
    /// Its own spare pieces, if reserves belong to sub-sets.
    spares: Roster,
}

impl SubSetPiece {
    fn letter(&self) -> char {
        if self.side.is_white() {
            self.role.upper_char()
        } else {
            self.role.char()
        }
    }

    fn room(&self) -> Roster {
        std::array::from_fn(|kind| {
            if self.role == Role::King {
                0
            } else {
                FULL[kind] - self.roster[kind]
            }
        })
    }
}

/// An attack whose sub-game has not been settled; the attacker stands on the attacked square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Contest {
    from: Square,
    to: Square,
    /// The defender's square: the same, except when taking in passing.
    stands: Square,
    defender: SubSetPiece,
    promotes: Option<Role>,
}

/// How a sub-game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sub {
    /// The attacker has won.
    Won,
    /// The defender has won.
    Lost,
    /// Nobody won.
    Drawn,
}

/// What is due now.
#[derive(Clone, Debug)]
enum Phase {
    /// An over-move; after a reserve, one by this over-piece.
    Over(Option<Square>),
    /// A set-up: the attacker's, or after this one the defender's.
    Setup(Option<String>),
    /// A ply of the sub-game.
    Game {
        position: Chess,
        promoted: Vec<Square>,
        seen: Vec<String>,
    },
    /// The winner on this square chooses prisoners from this roster; then these survivors may receive spares.
    Prisoners(Square, Roster, Vec<Square>),
    /// These survivors may receive spares, in this order.
    Spares(Vec<Square>),
    /// Sub-pieces of a removed over-piece to hand over; and the kind and square of the last one handed over.
    Giving(Roster, Option<(Role, Square)>),
}

/// One act.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Ply {
    Over {
        from: Square,
        to: Square,
        promotes: Option<Role>,
    },
    Reserve(Square, Role),
    Consolidate(Square),
    Give(Square, Role),
    Done,
    Setup(Square, String),
    Sub(Square, Move),
    Prisoners(Roster),
}

/// A position of Overchess.
#[derive(Clone, Debug)]
pub struct Naive {
    options: Options,
    cells: Vec<Option<SubSetPiece>>,
    side: Color,
    rights: [bool; 4],
    passed: Option<Square>,
    half: u32,
    full: u32,
    contests: Vec<Contest>,
    /// The spare pieces of White's and of Black's team.
    pools: [Roster; 2],
    phase: Phase,
    /// Whether the open sub-game is settled before the opponent's turn (OV-34).
    at_once: bool,
    /// The side whose King has fallen.
    fallen: Option<Color>,
    /// The positions before each over-move, for the fivefold repetition.
    seen: Vec<String>,
}

fn forward(side: Color) -> i32 {
    if side.is_white() { 1 } else { -1 }
}

/// The square at this distance, if it is on the board.
fn step(from: Square, (files, ranks): (i32, i32)) -> Option<Square> {
    let file = u32::try_from(i32::from(from.file()) + files)
        .ok()
        .filter(|file| *file < 8)?;
    let rank = u32::try_from(i32::from(from.rank()) + ranks)
        .ok()
        .filter(|rank| *rank < 8)?;
    Some(Square::from_coords(File::new(file), Rank::new(rank)))
}

fn square(text: &str) -> Square {
    text.parse()
        .unwrap_or_else(|_| panic!("{text:?} is not a square"))
}

fn has_line(role: Role, by: (i32, i32)) -> bool {
    match role {
        Role::Queen => true,
        Role::Rook => STRAIGHT.contains(&by),
        Role::Bishop => DIAGONAL.contains(&by),
        _ => false,
    }
}

/// Reading and writing positions.
impl Naive {
    /// Reads an over-FEN of nine fields, without an open sub-game.
    ///
    /// # Panics
    ///
    /// On anything else.
    pub fn parse(options: Options, fen: &str) -> Naive {
        let fields: Vec<&str> = fen.split(' ').collect();
        let [
            placement,
            side,
            castling,
            passed,
            half,
            full,
            subsets,
            contested,
            spares,
        ] = fields[..]
        else {
            panic!("an over-FEN has nine fields: {fen}");
        };
        let mut naive = Naive {
            options,
            cells: parse_placement(placement),
            side: Color::from_char(side.chars().next().unwrap_or(' ')).expect("w or b"),
            rights: CASTLINGS.map(|(_, _, _, letter)| castling.contains(letter)),
            passed: (passed != "-").then(|| square(passed)),
            half: half.parse().expect("a number"),
            full: full.parse().expect("a number"),
            contests: Vec::new(),
            pools: [NONE; 2],
            phase: Phase::Over(None),
            at_once: false,
            fallen: None,
            seen: Vec::new(),
        };
        for item in subsets.split(',').filter(|item| *item != "-") {
            let (at, roster) = item.split_once('=').expect("a sub-set is d4=5P2R");
            naive.piece_mut(square(at)).roster = parse_roster(roster);
        }
        naive.contests = contested
            .split(',')
            .filter(|item| *item != "-")
            .map(parse_contest)
            .collect();
        naive.parse_spares(spares);
        naive.seen.push(naive.key());
        naive
    }

    fn parse_spares(&mut self, spares: &str) {
        if let Some((white, black)) = spares.split_once('/') {
            self.pools = [parse_roster(white), parse_roster(black)];
            return;
        }
        for item in spares.split(',').filter(|item| *item != "-") {
            let (at, roster) = item.split_once(':').expect("a spare is a2:1P");
            self.piece_mut(square(at)).spares = parse_roster(roster);
        }
    }

    /// Writes the over-FEN, including an open sub-game or set-up; settling and an incomplete consolidation are not
    /// written.
    pub fn fen(&self) -> String {
        let mut subsets = Vec::new();
        let mut own_spares = Vec::new();
        for at in Square::ALL {
            let Some(piece) = self.at(at) else { continue };
            if piece.roster != FULL && piece.role != Role::King {
                subsets.push(format!("{at}={}", roster_text(piece.roster)));
            }
            if piece.spares != NONE {
                own_spares.push(format!("{at}:{}", roster_text(piece.spares)));
            }
        }
        let list = |items: Vec<String>| {
            if items.is_empty() {
                "-".into()
            } else {
                items.join(",")
            }
        };
        let contests = list(self.contests.iter().map(contest_text).collect());
        let spares = match self.pools {
            [NONE, NONE] => list(own_spares),
            [white, black] => format!("{}/{}", roster_text(white), roster_text(black)),
        };
        let (fields, half, full) = (self.fields(), self.half, self.full);
        let open = self.open_text();
        format!(
            "{fields} {half} {full} {} {contests} {spares}{open}",
            list(subsets)
        )
    }

    /// Placement, side to move, castling rights, and the square where a pawn can be attacked in passing now.
    fn fields(&self) -> String {
        let letter = |at: Square| self.at(at).map_or('1', |piece| piece.letter());
        let rank = |rank| {
            (0..8)
                .map(|file| letter(Square::from_coords(File::new(file), Rank::new(rank))))
                .collect()
        };
        let ranks: Vec<String> = (0..8).rev().map(rank).collect();
        let mut placement = ranks.join("/");
        for empty in (2..=8).rev() {
            placement = placement.replace(&"1".repeat(empty), &empty.to_string());
        }
        let rights: String = (0..4)
            .filter(|at| self.rights[*at])
            .map(|at| CASTLINGS[at].3)
            .collect();
        let rights = if rights.is_empty() {
            "-".into()
        } else {
            rights
        };
        let passing =
            |ply: &Ply| matches!(ply, Ply::Over { from, to, .. } if self.is_en_passant(*from, *to));
        let over = matches!(self.phase, Phase::Over(_));
        let passed = self
            .passed
            .filter(|_| over && self.over_moves().iter().any(passing));
        format!(
            "{placement} {} {rights} {}",
            self.side.char(),
            passed.map_or("-".into(), |at| at.to_string())
        )
    }

    fn open_text(&self) -> String {
        let text = match &self.phase {
            Phase::Setup(None) => "setup w".into(),
            Phase::Setup(Some(white)) => format!("setup b {white}"),
            Phase::Game { position, .. } => {
                Fen::from_position(position, EnPassantMode::Legal).to_string()
            }
            _ => return String::new(),
        };
        format!(" {{{}: {text}}}", self.contests[0].to)
    }

    /// What repetition compares (OV-17): kinds, colours, squares and rosters of over-pieces, spares, contested squares.
    fn key(&self) -> String {
        let pieces: Vec<String> = Square::ALL
            .into_iter()
            .filter_map(|at| self.at(at).map(|piece| (at, piece)))
            .map(|(at, piece)| format!("{at}{:?}{:?}", piece.roster, piece.spares))
            .collect();
        let contests: Vec<String> = self.contests.iter().map(contest_text).collect();
        format!(
            "{} {} {} {:?}",
            self.fields(),
            pieces.join(","),
            contests.join(","),
            self.pools
        )
    }
}

fn parse_placement(placement: &str) -> Vec<Option<SubSetPiece>> {
    let mut cells = Vec::new();
    for letter in placement.split('/').rev().flat_map(str::chars) {
        match letter.to_digit(10) {
            Some(empty) => cells.extend((0..empty).map(|_| None)),
            None => {
                let role = Role::from_char(letter)
                    .unwrap_or_else(|| panic!("no over-piece is {letter:?}"));
                let side = Color::from_white(letter.is_ascii_uppercase());
                let roster = if role == Role::King { NONE } else { FULL };
                cells.push(Some(SubSetPiece {
                    side,
                    role,
                    roster,
                    spares: NONE,
                }));
            }
        }
    }
    assert_eq!(cells.len(), 64, "an over-board has 64 squares: {placement}");
    cells
}

/// Reads `e2xe4:n5P2R`, with `@d4` for the victim of an attack in passing and `=Q` for a promotion.
fn parse_contest(text: &str) -> Contest {
    let (text, promotes) = match text.split_once('=') {
        Some((text, letter)) => (text, letter.chars().next().and_then(Role::from_char)),
        None => (text, None),
    };
    let (text, stands) = match text.split_once('@') {
        Some((text, stands)) => (text, Some(square(stands))),
        None => (text, None),
    };
    let (squares, defender) = text.split_once(':').expect("a contest is e2xe4:n");
    let (from, to) = squares.split_once('x').expect("a contest is e2xe4:n");
    let (from, to) = (square(from), square(to));
    let letter = defender.chars().next().expect("a contest has a defender");
    let (role, side) = (
        Role::from_char(letter),
        Color::from_white(letter.is_ascii_uppercase()),
    );
    let roster = if defender.len() == 1 {
        FULL
    } else {
        parse_roster(&defender[1..])
    };
    let role = role.expect("a kind of over-piece");
    let defender = SubSetPiece {
        side,
        role,
        roster,
        spares: NONE,
    };
    Contest {
        from,
        to,
        stands: stands.unwrap_or(to),
        defender,
        promotes,
    }
}

fn contest_text(contest: &Contest) -> String {
    let Contest {
        from,
        to,
        stands,
        defender,
        promotes,
    } = contest;
    let roster = if defender.roster == FULL {
        String::new()
    } else {
        roster_text(defender.roster)
    };
    let stands = if stands == to {
        String::new()
    } else {
        format!("@{stands}")
    };
    let promotes = promotes.map_or(String::new(), |role| format!("={}", role.upper_char()));
    format!(
        "{from}x{to}:{}{roster}{stands}{promotes}",
        defender.letter()
    )
}

/// Pieces and attacks.
impl Naive {
    fn at(&self, at: Square) -> Option<SubSetPiece> {
        self.cells[at as usize]
    }

    fn piece_mut(&mut self, at: Square) -> &mut SubSetPiece {
        self.cells[at as usize]
            .as_mut()
            .unwrap_or_else(|| panic!("no piece stands on {at}"))
    }

    fn pieces(&self, side: Color) -> Vec<(Square, SubSetPiece)> {
        let all = Square::ALL
            .into_iter()
            .filter_map(|at| Some((at, self.at(at)?)));
        all.filter(|(_, piece)| piece.side == side).collect()
    }

    /// Whether a square is contested: no piece enters or leaves it (OV-30, OV-31, OV-35).
    fn is_contested(&self, at: Square) -> bool {
        self.contests
            .iter()
            .any(|contest| contest.to == at || contest.stands == at)
    }

    fn is_blocked(&self, at: Square) -> bool {
        self.at(at).is_some() || self.is_contested(at)
    }

    /// The squares that an over-piece attacks; each line ends with the first blocked square.
    fn reach(&self, from: Square, piece: SubSetPiece) -> Vec<Square> {
        let leaps: Vec<(i32, i32)> = match piece.role {
            Role::Pawn => vec![(-1, forward(piece.side)), (1, forward(piece.side))],
            Role::Knight => LEAPS.to_vec(),
            Role::King => [STRAIGHT, DIAGONAL].concat(),
            _ => Vec::new(),
        };
        let mut squares: Vec<Square> = leaps.into_iter().filter_map(|by| step(from, by)).collect();
        for line in [STRAIGHT, DIAGONAL]
            .concat()
            .into_iter()
            .filter(|by| has_line(piece.role, *by))
        {
            let mut next = step(from, line);
            while let Some(at) = next {
                squares.push(at);
                next = if self.is_blocked(at) {
                    None
                } else {
                    step(at, line)
                };
            }
        }
        squares
    }

    fn attacked(&self, target: Square, by: Color) -> bool {
        self.pieces(by)
            .into_iter()
            .any(|(from, piece)| self.reach(from, piece).contains(&target))
    }

    fn king_attacked(&self, side: Color) -> bool {
        let king = self
            .pieces(side)
            .into_iter()
            .find(|(_, piece)| piece.role == Role::King);
        self.attacked(king.expect("each side has an over-King").0, side.other())
    }
}

/// Over-moves.
impl Naive {
    /// The legal over-moves of the side to move (OV-8, OV-31).
    fn over_moves(&self) -> Vec<Ply> {
        let mut plies = self.castlings();
        for (from, piece) in self.pieces(self.side) {
            if self.is_contested(from) {
                continue;
            }
            for to in self.targets(from, piece) {
                let last = piece.role == Role::Pawn && step(to, (0, forward(piece.side))).is_none();
                let choices = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].map(Some);
                let choices = if last { &choices[..] } else { &[None] };
                plies.extend(
                    choices
                        .iter()
                        .map(|&promotes| Ply::Over { from, to, promotes }),
                );
            }
        }
        plies.retain(|ply| self.is_safe_after(ply));
        plies
    }

    fn targets(&self, from: Square, piece: SubSetPiece) -> Vec<Square> {
        let mut targets = self.reach(from, piece);
        targets.retain(|&to| match self.at(to) {
            _ if self.is_contested(to) => false,
            Some(victim) => victim.side != piece.side && victim.role != Role::King,
            None => piece.role != Role::Pawn || self.is_en_passant(from, to),
        });
        if piece.role == Role::Pawn {
            let ahead = (0, forward(piece.side));
            let one = step(from, ahead).filter(|at| !self.is_blocked(*at));
            let two = one
                .and_then(|one| step(one, ahead))
                .filter(|at| !self.is_blocked(*at));
            let first = from.rank()
                == if piece.side.is_white() {
                    Rank::Second
                } else {
                    Rank::Seventh
                };
            targets.extend(one);
            targets.extend(two.filter(|_| first));
        }
        targets
    }

    fn is_en_passant(&self, from: Square, to: Square) -> bool {
        let pawn = self
            .at(from)
            .is_some_and(|piece| piece.role == Role::Pawn && piece.side == self.side);
        let stands = Square::from_coords(to.file(), from.rank());
        pawn && self.passed == Some(to) && from.file() != to.file() && !self.is_contested(stands)
    }

    fn castlings(&self) -> Vec<Ply> {
        let mut plies = Vec::new();
        for (index, (side, king, rook, _)) in CASTLINGS.into_iter().enumerate() {
            let home = self
                .at(rook)
                .is_some_and(|piece| piece.side == side && piece.role == Role::Rook);
            if side != self.side || !self.rights[index] || !home || self.is_contested(rook) {
                continue;
            }
            let toward = if rook > king { (1, 0) } else { (-1, 0) };
            let mut between = Vec::new();
            let mut next = step(king, toward);
            while let Some(at) = next.filter(|at| *at != rook) {
                between.push(at);
                next = step(at, toward);
            }
            let way = [king, between[0], between[1]];
            let safe = !way.into_iter().any(|at| self.attacked(at, side.other()));
            if safe && !between.iter().any(|at| self.is_blocked(*at)) {
                plies.push(Ply::Over {
                    from: king,
                    to: between[1],
                    promotes: None,
                });
            }
        }
        plies
    }

    /// Whether the over-King is safe after a ply, whatever the outcome of the attack that is open.
    fn is_safe_after(&self, ply: &Ply) -> bool {
        let mut next = self.clone();
        match ply {
            Ply::Over { from, to, promotes } => next.move_piece(*from, *to, *promotes),
            Ply::Consolidate(at) => next.cells[*at as usize] = None,
            other => panic!("{other:?} is not a turn"),
        }
        let answered = self
            .contests
            .iter()
            .find(|contest| contest.defender.side == self.side);
        let outcomes = [Sub::Lost, Sub::Drawn].into_iter().filter_map(|sub| {
            let mut other = next.clone();
            other.settle_squares(answered?, sub);
            Some(other)
        });
        std::iter::once(next.clone())
            .chain(outcomes)
            .all(|next| !next.king_attacked(self.side))
    }

    /// Moves an over-piece, and the Rook with a castling King, and records an attack; castling rights and counters are
    /// not touched.
    fn move_piece(&mut self, from: Square, to: Square, promotes: Option<Role>) {
        let passing = self.is_en_passant(from, to);
        let mut piece = self.cells[from as usize]
            .take()
            .expect("an over-move starts from an over-piece");
        let stands = if passing {
            Square::from_coords(to.file(), from.rank())
        } else {
            to
        };
        let victim = self.cells[stands as usize].take();
        if piece.role == Role::King && from.file().distance(to.file()) == 2 {
            let (corner, beside) = if to.file() == File::G {
                (File::H, File::F)
            } else {
                (File::A, File::D)
            };
            let rook = self.cells[Square::from_coords(corner, to.rank()) as usize].take();
            self.cells[Square::from_coords(beside, to.rank()) as usize] = rook;
        }
        piece.role = promotes.unwrap_or(piece.role);
        self.cells[to as usize] = Some(piece);
        if let Some(defender) = victim.filter(|_| piece.role != Role::King) {
            self.contests.push(Contest {
                from,
                to,
                stands,
                defender,
                promotes,
            });
        }
    }

    fn drop_rights(&mut self, at: Square) {
        for (index, (_, king, rook, _)) in CASTLINGS.into_iter().enumerate() {
            if at == king || at == rook {
                self.rights[index] = false;
            }
        }
    }

    /// Plays an over-move. An attack does not affect castling rights until it is settled (OV-16).
    fn play_over(&mut self, from: Square, to: Square, promotes: Option<Role>) {
        let piece = self
            .at(from)
            .expect("an over-move starts from an over-piece");
        let before = self.contests.len();
        let captured = self.at(to).is_some();
        self.move_piece(from, to, promotes);
        let attacks = self.contests.len() > before;
        let double = piece.role == Role::Pawn && from.rank().distance(to.rank()) == 2;
        self.passed = step(from, (0, forward(piece.side))).filter(|_| double);
        if !attacks {
            self.drop_rights(from);
            self.drop_rights(to);
        }
        if !attacks || self.options.fog {
            let resets = piece.role == Role::Pawn || captured || attacks;
            self.half = if resets { 0 } else { self.half + 1 };
        }
        self.end_turn(attacks);
    }

    /// Ends an over-move or a consolidation: a sub-game that is due begins, else the turn passes. Without fog an attack
    /// is due at once; under fog the opponent's earlier attack is.
    fn end_turn(&mut self, attacks: bool) {
        let due = match self.options.fog {
            false => attacks,
            true => self
                .contests
                .first()
                .is_some_and(|contest| contest.defender.side == self.side),
        };
        if due {
            self.open_sub_game();
        } else {
            self.pass_on();
        }
    }

    fn pass_on(&mut self) {
        self.full += u32::from(self.side.is_black());
        self.side = self.side.other();
        self.begin_turn();
    }

    /// Begins a turn; if the player can do nothing, an attack on this side is settled at once (OV-34).
    fn begin_turn(&mut self) {
        self.phase = Phase::Over(None);
        let stuck = self.over_moves().is_empty() && self.consolidations().is_empty();
        if stuck
            && self
                .contests
                .first()
                .is_some_and(|contest| contest.defender.side == self.side)
        {
            self.at_once = true;
            return self.open_sub_game();
        }
        self.seen.push(self.key());
    }
}

/// Sub-games.
impl Naive {
    fn attacker(&self) -> SubSetPiece {
        self.at(self.contests[0].to)
            .expect("the attacker stands on its square")
    }

    fn open_sub_game(&mut self) {
        let white = setups(self.attacker().roster);
        self.phase = match &white[..] {
            [only] => Phase::Setup(Some(only.clone())),
            _ => Phase::Setup(None),
        };
        if white.len() == 1 {
            self.white_is_set_up();
        }
    }

    fn white_is_set_up(&mut self) {
        if let [only] = &setups(self.contests[0].defender.roster)[..] {
            self.set_up_black(&only.clone());
        }
    }

    fn set_up(&mut self, own: &str) {
        match &self.phase {
            Phase::Setup(None) => {
                self.phase = Phase::Setup(Some(own.into()));
                self.white_is_set_up();
            }
            _ => self.set_up_black(own),
        }
    }

    fn set_up_black(&mut self, black: &str) {
        let Phase::Setup(Some(white)) = &self.phase else {
            panic!("White is set up first")
        };
        let (white_second, white_first) = white.split_once('/').expect("two ranks");
        let (black_second, black_first) = black.split_once('/').expect("two ranks");
        let corner = |rank: &str, right: char, left: char| {
            let mut rights = String::new();
            rights.extend(rank.ends_with('R').then_some(right));
            rights.extend(rank.starts_with('R').then_some(left));
            rights
        };
        let rights = corner(white_first, 'K', 'Q') + &corner(black_first, 'k', 'q');
        let rights = if rights.is_empty() {
            "-".into()
        } else {
            rights
        };
        let black = format!(
            "{}/{}",
            black_first.to_lowercase(),
            black_second.to_lowercase()
        );
        let fen: Fen = format!("{black}/8/8/8/8/{white_second}/{white_first} w {rights} - 0 1")
            .parse()
            .expect("a FEN");
        let position: Chess = fen
            .into_position(CastlingMode::Standard)
            .expect("a set-up can occur");
        let seen = vec![Epd::from_position(&position, EnPassantMode::Legal).to_string()];
        self.phase = Phase::Game {
            position,
            promoted: Vec::new(),
            seen,
        };
        self.judge_sub_game();
    }

    fn play_sub(&mut self, m: Move) {
        let Phase::Game {
            position,
            promoted,
            seen,
        } = &mut self.phase
        else {
            panic!("a sub-game is open")
        };
        let was_promoted = m.from().is_some_and(|from| promoted.contains(&from));
        promoted.retain(|at| Some(*at) != m.from() && *at != m.to());
        if was_promoted || m.promotion().is_some() {
            promoted.push(m.to());
        }
        position.play_unchecked(m);
        seen.push(Epd::from_position(position, EnPassantMode::Legal).to_string());
        self.judge_sub_game();
    }

    /// Ends the sub-game if its position does (GEN-3, GEN-7).
    fn judge_sub_game(&mut self) {
        let Phase::Game { position, seen, .. } = &self.phase else {
            panic!("a sub-game is open")
        };
        let times = seen.iter().filter(|key| Some(*key) == seen.last()).count();
        let end = if position.legal_moves().is_empty() {
            match (position.is_check(), position.turn()) {
                (false, _) => Some(Sub::Drawn),
                (true, Color::White) => Some(Sub::Lost),
                (true, Color::Black) => Some(Sub::Won),
            }
        } else {
            let drawn = is_dead(position, 3) || position.halfmoves() >= 150 || times >= 5;
            drawn.then_some(Sub::Drawn)
        };
        if let Some(end) = end {
            self.settle(end);
        }
    }

    /// The surviving sub-pieces of a side; a promoted one is the pawn that it was (OV-3).
    fn survivors(&self, side: Color) -> Roster {
        let Phase::Game {
            position, promoted, ..
        } = &self.phase
        else {
            panic!("a sub-game is open")
        };
        let mut roster = NONE;
        for at in position.board().by_color(side) {
            match position.board().role_at(at) {
                Some(Role::King) | None => {}
                Some(_) if promoted.contains(&at) => roster[slot(Role::Pawn)] += 1,
                Some(role) => roster[slot(role)] += 1,
            }
        }
        roster
    }

    /// Settles the open sub-game: squares and rosters at once, then prisoners, then spares.
    fn settle(&mut self, sub: Sub) {
        let (white, black) = (self.survivors(Color::White), self.survivors(Color::Black));
        let contest = self.contests[0];
        let took = self.attacker().roster != white || contest.defender.roster != black;
        self.settle_with(sub, white, black, took);
    }

    /// The same with the given survivors of attacker and defender; `took` says whether anything was captured.
    fn settle_with(&mut self, sub: Sub, white: Roster, black: Roster, took: bool) {
        let mut contest = self.contests[0];
        let attacker = self.piece_mut(contest.to);
        attacker.roster = white;
        contest.defender.roster = black;
        let stand = self.settle_squares(&contest, sub);
        self.settle_rights(&contest, sub, stand);
        if !self.options.fog {
            let leaves = stand[0].is_none() || stand[1].is_none();
            self.half = if took || leaves { 0 } else { self.half + 1 };
        }
        let survivors: Vec<Square> = stand.into_iter().flatten().collect();
        match sub {
            Sub::Won => self.take_prisoners(contest.to, black, survivors),
            Sub::Lost => self.take_prisoners(contest.stands, white, survivors),
            Sub::Drawn => self.offer_spares(survivors),
        }
    }

    /// Places the over-pieces after a sub-game (OV-2, OV-6, OV-10, OV-11, OV-33). Returns the squares of attacker and
    /// defender, if they are still on the board.
    fn settle_squares(&mut self, contest: &Contest, sub: Sub) -> [Option<Square>; 2] {
        self.contests.retain(|other| other.to != contest.to);
        if sub == Sub::Won {
            return [Some(contest.to), None];
        }
        let mut attacker = self.cells[contest.to as usize]
            .take()
            .expect("the attacker stands on its square");
        if contest.promotes.is_some() {
            attacker.role = Role::Pawn;
        }
        let stays = sub == Sub::Lost || self.options.subdraw != Subdraw::Both;
        if stays {
            self.cells[contest.stands as usize] = Some(contest.defender);
        }
        let returns = sub == Sub::Drawn && self.options.subdraw == Subdraw::Back;
        let back = returns && !self.is_blocked(contest.from);
        if back {
            self.cells[contest.from as usize] = Some(attacker);
        }
        [
            Some(contest.from).filter(|_| back),
            Some(contest.stands).filter(|_| stays),
        ]
    }

    /// Castling rights are lost with pieces that left their squares; a drawn attack counts as no move (OV-16).
    fn settle_rights(&mut self, contest: &Contest, sub: Sub, stand: [Option<Square>; 2]) {
        if stand[0] != Some(contest.from) {
            self.drop_rights(contest.from);
        }
        if sub == Sub::Won || stand[1].is_none() {
            self.drop_rights(contest.stands);
        }
    }

    fn take_prisoners(&mut self, winner: Square, loser: Roster, survivors: Vec<Square>) {
        let room = self.at(winner).map_or(NONE, |piece| piece.room());
        let fits: Roster = std::array::from_fn(|kind| loser[kind].min(room[kind]));
        if self.options.prisoners && fits != NONE {
            self.phase = Phase::Prisoners(winner, fits, survivors);
        } else {
            self.offer_spares(survivors);
        }
    }

    /// Lets survivors receive spares, the attacker before the defender (OV-25), and skips those that have no choice.
    fn offer_spares(&mut self, mut survivors: Vec<Square>) {
        survivors.retain(|at| !self.spares_for(*at).is_empty());
        match survivors.is_empty() {
            true => self.finish_settling(),
            false => self.phase = Phase::Spares(survivors),
        }
    }

    /// If the King of the side that attacked is now attacked out of turn, it falls (OV-9); else play goes on.
    fn finish_settling(&mut self) {
        let at_once = std::mem::take(&mut self.at_once);
        // Without fog the attacker has just moved; under fog the attacker moves next, except with OV-34.
        let attacker = if self.options.fog {
            self.side.other()
        } else {
            self.side
        };
        if (at_once || !self.options.fog) && self.king_attacked(attacker) {
            self.fallen = Some(attacker);
        }
        if at_once {
            self.begin_turn();
        } else {
            self.pass_on();
        }
    }
}

/// The possible set-ups of a roster: the second and the first rank, in capitals (OV-4).
pub fn setups(roster: Roster) -> Vec<String> {
    let mut ranks = vec![*b"....K..."];
    let places = [
        (Role::Rook, b"ah"),
        (Role::Knight, b"bg"),
        (Role::Bishop, b"cf"),
        (Role::Queen, b"dd"),
    ];
    for (kind, files) in places {
        let letter = kind.upper_char() as u8;
        let files = files.map(|file| usize::from(file - b'a'));
        let choices: Vec<Vec<usize>> = match (kind, roster[slot(kind)]) {
            (_, 0) => vec![vec![]],
            (Role::Queen, _) => vec![vec![files[0]]],
            (_, 1) => files.into_iter().map(|file| vec![file]).collect(),
            _ => vec![files.to_vec()],
        };
        let each = |rank: &[u8; 8]| -> Vec<[u8; 8]> {
            let place = |files: &Vec<usize>| {
                let mut rank = *rank;
                files.iter().for_each(|&file| rank[file] = letter);
                rank
            };
            choices.iter().map(place).collect()
        };
        ranks = ranks.iter().flat_map(each).collect();
    }
    let pawns =
        (0..256_u32).filter(|files| files.count_ones() == u32::from(roster[slot(Role::Pawn)]));
    let second = |files: u32| -> String {
        (0..8)
            .map(|file| if files >> file & 1 == 1 { 'P' } else { '.' })
            .collect()
    };
    let texts = pawns.flat_map(|files| {
        let of = |first: &[u8; 8]| format!("{}/{}", second(files), String::from_utf8_lossy(first));
        ranks.iter().map(of).collect::<Vec<_>>()
    });
    texts.map(|text| shortened(&text)).collect()
}

/// The text with runs of dots as digits.
fn shortened(text: &str) -> String {
    (1..=8).rev().fold(text.to_string(), |text, empty| {
        text.replace(&".".repeat(empty), &empty.to_string())
    })
}

/// Reserves and consolidation.
impl Naive {
    /// The kinds of spares that an over-piece may receive (OV-20, OV-23).
    fn spares_for(&self, at: Square) -> Vec<Role> {
        let Some(piece) = self.at(at) else {
            return Vec::new();
        };
        let (team, room) = (self.pools[usize::from(piece.side.is_black())], piece.room());
        let spare = |kind: Role| team[slot(kind)] + piece.spares[slot(kind)] > 0;
        KINDS
            .into_iter()
            .filter(|&kind| spare(kind) && room[slot(kind)] > 0)
            .collect()
    }

    fn put_in(&mut self, at: Square, kind: Role) {
        let side = self.at(at).expect("a spare is for an over-piece").side;
        let team = &mut self.pools[usize::from(side.is_black())][slot(kind)];
        let own = *team == 0;
        *team = team.saturating_sub(1);
        let piece = self.piece_mut(at);
        piece.roster[slot(kind)] += 1;
        piece.spares[slot(kind)] -= u8::from(own);
    }

    /// The first acts of legal consolidations (OV-22).
    fn consolidations(&self) -> Vec<Ply> {
        if !self.options.consolidation {
            return Vec::new();
        }
        let pieces = self.pieces(self.side).into_iter();
        let free = pieces.filter(|(at, piece)| piece.role != Role::King && !self.is_contested(*at));
        free.map(|(at, _)| Ply::Consolidate(at))
            .filter(|ply| self.is_safe_after(ply))
            .collect()
    }

    /// The squares from this one on whose sub-sets have room for a kind, each with that room; of the side to move.
    fn room_from(&self, kind: Role, from: Square) -> Vec<(Square, u8)> {
        let pieces = self
            .pieces(self.side)
            .into_iter()
            .filter(|(at, _)| *at >= from && !self.is_contested(*at));
        pieces
            .map(|(at, piece)| (at, piece.room()[slot(kind)]))
            .filter(|(_, room)| *room > 0)
            .collect()
    }

    /// What may be handed over next, in the order of kinds and squares, such that everything that fits finds a place.
    fn gives(&self, left: Roster, last: Option<(Role, Square)>) -> Vec<Ply> {
        let sum = |room: &[(Square, u8)]| room.iter().map(|(_, room)| room).sum::<u8>();
        for kind in GIVEN {
            let room = self.room_from(kind, Square::A1);
            let due = left[slot(kind)].min(sum(&room));
            if due == 0 {
                continue;
            }
            let from = last
                .filter(|(last, _)| *last == kind)
                .map_or(Square::A1, |(_, at)| at);
            let enough = |at: Square| sum(&self.room_from(kind, at)) >= due;
            let places = room
                .into_iter()
                .filter(|(at, _)| *at >= from && enough(*at));
            return places.map(|(at, _)| Ply::Give(at, kind)).collect();
        }
        vec![Ply::Done]
    }

    fn consolidate(&mut self, at: Square) {
        let piece = self.cells[at as usize]
            .take()
            .expect("an over-piece is consolidated");
        self.drop_rights(at);
        self.phase = Phase::Giving(piece.roster, None);
    }

    fn give(&mut self, at: Square, kind: Role) {
        let Phase::Giving(left, last) = &mut self.phase else {
            panic!("nothing is handed over")
        };
        left[slot(kind)] -= 1;
        *last = Some((kind, at));
        self.piece_mut(at).roster[slot(kind)] += 1;
    }
}

/// Plies of every kind.
impl Naive {
    fn plies(&self) -> Vec<Ply> {
        if self.fallen.is_some() {
            return Vec::new();
        }
        match &self.phase {
            Phase::Over(only) => self.turn_plies(*only),
            Phase::Setup(white) => {
                let due = if white.is_none() {
                    self.attacker()
                } else {
                    self.contests[0].defender
                };
                let to = self.contests[0].to;
                setups(due.roster)
                    .into_iter()
                    .map(|own| Ply::Setup(to, own))
                    .collect()
            }
            Phase::Game { position, .. } => position
                .legal_moves()
                .into_iter()
                .map(|m| Ply::Sub(self.contests[0].to, m))
                .collect(),
            Phase::Prisoners(_, fits, _) => {
                let taken = parts(*fits).into_iter().map(Ply::Prisoners);
                taken.chain([Ply::Done]).collect()
            }
            Phase::Spares(survivors) => {
                let at = survivors[0];
                let spares = self
                    .spares_for(at)
                    .into_iter()
                    .map(|kind| Ply::Reserve(at, kind));
                spares.chain([Ply::Done]).collect()
            }
            Phase::Giving(left, last) => self.gives(*left, *last),
        }
    }

    fn turn_plies(&self, only: Option<Square>) -> Vec<Ply> {
        let from = |ply: &Ply| match ply {
            Ply::Over { from, .. } => *from,
            other => panic!("{other:?} is not an over-move"),
        };
        let mut plies = self.over_moves();
        plies.retain(|ply| only.is_none_or(|only| only == from(ply)));
        let mut movers: Vec<Square> = plies.iter().map(from).collect();
        movers.sort();
        movers.dedup();
        for at in movers {
            plies.extend(
                self.spares_for(at)
                    .into_iter()
                    .map(|kind| Ply::Reserve(at, kind)),
            );
        }
        if only.is_none() {
            plies.extend(self.consolidations());
        }
        plies
    }

    fn after(&self, ply: &Ply) -> Naive {
        let mut next = self.clone();
        match (ply.clone(), self.phase.clone()) {
            (Ply::Over { from, to, promotes }, _) => next.play_over(from, to, promotes),
            (Ply::Setup(_, own), _) => next.set_up(&own),
            (Ply::Sub(_, m), _) => next.play_sub(m),
            (Ply::Consolidate(at), _) => next.consolidate(at),
            (Ply::Give(at, kind), _) => next.give(at, kind),
            (Ply::Reserve(at, kind), Phase::Spares(survivors)) => {
                next.put_in(at, kind);
                next.offer_spares(survivors);
            }
            (Ply::Reserve(at, kind), _) => {
                next.put_in(at, kind);
                next.phase = Phase::Over(Some(at));
            }
            (Ply::Prisoners(taken), Phase::Prisoners(winner, _, survivors)) => {
                let piece = next.piece_mut(winner);
                piece.roster = std::array::from_fn(|kind| piece.roster[kind] + taken[kind]);
                next.offer_spares(survivors);
            }
            (Ply::Done, Phase::Prisoners(_, _, survivors)) => next.offer_spares(survivors),
            (Ply::Done, Phase::Spares(survivors)) => next.offer_spares(survivors[1..].to_vec()),
            (Ply::Done, _) => {
                next.half = 0;
                next.passed = None;
                next.end_turn(false);
            }
            (other, phase) => panic!("{other:?} in {phase:?}"),
        }
        next
    }
}

fn coordinates(ply: &Ply) -> String {
    match ply {
        Ply::Over { from, to, promotes } => {
            format!(
                "{from}{to}{}",
                promotes.map_or(String::new(), |role| role.char().to_string())
            )
        }
        Ply::Reserve(at, kind) => format!("reserve {at} {}", kind.upper_char()),
        Ply::Consolidate(at) => format!("consolidate {at}"),
        Ply::Give(at, kind) => format!("give {at} {}", kind.upper_char()),
        Ply::Done => "done".into(),
        Ply::Setup(at, own) => format!("{at}.setup {own}"),
        Ply::Sub(at, m) => format!("{at}.{}", m.to_uci(CastlingMode::Standard)),
        Ply::Prisoners(taken) => format!("prisoners {}", roster_text(*taken)),
    }
}

/// Every non-empty part of a roster.
fn parts(roster: Roster) -> Vec<Roster> {
    let mut parts = vec![NONE];
    for kind in 0..5 {
        let some = |part: &Roster| -> Vec<Roster> {
            let with = |count| {
                let mut part = *part;
                part[kind] = count;
                part
            };
            (0..=roster[kind]).map(with).collect()
        };
        parts = parts.iter().flat_map(some).collect();
    }
    parts.retain(|part| *part != NONE);
    parts
}

/// The interface for tests.
impl Naive {
    /// All legal plies in coordinates, sorted by bytes.
    pub fn moves(&self) -> Vec<String> {
        let mut moves: Vec<String> = self.plies().iter().map(coordinates).collect();
        moves.sort();
        moves
    }

    /// The position after a legal ply.
    ///
    /// # Panics
    ///
    /// If the ply is not legal.
    pub fn play(&self, coord: &str) -> Naive {
        let found = self
            .plies()
            .into_iter()
            .find(|ply| coordinates(ply) == coord);
        self.after(&found.unwrap_or_else(|| panic!("{coord} is not legal in {}", self.fen())))
    }

    /// The position after the open sub-game, already set up, was resigned or agreed drawn (OV-16).
    ///
    /// # Panics
    ///
    /// If no sub-game is open.
    pub fn resolve(&self, sub: Sub) -> Naive {
        let mut next = self.clone();
        next.settle(sub);
        next
    }

    /// The number of sequences of this many legal plies.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.plies().len() as u64,
            _ => self
                .plies()
                .iter()
                .map(|ply| self.after(ply).perft(depth - 1))
                .sum(),
        }
    }

    /// `kingfall`, `mate`, `stalemate`, `dead`, `repetition`, `seventyfive`, `check` or `ongoing`, the first that
    /// applies; `open` if no turn begins here (OV-12, OV-15).
    pub fn status(&self) -> &'static str {
        if self.fallen.is_some() {
            return "kingfall";
        }
        if !matches!(self.phase, Phase::Over(None)) {
            return "open";
        }
        let check = self.king_attacked(self.side);
        let stuck = self.over_moves().is_empty() && self.consolidations().is_empty();
        let times = self
            .seen
            .iter()
            .filter(|key| Some(*key) == self.seen.last())
            .count();
        match (stuck, check) {
            (true, true) => "mate",
            (true, false) => "stalemate",
            _ if self.contests.is_empty() && self.is_dead() => "dead",
            _ if times >= 5 => "repetition",
            _ if self.half >= 150 => "seventyfive",
            (false, true) => "check",
            (false, false) => "ongoing",
        }
    }

    /// Bare Kings, a King and a minor over-piece against a King, or Bishops on squares of one colour (GEN-3).
    fn is_dead(&self) -> bool {
        let all = Square::ALL
            .into_iter()
            .filter_map(|at| Some((at, self.at(at)?)));
        let pieces: Vec<(Square, SubSetPiece)> =
            all.filter(|(_, piece)| piece.role != Role::King).collect();
        let bishops = pieces.iter().all(|(_, piece)| piece.role == Role::Bishop);
        let one_colour =
            pieces.iter().all(|(at, _)| at.is_light()) || pieces.iter().all(|(at, _)| at.is_dark());
        match &pieces[..] {
            [(_, piece)] => piece.role == Role::Knight || piece.role == Role::Bishop,
            _ => bishops && one_colour,
        }
    }
}

/// Whether neither side can mate: by material, or because every move leads to such a position within this many moves. Walls
/// of pawns, which random play does not build, are not looked for.
pub fn is_dead(position: &Chess, moves: u32) -> bool {
    if position.is_checkmate() {
        return false;
    }
    let leads_nowhere = |m: Move| {
        let mut after = position.clone();
        after.play_unchecked(m);
        is_dead(&after, moves - 1)
    };
    position.is_insufficient_material()
        || moves > 0 && position.legal_moves().into_iter().all(leads_nowhere)
}
