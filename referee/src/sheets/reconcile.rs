//! Compares two sheets of one game, and merges them if only remarks differ.
//!
//! Moves, actions, results of sub-games and the result must be the same; signs of check and glyphs are not
//! compared. The sheet read first is kept. It receives, after the same ply, those comments, glyphs and
//! variations of the other that it lacks; of two comments with the same command (two clocks, say) the first
//! stands. A tag that one sheet lacks or does not know (`?`) is taken from the other; where they differ, the
//! first stands, and a note says so.

use super::{Item, Problem, Sheet, stripped, tags};
use overboard_formats::{command::commands, lex::Prose, parse::Open, record::Node};

/// Adds the remarks and tags of another sheet of the same game to this one. Returns notes.
///
/// # Errors
/// The first move or result in which the two differ.
pub fn merge(sheet: &mut Sheet, other: Sheet) -> Result<Vec<Problem>, Problem> {
    let mut notes = Vec::new();
    merge_tags(sheet, &other, &mut notes);
    let header = tags::end_of_tags(&sheet.items);
    let ours = parts(sheet.items.split_off(header));
    let theirs = parts(other.items[tags::end_of_tags(&other.items)..].to_vec());
    compare(&ours, &theirs)?;
    let mut theirs = theirs.into_iter();
    for mut part in ours {
        if let Some(other) = theirs.next() {
            part.take_remarks(other.remarks);
            if let (Some((Node::Result(own), _)), Some((Node::Result(reported), _))) =
                (part.act.first_mut(), other.act.first())
                && own == "*"
            {
                own.clone_from(reported);
            }
        }
        sheet.items.extend(part.act);
        sheet.items.extend(part.remarks.into_iter().flatten());
    }
    Ok(notes)
}

/// A move with its number, or another act, and the remarks after it.
#[derive(Default)]
struct Part {
    act: Vec<Item>,
    /// Comments and glyphs each alone, variations whole.
    remarks: Vec<Vec<Item>>,
}

/// A record in parts; the first holds what precedes any act.
fn parts(items: Vec<Item>) -> Vec<Part> {
    let mut parts = vec![Part::default()];
    let mut ravs = 0_usize;
    // A number, or an action, goes on until its ply or its end.
    let mut goes_on = false;
    for item in items {
        let Some(last) = parts.last_mut() else { break };
        match &item.0 {
            Node::RavOpen if ravs == 0 => {
                ravs = 1;
                last.remarks.push(vec![item]);
                continue;
            }
            node if ravs > 0 => {
                match node {
                    Node::RavOpen => ravs += 1,
                    Node::RavClose => ravs -= 1,
                    _ => {}
                }
                if let Some(remark) = last.remarks.last_mut() {
                    remark.push(item);
                }
                continue;
            }
            node if tags::is_remark(node) && !goes_on => {
                last.remarks.push(vec![item]);
                continue;
            }
            _ => {}
        }
        let ends = match &item.0 {
            Node::Number(_) | Node::ActionOpen(_) | Node::Argument(_) | Node::Tag(..) => false,
            node => !tags::is_remark(node),
        };
        if goes_on {
            last.act.push(item);
        } else {
            parts.push(Part { act: vec![item], remarks: Vec::new() });
        }
        goes_on = !ends;
    }
    parts
}

impl Part {
    /// What is compared of it, as text.
    fn said(&self) -> String {
        let mut said = String::new();
        for (node, _) in &self.act {
            match node {
                Node::Ply(ply) => said.push_str(ply.trim_end_matches(['+', '#'])),
                Node::ActionOpen(verb) => said.push_str(&format!("<{}", verb.word())),
                Node::Argument(text) => said.push_str(&format!(" {text}")),
                Node::SubgameOpen(on) => said.push_str(&format!("<{on}:")),
                Node::BlockClose(Open::Action | Open::Subgame) => said.push('>'),
                Node::Result(result) => said.push_str(result),
                _ => {}
            }
        }
        said
    }

