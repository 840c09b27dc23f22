//! The plies of a sheet, and where sub-games follow them.

use crate::{Count, Tagged as _, ends_a_consolidation, packed::Packed, stripped, tags, target};
use overboard_formats::{lex::Prose, parse::Open, record::Node};
use overboard_games::overchess;
use overboard_rules::{path, square::Side};

/// The plies of a sheet, as far as steps refer to them: a byte each, since a sheet may have millions.
pub struct Plies {
    first: Count,
    /// Of each the square that it attacks, numbered from 1; 0 where it attacks none. An entry for the beginning comes first.
    attacks: Vec<u8>,
}

impl Plies {
    pub fn of(sheet: &Packed) -> Self {
        let mut attacks = Vec::new();
        visit(sheet, |place| {
            let is_attack = place.ply.contains('x');
            let attacked = if is_attack { target(&place.ply) } else { None };
            let square = attacked.and_then(overchess::square_named);
            attacks.push(square.map_or(0, |square| 1 + path::index(square)));
        });
        Self {
            first: Count::from(sheet.tag("FEN")),
            attacks,
        }
    }

    /// How many there are, the entry for the beginning included.
    pub const fn len(&self) -> usize {
        self.attacks.len()
    }

    /// The ply that a step names, such as `12w`; 0 is the beginning.
    pub fn named(&self, label: &str) -> Option<usize> {
        if label == "0" {
            return Some(0);
        }
        let (digits, side) = match label.split_at_checked(label.len().checked_sub(1)?)? {
            (digits, "w") => (digits, Side::White),
            (digits, "b") => (digits, Side::Black),
            _ => return None,
        };
        let number: u32 = digits.parse().ok()?;
        let plies =
            |number: u32, side: Side| 2 * u64::from(number) + u64::from(side == Side::Black);
        let before = plies(number, side).checked_sub(plies(self.first.number, self.first.side))?;
        let at = usize::try_from(before).ok()? + 1;
        // As it would be written, without zeros before it.
        (at < self.len() && number.to_string() == digits).then_some(at)
    }

    /// The square that a ply attacks.
    pub fn attacked(&self, at: usize) -> Option<String> {
        let index = self.attacks[at].checked_sub(1)?;
        Some(path::square(index).to_string())
    }
}

/// How a ply of a sheet is written.
pub fn written(sheet: &Packed, at: usize) -> String {
    let (mut nth, mut found) = (0, String::new());
    visit(sheet, |place| {
        if nth == at {
            found.clone_from(&place.ply);
        }
        nth += 1;
    });
    found
}

/// A ply of the main line of a sheet.
pub struct PlyPlace {
    /// How it is written.
    pub ply: String,
    /// The nodes after which sub-games are inserted: where its ordinal is written.
    pub marks: Vec<usize>,
    /// The last node of it and its remarks.
    pub end: usize,
}

/// The plies of the main line of a sheet in their order, preceded by an entry for the beginning.
pub fn visit(sheet: &Packed, mut take: impl FnMut(&PlyPlace)) {
    let begin = sheet.head_length().saturating_sub(1);
    let mut place = PlyPlace {
        ply: String::new(),
        marks: Vec::new(),
        end: begin,
    };
    let (mut ravs, mut blocks) = (0_usize, 0_usize);
    let mut verb = None;
    for (at, (node, _)) in sheet.items().enumerate() {
        match node {
            Node::RavOpen => ravs += 1,
            Node::RavClose => ravs = ravs.saturating_sub(1),
            Node::SubgameOpen(_) => blocks += 1,
            Node::BlockClose(Open::Subgame) => blocks = blocks.saturating_sub(1),
            Node::ActionOpen(opened) => verb = Some(opened),
            _ => {}
        }
        if ravs > 0 || blocks > 0 {
            continue;
        }
        let made = match &node {
            Node::Ply(ply) => Some(ply.clone()),
            node if ends_a_consolidation(node, verb) => Some(String::new()),
            _ => None,
        };
        if let Some(ply) = made {
            take(&place);
            place = PlyPlace {
                ply,
                marks: Vec::new(),
                end: at,
            };
        } else if tags::is_remark(&node) {
            let is_mark = |text: &str| stripped(text).0.iter().any(|(name, _)| name == "seq");
            if matches!(&node, Node::Prose(Prose::Brace, text) if is_mark(text)) {
                place.marks.push(at);
            }
            if place.end + 1 == at {
                place.end = at;
            }
        }
    }
    take(&place);
}
