//! Results entered, replaced and cleared.

use crate::{
    Event,
    entry::Entered,
    results::{Finding, whole},
    rounds::{Board, GameResult, Match, Round},
    settings::{Scoring, Settings, System},
};
use overboard_schedules::{ids::RoundNo, points::Points};

/// What happens where there is a result already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// It stays, and a different one is refused.
    Kept,
    /// It is replaced.
    Replaced,
}

/// What is cleared of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cleared {
    /// All results.
    Round,
    /// Those of a match, with its play-off.
    Table(u32),
    /// That of one board.
    Board(u32, u32),
    /// Only the play-off of a match.
    PlayOff(u32),
}

/// A result and its kings or sub-games.
type Known = (Option<GameResult>, Option<[Points; 2]>);

impl Event {
    pub(super) fn round_mut(&mut self, round: RoundNo) -> Result<&mut Round, String> {
        self.paired(round)?;
        Ok(&mut self.rounds[round.index()])
    }

    pub(super) fn table_mut(&mut self, round: RoundNo, table: u32) -> Result<&mut Match, String> {
        let place = self.place_of(round, table)?;
        Ok(&mut self.rounds[round.index()].matches[place])
    }

    /// Enters a result. Returns it in words, or `None` if it was there already.
    ///
    /// # Errors
    /// Why it is not possible.
    pub fn enter_result(
        &mut self,
        round: RoundNo,
        entered: &Entered,
        existing: Existing,
    ) -> Result<Option<String>, String> {
        if entered.play_off {
            return self.enter_play_off(round, &entered.finding, existing);
        }
        let Finding {
            table,
            board,
            result,
            tally,
        } = entered.finding;
        let settings = self.settings.clone();
        let of_players = settings.pairs_players();
        let this = self.table_mut(round, table)?;
        possible(&settings, result, board, tally)?;
        let label = match board {
            Some(board) => format!("table {table}, board {board}"),
            None => format!("table {table}"),
        };
        let own = known(this, board)?;
        let is_only_one = this.boards.len() == 1;
        if own == (Some(result), tally)
            && (is_only_one || covering(this, board, of_players).is_none())
        {
            return Ok(None);
        }
        let before = match own {
            (Some(_), _) => Some((label.clone(), own)),
            _ => covering(this, board, of_players),
        };
        if let Some((place, (Some(old), kings))) = &before
            && existing == Existing::Kept
        {
            return Err(format!(
                "{place} already has the result {}; --correct replaces it",
                in_words(*old, *kings)
            ));
        }
        if let Some(seat) = this.boards.iter().find(|seat| Some(seat.board) == board) {
            seat.takes(result)
                .map_err(|why| format!("{label}: {why}"))?;
        }
        write(this, &entered.finding, &entered.source, of_players);
        let was = match before {
            Some((_, (Some(old), kings))) => format!(" (was {})", in_words(old, kings)),
            _ => String::new(),
        };
        Ok(Some(format!("{label}: {}{was}", in_words(result, tally))))
    }

    /// Enters who advances after a drawn match of a knockout.
    fn enter_play_off(
        &mut self,
        round: RoundNo,
        finding: &Finding,
        existing: Existing,
    ) -> Result<Option<String>, String> {
        let Finding { table, result, .. } = *finding;
        if self.settings.system != System::Knockout {
            return Err("only a knockout has play-offs".into());
        }
        if !matches!(result, GameResult::White | GameResult::Black) {
            return Err(format!(
                "expected 1-0 or 0-1 for a play-off, found {result}"
            ));
        }
        let this = self.table_mut(round, table)?.clone();
        if !self.is_drawn(&this) {
            return Err(format!(
                "table {table} is not drawn; a play-off follows a drawn match"
            ));
        }
        match this.play_off {
            Some(old) if old == result => return Ok(None),
            Some(old) if existing == Existing::Kept => {
                return Err(format!(
                    "table {table} already has the play-off {old}; --correct replaces it"
                ));
            }
            _ => {}
        }
        self.table_mut(round, table)?.play_off = Some(result);
        Ok(Some(format!("table {table}: play-off {result}")))
    }

    /// Whether a match is over and neither side has more points.
    #[must_use]
    pub fn is_drawn(&self, this: &Match) -> bool {
        let outcome = self.outcome(this);
        outcome.is_some_and(|outcome| outcome.scores[0] == outcome.scores[1])
    }

