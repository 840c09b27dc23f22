//! Set-ups of individuals, as FENs describe them.

use super::refusal::Reason;
use crate::overchess::{
    self, Individual, Name, Over, Places, SubSetPlace,
    individuals::Seat,
    laws as law,
    setup::{Draft, Seated},
};
use overboard_rules::{
    by_side::BySide,
    path::square,
    rule::Rule,
    square::{Side, Square},
};

/// Why a set-up cannot be made.
pub enum SetUpFault {
    /// It cannot be read.
    Unread(String),
    /// It is not legal.
    Refused(Reason),
    /// It is not even a position: an individual occurs twice.
    Twice(Name),
}

impl From<Reason> for SetUpFault {
    fn from(reason: Reason) -> Self {
        Self::Refused(reason)
    }
}

/// Where the attacker's and the defender's individuals are set up: each by its own place and that of its square.
type Seats = BySide<Vec<(SubSetPlace, SubSetPlace)>>;

fn refuse<T>(words: impl Into<String>, rule: &'static Rule) -> Result<T, SetUpFault> {
    Err(SetUpFault::Refused((words.into(), rule)))
}

/// The set-up that a FEN describes for the sub-game of an over-game, and where it puts the individuals;
/// `None` if no game of individuals is due there.
pub fn in_words(
    over: &Over,
    level: usize,
    fen: &str,
) -> Result<Option<(Draft, Seats)>, SetUpFault> {
    let Some(around) = over.level(level) else {
        return Ok(None);
    };
    let (Some(armies), Some(owners)) = (around.armies(), around.owners()) else {
        return Ok(None);
    };
    let depth = around.depth().saturating_sub(1);
    let draft = overchess::block(fen, depth, over.rules(), owners)
        .map_err(|fault| SetUpFault::Unread(fault.to_string()))?;
    let seats = seats(&draft, &armies)?;
    for side in Side::BOTH {
        all_are_set_up(side, &armies[side], &seats)?;
    }
    Ok(Some((draft, seats)))
}

/// Where the FEN puts each individual. Each must still be in play, with what is left of its own sub-set.
fn seats(draft: &Draft, armies: &BySide<Places>) -> Result<Seats, SetUpFault> {
    let mut seats = Seats::default();
    for Seated { seat, side, one } in &draft.individuals {
        let Seat::On(at) = *seat else {
            return refuse("nothing is contested in a set-up", &law::SET_UP);
        };
        let (on, own) = (square(at), &mut seats[*side]);
        let place = place_of(one, *side, on, &armies[*side])?;
        if own.iter().any(|(seated, _)| *seated == place) {
            return Err(SetUpFault::Twice(one.name.clone()));
        }
        let shown = draft.fields.piece_at(on).map(|piece| piece.role);
        match SubSetPlace::of(overchess::seen_by(*side, on)) {
            Some(regular) if regular.role() == place.role() && shown == Some(place.role()) => {
                own.push((place, regular));
            }
            _ => return refuse(format!("{} does not start on {on}", one.name), &law::SET_UP),
        }
    }
    Ok(seats)
}

fn place_of(
    one: &Individual,
    side: Side,
    on: Square,
    army: &Places,
) -> Result<SubSetPlace, SetUpFault> {
    let Some(place) = army.find(&one.name) else {
        let words = format!(
            "{} on {on} is not one of {}'s that are left",
            one.name,
            who(side)
        );
        return refuse(words, &law::DEPLETION);
    };
    if army.at(place).is_some_and(|right| right.army != one.army) {
        return refuse(
            format!("the sub-set of {} is not what is left of it", one.name),
            &law::DEPTH,
        );
    }
    Ok(place)
}

fn all_are_set_up(side: Side, army: &Places, seats: &Seats) -> Result<(), SetUpFault> {
    for (place, one) in army.all() {
        if !seats[side].iter().any(|(own, _)| *own == place) {
            let words = format!("{} of {}'s sub-set is not set up", one.name, who(side));
            return refuse(words, &law::SET_UP);
        }
    }
    Ok(())
}

const fn who(side: Side) -> &'static str {
    match side {
        Side::White => "the attacker",
        Side::Black => "the defender",
    }
}
