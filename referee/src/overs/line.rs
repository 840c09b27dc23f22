//! A line of play, and the sub-game that is being read in it.

use overboard_formats::span::Place;
use overboard_games::{
    chess::Move,
    overchess::{Effects, Over, Ply},
};
use overboard_rules::{
    game::{Effects as _, Game as _},
    outcome::Outcome,
    path::BoardPath,
    square::Square,
};
use std::sync::Arc;

/// A line of play: the game itself, or a variation of it.
#[derive(Clone)]
pub struct OverLine {
    pub position: Option<Arc<Over>>,
    /// The position before the last ply of the over-game.
    pub before: Option<Arc<Over>>,
    /// The sub-games being read, each inside the one before.
    pub blocks: Vec<Block>,
    /// The sub-games that were over before any block of theirs, dead at their set-ups (OV-15).
    pub dead: Vec<BoardPath>,
}

/// A sub-game being read.
#[derive(Clone)]
pub struct Block {
    pub on: Square,
    /// The FEN of its set-up, and where it stands.
    pub fen: Option<(String, Place)>,
    /// Whether its tags are over.
    pub entered: bool,
    /// How its moves ended it.
    pub over: Option<Outcome>,
    /// The position in which its moves began, and the moves.
    pub began: Option<Arc<Over>>,
    pub moves: Vec<Move>,
    /// The position before its last ply, once it was asked for.
    pub before: Option<Arc<Over>>,
}

impl Block {
    /// The sub-game on a square, of which nothing was read.
    pub const fn on(on: Square) -> Self {
        Self { on, fen: None, entered: false, over: None, began: None, moves: Vec::new(), before: None }
    }

    /// The sub-game on a square that was drawn without a move.
    pub fn dead(on: Square) -> Self {
        Self { entered: true, over: Some(Outcome::Draw), ..Self::on(on) }
    }

    /// The same as it stands around a variation.
    fn outside(&self) -> Self {
        Self { entered: self.entered, ..Self::on(self.on) }
    }

    /// The position before its last ply, made again from its beginning.
    pub fn before(&mut self) -> Option<Arc<Over>> {
        if self.before.is_none() {
            let mut position = self.began.clone()?;
            if let Some((_, earlier)) = self.moves.split_last() {
                let replayed = Arc::make_mut(&mut position);
                for m in earlier {
                    replayed.play(Ply::Sub(*m));
                }
            }
            self.before = Some(position);
        }
        self.before.clone()
    }
}

impl Block {
    /// The sub-game goes on from a position that none of its moves led to.
    pub fn go_on_from(&mut self, before: Arc<Over>, position: &Arc<Over>) {
        self.began = Some(Arc::clone(position));
        self.moves.clear();
        self.before = Some(before);
    }
}

impl OverLine {
    pub fn from(position: Over) -> Self {
        Self { position: Some(Arc::new(position)), before: None, blocks: Vec::new(), dead: Vec::new() }
    }

    pub fn variation(&mut self) -> Self {
        let before = self.before.clone();
        let Some(block) = self.blocks.last_mut() else {
            return Self { position: before.clone(), before, blocks: Vec::new(), dead: Vec::new() };
        };
        let position = block.before();
        let mut blocks: Vec<_> = self.blocks.iter().map(Block::outside).collect();
        if let Some(inner) = blocks.last_mut() {
            inner.began.clone_from(&position);
        }
        Self { position, before, blocks, dead: Vec::new() }
    }

    /// The position before the last ply of the over-game being read.
    pub fn remember(&mut self, before: Arc<Over>) {
        match self.blocks.last_mut() {
            Some(block) => block.before = Some(before),
            None => self.before = Some(before),
        }
    }

    /// Games inside are over: their blocks, or what blocks there will be.
    pub fn close_ended(&mut self, effects: &Effects) {
        for (way, outcome) in effects.ended() {
            let level = way.len().saturating_sub(1);
            match self.blocks.get_mut(level).filter(|block| way.squares().last() == Some(block.on)) {
                Some(block) => block.over = Some(outcome),
                None => self.dead.push(way),
            }
        }
    }

    /// Whether everything is known.
    pub const fn is_known(&self) -> bool {
        self.position.is_some()
    }
}
