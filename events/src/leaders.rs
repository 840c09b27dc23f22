//! Compares who leads which over-piece by the tags of a record and by the event (OV-13).

use crate::names;
use overboard_formats::header::unescape_list;
use overboard_games::overchess::lieutenants::{Led, posts};
use overboard_rules::{refusal::list, square::Side};
use overboard_schedules::roles::{SQUARES, kind, mirrored};

/// Who leads what in one team, according to two tags.
#[derive(Clone, Copy, Debug)]
pub struct Tags<'a> {
    /// The commander, or several.
    pub commander: &'a str,
    /// The list of lieutenants.
    pub lieutenants: &'a str,
}

impl Tags<'_> {
    /// Who leads each over-piece of a side in the initial position, joined as in the tags.
    fn leaders(&self, side: Side) -> Vec<(String, String)> {
        let (posts, _) = posts(self.lieutenants);
        let mut leaders = Vec::new();
        for square in SQUARES {
            let own = mirrored(square, side == Side::Black);
            // Who leads the square goes before who leads its kind, and that before who leads the rest.
            let by_kind = Led::read(&kind(square).to_string());
            let mut names = Vec::new();
            for led in [Led::read(&own), by_kind, Some(Led::Rest)] {
                if names.is_empty() {
                    let leads = posts.iter().filter(|post| Some(post.led) == led);
                    names.extend(leads.map(|post| post.name.as_str()));
                }
            }
            let name = if names.is_empty() {
                self.commanders()
            } else {
                names.join(", then ")
            };
            leaders.push((own, name));
        }
        leaders
    }

    fn commanders(&self) -> String {
        let names = self.commander.split(':').map(str::trim);
        list(names.map(unescape_list), "or")
    }

    /// The differences between two lists for a side, in words; empty if they agree.
    #[must_use]
    pub fn differences(self, other: Self, side: Side) -> Vec<String> {
        let mut groups: Vec<(String, String, Vec<String>)> = Vec::new();
        let (ours, theirs) = (self.commanders(), other.commanders());
        if !names::same(&ours, &theirs) {
            groups.push((ours, theirs, vec!["the Commander".to_owned()]));
        }
        for ((square, ours), (_, theirs)) in self.leaders(side).into_iter().zip(other.leaders(side))
        {
            if names::same(&ours, &theirs) {
                continue;
            }
            match groups
                .iter_mut()
                .find(|group| group.0 == ours && group.1 == theirs)
            {
                Some(group) => group.2.push(square),
                None => groups.push((ours, theirs, vec![square])),
            }
        }
        let nobody = |name: String| {
            if name.is_empty() {
                "nobody".to_owned()
            } else {
                name
            }
        };
        let in_words = |(ours, theirs, what): (String, String, Vec<String>)| {
            format!(
                "{}: {} in the record, {} in the event",
                list(what, "and"),
                nobody(ours),
                nobody(theirs)
            )
        };
        groups.into_iter().map(in_words).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_the_same_however_they_are_written() {
        let tags = |commander, lieutenants| Tags {
            commander,
            lieutenants,
        };
        let of_kinds = tags("Ann", "P=Bob:R=Cy:N=Di:B=Ed:Q=Flo");
        let of_squares = "a2=Bob:b2=bob:c2=Bob:d2=Bob:e2=Bob:f2=Bob:g2=Bob:h2=Bob:a1=Cy:h1=Cy:b1=Di:g1=Di:c1=Ed:f1=Ed:d1=Flo";
        assert_eq!(
            of_kinds.differences(tags("ann ", of_squares), Side::White),
            [""; 0]
        );
        assert_eq!(
            tags("Ann", "").differences(tags("Ann", "P=Ann"), Side::Black),
            [""; 0]
        );
        assert_eq!(
            tags("Zoe", "P=Bob:R=Cy:N=Di:B=Ed:Q=Gus:g8=Gus").differences(of_kinds, Side::Black),
            [
                "the Commander: Zoe in the record, Ann in the event",
                "d8: Gus in the record, Flo in the event",
                "g8: Gus in the record, Di in the event"
            ]
        );
        assert_eq!(
            tags("Ann", "*=Cy:*=Bob").differences(tags("Ann", "*=Bob:*=Cy"), Side::White)[0]
                .split(": ")
                .nth(1),
            Some("Cy, then Bob in the record, Bob, then Cy in the event")
        );
    }
}
