//! A sheet whose outer sheets are missing, in the game around it that its tag Around describes.

use super::{
    Item, Items, Origin, Tagged as _,
    packed::Packed,
    tags::{self, Kept, Supplied},
};
use overboard_formats::{parse::Open, record::Node};
use overboard_games::{overchess, registry::Variant};
use overboard_referee::{game::position::ReadPosition, numbering::moment_before};

/// A sheet as a block in a record that starts from the position in its tag Around. The record around it is on no sheet, so
/// findings there are dropped.
pub struct Inside<'s> {
    sheet: &'s Packed,
    /// The tags of that record.
    head: Vec<Item>,
    /// The squares that lead to the block, each with the moment of the game around it.
    way: Vec<(String, String)>,
    supplied: Supplied,
}

impl<'s> Inside<'s> {
    /// A sheet; `None` without a usable tag.
    pub fn of(sheet: &'s Packed) -> Option<Self> {
        let around = sheet.tag("Around")?;
        let steps = sheet.tag("Parent")?.split('/').count().checked_sub(1)?;
        let own = sheet.tag("Rules").unwrap_or_default();
        let depth = overchess::depth(own) as usize + steps;
        let mut rules = Vec::new();
        for item in own.split(':') {
            if !item.is_empty() && !item.starts_with("depth=") {
                rules.push(item.to_string());
            }
        }
        rules.push(format!("depth={depth}"));
        let rules = rules.join(":");
        let options = overchess::options(&rules);
        let read = overchess::read(around, u8::try_from(depth).ok()?, options);
        let ReadPosition { position, .. } = read.ok()?;
        let mut way = Vec::new();
        for (at, on) in position.path().squares().enumerate() {
            let Some(level) = position.level(at) else {
                break;
            };
            let moment = moment_before(Some((level.fullmove(), level.turn())));
            way.push((moment, on.to_string()));
        }
        let tag = |name: &str, value: String| (Node::Tag(name.into(), value), Origin::NOWHERE);
        let head = vec![
            tag("Variant", Variant::Over.name().into()),
            tag("Rules", rules),
            tag("SetUp", "1".into()),
            tag("FEN", around.into()),
        ];
        Some(Self {
            sheet,
            head,
            way,
            supplied: supplied_to(sheet),
        })
    }

    /// The steps to the sheet's game in the record: `12b.d5`.
    pub fn way(&self) -> Vec<String> {
        self.way
            .iter()
            .map(|(moment, on)| format!("{moment}.{on}"))
            .collect()
    }

    /// The nodes of the record.
    pub fn items(&self) -> Items<'_> {
        let is_said = self
            .sheet
            .items()
            .any(|(node, _)| tags::says_something(&node));
        let mut after = Vec::new();
        let mut end = Origin::NOWHERE;
        if !is_said {
            end = self.sheet.origin();
            after.push((Node::Result("*".into()), end));
        } else if let Some((_, last)) = self.sheet.parts().last() {
            end = last;
        }
        let mut before = self.head.clone();
        for (_, on) in &self.way {
            before.push((Node::SubgameOpen(on.clone()), Origin::NOWHERE));
            after.push((Node::BlockClose(Open::Subgame), end));
        }
        after.push((Node::Result("*".into()), Origin::NOWHERE));
        let head = self.sheet.head_length();
        let stays = move |(at, (node, _)): &(usize, Item)| match node {
            Node::Tag(name, value) if *at < head => self.supplied.keeps(name, value) == Kept::Stays,
            _ => true,
        };
        let own = self.sheet.items().enumerate().filter(stays);
        let own = own.map(|(_, item)| item);
        Box::new(before.into_iter().chain(own).chain(after))
    }
}

/// The tags that a sheet was given.
fn supplied_to(sheet: &Packed) -> Supplied {
    let mut supplied = Vec::new();
    for name in [
        "Event", "Site", "Date", "Round", "White", "Black", "Result", "Rules", "Variant",
    ] {
        let Some(value) = sheet.tag(name) else {
            continue;
        };
        if !matches!(name, "White" | "Black" | "Result") || value == "?" {
            supplied.push((name, value.to_string()));
        }
    }
    Supplied::to(sheet, supplied)
}
