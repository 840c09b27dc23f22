//! The plies of a sheet, and where sub-games follow them.

use crate::sheets::{Count, Sheet, ends_a_consolidation, stripped, tags};
use overboard_formats::{lex::Prose, parse::Open, record::Node};
use std::collections::HashMap;

/// The plies of a sheet as they are written, and the ply that a step refers to.
pub struct Plies {
    pub written: Vec<String>,
    pub labels: HashMap<String, usize>,
}

impl Plies {
    pub fn of(sheet: &Sheet) -> Self {
        let (mut written, mut labels) = (Vec::new(), HashMap::new());
        for PlyPlace { label, ply, .. } in ply_places(sheet) {
            labels.entry(label).or_insert(written.len());
            written.push(ply);
        }
        Self { written, labels }
    }
}

/// A ply of the main line of a sheet.
pub struct PlyPlace {
    pub label: String,
    pub ply: String,
    /// The nodes after which sub-games are inserted: where its ordinal is written.
    pub marks: Vec<usize>,
    /// The last node of it and its remarks.
    pub end: usize,
}

/// The plies of the main line of a sheet, preceded by an entry for the beginning.
pub fn ply_places(sheet: &Sheet) -> Vec<PlyPlace> {
    let items = &sheet.items;
    let mut count = Count::from(sheet.tag("FEN"));
    let begin = tags::end_of_tags(items).saturating_sub(1);
    let mut places = vec![PlyPlace { label: "0".into(), ply: String::new(), marks: Vec::new(), end: begin }];
    let (mut ravs, mut blocks) = (0_usize, 0_usize);
    for (at, (node, _)) in items.iter().enumerate() {
        match node {
            Node::RavOpen => ravs += 1,
            Node::RavClose => ravs = ravs.saturating_sub(1),
            Node::SubgameOpen(_) => blocks += 1,
            Node::BlockClose(Open::Subgame) => blocks = blocks.saturating_sub(1),
            _ => {}
        }
        let Some(last) = places.last_mut().filter(|_| ravs == 0 && blocks == 0) else { continue };
        let made = match node {
            Node::Ply(ply) => Some(ply.clone()),
            _ if ends_a_consolidation(items, at) => Some(String::new()),
            _ => None,
        };
        if let Some(ply) = made {
            places.push(PlyPlace { label: count.label(), ply, marks: Vec::new(), end: at });
            count.advance();
        } else if tags::is_remark(node) {
            let is_mark = |text: &str| stripped(text).0.iter().any(|(name, _)| name == "seq");
            if matches!(node, Node::Prose(Prose::Brace, text) if is_mark(text)) {
                last.marks.push(at);
            }
            if last.end + 1 == at {
                last.end = at;
            }
        }
    }
    places
}
