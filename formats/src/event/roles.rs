//! The people of an Overchess team: who commands, who leads which over-piece.

use super::{
    Event,
    roster::{Player, Role},
    settings::Lieutenants,
};
use overboard_schedules::roles::{Roles, Template, assign, from_lists};

/// The people of a team and what each leads.
#[derive(Clone, Debug)]
pub struct Command<'a> {
    /// The commander, then the lieutenants; [`Roles`] numbers them from 0.
    pub people: Vec<&'a Player>,
    /// Who leads which over-piece.
    pub roles: Roles,
}

impl Event {
    /// Who leads which over-piece of a team, by its template or by the column `pieces`.
    ///
    /// # Errors
    /// Why the pieces cannot be given out.
    pub fn roles(&self, team: u32) -> Result<Command<'_>, String> {
        let roster = self.roster(team);
        let of = |role: Role| roster.iter().copied().filter(move |player| player.role == role);
        let mut commanders = of(Role::Commander);
        let (Some(commander), None) = (commanders.next(), commanders.next()) else {
            return Err(format!("{} needs one player with the role commander", self.name(team)));
        };
        let lieutenants = of(Role::Lieutenant);
        let people: Vec<_> = std::iter::once(commander).chain(lieutenants).collect();
        let template = match self.settings.lieutenants {
            Lieutenants::Full => Some(Template::Full),
            Lieutenants::ByType => Some(Template::ByType),
            Lieutenants::Rotation => Some(Template::Rotation),
            Lieutenants::Solo => Some(Template::Solo),
            Lieutenants::Listed => None,
        };
        let lists = || people.iter().map(|player| player.pieces.as_str()).collect::<Vec<_>>();
        let roles =
            template.map_or_else(|| from_lists(&lists()), |template| assign(template, people.len() - 1));
        let roles = roles.map_err(|error| format!("{}: {error}", self.name(team)))?;
        Ok(Command { people, roles })
    }
}
