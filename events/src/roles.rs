//! The people of an Overchess team: who commands, and who leads which over-piece.

use crate::{
    Event,
    roster::{Player, Role},
    settings::Lieutenants,
};
use overboard_schedules::{
    ids::TeamNo,
    roles::{MOST, Roles, RolesError, Template, assign, from_lists},
};

/// The people of a team and what each of them leads.
#[derive(Clone, Debug)]
pub struct Command<'a> {
    /// The commanders, then the lieutenants; [`Roles`] numbers them from 0.
    pub people: Vec<&'a Player>,
    /// How many of them command.
    pub commanders: usize,
    /// Who leads which over-piece.
    pub roles: Roles,
}

/// Why the pieces of a team cannot be assigned; the team is named as messages quote it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// Nobody commands.
    #[error(
        "{0} needs a player with the role commander; `event enter` takes --players 'commander=Ann;lieutenant=Bob'"
    )]
    NoCommander(String),
    /// It has more than can have pieces.
    #[error("{name} has {found} commanders and lieutenants, and a team of Overchess up to {MOST}")]
    TooMany {
        /// The team.
        name: String,
        /// How many it has.
        found: usize,
    },
    /// Its template, or the column `pieces`, does not fit.
    #[error("{name}: {why}{}", how(.why))]
    Roles {
        /// The team.
        name: String,
        /// The reason.
        why: RolesError,
    },
}

/// How the number of people is put right.
const fn how(why: &RolesError) -> &'static str {
    match why {
        RolesError::People { .. } => {
            "; `event enter` takes --players 'commander=Ann;lieutenant=Bob', and players.csv has the column role"
        }
        _ => "",
    }
}

impl Event {
    /// Who leads which over-piece of a team, by its template or by the column `pieces`.
    ///
    /// # Errors
    /// Why the pieces cannot be assigned.
    pub fn roles(&self, team: TeamNo) -> Result<Command<'_>, CommandError> {
        let roster = self.roster(team);
        let mut people = roster;
        people.retain(|player| [Role::Commander, Role::Lieutenant].contains(&player.role));
        // The order within a role is that of the roster.
        people.sort_by_key(|player| player.role != Role::Commander);
        let commanders = people.partition_point(|player| player.role == Role::Commander);
        if commanders == 0 {
            return Err(CommandError::NoCommander(self.called(team)));
        }
        if people.len() > MOST {
            let (name, found) = (self.called(team), people.len());
            return Err(CommandError::TooMany { name, found });
        }
        let template = match self.settings.lieutenants {
            Lieutenants::Full => Some(Template::Full),
            Lieutenants::ByType => Some(Template::ByType),
            Lieutenants::Rotation => Some(Template::Rotation),
            Lieutenants::Solo => Some(Template::Solo),
            Lieutenants::Listed => None,
        };
        let lists = || {
            people
                .iter()
                .map(|player| player.pieces.as_it_came())
                .collect::<Vec<_>>()
        };
        let roles = match template {
            Some(template) => assign(template, people.len() - commanders)
                .map(|roles| with_commanders(roles, commanders)),
            None => from_lists(&lists()),
        };
        let roles = roles.map_err(|why| CommandError::Roles {
            name: self.called(team),
            why,
        })?;
        Ok(Command {
            people,
            commanders,
            roles,
        })
    }
}

/// The roles of a template, with `commanders` commanders before the lieutenants. If there are several, the commander's
/// own pieces have no fixed holder: whichever commander is present leads them.
fn with_commanders(mut roles: Roles, commanders: usize) -> Roles {
    if commanders > 1 {
        roles.holders.retain(|(_, person)| *person > 0);
    }
    let shift = |person: &mut usize| {
        if *person > 0 {
            *person += commanders - 1;
        }
    };
    for (_, person) in &mut roles.holders {
        shift(person);
    }
    for person in &mut roles.queue {
        shift(person);
    }
    roles
}