    /// Who advances from a drawn match; `None` if no play-off decides it.
    #[must_use]
    pub fn play_off_of(&self, this: &Match) -> Option<GameResult> {
        let counts = self.settings.system == System::Knockout && self.is_drawn(this);
        if counts { this.play_off } else { None }
    }

    /// Removes play-offs of matches of a round that are no longer drawn. Returns them in words.
    pub fn drop_play_offs(&mut self, round: RoundNo) -> Vec<String> {
        let Some(sheet) = self.rounds.get(round.index()) else {
            return Vec::new();
        };
        let mut idle = Vec::new();
        let mut words = Vec::new();
        for (place, this) in sheet.matches.iter().enumerate() {
            if let Some(old) = this.play_off
                && !self.is_drawn(this)
            {
                idle.push(place);
                words.push(format!(
                    "table {}: the play-off {old} is removed, since the match is not drawn",
                    this.table
                ));
            }
        }
        for place in idle {
            self.rounds[round.index()].matches[place].play_off = None;
        }
        words
    }

    /// Clears results of a round. Returns in words what was there; empty if nothing was.
    ///
    /// # Errors
    /// If there is no such table or board.
    pub fn clear_results(&mut self, round: RoundNo, which: Cleared) -> Result<Vec<String>, String> {
        let mut words = Vec::new();
        match which {
            Cleared::Round => {
                for this in &mut self.round_mut(round)?.matches {
                    words.extend(clear(this));
                }
            }
            Cleared::Table(table) => words.extend(clear(self.table_mut(round, table)?)),
            Cleared::Board(table, number) => {
                words.extend(clear_board(self.table_mut(round, table)?, number)?);
            }
            Cleared::PlayOff(table) => {
                if let Some(old) = self.table_mut(round, table)?.play_off.take() {
                    words.push(format!("table {table}: play-off {old}"));
                }
            }
        }
        words.extend(self.drop_play_offs(round));
        Ok(words)
    }
}

/// A result that is not possible where a seat is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{empty} there, so the result must be a forfeit: {expected}")]
pub struct EmptySeat {
    empty: &'static str,
    expected: &'static str,
}

impl Board {
    /// Checks that a result is possible with these players: an empty seat can only lose by forfeit.
    ///
    /// # Errors
    /// Why it is not.
    pub fn takes(&self, result: GameResult) -> Result<(), EmptySeat> {
        let (expected, empty) = match (self.white, self.black, result) {
            (Some(_), Some(_), _) | (_, _, GameResult::BothForfeit) => return Ok(()),
            (Some(_), None, GameResult::WhiteForfeit) => return Ok(()),
            (None, Some(_), GameResult::BlackForfeit) => return Ok(()),
            (Some(_), None, _) => ("1-0f or 0-0f", "Black has no player"),
            (None, Some(_), _) => ("0-1f or 0-0f", "White has no player"),
            (None, None, _) => ("0-0f", "neither side has a player"),
        };
        Err(EmptySeat { empty, expected })
    }
}

/// A result in words, with kings or sub-games.
fn in_words(result: GameResult, tally: Option<[Points; 2]>) -> String {
    match tally {
        Some([white, black]) => format!("{result} ({white}-{black})"),
        None => result.to_string(),
    }
}

/// Clears a match; returns in words what was there.
fn clear(this: &mut Match) -> Option<String> {
    let mut words = Vec::new();
    if let Some(old) = this.result.take() {
        words.push(in_words(old, this.tally.take()));
    }
    this.tally = None;
    this.source.clear();
    for board in &mut this.boards {
        if let Some(old) = board.result.take() {
            words.push(old.to_string());
        }
        board.source.clear();
    }
    if let Some(old) = this.play_off.take() {
        words.push(format!("play-off {old}"));
    }
    if words.is_empty() {
        return None;
    }
    Some(format!("table {}: {}", this.table, words.join(" ")))
}

/// Clears a board of a match; returns in words what was there.
fn clear_board(this: &mut Match, number: u32) -> Result<Option<String>, String> {
    this.board(number)?;
    for board in &mut this.boards {
        if board.board == number
            && let Some(old) = board.result.take()
        {
            board.source.clear();
            let table = this.table;
            return Ok(Some(format!("table {table}, board {number}: {old}")));
        }
    }
    match this.result {
        Some(whole) => Err(format!(
            "table {} has the result {whole} as a whole; clear that, without --board",
            this.table
        )),
        None => Ok(None),
    }
}