    fn take_remarks(&mut self, others: Vec<Vec<Item>>) {
        let mut names: Vec<_> = self.remarks.iter().flat_map(|remark| names(remark)).collect();
        for other in others {
            let theirs = super::reconcile::names(&other);
            let same = |own: &Vec<Item>| {
                own.len() == other.len() && own.iter().zip(&other).all(|(a, b)| plain(&a.0) == plain(&b.0))
            };
            let is_known = self.remarks.iter().any(same)
                || (!theirs.is_empty() && theirs.iter().all(|name| names.contains(name)));
            if !is_known {
                names.extend(theirs);
                self.remarks.push(other);
            }
        }
    }
}

/// The names of the commands of a comment.
fn names(remark: &[Item]) -> Vec<String> {
    match remark {
        [(Node::Prose(Prose::Brace | Prose::Line, text), _)] => commands(text.as_bytes())
            .map(|command| String::from_utf8_lossy(command.name).into_owned())
            .collect(),
        _ => Vec::new(),
    }
}

/// A node as it is compared.
fn plain(node: &Node) -> Node {
    match node {
        Node::Prose(Prose::Brace, text) => {
            Node::Prose(Prose::Brace, stripped(text).1.split_whitespace().collect::<Vec<_>>().join(" "))
        }
        Node::Ply(ply) => Node::Ply(ply.trim_end_matches(['+', '#']).into()),
        other => other.clone(),
    }
}

fn compare(ours: &[Part], theirs: &[Part]) -> Result<(), Problem> {
    let ends =
        |part: Option<&Part>| part.is_none_or(|part| matches!(part.act.first(), Some((Node::Result(_), _))));
    for at in 0..ours.len().max(theirs.len()) {
        let (own, other) = (ours.get(at), theirs.get(at));
        let (said, reported) = (own.map(Part::said), other.map(Part::said));
        let open = |text: &Option<String>| text.as_deref().is_none_or(|text| text == "*");
        // The sheet that has a result wins.
        if said == reported || (ends(own) && ends(other) && (open(&said) || open(&reported))) {
            continue;
        }
        let origin = |parts: &[Part], part: Option<&Part>| {
            part.and_then(|part| part.act.iter().rev().find(|(node, _)| !matches!(node, Node::Number(_))))
                .or_else(|| parts.iter().rev().find_map(|part| part.act.last()))
                .map(|(_, origin)| *origin)
        };
        let (Some(here), Some(there)) = (origin(ours, own), origin(theirs, other)) else { continue };
        let words =
            |text: Option<String>| text.map_or("the sheet ends here".into(), |text| format!("`{text}`"));
        let number = own.and_then(number).or_else(|| other.and_then(number)).unwrap_or_default();
        let message = format!("two sheets of this game differ: {number}{} here", words(said));
        return Err(Problem::at("unlike", message, here).and(there, format!("{} there", words(reported))));
    }
    Ok(())
}

fn number(part: &Part) -> Option<String> {
    part.act.iter().find_map(|(node, _)| match node {
        Node::Number(text) => Some(format!("{text} ")),
        _ => None,
    })
}

fn merge_tags(sheet: &mut Sheet, other: &Sheet, notes: &mut Vec<Problem>) {
    let is_known = |value: &str| !matches!(value, "" | "?" | "????.??.??" | "*");
    for (node, origin) in &other.items[..tags::end_of_tags(&other.items)] {
        let Node::Tag(name, value) = node else { continue };
        let own = sheet.items.iter_mut().find_map(|(node, own)| match node {
            Node::Tag(known, value) if known == name => Some((value, *own)),
            _ => None,
        });
        match own {
            None => tags::add(&mut sheet.items, name, value.clone(), *origin),
            Some((own, _)) if !is_known(own) => own.clone_from(value),
            Some((own, here))
                if own != value && is_known(value) && !matches!(name.as_str(), "Parent" | "Stated") =>
            {
                let message =
                    format!("two sheets of this game differ in the tag {name}: \"{own}\" here is kept");
                notes.push(Problem::at("note", message, here).and(*origin, format!("\"{value}\" there")));
            }
            Some(_) => {}
        }
    }
}
