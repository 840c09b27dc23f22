//! The sub-sets of a position as tables.

use super::{AsRoster, squares};
use overboard_pictures::diagram::Table;
use overboard_rules::{
    overchess::{Over, OverPiece, Reserves, Roster},
    square::{Role, Side},
};

/// The order of the rows.
const ORDER: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// An over-piece and where it stands; `xe4` is one that attacks e4.
struct Entry {
    there: OverPiece,
    place: String,
    spares: Roster,
}

/// White's and Black's over-pieces: where each stands, what is left of its sub-set, its points (OV-14), and
/// what is lost.
pub fn tables(over: &Over) -> Vec<Table> {
    let entries = entries(over);
    [Side::White, Side::Black].map(|side| table(over, side, &entries)).into()
}

fn entries(over: &Over) -> Vec<Entry> {
    let mut entries = Vec::new();
    for on in squares() {
        let Some(there) = over.piece_at(on) else { continue };
        let contest = over.contested().find(|contest| contest.to == on);
        let place = if contest.is_some() { format!("x{on}") } else { on.to_string() };
        entries.push(Entry { there, place, spares: over.own_spares(on) });
        if let Some(contest) = contest {
            let place = contest.victim.unwrap_or(on).to_string();
            let spares = over.defenders_spares(on);
            entries.push(Entry { there: contest.defender, place, spares });
        }
    }
    entries
}

fn table(over: &Over, side: Side, entries: &[Entry]) -> Table {
    let each_has_spares = matches!(over.options().reserves, Reserves::Set(_));
    let own: Vec<_> = entries.iter().filter(|entry| entry.there.piece.side == side).collect();
    let points: u32 = own.iter().map(|entry| entry.there.men.points()).sum();
    let spares = match over.options().reserves {
        Reserves::Team(_) => format!(", {} in reserve", AsRoster(over.team_spares(side))),
        _ => String::new(),
    };
    let mut heads = vec!["", "on", "left", "points", "lost"];
    heads.extend(each_has_spares.then_some("spare"));
    let mut rows = Vec::new();
    for role in ORDER {
        for Entry { there, place, spares } in own.iter().filter(|entry| entry.there.piece.role == role) {
            let lost = there.men.room();
            let lost = if lost.is_none() { "-".into() } else { AsRoster(lost).to_string() };
            let mut row = vec![
                role.letter().to_string(),
                place.clone(),
                AsRoster(there.men).to_string(),
                there.men.points().to_string(),
                lost,
            ];
            row.extend(each_has_spares.then(|| AsRoster(*spares).to_string()));
            rows.push(row);
        }
    }
    Table { title: format!("{side}, {points} points{spares}"), heads, rows }
}
