//! A line of play, and the sub-game that is being read in it.

use crate::span::Place;
use overboard_rules::{
    chess::Move,
    outcome::Outcome,
    overchess::{Over, Ply},
    square::Square,
};
use std::sync::Arc;

/// A line of play: the game itself, or a variation of it.
#[derive(Clone)]
pub struct OverLine {
    pub position: Option<Arc<Over>>,
    /// The position before the last ply of the over-game.
    pub before: Option<Arc<Over>>,
    /// The sub-game being read.
    pub block: Option<Block>,
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
    /// The position before its last ply, made again from its beginning.
    pub fn before(&mut self) -> Option<Arc<Over>> {
        if self.before.is_none() {
            let mut position = self.began.clone()?;
            if let Some((_, earlier)) = self.moves.split_last() {
                let replayed = Arc::make_mut(&mut position);
                earlier.iter().for_each(|m| replayed.play(&Ply::Sub(*m)));
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
        Self { position: Some(Arc::new(position)), before: None, block: None }
    }

    pub fn variation(&mut self) -> Self {
        let Some(block) = &mut self.block else {
            return Self { position: self.before.clone(), before: self.before.clone(), block: None };
        };
        let position = block.before();
        let inner = Block {
            on: block.on,
            fen: None,
            entered: block.entered,
            over: None,
            began: position.clone(),
            moves: Vec::new(),
            before: None,
        };
        Self { position, before: self.before.clone(), block: Some(inner) }
    }

    /// Whether everything is known.
    pub const fn is_known(&self) -> bool {
        self.position.is_some()
    }
}
