//! Whether those who played a sub-game were entitled to it.

use super::{Holder, Inside, Objection, Open, Origin, Roles, is_unknown, names};
use overboard_formats::span::TextSpan;
use overboard_referee::finding as code;

impl Roles {
    /// The tags of the sub-game are complete: checks that its players are entitled to play it. In it White is the
    /// attacker, whichever colour the attacker has outside. Returns the roles inside, if it is itself Overchess. `way`
    /// is the path to it in words.
    pub fn judge(&mut self, way: &str) -> Option<Inside> {
        let Open {
            on,
            players,
            mut inside,
        } = self.open.take()?;
        let origins = match (self.contest(on), self.settled_at_once) {
            (Some(contest), _) => contest.parties,
            (None, Some((square, parties))) if square == on => parties,
            _ => return None,
        };
        let playing = [0, 1].map(|side: usize| match &players[side] {
            Some((list, _)) if !is_unknown(list) => names(list),
            _ => self.called_for(origins[side], &[]).names,
        });
        self.playing.retain(|(known, _)| *known != on);
        self.playing.push((on, playing));
        for (side, origin) in origins.into_iter().enumerate() {
            let Some(origin) = origin else { continue };
            let heir = self.heir(origin, players[side].as_ref());
            if let Some((list, place)) = &players[side] {
                self.judge_player(origin, list, *place, way);
            }
            let commander = &mut inside.commanders[side];
            *commander = commander.take().or(heir);
            let team = &mut self.teams[origin.side];
            team.taken += usize::from(team.is_in_turn(origin));
        }
        Some(inside)
    }

    /// Who commands in a sub-game if the record does not say: the people who are entitled to play it and those who do
    /// play it; anyone if nobody is named.
    fn heir(&self, origin: Origin, player: Option<&(String, TextSpan)>) -> Option<Holder> {
        let mut holder = self.teams[origin.side].leader(origin)?.0.clone();
        if let Some((list, _)) = player
            && !holder.includes(list)
        {
            holder.names.extend(names(list));
        }
        Some(holder)
    }

    fn judge_player(&mut self, origin: Origin, list: &str, place: TextSpan, way: &str) {
        let Some((holder, how)) = self.teams[origin.side].leader(origin) else {
            return;
        };
        // A plain name may contain a colon.
        let players = if holder.includes(list) {
            Vec::new()
        } else {
            names(list)
        };
        let stranger = players
            .iter()
            .find(|name| !is_unknown(name) && !holder.includes(name));
        let Some(stranger) = stranger else { return };
        let Origin { side, role, square } = origin;
        let which = format!("{side}'s {} from {square}", role.name());
        let line = holder.since.line;
        let since = match holder.by_tag {
            true => format!("by the tag on line {line}"),
            false => format!("since the command on line {line}"),
        };
        let entitled = format!("{} {how}", holder.are());
        let words =
            format!("{way}: {stranger} is not entitled to play for {which}: {entitled}, {since}");
        self.objections.push(Objection {
            code: &code::NOT_ENTITLED,
            rule: self.rule,
            place,
            words,
            since: Some((holder.since, entitled)),
        });
    }
}
