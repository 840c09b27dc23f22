//! Random positions of Mega-Chess with boards near their ends, so that their states change often.

use crate::{chance::Chance, naive::mega::Naive};
use shakmaty::{Color, Role, Square};

/// Boards with White to move, near the end of a game or with few moves.
const BOARDS: [&str; 16] = [
    // Mate in one: by a rook, by the only legal move, by a knight, by a promoting pawn.
    "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1",
    "b5k1/5ppp/8/8/8/8/7P/R5BK w - - 0 1",
    "6rk/6pp/8/6N1/8/8/8/7K w - - 0 1",
    "k7/2P5/1K6/8/8/8/8/8 w - - 0 1",
    // Stalemate in one, bare kings in one, the hundred and fiftieth ply without progress.
    "7k/8/5K2/8/6Q1/8/8/8 w - - 0 1",
    "k7/8/8/8/8/8/1n6/K7 w - - 0 1",
    "k7/8/8/8/8/8/7R/K7 w - - 149 90",
    "6k1/5ppp/8/8/8/8/8/R6K w - - 149 90",
    // In check.
    "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1",
    "4r2k/8/8/8/8/8/8/4K3 w - - 0 1",
    "6k1/5ppp/8/8/7b/8/8/R3K3 w Q - 0 1",
    // Few moves of different kinds.
    "k7/8/8/8/8/7p/7P/K7 w - - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
    "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1",
    "7k/5Q2/8/8/8/8/8/K7 w - - 3 40",
    "k7/8/1K6/8/8/8/8/7R w - - 0 1",
];

/// A board with the colours swapped.
fn mirrored(fen: &str) -> String {
    let swap = |letter: char| match letter.is_ascii_uppercase() {
        true => letter.to_ascii_lowercase(),
        false => letter.to_ascii_uppercase(),
    };
    let fields: Vec<&str> = fen.split(' ').collect();
    let ranks: Vec<&str> = fields[0].split('/').rev().collect();
    let placement: String = ranks.join("/").chars().map(swap).collect();
    let castling: String = fields[2].chars().map(swap).collect();
    let castling = if castling == "kQ" {
        "Qk".into()
    } else {
        castling
    };
    let passed = fields[3].replace('6', "3");
    let turn = if fields[1] == "w" { "b" } else { "w" };
    format!(
        "{placement} {turn} {castling} {passed} {} {}",
        fields[4], fields[5]
    )
}

/// A random position in the making.
struct Scatter<'a> {
    level: u32,
    free: bool,
    chance: &'a mut Chance,
    cells: [Option<(Role, Color)>; 64],
}

impl Scatter<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.chance.below(bound)
    }

    fn put(&mut self, side: Color, role: Role) {
        let at = Square::new(self.below(64) as u32);
        let edge = [0, 7].contains(&u32::from(at.rank()));
        if self.cells[at as usize].is_none() && !(edge && role == Role::Pawn) {
            self.cells[at as usize] = Some((role, side));
        }
    }

    fn fill(&mut self, pieces: usize) {
        for (side, home) in [(Color::White, 0), (Color::Black, 56)] {
            match self.below(4) {
                0 => {
                    for (at, role) in [(0, Role::Rook), (4, Role::King), (7, Role::Rook)] {
                        self.cells[home + at] = Some((role, side));
                    }
                }
                _ => self.put(side, Role::King),
            }
            for _ in 0..self.below(pieces + 1) {
                let role = [
                    Role::Pawn,
                    Role::Pawn,
                    Role::Pawn,
                    Role::Knight,
                    Role::Bishop,
                    Role::Rook,
                    Role::Queen,
                ];
                let role = role[self.below(7)];
                self.put(side, role);
            }
        }
    }

    fn state(&mut self, role: Role) -> String {
        match self.below(if role == Role::King { 10 } else { 9 }) {
            0..3 => "armed".into(),
            3..5 => "disarmed".into(),
            9 => "dethroned".into(),
            _ => self.board(),
        }
    }

    fn board(&mut self) -> String {
        if self.level > 1 {
            return scattered(self.level - 1, self.free, 3, self.chance).text();
        }
        let board = BOARDS[self.below(BOARDS.len())];
        if self.below(2) == 0 {
            board.into()
        } else {
            mirrored(board)
        }
    }

    fn rights(&mut self, boards: &str) -> String {
        let is = |at: usize, role, side| self.cells[at] == Some((role, side));
        let mut rights = String::new();
        for (letter, king, rook, side) in [
            ('K', 4, 7, Color::White),
            ('Q', 4, 0, Color::White),
            ('k', 60, 63, Color::Black),
            ('q', 60, 56, Color::Black),
        ] {
            let throne = format!("E{}: dethroned", if side.is_white() { 1 } else { 8 });
            if is(king, Role::King, side) && is(rook, Role::Rook, side) && !boards.contains(&throne)
            {
                rights.push(letter);
            }
        }
        if rights.is_empty() || self.below(4) == 0 {
            "-".into()
        } else {
            rights
        }
    }

    /// A square that a pawn of the side that has just moved may have passed, or `-`.
    fn passed(&mut self, mover: Color) -> String {
        let (first, passed, stands) = if mover.is_white() {
            (6, 5, 4)
        } else {
            (1, 2, 3)
        };
        for file in 0..8 {
            let cell = |rank: usize| self.cells[rank * 8 + file];
            let pawn = Some((Role::Pawn, mover.other()));
            if cell(stands) == pawn
                && cell(passed).is_none()
                && cell(first).is_none()
                && self.below(2) == 0
            {
                return Square::new((passed * 8 + file) as u32)
                    .to_string()
                    .to_uppercase();
            }
        }
        "-".into()
    }

    fn text(&mut self, pieces: usize) -> String {
        self.fill(pieces);
        let mut boards = Vec::new();
        for at in Square::ALL {
            if let Some((role, _)) = self.cells[at as usize] {
                boards.push(format!(
                    "{}: {}",
                    at.to_string().to_uppercase(),
                    self.state(role)
                ));
            }
        }
        let boards = boards.join("; ");
        let mover = Color::from_white(self.below(2) == 0);
        let (rights, passed) = (self.rights(&boards), self.passed(mover));
        let half = if self.below(12) == 0 {
            149
        } else {
            self.below(20)
        };
        let full = 1 + self.below(60);
        let placement = self.placement();
        format!(
            "{placement} {} {rights} {passed} {half} {full} - {{{boards}}}",
            mover.char()
        )
    }

    fn placement(&self) -> String {
        let letter = |cell: &Option<(Role, Color)>| match cell {
            None => '1',
            Some((role, Color::White)) => role.upper_char(),
            Some((role, Color::Black)) => role.char(),
        };
        let ranks: Vec<String> = self
            .cells
            .rchunks(8)
            .map(|rank| rank.iter().map(letter).collect())
            .collect();
        let mut text = ranks.join("/");
        for empty in (2..=8).rev() {
            text = text.replace(&"1".repeat(empty), &empty.to_string());
        }
        text
    }
}

/// A position in play at this level, with or without free turns, with up to this many pieces besides kings and rooks on
/// each side.
pub fn scattered(level: u32, free: bool, pieces: usize, chance: &mut Chance) -> Naive {
    loop {
        let text = Scatter {
            level,
            free,
            chance,
            cells: [None; 64],
        }
        .text(pieces);
        let game = Naive::read(level, free, &text);
        if game.fault().is_none() && ["check", "ongoing"].contains(&game.status()) {
            return Naive::parse_under(level, free, &game.text());
        }
    }
}
