//! A variation as a tree: what is played in it, and the variations in it as blocks of their own.

use super::{
    recorder::{Part, Variation},
    said::{Said, said},
};
use maud::{Markup, html};

/// What a text of a variation is made of.
#[derive(PartialEq, Eq, Debug)]
enum Token<'a> {
    /// A variation in this one begins.
    Open,
    /// It ends.
    Close,
    /// A comment or an annotation sign.
    Remark(&'a str),
    /// A move number, or a ply that is not known.
    Word(&'a str),
}

/// The block of a variation.
pub fn block(variation: &Variation) -> Markup {
    // The blocks that are open, the outermost first. Brackets that nobody opened stay in the outermost.
    let mut open = vec![Vec::new()];
    let push = |open: &mut Vec<Vec<Markup>>, part: Markup| {
        if let Some(parts) = open.last_mut() {
            parts.push(part);
        }
    };
    for part in variation {
        let text = match part {
            Part::Text(text) => text,
            Part::Ply { numbered, written } => {
                push(&mut open, html! { a.w title=(numbered) { (written) } " " });
                continue;
            }
        };
        for token in Tokens(text) {
            match token {
                Token::Open => open.push(Vec::new()),
                Token::Close => close(&mut open),
                Token::Remark(text) => push(&mut open, remark(&said(text))),
                Token::Word(word) => push(&mut open, html! { (word) " " }),
            }
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    whole(&open.pop().unwrap_or_default())
}

/// Closes the innermost block, unless it is the only one.
fn close(open: &mut Vec<Vec<Markup>>) {
    if open.len() < 2 {
        return;
    }
    let inner = open.pop().unwrap_or_default();
    if let Some(around) = open.last_mut() {
        around.push(whole(&inner));
    }
}

fn whole(parts: &[Markup]) -> Markup {
    html! { div.v role="group" aria-label="Variation" { @for part in parts { (part) } } }
}

/// What is said after a ply, without braces.
fn remark(said: &Said) -> Markup {
    html! {
        @if !said.signs.is_empty() { (signs(&said.signs)) " " }
        @for comment in &said.comments { span.x.c { (comment) } " " }
    }
}

/// Annotation signs, by whose kind the page colours them.
pub fn signs(signs: &str) -> Markup {
    html! { @if !signs.is_empty() { b.g data-g=(signs.trim()) { (signs) } } }
}

/// The tokens of a text.
struct Tokens<'a>(&'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.0 = self.0.trim_start();
        let first = self.0.chars().next()?;
        let (length, token): (usize, fn(&'a str) -> Token<'a>) = match first {
            '(' => (1, |_| Token::Open),
            ')' => (1, |_| Token::Close),
            '{' => (self.through('}'), Token::Remark),
            ';' => (self.through('\n'), Token::Remark),
            '$' | '!' | '?' => (self.word(), Token::Remark),
            _ => (self.word(), Token::Word),
        };
        let (own, rest) = self.0.split_at(length);
        self.0 = rest;
        Some(token(own))
    }
}

impl Tokens<'_> {
    /// The length up to and with a character, or of all that is left.
    fn through(&self, end: char) -> usize {
        self.0.find(end).map_or(self.0.len(), |at| at + 1)
    }

    /// The length of a word, whose first character may be any.
    fn word(&self) -> usize {
        let ends = |c: char| c.is_whitespace() || "(){;".contains(c);
        let mut characters = self.0.char_indices().skip(1);
        characters
            .find(|(_, c)| ends(*c))
            .map_or(self.0.len(), |(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variation_in_a_variation_is_a_block_in_its_block() {
        let ply = |written: &str| Part::Ply {
            numbered: format!("1. {written}"),
            written: written.into(),
        };
        let text = |text: &str| Part::Text(text.into());
        let variation = vec![
            text("1. "),
            ply("d4"),
            text(" $5 {a {b} (1... "),
            ply("Nf6"),
            text(") )2."),
        ];
        assert_eq!(
            block(&variation).into_string(),
            "<div class=\"v\" role=\"group\" aria-label=\"Variation\">1. <a class=\"w\" title=\"1. d4\">d4</a> \
             <b class=\"g\" data-g=\"!?\">!?</b> <span class=\"x c\">a {b</span> \
             <div class=\"v\" role=\"group\" aria-label=\"Variation\">1... <a class=\"w\" title=\"1. Nf6\">Nf6</a> </div>2. </div>"
        );
        for odd in ["", "{", "(", ")", "((", ";", "$", "\u{fc}{\u{fc}"] {
            block(&vec![text(odd)]);
        }
    }
}