/// Why a result is not possible in an event of this kind.
fn possible(
    settings: &Settings,
    result: GameResult,
    board: Option<u32>,
    tally: Option<[Points; 2]>,
) -> Result<(), String> {
    let refuse = |why: &str| Err(why.to_owned());
    match settings.scoring {
        Scoring::Boards if tally.is_some() => {
            refuse("here each board has its own result; --score does not apply")
        }
        Scoring::Boards if board.is_none() && !result.is_forfeit() && !settings.pairs_players() => {
            refuse(
                "each board has its own result: enter them all in one line, such as '4: 1-0 = 0-1 1-0', or one with --board N; only a forfeit can be entered for a whole match",
            )
        }
        Scoring::Boards => Ok(()),
        _ if board.is_some() => refuse("here a match is one game; --board does not apply"),
        Scoring::Kings if result.is_forfeit() && tally.is_some() => {
            refuse("no kings are counted in a forfeit; leave --score out")
        }
        Scoring::Kings if !result.is_forfeit() && tally.is_none() => {
            refuse("the kings left are missing; add them (White's first), such as --score 2-1")
        }
        Scoring::Kings => kings(result, tally, settings.boards),
        Scoring::Game if tally.is_some() => refuse(
            "this event counts only results, so --score does not apply; an event made with `overboard event new --scoring subgames` counts the sub-games won",
        ),
        _ if tally.is_some_and(|tally| tally.iter().any(|own| *own < Points::ZERO)) => {
            refuse("a score cannot be negative")
        }
        _ => Ok(()),
    }
}

/// Kings are whole numbers, at most one per board. The result need not follow from them: a team that resigns has none
/// (SC-36), and the last king may be mated.
fn kings(result: GameResult, tally: Option<[Points; 2]>, boards: u32) -> Result<(), String> {
    let Some(tally) = tally else { return Ok(()) };
    let all = whole(boards);
    let is_count = |own: &Points| *own >= Points::ZERO && *own <= all && own.0 % 10 == 0;
    let [white, black] = tally;
    if !tally.iter().all(is_count) {
        return Err(format!(
            "{white}-{black} kings: each team has {all} at most"
        ));
    }
    let fits = match result {
        GameResult::White => white > black,
        GameResult::Black => black > white,
        _ => white == black,
    };
    if fits {
        Ok(())
    } else {
        Err(format!(
            "{result} does not match {white}-{black} kings: the team with more kings left wins (SC-30, SC-36)"
        ))
    }
}

/// The result of a match, or of one of its boards.
fn known(this: &Match, board: Option<u32>) -> Result<Known, String> {
    match board {
        None if this.result.is_none() && this.boards.len() == 1 => {
            Ok((this.boards[0].result, None))
        }
        None => Ok((this.result, this.tally)),
        Some(number) => Ok((this.board(number)?.result, None)),
    }
}

/// A result that would hide the new one, or be hidden by it: that of the whole match for a board, or of a board for
/// the whole match.
fn covering(this: &Match, board: Option<u32>, of_players: bool) -> Option<(String, Known)> {
    if of_players {
        return None;
    }
    let table = this.table;
    if board.is_some() {
        let whole = this.result?;
        return Some((format!("table {table}"), (Some(whole), this.tally)));
    }
    let over = this.boards.iter().find(|board| board.result.is_some())?;
    let label = format!("table {table}, board {}", over.board);
    Some((label, (over.result, None)))
}

/// Writes a result. If players are paired, the match is a single game, and the result is that of its board. Otherwise a
/// match has either a result as a whole or those of its boards.
fn write(this: &mut Match, finding: &Finding, source: &str, of_players: bool) {
    let only = match this.boards.first() {
        Some(board) if of_players => Some(board.board),
        _ => None,
    };
    match finding.board.or(only) {
        None => {
            (this.result, this.tally) = (Some(finding.result), finding.tally);
            source.clone_into(&mut this.source);
            for board in &mut this.boards {
                board.result = None;
                board.source.clear();
            }
        }
        Some(number) => {
            (this.result, this.tally) = (None, None);
            this.source.clear();
            if let Some(board) = this.boards.iter_mut().find(|board| board.board == number) {
                board.result = Some(finding.result);
                source.clone_into(&mut board.source);
            }
        }
    }
}
