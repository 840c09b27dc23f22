//! A sheet whose outer sheets are missing, in the game around it that its tag Around describes.

use super::{
    Item, Items, Origin, Tagged as _,
    packed::Packed,
    tags::{self, Kept, Supplied},
};
use overboard_formats::{parse::Open, record::Node, span::TextSpan};
use overboard_games::{overchess, registry::Variant};
use overboard_referee::{game::position::ReadPosition, numbering::moment_before};

/// The record around a sheet is on no sheet, so findings there are dropped.
const NOWHERE: Origin = Origin {
    file: usize::MAX,
    place: TextSpan::NOWHERE,
};

/// A sheet as a block in a record that starts from the position in its tag Around.
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
        let others = own
            .split(':')
            .filter(|item| !item.is_empty() && !item.starts_with("depth="));
        let rules = others
            .map(String::from)
            .chain([format!("depth={depth}")])
            .collect::<Vec<_>>()
            .join(":");
        let ReadPosition { position, .. } = overchess::read(
            around,
            u8::try_from(depth).ok()?,
            overchess::options(&rules),
        )
        .ok()?;
        let squares = position.path();
        let levels = (0..).map_while(|at| position.level(at));
        let moments = levels.map(|level| moment_before(Some((level.fullmove(), level.turn()))));
        let way = moments
            .zip(squares.squares().map(|on| on.to_string()))
            .collect();
        let tag = |name: &str, value: String| (Node::Tag(name.into(), value), NOWHERE);
        let head = vec![
            tag("Variant", Variant::Over.name().into()),
            tag("Rules", rules),
            tag("SetUp", "1".into()),
            tag("FEN", around.into()),
        ];
        let supplied = [
            "Event", "Site", "Date", "Round", "White", "Black", "Result", "Rules", "Variant",
        ];
        let supplied: Vec<_> = supplied
            .into_iter()
            .filter_map(|name| Some((name, sheet.tag(name)?.to_string())))
            .filter(|(name, value)| !matches!(*name, "White" | "Black" | "Result") || value == "?")
            .collect();
        let supplied = Supplied::to(sheet, supplied);
        Some(Self {
            sheet,
            head,
            way,
            supplied,
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
        let result = (!is_said).then(|| (Node::Result("*".into()), self.sheet.origin()));
        let last = self.sheet.parts().last().map(|(_, origin)| origin);
        let end = result
            .as_ref()
            .map(|(_, origin)| *origin)
            .or(last)
            .unwrap_or(NOWHERE);
        let head = self.sheet.head_length();
        let stays = move |(at, (node, _)): &(usize, Item)| match node {
            Node::Tag(name, value) if *at < head => self.supplied.keeps(name, value) == Kept::Stays,
            _ => true,
        };
        let own = self
            .sheet
            .items()
            .enumerate()
            .filter(stays)
            .map(|(_, item)| item);
        let opened = self
            .way
            .iter()
            .map(|(_, on)| (Node::SubgameOpen(on.clone()), NOWHERE));
        let closed = self
            .way
            .iter()
            .map(move |_| (Node::BlockClose(Open::Subgame), end));
        let outer = (Node::Result("*".into()), NOWHERE);
        let before = self.head.iter().cloned().chain(opened);
        Box::new(before.chain(own).chain(result).chain(closed).chain([outer]))
    }
}
